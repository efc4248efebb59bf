//! Soundness of parametric structures: convex blocks, no overlaps, every intended joint, the right volume.

mod kit;

mod arches;
mod columns;
mod domes;
mod spandrels;
mod vaults;
mod walls;
mod buildings;
