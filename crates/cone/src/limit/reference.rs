//! Clarabel on the kinematic form: an independent solver to compare with.
//!
//! `min -f_D' V  s.t.  f_L' V = 1, A V + g` in the cones; the multipliers are `alpha` and the forces.

use clarabel::solver::{
    DefaultSettings, DefaultSolver, IPSolver, NonnegativeConeT, SecondOrderConeT, SolverStatus,
    SupportedConeT, ZeroConeT,
};

use super::program::Program;
use super::{Answer, LimitSettings, LimitStatus};
use crate::reference::Entries;

pub(super) fn solve(program: &Program, settings: &LimitSettings) -> Answer {
    let freedoms: Vec<usize> = (0..6).filter(|&k| program.free[k]).collect();
    let per_node = freedoms.len();
    let columns = program.nodes() * per_node;
    // Forces in units of the mean load, rotations as speeds at the distance of the contacts.
    let unit = program.unit_force();
    let scale = |node: usize, k: usize| {
        if k < 3 {
            1.0
        } else {
            1.0 / program.radii[node]
        }
    };

    let mut linear = vec![0.0; columns];
    let mut rows = Entries::default();
    for node in 0..program.nodes() {
        for (i, &k) in freedoms.iter().enumerate() {
            let column = node * per_node + i;
            linear[column] = -program.dead[node][k] * scale(node, k) / unit;
            rows.push(0, column, program.live[node][k] * scale(node, k) / unit);
        }
    }
    let mut right = vec![1.0];
    let mut cones: Vec<SupportedConeT<f64>> = vec![ZeroConeT(1)];
    let mut first = Vec::with_capacity(program.cones.len());
    for cone in &program.cones {
        first.push(right.len());
        let size = if cone.ray { 1 } else { 3 };
        for k in 0..size {
            for side in program.sides_of(cone) {
                let node = side.node as usize;
                for (i, &l) in freedoms.iter().enumerate() {
                    let value = -side.rows[k][l] * scale(node, l);
                    rows.push(right.len(), node * per_node + i, value);
                }
            }
            // The velocity is in units of one over the unit of force.
            right.push(cone.offset[k] * unit);
        }
        cones.push(if cone.ray {
            NonnegativeConeT(1)
        } else {
            SecondOrderConeT(3)
        });
    }
    let tolerance = (0.1 * settings.tolerance).max(1e-12);
    let asked = DefaultSettings {
        verbose: false,
        max_iter: settings.max_iterations,
        max_threads: 1,
        tol_gap_abs: tolerance,
        tol_gap_rel: tolerance,
        tol_feas: tolerance,
        tol_infeas_abs: tolerance,
        tol_infeas_rel: tolerance,
        ..DefaultSettings::default()
    };
    let quadratic = Entries::default().matrix(columns, columns);
    let constraints = rows.matrix(right.len(), columns);
    let nothing = Answer {
        status: LimitStatus::Inaccurate,
        velocity: vec![[0.0; 6]; program.nodes()],
        z: vec![[0.0; 3]; program.cones.len()],
        alpha: 0.0,
        iterations: 0,
    };
    let Ok(mut solver) =
        DefaultSolver::new(&quadratic, &linear, &constraints, &right, &cones, asked)
    else {
        return nothing;
    };
    solver.solve();
    let found = &solver.solution;
    let status = match found.status {
        SolverStatus::Solved | SolverStatus::AlmostSolved => LimitStatus::Optimal,
        SolverStatus::PrimalInfeasible => LimitStatus::Unbounded,
        SolverStatus::DualInfeasible => LimitStatus::Infeasible,
        _ => LimitStatus::Inaccurate,
    };
    // A certificate is a direction of any length: that of unit gain is wanted.
    let gain = match status {
        LimitStatus::Unbounded => -right.iter().zip(&found.z).map(|(b, z)| b * z).sum::<f64>(),
        _ => 1.0,
    };
    let (force, speed) = (unit / gain, 1.0 / unit);
    let mut answer = nothing;
    answer.status = status;
    answer.iterations = found.iterations;
    for (node, v) in answer.velocity.iter_mut().enumerate() {
        for (i, &k) in freedoms.iter().enumerate() {
            v[k] = found.x[node * per_node + i] * scale(node, k) * speed;
        }
    }
    for ((z, cone), &row) in answer.z.iter_mut().zip(&program.cones).zip(&first) {
        let size = if cone.ray { 1 } else { 3 };
        (0..size).for_each(|k| z[k] = found.z[row + k] * force);
    }
    answer.alpha = -found.z[0] / gain;
    answer
}
