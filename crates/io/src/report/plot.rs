//! Curves against time as SVG.

use super::axes::{Axes, COLOURS};

/// A named curve.
#[derive(Debug, Clone)]
pub struct Curve {
    /// For the legend.
    pub label: String,
    /// One value per time.
    pub values: Vec<f64>,
}

const HEIGHT: f64 = 300.0;
/// Points per curve; more than this cannot be seen.
const MAX_POINTS: usize = 1500;

/// Draws the curves over one another against time.
pub fn plot(time: &[f64], curves: &[Curve], unit: &str) -> String {
    plot_over(time, "time, s", curves, unit)
}

/// Draws the curves over one another with axes, grid and legend; `what` says what they are drawn against.
pub(super) fn plot_over(time: &[f64], what: &str, curves: &[Curve], unit: &str) -> String {
    let finite = |values: &[f64]| {
        values
            .iter()
            .copied()
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| {
                (low.min(value), high.max(value))
            })
    };
    let (start, end) = finite(time);
    let (mut low, mut high) = curves
        .iter()
        .map(|curve| finite(&curve.values))
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), (l, h)| {
            (low.min(l), high.max(h))
        });
    if high - low < 1e-12 {
        (low, high) = (low - 0.5e-6, high + 0.5e-6);
    }
    let span = if end > start { end - start } else { 1.0 };
    let Some(axes) = Axes::new([start, start + span], [low, high], HEIGHT) else {
        return String::new();
    };
    let mut svg = axes.begin(what, unit);
    let stride = time.len().div_ceil(MAX_POINTS).max(1);
    for (k, curve) in curves.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let points = time.iter().zip(&curve.values).map(|(&t, &v)| [t, v]);
        axes.line(&mut svg, points.step_by(stride), colour, false);
        axes.legend(&mut svg, k, colour, &curve.label);
    }
    svg.push_str("</svg>");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curves_with_holes_or_without_extent_still_draw() {
        let flat = Curve {
            label: "flat".to_owned(),
            values: vec![1.0, 1.0],
        };
        let hole = Curve {
            label: "hole".to_owned(),
            values: vec![f64::NAN, 2.0],
        };
        let svg = plot(&[0.0, 1.0], &[flat, hole], "m");
        assert!(svg.contains("polyline") && !svg.contains("NaN"));
        assert_eq!(plot(&[], &[], "m"), "");
    }
}
