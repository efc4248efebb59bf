//! Along which direction two convex blocks are farthest apart, or overlap least.
//!
//! The separation along a unit vector `n` from block a to block b is `min n·x_b - max n·x_a`. It is largest along a
//! normal of a face of a or b or along the common normal of an edge of a and an edge of b (the faces of the Minkowski
//! difference). Distances between shrunken copies were rejected: for blocks that meet along an edge or at a corner they
//! give a diagonal direction, which would keep a course from sliding over another.

use glam::DVec3;

use crate::body::Body;

/// Near-parallel edges have no common normal to speak of: below this sine of their angle they are skipped.
///
/// Blocks that meet only along parallel edges, like diagonal neighbours in stack bond, must not be held by a diagonal
/// normal when they turn a little against each other; 0.02 covers the rotations of blocks in a wall that stands.
const PARALLEL_SINE: f64 = 0.02;

/// A direction along which the separation of a pair is stationary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Axis {
    /// m; negative: overlap.
    pub separation: f64,
    pub kind: AxisKind,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum AxisKind {
    FaceOfA(u32),
    FaceOfB(u32),
    /// Edge of a, edge of b, and the unit normal from a to b.
    Edges(u32, u32, DVec3),
}

/// Two blocks in a frame with its origin at the centroid of a.
#[derive(Clone, Copy)]
pub(crate) struct Pair<'a> {
    pub a: &'a Body,
    pub b: &'a Body,
    /// From the centroid of a to that of b, m.
    pub between: DVec3,
    /// Points farther apart than this are of no interest, m.
    pub margin: f64,
    /// The smaller thickness, m; tolerances are fractions of it.
    pub size: f64,
}

impl<'a> Pair<'a> {
    pub fn new(a: &'a Body, b: &'a Body, margin: f64) -> Self {
        Self {
            a,
            b,
            between: b.position - a.position,
            margin,
            size: a.size.min(b.size),
        }
    }

    /// Unit vector from a to b.
    pub fn normal(&self, kind: AxisKind) -> DVec3 {
        match kind {
            AxisKind::FaceOfA(f) => self.a.normals[f as usize],
            AxisKind::FaceOfB(f) => -self.b.normals[f as usize],
            AxisKind::Edges(_, _, normal) => normal,
        }
    }

    /// Separation along the normal of a face, or None if it is certainly below `floor`.
    fn face_separation(
        owner: &Body,
        other: &Body,
        to_other: DVec3,
        face: usize,
        floor: f64,
    ) -> Option<f64> {
        let normal = owner.normals[face];
        let centre = normal.dot(to_other) - owner.offsets[face];
        if centre - other.inner_radius < floor {
            return None;
        }
        let lowest = other
            .vertices
            .iter()
            .map(|v| normal.dot(*v))
            .fold(f64::INFINITY, f64::min);
        Some(centre + lowest)
    }

    /// The separation along one face's normal.
    pub fn along_face(&self, kind: AxisKind) -> Option<f64> {
        let floor = f64::NEG_INFINITY;
        match kind {
            AxisKind::FaceOfA(f) => {
                Self::face_separation(self.a, self.b, self.between, f as usize, floor)
            }
            AxisKind::FaceOfB(f) => {
                Self::face_separation(self.b, self.a, -self.between, f as usize, floor)
            }
            AxisKind::Edges(..) => None,
        }
    }

    /// Collects the face axes whose separation is within `window` of the largest, which is returned.
    ///
    /// Stops as soon as one exceeds the margin: then there is no contact.
    pub fn face_axes(&self, window: f64, axes: &mut Vec<Axis>) -> Axis {
        axes.clear();
        let mut best = Axis {
            separation: f64::NEG_INFINITY,
            kind: AxisKind::FaceOfA(0),
        };
        let sides = [
            (self.a, self.b, self.between),
            (self.b, self.a, -self.between),
        ];
        for (side, (owner, other, to_other)) in sides.into_iter().enumerate() {
            for face in 0..owner.face_count() {
                let floor = best.separation - window;
                let Some(separation) = Self::face_separation(owner, other, to_other, face, floor)
                else {
                    continue;
                };
                let kind = match side {
                    0 => AxisKind::FaceOfA(face as u32),
                    _ => AxisKind::FaceOfB(face as u32),
                };
                let axis = Axis { separation, kind };
                if separation >= floor {
                    axes.push(axis);
                }
                if separation > best.separation {
                    best = axis;
                    if separation > self.margin {
                        return best;
                    }
                }
            }
        }
        axes.retain(|axis| axis.separation >= best.separation - window);
        best
    }

