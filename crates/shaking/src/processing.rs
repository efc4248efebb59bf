//! What is done to accelerograms before they shake something.

use crate::{Baseline, RecordScale, Treatment};

use super::spectrum::pseudo_acceleration;
use super::{ExcitationError, RecordSeries, integrals};

/// Half the length of the filter for coarser steps, in steps of the result. Longer ones cut more sharply.
const FILTER_STEPS: f64 = 16.0;

/// Corner of that filter as a part of the highest frequency that the coarser steps can carry.
const FILTER_CORNER: f64 = 0.8;

/// Values that a series may have after resampling: a week at 1000 Hz.
const LONGEST: f64 = 6e8;

impl RecordSeries {
    /// The series tapered, then with its baseline corrected: a taper after it would leave the ground moving.
    pub fn treated(self, treatment: Treatment) -> Result<Self, ExcitationError> {
        self.tapered(treatment.taper).baselined(treatment.baseline)
    }

    /// The series without a polynomial of its acceleration, so that it ends at rest; see [`Baseline`].
    pub fn baselined(mut self, baseline: Baseline) -> Result<Self, ExcitationError> {
        let terms = match baseline {
            Baseline::None => return Ok(self),
            Baseline::Constant => 1,
            Baseline::Linear => 2,
            Baseline::Quadratic => 3,
        };
        let count = self.acceleration.len();
        if count <= terms {
            return Err(ExcitationError::TooShort {
                values: count,
                needed: terms + 1,
            });
        }
        // Powers of time as accelerations, and their velocities as this series would have them: then the correction
        // leaves exactly what is meant, not what it would be between the values.
        let power = |degree: usize| {
            let values = (0..count)
                .map(|k| {
                    let s = k as f64 / (count - 1) as f64;
                    // Not `powi`, whose last bit may differ between machines.
                    (0..degree).fold(1.0, |power, _| power * s)
                })
                .collect();
            Self {
                dt: self.dt,
                acceleration: values,
            }
        };
        let powers: Vec<Self> = (0..terms).map(power).collect();
        let velocities: Vec<Vec<f64>> = powers.iter().map(|power| integrals(power).0).collect();
        let target = integrals(&self).0;
        let coefficients = constrained_fit(&velocities, &target);
        for (power, coefficient) in powers.iter().zip(coefficients) {
            for (a, p) in self.acceleration.iter_mut().zip(&power.acceleration) {
                *a -= coefficient * p;
            }
        }
        self.check()?;
        Ok(self)
    }

    /// The series multiplied by half a cosine wave over this part of its duration at either end.
    pub fn tapered(mut self, part: f64) -> Self {
        let count = self.acceleration.len();
        let length = part.clamp(0.0, 0.5) * count.saturating_sub(1) as f64;
        if length <= 0.0 {
            return self;
        }
        for k in 0..count {
            let from_end = k.min(count - 1 - k) as f64;
            if from_end < length {
                let weight = 0.5 * (1.0 - (std::f64::consts::PI * from_end / length).cos());
                self.acceleration[k] *= weight;
            }
        }
        self
    }

    /// The series at another time step.
    ///
    /// Finer steps are values on the straight lines between the given ones; if the new step divides the old one, the
    /// motion is exactly the same. Coarser steps would let high frequencies appear as low ones, so these are filtered
    /// out first.
    pub fn resampled(&self, dt: f64) -> Result<Self, ExcitationError> {
        if !(dt > 0.0 && dt.is_finite()) {
            return Err(ExcitationError::TimeStep { dt });
        }
        if self.duration() / dt > LONGEST {
            return Err(ExcitationError::TooLong {
                values: self.duration() / dt,
            });
        }
        // A step that fits to rounding is one that fits.
        let last = (self.duration() / dt * (1.0 + 1e-12)).floor() as usize;
        let coarser = dt > self.dt * (1.0 + 1e-9);
        let values = (0..=last)
            .map(|k| {
                let at = k as f64 * dt / self.dt;
                if coarser {
                    self.filtered(at, dt / self.dt)
                } else {
                    self.between(at)
                }
            })
            .collect();
        Self::new(dt, values)
    }

    /// On the straight line between values; `at` counts steps.
    fn between(&self, at: f64) -> f64 {
        let last = self.acceleration.len() - 1;
        // Rounding must not move a value that is met.
        let at = if (at - at.round()).abs() < 1e-9 {
            at.round()
        } else {
            at
        };
        let before = (at.floor() as usize).min(last);
        let after = (before + 1).min(last);
        let part = at - before as f64;
        let (a, b) = (self.acceleration[before], self.acceleration[after]);
        a + (b - a) * part
    }

