//! From a problem to an answer: check, split into islands, solve each, put together, judge.

use std::borrow::Cow;

use crate::chain::{self, Part};
use crate::interior_point::Workspace;
use crate::residual::residual_under;
use crate::{
    Island, Law, ProblemFault, Residual, Settings, Solution, Stats, Status, StepProblem, Warm,
    coulomb, islands,
};

/// Solves step problems one after the other.
///
/// Holds settings and a workspace. Dropping the solver between two steps never changes a bit of the answer.
#[derive(Debug)]
pub struct Solver {
    settings: Settings,
    workspace: Workspace,
}

impl Solver {
    /// A solver with an empty workspace.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            workspace: Workspace::default(),
        }
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
        let parts = islands(problem);
        let mut softened = vec![None; parts.len()];
        for (island, softened) in parts.iter().zip(&mut softened) {
            if island.contacts.is_empty() {
                continue;
            }
            let part = self.solve_island(problem, island, warm, &mut stats);
            for (&b, v) in island.bodies.iter().zip(&part.velocity) {
                velocity[b as usize] = *v;
            }
            for (&c, r) in island.contacts.iter().zip(&part.impulse) {
                impulse[c as usize] = *r;
            }
            status = status.max(part.status);
            *softened = part.softened;
            stats.softened += u32::from(part.softened.is_some());
            stats.islands += 1;
        }
        let law = self.settings.law;
        let residual = if softened.iter().all(Option::is_none) {
            residual_under(problem, law, &velocity, &impulse)
        } else {
            let answer = Warm {
                velocity: &velocity,
                impulse: &impulse,
            };
            let mut worst = Residual::default();
            for (island, softened) in parts.iter().zip(softened) {
                worst.merge(softened.unwrap_or_else(|| {
                    let (velocity, impulse) = island.extract_warm(answer);
                    residual_under(&island.extract(problem), law, &velocity, &impulse)
                }));
            }
            worst
        };
        if !residual.within(&self.settings.tolerances) {
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
        stats: &mut Stats,
    ) -> Part {
        let whole = island.bodies.len() == problem.bodies();
        let part = if whole {
            Cow::Borrowed(problem)
        } else {
            Cow::Owned(island.extract(problem))
        };
        let guess = warm.filter(|_| !whole).map(|w| island.extract_warm(w));
        let guess = guess
            .as_ref()
            .map(|(velocity, impulse)| Warm { velocity, impulse })
            .or(warm);
        match self.settings.law {
            Law::Associated => {
                chain::solve(&part, guess, &self.settings, &mut self.workspace, stats)
            }
            Law::Coulomb => {
                coulomb::solve(&part, guess, &self.settings, &mut self.workspace, stats)
            }
        }
    }
}
