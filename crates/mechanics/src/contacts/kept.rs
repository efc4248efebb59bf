//! Pairs that keep their points while blocks move.
//!
//! Detection finds contacts anew in every configuration. That is wrong where a joint remembers: shear that springs hold belongs to a point, and stone
//! that is crushed overlaps and would be pushed out. Such joints keep the points of the initial configuration, and each block takes its own along.

use drystone_geometry::{DVec3, Pose};
use drystone_model::Interface;

use super::pair::Pair;
use crate::bodies::Bodies;

/// A pair that was found in some configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KeptPair {
    /// Block indices.
    pub blocks: [usize; 2],
    /// From the first block to the second, in the frame of either.
    normals: [DVec3; 2],
    /// How the two materials meet.
    pub law: Interface,
}

impl KeptPair {
    /// Keeps a pair of the initial configuration, in which blocks are not turned.
    pub fn new(pair: &Pair) -> Self {
        Self {
            blocks: pair.blocks,
            normals: [pair.axes[0]; 2],
            law: pair.law,
        }
    }

    /// Keeps a pair of a configuration.
    pub fn found(pair: &Pair, poses: &[Pose]) -> Self {
        let turned = |block: usize| poses[block].rotation.inverse() * pair.axes[0];
        Self {
            normals: pair.blocks.map(turned),
            ..Self::new(pair)
        }
    }

    /// A point of the configuration in the frames of both blocks.
    pub fn local(&self, poses: &[Pose], at: DVec3) -> [DVec3; 2] {
        self.blocks.map(|block| poses[block].inverse_transform(at))
    }

    /// Where both blocks have taken a point, m.
    pub fn sides(&self, poses: &[Pose], local: &[DVec3; 2]) -> [DVec3; 2] {
        let [a, b] = self.blocks.map(|block| poses[block]);
        [a.transform(local[0]), b.transform(local[1])]
    }

    /// The pair as its blocks stand now: its normal is half-way between those of both.
    pub fn placed(&self, bodies: &Bodies, poses: &[Pose]) -> Pair {
        let [a, b] = self.blocks.map(|block| poses[block].rotation);
        let normals = [a * self.normals[0], b * self.normals[1]];
        let normal = (normals[0] + normals[1]).normalize_or(normals[0]);
        Pair::along(normal, self.blocks, self.law, bodies, poses)
    }
}
