//! Shapes and contact geometry of convex blocks.
//!
//! Lengths in metres, right-handed axes. This crate knows neither masses nor friction nor files.

mod aabb;
mod contact;
mod pose;
mod shape;

pub use aabb::Aabb;
pub use contact::{ContactPoint, ContactSet, FeatureId, Manifold};
pub use glam::{DMat3, DQuat, DVec3};
pub use pose::Pose;
pub use shape::{Edge, Face, Polyhedron, ShapeFault, VolumeProperties};
