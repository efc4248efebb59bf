//! The page of an assessment.

use drystone_model::{Assessment, Model};
use drystone_questions::assessment::{AssessmentResult, demand_curve, state_name, states};

use super::page::{Page, Paper};
use super::{escape, scene};
use crate::figure::{Axis, Chart, Content, Figure, Ink, Item, Line, Mark};

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

const HEIGHT: f64 = 420.0;

impl AssessmentReport<'_> {
    /// Capacity and demand in acceleration and displacement.
    fn figure(&self) -> Option<Figure> {
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
        let points = curve.iter().map(|&point| scaled(point));
        let mut items = vec![Item::Line(Line::new("capacity", Ink::Series(0), points))];
        for (state, hazard) in states(self.settings) {
            let curve = demand_curve(self.settings, hazard);
            let points = curve.iter().map(|&[_, d, a]| scaled([d, a]));
            let label = format!("demand, {}", state_name(state));
            let line = Line::new(&label, Ink::Series(items.len()), points);
            items.push(Item::Line(line.dashed(true)));
        }
        let peak = found
            .peak
            .map(|peak| [peak.displacement, peak.acceleration]);
        let life = found
            .life
            .map(|life| [life.displacement, life.acceleration]);
        let marks = peak.into_iter().chain(life).map(scaled);
        items.push(Item::marks(Mark::Dot, Ink::Mark, marks));
        let (x, y) = (Axis::new("d*", "mm"), Axis::new("a*", "g"));
        let chart = Chart::from_zero(x, y, HEIGHT, items)?;
        Some(Figure::new("Capacity and demand", Content::Chart(chart)))
    }

    /// The page.
    pub fn paper(&self) -> Paper {
        let text = format!(
            "<h2>Assessment</h2><pre style=\"white-space:pre-wrap\">{}</pre>",
            escape(self.text)
        );
        Page {
            name: &self.model.name,
            analysis: self.analysis,
            headline: self.headline,
            summary: self.summary,
            still: Vec::new(),
            more: self.figure().into_iter().collect(),
            text,
            scene: scene::structure(self.model),
        }
        .paper()
    }
}
