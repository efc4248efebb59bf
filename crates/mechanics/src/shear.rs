//! Elastic shear of joints, kept from step to step by the identity of their contact points.
//!
//! A spring that is stretched across its joint has to remember by how much: without memory a block on a slope would creep
//! down at the speed of one elastic displacement per step.

use drystone_cone::Solution;
use drystone_geometry::{ContactSet, DQuat, DVec3, FeatureId, Manifold};
use drystone_model::Joints;
use serde::{Deserialize, Serialize};

use crate::assemble::to_world;
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
}

impl ShearMemory {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
    }

    /// Replaces the memory by displacements given per point in world axes, which are carried along by the mean of the two
    /// rotations that the blocks of a manifold make in the step.
    pub(crate) fn store(
        &mut self,
        contacts: &ContactSet,
        turn: impl Fn(usize) -> DQuat,
        displacements: impl Iterator<Item = DVec3>,
    ) {
        self.entries.clear();
        let mut displacements = displacements;
        for manifold in &contacts.manifolds {
            let [a, b] = [manifold.a, manifold.b].map(|block| turn(block as usize));
            for (point, slip) in contacts.points_of(manifold).iter().zip(&mut displacements) {
                self.entries.push(Entry {
                    key: manifold.key(),
                    id: point.id,
                    displacement: 0.5 * (a * slip + b * slip),
                });
            }
        }
    }

    /// Remembered displacement across the normal for every point of a contact set, m; none at all where nothing is
    /// remembered.
    ///
    /// A point that is new in a joint that is not, because an edge has passed a corner, takes the mean of the others:
    /// a joint does not lose its shear when its outline changes. New joints, and new points that are open, have none.
    pub(crate) fn recall(&self, contacts: &ContactSet, out: &mut Vec<DVec3>) {
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
            recall_joint(&rest[..own], contacts, manifold, out);
        }
    }
}

fn recall_joint(known: &[Entry], contacts: &ContactSet, manifold: &Manifold, out: &mut Vec<DVec3>) {
    let across = |x: DVec3| x - manifold.normal * manifold.normal.dot(x);
    let mean =
        known.iter().map(|entry| entry.displacement).sum::<DVec3>() / known.len().max(1) as f64;
    for point in contacts.points_of(manifold) {
        let found = known.binary_search_by_key(&point.id, |entry| entry.id);
        out.push(across(match found {
            Ok(k) => known[k].displacement,
            Err(_) if point.gap <= 0.0 => mean,
            Err(_) => DVec3::ZERO,
        }));
    }
}

impl Stepper<'_> {
    /// Remembers the shear that springs have at the end of a step: what their impulse says, so that what has slid is
    /// forgotten.
    pub(crate) fn store_shear(&self, from: &State, solution: &Solution, dt: f64, next: &mut State) {
        let turns: Vec<DQuat> = from
            .poses
            .iter()
            .zip(&next.poses)
            .map(|(old, new)| new.rotation * old.rotation.inverse())
            .collect();
        let contacts = self.problem.contacts.iter().zip(&solution.impulse);
        let displacements = contacts.map(|(contact, r)| {
            let stretch = -dt * contact.compliance[1];
            to_world(&contact.frame, &[0.0, stretch * r[1], stretch * r[2]])
        });
        next.shear
            .store(&self.contacts, |block| turns[block], displacements);
    }

    /// `1/2 r' E r`: what springs hold at the end of a step, J. Springs in shear that are not remembered hold nothing.
    pub(crate) fn elastic_energy(&self, solution: &Solution) -> f64 {
        let remembered = self.settings.joints == Joints::Elastic;
        let contacts = self.problem.contacts.iter().zip(&solution.impulse);
        contacts
            .map(|(contact, r)| {
                let [normal, tangent] = contact.compliance;
                let tangent = if remembered { tangent } else { 0.0 };
                0.5 * (normal * r[0] * r[0] + tangent * (r[1] * r[1] + r[2] * r[2]))
            })
            .sum()
    }

    /// What springs hold by the overlaps at the beginning of a step of length `dt`, J.
    pub(crate) fn compression_energy(&self, dt: f64) -> f64 {
        let contacts = self.problem.contacts.iter().zip(&self.contacts.points);
        contacts
            .filter(|(contact, _)| contact.compliance[0] > 0.0)
            .map(|(contact, point)| {
                let speed = point.gap.min(0.0) / dt;
                0.5 * speed * speed / contact.compliance[0]
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
        memory.recall(contacts, &mut found);
        found.iter().map(|v| v.x).collect()
    }

    #[test]
    fn a_joint_keeps_its_shear_when_its_outline_changes() {
        let mut memory = ShearMemory::default();
        let old = joint(&[1, 4, 6], -1e-6, DVec3::Z);
        let still = |_| DQuat::IDENTITY;
        memory.store(
            &old,
            still,
            [1.0, 2.0, 6.0].into_iter().map(|x| x * DVec3::X),
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
        memory.store(&set, quarter, std::iter::once(DVec3::X));
        let mut found = Vec::new();
        memory.recall(&set, &mut found);
        assert!((found[0] - DVec3::Y).length() < 1e-15);
    }
}
