//! The normal distribution far into its tails, where plain formulas underflow.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Below this the series of the tail is better than the complementary error function, whose last digits are lost; its first
/// term left out is 2e-12 here.
const TAIL: f64 = -30.0;

/// `Phi(x)`.
pub(super) fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// `ln phi(x)`.
pub(super) fn log_density(x: f64) -> f64 {
    -0.5 * x * x - 0.5 * libm::log(2.0 * PI)
}

/// `ln Phi(x)`.
pub(super) fn log_cdf(x: f64) -> f64 {
    if x > 5.0 {
        libm::log1p(-cdf(-x))
    } else if x > TAIL {
        libm::log(cdf(x))
    } else {
        log_density(x) - libm::log(-x) + libm::log(tail(x))
    }
}

/// `Phi(x) |x| / phi(x)` for `x` far below zero.
fn tail(x: f64) -> f64 {
    let y = 1.0 / (x * x);
    1.0 - y * (1.0 - 3.0 * y * (1.0 - 5.0 * y * (1.0 - 7.0 * y)))
}

/// `ln (Phi(high) - Phi(low))` for `low < high`; either may be infinite.
pub(super) fn log_mass(low: f64, high: f64) -> f64 {
    if low == f64::NEG_INFINITY {
        return log_cdf(high);
    }
    if high == f64::INFINITY {
        return log_cdf(-low);
    }
    // In the upper half the tails on the other side have the digits.
    let (low, high) = if low > 0.0 {
        (-high, -low)
    } else {
        (low, high)
    };
    let (a, b) = (log_cdf(low), log_cdf(high));
    b + libm::log1p(-libm::exp(a - b))
}

/// `x` with `Phi(x) = p`, by Newton's method on the logarithm, which is concave.
pub(super) fn quantile(p: f64) -> f64 {
    if p > 0.5 {
        return -quantile(1.0 - p);
    }
    let (goal, mut x) = (libm::log(p), 0.0);
    for _ in 0..100 {
        let here = log_cdf(x);
        let step = (goal - here) * libm::exp(here - log_density(x));
        x += step;
        if step.abs() <= 1e-15 * (1.0 + x.abs()) {
            break;
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Against thirty digits of another program (mpmath).
    #[test]
    fn tails_keep_their_digits() {
        for (x, known) in [
            (0.0, -std::f64::consts::LN_2),
            (-1.0, -1.841_021_645_009_264),
            (-10.0, -53.231_285_150_512_47),
            (-29.9, -451.322_912_458_528_7),
            (-30.1, -457.329_564_416_382_2),
            (-100.0, -5_005.524_208_694_205),
            (6.0, -9.865_876_455_243_757e-10),
        ] {
            let found = log_cdf(x);
            assert!(
                (found - known).abs() <= 1e-13 * known.abs().max(1e-3),
                "{x}: {found} {known}"
            );
        }
    }

    #[test]
    fn masses_of_both_tails_agree() {
        for (low, high) in [(1.0, 2.0), (-0.5, 3.0), (20.0, 21.0), (33.0, 40.0)] {
            let (a, b) = (log_mass(low, high), log_mass(-high, -low));
            assert!((a - b).abs() < 1e-12 * a.abs(), "{a} {b}");
        }
        let whole = libm::exp(log_mass(-1.0, 2.0));
        assert!((whole - (cdf(2.0) - cdf(-1.0))).abs() < 1e-15);
    }

    #[test]
    fn quantiles_undo_the_distribution() {
        for p in [1e-300, 1e-9, 0.025, 0.5, 0.9, 0.999_999] {
            let found = cdf(quantile(p));
            assert!((found - p).abs() < 1e-12 * p, "{p} {found}");
        }
        assert!((quantile(0.975) - 1.959_963_984_540_054).abs() < 1e-14);
    }
}
