//! Mechanisms, and configurations that follow them.

use drystone_cone::FIXED;
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Bodies, exp_rotation};
use drystone_model::Model;

use crate::statics::MOVES;

/// Velocities of all bodies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Mechanism {
    of_block: Vec<u32>,
    pub velocity: Vec<[f64; 6]>,
}

impl Mechanism {
    pub fn new(bodies: &Bodies, velocity: Vec<[f64; 6]>) -> Self {
        Self {
            of_block: bodies.of_block.clone(),
            velocity,
        }
    }

    fn of(&self, block: usize) -> (DVec3, DVec3) {
        match self.of_block[block] {
            FIXED => (DVec3::ZERO, DVec3::ZERO),
            body => {
                let [x, y, z, rx, ry, rz] = self.velocity[body as usize];
                (DVec3::new(x, y, z), DVec3::new(rx, ry, rz))
            }
        }
    }

    /// These velocities, gone a share of the way to others.
    pub fn toward(&self, other: &Self, share: f64) -> Self {
        let mix =
            |(a, b): (&[f64; 6], &[f64; 6])| std::array::from_fn(|k| a[k] + share * (b[k] - a[k]));
        Self {
            of_block: self.of_block.clone(),
            velocity: self.velocity.iter().zip(&other.velocity).map(mix).collect(),
        }
    }

    /// Velocity of a point of a block, given by its arm in world axes.
    pub fn velocity_at(&self, block: usize, arm: DVec3) -> DVec3 {
        let (v, w) = self.of(block);
        v + w.cross(arm)
    }

    /// The configuration after a motion with these velocities for `time`: translations along straight lines, rotations exact.
    pub fn moved(&self, poses: &[Pose], time: f64) -> Vec<Pose> {
        let one = |(block, pose): (usize, &Pose)| {
            let (v, w) = self.of(block);
            Pose {
                position: pose.position + time * v,
                rotation: (exp_rotation(time * w) * pose.rotation).normalize(),
            }
        };
        poses.iter().enumerate().map(one).collect()
    }

    /// Blocks that move in it, others being at rest beside them.
    pub fn moving(&self, model: &Model) -> Vec<usize> {
        let blocks = model.blocks.iter().enumerate();
        let speeds: Vec<f64> = blocks
            .map(|(i, block)| self.speed(i, block.shape.radius()))
            .collect();
        let fastest = speeds.iter().copied().fold(0.0, f64::max);
        let moves = |&i: &usize| speeds[i] > MOVES * fastest;
        (0..speeds.len()).filter(moves).collect()
    }

    /// No point of a block within `radius` of its centroid is faster.
    pub fn speed(&self, block: usize, radius: f64) -> f64 {
        let (v, w) = self.of(block);
        v.length() + w.length() * radius
    }
}
