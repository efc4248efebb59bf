//! Convex pieces of space, and by which plane they are cut next.

use glam::DVec3;

use super::super::Polyhedron;
use super::surface::{Fragment, Inward, Surface, is_sliver};

/// At most this many planes are compared for a cut; in solids with more, the largest faces.
const MOST_PLANES: usize = 64;

/// A convex piece of space with the faces that run through it.
pub(super) struct Cell {
    pub shape: Polyhedron,
    pub fragments: Vec<Fragment>,
}

impl Cell {
    /// The cells behind and before a plane; slivers are dropped.
    pub fn cut(
        self,
        normal: DVec3,
        offset: f64,
        tolerance: f64,
        noise: &mut f64,
    ) -> [Option<Self>; 2] {
        let height = |p: DVec3| {
            let h = normal.dot(p) - offset;
            if h.abs() <= 1e-3 * tolerance { 0.0 } else { h }
        };
        let mut points = [Vec::new(), Vec::new()];
        for &p in self.shape.vertices() {
            let h = height(p);
            if h <= 0.0 {
                points[0].push(p);
            }
            if h >= 0.0 {
                points[1].push(p);
            }
        }
        for edge in self.shape.edges() {
            let [p, q] = edge.ends.map(|v| self.shape.vertices()[v as usize]);
            let (g, h) = (height(p), height(q));
            if (g < 0.0 && h > 0.0) || (g > 0.0 && h < 0.0) {
                let crossing = p + (q - p) * (g / (g - h));
                points.iter_mut().for_each(|side| side.push(crossing));
            }
        }
        let mut sides = [Vec::new(), Vec::new()];
        for fragment in self.fragments {
            let (low, high) = fragment.heights(normal, offset);
            match (low < -tolerance, high > tolerance) {
                (false, false) => *noise = noise.max(high).max(-low),
                (true, false) => sides[0].push(fragment),
                (false, true) => sides[1].push(fragment),
                (true, true) => {
                    let divided = fragment.divided(normal, offset, tolerance);
                    for (side, part) in sides.iter_mut().zip(divided) {
                        if !is_sliver(&part.corners, tolerance) {
                            side.push(part);
                        }
                    }
                }
            }
        }
        let [behind, before] = points;
        let [f, g] = sides;
        [(behind, f), (before, g)].map(|(points, fragments)| {
            // Too thin for a block: the volume tells whether that mattered.
            let shape = Polyhedron::hull(&points).ok()?;
            Some(Self { shape, fragments })
        })
    }

    /// Whether a plane leaves part of the cell on both sides.
    fn is_cut_by(&self, normal: DVec3, offset: f64, tolerance: f64) -> bool {
        let mut heights = self
            .shape
            .vertices()
            .iter()
            .map(|p| normal.dot(*p) - offset);
        heights.clone().any(|h| h > tolerance) && heights.any(|h| h < -tolerance)
    }
}

/// The plane by which a cell is cut next; none if no face runs through it.
pub(super) fn choose(cell: &Cell, surface: &Surface) -> Option<(DVec3, f64)> {
    let mut present: Vec<usize> = cell.fragments.iter().map(|f| f.plane).collect();
    present.sort_unstable();
    present.dedup();
    present.retain(|&p| {
        let plane = &surface.planes[p];
        cell.is_cut_by(plane.normal, plane.offset, surface.tolerance)
    });
    let in_order = present.clone();
    present.sort_by(|&p, &q| {
        let [a, b] = [p, q].map(|p| surface.planes[p].area);
        b.total_cmp(&a).then(p.cmp(&q))
    });
    // Inward edges within the cell.
    let inward: Vec<&Inward> = surface
        .inward
        .iter()
        .filter(|edge| {
            let mut planes = edge.planes.iter();
            planes.any(|p| in_order.binary_search(p).is_ok())
        })
        .filter(|edge| reaches_into(&cell.shape, edge, surface.tolerance))
        .collect();
    let mut best: Option<(Score, usize)> = None;
    let mut compared = 0;
    for &p in &present {
        let plane = &surface.planes[p];
        let settled = inward
            .iter()
            .filter(|edge| {
                let off = |at: DVec3| (plane.normal.dot(at) - plane.offset).abs();
                edge.ends.iter().all(|at| off(*at) <= surface.tolerance)
            })
            .count();
        let (mut divided, mut before) = (0, false);
        for fragment in &cell.fragments {
            let (low, high) = fragment.heights(plane.normal, plane.offset);
            before |= high > surface.tolerance;
            divided += usize::from(low < -surface.tolerance && high > surface.tolerance);
        }
        // Smaller is better.
        let score = Score {
            solid: before,
            outward: settled == 0,
            divided,
            left: inward.len() - settled,
        };
        if best.as_ref().is_none_or(|(b, _)| score < *b) {
            best = Some((score, p));
        }
        compared += 1;
        // Nothing is better than cutting off empty space.
        if !before || compared >= MOST_PLANES {
            break;
        }
    }
    best.map(|(_, p)| (surface.planes[p].normal, surface.planes[p].offset))
}

/// How good a cut is, the most important first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// It may run through the solid.
    solid: bool,
    /// Its plane is not at an inward edge.
    outward: bool,
    /// Faces that it divides.
    divided: usize,
    /// Inward edges that it leaves.
    left: usize,
}

/// Whether part of an edge lies inside a cell or on its rim.
fn reaches_into(shape: &Polyhedron, edge: &Inward, tolerance: f64) -> bool {
    let [p, q] = edge.ends;
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for face in shape.faces() {
        let [g, h] = [p, q].map(|at| face.normal.dot(at) - face.offset - tolerance);
        if g > 0.0 && h > 0.0 {
            return false;
        }
        if g > 0.0 {
            from = from.max(g / (g - h));
        } else if h > 0.0 {
            to = to.min(g / (g - h));
        }
    }
    // An edge that only touches the cell with its end does not count.
    (to - from) * p.distance(q) > 4.0 * tolerance
}
