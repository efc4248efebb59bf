//! Generalised impulses and velocities of bodies: six numbers each.

use drystone_cone::{Contact, FIXED, StepProblem};
use drystone_geometry::{DMat3, DVec3};

use crate::assemble::to_world;

/// `H (V - V_f)`: the impulse that led from the free velocities to those found, per body.
pub(crate) fn impulse_on_bodies(problem: &StepProblem, velocity: &[[f64; 6]]) -> Vec<[f64; 6]> {
    let bodies = velocity.iter().zip(&problem.free_velocity).enumerate();
    bodies
        .map(|(body, (found, free))| {
            let change: [f64; 6] = std::array::from_fn(|k| found[k] - free[k]);
            let mass = problem.mass[body];
            let spin = DMat3::from_cols_array(&problem.rotational[body])
                * DVec3::new(change[3], change[4], change[5]);
            [
                mass * change[0],
                mass * change[1],
                mass * change[2],
                spin.x,
                spin.y,
                spin.z,
            ]
        })
        .collect()
}

/// Change of velocity by an impulse on a body, `H^-1 p`.
pub(super) fn undo_mass(problem: &StepProblem, body: usize, impulse: &[f64; 6]) -> [f64; 6] {
    let mass = problem.mass[body];
    let spin = DMat3::from_cols_array(&problem.rotational[body]).inverse()
        * DVec3::new(impulse[3], impulse[4], impulse[5]);
    [
        impulse[0] / mass,
        impulse[1] / mass,
        impulse[2] / mass,
        spin.x,
        spin.y,
        spin.z,
    ]
}

/// Sum of two impulses or velocities.
pub(crate) fn add(a: &[f64; 6], b: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|k| a[k] + b[k])
}

/// Normal component of the relative velocity of free bodies at a contact, m/s.
pub(super) fn opening_speed(contact: &Contact, velocity: &[[f64; 6]]) -> f64 {
    let normal = to_world(&contact.frame, &[1.0, 0.0, 0.0]);
    let mut speed = 0.0;
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        let body = contact.bodies[side];
        if body != FIXED {
            let [vx, vy, vz, wx, wy, wz] = velocity[body as usize];
            let arm = DVec3::from(contact.arms[side]);
            let at = DVec3::new(vx, vy, vz) + DVec3::new(wx, wy, wz).cross(arm);
            speed += sign * normal.dot(at);
        }
    }
    speed
}
