//! Limit analysis: closed forms, a second solver, certificates, ties and crushing.

mod common;

use common::pushed;
use drystone_cone::corpus::{self, Random};
use drystone_cone::{
    FIXED, LimitCrushing, LimitMethod, LimitProblem, LimitSettings, LimitSolution, LimitStatus,
    LimitTie, solve_limit,
};

const METHODS: [LimitMethod; 2] = [LimitMethod::InteriorPoint, LimitMethod::Clarabel];

fn solve(problem: &LimitProblem, method: LimitMethod) -> LimitSolution {
    let settings = LimitSettings {
        method,
        ..LimitSettings::default()
    };
    solve_limit(problem, &settings).unwrap()
}

fn own(problem: &LimitProblem) -> LimitSolution {
    solve(problem, LimitMethod::InteriorPoint)
}

/// Ten tolerances, which the judge grants, and what they do to the multiplier.
fn assert_close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < 1e-7,
        "{what}: {found} {expected}"
    );
}

/// A block of width `b` and height `h` on four corners.
fn block(b: f64, h: f64, friction: f64) -> LimitProblem {
    let size = [[-b / 2.0, -0.5, 0.0], [b / 2.0, 0.5, h]];
    pushed(corpus::boxes(&[size], friction), [1.0, 0.0, 0.0])
}

#[test]
fn a_block_slides_or_overturns() {
    for method in METHODS {
        for (b, h, mu) in [
            (0.3, 1.0, 0.7),
            (1.0, 1.0, 0.7),
            (0.5, 3.5, 0.2),
            (1.0, 0.1, 2.0),
        ] {
            let problem = block(b, h, mu);
            let found = solve(&problem, method);
            assert_eq!(found.status, LimitStatus::Optimal);
            assert_close(found.multiplier, f64::min(b / h, mu), "lower");
            assert_close(found.upper, f64::min(b / h, mu), "upper");
        }
    }
}

#[test]
fn both_methods_agree() {
    for (name, step, direction) in [
        ("stack", corpus::stack(5), [1.0, 0.0, 0.0]),
        ("wall", corpus::wall(5, 4), [1.0, 0.0, 0.0]),
        ("wall across", corpus::wall(5, 4), [0.6, 0.8, 0.0]),
        ("building", corpus::building(5, 5), [1.0, 0.0, 0.0]),
        ("arch", corpus::arch(15), [1.0, 0.0, 0.0]),
        ("planar arch", corpus::planar_arch(15), [1.0, 0.0, 0.0]),
    ] {
        let problem = pushed(step, direction);
        let [a, b] = METHODS.map(|method| solve(&problem, method));
        assert_eq!(a.status, LimitStatus::Optimal, "{name}: {:?}", a.residual);
        assert_close(a.multiplier, b.multiplier, name);
        assert_close(a.multiplier, a.upper, name);
    }
}

/// One block of a pile lighter or heavier than the others by up to a thousand million: the pile overturns about the edge of its joint at
/// half its width over the height of the centroid of what is above. Light blocks on a heavy one are the structure, not its rounding; a light
/// block below a heavy one holds forces that leave no digits for its own weight.
#[test]
fn mass_ratios() {
    // Blocks of width 2 and height 1, in units of a half width.
    let expected = |weights: &[f64]| {
        let over = |first: usize| {
            let above = weights[first..].iter().enumerate();
            let moment: f64 = above.map(|(k, w)| w * (k as f64 + 0.5)).sum();
            weights[first..].iter().sum::<f64>() / moment
        };
        (0..weights.len()).map(over).fold(0.6, f64::min)
    };
    for which in 0..5 {
        for power in [-9, -8, -7, -6, 6, 7, 8, 9] {
            let mut step = corpus::stack(5);
            step.mass[which] *= 10_f64.powi(power);
            let found = own(&pushed(step.clone(), [1.0, 0.0, 0.0]));
            let what = format!("block {which}, 1e{power}: {:?}", found.residual);
            assert_eq!(found.status, LimitStatus::Optimal, "{what}");
            assert_close(found.multiplier, expected(&step.mass), &what);
            assert_close(found.upper, found.multiplier, &what);
        }
    }
    for (name, step) in [("wall", corpus::wall(5, 4)), ("arch", corpus::arch(15))] {
        for which in [0, step.mass.len() - 1] {
            for power in [-9, -7, 7, 9] {
                let mut step = step.clone();
                step.mass[which] *= 10_f64.powi(power);
                let found = own(&pushed(step, [1.0, 0.0, 0.0]));
                let what = format!("{name}, block {which}, 1e{power}: {:?}", found.residual);
                assert_eq!(found.status, LimitStatus::Optimal, "{what}");
            }
        }
    }
}

