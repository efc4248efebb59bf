//! A configuration as a problem of statics, mostly the initial one: which blocks touch where, and what acts on them.

use drystone_cone::{Contact, FIXED, LimitBond, LimitCrushing, StepProblem};
use drystone_geometry::{ContactSet, DVec3, Manifold, Pose};
use drystone_model::{Joints, Model};

use crate::bodies::Bodies;
use crate::contacts::{
    Crushes, Pair, across_plane, compliance, detector, keep_closed, keep_free_normals,
    relative_velocity, to_world,
};
use crate::report::ContactForce;
use crate::rotation::{decouple, world_inertia};

/// Blocks touch if they are within this fraction of their thickness: the tolerance of drawings.
const TOUCH: f64 = 1e-4;

/// Where blocks touch in a configuration. Joints count as closed: gaps within tolerance are nothing.
#[derive(Debug, Clone)]
pub struct Statics<'m> {
    /// The structure.
    pub model: &'m Model,
    /// Where each block is.
    pub poses: Vec<Pose>,
    /// Free blocks.
    pub bodies: Bodies,
    /// Joints and their points.
    pub touching: ContactSet,
    /// The blocks of each joint, with their law.
    pub pairs: Vec<Pair>,
    /// The points as plain numbers, without offset and compliance.
    pub contacts: Vec<Contact>,
    /// Largest distance over which blocks count as touching here, m.
    pub largest_gap: f64,
}

impl<'m> Statics<'m> {
    /// Finds the joints of a model in its initial configuration.
    pub fn new(model: &'m Model) -> Self {
        let blocks = model.blocks.iter();
        Self::at(
            model,
            blocks.map(|block| Pose::at(block.position)).collect(),
        )
    }

    /// The same where its blocks have moved to, a pose each.
    pub fn at(model: &'m Model, poses: Vec<Pose>) -> Self {
        let bodies = Bodies::new(model);
        let margins: Vec<f64> = model
            .blocks
            .iter()
            .map(|block| 0.5 * TOUCH * block.shape.size())
            .collect();
        let mut touching = detector(model).detect(&poses, &margins).clone();
        keep_closed(&mut touching, &margins);
        keep_free_normals(&model.free, &mut touching);
        let pairs: Vec<Pair> = touching
            .manifolds
            .iter()
            .map(|manifold| Pair::new(model, &bodies, &poses, manifold))
            .collect();
        let mut contacts = Vec::with_capacity(touching.points.len());
        for (pair, manifold) in pairs.iter().zip(&touching.manifolds) {
            let points = touching.points_of(manifold).iter();
            contacts.extend(points.map(|point| pair.contact(point.midpoint())));
        }
        Self {
            model,
            largest_gap: touching
                .points
                .iter()
                .fold(0.0, |gap, point| gap.max(point.gap)),
            contacts,
            pairs,
            touching,
            bodies,
            poses,
        }
    }

    /// Joints with their pairs of blocks.
    pub fn joints(&self) -> impl Iterator<Item = (&Manifold, &Pair)> {
        self.touching.manifolds.iter().zip(&self.pairs)
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

    /// Adds the live or the dead loads on blocks: they keep their direction, and their points go with the blocks.
    pub fn add_loads(&self, live: bool, loads: &mut [[f64; 6]]) {
        for load in self.model.loads.iter().filter(|load| load.live == live) {
            let body = self.bodies.of_block[load.block];
            if body == FIXED {
                continue;
            }
            let arm = self.poses[load.block].rotation * load.arm;
            let couple = arm.cross(load.force);
            let sum = &mut loads[body as usize];
            for k in 0..3 {
                sum[k] += load.force[k];
                sum[3 + k] += couple[k];
            }
        }
    }

    /// The step problem by which blocks start from rest under loads, N, that act for `dt`, s.
    pub fn step_problem(&self, loads: &[[f64; 6]], dt: f64) -> StepProblem {
        let mut rotational = Vec::with_capacity(loads.len());
        let mut free_velocity = Vec::with_capacity(loads.len());
        for (&i, load) in self.bodies.blocks.iter().zip(loads) {
            let block = &self.model.blocks[i];
            let mut inertia = world_inertia(block.inertia, self.poses[i].rotation);
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
            mass: (self.bodies.blocks.iter())
                .map(|&i| self.model.blocks[i].mass)
                .collect(),
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
        for (manifold, pair) in self.joints() {
            let stiffness = match (joints, pair.stiffness()) {
                (Joints::Elastic, [Some(normal), Some(shear)]) => [normal, shear],
                _ => [1.0, 1.0 / 2.4],
            };
            let least = pair.least_area(self.model);
            for point in self.touching.points_of(manifold) {
                let area = point.tributary_area.max(least);
                all.push(compliance(stiffness.map(Some), area, 1.0));
            }
        }
        all
    }

    /// Joints whose interface has a strength, and how many of these touch along one line only and are not crushed.
    pub fn crushing(&self) -> (Vec<LimitCrushing>, usize) {
        let (mut all, mut gaping) = (Vec::new(), 0);
        let across = across_plane(&self.model.free);
        for (manifold, pair) in self.joints() {
            let points = self.touching.points_of(manifold).iter();
            let points: Vec<DVec3> = points.map(|point| point.midpoint()).collect();
            match pair.crushes(across, manifold.first, &points) {
                Crushes::Never => {}
                Crushes::Gapes => gaping += 1,
                Crushes::Joint(joint) => all.push(joint),
            }
        }
        (all, gaping)
    }

    /// Bonds of contacts whose interface has mortar, in the order of contacts.
    pub fn bonds(&self) -> Vec<LimitBond> {
        let joints = self.joints();
        joints
            .flat_map(|(manifold, pair)| pair.bonds(manifold, self.touching.points_of(manifold)))
            .collect()
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
        relative_velocity(&self.contacts[contact], velocity)
    }
}
