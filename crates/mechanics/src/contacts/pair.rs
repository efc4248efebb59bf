//! Two blocks that touch: what all their contact points share (section 1 of the formulation).

use drystone_cone::{Contact, FIXED};
use drystone_geometry::{DVec3, Manifold, Pose};
use drystone_model::{Interface, JointKind, Model};

use crate::bodies::Bodies;

/// A contact on an edge has no area; where its stiffness counts it gets this fraction of the square of the smaller block's thickness.
const EDGE: f64 = 1e-3;

/// Two blocks that touch in some configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pair {
    /// Block indices.
    pub blocks: [usize; 2],
    /// Their bodies; [`FIXED`] for supports.
    pub bodies: [u32; 2],
    /// Unit normal from the first block to the second, and two tangents.
    pub axes: [DVec3; 3],
    /// Centroids of both blocks, m.
    pub centres: [DVec3; 2],
    /// How the two materials meet.
    pub(super) law: Interface,
}

impl Pair {
    /// The pair of a manifold. Its law is that of a bed or a head joint, by the normal in the axes of both blocks.
    pub fn new(model: &Model, bodies: &Bodies, poses: &[Pose], manifold: &Manifold) -> Self {
        let blocks = [manifold.a as usize, manifold.b as usize];
        let normal = manifold.normal;
        let kind = JointKind::of(blocks.map(|i| poses[i].rotation.inverse() * normal));
        let law = *model.interface(blocks[0], blocks[1], kind);
        Self::along(normal, blocks, law, bodies, poses)
    }

    /// A pair with a given normal and law.
    pub(super) fn along(
        normal: DVec3,
        blocks: [usize; 2],
        law: Interface,
        bodies: &Bodies,
        poses: &[Pose],
    ) -> Self {
        let (t1, t2) = normal.any_orthonormal_pair();
        Self {
            blocks,
            bodies: blocks.map(|i| bodies.of_block[i]),
            axes: [normal, t1, t2],
            centres: blocks.map(|i| poses[i].position),
            law,
        }
    }

    /// The contact at a point, m: rigid, closed, and with supports at rest.
    pub fn contact(&self, at: DVec3) -> Contact {
        Contact {
            bodies: self.bodies,
            frame: self.axes.map(|axis| axis.to_array()),
            arms: self.centres.map(|centre| (at - centre).to_array()),
            friction: self.friction(),
            offset: [0.0; 3],
            compliance: [0.0; 2],
        }
    }

    /// Coulomb coefficient at rest: the only one that answers and pages know.
    pub fn friction(&self) -> f64 {
        self.law.friction
    }

    /// The coefficient of a contact that slides.
    pub fn kinetic_friction(&self) -> f64 {
        self.law.kinetic_friction
    }

    /// Parts into which the joint is divided along its sides where its stiffness counts.
    pub fn subdivisions(&self) -> u32 {
        self.law.subdivisions
    }

    /// Stiffness per area, normal and tangential, N/m³; none where the interface has none.
    pub fn stiffness(&self) -> [Option<f64>; 2] {
        [self.law.normal_stiffness, self.law.shear_stiffness]
    }

    /// The least area that a contact point of the pair has where its stiffness counts, m².
    pub fn least_area(&self, model: &Model) -> f64 {
        let size = |i: usize| model.blocks[i].shape.size();
        let [a, b] = self.blocks.map(size);
        EDGE * a.min(b).powi(2)
    }
}

/// Compliance of a contact point with a share of a joint's area, m², normal and tangential: `1 / (rate k A)`, equation (2.11), and zero without a
/// stiffness. `rate` is one where forces and displacements are sought, and the square of a step where it is impulses and velocities.
pub fn compliance(stiffness: [Option<f64>; 2], area: f64, rate: f64) -> [f64; 2] {
    stiffness.map(|stiffness| stiffness.map_or(0.0, |k| 1.0 / (rate * k * area)))
}

/// The direction in which the blocks of a planar model do not move; none in space.
pub fn across_plane(free: &[bool; 6]) -> Option<DVec3> {
    match free {
        [true, false, true, ..] => Some(DVec3::Y),
        [false, true, true, ..] => Some(DVec3::X),
        _ => None,
    }
}

