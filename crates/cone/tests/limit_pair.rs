//! Limits under Coulomb's law beside those under the associated one: closed forms, and the law itself from raw data.

mod common;

use common::pushed;
use drystone_cone::corpus;
use drystone_cone::{
    Contact, FIXED, LimitPair, LimitProblem, LimitSettings, LimitSolution, LimitStatus, LimitTie,
    solve_limit, solve_limit_pair,
};

fn pair(problem: &LimitProblem) -> (LimitSolution, LimitSolution) {
    let LimitPair {
        associated,
        coulomb,
    } = solve_limit_pair(problem, &LimitSettings::default()).unwrap();
    (associated, coulomb.unwrap())
}

/// Normal force, friction, velocity of opening and of sliding at a contact.
fn local(problem: &LimitProblem, found: &LimitSolution, k: usize) -> ([f64; 3], [f64; 3]) {
    let contact = &problem.contacts[k];
    let mut u = [0.0; 3];
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if contact.bodies[side] == FIXED {
            continue;
        }
        let v = found.velocity[contact.bodies[side] as usize];
        let [x, y, z] = contact.arms[side];
        let at = [
            v[0] + v[4] * z - v[5] * y,
            v[1] + v[5] * x - v[3] * z,
            v[2] + v[3] * y - v[4] * x,
        ];
        for (u, axis) in u.iter_mut().zip(&contact.frame) {
            *u += sign * (0..3).map(|j| axis[j] * at[j]).sum::<f64>();
        }
    }
    (found.force[k], u)
}

/// Forces balance the loads, within 1e-6 of the mean load, and velocities are those of Coulomb's law, within a thousandth of the largest and as
/// far as forces do work on them: what the documentation promises, by other loops than those of the judge.
fn assert_obeys(name: &str, problem: &LimitProblem, found: &LimitSolution) {
    let mut missing: Vec<[f64; 6]> = (0..problem.bodies())
        .map(|b| {
            std::array::from_fn(|k| problem.dead[b][k] + found.multiplier * problem.live[b][k])
        })
        .collect();
    let weight = problem.dead.iter().map(|f| f[2].abs()).sum::<f64>() / problem.bodies() as f64;
    let fastest = found
        .velocity
        .iter()
        .flatten()
        .fold(0.0, |m: f64, v| m.max(v.abs()));
    let mut lost = 0.0;
    for (k, contact) in problem.contacts.iter().enumerate() {
        let (c, u) = local(problem, found, k);
        let friction = c[1].hypot(c[2]);
        assert!(
            friction <= contact.friction * c[0] + 1e-9 * weight,
            "{name}"
        );
        assert!(
            u[0] >= -2e-3 * fastest,
            "{name}: {} into {k}",
            u[0] / fastest
        );
        // What an open contact carries, and what friction falls short of against sliding.
        lost += (c[0] * u[0]).abs();
        lost += contact.friction * c[0] * u[1].hypot(u[2]) + c[1] * u[1] + c[2] * u[2];
        let force: [f64; 3] =
            std::array::from_fn(|j| (0..3).map(|i| contact.frame[i][j] * c[i]).sum::<f64>());
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if contact.bodies[side] == FIXED {
                continue;
            }
            let [x, y, z] = contact.arms[side];
            let moment = [
                y * force[2] - z * force[1],
                z * force[0] - x * force[2],
                x * force[1] - y * force[0],
            ];
            let body = &mut missing[contact.bodies[side] as usize];
            for j in 0..3 {
                body[j] += sign * force[j];
                body[3 + j] += sign * moment[j];
            }
        }
    }
    for body in missing {
        for k in (0..6).filter(|&k| problem.free[k]) {
            assert!(
                body[k].abs() < 1e-5 * weight,
                "{name}: {}",
                body[k] / weight
            );
        }
    }
    // Live loads do unit work, so that this is a part of the multiplier.
    assert!(
        lost < 2e-3 * found.multiplier.abs().max(1.0),
        "{name}: {lost}"
    );
}

#[test]
fn what_is_found_obeys_the_law() {
    for (name, step, direction) in [
        ("stack", corpus::stack(5), [1.0, 0.0, 0.0]),
        ("wall", corpus::wall(5, 4), [1.0, 0.0, 0.0]),
        ("wall across", corpus::wall(5, 4), [0.6, 0.8, 0.0]),
        ("building", corpus::building(5, 5), [1.0, 0.0, 0.0]),
        ("arch", corpus::arch(15), [1.0, 0.0, 0.0]),
        ("planar arch", corpus::planar_arch(15), [1.0, 0.0, 0.0]),
    ] {
        let problem = pushed(step, direction);
        let (associated, coulomb) = pair(&problem);
        let alone = solve_limit(&problem, &LimitSettings::default()).unwrap();
        assert_eq!(associated, alone, "{name}");
        assert_eq!(
            coulomb.status,
            LimitStatus::Optimal,
            "{name}: {:?}",
            coulomb.residual
        );
        assert!(
            coulomb.multiplier <= associated.multiplier * (1.0 + 1e-6),
            "{name}"
        );
        assert_obeys(name, &problem, &coulomb);
    }
}

