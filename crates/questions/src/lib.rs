//! The questions asked of a model, one folder each: time history, rocking block, equilibrium, limit, pushover, assessment by a code.
//!
//! [`ask`] answers any of them about a [`drystone_model::Case`]; an [`Answer`] has one form in memory, whatever becomes of it.

/// Raised by one whenever results change, with the entry under that heading of the changelog: results of another one are neither reused nor resumed.
pub const REVISION: u32 = 14;

pub mod answer;
mod ask;
pub mod assessment;
pub mod equilibrium;
pub mod limit;
pub mod pushover;
pub mod rocking;
pub mod statics;
pub mod time_history;

pub use answer::Answer;
pub use ask::{AskFault, Control, Hooks, KeepFault, ask};
