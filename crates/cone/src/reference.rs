//! Clarabel on the primal form: an independent solver to compare with and the last link of the chain of fallbacks.
//!
//! Unknowns are the free velocities in units of `v_ref` and, for compliant contacts, `q = E^(1/2) r`; a cone per contact:
//! `min 1/2 (V - V_f)' H (V - V_f) + 1/2 q' q  s.t.  D' V + s + E^(1/2) q ∈ K*`, whose multiplier is `r`.

use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT,
};

use crate::residual::scales;
use crate::{FIXED, StepProblem, Tolerances};

/// What Clarabel found.
pub(crate) struct Reference {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    pub(crate) iterations: u32,
    /// It holds a certificate that no velocity satisfies the constraints.
    pub(crate) infeasible: bool,
}

/// Column-wise sparse matrix under construction, entries as (column, row, value).
#[derive(Default)]
pub(crate) struct Entries(Vec<(usize, usize, f64)>);

impl Entries {
    pub(crate) fn push(&mut self, row: usize, column: usize, value: f64) {
        if value != 0.0 {
            self.0.push((column, row, value));
        }
    }

    pub(crate) fn matrix(mut self, rows: usize, columns: usize) -> CscMatrix<f64> {
        self.0.sort_by_key(|&(column, row, _)| (column, row));
        let mut start = vec![0; columns + 1];
        self.0
            .iter()
            .for_each(|&(column, _, _)| start[column + 1] += 1);
        (0..columns).for_each(|c| start[c + 1] += start[c]);
        let index = self.0.iter().map(|e| e.1).collect();
        CscMatrix::new(
            rows,
            columns,
            start,
            index,
            self.0.iter().map(|e| e.2).collect(),
        )
    }
}

/// A certificate to reduced accuracy, `AlmostPrimalInfeasible`, proves nothing: squeezed problems that have a solution come
/// close to one.
fn proves_infeasible(status: SolverStatus) -> bool {
    status == SolverStatus::PrimalInfeasible
}

/// Solves a valid problem, preferably of a single island. `None` if Clarabel refuses it.
pub(crate) fn solve(problem: &StepProblem, tolerances: &Tolerances) -> Option<Reference> {
    let scale = scales(problem);
    let speed = scale.speed;
    let unit_mass = scale.mass / scale.bodies.max(1.0);
    let freedoms: Vec<usize> = (0..6).filter(|&k| problem.free[k]).collect();
    let per_body = freedoms.len();
    let mut columns = problem.bodies() * per_body;

    let mut quadratic = Entries::default();
    let mut linear = vec![0.0; columns];
    for b in 0..problem.bodies() {
        let pull = problem.inertia_times(b, &problem.free_velocity[b]);
        for (i, &k) in freedoms.iter().enumerate() {
            linear[b * per_body + i] = -pull[k] / (unit_mass * speed);
            let mut unit = [0.0; 6];
            unit[k] = 1.0;
            let column = problem.inertia_times(b, &unit);
            // Clarabel wants the upper triangle.
            for (j, &l) in freedoms.iter().enumerate().take(i + 1) {
                quadratic.push(b * per_body + j, b * per_body + i, column[l] / unit_mass);
            }
        }
    }

    // Cone variables (u_N, mu u_T), paired with (r_N, r_T / mu); without friction only the normal remains.
    let mut constraints = Entries::default();
    let (mut right, mut cones, mut rows) =
        (Vec::new(), Vec::<SupportedConeT<f64>>::new(), Vec::new());
    for contact in &problem.contacts {
        let size = if contact.friction > 0.0 { 3 } else { 1 };
        rows.push(right.len());
        for k in 0..size {
            let weight = if k == 0 { 1.0 } else { contact.friction };
            let row = right.len();
            for side in (0..2).filter(|&s| contact.bodies[s] != FIXED) {
                let column = problem.columns(contact, side)[k];
                for (i, &l) in freedoms.iter().enumerate() {
                    constraints.push(
                        row,
                        contact.bodies[side] as usize * per_body + i,
                        -weight * column[l],
                    );
                }
            }
            let compliance = contact.compliance[k.min(1)];
            if compliance > 0.0 {
                quadratic.push(columns, columns, 1.0);
                linear.push(0.0);
                constraints.push(row, columns, -weight * (compliance * unit_mass).sqrt());
                columns += 1;
            }
            right.push(weight * contact.offset[k] / speed);
        }
        cones.push(if size == 3 {
            SecondOrderConeT(3)
        } else {
            NonnegativeConeT(1)
        });
    }

    // Clarabel's residuals are relative to other norms than the judge's. Asked for the tolerances themselves it fails the
    // judge by a little where the ground moves; a tenth is enough on the whole corpus and costs one iteration.
    let wanted = 0.1
        * tolerances
            .momentum
            .min(tolerances.primal)
            .min(tolerances.gap);
    let settings = DefaultSettings {
        verbose: false,
        max_iter: 200,
        max_threads: 1,
        tol_gap_abs: wanted.max(1e-12),
        tol_gap_rel: wanted.max(1e-12),
        tol_feas: wanted.max(1e-12),
        ..DefaultSettings::default()
    };
    let quadratic = quadratic.matrix(columns, columns);
    let constraints = constraints.matrix(right.len(), columns);
    let mut solver =
        DefaultSolver::new(&quadratic, &linear, &constraints, &right, &cones, settings).ok()?;
    solver.solve();

    let found = &solver.solution;
    let infeasible = proves_infeasible(found.status);
    let mut velocity = problem.free_velocity.clone();
    for (b, v) in velocity.iter_mut().enumerate() {
        for (i, &k) in freedoms.iter().enumerate() {
            v[k] = found.x[b * per_body + i] * speed;
        }
    }
    let impulse = problem
        .contacts
        .iter()
        .zip(rows)
        .map(|(contact, row)| {
            let z = |k: usize| found.z[row + k] * unit_mass * speed;
            match contact.friction > 0.0 {
                true => [z(0), contact.friction * z(1), contact.friction * z(2)],
                false => [z(0), 0.0, 0.0],
            }
        })
        .collect();
    Some(Reference {
        velocity,
        impulse,
        iterations: found.iterations,
        infeasible,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_certificate_counts() {
        assert!(proves_infeasible(SolverStatus::PrimalInfeasible));
        for other in [
            SolverStatus::AlmostPrimalInfeasible,
            SolverStatus::InsufficientProgress,
            SolverStatus::NumericalError,
            SolverStatus::Solved,
        ] {
            assert!(!proves_infeasible(other), "{other:?}");
        }
    }
}
