//! Dimensions that make no sense, collected.

use super::super::Misfit;

/// Most blocks of one structure; more is a slip of the pen.
pub(in super::super) const MAX_PIECES: f64 = 2e6;

/// What is wrong with the dimensions of a structure.
#[derive(Debug, Default)]
pub(in super::super) struct Checks(Vec<Misfit>);

impl Checks {
    pub fn push(&mut self, key: impl Into<String>, what: impl Into<String>, help: impl Into<String>) {
        self.0.push(Misfit::new(key, what, help));
    }

    /// Nothing is wrong so far.
    pub fn clean(&self) -> bool {
        self.0.is_empty()
    }

    /// A length must be greater than zero. Returns whether it is.
    pub fn positive(&mut self, key: impl Into<String>, value: f64) -> bool {
        let right = value > 0.0 && value.is_finite();
        if !right {
            self.push(key, format!("{value} m"), "a length greater than zero, m");
        }
        right
    }

    /// A length must not be negative. Returns whether it is right.
    pub fn not_negative(&mut self, key: impl Into<String>, value: f64) -> bool {
        let right = value >= 0.0 && value.is_finite();
        if !right {
            self.push(key, format!("{value} m"), "a length of zero or more, m");
        }
        right
    }

    /// A key without which the structure cannot be made.
    pub fn required<T>(&mut self, key: &str, value: Option<T>, help: &str) -> Option<T> {
        if value.is_none() {
            self.push(key, "it is missing", help);
        }
        value
    }

    /// A whole number of something, from a length. Reports a number that is not whole.
    pub fn whole(&mut self, key: &str, length: f64, unit: f64, what: &str) -> Option<u32> {
        let number = length / unit;
        let rounded = number.round();
        if rounded > MAX_PIECES {
            self.push(key, format!("{rounded} {what}"), "fewer");
            return None;
        }
        if rounded >= 1.0 && (number - rounded).abs() <= 1e-6 * rounded {
            return Some(rounded as u32);
        }
        let (low, high) = (number.floor().max(1.0), number.floor().max(0.0) + 1.0);
        self.push(
            key,
            format!("{length} m are {number:.3} {what} of {unit} m"),
            format!(
                "a whole number of them, e.g. {} m or {} m",
                plain(low * unit),
                plain(high * unit)
            ),
        );
        None
    }

    /// The pieces, if nothing was wrong.
    pub fn or<T>(self, value: T) -> Result<T, Vec<Misfit>> {
        if self.0.is_empty() { Ok(value) } else { Err(self.0) }
    }

    /// Takes over what was found elsewhere.
    pub fn extend(&mut self, misfits: Vec<Misfit>) {
        self.0.extend(misfits);
    }
}

/// A length without the last digits of rounding.
pub(in super::super) fn plain(length: f64) -> f64 {
    (length * 1e6).round() / 1e6
}
