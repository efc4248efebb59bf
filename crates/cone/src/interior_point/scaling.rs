//! Nesterov-Todd scaling of the Lorentz cone in three dimensions, in spectral form.
//!
//! `W` is the symmetric matrix with `W z = W^-1 s = lambda`. Its eigenvectors are `(1, w)/sqrt 2`, `(1, -w)/sqrt 2` and the
//! tangent across the unit vector `w`; its eigenvalues `eta e`, `eta / e` and `eta`. Near the end `e` spans eight orders of
//! magnitude, and products with `W` written out as a matrix lose what the spectral form keeps.

use super::lanes::{Lanes, Triple};

/// Scaling of four contacts and `G = (W^2 + E + delta)^-1`.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scaling {
    /// Unit direction `w` in the tangent plane.
    direction: [Lanes; 2],
    /// Eigenvalues of `W`: `eta e`, `eta / e`, `eta`.
    eigen: Triple,
    /// `lambda`, and its margins `lambda_0 - |lambda_1|`, `lambda_0 + |lambda_1|` multiplied.
    lambda: Triple,
    determinant: Lanes,
    /// `G` in the basis of `W`: the two diagonal entries, the coupling, and the entry across.
    inverse: [Lanes; 4],
}

/// `x_0 - |x_1|`, `x_0 + |x_1|`.
#[inline(always)]
pub(super) fn margins(x: Triple) -> [Lanes; 2] {
    let tangent = (x[1] * x[1] + x[2] * x[2]).sqrt();
    [x[0] - tangent, x[0] + tangent]
}

/// Jordan product.
#[inline(always)]
pub(super) fn jordan(a: Triple, b: Triple) -> Triple {
    [
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
        a[0] * b[1] + b[0] * a[1],
        a[0] * b[2] + b[0] * a[2],
    ]
}

/// Largest step from the interior point `x` along `d` that stays in the cone; infinite if none leaves it, NaN if `x` is not interior or
/// `d` not finite.
///
/// The direction is first carried to the frame in which `x` is the axis, where the distance to the boundary is a
/// difference of two numbers instead of a root of a nearly singular quadratic.
#[inline(always)]
pub(super) fn longest_step(x: Triple, d: Triple) -> Lanes {
    let [low, high] = margins(x);
    let root = (low * high).sqrt();
    let inverse = Lanes::ONE / root;
    let unit = [x[0] * inverse, x[1] * inverse, x[2] * inverse];
    let step = [d[0] * inverse, d[1] * inverse, d[2] * inverse];
    let along = unit[0] * step[0] - unit[1] * step[1] - unit[2] * step[2];
    let shift = (along + step[0]) / (unit[0] + Lanes::ONE);
    let across = [step[1] - shift * unit[1], step[2] - shift * unit[2]];
    let rate = (across[0] * across[0] + across[1] * across[1]).sqrt() - along;
    // NaN is not less than zero, and its inverse is NaN.
    Lanes::ZERO.where_greater(rate, Lanes::splat(f64::INFINITY), Lanes::ONE / rate)
}

