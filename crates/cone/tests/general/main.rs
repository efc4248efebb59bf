//! Problems in general and local form: against closed forms, against the step solver, against each other, and against bad input.

mod corpus;
mod faults;
mod hand;
mod random;
mod rounded;

use drystone_cone::{
    FIXED, GeneralProblem, GeneralSettings, GeneralSolution, GeneralStatus, Law, Route,
    SparseMatrix, StepProblem, Stored, SymmetricMatrix, solve_general,
};

/// A step problem in general form: free degrees of freedom only, in the order of bodies; a compliant contact gets degrees of freedom of its own, of unit
/// mass, on which it acts by the root of its compliance.
fn general(p: &StepProblem) -> GeneralProblem {
    let freedoms: Vec<usize> = (0..6).filter(|&k| p.free[k]).collect();
    let size = freedoms.len();
    let mut n = p.bodies() * size;
    let (mut inertia, mut directions) = (Vec::new(), Vec::new());
    let mut force = Vec::new();
    for b in 0..p.bodies() {
        let pull = p.inertia_times(b, &p.free_velocity[b]);
        for (j, &l) in freedoms.iter().enumerate() {
            force.push(pull[l]);
            let mut unit = [0.0; 6];
            unit[l] = 1.0;
            let column = p.inertia_times(b, &unit);
            for (i, &k) in freedoms.iter().enumerate() {
                inertia.push((size * b + i, size * b + j, column[k]));
            }
        }
    }
    for (c, contact) in p.contacts.iter().enumerate() {
        for side in (0..2).filter(|&s| contact.bodies[s] != FIXED) {
            for (axis, column) in p.columns(contact, side).iter().enumerate() {
                for (i, &k) in freedoms.iter().enumerate() {
                    let row = size * contact.bodies[side] as usize + i;
                    directions.push((row, 3 * c + axis, column[k]));
                }
            }
        }
        for axis in 0..3 {
            let compliance = contact.compliance[axis.min(1)];
            if compliance > 0.0 {
                inertia.push((n, n, 1.0));
                force.push(0.0);
                directions.push((n, 3 * c + axis, compliance.sqrt()));
                n += 1;
            }
        }
    }
    let rows = 3 * p.contacts.len();
    // Entries that are zero, of boxes along the axes, only cost time.
    inertia.retain(|e| e.2 != 0.0);
    directions.retain(|e| e.2 != 0.0);
    GeneralProblem {
        inertia: SymmetricMatrix {
            matrix: SparseMatrix::from_triplets(n, n, inertia).unwrap(),
            stored: Stored::Full,
        },
        force,
        directions: SparseMatrix::from_triplets(n, rows, directions).unwrap(),
        offset: p.contacts.iter().flat_map(|c| c.offset).collect(),
        friction: p.contacts.iter().map(|c| c.friction).collect(),
    }
}

fn settings(law: Law, route: Option<Route>) -> GeneralSettings {
    GeneralSettings {
        law,
        route,
        ..GeneralSettings::default()
    }
}

/// Solves, and insists on an answer within tolerance by the route that was asked for.
fn solved(name: &str, p: &GeneralProblem, settings: &GeneralSettings) -> GeneralSolution {
    let s = solve_general(p, settings).unwrap();
    assert_eq!(s.status, GeneralStatus::Solved, "{name}: {:?}", s.residual);
    if let Some(route) = settings.route {
        assert_eq!(s.route, route, "{name}");
    }
    s
}

/// Largest difference of two vectors.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |m: f64, (x, y)| m.max((x - y).abs()))
}
