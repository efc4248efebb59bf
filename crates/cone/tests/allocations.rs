//! A warm step allocates nothing.

use allocation_counter::measure;
use drystone_cone::{Settings, Solution, Solver, Status, StepProblem, Warm, corpus};

/// The same contacts in another motion: what a structure meets at its next step.
fn shaken(problem: &StepProblem, speed: f64) -> StepProblem {
    let mut next = problem.clone();
    for (k, v) in next.free_velocity.iter_mut().enumerate() {
        v[0] += speed * (1.0 + 0.1 * (k % 5) as f64);
    }
    next
}

/// Contacts that give way enough for Newton's method.
fn soft(mut problem: StepProblem) -> StepProblem {
    for k in 0..problem.contacts.len() {
        let [normal, _] = problem.delassus_diagonal(&problem.contacts[k]);
        problem.contacts[k].compliance = [0.1 * normal; 2];
    }
    problem
}

/// Moving, colliding, several islands, in the plane, and at rest: after two steps all vectors have their size.
#[test]
fn a_warm_step_allocates_nothing() {
    for (name, first) in [
        ("wall", corpus::wall(8, 6)),
        ("stack", corpus::stack(20)),
        ("separate stacks", corpus::separate_stacks()),
        ("soft wall", soft(corpus::wall(8, 6))),
    ] {
        let mut solver = Solver::new(Settings::default());
        let (mut before, mut after) = (Solution::default(), Solution::default());
        solver.solve_into(&first, None, &mut before).unwrap();
        for step in 1..=6 {
            // Twice gently, then hard enough to slide; at last as at first, where the guess is off by far.
            let speed = [0.0, 1e-3, 2e-3, 0.05, 0.1, 0.2, 0.0][step];
            let next = shaken(&first, speed);
            let warm = Warm {
                velocity: &before.velocity,
                impulse: &before.impulse,
            };
            let found = measure(|| solver.solve_into(&next, Some(warm), &mut after).unwrap());
            assert_eq!(after.status, Status::Solved, "{name} {step}");
            assert!(after.stats.iterations > 0, "{name} {step}");
            if step > 2 {
                let counts = (found.count_total, after.stats.analyses);
                assert_eq!(counts, (0, 0), "{name} {step}: {found:?}");
            }
            std::mem::swap(&mut before, &mut after);
        }
        // The same once more: only the check.
        let same = shaken(&first, 0.0);
        let warm = Warm {
            velocity: &before.velocity,
            impulse: &before.impulse,
        };
        let found = measure(|| solver.solve_into(&same, Some(warm), &mut after).unwrap());
        assert_eq!(
            (found.count_total, after.stats.iterations),
            (0, 0),
            "{name}"
        );
    }
}
