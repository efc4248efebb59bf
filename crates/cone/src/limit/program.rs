//! The limit problem as a cone program over nodes: bodies, and auxiliary nodes that ties, crushing and bonds bring.
//!
//! `A' z + f_D + alpha f_L = 0`, `s = A V + g`, `s` and `z` in Lorentz cones of three dimensions. A limit on tension is a node whose
//! balance says `T + T' = strength`; joints that would be crushed have nodes each of whose balances is one [`Cut`].
//! The velocities of auxiliary nodes are what the limits give way by.

use super::LimitProblem;
use super::bond::Disc;
use super::crushing::Cut;
use crate::operator::cross;
use crate::{Contact, FIXED};

/// Rows of `A` of one cone on one node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Side {
    pub(crate) node: u32,
    pub(crate) rows: [[f64; 6]; 3],
}

/// One Lorentz cone. A ray is a cone whose tangential rows and offset are zero.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cone {
    /// Range in [`Program::sides`].
    pub(crate) sides: [u32; 2],
    pub(crate) offset: [f64; 3],
    /// Only the first component acts.
    pub(crate) ray: bool,
}

/// All cones: those of contacts in their order, then those of ties (tension and, beside it, what is left of the strength), then
/// what is left of every cut, then those of bonds.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Program {
    pub(crate) bodies: usize,
    /// Number of cones that are those of contacts.
    pub(crate) contacts: usize,
    pub(crate) free: [bool; 6],
    /// Those of bodies include what bonds pull with at most.
    pub(crate) dead: Vec<[f64; 6]>,
    /// Dead loads of bodies without their bonds: what counts as large.
    pub(crate) given: Vec<[f64; 6]>,
    pub(crate) live: Vec<[f64; 6]>,
    pub(crate) sides: Vec<Side>,
    pub(crate) cones: Vec<Cone>,
    /// Distance of contacts from the centroid, root mean square per node, m; one for auxiliary nodes.
    pub(crate) radii: Vec<f64>,
    pub(crate) discs: Vec<Disc>,
    /// What bonds at their largest tension gain from gaps: part of both bounds.
    pub(crate) constant: f64,
}

impl Program {
    /// Of a valid problem, with cuts of its joints that can be crushed; none at all will do.
    pub(crate) fn new(problem: &LimitProblem, cuts: &[Vec<Cut>]) -> Self {
        let mut program = Self {
            bodies: problem.bodies(),
            contacts: problem.contacts.len(),
            free: problem.free,
            dead: problem.dead.clone(),
            given: problem.dead.clone(),
            live: problem.live.clone(),
            sides: Vec::with_capacity(2 * problem.contacts.len()),
            cones: Vec::with_capacity(problem.contacts.len()),
            radii: radii(problem),
            discs: Vec::new(),
            constant: 0.0,
        };
        let axes = program.free_axes();
        let first_tie = problem.bodies();
        let limits = limits(problem, cuts, first_tie + problem.ties.len(), &axes);
        program.add_contacts(problem, &limits);
        program.add_ties(problem, first_tie, axes[0]);
        program.add_cuts(cuts, &axes);
        program.add_bonds(problem, axes[0]);
        let mask = program.free;
        for side in program.sides.iter_mut() {
            side.rows = side.rows.map(|row| masked(&mask, row));
        }
        let Self {
            dead, given, live, ..
        } = &mut program;
        for load in dead.iter_mut().chain(given).chain(live) {
            *load = masked(&mask, *load);
        }
        program
    }

    /// Degrees of freedom that are free: each gives auxiliary nodes one balance.
    fn free_axes(&self) -> Vec<usize> {
        let free: Vec<usize> = (0..6).filter(|&k| self.free[k]).collect();
        if free.is_empty() { vec![0] } else { free }
    }

