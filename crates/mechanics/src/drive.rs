//! What acts from outside: the motion of the ground and of supports, and forces that are not in the model.

use drystone_geometry::{DVec3, Pose};

/// Prescribed motion of the ground and of supports relative to it, and forces.
pub trait Drive: Sync {
    /// Displacement of the ground since the start, m.
    fn ground(&self, time: f64) -> DVec3;

    /// Pose at `time` of a support relative to the ground, given its initial pose.
    fn support(&self, block: usize, initial: Pose, time: f64) -> Pose;

    /// Mean from one time to another of force and couple about the centroid on a free block, N and N m, beside the loads of the model.
    fn force(&self, _block: usize, _from: f64, _to: f64) -> (DVec3, DVec3) {
        (DVec3::ZERO, DVec3::ZERO)
    }

    /// A time from `from` to before `to` at which the acceleration of the ground jumps, s. A scheme of second order loses an order there
    /// unless it is told.
    fn jump(&self, _from: f64, _to: f64) -> Option<f64> {
        None
    }
}

/// Neither the ground nor the supports move.
#[derive(Debug, Clone, Copy, Default)]
pub struct Still;

impl Drive for Still {
    fn ground(&self, _time: f64) -> DVec3 {
        DVec3::ZERO
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}
