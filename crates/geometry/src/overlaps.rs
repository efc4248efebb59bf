//! Blocks that are drawn into each other.

use glam::DVec3;

use crate::body::Body;
use crate::narrow::{self, Pair};
use crate::{Aabb, Polyhedron, Pose, Tree};

/// Overlap that is not worth mentioning, as a fraction of the smaller block's thickness: the accuracy of drawings.
pub const OVERLAP_TOLERANCE: f64 = 1e-4;

/// Two blocks that occupy the same space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Index of the first block; `a < b`.
    pub a: u32,
    /// Index of the second block.
    pub b: u32,
    /// The least distance by which one must move for them to touch only, m.
    pub depth: f64,
    /// Somewhere in the middle of the overlap, world, m.
    pub at: DVec3,
}

/// Pairs of blocks that overlap by more than [`OVERLAP_TOLERANCE`], in the order of their numbers.
///
/// Shapes are in the frames of their centroids; a block without a pose is at the origin.
pub fn overlaps(shapes: &[Polyhedron], poses: &[Pose]) -> Vec<Overlap> {
    overlaps_deeper_than(shapes, poses, OVERLAP_TOLERANCE)
}

/// As [`overlaps`] with another tolerance, a fraction of the smaller block's thickness.
pub fn overlaps_deeper_than(shapes: &[Polyhedron], poses: &[Pose], tolerance: f64) -> Vec<Overlap> {
    let mut bodies: Vec<Body> = shapes.iter().map(Body::new).collect();
    for (body, pose) in bodies.iter_mut().zip(poses) {
        body.place(pose);
    }
    let boxes: Vec<Aabb> = bodies.iter().map(Body::world_bounds).collect();
    let mut pairs = Vec::new();
    Tree::build(&boxes).self_pairs(|i, j| pairs.push((i.min(j), i.max(j))));
    pairs.sort_unstable();
    let mut scratch = narrow::Scratch::default();
    let mut found = Vec::new();
    for (a, b) in pairs {
        let pair = Pair::new(&bodies[a as usize], &bodies[b as usize], 0.0);
        if let Some((depth, at)) = narrow::depth(&pair, &mut scratch)
            && depth > tolerance * pair.size
        {
            found.push(Overlap { a, b, depth, at });
        }
    }
    found
}
