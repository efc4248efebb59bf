//! In which order convex bodies are painted so that nearer ones hide those behind them, seen along one direction without perspective.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use drystone_geometry::DVec3;

/// A convex body in its place.
pub(super) struct Body {
    /// Bounds in the picture: left, bottom, right, top.
    pub bounds: [f64; 4],
    /// How near its middle is.
    pub depth: f64,
    /// Faces by outward normal and distance from the origin.
    pub planes: Vec<(DVec3, f64)>,
    /// World.
    pub corners: Vec<DVec3>,
}

/// A body that may be painted, farthest first.
struct Ready {
    depth: f64,
    index: usize,
}

impl PartialEq for Ready {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Ready {}

impl PartialOrd for Ready {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Ready {
    fn cmp(&self, other: &Self) -> Ordering {
        let nearer = other.depth.total_cmp(&self.depth);
        nearer.then(other.index.cmp(&self.index))
    }
}

/// Indices of the bodies, those behind first. Of bodies that hide each other in a ring the farthest is painted first.
pub(super) fn back_to_front(bodies: &[Body], towards: DVec3) -> Vec<usize> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); bodies.len()];
    let mut waits = vec![0_usize; bodies.len()];
    for (a, b) in overlapping(bodies) {
        let (first, second) = match behind(&bodies[a], &bodies[b], towards) {
            Ordering::Less => (a, b),
            Ordering::Greater => (b, a),
            Ordering::Equal => continue,
        };
        after[first].push(second);
        waits[second] += 1;
    }
    let ready = |index: usize| Ready {
        depth: bodies[index].depth,
        index,
    };
    let mut heap: BinaryHeap<Ready> = (0..bodies.len())
        .filter(|&k| waits[k] == 0)
        .map(ready)
        .collect();
    // Those that a ring keeps waiting, farthest first.
    let mut rest: Vec<usize> = (0..bodies.len()).collect();
    rest.sort_by_key(|&k| Reverse(ready(k)));
    let mut rest = rest.into_iter();
    let mut done = vec![false; bodies.len()];
    let mut order = Vec::with_capacity(bodies.len());
    loop {
        let next = heap.pop().map(|ready| ready.index);
        let Some(next) = next.or_else(|| rest.find(|&k| !done[k])) else {
            return order;
        };
        if std::mem::replace(&mut done[next], true) {
            continue;
        }
        order.push(next);
        for &k in &after[next] {
            waits[k] -= 1;
            if waits[k] == 0 {
                heap.push(ready(k));
            }
        }
    }
}

/// Pairs whose bounds overlap in the picture.
fn overlapping(bodies: &[Body]) -> Vec<(usize, usize)> {
    let mut by_left: Vec<usize> = (0..bodies.len()).collect();
    by_left.sort_by(|&a, &b| bodies[a].bounds[0].total_cmp(&bodies[b].bounds[0]));
    let mut pairs = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    for &k in &by_left {
        let mine = &bodies[k].bounds;
        open.retain(|&other| bodies[other].bounds[2] > mine[0]);
        let shared = open.iter().filter(|&&other| {
            let others = &bodies[other].bounds;
            others[1] < mine[3] && mine[1] < others[3]
        });
        pairs.extend(shared.map(|&other| (other.min(k), other.max(k))));
        open.push(k);
    }
    pairs
}

