//! Where blocks touch in any configuration, for the statics of structures that have moved.

use drystone_cone::Contact;
use drystone_geometry::{ContactSet, Detector, Pose};
use drystone_model::Model;

use crate::bodies::Bodies;
use crate::contacts::{Pair, detector, keep_free_normals};

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
        Self {
            model,
            bodies: Bodies::new(model),
            detector: detector(model),
        }
    }

    /// Joints of a configuration whose blocks are within the sum of their margins, m, and their points as plain numbers: offsets are gaps,
    /// m, and compliances zero.
    pub fn contacts(&mut self, poses: &[Pose], margins: &[f64]) -> (ContactSet, Vec<Contact>) {
        let mut set = self.detector.detect(poses, margins).clone();
        keep_free_normals(&self.model.free, &mut set);
        let mut contacts = Vec::with_capacity(set.points.len());
        for manifold in &set.manifolds {
            let pair = Pair::new(self.model, &self.bodies, poses, manifold);
            contacts.extend(set.points_of(manifold).iter().map(|point| Contact {
                offset: [point.gap, 0.0, 0.0],
                ..pair.contact(point.midpoint())
            }));
        }
        (set, contacts)
    }
}