/// All contacts let go at once: neither force nor velocity is positive in most joints, where interior points converge slowly and to
/// fewer digits.
#[test]
fn weight_lifted_off() {
    let problem = pushed(corpus::wall(5, 4), [0.0, 0.0, 1.0]);
    let found = own(&problem);
    assert_eq!(found.status, LimitStatus::Optimal, "{:?}", found.residual);
    assert!(
        (found.multiplier - 1.0).abs() < 1e-6,
        "{}",
        found.multiplier
    );
}

/// The judge's numbers, once more from the problem's own operators.
#[test]
fn forces_balance_and_the_mechanism_is_admissible() {
    let step = corpus::building(5, 5);
    let problem = pushed(step.clone(), [1.0, 0.0, 0.0]);
    let found = own(&problem);
    let weight = problem.dead[0][2].abs();
    let balance = step.generalised_impulse(&found.force);
    let loads = problem
        .dead
        .iter()
        .flatten()
        .zip(problem.live.iter().flatten());
    for (force, (dead, live)) in balance.iter().flatten().zip(loads) {
        let missing = force + dead + found.multiplier * live;
        assert!(missing.abs() < 1e-6 * weight, "{missing}");
    }
    let fastest = found
        .velocity
        .iter()
        .flatten()
        .fold(0.0, |m: f64, x| m.max(x.abs()));
    for (contact, force) in problem.contacts.iter().zip(&found.force) {
        let u = step.relative_velocity(contact, &found.velocity);
        assert!(contact.friction * u[1].hypot(u[2]) <= u[0] + 1e-7 * fastest);
        assert!(force[1].hypot(force[2]) <= contact.friction * force[0] + 1e-7 * weight);
    }
    let work = |loads: &[[f64; 6]]| -> f64 {
        let pairs = loads.iter().flatten().zip(found.velocity.iter().flatten());
        pairs.map(|(f, v)| f * v).sum()
    };
    assert!((work(&problem.live) - 1.0).abs() < 1e-9);
    assert_close(-work(&problem.dead), found.multiplier, "work of the weight");
}

/// A wall pressed down cannot be made to fall by pressing harder.
#[test]
fn pressing_down_is_unbounded() {
    for method in METHODS {
        for step in [corpus::stack(3), corpus::wall(4, 3), corpus::planar_arch(9)] {
            let problem = pushed(step.clone(), [0.0, 0.0, -1.0]);
            let found = solve(&problem, method);
            assert_eq!(found.status, LimitStatus::Unbounded, "{:?}", found.residual);
            assert_eq!(found.multiplier, f64::INFINITY);
            let balance = step.generalised_impulse(&found.force);
            for (force, live) in balance.iter().zip(&problem.live) {
                for k in 0..6 {
                    assert!((force[k] + live[k]).abs() < 1e-5 * live[2].abs());
                }
            }
        }
    }
}

/// A block on a slope steeper than friction has no equilibrium that a push across the slope could give it.
#[test]
fn what_does_not_stand_is_infeasible() {
    for method in METHODS {
        let steep = corpus::incline(0.5, 0.3);
        let found = solve(&pushed(steep, [0.0, 1.0, 0.0]), method);
        assert_eq!(
            found.status,
            LimitStatus::Infeasible,
            "{:?}",
            found.residual
        );
        // It goes down.
        assert!(found.velocity[0][2] < 0.0);
        let gentle = corpus::incline(0.2, 0.3);
        let found = solve(&pushed(gentle, [0.0, 1.0, 0.0]), method);
        assert_eq!(found.status, LimitStatus::Optimal);
    }
}

/// PGCL's facade, 0.5 m by 3.5 m and 100 kN, on friction that holds it.
fn facade(tie: Option<f64>, strength: Option<f64>) -> LimitProblem {
    let (b, h, weight) = (0.5, 3.5, 100e3);
    let mut problem = block(b, h, 10.0);
    problem.free = [true, false, true, false, true, false];
    problem.dead = vec![[0.0, 0.0, -weight, 0.0, 0.0, 0.0]];
    problem.live = vec![[weight, 0.0, 0.0, 0.0, 0.0, 0.0]];
    if let Some(force) = tie {
        problem.ties.push(LimitTie {
            bodies: [FIXED, 0],
            axis: [1.0, 0.0, 0.0],
            arms: [[0.0; 3], [0.0, 0.0, 1.5]],
            strength: force,
        });
    }
    if let Some(strength) = strength {
        // In the plane only where a contact is along it counts.
        problem.crushing.push(LimitCrushing {
            contacts: (0..problem.contacts.len() as u32).collect(),
            places: problem
                .contacts
                .iter()
                .map(|c| [c.arms[1][0], 0.0])
                .collect(),
            face: vec![[-0.25, -0.5], [0.25, -0.5], [0.25, 0.5], [-0.25, 0.5]],
            strength: strength / 0.5,
        });
    }
    problem
}

