//! Figures: what a page shows as pictures, as data.
//!
//! A [`Figure`] has a title, perhaps a caption, and a [`Content`]: numbers with axes, a capacity by direction, bars, or the structure as it is
//! seen. Colours are named by their meaning ([`Ink`]). Pages, `figures.json` and `drystone render` all start from the same list of
//! figures, and [`Figure::picture`] is the only way one becomes a picture.

mod axis;
mod bars;
mod chart;
mod drawing;
mod html;
mod ink;
mod number;
mod panels;
mod picture;
mod polar;

use serde::{Deserialize, Serialize};

pub use axis::{Axis, Scale, extent};
pub use bars::{Bar, Bars};
pub use chart::{Chart, Item, Line, Mark, Marks, Points};
pub use drawing::{Drawing, Path, Polygon};
pub use html::html;
pub use ink::Ink;
pub(crate) use number::hundredths;
pub use panels::Panels;
pub use picture::Picture;
pub(crate) use picture::{Anchor, Fill, Form, Look, Shape};
pub use polar::Polar;

/// A picture as data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// The heading it stands under, with the unit if there is one.
    pub title: String,
    /// What stands below it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caption: Option<String>,
    /// Name of its file, without extension: small letters, digits, dots and hyphens.
    pub name: String,
    /// What is drawn.
    pub content: Content,
}

/// What a figure draws.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Content {
    /// Numbers over numbers.
    Chart(Chart),
    /// Several of these side by side.
    Panels(Panels),
    /// Numbers by direction.
    Polar(Polar),
    /// Numbers by name.
    Bars(Bars),
    /// The structure.
    Drawing(Drawing),
}

impl Figure {
    /// A figure without a caption; its file is named after its title.
    pub fn new(title: &str, content: Content) -> Self {
        Self {
            title: title.to_owned(),
            caption: None,
            name: slug(title),
            content,
        }
    }

    /// With a caption, which is part of its name.
    pub fn with_caption(mut self, caption: &str) -> Self {
        let short = slug(caption);
        if !short.is_empty() {
            self.name = format!("{}-{short}", self.name);
        }
        self.caption = Some(caption.to_owned());
        self
    }

    /// The picture.
    pub fn picture(&self) -> Picture {
        self.content.picture()
    }
}

impl Content {
    /// The picture.
    pub fn picture(&self) -> Picture {
        match self {
            Self::Chart(chart) => picture::chart(chart),
            Self::Panels(panels) => picture::panels(panels),
            Self::Polar(polar) => picture::polar(polar),
            Self::Bars(bars) => picture::bars(bars),
            Self::Drawing(drawing) => picture::drawing(drawing),
        }
    }
}

/// Gives the figures of one page names of their own: the second of a name ends in `-2`, and so on.
pub fn told_apart(mut figures: Vec<Figure>) -> Vec<Figure> {
    for at in 1..figures.len() {
        let (before, here) = figures.split_at_mut(at);
        let taken = |name: &str| before.iter().any(|figure| figure.name == name);
        let first = here[0].name.clone();
        let mut count = 1;
        while taken(&here[0].name) {
            count += 1;
            here[0].name = format!("{first}-{count}");
        }
    }
    figures
}

/// Up to the first comma, colon or bracket, in letters that any file name may have.
fn slug(text: &str) -> String {
    let text = text.split([',', ':', '(']).next().unwrap_or_default();
    let mut out = String::new();
    for c in text.trim().chars() {
        if c.is_ascii_alphanumeric() || c == '.' {
            out.push(c.to_ascii_lowercase());
        } else if !out.ends_with('-') {
            out.push('-');
        }
    }
    out.trim_matches('-').to_owned()
}

#[cfg(test)]
mod tests;