    /// Low-pass filtered by a windowed sinc; `at` counts steps, of which `ratio` make one of the result.
    fn filtered(&self, at: f64, ratio: f64) -> f64 {
        let reach = FILTER_STEPS * ratio;
        let first = (at - reach).ceil().max(0.0) as usize;
        let last = ((at + reach).floor() as usize).min(self.acceleration.len() - 1);
        let corner = FILTER_CORNER / ratio;
        let sum: f64 = (first..=last)
            .map(|k| {
                let x = k as f64 - at;
                let angle = std::f64::consts::PI * corner * x;
                let sinc = if angle.abs() < 1e-9 {
                    1.0
                } else {
                    angle.sin() / angle
                };
                let phase = std::f64::consts::PI * x / reach;
                let window = 0.42 + 0.5 * phase.cos() + 0.08 * (2.0 * phase).cos();
                self.acceleration[k] * corner * sinc * window
            })
            .sum();
        sum
    }

    /// Factor that brings the series to a scale.
    pub fn scale_factor(&self, scale: RecordScale) -> Result<f64, ExcitationError> {
        let (found, wanted) = match scale {
            RecordScale::Factor(factor) => return Ok(factor),
            RecordScale::Pga(pga) => (self.peak(), pga),
            RecordScale::Sa {
                period,
                damping,
                value,
            } => (pseudo_acceleration(self, period, damping), value),
        };
        if found == 0.0 {
            return Err(ExcitationError::NothingToScale { pga: wanted });
        }
        Ok(wanted / found)
    }
}

/// Two horizontal components along axes turned by an angle (rad) from the first towards the second.
///
/// The shorter one counts as zero after its end; both must have the same time step.
pub fn rotated(
    first: &RecordSeries,
    second: &RecordSeries,
    angle: f64,
) -> Result<[RecordSeries; 2], ExcitationError> {
    if (first.dt - second.dt).abs() > 1e-9 * first.dt {
        return Err(ExcitationError::DifferentSteps {
            first: first.dt,
            second: second.dt,
        });
    }
    let (sin, cos) = angle.sin_cos();
    let count = first.acceleration.len().max(second.acceleration.len());
    let value =
        |series: &RecordSeries, k: usize| series.acceleration.get(k).copied().unwrap_or(0.0);
    let turn = |c: f64, s: f64| {
        let values = (0..count)
            .map(|k| c * value(first, k) + s * value(second, k))
            .collect();
        RecordSeries::new(first.dt, values)
    };
    Ok([turn(cos, sin)?, turn(-sin, cos)?])
}

/// Coefficients of the combination of functions that is nearest to a target in the mean square and equals it at the end.
fn constrained_fit(functions: &[Vec<f64>], target: &[f64]) -> Vec<f64> {
    let n = functions.len();
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let end = |values: &[f64]| values.last().copied().unwrap_or(0.0);
    // Normal equations bordered by the condition at the end; the last unknown is its multiplier. Functions are scaled to
    // one at the end, where all of them, powers of time with positive values, are largest.
    let scales: Vec<f64> = functions.iter().map(|f| end(f)).collect();
    let count = target.len() as f64;
    let mut rows: Vec<Vec<f64>> = (0..n)
        .map(|i| {
            let mut row: Vec<f64> = (0..n)
                .map(|j| product(&functions[i], &functions[j]) / (scales[i] * scales[j] * count))
                .collect();
            row.push(1.0);
            row.push(product(&functions[i], target) / (scales[i] * count));
            row
        })
        .collect();
    let mut border = vec![1.0; n];
    border.push(0.0);
    border.push(end(target));
    rows.push(border);
    solve(&mut rows);
    (0..n).map(|i| rows[i][n + 1] / scales[i]).collect()
}

/// Gauss-Jordan elimination with row pivoting; the last column becomes the solution.
fn solve(rows: &mut [Vec<f64>]) {
    let n = rows.len();
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))
            .unwrap_or(column);
        rows.swap(column, pivot);
        let scale = rows[column][column];
        for value in &mut rows[column] {
            *value /= scale;
        }
        let row = rows[column].clone();
        for (index, other) in rows.iter_mut().enumerate() {
            let factor = other[column];
            if index != column && factor != 0.0 {
                for (value, source) in other.iter_mut().zip(&row) {
                    *value -= factor * source;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
