//! The questions asked of a model: time history, rocking block, statics, pushover, the verdict of a code, and what many runs say together.

/// Raised by one whenever results change, with the entry under that heading of the changelog: results of another one are neither reused nor resumed.
pub const REVISION: u32 = 4;

pub mod assessment;
pub mod campaign;
pub mod code_spectrum;
pub mod excitation;
pub mod pushover;
mod random;
pub mod rocking;
pub mod statics;
pub mod time_history;
