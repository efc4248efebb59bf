//! Does it stand? By one step from rest, BRT after equation 30, or by the limit program where ties and crushing set limits.

use drystone_cone::{
    LimitSettings, LimitStatus, Settings, Solution, Solver, StepProblem, Tolerances, solve_limit,
};
use drystone_model::{Joints, STATICS_TOLERANCE};

use super::balance::unbalanced;
use super::posed::Posed;
use super::proof::{Bounds, Forces, by_bounds, falls};
use super::sharing::share;
use super::{StaticsFault, aimed, largest_speed};

/// Length of the step from rest, s. Verdicts do not depend on it: velocities are in proportion.
pub(crate) const STEP: f64 = 1e-3;

/// Blocks lighter than this part of the heaviest one count as heavy as that: inertia has no say in what stands, and steps lose the digits of
/// what is lighter.
const LIGHTEST: f64 = 1e-4;

/// Whether a structure stands under loads.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// It does.
    pub stands: bool,
    /// Velocity per body a millisecond after the loads are put on, m/s and rad/s; zero if it stands. Where the limit program decides: the
    /// mechanism, scaled so that its fastest block has the speed of free fall.
    pub velocity: Vec<[f64; 6]>,
    /// Velocities are those of a step, and not a mechanism without a speed of its own.
    pub stepped: bool,
    /// Of the fastest block, m/s.
    pub max_speed: f64,
    /// Forces of contacts, local components, N. Not unique.
    pub force: Vec<[f64; 3]>,
    /// Tensions of ties, N.
    pub tension: Vec<f64>,
    /// Worst residual of the solver.
    pub residual: f64,
    /// The verdict is proved: by forces that balance every block, or by a motion on which the loads do work.
    pub solved: bool,
    /// Both bounds, less one, of the factor up to which the loads are borne, where the limit program found them: of the loads themselves where ties or joints decide, otherwise on the way to them from evenly pressed joints. Positive stands.
    pub margin: Option<[f64; 2]>,
}

impl Standing {
    /// Too near to the limit to tell.
    pub fn is_marginal(&self) -> bool {
        !self.solved && self.margin.is_some()
    }
}

/// Whether a structure stands under loads, N and N m per body: by the forces or the velocities of a step from rest or, where these prove nothing, by both bounds of the limit program.
pub fn standing(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
) -> Result<Standing, StaticsFault> {
    if is_idle(posed, loads) {
        return Ok(Standing {
            stands: true,
            velocity: vec![[0.0; 6]; loads.len()],
            stepped: true,
            max_speed: 0.0,
            force: vec![[0.0; 3]; posed.statics.contacts.len()],
            tension: vec![0.0; posed.ties.len()],
            residual: 0.0,
            solved: true,
            margin: None,
        });
    }
    // Mortar counts in all of these. What falls with ties and joints that bear everything falls with weaker ones. Asked first, because the limit program then has no
    // multiplier but zero, at which nothing has any room.
    let strong = by_step(posed, loads, tolerance)?;
    let bears = || posed.within_limits(&strong.force, &strong.tension);
    if strong.solved && (!strong.stands || bears()) {
        return Ok(strong);
    }
    if posed.is_plain() {
        return Ok(strong);
    }
    let weak = by_limits(posed, loads, tolerance)?;
    if weak.stands && strong.is_marginal() {
        // Limits only take away from what is at the limit without them.
        return Ok(strong);
    }
    Ok(weak)
}

/// Nothing pulls or pushes: no force is needed, and all relative measures would be nothing over nothing.
pub(crate) fn is_idle(posed: &Posed<'_>, loads: &[[f64; 6]]) -> bool {
    let drawn = posed.statics.model.ties.iter();
    loads.iter().flatten().all(|&load| load == 0.0)
        && drawn.into_iter().all(|tie| tie.initial_force <= 0.0)
}

