//! The initial configuration as a problem of statics: which blocks touch where, and what acts on them.

use drystone_cone::{Contact, FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3, Detector, Pose};
use drystone_model::{Joints, Model};

use crate::assemble::{Bodies, keep_free_normals, to_world};
use crate::report::ContactForce;
use crate::rotation::decouple;

/// Blocks touch if they are within this fraction of their thickness: the tolerance of drawings.
const TOUCH: f64 = 1e-4;

/// A contact on an edge has no area; it gets this fraction of the square of the smaller block's thickness where forces are shared.
const EDGE: f64 = 1e-3;

/// Where blocks touch in the initial configuration. Joints count as closed: gaps within tolerance are nothing.
#[derive(Debug, Clone)]
pub struct Statics<'m> {
    /// The structure.
    pub model: &'m Model,
    /// Free blocks.
    pub bodies: Bodies,
    /// Joints and their points.
    pub touching: ContactSet,
    /// The points as plain numbers, without offset and compliance.
    pub contacts: Vec<Contact>,
    /// Largest distance over which blocks count as touching here, m.
    pub largest_gap: f64,
}

impl<'m> Statics<'m> {
    /// Finds the joints of a model.
    pub fn new(model: &'m Model) -> Self {
        let blocks = || model.blocks.iter();
        let bodies = Bodies::new(model);
        let mut detector = Detector::new(
            blocks().map(|block| block.shape.clone()).collect(),
            blocks().map(|block| block.support).collect(),
        );
        let poses: Vec<Pose> = blocks().map(|block| Pose::at(block.position)).collect();
        let margins: Vec<f64> = blocks()
            .map(|block| 0.5 * TOUCH * block.shape.size())
            .collect();
        let mut touching = detector.detect(&poses, &margins).clone();
        keep_closed(&mut touching, &margins);
        keep_free_normals(&model.free, &mut touching);
        let mut statics = Self {
            model,
            largest_gap: touching
                .points
                .iter()
                .fold(0.0, |gap, point| gap.max(point.gap)),
            contacts: Vec::with_capacity(touching.points.len()),
            touching,
            bodies,
        };
        statics.assemble(&poses);
        statics
    }

    fn assemble(&mut self, poses: &[Pose]) {
        for manifold in &self.touching.manifolds {
            let (a, b) = (manifold.a as usize, manifold.b as usize);
            let normal = manifold.normal;
            let (t1, t2) = normal.any_orthonormal_pair();
            for point in self.touching.points_of(manifold) {
                let mid = point.midpoint();
                self.contacts.push(Contact {
                    bodies: [self.bodies.of_block[a], self.bodies.of_block[b]],
                    frame: [normal.to_array(), t1.to_array(), t2.to_array()],
                    arms: [a, b].map(|i| (mid - poses[i].position).to_array()),
                    friction: self.model.initial_interface(a, b, normal).friction,
                    offset: [0.0; 3],
                    compliance: [0.0; 2],
                });
            }
        }
    }

    /// Weight per body, N, and dead loads.
    pub fn dead(&self) -> Vec<[f64; 6]> {
        let mut loads = self.body_force(DVec3::NEG_Z);
        self.add_loads(false, &mut loads);
        loads
    }

    /// A force as large as the weight along a unit vector, per body, N.
    pub fn body_force(&self, direction: DVec3) -> Vec<[f64; 6]> {
        let weight = |&i: &usize| {
            let force = self.model.gravity * self.model.blocks[i].mass * direction;
            [force.x, force.y, force.z, 0.0, 0.0, 0.0]
        };
        self.bodies.blocks.iter().map(weight).collect()
    }

    /// Adds the live or the dead loads on blocks.
    pub fn add_loads(&self, live: bool, loads: &mut [[f64; 6]]) {
        for load in self.model.loads.iter().filter(|load| load.live == live) {
            let body = self.bodies.of_block[load.block];
            if body == FIXED {
                continue;
            }
            let couple = load.arm.cross(load.force);
            let sum = &mut loads[body as usize];
            for k in 0..3 {
                sum[k] += load.force[k];
                sum[3 + k] += couple[k];
            }
        }
    }

