//! Lines over one another with two axes of numbers, as SVG.

use std::fmt::Write as _;

use super::escape;
use super::plot::{COLOURS, tick_label, ticks};

/// A named line.
#[derive(Debug, Clone)]
pub struct Line {
    /// For the legend.
    pub label: String,
    /// Points x, y in order.
    pub points: Vec<[f64; 2]>,
    /// Drawn with dashes.
    pub dashed: bool,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 240.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 40.0;

/// Draws lines with axes from zero on, and round points at `marks`.
pub fn chart(lines: &[Line], marks: &[[f64; 2]], x_label: &str, y_label: &str) -> String {
    let all = || lines.iter().flat_map(|line| &line.points).chain(marks);
    let finite = || all().filter(|point| point.iter().all(|value| value.is_finite()));
    let most = |axis: usize| finite().map(|point| point[axis]).fold(0.0, f64::max);
    let least = |axis: usize| finite().map(|point| point[axis]).fold(0.0, f64::min);
    let (low, high) = ([least(0), least(1)], [most(0), most(1)]);
    if !(high[0] > low[0] && high[1] > low[1]) {
        return String::new();
    }
    let x = |v: f64| LEFT + (v - low[0]) / (high[0] - low[0]) * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| TOP + (high[1] - v) / (high[1] - low[1]) * (HEIGHT - TOP - BOTTOM);
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-size=\"13\" fill=\"#444\" role=\"img\">"
    );
    for tick in ticks(low[1], high[1]) {
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e4e4e4\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            WIDTH - RIGHT,
            LEFT - 6.0,
            y(tick) + 4.0,
            tick_label(tick),
            y = y(tick),
        );
    }
    for tick in ticks(low[0], high[0]) {
        let _ = write!(
            svg,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{:.1}\" stroke=\"#f0f0f0\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            HEIGHT - BOTTOM,
            HEIGHT - 20.0,
            tick_label(tick),
            x = x(tick),
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\">{}</text><text x=\"4\" y=\"{:.1}\">{}</text>",
        WIDTH - RIGHT + 8.0,
        HEIGHT - 20.0,
        escape(x_label),
        TOP - 6.0,
        escape(y_label),
    );
    for (k, line) in lines.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let points: Vec<String> = line
            .points
            .iter()
            .filter(|point| point.iter().all(|value| value.is_finite()))
            .map(|point| format!("{:.1},{:.1}", x(point[0]), y(point[1])))
            .collect();
        let dashes = if line.dashed {
            " stroke-dasharray=\"6 4\""
        } else {
            ""
        };
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
            points.join(" ")
        );
        let at = TOP + 10.0 + 17.0 * k as f64;
        if at < HEIGHT - BOTTOM {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{at:.1}\" fill=\"{colour}\">{}</text>",
                WIDTH - RIGHT + 8.0,
                escape(&line.label)
            );
        }
    }
    for mark in marks {
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"#333\"/>",
            x(mark[0]),
            y(mark[1])
        );
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_what_is_finite_and_escapes_names() {
        let line = Line {
            label: "<b>".to_owned(),
            points: vec![[0.0, 0.0], [1.0, 2.0], [f64::NAN, 1.0]],
            dashed: true,
        };
        let svg = chart(&[line], &[[0.5, 1.0]], "x", "y");
        assert!(svg.contains("&lt;b&gt;") && svg.contains("circle") && !svg.contains("NaN"));
        assert_eq!(chart(&[], &[], "x", "y"), "");
    }
}
