//! The frame of every plot of a report: axes with round numbers, a faint grid, names, and a legend beside it.

use std::fmt::Write as _;

use super::look::figure::{FAINT, GRID, TEXT};
use super::look::size::CHART;
use super::{escape, look};

/// Colours of curves, in order.
pub const COLOURS: [&str; 10] = look::SERIES;

const WIDTH: f64 = 900.0;
const LEFT: f64 = 70.0;
/// Room for the legend.
const RIGHT: f64 = 220.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
const LEGEND_ROW: f64 = 17.0;

/// Two axes of numbers, drawn as SVG.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axes {
    x: [f64; 2],
    y: [f64; 2],
    height: f64,
}

impl Axes {
    /// Axes from the first to the second number of each range, in a picture of this height; all pictures are 900 wide. None if a range is
    /// empty or not finite.
    pub fn new(x: [f64; 2], y: [f64; 2], height: f64) -> Option<Self> {
        let sound = |range: [f64; 2]| range[1] > range[0] && (range[1] - range[0]).is_finite();
        (sound(x) && sound(y)).then_some(Self { x, y, height })
    }

    /// Where a value of x stands in the picture.
    pub fn x(&self, value: f64) -> f64 {
        let [low, high] = self.x;
        LEFT + (value - low) / (high - low) * (WIDTH - LEFT - RIGHT)
    }

    /// Where a value of y stands in the picture.
    pub fn y(&self, value: f64) -> f64 {
        let [low, high] = self.y;
        TOP + (high - value) / (high - low) * (self.height - TOP - BOTTOM)
    }

    /// Points as SVG writes them; those that are not finite are left out.
    pub fn path(&self, points: impl IntoIterator<Item = [f64; 2]>) -> String {
        let finite = points
            .into_iter()
            .filter(|point| point.iter().all(|value| value.is_finite()));
        let each: Vec<String> = finite
            .map(|[x, y]| format!("{:.1},{:.1}", self.x(x), self.y(y)))
            .collect();
        each.join(" ")
    }

    /// The beginning of a picture, with grid, numbers and names; whoever calls adds curves and `</svg>`.
    pub fn begin(&self, x_name: &str, y_name: &str) -> String {
        let (right, bottom) = (WIDTH - RIGHT, self.height - BOTTOM);
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {}\" font-size=\"{CHART}\" fill=\"{TEXT}\" role=\"img\">",
            self.height
        );
        for tick in ticks(self.y[0], self.y[1]) {
            let y = self.y(tick);
            let _ = write!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{GRID}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                tick_label(tick)
            );
        }
        for tick in ticks(self.x[0], self.x[1]) {
            let x = self.x(tick);
            let _ = write!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom:.1}\" stroke=\"{FAINT}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                tick_label(tick)
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text><text x=\"4\" y=\"14\">{}</text>",
            right + 10.0,
            bottom + 18.0,
            escape(x_name),
            escape(y_name)
        );
        svg
    }

    /// Adds a line through points.
    pub fn line(
        &self,
        svg: &mut String,
        points: impl IntoIterator<Item = [f64; 2]>,
        colour: &str,
        dashed: bool,
    ) {
        let dashes = if dashed {
            " stroke-dasharray=\"6 4\""
        } else {
            ""
        };
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
            self.path(points)
        );
    }

    /// Adds a row of the legend, counted from 0; one that would run out of the picture is left out.
    pub fn legend(&self, svg: &mut String, row: usize, colour: &str, name: &str) {
        let y = TOP + 10.0 + LEGEND_ROW * row as f64;
        if y < self.height - BOTTOM {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>",
                WIDTH - RIGHT + 10.0,
                escape(name)
            );
        }
    }
}

/// Four to ten round numbers inside a range.
pub fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|m| m * power)
        .find(|step| *step >= raw)
        .unwrap_or(raw);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|k| k as f64 * step).collect()
}

/// A number beside an axis.
pub fn tick_label(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            ticks(0.0, 1.0),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        assert!(
            ticks(-3.2e-5, 7.1e-5)
                .iter()
                .all(|t| (-3.2e-5..=7.1e-5).contains(t))
        );
    }

    /// The corners of the ranges are the corners of the grid, y upwards.
    #[test]
    fn values_stand_where_the_axes_say() {
        let axes = Axes::new([1.0, 3.0], [-1.0, 1.0], 300.0).unwrap();
        assert_eq!([axes.x(1.0), axes.x(3.0)], [LEFT, WIDTH - RIGHT]);
        assert_eq!([axes.y(-1.0), axes.y(1.0)], [300.0 - BOTTOM, TOP]);
        assert_eq!(axes.path([[f64::NAN, 0.0], [1.0, 1.0]]), "70.0,26.0");
        assert!(Axes::new([1.0, 1.0], [0.0, 1.0], 300.0).is_none());
        assert!(Axes::new([0.0, 1.0], [0.0, f64::INFINITY], 300.0).is_none());
    }

    #[test]
    fn legends_stay_in_the_picture() {
        let axes = Axes::new([0.0, 1.0], [0.0, 1.0], 300.0).unwrap();
        let mut svg = String::new();
        (0..100).for_each(|row| axes.legend(&mut svg, row, "red", "a < b"));
        assert_eq!(svg.matches("a &lt; b").count(), 14);
    }
}
