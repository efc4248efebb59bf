//! Solving one problem in one way, often enough to be measured.

use drystone_cone::{Settings, Solution, Solver, Status, StoredProblem, Warm, residual_under};
use serde::{Deserialize, Serialize};

use crate::clock::{cpu_ms, wall_ms};

/// Repeats until so much time has gone by, ms, but at most [`MOST`] times. The system counts processor time in ticks of up to 4 ms, of
/// which this has to be many.
const ENOUGH_MS: f64 = 200.0;
const MOST: u32 = 5000;

/// One way of solving one problem.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Timing {
    /// Mean of several runs, ms: of processor time of one thread, of wall time where there are more.
    pub ms: f64,
    /// Interior-point iterations.
    pub iterations: u32,
    /// Numeric factorisations; not told by Clarabel.
    pub factorisations: u32,
    /// Further links of the chain that were tried.
    pub fallbacks: u32,
    /// Largest of the four residuals, recomputed by the judge.
    pub residual: f64,
    /// The judge accepts it.
    pub solved: bool,
}

/// The steps of a motion, one after the other. A single one may be difficult by chance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Series {
    /// Mean time in a step from the problem to its solution, ms: wall time, the best of several runs.
    pub ms: f64,
    /// Mean of the iterations.
    pub iterations: f64,
    /// Steps that were taken in halves.
    pub halved: u32,
    /// Steps whose answer the judge does not accept.
    pub inaccurate: u32,
    /// Largest residual of all.
    pub residual: f64,
}

/// How to count time.
#[derive(Clone, Copy)]
pub(crate) enum Count {
    /// Processor time of this thread.
    Processor,
    /// Wall time, for several threads.
    Wall,
}

/// Solves a problem repeatedly. A cold run has a fresh solver each time, with its symbolic analysis; a warm one keeps its
/// workspace, as a run does from step to step.
pub(crate) fn time(
    stored: &StoredProblem,
    settings: Settings,
    warm: Option<Warm<'_>>,
    count: Count,
) -> Result<Timing, String> {
    let clock = match count {
        Count::Processor => cpu_ms,
        Count::Wall => wall_ms,
    };
    let problem = &stored.problem;
    let mut kept = Solver::new(settings);
    let mut solve = |fresh: bool| -> Result<Solution, String> {
        if fresh {
            kept = Solver::new(settings);
        }
        let solution = kept.solve(problem, warm);
        solution.map_err(|fault| fault.to_string())
    };
    if warm.is_some() {
        // Its analysis is not counted: steps share it.
        solve(true)?;
    }
    // Twice as many runs each time the clock is read: reading it takes as long as checking a small problem.
    let (begin, mut runs, mut more) = (clock(), 0, 1);
    let (solution, ms) = loop {
        for _ in 1..more {
            solve(warm.is_none())?;
        }
        let solution = solve(warm.is_none())?;
        runs += more;
        let spent = clock() - begin;
        if spent > ENOUGH_MS || runs >= MOST {
            break (solution, spent / f64::from(runs));
        }
        more = if spent > 0.5 * ENOUGH_MS {
            1
        } else {
            runs.min(MOST - runs)
        };
    };
    let judged = residual_under(problem, settings.law, &solution.velocity, &solution.impulse);
    Ok(Timing {
        ms,
        iterations: solution.stats.iterations,
        factorisations: solution.stats.factorisations,
        fallbacks: solution.stats.fallbacks,
        residual: judged.worst(),
        solved: solution.status == Status::Solved && judged.within(&settings.tolerances),
    })
}
