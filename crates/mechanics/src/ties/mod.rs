//! Ties: bars and cables between two points of blocks, or of a block and the ground.
//!
//! `law` is what a tie does when it is drawn, the same for time steps, statics and pushover; `placed` is where it lies in a
//! configuration; `motion` is how steps use both.

mod law;
mod motion;
mod placed;

pub use law::{TieMemory, TieResponse};
pub use motion::TieReading;
pub(crate) use motion::{Pull, frequency, pieces};
pub use placed::{PlacedTie, tie_contact};
