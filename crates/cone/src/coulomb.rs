//! Coulomb friction as a fixed point of convex problems.
//!
//! With the correction of de Saxcé and Feng the law reads `K* ∋ u + mu |u_T| n ⊥ r ∈ K`. For a given correction
//! `c = mu |u_T|` this is the convex problem with `c` added to the normal offset; its solution gives the next `c`.
//!
//! The map from one correction to the next is no contraction where many blocks slide at once, and may go round in circles. Where every contact yields, if
//! only a little, two other methods come first, both from the guess: if that is near, Newton's on the velocities alone ([`newton`]), which takes three to ten cheap iterations;
//! otherwise, or if it does not succeed, the interior-point method with the correction as an unknown ([`sliding`]). Rigid contacts may have many answers, and these methods would choose the one that presses hardest. So for them, and where both fail, in turn:
//!
//! 1. Rounds of the fixed point. Where little slides one to three of them end it.
//! 2. From the second round on, now and then, the interior-point method with the correction as an unknown, from where the
//!    fixed point has come. It succeeds or leaves the fixed point alone, unless it has come ten times nearer.
//! 3. At last Gauss-Seidel, with that method from where it has come.
//!
//! These take hundreds of iterations. Whoever can ask an easier question instead, as a time step can that is cut in halves, does without them: `max_outer = 0`.
//!
//! **Which answer.** Coulomb's law may have several: a block pinched between two walls that just touch it may hang, fall freely, or anything
//! between, because nothing says how hard the walls press; columns under a beam may turn with it, held by friction, or run ahead of it. The answer is the one that continues the guess, which is the
//! state of the last step. Newton's method begins with friction that is bounded by the pressures of the last step, whatever they become: that is a convex problem and has one answer, in which what stuck sticks as long as
//! those pressures hold it. From there to the law itself it is a small way. (From the guess itself it may lead to contacts that all let go at once, because they do so in the first linearisation.) The other methods begin with the correction of
//! the guess, which is the slip of the last step. What was at rest has none and begins with the associated law, under which sliding would have
//! to push the walls apart: it stays at rest wherever friction allows. What slid has just the correction that its slip needs: it slides on
//! at its speed where friction allows. Without a guess it is as from rest. So the state continues, whatever it is.

use crate::anderson::Anderson;
use crate::chain::{self, Part, accept_guess, at_rest, usable};
use crate::interior_point::newton::{self, Friction, NewtonRun};
use crate::interior_point::{Ending, sliding};
use crate::residual::{residual_under, scales};
use crate::soften::{soften, softened_residual};
use crate::sweeps::Sweeps;
use crate::workspace::Workspace;
use crate::{Law, Method, Settings, Stats, Status, StepProblem, Tolerances, Warm};

/// Gap of the convex problems in units of the tolerance. The velocities of one round feed the next; they are off by some ten times
/// the gap, and by its root where impulse and velocity vanish both: it has to be far below the tolerance on velocities.
const INNER_GAP: f64 = 1e-3;

/// Rounds remembered by the acceleration; plain iteration needs about twice as many rounds in all.
const MEMORY: usize = 10;

/// Rounds without progress after which the acceleration forgets: near the end differences between rounds are noise, and
/// combinations of noise lead nowhere.
const PATIENCE: u32 = 5;

/// Passes of a run of Newton's method from a guess that is near, shortened steps and those with an old matrix included: three to eight are usual.
const NEARBY: u32 = 16;
/// Largest imbalance of a guess that is near, in units of `v_ref`; guesses of small motions have some hundredths. While friction is bounded beforehand that bound falls by a factor with every iteration. A run that exceeds it finds its way in the end, but no sooner than the interior-point method.
const NEAR: f64 = 0.3;
const FALLING: f64 = 0.5;
/// Iterations of the interior-point method in steps that may be halved: most take 10 to 15, and after so many half a step is the shorter way.
const BEFORE_HALVING: u32 = 30;
/// The first of both runs only says where the second begins: it ends with this imbalance, in units of `v_ref`. An exact one takes an iteration more, and columns under a beam stay together either way. Ten times as much saves another iteration, but they came apart at 0.25 ms in the one build that was tried with it, which also began from other forces.
const ROUGH: f64 = 1e-3;
/// Margins of the interior-point method from the guess, in units of the first: what meets a fold on one way mostly passes on another.
const FROM_GUESS: [f64; 3] = [1.0, 3.0, 10.0];
/// Its margins from where others have come, one after the other: which of them passes the folds of the central path is not known beforehand.
const MARGINS: [f64; 6] = [0.1, 0.03, 0.3, 0.01, 1.0, 0.003];
/// Its answer replaces that of the fixed point if its residuals are smaller by this: less may be the floor of a wrong valley.
const FAR_BETTER: f64 = 0.1;

