//! Generalised impulses and velocities of bodies: six numbers each.

use drystone_cone::StepProblem;

/// `H (V - V_f)`: the impulse that led from the free velocities to those found, per body.
pub(crate) fn impulse_on_bodies(problem: &StepProblem, velocity: &[[f64; 6]]) -> Vec<[f64; 6]> {
    let bodies = velocity.iter().zip(&problem.free_velocity).enumerate();
    bodies
        .map(|(body, (found, free))| {
            let change = std::array::from_fn(|k| found[k] - free[k]);
            problem.inertia_times(body, &change)
        })
        .collect()
}

/// Sum of two impulses or velocities.
pub(crate) fn add(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|k| a[k] + b[k])
}
