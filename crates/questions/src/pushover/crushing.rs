//! Joints that crush, as the structure moves.
//!
//! What is crushed overlaps, and detection would push it out. So these joints keep their points: those of either block go with it. As long
//! as any of them touches or overlaps, the joint is one whose resultants obey the limit of the stress block, wherever it opened or was crushed
//! before; its mechanism turns about the edge of what is pressed. Once all points are open their gaps have to close first.
//!
//! Rejected: the gaps themselves, negative where stone is crushed, so that all that was crushed and opened so far is normal to the limit. For
//! one joint that gives the same; for hundreds of them the work on past crushing drowns the multiplier in what is maximised.

use drystone_cone::{Contact, LimitCrushing};
use drystone_geometry::{DVec3, Manifold, Pose};
use drystone_mechanics::{Bodies, KeptPair, Pair};

use crate::statics::Posed;

/// A joint is closed if its nearest point is open by less than this fraction of its length.
const CLOSED: f64 = 1e-6;

/// A joint that crushes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CrushingJoint {
    /// Of its manifold.
    key: [u32; 4],
    pair: KeptPair,
    /// Points in the frames of both blocks, those of the one edge first.
    points: Vec<[DVec3; 2]>,
    /// Number of points on the first edge.
    first: usize,
    strength: f64,
    length: f64,
}

/// All joints that crush.
pub(super) fn crushing_joints(posed: &Posed<'_>, poses: &[Pose]) -> Vec<CrushingJoint> {
    let statics = &posed.statics;
    let mut all = Vec::with_capacity(posed.crushing.len());
    for crushing in &posed.crushing {
        let Some(&any) = crushing.edges.iter().flatten().next() else {
            continue;
        };
        let holds = |joint: &(&Manifold, &Pair)| {
            let first = joint.0.first;
            (first..first + joint.0.count).contains(&any)
        };
        let Some((manifold, pair)) = statics.joints().find(holds) else {
            continue;
        };
        let pair = KeptPair::new(pair);
        let local = |&index: &u32| {
            let mid = statics.touching.points[index as usize].midpoint();
            pair.local(poses, mid)
        };
        all.push(CrushingJoint {
            key: manifold.key(),
            pair,
            points: crushing.edges.iter().flatten().map(local).collect(),
            first: crushing.edges[0].len(),
            strength: crushing.strength,
            length: manifold.area.sqrt(),
        });
    }
    all
}

impl CrushingJoint {
    /// Whether a manifold is this joint.
    pub fn is(&self, manifold: &Manifold) -> bool {
        self.key == manifold.key()
    }

    /// Appends the contacts of the joint in a configuration, with the gaps of another one.
    pub fn add(
        &self,
        bodies: &Bodies,
        poses: &[Pose],
        gaps: &[Pose],
        contacts: &mut Vec<Contact>,
    ) -> LimitCrushing {
        let placed = self.pair.placed(bodies, poses);
        let [normal_before, ..] = self.pair.placed(bodies, gaps).axes;
        let from = contacts.len() as u32;
        for local in &self.points {
            let [at_a, at_b] = self.pair.sides(poses, local);
            let [a_before, b_before] = self.pair.sides(gaps, local);
            contacts.push(Contact {
                offset: [normal_before.dot(b_before - a_before), 0.0, 0.0],
                ..placed.contact(0.5 * (at_a + at_b))
            });
        }
        let own = &mut contacts[from as usize..];
        let nearest = own
            .iter()
            .map(|c| c.offset[0])
            .fold(f64::INFINITY, f64::min);
        if nearest <= CLOSED * self.length {
            own.iter_mut().for_each(|contact| contact.offset[0] = 0.0);
        }
        let split = from + self.first as u32;
        LimitCrushing {
            edges: [
                (from..split).collect(),
                (split..contacts.len() as u32).collect(),
            ],
            strength: self.strength,
        }
    }
}
