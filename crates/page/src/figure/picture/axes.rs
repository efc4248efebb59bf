//! Axes with round numbers.

use crate::figure::{Axis, Scale};

/// Numbers to write along an axis; of powers of ten about so many at most.
pub(super) fn ticks(axis: &Axis, most: f64) -> Vec<f64> {
    let [low, high] = axis.range;
    match axis.scale {
        Scale::Linear => round(low, high),
        Scale::Log => {
            let [first, last] = [low.log10().ceil(), high.log10().floor()];
            let every = ((last - first) / most).floor().max(0.0) as usize + 1;
            // Not by `powi`: its powers below one are not the nearest numbers.
            (first as i32..=last as i32)
                .step_by(every)
                .map(|power| format!("1e{power}").parse().unwrap_or(low))
                .collect()
        }
    }
}

/// Four to ten round numbers inside a range.
fn round(low: f64, high: f64) -> Vec<f64> {
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
pub(super) fn tick_label(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if (1e-3..1e5).contains(&value.abs()) {
        let text = format!("{value:.4}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        format!("{value:.1e}").replace(".0e", "e")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            round(0.0, 1.0),
            [0.0, 0.2, 0.4, 0.6000000000000001, 0.8, 1.0]
        );
        assert!(
            round(-3.2e-5, 7.1e-5)
                .iter()
                .all(|t| (-3.2e-5..=7.1e-5).contains(t))
        );
        let axis = Axis::new("time", "ms").by_decades([0.02, 30.0].into_iter());
        let labels: Vec<String> = ticks(&axis.unwrap(), 9.0)
            .into_iter()
            .map(tick_label)
            .collect();
        assert_eq!(labels, ["0.01", "0.1", "1", "10", "100"]);
        let axis = Axis::new("spread", "rad").by_decades([1e-16, 1e-2].into_iter());
        let labels: Vec<String> = ticks(&axis.unwrap(), 9.0)
            .into_iter()
            .map(tick_label)
            .collect();
        assert_eq!(labels[..2], ["1e-16", "1e-14"]);
        assert_eq!(labels[7], "0.01");
    }
}
