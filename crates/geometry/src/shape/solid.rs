//! A rigid block's shape: one convex part, or several that move as one.

use std::slice;

use glam::{DMat3, DVec3};

use super::{Polyhedron, VolumeProperties};
use crate::Aabb;

/// Convex parts in one frame. They may touch each other but fill no space twice.
#[derive(Debug, Clone, PartialEq)]
pub struct Solid {
    parts: Vec<Polyhedron>,
}

impl Solid {
    /// A block of parts; nothing if there are none.
    pub fn new(parts: Vec<Polyhedron>) -> Option<Self> {
        (!parts.is_empty()).then_some(Self { parts })
    }

    /// The parts, at least one.
    pub fn parts(&self) -> &[Polyhedron] {
        &self.parts
    }

    /// Whether it is a single convex part.
    pub fn is_convex(&self) -> bool {
        self.parts.len() == 1
    }

    /// The same block moved by a vector (m).
    pub fn translated(&self, by: DVec3) -> Self {
        let parts = self.parts.iter().map(|part| part.translated(by)).collect();
        Self { parts }
    }

    /// Corners of all parts, m.
    pub fn vertices(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.parts
            .iter()
            .flat_map(|part| part.vertices().iter().copied())
    }

    /// Volume, centroid and inertia at unit density.
    pub fn volume_properties(&self) -> VolumeProperties {
        if let [only] = &self.parts[..] {
            return only.volume_properties();
        }
        let parts: Vec<VolumeProperties> = self
            .parts
            .iter()
            .map(Polyhedron::volume_properties)
            .collect();
        let volume: f64 = parts.iter().map(|part| part.volume).sum();
        let moment: DVec3 = parts.iter().map(|part| part.volume * part.centroid).sum();
        let centroid = moment / volume;
        let inertia = parts.iter().fold(DMat3::ZERO, |sum, part| {
            let arm = part.centroid - centroid;
            let outer = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            let carried = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - outer;
            sum + part.inertia + carried * part.volume
        });
        VolumeProperties {
            volume,
            centroid,
            inertia,
        }
    }

    /// Smallest axis-aligned box around the block.
    pub fn bounding_box(&self) -> Aabb {
        Aabb::around(self.vertices())
    }

    /// Thickness of the thinnest part, m. The length that tolerances of contact are measured in.
    pub fn size(&self) -> f64 {
        let sizes = self.parts.iter().map(Polyhedron::size);
        sizes.fold(f64::INFINITY, f64::min)
    }

    /// Distance of the farthest corner from the origin of the frame, m.
    pub fn radius(&self) -> f64 {
        let radii = self.parts.iter().map(Polyhedron::radius);
        radii.fold(0.0, f64::max)
    }
}

impl From<Polyhedron> for Solid {
    fn from(shape: Polyhedron) -> Self {
        Self { parts: vec![shape] }
    }
}

/// The convex parts of a shape.
impl AsRef<[Polyhedron]> for Solid {
    fn as_ref(&self) -> &[Polyhedron] {
        &self.parts
    }
}

/// A convex shape is its only part.
impl AsRef<[Polyhedron]> for Polyhedron {
    fn as_ref(&self) -> &[Polyhedron] {
        slice::from_ref(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(low: [f64; 3], high: [f64; 3]) -> Polyhedron {
        Polyhedron::cuboid(DVec3::from_array(low), DVec3::from_array(high)).unwrap()
    }

    #[test]
    fn halves_of_a_box_have_the_properties_of_the_box() {
        let whole = cuboid([0.0, 0.0, 0.0], [3.0, 2.0, 1.0]);
        let halves = Solid::new(vec![
            cuboid([0.0, 0.0, 0.0], [1.2, 2.0, 1.0]),
            cuboid([1.2, 0.0, 0.0], [3.0, 2.0, 1.0]),
        ])
        .unwrap();
        let (one, two) = (whole.volume_properties(), halves.volume_properties());
        assert!((one.volume - two.volume).abs() < 1e-14);
        assert!((one.centroid - two.centroid).length() < 1e-14);
        let difference = one.inertia - two.inertia;
        assert!(difference.to_cols_array().iter().all(|d| d.abs() < 1e-13));
        assert_eq!(halves.bounding_box().max, DVec3::new(3.0, 2.0, 1.0));
        assert!((halves.size() - 1.0).abs() < 1e-15);
        assert!(Solid::new(Vec::new()).is_none());
    }
}
