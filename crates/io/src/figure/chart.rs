//! Figures of numbers.

use serde::{Deserialize, Serialize};

use super::Ink;
use super::number::{columns, short};

/// Digits of single numbers: ends of axes may lie close together.
const ENDS: usize = 12;

/// Numbers over numbers; later items are drawn over earlier ones.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chart {
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Of the picture, where it is 900 wide.
    pub height: f64,
    /// What is drawn.
    pub items: Vec<Item>,
    /// What the legend says besides the names of items.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

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

/// Something drawn in a chart.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Item {
    /// A line through points.
    Line(Line),
    /// The inside of a line, shaded.
    Band(Points),
    /// Points one by one.
    Marks(Marks),
    /// A few words beside a point.
    Text {
        /// Where.
        at: [f64; 2],
        /// The words.
        text: String,
    },
}

/// How a point is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    /// A filled circle.
    Dot,
    /// An empty circle.
    Ring,
    /// A cross.
    Cross,
    /// A tiny circle.
    Speck,
}

/// Points that are drawn alike.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Marks {
    /// Each of them.
    pub mark: Mark,
    /// Where they are.
    #[serde(flatten)]
    pub points: Points,
}

/// Points by their two columns.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Points {
    /// Colour.
    pub ink: Ink,
    /// As long as `y`.
    pub x: Vec<f64>,
    /// As long as `x`.
    pub y: Vec<f64>,
}

/// A line through points.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// For the legend; empty for none.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// With dashes.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dashed: bool,
    /// What it goes through.
    #[serde(flatten)]
    pub points: Points,
}

/// Numbers by direction, as a closed curve about the origin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Polar {
    /// Names of the axes.
    pub axes: [String; 2],
    /// From the first axis towards the second, rad.
    pub angle: Vec<f64>,
    /// One per angle; what has no limit is as large as the largest that has one.
    pub value: Vec<f64>,
}

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

impl Points {
    /// Those that are finite.
    pub fn new(ink: Ink, all: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let (x, y) = columns(all);
        Self { ink, x, y }
    }

    /// Pairs.
    pub fn pairs(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        self.x.iter().zip(&self.y).map(|(&x, &y)| [x, y])
    }
}

impl Line {
    /// A full line; empty labels stand in no legend.
    pub fn new(label: &str, ink: Ink, all: impl IntoIterator<Item = [f64; 2]>) -> Self {
        Self {
            label: label.to_owned(),
            dashed: false,
            points: Points::new(ink, all),
        }
    }

    /// With dashes, or not.
    pub fn dashed(self, dashed: bool) -> Self {
        Self { dashed, ..self }
    }
}

impl Item {
    /// Points that are drawn alike.
    pub fn marks(mark: Mark, ink: Ink, all: impl IntoIterator<Item = [f64; 2]>) -> Self {
        let points = Points::new(ink, all);
        Self::Marks(Marks { mark, points })
    }

    /// A few words beside a point.
    pub fn text(at: [f64; 2], text: &str) -> Self {
        Self::Text {
            at: at.map(|value| short(value, ENDS)),
            text: text.to_owned(),
        }
    }

    /// Its points, by which axes are chosen: a band and words go where lines and marks have led.
    pub fn pairs(&self) -> impl Iterator<Item = [f64; 2]> + '_ {
        let points = match self {
            Self::Line(line) => Some(&line.points),
            Self::Marks(marks) => Some(&marks.points),
            Self::Band(_) | Self::Text { .. } => None,
        };
        points.into_iter().flat_map(Points::pairs)
    }
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

impl Polar {
    /// Angle and value of each direction; none if no value is above zero.
    pub fn new(axes: [&str; 2], all: impl Iterator<Item = [f64; 2]> + Clone) -> Option<Self> {
        let [_, largest] = extent(all.clone().map(|[_, value]| value));
        let known = all.filter(|[_, value]| !value.is_nan());
        let (angle, value) = columns(known.map(|[angle, value]| [angle, value.min(largest)]));
        (largest > 0.0).then_some(Self {
            axes: axes.map(str::to_owned),
            angle,
            value,
        })
    }
}

impl Chart {
    /// Lines and points in a plane that begins at zero; none if there is nothing to see.
    pub fn from_zero(x: Axis, y: Axis, height: f64, items: Vec<Item>) -> Option<Self> {
        let [across, up] = [0, 1].map(|k| {
            let values = items.iter().flat_map(Item::pairs).map(|point| point[k]);
            extent(values.chain([0.0]))
        });
        Some(Self {
            x: x.over(across)?,
            y: y.over(up)?,
            height,
            items,
            notes: Vec::new(),
        })
    }
}
