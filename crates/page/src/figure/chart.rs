//! Figures of numbers.

use serde::{Deserialize, Serialize};

use super::number::{ENDS, columns, short};
use super::{Axis, Ink, extent};

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
