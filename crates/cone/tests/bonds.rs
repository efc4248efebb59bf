//! Contacts with a bond: closed forms, by both solvers, and forces recomputed against the widened cone.

mod common;

use common::pushed;
use drystone_cone::{
    FIXED, LimitBond, LimitMethod, LimitProblem, LimitSettings, LimitSolution, LimitStatus, corpus,
    solve_limit, solve_limit_pair,
};

const METHODS: [LimitMethod; 2] = [LimitMethod::InteriorPoint, LimitMethod::Clarabel];

fn settings(method: LimitMethod) -> LimitSettings {
    LimitSettings {
        method,
        tolerance: 1e-9,
        ..LimitSettings::default()
    }
}

fn solve(problem: &LimitProblem, method: LimitMethod) -> LimitSolution {
    let found = solve_limit(problem, &settings(method)).unwrap();
    assert_eq!(
        found.status,
        LimitStatus::Optimal,
        "{method:?} {:?}",
        found.residual
    );
    judged(problem, &found);
    found
}

/// Balance and admissible forces from raw data: what the limit proves from below.
fn judged(problem: &LimitProblem, found: &LimitSolution) {
    let mut sums: Vec<[f64; 6]> = (0..problem.bodies())
        .map(|b| {
            std::array::from_fn(|k| problem.dead[b][k] + found.multiplier * problem.live[b][k])
        })
        .collect();
    let all: f64 = sums.iter().flatten().map(|x| x.abs()).sum();
    for (k, (contact, force)) in problem.contacts.iter().zip(&found.force).enumerate() {
        let [n, t1, t2] = *force;
        let bond = problem.bonds.iter().find(|bond| bond.contact as usize == k);
        let [tension, cohesion] = bond.map_or([0.0; 2], |bond| [bond.tension, bond.cohesion]);
        // A hundred tolerances of the solver, which the judge grants.
        assert!(n >= -tension - 1e-7 * all, "{n} {tension}");
        assert!(
            t1.hypot(t2) <= contact.friction * n + cohesion + 1e-7 * all,
            "{force:?} {cohesion}"
        );
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if contact.bodies[side] == FIXED {
                continue;
            }
            let sum = &mut sums[contact.bodies[side] as usize];
            let world: [f64; 3] =
                std::array::from_fn(|i| (0..3).map(|a| force[a] * contact.frame[a][i]).sum());
            let [x, y, z] = contact.arms[side];
            let moment = [
                y * world[2] - z * world[1],
                z * world[0] - x * world[2],
                x * world[1] - y * world[0],
            ];
            (0..3).for_each(|i| sum[i] += sign * world[i]);
            (0..3).for_each(|i| sum[3 + i] += sign * moment[i]);
        }
    }
    for sum in &sums {
        for (k, x) in sum.iter().enumerate().filter(|(k, _)| problem.free[*k]) {
            assert!(x.abs() < 1e-6 * all, "{k}: {x} of {all}");
        }
    }
}

/// A block of width `b`, depth one and height `h` on four corners, with what its bed carries in tension and by cohesion, N.
fn block(b: f64, h: f64, friction: f64, tension: f64, cohesion: f64) -> LimitProblem {
    let size = [[-b / 2.0, -0.5, 0.0], [b / 2.0, 0.5, h]];
    let mut problem = pushed(corpus::boxes(&[size], friction), [1.0, 0.0, 0.0]);
    problem.bonds = (0..4)
        .map(|contact| LimitBond {
            contact,
            tension: tension / 4.0,
            cohesion: cohesion / 4.0,
        })
        .collect();
    problem
}

fn close(found: &LimitSolution, expected: f64, what: &str) {
    for bound in [found.multiplier, found.upper] {
        assert!(
            (bound - expected).abs() < 1e-6 * expected.max(1.0),
            "{what}: {bound} {expected}"
        );
    }
}

/// Overturning about an edge, with uniform tension over the bed: `alpha W h/2 = (W + T) b/2`; and sliding: `alpha W = mu W + C`.
#[test]
fn a_bonded_block_overturns_or_slides() {
    for planar in [false, true] {
        for method in METHODS {
            for (b, h, mu, tension, cohesion) in [
                (0.3, 1.0, 0.7, 0.5, 4.0),
                (0.3, 1.0, 0.7, 0.0, 4.0),
                (0.5, 0.4, 0.3, 0.2, 0.1),
                (0.5, 0.4, 0.3, 0.0, 0.1),
                // The whole cone, to its apex.
                (0.4, 2.0, 0.5, 2.0, 1.0),
                // Cohesion alone, without friction.
                (1.0, 0.2, 0.0, 0.0, 0.6),
                // Ten thousand times as strong as the block is heavy.
                (0.3, 1.0, 0.7, 1e4, 1e5),
            ] {
                let mut problem = block(b, h, mu, 0.0, 0.0);
                let weight = -problem.dead[0][2];
                problem = block(b, h, mu, tension * weight, cohesion * weight);
                if planar {
                    problem.free = [true, false, true, false, true, false];
                }
                let found = solve(&problem, method);
                let turns = (1.0 + tension) * b / h;
                let slides = mu + cohesion;
                let what = format!("{method:?} {b} {h} {mu} {tension} {cohesion} {planar}");
                close(&found, f64::min(turns, slides), &what);
            }
        }
    }
}

