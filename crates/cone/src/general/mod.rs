//! The contact problem in general form, for degrees of freedom of any kind.
//!
//! # The problem
//!
//! With `M` symmetric positive definite, `D` three columns per contact (normal first), and the cones `K = {|r_T| <= mu r_N}` and
//! `K* = {mu |u_T| <= u_N}` of each contact, [`GeneralProblem`] asks for
//!
//! ```text
//! min_v 1/2 v' M v - f' v   subject to   D' v + w ∈ K*
//! ```
//!
//! whose optimality conditions are `M v - f = D r`, `u = D' v + w`, `K* ∋ u ⊥ r ∈ K`. It is convex, and has exactly one `v` if any
//! velocity satisfies the constraints; `r` need not be unique, but `D r` is. Eliminating `v` leaves [`LocalProblem`], the form in which FCLIB collects
//! problems: `u = W r + q`, `K* ∋ u ⊥ r ∈ K`, with `W = D' M^-1 D` and `q = D' M^-1 f + w`. There `W` may be singular, `r` need not be
//! unique, and `W r`, hence `u`, is. Its variational form is `min_r 1/2 r' W r + q' r` over `K`.
//!
//! Under [`Law::Associated`] that is all. Under [`Law::Coulomb`] the condition is `K* ∋ u + mu |u_T| n ⊥ r ∈ K`, which no convex problem has as its
//! optimality condition; for a given correction `c = mu |u_T|` it is the problem above with `w_N + c`. The answer is a fixed point of the map from one correction
//! to the next. **Where there are several**, it is the one that the iteration reaches from no correction at all, which is the answer of the associated law: as
//! if everything had been at rest. What friction can hold is held.
//!
//! # How it is solved
//!
//! * [`Route::Rigid`]: the degrees of freedom come in groups of six (velocity, angular velocity, both in world axes) or, in a plane, three; `M` is a mass and a rotational
//!   block per group; a contact touches one or two groups with an orthonormal frame, opposite on both, and the moments of an arm. This is seen in the numbers, to
//!   rounding, and such a problem is a [`StepProblem`], which [`Solver`] solves at its speed. (Rotations in axes of bodies are not recognised.)
//! * [`Route::General`]: Clarabel on the problem made dimensionless, then Newton's method on `r = P_K(r - rho u)` if its answer is not within tolerance. Under
//!   Coulomb's law rounds of this, accelerated by Anderson's method; then, where they go round in circles, Gauss-Seidel with Newton's method from where it has come.
//!
//! Whoever solved, residuals are recomputed from the problem's own numbers ([`GeneralResidual`]).

mod factor;
mod fault;
mod judge;
mod newton;
mod problem;
mod program;
mod rigid;
mod route;
mod scaled;
mod solution;
mod sparse;
mod spectrum;
mod sweeps;

pub use fault::GeneralFault;
pub use judge::{general_residual, local_residual};
pub use problem::{GeneralProblem, LocalProblem};
pub use solution::{GeneralResidual, GeneralSettings, GeneralSolution, GeneralStatus, Route};
pub use sparse::{SparseMatrix, Stored, SymmetricMatrix};

use std::cmp::Ordering;

use judge::{Scales, contact_residual, judge_general, local_velocity, relative_velocity, triple};
use problem::{Sound, SoundLocal};
use scaled::{Point, Scaled};

use crate::cones::velocity_distance;
use crate::{Law, Settings, Solver, Status, StepProblem, Tolerances};

/// The rigid route is not asked for less than this: below, its own rounding decides, and Newton's method is what helps.
const LEAST_TOLERANCE: f64 = 1e-11;

/// Rounds at most in which a diagonal that was raised is made up for. What is left halves or better in each where it can be made up for at all.
const ROUNDS: u32 = 30;

