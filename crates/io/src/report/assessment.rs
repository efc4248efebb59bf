//! The page of an assessment.

use drystone_analysis::assessment::{AssessmentResult, demand_curve, state_name, states};
use drystone_model::{Assessment, Model};

use super::chart::{Line, chart};
use super::page::Page;
use super::{escape, scene};

/// What the page is made of.
pub struct AssessmentReport<'a> {
    /// The structure.
    pub model: &'a Model,
    /// Name of the analysis.
    pub analysis: &'a str,
    /// One sentence: the verdict.
    pub headline: &'a str,
    /// The assessment in words.
    pub text: &'a str,
    /// The summary as it was written.
    pub summary: &'a serde_json::Value,
    /// What was asked.
    pub settings: &'a Assessment,
    /// What was found.
    pub result: &'a AssessmentResult,
}

/// How far the level of an onset is drawn whose displacements are not known, m.
const LEVEL: f64 = 0.1;

impl AssessmentReport<'_> {
    /// Capacity and demand in acceleration and displacement.
    pub fn picture(&self) -> String {
        let g = self.settings.gravity;
        let found = &self.result.oscillator;
        let scaled = |[d, a]: [f64; 2]| [1e3 * d, a / g];
        // What is known by forces alone is a level.
        let level = [[0.0, found.onset], [LEVEL, found.onset]];
        let curve: &[[f64; 2]] = if found.curve.is_empty() {
            &level
        } else {
            &found.curve
        };
        let mut lines = vec![Line {
            label: "capacity".to_owned(),
            points: curve.iter().map(|&point| scaled(point)).collect(),
            dashed: false,
        }];
        for (state, hazard) in states(self.settings) {
            let curve = demand_curve(self.settings, hazard);
            lines.push(Line {
                label: format!("demand, {}", state_name(state)),
                points: curve.iter().map(|&[_, d, a]| scaled([d, a])).collect(),
                dashed: true,
            });
        }
        let peak = found
            .peak
            .map(|peak| [peak.displacement, peak.acceleration]);
        let life = found
            .life
            .map(|life| [life.displacement, life.acceleration]);
        let marks: Vec<[f64; 2]> = peak.into_iter().chain(life).map(scaled).collect();
        chart(&lines, &marks, "d*, mm", "a*, g")
    }

    /// The page.
    pub fn html(&self) -> String {
        let more = format!(
            "<h2>Capacity and demand</h2>{}<h2>Assessment</h2><pre style=\"white-space:pre-wrap\">{}</pre>",
            self.picture(),
            escape(self.text)
        );
        Page {
            name: &self.model.name,
            analysis: self.analysis,
            headline: self.headline,
            summary: self.summary,
            still: String::new(),
            more,
            scene: scene::structure(self.model),
        }
        .html()
    }
}
