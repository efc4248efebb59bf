//! From a problem to an answer: check, split into islands, solve each, put together, judge.

use std::borrow::Cow;

use crate::residual::residual_under;
use crate::{
    Island, ProblemFault, Settings, Solution, Stats, Status, StepProblem, Warm, islands, reference,
};

/// Solves step problems one after the other.
///
/// Holds settings and a workspace. Dropping the solver between two steps never changes a bit of the answer.
#[derive(Debug)]
pub struct Solver {
    settings: Settings,
}

/// Velocities, impulses and trust of one island.
pub(crate) struct Part {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    pub(crate) status: Status,
    pub(crate) stats: Stats,
}

impl Solver {
    /// A solver with an empty workspace.
    pub fn new(settings: Settings) -> Self {
        Self { settings }
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Solves one problem, from a guess if there is one. An `Err` means that the question could not be asked; whatever
    /// happens to a valid question is told by [`Solution::status`].
    pub fn solve(
        &mut self,
        problem: &StepProblem,
        warm: Option<Warm<'_>>,
    ) -> Result<Solution, ProblemFault> {
        self.settings.validate()?;
        problem.validate()?;
        if let Some(w) = &warm {
            let (bodies, contacts) = (problem.bodies(), problem.contacts.len());
            if w.velocity.len() != bodies {
                return Err(ProblemFault::Length {
                    field: "warm velocity",
                    found: w.velocity.len(),
                    bodies,
                });
            }
            if w.impulse.len() != contacts {
                return Err(ProblemFault::WarmImpulses {
                    found: w.impulse.len(),
                    contacts,
                });
            }
        }
        let mut velocity = problem.free_velocity.clone();
        let mut impulse = vec![[0.0; 3]; problem.contacts.len()];
        let mut status = Status::Solved;
        let mut stats = Stats::default();
        for island in islands(problem) {
            if island.contacts.is_empty() {
                continue;
            }
            let part = self.solve_island(problem, &island, warm);
            for (&b, v) in island.bodies.iter().zip(&part.velocity) {
                velocity[b as usize] = *v;
            }
            for (&c, r) in island.contacts.iter().zip(&part.impulse) {
                impulse[c as usize] = *r;
            }
            status = status.max(part.status);
            stats.add(&part.stats);
            stats.islands += 1;
        }
        let residual = residual_under(problem, self.settings.law, &velocity, &impulse);
        if status == Status::Solved && !residual.within(&self.settings.tolerances) {
            status = Status::Inaccurate;
        }
        Ok(Solution {
            velocity,
            impulse,
            residual,
            status,
            stats,
        })
    }

    fn solve_island(
        &mut self,
        problem: &StepProblem,
        island: &Island,
        warm: Option<Warm<'_>>,
    ) -> Part {
        let whole = island.bodies.len() == problem.bodies();
        let part = if whole {
            Cow::Borrowed(problem)
        } else {
            Cow::Owned(island.extract(problem))
        };
        let _ = warm.map(|w| island.extract_warm(w));
        let mut stats = Stats::default();
        match reference::solve(&part, &self.settings.tolerances) {
            Some(found) => {
                stats.iterations += found.iterations;
                let status = if found.infeasible {
                    Status::Infeasible
                } else {
                    Status::Solved
                };
                Part {
                    velocity: found.velocity,
                    impulse: found.impulse,
                    status,
                    stats,
                }
            }
            None => Part {
                velocity: part.free_velocity.clone(),
                impulse: vec![[0.0; 3]; part.contacts.len()],
                status: Status::Inaccurate,
                stats,
            },
        }
    }
}
