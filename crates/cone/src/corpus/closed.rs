//! Problems whose answers are known in closed form, from one body to thousands.

use super::{Assembly, FALL, Random, WORLD, boxes, stack};
use crate::{FIXED, StepProblem};

/// A problem with the velocity that solves it.
#[derive(Debug, Clone)]
pub struct Closed {
    /// In words that could be a file's name.
    pub name: &'static str,
    /// The problem.
    pub problem: StepProblem,
    /// Its velocity per body, exact but for rounding, m/s and rad/s.
    pub velocity: Vec<[f64; 6]>,
}

/// Every problem with an answer in closed form.
pub fn closed() -> Vec<Closed> {
    let resting = |name, problem: StepProblem| Closed {
        name,
        velocity: vec![[0.0; 6]; problem.bodies()],
        problem,
    };
    let mut lone = stack(3);
    lone.contacts.clear();
    lone.free_velocity[1] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
    let mut heavy = stack(4);
    heavy.mass[3] *= 1e6;
    heavy.rotational[3].iter_mut().for_each(|x| *x *= 1e6);
    // Nothing bounces, and every block is stopped by those below.
    let mut landing = stack(100);
    landing.free_velocity.iter_mut().for_each(|v| v[2] -= 2.0);
    vec![
        Closed {
            name: "no contacts",
            velocity: lone.free_velocity.clone(),
            problem: lone,
        },
        points("single points", 40, 1),
        points("thousands of islands", 3000, 2),
        resting("stack of 100", stack(100)),
        resting("stack of 100, landing", landing),
        resting("mass ratio, heavy above", heavy),
        resting("redundant contacts", redundant()),
        pushed_out(),
        sliding("frictionless", 0.0),
        sliding("friction 0.5", 0.5),
        sliding("friction 2", 2.0),
    ]
}

/// Bodies that each touch the ground in one point below their centroid. The point's normal and tangential velocities do
/// not feel each other, so that sticking, sliding and leaving are three formulas.
fn points(name: &'static str, count: usize, seed: u64) -> Closed {
    let mut random = Random::new(seed);
    let mut assembly = Assembly::default();
    for k in 0..count {
        let side = 0.2 + 0.3 * random.uniform();
        let density = 10.0_f64.powf(2.0 + 2.0 * random.uniform());
        let centre = [k as f64, 0.0, side];
        let body = assembly.block(centre, [side; 3], WORLD, density);
        let friction = 1.5 * random.uniform();
        let below = [centre[0], 0.0, 0.0];
        assembly.point(FIXED, body, below, WORLD[2], WORLD[0], friction);
    }
    let mut p = assembly.problem();
    let mut velocity = Vec::new();
    for (b, contact) in p.contacts.iter_mut().enumerate() {
        let free = &mut p.free_velocity[b];
        for x in free.iter_mut() {
            *x += 0.5 * random.signed();
        }
        contact.offset = [0.1 * random.signed(), 0.1 * random.signed(), 0.0];
        let (m, j, arm) = (p.mass[b], p.rotational[b][0], -contact.arms[1][2]);
        let u = [
            free[2] + contact.offset[0],
            free[0] - arm * free[4] + contact.offset[1],
            free[1] + arm * free[3] + contact.offset[2],
        ];
        let r = impulse_at_point(contact.friction, u, [1.0 / m, 1.0 / m + arm * arm / j]);
        let mut v = *free;
        v[0] += r[1] / m;
        v[1] += r[2] / m;
        v[2] += r[0] / m;
        v[3] += arm * r[2] / j;
        v[4] -= arm * r[1] / j;
        velocity.push(v);
    }
    Closed {
        name,
        problem: p,
        velocity,
    }
}

/// The impulse at a lone point whose Delassus operator is diagonal, `w` along the normal and the tangents, from the
/// velocity `u` that it would have without impulse.
fn impulse_at_point(mu: f64, u: [f64; 3], w: [f64; 2]) -> [f64; 3] {
    let slip = u[1].hypot(u[2]);
    if mu * slip <= u[0] {
        return [0.0; 3];
    }
    let stop = [-u[0] / w[0], -u[1] / w[1], -u[2] / w[1]];
    if stop[1].hypot(stop[2]) <= mu * stop[0] {
        return stop;
    }
    // On both boundaries: r = rho (1, -mu t) and u = lambda (mu, t), with t the direction of slip.
    let rho = (mu * slip - u[0]) / (w[0] + mu * mu * w[1]);
    [rho, -mu * rho * u[1] / slip, -mu * rho * u[2] / slip]
}

/// Two blocks on each other, every contact point there four times and a grid of 25 under the lower one.
fn redundant() -> StepProblem {
    let mut assembly = Assembly::default();
    let low = assembly.block([0.0, 0.0, 0.1], [0.4, 0.4, 0.2], WORLD, 2000.0);
    let high = assembly.block([0.0, 0.0, 0.3], [0.4, 0.4, 0.2], WORLD, 2000.0);
    for i in -2..=2 {
        for j in -2..=2 {
            let point = [0.1 * f64::from(i), 0.1 * f64::from(j), 0.0];
            assembly.point(FIXED, low, point, WORLD[2], WORLD[0], 0.6);
        }
    }
    for (x, y) in [(-0.2, -0.2), (0.2, -0.2), (0.2, 0.2), (-0.2, 0.2)] {
        for _ in 0..4 {
            assembly.point(low, high, [x, y, 0.2], WORLD[2], WORLD[0], 0.6);
        }
    }
    assembly.problem()
}

/// A stack whose blocks overlap deeply, each with the one below: the lowest leaves the ground at the speed asked for, the next
/// one twice as fast, and so on. Every contact carries what accelerates all above it.
fn pushed_out() -> Closed {
    let mut p = stack(12);
    p.contacts.iter_mut().for_each(|c| c.offset[0] = -20.0);
    let velocity = (1..=12)
        .map(|k| [0.0, 0.0, 20.0 * f64::from(k), 0.0, 0.0, 0.0])
        .collect();
    Closed {
        name: "deep overlap",
        problem: p,
        velocity,
    }
}

/// A flat slab that slides without turning (its rotations are not free): the formula of a single point, with the weight on
/// four. Friction 2 lifts it at twice its sliding speed, as the associated law has it.
fn sliding(name: &'static str, mu: f64) -> Closed {
    let mut p = boxes(&[[[0.0; 3], [4.0, 3.0, 0.1]]], mu);
    p.free = [true, true, true, false, false, false];
    let m = p.mass[0];
    p.free_velocity[0] = [3.0, 4.0, -10.0 * FALL, 0.0, 0.0, 0.0];
    let [x, y, z, ..] = p.free_velocity[0];
    let r = impulse_at_point(mu, [z, x, y], [1.0 / m, 1.0 / m]);
    Closed {
        name,
        velocity: vec![[x + r[1] / m, y + r[2] / m, z + r[0] / m, 0.0, 0.0, 0.0]],
        problem: p,
    }
}
