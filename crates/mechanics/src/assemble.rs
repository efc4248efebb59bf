//! From a configuration and its contacts to the step problem, equations (2.3)-(2.8).

use drystone_cone::{Contact, FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3, Pose};
use drystone_model::{Interface, JointKind, Joints, Model};

use crate::rotation::log_rotation;
use crate::state::State;

/// Which blocks have unknown velocities, and where they stand in the step problem.
#[derive(Debug, Clone)]
pub struct Bodies {
    /// Block index per body.
    pub blocks: Vec<usize>,
    /// Body index per block; [`FIXED`] for supports.
    pub of_block: Vec<u32>,
    /// Radius about the centroid per body, m.
    pub radii: Vec<f64>,
}

impl Bodies {
    /// Numbers the free blocks in the order of the model.
    pub fn new(model: &Model) -> Self {
        let mut blocks = Vec::new();
        let of_block = model
            .blocks
            .iter()
            .enumerate()
            .map(|(i, block)| {
                if block.support {
                    return FIXED;
                }
                blocks.push(i);
                (blocks.len() - 1) as u32
            })
            .collect();
        let radii = blocks.iter().map(|&i| model.blocks[i].shape.radius());
        Self {
            radii: radii.collect(),
            blocks,
            of_block,
        }
    }
}

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
    /// Numerical stiffness of a contact point, N/m; absent: rigid.
    pub regularisation: Option<f64>,
}

impl ContactSettings {
    /// Compliance of a contact point, normal and tangential, m/s per N s: `1 / (dt T k)` with the stiffness of its share of the
    /// joint, equation (2.11), and with the numerical one.
    fn compliance(&self, interface: &Interface, area: f64) -> [f64; 2] {
        let of = |stiffness: Option<f64>, size: f64| {
            stiffness.map_or(0.0, |k| 1.0 / (self.dt * self.span * k * size))
        };
        let numerical = of(self.regularisation, 1.0);
        let elastic = match self.joints {
            Joints::Rigid => [None; 2],
            Joints::Elastic => [interface.normal_stiffness, interface.shear_stiffness],
        };
        elastic.map(|stiffness| numerical + of(stiffness, area))
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

/// Drops contacts across the plane of a planar model: they carry nothing, and an overlap there could not be resolved.
pub(crate) fn keep_free_normals(free: &[bool; 6], contacts: &mut ContactSet) {
    if free[..3].iter().all(|&f| f) {
        return;
    }
    let in_plane = |normal: DVec3| {
        (0..3)
            .filter(|&axis| free[axis])
            .map(|axis| normal[axis] * normal[axis])
            .sum::<f64>()
            > 0.5
    };
    let mut points = Vec::with_capacity(contacts.points.len());
    let manifolds = std::mem::take(&mut contacts.manifolds);
    for manifold in manifolds
        .iter()
        .filter(|manifold| in_plane(manifold.normal))
    {
        let mut kept = *manifold;
        kept.first = points.len() as u32;
        points.extend_from_slice(contacts.points_of(manifold));
        contacts.manifolds.push(kept);
    }
    contacts.points = points;
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
        let (a, b) = (manifold.a as usize, manifold.b as usize);
        let pair = [bodies.of_block[a], bodies.of_block[b]];
        let normal = manifold.normal;
        let (t1, t2) = normal.any_orthonormal_pair();
        let frame = [normal.to_array(), t1.to_array(), t2.to_array()];
        let interface = model.interface(
            a,
            b,
            JointKind::of([a, b].map(|i| state.poses[i].rotation.inverse() * normal)),
        );
        for point in contacts.points_of(manifold) {
            let mid = point.midpoint();
            let mut support = DVec3::ZERO;
            if pair[0] == FIXED {
                support -= supports[a].at(mid);
            }
            if pair[1] == FIXED {
                support += supports[b].at(mid);
            }
            // The stretch that springs have already, equation (2.12).
            let stretched = shear.next().map_or(DVec3::ZERO, |[now, _]| *now) / settings.dt;
            notes.penetration = notes.penetration.max(-point.gap);
            let wanted = point.gap / settings.dt;
            if wanted < -settings.push_out_speed {
                notes.capped += 1;
            }
            problem.contacts.push(Contact {
                bodies: pair,
                frame,
                arms: [
                    (mid - state.poses[a].position).to_array(),
                    (mid - state.poses[b].position).to_array(),
                ],
                friction: interface.friction,
                offset: [
                    wanted.max(-settings.push_out_speed) + normal.dot(support),
                    t1.dot(support + stretched),
                    t2.dot(support + stretched),
                ],
                compliance: settings.compliance(interface, point.tributary_area),
            });
        }
    }
    notes
}

/// A contact's impulse on its second body, from local to world axes.
pub(crate) fn to_world(frame: &[[f64; 3]; 3], local: &[f64; 3]) -> DVec3 {
    DVec3::from(frame[0]) * local[0]
        + DVec3::from(frame[1]) * local[1]
        + DVec3::from(frame[2]) * local[2]
}

/// A vector's components in a contact's frame.
pub(crate) fn to_local(frame: &[[f64; 3]; 3], world: DVec3) -> [f64; 3] {
    frame.map(|axis| DVec3::from(axis).dot(world))
}
