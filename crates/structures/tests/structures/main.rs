//! Soundness of parametric structures: convex blocks, no overlaps, every intended joint, the right volume.

mod kit;

mod any;
mod any_curved;
mod arches;
mod buildings;
mod columns;
mod domes;
mod random_walls;
mod spandrels;
mod vaults;
mod walls;
