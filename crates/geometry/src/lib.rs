//! Shapes and contact geometry of convex blocks.
//!
//! Lengths in metres, right-handed axes. This crate knows neither masses nor friction nor files.

mod aabb;
mod body;
mod contact;
mod detector;
mod narrow;
mod overlaps;
mod pose;
mod shape;
mod tree;

pub use aabb::Aabb;
pub use contact::{ContactPoint, ContactSet, FeatureId, Manifold};
pub use detector::{Detector, DetectorOptions};
pub use glam::{DMat3, DQuat, DVec3};
pub use overlaps::{OVERLAP_TOLERANCE, Overlap, overlaps};
pub use pose::Pose;
pub use shape::{Edge, Face, Polyhedron, ShapeFault, VolumeProperties};
pub use tree::Tree;
