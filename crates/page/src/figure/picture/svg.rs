//! Pictures as SVG.

use std::fmt::{Display, Formatter, Result, Write as _};

use super::{Anchor, Fill, Form, Look, Number, Picture, Points, Shape};
use crate::report::escape;

/// The letters that PNG is painted with, for readers who have that font installed.
const FAMILY: &str = "DejaVu Sans";

impl Picture {
    fn bounds(&self) -> String {
        self.view.map(|number| number.to_string()).join(" ")
    }

    fn body(&self) -> String {
        let mut body = String::new();
        for shape in &self.shapes {
            let _ = write!(body, "{shape}");
        }
        body
    }

    /// As an element of a page.
    pub fn in_page(&self) -> String {
        format!(
            "<svg{} viewBox=\"{}\"{} role=\"img\">{}</svg>",
            self.placed,
            self.bounds(),
            self.look,
            self.body()
        )
    }

    /// As a file of its own, so wide: with its namespace, its size and paper behind it. None if it has no extent.
    pub fn alone(&self, width: u32) -> Option<String> {
        let height = self.height(width)?;
        let [x, y, w, h] = self.view;
        Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"{FAMILY}, sans-serif\" \
             viewBox=\"{}\"{} role=\"img\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#fff\" stroke=\"none\"/>{}</svg>\n",
            self.bounds(),
            self.look,
            self.body()
        ))
    }
}

impl Display for Shape {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let look = &self.look;
        match &self.form {
            Form::Line {
                x: [x1, x2],
                y: [y1, y2],
            } => write!(
                f,
                "<line x1=\"{x1}\" x2=\"{x2}\" y1=\"{y1}\" y2=\"{y2}\"{look}/>"
            ),
            Form::Polyline(points) => write!(f, "<polyline{look} points=\"{points}\"/>"),
            Form::Polygon(points) => write!(f, "<polygon{look} points=\"{points}\"/>"),
            Form::Rectangle {
                at: [x, y],
                size: [width, height],
            } => write!(
                f,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{look}/>"
            ),
            Form::Circle { centre, radius } => {
                f.write_str("<circle")?;
                if let Some([x, y]) = centre {
                    write!(f, " cx=\"{x}\" cy=\"{y}\"")?;
                }
                write!(f, " r=\"{radius}\"{look}/>")
            }
            Form::Cross {
                at: [x, y],
                side: s,
            } => write!(f, "<path d=\"M{x},{y}l{s},{s}m0,-{s}l-{s},{s}\"{look}/>"),
            Form::Text {
                at: [x, y],
                anchor,
                text,
            } => {
                let anchor = match anchor {
                    Anchor::Start => "",
                    Anchor::Middle => " text-anchor=\"middle\"",
                    Anchor::End => " text-anchor=\"end\"",
                };
                let text = escape(text);
                write!(f, "<text x=\"{x}\" y=\"{y}\"{anchor}{look}>{text}</text>")
            }
        }
    }
}

/// Attributes, each after a space.
impl Display for Look {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let dashes = self.dashes.map(|[dash, gap]| format!("{dash} {gap}"));
        attribute(f, "font-size", &self.letters)?;
        attribute(f, "fill", &self.fill)?;
        attribute(f, "fill-opacity", &self.fill_opacity)?;
        attribute(f, "stroke", &self.stroke)?;
        attribute(f, "stroke-opacity", &self.stroke_opacity)?;
        attribute(f, "stroke-width", &self.stroke_width)?;
        attribute(f, "stroke-dasharray", &dashes)?;
        attribute(f, "stroke-linejoin", &self.round.then_some("round"))
    }
}

fn attribute(f: &mut Formatter<'_>, name: &str, value: &Option<impl Display>) -> Result {
    match value {
        Some(value) => write!(f, " {name}=\"{value}\""),
        None => Ok(()),
    }
}

impl Display for Fill {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Colour(colour) => colour,
        })
    }
}

impl Display for Number {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        match self.digits {
            Some(digits) => write!(f, "{:.digits$}", self.value),
            None => write!(f, "{}", self.value),
        }
    }
}

impl Display for Points {
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let digits = self.digits;
        for (number, [x, y]) in self.all.iter().enumerate() {
            let space = if number > 0 { " " } else { "" };
            write!(f, "{space}{x:.digits$},{y:.digits$}")?;
        }
        Ok(())
    }
}
