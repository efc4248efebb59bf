//! GMRES for `(I + P) x = b`, with velocities of bodies as vectors and kinetic energy as their norm.

use super::island::IslandData;

/// Directions at most, all of them kept: a wall of 85 blocks in violent motion takes 10 at first and 60 near the end.
const MOST: usize = 100;

/// A new direction that is this small is rounding: the space is exhausted.
const BREAKDOWN: f64 = 1e-14;

/// Share of a vector that is well above its rounding.
const MUCH: f64 = 0.1;

/// Buffers of the method.
#[derive(Default)]
pub(super) struct Krylov {
    basis: Vec<Vec<[f64; 6]>>,
    /// `H` times these, so that products of vectors need no inertia.
    heavy: Vec<Vec<[f64; 6]>>,
}

fn dot(x: &[[f64; 6]], y: &[[f64; 6]]) -> f64 {
    let mut sum = [0.0; 6];
    for (x, y) in x.iter().zip(y) {
        (0..6).for_each(|k| sum[k] += x[k] * y[k]);
    }
    sum.iter().sum()
}

fn energy(island: &IslandData, x: &[[f64; 6]], y: &[[f64; 6]]) -> f64 {
    let mut sum = 0.0;
    for (b, (x, y)) in x.iter().zip(y).enumerate() {
        let p = island.inertia(b, y);
        sum += (0..6).map(|k| x[k] * p[k]).sum::<f64>();
    }
    sum
}

fn add(x: &mut [[f64; 6]], y: &[[f64; 6]], factor: f64) {
    for (x, y) in x.iter_mut().zip(y) {
        (0..6).for_each(|k| x[k] += factor * y[k]);
    }
}

impl Krylov {
    /// Replaces the right-hand side `x` by a solution whose residual, put into `left`, is at most `share` of it, or the best
    /// there is. `operator` adds `P v` to its second argument.
    pub(super) fn solve(
        &mut self,
        island: &IslandData,
        x: &mut [[f64; 6]],
        left: &mut [[f64; 6]],
        share: f64,
        mut operator: impl FnMut(&[[f64; 6]], &mut [[f64; 6]]),
    ) {
        let size = energy(island, x, x).sqrt();
        left.fill([0.0; 6]);
        if !(size > 0.0 && size.is_finite()) {
            return;
        }
        let put = |basis: &mut Vec<Vec<[f64; 6]>>, k: usize, v: &[[f64; 6]], scale: f64| {
            if basis.len() <= k {
                basis.push(Vec::new());
            }
            basis[k].clear();
            basis[k].extend(v.iter().map(|v| v.map(|c| c * scale)));
        };
        let heavier = |heavy: &mut Vec<Vec<[f64; 6]>>, k: usize, v: &[[f64; 6]]| {
            if heavy.len() <= k {
                heavy.push(Vec::new());
            }
            heavy[k].clear();
            heavy[k].extend(v.iter().enumerate().map(|(b, v)| island.inertia(b, v)));
        };
        put(&mut self.basis, 0, x, 1.0 / size);
        heavier(&mut self.heavy, 0, &self.basis[0]);
        // Columns of the triangle, and the rotations that made them.
        let mut triangle: Vec<Vec<f64>> = Vec::with_capacity(MOST);
        let mut turns: Vec<[f64; 2]> = Vec::with_capacity(MOST);
        let mut right = vec![size];
        let mut next = vec![[0.0; 6]; x.len()];
        while turns.len() < MOST && right[turns.len()].abs() > share * size {
            let k = turns.len();
            next.copy_from_slice(&self.basis[k]);
            operator(&self.basis[k], &mut next);
            let mut column = vec![0.0; k + 2];
            let before = energy(island, &next, &next).sqrt();
            let mut new = before;
            // Once more if little is left, because that may be mostly rounding.
            for pass in 0..2 {
                if pass == 1 && new > MUCH * before {
                    break;
                }
                for (k, entry) in column.iter_mut().enumerate().take(k + 1) {
                    let along = dot(&self.heavy[k], &next);
                    add(&mut next, &self.basis[k], -along);
                    *entry += along;
                }
                new = energy(island, &next, &next).sqrt();
            }
            if !new.is_finite() {
                break;
            }
            column[k + 1] = new;
            for (j, [c, s]) in turns.iter().enumerate() {
                let (p, q) = (column[j], column[j + 1]);
                (column[j], column[j + 1]) = (c * p + s * q, c * q - s * p);
            }
            let length = column[k].hypot(column[k + 1]);
            if length.is_nan() || length <= BREAKDOWN {
                break;
            }
            let [c, s] = [column[k] / length, column[k + 1] / length];
            column[k] = length;
            column.pop();
            triangle.push(column);
            turns.push([c, s]);
            let last = right[k];
            right[k] = c * last;
            right.push(-s * last);
            let exhausted = new <= BREAKDOWN * length;
            put(
                &mut self.basis,
                k + 1,
                &next,
                if exhausted { 0.0 } else { 1.0 / new },
            );
            if exhausted {
                break;
            }
            heavier(&mut self.heavy, k + 1, &self.basis[k + 1]);
        }
        let count = turns.len();
        let mut weights = right[..count].to_vec();
        for k in (0..count).rev() {
            for j in k + 1..count {
                weights[k] -= triangle[j][k] * weights[j];
            }
            weights[k] /= triangle[k][k];
        }
        // The residual is the last entry of the right-hand side, turned back.
        let mut rest = vec![0.0; count + 1];
        rest[count] = right[count];
        for (k, [c, s]) in turns.iter().enumerate().rev() {
            let (p, q) = (rest[k], rest[k + 1]);
            (rest[k], rest[k + 1]) = (c * p - s * q, s * p + c * q);
        }
        if count == 0 {
            // The operator is not finite: what it was to correct remains.
            return;
        }
        x.fill([0.0; 6]);
        for (v, weight) in self.basis.iter().zip(&weights) {
            add(x, v, *weight);
        }
        for (v, weight) in self.basis.iter().zip(&rest) {
            add(left, v, *weight);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// A made-up operator that couples bodies without symmetry: the residual that is reported is the one there is, and small.
    #[test]
    fn reports_the_residual_that_is_there() {
        let island = IslandData::new(&corpus::wall(3, 2));
        let operator = |x: &[[f64; 6]], out: &mut [[f64; 6]]| {
            for b in 0..x.len() {
                for k in 0..6 {
                    out[b][k] += 0.7 * x[(b + 1) % x.len()][(k + 2) % 6] - 0.2 * x[b][5 - k];
                }
            }
        };
        let right: Vec<[f64; 6]> = (0..island.bodies())
            .map(|b| std::array::from_fn(|k| ((7 * b + 3 * k) % 11) as f64 - 4.0))
            .collect();
        // A residual of a tenth is far from the end, one of 1e-10 near it.
        for share in [0.1, 1e-10] {
            let (mut x, mut left) = (right.clone(), right.clone());
            Krylov::default().solve(&island, &mut x, &mut left, share, operator);
            let mut product = x.clone();
            operator(&x, &mut product);
            let size = energy(&island, &right, &right).sqrt();
            assert!(energy(&island, &left, &left).sqrt() <= share * size);
            for b in 0..x.len() {
                for k in 0..6 {
                    let off = right[b][k] - product[b][k] - left[b][k];
                    assert!(off.abs() < 1e-11 * size, "{share} {off}");
                }
            }
        }
    }
}
