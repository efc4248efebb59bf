//! Lines over one another with two axes of numbers, as SVG.

use std::fmt::Write as _;

use super::axes::{Axes, COLOURS};
use super::look::figure::MARK;

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

const HEIGHT: f64 = 420.0;

/// Draws lines with axes from zero on, and round points at `marks`.
pub fn chart(lines: &[Line], marks: &[[f64; 2]], x_label: &str, y_label: &str) -> String {
    let all = || lines.iter().flat_map(|line| &line.points).chain(marks);
    let finite = || all().filter(|point| point.iter().all(|value| value.is_finite()));
    let most = |axis: usize| finite().map(|point| point[axis]).fold(0.0, f64::max);
    let least = |axis: usize| finite().map(|point| point[axis]).fold(0.0, f64::min);
    let (low, high) = ([least(0), least(1)], [most(0), most(1)]);
    let Some(axes) = Axes::new([low[0], high[0]], [low[1], high[1]], HEIGHT) else {
        return String::new();
    };
    let mut svg = axes.begin(x_label, y_label);
    for (k, line) in lines.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        axes.line(&mut svg, line.points.iter().copied(), colour, line.dashed);
        axes.legend(&mut svg, k, colour, &line.label);
    }
    for mark in marks {
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{MARK}\"/>",
            axes.x(mark[0]),
            axes.y(mark[1])
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