impl Scaling {
    /// Scaling at interior points; `soft` is the diagonal (normal, tangent) of `E + delta`.
    #[inline(always)]
    pub(super) fn new(s: Triple, z: Triple, soft: [Lanes; 2]) -> Self {
        let half = Lanes::splat(0.5);
        let [s_low, s_high] = margins(s);
        let [z_low, z_high] = margins(z);
        let (s_det, z_det) = (s_low * s_high, z_low * z_high);
        let (s_root, z_root) = (s_det.sqrt(), z_det.sqrt());
        let (s_inverse, z_inverse) = (Lanes::ONE / s_root, Lanes::ONE / z_root);
        let s_unit = [s[0] * s_inverse, s[1] * s_inverse, s[2] * s_inverse];
        let z_unit = [z[0] * z_inverse, z[1] * z_inverse, z[2] * z_inverse];
        let product = s_unit[0] * z_unit[0] + s_unit[1] * z_unit[1] + s_unit[2] * z_unit[2];
        let gamma = (half * (Lanes::ONE + product)).sqrt();
        let over = half / gamma;
        let w1 = (s_unit[1] - z_unit[1]) * over;
        let w2 = (s_unit[2] - z_unit[2]) * over;
        let square = w1 * w1 + w2 * w2;
        let tangent = square.sqrt();
        let tiny = Lanes::splat(1e-150);
        let over = Lanes::ONE / tangent.max(tiny);
        let direction = [
            tangent.where_greater(tiny, w1 * over, Lanes::ONE),
            tangent.where_greater(tiny, w2 * over, Lanes::ZERO),
        ];
        let stretch = (Lanes::ONE + square).sqrt() + tangent;
        let eta_square = s_root * z_inverse;
        let eta = eta_square.sqrt();
        let eigen = [eta * stretch, eta / stretch, eta];

        // lambda = (det s det z)^(1/4) (gamma, ...), a form without cancellation.
        let size = (s_root * z_root).sqrt();
        let (on_s, on_z) = (gamma + z_unit[0], gamma + s_unit[0]);
        let over = size / (s_unit[0] + z_unit[0] + gamma + gamma);
        let lambda = [
            size * gamma,
            over * (on_s * s_unit[1] + on_z * z_unit[1]),
            over * (on_s * s_unit[2] + on_z * z_unit[2]),
        ];

        // In the basis of W, E + delta couples only the first two directions; all terms of the determinant are positive.
        let (long, short) = (eigen[0] * eigen[0], eigen[1] * eigen[1]);
        let mean = half * (soft[0] + soft[1]);
        let off = half * (soft[0] - soft[1]);
        let determinant = eta_square * eta_square + mean * (long + short) + soft[0] * soft[1];
        let over = Lanes::ONE / determinant;
        let inverse = [
            (short + mean) * over,
            (long + mean) * over,
            off * over,
            Lanes::ONE / (eta_square + soft[1]),
        ];
        Self {
            direction,
            eigen,
            lambda,
            determinant: s_root * z_root,
            inverse,
        }
    }

    /// Coordinates along the two inclined eigenvectors, and the tangent vector across.
    #[inline(always)]
    fn split(&self, x: Triple) -> ([Lanes; 2], [Lanes; 2]) {
        let half = Lanes::splat(0.5);
        let along = self.direction[0] * x[1] + self.direction[1] * x[2];
        let across = [
            x[1] - self.direction[0] * along,
            x[2] - self.direction[1] * along,
        ];
        ([half * (x[0] + along), half * (x[0] - along)], across)
    }

    #[inline(always)]
    fn join(&self, inclined: [Lanes; 2], across: [Lanes; 2]) -> Triple {
        let difference = inclined[0] - inclined[1];
        [
            inclined[0] + inclined[1],
            difference * self.direction[0] + across[0],
            difference * self.direction[1] + across[1],
        ]
    }

    /// `W x`.
    #[inline(always)]
    pub(super) fn times(&self, x: Triple) -> Triple {
        let (p, t) = self.split(x);
        self.join(
            [self.eigen[0] * p[0], self.eigen[1] * p[1]],
            [self.eigen[2] * t[0], self.eigen[2] * t[1]],
        )
    }

    /// `W^-1 x`.
    #[inline(always)]
    pub(super) fn over(&self, x: Triple) -> Triple {
        let (p, t) = self.split(x);
        // The first two eigenvalues multiply to the square of the third: one quotient instead of four.
        let [first, second, side] = self.eigen;
        let over = Lanes::ONE / (side * side);
        let side = over * side;
        self.join(
            [p[0] * (over * second), p[1] * (over * first)],
            [t[0] * side, t[1] * side],
        )
    }

    /// `G x`.
    #[inline(always)]
    pub(super) fn inverse_times(&self, x: Triple) -> Triple {
        let (p, t) = self.split(x);
        let [first, second, coupling, side] = self.inverse;
        self.join(
            [
                first * p[0] - coupling * p[1],
                second * p[1] - coupling * p[0],
            ],
            [side * t[0], side * t[1]],
        )
    }

    /// `G` as a matrix: (00, 01, 02, 11, 12, 22).
    #[inline(always)]
    pub(super) fn inverse_matrix(&self) -> [Lanes; 6] {
        let half = Lanes::splat(0.5);
        let [first, second, coupling, side] = self.inverse;
        let [a, b] = self.direction;
        let mean = half * (first + second);
        let lean = half * (first - second);
        let along = mean + coupling - side;
        [
            mean - coupling,
            lean * a,
            lean * b,
            along * a * a + side,
            along * a * b,
            along * b * b + side,
        ]
    }

    #[inline(always)]
    pub(super) fn lambda(&self) -> Triple {
        self.lambda
    }

