//! The general route: one convex problem under the associated law, a fixed point of them under Coulomb's.

use super::judge::triple;
use super::newton::polish;
use super::program::{Asked, solve};
use super::scaled::{Point, Scaled};
use super::solution::GeneralSettings;
use super::sweeps::Sweeps;
use crate::Law;
use crate::anderson::Anderson;

/// What Clarabel is asked for, in units of the tolerance: its residuals are relative to other norms than the judge's.
const INNER: f64 = 0.03;
/// The same under Coulomb's law, where slips of one round feed the next.
const INNER_COULOMB: f64 = 1e-3;
/// Clarabel gets no further.
const LEAST: f64 = 1e-12;
/// Compliance of contacts in a problem without solution, in units of what their reactions move.
const SOFT: f64 = 1e-8;
/// Rounds remembered by the acceleration of the fixed point.
const MEMORY: usize = 10;
/// Rounds without progress after which the acceleration forgets.
const PATIENCE: u32 = 5;
/// Rounds in a row without a solution after which none is expected.
const HOPELESS: u32 = 3;

/// Sweeps of Gauss-Seidel before Newton's method is tried from there, then twice as many each time, and multiplications at most: a few seconds.
const FIRST_SWEEPS: u64 = 250;
const WORK: u64 = 2_000_000_000;
/// Sweeps at most, also where they are cheap.
const MOST_SWEEPS: u64 = 64_000;

/// What the general route found.
pub(super) struct Reached {
    pub(super) point: Point,
    pub(super) iterations: u32,
    pub(super) outer: u32,
    pub(super) infeasible: bool,
}

/// Solves a problem that has contacts and, in general form, degrees of freedom.
pub(super) fn run(problem: &Scaled, settings: &GeneralSettings) -> Reached {
    match settings.law {
        Law::Associated => associated(problem, settings),
        Law::Coulomb => coulomb(problem, settings),
    }
}

/// One convex problem; the softened one if it has no solution.
fn convex(problem: &Scaled, shift: &[f64], inner: f64, settings: &GeneralSettings) -> Reached {
    let mut asked = Asked {
        shift,
        soft: 0.0,
        tolerance: (inner * settings.tolerance).max(LEAST),
        max_iterations: settings.max_iterations,
    };
    let mut reached = Reached {
        point: problem.nothing(),
        iterations: 0,
        outer: 1,
        infeasible: false,
    };
    let Some(found) = solve(problem, &asked) else {
        return reached;
    };
    reached.iterations = found.iterations;
    reached.infeasible = found.infeasible;
    if !found.infeasible {
        if finite(&found.point) {
            reached.point = found.point;
        }
        return reached;
    }
    asked.soft = SOFT;
    if let Some(found) = solve(problem, &asked).filter(|found| finite(&found.point)) {
        reached.point = found.point;
        reached.iterations += found.iterations;
    }
    reached
}

fn finite(point: &Point) -> bool {
    point.x.iter().chain(&point.z).all(|x| x.is_finite())
}

fn associated(problem: &Scaled, settings: &GeneralSettings) -> Reached {
    let none = vec![0.0; problem.friction.len()];
    let mut reached = convex(problem, &none, INNER, settings);
    if !reached.infeasible {
        let (point, _, steps) = finish(problem, &reached.point, settings);
        reached.point = point;
        reached.iterations += steps;
    }
    reached
}

/// Newton's method until the tolerance is met, with a little to spare: the judge rounds differently.
pub(super) fn finish(
    problem: &Scaled,
    start: &Point,
    settings: &GeneralSettings,
) -> (Point, f64, u32) {
    let goal = 0.5 * settings.tolerance;
    polish(problem, settings.law, start, goal, settings.max_polish)
}

fn corrections(problem: &Scaled, point: &Point) -> Vec<f64> {
    let h = problem.velocity(point);
    let slip = |c: usize| {
        let [_, a, b] = triple(&h, c);
        a.hypot(b)
    };
    let friction = problem.friction.iter().enumerate();
    friction.map(|(c, mu)| mu * slip(c)).collect()
}

/// The fixed point of the correction `mu |u_T|`, from none, with Newton's method from where it has come.
fn coulomb(problem: &Scaled, settings: &GeneralSettings) -> Reached {
    let mut correction = vec![0.0; problem.friction.len()];
    let mut anderson = Anderson::new(MEMORY);
    let mut best = Reached {
        point: problem.nothing(),
        iterations: 0,
        outer: 0,
        infeasible: false,
    };
    let (mut least, mut since, mut without) = (f64::INFINITY, 0, 0);
    for round in 0..settings.max_outer.max(1) {
        let reached = convex(problem, &correction, INNER_COULOMB, settings);
        best.iterations += reached.iterations;
        best.outer += 1;
        let mut point = reached.point;
        let mut worst = problem.worst(settings.law, &point);
        if reached.infeasible {
            without += 1;
        } else {
            without = 0;
            // The first round has the slips of the associated law, too far away for Newton's method.
            if worst > 0.5 * settings.tolerance && round > 0 {
                let (other, reached, steps) = finish(problem, &point, settings);
                best.iterations += steps;
                if reached <= settings.tolerance {
                    (point, worst) = (other, reached);
                }
            }
        }
        since += 1;
        if worst < least || round == 0 {
            (least, since) = (worst, 0);
            best.point = point.clone();
        }
        // Having none before does not count once there was one.
        best.infeasible = without > round;
        if least <= settings.tolerance || without >= HOPELESS {
            break;
        }
        if since >= PATIENCE {
            anderson.restart();
            since = 0;
        }
        let next = corrections(problem, &point);
        let proposed = anderson.next(&correction, &next);
        correction = proposed.iter().map(|c| c.max(0.0)).collect();
    }
    if least > settings.tolerance && !best.infeasible {
        sweep(problem, settings, &mut best, least);
    }
    best
}

/// Where the fixed point goes round in circles: Gauss-Seidel, and now and then Newton's method from where it has come.
fn sweep(problem: &Scaled, settings: &GeneralSettings, best: &mut Reached, mut least: f64) {
    let Some(mut sweeps) = Sweeps::new(problem, &best.point.z) else {
        return;
    };
    let most = (WORK / sweeps.work().max(1)).min(MOST_SWEEPS);
    let (mut done, mut pause) = (0, FIRST_SWEEPS);
    while done < most && least > settings.tolerance {
        pause = pause.min(most - done);
        (0..pause).for_each(|_| sweeps.sweep());
        done += pause;
        pause = done;
        best.outer += 1;
        let plain = sweeps.point();
        let reached = problem.worst(settings.law, &plain);
        let (polished, finer, steps) = finish(problem, &plain, settings);
        best.iterations += steps;
        for (point, worst) in [(plain, reached), (polished, finer)] {
            if worst < least {
                (best.point, least) = (point, worst);
            }
        }
    }
}