    fn add_contacts(&mut self, problem: &LimitProblem, limits: &[Vec<Limit>]) {
        for (contact, limits) in problem.contacts.iter().zip(limits) {
            let mu = contact.friction;
            let first = self.sides.len() as u32;
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                if contact.bodies[side] == FIXED {
                    continue;
                }
                let row = |k: usize| {
                    let size = sign * if k == 0 { 1.0 } else { mu };
                    wrench(contact, side, k).map(|x| size * x)
                };
                self.sides.push(Side {
                    node: contact.bodies[side],
                    rows: [row(0), row(1), row(2)],
                });
            }
            self.sides.extend(limits.iter().map(|limit| Side {
                node: limit.node,
                rows: [limit.row, [0.0; 6], [0.0; 6]],
            }));
            let [gap, t1, t2] = contact.offset;
            self.cones.push(Cone {
                sides: [first, self.sides.len() as u32],
                offset: [gap, mu * t1, mu * t2],
                ray: mu == 0.0,
            });
        }
    }

    /// A tie stronger than this, N, more than all loads together by orders of magnitude, is as good as unbreakable, and a joint as good as uncrushable.
    pub(crate) fn enough(&self) -> f64 {
        let size = |f: &[f64; 6]| (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]).sqrt();
        let sum = |loads: &[[f64; 6]]| loads.iter().map(size).sum::<f64>();
        let all = sum(&self.given) + sum(&self.live[..self.bodies]);
        if all > 0.0 { 1e8 * all } else { f64::MAX }
    }

    fn add_ties(&mut self, problem: &LimitProblem, first: usize, axis: usize) {
        let (enough, unit) = (self.enough(), self.unit_force());
        for (k, tie) in problem.ties.iter().enumerate() {
            let node = (first + k) as u32;
            let mut dead = [0.0; 6];
            dead[axis] = tie.strength.min(enough);
            self.push_node(dead);
            // In units in which what is left of the strength is of the size of the loads.
            let left = (tie.strength.min(enough) / unit).max(1.0);
            let from = self.sides.len() as u32;
            for (side, sign) in [(0, 1.0), (1, -1.0)] {
                if tie.bodies[side] == FIXED {
                    continue;
                }
                let moment = cross(&tie.arms[side], &tie.axis);
                let [x, y, z] = tie.axis;
                let row = [x, y, z, moment[0], moment[1], moment[2]].map(|x| sign * x);
                self.sides.push(Side {
                    node: tie.bodies[side],
                    rows: [row, [0.0; 6], [0.0; 6]],
                });
            }
            // Tension takes its part of the strength, and a second ray the rest.
            self.push_row(node, axis, -1.0);
            let between = self.sides.len() as u32;
            self.push_row(node, axis, -left);
            for sides in [[from, between], [between, between + 1]] {
                self.cones.push(Cone {
                    sides,
                    offset: [0.0; 3],
                    ray: true,
                });
            }
        }
    }

    /// Nodes of the cuts, and rays of what is left of them, in units in which that is of the size of the loads.
    fn add_cuts(&mut self, cuts: &[Vec<Cut>], axes: &[usize]) {
        let unit = self.unit_force();
        for part in cuts.iter().flat_map(|cuts| cuts.chunks(axes.len())) {
            let node = self.nodes() as u32;
            let mut dead = [0.0; 6];
            for (cut, &axis) in part.iter().zip(axes) {
                dead[axis] = cut.most;
                let from = self.sides.len() as u32;
                self.push_row(node, axis, -(cut.most / unit).max(1.0));
                self.cones.push(Cone {
                    sides: [from, from + 1],
                    offset: [0.0; 3],
                    ray: true,
                });
            }
            self.push_node(dead);
        }
    }

    /// A side with one entry, in the first row.
    fn push_row(&mut self, node: u32, axis: usize, value: f64) {
        let mut rows = [[0.0; 6]; 3];
        rows[0][axis] = value;
        self.sides.push(Side { node, rows });
    }

    pub(super) fn push_node(&mut self, dead: [f64; 6]) {
        self.dead.push(dead);
        self.live.push([0.0; 6]);
        self.radii.push(1.0);
    }

    /// Mean dead load of a body, or live load if there is none, N.
    pub(crate) fn unit_force(&self) -> f64 {
        let mean = |loads: &[[f64; 6]]| {
            let own = &loads[..self.bodies];
            let size = |f: &[f64; 6]| (f[0] * f[0] + f[1] * f[1] + f[2] * f[2]).sqrt();
            own.iter().map(size).sum::<f64>() / self.bodies.max(1) as f64
        };
        [mean(&self.given), mean(&self.live), 1.0]
            .into_iter()
            .find(|&unit| unit > 0.0)
            .unwrap_or(1.0)
    }

    /// Number of nodes.
    pub(crate) fn nodes(&self) -> usize {
        self.dead.len()
    }

    pub(crate) fn sides_of(&self, cone: &Cone) -> &[Side] {
        &self.sides[cone.sides[0] as usize..cone.sides[1] as usize]
    }

    /// Adds the correction of de Saxcé and Feng, `mu |u_T|`, to the gaps of contacts.
    pub(crate) fn correct(&mut self, velocity: &[[f64; 6]]) {
        for k in 0..self.contacts {
            let u = self.velocity(&self.cones[k], velocity);
            self.cones[k].offset[0] += u[1].hypot(u[2]);
        }
    }

    /// `A V` of one cone.
    pub(crate) fn velocity(&self, cone: &Cone, velocity: &[[f64; 6]]) -> [f64; 3] {
        let mut s = [0.0; 3];
        for side in self.sides_of(cone) {
            let v = &velocity[side.node as usize];
            for (s, row) in s.iter_mut().zip(&side.rows) {
                *s += row.iter().zip(v).map(|(a, x)| a * x).sum::<f64>();
            }
        }
        s
    }

    /// `A' z`.
    pub(crate) fn force(&self, z: &[[f64; 3]]) -> Vec<[f64; 6]> {
        let mut out = vec![[0.0; 6]; self.nodes()];
        for (cone, z) in self.cones.iter().zip(z) {
            for side in self.sides_of(cone) {
                let target = &mut out[side.node as usize];
                for (row, z) in side.rows.iter().zip(z) {
                    (0..6).for_each(|k| target[k] += row[k] * z);
                }
            }
        }
        out
    }
}

