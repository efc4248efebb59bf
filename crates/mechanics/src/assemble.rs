//! Contacts of the step problem: offsets and compliances, equations (2.6), (2.7), (2.11) and (2.12).

use drystone_cone::{Contact, FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3, Pose};
use drystone_model::{Joints, Model};

use crate::bodies::Bodies;
use crate::contacts::{Pair, compliance};
use crate::rotation::log_rotation;
use crate::state::State;

/// Velocity of a support during a step.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SupportVelocity {
    centre: DVec3,
    velocity: DVec3,
    angular: DVec3,
}

impl SupportVelocity {
    /// The mean velocity that leads from one pose to another.
    pub fn between(from: Pose, to: Pose, dt: f64) -> Self {
        Self {
            centre: from.position,
            velocity: (to.position - from.position) / dt,
            angular: log_rotation(to.rotation * from.rotation.inverse()) / dt,
        }
    }

    /// The same motion seen from a frame that moves with `frame`, m/s.
    pub fn relative_to(mut self, frame: DVec3) -> Self {
        self.velocity -= frame;
        self
    }

    /// No point within `radius` of the centre is faster than this, m/s.
    pub fn speed_bound(&self, radius: f64) -> f64 {
        self.velocity.length() + self.angular.length() * radius
    }

    /// Velocity of its centre, m/s, and its spin, rad/s.
    pub fn rates(&self) -> (DVec3, DVec3) {
        (self.velocity, self.angular)
    }

    /// Velocity of the support's material at `point`, m/s.
    pub fn at(&self, point: DVec3) -> DVec3 {
        self.velocity + self.angular.cross(point - self.centre)
    }
}

/// Sum of the loads on a block: force and couple about the centroid.
pub(crate) fn loads_on_blocks(model: &Model, state: &State) -> Vec<(DVec3, DVec3)> {
    let mut sums = vec![(DVec3::ZERO, DVec3::ZERO); model.blocks.len()];
    for load in &model.loads {
        let arm = state.poses[load.block].rotation * load.arm;
        sums[load.block].0 += load.force;
        sums[load.block].1 += arm.cross(load.force);
    }
    sums
}

/// Settings that shape the contacts of the step problem.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ContactSettings {
    /// Step, s.
    pub dt: f64,
    /// How long forces act on the velocities of the step, s.
    pub span: f64,
    /// Largest speed with which overlaps are pushed out, m/s.
    pub push_out_speed: f64,
    /// Whether joints give way by the stiffness of their interfaces.
    pub joints: Joints,
    /// Numerical stiffness of a contact point across and along the joint, N/m; absent: rigid.
    pub regularisation: Option<[f64; 2]>,
}

impl ContactSettings {
    /// Compliance of a contact point, normal and tangential, m/s per N s: that of its share of the joint, equation (2.11), and
    /// the numerical one.
    fn compliance(&self, pair: &Pair, area: f64) -> [f64; 2] {
        let rate = self.dt * self.span;
        let stiffness = match self.joints {
            Joints::Rigid => [None; 2],
            Joints::Elastic => pair.stiffness(),
        };
        let numerical = self.regularisation.map_or([None; 2], |both| both.map(Some));
        let numerical = compliance(numerical, 1.0, rate);
        let elastic = compliance(stiffness, area, rate);
        [numerical[0] + elastic[0], numerical[1] + elastic[1]]
    }
}

/// What the assembly of contacts noticed.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactNotes {
    /// Largest overlap, m.
    pub penetration: f64,
    /// Contacts whose overlap is pushed out more slowly than within one step.
    pub capped: usize,
}

/// Appends the contacts of a configuration to the step problem, equations (2.6) and (2.7). `shear`: elastic shear of joints per contact, now and before, m;
/// empty where there is none.
#[allow(clippy::too_many_arguments)]
pub(crate) fn add_contacts(
    model: &Model,
    bodies: &Bodies,
    state: &State,
    supports: &[SupportVelocity],
    contacts: &ContactSet,
    shear: &[[DVec3; 2]],
    settings: &ContactSettings,
    problem: &mut StepProblem,
) -> ContactNotes {
    let mut notes = ContactNotes::default();
    let mut shear = shear.iter();
    problem.contacts.clear();
    for manifold in &contacts.manifolds {
        let pair = Pair::new(model, bodies, &state.poses, manifold);
        let [normal, t1, t2] = pair.axes;
        // An edge has no area, and some corners of narrow faces have next to none.
        let least = pair.least_area(model);
        for point in contacts.points_of(manifold) {
            let mid = point.midpoint();
            let mut support = DVec3::ZERO;
            if pair.bodies[0] == FIXED {
                support -= supports[pair.blocks[0]].at(mid);
            }
            if pair.bodies[1] == FIXED {
                support += supports[pair.blocks[1]].at(mid);
            }
            // The stretch that springs have already, equation (2.12).
            let stretched = shear.next().map_or(DVec3::ZERO, |[now, _]| *now) / settings.dt;
            notes.penetration = notes.penetration.max(-point.gap);
            let wanted = point.gap / settings.dt;
            if wanted < -settings.push_out_speed {
                notes.capped += 1;
            }
            problem.contacts.push(Contact {
                offset: [
                    wanted.max(-settings.push_out_speed) + normal.dot(support),
                    t1.dot(support + stretched),
                    t2.dot(support + stretched),
                ],
                compliance: settings.compliance(&pair, point.tributary_area.max(least)),
                ..pair.contact(mid)
            });
        }
    }
    notes
}
