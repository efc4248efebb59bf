//! Ties of the falling branch, which are as rigid as its joints: the law is that of `drystone_mechanics`.

use drystone_cone::LimitTie;
use drystone_geometry::Pose;
use drystone_mechanics::{Bodies, PlacedTie, TieMemory};
use drystone_model::Model;

/// What ties have been through.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ties {
    all: Vec<TieMemory>,
}

impl Ties {
    pub fn new(model: &Model) -> Self {
        Self {
            all: vec![TieMemory::rigid(); model.ties.len()],
        }
    }

    /// Takes note of a configuration; says which ties broke on the way to it.
    pub fn follow(&mut self, model: &Model, poses: &[Pose]) -> Vec<usize> {
        let mut broke = Vec::new();
        for (index, (tie, memory)) in model.ties.iter().zip(&mut self.all).enumerate() {
            let placed = PlacedTie::new(model, tie, poses);
            if memory.draw_rigid(tie, placed.elongation) {
                broke.push(index);
            }
        }
        broke
    }

    /// Ties as they can pull in a configuration; those that cannot have no strength.
    pub fn posed(&self, model: &Model, bodies: &Bodies, poses: &[Pose]) -> Vec<LimitTie> {
        let ties = model.ties.iter().zip(&self.all);
        ties.map(|(tie, memory)| {
            let placed = PlacedTie::new(model, tie, poses);
            placed.limit(bodies, tie, memory)
        })
        .collect()
    }
}
