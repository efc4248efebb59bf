//! Parametric structures: dimensions to blocks.
//!
//! A [`Structure`] makes [`Piece`]s in its own frame, with names that depend on nothing but its dimensions, so that
//! monitors and loads can refer to them. What all have in common (where they stand, their material, cuts, worn edges) is
//! declared in `placing` and done in [`place()`]. To add a kind: a file with a declaration of its keys and an `impl
//! Structure`, a line in `spec`, a section in the book.

mod arch;
mod basic;
mod building;
mod bumps;
mod colonnade;
mod column;
mod courses;
mod cylinder;
mod dimensions;
mod dome;
mod lantern;
mod openings;
mod piece;
mod place;
mod placing;
mod round;
mod spandrel;
mod spec;
mod stack;
mod tower;
mod vault;
mod wall;
mod worn;

pub use arch::{Arch, ArchShape, Piers, Springers};
pub use basic::{Cuboid, Ground};
pub use building::{Building, BuildingWall, Side, UpperPart};
pub use colonnade::{Architrave, Colonnade};
pub use column::{Column, Section, Slab};
pub use cylinder::Cylinder;
pub use dome::{Beds, Dome};
pub use lantern::Lantern;
pub use openings::{Opening, OpeningTop};
pub use piece::{Misfit, Piece, Structure};
pub use place::{MAX_BLOCKS, PlacedBlock, matches, place};
pub use placing::{Axis, BumpsSpec, CutSpec, PlacingSpec, RepeatSpec, SetSpec};
pub use round::RingBond;
pub use spandrel::SpandrelArch;
pub use spec::StructureSpec;
pub use stack::Stack;
pub use tower::{Storey, Tower};
pub use vault::{BarrelVault, CornerPiers, CrossVault};
pub use wall::{Bond, Gable, Leaves, Lintel, Wall};
