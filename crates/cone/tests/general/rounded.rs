//! Matrices of the local form that are semidefinite but for rounding.

use drystone_cone::{
    GeneralProblem, GeneralStatus, Law, LocalProblem, SparseMatrix, Stored, SymmetricMatrix,
    local_residual, solve_general, solve_local,
};

use super::{apart, settings};

/// A plate of 1 kg that falls at 1 m/s, and slides at half of that, onto sixteen points of friction 0.6: far more contacts than degrees of freedom, so that
/// `W` has a large null space, of which rounding makes eigenvalues on both sides of zero.
fn plate() -> GeneralProblem {
    let inertia = [1.0, 1.0, 1.0, 0.3, 0.3, 0.6];
    let frame = [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    let mut directions = Vec::new();
    for c in 0..16 {
        let arm = [
            0.3 * (f64::from(c) % 4.0) - 0.47,
            0.37 * f64::from(c / 4) - 0.51,
            -0.1,
        ];
        for (axis, e) in frame.iter().enumerate() {
            let moment = [
                arm[1] * e[2] - arm[2] * e[1],
                arm[2] * e[0] - arm[0] * e[2],
                arm[0] * e[1] - arm[1] * e[0],
            ];
            let column = 3 * c as usize + axis;
            directions.extend((0..3).map(|k| (k, column, e[k])));
            directions.extend((0..3).map(|k| (3 + k, column, moment[k])));
        }
    }
    directions.retain(|entry| entry.2 != 0.0);
    GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: SparseMatrix::from_triplets(6, 6, (0..6).map(|k| (k, k, inertia[k]))).unwrap(),
            stored: Stored::Full,
        },
        force: vec![0.5, 0.0, -1.0, 0.0, 0.0, 0.0],
        directions: SparseMatrix::from_triplets(6, 48, directions).unwrap(),
        offset: vec![0.0; 48],
        friction: vec![0.6; 16],
    }
}

/// `W` stored with numbers of single precision.
fn single(mut local: LocalProblem) -> LocalProblem {
    let values = local.delassus.matrix.values.iter_mut();
    values.for_each(|x| *x = f64::from(*x as f32));
    local
}

#[test]
fn single_precision_is_solved_and_told() {
    let plate = plate();
    for law in [Law::Associated, Law::Coulomb] {
        let settings = settings(law, None);
        let whole = solve_general(&plate, &settings).unwrap();
        let exact = solve_local(&plate.local().unwrap(), &settings).unwrap();
        assert_eq!(exact.shifted_by, 0.0);
        let rounded = single(plate.local().unwrap());
        let found = solve_local(&rounded, &settings).unwrap();
        assert_eq!(found.status, GeneralStatus::Solved, "{:?}", found.residual);
        // The greatest eigenvalue is about 30; seven digits leave some 1e-8 to 1e-7 of it.
        assert!(
            found.shifted_by > 3e-8 && found.shifted_by < 3e-5,
            "{}",
            found.shifted_by
        );
        // Judged with the matrix as it was given.
        let judged = local_residual(&rounded, law, &found.reaction).unwrap();
        assert_eq!(judged, found.residual);
        // Seven digits of `W` are as many of `u`, and the root of the tolerance where contacts barely touch.
        let u = &whole.relative_velocity;
        assert!(apart(&exact.relative_velocity, u) < 1e-6);
        assert!(apart(&found.relative_velocity, u) < 1e-5, "{law:?}");
    }
}

#[test]
fn more_than_rounding_is_refused_with_both_eigenvalues() {
    let mut local = plate().local().unwrap();
    for k in 0..48 {
        let shift = SparseMatrix::from_triplets(48, 48, [(k, k, -1e-3)]).unwrap();
        let entries: Vec<_> = local
            .delassus
            .matrix
            .entries()
            .chain(shift.entries())
            .collect();
        local.delassus.matrix = SparseMatrix::from_triplets(48, 48, entries).unwrap();
    }
    let said = solve_local(&local, &settings(Law::Coulomb, None))
        .expect_err("indefinite")
        .to_string();
    assert!(said.contains("W is not positive semidefinite"), "{said}");
    let number = |after: &str| -> f64 {
        let rest = said.split(after).nth(1).unwrap().trim_start();
        let end = rest.find([' ', ';']).unwrap();
        rest[..end].parse().unwrap()
    };
    assert!(
        (number("least eigenvalue is about") + 1e-3).abs() < 1e-4,
        "{said}"
    );
    assert!(number("its greatest") > 10.0, "{said}");
}
