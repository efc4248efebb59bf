//! Equilibrium of springs in a frozen geometry, by Newton's method.
//!
//! `min_u sum psi(w + D' u) - f' u`, the dual of PGCL's problem (11): displacements are the unknowns, and forces follow from the law of
//! each contact. It is convex and once differentiable, so that steps along Newton's direction that lower it lead to the answer, or, where
//! loads cannot be balanced, ever farther away.

use drystone_cone::FIXED;
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Bodies, PlacedTie, TieMemory, TieResponse};
use drystone_model::Tie;

use super::law::{self, Response};
use super::points::Spring;
use super::skyline::{Skyline, near_each_other};

/// Springs of this fraction of a body's own stiffness hold it where it is: a body that nothing touches would have none. Repeating the solve
/// from where it led takes their forces away again.
const HELD: f64 = 1e-10;

/// Forces out of balance, over the largest load, at which Newton's method ends.
const BALANCE: f64 = 1e-11;

/// Iterations at most.
const ITERATIONS: usize = 80;

/// Part of the expected decrease that a step must bring.
const DECREASE: f64 = 1e-4;

/// A tie in a frozen geometry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rod<'m> {
    pub bodies: [u32; 2],
    pub placed: PlacedTie,
    pub tie: &'m Tie,
    /// Where it last came to rest.
    pub memory: TieMemory,
}

/// What equilibrium asks for.
#[derive(Debug, Clone)]
pub(super) struct Balance {
    /// Displacement per body, m and rad.
    pub motion: Vec<[f64; 6]>,
    /// Force per spring, local components, N.
    pub force: Vec<[f64; 3]>,
    /// Tension per rod, N.
    pub tension: Vec<f64>,
}

/// A contact in a frozen geometry.
struct Frozen {
    bodies: [u32; 2],
    /// Rows of `D'` per side: how the contact opens and slides with the motion of the body.
    rows: [[[f64; 6]; 3]; 2],
    strain: [f64; 3],
    compliance: [f64; 2],
    friction: f64,
}

/// Solves problems of one structure. The numbering of bodies is made once.
pub(super) struct Newton {
    free: Vec<usize>,
    /// First unknown of each body.
    place: Vec<usize>,
    matrix: Skyline,
    radii: Vec<f64>,
}

impl Newton {
    pub fn new(bodies: &Bodies, free: &[bool; 6], pairs: impl Iterator<Item = [u32; 2]>) -> Self {
        let free: Vec<usize> = (0..6).filter(|&k| free[k]).collect();
        let count = bodies.blocks.len();
        let mut neighbours = vec![Vec::new(); count];
        for [a, b] in pairs {
            if a != FIXED && b != FIXED && a != b {
                neighbours[a as usize].push(b as usize);
                neighbours[b as usize].push(a as usize);
            }
        }
        for list in &mut neighbours {
            list.sort_unstable();
            list.dedup();
        }
        let position = near_each_other(&neighbours);
        let place: Vec<usize> = position.iter().map(|p| p * free.len()).collect();
        let mut first: Vec<usize> = vec![0; count * free.len()];
        for (body, list) in neighbours.iter().enumerate() {
            let least = list.iter().map(|&other| place[other]).min();
            let least = least.map_or(place[body], |least| least.min(place[body]));
            first[place[body]..place[body] + free.len()].fill(least);
        }
        Self {
            matrix: Skyline::new(first),
            free,
            place,
            radii: bodies.radii.clone(),
        }
    }

