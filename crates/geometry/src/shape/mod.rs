//! Shapes of blocks: convex polyhedra, how they are made and what can be wrong with them.

mod check;
mod fault;
mod hull;
mod mass;
mod merge;
mod nearest;
mod polyhedron;
mod solid;
mod split;
mod triangulate;
mod trim;
mod winding;

pub use fault::ShapeFault;
pub use mass::VolumeProperties;
pub use polyhedron::{Edge, Face, Polyhedron};
pub use solid::Solid;
pub use split::convex_parts;
pub use triangulate::triangulate;
pub use winding::winding_number;
