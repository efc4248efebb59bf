//! From a touching pair of blocks to its contacts.
//!
//! This is the only place that does so. Time steps ([`crate::Stepper`]), statics ([`crate::Statics`]), the falling branch of a pushover
//! ([`crate::Watch`]) and its rising branch (springs at [`KeptPair`]s) get frame, arms, friction, stiffness and strength from here, and add what is
//! particular to their own problem: offsets, and what compliances are multiplied by.

mod bond;
mod crushing;
mod divided;
mod kept;
mod pair;
mod touching;

pub use crushing::Crushes;
pub use divided::divided;
pub use kept::KeptPair;
pub use pair::{Pair, across_plane, compliance, relative_velocity};
pub(crate) use pair::{to_local, to_world};
pub(crate) use touching::{detector, keep_closed, keep_free_normals};
