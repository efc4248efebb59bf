//! The capacity of a mechanism as that of an equivalent oscillator (Circolare 2019, C8.7.1.2; PGCL section 7).

use std::f64::consts::PI;

use drystone_model::{Displacements, GivenCapacity};

/// A pushover curve with what its displaced shape says of the masses that take part.
#[derive(Debug, Clone, PartialEq)]
pub struct CapacityCurve {
    /// Load multiplier and displacement of the control point, m, in the order of the analysis.
    pub points: Vec<(f64, f64)>,
    /// Weight per block, N.
    pub weights: Vec<f64>,
    /// Displacement per block along the load, m, in one state of the mechanism.
    pub shape: Vec<f64>,
    /// Displacement of the control point in that state, m.
    pub control: f64,
}

/// A block that moves by less than this of the largest displacement is at rest: so much blocks may drift within the tolerance of the limit
/// problems. Weights at rest would raise the capacity.
const MOVES: f64 = 1e-3;

/// Why a curve has no equivalent oscillator.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CapacityFault {
    /// Nothing moves, or all that moves cancels out.
    #[error(
        "the displaced shape moves no weight along the load, so that there is no equivalent oscillator"
    )]
    NoShape,
    /// The control point goes another way than the mechanism.
    #[error("the control point moves against the mechanism; choose one that moves with it")]
    Against,
}

impl CapacityCurve {
    /// Participating fraction of the mass, `e* = (sum P d)² / (sum P sum P d²)`, and the factor `Gamma* = sum P d² / (d_C sum P d)` by which displacements of
    /// the control point become those of the oscillator; none if that point stands still.
    pub fn factors(&self) -> Result<(f64, Option<f64>), CapacityFault> {
        let all = || self.weights.iter().zip(&self.shape);
        // What stays at rest belongs to the ground, not to the mechanism.
        let largest = self.shape.iter().fold(0.0, |m: f64, d| m.max(d.abs()));
        let moving = || all().filter(|(_, d)| d.abs() > MOVES * largest);
        let weight: f64 = moving().map(|(p, _)| p).sum();
        let first: f64 = moving().map(|(p, d)| p * d).sum();
        let second: f64 = moving().map(|(p, d)| p * d * d).sum();
        if !(first.abs() > 0.0 && second > 0.0 && weight > 0.0) {
            return Err(CapacityFault::NoShape);
        }
        let gamma = second / (self.control * first);
        let moves = self.control.abs() > MOVES * largest;
        if moves && gamma < 0.0 {
            return Err(CapacityFault::Against);
        }
        Ok((first * first / (weight * second), moves.then_some(gamma)))
    }

    /// The capacity with the values that the curve was read for: onset and peak of the multiplier, displacements there and, if the curve
    /// came so far, at zero and at its end, m.
    pub fn capacity(
        &self,
        alpha_0: f64,
        (alpha_y, d_y): (f64, f64),
        [d_0, d_ultimate]: [Option<f64>; 2],
    ) -> Result<GivenCapacity, CapacityFault> {
        let (participation, gamma) = self.factors()?;
        Ok(GivenCapacity {
            alpha_0,
            participation,
            displacements: gamma.map(|gamma| Displacements {
                alpha_y,
                d_y,
                d_0,
                d_ultimate,
                gamma,
                curve: self.points.iter().map(|&(alpha, d)| [d, alpha]).collect(),
                period_life_safety: None,
            }),
        })
    }
}

/// The equivalent oscillator.
#[derive(Debug, Clone, PartialEq)]
pub struct Oscillator {
    /// Acceleration at which the mechanism begins, `a_0*`, m/s².
    pub onset: f64,
    /// Where the elastic branch meets the falling one, if there is one.
    pub peak: Option<Peak>,
    /// What is left of the capacity at life safety, if its end is known.
    pub life: Option<Life>,
    /// The capacity curve, displacement (m) and acceleration (m/s²), rising displacements.
    pub curve: Vec<[f64; 2]>,
}

/// Where the elastic branch meets the falling one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Peak {
    /// `a_y*`, m/s².
    pub acceleration: f64,
    /// `d_y*`, m.
    pub displacement: f64,
    /// `T_0 = 2 pi sqrt(d_y* / a_y*)`, s.
    pub period: f64,
}

/// The state up to which lives are safe.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Life {
    /// Displacement at which the capacity is used up, m: `d_0*`, or `d_u*` where the curve ends before its multiplier is zero.
    pub last_displacement: f64,
    /// `d_LSLS*`, 0.4 of that, m.
    pub displacement: f64,
    /// `a*` there, m/s².
    pub acceleration: f64,
    /// `T_LSLS = 1.68 pi sqrt(d_LSLS* / a*)`, s.
    pub period: f64,
}

