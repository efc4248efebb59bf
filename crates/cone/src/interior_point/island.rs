//! One island without units, its contacts in groups of four.
//!
//! Velocities are in units of `v_ref`, masses in units of the mean mass, impulses in mean mass times `v_ref`. Cone
//! variables are `s = (u_N, mu u_T)` and `z = (r_N, r_T / mu)`, both in the Lorentz cone for any `mu`, so that
//! `s = A V + c + E z` with `A = diag(1, mu, mu) D'`. Without friction the tangential rows of `A` are zero and the cone
//! acts as its axis.

use super::chunks::{Chunk, each_body};
use super::lanes::{Lanes, Triple, WIDTH, add3, cross3, dot3, scale3, sub3, sums};
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

/// What the contacts of a pair do to its bodies: a force on the second, its opposite on the first, and moments about both
/// centroids, that of the first to be subtracted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Wrench {
    force: [f64; 3],
    moments: [[f64; 3]; 2],
}

/// The same while it is summed over contacts.
pub(super) struct Pull {
    force: Triple,
    moments: [Triple; 2],
}

impl Pull {
    pub(super) const NONE: Self = Self {
        force: [Lanes::ZERO; 3],
        moments: [[Lanes::ZERO; 3]; 2],
    };

    #[inline(always)]
    pub(super) fn sum(&self) -> Wrench {
        Wrench {
            force: sums(&self.force),
            moments: [sums(&self.moments[0]), sums(&self.moments[1])],
        }
    }
}

/// One island, ready for iteration. Kept from problem to problem, so that filling it again allocates nothing.
#[derive(Debug, Default)]
pub(super) struct IslandData {
    pub(super) free: [bool; 6],
    pub(super) mass: Vec<f64>,
    pub(super) rotational: Vec<[f64; 9]>,
    rotational_factor: Vec<[f64; 6]>,
    pub(super) free_velocity: Vec<[f64; 6]>,
    pub(super) pairs: Vec<Pair>,
    pub(super) groups: Vec<Group>,
    pub(super) chunks: Vec<Chunk>,
    /// Pairs of every body, ascending: those of body `b` from `first_pair[b]` to `first_pair[b + 1]`, each twice its index
    /// and one more if the body is its second.
    pairs_of_bodies: Vec<u32>,
    first_pair: Vec<u32>,
    /// Group and lane of every contact of the problem.
    pub(super) slots: Vec<(u32, u8)>,
    /// Contacts by pair of bodies.
    order: Vec<(u32, u32, u32)>,
    /// Number of contacts.
    pub(super) count: f64,
    pub(super) unit_speed: f64,
    pub(super) unit_impulse: f64,
}

impl IslandData {
    #[cfg(test)]
    pub(super) fn new(problem: &StepProblem) -> Self {
        let mut island = Self::default();
        island.fill(problem);
        island
    }

    /// Takes on a problem.
    pub(super) fn fill(&mut self, problem: &StepProblem) {
        self.fill_linked(problem, &[]);
    }

    /// Takes on a problem in which some pairs of free bodies, the first below the second, have to do with each other though they
    /// may have no contacts.
    pub(super) fn fill_linked(&mut self, problem: &StepProblem, linked: &[[u32; 2]]) {
        let scale = scales(problem);
        let unit_mass = scale.mass / scale.bodies.max(1.0);
        self.unit_speed = scale.speed;
        self.unit_impulse = unit_mass * scale.speed;
        self.free = problem.free;
        self.count = problem.contacts.len() as f64;
        self.fill_contacts(problem, linked, unit_mass);
        Chunk::divide(
            self.pairs
                .iter()
                .map(|pair| (pair.groups[1] - pair.groups[0]) as usize),
            &mut self.chunks,
        );

        self.mass.clear();
        self.mass.extend(problem.mass.iter().map(|m| m / unit_mass));
        self.rotational.clear();
        self.rotational.extend(
            problem
                .rotational
                .iter()
                .map(|j| masked_block(j, &problem.free, unit_mass)),
        );
        self.rotational_factor.clear();
        // Valid problems have factors; the identity is the harmless reading of anything else.
        self.rotational_factor.extend(
            self.rotational
                .iter()
                .map(|j| masked_cholesky(j, &[true; 6]).unwrap_or([1.0, 0.0, 1.0, 0.0, 0.0, 1.0])),
        );
        self.free_velocity.clear();
        self.free_velocity.extend(
            problem
                .free_velocity
                .iter()
                .map(|v| problem.masked(v).map(|x| x / scale.speed)),
        );
        self.list_pairs_of_bodies();
    }

