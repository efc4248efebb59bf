//! Blocks with worn edges.

use glam::DVec3;

use super::polyhedron::extent;
use super::{Face, Polyhedron, ShapeFault};

/// Faces smaller than this part of the surface, as cuts and voussoirs have them at their tips, may go with their worn edges.
const SMALL_FACE: f64 = 0.025;

/// Edges that deviate from a direction by no more than this angle have it, rad: the accuracy to which faces are plane.
const PARALLEL: f64 = 1e-6;

impl Polyhedron {
    /// The block with every edge cut by a plane `depth` (m) inside the edge, equally inclined to its two faces (NB
    /// section 4.4). At a right angle the cut is `2 depth` wide and begins `sqrt(2) depth` from the edge on each face.
    ///
    /// A prism that is to stay one is worn along its axis alone: along those edges that have the direction `along`.
    ///
    /// A depth of zero or less leaves the block as it is; one that leaves nothing of it, or of a face
    /// that is not small, is a fault.
    pub fn trimmed(&self, depth: f64, along: Option<DVec3>) -> Result<Self, ShapeFault> {
        let mut block = self.clone();
        if depth > 0.0 {
            let runs = |ends: [u32; 2]| {
                let [a, b] = ends.map(|end| self.vertices()[end as usize]);
                along.is_none_or(|axis| {
                    let edge = (b - a).normalize_or_zero();
                    edge.cross(axis).length() <= PARALLEL * axis.length()
                })
            };
            for edge in self.edges().iter().filter(|edge| runs(edge.ends)) {
                let [m, n] = edge.faces.map(|f| self.faces()[f as usize].normal);
                let normal = (m + n).normalize_or_zero();
                let on_edge = self.vertices()[edge.ends[0] as usize];
                block = block.cut(normal, normal.dot(on_edge) - depth)?;
            }
            // Faces that are almost in one plane, as those of a warped side, lose up to the depth to each other.
            let stays = |face: &&Face| {
                block.faces().iter().any(|left| {
                    left.normal.dot(face.normal) > 0.999
                        && (left.offset - face.offset).abs() < 1.001 * depth
                })
            };
            // Ends of a prism are whole, and say nothing of its sides.
            let side =
                |face: &&Face| along.is_none_or(|axis| face.normal.cross(axis).length() > PARALLEL);
            let sides = || self.faces().iter().filter(side);
            let surface: f64 = sides().map(|face| face.area).sum();
            let mut faces = sides().filter(|face| face.area > SMALL_FACE * surface);
            if let Some(lost) = faces.find(|face| !stays(face)) {
                return Err(ShapeFault::FaceLost {
                    normal: lost.normal,
                });
            }
        }
        Ok(block)
    }

    /// The largest depth (m), to a part of 1e-4, by which the edges can be worn.
    pub fn largest_trim(&self, along: Option<DVec3>) -> f64 {
        // No edge is farther from the middle than half the extent.
        let [mut low, mut high] = [0.0, extent(self.vertices())];
        while high - low > 1e-4 * low.max(1e-6 * high) {
            let middle = 0.5 * (low + high);
            match self.trimmed(middle, along) {
                Ok(_) => low = middle,
                Err(_) => high = middle,
            }
        }
        low
    }

    /// The block with every face moved inwards by a distance (m); one that leaves nothing of it is a fault.
    pub fn shrunk(&self, distance: f64) -> Result<Self, ShapeFault> {
        let mut block = self.clone();
        if distance > 0.0 {
            for face in self.faces() {
                block = block.cut(face.normal, face.offset - distance)?;
            }
        }
        Ok(block)
    }

    /// The part of the block with `normal · x <= offset`; `normal` is a unit vector.
    pub fn cut(&self, normal: DVec3, offset: f64) -> Result<Self, ShapeFault> {
        let heights: Vec<f64> = self
            .vertices()
            .iter()
            .map(|v| normal.dot(*v) - offset)
            .collect();
        let below = self.vertices().iter().zip(&heights);
        let mut points: Vec<DVec3> = below.filter(|(_, h)| **h <= 0.0).map(|(&v, _)| v).collect();
        for edge in self.edges() {
            let [p, q] = edge.ends.map(|v| self.vertices()[v as usize]);
            let [g, h] = edge.ends.map(|v| heights[v as usize]);
            if (g < 0.0 && h > 0.0) || (g > 0.0 && h < 0.0) {
                points.push(p + (q - p) * (g / (g - h)));
            }
        }
        Self::hull(&points)
    }
}
