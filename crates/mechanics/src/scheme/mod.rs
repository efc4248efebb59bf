//! Time-stepping schemes: what differs between them.
//!
//! Detection, assembly, the solver, its judge and the halving of steps are shared. A scheme says how velocities and positions
//! are staggered in time, which velocity a block has before contacts act, and what a finished solution makes of its spin.

pub(crate) mod algebra;
pub(crate) mod carry;
pub(crate) mod curvature;
mod euler;
pub(crate) mod impacts;
mod leapfrog;
pub(crate) mod sliding;
pub(crate) mod springs;

use drystone_geometry::{DMat3, DQuat, DVec3};
use drystone_model::{Block, Scheme};

pub use carry::{CarryMemory, ImpactCounts};

/// A free block before a step, seen from the frame that the problem is posed in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start<'a> {
    /// Its mass and inertia.
    pub block: &'a Block,
    /// At the beginning of the step.
    pub rotation: DQuat,
    /// m/s.
    pub velocity: DVec3,
    /// rad/s.
    pub spin: DVec3,
    /// How long before the beginning of the step these velocities hold, s.
    pub lag: f64,
    /// Which degrees of freedom the model has.
    pub free: [bool; 6],
}

/// What acts on a body during a step besides contacts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Action {
    /// Change of velocity by gravity, loads and ground motion, m/s.
    pub kick: DVec3,
    /// Impulse of couples about the centroid, N m s.
    pub twist: DVec3,
}

/// `H` and `V_f` of one body, equation (2.5).
#[derive(Debug, Clone, Copy)]
pub(crate) struct FreeMotion {
    /// Rotational block of `H`; the identity where the model is not free to turn.
    pub inertia: DMat3,
    /// Without contacts, m/s.
    pub velocity: DVec3,
    /// Without contacts, rad/s.
    pub spin: DVec3,
}

/// A time-stepping scheme.
pub(crate) trait Stepping: Sync {
    /// How long forces act on the velocities of a step of length `dt`, s, if the velocities before it hold `lag` before its
    /// beginning.
    fn span(&self, lag: f64, dt: f64) -> f64;

    /// How long before the end of a step its velocities hold, s.
    fn lag(&self, dt: f64) -> f64;

    /// Largest speed with which overlaps of rigid blocks are pushed out, m/s, given what gravity gives in one step.
    fn push_out_speed(&self, grain: f64) -> f64;

    /// The motion of a body without contacts; rotations are linearised about `iterate`, or about a guess of the scheme.
    fn free_motion(
        &self,
        start: &Start<'_>,
        action: &Action,
        iterate: Option<DVec3>,
        dt: f64,
    ) -> FreeMotion;

    /// The spin after a step in which the solver `found` one, and contacts gave the angular impulse `twist`, N m s.
    fn spin(
        &self,
        start: &Start<'_>,
        action: &Action,
        twist: DVec3,
        found: DVec3,
        dt: f64,
    ) -> DVec3;

    /// Velocities hold in the middle of steps: contacts then see the curvature of paths, and impacts carry reactions.
    fn is_staggered(&self) -> bool;
}

/// The scheme of that name.
pub(crate) fn stepping(scheme: Scheme) -> &'static dyn Stepping {
    match scheme {
        Scheme::Euler => &euler::Euler,
        Scheme::Leapfrog => &leapfrog::Leapfrog,
    }
}

/// The velocity after a kick; zero where the model is not free to move.
fn kicked(start: &Start<'_>, action: &Action) -> DVec3 {
    let mut velocity = start.velocity + action.kick;
    for axis in 0..3 {
        if !start.free[axis] {
            velocity[axis] = 0.0;
        }
    }
    velocity
}
