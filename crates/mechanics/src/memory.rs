//! Contact impulses kept from step to step by the identity of their contact point.

use drystone_geometry::{ContactSet, DVec3, FeatureId};
use serde::{Deserialize, Serialize};

/// Impulses of the last step, ordered as the contact set that they belong to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ImpulseMemory {
    entries: Vec<Entry>,
    /// How long forces acted in the step that they belong to, s.
    span: f64,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Entry {
    /// Of its manifold.
    key: [u32; 4],
    id: FeatureId,
    /// World axes, acting on the second block, N s. World axes because tangents may turn between steps.
    impulse: DVec3,
    /// Where it acted, world, m.
    at: DVec3,
}

impl ImpulseMemory {
    /// Replaces the memory by the impulses of a step in which forces acted for `span`, s, given per point in world axes.
    pub fn store(
        &mut self,
        contacts: &ContactSet,
        span: f64,
        impulses: impl Iterator<Item = DVec3>,
    ) {
        self.span = span;
        self.entries.clear();
        let mut impulses = impulses;
        for manifold in &contacts.manifolds {
            for (point, impulse) in contacts.points_of(manifold).iter().zip(&mut impulses) {
                self.entries.push(Entry {
                    key: manifold.key(),
                    id: point.id,
                    impulse,
                    at: point.midpoint(),
                });
            }
        }
    }

    /// How long forces acted in the last step, s.
    pub fn span(&self) -> f64 {
        self.span
    }

    /// Remembered impulse for every point of a contact set, zero for points that are new, in proportion to the time
    /// `span` for which forces act in the step to come.
    ///
    /// Both lists are ordered by manifold and id, so that one pass over both finds all.
    pub fn recall(&self, contacts: &ContactSet, span: f64, out: &mut Vec<DVec3>) {
        let scale = self.scale(span);
        out.clear();
        let mut rest = self.entries.as_slice();
        for manifold in &contacts.manifolds {
            for point in contacts.points_of(manifold) {
                let key = (manifold.key(), point.id);
                let skip = rest
                    .iter()
                    .take_while(|entry| (entry.key, entry.id) < key)
                    .count();
                rest = &rest[skip..];
                out.push(match rest.first() {
                    Some(entry) if (entry.key, entry.id) == key => scale * entry.impulse,
                    _ => DVec3::ZERO,
                });
            }
        }
    }
}

impl ImpulseMemory {
    fn scale(&self, span: f64) -> f64 {
        if self.span > 0.0 {
            span / self.span
        } else {
            1.0
        }
    }

    /// The same, but impulses of points that are gone are handed on to the nearest point of their joint. Corners of a joint whose faces coincide
    /// come and go with rotations of a millionth; what they carried has to remain where friction remembers it.
    pub fn hand_on(&self, contacts: &ContactSet, span: f64, out: &mut Vec<DVec3>) {
        self.recall(contacts, span, out);
        let scale = self.scale(span);
        let mut rest = self.entries.as_slice();
        for manifold in &contacts.manifolds {
            let key = manifold.key();
            rest = &rest[rest.iter().take_while(|entry| entry.key < key).count()..];
            let (mine, later) =
                rest.split_at(rest.iter().take_while(|entry| entry.key == key).count());
            rest = later;
            let points = contacts.points_of(manifold);
            let far = |k: &usize, at: DVec3| points[*k].midpoint().distance_squared(at);
            for entry in mine {
                if points.iter().any(|point| point.id == entry.id) {
                    continue;
                }
                let nearest =
                    (0..points.len()).min_by(|a, b| far(a, entry.at).total_cmp(&far(b, entry.at)));
                if let Some(k) = nearest {
                    out[manifold.first as usize + k] += scale * entry.impulse;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::{ContactPoint, Manifold};

    fn set(keys: &[(u32, u32, u64)]) -> ContactSet {
        let mut set = ContactSet::default();
        for &(a, b, id) in keys {
            if set.manifolds.last().is_none_or(|m| (m.a, m.b) != (a, b)) {
                set.manifolds.push(Manifold {
                    a,
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
                on_a: DVec3::ZERO,
                on_b: DVec3::ZERO,
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
    fn impulses_follow_their_points_through_a_changing_contact_set() {
        let mut memory = ImpulseMemory::default();
        let old = set(&[(0, 1, 1), (0, 1, 4), (0, 2, 1), (3, 4, 9)]);
        memory.store(&old, 1e-3, (1..=4).map(|k| DVec3::splat(f64::from(k))));
        let new = set(&[(0, 1, 0), (0, 1, 4), (0, 3, 1), (3, 4, 9), (3, 4, 10)]);
        let mut found = Vec::new();
        memory.recall(&new, 5e-4, &mut found);
        let values: Vec<f64> = found.iter().map(|v| v.x).collect();
        assert_eq!(values, [0.0, 1.0, 0.0, 2.0, 0.0]);
    }

    /// What a corner carried that is gone goes to the nearest one, so that the joint as a whole keeps its impulse.
    #[test]
    fn impulses_of_lost_points_are_handed_on() {
        let mut old = set(&[(0, 1, 1), (0, 1, 4), (0, 2, 1)]);
        let places = [DVec3::ZERO, DVec3::X, DVec3::Y];
        for (point, at) in old.points.iter_mut().zip(places) {
            (point.on_a, point.on_b) = (at, at);
        }
        let mut memory = ImpulseMemory::default();
        memory.store(&old, 1e-3, (1..=3).map(|k| DVec3::splat(f64::from(k))));
        let mut new = set(&[(0, 1, 1), (0, 1, 5), (0, 1, 6), (3, 4, 1)]);
        for (point, x) in new.points.iter_mut().zip([0.0, 0.9, 0.4, 0.0]) {
            (point.on_a, point.on_b) = (x * DVec3::X, x * DVec3::X);
        }
        let mut found = Vec::new();
        memory.hand_on(&new, 1e-3, &mut found);
        let values: Vec<f64> = found.iter().map(|v| v.x).collect();
        assert_eq!(values, [1.0, 2.0, 0.0, 0.0]);
    }
}
