//! One island without units, its contacts in groups of four.
//!
//! Velocities are in units of `v_ref`, masses in units of the mean mass, impulses in mean mass times `v_ref`. Cone
//! variables are `s = (u_N, mu u_T)` and `z = (r_N, r_T / mu)`, both in the Lorentz cone for any `mu`, so that
//! `s = A V + c + E z` with `A = diag(1, mu, mu) D'`. Without friction the tangential rows of `A` are zero and the cone
//! acts as its axis.

use super::lanes::{Lanes, Triple, WIDTH, add3, cross3, dot3, scale3, sub3};
use crate::operator::masked_cholesky;
use crate::residual::scales;
use crate::{FIXED, StepProblem};

/// Two bodies that touch, first below second; the first may be [`FIXED`]. Its groups are contiguous.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Pair {
    pub(super) bodies: [u32; 2],
    pub(super) groups: [u32; 2],
}

/// Four contacts of one pair. A group that is not full repeats its last contact with weight zero: the copies walk along
/// with the original, so that they need no special case.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) bodies: [u32; 2],
    /// Rows of the contact frame, tangents times `mu`.
    pub(super) axes: [Triple; 3],
    pub(super) arms: [Triple; 2],
    /// `c`: the offset, tangential part times `mu`.
    pub(super) offset: Triple,
    /// `E_N` and `mu^2 E_T`.
    pub(super) soft: [Lanes; 2],
    /// Largest diagonal of `A H^-1 A'`.
    pub(super) delassus: Lanes,
    pub(super) friction: Lanes,
    pub(super) weight: Lanes,
}

/// One island, ready for iteration.
pub(super) struct IslandData {
    pub(super) free: [bool; 6],
    pub(super) mass: Vec<f64>,
    pub(super) rotational: Vec<[f64; 9]>,
    rotational_factor: Vec<[f64; 6]>,
    pub(super) free_velocity: Vec<[f64; 6]>,
    pub(super) pairs: Vec<Pair>,
    pub(super) groups: Vec<Group>,
    /// Group and lane of every contact of the problem.
    pub(super) slots: Vec<(u32, u8)>,
    /// Number of contacts.
    pub(super) count: f64,
    pub(super) unit_speed: f64,
    pub(super) unit_impulse: f64,
}

impl IslandData {
    pub(super) fn new(problem: &StepProblem) -> Self {
        let scale = scales(problem);
        let unit_mass = scale.mass / scale.bodies.max(1.0);
        let unit_speed = scale.speed;
        let mut order: Vec<(u32, u32, u32)> = problem
            .contacts
            .iter()
            .enumerate()
            .map(|(index, contact)| {
                let [a, b] = contact.bodies;
                let swapped = b == FIXED || (a != FIXED && b < a);
                let (a, b) = if swapped { (b, a) } else { (a, b) };
                // FIXED + 1 wraps to zero: supports first.
                (a.wrapping_add(1), b, index as u32)
            })
            .collect();
        order.sort_unstable();

        let (mut pairs, mut groups) = (Vec::<Pair>::new(), Vec::new());
        let mut slots = vec![(0, 0); problem.contacts.len()];
        for run in order.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let bodies = [run[0].0.wrapping_sub(1), run[0].1];
            let from = groups.len() as u32;
            for four in run.chunks(WIDTH) {
                for (lane, &(_, _, index)) in four.iter().enumerate() {
                    slots[index as usize] = (groups.len() as u32, lane as u8);
                }
                groups.push(Group::new(problem, bodies, four, unit_mass, unit_speed));
            }
            pairs.push(Pair {
                bodies,
                groups: [from, groups.len() as u32],
            });
        }
        let rotational: Vec<[f64; 9]> = problem
            .rotational
            .iter()
            .map(|j| masked_block(j, &problem.free, unit_mass))
            .collect();
        Self {
            free: problem.free,
            mass: problem.mass.iter().map(|m| m / unit_mass).collect(),
            // Valid problems have factors; the identity is the harmless reading of anything else.
            rotational_factor: rotational
                .iter()
                .map(|j| masked_cholesky(j, &[true; 6]).unwrap_or([1.0, 0.0, 1.0, 0.0, 0.0, 1.0]))
                .collect(),
            rotational,
            free_velocity: problem
                .free_velocity
                .iter()
                .map(|v| problem.masked(v).map(|x| x / unit_speed))
                .collect(),
            pairs,
            groups,
            slots,
            count: problem.contacts.len() as f64,
            unit_speed,
            unit_impulse: unit_mass * unit_speed,
        }
    }

    pub(super) fn bodies(&self) -> usize {
        self.mass.len()
    }

    /// `H x` of one body; `x` is zero where not free.
    pub(super) fn inertia(&self, body: usize, x: &[f64; 6]) -> [f64; 6] {
        let (m, j) = (self.mass[body], &self.rotational[body]);
        let mut y = [m * x[0], m * x[1], m * x[2], 0.0, 0.0, 0.0];
        for i in 0..3 {
            y[3 + i] = j[3 * i] * x[3] + j[3 * i + 1] * x[4] + j[3 * i + 2] * x[5];
        }
        self.mask(y)
    }

    /// `x' H^-1 x` of one body.
    pub(super) fn inverse_norm(&self, body: usize, x: &[f64; 6]) -> f64 {
        let l = &self.rotational_factor[body];
        let y0 = x[3] / l[0];
        let y1 = (x[4] - l[1] * y0) / l[2];
        let y2 = (x[5] - l[3] * y0 - l[4] * y1) / l[5];
        (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) / self.mass[body] + y0 * y0 + y1 * y1 + y2 * y2
    }

    #[inline(always)]
    pub(super) fn mask(&self, x: [f64; 6]) -> [f64; 6] {
        std::array::from_fn(|k| if self.free[k] { x[k] } else { 0.0 })
    }
}