/// Pulled up along a vertical and an oblique line: the cut-off ends the first, and the cone below or above it the second.
#[test]
fn tension_is_cut_off_below_the_apex() {
    for method in METHODS {
        for (tension, cohesion, along) in [
            (0.5, 2.0, [0.0, 0.0, 1.0]),
            (0.5, 2.0, [0.6, 0.0, 0.8]),
            (0.5, 2.0, [0.48, 0.64, 0.6]),
            (0.5, 0.4, [0.8, 0.0, 0.6]),
            (4.0, 2.0, [0.6, 0.0, 0.8]),
        ] {
            let mut problem = block(1.0, 1.0, 0.5, 0.0, 0.0);
            let weight = -problem.dead[0][2];
            problem = block(1.0, 1.0, 0.5, tension * weight, cohesion * weight);
            // Through the centroid of the bed, so that nothing turns.
            let [x, y, z] = along.map(|d: f64| weight * d);
            problem.live = vec![[x, y, z, 0.5 * y, -0.5 * x, 0.0]];
            let found = solve(&problem, method);
            let [x, y, up] = along;
            let across: f64 = x.hypot(y);
            let opens = (1.0 + tension) / up;
            // alpha across = mu (1 - alpha up) + C
            let slides = if across > 0.0 {
                (0.5 + cohesion) / (across + 0.5 * up)
            } else {
                f64::INFINITY
            };
            close(&found, opens.min(slides), &format!("{method:?} {along:?}"));
        }
    }
}

/// Without dilatancy a bonded block slides at the same load, along its bed.
#[test]
fn coulomb_sliding_with_cohesion() {
    let mut problem = block(1.0, 0.2, 0.4, 0.0, 0.0);
    let weight = -problem.dead[0][2];
    problem = block(1.0, 0.2, 0.4, 0.1 * weight, 0.3 * weight);
    let pair = solve_limit_pair(&problem, &settings(LimitMethod::InteriorPoint)).unwrap();
    let coulomb = pair.coulomb.unwrap();
    assert_eq!(coulomb.status, LimitStatus::Optimal, "{coulomb:?}");
    // Estimates under Coulomb's law count to a thousandth.
    assert!((coulomb.multiplier - 0.7).abs() < 1e-3, "{coulomb:?}");
    let [x, _, z, ..] = coulomb.velocity[0];
    assert!(z.abs() < 1e-2 * x, "{coulomb:?}");
}

/// Bonds in a wall: both methods find the same, more than without and less with less.
#[test]
fn both_methods_agree_on_walls() {
    let mut before = 0.0;
    for strength in [0.0, 0.3, 3.0] {
        let mut problem = pushed(corpus::wall(5, 4), [0.6, 0.8, 0.0]);
        let weight = -problem.dead[0][2];
        problem.bonds = (0..problem.contacts.len() as u32)
            .filter(|_| strength > 0.0)
            .map(|contact| LimitBond {
                contact,
                tension: 0.2 * strength * weight,
                cohesion: strength * weight,
            })
            .collect();
        let [a, b] = METHODS.map(|method| solve(&problem, method));
        close(&a, b.multiplier, "wall");
        assert!(a.multiplier > before + 0.01, "{} {before}", a.multiplier);
        before = a.multiplier;
    }
}

/// A gap that opens by one: bonds gain their tension on it, in both bounds.
#[test]
fn gaps_count_with_bonds() {
    for method in METHODS {
        for tension in [0.0, 0.5] {
            let mut problem = block(1.0, 0.2, 0.4, 0.0, 0.0);
            let weight = -problem.dead[0][2];
            problem = block(1.0, 0.2, 0.4, tension * weight, weight);
            let push = problem.live[0][0];
            // Units of velocity are those of unit work of the live load.
            for contact in &mut problem.contacts {
                contact.offset = [0.1 / push, 0.0, 0.0];
            }
            let found = solve_limit(&problem, &settings(method)).unwrap();
            assert_eq!(found.status, LimitStatus::Optimal);
            // All normal forces together are the weight, whatever the bond.
            close(&found, 1.4 - 0.1, "gap");
        }
    }
}

#[test]
fn malformed_bonds_are_named() {
    type Spoil = fn(&mut LimitProblem);
    let faults: [(&str, Spoil); 5] = [
        ("bond 1: contact", |p| p.bonds[1].contact = 0),
        ("bond 1: contact", |p| p.bonds[1].contact = 9),
        ("bond 2: tension", |p| p.bonds[2].tension = -1.0),
        ("bond 3: cohesion", |p| p.bonds[3].cohesion = f64::NAN),
        ("bond 0: tension", |p| p.bonds[0].tension = 3.0),
    ];
    for (text, spoil) in faults {
        let mut problem = block(1.0, 1.0, 0.5, 4.0, 4.0);
        assert_eq!(problem.validate(), Ok(()));
        spoil(&mut problem);
        let fault = problem.validate().expect_err(text).to_string();
        assert!(fault.contains(text), "{fault:?} should say {text:?}");
    }
}
