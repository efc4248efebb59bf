//! What contact detection finds: manifolds of contact points with lasting identities.

use glam::DVec3;
use serde::{Deserialize, Serialize};

/// Names the features (vertices, edges) of the two blocks whose meeting makes a contact point.
///
/// The same meeting has the same id in every step, so that contact impulses can be carried from step to step. Unique
/// within a pair of convex parts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FeatureId(pub u64);

/// Marks a vertex of the second block.
pub(crate) const VERTEX_OF_B: u64 = 1 << 62;
/// Marks a crossing of edges.
pub(crate) const CROSSING: u64 = 2 << 62;

/// Which features of the two blocks meet at a contact point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Meeting {
    /// A vertex of the first block, with a face of the second.
    VertexOfA,
    /// A vertex of the second block, with a face of the first.
    VertexOfB,
    /// An edge of each.
    Edges,
}

impl FeatureId {
    /// Which features meet. Where vertices of both blocks coincide it is that of the first that gives the name.
    pub fn meeting(self) -> Meeting {
        if self.0 & CROSSING != 0 {
            Meeting::Edges
        } else if self.0 & VERTEX_OF_B != 0 {
            Meeting::VertexOfB
        } else {
            Meeting::VertexOfA
        }
    }
}

/// A pair of antagonist points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactPoint {
    /// Identity within the pair of parts.
    pub id: FeatureId,
    /// The point on block `a`, world, m.
    pub on_a: DVec3,
    /// The point on block `b`, world, m.
    pub on_b: DVec3,
    /// Signed distance along the manifold's normal, m; positive when open.
    pub gap: f64,
    /// Its share of the area over which faces of the two parts lie over each other seen along the normal, m². The shares of all
    /// corners of a face have the face's area and, as long as no corners are left out, its centroid. They change only with
    /// the cosine of the tilt when the rest of the face opens, so that a joint that rocks on an edge does not lose the
    /// stiffness of that edge.
    pub tributary_area: f64,
}

impl ContactPoint {
    /// The point at which the contact impulse acts on both blocks.
    pub fn midpoint(&self) -> DVec3 {
        0.5 * (self.on_a + self.on_b)
    }
}

/// All contact points of two convex parts; they share one contact direction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manifold {
    /// Index of the first block; `a < b`.
    pub a: u32,
    /// Index of the second block.
    pub b: u32,
    /// Which part of each block; zero for blocks of one part.
    pub parts: [u32; 2],
    /// Unit vector from `a` to `b`.
    pub normal: DVec3,
    /// First point of the manifold in [`ContactSet::points`].
    pub first: u32,
    /// Number of points.
    pub count: u32,
    /// Area of the overlap of the two blocks seen along the normal, m²; zero for edge and corner contacts.
    pub area: f64,
}

impl Manifold {
    /// What names and orders manifolds: block and part on the one side, then on the other.
    pub fn key(&self) -> [u32; 4] {
        [self.a, self.parts[0], self.b, self.parts[1]]
    }
}

/// The contacts of a configuration, ordered by [`Manifold::key`] and within a manifold by feature id.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ContactSet {
    /// One entry per pair of blocks that touch or nearly touch; several for blocks of several parts.
    pub manifolds: Vec<Manifold>,
    /// Points of all manifolds, manifold by manifold.
    pub points: Vec<ContactPoint>,
}

impl ContactSet {
    /// The contact points of a manifold.
    pub fn points_of(&self, manifold: &Manifold) -> &[ContactPoint] {
        let first = manifold.first as usize;
        &self.points[first..first + manifold.count as usize]
    }
}
