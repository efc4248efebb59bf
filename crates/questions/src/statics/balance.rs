//! What forces leave out of balance, recomputed from the forces: the judge of whoever found them.

use drystone_cone::FIXED;
use drystone_cone::cones::impulse_distance;
use drystone_geometry::DVec3;

use super::posed::Posed;

/// Mean load of a block, N: what acts on it from outside and what ties pull with from the start, moments over the radius.
pub(crate) fn mean_load(posed: &Posed<'_>, loads: &[[f64; 6]]) -> f64 {
    let radii = &posed.statics.bodies.radii;
    let outside: f64 = loads
        .iter()
        .zip(radii)
        .map(|(load, &radius)| size(posed, load, radius))
        .sum();
    let ties = posed.ties.iter().zip(&posed.statics.model.ties);
    let drawn: f64 = ties
        .map(|(tie, drawn)| {
            let ends = tie.bodies.iter().filter(|&&body| body != FIXED).count();
            ends as f64 * drawn.initial_force.max(0.0)
        })
        .sum();
    (outside + drawn) / loads.len().max(1) as f64
}

/// Size of a force and a moment on a body along what is free, N.
pub(crate) fn size(posed: &Posed<'_>, force: &[f64; 6], radius: f64) -> f64 {
    let free = &posed.statics.model.free;
    let of = |k: usize| if free[k] { force[k] * force[k] } else { 0.0 };
    let moment = of(3) + of(4) + of(5);
    (of(0) + of(1) + of(2) + moment / (radius * radius)).sqrt()
}

/// What loads and forces leave on each body.
pub(crate) struct Left {
    /// N and N m.
    pub sums: Vec<[f64; 6]>,
    /// The sizes of all that acts on it, added up, N.
    acting: Vec<f64>,
    /// Forces beyond friction and mortar, of contacts that pull and of ties that push, N: without them the sums are off by so much more.
    forbidden: Vec<f64>,
}

impl Left {
    /// Of contacts in local components, and of ties, N.
    pub fn new(posed: &Posed<'_>, loads: &[[f64; 6]], force: &[[f64; 3]], tension: &[f64]) -> Self {
        let first = |load: &[f64; 6]| DVec3::new(load[0], load[1], load[2]).length();
        let mut left = Self {
            sums: loads.to_vec(),
            acting: loads.iter().map(first).collect(),
            forbidden: vec![0.0; loads.len()],
        };
        let mut bonds = posed.bonds.iter().peekable();
        for (index, (contact, f)) in posed.statics.contacts.iter().zip(force).enumerate() {
            let on_second: DVec3 = (0..3).map(|k| f[k] * DVec3::from(contact.frame[k])).sum();
            let beyond = match bonds.next_if(|bond| bond.contact as usize == index) {
                Some(bond) => bond.distance(contact.friction, f),
                None => impulse_distance(contact.friction, f),
            };
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                let arm = contact.arms[side];
                left.add(contact.bodies[side], sign * on_second, arm, beyond);
            }
        }
        for (tie, &tension) in posed.ties.iter().zip(tension) {
            let on_first = tension * DVec3::from(tie.axis);
            let beyond = (-tension).max(0.0);
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                left.add(tie.bodies[side], sign * on_first, tie.arms[side], beyond);
            }
        }
        left
    }

    fn add(&mut self, body: u32, force: DVec3, arm: [f64; 3], beyond: f64) {
        if body == FIXED {
            return;
        }
        let body = body as usize;
        let moment = DVec3::from(arm).cross(force);
        for k in 0..3 {
            self.sums[body][k] += force[k];
            self.sums[body][3 + k] += moment[k];
        }
        self.acting[body] += force.length();
        self.forbidden[body] += beyond;
    }
}

/// The worst that forces leave on a body, over what counts there: the mean load in proportion to its mass, or, if that is more, all that acts on
/// it, up to the mean load. So a pebble that slides shows beside rocks, and one that carries rocks needs no more digits than there are.
pub(crate) fn unbalanced(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    force: &[[f64; 3]],
    tension: &[f64],
) -> f64 {
    let bodies = &posed.statics.bodies;
    let left = Left::new(posed, loads, force, tension);
    let mean = mean_load(posed, loads);
    let mass = |body: usize| posed.statics.model.blocks[bodies.blocks[body]].mass;
    let bodies_mass: f64 = (0..loads.len()).map(mass).sum();
    let mean_mass = bodies_mass / loads.len().max(1) as f64;
    let one = |body: usize| {
        let off = size(posed, &left.sums[body], bodies.radii[body]) + left.forbidden[body];
        let counts = (mean * mass(body) / mean_mass).max(left.acting[body].min(mean));
        if off == 0.0 { 0.0 } else { off / counts }
    };
    // Forces that are no numbers balance nothing.
    (0..loads.len()).map(one).fold(0.0, |worst, off| {
        if off.is_nan() {
            f64::INFINITY
        } else {
            f64::max(worst, off)
        }
    })
}
