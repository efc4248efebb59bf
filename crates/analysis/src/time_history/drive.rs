//! The chosen motions of a model as what drives the step.

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Drive;
use drystone_model::Model;

use crate::excitation::{ExcitationError, GroundMotion, RecordSeries, SupportMotion};

/// Ground motion and settlements of one analysis.
#[derive(Debug, Clone, Default)]
pub struct Excitation {
    ground: GroundMotion,
    settlements: Vec<SupportMotion>,
}

impl Excitation {
    /// The `chosen` ones of the model's motions; `records` as for [`GroundMotion::new`].
    pub fn new(
        model: &Model,
        chosen: &[usize],
        records: &[Vec<RecordSeries>],
    ) -> Result<Self, ExcitationError> {
        Ok(Self {
            ground: GroundMotion::new(&model.motions, chosen, records)?,
            settlements: SupportMotion::all(&model.motions, chosen)?,
        })
    }
}

impl Drive for Excitation {
    fn ground(&self, time: f64) -> DVec3 {
        self.ground.displacement(time)
    }

    fn support(&self, block: usize, initial: Pose, time: f64) -> Pose {
        self.settlements
            .iter()
            .filter(|settlement| settlement.supports().contains(&block))
            .fold(initial, |pose, settlement| {
                settlement.offset(time).apply(&pose)
            })
    }
}
