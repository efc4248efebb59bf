//! Joints that crush, as the structure moves.
//!
//! As long as nothing of it was crushed, a joint is detected like any other, and so one that is never crushed is as if it had no strength. What is crushed overlaps, and detection would push it out. So from then on joints are computed from the two faces that met, each of which goes with its block:
//! a joint is where they lie above each other, and its points are the corners of that. It narrows as one face slides off the other, and its strength with it, until nothing is left. As long
//! as a corner touches or overlaps, the joint is one whose resultants obey the limit of the stress block, and its mechanism turns about the edge of what is pressed. What opened has to close before it carries;
//! what was crushed carries without, and so does the line where the two meet, which has points of its own. While all corners are open it is a pair like any other, which detection finds.
//!
//! Rejected: gaps that are negative where stone is crushed, so that all that was crushed and opened so far is normal to the limit. For
//! one joint that gives the same; for hundreds of them the work on past crushing drowns the multiplier in what is maximised. Gaps of zero all over: an open end carried, and a strength that nothing reaches changed the end of a curve. The points of the first configuration, kept for ever:
//! blocks that slid off their support were still carried.

use std::collections::BTreeMap;

use drystone_cone::{Contact, JointBlocks, LimitCrushing, StressBlocks};
use drystone_geometry::{DVec3, Manifold, Pose, common_part, convex_hull};
use drystone_mechanics::{Bodies, Crushes, KeptPair, Pair, across_plane};
use drystone_model::Model;

/// A joint is closed if its nearest point is open by less than this fraction of its size, and gone if no wider than this fraction of it is left.
const CLOSED: f64 = 1e-6;

/// What the joints of a structure have gone through, by the blocks and parts that meet in them.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Crushing {
    /// Joints of which something was crushed.
    pub crushed: BTreeMap<[u32; 4], CrushingJoint>,
    /// What was found to crush them.
    blocks: BTreeMap<[u32; 4], JointBlocks>,
}

impl Crushing {
    /// The stress blocks to begin with in a problem that has these joints.
    pub fn blocks(&self, keys: &[[u32; 4]]) -> StressBlocks {
        let known = |key| self.blocks.get(key).cloned().unwrap_or_default();
        StressBlocks::new(keys.iter().map(known))
    }

    /// Remembers what an answer crushes, in the order of the same joints; `kept` makes a joint that is crushed for the first time.
    pub fn remember(
        &mut self,
        keys: &[[u32; 4]],
        blocks: StressBlocks,
        mut kept: impl FnMut([u32; 4]) -> Option<CrushingJoint>,
    ) {
        for (&key, blocks) in keys.iter().zip(blocks.into_joints()) {
            if !blocks.is_empty()
                && !self.crushed.contains_key(&key)
                && let Some(joint) = kept(key)
            {
                self.crushed.insert(key, joint);
            }
            self.blocks.insert(key, blocks);
        }
    }
}

/// A joint of which something was crushed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CrushingJoint {
    pair: KeptPair,
    /// The face of either block, in its frame.
    faces: [Side; 2],
    /// Normal to the plane of the model, if it is planar.
    across: Option<DVec3>,
    /// Root of the area of the smaller face, m.
    size: f64,
}

/// The face of a block.
#[derive(Debug, Clone, PartialEq)]
struct Side {
    corners: Vec<DVec3>,
    normal: DVec3,
}

/// A joint that crushes and is closed: its points, and what it bears, with these numbered from zero.
#[derive(Debug, Clone)]
pub(super) struct Closed {
    pub contacts: Vec<Contact>,
    pub limit: LimitCrushing,
}

