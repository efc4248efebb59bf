//! The step solver's own problems in general form, by both routes.

use drystone_cone::{
    GeneralStatus, Law, Method, Route, Settings, Solver, StepProblem, Tolerances, corpus,
    general_residual, solve_general, solve_local,
};

use super::{apart, general, settings, solved};

/// Velocities of the free degrees of freedom, as the step solver has them at tight tolerances.
fn reference(p: &StepProblem) -> Vec<f64> {
    let settings = Settings {
        method: Method::InteriorPoint,
        tolerances: Tolerances {
            momentum: 1e-10,
            primal: 1e-10,
            gap: 1e-11,
        },
        ..Settings::default()
    };
    let solution = Solver::new(settings).solve(p, None).unwrap();
    let each = solution.velocity.iter();
    each.flat_map(|v| (0..6).filter(|&k| p.free[k]).map(|k| v[k]))
        .collect()
}

/// Small enough for the general route within the time of a test.
fn small() -> Vec<(&'static str, StepProblem)> {
    let mut list = corpus::all();
    list.retain(|(name, p)| p.bodies() <= 60 && *name != "clamp" && *name != "nothing");
    list
}

#[test]
fn both_routes_solve_the_corpus() {
    for (name, p) in small() {
        let g = general(&p);
        let exact = reference(&p);
        let bodies = exact.len();
        let scale = exact.iter().fold(p.speed_scale, |m, x| m.max(x.abs()));
        let compliant = p.contacts.iter().any(|c| c.compliance != [0.0; 2]);
        let automatic = solved(name, &g, &settings(Law::Associated, None));
        let expected = if compliant {
            Route::General
        } else {
            Route::Rigid
        };
        assert_eq!(automatic.route, expected, "{name}");
        let by_general = solved(name, &g, &settings(Law::Associated, Some(Route::General)));
        for answer in [&automatic, &by_general] {
            // Velocities are off by up to the root of the complementarity, 1e-8, where speed and reaction vanish both.
            let off = apart(&answer.velocity[..bodies], &exact) / scale;
            assert!(off < 1e-4, "{name} {:?}: {off:e}", answer.route);
            let judged =
                general_residual(&g, Law::Associated, &answer.velocity, &answer.reaction).unwrap();
            assert_eq!(judged, answer.residual, "{name}");
        }
    }
}

/// The general route alone does not meet its tolerance on a wall that is shaken with friction 2, and says so.
#[test]
fn both_routes_solve_the_corpus_under_coulombs_law() {
    for (name, p) in small() {
        let g = general(&p);
        for route in [None, Some(Route::General)] {
            // Tens of blocks thrown about take the general route seconds.
            if route.is_some() && p.bodies() > 30 {
                continue;
            }
            let s = solve_general(&g, &settings(Law::Coulomb, route)).unwrap();
            let judged = general_residual(&g, Law::Coulomb, &s.velocity, &s.reaction).unwrap();
            assert_eq!(judged, s.residual, "{name}");
            if name == "high friction" && route.is_some() {
                assert!(judged.worst() < 1e-2, "{name}: {judged:?}");
                assert_eq!(s.status == GeneralStatus::Solved, judged.worst() <= 1e-8);
            } else {
                assert_eq!(s.status, GeneralStatus::Solved, "{name}: {judged:?}");
            }
        }
    }
}

/// `W` is singular for all of these: four points under a block carry it in many ways.
#[test]
fn local_form_has_the_same_velocities() {
    for (name, p) in small() {
        let g = general(&p);
        if p.bodies() > 25 || p.contacts.is_empty() {
            continue;
        }
        let s = solved(name, &g, &settings(Law::Associated, None));
        let local = g.local().unwrap();
        let l = solve_local(&local, &settings(Law::Associated, None)).unwrap();
        assert_eq!(l.status, GeneralStatus::Solved, "{name}: {:?}", l.residual);
        let scale = local.offset.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = apart(&l.relative_velocity, &s.relative_velocity) / scale;
        assert!(off < 1e-4, "{name}: {off:e}");
        // Reactions in sum: what they do to bodies.
        let (a, b) = (
            g.directions.times(&s.reaction),
            g.directions.times(&l.reaction),
        );
        let most = a.iter().fold(1e-300, |m: f64, x| m.max(x.abs()));
        assert!(
            apart(&a, &b) < 1e-4 * most,
            "{name}: {:e}",
            apart(&a, &b) / most
        );
    }
}

#[test]
fn a_squeeze_is_infeasible() {
    let p = corpus::clamp();
    let g = general(&p);
    for law in [Law::Associated, Law::Coulomb] {
        for route in [Route::Rigid, Route::General] {
            let s = solve_general(&g, &settings(law, Some(route))).unwrap();
            assert_eq!(s.status, GeneralStatus::Infeasible, "{law:?} {route:?}");
            assert!(s.velocity.iter().all(|x| x.is_finite()));
            // The squeeze cannot be undone: half of it stays at either end, or all at one.
            assert!(s.residual.primal > 0.1, "{:?}", s.residual);
        }
        let l = solve_local(&g.local().unwrap(), &settings(law, None)).unwrap();
        assert_eq!(l.status, GeneralStatus::Infeasible, "{law:?}");
    }
}
