//! Curves against time as SVG.

use std::fmt::Write as _;

/// A named curve.
#[derive(Debug, Clone)]
pub struct Curve {
    /// For the legend.
    pub label: String,
    /// One value per time.
    pub values: Vec<f64>,
}

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 300.0;
const LEFT: f64 = 70.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 34.0;
/// Points per curve; more than this cannot be seen.
const MAX_POINTS: usize = 1500;
pub(super) const COLOURS: [&str; 8] = [
    "#1b6ca8", "#c8553d", "#3d8b52", "#8a5fbf", "#c79a1e", "#3aa6a6", "#7a4b2a", "#666666",
];

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
    if !(low.is_finite() && high.is_finite() && start.is_finite()) {
        return String::new();
    }
    if high - low < 1e-12 {
        (low, high) = (low - 0.5e-6, high + 0.5e-6);
    }
    let span = if end > start { end - start } else { 1.0 };
    let x = |t: f64| LEFT + (t - start) / span * (WIDTH - LEFT - RIGHT);
    let y = |v: f64| TOP + (high - v) / (high - low) * (HEIGHT - TOP - BOTTOM);

    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-size=\"13\" fill=\"#444\" role=\"img\">"
    );
    for tick in ticks(low, high) {
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
    for tick in ticks(start, start + span) {
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(tick),
            HEIGHT - 14.0,
            tick_label(tick)
        );
    }
    let _ = write!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\">{what}</text><text x=\"4\" y=\"{:.1}\">{unit}</text>",
        WIDTH - RIGHT + 8.0,
        HEIGHT - 14.0,
        TOP + 4.0
    );
    let stride = time.len().div_ceil(MAX_POINTS).max(1);
    for (k, curve) in curves.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let points: Vec<String> = time
            .iter()
            .zip(&curve.values)
            .enumerate()
            .filter(|(i, (_, value))| i % stride == 0 && value.is_finite())
            .map(|(_, (&t, &value))| format!("{:.1},{:.1}", x(t), y(value)))
            .collect();
        let _ = write!(
            svg,
            "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\" points=\"{}\"/>",
            points.join(" ")
        );
        // A legend of more lines than fit would run out of the picture.
        let line = TOP + 10.0 + 17.0 * k as f64;
        if line < HEIGHT - BOTTOM {
            let _ = write!(
                svg,
                "<text x=\"{:.1}\" y=\"{line:.1}\" fill=\"{colour}\">{}</text>",
                WIDTH - RIGHT + 8.0,
                super::escape(&curve.label)
            );
        }
    }
    svg.push_str("</svg>");
    svg
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
