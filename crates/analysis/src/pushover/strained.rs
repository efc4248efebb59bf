//! Limit problems in which few of many joints are near their strength.
//!
//! Each joint that may be crushed has two cones of its own, and with hundreds of them an interior-point method takes many times longer.
//! So they are left out until their forces ask for them. An answer that crushes no joint is the answer of the whole problem, because what was
//! left out would only have limited it; joints that it would crush come in, and stay for the configurations that follow.

use drystone_cone::{LimitCrushing, LimitProblem, LimitSolution, LimitStatus};

/// Rounds at most until all joints come in.
const ROUNDS: usize = 12;

/// Where a joint would be crushed, others come in too whose strength is used up to this part.
const NEAR: f64 = 0.7;

/// A joint is crushed if its strength is exceeded by this part: the tolerance of the solver.
const CRUSHED: f64 = 1e-6;

/// The joints that are counted, by their index among all.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Strained {
    counted: Vec<bool>,
}

impl Strained {
    /// Solves a problem by a solver that is given as many of its joints as it takes.
    pub fn solve<E>(
        &mut self,
        problem: &mut LimitProblem,
        mut solve: impl FnMut(&LimitProblem) -> Result<LimitSolution, E>,
    ) -> Result<LimitSolution, E> {
        let all = std::mem::take(&mut problem.crushing);
        if self.counted.len() != all.len() {
            self.counted = vec![false; all.len()];
        }
        let mut rounds = 0;
        loop {
            problem.crushing = self.of(&all);
            let whole = problem.crushing.len() == all.len();
            let solution = solve(problem)?;
            let done = match solution.status {
                _ if whole => true,
                // With more limits there is still no equilibrium.
                LimitStatus::Infeasible => true,
                LimitStatus::Optimal => rounds < ROUNDS && !self.count(&all, &solution),
                LimitStatus::Unbounded | LimitStatus::Inaccurate => false,
            };
            if done {
                problem.crushing = all;
                return Ok(solution);
            }
            if solution.status != LimitStatus::Optimal || rounds >= ROUNDS {
                self.counted.fill(true);
            }
            rounds += 1;
        }
    }

    fn of(&self, all: &[LimitCrushing]) -> Vec<LimitCrushing> {
        let pairs = all.iter().zip(&self.counted);
        pairs
            .filter(|(_, counted)| **counted)
            .map(|(joint, _)| joint.clone())
            .collect()
    }

    /// Takes in joints that an answer crushes; says whether there are any.
    fn count(&mut self, all: &[LimitCrushing], solution: &LimitSolution) -> bool {
        let used: Vec<f64> = all.iter().map(|joint| used(joint, solution)).collect();
        let crushed =
            |(&used, &counted): (&f64, &bool)| !counted && (used > 1.0 + CRUSHED || used.is_nan());
        if !used.iter().zip(&self.counted).any(crushed) {
            return false;
        }
        for (counted, used) in self.counted.iter_mut().zip(used) {
            *counted |= used > NEAR || used.is_nan();
        }
        true
    }
}

/// What is used of the strength of a joint: `N^2` over `2 f_c p l min(c_1, c_2)`.
fn used(joint: &LimitCrushing, solution: &LimitSolution) -> f64 {
    let on = |edge: &[u32]| -> f64 { edge.iter().map(|&k| solution.force[k as usize][0]).sum() };
    let [one, two] = [on(&joint.edges[0]), on(&joint.edges[1])];
    let whole = one + two;
    // Forces that are nothing beside what crushes the joint are none.
    if whole <= CRUSHED * joint.strength {
        return 0.0;
    }
    whole * whole / (2.0 * joint.strength * one.min(two).max(0.0))
}