/// Sweeps of Gauss-Seidel before the interior-point method is tried from there, then twice as many each time, and updates of contacts at most:
/// about a second without that, because a step that fails can still be halved.
const FIRST_SWEEPS: u64 = 250;
const UPDATES: u64 = 2_000_000;

fn corrections(problem: &StepProblem, velocity: &[[f64; 6]], impulse: &[[f64; 3]]) -> Vec<f64> {
    let slip = |u: [f64; 3]| u[1].hypot(u[2]);
    problem
        .contacts
        .iter()
        .zip(impulse)
        .map(|(c, r)| c.friction * slip(problem.cone_velocity(c, velocity, r)))
        .collect()
}

/// Solves one island under Coulomb's law.
pub(crate) fn solve(
    problem: &StepProblem,
    warm: Option<Warm<'_>>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Part {
    if settings.check_first
        && let Some(part) = warm.and_then(|w| accept_guess(problem, w, settings, workspace))
    {
        stats.checked_only += 1;
        return part;
    }
    let part = solve_anew(problem, warm, settings, workspace, stats);
    let still = part.velocity.iter().flatten().all(|x| *x == 0.0);
    stats.at_rest += u32::from(still && part.status == Status::Solved);
    part
}

/// The same without a look at the guess itself.
fn solve_anew(
    problem: &StepProblem,
    warm: Option<Warm<'_>>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Part {
    let first = settings.method != Method::Clarabel && newton::applies(problem);
    if let Some(guess) = warm.filter(|w| first && usable(w)) {
        if settings.method != Method::InteriorPoint
            && let Some(part) = nearby(problem, guess, settings, workspace, stats)
        {
            return part;
        }
        let halves = settings.max_outer == 0;
        let tries = if halves { 1 } else { FROM_GUESS.len() };
        let mut last = None;
        for (attempt, &wider) in FROM_GUESS[..tries].iter().enumerate() {
            let mut run = sliding_run(guess, settings.warm_margin, settings);
            run.wider = wider;
            if halves {
                run.max_iterations = run.max_iterations.min(BEFORE_HALVING);
            }
            stats.fallbacks += u32::from(attempt > 0);
            match slide(problem, &run, settings, workspace, stats) {
                Some((part, excess)) if excess <= 1.0 => return part,
                found => last = found,
            }
        }
        stats.fallbacks += 1;
        if halves {
            return last.map_or_else(|| Part::nothing(problem), |(part, _)| part);
        }
    }
    fixed_point(problem, false, warm, settings, workspace, stats)
        // The whole law is softened, not only the convex problem that happened to have no solution.
        .or_else(|| fixed_point(&soften(problem), true, warm, settings, workspace, stats))
        .unwrap_or_else(|| Part::nothing(problem))
}

