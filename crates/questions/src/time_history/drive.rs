//! The chosen motions of a model as what drives the step.

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Drive;
use drystone_model::Model;

use super::steering::Steering;
use drystone_shaking::{ExcitationError, GroundMotion, SupportMotion};

/// Ground motion and settlements of one analysis.
#[derive(Debug, Clone, Default)]
pub struct Excitation {
    pub(super) ground: GroundMotion,
    /// Times at which its acceleration jumps, in order, s.
    jumps: Vec<f64>,
    settlements: Vec<SupportMotion>,
    /// Indices of the settlements that move each block.
    of_block: Vec<Vec<usize>>,
    /// What is set between steps.
    pub(super) steering: Steering,
}

impl Excitation {
    /// The `chosen` ones of the model's motions.
    pub fn new(model: &Model, chosen: &[usize]) -> Result<Self, ExcitationError> {
        let settlements = SupportMotion::all(&model.motions, chosen)?;
        let mut of_block = vec![Vec::new(); model.blocks.len()];
        for (k, settlement) in settlements.iter().enumerate() {
            for &block in settlement.supports() {
                of_block[block].push(k);
            }
        }
        let ground = GroundMotion::new(&model.motions, chosen)?;
        Ok(Self {
            jumps: ground.discontinuities(),
            ground,
            settlements,
            of_block,
            steering: Steering::default(),
        })
    }

    /// When the ground stops to accelerate and supports stop to move, s; infinite while somebody steers them.
    pub(super) fn end(&self) -> f64 {
        if self.steering.moves() {
            return f64::INFINITY;
        }
        let ends = self.settlements.iter().map(SupportMotion::end);
        ends.fold(self.ground.end(), f64::max)
    }

    /// Velocity of the ground at the start, m/s.
    pub(super) fn initial_velocity(&self) -> DVec3 {
        self.ground.velocity(0.0)
    }

    /// How far settlements have lowered any point of a support, m.
    pub(super) fn lowered(&self, model: &Model, time: f64) -> f64 {
        let supports = model.blocks.iter().enumerate().filter(|(_, b)| b.support);
        let drops = supports.flat_map(|(i, block)| {
            let start = Pose::at(block.position);
            let now = self.support(i, start, time);
            let vertices = block.shape.vertices();
            vertices.map(move |vertex| start.transform(vertex).z - now.transform(vertex).z)
        });
        drops.fold(0.0, f64::max)
    }
}

impl Drive for Excitation {
    fn ground(&self, time: f64) -> DVec3 {
        self.ground.displacement(time) + self.steering.ground(time)
    }

    fn force(&self, block: usize, from: f64, to: f64) -> (DVec3, DVec3) {
        self.steering.mean_force(block, from, to)
    }

    fn jump(&self, from: f64, to: f64) -> Option<f64> {
        let next = self.jumps.partition_point(|&time| time < from);
        let jump = self.jumps.get(next).copied().filter(|&time| time < to);
        let steered = self.steering.jump(from, to);
        [jump, steered].into_iter().flatten().reduce(f64::min)
    }

    fn support(&self, block: usize, initial: Pose, time: f64) -> Pose {
        let settlements = self.of_block.get(block).map_or(&[][..], Vec::as_slice);
        let pose = settlements.iter().fold(initial, |pose, &k| {
            self.settlements[k].offset(time).apply(&pose)
        });
        self.steering.support(block, pose, time)
    }
}
