//! Bad input is named, with what would be right.

use drystone_cone::{
    GeneralFault, GeneralProblem, GeneralSettings, LocalProblem, Route, SparseMatrix, corpus,
    general_residual, solve_general, solve_local,
};

use super::general;

fn good() -> GeneralProblem {
    general(&corpus::stack(2))
}

#[test]
fn every_fault_of_the_general_form_is_named() {
    type Spoil = fn(&mut GeneralProblem);
    let faults: Vec<(&str, Spoil)> = vec![
        ("f has 11 entries; 12 are needed", |p| p.force.truncate(11)),
        ("w has 3 entries; three per contact", |p| {
            p.offset.truncate(3)
        }),
        ("mu has 7 entries", |p| p.friction.truncate(7)),
        ("D has 24 columns", |p| p.friction.push(0.5)),
        ("D has 13 rows; 12", |p| p.directions.rows = 13),
        ("M has 12 rows and 11 columns", |p| {
            p.inertia.matrix.columns = 11;
            p.inertia.matrix.starts.truncate(12);
            let entries = p.inertia.matrix.starts[11];
            p.inertia.matrix.indices.truncate(entries);
            p.inertia.matrix.values.truncate(entries);
        }),
        ("M has 13 column pointers", |p| p.inertia.matrix.columns = 7),
        ("M has 13 column pointers", |p| {
            p.inertia.matrix.columns = usize::MAX
        }),
        ("D: column pointer 0 is 1", |p| p.directions.starts[0] = 1),
        ("D: column pointer 3 is 0", |p| p.directions.starts[3] = 0),
        ("D: column pointer 5 is 9999999", |p| {
            p.directions.starts[5] = 9_999_999
        }),
        ("every entry needs both", |p| {
            p.directions.values.truncate(4)
        }),
        ("D: an entry of column 0 is in row 99", |p| {
            p.directions.indices[0] = 99
        }),
        ("rows must increase", |p| {
            let range = p.directions.starts[0]..p.directions.starts[1];
            p.directions.indices[range].reverse();
        }),
        ("M: the entry in row 1 and column 1 is NaN", |p| {
            p.inertia.matrix.values[1] = f64::NAN
        }),
        ("D: the entry in row", |p| {
            p.directions.values[0] = f64::INFINITY
        }),
        ("f 3 is NaN; it must be finite", |p| p.force[3] = f64::NAN),
        ("w 2 is inf", |p| p.offset[2] = f64::INFINITY),
        ("mu 1 is -0.1", |p| p.friction[1] = -0.1),
        ("mu 0 is NaN", |p| p.friction[0] = f64::NAN),
        ("M: the diagonal entry 0 is -1", |p| {
            p.inertia.matrix.values[0] = -1.0
        }),
        ("M is not symmetric: 5 in row 0 and column 1, 0", |p| {
            let m = &p.inertia.matrix;
            let more = m.entries().chain([(0, 1, 5.0)]);
            p.inertia.matrix = SparseMatrix::from_triplets(12, 12, more).unwrap();
        }),
        ("M is not positive definite", |p| {
            let m = &p.inertia.matrix;
            let off = 1.5 * m.at(0, 0);
            let more = m.entries().chain([(0, 1, off), (1, 0, off)]);
            p.inertia.matrix = SparseMatrix::from_triplets(12, 12, more).unwrap();
        }),
        ("outside the upper triangle", |p| {
            let m = &p.inertia.matrix;
            let more = m.entries().chain([(1, 0, 0.1)]);
            p.inertia.matrix = SparseMatrix::from_triplets(12, 12, more).unwrap();
            p.inertia.stored = drystone_cone::Stored::Upper;
        }),
        ("too large or too small", |p| {
            p.inertia
                .matrix
                .values
                .iter_mut()
                .for_each(|x| *x *= 1e-300);
            p.force.iter_mut().for_each(|x| *x *= 1e300);
        }),
    ];
    for (text, spoil) in faults {
        let mut p = good();
        spoil(&mut p);
        let fault = solve_general(&p, &GeneralSettings::default()).expect_err(text);
        let said = fault.to_string();
        assert!(said.contains(text), "{said:?} should say {text:?}");
    }
    assert_eq!(good().validate(), Ok(()));
}

#[test]
fn every_fault_of_the_local_form_is_named() {
    type Spoil = fn(&mut LocalProblem);
    let faults: Vec<(&str, Spoil)> = vec![
        ("q has 5 entries", |p| p.offset.truncate(5)),
        ("W has 24 rows", |p| p.friction.truncate(2)),
        ("q 4 is NaN", |p| p.offset[4] = f64::NAN),
        ("W: the diagonal entry 0 is -2", |p| {
            p.delassus.matrix.values[0] = -2.0
        }),
        ("W is not positive semidefinite", |p| {
            let m = &p.delassus.matrix;
            let more = m.entries().chain([(0, 1, 50.0)]);
            p.delassus.matrix = SparseMatrix::from_triplets(24, 24, more).unwrap();
        }),
    ];
    let good = good().local().unwrap();
    for (text, spoil) in faults {
        let mut p = good.clone();
        spoil(&mut p);
        let fault = solve_local(&p, &GeneralSettings::default()).expect_err(text);
        let said = fault.to_string();
        assert!(said.contains(text), "{said:?} should say {text:?}");
    }
    assert_eq!(good.validate(), Ok(()));
}

#[test]
fn settings_and_lengths_are_checked() {
    let p = good();
    for tolerance in [0.0, -1.0, f64::NAN, 2.0] {
        let settings = GeneralSettings {
            tolerance,
            ..GeneralSettings::default()
        };
        assert!(solve_general(&p, &settings).is_err());
    }
    let law = drystone_cone::Law::Associated;
    assert!(general_residual(&p, law, &[0.0; 3], &[0.0; 24]).is_err());
    assert!(general_residual(&p, law, &[0.0; 12], &[0.0; 3]).is_err());
    let nan = general_residual(&p, law, &[f64::NAN; 12], &[0.0; 24]).unwrap();
    assert!(nan.primal == f64::INFINITY && nan.worst().is_nan() || nan.worst() == f64::INFINITY);
    assert!(SparseMatrix::from_triplets(2, 2, [(0, 2, 1.0)]).is_err());
    assert!(SparseMatrix::from_triplets(2, 2, [(2, 0, 1.0)]).is_err());
    assert!(SparseMatrix::from_triplets(2, usize::MAX, []).is_err());
}

/// Each departure from rigid bodies is seen, and the general route takes over.
#[test]
fn what_is_not_rigid_is_told() {
    type Spoil = fn(&mut GeneralProblem);
    let cases: Vec<(&str, Spoil)> = vec![
        ("different masses", |p| p.inertia.matrix.values[0] *= 1.001),
        ("not orthonormal", |p| {
            p.directions.values.iter_mut().for_each(|x| *x *= 1.001)
        }),
        ("not those of an arm", |p| {
            let k = p.directions.starts[1] - 1;
            p.directions.values[k] += 0.01;
            let last = p.directions.indices[k];
            assert!(last % 6 >= 3, "a moment is meant");
        }),
    ];
    for (text, spoil) in cases {
        let mut p = good();
        spoil(&mut p);
        let rigid = GeneralSettings {
            route: Some(Route::Rigid),
            ..GeneralSettings::default()
        };
        match solve_general(&p, &rigid) {
            Err(GeneralFault::NotRigid { why }) => assert!(why.contains(text), "{why} {text}"),
            other => panic!("{text}: {other:?}"),
        }
        let s = super::solved(text, &p, &GeneralSettings::default());
        assert_eq!(s.route, Route::General, "{text}");
    }
}
