//! Generalised conjugate residuals for `(I + P) x = b`, with velocities of bodies as vectors and kinetic energy as their norm.
//!
//! The answer is that of GMRES. Directions are kept with their images, so that what one right-hand side has taught serves the next ones of
//! the same operator: predictor and correctors differ little.

use super::island::IslandData;

/// Directions at most, all of them kept: a wall of 85 blocks in violent motion takes 10 at first and 60 near the end, for one
/// right-hand side.
const MOST: usize = 160;

/// A new image of which this share is new is rounding: the space is exhausted.
const BREAKDOWN: f64 = 1e-12;

/// Share of a vector that is well above its rounding.
const MUCH: f64 = 0.1;

type Velocities = Vec<[f64; 6]>;

/// Directions and their images under `I + P`, the images orthonormal.
#[derive(Default)]
pub(super) struct Krylov {
    directions: Vec<Velocities>,
    images: Vec<Velocities>,
    /// `H` times the images, so that products of vectors need no inertia.
    heavy: Vec<Velocities>,
    /// How many of them belong to the present operator.
    count: usize,
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

fn put(into: &mut Vec<Velocities>, k: usize, values: impl Iterator<Item = [f64; 6]>) {
    if into.len() <= k {
        into.push(Vec::new());
    }
    into[k].clear();
    into[k].extend(values);
}

impl Krylov {
    /// The operator has changed: what was kept is of no use.
    pub(super) fn forget(&mut self) {
        self.count = 0;
    }

    /// Replaces the right-hand side `x` by a solution whose residual, put into `left`, is at most `share` of it, or the best
    /// there is. `operator` adds `P v` to its second argument, and is the same until [`Self::forget`].
    pub(super) fn solve(
        &mut self,
        island: &IslandData,
        x: &mut [[f64; 6]],
        left: &mut [[f64; 6]],
        share: f64,
        mut operator: impl FnMut(&[[f64; 6]], &mut [[f64; 6]]),
    ) {
        let size = energy(island, x, x).sqrt();
        if !(size > 0.0 && size.is_finite()) {
            left.fill([0.0; 6]);
            return;
        }
        left.copy_from_slice(x);
        x.fill([0.0; 6]);
        for k in 0..self.count {
            self.take(k, x, left);
        }
        let (mut direction, mut image) = (left.to_vec(), left.to_vec());
        while self.count < MOST && energy(island, left, left).sqrt() > share * size {
            let length = energy(island, left, left).sqrt();
            for (d, r) in direction.iter_mut().zip(left.iter()) {
                *d = r.map(|v| v / length);
            }
            image.copy_from_slice(&direction);
            operator(&direction, &mut image);
            if !self.keep(island, &mut direction, &mut image) {
                break;
            }
            self.take(self.count - 1, x, left);
        }
        if self.count == 0 {
            // The operator is not finite: what it was to correct remains.
            x.copy_from_slice(left);
            left.fill([0.0; 6]);
        }
    }

    /// Goes along a direction as far as that makes the residual smaller.
    fn take(&self, k: usize, x: &mut [[f64; 6]], left: &mut [[f64; 6]]) {
        let along = dot(&self.heavy[k], left);
        add(x, &self.directions[k], along);
        add(left, &self.images[k], -along);
    }

    /// Makes an image orthogonal to the others and keeps it with its direction; false if nothing of it is new.
    fn keep(
        &mut self,
        island: &IslandData,
        direction: &mut [[f64; 6]],
        image: &mut [[f64; 6]],
    ) -> bool {
        let whole = energy(island, image, image).sqrt();
        let (mut before, mut new) = (whole, whole);
        // Once more if little is left, because that may be mostly rounding.
        for pass in 0..2 {
            if pass == 1 && new > MUCH * before {
                break;
            }
            before = new;
            for k in 0..self.count {
                let along = dot(&self.heavy[k], image);
                add(image, &self.images[k], -along);
                add(direction, &self.directions[k], -along);
            }
            new = energy(island, image, image).sqrt();
        }
        if !(new.is_finite() && new > BREAKDOWN * whole) {
            return false;
        }
        let unit = |v: &[f64; 6]| v.map(|c| c / new);
        put(&mut self.directions, self.count, direction.iter().map(unit));
        put(&mut self.images, self.count, image.iter().map(unit));
        let images = self.images[self.count].iter().enumerate();
        put(
            &mut self.heavy,
            self.count,
            images.map(|(b, v)| island.inertia(b, v)),
        );
        self.count += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// A made-up operator that couples bodies without symmetry: the residual that is reported is the one there is, and small. A second
    /// right-hand side in the space of the first needs no new directions.
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
            let mut krylov = Krylov::default();
            let mut kept = 0;
            for factor in [1.0, -3.0] {
                let right: Vec<[f64; 6]> = right.iter().map(|v| v.map(|x| factor * x)).collect();
                let (mut x, mut left) = (right.clone(), right.clone());
                krylov.solve(&island, &mut x, &mut left, share, operator);
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
                assert!(kept == 0 || krylov.count == kept);
                kept = krylov.count;
            }
        }
    }
}
