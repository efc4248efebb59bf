//! The fast Fourier transform of lengths that are powers of two.
//!
//! Written out rather than taken from a library: those choose their arithmetic by the machine they run on, and the
//! last bits of a motion with a seed would differ between machines.

use std::f64::consts::TAU;

/// A transform of fixed length.
pub(super) struct Fourier {
    /// `e^(-2 pi i k / n)` for half the length.
    roots: Vec<(f64, f64)>,
}

impl Fourier {
    /// Of the smallest power of two that is not below `length`.
    pub fn at_least(length: usize) -> Self {
        let n = length.max(2).next_power_of_two();
        let roots = (0..n / 2)
            .map(|k| {
                let (sin, cos) = libm::sincos(-TAU * k as f64 / n as f64);
                (cos, sin)
            })
            .collect();
        Self { roots }
    }

    /// The length.
    pub fn len(&self) -> usize {
        2 * self.roots.len()
    }

    /// Coefficients of real values, which are followed by zeros.
    pub fn forward(&self, values: &[f64]) -> Vec<(f64, f64)> {
        let mut z = vec![(0.0, 0.0); self.len()];
        for (z, value) in z.iter_mut().zip(values) {
            z.0 = *value;
        }
        self.transform(&mut z);
        z
    }

    /// Real values of coefficients whose second half is the mirror image of the first.
    pub fn backward(&self, mut z: Vec<(f64, f64)>) -> Vec<f64> {
        for z in &mut z {
            z.1 = -z.1;
        }
        self.transform(&mut z);
        let n = self.len() as f64;
        z.into_iter().map(|z| z.0 / n).collect()
    }

    /// In place, by halves; radix two.
    fn transform(&self, z: &mut [(f64, f64)]) {
        let n = z.len();
        let bits = n.trailing_zeros();
        for k in 0..n {
            let mirrored = k.reverse_bits() >> (usize::BITS - bits);
            if k < mirrored {
                z.swap(k, mirrored);
            }
        }
        let mut half = 1;
        while half < n {
            let stride = n / (2 * half);
            for block in z.chunks_exact_mut(2 * half) {
                let (low, high) = block.split_at_mut(half);
                for (k, (a, b)) in low.iter_mut().zip(high).enumerate() {
                    let w = self.roots[k * stride];
                    let t = (b.0 * w.0 - b.1 * w.1, b.0 * w.1 + b.1 * w.0);
                    *b = (a.0 - t.0, a.1 - t.1);
                    *a = (a.0 + t.0, a.1 + t.1);
                }
            }
            half *= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_sum_and_returns() {
        let values: Vec<f64> = (0..11).map(|k| ((k * k) as f64 * 0.7).sin()).collect();
        let fourier = Fourier::at_least(values.len());
        assert_eq!(fourier.len(), 16);
        let z = fourier.forward(&values);
        for (m, z) in z.iter().enumerate() {
            let term = |f: fn(f64) -> f64| -> f64 {
                let angle = |k: usize| -TAU * (k * m) as f64 / 16.0;
                values
                    .iter()
                    .enumerate()
                    .map(|(k, v)| v * f(angle(k)))
                    .sum()
            };
            assert!((z.0 - term(f64::cos)).abs() < 1e-13 && (z.1 - term(f64::sin)).abs() < 1e-13);
        }
        let back = fourier.backward(z);
        for (k, value) in back.iter().enumerate() {
            let expected = values.get(k).copied().unwrap_or(0.0);
            assert!((value - expected).abs() < 1e-14);
        }
    }
}
