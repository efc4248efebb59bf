//! What a solver answers.

use serde::{Deserialize, Serialize};

use crate::{ProblemFault, Residual, StepProblem};

/// A guess from the previous step.
#[derive(Debug, Clone, Copy)]
pub struct Warm<'a> {
    /// Velocity per body, m/s and rad/s.
    pub velocity: &'a [[f64; 6]],
    /// Impulse per contact, local components, N s; zero where the contact is newly found.
    pub impulse: &'a [[f64; 3]],
}

impl Warm<'_> {
    /// Whether it has the lengths of a problem.
    pub(crate) fn validate(&self, problem: &StepProblem) -> Result<(), ProblemFault> {
        let (bodies, contacts) = (problem.bodies(), problem.contacts.len());
        if self.velocity.len() != bodies {
            return Err(ProblemFault::Length {
                field: "warm velocity",
                found: self.velocity.len(),
                bodies,
            });
        }
        if self.impulse.len() != contacts {
            return Err(ProblemFault::WarmImpulses {
                found: self.impulse.len(),
                contacts,
            });
        }
        Ok(())
    }
}

/// How far an answer can be trusted, best first; the worst island counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// The judge accepts the answer at the tolerances asked for.
    #[default]
    Solved,
    /// No velocity satisfies the constraints of an island (opposed penetrations between supports), and the judge accepts
    /// the answer to the softened problem, that with a compliance of 1e-8 of the Delassus diagonal added at every contact
    /// of the island. [`Solution::residual`] is that of the softened problem for such an island, with `momentum`, `dual`,
    /// `gap` and `natural` relative to its largest impulse if that exceeds mean mass times `v_ref`: impulses of a squeeze exceed
    /// those of gravity by orders of magnitude, and so does their rounding. Judged as posed, by [`crate::residual`], the
    /// answer leaves the penetration that could not be undone.
    Infeasible,
    /// The best of all attempts; the residual says how good. Islands found infeasible are softened here too.
    Inaccurate,
}

/// Work done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stats {
    /// Interior-point iterations over all islands, attempts and outer rounds.
    pub iterations: u32,
    /// Numeric factorisations.
    pub factorisations: u32,
    /// Symbolic analyses that were not found in the workspace. The only number that depends on the workspace's past.
    pub analyses: u32,
    /// Independent islands with contacts.
    pub islands: u32,
    /// Islands for which the warm start was accepted without iterating.
    pub checked_only: u32,
    /// Islands returned with exactly zero velocity by the rest rule.
    pub at_rest: u32,
    /// Further links of the chain that were tried after the first.
    pub fallbacks: u32,
    /// Convex problems solved under Coulomb's law, over all islands.
    pub outer: u32,
    /// Islands without a solution, answered with a small compliance.
    pub softened: u32,
}

impl Stats {
    pub(crate) fn add(&mut self, other: &Stats) {
        self.iterations += other.iterations;
        self.factorisations += other.factorisations;
        self.analyses += other.analyses;
        self.islands += other.islands;
        self.checked_only += other.checked_only;
        self.at_rest += other.at_rest;
        self.fallbacks += other.fallbacks;
        self.outer += other.outer;
        self.softened += other.softened;
    }
}

/// The answer to a step problem.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Solution {
    /// Velocity per body, m/s and rad/s, world axes.
    pub velocity: Vec<[f64; 6]>,
    /// Impulse per contact, local components, N s.
    pub impulse: Vec<[f64; 3]>,
    /// What the judge says about the two above, under the friction law asked for; see [`Status::Infeasible`] for islands
    /// without solution.
    pub residual: Residual,
    /// How far to trust it.
    pub status: Status,
    /// Work done.
    pub stats: Stats,
}
