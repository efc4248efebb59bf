//! Axes of figures.

use serde::{Deserialize, Serialize};

use super::number::{ENDS, short};

/// An axis of numbers.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// What is measured; empty where the title says it.
    pub label: String,
    /// Empty for what has none.
    pub unit: String,
    /// How values are spaced.
    pub scale: Scale,
    /// Its ends, ascending.
    pub range: [f64; 2],
}

/// How values are spaced along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// Evenly.
    Linear,
    /// By powers of ten.
    Log,
}

impl Axis {
    /// Evenly spaced from 0 to 1.
    pub fn new(label: &str, unit: &str) -> Self {
        Self {
            label: label.to_owned(),
            unit: unit.to_owned(),
            scale: Scale::Linear,
            range: [0.0, 1.0],
        }
    }

    /// From one number to another; none if there is nothing between them.
    pub fn over(mut self, range: [f64; 2]) -> Option<Self> {
        self.range = range.map(|end| short(end, ENDS));
        let span = self.range[1] - self.range[0];
        (span > 0.0 && span.is_finite()).then_some(self)
    }

    /// With a little room about values; from 0 to 1 if there are none.
    pub fn with_room(self, values: impl Iterator<Item = f64>) -> Self {
        let [low, high] = extent(values);
        let range = match high - low {
            span if span > 0.0 => [low - 0.03 * span, high + 0.03 * span],
            0.0 => [low - 0.5, high + 0.5],
            _ => [0.0, 1.0],
        };
        self.clone().over(range).unwrap_or(self)
    }

    /// By powers of ten, from a whole one to a whole one; none without values above zero.
    pub fn by_decades(self, values: impl Iterator<Item = f64>) -> Option<Self> {
        let [low, high] = extent(values.filter(|value| *value > 0.0)).map(f64::log10);
        let low = low.floor();
        let range = [low, high.ceil().max(low + 1.0)].map(|power| 10_f64.powf(power));
        let scale = Scale::Log;
        Self { scale, ..self }.over(range)
    }

    /// What stands beside it.
    pub fn name(&self) -> String {
        let parts = [self.label.as_str(), self.unit.as_str()];
        let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }

    /// Where a value lies between its ends, from 0 to 1.
    pub(super) fn part(&self, value: f64) -> f64 {
        let [low, high] = self.range;
        match self.scale {
            Scale::Linear => (value - low) / (high - low),
            Scale::Log => (value / low).log10() / (high / low).log10(),
        }
    }
}

/// The least and the greatest of the numbers that are finite.
pub fn extent(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| {
        [low.min(value), high.max(value)]
    })
}