    /// The motion that balances loads, N and N m per body; none if there is none within `farthest`, m.
    pub fn balance(
        &mut self,
        bodies: &Bodies,
        poses: &[Pose],
        springs: &[Spring],
        rods: &[Rod<'_>],
        loads: &[[f64; 6]],
        farthest: f64,
    ) -> Option<Balance> {
        let frozen: Vec<Frozen> = springs.iter().map(|s| freeze(s, bodies, poses)).collect();
        let held = self.held(&frozen);
        let mut motion = vec![[0.0; 6]; loads.len()];
        let scale = loads
            .iter()
            .map(|f| f[0].hypot(f[1]).hypot(f[2]))
            .fold(f64::MIN_POSITIVE, f64::max);
        let mut energy = self.energy(&frozen, rods, loads, &held, &motion);
        for _ in 0..ITERATIONS {
            let (mut step, responses, tension) =
                self.assemble(&frozen, rods, loads, &held, &motion);
            let gradient = step.clone();
            let mut worst: f64 = 0.0;
            for (body, &place) in self.place.iter().enumerate() {
                for (k, &dof) in self.free.iter().enumerate() {
                    let size = if dof < 3 { 1.0 } else { self.radii[body] };
                    worst = worst.max(gradient[place + k].abs() / size);
                }
            }
            if worst <= BALANCE * scale {
                return Some(Balance {
                    motion,
                    force: responses.iter().map(|r| r.force).collect(),
                    tension,
                });
            }
            self.matrix.factor(1e-3 * HELD * self.least(&held));
            self.matrix.solve(&mut step);
            let slope: f64 = step.iter().zip(&gradient).map(|(s, g)| s * g).sum();
            let mut length = 1.0;
            let mut found = None;
            while length > 1e-15 {
                let tried = self.moved(&motion, &step, length);
                let there = self.energy(&frozen, rods, loads, &held, &tried);
                // Rounding alone may raise it when the answer is near.
                let rounding = 1e-15 * there.abs().max(energy.abs());
                if there <= energy - DECREASE * length * slope + rounding {
                    found = Some((tried, there));
                    break;
                }
                length *= 0.5;
            }
            let (tried, there) = found?;
            (motion, energy) = (tried, there);
            let far = motion
                .iter()
                .flat_map(|u| &u[..3])
                .any(|x| x.abs() > farthest);
            if far || !energy.is_finite() {
                return None;
            }
        }
        None
    }

    fn moved(&self, motion: &[[f64; 6]], step: &[f64], length: f64) -> Vec<[f64; 6]> {
        let mut tried = motion.to_vec();
        for (body, &place) in self.place.iter().enumerate() {
            for (k, &dof) in self.free.iter().enumerate() {
                tried[body][dof] += length * step[place + k];
            }
        }
        tried
    }

    /// Stiffness by which bodies are held, translation and rotation.
    fn held(&self, frozen: &[Frozen]) -> Vec<[f64; 2]> {
        let mut sums = vec![0.0; self.place.len()];
        for contact in frozen {
            for body in contact.bodies.into_iter().filter(|&body| body != FIXED) {
                sums[body as usize] += 1.0 / contact.compliance[0];
            }
        }
        let mean = sums.iter().sum::<f64>() / sums.len().max(1) as f64;
        sums.iter()
            .zip(&self.radii)
            .map(|(&sum, r)| {
                let own = HELD * if sum > 0.0 { sum } else { mean };
                [own, own * r * r]
            })
            .collect()
    }

    fn least(&self, held: &[[f64; 2]]) -> f64 {
        held.iter().flatten().copied().fold(f64::INFINITY, f64::min)
    }

    fn energy(
        &self,
        frozen: &[Frozen],
        rods: &[Rod<'_>],
        loads: &[[f64; 6]],
        held: &[[f64; 2]],
        motion: &[[f64; 6]],
    ) -> f64 {
        let contacts: f64 = frozen.iter().map(|c| c.response(motion).energy).sum();
        let ties: f64 = rods.iter().map(|rod| rod.response(motion).energy).sum();
        let mut work = 0.0;
        for ((load, u), held) in loads.iter().zip(motion).zip(held) {
            for &k in &self.free {
                work += load[k] * u[k] - 0.5 * held[k / 3] * u[k] * u[k];
            }
        }
        contacts + ties - work
    }

    /// Forces out of balance in the order of unknowns, and the matrix.
    fn assemble(
        &mut self,
        frozen: &[Frozen],
        rods: &[Rod<'_>],
        loads: &[[f64; 6]],
        held: &[[f64; 2]],
        motion: &[[f64; 6]],
    ) -> (Vec<f64>, Vec<Response>, Vec<f64>) {
        self.matrix.clear();
        let mut right = vec![0.0; self.place.len() * self.free.len()];
        for (body, &place) in self.place.iter().enumerate() {
            for (k, &dof) in self.free.iter().enumerate() {
                right[place + k] += loads[body][dof] - held[body][dof / 3] * motion[body][dof];
                self.matrix.add(place + k, place + k, held[body][dof / 3]);
            }
        }
        let responses: Vec<Response> = frozen.iter().map(|c| c.response(motion)).collect();
        for (contact, response) in frozen.iter().zip(&responses) {
            self.add(contact.bodies, &contact.rows, response, &mut right);
        }
        let mut tension = Vec::with_capacity(rods.len());
        for rod in rods {
            let found = rod.response(motion);
            let mut response = Response {
                force: [-found.force, 0.0, 0.0],
                stiffness: [[0.0; 3]; 3],
                energy: 0.0,
            };
            response.stiffness[0][0] = found.stiffness;
            let rows = rod.rows().map(|row| [row, [0.0; 6], [0.0; 6]]);
            self.add(rod.bodies, &rows, &response, &mut right);
            tension.push(found.force);
        }
        (right, responses, tension)
    }

    fn add(
        &mut self,
        bodies: [u32; 2],
        rows: &[[[f64; 6]; 3]; 2],
        response: &Response,
        right: &mut [f64],
    ) {
        let stiff = response.stiffness.iter().flatten().any(|&x| x != 0.0);
        for (side, &body) in bodies.iter().enumerate() {
            if body == FIXED {
                continue;
            }
            let place = self.place[body as usize];
            for (k, &dof) in self.free.iter().enumerate() {
                for (row, force) in rows[side].iter().zip(&response.force) {
                    right[place + k] += row[dof] * force;
                }
            }
            if !stiff {
                continue;
            }
            for (other, &second) in bodies.iter().enumerate() {
                if second == FIXED {
                    continue;
                }
                let column = self.place[second as usize];
                for (k, &dof) in self.free.iter().enumerate() {
                    for (l, &with) in self.free.iter().enumerate() {
                        if column + l > place + k {
                            continue;
                        }
                        let mut sum = 0.0;
                        for i in 0..3 {
                            for j in 0..3 {
                                sum += rows[side][i][dof]
                                    * response.stiffness[i][j]
                                    * rows[other][j][with];
                            }
                        }
                        self.matrix.add(place + k, column + l, sum);
                    }
                }
            }
        }
    }
}

impl Frozen {
    fn response(&self, motion: &[[f64; 6]]) -> Response {
        let mut w = self.strain;
        for (side, &body) in self.bodies.iter().enumerate() {
            if body != FIXED {
                let u = &motion[body as usize];
                for (w, row) in w.iter_mut().zip(&self.rows[side]) {
                    *w += row.iter().zip(u).map(|(a, u)| a * u).sum::<f64>();
                }
            }
        }
        law::contact(w, self.compliance, self.friction)
    }
}

impl Rod<'_> {
    fn response(&self, motion: &[[f64; 6]]) -> TieResponse {
        let mut elongation = self.placed.elongation;
        for (side, row) in self.rows().iter().enumerate() {
            if self.bodies[side] != FIXED {
                let u = &motion[self.bodies[side] as usize];
                elongation += row.iter().zip(u).map(|(a, u)| a * u).sum::<f64>();
            }
        }
        self.memory.response(self.tie, elongation)
    }

    /// How it grows longer with the motion of its bodies.
    fn rows(&self) -> [[f64; 6]; 2] {
        let PlacedTie { axis, arms, .. } = self.placed;
        [row(-axis, arms[0]), row(axis, arms[1])]
    }
}

/// How a point at an arm moves along an axis with the motion of its body.
fn row(axis: DVec3, arm: DVec3) -> [f64; 6] {
    let turn = arm.cross(axis);
    [axis.x, axis.y, axis.z, turn.x, turn.y, turn.z]
}

/// A spring as the geometry is now.
fn freeze(spring: &Spring, bodies: &Bodies, poses: &[Pose]) -> Frozen {
    let pair = spring.pair.placed(bodies, poses);
    let sides = spring.pair.sides(poses, &spring.local);
    let contact = pair.contact(0.5 * (sides[0] + sides[1]));
    let stretch = poses[pair.blocks[0]].rotation * spring.stretch;
    let arms = contact.arms.map(DVec3::from);
    let axes = pair.axes;
    Frozen {
        bodies: contact.bodies,
        rows: [(0, -1.0), (1, 1.0)]
            .map(|(side, sign)| axes.map(|axis| row(sign * axis, arms[side]))),
        strain: [
            axes[0].dot(sides[1] - sides[0]),
            axes[1].dot(stretch),
            axes[2].dot(stretch),
        ],
        compliance: spring.compliance,
        friction: contact.friction,
    }
}