/// Force of one along an axis of a contact on the body on one side of it, and its moment.
pub(super) fn wrench(contact: &Contact, side: usize, k: usize) -> [f64; 6] {
    let axis = &contact.frame[k];
    let moment = cross(&contact.arms[side], axis);
    [axis[0], axis[1], axis[2], moment[0], moment[1], moment[2]]
}

/// How a contact counts in the balances of one node of cuts.
struct Limit {
    node: u32,
    row: [f64; 6],
}

/// Those of all contacts; nodes of cuts are numbered from the first one on.
fn limits(
    problem: &LimitProblem,
    cuts: &[Vec<Cut>],
    first: usize,
    axes: &[usize],
) -> Vec<Vec<Limit>> {
    let mut all: Vec<Vec<Limit>> = problem.contacts.iter().map(|_| Vec::new()).collect();
    let mut node = first as u32;
    for (joint, cuts) in problem.crushing.iter().zip(cuts) {
        for part in cuts.chunks(axes.len()) {
            for (k, &contact) in joint.contacts.iter().enumerate() {
                let mut row = [0.0; 6];
                for (cut, &axis) in part.iter().zip(axes) {
                    row[axis] = -cut.weights[k];
                }
                all[contact as usize].push(Limit { node, row });
            }
            node += 1;
        }
    }
    all
}

pub(crate) fn masked(free: &[bool; 6], x: [f64; 6]) -> [f64; 6] {
    std::array::from_fn(|k| if free[k] { x[k] } else { 0.0 })
}

fn radii(problem: &LimitProblem) -> Vec<f64> {
    let mut sums = vec![(0.0, 0.0); problem.bodies()];
    for contact in &problem.contacts {
        for side in (0..2).filter(|&s| contact.bodies[s] != FIXED) {
            let sum: &mut (f64, f64) = &mut sums[contact.bodies[side] as usize];
            sum.0 += contact.arms[side].iter().map(|x| x * x).sum::<f64>();
            sum.1 += 1.0;
        }
    }
    let root = |(square, count): (f64, f64)| (square / count.max(1.0)).sqrt();
    sums.into_iter()
        .map(|sum| match root(sum) {
            r if r > 0.0 => r,
            _ => 1.0,
        })
        .collect()
}
