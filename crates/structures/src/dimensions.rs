//! Checks that structures share.

use super::Misfit;

/// Most blocks of a structure; more is a slip of the pen.
pub(super) const MAX_PIECES: u64 = 2_000_000;

/// Lengths of structures, m. Squares and quotients of others would overflow before anything could be said of them.
const LENGTHS: std::ops::RangeInclusive<f64> = 1e-9..=1e9;

/// Collects what is wrong with the dimensions of a structure.
#[derive(Debug, Default)]
pub(super) struct Dimensions {
    misfits: Vec<Misfit>,
    notes: Vec<String>,
}

impl Dimensions {
    /// Adds a misfit.
    pub fn refuse(
        &mut self,
        key: impl Into<String>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        self.misfits.push(Misfit::new(key, what, help));
    }

    /// Adds what was made otherwise than one might expect.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// What was noted.
    pub fn notes(self) -> Vec<String> {
        self.notes
    }

    /// Whether a length is one, m.
    pub fn positive(&mut self, key: impl Into<String>, value: f64) -> bool {
        let fits = LENGTHS.contains(&value);
        if !fits {
            let help = match value > 0.0 {
                true => "a length between 1e-9 and 1e9 m",
                false => "a length greater than zero, m",
            };
            self.refuse(key, format!("{value} m"), help);
        }
        fits
    }

    /// As [`Self::positive`] for a length that may be left out.
    pub fn positive_if(&mut self, key: &str, value: Option<f64>) -> bool {
        value.is_none_or(|value| self.positive(key, value))
    }

    /// Whether a length is one or zero, m.
    pub fn not_negative(&mut self, key: impl Into<String>, value: f64) -> bool {
        let fits = value == 0.0 || LENGTHS.contains(&value);
        if !fits {
            self.refuse(key, format!("{value} m"), "a length, or zero, m");
        }
        fits
    }

    /// Whether there are at least so many, and not so many that it must be a slip.
    pub fn count(&mut self, key: &str, value: u32, least: u32) -> bool {
        let fits = value >= least && u64::from(value) <= MAX_PIECES;
        if !fits {
            self.refuse(
                key,
                format!("{value} of them"),
                format!("from {least} to {MAX_PIECES}"),
            );
        }
        fits
    }

    /// Whether the blocks of all parts together are not too many.
    pub fn total(&mut self, key: &str, factors: &[u32]) -> bool {
        let blocks = factors
            .iter()
            .fold(1_u64, |product, &f| product.saturating_mul(u64::from(f)));
        if blocks > MAX_PIECES {
            self.refuse(
                key,
                format!("{blocks} blocks"),
                format!("not more than {MAX_PIECES} blocks in one structure"),
            );
        }
        blocks <= MAX_PIECES
    }

    /// Whether nothing was refused so far.
    pub fn fit(&self) -> bool {
        self.misfits.is_empty()
    }

    /// Everything that was refused, if anything.
    pub fn done(self) -> Result<(), Vec<Misfit>> {
        if self.misfits.is_empty() {
            Ok(())
        } else {
            Err(self.misfits)
        }
    }
}
