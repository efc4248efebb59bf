//! The questions asked of a model: time history, rocking block.

pub mod excitation;
pub mod rocking;
pub mod time_history;
