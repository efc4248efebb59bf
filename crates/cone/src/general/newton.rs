//! Newton's method on the natural map, for the last digits.
//!
//! `z = P_K(z - rho h)` says the whole law in one equation. The projection has a derivative almost everywhere, and any of its one-sided ones
//! serves where it has none. Redundant contacts make the system singular: a proximal term on the change of `z` removes that and does not move the solution.

use super::factor::Triangular;
use super::judge::{seen, triple};
use super::scaled::{Form, Point, Scaled};
use super::sparse::SparseMatrix;
use crate::Law;
use crate::cones::project_impulse;

/// Proximal term relative to what a unit reaction moves at its contact: the worst residual, as is usual for singular systems, within these bounds. Redundant
/// contacts need one; digits of the step are lost with its inverse.
const PROXIMAL: f64 = 1e-9;
const MOST_PROXIMAL: f64 = 0.1;
/// Steps without progress after which nothing more is expected.
const PATIENCE: u32 = 10;

type Block = [[f64; 3]; 3];

/// Steps from a point until the worst residual is at most `goal`. The best point met and its worst residual, with the number of steps.
pub(super) fn polish(
    problem: &Scaled,
    law: Law,
    start: &Point,
    goal: f64,
    most: u32,
) -> (Point, f64, u32) {
    let mut best = (start.clone(), problem.worst(law, start));
    let mut point = start.clone();
    let (mut steps, mut since) = (0, 0);
    let mut last = best.1;
    while steps < most && since < PATIENCE && best.1 > goal {
        steps += 1;
        since += 1;
        match step(problem, law, &point, last.clamp(PROXIMAL, MOST_PROXIMAL)) {
            Some(next) => point = next,
            None => break,
        }
        let worst = problem.worst(law, &point);
        if !worst.is_finite() {
            break;
        }
        last = worst;
        if worst < best.1 {
            best = (point.clone(), worst);
            since = 0;
        }
    }
    (best.0, best.1, steps)
}

/// What a unit reaction moves at its contact: the largest of the three.
fn own_lightness(problem: &Scaled, contact: usize) -> f64 {
    let diagonal = |k: usize| match &problem.form {
        Form::General { directions, .. } => directions.column(k).map(|(_, x)| x * x).sum::<f64>(),
        Form::Local { delassus } => delassus.at(k, k),
    };
    let most = (0..3)
        .map(|k| diagonal(3 * contact + k))
        .fold(0.0, f64::max);
    if most > 0.0 { most } else { 1.0 }
}

fn step(problem: &Scaled, law: Law, point: &Point, proximal: f64) -> Option<Point> {
    let (n, rows) = (problem.size(), problem.rows());
    let h = problem.velocity(point);
    let mut right: Vec<f64> = problem.imbalance(point).iter().map(|x| -x).collect();
    right.resize(n + rows, 0.0);
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    if let Form::General {
        inertia,
        directions,
    } = &problem.form
    {
        entries.extend(inertia.entries());
        entries.extend(
            directions
                .entries()
                .map(|(row, column, x)| (row, n + column, -x)),
        );
    }
    for (c, &mu) in problem.friction.iter().enumerate() {
        let (u, z) = (triple(&h, c), triple(&point.z, c));
        let lightness = own_lightness(problem, c);
        let w = seen(law, mu, u);
        let trial: [f64; 3] = std::array::from_fn(|k| z[k] - w[k] / lightness);
        let projected = project_impulse(mu, &trial);
        let slope = derivative(mu, &trial);
        // dh counts with `slope / lightness`, after the shift of Coulomb's law.
        let by_velocity = times_shift(law, mu, &u, &slope).map(|r| r.map(|x| x / lightness));
        for i in 0..3 {
            let row = n + 3 * c + i;
            right[row] = projected[i] - z[i];
            for j in 0..3 {
                let own = if i == j { 1.0 } else { 0.0 } - slope[i][j]
                    + proximal * lightness * by_velocity[i][j];
                entries.push((row, n + 3 * c + j, own));
                let weight = by_velocity[i][j];
                if weight != 0.0 {
                    let matrix = match &problem.form {
                        Form::General { directions, .. } => directions,
                        Form::Local { delassus } => delassus,
                    };
                    let column = matrix.column(3 * c + j);
                    entries.extend(column.map(|(k, x)| (row, k, weight * x)));
                }
            }
        }
    }
    let matrix = SparseMatrix::from_triplets(n + rows, n + rows, entries).ok()?;
    let change = Triangular::new(&matrix)?.solve(&right);
    if change.iter().any(|x| !x.is_finite()) {
        return None;
    }
    let add = |old: &[f64], by: &[f64]| old.iter().zip(by).map(|(a, b)| a + b).collect();
    Some(Point {
        x: add(&point.x, &change[..n]),
        z: add(&point.z, &change[n..]),
    })
}

/// `J (I + mu n t')` under Coulomb's law, `t` the direction of slip; `J` under the associated one.
fn times_shift(law: Law, mu: f64, u: &[f64; 3], j: &Block) -> Block {
    let slip = u[1].hypot(u[2]);
    if law == Law::Associated || slip == 0.0 {
        return *j;
    }
    j.map(|row| {
        let lift = mu * row[0] / slip;
        [row[0], row[1] + lift * u[1], row[2] + lift * u[2]]
    })
}

/// A derivative of the projection onto `K`.
fn derivative(mu: f64, x: &[f64; 3]) -> Block {
    if mu == 0.0 {
        let side = if x[0] > 0.0 { 1.0 } else { 0.0 };
        return [[side, 0.0, 0.0], [0.0; 3], [0.0; 3]];
    }
    let tangent = x[1].hypot(x[2]);
    if tangent <= mu * x[0] {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    }
    let along = x[0] + mu * tangent;
    if along <= 0.0 || tangent == 0.0 {
        return [[0.0; 3]; 3];
    }
    let t = [x[1] / tangent, x[2] / tangent];
    let share = 1.0 / (1.0 + mu * mu);
    let turn = mu * along / tangent;
    let block = |i: usize, j: usize| {
        let across = if i == j { 1.0 } else { 0.0 } - t[i] * t[j];
        share * (mu * mu * t[i] * t[j] + turn * across)
    };
    [
        [share, share * mu * t[0], share * mu * t[1]],
        [share * mu * t[0], block(0, 0), block(0, 1)],
        [share * mu * t[1], block(1, 0), block(1, 1)],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Random;

    /// Against central differences, away from the edges of the three regions.
    #[test]
    fn derivative_of_the_projection() {
        let mut random = Random::new(11);
        for mu in [0.0, 0.3, 1.0, 4.0] {
            for _ in 0..200 {
                let x: [f64; 3] = std::array::from_fn(|_| random.signed());
                let tangent = x[1].hypot(x[2]);
                let edges = [tangent - mu * x[0], x[0] + mu * tangent];
                if edges.iter().any(|e| e.abs() < 1e-3) || tangent < 1e-2 {
                    continue;
                }
                let exact = derivative(mu, &x);
                for j in 0..3 {
                    let at = |by: f64| {
                        let mut y = x;
                        y[j] += by;
                        project_impulse(mu, &y)
                    };
                    let (up, down) = (at(1e-5), at(-1e-5));
                    for i in 0..3 {
                        let slope = (up[i] - down[i]) / 2e-5;
                        // Third derivatives are below 1e4 at this distance from the axis, rounding 1e-11.
                        assert!((slope - exact[i][j]).abs() < 1e-5, "mu {mu} x {x:?}");
                    }
                }
            }
        }
    }
}
