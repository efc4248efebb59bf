//! Both solvers on the whole corpus, cold and warm: they agree with each other and with the judge.

use drystone_cone::{
    FIXED, Law, Method, Settings, Solution, Solver, Status, StepProblem, Tolerances, Warm, corpus,
    objective, residual, residual_under,
};

fn solver(method: Method, tolerances: Tolerances) -> Solver {
    Solver::new(Settings {
        method,
        tolerances,
        ..Settings::default()
    })
}

/// Speed that residuals of the whole problem are relative to, at least.
fn scale(p: &StepProblem) -> f64 {
    let (mut energy, mut mass) = (0.0, 0.0);
    for (b, v) in p.free_velocity.iter().enumerate() {
        let h = p.inertia_times(b, v);
        energy += (0..6).map(|k| v[k] * h[k]).sum::<f64>();
        mass += p.mass[b];
    }
    p.speed_scale.max((energy / f64::max(mass, 1e-300)).sqrt())
}

/// Root of twice the kinetic energy of the difference over mass, in units of the speed scale.
fn apart(p: &StepProblem, a: &[[f64; 6]], b: &[[f64; 6]]) -> f64 {
    let (mut energy, mut mass) = (0.0, 1e-300);
    for body in 0..p.bodies() {
        let d: [f64; 6] = std::array::from_fn(|k| a[body][k] - b[body][k]);
        let h = p.inertia_times(body, &d);
        energy += (0..6).map(|k| d[k] * h[k]).sum::<f64>();
        mass += p.mass[body];
    }
    (energy / mass).sqrt() / scale(p)
}

fn accepted(name: &str, p: &StepProblem, s: &Solution, tolerances: &Tolerances) {
    assert_eq!(s.status, Status::Solved, "{name}: {:?}", s.residual);
    let judged = residual(p, &s.velocity, &s.impulse);
    assert_eq!(
        judged, s.residual,
        "{name}: the residual told is not the judge's"
    );
    assert!(judged.within(tolerances), "{name}: {judged:?}");
    assert_eq!(s.stats.fallbacks, 0, "{name}: {:?}", s.stats);
}

#[test]
fn both_solvers_agree_cold_and_warm() {
    let tight = Tolerances {
        momentum: 1e-8,
        primal: 1e-8,
        gap: 1e-9,
    };
    for (name, p) in corpus::all() {
        if name == "clamp" {
            continue;
        }
        let ours = solver(Method::InteriorPoint, tight)
            .solve(&p, None)
            .unwrap();
        let theirs = solver(Method::Clarabel, tight).solve(&p, None).unwrap();
        accepted(name, &p, &ours, &tight);
        accepted(name, &p, &theirs, &tight);
        // The objective is strongly convex in V: half the squared distance is at most the sum of the two gaps,
        // 2e-9 (M v^2), and what infeasibility of 1e-8 v buys against impulses of up to a hundred M v.
        let distance = apart(&p, &ours.velocity, &theirs.velocity);
        assert!(distance < 1e-3, "{name}: velocities differ by {distance}");
        let mass: f64 = p.mass.iter().sum();
        let (f, g) = (
            objective(&p, &ours.velocity, &ours.impulse),
            objective(&p, &theirs.velocity, &theirs.impulse),
        );
        assert!(
            (f - g).abs() <= 1e-6 * mass * scale(&p).powi(2),
            "{name}: objectives {f} {g}"
        );

        // From the other's answer, from our own, and from a poor guess.
        let poor = (
            p.free_velocity.clone(),
            vec![[1.0, 0.0, 0.0]; p.contacts.len()],
        );
        for (from, guess) in [
            (
                "theirs",
                Warm {
                    velocity: &theirs.velocity,
                    impulse: &theirs.impulse,
                },
            ),
            (
                "poor",
                Warm {
                    velocity: &poor.0,
                    impulse: &poor.1,
                },
            ),
        ] {
            let settings = Settings {
                tolerances: tight,
                check_first: false,
                ..Settings::default()
            };
            let warm = Solver::new(settings).solve(&p, Some(guess)).unwrap();
            accepted(name, &p, &warm, &tight);
            let distance = apart(&p, &ours.velocity, &warm.velocity);
            assert!(distance < 1e-3, "{name} from {from}: {distance}");
        }
        let guess = Warm {
            velocity: &ours.velocity,
            impulse: &ours.impulse,
        };
        let again = solver(Method::InteriorPoint, tight)
            .solve(&p, Some(guess))
            .unwrap();
        assert_eq!(
            again.stats.iterations, 0,
            "{name}: its own answer is not accepted"
        );
        assert_eq!(again.stats.checked_only, again.stats.islands, "{name}");
        assert_eq!(
            (again.velocity, again.impulse),
            (ours.velocity, ours.impulse),
            "{name}"
        );
    }
}