    /// The step problem by which blocks start from rest under loads, N, that act for `dt`, s.
    pub fn step_problem(&self, loads: &[[f64; 6]], dt: f64) -> StepProblem {
        let blocks = || self.bodies.blocks.iter().map(|&i| &self.model.blocks[i]);
        let mut rotational = Vec::with_capacity(loads.len());
        let mut free_velocity = Vec::with_capacity(loads.len());
        for (block, load) in blocks().zip(loads) {
            let mut inertia = block.inertia;
            let mut twist = DVec3::new(load[3], load[4], load[5]) * dt;
            decouple(&self.model.free, &mut inertia, &mut twist);
            let velocity = DVec3::new(load[0], load[1], load[2]) * (dt / block.mass);
            let spin = inertia.inverse() * twist;
            let all = [velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z];
            let free = self.model.free;
            rotational.push(inertia.to_cols_array());
            free_velocity.push(std::array::from_fn(|k| if free[k] { all[k] } else { 0.0 }));
        }
        StepProblem {
            mass: blocks().map(|block| block.mass).collect(),
            rotational,
            free_velocity,
            free: self.model.free,
            speed_scale: self.model.gravity.max(1.0) * dt,
            contacts: self.contacts.clone(),
        }
    }

    /// How much each contact gives way, normal and tangential, m/N: by the stiffness of its interface, or by the same
    /// stiffness per area everywhere.
    pub fn compliance(&self, joints: Joints) -> Vec<[f64; 2]> {
        let mut all = Vec::with_capacity(self.contacts.len());
        for manifold in &self.touching.manifolds {
            let (a, b) = (manifold.a as usize, manifold.b as usize);
            let law = self.model.initial_interface(a, b, manifold.normal);
            let uniform = [1.0, 1.0 / 2.4];
            let stiffness = match (joints, law.normal_stiffness, law.shear_stiffness) {
                (Joints::Elastic, Some(normal), Some(shear)) => [normal, shear],
                _ => uniform,
            };
            let size = |i: usize| self.model.blocks[i].shape.size();
            let least = EDGE * size(a).min(size(b)).powi(2);
            for point in self.touching.points_of(manifold) {
                let area = point.tributary_area.max(least);
                all.push(stiffness.map(|k| 1.0 / (k * area)));
            }
        }
        all
    }

    /// Contact points with their forces, local components, N.
    pub fn contact_forces<'s>(
        &'s self,
        forces: &'s [[f64; 3]],
    ) -> impl Iterator<Item = ContactForce> + 's {
        self.touching.manifolds.iter().flat_map(move |manifold| {
            let first = manifold.first as usize;
            let points = self.touching.points_of(manifold).iter().enumerate();
            points.map(move |(k, point)| ContactForce {
                blocks: [manifold.a as usize, manifold.b as usize],
                point: point.midpoint(),
                normal: manifold.normal,
                normal_force: forces[first + k][0],
                shear_force: to_world(
                    &self.contacts[first + k].frame,
                    &[0.0, forces[first + k][1], forces[first + k][2]],
                ),
                gap: point.gap,
            })
        })
    }

    /// Relative velocity of the second block to the first at a contact, local components, m/s.
    pub fn relative_velocity(&self, contact: usize, velocity: &[[f64; 6]]) -> [f64; 3] {
        let contact = &self.contacts[contact];
        let mut relative = DVec3::ZERO;
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if contact.bodies[side] == FIXED {
                continue;
            }
            let [x, y, z, rx, ry, rz] = velocity[contact.bodies[side] as usize];
            let arm = DVec3::from(contact.arms[side]);
            relative += sign * (DVec3::new(x, y, z) + DVec3::new(rx, ry, rz).cross(arm));
        }
        contact.frame.map(|axis| DVec3::from(axis).dot(relative))
    }
}

/// Drops points that are open beyond what counts as touching.
fn keep_closed(contacts: &mut ContactSet, margins: &[f64]) {
    let mut points = Vec::with_capacity(contacts.points.len());
    let manifolds = std::mem::take(&mut contacts.manifolds);
    for manifold in &manifolds {
        let touch = margins[manifold.a as usize] + margins[manifold.b as usize];
        let mut kept = *manifold;
        kept.first = points.len() as u32;
        points.extend(
            contacts
                .points_of(manifold)
                .iter()
                .filter(|point| point.gap <= touch)
                .copied(),
        );
        kept.count = points.len() as u32 - kept.first;
        if kept.count > 0 {
            contacts.manifolds.push(kept);
        }
    }
    contacts.points = points;
}