/// Newton's method, if the guess is near; `None` if it is not, or the method does not succeed.
///
/// First with friction that is bounded by the pressures of the guess. That is a convex problem: its answer is the only one, and the method finds it. Then, from there, under the law itself.
fn nearby(
    problem: &StepProblem,
    guess: Warm<'_>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Part> {
    let mut run = NewtonRun {
        tolerances: settings.tolerances,
        max_iterations: NEARBY,
        warm: Some(guess),
        farthest: NEAR,
        slowest: FALLING,
        least_softness: 0.0,
        each_body: false,
        rest: false,
    };
    let Tolerances {
        momentum, primal, ..
    } = &mut run.tolerances;
    (*momentum, *primal) = (momentum.max(ROUGH), primal.max(ROUGH));
    let held = newton::solve(problem, Friction::Held, &run, workspace, stats)
        .filter(|held| held.ending == Ending::Converged)?;
    run = NewtonRun {
        tolerances: settings.tolerances,
        slowest: 1.0,
        each_body: true,
        warm: Some(Warm {
            velocity: &held.velocity,
            impulse: &held.impulse,
        }),
        rest: settings.rest_rule,
        ..run
    };
    let found = newton::solve_again(problem, Friction::Coulomb, &run, workspace, stats)
        .filter(|found| found.ending == Ending::Converged)?;
    let rest = found.rest_impulse;
    if let Some(part) = rest.and_then(|r| at_rest(problem, &r, settings, workspace)) {
        return Some(part);
    }
    let (part, excess) = judged(problem, found.velocity, found.impulse, settings);
    (excess <= 1.0).then_some(part)
}

fn sliding_run<'a>(guess: Warm<'a>, margin: f64, settings: &Settings) -> sliding::SlidingRun<'a> {
    sliding::SlidingRun {
        tolerances: settings.tolerances,
        max_iterations: settings.max_iterations,
        proximal: settings.proximal,
        warm: guess,
        margin,
        wider: 1.0,
        rest: settings.rest_rule,
    }
}

/// `None` if one of the convex problems has no solution, which does not happen to a softened one.
fn fixed_point(
    problem: &StepProblem,
    softened: bool,
    warm: Option<Warm<'_>>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Part> {
    let judge = if softened {
        softened_residual
    } else {
        residual_under
    };
    let mut inner = *settings;
    inner.law = Law::Associated;
    inner.tolerances.gap = (INNER_GAP * settings.tolerances.gap).max(1e-12);
    inner.tolerances.primal *= 0.1;
    let speed = scales(problem).speed;

    let mut shifted = problem.clone();
    let mut correction = match warm {
        Some(w) if usable(&w) => corrections(problem, w.velocity, w.impulse),
        _ => vec![0.0; problem.contacts.len()],
    };
    let mut best: Option<(f64, Part)> = None;
    let mut anderson = Anderson::new(MEMORY);
    let mut since_best = 0;
    let mut guess: Option<Part> = None;
    let (mut slides, mut next_slide) = (0, 1);
    for round in 0..settings.max_outer.max(1) {
        for (k, contact) in shifted.contacts.iter_mut().enumerate() {
            contact.offset[0] = problem.contacts[k].offset[0] + correction[k];
        }
        let start = guess.as_ref().map(Part::warm).or(warm);
        let mut inside = Stats::default();
        let mut part = if softened {
            chain::solve_softened(&shifted, &inner, workspace, &mut inside)
        } else {
            chain::solve(&shifted, start, &inner, workspace, &mut inside)
        };
        // Rounds that only check or end at rest are no islands of their own.
        (inside.checked_only, inside.at_rest) = (0, 0);
        stats.add(&inside);
        stats.outer += 1;
        if !softened && part.softened.is_some() {
            return None;
        }
        let found = judge(problem, Law::Coulomb, &part.velocity, &part.impulse);
        part.softened = softened.then_some(found);
        let mut excess = found.excess(&settings.tolerances);
        if !softened && excess > 1.0 && round >= next_slide {
            let margin = MARGINS[slides as usize % MARGINS.len()];
            slides += 1;
            next_slide = round + slides;
            let other = slide(
                problem,
                &sliding_run(part.warm(), margin, settings),
                settings,
                workspace,
                stats,
            );
            if let Some((other, reached)) = other {
                let least = best.as_ref().map_or(excess, |(least, _)| least.min(excess));
                if reached <= 1.0 || reached < FAR_BETTER * least {
                    (part, excess) = (other, reached);
                    anderson.restart();
                }
            }
        }
        let next = corrections(problem, &part.velocity, &part.impulse);
        if excess <= 1.0 {
            part.status = if softened {
                Status::Infeasible
            } else {
                Status::Solved
            };
            return Some(part);
        }
        let change = correction
            .iter()
            .zip(&next)
            .fold(0.0_f64, |m, (a, b)| m.max((a - b).abs()))
            / speed;
        let improved = best.as_ref().is_none_or(|(least, _)| excess < *least);
        if improved {
            since_best = round;
        }
        if round >= since_best + PATIENCE {
            anderson.restart();
            since_best = round;
        }
        let proposed = anderson.next(&correction, &next);
        correction = proposed.iter().map(|c| c.max(0.0)).collect();
        // The next solution is about as far away as the correction moved.
        inner.warm_margin = (10.0 * change).max(1e-4).min(settings.warm_margin);
        part.status = Status::Inaccurate;
        if improved {
            best = Some((excess, part.clone()));
        }
        guess = Some(part);
    }
    let (least, part) = best?;
    if softened {
        return Some(part);
    }
    Some(sweep(problem, part, least, settings, workspace, stats))
}