#[test]
fn a_tie_adds_its_moment() {
    for method in METHODS {
        let force = 5e3;
        let found = solve(&facade(Some(force), None), method);
        assert_eq!(found.status, LimitStatus::Optimal);
        // Moments about the foot: alpha W h/2 = W b/2 + T 3.25 with the tie at 1.75 + 1.5 above the ground.
        let expected = (100e3 * 0.25 + force * 3.25) / (100e3 * 1.75);
        assert_close(found.multiplier, expected, "tied");
        assert!((found.tension[0] - force).abs() < 1e-5 * force);
        // Pulled the other way it is slack.
        let mut other = facade(Some(force), None);
        other.live[0][0] *= -1.0;
        let found = solve(&other, method);
        assert_close(found.multiplier, 0.5 / 3.5, "slack");
        assert!(found.tension[0].abs() < 1e-5 * force);
    }
}

/// `|M| <= N/2 (l - N / (f_c p))`: PGCL's facade with f_c 1 MPa and a depth of 1 m, N = 100 kN, so that 0.4 m of 0.5 m are left.
#[test]
fn crushing_shortens_the_lever() {
    for method in METHODS {
        let found = solve(&facade(None, Some(1e6 * 0.5)), method);
        assert_eq!(found.status, LimitStatus::Optimal, "{:?}", found.residual);
        assert_close(found.multiplier, 0.4 / 3.5, "crushed");
        let found = solve(&facade(Some(5e3), Some(1e6 * 0.5)), method);
        let expected = (100e3 * 0.2 + 5e3 * 3.25) / (100e3 * 1.75);
        assert_close(found.multiplier, expected, "crushed and tied");
        // A weight of which the joint carries only half.
        let found = solve(&facade(None, Some(50e3)), method);
        assert_eq!(
            found.status,
            LimitStatus::Infeasible,
            "{:?}",
            found.residual
        );
    }
}

/// Strengths that are never reached are none, however large.
#[test]
fn strength_without_end_changes_nothing() {
    for strength in [1e7, 1e10, 1e13, 1e20] {
        let tied = own(&facade(Some(5e3), Some(strength)));
        let expected = (100e3 * 0.25 + 5e3 * 3.25) / (100e3 * 1.75);
        // What is crushed shortens the lever by N / (f_c p) / 2.
        let lever = 100e3 * 0.5 / strength * 0.5 / 1.75;
        assert_eq!(tied.status, LimitStatus::Optimal, "{strength:e}");
        assert_close(tied.multiplier, expected - lever, "crushing");
        // Friction of 10 lets it slide at last.
        let held = own(&facade(Some(strength), None));
        assert_eq!(held.status, LimitStatus::Optimal, "{strength:e}");
        assert!(held.multiplier > 5.0, "{}", held.multiplier);
    }
}

/// A live load a million times the weight has a multiplier of a millionth, and to as many digits.
#[test]
fn small_multipliers_have_their_digits() {
    let mut problem = block(0.3, 1.0, 0.7);
    problem.live.iter_mut().flatten().for_each(|x| *x *= 1e6);
    let found = own(&problem);
    assert_eq!(found.status, LimitStatus::Optimal);
    assert!(
        (found.multiplier / 0.3e-6 - 1.0).abs() < 1e-6,
        "{}",
        found.multiplier
    );
}

/// A block jammed between two supports that close upon it: their gaps gain without any load.
#[test]
fn closing_supports_are_unbounded() {
    let mut problem = block(1.0, 1.0, 0.5);
    let down = problem.contacts[0];
    for sign in [-1.0, 1.0] {
        for z in [-0.4, 0.4] {
            let mut wall = down;
            wall.frame = [[sign, 0.0, 0.0], [0.0, sign, 0.0], [0.0, 0.0, 1.0]];
            wall.arms[1] = [-0.5 * sign, 0.0, z];
            wall.offset = [-1e-3, 0.0, 0.0];
            problem.contacts.push(wall);
        }
    }
    for method in METHODS {
        let found = solve(&problem, method);
        assert_eq!(
            found.status,
            LimitStatus::Unbounded,
            "{method:?} {:?}",
            found.residual
        );
    }
}

/// A pebble on the edge of a slab of a million times its weight, which falls: nobody may call this stable.
#[test]
fn light_bodies_are_not_overlooked() {
    let slab = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.1]];
    let pebble = [[0.9, 0.4, 0.1], [1.4, 0.6, 0.2]];
    let mut problem = pushed(corpus::boxes(&[slab, pebble], 0.6), [1.0, 0.0, 0.0]);
    for loads in [&mut problem.dead, &mut problem.live] {
        loads[1].iter_mut().for_each(|x| *x *= 1e-8);
    }
    let found = own(&problem);
    assert_ne!(found.status, LimitStatus::Optimal, "{found:?}");
}

