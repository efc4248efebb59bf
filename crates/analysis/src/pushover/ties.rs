//! Ties of rigid structures: they pull with their yield force where they grow longer, and not at all where they are slack.

use drystone_cone::{FIXED, LimitTie};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Bodies;
use drystone_model::{Model, Tie};

/// A tie shorter than it was by this fraction of its length is slack.
const SLACK: f64 = 1e-7;

/// What ties have been through.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ties {
    all: Vec<History>,
}

#[derive(Debug, Clone, PartialEq)]
struct History {
    /// At first, m.
    length: f64,
    /// The longest so far, m.
    longest: f64,
    broken: bool,
}

/// The two ends of a tie, m.
pub(super) fn ends(model: &Model, tie: &Tie, poses: &[Pose]) -> [DVec3; 2] {
    [0, 1].map(|side| match tie.blocks[side] {
        None => tie.points[side],
        Some(block) => poses[block].transform(tie.points[side] - model.blocks[block].position),
    })
}

/// A tie as it stands in a configuration, with a strength, N.
pub(super) fn limit_tie(
    model: &Model,
    bodies: &Bodies,
    tie: &Tie,
    poses: &[Pose],
    strength: f64,
) -> LimitTie {
    let ends = ends(model, tie, poses);
    let arm = |side: usize| match tie.blocks[side] {
        None => [0.0; 3],
        Some(block) => (ends[side] - poses[block].position).to_array(),
    };
    LimitTie {
        bodies: tie
            .blocks
            .map(|block| block.map_or(FIXED, |block| bodies.of_block[block])),
        axis: (ends[1] - ends[0]).normalize_or(DVec3::X).to_array(),
        arms: [arm(0), arm(1)],
        strength,
    }
}

impl Ties {
    pub fn new(model: &Model) -> Self {
        let one = |tie: &Tie| {
            let length = tie.points[0].distance(tie.points[1]);
            History {
                length,
                longest: length,
                broken: false,
            }
        };
        Self {
            all: model.ties.iter().map(one).collect(),
        }
    }

    /// Takes note of a configuration; says which ties broke on the way to it.
    pub fn follow(&mut self, model: &Model, poses: &[Pose]) -> Vec<usize> {
        let mut broke = Vec::new();
        for (index, (tie, history)) in model.ties.iter().zip(&mut self.all).enumerate() {
            let [a, b] = ends(model, tie, poses);
            history.longest = history.longest.max(a.distance(b));
            let grown = history.longest - history.length;
            if !history.broken && tie.max_elongation.is_some_and(|most| grown > most) {
                history.broken = true;
                broke.push(index);
            }
        }
        broke
    }

    /// Ties as they can pull in a configuration; those that cannot have no strength.
    pub fn posed(&self, model: &Model, bodies: &Bodies, poses: &[Pose]) -> Vec<LimitTie> {
        let one = |(tie, history): (&Tie, &History)| {
            let [a, b] = ends(model, tie, poses);
            let slack = a.distance(b) < history.longest - SLACK * history.length;
            let strength = match history.broken || slack {
                true => 0.0,
                false => tie.yield_force,
            };
            limit_tie(model, bodies, tie, poses, strength)
        };
        model.ties.iter().zip(&self.all).map(one).collect()
    }
}
