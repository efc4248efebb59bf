//! Cloud analysis: a power law between intensity and demand.

use super::normal::cdf;

/// `ln demand = intercept + slope ln intensity`, with a standard deviation about it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cloud {
    /// Logarithm of the demand at intensity one.
    pub intercept: f64,
    /// Power.
    pub slope: f64,
    /// Of the logarithm of the demand, from the residuals with two parameters taken off.
    pub deviation: f64,
}

impl Cloud {
    /// Probability that the demand exceeds a threshold.
    pub fn probability(&self, intensity: f64, threshold: f64) -> f64 {
        let expected = self.intercept + self.slope * libm::log(intensity);
        cdf((expected - libm::log(threshold)) / self.deviation)
    }

    /// Median intensity and dispersion of the curve of a threshold; none if the demand does not grow with the intensity.
    pub fn curve(&self, threshold: f64) -> Option<[f64; 2]> {
        let median = libm::exp((libm::log(threshold) - self.intercept) / self.slope);
        (self.slope > 0.0).then_some([median, self.deviation / self.slope])
    }
}

/// Least squares through pairs of intensity and demand, both positive. None if there are fewer than three, if one is not
/// positive, or if all have the same intensity.
pub fn cloud(pairs: &[[f64; 2]]) -> Option<Cloud> {
    let positive = |x: f64| x > 0.0 && x.is_finite();
    if pairs.len() < 3 || !pairs.iter().flatten().all(|&x| positive(x)) {
        return None;
    }
    let logs: Vec<[f64; 2]> = pairs.iter().map(|p| p.map(libm::log)).collect();
    let count = logs.len() as f64;
    let mean = [0, 1].map(|k| logs.iter().map(|p| p[k]).sum::<f64>() / count);
    let (mut square, mut product) = (0.0, 0.0);
    for [x, y] in &logs {
        square += (x - mean[0]).powi(2);
        product += (x - mean[0]) * (y - mean[1]);
    }
    if square <= 1e-20 * count {
        return None;
    }
    let slope = product / square;
    let intercept = mean[1] - slope * mean[0];
    let rest: f64 = logs
        .iter()
        .map(|[x, y]| (y - intercept - slope * x).powi(2))
        .sum();
    Some(Cloud {
        intercept,
        slope,
        deviation: (rest / (count - 2.0)).sqrt(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Points a known way off a power law, balanced so that the line stays.
    #[test]
    fn a_power_law_is_found() {
        let pairs: Vec<[f64; 2]> = [(0.5, 0.1), (0.5, -0.1), (2.0, 0.1), (2.0, -0.1)]
            .map(|(x, off): (f64, f64)| [x, 3.0 * x.powf(1.5) * off.exp()])
            .into();
        let found = cloud(&pairs).unwrap();
        assert!((found.intercept - 3f64.ln()).abs() < 1e-12 && (found.slope - 1.5).abs() < 1e-12);
        assert!((found.deviation - 0.04f64.sqrt() / 2f64.sqrt()).abs() < 1e-12);
        let [median, spread] = found.curve(3.0).unwrap();
        assert!((median - 1.0).abs() < 1e-12 && (spread - found.deviation / 1.5).abs() < 1e-12);
        assert!((found.probability(median, 3.0) - 0.5).abs() < 1e-12);
    }

    #[test]
    fn too_little_is_refused() {
        assert!(cloud(&[[1.0, 1.0], [2.0, 2.0]]).is_none());
        assert!(cloud(&[[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]]).is_none());
        assert!(cloud(&[[1.0, 1.0], [2.0, 0.0], [1.0, 3.0]]).is_none());
    }
}
