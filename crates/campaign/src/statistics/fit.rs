//! Fragility curves by maximum likelihood.
//!
//! Whatever the method of analysis, a run says between which intensities the capacity of the structure lies: a collapse at
//! `x` that it is at most `x`, a survival that it is more, a series of rising intensities that it lies between two of them.
//! The logarithm of the capacity is taken to be normal, so that `P(collapse | x) = Phi(ln(x / theta) / beta)`. In the form
//! `Phi(a + b ln x)` the likelihood of such observations is concave, and Newton's method finds its only maximum.

use super::normal::{cdf, log_density, log_mass};

/// Runs at one intensity (multiple-stripe analysis; with one run each, cloud analysis of collapses).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stripe {
    /// Any positive measure.
    pub intensity: f64,
    /// Number of runs. Not necessarily whole, so that probabilities can be fitted as well.
    pub runs: f64,
    /// How many of them collapsed.
    pub collapses: f64,
}

/// What is known about the capacity of a structure under one motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Capacity {
    /// Largest intensity that it withstood; zero if none was tried.
    pub withstood: f64,
    /// Smallest intensity at which it collapsed; infinite if it never did.
    pub collapsed: f64,
    /// How often this was seen.
    pub weight: f64,
}

/// Why there is no curve.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum FitFault {
    /// A number is not what it should be.
    #[error("{0}")]
    Input(String),
    /// Nothing has collapsed, or everything has.
    #[error("{0} of the runs collapsed: a curve needs collapses and survivals; {1}")]
    OneSided(&'static str, &'static str),
    /// A threshold explains everything: the likelihood has no maximum, `beta` tends to zero.
    #[error(
        "no collapse is below {high:.6} and nothing stood above {low:.6}: the runs are separated by a threshold, so that beta is undetermined; add intensities near it, or more motions"
    )]
    Separable {
        /// Largest intensity withstood.
        low: f64,
        /// Smallest intensity with a collapse.
        high: f64,
    },
    /// Collapse does not become likelier with the intensity.
    #[error(
        "collapse does not become likelier with the intensity (slope {0:.3}): the intensity measure does not rank the motions"
    )]
    Falling(f64),
}

/// A lognormal fragility curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fragility {
    /// Median: the intensity with probability one half.
    pub theta: f64,
    /// Dispersion: standard deviation of the logarithm.
    pub beta: f64,
    /// At the maximum, without the binomial constants.
    pub log_likelihood: f64,
    /// Of `a` and `b` in `Phi(a + b ln x)`: `aa, ab, bb`, from the curvature of the likelihood.
    pub covariance: [f64; 3],
}

impl Fragility {
    /// Probability of collapse.
    pub fn probability(&self, intensity: f64) -> f64 {
        cdf(libm::log(intensity / self.theta) / self.beta)
    }

    /// Band of probability at one intensity, `deviations` standard deviations of the fit to either side.
    pub fn band(&self, intensity: f64, deviations: f64) -> [f64; 2] {
        let x = libm::log(intensity);
        let [aa, ab, bb] = self.covariance;
        let spread = deviations * (aa + 2.0 * ab * x + bb * x * x).max(0.0).sqrt();
        let centre = libm::log(intensity / self.theta) / self.beta;
        [cdf(centre - spread), cdf(centre + spread)]
    }
}

/// Fits a curve to runs in stripes.
pub fn fit_stripes(stripes: &[Stripe]) -> Result<Fragility, FitFault> {
    fit_capacities(&of_stripes(stripes)?)
}

/// Each stripe as two observations of the capacity.
pub(super) fn of_stripes(stripes: &[Stripe]) -> Result<Vec<Capacity>, FitFault> {
    let mut capacities = Vec::with_capacity(2 * stripes.len());
    for stripe in stripes {
        let Stripe {
            intensity,
            runs,
            collapses,
        } = *stripe;
        if !(collapses >= 0.0 && collapses <= runs && runs.is_finite()) {
            return Err(FitFault::Input(format!(
                "{collapses} of {runs} runs at the intensity {intensity}: there must be between none and all"
            )));
        }
        capacities.push(Capacity {
            withstood: 0.0,
            collapsed: intensity,
            weight: collapses,
        });
        capacities.push(Capacity {
            withstood: intensity,
            collapsed: f64::INFINITY,
            weight: runs - collapses,
        });
    }
    Ok(capacities)
}