/// Those of the step from rest, at which a structure that stands is still: in proportion to what is asked for.
fn tolerances(tolerance: f64) -> Tolerances {
    let share = tolerance / STATICS_TOLERANCE;
    let Tolerances {
        momentum,
        primal,
        gap,
    } = Tolerances::validation();
    // Better than a hundredth of these is lost in rounding.
    let [momentum, primal, gap] = [momentum, primal, gap].map(|x| x * share.max(1e-2));
    Tolerances {
        momentum,
        primal,
        gap,
    }
}

/// One step from rest, with ties and joints that bear everything.
fn by_step(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
) -> Result<Standing, StaticsFault> {
    let statics = &posed.statics;
    let (mut problem, tempered) = tempered_step(posed, loads);
    problem.contacts.extend(posed.tie_contacts());
    let mut solver = Solver::new(Settings {
        tolerances: tolerances(tolerance),
        ..Settings::default()
    });
    let contacts = statics.contacts.len();
    let forces = |solution: &Solution| -> Forces {
        let (own, ties) = solution.impulse.split_at(contacts);
        let own = own.iter().map(|r| r.map(|r| r / STEP));
        (own.collect(), ties.iter().map(|r| r[0] / STEP).collect())
    };
    let balance = |(force, tension): &Forces, tolerance: f64| {
        unbalanced(posed, loads, force, tension) <= tolerance
    };
    let speed = |solution: &Solution| largest_speed(&solution.velocity, &statics.bodies.radii);
    // Forces that balance prove that it stands, whatever became of the step, and velocities of zero prove nothing: the solver takes those for rest
    // that are within its tolerance for the island, in which light blocks hardly count.
    let mut solution = solver.solve(&problem, None)?;
    let mut force = forces(&solution);
    let mut stands = balance(&force, aimed(tolerance));
    let fall = |problem: &StepProblem, solution: &Solution| {
        let impulses = solution.impulse.iter();
        let force: Vec<[f64; 3]> = impulses.map(|r| r.map(|r| r / STEP)).collect();
        falls(posed, problem, loads, &solution.velocity, &force)
    };
    // The step knows friction alone. Forces that it finds are within mortar too; its velocities say nothing where there is some.
    let dry = posed.bonds.is_empty();
    let mut solved = stands || (dry && fall(&problem, &solution));
    let (mut margin, mut mechanism) = (None, None);
    if !solved {
        match by_bounds(posed, &problem, loads, tolerance)? {
            Bounds::Stands(found) => (stands, solved, force) = (true, true, found),
            Bounds::Falls(motion) => (solved, mechanism) = (true, Some(motion)),
            Bounds::Marginal(bounds) => margin = Some(bounds),
            Bounds::Unsolved => {}
        }
    }
    if !stands && tempered && dry {
        // How fast it falls is a matter of inertia: that of blocks as they are.
        let mut real = statics.step_problem(loads, STEP);
        real.contacts.extend(posed.tie_contacts());
        let found = solver.solve(&real, None)?;
        let proves = fall(&real, &found);
        if !solved {
            // Where weights differ by orders of magnitude digits are lost, and no bounds are that sharp.
            stands = balance(&forces(&found), tolerance);
            solved = stands || proves;
        } else if !proves && mechanism.is_none() {
            // Light blocks may be lost in its rounding; the motion that proves the fall has no speed of its own then.
            mechanism = Some(solution.velocity.clone());
        }
        if stands || proves || !solved {
            force = forces(&found);
            solution = found;
        }
    }
    if !solved && (tempered || margin.is_none()) {
        // Without sharp bounds, forces of compliant contacts that leave no more than is admissible.
        let shared = share(posed, loads, Joints::Rigid, tolerance)?;
        let shared = (shared.force, shared.tension);
        stands = balance(&shared, tolerance);
        if stands {
            (force, solved) = (shared, true);
        }
    }
    let (force, tension) = force;
    // A motion without a speed of its own, if the step is too slow to tell.
    let stepped = mechanism.is_none();
    let (velocity, max_speed) = match mechanism {
        _ if stands => (vec![[0.0; 6]; loads.len()], 0.0),
        Some(motion) => falling(posed, &motion),
        None => {
            let max_speed = speed(&solution);
            (solution.velocity, max_speed)
        }
    };
    Ok(Standing {
        stands,
        stepped,
        max_speed,
        force,
        velocity,
        tension,
        residual: solution.residual.worst(),
        solved,
        margin,
    })
}