impl Oscillator {
    /// From a capacity, gravity (m/s²) and the confidence factor: `a* = alpha g / (e* CF)`, `d* = Gamma* d`.
    pub fn new(capacity: &GivenCapacity, gravity: f64, confidence: f64) -> Self {
        let unit = gravity / (capacity.participation * confidence);
        let mut oscillator = Self {
            onset: unit * capacity.alpha_0,
            peak: None,
            life: None,
            curve: Vec::new(),
        };
        if let Some(known) = &capacity.displacements {
            oscillator.curve = curve(known, unit);
            let peak = Peak::new(unit * known.alpha_y, known.gamma * known.d_y);
            oscillator.peak = Some(peak).filter(|peak| peak.displacement > 0.0);
            oscillator.life = known.last().map(|last| {
                Life::new(
                    known.gamma * last,
                    &oscillator.curve,
                    known.period_life_safety,
                )
            });
        }
        oscillator
    }
}

/// The curve that is known, or straight lines through what is known of it.
fn curve(known: &Displacements, unit: f64) -> Vec<[f64; 2]> {
    let scaled = |[d, alpha]: [f64; 2]| [known.gamma * d, unit * alpha];
    let mut curve: Vec<[f64; 2]> = if known.curve.is_empty() {
        let end = known.d_0.map(|d_0| [d_0, 0.0]);
        let lines = [[0.0, 0.0], [known.d_y, known.alpha_y]];
        lines.into_iter().chain(end).map(scaled).collect()
    } else {
        known.curve.iter().copied().map(scaled).collect()
    };
    curve.sort_by(|a, b| a[0].total_cmp(&b[0]));
    curve
}

/// `sqrt(d / a)`; what bears nothing is infinitely slow.
fn slowness(d: f64, a: f64) -> f64 {
    if a > 0.0 {
        (d / a).sqrt()
    } else {
        f64::INFINITY
    }
}

impl Peak {
    fn new(acceleration: f64, displacement: f64) -> Self {
        Self {
            acceleration,
            displacement,
            period: 2.0 * PI * slowness(displacement, acceleration),
        }
    }
}

impl Life {
    fn new(last_displacement: f64, curve: &[[f64; 2]], period: Option<f64>) -> Self {
        let displacement = 0.4 * last_displacement;
        let (period, acceleration) = match period {
            // The acceleration that belongs to the period that is given.
            Some(period) => {
                let ratio = period / (1.68 * PI);
                (period, displacement / (ratio * ratio))
            }
            None => {
                let a = interpolate(curve, displacement);
                (1.68 * PI * slowness(displacement, a), a)
            }
        };
        Self {
            last_displacement,
            displacement,
            acceleration,
            period,
        }
    }
}

/// The value of a curve between its points; beyond its end that of the end.
fn interpolate(curve: &[[f64; 2]], at: f64) -> f64 {
    let next = curve.partition_point(|point| point[0] < at);
    match (
        next.checked_sub(1).and_then(|k| curve.get(k)),
        curve.get(next),
    ) {
        (Some(a), Some(b)) if b[0] > a[0] => a[1] + (at - a[0]) / (b[0] - a[0]) * (b[1] - a[1]),
        (_, Some(point)) | (Some(point), None) => point[1],
        (None, None) => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block of height h that turns about its base: displacements of its halves at 1/4 and 3/4 of h, control at the top.
    /// By hand: e* = (1/4 + 3/4)² / (2 (1/16 + 9/16)) = 0.8, Gamma* = (10/16)/1 = 0.625. A block below at rest changes neither.
    #[test]
    fn factors_by_hand() {
        let curve = CapacityCurve {
            points: vec![(0.1, 0.0), (0.0, 1.0)],
            weights: vec![7.0, 7.0, 500.0],
            shape: vec![0.25, 0.75, 0.0],
            control: 1.0,
        };
        let (participation, gamma) = curve.factors().unwrap();
        assert!((participation - 0.8).abs() < 1e-15 && (gamma.unwrap() - 0.625).abs() < 1e-15);
        let still = CapacityCurve {
            shape: vec![0.0; 3],
            ..curve.clone()
        };
        assert_eq!(still.factors(), Err(CapacityFault::NoShape));
        // What drifts by rounding stands still: forces are known all the same.
        let control = CapacityCurve {
            control: -1e-11,
            ..curve.clone()
        };
        assert_eq!(control.factors(), Ok((participation, None)));
        let back = CapacityCurve {
            control: -1.0,
            ..curve
        };
        assert_eq!(back.factors(), Err(CapacityFault::Against));
    }

    #[test]
    fn the_curve_is_read_between_its_points() {
        let curve = [[0.0, 2.0], [1.0, 1.0], [3.0, 0.0]];
        let found = [0.0, 0.5, 1.0, 2.0, 3.0, 9.0].map(|at| interpolate(&curve, at));
        assert_eq!(found, [2.0, 1.5, 1.0, 0.5, 0.0, 0.0]);
        assert_eq!(interpolate(&[], 1.0), 0.0);
    }
}