/// Solves a problem in general form. An `Err` means that the question could not be asked; whatever happens to a valid question is told by
/// [`GeneralSolution::status`].
///
/// ```
/// use drystone_cone::{GeneralProblem, GeneralSettings, SparseMatrix, Stored, SymmetricMatrix, solve_general};
///
/// // A point of 2 kg that falls at 1 m/s onto the ground while it moves along at 3 m/s, with friction 0.5.
/// let unit = |x: f64| SparseMatrix::from_triplets(3, 3, (0..3).map(|k| (k, k, x)));
/// let problem = GeneralProblem {
///     inertia: SymmetricMatrix { matrix: unit(2.0)?, stored: Stored::Full },
///     force: vec![-2.0, 6.0, 0.0],
///     directions: unit(1.0)?,
///     offset: vec![0.0; 3],
///     friction: vec![0.5],
/// };
/// let answer = solve_general(&problem, &GeneralSettings::default())?;
/// // The associated law: it slides on and lifts off at half its speed.
/// assert!((answer.velocity[1] - 2.0).abs() < 1e-6 && (answer.velocity[0] - 1.0).abs() < 1e-6);
/// # Ok::<(), drystone_cone::GeneralFault>(())
/// ```
pub fn solve_general(
    problem: &GeneralProblem,
    settings: &GeneralSettings,
) -> Result<GeneralSolution, GeneralFault> {
    settings.validate()?;
    let sound = problem.sound()?;
    let scales = Scales::of_general(problem, &sound);
    let rigid = match settings.route {
        Some(Route::General) => None,
        Some(Route::Rigid) => Some(
            rigid::recognise(problem, &sound, scales)
                .map_err(|why| GeneralFault::NotRigid { why })?,
        ),
        None => rigid::recognise(problem, &sound, scales).ok(),
    };
    let route = match rigid {
        Some(_) => Route::Rigid,
        None => Route::General,
    };
    let general = General {
        problem,
        sound: &sound,
        scales,
        settings,
    };
    let nothing = vec![0.0; problem.offset.len()];
    let untouched = general.answer(sound.free.clone(), nothing, route);
    if admissible(&problem.friction, &sound.local_offset) {
        return Ok(untouched);
    }
    if problem.size() == 0 {
        return Ok(general.without_freedoms(untouched));
    }
    let scaled = Scaled::general(problem, &sound, scales).ok_or(GeneralFault::Range {
        field: "M, D and w",
    })?;
    let mut best: Option<GeneralSolution> = None;
    if let Some(step) = &rigid {
        let answer = general.by_bodies(step, &scaled);
        let done = answer.status != GeneralStatus::Inaccurate || settings.route.is_some();
        if done {
            return Ok(answer);
        }
        best = Some(answer);
    }
    let answer = general.by_clarabel(&scaled);
    Ok(match best {
        Some(best) => better(best, answer),
        None => answer,
    })
}

/// The answer to be trusted more: a solution before a certificate that there is none, both before what is inaccurate; of the same status the one with the
/// smaller residual. Residuals alone would drop certificates: what solves a softened problem has larger ones than the best attempt at the problem as posed.
fn better(one: GeneralSolution, other: GeneralSolution) -> GeneralSolution {
    let rank = |answer: &GeneralSolution| match answer.status {
        GeneralStatus::Solved => 0,
        GeneralStatus::Infeasible => 1,
        GeneralStatus::Inaccurate => 2,
    };
    // A residual that is not a number is larger than all that are.
    let size = |answer: &GeneralSolution| answer.residual.worst().abs();
    match rank(&one).cmp(&rank(&other)) {
        Ordering::Less => one,
        Ordering::Greater => other,
        Ordering::Equal if size(&one).total_cmp(&size(&other)).is_le() => one,
        Ordering::Equal => other,
    }
}

