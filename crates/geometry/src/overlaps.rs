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
pub fn overlaps<S: AsRef<[Polyhedron]>>(shapes: &[S], poses: &[Pose]) -> Vec<Overlap> {
    overlaps_deeper_than(shapes, poses, OVERLAP_TOLERANCE)
}

/// As [`overlaps`] with another tolerance, a fraction of the smaller block's thickness.
pub fn overlaps_deeper_than<S: AsRef<[Polyhedron]>>(
    shapes: &[S],
    poses: &[Pose],
    tolerance: f64,
) -> Vec<Overlap> {
    let mut bodies: Vec<Body> = Vec::new();
    let mut owners = Vec::new();
    for (block, shape) in shapes.iter().enumerate() {
        for part in shape.as_ref() {
            let mut body = Body::new(part);
            if let Some(pose) = poses.get(block) {
                body.place(pose);
            }
            bodies.push(body);
            owners.push(block as u32);
        }
    }
    let boxes: Vec<Aabb> = bodies.iter().map(Body::world_bounds).collect();
    let mut pairs = Vec::new();
    Tree::build(&boxes).self_pairs(|i, j| pairs.push((i.min(j), i.max(j))));
    pairs.sort_unstable();
    let mut scratch = narrow::Scratch::default();
    let mut found: Vec<Overlap> = Vec::new();
    for (a, b) in pairs {
        let of = [owners[a as usize], owners[b as usize]];
        if of[0] == of[1] {
            continue;
        }
        let pair = Pair::new(&bodies[a as usize], &bodies[b as usize], 0.0);
        if let Some((depth, at)) = narrow::depth(&pair, &mut scratch)
            && depth > tolerance * pair.size
        {
            let [a, b] = of;
            found.push(Overlap { a, b, depth, at });
        }
    }
    // Blocks of several parts may overlap in several places; the deepest tells most.
    found.sort_by(|p, q| {
        (p.a, p.b)
            .cmp(&(q.a, q.b))
            .then(q.depth.total_cmp(&p.depth))
    });
    found.dedup_by_key(|overlap| (overlap.a, overlap.b));
    found
}
