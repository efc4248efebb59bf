//! The answer does not depend on numbering, axes, units, other islands, or what was solved before.

use drystone_cone::{
    Contact, FIXED, Settings, Solution, Solver, StepProblem, Tolerances, corpus, islands,
};

fn solve(p: &StepProblem) -> Solution {
    // Two answers within a gap of 1e-9 differ by at most sqrt(4e-9) of the speed scale.
    let tolerances = Tolerances {
        momentum: 1e-8,
        primal: 1e-8,
        gap: 1e-9,
    };
    Solver::new(Settings {
        tolerances,
        ..Settings::default()
    })
    .solve(p, None)
    .unwrap()
}

const CLOSE: f64 = 1e-4;

fn problems() -> Vec<(&'static str, StepProblem)> {
    let chosen = [
        "wall 50 shaken",
        "arch shaken",
        "building",
        "drop impact",
        "compliant",
        "three islands",
        "wedge",
    ];
    corpus::all()
        .into_iter()
        .filter(|(name, _)| chosen.contains(name))
        .collect()
}

fn largest(v: &[[f64; 6]]) -> f64 {
    v.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()))
}

#[test]
fn renumbering_and_turning_contacts_round() {
    for (name, p) in problems() {
        let count = p.bodies();
        let order: Vec<usize> = (0..count).map(|k| (k * 7 + 3) % count).collect();
        // Seven and the number of bodies may share a factor; then reverse.
        let order: Vec<usize> = if (0..count).all(|b| order.contains(&b)) {
            order
        } else {
            (0..count).rev().collect()
        };
        let mut q = p.clone();
        for (old, &new) in order.iter().enumerate() {
            q.mass[new] = p.mass[old];
            q.rotational[new] = p.rotational[old];
            q.free_velocity[new] = p.free_velocity[old];
        }
        let turned = |c: &Contact| {
            let mut c = *c;
            c.bodies = c.bodies.map(|b| {
                if b == FIXED {
                    FIXED
                } else {
                    order[b as usize] as u32
                }
            });
            // Swapping the sides turns the frame; local impulses keep their meaning.
            c.bodies.swap(0, 1);
            c.arms.swap(0, 1);
            c.frame = c.frame.map(|axis| axis.map(|x| -x));
            c
        };
        q.contacts = p.contacts.iter().rev().map(turned).collect();
        let (a, b) = (solve(&p), solve(&q));
        let scale = largest(&a.velocity).max(p.speed_scale);
        for (old, &new) in order.iter().enumerate() {
            for k in 0..6 {
                let off = (a.velocity[old][k] - b.velocity[new][k]).abs();
                assert!(off < CLOSE * scale, "{name}: body {old}: {off}");
            }
        }
    }
}

#[test]
fn rigid_rotation() {
    // A rotation about an axis that is no axis of anything.
    let (s, c) = 0.7_f64.sin_cos();
    let tilt = [
        [c, -s, 0.0],
        [0.8 * s, 0.8 * c, -0.6],
        [0.6 * s, 0.6 * c, 0.8],
    ];
    let turn = |x: &[f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| (0..3).map(|j| tilt[i][j] * x[j]).sum())
    };
    for (name, p) in problems() {
        let mut q = p.clone();
        for (j, original) in q.rotational.iter_mut().zip(&p.rotational) {
            for i in 0..3 {
                for k in 0..3 {
                    j[3 * i + k] = (0..9)
                        .map(|m| tilt[i][m / 3] * original[m] * tilt[k][m % 3])
                        .sum();
                }
            }
            // Symmetric to the last bit, as the contract wants.
            for (a, b) in [(1, 3), (2, 6), (5, 7)] {
                j[b] = j[a];
            }
        }
        let turn6 = |v: &[f64; 6]| -> [f64; 6] {
            let (t, r) = (turn(&[v[0], v[1], v[2]]), turn(&[v[3], v[4], v[5]]));
            [t[0], t[1], t[2], r[0], r[1], r[2]]
        };
        q.free_velocity.iter_mut().for_each(|v| *v = turn6(v));
        for contact in &mut q.contacts {
            contact.frame = contact.frame.map(|axis| turn(&axis));
            contact.arms = contact.arms.map(|arm| turn(&arm));
        }
        let (a, b) = (solve(&p), solve(&q));
        let scale = largest(&a.velocity).max(p.speed_scale);
        for (x, y) in a.velocity.iter().zip(&b.velocity) {
            let expected = turn6(x);
            for k in 0..6 {
                assert!((expected[k] - y[k]).abs() < CLOSE * scale, "{name}");
            }
        }
    }
}

/// Millimetres, tonnes and another unit of time.
#[test]
fn units() {
    let (length, mass, time) = (1e3, 1e-3, 7.0);
    let speed = length / time;
    for (name, p) in problems() {
        let mut q = p.clone();
        q.mass.iter_mut().for_each(|m| *m *= mass);
        q.rotational
            .iter_mut()
            .flatten()
            .for_each(|j| *j *= mass * length * length);
        for v in &mut q.free_velocity {
            for (k, x) in v.iter_mut().enumerate() {
                *x *= if k < 3 { speed } else { 1.0 / time };
            }
        }
        q.speed_scale *= speed;
        for contact in &mut q.contacts {
            contact.arms.iter_mut().flatten().for_each(|x| *x *= length);
            contact.offset.iter_mut().for_each(|x| *x *= speed);
            contact.compliance.iter_mut().for_each(|x| *x /= mass);
        }
        let (a, b) = (solve(&p), solve(&q));
        assert_eq!(
            a.stats.iterations, b.stats.iterations,
            "{name}: the path should be the same"
        );
        let scale = largest(&a.velocity).max(p.speed_scale);
        for (x, y) in a.velocity.iter().zip(&b.velocity) {
            for k in 0..6 {
                let back = y[k] / if k < 3 { speed } else { 1.0 / time };
                assert!((x[k] - back).abs() < CLOSE * scale, "{name}");
            }
        }
    }
}

#[test]
fn an_island_does_not_feel_the_others() {
    let p = corpus::separate_stacks();
    let whole = solve(&p);
    for island in islands(&p) {
        let alone = solve(&island.extract(&p));
        for (&b, v) in island.bodies.iter().zip(&alone.velocity) {
            assert_eq!(&whole.velocity[b as usize], v);
        }
        for (&c, r) in island.contacts.iter().zip(&alone.impulse) {
            assert_eq!(&whole.impulse[c as usize], r);
        }
    }
}

#[test]
fn a_used_workspace_gives_the_bits_of_a_fresh_one() {
    let mut used = Solver::new(Settings::default());
    for round in 0..2 {
        for (name, p) in problems() {
            let fresh = Solver::new(Settings::default()).solve(&p, None).unwrap();
            let again = used.solve(&p, None).unwrap();
            assert_eq!(
                (fresh.velocity, fresh.impulse),
                (again.velocity, again.impulse),
                "{name}"
            );
            if round == 1 {
                assert_eq!(again.stats.analyses, 0, "{name}");
            }
        }
    }
}
