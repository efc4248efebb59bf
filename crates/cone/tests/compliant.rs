//! Contacts that give way: Newton's method, the interior-point method and Clarabel against each other, and who comes first.

use drystone_cone::{
    Law, Method, Settings, Solution, Solver, Status, StepProblem, Tolerances, Warm, corpus,
    residual, residual_under,
};

/// Compliance relative to the Delassus diagonal, another one along than across.
fn soft(mut p: StepProblem, ratio: f64) -> StepProblem {
    for k in 0..p.contacts.len() {
        let [normal, _] = p.delassus_diagonal(&p.contacts[k]);
        // A contact across the plane of a planar model moves nothing and needs a number all the same.
        let normal = normal.max(1e-3 / p.mass[0]);
        p.contacts[k].compliance = [ratio * normal, 2.4 * ratio * normal];
    }
    p
}

fn settings(method: Method, tolerances: Tolerances) -> Settings {
    Settings {
        method,
        tolerances,
        ..Settings::default()
    }
}

fn solve(p: &StepProblem, settings: Settings) -> Solution {
    Solver::new(settings).solve(p, None).unwrap()
}

/// Distance of two velocities in the norm of `H`, in units of `sqrt(M)` times the largest free speed or the problem's grain.
fn apart(p: &StepProblem, a: &Solution, b: &Solution) -> f64 {
    let (mut square, mut free) = (0.0, 0.0);
    for body in 0..p.bodies() {
        let d: [f64; 6] = std::array::from_fn(|k| a.velocity[body][k] - b.velocity[body][k]);
        let norm = |x: &[f64; 6]| -> f64 {
            let y = p.inertia_times(body, x);
            (0..6).map(|k| x[k] * y[k]).sum()
        };
        square += norm(&d);
        free += norm(&p.free_velocity[body]);
    }
    let mass: f64 = p.mass.iter().sum();
    (square / (mass * p.speed_scale.powi(2)).max(free)).sqrt()
}

#[test]
fn three_solvers_agree() {
    let tight = Tolerances::validation();
    for (name, p) in corpus::all() {
        if p.bodies() > 100 || p.contacts.is_empty() {
            continue;
        }
        for ratio in [1.0, 1e-2] {
            let p = soft(p.clone(), ratio);
            let newton = solve(&p, settings(Method::Newton, tight));
            assert_eq!(
                newton.status,
                Status::Solved,
                "{name}: {:?}",
                newton.residual
            );
            assert!(residual(&p, &newton.velocity, &newton.impulse).within(&tight));
            assert_eq!(
                newton.stats.fallbacks, 0,
                "{name} {ratio}: {:?}",
                newton.stats
            );
            for method in [Method::InteriorPoint, Method::Clarabel] {
                let other = solve(&p, settings(method, tight));
                assert_eq!(other.status, Status::Solved, "{name} {method:?}");
                // Velocities of Newton's method are as exact as momentum, 1e-8; half of the squared distance of the
                // others is at most their gap, 1e-9, and what infeasibility buys.
                let distance = apart(&p, &newton, &other);
                assert!(distance < 2e-4, "{name} {ratio} {method:?}: {distance}");
            }
        }
    }
}

#[test]
fn newton_comes_first_where_contacts_are_soft_and_only_there() {
    let shaken = || corpus::shaken(corpus::wall(5, 6), 0.05, 9);
    let default = Tolerances::default();
    for (ratio, first) in [(0.1, Method::Newton), (1e-5, Method::InteriorPoint)] {
        let p = soft(shaken(), ratio);
        let automatic = solve(&p, settings(Method::Automatic, default));
        let named = solve(&p, settings(first, default));
        assert_eq!(automatic.velocity, named.velocity, "{ratio}");
        assert_eq!(automatic.stats, named.stats, "{ratio}");
    }
    // Asked for where it does not apply it steps aside, and that is no fallback.
    let rigid = shaken();
    let [newton, other] = [Method::Newton, Method::InteriorPoint]
        .map(|method| solve(&rigid, settings(method, default)));
    assert_eq!(newton.velocity, other.velocity);
    assert_eq!(newton.stats, other.stats);
}

#[test]
fn where_newton_stalls_the_interior_point_method_follows() {
    let p = soft(corpus::shaken(corpus::wall(8, 10), 0.5, 3), 1e-9);
    let s = solve(&p, settings(Method::Newton, Tolerances::default()));
    assert_eq!(s.status, Status::Solved);
    assert!(s.stats.fallbacks > 0, "{:?}", s.stats);
}

/// Stretched springs under Coulomb's law: those that hold, those that slide, and a guess that saves work.
#[test]
fn coulomb_friction_with_soft_contacts() {
    for (name, base) in [
        ("wall", corpus::wall(4, 4)),
        ("arch", corpus::arch(21)),
        ("incline", corpus::incline(0.9, 0.4)),
        ("shaken", corpus::shaken(corpus::wall(3, 3), 0.02, 5)),
    ] {
        let mut p = soft(base, 0.05);
        for (k, c) in p.contacts.iter_mut().enumerate() {
            // A tenth of what friction could hold of a push of gravity in one step, to either side.
            c.offset[1] += if k % 2 == 0 { 0.1 } else { -0.1 } * p.speed_scale;
        }
        for method in [Method::Newton, Method::InteriorPoint] {
            let settings = Settings {
                law: Law::Coulomb,
                ..settings(method, Tolerances::default())
            };
            let s = solve(&p, settings);
            assert_eq!(
                s.status,
                Status::Solved,
                "{name} {method:?} {:?}",
                s.residual
            );
            let judged = residual_under(&p, Law::Coulomb, &s.velocity, &s.impulse);
            assert!(judged.within(&settings.tolerances), "{name}: {judged:?}");
            let warm = Warm {
                velocity: &s.velocity,
                impulse: &s.impulse,
            };
            let again = Solver::new(settings).solve(&p, Some(warm)).unwrap();
            assert_eq!(again.stats.iterations, 0, "{name}");
        }
    }
}

/// A pile of springs at rest stays exactly there: its compression balances its weight.
#[test]
fn compressed_springs_rest() {
    let mut p = soft(corpus::stack(4), 0.3);
    let per_point = p.mass[0] * p.speed_scale / 4.0;
    for c in &mut p.contacts {
        let above = 4 - c.bodies[1];
        c.offset[0] = -c.compliance[0] * per_point * f64::from(above);
    }
    let s = solve(&p, settings(Method::Newton, Tolerances::default()));
    assert!(
        s.velocity.iter().flatten().all(|x| *x == 0.0),
        "{:?}",
        s.velocity
    );
    assert_eq!(s.stats.at_rest, 1);
}

/// Passes are shared between threads where there are many contacts; the bits do not depend on that.
#[test]
fn the_same_bits_on_any_number_of_threads() {
    let p = soft(corpus::shaken(corpus::wall(20, 20), 0.05, 7), 0.05);
    let answers = [1, 2, 3].map(|threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let run = || solve(&p, settings(Method::Newton, Tolerances::default()));
        pool.unwrap().install(run)
    });
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0], answers[2]);
    assert_eq!(
        answers[0],
        solve(&p, settings(Method::Newton, Tolerances::default()))
    );
}
