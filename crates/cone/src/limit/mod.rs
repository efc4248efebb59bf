//! How far loads can grow until a structure becomes a mechanism: limit analysis as a cone program.
//!
//! A [`LimitProblem`] goes in, a [`LimitSolution`] comes out: the multiplier with the contact forces that prove it from below and the
//! mechanism that proves it from above, or a certificate that there is none.

mod bond;
mod judge;
mod problem;
pub(crate) mod program;
mod reference;
mod solution;

pub use bond::LimitBond;
pub use problem::{LimitCrushing, LimitProblem, LimitTie};
pub use solution::{LimitMethod, LimitResidual, LimitSettings, LimitSolution, LimitStatus};

use crate::ProblemFault;
use crate::interior_point::homogeneous;
use judge::Mechanism;
use program::Program;

/// Largest residual of velocities and of complementarity at which a limit under Coulomb's law counts, see [`LimitResidual`]. States that
/// obey the law differ by more in their multipliers.
pub(crate) const SLIPS: f64 = 1e-3;

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
        LimitMethod::InteriorPoint => homogeneous::solve(problem, &program, None, settings),
        LimitMethod::Clarabel => reference::solve(&program, settings),
    };
    Ok(judge::judged(
        problem,
        &program,
        settings,
        Mechanism::Proves,
        answer,
    ))
}

/// A limit under the associated law and, if there is one, beside it one under Coulomb's.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitPair {
    /// As by [`solve_limit`].
    pub associated: LimitSolution,
    /// A state of equilibrium with contact forces in their cones, and a mechanism whose joints slide along themselves, against friction.
    ///
    /// Its multiplier is not greater than the associated one. In general there are other such states, some of them with lower multipliers:
    /// it is an estimate of the lowest, and no bound; `upper` is the multiplier again. The residual is that of [`solve_limit`] for contacts with the gap
    /// `mu |u_T|` that their own sliding needs, so that it vanishes for Coulomb's law and for nothing else. What it says of forces is as small as for any
    /// limit, what it says of velocities at most a thousandth; otherwise the status is [`LimitStatus::Inaccurate`].
    pub coulomb: Option<LimitSolution>,
}

/// Solves a limit problem under both laws of friction, by the interior-point method.
pub fn solve_limit_pair(
    problem: &LimitProblem,
    settings: &LimitSettings,
) -> Result<LimitPair, ProblemFault> {
    problem.validate()?;
    settings.validate()?;
    let mut program = Program::new(problem);
    let first = homogeneous::solve(problem, &program, None, settings);
    let associated = judge::judged(
        problem,
        &program,
        settings,
        Mechanism::Proves,
        first.clone(),
    );
    if associated.status != LimitStatus::Optimal {
        return Ok(LimitPair {
            associated,
            coulomb: None,
        });
    }
    let answer = homogeneous::solve(problem, &program, Some(&first), settings);
    let alpha = answer.alpha;
    program.correct(&answer.velocity);
    let mut found = judge::judged(problem, &program, settings, Mechanism::Shows, answer);
    let LimitResidual { balance, force, .. } = found.residual;
    let balanced = judge::good(balance, settings) && judge::good(force, settings);
    found.status = if balanced && found.residual.worst() <= SLIPS {
        LimitStatus::Optimal
    } else {
        LimitStatus::Inaccurate
    };
    (found.multiplier, found.upper) = (alpha, alpha);
    Ok(LimitPair {
        associated,
        coulomb: Some(found),
    })
}