/// Solves a problem in local form; see [`solve_general`]. The answer has no velocities of degrees of freedom.
pub fn solve_local(
    problem: &LocalProblem,
    settings: &GeneralSettings,
) -> Result<GeneralSolution, GeneralFault> {
    settings.validate()?;
    let SoundLocal { delassus, shift } = problem.sound()?;
    if settings.route == Some(Route::Rigid) {
        let why = "the local form does not distinguish bodies".to_string();
        return Err(GeneralFault::NotRigid { why });
    }
    let scales = Scales::of_local(&delassus, problem);
    let answer = |reaction: Vec<f64>| {
        let u = local_velocity(&delassus, &problem.offset, &reaction);
        let friction = &problem.friction;
        let residual = contact_residual(friction, settings.law, &u, &reaction, scales);
        GeneralSolution {
            velocity: Vec::new(),
            reaction,
            relative_velocity: u,
            residual,
            iterations: 0,
            outer: 0,
            status: status(&residual, false, settings),
            route: Route::General,
            shifted_by: 0.0,
        }
    };
    let untouched = answer(vec![0.0; problem.offset.len()]);
    if admissible(&problem.friction, &problem.offset) {
        return Ok(untouched);
    }
    let in_units = |problem: &LocalProblem, delassus: &SparseMatrix| {
        Scaled::local(problem, delassus, scales).ok_or(GeneralFault::Range { field: "W and q" })
    };
    let unit = scales.impulse();
    let back = |point: &Point| answer(point.z.iter().map(|z| z * unit).collect());
    let Some(raised) = spectrum::shifted(&delassus, shift).filter(|_| shift > 0.0) else {
        let reached = route::run(&in_units(problem, &delassus)?, settings);
        let mut found = back(&reached.point);
        found.iterations = reached.iterations;
        found.outer = reached.outer;
        found.status = status(&found.residual, reached.infeasible, settings);
        return Ok(found);
    };
    // What the raised diagonal adds to velocities is taken off again with the reactions of the round before, until nothing is left of it.
    let mut reached = route::run(&in_units(problem, &raised)?, settings);
    let mut found = back(&reached.point);
    let mut last = found.reaction.clone();
    for _ in 0..ROUNDS {
        if found.within(settings) || reached.infeasible {
            break;
        }
        let mut nearer = problem.clone();
        let offsets = nearer.offset.iter_mut().zip(&last);
        offsets.for_each(|(q, r)| *q -= shift * r);
        let next = route::run(&in_units(&nearer, &raised)?, settings);
        reached.iterations += next.iterations;
        reached.outer += next.outer;
        let better = back(&next.point);
        last.clone_from(&better.reaction);
        if better.residual.worst() < found.residual.worst() {
            found = better;
        }
    }
    found.iterations = reached.iterations;
    found.outer = reached.outer;
    found.status = status(&found.residual, reached.infeasible, settings);
    found.shifted_by = shift;
    Ok(found)
}

/// Whether contacts are content without reactions, under the associated law: under Coulomb's more are, but where it has several answers those are not
/// the ones that friction holds.
fn admissible(friction: &[f64], relative_velocity: &[f64]) -> bool {
    let contacts = friction.iter().enumerate();
    contacts.into_iter().all(|(c, &mu)| {
        let u = triple(relative_velocity, c);
        velocity_distance(mu, &u) == 0.0
    })
}

fn status(
    residual: &GeneralResidual,
    infeasible: bool,
    settings: &GeneralSettings,
) -> GeneralStatus {
    if residual.worst() <= settings.tolerance {
        GeneralStatus::Solved
    } else if infeasible {
        GeneralStatus::Infeasible
    } else {
        GeneralStatus::Inaccurate
    }
}

impl GeneralSolution {
    fn within(&self, settings: &GeneralSettings) -> bool {
        self.residual.worst() <= settings.tolerance
    }
}

/// A sound problem on its way to an answer.
struct General<'a> {
    problem: &'a GeneralProblem,
    sound: &'a Sound,
    scales: Scales,
    settings: &'a GeneralSettings,
}

