//! What contacts that yield carry in a structure that is let down gently.
//!
//! Weight that grows slowly compresses joints until they carry all of it: equilibrium of springs under Coulomb's law, without inertia, and without pressures that nothing causes. It is the step problem
//! with next to no inertia, whose velocities are the compression. Friction that is bounded by given pressures makes that a convex problem; the pressures that it yields bound friction in the next round, from those of the associated law on. The
//! errors of a house are halved in each round, those of a dome vanish in two; those of a wall with a gable would go round in circles, so that rounds are combined by Anderson's acceleration.

use crate::anderson::Anderson;
use crate::chain::Part;
use crate::interior_point::Ending;
use crate::interior_point::newton::{self, Friction, NewtonRun};
use crate::residual::residual_under;
use crate::workspace::Workspace;
use crate::{Law, Settings, Stats, Status, StepProblem, Warm};

/// Inertia that is left in the first round, in which joints close one after the other, and in the others. What it carries, a few thousand times its share in tall columns, is below every tolerance; the matrix of
/// a block that nothing holds is not singular for it.
const FIRST: f64 = 1e-4;
const GENTLE: f64 = 1e-10;
/// Iterations of all rounds at most, as many as some fifty steps take: a wall with a gable needs 80, in 24 rounds.
const MOST: u32 = 300;
/// Rounds remembered by the acceleration, and rounds without progress after which it forgets.
const MEMORY: usize = 10;
const PATIENCE: u32 = 5;

/// Impulses that hold everything at rest; `None` if something moves, or the method does not succeed.
pub(crate) fn compressed(
    problem: &StepProblem,
    settings: &Settings,
    workspace: &mut Workspace,
) -> Option<Vec<[f64; 3]>> {
    let stats = &mut Stats::default();
    let first = slowly(problem, FIRST);
    let run = patient(None, settings);
    let found = newton::solve(&first, Friction::Associated, &run, workspace, stats)?;
    let mut reached = Part::posed(found.velocity, found.impulse, Status::Inaccurate);
    let gentle = slowly(problem, GENTLE);
    let mut anderson = Anderson::new(MEMORY);
    // Bounds are the pressures of the round before, not a combination of several.
    let mut plain = true;
    let (mut least, mut since) = (f64::INFINITY, 0);
    while stats.iterations < MOST {
        let run = patient(Some(reached.warm()), settings);
        let before = stats.iterations;
        // A round that stalls has come nearer, which is all that is asked of it.
        let found = newton::solve(&gentle, Friction::Held, &run, workspace, stats)?;
        if rests(problem, &found.impulse, settings) {
            return Some(found.impulse);
        }
        let idle = stats.iterations == before;
        if idle && plain {
            // Pressures and bounds agree, and do not hold it.
            return None;
        }
        let pressures = |part: &[[f64; 3]]| -> Vec<f64> { part.iter().map(|r| r[0]).collect() };
        let (bounds, image) = (pressures(&reached.impulse), pressures(&found.impulse));
        let both = bounds.iter().zip(&image);
        let apart = both.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        (least, since) = if apart < least {
            (apart, 0)
        } else {
            (least, since + 1)
        };
        // A round that stalled is not what its bounds lead to, and combinations of noise lead nowhere.
        plain = idle || found.ending != Ending::Converged || since > PATIENCE;
        reached = Part::posed(found.velocity, found.impulse, Status::Inaccurate);
        if plain {
            anderson.restart();
            since = 0;
            continue;
        }
        let bounds = anderson.next(&bounds, &image);
        for (r, bound) in reached.impulse.iter_mut().zip(bounds) {
            r[0] = bound.max(0.0);
        }
    }
    None
}

/// A run from wherever it begins, as long as it takes.
fn patient<'a>(warm: Option<Warm<'a>>, settings: &Settings) -> NewtonRun<'a> {
    NewtonRun {
        tolerances: settings.tolerances,
        max_iterations: settings.max_iterations,
        warm,
        farthest: f64::INFINITY,
        slowest: 1.0,
        least_softness: 0.0,
        each_body: true,
        rest: false,
    }
}

/// The problem with a share of its inertia, on which the same forces act.
fn slowly(problem: &StepProblem, share: f64) -> StepProblem {
    let mut slow = problem.clone();
    slow.mass.iter_mut().for_each(|m| *m *= share);
    let turning = slow.rotational.iter_mut().flatten();
    turning.for_each(|j| *j *= share);
    let kicked = slow.free_velocity.iter_mut().flatten();
    kicked.for_each(|v| *v /= share);
    slow.speed_scale /= share;
    slow
}

/// Whether these impulses are in their cones and hold everything, if contacts do not yield to them.
fn rests(problem: &StepProblem, impulse: &[[f64; 3]], settings: &Settings) -> bool {
    let mut loaded = problem.clone();
    for (contact, r) in loaded.contacts.iter_mut().zip(impulse) {
        if *r != [0.0; 3] {
            let [normal, tangent] = contact.compliance;
            contact.offset = [-normal * r[0], -tangent * r[1], -tangent * r[2]];
        }
    }
    let still = vec![[0.0; 6]; problem.bodies()];
    residual_under(&loaded, Law::Coulomb, &still, impulse).within(&settings.tolerances)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;
    use crate::{Solver, Tolerances};

    fn yielding(mut problem: StepProblem) -> StepProblem {
        for k in 0..problem.contacts.len() {
            let [normal, tangent] = problem.delassus_diagonal(&problem.contacts[k]);
            problem.contacts[k].compliance = [2.5e-3 * normal, 2.5e-3 * tangent];
        }
        problem
    }

    fn sharp() -> Solver {
        Solver::new(Settings {
            law: Law::Coulomb,
            tolerances: Tolerances::validation(),
            ..Settings::default()
        })
    }

    /// Joints carry the weight above them, every corner as much as the others.
    #[test]
    fn a_stack_carries_its_weight() {
        let p = yielding(corpus::stack(60));
        let found = sharp().compressed(&p).unwrap();
        let fall = -p.free_velocity[0][2];
        let whole: f64 = p.mass.iter().sum();
        let bottom = p.contacts.iter().zip(&found);
        let feet: Vec<f64> = bottom
            .filter(|(c, _)| c.bodies.contains(&crate::FIXED))
            .map(|(_, r)| r[0])
            .collect();
        assert_eq!(feet.len(), 4);
        for foot in feet {
            assert!((4.0 * foot / (whole * fall) - 1.0).abs() < 1e-7, "{foot}");
        }
    }

    /// Of an arch, whose friction needs its bounds in several rounds.
    #[test]
    fn an_arch_is_held_by_its_thrust() {
        let p = yielding(corpus::planar_arch(9));
        let found = sharp().compressed(&p).unwrap();
        assert!(found.iter().any(|r| r[1].hypot(r[2]) > 0.1 * r[0]));
        let settings = *sharp().settings();
        assert!(found.iter().any(|r| r[0] > 0.0) && rests(&p, &found, &settings));
    }

    /// What slides down a slope is not compressed.
    #[test]
    fn what_moves_is_left_alone() {
        let slope = yielding(corpus::incline(0.9, 0.4));
        let found = sharp().compressed(&slope).unwrap();
        assert!(found.iter().all(|r| *r == [0.0; 3]));
    }
}
