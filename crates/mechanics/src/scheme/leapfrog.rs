//! Leapfrog, equations (6.1)-(6.3): positions at the ends of steps, velocities in their middle; second order.
//!
//! The kick between two middles is centred on the configuration that it is computed from, and so is the rotation: inertia is taken
//! half a step on. Contacts see the curved path of their points (see [`super::curvature`]), and the reaction of the old
//! contacts goes on until the instant of an impact (see [`super::carry`]).

use drystone_geometry::DVec3;

use super::{Action, FreeMotion, Start, Stepping, kicked};
use crate::rotation::{decouple, momentum_after, momentum_block, spin_of_momentum};

/// Velocities are those of the middle of the step.
pub(super) struct Leapfrog;

impl Leapfrog {
    /// Angular momentum after the kick, before contacts, N m s.
    fn momentum(start: &Start<'_>, action: &Action) -> DVec3 {
        let inertia = start.block.inertia;
        momentum_after(inertia, start.rotation, start.spin, -start.lag) + action.twist
    }
}

impl Stepping for Leapfrog {
    fn span(&self, lag: f64, dt: f64) -> f64 {
        // From where the old velocities hold to where the new ones do. Velocities given at the start have no lag: half a kick.
        lag + 0.5 * dt
    }

    fn lag(&self, dt: f64) -> f64 {
        0.5 * dt
    }

    fn push_out_speed(&self, grain: f64) -> f64 {
        // A speed reached in half a step is lost again to gravity in the other half: what is pushed out does not fly.
        0.5 * grain
    }

    fn free_motion(
        &self,
        start: &Start<'_>,
        action: &Action,
        iterate: Option<DVec3>,
        dt: f64,
    ) -> FreeMotion {
        let inertia0 = start.block.inertia;
        let momentum = Self::momentum(start, action);
        let iterate = iterate.unwrap_or_else(|| {
            let guess = start.spin;
            spin_of_momentum(
                inertia0,
                start.rotation,
                momentum,
                guess,
                0.5 * dt,
                &start.free,
            )
        });
        let (mut inertia, found) = momentum_block(inertia0, start.rotation, iterate, 0.5 * dt);
        let mut missing = momentum - found;
        decouple(&start.free, &mut inertia, &mut missing);
        FreeMotion {
            inertia,
            velocity: kicked(start, action),
            spin: iterate + inertia.inverse() * missing,
        }
    }

    fn spin(
        &self,
        start: &Start<'_>,
        action: &Action,
        twist: DVec3,
        found: DVec3,
        dt: f64,
    ) -> DVec3 {
        if found == DVec3::ZERO {
            // The solver's word for rest; rounding of the momentum must not make it creep.
            return found;
        }
        let momentum = Self::momentum(start, action) + twist;
        spin_of_momentum(
            start.block.inertia,
            start.rotation,
            momentum,
            found,
            0.5 * dt,
            &start.free,
        )
    }

    fn is_staggered(&self) -> bool {
        true
    }
}
