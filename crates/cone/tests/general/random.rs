//! Properties on random problems that are no rigid bodies.

use drystone_cone::corpus::Random;
use drystone_cone::{
    GeneralProblem, GeneralStatus, Law, Route, SparseMatrix, Stored, SymmetricMatrix,
    general_residual, solve_general, solve_local,
};

use super::{apart, settings, solved};

/// `M = B B' + I`, `D` with a few entries per column, velocities that close contacts. A velocity in all cones exists because `D'` has full rank: there are
/// more degrees of freedom than contact rows.
fn problem(seed: u64, n: usize, contacts: usize) -> GeneralProblem {
    let mut random = Random::new(seed);
    let b: Vec<f64> = (0..n * n).map(|_| random.signed()).collect();
    let mut inertia = Vec::new();
    for row in 0..n {
        for column in row..n {
            let sum: f64 = (0..n).map(|k| b[n * row + k] * b[n * column + k]).sum();
            let unit = if row == column { 1.0 } else { 0.0 };
            inertia.push((row, column, sum + unit));
        }
    }
    let mut directions = Vec::new();
    for column in 0..3 * contacts {
        for _ in 0..5 {
            let row = (random.uniform() * n as f64) as usize;
            directions.push((row, column, random.signed()));
        }
    }
    GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: SparseMatrix::from_triplets(n, n, inertia).unwrap(),
            stored: Stored::Upper,
        },
        force: (0..n).map(|_| 3.0 * random.signed()).collect(),
        directions: SparseMatrix::from_triplets(n, 3 * contacts, directions).unwrap(),
        offset: (0..3 * contacts).map(|_| 0.3 * random.signed()).collect(),
        friction: (0..contacts).map(|_| 1.2 * random.uniform()).collect(),
    }
}

#[test]
fn general_and_local_form_agree() {
    for seed in 0..30 {
        let p = problem(seed, 40, 8);
        let s = solved("random", &p, &settings(Law::Associated, None));
        assert_eq!(s.route, Route::General);
        let l = solve_local(&p.local().unwrap(), &settings(Law::Associated, None)).unwrap();
        assert_eq!(l.status, GeneralStatus::Solved, "{seed}: {:?}", l.residual);
        // `D` has full column rank, so that reactions are unique.
        let most = s.reaction.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
        let off = apart(&s.reaction, &l.reaction) / most;
        assert!(off < 1e-4, "{seed}: {off:e}");
        assert!(
            apart(&s.relative_velocity, &l.relative_velocity) < 1e-4,
            "{seed}"
        );
    }
}

#[test]
fn coulombs_law_on_random_problems() {
    for seed in 100..130 {
        let p = problem(seed, 40, 8);
        let s = solved("random", &p, &settings(Law::Coulomb, None));
        let l = solve_local(&p.local().unwrap(), &settings(Law::Coulomb, None)).unwrap();
        assert_eq!(l.status, GeneralStatus::Solved, "{seed}: {:?}", l.residual);
        assert!(
            apart(&s.relative_velocity, &l.relative_velocity) < 1e-4,
            "{seed}"
        );
    }
}

/// Newton's method brings what Clarabel leaves near rounding where speeds and reactions do not vanish together, which random numbers avoid.
#[test]
fn tight_tolerances_are_met() {
    for seed in 0..10 {
        for law in [Law::Associated, Law::Coulomb] {
            let mut tight = settings(law, None);
            tight.tolerance = 1e-12;
            solved("tight", &problem(seed, 40, 8), &tight);
        }
    }
}

/// Units change the answer's numbers and nothing else; so does the part of `M` that is stored.
#[test]
fn units_do_not_matter() {
    let p = problem(7, 40, 8);
    let s = solved("plain", &p, &settings(Law::Associated, None));
    let (mass, speed) = (1e7, 1e-4);
    let mut other = p.clone();
    other.inertia.stored = Stored::Lower;
    let m = &p.inertia.matrix;
    let turned = m.entries().map(|(row, column, x)| (column, row, mass * x));
    other.inertia.matrix = SparseMatrix::from_triplets(40, 40, turned).unwrap();
    other.force.iter_mut().for_each(|x| *x *= mass * speed);
    other.offset.iter_mut().for_each(|x| *x *= speed);
    let o = solved("other", &other, &settings(Law::Associated, None));
    let back: Vec<f64> = o.velocity.iter().map(|x| x / speed).collect();
    assert!(apart(&s.velocity, &back) < 1e-6);
    let back: Vec<f64> = o.reaction.iter().map(|x| x / (mass * speed)).collect();
    assert!(apart(&s.reaction, &back) < 1e-6);
}

#[test]
fn same_numbers_same_bits() {
    let p = problem(3, 40, 8);
    for law in [Law::Associated, Law::Coulomb] {
        let [a, b] = [(), ()].map(|()| solved("twice", &p, &settings(law, None)));
        assert_eq!(a, b);
    }
}

/// More contacts than degrees of freedom, friction from nothing to a million, contacts that move nothing: many have no solution. Whatever happens is told, and no
/// claim is made that the judge does not confirm.
#[test]
fn strange_problems_are_answered_honestly() {
    let (mut without, mut with) = (0, 0);
    for seed in 200..240 {
        let mut p = problem(seed, 5, 6);
        let mut random = Random::new(seed);
        for mu in &mut p.friction {
            *mu = [0.0, 1e-9, 0.5, 3.0, 1e6][(5.0 * random.uniform()) as usize];
        }
        if seed % 3 == 0 {
            // The first contact moves nothing.
            let rest = p.directions.entries().filter(|e| e.1 >= 3);
            p.directions = SparseMatrix::from_triplets(5, 18, rest).unwrap();
        }
        for law in [Law::Associated, Law::Coulomb] {
            let mut quick = settings(law, None);
            quick.max_outer = 10;
            let s = solve_general(&p, &quick).unwrap();
            let judged = general_residual(&p, law, &s.velocity, &s.reaction).unwrap();
            assert_eq!(judged, s.residual);
            let within = judged.worst() <= quick.tolerance;
            assert_eq!(within, s.status == GeneralStatus::Solved, "{seed} {law:?}");
            if law == Law::Associated {
                with += u32::from(within);
                without += u32::from(s.status == GeneralStatus::Infeasible);
                assert_ne!(s.status, GeneralStatus::Inaccurate, "{seed}: {judged:?}");
                let l = solve_local(&p.local().unwrap(), &quick).unwrap();
                // A certificate may be missed, an answer that is none may not be taken for one.
                let solved = l.status == GeneralStatus::Solved;
                assert_eq!(solved, within, "{seed}: {judged:?} {:?}", l.residual);
            }
        }
    }
    assert!(with > 5 && without > 5, "{with} {without}");
}
