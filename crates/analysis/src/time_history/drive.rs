//! The chosen motions of a model as what drives the step.

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Drive;
use drystone_model::Model;

use crate::excitation::{ExcitationError, GroundMotion, RecordSeries, SupportMotion};

/// Ground motion and settlements of one analysis.
#[derive(Debug, Clone, Default)]
pub struct Excitation {
    ground: GroundMotion,
    /// Times at which its acceleration jumps, in order, s.
    jumps: Vec<f64>,
    settlements: Vec<SupportMotion>,
    /// Indices of the settlements that move each block.
    of_block: Vec<Vec<usize>>,
}

impl Excitation {
    /// The `chosen` ones of the model's motions; `records` as for [`GroundMotion::new`].
    pub fn new(
        model: &Model,
        chosen: &[usize],
        records: &[Vec<RecordSeries>],
    ) -> Result<Self, ExcitationError> {
        let settlements = SupportMotion::all(&model.motions, chosen)?;
        let mut of_block = vec![Vec::new(); model.blocks.len()];
        for (k, settlement) in settlements.iter().enumerate() {
            for &block in settlement.supports() {
                of_block[block].push(k);
            }
        }
        let ground = GroundMotion::new(&model.motions, chosen, records)?;
        Ok(Self {
            jumps: ground.discontinuities(),
            ground,
            settlements,
            of_block,
        })
    }
}

impl Drive for Excitation {
    fn ground(&self, time: f64) -> DVec3 {
        self.ground.displacement(time)
    }

    fn jump(&self, from: f64, to: f64) -> Option<f64> {
        let next = self.jumps.partition_point(|&time| time < from);
        self.jumps.get(next).copied().filter(|&time| time < to)
    }

    fn support(&self, block: usize, initial: Pose, time: f64) -> Pose {
        let settlements = self.of_block.get(block).map_or(&[][..], Vec::as_slice);
        settlements.iter().fold(initial, |pose, &k| {
            self.settlements[k].offset(time).apply(&pose)
        })
    }
}
