//! Parametric structures: dimensions to blocks.
//!
//! A [`Structure`] makes [`Piece`]s in its own frame, with names that depend on nothing but its dimensions, so that
//! monitors and loads can refer to them. Composition (where it stands, its material, cuts, worn edges) is the same for
//! all and lives in `place`. To add a kind: a file here with a struct whose fields are its keys (`#[schemars(inline)]`,
//! and no `deny_unknown_fields`, since keys of its placing stand in the same table), a variant of `StructureSpec`, two
//! lines in `decode::generate`, a section in the book.

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
mod round;
mod spandrel;
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
pub(crate) use place::{MAX_BLOCKS, matches, place};
pub use round::RingBond;
pub use spandrel::SpandrelArch;
pub use stack::Stack;
pub use tower::{Storey, Tower};
pub use vault::{BarrelVault, CornerPiers, CrossVault};
pub use wall::{Bond, Gable, Leaves, Lintel, Wall};
