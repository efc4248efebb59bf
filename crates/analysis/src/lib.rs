//! The questions asked of a model: time history, rocking block.

pub mod code_spectrum;
pub mod excitation;
pub mod rocking;
pub mod time_history;