#[test]
fn a_warm_start_saves_iterations() {
    for (name, p) in [
        ("wall", corpus::shaken(corpus::wall(8, 10), 0.05, 9)),
        ("arch", corpus::arch(61)),
    ] {
        let mut solver = Solver::new(Settings::default());
        let cold = solver.solve(&p, None).unwrap();
        let mut next = p.clone();
        let mut random = corpus::Random::new(8);
        for v in &mut next.free_velocity {
            v[0] += 0.01 * p.speed_scale * random.signed();
        }
        let guess = Warm {
            velocity: &cold.velocity,
            impulse: &cold.impulse,
        };
        let warm = solver.solve(&next, Some(guess)).unwrap();
        assert_eq!(warm.status, Status::Solved);
        assert!(
            warm.stats.iterations < cold.stats.iterations,
            "{name}: {:?} {:?}",
            warm.stats,
            cold.stats
        );
        assert_eq!(warm.stats.analyses, 0, "{name}: the graph is the same");
    }
}

#[test]
fn structures_at_rest_stay_exactly_there() {
    for (name, p) in [
        ("wall", corpus::wall(6, 8)),
        ("arch", corpus::arch(21)),
        ("planar arch", corpus::planar_arch(15)),
        ("stack", corpus::stack(5)),
    ] {
        for law in [Law::Associated, Law::Coulomb] {
            let mut solver = Solver::new(Settings {
                law,
                ..Settings::default()
            });
            let s = solver.solve(&p, None).unwrap();
            assert_eq!(s.status, Status::Solved);
            assert!(
                s.velocity.iter().flatten().all(|x| *x == 0.0),
                "{name} {law:?} creeps"
            );
            assert_eq!(s.stats.at_rest, 1, "{name}");
            assert!(
                residual_under(&p, law, &s.velocity, &s.impulse).within(&Tolerances::default())
            );
        }
    }
    // And what moves is not stopped.
    let sliding = Solver::new(Settings::default())
        .solve(&corpus::incline(0.9, 0.4), None)
        .unwrap();
    assert!(sliding.velocity[0][0] > 0.1);
    assert_eq!(sliding.stats.at_rest, 0);
}

#[test]
fn opposed_penetrations_are_flagged_and_held() {
    let p = corpus::clamp();
    for method in [Method::InteriorPoint, Method::Clarabel] {
        let s = solver(method, Tolerances::default())
            .solve(&p, None)
            .unwrap();
        assert_eq!(s.status, Status::Infeasible);
        // The residual is that of the softened problem; as posed, the penetration remains.
        assert!(
            s.residual.within(&Tolerances::default()),
            "{:?}",
            s.residual
        );
        assert!(residual(&p, &s.velocity, &s.impulse).primal > 0.1);
        // The ends give way by part of the penetration, equally, and the squeeze holds the row against gravity.
        assert!(
            s.velocity
                .iter()
                .all(|v| v[0].abs() < 0.1 && v[2].abs() < 1e-3 * p.speed_scale),
            "{:?}",
            s.velocity
        );
        let drift: f64 = s.velocity.iter().map(|v| v[0]).sum();
        assert!(drift.abs() < 1e-6, "{drift}");
    }
}

/// The clamp under Coulomb's law: the softened answer obeys that law, not the associated one of the first round.
#[test]
fn opposed_penetrations_under_coulomb() {
    // So smooth at the ends and so fast that the squeeze does not stop the row.
    let (mu, fall) = (1e-3, 1000.0);
    let mut slipping = corpus::clamp();
    slipping.free_velocity.iter_mut().for_each(|v| v[2] = -fall);
    for c in &mut slipping.contacts {
        if c.bodies.contains(&FIXED) {
            (c.friction, c.offset[0]) = (mu, -0.01);
        }
    }
    let settings = Settings {
        law: Law::Coulomb,
        ..Settings::default()
    };
    let solve = |p: &StepProblem| {
        let s = Solver::new(settings).solve(p, None).unwrap();
        assert_eq!(
            s.status,
            Status::Infeasible,
            "{:?} {:?}",
            s.residual,
            s.stats
        );
        assert!(s.residual.within(&settings.tolerances), "{:?}", s.residual);
        let posed = residual_under(p, Law::Coulomb, &s.velocity, &s.impulse);
        assert!(!posed.within(&settings.tolerances), "{posed:?}");
        s
    };
    let held = corpus::clamp();
    let s = solve(&held);
    assert!(
        s.velocity
            .iter()
            .all(|v| v[2].abs() < 1e-3 * held.speed_scale)
    );

    // Slipping loses `mu` times the squeeze. The associated law would wedge the row with its lift and almost stop it.
    let s = solve(&slipping);
    let ends = slipping.contacts.iter().zip(&s.impulse);
    let squeeze: f64 = ends
        .filter(|(c, _)| c.bodies.contains(&FIXED))
        .map(|(_, r)| r[0])
        .sum();
    let left = fall - mu * squeeze / slipping.mass.iter().sum::<f64>();
    assert!(left > 0.5 * fall, "{left}");
    for v in &s.velocity {
        // The blocks differ by what their joints give way, about 1e-8 of the fall; tolerances allow ten times that.
        assert!((v[2] + left).abs() < 1e-6 * fall, "{} {left}", v[2]);
    }
}

