//! Four numbers side by side: the unit in which contact kernels work.
//!
//! Plain arrays of four, compiled inside [`vectorised`] for the widest instructions of the machine. The compiler packs part
//! of them into vectors and leaves the rest scalar; explicit vector types are the next step when contact kernels, a quarter
//! of the time at 1000 blocks, are to get faster. No fused multiply-add, so that the instruction set does not change the
//! bits of the kernels.

use std::ops::{Add, AddAssign, Mul, Neg, Sub};

use crate::residual::worse;

/// Contacts handled together.
pub(super) const WIDTH: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[repr(align(32))]
pub(super) struct Lanes(pub(super) [f64; WIDTH]);

/// Runs a pass with the widest vector instructions of the machine. The closure and all it calls must be `inline(always)`:
/// a function of its own would be compiled for the oldest machine.
#[inline(always)]
pub(super) fn vectorised<R>(pass: impl FnOnce() -> R) -> R {
    faer::traits::pulp::Arch::new().dispatch(pass)
}

macro_rules! lanewise {
    ($a:expr, $b:expr, $op:tt) => {
        Lanes([$a.0[0] $op $b.0[0], $a.0[1] $op $b.0[1], $a.0[2] $op $b.0[2], $a.0[3] $op $b.0[3]])
    };
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        lanewise!(self, o, +)
    }
}

impl AddAssign for Lanes {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        lanewise!(self, o, -)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        lanewise!(self, o, *)
    }
}

impl std::ops::Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        lanewise!(self, o, /)
    }
}

impl Neg for Lanes {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|x| -x)
    }
}

impl Lanes {
    pub(super) const ZERO: Self = Self([0.0; WIDTH]);
    pub(super) const ONE: Self = Self([1.0; WIDTH]);

    #[inline(always)]
    pub(super) fn splat(x: f64) -> Self {
        Self([x; WIDTH])
    }

    #[inline(always)]
    fn map(self, f: impl Fn(f64) -> f64) -> Self {
        Self([f(self.0[0]), f(self.0[1]), f(self.0[2]), f(self.0[3])])
    }

    #[inline(always)]
    pub(super) fn sqrt(self) -> Self {
        self.map(f64::sqrt)
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        self.map(f64::abs)
    }

    /// Lane by lane; NaN where one of both is.
    #[inline(always)]
    pub(super) fn max(self, o: Self) -> Self {
        self.pick(o, |a, b| a > b || a.is_nan())
    }

    /// Lane by lane; NaN where one of both is.
    #[inline(always)]
    pub(super) fn min(self, o: Self) -> Self {
        self.pick(o, |a, b| a < b || a.is_nan())
    }

    /// The largest lane; NaN if one is.
    #[inline(always)]
    pub(super) fn largest(self) -> f64 {
        worse(worse(self.0[0], self.0[1]), worse(self.0[2], self.0[3]))
    }

    /// The lanes of `self` where asked for, else those of `o`.
    #[inline(always)]
    fn pick(self, o: Self, first: impl Fn(f64, f64) -> bool) -> Self {
        let one = |k: usize| {
            if first(self.0[k], o.0[k]) {
                self.0[k]
            } else {
                o.0[k]
            }
        };
        Self([one(0), one(1), one(2), one(3)])
    }

    /// `yes` where `self > o`, else `no`.
    #[inline(always)]
    pub(super) fn where_greater(self, o: Self, yes: Self, no: Self) -> Self {
        let pick = |k: usize| {
            if self.0[k] > o.0[k] {
                yes.0[k]
            } else {
                no.0[k]
            }
        };
        Self([pick(0), pick(1), pick(2), pick(3)])
    }

    #[inline(always)]
    pub(super) fn sum(self) -> f64 {
        (self.0[0] + self.0[1]) + (self.0[2] + self.0[3])
    }
}

/// Sums over lanes. By a plain loop: `array::map` is not always inlined, and then compiled for the oldest machine.
#[inline(always)]
pub(super) fn sums<const N: usize>(x: &[Lanes; N]) -> [f64; N] {
    let mut out = [0.0; N];
    (0..N).for_each(|k| out[k] = x[k].sum());
    out
}

/// A vector of three per lane: (normal, tangent, tangent) or world axes.
pub(super) type Triple = [Lanes; 3];

#[inline(always)]
pub(super) fn add3(a: Triple, b: Triple) -> Triple {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

#[inline(always)]
pub(super) fn sub3(a: Triple, b: Triple) -> Triple {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

#[inline(always)]
pub(super) fn scale3(a: Triple, x: Lanes) -> Triple {
    [a[0] * x, a[1] * x, a[2] * x]
}

#[inline(always)]
pub(super) fn dot3(a: Triple, b: Triple) -> Lanes {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[inline(always)]
pub(super) fn cross3(a: Triple, b: Triple) -> Triple {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nan_survives_extremes_on_either_side() {
        let (nan, one) = (Lanes::splat(f64::NAN), Lanes::ONE);
        for x in [nan.max(one), one.max(nan), nan.min(one), one.min(nan)] {
            assert!(x.0.iter().all(|y| y.is_nan()));
        }
        for lane in 0..WIDTH {
            let mut x = Lanes([4.0, 1.0, 3.0, 2.0]);
            assert_eq!((x.largest(), x.max(one), x.min(one)), (4.0, x, one));
            x.0[lane] = f64::NAN;
            assert!(x.largest().is_nan() && (-x).largest().is_nan());
        }
    }
}
