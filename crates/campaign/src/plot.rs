//! Pictures of a plane as SVG.

use std::fmt::Write as _;

use drystone_io::report::{escape, tick_label, ticks};

use crate::sweep::Effect;

/// Colours of curves.
pub const COLOURS: [&str; 8] = [
    "#1b6ca8", "#c8553d", "#3d8b52", "#8a5fbf", "#c79a1e", "#3aa6a6", "#7a4b2a", "#666666",
];

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 210.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 40.0;

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
                span if span > 0.0 => (low - 0.03 * span, high + 0.03 * span),
                0.0 => (low - 0.5, high + 0.5),
                _ => (0.0, 1.0),
            }
        };
        let ((x0, x1), (y0, y1)) = (range(0), range(1));
        let x = |value: f64| LEFT + (value - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT);
        let y = |value: f64| TOP + (y1 - value) / (y1 - y0) * (HEIGHT - TOP - BOTTOM);
        let path = |points: &[[f64; 2]]| {
            let finite = points.iter().filter(|p| p.iter().all(|c| c.is_finite()));
            let list: Vec<String> = finite
                .map(|p| format!("{:.1},{:.1}", x(p[0]), y(p[1])))
                .collect();
            list.join(" ")
        };
        let mut svg = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-size=\"13\" fill=\"#444\" role=\"img\">"
        );
        for tick in ticks(y0, y1) {
            let _ = write!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y(tick) + 4.0,
                tick_label(tick),
                y = y(tick)
            );
        }
        for tick in ticks(x0, x1) {
            let _ = write!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"#f0f0f0\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 16.0,
                tick_label(tick),
                x = x(tick)
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><text x=\"4\" y=\"14\">{}</text>",
            WIDTH - RIGHT,
            HEIGHT - 6.0,
            escape(&self.labels[0]),
            escape(&self.labels[1])
        );
        for (points, colour) in &self.areas {
            let _ = write!(
                svg,
                "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.12\"/>",
                path(points)
            );
        }
        for (point, mark, colour) in &self.points {
            let (px, py) = (x(point[0]), y(point[1]));
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
        let mut row = 0.0;
        for (points, colour, label, dashed) in &self.lines {
            let dash = if *dashed {
                " stroke-dasharray=\"6 4\""
            } else {
                ""
            };
            let _ = write!(
                svg,
                "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dash} points=\"{}\"/>",
                path(points)
            );
            if !label.is_empty() && TOP + 17.0 * row < HEIGHT - BOTTOM {
                let _ = write!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{colour}\">{}</text>",
                    WIDTH - RIGHT + 10.0,
                    TOP + 10.0 + 17.0 * row,
                    escape(label)
                );
                row += 1.0;
            }
        }
        for (point, text) in &self.texts {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
                x(point[0]) + 6.0,
                y(point[1]) - 5.0,
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
    let (left, right, row) = (260.0, 60.0, 34.0);
    let height = 50.0 + row * effects.len() as f64;
    let x = |value: f64| left + (value - low) / span * (WIDTH - left - right);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {height}\" font-size=\"13\" fill=\"#444\" role=\"img\">"
    );
    for tick in ticks(low, low + span) {
        let _ = write!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"10\" y2=\"{:.1}\" stroke=\"#e4e4e4\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
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
            "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"18\" fill=\"#1b6ca8\" fill-opacity=\"0.75\"/>\
             <text x=\"4\" y=\"{:.1}\">{}</text><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" font-size=\"11\">{}</text>\
             <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"11\">{}</text>",
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
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"6\" y2=\"{:.1}\" stroke=\"#23211d\"/>",
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
