//! The report of a pushover: the curve, and the shapes along it.

use std::fmt::Write as _;

use drystone_analysis::pushover::{Branch, Outcome};
use drystone_geometry::Pose;
use drystone_model::Model;
use serde_json::Value;

use super::plot::plot_over;
use super::{Curve, PackedMotion, Series, View, page, scene, size, stride, view};

/// Still pictures of the shape.
const PICTURES: usize = 4;

/// What the report of a pushover shows.
pub struct PushoverReport<'a> {
    /// The structure.
    pub model: &'a Model,
    /// Name of the analysis.
    pub analysis: &'a str,
    /// One sentence: the verdict.
    pub headline: &'a str,
    /// The summary as it was written.
    pub summary: &'a Value,
    /// The curve.
    pub result: &'a Outcome,
    /// Shapes by displacement, m.
    pub frames: &'a [(f64, Vec<Pose>)],
}

impl PushoverReport<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut still = String::new();
        self.pictures(&mut still);
        let mut scene = scene::structure(self.model);
        if !self.frames.is_empty() {
            let stride = stride(self.model, self.frames.len());
            let shown: Vec<_> = self.frames.iter().step_by(stride).cloned().collect();
            let motion = PackedMotion::new(self.model, &shown, size(self.model), stride);
            scene.motion = Some(motion);
            scene.history = Some(scene::history(&self.series()));
        }
        page::Page {
            name: &self.model.name,
            analysis: self.analysis,
            headline: self.headline,
            summary: self.summary,
            still,
            more: self.curve(),
            scene,
        }
        .html()
    }

    fn pictures(&self, page: &mut String) {
        if self.frames.is_empty() {
            return;
        }
        let last = self.frames.len() - 1;
        let mut shown: Vec<_> = (0..PICTURES).map(|k| k * last / (PICTURES - 1)).collect();
        shown.dedup();
        let shown: Vec<_> = shown.into_iter().map(|k| self.frames[k].clone()).collect();
        page.push_str("<h2>Shapes</h2><div class=\"strip\">");
        let view_box = View::around(self.model, &shown);
        for (d, poses) in &shown {
            let _ = write!(
                page,
                "<figure>{}<figcaption>at {d:.4} m</figcaption></figure>",
                view(self.model, poses, &view_box)
            );
        }
        page.push_str("</div>");
    }

    /// Multiplier over displacement, one curve per branch.
    fn curve(&self) -> String {
        let points = &self.result.curve.points;
        let over: Vec<f64> = points.iter().map(|point| point.d).collect();
        let mut curves = Vec::new();
        for (branch, label) in [
            (Branch::Elastic, "elastic joints"),
            (Branch::Rigid, "rigid joints"),
        ] {
            if self.result.curve.branch(branch).next().is_some() {
                let value = |point: &drystone_analysis::pushover::CurvePoint| {
                    if point.branch == branch {
                        point.alpha
                    } else {
                        f64::NAN
                    }
                };
                curves.push(Curve {
                    label: label.to_owned(),
                    values: points.iter().map(value).collect(),
                });
            }
        }
        if curves.is_empty() {
            return String::new();
        }
        format!(
            "<h2>Multiplier over displacement</h2>{}",
            plot_over(&over, "displacement, m", &curves, "")
        )
    }

    /// The multiplier along the way that is shown, for the viewer.
    fn series(&self) -> Series {
        let curve = &self.result.curve;
        let meet = self.result.d_y.unwrap_or(0.0);
        let alpha = |d: f64| {
            let elastic = (d <= meet)
                .then(|| curve.alpha(Branch::Elastic, d))
                .flatten();
            elastic
                .or_else(|| curve.alpha(Branch::Rigid, d))
                .unwrap_or(f64::NAN)
        };
        let time: Vec<f64> = self.frames.iter().map(|(d, _)| *d).collect();
        Series {
            names: vec!["multiplier".to_owned()],
            columns: vec![time.iter().map(|&d| alpha(d)).collect()],
            time,
        }
    }
}
