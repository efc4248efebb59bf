//! A report to look at: one HTML file that works offline.

mod assessment;
mod figures;
#[cfg(test)]
mod generated;
mod live;
#[rustfmt::skip]
pub mod look;
mod of_answer;
mod order;
mod packed;
mod page;
mod pushover;
mod rocking;
mod scene;
mod statics;
mod touching;
mod view;

use std::fmt::Write as _;

use drystone_geometry::Pose;
use drystone_model::Model;
use drystone_questions::time_history::Resultant;

use crate::figure::{Content, Figure};
use figures::{Curve, figures, over_time};
use scene::Scene;

pub use assessment::AssessmentReport;
pub use live::{live_frame, live_page};
pub use of_answer::{frames_shown, page, page_of_frames};
pub use packed::PackedMotion;
use packed::stride;
pub use page::Paper;
pub use pushover::PushoverReport;
pub use rocking::rocking_page;
pub use scene::size;
pub use statics::{StaticsReport, shown};
pub use touching::{Touching, touching};
pub use view::{View, view};

/// A table of numbers against time.
#[derive(Debug, Clone, Default)]
pub struct Series {
    /// Column names, without time.
    pub names: Vec<String>,
    /// s.
    pub time: Vec<f64>,
    /// One list per name, as long as `time`.
    pub columns: Vec<Vec<f64>>,
}

impl Series {
    fn column(&self, name: &str) -> Option<&[f64]> {
        let index = self.names.iter().position(|other| other == name)?;
        self.columns.get(index).map(Vec::as_slice)
    }
}

/// What a report shows.
pub struct Report<'a> {
    /// The structure.
    pub model: &'a Model,
    /// Name of the analysis.
    pub analysis: &'a str,
    /// One sentence: the verdict.
    pub headline: &'a str,
    /// The summary as it was written.
    pub summary: &'a serde_json::Value,
    /// Energies and monitors.
    pub history: &'a Series,
    /// How well each step was solved.
    pub diagnostics: &'a Series,
    /// Where blocks touch at the start.
    pub touching: &'a [Touching],
    /// Some instants of the motion for still pictures, poses relative to the ground.
    pub frames: &'a [(f64, Vec<Pose>)],
    /// The motion for the viewer.
    pub motion: &'a PackedMotion,
    /// Resultants in joints, if they were stored.
    pub forces: &'a [Resultant],
    /// Forces and elongations of ties, if there are any.
    pub ties: &'a Series,
}

impl Report<'_> {
    /// The page.
    pub fn paper(&self) -> Paper {
        let mut still = strip(self.model, "Motion", self.frames, |time| {
            format!("{time:.2} s")
        });
        still.extend(figures(self.history, self.diagnostics, self.model.weight()));
        let diagnosed = !self.diagnostics.time.is_empty();
        let scene = Scene {
            motion: Some(self.motion.clone()),
            history: Some(scene::history(self.history)),
            diagnostics: diagnosed.then(|| scene::diagnostics(self.diagnostics)),
            touching: (!self.touching.is_empty()).then(|| touching::packed(self.touching)),
            forces: (!self.forces.is_empty()).then(|| scene::forces(self.forces)),
            ..scene::structure(self.model)
        };
        page::Page {
            name: &self.model.name,
            analysis: self.analysis,
            headline: self.headline,
            summary: self.summary,
            still,
            more: self.ties().into_iter().collect(),
            text: String::new(),
            scene,
        }
        .paper()
    }

    /// Forces of ties against time, which the viewer does not plot.
    fn ties(&self) -> Option<Figure> {
        let columns = self.ties.names.iter().zip(&self.ties.columns);
        let curves: Vec<Curve> = columns
            .filter_map(|(name, values)| {
                let label = name.strip_suffix(".force")?.to_owned();
                let values = values.clone();
                Some(Curve { label, values })
            })
            .collect();
        over_time("Force of ties, N", "N", &self.ties.time, &curves)
    }
}

/// The structure at some instants, all seen in the same view.
fn strip(
    model: &Model,
    title: &str,
    frames: &[(f64, Vec<Pose>)],
    caption: impl Fn(f64) -> String,
) -> Vec<Figure> {
    let around = View::around(model, frames);
    let one = |(at, poses): &(f64, Vec<Pose>)| {
        let drawing = view(model, poses, &around);
        Figure::new(title, Content::Drawing(drawing)).with_caption(&caption(*at))
    };
    frames.iter().map(one).collect()
}

/// Table rows for every number and word in a summary.
fn rows(page: &mut String, path: &str, value: &serde_json::Value) {
    match value {
        serde_json::Value::Object(map) => {
            for (key, value) in map {
                let path = if path.is_empty() {
                    key.clone()
                } else {
                    format!("{path}.{key}")
                };
                rows(page, &path, value);
            }
        }
        serde_json::Value::Array(values) if values.iter().all(serde_json::Value::is_number) => {
            let list: Vec<String> = values.iter().map(number).collect();
            let list = if list.is_empty() {
                "none".to_owned()
            } else {
                list.join(", ")
            };
            let _ = write!(page, "<tr><td>{}<td>{list}", escape(path));
        }
        serde_json::Value::Array(values) => {
            for (k, value) in values.iter().enumerate() {
                rows(page, &format!("{path}[{k}]"), value);
            }
        }
        serde_json::Value::Null => {}
        serde_json::Value::String(text) => {
            let _ = write!(page, "<tr><td>{}<td>{}", escape(path), escape(text));
        }
        other => {
            let _ = write!(page, "<tr><td>{}<td>{}", escape(path), number(other));
        }
    }
}

/// A number to seven digits, which are easier to read than all of them; whoever needs those finds them in the summary.
pub fn number(value: &serde_json::Value) -> String {
    let Some(x) = value.as_f64().filter(|_| value.is_f64()) else {
        return value.to_string();
    };
    let rounded: f64 = format!("{x:.6e}").parse().unwrap_or(x);
    if rounded == 0.0 || (1e-4..1e9).contains(&rounded.abs()) {
        rounded.to_string()
    } else {
        format!("{rounded:e}")
    }
}

/// Text as it stands in a page.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_from_the_model_cannot_break_out_of_the_page() {
        assert_eq!(escape("<b> & \"c\""), "&lt;b&gt; &amp; &quot;c&quot;");
    }

    #[test]
    fn numbers_are_short_but_not_wrong() {
        let short = |x: f64| number(&serde_json::json!(x));
        assert_eq!(short(9.899576581765684e-8), "9.899577e-8");
        assert_eq!(short(743068.475974205), "743068.5");
        assert_eq!(short(4.0), "4");
        assert_eq!(number(&serde_json::json!(8000)), "8000");
    }

    #[test]
    fn every_leaf_of_a_summary_gets_a_row() {
        let mut page = String::new();
        rows(
            &mut page,
            "",
            &serde_json::json!({"a": {"b": 1.5, "c": [1, 2]}, "d": [{"e": "x"}], "f": null}),
        );
        for part in ["a.b<td>1.5", "a.c<td>1, 2", "d[0].e<td>x"] {
            assert!(page.contains(part), "{page}");
        }
        assert!(!page.contains("null"));
    }
}