/// The step from rest, with light blocks made heavier under the same loads; whether there are any.
pub(crate) fn tempered_step(posed: &Posed<'_>, loads: &[[f64; 6]]) -> (StepProblem, bool) {
    let mut problem = posed.statics.step_problem(loads, STEP);
    let least = LIGHTEST * problem.mass.iter().copied().fold(0.0, f64::max);
    let mut any = false;
    for (body, mass) in problem.mass.iter_mut().enumerate() {
        if *mass < least {
            let more = least / *mass;
            *mass = least;
            problem.rotational[body].iter_mut().for_each(|j| *j *= more);
            problem.free_velocity[body]
                .iter_mut()
                .for_each(|v| *v /= more);
            any = true;
        }
    }
    (problem, any)
}

/// A mechanism, scaled so that its fastest block has the speed of free fall after a step, and that speed, m/s.
fn falling(posed: &Posed<'_>, mechanism: &[[f64; 6]]) -> (Vec<[f64; 6]>, f64) {
    let statics = &posed.statics;
    let fastest = largest_speed(mechanism, &statics.bodies.radii);
    let fall = statics.model.gravity.max(1.0) * STEP;
    let scale = if fastest > 0.0 { fall / fastest } else { 0.0 };
    let scaled = mechanism.iter().map(|v| v.map(|x| x * scale));
    (scaled.collect(), fall)
}

/// Loads are carried if they can be multiplied by one or more: by the multiplier of forces, a lower bound, less what these leave out of balance. They are not if the multiplier of a mechanism, an upper bound, is less than one.
/// Few structures are so near to one that all digits are needed.
fn by_limits(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
) -> Result<Standing, StaticsFault> {
    let rough = by_limit(posed, loads, tolerance, aimed(tolerance))?;
    if rough.solved {
        return Ok(rough);
    }
    by_limit(posed, loads, tolerance, aimed(aimed(tolerance)))
}

fn by_limit(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    tolerance: f64,
    solver: f64,
) -> Result<Standing, StaticsFault> {
    let none = vec![[0.0; 6]; loads.len()];
    let problem = posed.limit_problem(none.clone(), loads.to_vec());
    let settings = LimitSettings {
        tolerance: solver,
        ..LimitSettings::default()
    };
    let solution = solve_limit(&problem, &settings)?;
    let residual = solution.residual.worst();
    let [low, high] = [solution.multiplier, solution.upper];
    let margin = [
        low.min(high) - residual - 1.0,
        low.max(high) + residual - 1.0,
    ];
    // What carries next to nothing in a certificate counts in it as nothing, whatever it bears.
    let endless = solution.status == LimitStatus::Unbounded
        && posed.within_limits(&solution.force, &solution.tension);
    let stands = endless || margin[0] >= 0.0;
    let bounded = margin.iter().all(|x| x.is_finite()) && residual <= tolerance;
    let mut standing = Standing {
        stands,
        velocity: none,
        stepped: false,
        max_speed: 0.0,
        force: solution.force,
        tension: solution.tension,
        residual,
        solved: match solution.status {
            LimitStatus::Unbounded => endless,
            LimitStatus::Infeasible => true,
            LimitStatus::Optimal | LimitStatus::Inaccurate => {
                bounded && (stands || margin[1] < 0.0)
            }
        },
        margin: bounded.then_some(margin),
    };
    if !stands {
        (standing.velocity, standing.max_speed) = falling(posed, &solution.velocity);
    } else if low.is_finite() && low > 0.0 {
        // Forces of loads that are multiplied; those of the loads themselves are as many times smaller.
        let scale = 1.0 / low;
        standing
            .force
            .iter_mut()
            .flatten()
            .for_each(|x| *x *= scale);
        standing.tension.iter_mut().for_each(|x| *x *= scale);
    }
    Ok(standing)
}