/// Lengths, weights, the order of bodies and contacts, and the axes leave the multiplier as it is.
#[test]
fn multipliers_are_invariant() {
    let problem = pushed(corpus::building(4, 4), [1.0, 0.0, 0.0]);
    let expected = own(&problem).multiplier;
    let same = |changed: &LimitProblem, what: &str| {
        let found = own(changed).multiplier;
        assert!(
            (found - expected).abs() < 1e-8,
            "{what}: {found} {expected}"
        );
    };

    let mut scaled = problem.clone();
    for contact in &mut scaled.contacts {
        contact.arms = contact.arms.map(|arm| arm.map(|x| 17.0 * x));
    }
    same(&scaled, "lengths");

    let mut heavy = problem.clone();
    for load in heavy.dead.iter_mut().chain(&mut heavy.live) {
        load.iter_mut().for_each(|x| *x *= 1e-3);
    }
    same(&heavy, "weights");

    let mut shuffled = problem.clone();
    let bodies = problem.bodies();
    let moved = |b: u32| match b {
        FIXED => FIXED,
        b => ((b as usize * 11 + 3) % bodies) as u32,
    };
    assert_ne!(bodies % 11, 0);
    for b in 0..bodies {
        let to = moved(b as u32) as usize;
        shuffled.dead[to] = problem.dead[b];
        shuffled.live[to] = problem.live[b];
    }
    shuffled
        .contacts
        .iter_mut()
        .for_each(|c| c.bodies = c.bodies.map(moved));
    shuffled.contacts.reverse();
    same(&shuffled, "numbers");

    let (sin, cos) = 0.7_f64.sin_cos();
    let turn = |[x, y, z]: [f64; 3]| [cos * x - sin * y, sin * x + cos * y, z];
    let mut turned = problem.clone();
    for contact in &mut turned.contacts {
        contact.frame = contact.frame.map(turn);
        contact.arms = contact.arms.map(turn);
    }
    for load in turned.dead.iter_mut().chain(&mut turned.live) {
        let [x, y, z] = turn([load[0], load[1], load[2]]);
        *load = [x, y, z, 0.0, 0.0, 0.0];
    }
    same(&turned, "axes");
}

/// Same bits on one thread and on three; a wall large enough to be shared.
#[test]
fn threads_do_not_matter() {
    let problem = pushed(corpus::wall(16, 16), [1.0, 0.0, 0.0]);
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        pool.unwrap().install(|| own(&problem))
    };
    assert_eq!(on(1), on(3));
}

#[test]
fn problems_that_make_no_sense_are_refused() {
    let good = facade(Some(5e3), Some(5e5));
    assert!(good.validate().is_ok());
    let refused = |change: &dyn Fn(&mut LimitProblem), word: &str| {
        let mut bad = good.clone();
        change(&mut bad);
        let fault = solve_limit(&bad, &LimitSettings::default()).unwrap_err();
        assert!(fault.to_string().contains(word), "{fault}");
    };
    refused(&|p| p.live.clear(), "live");
    refused(&|p| p.dead[0][2] = f64::NAN, "dead load");
    refused(&|p| p.contacts[0].bodies = [7, 0], "bodies");
    refused(&|p| p.ties[0].axis = [2.0, 0.0, 0.0], "axis");
    refused(&|p| p.ties[0].bodies = [0, 0], "second body");
    refused(&|p| p.ties[0].strength = -1.0, "strength");
    refused(&|p| p.crushing[0].strength = 0.0, "strength");
    refused(&|p| p.crushing[0].contacts[0] = 99, "contact");
    refused(&|p| p.crushing[0].contacts[0] = 1, "contact");
    refused(&|p| p.crushing[0].places.truncate(1), "places");
    refused(&|p| p.crushing[0].face.truncate(2), "area");
}

/// Nothing at all, no live load, and loads that are tiny or huge end in a status and never in a panic.
#[test]
fn odd_problems_have_an_answer() {
    let empty = LimitProblem {
        free: [true; 6],
        ..LimitProblem::default()
    };
    let _ = own(&empty);
    let mut random = Random::new(5);
    for size in [1e-12, 1.0, 1e12] {
        let mut problem = pushed(corpus::stack(3), [0.0, 0.0, 0.0]);
        let found = own(&problem);
        assert_ne!(found.status, LimitStatus::Optimal);
        for load in &mut problem.live {
            (0..6).for_each(|k| load[k] = size * random.signed());
        }
        let found = own(&problem);
        assert_eq!(
            found.status,
            LimitStatus::Optimal,
            "{size}: {:?}",
            found.residual
        );
    }
}