    fn fill_contacts(&mut self, problem: &StepProblem, linked: &[[u32; 2]], unit_mass: f64) {
        let order = &mut self.order;
        order.clear();
        order.extend(problem.contacts.iter().enumerate().map(|(index, contact)| {
            let [a, b] = contact.bodies;
            let swapped = b == FIXED || (a != FIXED && b < a);
            let (a, b) = if swapped { (b, a) } else { (a, b) };
            // FIXED + 1 wraps to zero: supports first.
            (a.wrapping_add(1), b, index as u32)
        }));
        // Links come behind all contacts of their pair.
        order.extend(linked.iter().map(|&[a, b]| (a + 1, b, u32::MAX)));
        order.sort_unstable();
        self.pairs.clear();
        self.groups.clear();
        self.slots.clear();
        self.slots.resize(problem.contacts.len(), (0, 0));
        for run in order.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1)) {
            let bodies = [run[0].0.wrapping_sub(1), run[0].1];
            let from = self.groups.len() as u32;
            let contacts = run.partition_point(|x| x.2 != u32::MAX);
            for four in run[..contacts].chunks(WIDTH) {
                for (lane, &(_, _, index)) in four.iter().enumerate() {
                    self.slots[index as usize] = (self.groups.len() as u32, lane as u8);
                }
                let group = Group::new(problem, bodies, four, unit_mass, self.unit_speed);
                self.groups.push(group);
            }
            self.pairs.push(Pair {
                bodies,
                groups: [from, self.groups.len() as u32],
            });
        }
    }

    fn list_pairs_of_bodies(&mut self) {
        let first = &mut self.first_pair;
        first.clear();
        first.resize(self.mass.len() + 2, 0);
        let sides = |pair: &Pair| pair.bodies.into_iter().enumerate().filter(|x| x.1 != FIXED);
        for (_, body) in self.pairs.iter().flat_map(sides) {
            first[body as usize + 2] += 1;
        }
        for k in 2..first.len() {
            first[k] += first[k - 1];
        }
        self.pairs_of_bodies.clear();
        self.pairs_of_bodies
            .resize(first.last().map_or(0, |&n| n as usize), 0);
        for (k, pair) in self.pairs.iter().enumerate() {
            for (side, body) in sides(pair) {
                let next = &mut first[body as usize + 1];
                self.pairs_of_bodies[*next as usize] = 2 * k as u32 + side as u32;
                *next += 1;
            }
        }
        first.pop();
    }

    /// Appends velocities in physical units; those that are not free are the problem's.
    pub(super) fn physical_velocity(
        &self,
        problem: &StepProblem,
        velocity: &[[f64; 6]],
        out: &mut Vec<[f64; 6]>,
    ) {
        out.extend_from_slice(&problem.free_velocity);
        for (v, x) in out.iter_mut().zip(velocity) {
            (0..6)
                .filter(|&k| self.free[k])
                .for_each(|k| v[k] = x[k] * self.unit_speed);
        }
    }

    /// Appends impulses in physical units, in the order of the problem's contacts.
    pub(super) fn physical_impulse(
        &self,
        problem: &StepProblem,
        z: &[Triple],
        out: &mut Vec<[f64; 3]>,
    ) {
        let slots = self.slots.iter().zip(&problem.contacts);
        out.extend(slots.map(|(&(group, lane), contact)| {
            let local = z[group as usize].map(|x| x.0[lane as usize] * self.unit_impulse);
            let mu = contact.friction;
            [local[0], mu * local[1], mu * local[2]]
        }));
    }

    /// Pairs of free bodies: they come after those with supports.
    pub(super) fn edges(&self) -> &[Pair] {
        &self.pairs[self.first_edge()..]
    }

    /// Index of the first pair of free bodies.
    pub(super) fn first_edge(&self) -> usize {
        self.pairs.partition_point(|p| p.bodies[0] == FIXED)
    }

    /// Pairs of a body, with its side in each.
    #[inline(always)]
    pub(super) fn pairs_of(&self, body: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let (from, to) = (self.first_pair[body], self.first_pair[body + 1]);
        self.pairs_of_bodies[from as usize..to as usize]
            .iter()
            .map(|&x| ((x / 2) as usize, (x % 2) as usize))
    }

    /// `out = start + A' x`, from the wrenches of all pairs.
    pub(super) fn gather(
        &self,
        wrenches: &[Wrench],
        start: &(impl Fn(usize) -> [f64; 6] + Sync),
        out: &mut [[f64; 6]],
    ) {
        each_body(out, &|body, out| {
            let mut sum = start(body);
            for (pair, side) in self.pairs_of(body) {
                let wrench = &wrenches[pair];
                let sign = if side == 1 { 1.0 } else { -1.0 };
                for k in 0..3 {
                    sum[k] += sign * wrench.force[k];
                    sum[3 + k] += sign * wrench.moments[side][k];
                }
            }
            *out = sum;
        });
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

    /// Adds `A' x` of this group, padding left out.
    #[inline(always)]
    pub(super) fn pull(&self, x: Triple, sum: &mut Pull) {
        let x = scale3(x, self.weight);
        let world = add3(
            add3(scale3(self.axes[0], x[0]), scale3(self.axes[1], x[1])),
            scale3(self.axes[2], x[2]),
        );
        sum.force = add3(sum.force, world);
        sum.moments[1] = add3(sum.moments[1], cross3(self.arms[1], world));
        if self.bodies[0] != FIXED {
            sum.moments[0] = add3(sum.moments[0], cross3(self.arms[0], world));
        }
    }
}
