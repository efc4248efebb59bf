//! Where a tie lies in a configuration: its ends go with their blocks, however far these move.

use drystone_cone::{Contact, FIXED, LimitTie};
use drystone_geometry::{DVec3, Pose};
use drystone_model::{Model, Tie};

use super::law::TieMemory;
use crate::bodies::Bodies;

/// A tie in a configuration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedTie {
    /// Blocks; none for the ground.
    pub blocks: [Option<usize>; 2],
    /// Ends, m.
    pub ends: [DVec3; 2],
    /// From the centroids of its blocks to its ends, m; zero on the ground.
    pub arms: [DVec3; 2],
    /// Unit vector from the first end to the second; any where they coincide.
    pub axis: DVec3,
    /// Since the start, m; negative where its ends have come nearer.
    pub elongation: f64,
}

impl PlacedTie {
    /// In the initial configuration.
    pub fn initial(model: &Model, tie: &Tie) -> Self {
        Self::between(tie, tie.points, |block| model.blocks[block].position)
    }

    /// For given poses.
    pub fn new(model: &Model, tie: &Tie, poses: &[Pose]) -> Self {
        Self::moved(model, tie, |block| poses[block], DVec3::ZERO)
    }

    /// For given poses, if the ground has moved by `shift`, m.
    pub(super) fn moved(
        model: &Model,
        tie: &Tie,
        pose: impl Fn(usize) -> Pose,
        shift: DVec3,
    ) -> Self {
        let ends = std::array::from_fn(|side| match tie.blocks[side] {
            Some(block) => pose(block).transform(tie.points[side] - model.blocks[block].position),
            None => tie.points[side] + shift,
        });
        Self::between(tie, ends, |block| pose(block).position)
    }

    fn between(tie: &Tie, ends: [DVec3; 2], centre: impl Fn(usize) -> DVec3) -> Self {
        let line = ends[1] - ends[0];
        Self {
            blocks: tie.blocks,
            ends,
            arms: std::array::from_fn(|side| {
                tie.blocks[side].map_or(DVec3::ZERO, |block| ends[side] - centre(block))
            }),
            axis: line.normalize_or(DVec3::X),
            elongation: line.length() - (tie.points[1] - tie.points[0]).length(),
        }
    }

    /// Bodies at its ends; [`FIXED`] for supports and the ground.
    pub fn bodies(&self, bodies: &Bodies) -> [u32; 2] {
        self.blocks
            .map(|block| block.map_or(FIXED, |block| bodies.of_block[block]))
    }

    /// As a tie of a limit problem: rigid, with the strength that its law leaves it.
    pub fn limit(&self, bodies: &Bodies, tie: &Tie, memory: &TieMemory) -> LimitTie {
        LimitTie {
            bodies: self.bodies(bodies),
            axis: self.axis.to_array(),
            arms: self.arms.map(|arm| arm.to_array()),
            strength: memory.strength(tie, self.elongation),
        }
    }
}

/// A tie as a contact without friction that pushes its two ends together: no upper limit, which no contact has.
pub fn tie_contact(tie: &LimitTie) -> Contact {
    let normal = -DVec3::from(tie.axis);
    let (t1, t2) = normal.any_orthonormal_pair();
    Contact {
        bodies: tie.bodies,
        frame: [normal, t1, t2].map(|axis| axis.to_array()),
        arms: tie.arms,
        friction: 0.0,
        offset: [0.0; 3],
        compliance: [0.0; 2],
    }
}
