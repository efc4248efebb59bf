//! Work during a step.

use drystone_cone::{FIXED, Solution};
use drystone_geometry::DVec3;

use crate::contacts::to_world;
use crate::energy::StepWork;
use crate::prescribed::Prescribed;
use crate::state::State;
use crate::step::Stepper;

impl Stepper<'_> {
    /// Work on the free blocks in the frame of the ground, with the mean of the velocities before and after the step. For
    /// translations that gives the change of kinetic energy exactly, for rotations up to terms of second order.
    pub(crate) fn work(
        &self,
        state: &State,
        next: &State,
        solution: &Solution,
        carried: &[[f64; 6]],
        given: &Prescribed,
    ) -> StepWork {
        let mean = |i: usize| {
            (
                0.5 * (state.velocity[i] - given.frame[0] + next.velocity[i] - given.frame[1]),
                0.5 * (state.angular_velocity[i] + next.angular_velocity[i]),
            )
        };
        let mut work = StepWork::default();
        let kick = state.ground_velocity - given.ground_velocity;
        for &i in &self.bodies.blocks {
            let (v, w) = mean(i);
            let (force, couple) = given.loads[i];
            work.external += self.model.blocks[i].mass * kick.dot(v)
                + given.span * (force.dot(v) + couple.dot(w));
        }
        // Ties are part of the structure: what they do is neither load nor lost for ever, but told with contacts.
        for pull in &given.pulls {
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let Some(block) = pull.blocks[side] else {
                    continue;
                };
                let impulse = sign * given.span * pull.force;
                if self.model.blocks[block].support {
                    let point = pull.points[side];
                    let moves = 0.5
                        * (given.supports_before[block].at(point)
                            + given.supports[block].at(point));
                    let done = -impulse.dot(moves);
                    work.external += done;
                    work.supports += done;
                    work.contact_loss += done;
                } else {
                    let (v, w) = mean(block);
                    let arm = pull.points[side] - state.poses[block].position;
                    let done = impulse.dot(v + w.cross(arm));
                    work.external -= done;
                    work.contact_loss -= done;
                }
            }
        }
        for (&i, impulse) in self.bodies.blocks.iter().zip(carried) {
            let (v, w) = mean(i);
            let [px, py, pz, lx, ly, lz] = *impulse;
            work.contact_loss -= DVec3::new(px, py, pz).dot(v) + DVec3::new(lx, ly, lz).dot(w);
        }
        for manifold in &self.contacts.manifolds {
            let first = manifold.first as usize;
            for (k, point) in self.contacts.points_of(manifold).iter().enumerate() {
                let contact = &self.problem.contacts[first + k];
                let impulse = to_world(&contact.frame, &solution.impulse[first + k]);
                for (block, side, sign) in [(manifold.a, 0, -1.0), (manifold.b, 1, 1.0)] {
                    let block = block as usize;
                    if contact.bodies[side] == FIXED {
                        // What the support does to the other block comes from outside.
                        let point = point.midpoint();
                        let moves = 0.5
                            * (given.supports_before[block].at(point)
                                + given.supports[block].at(point));
                        let done = -sign * impulse.dot(moves);
                        work.external += done;
                        work.supports += done;
                        work.contact_loss += done;
                    } else {
                        let (v, w) = mean(block);
                        let arm = DVec3::from(contact.arms[side]);
                        work.contact_loss -= sign * impulse.dot(v + w.cross(arm));
                    }
                }
            }
        }
        work
    }
}
