//! Shapes and contact geometry of convex blocks.
//!
//! Lengths in metres, right-handed axes. This crate knows neither masses nor friction nor files.
//!
//! [`Polyhedron`] is a convex shape, made of its vertices or faces; [`Solid`] is a block of one or several. [`Detector`] finds where blocks touch: a [`Tree`]
//! of boxes offers pairs that are near, and for each pair the direction of largest separation and the overlap of the
//! faces that look at each other along it give a [`Manifold`] of antagonist points.
//!
//! ```
//! use drystone_geometry::{DVec3, Detector, Polyhedron, Pose};
//!
//! let half = DVec3::new(0.2, 0.1, 0.1);
//! let brick = Polyhedron::cuboid(-half, half)?;
//! let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::new(0.2, 0.0, 0.2))];
//! let mut detector = Detector::new(vec![brick; 2], vec![true, false]);
//! let contacts = detector.detect(&poses, &[1e-3; 2]);
//! assert_eq!(contacts.manifolds[0].normal, DVec3::Z);
//! assert_eq!(contacts.points.len(), 4);
//! # Ok::<(), drystone_geometry::ShapeFault>(())
//! ```

mod aabb;
mod body;
mod contact;
mod detector;
mod narrow;
mod overlaps;
mod plane;
mod pose;
mod shape;
mod tree;

pub use aabb::Aabb;
pub use contact::{ContactPoint, ContactSet, FeatureId, Manifold, Meeting};
pub use detector::{Detector, DetectorOptions};
pub use glam::{DMat3, DQuat, DVec3};
pub use overlaps::{OVERLAP_TOLERANCE, Overlap, overlaps, overlaps_deeper_than};
pub use plane::{common_part, convex_hull};
pub use pose::Pose;
pub use shape::{
    Edge, Face, Polyhedron, ShapeFault, Solid, VolumeProperties, convex_parts, triangulate,
    winding_number,
};
pub use tree::Tree;
