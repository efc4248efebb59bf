//! Consecutive warm-started steps with frozen contact geometry: what a time history asks of the solver.

use drystone_cone::{FIXED, Law, Settings, Solution, Solver, Status, StepProblem, Warm, corpus};

/// Steps a structure on ground that shakes along x; gaps follow the relative velocities.
struct History {
    base: StepProblem,
    gaps: Vec<f64>,
    velocity: Vec<[f64; 6]>,
    impulse: Vec<[f64; 3]>,
    time: f64,
}

const STEP: f64 = 0.005;

impl History {
    fn new(base: StepProblem) -> Self {
        let (bodies, contacts) = (base.bodies(), base.contacts.len());
        Self {
            base,
            gaps: vec![0.0; contacts],
            velocity: vec![[0.0; 6]; bodies],
            impulse: vec![[0.0; 3]; contacts],
            time: 0.0,
        }
    }

    fn step(&mut self, solver: &mut Solver, peak: f64) -> Solution {
        self.time += STEP;
        let ground = peak * (8.0 * self.time).sin();
        let mut p = self.base.clone();
        for (free, v) in p.free_velocity.iter_mut().zip(&self.velocity) {
            *free = *v;
            free[2] -= p.speed_scale;
        }
        for (contact, gap) in p.contacts.iter_mut().zip(&self.gaps) {
            contact.offset[0] = gap / STEP;
            // Only the second body of a contact with the ground moves relative to it.
            if contact.bodies[0] == FIXED {
                (0..3).for_each(|k| contact.offset[k] -= ground * contact.frame[k][0]);
            }
        }
        let guess = Warm {
            velocity: &self.velocity,
            impulse: &self.impulse,
        };
        let solution = solver.solve(&p, Some(guess)).unwrap();
        for ((contact, gap), r) in p.contacts.iter().zip(&mut self.gaps).zip(&solution.impulse) {
            *gap = STEP * p.cone_velocity(contact, &solution.velocity, r)[0];
        }
        self.velocity.clone_from(&solution.velocity);
        self.impulse.clone_from(&solution.impulse);
        solution
    }
}

#[test]
fn a_wall_at_rest_costs_nothing_and_does_not_creep() {
    let mut history = History::new(corpus::wall(6, 8));
    let mut solver = Solver::new(Settings::default());
    let first = history.step(&mut solver, 0.0);
    assert!(first.stats.iterations > 0);
    for _ in 0..50 {
        let s = history.step(&mut solver, 0.0);
        assert_eq!((s.stats.iterations, s.stats.checked_only), (0, 1));
        assert!(s.velocity.iter().flatten().all(|x| *x == 0.0));
    }
}

/// Rocking, sliding and falling apart, without one fallback.
#[test]
fn shaken_structures_never_need_a_fallback() {
    for (name, base, peak) in [
        ("wall", corpus::wall(5, 6), 0.6),
        ("stack", corpus::stack(6), 0.5),
        ("arch", corpus::arch(21), 0.8),
        ("planar arch", corpus::planar_arch(15), 0.8),
        ("building", corpus::building(3, 4), 1.0),
    ] {
        let mut history = History::new(base);
        let mut solver = Solver::new(Settings::default());
        let (mut iterations, mut fastest) = (0, 0.0_f64);
        for step in 0..300 {
            let s = history.step(&mut solver, peak);
            assert_eq!(
                s.status,
                Status::Solved,
                "{name} step {step}: {:?} {:?}",
                s.residual,
                s.stats
            );
            assert_eq!(s.stats.fallbacks, 0, "{name} step {step}: {:?}", s.residual);
            iterations += s.stats.iterations;
            fastest = s
                .velocity
                .iter()
                .flatten()
                .fold(fastest, |m, x| m.max(x.abs()));
        }
        // The shaking must have moved something, and warm starts must have helped.
        assert!(fastest > 0.1, "{name} never moved");
        assert!(iterations < 300 * 15, "{name}: {iterations} iterations");
    }
}

/// The same under Coulomb's law: blocks that slide keep no lift, and rounds stay few.
#[test]
fn shaken_stack_under_coulomb() {
    let mut history = History::new(corpus::stack(4));
    let mut solver = Solver::new(Settings {
        law: Law::Coulomb,
        ..Settings::default()
    });
    let mut outer = 0;
    for step in 0..200 {
        let s = history.step(&mut solver, 0.5);
        assert_eq!(
            s.status,
            Status::Solved,
            "step {step}: {:?} {:?}",
            s.residual,
            s.stats
        );
        outer += s.stats.outer;
    }
    assert!(outer < 200 * 20, "{outer} rounds");
}
