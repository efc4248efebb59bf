//! The convex problem by Clarabel: with velocities as unknowns in general form, with reactions in local form.

use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};

use super::scaled::{Form, Point, Scaled};
use crate::reference::Entries;

/// What one convex problem is asked with.
pub(super) struct Asked<'a> {
    /// Added to the normal component of each contact's velocity.
    pub(super) shift: &'a [f64],
    /// Compliance of every contact; zero is rigid.
    pub(super) soft: f64,
    pub(super) tolerance: f64,
    pub(super) max_iterations: u32,
}

/// What Clarabel found.
pub(super) struct Convex {
    pub(super) point: Point,
    pub(super) iterations: u32,
    /// It holds a certificate that no velocity satisfies all contacts.
    pub(super) infeasible: bool,
}

/// Factors of normal and tangents that make a cone of slope `mu` one of slope one, neither of them above one.
fn weights(mu: f64) -> (f64, f64) {
    let most = mu.max(1.0);
    (1.0 / most, mu / most)
}

/// `None` if Clarabel refuses the problem.
pub(super) fn solve(problem: &Scaled, asked: &Asked<'_>) -> Option<Convex> {
    match &problem.form {
        Form::General { .. } => by_velocities(problem, asked),
        Form::Local { .. } => by_reactions(problem, asked),
    }
}

/// `min 1/2 x' P x + 1/2 y' y  s.t.  A' x + b + shift + soft^(1/2) y ∈ K*`, whose multiplier is `z`.
fn by_velocities(problem: &Scaled, asked: &Asked<'_>) -> Option<Convex> {
    let Form::General {
        inertia,
        directions,
    } = &problem.form
    else {
        return None;
    };
    let mut columns = inertia.rows;
    let (mut quadratic, mut constraints) = (Entries::default(), Entries::default());
    let upper = inertia.entries().filter(|(row, column, _)| row <= column);
    upper.for_each(|(row, column, x)| quadratic.push(row, column, x));
    let (mut right, mut cones, mut first) = (Vec::new(), Vec::new(), Vec::new());
    for (c, &mu) in problem.friction.iter().enumerate() {
        let size = if mu > 0.0 { 3 } else { 1 };
        let (normal, tangent) = weights(mu);
        first.push(right.len());
        for k in 0..size {
            let weight = if k == 0 { normal } else { tangent };
            let shift = if k == 0 { asked.shift[c] } else { 0.0 };
            for (freedom, value) in directions.column(3 * c + k) {
                constraints.push(right.len(), freedom, -weight * value);
            }
            if asked.soft > 0.0 {
                quadratic.push(columns, columns, 1.0);
                constraints.push(right.len(), columns, -weight * asked.soft.sqrt());
                columns += 1;
            }
            right.push(weight * (problem.offset[3 * c + k] + shift));
        }
        cones.push(if size == 3 {
            SecondOrderConeT(3)
        } else {
            NonnegativeConeT(1)
        });
    }
    let program = Program {
        quadratic,
        linear: vec![0.0; columns],
        constraints,
        right,
        cones,
    };
    let found = program.run(asked)?;
    let mut z = vec![0.0; problem.rows()];
    for ((c, &mu), &row) in problem.friction.iter().enumerate().zip(&first) {
        let (normal, tangent) = weights(mu);
        z[3 * c] = normal * found.z[row];
        if mu > 0.0 {
            (1..3).for_each(|k| z[3 * c + k] = tangent * found.z[row + k]);
        }
    }
    Some(Convex {
        point: Point {
            x: found.x[..inertia.rows].to_vec(),
            z,
        },
        iterations: found.iterations,
        infeasible: found.status == SolverStatus::PrimalInfeasible,
    })
}

/// `min 1/2 z' (W + soft) z + (b + shift)' z  s.t.  z ∈ K`, whose multiplier is `h`.
fn by_reactions(problem: &Scaled, asked: &Asked<'_>) -> Option<Convex> {
    let Form::Local { delassus } = &problem.form else {
        return None;
    };
    let (mut quadratic, mut constraints) = (Entries::default(), Entries::default());
    let upper = delassus.entries().filter(|(row, column, _)| row <= column);
    let soft = (0..problem.rows()).map(|k| (k, k, asked.soft));
    // Both may stand in the same place of the diagonal.
    let sum = super::sparse::SparseMatrix::from_triplets(
        problem.rows(),
        problem.rows(),
        upper.chain(soft),
    )
    .ok()?;
    (sum.entries()).for_each(|(row, column, x)| quadratic.push(row, column, x));
    let mut linear = problem.offset.clone();
    let (mut right, mut cones) = (Vec::new(), Vec::new());
    for (c, &mu) in problem.friction.iter().enumerate() {
        linear[3 * c] += asked.shift[c];
        // The cone of reactions has the inverse slope, so that factors change places.
        let (tangent, normal) = weights(mu);
        for k in 0..3 {
            let weight = match (mu > 0.0, k) {
                (false, _) => 1.0,
                (true, 0) => normal,
                (true, _) => tangent,
            };
            constraints.push(3 * c + k, 3 * c + k, -weight);
            right.push(0.0);
        }
        if mu > 0.0 {
            cones.push(SecondOrderConeT(3));
        } else {
            cones.extend([NonnegativeConeT(1), ZeroConeT(2)]);
        }
    }
    let program = Program {
        quadratic,
        linear,
        constraints,
        right,
        cones,
    };
    let found = program.run(asked)?;
    Some(Convex {
        point: Point {
            x: Vec::new(),
            z: found.x,
        },
        iterations: found.iterations,
        infeasible: found.status == SolverStatus::DualInfeasible,
    })
}

/// `min 1/2 x' P x + c' x  s.t.  A x + s = b`, `s` in cones.
struct Program {
    quadratic: Entries,
    linear: Vec<f64>,
    constraints: Entries,
    right: Vec<f64>,
    cones: Vec<SupportedConeT<f64>>,
}

struct Found {
    x: Vec<f64>,
    z: Vec<f64>,
    iterations: u32,
    status: SolverStatus,
}

impl Program {
    fn run(self, asked: &Asked<'_>) -> Option<Found> {
        let (rows, columns) = (self.right.len(), self.linear.len());
        let settings = DefaultSettings {
            verbose: false,
            max_iter: asked.max_iterations,
            max_threads: 1,
            tol_gap_abs: asked.tolerance,
            tol_gap_rel: asked.tolerance,
            tol_feas: asked.tolerance,
            ..DefaultSettings::default()
        };
        let mut solver = DefaultSolver::new(
            &self.quadratic.matrix(columns, columns),
            &self.linear,
            &self.constraints.matrix(rows, columns),
            &self.right,
            &self.cones,
            settings,
        )
        .ok()?;
        solver.solve();
        let solution = solver.solution;
        Some(Found {
            x: solution.x,
            z: solution.z,
            iterations: solution.iterations,
            status: solution.status,
        })
    }
}
