//! The questions asked of a model: time history, rocking block, statics.

pub mod code_spectrum;
pub mod excitation;
pub mod rocking;
pub mod statics;
pub mod time_history;
