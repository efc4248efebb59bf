//! Soundness of parametric structures: convex blocks, no overlaps, every intended joint, the right volume.

mod kit;

mod arches;
mod buildings;
mod walls;
