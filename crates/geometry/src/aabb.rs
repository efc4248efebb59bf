//! Axis-aligned boxes.

use glam::DVec3;

use crate::{Polyhedron, Pose};

/// An axis-aligned box.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Aabb {
    /// Smallest coordinates, m.
    pub min: DVec3,
    /// Largest coordinates, m.
    pub max: DVec3,
}

impl Aabb {
    /// The box that contains nothing.
    pub const EMPTY: Self = Self {
        min: DVec3::INFINITY,
        max: DVec3::NEG_INFINITY,
    };

    /// The smallest box around points.
    pub fn around(points: impl IntoIterator<Item = DVec3>) -> Self {
        points.into_iter().fold(Self::EMPTY, |b, p| Self {
            min: b.min.min(p),
            max: b.max.max(p),
        })
    }

    /// The box of a shape in its pose.
    pub fn of(shape: &Polyhedron, pose: &Pose) -> Self {
        Self::around(shape.vertices().iter().map(|&v| pose.transform(v)))
    }

    /// Lengths of the sides, m; zero for an empty box.
    pub fn extent(&self) -> DVec3 {
        (self.max - self.min).max(DVec3::ZERO)
    }

    /// The middle of the box.
    pub fn centre(&self) -> DVec3 {
        0.5 * (self.min + self.max)
    }

    /// The box grown by `by` (m) on all sides.
    pub fn grown(&self, by: f64) -> Self {
        Self {
            min: self.min - by,
            max: self.max + by,
        }
    }

    /// The smallest box around two.
    pub fn union(&self, other: &Self) -> Self {
        Self {
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    /// Whether the other box lies inside this one.
    pub fn contains(&self, other: &Self) -> bool {
        self.min.cmple(other.min).all() && other.max.cmple(self.max).all()
    }

    /// Whether the boxes have a point in common.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.min.cmple(other.max).all() && other.min.cmple(self.max).all()
    }

    /// Half the surface, m²: how likely a box is to be hit.
    pub(crate) fn half_surface(&self) -> f64 {
        let d = self.max - self.min;
        d.x * d.y + d.y * d.z + d.z * d.x
    }
}
