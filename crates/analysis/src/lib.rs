//! The questions asked of a model: time history, rocking block, statics, pushover, the verdict of a code, and what many runs say together.

/// Raised by one whenever results change, with the entry under that heading of the changelog: results of another one are neither reused nor resumed.
pub const REVISION: u32 = 4;

pub mod answer;
mod ask;
pub mod assessment;
pub mod campaign;
mod equilibrium;
mod limit;
pub mod pushover;
pub mod rocking;
pub mod statics;
pub mod time_history;

pub use answer::Answer;
pub use ask::{AskFault, Control, Hooks, KeepFault, ask};
