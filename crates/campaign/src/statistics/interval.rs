//! How sure a fragility curve is.

use super::fit::{Capacity, FitFault, Fragility, Likelihood, Stripe, fit_stripes, of_stripes};
use super::normal::quantile;
use drystone_shaking::Random;

/// Doublings of a search for the end of an interval: further than that is not told from never.
const DOUBLINGS: u32 = 40;

/// Purpose of random numbers: other than those of synthetic motions.
const BOOTSTRAP: u8 = 16;

/// An interval of confidence; open where the runs do not bound the parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// Intervals of both parameters.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Intervals {
    /// Of the median.
    pub theta: Interval,
    /// Of the dispersion.
    pub beta: Interval,
}

/// Intervals from repeated random runs of the fitted curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bootstrap {
    /// Percentiles over the repetitions that have a curve.
    pub intervals: Intervals,
    /// Repetitions.
    pub repetitions: u32,
    /// Those whose outcome had no curve, mostly because a threshold explained it.
    pub without_curve: u32,
}

impl Fragility {
    /// Intervals in which the likelihood, maximised over the other parameter, falls by no more than `level` (e.g. 0.95) allows
    /// (Wilks). `capacities` are those that the curve was fitted to.
    pub fn profile(&self, capacities: &[Capacity], level: f64) -> Result<Intervals, FitFault> {
        let likelihood = Likelihood::new(capacities)?;
        let deviations = quantile(0.5 + 0.5 * level);
        let least = self.log_likelihood - 0.5 * deviations * deviations;
        let (b, m) = (1.0 / self.beta, libm::log(self.theta));
        // Along `m` the slope adapts, along `b` the place.
        let over_theta = |m: f64| likelihood.over_slope(m, b) - least;
        let over_beta = |b: f64| likelihood.over_place(b, -b * m) - least;
        let [low, high] = [-1.0, 1.0].map(|side| {
            search(&|t| over_theta(m + side * self.beta * t))
                .map(|t| libm::exp(m + side * self.beta * t))
        });
        let theta = Interval { low, high };
        let [low, high] = [1.0, -1.0].map(|side| {
            search(&|t| over_beta(b * libm::exp(side * t)))
                .map(|t| self.beta * libm::exp(-side * t))
        });
        let beta = Interval { low, high };
        Ok(Intervals { theta, beta })
    }

    /// The same for runs in stripes.
    pub fn profile_of_stripes(
        &self,
        stripes: &[Stripe],
        level: f64,
    ) -> Result<Intervals, FitFault> {
        self.profile(&of_stripes(stripes)?, level)
    }

    /// Percentiles of curves fitted to as many random outcomes of this one at the intensities of the stripes.
    pub fn bootstrap(
        &self,
        stripes: &[Stripe],
        level: f64,
        repetitions: u32,
        seed: u32,
    ) -> Bootstrap {
        let mut random = Random::new(seed, BOOTSTRAP);
        let (mut thetas, mut betas) = (Vec::new(), Vec::new());
        for _ in 0..repetitions {
            let outcome: Vec<Stripe> = stripes
                .iter()
                .map(|stripe| {
                    let p = self.probability(stripe.intensity);
                    let runs = stripe.runs.round();
                    let collapses = (0..runs as u64).filter(|_| random.uniform() <= p).count();
                    Stripe {
                        intensity: stripe.intensity,
                        runs,
                        collapses: collapses as f64,
                    }
                })
                .collect();
            if let Ok(fit) = fit_stripes(&outcome) {
                thetas.push(fit.theta);
                betas.push(fit.beta);
            }
        }
        Bootstrap {
            intervals: Intervals {
                theta: percentiles(&mut thetas, level),
                beta: percentiles(&mut betas, level),
            },
            repetitions,
            without_curve: repetitions - thetas.len() as u32,
        }
    }
}

fn percentiles(values: &mut [f64], level: f64) -> Interval {
    values.sort_by(f64::total_cmp);
    let at = |p: f64| {
        let place = p * (values.len().checked_sub(1)?) as f64;
        let (low, share) = (place.floor() as usize, place.fract());
        let next = values[(low + 1).min(values.len() - 1)];
        Some(values[low] + share * (next - values[low]))
    };
    Interval {
        low: at(0.5 - 0.5 * level),
        high: at(0.5 + 0.5 * level),
    }
}