/// Fits a curve to what is known about capacities (incremental analysis: each motion says an interval).
pub fn fit_capacities(capacities: &[Capacity]) -> Result<Fragility, FitFault> {
    let likelihood = Likelihood::new(capacities)?;
    likelihood.check()?;
    let [a, b] = likelihood.maximum();
    if b <= 0.0 {
        return Err(FitFault::Falling(b));
    }
    let at = likelihood.at(a, b);
    let [aa, ab, bb] = at.curvature;
    let determinant = aa * bb - ab * ab;
    Ok(Fragility {
        theta: libm::exp(-a / b),
        beta: 1.0 / b,
        log_likelihood: at.value,
        covariance: [-bb / determinant, ab / determinant, -aa / determinant],
    })
}

/// The logarithm of the likelihood of `(a, b)`.
pub(super) struct Likelihood {
    /// Logarithms of the intensities between which the capacity lies, and the weight.
    seen: Vec<[f64; 3]>,
}

/// Its value, slope in `a` and `b`, and curvature `aa, ab, bb`.
pub(super) struct Derivatives {
    pub(super) value: f64,
    pub(super) slope: [f64; 2],
    pub(super) curvature: [f64; 3],
}

impl Likelihood {
    pub(super) fn new(capacities: &[Capacity]) -> Result<Self, FitFault> {
        let mut seen = Vec::with_capacity(capacities.len());
        for capacity in capacities {
            let Capacity {
                withstood,
                collapsed,
                weight,
            } = *capacity;
            let ordered = withstood >= 0.0 && withstood < collapsed;
            let told = withstood > 0.0 || collapsed.is_finite();
            if !ordered || !weight.is_finite() || weight < 0.0 {
                return Err(FitFault::Input(format!(
                    "a structure that withstood {withstood} and collapsed at {collapsed} ({weight} times): intensities must be positive, and the collapse above what was withstood"
                )));
            }
            if weight > 0.0 && told {
                seen.push([libm::log(withstood), libm::log(collapsed), weight]);
            }
        }
        Ok(Self { seen })
    }

    fn largest_withstood(&self) -> f64 {
        self.seen
            .iter()
            .map(|s| s[0])
            .fold(f64::NEG_INFINITY, f64::max)
    }

    fn smallest_collapse(&self) -> f64 {
        self.seen.iter().map(|s| s[1]).fold(f64::INFINITY, f64::min)
    }

    /// Whether the likelihood has a maximum.
    fn check(&self) -> Result<(), FitFault> {
        let (low, high) = (self.largest_withstood(), self.smallest_collapse());
        if high == f64::INFINITY {
            return Err(FitFault::OneSided("none", "try greater intensities"));
        }
        if low == f64::NEG_INFINITY {
            return Err(FitFault::OneSided("all", "try smaller intensities"));
        }
        if low <= high {
            return Err(FitFault::Separable {
                low: libm::exp(low),
                high: libm::exp(high),
            });
        }
        // Separated the wrong way round: the slope would fall without end.
        let one_ended = |s: &[f64; 3]| s[0] == f64::NEG_INFINITY || s[1] == f64::INFINITY;
        if self.seen.iter().all(one_ended) {
            let collapses = self.seen.iter().filter(|s| s[1].is_finite());
            let last_collapse = collapses.map(|s| s[1]).fold(f64::NEG_INFINITY, f64::max);
            let survivals = self.seen.iter().filter(|s| s[0].is_finite());
            let least_withstood = survivals.map(|s| s[0]).fold(f64::INFINITY, f64::min);
            if last_collapse <= least_withstood {
                return Err(FitFault::Falling(f64::NEG_INFINITY));
            }
        }
        Ok(())
    }

