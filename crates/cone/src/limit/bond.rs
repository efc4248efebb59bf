//! A contact with a bond: a Coulomb cone that begins in tension and is widened by cohesion.
//!
//! `|t| <= mu n + C` and `n >= -T`, with `C` and `T` the shares of the contact in cohesion and tensile strength of its joint. This set is the sum of
//! a point, a cone and a disc: `(n, t) = (-T, 0) + (n', t') + (0, d)` with `|t'| <= mu n'` and `|d| <= C - mu T`. So the point is a constant load on
//! the bodies of the contact, the cone the contact without its bond, and the disc one more cone, whose radius an auxiliary node holds.

use serde::{Deserialize, Serialize};

use super::LimitProblem;
use super::program::{Cone, Program, Side};
use crate::ProblemFault;
use crate::cones::impulse_distance;

/// What the bond of a contact carries beside friction. A contact has one bond at most.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LimitBond {
    /// The contact.
    pub contact: u32,
    /// Largest tension `T`, N.
    pub tension: f64,
    /// Shear force `C` without any normal force, N; at least friction times the tension.
    pub cohesion: f64,
}

impl LimitBond {
    /// Radius of the disc: shear that is carried under the largest tension, N.
    pub fn radius(&self, friction: f64) -> f64 {
        (self.cohesion - friction * self.tension).max(0.0)
    }

    /// Distance of a force, local components, to what the contact carries, N; zero inside.
    pub fn distance(&self, friction: f64, force: &[f64; 3]) -> f64 {
        let shear = force[1].hypot(force[2]);
        let left = (shear - self.radius(friction)).max(0.0);
        impulse_distance(friction, &[force[0] + self.tension, left, 0.0])
    }

    /// Power that the bond takes, W, where its contact moves with a relative velocity, local components, that its cone allows.
    pub fn dissipation(&self, friction: f64, velocity: &[f64; 3]) -> f64 {
        self.tension * velocity[0] + self.radius(friction) * velocity[1].hypot(velocity[2])
    }
}

/// The cone of a bond's disc.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Disc {
    pub(crate) contact: u32,
    pub(crate) cone: u32,
}

impl LimitProblem {
    pub(super) fn validate_bonds(&self) -> Result<(), ProblemFault> {
        let mut taken = vec![false; self.contacts.len()];
        for (index, bond) in self.bonds.iter().enumerate() {
            let fault = |field, value, wanted| {
                Err(ProblemFault::Bond {
                    bond: index,
                    field,
                    value,
                    wanted,
                })
            };
            match taken.get_mut(bond.contact as usize) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => {
                    let wanted = "it has a bond already";
                    return fault("contact", f64::from(bond.contact), wanted);
                }
                None => {
                    let wanted = "there is no such contact";
                    return fault("contact", f64::from(bond.contact), wanted);
                }
            }
            for (field, value) in [("tension", bond.tension), ("cohesion", bond.cohesion)] {
                if !(value.is_finite() && value >= 0.0) {
                    return fault(field, value, "it must be finite and not negative");
                }
            }
            let friction = self.contacts[bond.contact as usize].friction;
            // Both may come out of the same numbers, rounded.
            if friction * bond.tension > (1.0 + 1e-9) * bond.cohesion {
                let wanted = "it must not exceed cohesion over friction";
                return fault("tension", bond.tension, wanted);
            }
        }
        Ok(())
    }
}

impl Program {
    /// Bonds: constant loads, and a node and a cone for each disc. Comes last, and leaves what was added before as it is.
    pub(super) fn add_bonds(&mut self, problem: &LimitProblem, axis: usize) {
        for bond in &problem.bonds {
            let contact = &problem.contacts[bond.contact as usize];
            let cone = &self.cones[bond.contact as usize];
            let sides: Vec<Side> = self
                .sides_of(cone)
                .iter()
                .filter(|side| (side.node as usize) < self.bodies)
                .copied()
                .collect();
            for side in &sides {
                let dead = &mut self.dead[side.node as usize];
                (0..6).for_each(|k| dead[k] -= bond.tension * side.rows[0][k]);
            }
            self.constant += bond.tension * contact.offset[0];
            let radius = bond.radius(contact.friction);
            if radius > 0.0 {
                self.add_disc(bond.contact, radius, problem, axis);
            }
        }
    }

    /// `|d| <= radius`: a Lorentz cone whose first component balances the load of its own node.
    fn add_disc(&mut self, contact: u32, radius: f64, problem: &LimitProblem, axis: usize) {
        let of = &problem.contacts[contact as usize];
        let node = self.nodes() as u32;
        let mut dead = [0.0; 6];
        dead[axis] = radius;
        self.push_node(dead);
        let first = self.sides.len() as u32;
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if of.bodies[side] == crate::FIXED {
                continue;
            }
            let row = |k: usize| super::program::wrench(of, side, k).map(|x| sign * x);
            self.sides.push(Side {
                node: of.bodies[side],
                rows: [[0.0; 6], row(1), row(2)],
            });
        }
        let mut rows = [[0.0; 6]; 3];
        rows[0][axis] = -1.0;
        self.sides.push(Side { node, rows });
        self.discs.push(Disc {
            contact,
            cone: self.cones.len() as u32,
        });
        let [_, t1, t2] = of.offset;
        self.cones.push(Cone {
            sides: [first, self.sides.len() as u32],
            offset: [0.0, t1, t2],
            ray: false,
        });
    }

    /// Adds what bonds carry to the forces of contacts, local components, N.
    pub(super) fn bonded(&self, problem: &LimitProblem, z: &[[f64; 3]], force: &mut [[f64; 3]]) {
        for bond in &problem.bonds {
            force[bond.contact as usize][0] -= bond.tension;
        }
        self.sheared(z, force);
    }

    /// The same without the constant tension, where forces balance what grows alone.
    pub(super) fn sheared(&self, z: &[[f64; 3]], force: &mut [[f64; 3]]) {
        for disc in &self.discs {
            let z = z[disc.cone as usize];
            let force = &mut force[disc.contact as usize];
            (force[1], force[2]) = (force[1] + z[1], force[2] + z[2]);
        }
    }
}
