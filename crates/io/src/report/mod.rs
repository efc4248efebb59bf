//! A report to look at: one HTML file that works offline.

mod plot;
mod statics;
mod view;

use std::fmt::Write as _;

use drystone_geometry::Pose;
use drystone_model::Model;

pub use plot::{Curve, plot};
pub use statics::{StaticsReport, displaced};
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
    /// Some instants of the motion, poses relative to the ground.
    pub frames: &'a [(f64, Vec<Pose>)],
}

const STYLE: &str = "body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222}\
h1{font-size:1.6rem;margin-bottom:0}h2{font-size:1.1rem;margin:2rem 0 .5rem}.sub{color:#666;margin-top:0}\
.verdict{padding:.8rem 1rem;border-radius:.4rem;background:#e7f2e9;border-left:.4rem solid #3d8b52;font-size:1.15rem}\
.verdict.collapsed,.verdict.overturned,.verdict.unstable,.verdict.infeasible{background:#f8e6e3;border-color:#b5382a}\
.verdict.interrupted,.verdict.failed,.verdict.inaccurate{background:#fbf3dd;border-color:#c79a1e}\
.strip{display:grid;grid-template-columns:repeat(auto-fit,minmax(20rem,1fr));gap:1rem}figure{margin:0}figcaption{color:#666;font-size:.9rem}\
table{border-collapse:collapse;font-size:.9rem}td,th{padding:.15rem .8rem .15rem 0;text-align:left;border-bottom:1px solid #eee}\
svg{width:100%;height:auto}@media print{body{margin:0}}";

impl Report<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut page = String::new();
        let status = self.summary["status"].as_str().unwrap_or_default();
        let _ = write!(
            page,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{name}: {analysis}</title><style>{STYLE}</style>\
             <h1>{name}</h1><p class=\"sub\">{analysis}</p><p class=\"verdict {status}\">{headline}</p>",
            name = escape(&self.model.name),
            analysis = escape(self.analysis),
            status = escape(status),
            headline = escape(self.headline),
        );
        self.motion(&mut page);
        self.energies(&mut page);
        self.monitors(&mut page);
        self.numbers(&mut page);
        page
    }

    fn motion(&self, page: &mut String) {
        if self.frames.is_empty() {
            return;
        }
        page.push_str("<h2>Motion</h2><div class=\"strip\">");
        let view_box = View::around(self.model, self.frames);
        for (time, poses) in self.frames {
            let _ = write!(
                page,
                "<figure>{}<figcaption>{time:.2} s</figcaption></figure>",
                view(self.model, poses, &view_box)
            );
        }
        page.push_str("</div>");
    }

    fn energies(&self, page: &mut String) {
        let weight = self.model.weight();
        if weight <= 0.0 {
            return;
        }
        let first = |values: &[f64]| values.first().copied().unwrap_or_default();
        let mut curves = Vec::new();
        for (name, label) in [
            ("kinetic", "kinetic"),
            ("potential", "potential, change"),
            ("harvested", "harvested"),
            ("dissipated", "dissipated"),
        ] {
            if let Some(values) = self.history.column(name) {
                let start = if name == "potential" {
                    first(values)
                } else {
                    0.0
                };
                curves.push(Curve {
                    label: label.to_owned(),
                    values: values
                        .iter()
                        .map(|value| (value - start) / weight)
                        .collect(),
                });
            }
        }
        if !curves.is_empty() {
            page.push_str("<h2>Energy per unit weight, m</h2>");
            page.push_str(&plot(&self.history.time, &curves, "m"));
        }
    }

    fn monitors(&self, page: &mut String) {
        for (suffixes, title, unit) in [
            (
                [".ux", ".uy", ".uz"],
                "Displacement of monitors relative to the ground, m",
                "m",
            ),
            ([".rx", ".ry", ".rz"], "Rotation of monitors, rad", "rad"),
        ] {
            let curves: Vec<Curve> = self
                .history
                .names
                .iter()
                .zip(&self.history.columns)
                .filter(|(name, _)| suffixes.iter().any(|suffix| name.ends_with(suffix)))
                .filter(|(name, values)| {
                    !name.starts_with("ground.") && values.iter().any(|value| value.abs() > 1e-9)
                })
                .map(|(name, values)| Curve {
                    label: name.clone(),
                    values: values.clone(),
                })
                .collect();
            if !curves.is_empty() {
                let _ = write!(
                    page,
                    "<h2>{title}</h2>{}",
                    plot(&self.history.time, &curves, unit)
                );
            }
        }
    }

    fn numbers(&self, page: &mut String) {
        page.push_str("<h2>Numbers</h2><table>");
        rows(page, "", self.summary);
        page.push_str("</table>");
    }
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
            let list: Vec<String> = values.iter().map(ToString::to_string).collect();
            let _ = write!(page, "<tr><td>{}<td>{}", escape(path), list.join(", "));
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
            let _ = write!(page, "<tr><td>{}<td>{other}", escape(path));
        }
    }
}

fn escape(text: &str) -> String {
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