    /// The `x` with `lambda o x = d`.
    #[inline(always)]
    pub(super) fn jordan_divide(&self, d: Triple) -> Triple {
        let l = self.lambda;
        let normal = (l[0] * d[0] - l[1] * d[1] - l[2] * d[2]) / self.determinant;
        let over = Lanes::ONE / l[0];
        [
            normal,
            (d[1] - normal * l[1]) * over,
            (d[2] - normal * l[2]) * over,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::WIDTH;
    use super::*;
    use crate::corpus::Random;

    fn interior(random: &mut Random, margin: f64) -> Triple {
        let mut x = [Lanes::ZERO; 3];
        for lane in 0..WIDTH {
            let (a, b) = (random.signed(), random.signed());
            x[1].0[lane] = a;
            x[2].0[lane] = b;
            x[0].0[lane] = a.hypot(b) + margin * (0.1 + random.uniform());
        }
        x
    }

    fn close(a: Triple, b: Triple, tolerance: f64) {
        for k in 0..3 {
            for lane in 0..WIDTH {
                let (x, y) = (a[k].0[lane], b[k].0[lane]);
                assert!((x - y).abs() <= tolerance * (1.0 + y.abs()), "{x} {y}");
            }
        }
    }

    /// `W z = W^-1 s = lambda`, `lambda o (lambda \ d) = d`, `G (W^2 + E) = 1`, and the matrix of `G` is `G`.
    #[test]
    fn identities() {
        let mut random = Random::new(11);
        for margin in [1.0, 1e-3, 1e-6] {
            for _ in 0..50 {
                let (s, z) = (interior(&mut random, margin), interior(&mut random, margin));
                let soft = [
                    Lanes::splat(random.uniform()),
                    Lanes::splat(random.uniform()),
                ];
                let scaling = Scaling::new(s, z, soft);
                // Relative rounding grows with the spread of the eigenvalues, about 1 / margin.
                let tolerance = 1e-13 / margin;
                close(scaling.times(z), scaling.lambda(), tolerance);
                close(scaling.over(s), scaling.lambda(), tolerance);
                let d = interior(&mut random, 0.5);
                close(
                    jordan(scaling.lambda(), scaling.jordan_divide(d)),
                    d,
                    tolerance,
                );
                let squared = scaling.times(scaling.times(d));
                let softened = [
                    squared[0] + soft[0] * d[0],
                    squared[1] + soft[1] * d[1],
                    squared[2] + soft[1] * d[2],
                ];
                close(scaling.inverse_times(softened), d, tolerance / margin);
                let g = scaling.inverse_matrix();
                let product = [
                    g[0] * d[0] + g[1] * d[1] + g[2] * d[2],
                    g[1] * d[0] + g[3] * d[1] + g[4] * d[2],
                    g[2] * d[0] + g[4] * d[1] + g[5] * d[2],
                ];
                close(scaling.inverse_times(d), product, tolerance);
            }
        }
    }

    #[test]
    fn there_is_no_step_along_nan_or_from_outside() {
        let axis = [Lanes::ONE, Lanes::ZERO, Lanes::ZERO];
        assert_eq!(longest_step(axis, axis), Lanes::splat(f64::INFINITY));
        assert_eq!(
            longest_step(axis, [Lanes::ZERO; 3]),
            Lanes::splat(f64::INFINITY)
        );
        for k in 0..3 {
            let mut d = axis;
            d[k].0[2] = f64::NAN;
            let step = longest_step(axis, d).0;
            assert!(step[2].is_nan() && step[1] == f64::INFINITY, "{step:?}");
        }
        let outside = [Lanes::ONE, Lanes::splat(2.0), Lanes::ZERO];
        assert!(longest_step(outside, axis).0.iter().all(|x| x.is_nan()));
    }

    #[test]
    fn the_longest_step_ends_on_the_boundary() {
        let mut random = Random::new(12);
        for _ in 0..100 {
            let x = interior(&mut random, 0.3);
            let d: Triple =
                std::array::from_fn(|_| Lanes(std::array::from_fn(|_| random.signed())));
            let step = longest_step(x, d);
            for lane in 0..WIDTH {
                let at = |t: f64| {
                    let y: [f64; 3] = std::array::from_fn(|k| x[k].0[lane] + t * d[k].0[lane]);
                    y[0] - y[1].hypot(y[2])
                };
                if step.0[lane].is_finite() {
                    assert!(at(step.0[lane]).abs() < 1e-10 * (1.0 + step.0[lane]));
                    assert!(at(0.999 * step.0[lane]) > 0.0);
                } else {
                    assert!(at(1e3) > 0.0 && at(1.0) > 0.0);
                }
            }
        }
    }
}
