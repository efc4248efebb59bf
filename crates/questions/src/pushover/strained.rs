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
            let whole = problem.crushing.len() == all.iter().filter(is_there).count();
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
            .filter(|(joint, counted)| **counted && is_there(joint))
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

/// Joints that are open or gone have no contacts; they keep their place among all.
fn is_there(joint: &&LimitCrushing) -> bool {
    joint.edges.iter().all(|edge| !edge.is_empty())
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

#[cfg(test)]
mod tests {
    use drystone_cone::{LimitSettings, solve_limit};
    use drystone_geometry::DVec3;
    use drystone_model::from_toml;

    use super::*;
    use crate::statics::Posed;

    /// A column of eight blocks of a strength, pushed sideways: with all joints and with those that forces ask for.
    #[test]
    fn few_joints_give_the_answer_of_all() {
        for strength in [2e5, 5e5, 1e7] {
            let mut text = format!(
                "[model]\nplane = \"xz\"\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\ncompressive_strength = {strength:?}\n[[material]]\nname = \"stone\"\ndensity = 2000\n[[generate]]\nkind = \"box\"\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nat = [0, 0, -1]\nsize = [3.0, 1.0, 1.0]\n"
            );
            for k in 0..8 {
                text += &format!(
                    "[[generate]]\nkind = \"box\"\nname = \"b{k}\"\nmaterial = \"stone\"\nat = [0, 0, {k}]\nsize = [1.0, 1.0, 1.0]\n"
                );
            }
            let model = from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
            let posed = Posed::new(&model);
            let live = posed.statics.body_force(DVec3::X);
            let mut problem = posed.limit_problem(posed.statics.dead(), live);
            let settings = LimitSettings::default();
            let whole = solve_limit(&problem, &settings).unwrap();
            assert_eq!(whole.status, LimitStatus::Optimal);
            let all = problem.crushing.clone();
            assert_eq!(all.len(), 8);
            let mut strained = Strained::default();
            let mut least = usize::MAX;
            let found = strained.solve(&mut problem, |problem| {
                least = least.min(problem.crushing.len());
                solve_limit(problem, &settings)
            });
            let found = found.unwrap();
            assert_eq!(found.status, LimitStatus::Optimal);
            assert_eq!(problem.crushing, all);
            assert_eq!(least, 0);
            // What counts as crushed, and what both solvers leave.
            let off = (found.multiplier - whole.multiplier).abs();
            assert!(off < 2e-6, "{strength:e}: {off:e}");
            assert!(all.iter().all(|joint| used(joint, &found) <= 1.0 + 1e-5));
            // Only joints far down are near their strength, and without any that count the strength would not.
            let counted = strained.counted.iter().filter(|counted| **counted).count();
            assert!((1..8).contains(&counted), "{strength:e}: {counted}");
        }
    }
}
