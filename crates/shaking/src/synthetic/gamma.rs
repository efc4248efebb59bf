//! The gamma distribution, by which intensity is spread over time.

/// Logarithm of the gamma function for positive arguments.
pub(super) fn ln_gamma(x: f64) -> f64 {
    libm::lgamma(x)
}

/// Probability that a gamma variable of this shape and scale one is below `x`.
pub(super) fn cumulative(shape: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    let front = libm::exp(shape * libm::log(x) - x - ln_gamma(shape));
    if x < shape + 1.0 {
        // The series of the lower incomplete function.
        let mut term = 1.0 / shape;
        let mut sum = term;
        for n in 1..10_000 {
            term *= x / (shape + f64::from(n));
            sum += term;
            if term < 1e-16 * sum {
                break;
            }
        }
        front * sum
    } else {
        // The continued fraction of the upper one, by Lentz's method.
        let tiny = 1e-300;
        let mut b = x + 1.0 - shape;
        let mut c = 1.0 / tiny;
        let mut d = 1.0 / b;
        let mut fraction = d;
        for n in 1..10_000 {
            let n = f64::from(n);
            let a = -n * (n - shape);
            b += 2.0;
            d = 1.0 / non_zero(a * d + b, tiny);
            c = non_zero(b + a / c, tiny);
            let factor = c * d;
            fraction *= factor;
            if (factor - 1.0).abs() < 4.0 * f64::EPSILON {
                break;
            }
        }
        1.0 - front * fraction
    }
}

fn non_zero(value: f64, tiny: f64) -> f64 {
    if value.abs() < tiny { tiny } else { value }
}

/// The value that a gamma variable of this shape and scale one stays below with probability `p`.
pub(super) fn quantile(shape: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, shape.max(1.0));
    while cumulative(shape, high) < p {
        high *= 2.0;
    }
    // Halving is slow and cannot fail; it is done a handful of times per motion.
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            break;
        }
        if cumulative(shape, middle) < p {
            low = middle;
        } else {
            high = middle;
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_closed_forms_and_tables() {
        // Shape 1 is exponential, 1/2 the square of a normal one, whole shapes are Poisson sums.
        for x in [0.1_f64, 0.9, 2.5, 20.0] {
            assert!((cumulative(1.0, x) - (1.0 - (-x).exp())).abs() < 1e-14);
            let poisson = 1.0 - (-x).exp() * (1.0 + x + x * x / 2.0);
            assert!((cumulative(3.0, x) - poisson).abs() < 1e-14);
        }
        // The 95 % quantile of chi squared with one degree of freedom is 3.841458820694124.
        assert!((2.0 * quantile(0.5, 0.95) - 3.841_458_820_694_124).abs() < 1e-10);
        for shape in [0.3, 1.7, 12.0, 300.0] {
            for p in [0.05, 0.45, 0.95] {
                assert!((cumulative(shape, quantile(shape, p)) - p).abs() < 1e-10);
            }
        }
    }
}