    pub(super) fn at(&self, a: f64, b: f64) -> Derivatives {
        let mut all = Derivatives {
            value: 0.0,
            slope: [0.0; 2],
            curvature: [0.0; 3],
        };
        for &[low, high, weight] in &self.seen {
            let eta = |x: f64| if x.is_finite() { a + b * x } else { x };
            // A negative slope turns the ends round.
            let (at_low, at_high) = (eta(low), eta(high));
            let mass = if at_low < at_high {
                log_mass(at_low, at_high)
            } else {
                // No probability at all: as good as impossible, but finite, so that a search can leave it.
                -1e300
            };
            let density = |x: f64, eta: f64| {
                if x.is_finite() {
                    libm::exp(log_density(eta) - mass)
                } else {
                    0.0
                }
            };
            let (p, q) = (density(high, at_high), density(low, at_low));
            // Infinite ends have no density; zero stands for them so that no product is undefined.
            let finite = |x: f64| if x.is_finite() { x } else { 0.0 };
            let (x, y, u, v) = (finite(high), finite(low), finite(at_high), finite(at_low));
            let (slope_a, slope_b) = (p - q, x * p - y * q);
            all.value += weight * mass;
            all.slope[0] += weight * slope_a;
            all.slope[1] += weight * slope_b;
            all.curvature[0] += weight * (-u * p + v * q - slope_a * slope_a);
            all.curvature[1] += weight * (-u * x * p + v * y * q - slope_a * slope_b);
            all.curvature[2] += weight * (-u * x * x * p + v * y * y * q - slope_b * slope_b);
        }
        all
    }

