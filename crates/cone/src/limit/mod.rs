//! How far loads can grow until a structure becomes a mechanism: limit analysis as a cone program.
//!
//! A [`LimitProblem`] goes in, a [`LimitSolution`] comes out: the multiplier with the contact forces that prove it from below and the
//! mechanism that proves it from above, or a certificate that there is none.

mod judge;
mod problem;
pub(crate) mod program;
mod reference;
mod solution;

pub use problem::{LimitCrushing, LimitProblem, LimitTie};
pub use solution::{LimitMethod, LimitResidual, LimitSettings, LimitSolution, LimitStatus};

use crate::ProblemFault;
use crate::interior_point::homogeneous;
use program::Program;

/// What a solver found, in the variables of the program. For an unbounded problem `z` balances `alpha` times the live loads alone, and
/// `alpha - g' z` is one;
/// for an infeasible one `velocity` is a motion on which dead loads do positive work, and live ones none.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: LimitStatus,
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) z: Vec<[f64; 3]>,
    pub(crate) alpha: f64,
    pub(crate) iterations: u32,
}

/// Solves a limit problem.
pub fn solve_limit(
    problem: &LimitProblem,
    settings: &LimitSettings,
) -> Result<LimitSolution, ProblemFault> {
    problem.validate()?;
    settings.validate()?;
    let program = Program::new(problem);
    let answer = match settings.method {
        LimitMethod::InteriorPoint => homogeneous::solve(problem, &program, settings),
        LimitMethod::Clarabel => reference::solve(&program, settings),
    };
    Ok(judge::judged(problem, &program, settings, answer))
}