/// One run of the interior-point method: where it has come, and the excess of its residuals over the tolerances.
fn slide(
    problem: &StepProblem,
    run: &sliding::SlidingRun<'_>,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<(Part, f64)> {
    let found = sliding::solve(problem, run, workspace, stats)?;
    if let Some(part) = found
        .rest_impulse
        .and_then(|impulse| at_rest(problem, &impulse, settings, workspace))
    {
        return Some((part, 0.0));
    }
    Some(judged(problem, found.velocity, found.impulse, settings))
}

fn judged(
    problem: &StepProblem,
    velocity: Vec<[f64; 6]>,
    impulse: Vec<[f64; 3]>,
    settings: &Settings,
) -> (Part, f64) {
    let excess =
        residual_under(problem, Law::Coulomb, &velocity, &impulse).excess(&settings.tolerances);
    let status = if excess <= 1.0 {
        Status::Solved
    } else {
        Status::Inaccurate
    };
    (Part::posed(velocity, impulse, status), excess)
}

/// The last resort: Gauss-Seidel, and now and then the interior-point method from where it has come.
fn sweep(
    problem: &StepProblem,
    best: Part,
    least: f64,
    settings: &Settings,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Part {
    let mut sweeps = Sweeps::new(problem, &best.impulse);
    let (mut best, mut least) = (best, least);
    let most = UPDATES / problem.contacts.len().max(1) as u64;
    let (mut done, mut pause) = (0, FIRST_SWEEPS);
    while done < most {
        pause = pause.min(most - done);
        (0..pause).for_each(|_| sweeps.sweep());
        done += pause;
        pause = done;
        stats.outer += 1;
        stats.fallbacks += 1;
        let (velocity, impulse) = (sweeps.velocity.clone(), sweeps.impulse.clone());
        let plain = judged(problem, velocity, impulse, settings);
        // As far from the boundary as the answer may be, and farther, to pass a fold.
        let near = (plain.1 * settings.tolerances.primal).clamp(1e-4, MARGINS[0]);
        let polished = [near, MARGINS[0]].map(|margin| {
            slide(
                problem,
                &sliding_run(plain.0.warm(), margin, settings),
                settings,
                workspace,
                stats,
            )
        });
        for (part, excess) in [plain].into_iter().chain(polished.into_iter().flatten()) {
            if excess <= 1.0 {
                return part;
            }
            if excess < least {
                (best, least) = (part, excess);
            }
        }
    }
    best
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Solver, corpus};

    fn settings() -> Settings {
        Settings {
            law: Law::Coulomb,
            ..Settings::default()
        }
    }

    /// A block sliding down a plane: no lift, and it loses `mu` times the normal momentum.
    #[test]
    fn incline_slides_along_the_plane() {
        let (angle, mu) = (0.9_f64, 0.4);
        let p = corpus::incline(angle, mu);
        let mut tight = settings();
        tight.tolerances.gap = 1e-9;
        let s = Solver::new(tight).solve(&p, None).unwrap();
        assert_eq!(s.status, Status::Solved, "{:?}", s.residual);
        let (sin, cos) = angle.sin_cos();
        let v = s.velocity[0];
        let fall = p.speed_scale;
        let lift = v[0] * sin + v[2] * cos;
        let slide = v[0] * cos - v[2] * sin;
        let exact = 0.8 + fall * (sin - mu * cos);
        // A gap of 1e-9 allows a lift of 1e-9 M v_ref^2 / r_N, about 3e-8 m/s, and thirty times that along the plane.
        assert!(lift.abs() < 1e-6, "{lift}");
        assert!((slide - exact).abs() < 1e-6, "{slide} {exact}");
    }

    /// Blocks thrown about at random included.
    #[test]
    fn all_of_the_corpus() {
        for (name, p) in corpus::all() {
            if p.bodies() > 100 || name == "clamp" {
                continue;
            }
            let mut solver = Solver::new(settings());
            let cold = solver.solve(&p, None).unwrap();
            assert_eq!(
                cold.status,
                Status::Solved,
                "{name}: {:?} {:?}",
                cold.residual,
                cold.stats
            );
            let judged = residual_under(&p, Law::Coulomb, &cold.velocity, &cold.impulse);
            assert!(judged.within(&settings().tolerances), "{name}: {judged:?}");
            let warm = Warm {
                velocity: &cold.velocity,
                impulse: &cold.impulse,
            };
            let again = solver.solve(&p, Some(warm)).unwrap();
            assert_eq!(again.stats.iterations, 0, "{name}");
            assert_eq!(again.velocity, cold.velocity, "{name}");
        }
    }

    /// A stack whose contacts yield, carries its weight and is pushed a little: the problem, and the impulses of the rest before.
    pub(crate) fn pushed() -> (StepProblem, Vec<[f64; 3]>) {
        let mut p = corpus::stack(6);
        for k in 0..p.contacts.len() {
            let [normal, tangent] = p.delassus_diagonal(&p.contacts[k]);
            p.contacts[k].compliance = [2.5e-3 * normal, 2.5e-3 * tangent];
        }
        let carried = Solver::new(tight()).solve(&p, None).unwrap();
        assert_eq!(carried.status, Status::Solved);
        // Contacts have yielded to what they carry.
        for (contact, r) in p.contacts.iter_mut().zip(&carried.impulse) {
            let [normal, tangent] = contact.compliance;
            contact.offset[0] -= normal * r[0];
            contact.offset[1] -= tangent * r[1];
            contact.offset[2] -= tangent * r[2];
        }
        let push = 0.02 * p.speed_scale;
        p.free_velocity.iter_mut().for_each(|v| v[0] += push);
        (p, carried.impulse)
    }

    pub(crate) fn tight() -> Settings {
        Settings {
            tolerances: Tolerances::validation(),
            ..settings()
        }
    }

    /// Near the last answer Newton's method finds that of the interior-point method, in fewer iterations.
    #[test]
    fn both_methods_agree_nearby() {
        let (p, impulse) = pushed();
        let still = vec![[0.0; 6]; p.bodies()];
        let warm = Warm {
            velocity: &still,
            impulse: &impulse,
        };
        let [newton, other] = [Method::Automatic, Method::InteriorPoint].map(|method| {
            let mut solver = Solver::new(Settings { method, ..tight() });
            solver.solve(&p, Some(warm)).unwrap()
        });
        for found in [&newton, &other] {
            assert_eq!(found.status, Status::Solved, "{:?}", found.residual);
        }
        assert!(newton.stats.iterations > 0);
        assert!(
            newton.stats.iterations < other.stats.iterations,
            "{:?} {:?}",
            newton.stats,
            other.stats
        );
        let pairs = newton.velocity.iter().zip(&other.velocity);
        let apart = pairs
            .flat_map(|(a, b)| (0..6).map(|k| (a[k] - b[k]).abs()))
            .fold(0.0, f64::max);
        // A gap of 1e-9 leaves velocities of some thirty times that.
        assert!(apart < 1e-7 * p.speed_scale, "{apart}");
    }
}
