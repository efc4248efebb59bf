//! How far loads can grow until a structure becomes a mechanism: limit analysis as a cone program.
//!
//! A [`LimitProblem`] goes in, a [`LimitSolution`] comes out: the multiplier with the contact forces that prove it from below and the
//! mechanism that proves it from above, or a certificate that there is none.

mod bond;
mod crushing;
mod judge;
mod problem;
pub(crate) mod program;
mod reference;
mod solution;

pub use bond::LimitBond;
pub use crushing::{JointBlocks, LimitCrushing, StressBlocks};
pub use problem::{LimitProblem, LimitTie};
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

/// Rounds of solutions in which joints that would be crushed get their bounds. Five to fifteen are usual.
const ROUNDS: u32 = 60;
/// A joint is not crushed if forces exceed what it bears by less than so many tolerances, or by less than this part: no solution leaves forces more exact.
const CRUSHED: f64 = 10.0;
const EXACT: f64 = 1e-8;
/// What carries less than this part of the largest force in a certificate carries nothing.
const CARRIES: f64 = 1e-6;

/// Solves a limit problem.
pub fn solve_limit(
    problem: &LimitProblem,
    settings: &LimitSettings,
) -> Result<LimitSolution, ProblemFault> {
    solve_limit_from(problem, settings, &mut StressBlocks::default())
}

/// Solves a limit problem, starting from the stress blocks that mattered in one like it.
pub fn solve_limit_from(
    problem: &LimitProblem,
    settings: &LimitSettings,
    blocks: &mut StressBlocks,
) -> Result<LimitSolution, ProblemFault> {
    problem.validate()?;
    settings.validate()?;
    let (program, answer) = uncrushed(problem, settings, blocks, |program| match settings.method {
        LimitMethod::InteriorPoint => own_or_other(problem, program, settings),
        LimitMethod::Clarabel => reference::solve(program, settings),
    });
    blocks.keep_acting(problem, &program, &answer);
    Ok(judge::judged(
        problem,
        &program,
        settings,
        Mechanism::Proves,
        answer,
    ))
}

/// Our own answer or, where it is not accurate and rows of stress blocks nearly depend on each other, Clarabel's if that is better.
fn own_or_other(problem: &LimitProblem, program: &Program, settings: &LimitSettings) -> Answer {
    let own = homogeneous::solve(problem, program, None, settings);
    let miss = |answer: &Answer| judge::miss(program, answer);
    let first = miss(&own);
    if problem.crushing.is_empty() || judge::good(first, settings) {
        return own;
    }
    let other = reference::solve(program, settings);
    // Our own may be no number at all.
    if first.is_nan() || miss(&other) < first {
        other
    } else {
        own
    }
}

/// Solves programs with ever more bounds on joints until their forces crush none.
fn uncrushed(
    problem: &LimitProblem,
    settings: &LimitSettings,
    blocks: &mut StressBlocks,
    solve: impl Fn(&Program) -> Answer,
) -> (Program, Answer) {
    let joints = &problem.crushing;
    let mut iterations = 0;
    let mut rounds = 1..ROUNDS;
    loop {
        let program = Program::new(problem, &blocks.cuts(joints));
        let mut answer = solve(&program);
        iterations += answer.iterations;
        answer.iterations = iterations;
        let normal = |k: u32| answer.z[k as usize][0];
        let more = rounds.next().is_some()
            && match answer.status {
                // With more bounds there is still no equilibrium.
                LimitStatus::Infeasible => false,
                LimitStatus::Unbounded => {
                    let all = answer.z[..problem.contacts.len()].iter();
                    let least = CARRIES * all.fold(0.0, |most: f64, z| most.max(z[0]));
                    blocks.bounded(joints, |k| normal(k) > least, program.enough())
                }
                LimitStatus::Optimal | LimitStatus::Inaccurate => {
                    let part = (CRUSHED * settings.tolerance).max(EXACT);
                    blocks.exceeded(joints, normal, program.unit_force(), part)
                }
            };
        if !more {
            return (program, answer);
        }
    }
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
    let mut blocks = StressBlocks::default();
    let (program, first) = uncrushed(problem, settings, &mut blocks, |program| {
        own_or_other(problem, program, settings)
    });
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
    let (mut program, answer) = uncrushed(problem, settings, &mut blocks, |program| {
        // The first answer is one of this program only as long as no bounds came in.
        let same = program.nodes() == first.velocity.len() && program.cones.len() == first.z.len();
        let again = (!same).then(|| own_or_other(problem, program, settings));
        let from = again.as_ref().unwrap_or(&first);
        homogeneous::solve(problem, program, Some(from), settings)
    });
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
