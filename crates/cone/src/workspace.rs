//! What a solver keeps from problem to problem.

use crate::chain::Part;
use crate::interior_point::Vectors;
use crate::residual::Judge;

/// Vectors of each kind that are kept: no solve needs more at a time.
const MOST: usize = 4;

/// Dropping it between two problems changes no bit of any answer; keeping it, a step whose contacts are those of a step before
/// allocates nothing.
#[derive(Debug, Default)]
pub(crate) struct Workspace {
    pub(crate) vectors: Vectors,
    pub(crate) judge: Judge,
    pub(crate) spare: Spare,
}

/// Vectors of answers that are no longer needed; a few, because some answers come in vectors of their own.
#[derive(Debug, Default)]
pub(crate) struct Spare {
    velocities: Vec<Vec<[f64; 6]>>,
    impulses: Vec<Vec<[f64; 3]>>,
}

impl Spare {
    /// An empty vector for velocities.
    pub(crate) fn velocity(&mut self) -> Vec<[f64; 6]> {
        let mut spare = self.velocities.pop().unwrap_or_default();
        spare.clear();
        spare
    }

    /// An empty vector for impulses.
    pub(crate) fn impulse(&mut self) -> Vec<[f64; 3]> {
        let mut spare = self.impulses.pop().unwrap_or_default();
        spare.clear();
        spare
    }

    /// Takes back the vectors of an answer.
    pub(crate) fn take_back(&mut self, part: Part) {
        if self.velocities.len() < MOST {
            self.velocities.push(part.velocity);
        }
        self.take_impulse(part.impulse);
    }

    /// Takes back a vector of impulses.
    pub(crate) fn take_impulse(&mut self, impulse: Vec<[f64; 3]>) {
        if self.impulses.len() < MOST {
            self.impulses.push(impulse);
        }
    }
}
