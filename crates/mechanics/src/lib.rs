//! One time step: detect, assemble, solve, integrate.
//!
//! [`Stepper::step`] advances a [`State`] by steps of non-smooth contact dynamics, of one scheme or another. Equation numbers refer
//! to the formulation chapter of the book.

mod assemble;
mod bodies;
mod contacts;
mod drive;
mod easing;
mod energy;
mod memory;
mod mortar;
mod motion;
mod outcome;
mod preload;
mod prescribed;
mod report;
mod rotation;
mod scheme;
mod shear;
mod slip;
mod state;
mod statics;
mod step;
mod ties;
mod watch;
mod work;

pub use bodies::Bodies;
pub use contacts::{Crushes, KeptPair, Pair, across_plane, compliance, divided, relative_velocity};
pub use drive::{Drive, Still};
pub use energy::{Energy, StepWork, foundation_level};
pub use memory::ImpulseMemory;
pub use report::{ContactForce, Phase, StepFault, StepReport, StepSettings, Stopwatch};
pub use rotation::{exp_rotation, log_rotation, rotational_block};
pub use scheme::{CarryMemory, ImpactCounts};
pub use shear::ShearMemory;
pub use slip::SlipMemory;
pub use state::State;
pub use statics::Statics;
pub use step::Stepper;
pub use ties::{PlacedTie, TieMemory, TieReading, TieResponse, tie_contact};
pub use watch::Watch;
