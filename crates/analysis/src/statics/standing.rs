//! Does it stand? By one step from rest, BRT after equation 30, or by the limit program where ties and crushing set limits.

use drystone_cone::{
    LimitSettings, LimitStatus, Settings, Solver, Status, Tolerances, solve_limit,
};
use drystone_model::Joints;

use super::posed::Posed;
use super::sharing::shared;
use super::{StaticsFault, largest_speed};

/// Length of the step from rest, s. Verdicts do not depend on it: velocities are in proportion.
pub(crate) const STEP: f64 = 1e-3;

/// Speeds below this fraction of what gravity gives in the step are the solver's.
const REST: f64 = 1e-7;

/// Up to this fraction the step alone does not tell: near the limit of what stands, velocities are as inaccurate as the root of the solver's
/// tolerance.
const DOUBTFUL: f64 = 1e-2;

/// In doubt it stands if forces with compliant contacts leave less than this out of balance.
pub(crate) const BALANCED: f64 = 1e-6;

/// Loads up to this much less than what can be carried count as carried: the tolerance of the limit program.
const CARRIED: f64 = 1e-7;

/// Whether a structure stands under loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// It does.
    pub stands: bool,
    /// Velocity per body a millisecond after the loads are put on, m/s and rad/s; zero if it stands. Where ties or crushing set limits: the
    /// mechanism, scaled so that its fastest block has the speed of free fall.
    pub velocity: Vec<[f64; 6]>,
    /// Of the fastest block, m/s.
    pub max_speed: f64,
    /// Forces of contacts, local components, N. Not unique.
    pub force: Vec<[f64; 3]>,
    /// Tensions of ties, N.
    pub tension: Vec<f64>,
    /// Worst residual of the solver.
    pub residual: f64,
    /// The solver met its tolerance.
    pub solved: bool,
}

/// Whether a structure stands under loads, N and N m per body.
pub fn standing(posed: &Posed<'_>, loads: &[[f64; 6]]) -> Result<Standing, StaticsFault> {
    if posed.is_plain() {
        by_step(posed, loads)
    } else {
        by_limits(posed, loads)
    }
}

fn by_step(posed: &Posed<'_>, loads: &[[f64; 6]]) -> Result<Standing, StaticsFault> {
    let statics = &posed.statics;
    let problem = statics.step_problem(loads, STEP);
    let mut solver = Solver::new(Settings {
        tolerances: Tolerances::validation(),
        ..Settings::default()
    });
    let solution = solver.solve(&problem, None)?;
    let max_speed = largest_speed(&solution.velocity, &statics.bodies.radii);
    let mut stands = max_speed <= REST * problem.speed_scale;
    let mut solved = solution.status != Status::Inaccurate;
    if !stands && max_speed <= DOUBTFUL * problem.speed_scale {
        let shared = shared(posed, loads, Joints::Rigid)?;
        stands = shared.unbalanced <= BALANCED;
        // Forces that balance prove it, whatever became of the step.
        solved |= stands;
    }
    Ok(Standing {
        stands,
        max_speed: if stands { 0.0 } else { max_speed },
        force: solution
            .impulse
            .iter()
            .map(|r| r.map(|r| r / STEP))
            .collect(),
        velocity: if stands {
            vec![[0.0; 6]; loads.len()]
        } else {
            solution.velocity
        },
        tension: Vec::new(),
        residual: solution.residual.worst(),
        solved,
    })
}

/// Loads are carried if they can be multiplied by one or more.
fn by_limits(posed: &Posed<'_>, loads: &[[f64; 6]]) -> Result<Standing, StaticsFault> {
    let statics = &posed.statics;
    let none = vec![[0.0; 6]; loads.len()];
    if loads.iter().flatten().all(|&x| x == 0.0) {
        return Ok(Standing {
            stands: true,
            velocity: none,
            max_speed: 0.0,
            force: vec![[0.0; 3]; statics.contacts.len()],
            tension: vec![0.0; posed.ties.len()],
            residual: 0.0,
            solved: true,
        });
    }
    let problem = posed.limit_problem(none.clone(), loads.to_vec());
    let solution = solve_limit(&problem, &LimitSettings::default())?;
    let stands = solution.status == LimitStatus::Unbounded || solution.multiplier >= 1.0 - CARRIED;
    let mut standing = Standing {
        stands,
        velocity: none,
        max_speed: 0.0,
        force: solution.force,
        tension: solution.tension,
        residual: solution.residual.worst(),
        solved: solution.status != LimitStatus::Inaccurate,
    };
    if !stands {
        let fastest = largest_speed(&solution.velocity, &statics.bodies.radii);
        let fall = statics.model.gravity.max(1.0) * STEP;
        let scale = if fastest > 0.0 { fall / fastest } else { 0.0 };
        standing.velocity = solution
            .velocity
            .iter()
            .map(|v| v.map(|x| x * scale))
            .collect();
        standing.max_speed = fall;
    } else if solution.multiplier.is_finite() && solution.multiplier > 0.0 {
        // Forces of loads that are multiplied; those of the loads themselves are as many times smaller.
        let scale = 1.0 / solution.multiplier;
        standing
            .force
            .iter_mut()
            .flatten()
            .for_each(|x| *x *= scale);
        standing.tension.iter_mut().for_each(|x| *x *= scale);
    }
    Ok(standing)
}
