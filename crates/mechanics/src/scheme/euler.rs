//! Backward Euler, the scheme of the papers, equations (2.1)-(2.8).

use drystone_geometry::DVec3;

use super::{Action, FreeMotion, Start, Stepping, kicked};
use crate::rotation::{decouple, rotational_block};

/// Velocities and positions belong to the same instants; first order.
pub(super) struct Euler;

impl Stepping for Euler {
    fn span(&self, _lag: f64, dt: f64) -> f64 {
        dt
    }

    fn lag(&self, _dt: f64) -> f64 {
        0.0
    }

    fn push_out_speed(&self, grain: f64) -> f64 {
        grain
    }

    fn free_motion(
        &self,
        start: &Start<'_>,
        action: &Action,
        iterate: Option<DVec3>,
        dt: f64,
    ) -> FreeMotion {
        let (mut inertia, unbalanced) = rotational_block(
            start.block.inertia,
            start.rotation,
            start.spin,
            iterate.unwrap_or(start.spin),
            dt,
        );
        let mut impulse = action.twist + unbalanced;
        decouple(&start.free, &mut inertia, &mut impulse);
        FreeMotion {
            inertia,
            velocity: kicked(start, action),
            spin: start.spin + inertia.inverse() * impulse,
        }
    }
    fn spin(
        &self,
        _start: &Start<'_>,
        _action: &Action,
        _twist: DVec3,
        found: DVec3,
        _dt: f64,
    ) -> DVec3 {
        found
    }

    fn is_staggered(&self) -> bool {
        false
    }
}
