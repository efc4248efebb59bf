//! Which contacts slide, and the friction of those that do.
//!
//! A joint begins to slide with its friction at rest, and slides with its kinetic one until it sticks again (BRT section 2.2). A step has one coefficient per contact,
//! that of the state at its beginning: kinetic where the contact slid in the step before, otherwise that at rest. A contact that is new in its joint slides if its nearest neighbour did, and a
//! joint that is new slides if its blocks pass each other.

use drystone_cone::{Contact, FIXED, Solution, StepProblem};
use drystone_geometry::{ContactPoint, ContactSet, DVec3, FeatureId};
use drystone_model::Model;
use serde::{Deserialize, Serialize};

use crate::assemble::SupportVelocity;
use crate::contacts::{Pair, to_local};
use crate::prescribed::Prescribed;
use crate::state::State;
use crate::step::Stepper;

/// Which contacts slid in the last step, ordered as the contact set that they belong to. Empty where no joint has a kinetic friction of its own.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct SlipMemory {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Of its manifold.
    key: [u32; 4],
    id: FeatureId,
    /// World, m.
    at: DVec3,
    slides: bool,
}

impl SlipMemory {
    /// Replaces the memory.
    fn store(&mut self, contacts: &ContactSet, slides: impl Iterator<Item = bool>) {
        self.entries.clear();
        let manifolds = contacts.manifolds.iter();
        let points = manifolds.flat_map(|m| contacts.points_of(m).iter().map(|p| (m.key(), p)));
        for ((key, point), slides) in points.zip(slides) {
            self.entries.push(Entry {
                key,
                id: point.id,
                at: point.midpoint(),
                slides,
            });
        }
    }

    /// Whether each point slid: as remembered, or as its nearest neighbour in the joint did; none in joints that are new.
    fn recall(&self, contacts: &ContactSet) -> Vec<Option<bool>> {
        let mut found = Vec::with_capacity(contacts.points.len());
        let mut rest = self.entries.as_slice();
        for manifold in &contacts.manifolds {
            let key = manifold.key();
            rest = &rest[rest.partition_point(|entry| entry.key < key)..];
            let (mine, later) = rest.split_at(rest.partition_point(|entry| entry.key == key));
            rest = later;
            let points = contacts.points_of(manifold).iter();
            found.extend(points.map(|point| nearest(mine, point).map(|entry| entry.slides)));
        }
        found
    }
}

/// The entry of a point, or the one that is nearest to it.
fn nearest<'e>(entries: &'e [Entry], point: &ContactPoint) -> Option<&'e Entry> {
    let far = |entry: &Entry| entry.at.distance_squared(point.midpoint());
    let same = entries.iter().find(|entry| entry.id == point.id);
    same.or_else(|| {
        let all = entries.iter();
        all.min_by(|a, b| far(a).total_cmp(&far(b)))
    })
}

/// Whether some joint slides more easily than it begins to.
pub(crate) fn has_kinetic_friction(model: &Model) -> bool {
    model
        .interfaces()
        .any(|law| law.kinetic_friction < law.friction)
}

/// By how much every contact slides and opens in a solution, m/s, but for what it yields: `u` of equation (2.14), zero where it holds.
pub(crate) fn slacks(problem: &StepProblem, solution: &Solution) -> Vec<[f64; 3]> {
    let contacts = problem.contacts.iter().zip(&solution.impulse);
    contacts
        .map(|(contact, r)| {
            let u = problem.relative_velocity(contact, &solution.velocity);
            let [normal, tangent] = contact.compliance;
            let give = [normal * r[0], tangent * r[1], tangent * r[2]];
            std::array::from_fn(|k| u[k] + contact.offset[k] + give[k])
        })
        .collect()
}

