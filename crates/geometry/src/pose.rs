//! Position and orientation of a block.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};

/// Places a shape, given in its centroid's frame, in the world.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pose {
    /// World position of the block's centroid, m.
    pub position: DVec3,
    /// Rotation from the block's initial axes to its present ones; a unit quaternion.
    pub rotation: DQuat,
}

impl Pose {
    /// The pose of a block that has moved to `position` without turning.
    pub fn at(position: DVec3) -> Self {
        Self {
            position,
            rotation: DQuat::IDENTITY,
        }
    }

    /// World position of a point given in the block's frame.
    pub fn transform(&self, local: DVec3) -> DVec3 {
        self.position + self.rotation * local
    }

    /// Position in the block's frame of a point given in the world.
    pub fn inverse_transform(&self, world: DVec3) -> DVec3 {
        self.rotation.inverse() * (world - self.position)
    }
}