/// Less if `a` may be hidden by `b` and so comes first; equal if neither hides any of the other.
fn behind(a: &Body, b: &Body, towards: DVec3) -> Ordering {
    let size = |body: &Body| (body.bounds[2] - body.bounds[0]).max(body.bounds[3] - body.bounds[1]);
    let tolerance = 1e-4 * size(a).min(size(b));
    // What lies beyond a face that looks at us cannot be hidden by that face's body. Several faces may part two bodies, and only what none of them
    // excludes counts: orders that need not be kept could contradict each other.
    let (mut a_hides, mut b_hides, mut parted) = (true, true, false);
    let mut best = (f64::NEG_INFINITY, 0.0);
    for (from, to, sign) in [(a, b, 1.0), (b, a, -1.0)] {
        for (normal, distance) in &from.planes {
            let beyond = to
                .corners
                .iter()
                .map(|corner| normal.dot(*corner) - distance);
            let gap = beyond.fold(f64::INFINITY, f64::min);
            let facing = sign * normal.dot(towards);
            if gap > best.0 {
                best = (gap, facing);
            }
            if gap > -tolerance {
                parted = true;
                a_hides &= facing < -1e-6;
                b_hides &= facing > 1e-6;
            }
        }
    }
    match (parted, a_hides, b_hides) {
        (true, true, _) => Ordering::Greater,
        (true, false, true) => Ordering::Less,
        (true, false, false) => Ordering::Equal,
        // They overlap a little, as blocks that press on each other may.
        (false, ..) if best.0 > -10.0 * tolerance && best.1 > 0.0 => Ordering::Less,
        (false, ..) if best.0 > -10.0 * tolerance => Ordering::Greater,
        (false, ..) => a.depth.total_cmp(&b.depth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A box, seen against y.
    fn cuboid(low: [f64; 3], high: [f64; 3]) -> Body {
        let (low, high) = (DVec3::from(low), DVec3::from(high));
        let mut planes = Vec::new();
        for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
            planes.push((axis, axis.dot(high)));
            planes.push((-axis, -axis.dot(low)));
        }
        let pick = |k: usize, bit: usize| if k >> bit & 1 == 0 { low } else { high };
        let corners = (0..8).map(|k| DVec3::new(pick(k, 0).x, pick(k, 1).y, pick(k, 2).z));
        Body {
            bounds: [low.x, low.z, high.x, high.z],
            depth: -0.5 * (low.y + high.y),
            planes,
            corners: corners.collect(),
        }
    }

    #[test]
    fn a_large_slab_does_not_hide_what_stands_before_its_middle() {
        let slab = cuboid([-5.0, -9.0, -1.0], [5.0, 9.0, 0.0]);
        let block = cuboid([-1.0, 8.0, 0.0], [2.0, 8.5, 0.5]);
        let up = DVec3::new(0.0, -0.8, 0.6);
        // The middle of the slab is nearer, and yet the block stands on it.
        assert!(slab.depth > block.depth);
        assert_eq!(behind(&slab, &block, up), Ordering::Less);
        assert_eq!(behind(&block, &slab, up), Ordering::Greater);
    }

    #[test]
    fn bodies_that_cannot_hide_each_other_have_no_order() {
        // Higher and farther: seen from above in front, neither is before the other.
        let low = cuboid([0.0, 0.0, 0.0], [1.0, 1.0, 1.0]);
        let high = cuboid([0.0, 1.0, 1.0], [1.0, 2.0, 2.0]);
        assert_eq!(
            behind(&low, &high, DVec3::new(0.0, -0.8, 0.6)),
            Ordering::Equal
        );
        // From below in front the lower one hides.
        assert_eq!(
            behind(&low, &high, DVec3::new(0.0, -0.8, -0.6)),
            Ordering::Greater
        );
    }

    #[test]
    fn every_body_is_painted_once_and_rings_do_not_hang() {
        let bodies: Vec<Body> = (0..20)
            .map(|k| {
                cuboid(
                    [0.0, f64::from(k * 7 % 20), 0.0],
                    [1.0, f64::from(k * 7 % 20) + 1.0, 1.0],
                )
            })
            .collect();
        let order = back_to_front(&bodies, DVec3::NEG_Y);
        let depths: Vec<f64> = order.iter().map(|&k| bodies[k].depth).collect();
        assert!(
            depths.windows(2).all(|pair| pair[0] < pair[1]),
            "{depths:?}"
        );
        // Three times the same body: nothing parts them.
        let same: Vec<Body> = (0..3).map(|_| cuboid([0.0; 3], [1.0; 3])).collect();
        assert_eq!(back_to_front(&same, DVec3::NEG_Y).len(), 3);
    }
}
