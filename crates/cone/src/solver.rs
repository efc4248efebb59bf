//! From a problem to an answer: check, split into islands, solve each, put together, judge.

use crate::chain::{self, Part};
use crate::islands::{Members, Partition};
use crate::workspace::Workspace;
use crate::{
    Law, ProblemFault, Residual, Settings, Solution, Stats, Status, StepProblem, Warm, compressed,
    coulomb,
};

/// Solves step problems one after the other.
///
/// Holds settings and a workspace. Dropping the solver between two steps never changes a bit of the answer.
#[derive(Debug)]
pub struct Solver {
    settings: Settings,
    partition: Partition,
    island: OneIsland,
    workspace: Workspace,
    /// Residual of each island that had to be softened.
    softened: Vec<Option<Residual>>,
}

/// One island as a problem of its own, with its part of the guess.
#[derive(Debug, Default)]
struct OneIsland {
    problem: StepProblem,
    velocity: Vec<[f64; 6]>,
    impulse: Vec<[f64; 3]>,
}

impl OneIsland {
    fn take_on(&mut self, members: Members<'_>, problem: &StepProblem, warm: Option<Warm<'_>>) {
        members.extract(problem, &mut self.problem);
        if let Some(warm) = warm {
            members.extract_warm(warm, &mut self.velocity, &mut self.impulse);
        }
    }

    fn warm(&self) -> Warm<'_> {
        Warm {
            velocity: &self.velocity,
            impulse: &self.impulse,
        }
    }
}

impl Solver {
    /// A solver with an empty workspace.
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            partition: Partition::default(),
            island: OneIsland::default(),
            workspace: Workspace::default(),
            softened: Vec::new(),
        }
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes [`Settings::max_outer`] for the problems to come.
    pub fn set_max_outer(&mut self, rounds: u32) {
        self.settings.max_outer = rounds;
    }

    /// Solves one problem, from a guess if there is one. An `Err` means that the question could not be asked; whatever
    /// happens to a valid question is told by [`Solution::status`].
    pub fn solve(
        &mut self,
        problem: &StepProblem,
        warm: Option<Warm<'_>>,
    ) -> Result<Solution, ProblemFault> {
        let mut solution = Solution::default();
        self.solve_into(problem, warm, &mut solution)?;
        Ok(solution)
    }

    /// The same into a solution that is kept. Under associated friction, a warm problem whose bodies touch as in one before
    /// allocates nothing.
    pub fn solve_into(
        &mut self,
        problem: &StepProblem,
        warm: Option<Warm<'_>>,
        solution: &mut Solution,
    ) -> Result<(), ProblemFault> {
        self.settings.validate()?;
        problem.validate()?;
        if let Some(warm) = &warm {
            warm.validate(problem)?;
        }
        let Solution {
            velocity, impulse, ..
        } = solution;
        velocity.clone_from(&problem.free_velocity);
        impulse.clear();
        impulse.resize(problem.contacts.len(), [0.0; 3]);
        let mut status = Status::Solved;
        let mut stats = Stats::default();
        self.partition.fill(problem);
        self.softened.clear();
        for k in 0..self.partition.len() {
            if self.partition.island(k).contacts.is_empty() {
                self.softened.push(None);
                continue;
            }
            let part = self.solve_island(problem, k, warm, &mut stats);
            let island = self.partition.island(k);
            for (&b, v) in island.bodies.iter().zip(&part.velocity) {
                velocity[b as usize] = *v;
            }
            for (&c, r) in island.contacts.iter().zip(&part.impulse) {
                impulse[c as usize] = *r;
            }
            status = status.max(part.status);
            self.softened.push(part.softened);
            stats.softened += u32::from(part.softened.is_some());
            stats.islands += 1;
            self.workspace.spare.take_back(part);
        }
        let answer = Warm { velocity, impulse };
        let residual = self.judge(problem, answer);
        if !residual.within(&self.settings.tolerances) {
            status = Status::Inaccurate;
        }
        solution.residual = residual;
        solution.status = status;
        solution.stats = stats;
        Ok(())
    }

    /// Impulses of contacts that yield, N s, if gravity and loads grow slowly until they are those of the problem, under Coulomb's law; zero in islands that do not come to rest. What the free
    /// velocities are beyond what acts in the step should not be in them.
    pub fn compressed(&mut self, problem: &StepProblem) -> Result<Vec<[f64; 3]>, ProblemFault> {
        self.settings.validate()?;
        problem.validate()?;
        let mut impulse = vec![[0.0; 3]; problem.contacts.len()];
        self.partition.fill(problem);
        for members in self.partition.iter() {
            self.island.take_on(members, problem, None);
            let (one, workspace) = (&self.island.problem, &mut self.workspace);
            let found = compressed::compressed(one, &self.settings, workspace);
            for (&c, r) in members.contacts.iter().zip(found.iter().flatten()) {
                impulse[c as usize] = *r;
            }
        }
        Ok(impulse)
    }

    /// The judge on the whole; softened islands have been judged before.
    fn judge(&mut self, problem: &StepProblem, answer: Warm<'_>) -> Residual {
        let law = self.settings.law;
        let judge = &mut self.workspace.judge;
        if self.softened.iter().all(Option::is_none) {
            return judge.report(problem, law, answer.velocity, answer.impulse);
        }
        let mut worst = Residual::default();
        for (members, softened) in self.partition.iter().zip(&self.softened) {
            worst.merge(softened.unwrap_or_else(|| {
                let one = &mut self.island;
                one.take_on(members, problem, Some(answer));
                judge.report(&one.problem, law, &one.velocity, &one.impulse)
            }));
        }
        worst
    }

    fn solve_island(
        &mut self,
        problem: &StepProblem,
        k: usize,
        warm: Option<Warm<'_>>,
        stats: &mut Stats,
    ) -> Part {
        let members = self.partition.island(k);
        let (part, guess) = if members.bodies.len() == problem.bodies() {
            (problem, warm)
        } else {
            self.island.take_on(members, problem, warm);
            (&self.island.problem, warm.map(|_| self.island.warm()))
        };
        let solve = match self.settings.law {
            Law::Associated => chain::solve,
            Law::Coulomb => coulomb::solve,
        };
        solve(part, guess, &self.settings, &mut self.workspace, stats)
    }
}
