//! Elastic shear of joints, kept from step to step by the identity of their contact points.
//!
//! A spring that is stretched across its joint has to remember by how much: without memory a block on a slope would creep
//! down at the speed of one elastic displacement per step.

use drystone_cone::Solution;
use drystone_geometry::{ContactSet, DQuat, DVec3, FeatureId, Manifold};
use serde::{Deserialize, Serialize};

use crate::contacts::to_world;
use crate::state::State;
use crate::step::Stepper;

/// Elastic shear displacements at the end of the last step, ordered as the contact set that they belong to. Empty where
/// joints are rigid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ShearMemory {
    entries: Vec<Entry>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Of its manifold.
    key: [u32; 4],
    id: FeatureId,
    /// Of the second block relative to the first, world axes, m.
    displacement: DVec3,
    /// The same a step earlier.
    before: DVec3,
}

impl Entry {
    /// Both displacements: now, and as long ago as the step to come is long, if that is `ratio` times the last one.
    fn both(&self, ratio: f64) -> [DVec3; 2] {
        let before = self.displacement - ratio * (self.displacement - self.before);
        [self.displacement, before]
    }
}

impl ShearMemory {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Mean of the displacements at the end and at the beginning of the step, of the contact of that index, m.
    fn half_way(&self, index: usize) -> DVec3 {
        let entry = self.entries.get(index);
        entry.map_or(DVec3::ZERO, |entry| {
            0.5 * (entry.displacement + entry.before)
        })
    }

    /// Replaces the memory by displacements given per point in world axes, at the end and at the beginning of the step, which are carried along by the
    /// mean of the two rotations that the blocks of a manifold make in the step.
    pub(crate) fn store(
        &mut self,
        contacts: &ContactSet,
        turn: impl Fn(usize) -> DQuat,
        displacements: impl Iterator<Item = [DVec3; 2]>,
    ) {
        self.entries.clear();
        let mut displacements = displacements;
        for manifold in &contacts.manifolds {
            let [a, b] = [manifold.a, manifold.b].map(|block| turn(block as usize));
            for (point, slips) in contacts.points_of(manifold).iter().zip(&mut displacements) {
                let [displacement, before] = slips.map(|slip| 0.5 * (a * slip + b * slip));
                self.entries.push(Entry {
                    key: manifold.key(),
                    id: point.id,
                    displacement,
                    before,
                });
            }
        }
    }

    /// Remembered displacement across the normal for every point of a contact set, m, now and as long ago as the step to come is long, which is `ratio` times
    /// as long as the last one; none at all where nothing is remembered.
    ///
    /// A point that is new in a joint that is not, because an edge has passed a corner, takes the mean of the others:
    /// a joint does not lose its shear when its outline changes. New joints, and new points that are open, have none.
    pub(crate) fn recall(&self, contacts: &ContactSet, ratio: f64, out: &mut Vec<[DVec3; 2]>) {
        out.clear();
        if self.entries.is_empty() {
            return;
        }
        let mut rest = self.entries.as_slice();
        for manifold in &contacts.manifolds {
            let skip = rest
                .iter()
                .take_while(|entry| entry.key < manifold.key())
                .count();
            rest = &rest[skip..];
            let own = rest
                .iter()
                .take_while(|entry| entry.key == manifold.key())
                .count();
            recall_joint(&rest[..own], contacts, manifold, ratio, out);
        }
    }
}

fn recall_joint(
    known: &[Entry],
    contacts: &ContactSet,
    manifold: &Manifold,
    ratio: f64,
    out: &mut Vec<[DVec3; 2]>,
) {
    let across = |x: DVec3| x - manifold.normal * manifold.normal.dot(x);
    let mut mean = [DVec3::ZERO; 2];
    for entry in known {
        for (mean, displacement) in mean.iter_mut().zip(entry.both(ratio)) {
            *mean += displacement / known.len() as f64;
        }
    }
    for point in contacts.points_of(manifold) {
        let found = known.binary_search_by_key(&point.id, |entry| entry.id);
        let both = match found {
            Ok(k) => known[k].both(ratio),
            Err(_) if point.gap <= 0.0 => mean,
            Err(_) => [DVec3::ZERO; 2],
        };
        out.push(both.map(across));
    }
}

/// Beyond this fraction of its displacement in a step a spring has slid.
const SLID: f64 = 1e-3;

