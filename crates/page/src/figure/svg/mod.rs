//! Figures as SVG.

mod axes;
mod bars;
mod chart;
mod drawing;
mod polar;

pub(super) use bars::bars;
pub(super) use chart::chart;
pub(super) use drawing::drawing;
pub(super) use polar::polar;

/// The family of letters that pictures are painted with.
pub(crate) const FAMILY: &str = "DejaVu Sans";

/// Pictures that are charts have this width.
const WIDTH: f64 = 900.0;

/// A picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Svg {
    /// Left, top, width, height.
    view: [f64; 4],
    /// What holds for all of it.
    attributes: String,
    /// How it stands in a page, which is no concern of a file.
    placed: &'static str,
    body: String,
}

impl Svg {
    fn new([width, height]: [f64; 2], attributes: String) -> Self {
        Self {
            view: [0.0, 0.0, width, height],
            attributes,
            placed: "",
            body: String::new(),
        }
    }

    fn bounds(&self) -> String {
        self.view.map(|number| number.to_string()).join(" ")
    }

    /// As an element of a page.
    pub fn in_page(&self) -> String {
        format!(
            "<svg{} viewBox=\"{}\" {} role=\"img\">{}</svg>",
            self.placed,
            self.bounds(),
            self.attributes,
            self.body
        )
    }

    /// As a file of its own, so wide: with its namespace, its size and paper behind it. None if it has no extent.
    pub fn alone(&self, width: u32) -> Option<String> {
        let [x, y, w, h] = self.view;
        if !(w > 0.0 && h > 0.0) {
            return None;
        }
        let height = (f64::from(width) * h / w).round().max(1.0);
        Some(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" font-family=\"{FAMILY}, sans-serif\" \
             viewBox=\"{}\" {} role=\"img\"><rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\" fill=\"#fff\" stroke=\"none\"/>{}</svg>\n",
            self.bounds(),
            self.attributes,
            self.body
        ))
    }
}

/// Points as SVG writes them, to so many digits after the point.
fn joined(points: impl IntoIterator<Item = [f64; 2]>, digits: usize) -> String {
    let each: Vec<String> = points
        .into_iter()
        .map(|[x, y]| format!("{x:.digits$},{y:.digits$}"))
        .collect();
    each.join(" ")
}
