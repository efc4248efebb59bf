//! Numbers by name.

use serde::{Deserialize, Serialize};

use super::Axis;
use super::number::{ENDS, short};

/// Numbers by name, as bars from one value to another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bars {
    /// Of the values.
    pub axis: Axis,
    /// Where a line is drawn across all.
    pub middle: f64,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    /// Its name.
    pub label: String,
    /// Where it begins and ends.
    pub range: [f64; 2],
    /// What is written at its ends.
    pub ends: [String; 2],
}

impl Bars {
    /// Bars over an axis, with a line at `middle`.
    pub fn new(axis: Axis, middle: f64, mut bars: Vec<Bar>) -> Self {
        for bar in &mut bars {
            bar.range = bar.range.map(|end| short(end, ENDS));
        }
        let middle = short(middle, ENDS);
        Self { axis, middle, bars }
    }
}
