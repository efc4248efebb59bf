//! The questions asked of a model: time history, rocking block, statics, pushover, the verdict of a code, and what many runs say together.

pub mod assessment;
pub mod campaign;
pub mod code_spectrum;
pub mod excitation;
pub mod pushover;
mod random;
pub mod rocking;
pub mod statics;
pub mod time_history;
