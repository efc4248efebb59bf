//! Shapes and contact geometry of convex blocks.
//!
//! Lengths in metres, right-handed axes. This crate knows neither masses nor friction nor files.

mod contact;
mod pose;

pub use contact::{ContactPoint, ContactSet, FeatureId, Manifold};
pub use glam::{DMat3, DQuat, DVec3};
pub use pose::Pose;
