//! Gauss-Seidel under Coulomb's law: contact after contact gets the impulse that its own law asks for, the others as they are.
//!
//! It needs thousands of sweeps where an interior-point method needs ten iterations, but each contact follows Coulomb's law as it is, and
//! it comes to rest where the fixed point of convex problems goes round in circles. The last resort.

use crate::cones::project_impulse;
use crate::{FIXED, StepProblem};

/// Updates of one contact before the next.
const REPEATS: u32 = 3;
/// Speed per impulse of a contact that moves nothing; only keeps the division defined.
const NOTHING: f64 = 1e-300;

/// What an impulse of one contact does.
struct Response {
    /// Velocities of both bodies by unit impulses, `H^-1 D`.
    moves: [[[f64; 6]; 3]; 2],
    /// Velocity at the contact itself, `D' H^-1 D + E`.
    own: [[f64; 3]; 3],
}

/// Velocities and impulses that are in balance at any time.
pub(crate) struct Sweeps<'a> {
    problem: &'a StepProblem,
    responses: Vec<Response>,
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
}

impl<'a> Sweeps<'a> {
    /// Begins with given impulses, projected on their cones.
    pub(crate) fn new(problem: &'a StepProblem, impulse: &[[f64; 3]]) -> Self {
        let mut sweeps = Self {
            problem,
            responses: (0..problem.contacts.len())
                .map(|k| response(problem, k))
                .collect(),
            velocity: problem.free_velocity.clone(),
            impulse: vec![[0.0; 3]; problem.contacts.len()],
        };
        for (k, r) in impulse.iter().enumerate() {
            sweeps.add(k, project_impulse(problem.contacts[k].friction, r));
        }
        sweeps
    }

    /// Once over all contacts.
    pub(crate) fn sweep(&mut self) {
        for k in 0..self.responses.len() {
            let contact = &self.problem.contacts[k];
            let own = &self.responses[k].own;
            let normal = own[0][0].max(NOTHING);
            let tangent = own[1][1].max(own[2][2]).max(NOTHING);
            let before = self.impulse[k];
            let mut u = self.problem.cone_velocity(contact, &self.velocity, &before);
            let mut r = before;
            for _ in 0..REPEATS {
                let press = (r[0] - u[0] / normal).max(0.0);
                let more = press - r[0];
                // Friction answers to the slip that is left when the normal impulse has changed.
                let wanted = [1, 2].map(|i| r[i] - (u[i] + own[i][0] * more) / tangent);
                let (length, limit) = (wanted[0].hypot(wanted[1]), contact.friction * press);
                let share = if length > limit { limit / length } else { 1.0 };
                let next = [press, share * wanted[0], share * wanted[1]];
                for (i, row) in own.iter().enumerate() {
                    u[i] += (0..3).map(|j| row[j] * (next[j] - r[j])).sum::<f64>();
                }
                r = next;
            }
            self.add(k, std::array::from_fn(|j| r[j] - before[j]));
        }
    }

    fn add(&mut self, k: usize, change: [f64; 3]) {
        let bodies = self.problem.contacts[k].bodies;
        for (side, moves) in self.responses[k].moves.iter().enumerate() {
            if bodies[side] != FIXED {
                let v = &mut self.velocity[bodies[side] as usize];
                for (by, amount) in moves.iter().zip(change) {
                    (0..6).for_each(|i| v[i] += amount * by[i]);
                }
            }
        }
        (0..3).for_each(|j| self.impulse[k][j] += change[j]);
    }
}

fn response(problem: &StepProblem, k: usize) -> Response {
    let contact = &problem.contacts[k];
    let mut moves = [[[0.0; 6]; 3]; 2];
    let mut own = [[0.0; 3]; 3];
    for (side, moves) in moves.iter_mut().enumerate() {
        if contact.bodies[side] == FIXED {
            continue;
        }
        let columns = problem.columns(contact, side);
        *moves = columns.map(|c| problem.inertia_solve(contact.bodies[side] as usize, &c));
        for (row, column) in own.iter_mut().zip(&columns) {
            for (entry, by) in row.iter_mut().zip(moves.iter()) {
                *entry += (0..6).map(|i| column[i] * by[i]).sum::<f64>();
            }
        }
    }
    (0..3).for_each(|j| own[j][j] += contact.compliance[j.min(1)]);
    Response { moves, own }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residual::residual_under;
    use crate::{Law, Tolerances, corpus};

    /// Few contacts need few sweeps, and momentum is in balance from the first on.
    #[test]
    fn blocks_come_to_the_answer() {
        for (p, sweeps) in [
            (corpus::stack(1), 300),
            (corpus::incline(0.9, 0.4), 300),
            (corpus::wedge(), 3000),
        ] {
            let mut s = Sweeps::new(&p, &vec![[0.0; 3]; p.contacts.len()]);
            s.sweep();
            let judged = residual_under(&p, Law::Coulomb, &s.velocity, &s.impulse);
            // Rounding of a dozen additions.
            assert!(judged.momentum < 1e-12, "{judged:?}");
            (0..sweeps).for_each(|_| s.sweep());
            let judged = residual_under(&p, Law::Coulomb, &s.velocity, &s.impulse);
            assert!(judged.within(&Tolerances::default()), "{judged:?}");
        }
    }
}