impl Stepper<'_> {
    /// Speed up to which a contact holds, m/s. Where speed and impulse of a contact both vanish, its speed is known to the root of the gap that the solver leaves, in units of what moves
    /// in the step: see [`drystone_cone::Residual::natural`].
    pub(crate) fn held_speed(&self, contact: &Contact) -> f64 {
        let problem = &self.problem;
        let speed = |body: usize, radius: f64| {
            let [vx, vy, vz, wx, wy, wz] = problem.free_velocity[body];
            DVec3::new(vx, vy, vz).length() + DVec3::new(wx, wy, wz).length() * radius
        };
        let sides = (0..2).filter(|&side| contact.bodies[side] != FIXED);
        let own = sides
            .map(|side| {
                let arm = DVec3::from(contact.arms[side]).length();
                speed(contact.bodies[side] as usize, arm)
            })
            .fold(problem.speed_scale, f64::max);
        self.solver.settings().tolerances.gap.sqrt() * own
    }

    /// Gives contacts that slide their kinetic friction.
    pub(crate) fn slide(&mut self, state: &State, given: &Prescribed, velocity: &[[f64; 6]]) {
        if !self.slides {
            return;
        }
        let remembered = state.slip.recall(&self.contacts);
        for manifold in &self.contacts.manifolds {
            let pair = Pair::new(self.model, &self.bodies, &state.poses, manifold);
            for (k, point) in self.contacts.points_of(manifold).iter().enumerate() {
                let index = manifold.first as usize + k;
                let contact = &self.problem.contacts[index];
                let slides = remembered[index].unwrap_or_else(|| {
                    let past = self.passes(contact, pair.blocks, point, given, velocity);
                    past > self.held_speed(contact)
                });
                if slides {
                    self.problem.contacts[index].friction = pair.kinetic_friction();
                }
            }
        }
    }

    /// How fast two blocks pass each other at a point at the beginning of a step, m/s.
    fn passes(
        &self,
        contact: &Contact,
        blocks: [usize; 2],
        point: &ContactPoint,
        given: &Prescribed,
        velocity: &[[f64; 6]],
    ) -> f64 {
        let support = |side: usize| match contact.bodies[side] {
            FIXED => SupportVelocity::at(&given.supports_before[blocks[side]], point.midpoint()),
            _ => DVec3::ZERO,
        };
        let moved = to_local(&contact.frame, support(1) - support(0));
        let own = self.problem.relative_velocity(contact, velocity);
        (own[1] + moved[1]).hypot(own[2] + moved[2])
    }

    /// Remembers which contacts slide.
    pub(crate) fn store_slip(&self, slacks: &[[f64; 3]], next: &mut State) {
        if !self.slides {
            return;
        }
        let contacts = self.problem.contacts.iter().zip(slacks);
        let slides = contacts.map(|(contact, u)| u[1].hypot(u[2]) > self.held_speed(contact));
        next.slip.store(&self.contacts, slides);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::Manifold;

    fn set(points: &[(u32, u64, f64)]) -> ContactSet {
        let mut set = ContactSet::default();
        for &(b, id, x) in points {
            if set.manifolds.last().is_none_or(|m| m.b != b) {
                set.manifolds.push(Manifold {
                    a: 0,
                    b,
                    parts: [0; 2],
                    normal: DVec3::Z,
                    first: set.points.len() as u32,
                    count: 0,
                    area: 0.0,
                });
            }
            set.points.push(ContactPoint {
                id: FeatureId(id),
                on_a: x * DVec3::X,
                on_b: x * DVec3::X,
                gap: 0.0,
                tributary_area: 0.0,
            });
            if let Some(manifold) = set.manifolds.last_mut() {
                manifold.count += 1;
            }
        }
        set
    }

    #[test]
    fn points_that_are_new_in_a_joint_slide_as_their_neighbours_do() {
        let mut memory = SlipMemory::default();
        let old = set(&[(1, 1, 0.0), (1, 4, 1.0), (2, 1, 0.0)]);
        memory.store(&old, [true, false, true].into_iter());
        let new = set(&[
            (1, 1, 0.9),
            (1, 2, 0.8),
            (1, 3, 0.1),
            (2, 7, 5.0),
            (3, 1, 0.0),
        ]);
        assert_eq!(
            memory.recall(&new),
            [Some(true), Some(false), Some(true), Some(true), None]
        );
    }
}