/// Velocity of a contact's second body relative to the first, local components, m/s; supports are at rest.
pub fn relative_velocity(contact: &Contact, velocity: &[[f64; 6]]) -> [f64; 3] {
    let mut relative = DVec3::ZERO;
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if contact.bodies[side] == FIXED {
            continue;
        }
        let [x, y, z, rx, ry, rz] = velocity[contact.bodies[side] as usize];
        let arm = DVec3::from(contact.arms[side]);
        relative += sign * (DVec3::new(x, y, z) + DVec3::new(rx, ry, rz).cross(arm));
    }
    to_local(&contact.frame, relative)
}

/// A contact's force or impulse on its second body, from local to world axes.
pub(crate) fn to_world(frame: &[[f64; 3]; 3], local: &[f64; 3]) -> DVec3 {
    DVec3::from(frame[0]) * local[0]
        + DVec3::from(frame[1]) * local[1]
        + DVec3::from(frame[2]) * local[2]
}

/// A vector's components in a contact's frame.
pub(crate) fn to_local(frame: &[[f64; 3]; 3], world: DVec3) -> [f64; 3] {
    frame.map(|axis| DVec3::from(axis).dot(world))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A support and a block on it, of which bed joints and head joints have their own friction.
    fn model() -> Model {
        let text = r#"
[[material]]
name = "stone"
density = 1000
[[interface]]
between = ["*", "*"]
friction = 0.6
normal_stiffness = 1e9
shear_stiffness = 5e8
[[interface]]
between = ["*", "*"]
joints = "head"
friction = 0.2
[[block]]
name = "ground"
material = "stone"
support = true
vertices = [[0,0,-1],[1,0,-1],[0,1,-1],[1,1,-1],[0,0,0],[1,0,0],[0,1,0],[1,1,0]]
[[block]]
name = "block"
material = "stone"
vertices = [[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]]
"#;
        drystone_model::from_toml(text).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn manifold(normal: DVec3) -> Manifold {
        Manifold {
            a: 0,
            b: 1,
            parts: [0; 2],
            normal,
            first: 0,
            count: 0,
            area: 1.0,
        }
    }

    #[test]
    fn contacts_have_the_frame_the_arms_and_the_friction_of_their_pair() {
        let model = model();
        let bodies = Bodies::new(&model);
        let poses: Vec<Pose> = model.blocks.iter().map(|b| Pose::at(b.position)).collect();
        let bed = Pair::new(&model, &bodies, &poses, &manifold(DVec3::Z));
        let contact = bed.contact(DVec3::new(1.0, 0.0, 0.0));
        assert_eq!(contact.bodies, [FIXED, 0]);
        assert_eq!(contact.arms, [[0.5, -0.5, 0.5], [0.5, -0.5, -0.5]]);
        assert_eq!(contact.friction, 0.6);
        let [n, t1, t2] = contact.frame.map(DVec3::from);
        assert!(n == DVec3::Z && (t1.cross(t2) - n).length() < 1e-15);
        let head = Pair::new(&model, &bodies, &poses, &manifold(DVec3::X));
        assert_eq!(head.contact(DVec3::ZERO).friction, 0.2);
        // The law is that of the face, and turns with the blocks.
        let quarter = drystone_geometry::DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let turned: Vec<Pose> = poses
            .iter()
            .map(|pose| Pose {
                rotation: quarter,
                ..*pose
            })
            .collect();
        let bed = Pair::new(&model, &bodies, &turned, &manifold(quarter * DVec3::Z));
        assert_eq!(bed.law.friction, 0.6);
    }

    /// A block that turns about z past a support: the contact opens and slides as the arm says.
    #[test]
    fn relative_velocities_are_those_of_the_second_body() {
        let contact = Contact {
            bodies: [FIXED, 0],
            frame: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            arms: [[9.0; 3], [0.0, -2.0, 0.0]],
            friction: 0.0,
            offset: [0.0; 3],
            compliance: [0.0; 2],
        };
        let velocity = [[0.0, 0.5, 0.0, 0.0, 0.0, 1.0]];
        assert_eq!(relative_velocity(&contact, &velocity), [2.0, 0.5, 0.0]);
    }

    #[test]
    fn compliance_is_that_of_the_share_of_the_joint() {
        assert_eq!(compliance([Some(4.0), None], 0.5, 1.0), [0.5, 0.0]);
        assert_eq!(compliance([Some(4.0), Some(2.0)], 0.5, 0.5), [1.0, 2.0]);
    }
}