    /// Newton's method with shortened steps: the likelihood is concave.
    fn maximum(&self) -> [f64; 2] {
        let ends = || self.seen.iter().flat_map(|s| [s[0], s[1]]);
        let finite: Vec<f64> = ends().filter(|x| x.is_finite()).collect();
        let centre = finite.iter().sum::<f64>() / finite.len() as f64;
        let spread = finite.iter().map(|x| (x - centre).powi(2)).sum::<f64>() / finite.len() as f64;
        let b = 1.0 / spread.sqrt().max(1e-3);
        let mut point = [-b * centre, b];
        let mut here = self.at(point[0], point[1]);
        for _ in 0..200 {
            let [aa, ab, bb] = here.curvature;
            let determinant = aa * bb - ab * ab;
            let [f, g] = here.slope;
            let step = [
                -(bb * f - ab * g) / determinant,
                -(aa * g - ab * f) / determinant,
            ];
            let mut share = 1.0;
            let mut moved = false;
            for _ in 0..60 {
                let trial = [point[0] + share * step[0], point[1] + share * step[1]];
                let there = self.at(trial[0], trial[1]);
                if there.value >= here.value {
                    moved = there.value > here.value;
                    (point, here) = (trial, there);
                    break;
                }
                share *= 0.5;
            }
            // At the maximum rounding decides; one full step has squared the error before.
            let small = step[0].abs() <= 1e-14 * point[0].abs() + 1e-14
                && step[1].abs() <= 1e-14 * point[1].abs();
            if !moved || small {
                break;
            }
        }
        point
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripes(data: &[(f64, f64, f64)]) -> Vec<Stripe> {
        let stripe = |&(intensity, runs, collapses): &(f64, f64, f64)| Stripe {
            intensity,
            runs,
            collapses,
        };
        data.iter().map(stripe).collect()
    }

    /// Probabilities that lie on a curve give that curve back.
    #[test]
    fn exact_data_give_their_curve() {
        for (theta, beta) in [(1.0, 1.0), (0.37, 0.42), (12.0, 0.15)] {
            let at = |t: f64| {
                let x = theta * libm::exp(beta * t);
                (x, 50.0, 50.0 * cdf(t))
            };
            let data: Vec<_> = [-1.5, -0.4, 0.1, 0.9, 2.0].map(at).into();
            let fit = fit_stripes(&stripes(&data)).unwrap();
            assert!((fit.theta / theta - 1.0).abs() < 1e-9, "{fit:?}");
            assert!((fit.beta / beta - 1.0).abs() < 1e-9, "{fit:?}");
        }
    }

    /// The example that accompanies Baker (2015), Earthquake Spectra 31(1), 579-599: forty motions at eight intensities. The
    /// maximum was computed with thirty digits by another program (mpmath).
    #[test]
    fn bakers_example() {
        let data = [
            (0.2, 40.0, 0.0),
            (0.3, 40.0, 0.0),
            (0.4, 40.0, 0.0),
            (0.6, 40.0, 4.0),
            (0.7, 40.0, 6.0),
            (0.8, 40.0, 13.0),
            (0.9, 40.0, 12.0),
            (1.0, 40.0, 16.0),
        ];
        let fit = fit_stripes(&stripes(&data)).unwrap();
        assert!(
            (fit.theta - 1.076_115_794_292_683_3).abs() < 1e-9,
            "{fit:?}"
        );
        assert!((fit.beta - 0.429_237_203_832_318_4).abs() < 1e-9, "{fit:?}");
        assert!((fit.log_likelihood + 107.899_826_492_067_7).abs() < 1e-9);
        // One run per observation is the same likelihood: cloud analysis of collapses.
        let mut single = Vec::new();
        for (x, n, k) in data {
            for run in 0..n as usize {
                single.push((x, 1.0, f64::from(u8::from(run < k as usize))));
            }
        }
        let cloud = fit_stripes(&stripes(&single)).unwrap();
        assert!((cloud.theta - fit.theta).abs() < 1e-9 && (cloud.beta - fit.beta).abs() < 1e-9);
    }

    /// Narrow intervals about known capacities: mean and deviation of their logarithms.
    #[test]
    fn capacities_in_intervals() {
        let logs = [-0.6, -0.1, 0.0, 0.3, 0.9];
        let capacities: Vec<_> = logs
            .iter()
            .map(|&x: &f64| Capacity {
                withstood: libm::exp(x - 1e-4),
                collapsed: libm::exp(x + 1e-4),
                weight: 1.0,
            })
            .collect();
        let fit = fit_capacities(&capacities).unwrap();
        let mean = logs.iter().sum::<f64>() / 5.0;
        let square = logs.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 5.0;
        // The width of an interval adds a third of its half width squared to the variance.
        assert!((libm::log(fit.theta) - mean).abs() < 1e-7, "{fit:?}");
        assert!((fit.beta - square.sqrt()).abs() < 1e-7, "{fit:?}");
    }

    #[test]
    fn what_has_no_curve_is_refused_with_its_reason() {
        let refuse = |data: &[(f64, f64, f64)]| fit_stripes(&stripes(data)).unwrap_err();
        let separable = refuse(&[(0.2, 5.0, 0.0), (0.4, 5.0, 0.0), (0.6, 5.0, 5.0)]);
        let (low, high) = match separable {
            FitFault::Separable { low, high } => (low, high),
            other => panic!("{other}"),
        };
        assert!((low - 0.4).abs() < 1e-12 && (high - 0.6).abs() < 1e-12);
        // Both at one intensity, everything else on its side: still no dispersion.
        let touching = refuse(&[(0.2, 5.0, 0.0), (0.4, 5.0, 2.0), (0.6, 5.0, 5.0)]);
        assert!(matches!(touching, FitFault::Separable { .. }));
        assert!(matches!(
            refuse(&[(1.0, 5.0, 0.0)]),
            FitFault::OneSided("none", _)
        ));
        assert!(matches!(
            refuse(&[(1.0, 5.0, 5.0)]),
            FitFault::OneSided("all", _)
        ));
        assert!(matches!(refuse(&[]), FitFault::OneSided(..)));
        let falling = refuse(&[(0.2, 9.0, 5.0), (0.4, 9.0, 4.0), (0.6, 9.0, 2.0)]);
        assert!(matches!(falling, FitFault::Falling(slope) if slope < 0.0));
        let backwards = refuse(&[(0.2, 9.0, 9.0), (0.4, 9.0, 0.0)]);
        assert!(matches!(backwards, FitFault::Falling(_)));
        for bad in [
            (1.0, 5.0, 6.0),
            (1.0, 5.0, -1.0),
            (-1.0, 5.0, 2.0),
            (f64::NAN, 5.0, 2.0),
        ] {
            assert!(matches!(refuse(&[bad]), FitFault::Input(_)), "{bad:?}");
        }
    }
}
