//! Gauss-Seidel under Coulomb's law: contact after contact gets the reaction that its own law asks for, the others as they are.
//!
//! Slow, but each contact follows the law as it is, and it comes near an answer where the fixed point of convex problems goes round in circles.

use super::factor::Cholesky;
use super::judge::triple;
use super::scaled::{Form, Point, Scaled};
use crate::cones::project_impulse;

/// Updates of one contact before the next.
const REPEATS: u32 = 3;
/// Speed per reaction of a contact that moves nothing; only keeps the division defined.
const NOTHING: f64 = 1e-300;
/// Numbers in all responses at most: beyond, the velocities of all degrees of freedom by every contact do not fit.
const MOST: usize = 20_000_000;

/// What the three unit reactions of a contact do to the state.
struct Response {
    moves: [Vec<(usize, f64)>; 3],
    /// Velocity at the contact itself.
    own: [[f64; 3]; 3],
}

/// Reactions, and a state that is in balance with them at any time: `x` in general form, `h` in local form.
pub(super) struct Sweeps<'a> {
    problem: &'a Scaled,
    responses: Vec<Response>,
    state: Vec<f64>,
    reaction: Vec<f64>,
}

impl<'a> Sweeps<'a> {
    /// Begins with given reactions, projected on their cones. `None` if the problem is too large.
    pub(super) fn new(problem: &'a Scaled, reaction: &[f64]) -> Option<Self> {
        let mut sweeps = Self {
            problem,
            responses: responses(problem)?,
            state: match &problem.form {
                Form::General { inertia, .. } => vec![0.0; inertia.rows],
                Form::Local { .. } => problem.offset.clone(),
            },
            reaction: vec![0.0; problem.rows()],
        };
        for (c, &mu) in problem.friction.iter().enumerate() {
            sweeps.add(c, project_impulse(mu, &triple(reaction, c)));
        }
        Some(sweeps)
    }

    /// Multiplications of a sweep, about.
    pub(super) fn work(&self) -> u64 {
        let each = self.responses.iter().flat_map(|r| &r.moves);
        each.map(|moves| 2 * moves.len() as u64 + 30).sum()
    }

    pub(super) fn point(&self) -> Point {
        Point {
            x: match self.problem.form {
                Form::General { .. } => self.state.clone(),
                Form::Local { .. } => Vec::new(),
            },
            z: self.reaction.clone(),
        }
    }

    fn velocity(&self, contact: usize) -> [f64; 3] {
        std::array::from_fn(|k| {
            let row = 3 * contact + k;
            match &self.problem.form {
                Form::General { directions, .. } => {
                    let terms = directions.column(row).map(|(i, x)| x * self.state[i]);
                    self.problem.offset[row] + terms.sum::<f64>()
                }
                Form::Local { .. } => self.state[row],
            }
        })
    }

    /// Once over all contacts.
    pub(super) fn sweep(&mut self) {
        for c in 0..self.responses.len() {
            let mu = self.problem.friction[c];
            let own = &self.responses[c].own;
            let normal = own[0][0].max(NOTHING);
            let tangent = own[1][1].max(own[2][2]).max(NOTHING);
            let before = triple(&self.reaction, c);
            let mut u = self.velocity(c);
            let mut r = before;
            for _ in 0..REPEATS {
                let press = (r[0] - u[0] / normal).max(0.0);
                let more = press - r[0];
                // Friction answers to the slip that is left when the normal reaction has changed.
                let wanted = [1, 2].map(|i| r[i] - (u[i] + own[i][0] * more) / tangent);
                let (length, limit) = (wanted[0].hypot(wanted[1]), mu * press);
                let share = if length > limit { limit / length } else { 1.0 };
                let next = [press, share * wanted[0], share * wanted[1]];
                for (i, row) in own.iter().enumerate() {
                    u[i] += (0..3).map(|j| row[j] * (next[j] - r[j])).sum::<f64>();
                }
                r = next;
            }
            self.add(c, std::array::from_fn(|j| r[j] - before[j]));
        }
    }

    fn add(&mut self, contact: usize, change: [f64; 3]) {
        for (moves, amount) in self.responses[contact].moves.iter().zip(change) {
            moves
                .iter()
                .for_each(|&(i, by)| self.state[i] += amount * by);
        }
        (0..3).for_each(|j| self.reaction[3 * contact + j] += change[j]);
    }
}

fn responses(problem: &Scaled) -> Option<Vec<Response>> {
    let (n, rows) = (problem.size(), problem.rows());
    let factor = match &problem.form {
        Form::General { inertia, .. } if n.checked_mul(rows)? <= MOST => {
            Some(Cholesky::new(inertia)?)
        }
        Form::General { .. } => return None,
        Form::Local { .. } => None,
    };
    let response = |row: usize| -> Vec<(usize, f64)> {
        match (&problem.form, &factor) {
            (Form::General { directions, .. }, Some(factor)) => {
                let mut right = vec![0.0; n];
                directions.column(row).for_each(|(i, x)| right[i] = x);
                let moved = factor.solve(&right);
                let places = moved.into_iter().enumerate();
                places.filter(|(_, x)| *x != 0.0).collect()
            }
            (Form::Local { delassus }, _) => delassus.column(row).collect(),
            (Form::General { .. }, None) => Vec::new(),
        }
    };
    let contacts = 0..problem.friction.len();
    let each = contacts.map(|c| {
        let moves: [Vec<(usize, f64)>; 3] = std::array::from_fn(|k| response(3 * c + k));
        let mut own = [[0.0; 3]; 3];
        for (j, moves) in moves.iter().enumerate() {
            let at = |place: usize| {
                let found = moves.binary_search_by_key(&place, |m| m.0);
                found.map_or(0.0, |k| moves[k].1)
            };
            for (i, row) in own.iter_mut().enumerate() {
                row[j] = match &problem.form {
                    Form::General { directions, .. } => {
                        let column = directions.column(3 * c + i);
                        column.map(|(k, x)| x * at(k)).sum()
                    }
                    Form::Local { .. } => at(3 * c + i),
                };
            }
        }
        Response { moves, own }
    });
    Some(each.collect())
}
