//! Closed forms.

use drystone_cone::{
    GeneralProblem, GeneralSettings, GeneralStatus, Law, LocalProblem, Route, SparseMatrix, Stored,
    SymmetricMatrix, corpus, solve_general, solve_local,
};

use super::{apart, general, settings, solved};

fn diagonal(values: &[f64]) -> SparseMatrix {
    let n = values.len();
    let entries = values.iter().enumerate().map(|(k, x)| (k, k, *x));
    SparseMatrix::from_triplets(n, n, entries).unwrap()
}

/// A point of mass `m` with one contact, whose axes are those of its degrees of freedom.
fn point(m: f64, force: [f64; 3], offset: [f64; 3], mu: f64) -> GeneralProblem {
    GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: diagonal(&[m; 3]),
            stored: Stored::Full,
        },
        force: force.to_vec(),
        directions: diagonal(&[1.0; 3]),
        offset: offset.to_vec(),
        friction: vec![mu],
    }
}

/// A slab of 2 kg slides at 3 m/s and falls at 1 m/s onto the ground, friction 0.5. Associated: `r = rho (1, -mu)` with `rho = m (mu |u_T| - u_N) / (1 + mu^2)
/// = 2 (1.5 + 1) / 1.25 = 4`, so that it lifts at 1 m/s and slides at 2 m/s. Coulomb: `r_N = 2`, friction takes `mu r_N / m = 0.5 m/s`, nothing lifts.
#[test]
fn sliding_slab_lifts_only_under_the_associated_law() {
    let p = point(2.0, [-2.0, 6.0, 0.0], [0.0; 3], 0.5);
    for (law, velocity, reaction) in [
        (Law::Associated, [1.0, 2.0, 0.0], [4.0, -2.0, 0.0]),
        (Law::Coulomb, [0.0, 2.5, 0.0], [2.0, -1.0, 0.0]),
    ] {
        // Three degrees of freedom with the unit frame are no planar body, and half of a body in space.
        let s = solved("slab", &p, &settings(law, None));
        assert_eq!(s.route, Route::General);
        // Complementarity of 1e-8 at reactions and speeds of order one.
        assert!(
            apart(&s.velocity, &velocity) < 1e-6,
            "{law:?} {:?}",
            s.velocity
        );
        assert!(
            apart(&s.reaction, &reaction) < 1e-6,
            "{law:?} {:?}",
            s.reaction
        );
        let l = solve_local(&p.local().unwrap(), &settings(law, None)).unwrap();
        assert_eq!(l.status, GeneralStatus::Solved);
        // One contact, W regular: the reaction is unique.
        assert!(
            apart(&l.reaction, &reaction) < 1e-6,
            "{law:?} {:?}",
            l.reaction
        );
        assert!(apart(&l.relative_velocity, &velocity) < 1e-6, "{law:?}");
    }
}

/// The corpus' own closed forms, by both routes.
#[test]
fn answers_in_closed_form() {
    for case in corpus::closed() {
        let p = &case.problem;
        if p.bodies() > 150 {
            continue;
        }
        let g = general(p);
        let each = case.velocity.iter();
        let exact: Vec<f64> = each
            .flat_map(|v| (0..6).filter(|&k| p.free[k]).map(|k| v[k]))
            .collect();
        let scale = exact.iter().fold(p.speed_scale, |m, x| m.max(x.abs()));
        for route in [None, Some(Route::General)] {
            let s = solved(case.name, &g, &settings(Law::Associated, route));
            let off = apart(&s.velocity, &exact) / scale;
            assert!(off < 1e-5, "{} {route:?}: {off:e}", case.name);
        }
    }
}

/// A block on a plane of slope 0.3 with friction 0.8 stays, its reactions are its weight; on a slope of 0.9 with 0.4 it slides under Coulomb's law with
/// what friction leaves of gravity.
#[test]
fn block_on_a_plane() {
    let p = corpus::incline(0.3, 0.8);
    let fall = p.speed_scale;
    let mut at_rest = p.clone();
    at_rest.free_velocity[0] = [0.0, 0.0, -fall, 0.0, 0.0, 0.0];
    let g = general(&at_rest);
    for law in [Law::Associated, Law::Coulomb] {
        for route in [Route::Rigid, Route::General] {
            let s = solved("rest", &g, &settings(law, Some(route)));
            let still = s.velocity.iter().all(|x| x.abs() < 1e-6 * fall);
            assert!(still, "{law:?} {route:?} {:?}", s.velocity);
            let normal: f64 = s.reaction.chunks(3).map(|r| r[0]).sum();
            let weight = p.mass[0] * fall * 0.3_f64.cos();
            assert!((normal - weight).abs() < 1e-6 * weight, "{normal} {weight}");
        }
    }
    let (angle, mu) = (0.9_f64, 0.4);
    let g = general(&corpus::incline(angle, mu));
    let (sin, cos) = angle.sin_cos();
    for route in [Route::Rigid, Route::General] {
        let s = solved("slide", &g, &settings(Law::Coulomb, Some(route)));
        let v = &s.velocity;
        let (lift, slide) = (v[0] * sin + v[2] * cos, v[0] * cos - v[2] * sin);
        let exact = 0.8 + fall * (sin - mu * cos);
        assert!(
            lift.abs() < 1e-6 && (slide - exact).abs() < 1e-6,
            "{route:?} {lift} {slide} {exact}"
        );
    }
}