impl General<'_> {
    /// `(v, r)` with what the judge says.
    fn answer(&self, velocity: Vec<f64>, reaction: Vec<f64>, route: Route) -> GeneralSolution {
        let law = self.settings.law;
        let residual = judge_general(self.problem, self.sound, law, &velocity, &reaction);
        GeneralSolution {
            relative_velocity: relative_velocity(self.problem, &velocity),
            velocity,
            reaction,
            residual,
            iterations: 0,
            outer: 0,
            status: status(&residual, false, self.settings),
            route,
            shifted_by: 0.0,
        }
    }

    /// Nothing can be moved: velocities are what they are.
    fn without_freedoms(&self, mut answer: GeneralSolution) -> GeneralSolution {
        if !answer.within(self.settings) {
            answer.status = GeneralStatus::Infeasible;
        }
        answer
    }

    /// Units of a degree of freedom's velocity in [`Scaled`].
    fn unit(&self, freedom: usize) -> f64 {
        self.scales.speed / (self.scales.lightness * self.sound.inertia.at(freedom, freedom)).sqrt()
    }

    fn back(&self, point: &Point, route: Route) -> GeneralSolution {
        let free = self.sound.free.iter().zip(&point.x).enumerate();
        let velocity = free.map(|(k, (free, x))| free + x * self.unit(k)).collect();
        let impulse = self.scales.impulse();
        let reaction = point.z.iter().map(|z| z * impulse).collect();
        self.answer(velocity, reaction, route)
    }

    fn by_clarabel(&self, scaled: &Scaled) -> GeneralSolution {
        let reached = route::run(scaled, self.settings);
        let mut answer = self.back(&reached.point, Route::General);
        answer.iterations = reached.iterations;
        answer.outer = reached.outer;
        answer.status = status(&answer.residual, reached.infeasible, self.settings);
        answer
    }

    /// The step solver, and Newton's method if it is not within tolerance.
    fn by_bodies(&self, step: &StepProblem, scaled: &Scaled) -> GeneralSolution {
        let settings = self.step_settings(step);
        // Recognition leaves nothing that the step solver refuses; if it does, the other route answers.
        let Ok(found) = Solver::new(settings).solve(step, None) else {
            return self.back(&scaled.nothing(), Route::Rigid);
        };
        let size = self.problem.size() / step.bodies();
        let place = |k: usize| if size == 3 && k == 2 { 5 } else { k };
        let point = Point {
            x: (0..self.problem.size())
                .map(|k| found.velocity[k / size][place(k % size)] / self.unit(k))
                .collect(),
            z: (found.impulse.iter().flatten())
                .map(|r| r / self.scales.impulse())
                .collect(),
        };
        let mut answer = self.back(&point, Route::Rigid);
        answer.iterations = found.stats.iterations;
        answer.outer = match self.settings.law {
            Law::Associated => 1,
            Law::Coulomb => found.stats.outer,
        };
        let infeasible = found.status == Status::Infeasible;
        if !answer.within(self.settings) && !infeasible {
            let (point, _, steps) = route::finish(scaled, &point, self.settings);
            let polished = self.back(&point, Route::Rigid);
            answer.iterations += steps;
            if polished.residual.worst() < answer.residual.worst() {
                answer = GeneralSolution {
                    iterations: answer.iterations,
                    outer: answer.outer,
                    ..polished
                };
            }
        }
        answer.status = status(&answer.residual, infeasible, self.settings);
        answer
    }

    /// The step solver measures sums over bodies and contacts, the judge here the worst of them.
    fn step_settings(&self, step: &StepProblem) -> Settings {
        let wanted = 0.3 * self.settings.tolerance;
        let heavy = step.mass.iter().sum::<f64>() * self.scales.lightness;
        let mean = heavy / step.bodies().max(1) as f64;
        let at_least = |x: f64| x.max(LEAST_TOLERANCE);
        let usual = Settings::default();
        Settings {
            law: self.settings.law,
            tolerances: Tolerances {
                momentum: at_least(wanted / heavy.sqrt().max(1.0)),
                primal: at_least(wanted / mean.max(1.0)),
                gap: at_least(wanted / heavy.max(1.0)),
            },
            // More iterations than the step solver allows itself mean trouble, which its other methods end sooner.
            max_iterations: self.settings.max_iterations.min(usual.max_iterations),
            max_outer: self.settings.max_outer,
            rest_rule: false,
            ..usual
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: GeneralStatus, primal: f64) -> GeneralSolution {
        GeneralSolution {
            velocity: Vec::new(),
            reaction: Vec::new(),
            relative_velocity: Vec::new(),
            residual: GeneralResidual {
                primal,
                ..GeneralResidual::default()
            },
            iterations: 0,
            outer: 0,
            status,
            route: Route::Rigid,
            shifted_by: 0.0,
        }
    }

    #[test]
    fn a_certificate_is_worth_more_than_a_small_residual() {
        let short = answer(GeneralStatus::Inaccurate, 1e-6);
        let none = answer(GeneralStatus::Infeasible, 0.3);
        let solved = answer(GeneralStatus::Solved, 1e-9);
        let worse = answer(GeneralStatus::Inaccurate, 1e-5);
        let lost = answer(GeneralStatus::Inaccurate, f64::NAN);
        for (good, bad) in [
            (&none, &short),
            (&solved, &short),
            (&solved, &none),
            (&short, &worse),
            (&short, &lost),
        ] {
            assert_eq!(better(good.clone(), bad.clone()), *good);
            assert_eq!(better(bad.clone(), good.clone()), *good);
        }
    }
}