    /// The edge pair of largest separation, if above `floor`; only edges within `reach` of the other block are tried.
    ///
    /// Where two edges touch or overlap least, they are as far apart as their separation, so that a reach of the margin
    /// or of the overlap along the faces loses nothing.
    pub fn edge_axis(
        &self,
        floor: f64,
        reach: f64,
        near: &mut [Vec<u32>; 2],
        axes: &mut Vec<Axis>,
    ) -> Option<Axis> {
        let [near_a, near_b] = near;
        edges_near(self.a, self.b, self.between, reach, near_a);
        edges_near(self.b, self.a, -self.between, reach, near_b);
        axes.clear();
        let mut top = floor;
        for &i in near_a.iter() {
            let edge_a = &self.a.edges[i as usize];
            let [p, q] = edge_a.ends.map(|v| self.a.vertices[v as usize]);
            let along_a = q - p;
            let [normal_a0, normal_a1] = edge_a.faces.map(|f| self.a.normals[f as usize]);
            let length_a = along_a.length_squared();
            for &j in near_b.iter() {
                let edge_b = &self.b.edges[j as usize];
                let [normal_b0, normal_b1] = edge_b.faces.map(|f| self.b.normals[f as usize]);
                // The edges make a face of the Minkowski difference if the arc between the normals at the edge of a
                // and the mirrored arc at the edge of b cross on the unit sphere.
                let (b0, b1) = (-normal_b0.dot(along_a), -normal_b1.dot(along_a));
                if b0 * b1 >= 0.0 {
                    continue;
                }
                let [r, s] = edge_b.ends.map(|v| self.b.vertices[v as usize]);
                let along_b = s - r;
                let (a0, a1) = (normal_a0.dot(along_b), normal_a1.dot(along_b));
                if a0 * a1 >= 0.0 || b0 * a1 <= 0.0 {
                    continue;
                }
                let cross = along_a.cross(along_b);
                let length = cross.length_squared();
                if length < PARALLEL_SINE * PARALLEL_SINE * length_a * along_b.length_squared() {
                    continue;
                }
                let outward = (normal_a0 + normal_a1).dot(cross);
                let normal = cross * (1.0f64.copysign(outward) / length.sqrt());
                let separation = normal.dot(r + self.between - p);
                if separation <= floor {
                    continue;
                }
                let axis = Axis {
                    separation,
                    kind: AxisKind::Edges(i, j, normal),
                };
                top = top.max(separation);
                axes.push(axis);
            }
        }
        // Among equals the best aligned normal, so that the choice does not depend on roundoff.
        axes.iter()
            .copied()
            .filter(|axis| axis.separation >= top - super::TIE * self.size)
            .reduce(|old, new| {
                let better = self.better_aligned(new.kind, old.kind);
                if better.unwrap_or(false) { new } else { old }
            })
    }

    /// Which of two axes points more from centroid to centroid, or if they do so equally, whose face or normal looks
    /// more along z, then y, then x; None if they are alike.
    ///
    /// Only blocks placed in perfect symmetry need the second rule; it does not depend on the order of the pair.
    pub fn better_aligned(&self, new: AxisKind, old: AxisKind) -> Option<bool> {
        let [along_new, along_old] = [new, old].map(|kind| self.normal(kind).dot(self.between));
        if (along_new - along_old).abs() > 1e-6 * self.between.length() {
            return Some(along_new > along_old);
        }
        let outward = |kind| match kind {
            AxisKind::FaceOfA(_) => self.normal(kind),
            AxisKind::FaceOfB(_) => -self.normal(kind),
            AxisKind::Edges(..) => self.normal(kind).abs(),
        };
        let (new, old) = (outward(new), outward(old));
        let differ = |i: usize| ((new[i] - old[i]).abs() > 1e-6).then_some(new[i] > old[i]);
        differ(2).or_else(|| differ(1)).or_else(|| differ(0))
    }
}

/// Edges of `owner` whose boxes come within `reach` of the box of `other`.
fn edges_near(owner: &Body, other: &Body, to_other: DVec3, reach: f64, near: &mut Vec<u32>) {
    near.clear();
    let low = other.bounds.min + to_other - reach;
    let high = other.bounds.max + to_other + reach;
    for (i, edge) in owner.edges.iter().enumerate() {
        let [p, q] = edge.ends.map(|v| owner.vertices[v as usize]);
        if p.min(q).cmple(high).all() && p.max(q).cmpge(low).all() {
            near.push(i as u32);
        }
    }
}
