//! The report of a pushover: the curve, and the shapes along it.

use drystone_geometry::Pose;
use drystone_model::Model;
use drystone_questions::pushover::{Branch, Outcome};
use serde_json::Value;

use super::figures::{Curve, curves};
use super::{PackedMotion, Paper, Series, page, scene, size, stride, strip};
use crate::figure::{Axis, Figure};

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
    pub fn paper(&self) -> Paper {
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
            still: self.shapes(),
            more: self.curve().into_iter().collect(),
            text: String::new(),
            scene,
        }
        .paper()
    }

    fn shapes(&self) -> Vec<Figure> {
        let Some(last) = self.frames.len().checked_sub(1) else {
            return Vec::new();
        };
        let mut shown: Vec<_> = (0..PICTURES).map(|k| k * last / (PICTURES - 1)).collect();
        shown.dedup();
        let shown: Vec<_> = shown.into_iter().map(|k| self.frames[k].clone()).collect();
        strip(self.model, "Shapes", &shown, |d| format!("at {d:.4} m"))
    }

    /// Multiplier over displacement, one curve per branch.
    fn curve(&self) -> Option<Figure> {
        let points = &self.result.curve.points;
        let over: Vec<f64> = points.iter().map(|point| point.d).collect();
        let mut branches = Vec::new();
        for (branch, label) in [
            (Branch::Elastic, "elastic joints"),
            (Branch::Rigid, "rigid joints"),
        ] {
            if self.result.curve.branch(branch).next().is_some() {
                let value = |point: &drystone_questions::pushover::CurvePoint| {
                    if point.branch == branch {
                        point.alpha
                    } else {
                        f64::NAN
                    }
                };
                branches.push(Curve {
                    label: label.to_owned(),
                    values: points.iter().map(value).collect(),
                });
            }
        }
        let along = (Axis::new("displacement", "m"), over.as_slice());
        curves("Multiplier over displacement", along, "", &branches)
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
