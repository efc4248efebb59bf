//! A problem and its warm start as they are written to JSON files, to be replayed and judged elsewhere.

use serde::{Deserialize, Serialize};

use crate::{StepProblem, Warm};

/// The only value of [`StoredProblem::format`] that this version reads.
pub const FORMAT: &str = "drystone step problem 1";

/// A step problem with a version tag.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredProblem {
    /// [`FORMAT`].
    pub format: String,
    /// The problem.
    pub problem: StepProblem,
    /// The guess that came with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warm: Option<StoredWarm>,
}

/// An owned [`Warm`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredWarm {
    /// Velocity per body, m/s and rad/s.
    pub velocity: Vec<[f64; 6]>,
    /// Impulse per contact, local components, N s.
    pub impulse: Vec<[f64; 3]>,
}

/// The only value of [`SolvedProblem::format`] that this version reads.
pub const SOLVED_FORMAT: &str = "drystone solved problem 1";

/// A step problem with the velocity that solves it. Impulses are not unique, so that no answer has them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SolvedProblem {
    /// [`SOLVED_FORMAT`].
    pub format: String,
    /// What the problem is, and how its answer was found.
    pub about: String,
    /// Distance of two independent answers, in units of the judge's speed scale: how far the velocity can be trusted.
    pub error: f64,
    /// The problem; absent if [`crate::corpus::hard`] generates it under the name of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub problem: Option<StepProblem>,
    /// Velocity per body, m/s and rad/s.
    pub velocity: Vec<[f64; 6]>,
}

impl StoredProblem {
    /// Tags a problem with the current format.
    pub fn new(problem: StepProblem, warm: Option<Warm<'_>>) -> Self {
        let warm = warm.map(|w| StoredWarm {
            velocity: w.velocity.to_vec(),
            impulse: w.impulse.to_vec(),
        });
        Self {
            format: FORMAT.to_string(),
            problem,
            warm,
        }
    }

    /// Whether this version understands the file.
    pub fn is_current(&self) -> bool {
        self.format == FORMAT
    }

    /// The stored guess as the solver takes it.
    pub fn warm(&self) -> Option<Warm<'_>> {
        self.warm.as_ref().map(|w| Warm {
            velocity: &w.velocity,
            impulse: &w.impulse,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    #[test]
    fn json_round_trip_keeps_every_bit() {
        let problem = corpus::wall(3, 2);
        let velocity = problem.free_velocity.clone();
        let impulse = vec![[0.1, 1.0 / 3.0, -2e-17]; problem.contacts.len()];
        let stored = StoredProblem::new(
            problem,
            Some(Warm {
                velocity: &velocity,
                impulse: &impulse,
            }),
        );
        let text = serde_json::to_string(&stored).unwrap();
        let back: StoredProblem = serde_json::from_str(&text).unwrap();
        assert!(back.is_current());
        assert_eq!(back, stored);
        assert!(text.contains("drystone step problem 1"));
    }
}