/// An infeasible problem whose softened form is not solved either is not passed off as answered.
#[test]
fn a_softened_answer_that_the_judge_refuses_is_inaccurate() {
    for law in [Law::Associated, Law::Coulomb] {
        let s = Solver::new(Settings {
            law,
            // Clarabel, with its own limit, finds that there is no solution; one iteration, or four, do not solve the rest.
            method: Method::Clarabel,
            max_iterations: 1,
            max_outer: 3,
            ..Settings::default()
        })
        .solve(&corpus::clamp(), None)
        .unwrap();
        assert_eq!(s.status, Status::Inaccurate, "{law:?} {:?}", s.residual);
        assert!(!s.residual.within(&Tolerances::default()));
    }
}

/// A sound structure beside a squeezed one: the residual told is the worse of both, each by its own measure.
#[test]
fn a_softened_island_does_not_hide_or_spoil_the_others() {
    let (mut p, beside) = (corpus::clamp(), corpus::separate_stacks());
    let first = p.bodies() as u32;
    p.mass.extend(&beside.mass);
    p.rotational.extend(&beside.rotational);
    p.free_velocity.extend(&beside.free_velocity);
    for mut c in beside.contacts.iter().copied() {
        for b in c.bodies.iter_mut().filter(|b| **b != FIXED) {
            *b += first;
        }
        p.contacts.push(c);
    }
    let solve = |p: &StepProblem| Solver::new(Settings::default()).solve(p, None).unwrap();
    let (s, squeezed, sound) = (solve(&p), solve(&corpus::clamp()), solve(&beside));
    assert_eq!(s.status, Status::Infeasible);
    let worse = |f: fn(&Solution) -> f64| (f(&s), f(&squeezed).max(f(&sound)));
    for (told, wanted) in [
        worse(|s| s.residual.momentum),
        worse(|s| s.residual.primal),
        worse(|s| s.residual.gap),
    ] {
        // An island does not feel the others: the same bits.
        assert_eq!(told, wanted);
    }
}

#[test]
fn few_iterations_are_reported_as_inaccurate_or_rescued() {
    let p = corpus::shaken(corpus::wall(4, 4), 0.1, 4);
    let settings = Settings {
        max_iterations: 1,
        ..Settings::default()
    };
    let s = Solver::new(settings).solve(&p, None).unwrap();
    // Clarabel, the last link, has its own limit.
    assert_eq!(s.status, Status::Solved);
    assert_eq!(s.stats.fallbacks, 2);
}

/// Contacts that the mask makes powerless, steep and flat cones, no scale at all: answers with a status, never a panic.
#[test]
fn odd_problems_are_answered() {
    let mut across = corpus::stack(2);
    across.free = [true, false, true, false, true, false];
    for c in &mut across.contacts {
        c.frame.rotate_left(2);
    }
    let across_open = across.clone();
    across.contacts.iter_mut().for_each(|c| c.offset[0] = -0.1);
    let mut steep = corpus::shaken(corpus::stack(3), 0.1, 3);
    steep.contacts.iter_mut().for_each(|c| c.friction = 1e4);
    let mut one_way = corpus::stack(3);
    one_way.free = [false, false, true, false, false, false];
    let mut still = corpus::stack(3);
    still.speed_scale = 0.0;
    still.free_velocity.fill([0.0; 6]);
    for (name, p, wanted) in [
        ("powerless contacts", across_open, Status::Solved),
        ("powerless penetrating contacts", across, Status::Infeasible),
        ("very rough", steep, Status::Solved),
        ("one freedom", one_way, Status::Solved),
        ("no motion, no scale", still, Status::Solved),
    ] {
        let s = Solver::new(Settings::default()).solve(&p, None).unwrap();
        assert_eq!(s.status, wanted, "{name}: {:?} {:?}", s.residual, s.stats);
        assert!(s.velocity.iter().flatten().all(|x| x.is_finite()), "{name}");
    }
}
