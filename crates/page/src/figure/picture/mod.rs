//! Figures as pictures: shapes and how they look, from which SVG is written ([`Picture::in_page`], [`Picture::alone`]) and PNG is painted
//! ([`png`](crate::render::png)).

mod axes;
mod bars;
mod chart;
mod drawing;
mod panels;
mod polar;
mod svg;

use std::borrow::Cow;

pub(super) use bars::bars;
pub(super) use chart::chart;
pub(super) use drawing::drawing;
pub(super) use panels::panels;
pub(super) use polar::polar;

use crate::report::look::figure::TEXT;
use crate::report::look::size::CHART;

/// Pictures that are charts have this width.
const WIDTH: f64 = 900.0;

/// A picture: shapes, of which later ones cover earlier ones.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// Left, top, width, height; y downwards.
    pub(crate) view: [f64; 4],
    /// How shapes look that do not say otherwise.
    pub(crate) look: Look,
    /// How it stands in a page, which is no concern of a file.
    placed: &'static str,
    pub(crate) shapes: Vec<Shape>,
}

/// Something drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Shape {
    pub form: Form,
    pub look: Look,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Form {
    /// From one point to another.
    Line { x: [Number; 2], y: [Number; 2] },
    /// A line through points.
    Polyline(Points),
    /// The inside of a closed line: a face of a block, or a band of a chart.
    Polygon(Points),
    /// A rectangle by its corner at the top left.
    Rectangle { at: [Number; 2], size: [Number; 2] },
    /// A circle; about the origin if it has no centre.
    Circle {
        centre: Option<[Number; 2]>,
        radius: f64,
    },
    /// The diagonals of a square, by its corner at the top left.
    Cross { at: [Number; 2], side: f64 },
    /// A few words on one line.
    Text {
        at: [Number; 2],
        anchor: Anchor,
        text: String,
    },
}

/// What part of a text stands where it is placed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Colours, lines and letters; what a shape leaves open is as the picture has it.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Look {
    /// Size of letters.
    pub letters: Option<f64>,
    pub fill: Option<Fill>,
    pub fill_opacity: Option<f64>,
    pub stroke: Option<Colour>,
    pub stroke_opacity: Option<f64>,
    pub stroke_width: Option<f64>,
    /// Lengths of a dash and of the gap after it.
    pub dashes: Option<[f64; 2]>,
    /// Whether lines turn in an arc.
    pub round: bool,
}

/// As SVG and CSS write it: `#rgb` or `#rrggbb`.
pub(crate) type Colour = Cow<'static, str>;

/// What is inside a shape.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Fill {
    /// Nothing.
    None,
    /// One colour.
    Colour(Colour),
}

/// A number, and how many digits after the point SVG has of it; all if not said.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Number {
    pub value: f64,
    digits: Option<usize>,
}

/// Points, and how many digits after the point SVG has of them.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Points {
    pub all: Vec<[f64; 2]>,
    digits: usize,
}

impl Picture {
    fn new([width, height]: [f64; 2], look: Look) -> Self {
        Self {
            view: [0.0, 0.0, width, height],
            look,
            placed: "",
            shapes: Vec::new(),
        }
    }

    /// Paper of a size with nothing on it.
    #[cfg(test)]
    pub(crate) fn blank(size: [f64; 2]) -> Self {
        Self::new(size, Look::default())
    }

    /// In points, where it is so wide; none if it has no extent.
    pub(crate) fn height(&self, width: u32) -> Option<f64> {
        let [_, _, w, h] = self.view;
        (w > 0.0 && h > 0.0).then(|| (f64::from(width) * h / w).round().max(1.0))
    }

    fn add(&mut self, form: Form, look: Look) {
        self.shapes.push(Shape { form, look });
    }

    fn text(&mut self, at: [Number; 2], anchor: Anchor, text: &str, look: Look) {
        let text = text.to_owned();
        self.add(Form::Text { at, anchor, text }, look);
    }
}

impl Look {
    fn filled(colour: impl Into<Colour>) -> Self {
        Self {
            fill: Some(Fill::Colour(colour.into())),
            ..Self::default()
        }
    }

    fn stroked(colour: &'static str) -> Self {
        Self {
            stroke: Some(colour.into()),
            ..Self::default()
        }
    }

    /// Letters of another size than those of the picture.
    fn letters(size: u32) -> Self {
        Self {
            letters: Some(f64::from(size)),
            ..Self::default()
        }
    }

    /// That of charts and bars.
    fn of_charts() -> Self {
        Self {
            letters: Some(f64::from(CHART)),
            ..Self::filled(TEXT)
        }
    }

    fn hollow(self) -> Self {
        Self {
            fill: Some(Fill::None),
            ..self
        }
    }

    fn wide(self, width: f64) -> Self {
        Self {
            stroke_width: Some(width),
            ..self
        }
    }

    /// With what it leaves open from `below`.
    pub(crate) fn over(&self, below: &Self) -> Self {
        Self {
            letters: self.letters.or(below.letters),
            fill: self.fill.clone().or_else(|| below.fill.clone()),
            fill_opacity: self.fill_opacity.or(below.fill_opacity),
            stroke: self.stroke.clone().or_else(|| below.stroke.clone()),
            stroke_opacity: self.stroke_opacity.or(below.stroke_opacity),
            stroke_width: self.stroke_width.or(below.stroke_width),
            dashes: self.dashes.or(below.dashes),
            round: self.round || below.round,
        }
    }
}

impl From<f64> for Number {
    fn from(value: f64) -> Self {
        let digits = None;
        Self { value, digits }
    }
}

impl Number {
    fn rounded(value: f64, digits: usize) -> Self {
        let digits = Some(digits);
        Self { value, digits }
    }
}

/// Charts are some hundred units wide.
fn tenths(value: f64) -> Number {
    Number::rounded(value, 1)
}

impl Points {
    fn new(all: impl IntoIterator<Item = [f64; 2]>, digits: usize) -> Self {
        let all = all.into_iter().collect();
        Self { all, digits }
    }
}