impl CrushingJoint {
    /// The joint of a manifold of a configuration.
    pub fn new(model: &Model, pair: &Pair, manifold: &Manifold, poses: &[Pose]) -> Self {
        let face = |side: usize, outward: DVec3| -> (Side, f64) {
            let block = pair.blocks[side];
            let part = &model.blocks[block].shape.parts()[manifold.parts[side] as usize];
            let facing = |normal: &DVec3| (poses[block].rotation * *normal).dot(outward);
            let faces = part.faces().iter();
            let face = faces.max_by(|a, b| facing(&a.normal).total_cmp(&facing(&b.normal)));
            let corners = face.into_iter().flat_map(|face| &face.corners);
            let corners: Vec<DVec3> = corners.map(|&k| part.vertices()[k as usize]).collect();
            let turns = corners.windows(2).map(|two| {
                let [a, b] = [two[0] - corners[0], two[1] - corners[0]];
                a.cross(b)
            });
            let area = 0.5 * turns.sum::<DVec3>().length();
            let normal = face.map_or(outward, |face| face.normal);
            (Side { corners, normal }, area)
        };
        let normal = pair.axes[0];
        let [(first, one), (second, other)] = [face(0, normal), face(1, -normal)];
        Self {
            pair: KeptPair::found(pair, poses),
            faces: [first, second],
            across: across_plane(&model.free),
            size: one.min(other).sqrt(),
        }
    }

    /// The joint in a configuration, with the gaps of another one; nothing if it is open or gone.
    pub fn closed(&self, bodies: &Bodies, poses: &[Pose], gaps: &[Pose]) -> Option<Closed> {
        let placed = self.pair.placed(bodies, poses);
        let [normal_before, ..] = self.pair.placed(bodies, gaps).axes;
        let [normal, t1, t2] = placed.axes;
        let in_blocks = self.pair.blocks.map(|block| poses[block]);
        let outlines: [Vec<[f64; 2]>; 2] = std::array::from_fn(|side| {
            let corners = self.faces[side].corners.iter();
            let corners = corners.map(|corner| in_blocks[side].transform(*corner));
            let flat: Vec<[f64; 2]> = corners.map(|p| [t1.dot(p), t2.dot(p)]).collect();
            convex_hull(&flat)
        });
        let shut = CLOSED * self.size;
        let left = common_part(&outlines[0], &outlines[1], shut);
        // Points of both faces above each other, in the configuration whose gaps count.
        let placed_at = |[x, y]: [f64; 2]| {
            let flat = x * t1 + y * t2;
            // On the plane of either face, seen along the normal of the joint.
            let on: [DVec3; 2] = std::array::from_fn(|side| {
                let face = &self.faces[side];
                let outward = in_blocks[side].rotation * face.normal;
                let corner = face.corners.first().copied().unwrap_or_default();
                let corner = in_blocks[side].transform(corner);
                flat + normal * (outward.dot(corner - flat) / outward.dot(normal))
            });
            let local = std::array::from_fn(|side| in_blocks[side].inverse_transform(on[side]));
            let [a, b] = self.pair.sides(gaps, &local);
            (0.5 * (on[0] + on[1]), normal_before.dot(b - a))
        };
        let corners: Vec<([f64; 2], (DVec3, f64))> =
            left.iter().map(|&at| (at, placed_at(at))).collect();
        if corners.iter().all(|(_, (_, gap))| *gap > shut) {
            return None;
        }
        let (mut contacts, mut points) = (Vec::new(), Vec::new());
        let mut add = |(point, gap): (DVec3, f64)| {
            points.push(point);
            contacts.push(Contact {
                offset: [gap.max(0.0), 0.0, 0.0],
                ..placed.contact(point)
            });
        };
        for (k, &(at, corner)) in corners.iter().enumerate() {
            add(corner);
            let (next, (_, gap)) = corners[(k + 1) % corners.len()];
            // Where what is crushed ends and the opening begins.
            let ends = [corner.1, gap];
            if ends[0].min(ends[1]) < -shut && ends[0].max(ends[1]) > shut {
                let t = ends[0] / (ends[0] - ends[1]);
                let between = placed_at(std::array::from_fn(|i| at[i] + t * (next[i] - at[i])));
                add((between.0, 0.0));
            }
        }
        match placed.crushes(self.across, 0, &points) {
            Crushes::Joint(limit) => Some(Closed { contacts, limit }),
            Crushes::Never | Crushes::Gapes => None,
        }
    }
}
