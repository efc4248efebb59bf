//! The state of a run: everything whose loss would change the answer.

use drystone_geometry::{DVec3, Pose};
use drystone_model::Model;
use serde::{Deserialize, Serialize};

use crate::memory::ImpulseMemory;
use crate::scheme::CarryMemory;
use crate::shear::ShearMemory;
use crate::slip::SlipMemory;
use crate::ties::TieMemory;

/// Configuration, velocities and contact memory at one instant.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// s.
    pub time: f64,
    /// Pose per block.
    pub poses: Vec<Pose>,
    /// How long before `time` the velocities hold, s: half the last step in a staggered scheme, otherwise zero.
    pub lag: f64,
    /// Velocity of the centroid per block, m/s, in the frame that the equations are written in.
    pub velocity: Vec<DVec3>,
    /// Angular velocity per block in world axes, rad/s.
    pub angular_velocity: Vec<DVec3>,
    /// Mean velocity of the ground over the step that led here, m/s.
    pub ground_velocity: DVec3,
    /// Contact impulses of the last step, the warm start of the next one.
    pub impulses: ImpulseMemory,
    /// Normal impulses that contacts under Coulomb's law carry without yielding, those with which the run began; none before the first step.
    pub preload: Option<ImpulseMemory>,
    /// What impacts leave to the next step.
    pub carry: CarryMemory,
    /// Elastic shear of joints that give way.
    pub shear: ShearMemory,
    /// Which contacts slide.
    pub slip: SlipMemory,
    /// Contact points of the initial configuration whose mortar has broken, by their place in the list of those that have mortar; in order.
    pub lost_mortar: Vec<u32>,
    /// What ties remember, in the order of the model.
    pub ties: Vec<TieMemory>,
}

impl State {
    /// The initial state that the model describes, ground at rest.
    pub fn initial(model: &Model) -> Self {
        Self {
            time: 0.0,
            poses: model
                .blocks
                .iter()
                .map(|block| Pose::at(block.position))
                .collect(),
            lag: 0.0,
            velocity: model.blocks.iter().map(|block| block.velocity).collect(),
            angular_velocity: model
                .blocks
                .iter()
                .map(|block| block.angular_velocity)
                .collect(),
            ground_velocity: DVec3::ZERO,
            impulses: ImpulseMemory::default(),
            preload: None,
            carry: CarryMemory::default(),
            shear: ShearMemory::default(),
            slip: SlipMemory::default(),
            lost_mortar: Vec::new(),
            ties: model.ties.iter().map(TieMemory::new).collect(),
        }
    }

    /// The first block whose pose or velocity is not a finite number.
    pub fn first_non_finite(&self) -> Option<usize> {
        (0..self.poses.len()).find(|&i| {
            !(self.poses[i].position.is_finite()
                && self.poses[i].rotation.is_finite()
                && self.velocity[i].is_finite()
                && self.angular_velocity[i].is_finite())
        })
    }
}
