//! Coulomb's law where it differs from the associated one, and where it has more than one answer.

use drystone_cone::{
    Contact, FIXED, Law, Settings, Solution, Solver, Status, StepProblem, Tolerances, Warm, corpus,
};

/// What gravity gives in one step, m/s.
const FALL: f64 = 0.05;
const MU: f64 = 0.4;
const MASS: f64 = 30.0;

fn settings(law: Law) -> Settings {
    Settings {
        law,
        tolerances: Tolerances::validation(),
        ..Settings::default()
    }
}

fn solve(problem: &StepProblem, law: Law, warm: Option<Warm<'_>>) -> Solution {
    let solution = Solver::new(settings(law)).solve(problem, warm).unwrap();
    assert_eq!(solution.status, Status::Solved, "{:?}", solution.residual);
    solution
}

fn contact(normal: [f64; 3], across: [f64; 3], arm: [f64; 3]) -> Contact {
    let last = [
        normal[1] * across[2] - normal[2] * across[1],
        normal[2] * across[0] - normal[0] * across[2],
        normal[0] * across[1] - normal[1] * across[0],
    ];
    Contact {
        bodies: [FIXED, 0],
        frame: [normal, across, last],
        arms: [[0.0; 3], arm],
        friction: MU,
        offset: [0.0; 3],
        compliance: [0.0; 2],
    }
}

fn body(velocity: [f64; 6], turn: f64, contacts: Vec<Contact>) -> StepProblem {
    StepProblem {
        mass: vec![MASS],
        rotational: vec![[turn, 0.0, 0.0, 0.0, turn, 0.0, 0.0, 0.0, 2.0 * turn]],
        free_velocity: vec![velocity],
        free: [true; 6],
        speed_scale: FALL,
        contacts,
    }
}

/// A thin plate on three points around its centroid, which share its weight whatever it does in its plane.
fn plate(velocity: [f64; 3]) -> StepProblem {
    let points = [0.0, 1.0, 2.0].map(|k: f64| {
        let (sin, cos) = (k * std::f64::consts::TAU / 3.0).sin_cos();
        contact(
            [0.0, 0.0, 1.0],
            [1.0, 0.0, 0.0],
            [0.7 * cos, 0.7 * sin, 0.0],
        )
    });
    let [x, y, spin] = velocity;
    body([x, y, -FALL, 0.0, 0.0, spin], 1.5, points.to_vec())
}

/// Slips of the points of a plate.
fn slips(problem: &StepProblem, v: &[f64; 6]) -> Vec<[f64; 2]> {
    let slip = |c: &Contact| [v[0] - v[5] * c.arms[1][1], v[1] + v[5] * c.arms[1][0]];
    problem.contacts.iter().map(slip).collect()
}

/// The plate slides and spins: it stays down, and each point is slowed by `mu` times a third of the weight against its own slip.
#[test]
fn a_plate_that_slides_and_spins_does_not_lift() {
    for motion in [
        [0.8, 0.0, 0.0],
        [0.0, 0.0, 2.0],
        [0.8, -0.3, 1.3],
        [0.1, 0.05, 3.0],
    ] {
        let p = plate(motion);
        let solution = solve(&p, Law::Coulomb, None);
        let v = solution.velocity[0];
        // A gap of 1e-9 M v_ref^2, v_ref up to 2 m/s, allows 1e-9 * 4 / 0.05 of lift where 0.05 M carries the plate.
        let small = 1e-6;
        for k in [2, 3, 4] {
            assert!(v[k].abs() < small, "{motion:?}: {v:?}");
        }
        // Friction may be off its direction by the angle whose square the gap sees: root of 2e-9 / 0.007, times 0.007 m/s.
        let turned = 1e-5;
        let share = MU * FALL / 3.0;
        let (mut pull, mut couple) = ([0.0; 2], 0.0);
        for (u, c) in slips(&p, &v).iter().zip(&p.contacts) {
            let speed = u[0].hypot(u[1]);
            let drag = u.map(|x| -share * MASS * x / speed);
            (0..2).for_each(|k| pull[k] += drag[k]);
            couple += c.arms[1][0] * drag[1] - c.arms[1][1] * drag[0];
        }
        assert!((v[0] - motion[0] - pull[0] / MASS).abs() < turned, "{v:?}");
        assert!((v[1] - motion[1] - pull[1] / MASS).abs() < turned, "{v:?}");
        assert!((v[5] - motion[2] - couple / 3.0).abs() < turned, "{v:?}");
    }
}

