//! What can be read from a stepper after a step: contact forces, contacts about to close, the problem.

use drystone_cone::StepProblem;

use crate::contacts::to_world;
use crate::report::ContactForce;
use crate::scheme::impacts::holds;
use crate::step::Stepper;

impl Stepper<'_> {
    /// Contact points and mean forces of the last step.
    pub fn contact_forces(&self) -> impl Iterator<Item = ContactForce> + '_ {
        self.contacts.manifolds.iter().flat_map(move |manifold| {
            let first = manifold.first as usize;
            self.contacts
                .points_of(manifold)
                .iter()
                .enumerate()
                .map(move |(k, point)| {
                    // After a step that could not be taken there are contacts but no impulses.
                    let impulse = self.impulses.get(first + k).copied().unwrap_or_default();
                    let local = impulse.map(|r| r / self.last_span);
                    let frame = &self.problem.contacts[first + k].frame;
                    ContactForce {
                        blocks: [manifold.a as usize, manifold.b as usize],
                        point: point.midpoint(),
                        normal: manifold.normal,
                        normal_force: local[0]
                            - self.clamping.get(first + k).copied().unwrap_or_default(),
                        shear_force: to_world(frame, &[0.0, local[1], local[2]]),
                        gap: point.gap,
                    }
                })
        })
    }

    /// Contacts that are open after the last step and closing: how long until they close if they go on so, s, and how fast they do, m/s. Nothing about
    /// blocks that are farther apart than contacts are looked for.
    pub fn closings(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        let (dt, grain) = (self.last_dt, self.grain(self.last_dt));
        let points = self.contacts.points.iter().zip(&self.problem.contacts);
        let known = points.zip(&self.impulses);
        known.filter_map(move |((point, contact), impulse)| {
            let relative = self.problem.relative_velocity(contact, &self.velocities);
            let gap = dt * (relative[0] + contact.offset[0]);
            let speed = (point.gap - gap) / dt;
            let free = gap > 0.0 && speed > 0.0 && contact.compliance[0] == 0.0;
            (free && !holds(&self.problem, contact, impulse, grain)).then(|| (gap / speed, speed))
        })
    }

    /// Impulse per contact of [`Self::problem`] in the last step, local components, N s.
    pub fn impulses(&self) -> &[[f64; 3]] {
        &self.impulses
    }

    /// The problem of the last step, for storing and replaying.
    pub fn problem(&self) -> &StepProblem {
        &self.problem
    }
}
