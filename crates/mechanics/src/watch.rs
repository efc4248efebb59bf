//! Where blocks touch in any configuration, for the statics of structures that have moved.

use drystone_cone::Contact;
use drystone_geometry::{ContactSet, Detector, Pose};
use drystone_model::{JointKind, Model};

use crate::assemble::{Bodies, keep_free_normals};

/// Finds the contacts of configurations. Holds buffers only: dropping it changes no bit of the answer.
pub struct Watch<'m> {
    model: &'m Model,
    /// Free blocks.
    pub bodies: Bodies,
    detector: Detector,
}

impl<'m> Watch<'m> {
    /// Of the blocks of a model.
    pub fn new(model: &'m Model) -> Self {
        let blocks = || model.blocks.iter();
        Self {
            model,
            bodies: Bodies::new(model),
            detector: Detector::new(
                blocks().map(|block| block.shape.clone()).collect(),
                blocks().map(|block| block.support).collect(),
            ),
        }
    }

    /// Joints of a configuration whose blocks are within the sum of their margins, m, and their points as plain numbers: offsets are gaps,
    /// m, and compliances zero.
    pub fn contacts(&mut self, poses: &[Pose], margins: &[f64]) -> (ContactSet, Vec<Contact>) {
        let mut set = self.detector.detect(poses, margins).clone();
        keep_free_normals(&self.model.free, &mut set);
        let mut contacts = Vec::with_capacity(set.points.len());
        for manifold in &set.manifolds {
            let (a, b) = (manifold.a as usize, manifold.b as usize);
            let normal = manifold.normal;
            let (t1, t2) = normal.any_orthonormal_pair();
            let kind = JointKind::of([a, b].map(|i| poses[i].rotation.inverse() * normal));
            let friction = self.model.interface(a, b, kind).friction;
            for point in set.points_of(manifold) {
                let mid = point.midpoint();
                contacts.push(Contact {
                    bodies: [self.bodies.of_block[a], self.bodies.of_block[b]],
                    frame: [normal.to_array(), t1.to_array(), t2.to_array()],
                    arms: [a, b].map(|i| (mid - poses[i].position).to_array()),
                    friction,
                    offset: [point.gap, 0.0, 0.0],
                    compliance: [0.0; 2],
                });
            }
        }
        (set, contacts)
    }
}
