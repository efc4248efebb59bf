//! Pictures of a plane as SVG.

use std::fmt::Write as _;

use drystone_io::report::look::figure::{GRID, TEXT};
use drystone_io::report::look::light::{ACCENT, INK};
use drystone_io::report::look::size::{CHART, NOTE};
use drystone_io::report::{Axes, escape, tick_label, ticks};

use crate::sweep::Effect;

const HEIGHT: f64 = 460.0;

/// How a point is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A plane with points and lines, which finds its range from them.
#[derive(Debug, Default)]
pub struct Plot {
    labels: [String; 2],
    covered: Vec<[f64; 2]>,
    points: Vec<([f64; 2], Mark, String)>,
    lines: Vec<(Vec<[f64; 2]>, String, String, bool)>,
    areas: Vec<(Vec<[f64; 2]>, String)>,
    texts: Vec<([f64; 2], String)>,
}

impl Plot {
    /// An empty plane with the names of its axes.
    pub fn new(x: &str, y: &str) -> Self {
        Self {
            labels: [x.to_owned(), y.to_owned()],
            ..Self::default()
        }
    }

    /// Makes the range hold a point.
    pub fn cover(&mut self, point: [f64; 2]) {
        self.covered.push(point);
    }

    /// Draws a point.
    pub fn point(&mut self, point: [f64; 2], mark: Mark, colour: &str) {
        self.cover(point);
        self.points.push((point, mark, colour.to_owned()));
    }

    /// Writes a few words beside a point.
    pub fn text(&mut self, point: [f64; 2], text: &str) {
        self.texts.push((point, text.to_owned()));
    }

    /// Draws a line, dashed or not, with a name for the legend.
    pub fn line(&mut self, points: &[[f64; 2]], colour: &str, label: &str, dashed: bool) {
        self.covered.extend(points);
        self.lines
            .push((points.to_vec(), colour.to_owned(), label.to_owned(), dashed));
    }

    /// Shades the inside of a line.
    pub fn area(&mut self, points: &[[f64; 2]], colour: &str) {
        self.areas.push((points.to_vec(), colour.to_owned()));
    }

    /// The picture.
    pub fn svg(&self) -> String {
        let range = |axis: usize| {
            let values = self
                .covered
                .iter()
                .map(|p| p[axis])
                .filter(|x| x.is_finite());
            let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| {
                (low.min(x), high.max(x))
            });
            match high - low {
                span if span > 0.0 => [low - 0.03 * span, high + 0.03 * span],
                0.0 => [low - 0.5, high + 0.5],
                _ => [0.0, 1.0],
            }
        };
        let Some(axes) = Axes::new(range(0), range(1), HEIGHT) else {
            return String::new();
        };
        let mut svg = axes.begin(&self.labels[0], &self.labels[1]);
        for (points, colour) in &self.areas {
            let _ = write!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.12\"/>",
                axes.path(points.iter().copied())
            );
        }
        for (point, mark, colour) in &self.points {
            let (px, py) = (axes.x(point[0]), axes.y(point[1]));
            let _ = match mark {
                Mark::Dot => write!(
                    svg,
                    "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"4\" fill=\"{colour}\"/>"
                ),
                Mark::Ring => write!(
                    svg,
                    "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"3.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                ),
                Mark::Speck => write!(
                    svg,
                    "<circle cx=\"{px:.1}\" cy=\"{py:.1}\" r=\"1.2\" fill=\"{colour}\"/>"
                ),
                Mark::Cross => write!(
                    svg,
                    "<path d=\"M{:.1},{:.1}l8,8m0,-8l-8,8\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    px - 4.0,
                    py - 4.0
                ),
            };
        }
        let mut row = 0;
        for (points, colour, label, dashed) in &self.lines {
            axes.line(&mut svg, points.iter().copied(), colour, *dashed);
            if !label.is_empty() {
                axes.legend(&mut svg, row, colour, label);
                row += 1;
            }
        }
        for (point, text) in &self.texts {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{NOTE}\">{}</text>",
                axes.x(point[0]) + 6.0,
                axes.y(point[1]) - 5.0,
                escape(text)
            );
        }
        svg.push_str("</svg>");
        svg
    }
}

/// Bars from the least to the greatest mean, the longest first.
pub fn tornado(effects: &[&Effect]) -> String {
    if effects.is_empty() {
        return String::new();
    }
    let ends = || {
        effects
            .iter()
            .flat_map(|effect| [effect.low.1, effect.high.1])
    };
    let (low, high) = (
        ends().fold(f64::INFINITY, f64::min),
        ends().fold(f64::NEG_INFINITY, f64::max),
    );
    let span = if high > low { high - low } else { 1.0 };
    let (width, left, right, row) = (900.0, 260.0, 60.0, 34.0);
    let height = 50.0 + row * effects.len() as f64;
    let x = |value: f64| left + (value - low) / span * (width - left - right);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {width} {height}\" font-size=\"{CHART}\" fill=\"{TEXT}\" role=\"img\">"
    );
    for tick in ticks(low, low + span) {
        let _ = write!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"10\" y2=\"{:.1}\" stroke=\"{GRID}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            height - 30.0,
            height - 12.0,
            tick_label(tick),
            x = x(tick)
        );
    }
    for (at, effect) in effects.iter().enumerate() {
        let top = 14.0 + row * at as f64;
        let (from, to) = (x(effect.low.1), x(effect.high.1));
        let _ = write!(
            svg,
            "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"18\" fill=\"{ACCENT}\" fill-opacity=\"0.75\"/>\
             <text x=\"4\" y=\"{:.1}\">{}</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"{NOTE}\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{NOTE}\">{}</text>",
            (to - from).max(1.0),
            top + 13.0,
            escape(&effect.key),
            from - 4.0,
            top + 13.0,
            escape(&effect.low.0),
            to + 4.0,
            top + 13.0,
            escape(&effect.high.0)
        );
    }
    if let Some(effect) = effects.first() {
        let _ = write!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"6\" y2=\"{:.1}\" stroke=\"{INK}\"/>",
            height - 30.0,
            x = x(effect.mean)
        );
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_and_single_points_draw() {
        let mut plot = Plot::new("x", "y < z");
        assert!(!plot.svg().contains("NaN"));
        plot.point([1.0, 2.0], Mark::Cross, "red");
        plot.line(&[[1.0, f64::NAN], [1.0, 2.0]], "blue", "a & b", true);
        plot.area(&[[1.0, 2.0]], "blue");
        let svg = plot.svg();
        assert!(!svg.contains("NaN") && svg.contains("a &amp; b") && svg.contains("y &lt; z"));
        assert_eq!(tornado(&[]), "");
    }
}