fn masked_block(block: &[f64; 9], free: &[bool; 6], unit: f64) -> [f64; 9] {
    std::array::from_fn(|k| {
        let (i, j) = (k / 3, k % 3);
        match (free[3 + i] && free[3 + j], i == j) {
            (true, _) => block[k] / unit,
            (false, true) => 1.0,
            (false, false) => 0.0,
        }
    })
}

impl Group {
    fn new(
        problem: &StepProblem,
        bodies: [u32; 2],
        four: &[(u32, u32, u32)],
        unit_mass: f64,
        unit_speed: f64,
    ) -> Self {
        let zero = [Lanes::ZERO; 3];
        let mut group = Self {
            bodies,
            axes: [zero; 3],
            arms: [zero; 2],
            offset: zero,
            soft: [Lanes::ZERO; 2],
            delassus: Lanes::ZERO,
            friction: Lanes::ZERO,
            weight: Lanes::ZERO,
        };
        for lane in 0..WIDTH {
            let real = lane < four.len();
            let contact = &problem.contacts[four[lane.min(four.len() - 1)].2 as usize];
            let swapped = contact.bodies[1] != bodies[1];
            let sign = if swapped { -1.0 } else { 1.0 };
            let mu = contact.friction;
            for k in 0..3 {
                let size = if k == 0 { 1.0 } else { mu };
                for i in 0..3 {
                    group.axes[k][i].0[lane] = sign * size * contact.frame[k][i];
                }
                group.offset[k].0[lane] = size * contact.offset[k] / unit_speed;
            }
            for (side, &body) in bodies.iter().enumerate() {
                if body != FIXED {
                    let arm = contact.arms[if swapped { 1 - side } else { side }];
                    (0..3).for_each(|i| group.arms[side][i].0[lane] = arm[i]);
                }
            }
            group.soft[0].0[lane] = contact.compliance[0] * unit_mass;
            group.soft[1].0[lane] = mu * mu * contact.compliance[1] * unit_mass;
            group.delassus.0[lane] = unit_mass * problem.contact_lightness(contact);
            group.friction.0[lane] = mu;
            group.weight.0[lane] = if real { 1.0 } else { 0.0 };
        }
        group
    }

    /// `A x`: relative velocity at the contacts in cone variables.
    #[inline(always)]
    pub(super) fn velocity(&self, x: &[[f64; 6]]) -> Triple {
        let mut world = self.point_velocity(1, &x[self.bodies[1] as usize]);
        if self.bodies[0] != FIXED {
            world = sub3(world, self.point_velocity(0, &x[self.bodies[0] as usize]));
        }
        [
            dot3(self.axes[0], world),
            dot3(self.axes[1], world),
            dot3(self.axes[2], world),
        ]
    }

    #[inline(always)]
    fn point_velocity(&self, side: usize, v: &[f64; 6]) -> Triple {
        let turn = [Lanes::splat(v[3]), Lanes::splat(v[4]), Lanes::splat(v[5])];
        add3(
            [Lanes::splat(v[0]), Lanes::splat(v[1]), Lanes::splat(v[2])],
            cross3(turn, self.arms[side]),
        )
    }

    /// Adds `A' x` of this group to the generalised impulses, padding left out.
    #[inline(always)]
    pub(super) fn gather(&self, x: Triple, out: &mut [[f64; 6]]) {
        let x = scale3(x, self.weight);
        let world = add3(
            add3(scale3(self.axes[0], x[0]), scale3(self.axes[1], x[1])),
            scale3(self.axes[2], x[2]),
        );
        let force = [world[0].sum(), world[1].sum(), world[2].sum()];
        let moment = cross3(self.arms[1], world);
        let to = &mut out[self.bodies[1] as usize];
        for k in 0..3 {
            to[k] += force[k];
            to[3 + k] += moment[k].sum();
        }
        if self.bodies[0] != FIXED {
            let moment = cross3(self.arms[0], world);
            let to = &mut out[self.bodies[0] as usize];
            for k in 0..3 {
                to[k] -= force[k];
                to[3 + k] -= moment[k].sum();
            }
        }
    }
}
