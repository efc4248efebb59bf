//! Numbers of figures: as many digits as can be seen, and rounded before anything is drawn, so that a page and what is drawn from the file
//! are the same.

use super::extent;

/// What can be told apart in a chart, in digits.
const DIGITS: usize = 6;

/// Digits of single numbers: ends of axes may lie close together.
pub(super) const ENDS: usize = 12;

/// To so many digits.
pub(super) fn short(value: f64, digits: usize) -> f64 {
    let after = digits - 1;
    format!("{value:.after$e}").parse().unwrap_or(value)
}

/// To hundredths: a drawing is a thousand units wide.
pub(crate) fn hundredths(value: f64) -> f64 {
    (100.0 * value).round() / 100.0
}

/// Columns of the points that are finite.
pub(super) fn columns(all: impl IntoIterator<Item = [f64; 2]>) -> (Vec<f64>, Vec<f64>) {
    let finite = all.into_iter().filter(|[x, y]| (x + y).is_finite());
    let (mut x, mut y): (Vec<f64>, Vec<f64>) = finite.map(|[x, y]| (x, y)).unzip();
    shorten(&mut x);
    shorten(&mut y);
    (x, y)
}

fn shorten(column: &mut [f64]) {
    let [low, high] = extent(column.iter().copied());
    // Small differences of large numbers need more digits than the numbers themselves.
    let offset = (low.abs().max(high.abs()) / (high - low)).log10().floor();
    let more = if offset.is_finite() {
        offset.clamp(0.0, 8.0)
    } else {
        0.0
    };
    for value in column {
        *value = short(*value, DIGITS + more as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_their_differences_stay() {
        let (x, y) = columns([[1.0 / 3.0, 1e6], [2.0, 1e6 + 1.0 / 3.0], [f64::NAN, 1.0]]);
        assert_eq!(x, [0.333333, 2.0]);
        assert!((y[1] - y[0] - 1.0 / 3.0).abs() < 1e-5 && y.len() == 2);
        assert_eq!(columns([[0.0, -12.3456789]]).1, [-12.3457]);
    }
}