impl Stepper<'_> {
    /// Elastic shear at the beginning of a step, and as long before it as the step is long, per contact.
    pub(crate) fn recall_shear(&self, state: &State, dt: f64) -> Vec<[DVec3; 2]> {
        let ratio = if state.lag > 0.0 {
            dt / (2.0 * state.lag)
        } else {
            1.0
        };
        let mut found = Vec::new();
        state.shear.recall(&self.contacts, ratio, &mut found);
        found
    }

    /// Remembers the shear that springs have at the end of a step: what their impulse says, so that what has slid is
    /// forgotten.
    pub(crate) fn store_shear(&self, from: &State, solution: &Solution, dt: f64, next: &mut State) {
        let turns: Vec<DQuat> = from
            .poses
            .iter()
            .zip(&next.poses)
            .map(|(old, new)| new.rotation * old.rotation.inverse())
            .collect();
        let recalled = self.recall_shear(from, dt);
        let contacts = self.problem.contacts.iter().zip(&solution.impulse);
        let displacements = contacts.enumerate().map(|(index, (contact, r))| {
            let weight = self
                .springs
                .get(index)
                .map_or(1.0, |spring| spring.weight[1]);
            let [now, before] = recalled.get(index).copied().unwrap_or_default();
            let stretch = -dt * contact.compliance[1];
            let found = to_world(&contact.frame, &[0.0, stretch * r[1], stretch * r[2]]);
            if weight >= 1.0 {
                return [found, now];
            }
            // The impulse is that of a mean over the end and a step before the beginning, unless the spring has slid.
            let end = found - (1.0 - weight) / weight * before;
            let u = self.problem.relative_velocity(contact, &solution.velocity);
            let offset = &contact.offset;
            let moved = to_world(
                &contact.frame,
                &[0.0, dt * (u[1] + offset[1]), dt * (u[2] + offset[2])],
            );
            // Held fast, the cone velocity is nothing: `moved` is then what the impulse says.
            let slid = (moved - found).length();
            let travel = (moved - now - (1.0 - weight) / weight * before).length();
            if slid > SLID * travel {
                [weight * found; 2]
            } else {
                [end, now]
            }
        });
        next.shear
            .store(&self.contacts, |block| turns[block], displacements);
    }

    /// What springs hold at the end of a step, or in its middle if velocities belong there, J.
    /// `span`: how long forces acted, s.
    pub(crate) fn elastic_energy(
        &self,
        solution: &Solution,
        next: &State,
        dt: f64,
        span: f64,
    ) -> f64 {
        let contacts = self.problem.contacts.iter().zip(&solution.impulse);
        let points = self.contacts.points.iter();
        let mut held = 0.0;
        for (index, ((contact, r), point)) in contacts.zip(points).enumerate() {
            let Some(spring) = self.springs.get(index) else {
                let [normal, tangent] = contact.compliance;
                let square = normal * r[0] * r[0] + tangent * (r[1] * r[1] + r[2] * r[2]);
                held += 0.5 * square * dt / span;
                continue;
            };
            let opening = self.problem.relative_velocity(contact, &solution.velocity)[0];
            let gap = point.gap + 0.5 * dt * (opening + spring.support);
            let stretches = [
                gap.min(0.0).powi(2),
                next.shear.half_way(index).length_squared(),
            ];
            for ((stretch, compliance), weight) in
                stretches.iter().zip(contact.compliance).zip(spring.weight)
            {
                // 1 / (dt T k) before the spring was centred.
                let compliance = compliance * weight;
                if compliance > 0.0 {
                    held += 0.5 * stretch / (dt * span * compliance);
                }
            }
        }
        held
    }

    /// What springs hold by the overlaps at the beginning of a step of length `dt` in which forces act for `span`, J.
    pub(crate) fn compression_energy(&self, dt: f64, span: f64) -> f64 {
        let contacts = self.problem.contacts.iter().zip(&self.contacts.points);
        contacts
            .enumerate()
            .map(|(index, (contact, point))| {
                let weight = self
                    .springs
                    .get(index)
                    .map_or(1.0, |spring| spring.weight[0]);
                let compliance = weight * contact.compliance[0];
                if compliance > 0.0 {
                    0.5 * point.gap.min(0.0).powi(2) / (dt * span * compliance)
                } else {
                    0.0
                }
            })
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::ContactPoint;

    fn joint(ids: &[u64], gap: f64, normal: DVec3) -> ContactSet {
        let point = |&id: &u64| ContactPoint {
            id: FeatureId(id),
            on_a: DVec3::ZERO,
            on_b: DVec3::ZERO,
            gap,
            tributary_area: 1.0,
        };
        ContactSet {
            manifolds: vec![Manifold {
                a: 3,
                b: 5,
                parts: [0; 2],
                normal,
                first: 0,
                count: ids.len() as u32,
                area: 1.0,
            }],
            points: ids.iter().map(point).collect(),
        }
    }

    fn recall(memory: &ShearMemory, contacts: &ContactSet) -> Vec<f64> {
        let mut found = Vec::new();
        memory.recall(contacts, 1.0, &mut found);
        found.iter().map(|[v, _]| v.x).collect()
    }

    #[test]
    fn a_joint_keeps_its_shear_when_its_outline_changes() {
        let mut memory = ShearMemory::default();
        let old = joint(&[1, 4, 6], -1e-6, DVec3::Z);
        let still = |_| DQuat::IDENTITY;
        memory.store(
            &old,
            still,
            [1.0, 2.0, 6.0].into_iter().map(|x| [x * DVec3::X; 2]),
        );
        assert_eq!(
            recall(&memory, &joint(&[1, 2, 6, 9], -1e-6, DVec3::Z)),
            [1.0, 3.0, 6.0, 3.0]
        );
        // Open, another pair, another direction.
        assert_eq!(recall(&memory, &joint(&[1, 2], 1e-6, DVec3::Z)), [1.0, 0.0]);
        let mut other = joint(&[1, 2], -1e-6, DVec3::Z);
        other.manifolds[0].b = 6;
        assert_eq!(recall(&memory, &other), [0.0, 0.0]);
        assert_eq!(recall(&memory, &joint(&[1], -1e-6, DVec3::X)), [0.0]);
    }

    /// Shear turns with the blocks: a quarter about z leads x to y.
    #[test]
    fn shear_turns_with_the_blocks() {
        let mut memory = ShearMemory::default();
        let set = joint(&[1], -1e-6, DVec3::Z);
        let quarter = |_| DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
        memory.store(&set, quarter, std::iter::once([DVec3::X; 2]));
        let mut found = Vec::new();
        memory.recall(&set, 1.0, &mut found);
        assert!((found[0][0] - DVec3::Y).length() < 1e-15);
    }
}
