//! Energies in the frame of the ground.

use drystone_model::Model;
use serde::{Deserialize, Serialize};

use crate::rotation::{exp_rotation, world_inertia};
use crate::state::State;

/// Kinetic and potential energy of the free blocks, J.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Energy {
    /// Relative to the ground.
    pub kinetic: f64,
    /// Above the foundation level.
    pub potential: f64,
}

impl Energy {
    /// Energies of a state whose velocities are relative to the ground up to `frame_velocity`, which is subtracted. Where velocities
    /// lag behind positions, both energies are those of the instant of the velocities.
    pub fn of(
        model: &Model,
        state: &State,
        frame_velocity: drystone_geometry::DVec3,
        level: f64,
    ) -> Self {
        let mut energy = Self::default();
        for (i, block) in model.blocks.iter().enumerate() {
            if block.support {
                continue;
            }
            let v = state.velocity[i] - frame_velocity;
            let w = state.angular_velocity[i];
            let mut pose = state.poses[i];
            if state.lag > 0.0 {
                pose.position -= state.lag * v;
                pose.rotation = exp_rotation(-state.lag * w) * pose.rotation;
            }
            let inertia = world_inertia(block.inertia, pose.rotation);
            energy.kinetic += 0.5 * (block.mass * v.length_squared() + w.dot(inertia * w));
            energy.potential += block.mass * model.gravity * (pose.position.z - level);
        }
        energy
    }

    /// Kinetic plus potential, J.
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// Lowest point of the free blocks in the initial configuration, m: the level of the foundation.
pub fn foundation_level(model: &Model) -> f64 {
    let lowest = model
        .blocks
        .iter()
        .filter(|block| !block.support)
        .flat_map(|block| block.shape.vertices().map(|v| v.z + block.position.z))
        .fold(f64::INFINITY, f64::min);
    if lowest.is_finite() { lowest } else { 0.0 }
}

/// Work done on the free blocks during one step, J, in the frame of the ground.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct StepWork {
    /// Of loads, of the inertia forces of the ground's motion and of moving supports: all external forces but gravity.
    pub external: f64,
    /// Of moving supports alone; part of `external`.
    pub supports: f64,
    /// Energy that contacts took, computed from the impulses: positive when energy is lost.
    pub contact_loss: f64,
}

impl std::ops::AddAssign for StepWork {
    fn add_assign(&mut self, other: Self) {
        self.external += other.external;
        self.supports += other.supports;
        self.contact_loss += other.contact_loss;
    }
}