/// The associated law lifts each point by `mu` times its slip, or lets it fly.
#[test]
fn the_associated_law_lifts_the_same_plate() {
    let p = plate([0.8, 0.0, 0.0]);
    let v = solve(&p, Law::Associated, None).velocity[0];
    // Minimum of (v - 0.8)^2 + (w + FALL)^2 on w = mu v.
    let slide = (0.8 - MU * FALL) / (1.0 + MU * MU);
    assert!((v[0] - slide).abs() < 1e-5, "{v:?}");
    assert!((v[2] - MU * slide).abs() < 1e-5, "{v:?}");
    assert!(v[2] > 0.25, "{v:?}");
}

/// A block without a floor between two vertical walls that just touch it.
fn pinched(speed: f64) -> StepProblem {
    let mut contacts = Vec::new();
    for side in [-1.0, 1.0] {
        for (y, z) in [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)] {
            let arm = [0.3 * side, y, z];
            contacts.push(contact([-side, 0.0, 0.0], [0.0, 1.0, 0.0], arm));
        }
    }
    body([0.0, 0.0, -speed - FALL, 0.0, 0.0, 0.0], 1.0, contacts)
}

/// Any speed between that of free fall and zero solves the problem: nothing says how hard the walls press. From rest, and without a guess,
/// the block hangs, as it does under the associated law, which has no other answer. A block that slides keeps its speed.
#[test]
fn a_pinched_block_continues_what_it_does() {
    let cold = solve(&pinched(0.0), Law::Coulomb, None);
    assert_eq!(cold.velocity[0], [0.0; 6]);
    let associated = solve(&pinched(0.0), Law::Associated, None);
    assert_eq!(associated.velocity[0], [0.0; 6]);

    let still = Warm {
        velocity: &[[0.0; 6]],
        impulse: &[[0.0; 3]; 8],
    };
    let rest = solve(&pinched(0.0), Law::Coulomb, Some(still));
    assert_eq!(rest.velocity[0], [0.0; 6]);

    for speed in [0.01, 0.3, 5.0] {
        let sliding = Warm {
            velocity: &[[0.0, 0.0, -speed, 0.0, 0.0, 0.0]],
            impulse: &[[0.0; 3]; 8],
        };
        let p = pinched(speed);
        let v = solve(&p, Law::Coulomb, Some(sliding)).velocity[0];
        // Tolerance of velocities, relative to a speed of at most 5 m/s, with a factor of thirty for the gap.
        assert!((v[2] + speed).abs() < 1e-6, "{speed}: {v:?}");
        assert!(v[0].abs() < 1e-6, "{v:?}");
        // Without the guess it is stopped at once, which is an answer too.
        let v = solve(&p, Law::Coulomb, None).velocity[0];
        assert!(v[2].abs() < 1e-6, "{speed}: {v:?}");
    }
}

/// Step after step with the answer of the last as guess: what hangs hangs, what slides slides on at its speed.
#[test]
fn a_pinched_block_stays_in_its_state() {
    for speed in [0.0, 0.3] {
        let mut velocity = vec![[0.0, 0.0, -speed, 0.0, 0.0, 0.0]];
        let mut impulse = vec![[0.0; 3]; 8];
        let mut solver = Solver::new(settings(Law::Coulomb));
        for _ in 0..20 {
            let mut p = pinched(0.0);
            p.free_velocity[0] = velocity[0];
            p.free_velocity[0][2] -= FALL;
            let warm = Warm {
                velocity: &velocity,
                impulse: &impulse,
            };
            let solution = solver.solve(&p, Some(warm)).unwrap();
            assert_eq!(solution.status, Status::Solved);
            (velocity, impulse) = (solution.velocity, solution.impulse);
        }
        // Twenty times the tolerance of one step.
        assert!(
            (velocity[0][2] + speed).abs() < 2e-5,
            "{speed}: {velocity:?}"
        );
    }
}

/// A structure at rest is only checked, step after step, and memory does not grow with it.
#[test]
fn checking_only_keeps_no_memory() {
    let problem = corpus::stack(5);
    let mut solver = Solver::new(settings(Law::Coulomb));
    let first = solver.solve(&problem, None).unwrap();
    let warm = Warm {
        velocity: &first.velocity,
        impulse: &first.impulse,
    };
    let mut step = || {
        let found = solver.solve(&problem, Some(warm)).unwrap();
        assert_eq!(found.stats.iterations, 0);
    };
    (0..10).for_each(|_| step());
    let grown = allocation_counter::measure(|| (0..20).for_each(|_| step()));
    assert_eq!(grown.bytes_current, 0, "{grown:?}");
}

/// A margin smaller than any that the rounds would choose is no reason to stop.
#[test]
fn a_tiny_warm_margin_is_taken_as_it_is() {
    let mut settings = settings(Law::Coulomb);
    settings.warm_margin = 1e-5;
    let problem = corpus::incline(0.9, 0.4);
    let found = Solver::new(settings).solve(&problem, None).unwrap();
    assert_eq!(found.status, Status::Solved);
}
