//! Earthquakes that never were: stochastic motions, and accelerograms that meet the spectrum of a code.
//!
//! A seed gives the same bits on every machine and in every version: the generator is ChaCha8, its numbers become
//! normal ones by a transform written here, and all functions come from a library of portable ones.

mod fourier;
mod gamma;
mod matched;
mod stochastic;

pub use matched::{MATCH_FLOOR, Match, artificial, matching};
pub use stochastic::{Envelope, stochastic};

/// FNV-1a of the bits of a series.
#[cfg(test)]
fn hash(series: &super::RecordSeries) -> u64 {
    let bytes = series.acceleration.iter().flat_map(|a| a.to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
