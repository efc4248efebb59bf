//! Joints that crush, as the structure moves.
//!
//! What is crushed overlaps, and detection would push it out. So these joints are not detected but computed from the two faces that met at first, each of which goes with its block:
//! a joint is where they lie above each other, and its points are the ends of that. It shortens as one face slides off the other, and its strength with it, until nothing is left. As long
//! as an end touches or overlaps, the joint is one whose resultants obey the limit of the stress block, wherever it opened or was crushed
//! before; its mechanism turns about the edge of what is pressed. While both ends are open it is a pair like any other, which detection finds.
//!
//! Rejected: the gaps themselves, negative where stone is crushed, so that all that was crushed and opened so far is normal to the limit. For
//! one joint that gives the same; for hundreds of them the work on past crushing drowns the multiplier in what is maximised. The points of the first configuration, kept for ever:
//! blocks that slid off their support were still carried.

use drystone_cone::Contact;
use drystone_geometry::{DVec3, Manifold, Pose};
use drystone_mechanics::{Bodies, KeptPair, Pair, across_plane};

use crate::statics::Posed;

/// A joint is closed if its nearest point is open by less than this fraction of its length, and gone if less than this fraction of it is left.
const CLOSED: f64 = 1e-6;

/// A joint that crushes.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CrushingJoint {
    /// Of its manifold.
    key: [u32; 4],
    pair: KeptPair,
    /// Both ends of the face of either block, in its frame and in the plane of the model.
    faces: [[DVec3; 2]; 2],
    /// Where points are across that plane, at either end, m.
    depths: [Vec<f64>; 2],
    /// Normal to the plane of the model.
    across: DVec3,
    /// Of the whole joint, N.
    strength: f64,
    /// Of the whole joint, m.
    length: f64,
}

/// A joint that crushes and is closed.
#[derive(Debug, Clone, Default)]
pub(super) struct Closed {
    /// Those at one end first.
    pub contacts: Vec<Contact>,
    /// How many these are.
    pub first: usize,
    /// Of what is left of it, N.
    pub strength: f64,
}

/// All joints that crush.
pub(super) fn crushing_joints(posed: &Posed<'_>, poses: &[Pose]) -> Vec<CrushingJoint> {
    let statics = &posed.statics;
    let Some(across) = across_plane(&statics.model.free) else {
        return Vec::new();
    };
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
        let normal = pair.axes[0];
        let along = across.cross(normal);
        let face = |side: usize, outward: DVec3| -> [DVec3; 2] {
            let block = pair.blocks[side];
            let part = &statics.model.blocks[block].shape.parts()[manifold.parts[side] as usize];
            let pose = poses[block];
            let facing = |normal: &DVec3| (pose.rotation * *normal).dot(outward);
            let faces = part.faces().iter();
            let face = faces.max_by(|a, b| facing(&a.normal).total_cmp(&facing(&b.normal)));
            let corners = face.into_iter().flat_map(|face| &face.corners);
            let corners = corners.map(|&k| pose.transform(part.vertices()[k as usize]));
            let mut ends = [
                (f64::INFINITY, DVec3::ZERO),
                (f64::NEG_INFINITY, DVec3::ZERO),
            ];
            for corner in corners {
                let x = along.dot(corner);
                let flat = corner - across * across.dot(corner);
                if x < ends[0].0 {
                    ends[0] = (x, flat);
                }
                if x > ends[1].0 {
                    ends[1] = (x, flat);
                }
            }
            ends.map(|(_, end)| pose.inverse_transform(end))
        };
        let midpoint = |&index: &u32| statics.touching.points[index as usize].midpoint();
        let reach = |edge: &[u32]| -> f64 {
            edge.iter().map(|k| along.dot(midpoint(k))).sum::<f64>() / edge.len() as f64
        };
        let [mut low, mut high] = [&crushing.edges[0], &crushing.edges[1]];
        if reach(low) > reach(high) {
            (low, high) = (high, low);
        }
        let depths = [low, high].map(|edge| edge.iter().map(|k| across.dot(midpoint(k))).collect());
        all.push(CrushingJoint {
            key: manifold.key(),
            pair: KeptPair::new(pair),
            faces: [face(0, normal), face(1, -normal)],
            depths,
            across,
            strength: crushing.strength,
            length: reach(high) - reach(low),
        });
    }
    all
}

impl CrushingJoint {
    /// Whether a manifold is this joint.
    pub fn is(&self, manifold: &Manifold) -> bool {
        self.key == manifold.key()
    }

    /// The joint in a configuration, with the gaps of another one; nothing if it is open or gone.
    pub fn closed(&self, bodies: &Bodies, poses: &[Pose], gaps: &[Pose]) -> Option<Closed> {
        let placed = self.pair.placed(bodies, poses);
        let [normal_before, ..] = self.pair.placed(bodies, gaps).axes;
        let along = self.across.cross(placed.axes[0]);
        let sides: [[DVec3; 2]; 2] = std::array::from_fn(|side| {
            let pose = poses[self.pair.blocks[side]];
            self.faces[side].map(|end| pose.transform(end))
        });
        let reach = sides.map(|ends| ends.map(|end| along.dot(end)));
        let low = reach[0][0].max(reach[1][0]);
        let high = reach[0][1].min(reach[1][1]);
        if high - low <= CLOSED * self.length {
            return None;
        }
        let mut all = Vec::new();
        for (at, depths) in [low, high].into_iter().zip(&self.depths) {
            // Both faces reach from low to high, and farther.
            let [on_a, on_b] = std::array::from_fn(|side| {
                let [from, to] = reach[side];
                sides[side][0].lerp(sides[side][1], (at - from) / (to - from))
            });
            for depth in depths {
                let [a, b] = [on_a, on_b].map(|p: DVec3| p + self.across * *depth);
                let [in_a, in_b] = self.pair.blocks.map(|block| poses[block]);
                let local = [in_a.inverse_transform(a), in_b.inverse_transform(b)];
                let [a_before, b_before] = self.pair.sides(gaps, &local);
                all.push(Contact {
                    offset: [normal_before.dot(b_before - a_before), 0.0, 0.0],
                    ..placed.contact(0.5 * (a + b))
                });
            }
        }
        let open = all.iter().map(|contact| contact.offset[0]);
        if open.fold(f64::INFINITY, f64::min) > CLOSED * self.length {
            return None;
        }
        all.iter_mut().for_each(|contact| contact.offset[0] = 0.0);
        Some(Closed {
            contacts: all,
            first: self.depths[0].len(),
            strength: self.strength * (high - low) / self.length,
        })
    }
}