/// Where a function that starts above zero falls below it; none if it does not within many doublings.
fn search(above: &impl Fn(f64) -> f64) -> Option<f64> {
    let mut end = 0.1;
    let mut doublings = 0;
    while above(end) > 0.0 {
        end *= 2.0;
        doublings += 1;
        if doublings > DOUBLINGS || !end.is_finite() {
            return None;
        }
    }
    let mut range = [if doublings > 0 { 0.5 * end } else { 0.0 }, end];
    for _ in 0..60 {
        let middle = 0.5 * (range[0] + range[1]);
        range[usize::from(above(middle) <= 0.0)] = middle;
    }
    Some(0.5 * (range[0] + range[1]))
}

impl Likelihood {
    /// Largest value with the median `exp(m)`.
    fn over_slope(&self, m: f64, start: f64) -> f64 {
        // In the logarithm of `b`, which keeps it positive; the value is unimodal in it, if not concave.
        let rises = |t: f64| {
            let b = start * libm::exp(t);
            let at = self.at(-b * m, b);
            at.slope[1] - m * at.slope[0] > 0.0
        };
        let t = turning(&rises);
        let b = start * libm::exp(t);
        self.at(-b * m, b).value
    }

    /// Largest value with the dispersion `1 / b`.
    fn over_place(&self, b: f64, start: f64) -> f64 {
        let a = start + turning(&|t: f64| self.at(start + t, b).slope[0] > 0.0);
        self.at(a, b).value
    }
}

/// Where a function whose sense is given turns from rising to falling, by bisection.
fn turning(rises: &impl Fn(f64) -> bool) -> f64 {
    let up = rises(0.0);
    let side = if up { 1.0 } else { -1.0 };
    let mut reach = 0.25;
    while rises(side * reach) == up && reach < 700.0 {
        reach *= 2.0;
    }
    let mut range = [0.0, reach];
    for _ in 0..60 {
        let middle = 0.5 * (range[0] + range[1]);
        range[usize::from(rises(side * middle) != up)] = middle;
    }
    side * 0.5 * (range[0] + range[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baker() -> Vec<Stripe> {
        let counts = [0.0, 0.0, 0.0, 4.0, 6.0, 13.0, 12.0, 16.0];
        let intensities = [0.2, 0.3, 0.4, 0.6, 0.7, 0.8, 0.9, 1.0];
        let stripe = |(collapses, intensity)| Stripe {
            intensity,
            runs: 40.0,
            collapses,
        };
        counts.into_iter().zip(intensities).map(stripe).collect()
    }

    /// Against another program's search (scipy's, to 1e-10) on the same likelihood.
    #[test]
    fn profile_of_bakers_example() {
        let stripes = baker();
        let fit = fit_stripes(&stripes).unwrap();
        let found = fit.profile_of_stripes(&stripes, 0.95).unwrap();
        for (value, known) in [
            (found.theta.low, 0.964_245_965),
            (found.theta.high, 1.306_990_586),
            (found.beta.low, 0.301_758_255),
            (found.beta.high, 0.650_025_364),
        ] {
            assert!((value.unwrap() - known).abs() < 1e-7, "{found:?}");
        }
    }

    /// With little data and a slope that might as well be none, nothing bounds the median from above.
    #[test]
    fn an_interval_may_be_open() {
        let stripes: Vec<_> = [(0.5, 1.0), (1.0, 2.0), (1.5, 2.0)]
            .map(|(intensity, collapses)| Stripe {
                intensity,
                runs: 6.0,
                collapses,
            })
            .into();
        let fit = fit_stripes(&stripes).unwrap();
        let found = fit.profile_of_stripes(&stripes, 0.95).unwrap();
        assert_eq!((found.theta.high, found.beta.high), (None, None));
        assert!(found.beta.low.unwrap() < fit.beta);
    }

    /// Both ways to an interval agree where there is much data; the same seed gives the same numbers.
    #[test]
    fn bootstrap_agrees_with_the_profile() {
        let mut stripes = baker();
        for stripe in &mut stripes {
            (stripe.runs, stripe.collapses) = (400.0, 10.0 * stripe.collapses);
        }
        let fit = fit_stripes(&stripes).unwrap();
        let profile = fit.profile_of_stripes(&stripes, 0.95).unwrap();
        let random = fit.bootstrap(&stripes, 0.95, 400, 7);
        assert_eq!(random, fit.bootstrap(&stripes, 0.95, 400, 7));
        assert_eq!(random.without_curve, 0);
        // Four hundred repetitions place the percentiles to about a tenth of the width.
        for (a, b) in [
            (profile.theta, random.intervals.theta),
            (profile.beta, random.intervals.beta),
        ] {
            let ends = |i: Interval| (i.low.unwrap(), i.high.unwrap());
            let ((a, b), (c, d)) = (ends(a), ends(b));
            let width = b - a;
            assert!((a - c).abs() < 0.2 * width && (b - d).abs() < 0.2 * width);
        }
    }
}