/// A block that slides or overturns does so at the same multiplier under both laws, and in any direction of the plane.
#[test]
fn a_block_slides_or_overturns() {
    for (b, h, mu) in [
        (0.3, 1.0, 0.7),
        (1.0, 1.0, 0.7),
        (0.5, 3.5, 0.2),
        (1.0, 0.1, 2.0),
    ] {
        let size = [[-b / 2.0, -0.5, 0.0], [b / 2.0, 0.5, h]];
        let (_, found) = pair(&pushed(corpus::boxes(&[size], mu), [1.0, 0.0, 0.0]));
        assert_eq!(found.status, LimitStatus::Optimal);
        assert!((found.multiplier - f64::min(b / h, mu)).abs() < 1e-4);
    }
    let size = [[-0.5, -0.5, 0.0], [0.5, 0.5, 0.4]];
    for angle in [0.1_f64, 0.7, 2.0] {
        let direction = [angle.cos(), angle.sin(), 0.0];
        let (_, found) = pair(&pushed(corpus::boxes(&[size], 0.6), direction));
        assert!(
            (found.multiplier - 0.6).abs() < 1e-4,
            "{}",
            found.multiplier
        );
    }
}

/// A body that does not turn.
fn sliding(weights: &[f64], contacts: Vec<Contact>) -> LimitProblem {
    let down = |w: &f64| [0.0, 0.0, -w, 0.0, 0.0, 0.0];
    LimitProblem {
        free: [true, true, true, false, false, false],
        dead: weights.iter().map(down).collect(),
        live: vec![[0.0; 6]; weights.len()],
        contacts,
        ..LimitProblem::default()
    }
}

fn contact(bodies: [u32; 2], normal: [f64; 3], friction: f64) -> Contact {
    let [x, _, z] = normal;
    Contact {
        bodies,
        frame: [normal, [z, 0.0, -x], [0.0, 1.0, 0.0]],
        arms: [[0.0; 3]; 2],
        friction,
        offset: [0.0; 3],
        compliance: [0.0; 2],
    }
}

/// A wedge is driven under a block that a rough wall holds back. Three surfaces slide, and equilibrium alone gives the force: from the wedge on the block `R`, at
/// `b + phi` from the vertical, `R (cos - mu sin) = W`; on the wedge `P = R (sin + mu cos) + mu w`.
#[test]
fn a_wedge_lifts_a_block() {
    for (slope, mu) in [(0.3_f64, 0.2_f64), (0.15, 0.45)] {
        let (weight, own) = (1000.0, 50.0);
        let (wedge, block) = (0, 1);
        // The wedge rises to the left: pushed to the right, it goes under the block.
        let face = [slope.sin(), 0.0, slope.cos()];
        let mut problem = sliding(
            &[own, weight],
            vec![
                contact([FIXED, wedge], [0.0, 0.0, 1.0], mu),
                contact([wedge, block], face, mu),
                contact([FIXED, block], [-1.0, 0.0, 0.0], mu),
            ],
        );
        problem.live[0][0] = 1.0;
        let lean = slope + mu.atan();
        let reaction = weight / (lean.cos() - mu * lean.sin());
        let expected = reaction * (lean.sin() + mu * lean.cos()) + mu * own;
        let (associated, coulomb) = pair(&problem);
        assert_eq!(
            coulomb.status,
            LimitStatus::Optimal,
            "{slope} {expected} {coulomb:?}"
        );
        for found in [associated.multiplier, coulomb.multiplier] {
            assert!((found / expected - 1.0).abs() < 1e-3, "{found} {expected}");
        }
        assert_obeys("wedge", &problem, &coulomb);
    }
}

/// A block is held down by a tie. Under the associated law it rises as it slides, and the tie yields: `mu (W + T)`. Under Coulomb's law it slides along the
/// ground, the tie does not lengthen, and its tension is anything from nothing to `T`: all multipliers from `mu W` on are possible. The one that is found is at the lower end, by a
/// hundredth of the range.
#[test]
fn a_tie_that_only_dilatancy_pulls() {
    let (weight, tension, mu) = (1000.0, 600.0, 0.5);
    let mut problem = sliding(&[weight], vec![contact([FIXED, 0], [0.0, 0.0, 1.0], mu)]);
    problem.live[0][0] = 1.0;
    problem.ties = vec![LimitTie {
        bodies: [FIXED, 0],
        axis: [0.0, 0.0, 1.0],
        arms: [[0.0; 3]; 2],
        strength: tension,
    }];
    let (associated, coulomb) = pair(&problem);
    assert!((associated.multiplier - mu * (weight + tension)).abs() < 1e-4);
    assert_eq!(coulomb.status, LimitStatus::Optimal);
    let low = mu * weight;
    assert!(
        (coulomb.multiplier / low - 1.0).abs() < 1e-2,
        "{}",
        coulomb.multiplier
    );
}

/// Where there is no limit there is none under Coulomb's law to look for.
#[test]
fn no_limit_no_estimate() {
    let size = [[-0.5, -0.5, 0.0], [0.5, 0.5, 0.4]];
    let down = pushed(corpus::boxes(&[size], 0.6), [0.0, 0.0, -1.0]);
    let found = solve_limit_pair(&down, &LimitSettings::default()).unwrap();
    assert_eq!(found.associated.status, LimitStatus::Unbounded);
    assert_eq!(found.coulomb, None);
}

/// Same bits on one thread and on three; a wall large enough to be shared.
#[test]
fn threads_do_not_matter() {
    let problem = pushed(corpus::wall(16, 16), [1.0, 0.0, 0.0]);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| pair(&problem))
    };
    assert_eq!(on(1), on(3));
}