#[test]
fn nothing_to_do() {
    let empty = GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: diagonal(&[]),
            stored: Stored::Full,
        },
        directions: SparseMatrix::from_triplets(0, 0, []).unwrap(),
        ..GeneralProblem::default()
    };
    let s = solved("empty", &empty, &settings(Law::Associated, None));
    assert!(s.velocity.is_empty() && s.reaction.is_empty());
    let local = LocalProblem {
        delassus: empty.inertia.clone(),
        ..LocalProblem::default()
    };
    let l = solve_local(&local, &settings(Law::Coulomb, None)).unwrap();
    assert_eq!(l.status, GeneralStatus::Solved);

    // No contacts: v = M^-1 f, here [[2, 1], [1, 2]] and (4, 5).
    let free = GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: SparseMatrix::from_triplets(2, 2, [(0, 0, 2.0), (0, 1, 1.0), (1, 1, 2.0)])
                .unwrap(),
            stored: Stored::Upper,
        },
        force: vec![4.0, 5.0],
        directions: SparseMatrix::from_triplets(2, 0, []).unwrap(),
        ..GeneralProblem::default()
    };
    let s = solved("free", &free, &settings(Law::Associated, None));
    assert!(apart(&s.velocity, &[1.0, 2.0]) < 1e-15, "{:?}", s.velocity);

    // Contacts but nothing that moves: what is open stays, what closes cannot be helped.
    for (law, offset, status) in [
        (Law::Associated, [1.0, 0.5, 0.0], GeneralStatus::Solved),
        (Law::Associated, [1.0, 3.0, 0.0], GeneralStatus::Infeasible),
        (Law::Coulomb, [1.0, 3.0, 0.0], GeneralStatus::Solved),
        (Law::Coulomb, [-1.0, 0.0, 0.0], GeneralStatus::Infeasible),
    ] {
        let held = GeneralProblem {
            directions: SparseMatrix::from_triplets(0, 3, []).unwrap(),
            offset: offset.to_vec(),
            friction: vec![0.5],
            ..empty.clone()
        };
        let s = solve_general(&held, &settings(law, None)).unwrap();
        assert_eq!(s.status, status, "{law:?} {offset:?}");
        // The same beside something that moves, and in local form.
        let mut beside = point(1.0, [0.0; 3], [0.0; 3], 0.5);
        beside.directions = SparseMatrix::from_triplets(3, 3, []).unwrap();
        beside.offset = offset.to_vec();
        let s = solve_general(&beside, &settings(law, None)).unwrap();
        assert_eq!(
            s.status, status,
            "beside: {law:?} {offset:?} {:?}",
            s.residual
        );
        let l = solve_local(&beside.local().unwrap(), &settings(law, None)).unwrap();
        assert_eq!(
            l.status, status,
            "local: {law:?} {offset:?} {:?}",
            l.residual
        );
    }
}

/// A point pinched between two walls that just touch it: it may hang or fall. Hanging is what friction can do, and what is answered.
#[test]
fn of_several_answers_friction_holds() {
    let mut p = point(1.0, [0.0, 0.0, -1.0], [0.0; 3], 0.5);
    p.friction.push(0.5);
    p.offset = vec![0.0; 6];
    let entries = [
        (0, 0, 1.0),
        (1, 1, 1.0),
        (2, 2, 1.0),
        (0, 3, -1.0),
        (1, 4, 1.0),
        (2, 5, 1.0),
    ];
    p.directions = SparseMatrix::from_triplets(3, 6, entries).unwrap();
    let s = solved("pinched", &p, &settings(Law::Coulomb, None));
    assert!(
        s.velocity.iter().all(|x| x.abs() < 1e-6),
        "{:?}",
        s.velocity
    );
    let normal = s.reaction[0] + s.reaction[3];
    assert!(0.5 * normal > 1.0 - 1e-6, "{:?}", s.reaction);
}

/// A run that is cut short is followed by others, and a single round of the fixed point leaves the rest to Gauss-Seidel: other ways, the same answer.
#[test]
fn limits_act_on_the_rigid_route() {
    let g = general(&corpus::incline(0.9, 0.4));
    let usual = settings(Law::Coulomb, Some(Route::Rigid));
    let whole = solved("usual", &g, &usual);
    for few in [
        GeneralSettings {
            max_iterations: 2,
            ..usual
        },
        GeneralSettings {
            max_outer: 1,
            ..usual
        },
    ] {
        let s = solved("few", &g, &few);
        assert_ne!(
            (s.iterations, s.outer),
            (whole.iterations, whole.outer),
            "{few:?}"
        );
        // Both within 1e-8 of the conditions, which leaves velocities of order one alike to its root at worst.
        assert!(apart(&s.velocity, &whole.velocity) < 1e-4);
    }
}
