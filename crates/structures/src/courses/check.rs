//! Checks of dimensions that courses need.

use super::super::dimensions::{Dimensions, MAX_PIECES};

impl Dimensions {
    /// A key without which the structure cannot be made.
    pub fn required<T>(&mut self, key: &str, value: Option<T>, help: &str) -> Option<T> {
        if value.is_none() {
            self.refuse(key, "it is missing", help);
        }
        value
    }

    /// A whole number of something, from a length. Refuses a number that is not whole.
    pub fn whole(
        &mut self,
        key: impl Into<String>,
        length: f64,
        unit: f64,
        what: &str,
    ) -> Option<u32> {
        let number = length / unit;
        let rounded = number.round();
        if rounded > MAX_PIECES as f64 {
            self.refuse(
                key,
                format!("{rounded} {what}"),
                format!("not more than {MAX_PIECES}"),
            );
            return None;
        }
        if rounded >= 1.0 && (number - rounded).abs() <= 1e-6 * rounded {
            return Some(rounded as u32);
        }
        let below = number.floor().max(0.0);
        let [low, high] = [below.max(1.0), below + 1.0].map(|number| plain(number * unit));
        let choice = if low == high {
            format!("{low} m")
        } else {
            format!("{low} m or {high} m")
        };
        self.refuse(
            key,
            format!("{length} m are {number:.3} {what} of {unit} m"),
            format!("a whole number of them, e.g. {choice}"),
        );
        None
    }

    /// Whether an estimate of the number of blocks is not too many.
    pub fn bounded(&mut self, key: &str, blocks: f64) -> bool {
        let fits = blocks <= MAX_PIECES as f64;
        if !fits {
            self.refuse(
                key,
                format!("about {blocks:.0} blocks"),
                format!("not more than {MAX_PIECES} blocks in one structure"),
            );
        }
        fits
    }

    /// A value, unless something was refused.
    pub fn or<T>(self, value: T) -> Result<T, Vec<crate::Misfit>> {
        self.done().map(|()| value)
    }
}

/// A length without the last digits of rounding.
pub(in super::super) fn plain(length: f64) -> f64 {
    (length * 1e6).round() / 1e6
}
