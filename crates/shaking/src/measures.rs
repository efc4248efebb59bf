//! What engineers ask of an accelerogram: peaks, energy, durations.
//!
//! All integrals are exact for acceleration that is linear between values, as everywhere here.

use drystone_keys::STANDARD_GRAVITY;
use serde::Serialize;

use super::RecordSeries;

/// Acceleration of the bracketed duration, m/s²: 5 % of gravity.
const BRACKET: f64 = 0.05 * STANDARD_GRAVITY;

/// Measures of one component.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measures {
    /// Largest absolute acceleration, m/s².
    pub pga: f64,
    /// Largest absolute velocity, m/s.
    pub pgv: f64,
    /// Largest absolute displacement up to the last value, m.
    pub pgd: f64,
    /// Velocity at the last value, m/s: zero for a motion that ends at rest.
    pub final_velocity: f64,
    /// Displacement at the last value, m.
    pub final_displacement: f64,
    /// Time of the last value, s.
    pub duration: f64,
    /// `pi / (2 g)` times the integral of the square of acceleration, m/s.
    pub arias: f64,
    /// Time from 5 % to 75 % of the Arias intensity, s.
    pub d5_75: f64,
    /// Time from 5 % to 95 % of the Arias intensity, s.
    pub d5_95: f64,
    /// Time of 45 % of the Arias intensity, s.
    pub mid_time: f64,
    /// Time between the first and the last exceedance of 0.05 g, s.
    pub bracketed: f64,
    /// Cumulative absolute velocity: integral of the absolute acceleration, m/s.
    pub cav: f64,
}

impl Measures {
    /// Measures an accelerogram of a ground that is at rest before it.
    pub fn of(series: &RecordSeries) -> Self {
        Self::from_velocity(series, 0.0)
    }

    /// Measures an accelerogram of a ground that begins with a velocity, m/s, as one that oscillates does.
    pub fn from_velocity(series: &RecordSeries, initial: f64) -> Self {
        let (velocity, displacement) = integrals_from(series, initial);
        let (pgv, pgd) = peaks(series, &velocity, &displacement);
        let energy = cumulative_energy(series);
        let total = energy.last().copied().unwrap_or(0.0);
        let when = |part: f64| time_of(part * total, &energy, series.dt);
        Self {
            pga: series.peak(),
            pgv,
            pgd,
            final_velocity: velocity.last().copied().unwrap_or(0.0),
            final_displacement: displacement.last().copied().unwrap_or(0.0),
            duration: series.duration(),
            arias: std::f64::consts::FRAC_PI_2 / STANDARD_GRAVITY * total,
            d5_75: when(0.75) - when(0.05),
            d5_95: when(0.95) - when(0.05),
            mid_time: when(0.45),
            bracketed: bracketed(series, BRACKET),
            cav: absolute_area(series),
        }
    }
}

/// Velocity (m/s) and displacement (m) of the ground at every value, from rest.
pub fn integrals(series: &RecordSeries) -> (Vec<f64>, Vec<f64>) {
    integrals_from(series, 0.0)
}

/// The same from an initial velocity, m/s.
pub fn integrals_from(series: &RecordSeries, initial: f64) -> (Vec<f64>, Vec<f64>) {
    let dt = series.dt;
    let (mut v, mut d) = (initial, 0.0);
    let mut velocity = vec![initial; series.acceleration.len()];
    let mut displacement = vec![0.0; series.acceleration.len()];
    for (k, pair) in series.acceleration.windows(2).enumerate() {
        d += dt * (v + dt * (pair[0] / 3.0 + pair[1] / 6.0));
        v += 0.5 * dt * (pair[0] + pair[1]);
        velocity[k + 1] = v;
        displacement[k + 1] = d;
    }
    (velocity, displacement)
}

/// Largest absolute velocity and displacement, also between values.
fn peaks(series: &RecordSeries, velocity: &[f64], displacement: &[f64]) -> (f64, f64) {
    let largest = |values: &[f64]| values.iter().fold(0.0, |peak: f64, v| peak.max(v.abs()));
    let (mut pgv, mut pgd) = (largest(velocity), largest(displacement));
    let dt = series.dt;
    for (k, pair) in series.acceleration.windows(2).enumerate() {
        let (a, slope) = (pair[0], (pair[1] - pair[0]) / dt);
        let (v, d) = (velocity[k], displacement[k]);
        let inside = |t: f64| (t > 0.0 && t < dt).then_some(t);
        // Velocity is extreme where acceleration vanishes, displacement where velocity does.
        if let Some(t) = inside(-a / slope) {
            pgv = pgv.max((v + t * (a + 0.5 * slope * t)).abs());
        }
        let q = -(a + (a * a - 2.0 * slope * v).sqrt().copysign(a));
        for t in [q / slope, 2.0 * v / q] {
            if let Some(t) = inside(t) {
                pgd = pgd.max((d + t * (v + t * (a / 2.0 + slope * t / 6.0))).abs());
            }
        }
    }
    (pgv, pgd)
}

/// Integral of the square of acceleration up to every value, m²/s³.
fn cumulative_energy(series: &RecordSeries) -> Vec<f64> {
    let mut sum = 0.0;
    let mut energy = vec![0.0; series.acceleration.len()];
    for (k, pair) in series.acceleration.windows(2).enumerate() {
        sum += series.dt / 3.0 * (pair[0] * pair[0] + pair[0] * pair[1] + pair[1] * pair[1]);
        energy[k + 1] = sum;
    }
    energy
}

/// Time at which a growing quantity reaches a level, s; linear between values.
fn time_of(level: f64, values: &[f64], dt: f64) -> f64 {
    let after = values.partition_point(|value| *value < level);
    let Some(before) = after.checked_sub(1) else {
        return 0.0;
    };
    match values.get(after) {
        Some(next) => dt * (before as f64 + (level - values[before]) / (next - values[before])),
        None => dt * before as f64,
    }
}

/// Time between the first and the last exceedance of a level of acceleration, s.
fn bracketed(series: &RecordSeries, level: f64) -> f64 {
    let exceeds = |a: &f64| a.abs() > level;
    let values = &series.acceleration;
    let (Some(first), Some(last)) = (
        values.iter().position(exceeds),
        values.iter().rposition(exceeds),
    ) else {
        return 0.0;
    };
    // From a value beyond the level to its neighbour below it, the acceleration crosses the level of its own sign.
    let crossing = |beyond: f64, below: f64| {
        let level = level.copysign(beyond);
        (beyond - level) / (beyond - below)
    };
    let before = match first.checked_sub(1) {
        Some(k) => crossing(values[first], values[k]),
        None => 0.0,
    };
    let after = values
        .get(last + 1)
        .map_or(0.0, |next| crossing(values[last], *next));
    series.dt * ((last - first) as f64 + before + after)
}

/// Integral of the absolute acceleration, m/s.
fn absolute_area(series: &RecordSeries) -> f64 {
    let area = |pair: &[f64]| {
        let (a, b) = (pair[0], pair[1]);
        if a * b < 0.0 {
            0.5 * (a * a + b * b) / (a.abs() + b.abs())
        } else {
            0.5 * (a + b).abs()
        }
    };
    series.dt * series.acceleration.windows(2).map(area).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::{PI, TAU};

    fn sampled(dt: f64, count: usize, a: impl Fn(f64) -> f64) -> RecordSeries {
        RecordSeries::new(dt, (0..=count).map(|k| a(k as f64 * dt)).collect()).unwrap()
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} {expected}");
    }

    /// Piecewise linear values of a sine are off by (omega dt)²/12 = 3e-6 at most; ten times that is allowed.
    #[test]
    fn a_sine_has_the_measures_of_the_textbook() {
        let (amplitude, frequency) = (2.0, 1.0);
        let omega = TAU * frequency;
        let series = sampled(0.001, 4000, |t| amplitude * (omega * t).sin());
        let m = Measures::of(&series);
        let tolerance = 3e-5;
        close(m.pga, amplitude, tolerance);
        // From rest the velocity is amplitude/omega (1 - cos), the displacement grows by that mean.
        close(m.pgv, 2.0 * amplitude / omega, tolerance);
        close(m.pgd, amplitude / omega * 4.0, tolerance);
        close(m.final_velocity, 0.0, tolerance);
        let energy = amplitude * amplitude / 2.0 * 4.0;
        close(m.arias, PI / (2.0 * STANDARD_GRAVITY) * energy, tolerance);
        close(m.cav, amplitude * 2.0 / PI * 4.0, tolerance);
        // t - sin(2 omega t)/(2 omega) is 5, 45, 75, 95 % of 4 s at these times.
        let [early, middle, late] = [0.224_88, 1.775_12, 3.775_12];
        let tolerance = 1e-3;
        close(m.d5_95, late - early, tolerance);
        close(m.d5_75, 3.0 - early, tolerance);
        close(m.mid_time, middle, tolerance);
        let first = (BRACKET / amplitude).asin() / omega;
        close(m.bracketed, 4.0 - 2.0 * first, 1e-4);
    }

    #[test]
    fn extremes_between_values_count() {
        // Acceleration 1 - t: velocity peaks at 1 s with 0.5, between the only two values.
        let m = Measures::of(&RecordSeries::new(2.0, vec![1.0, -1.0]).unwrap());
        assert_eq!((m.pgv, m.final_velocity), (0.5, 0.0));
        close(m.pgd, 2.0 / 3.0, 1e-15);
        assert_eq!(m.cav, 1.0);
        // Acceleration 3 - 4 t for 2 s: the velocity vanishes at 1.5 s, where the displacement is largest.
        let m = Measures::of(&RecordSeries::new(2.0, vec![3.0, -5.0]).unwrap());
        close(m.pgd, 1.125, 1e-15);
    }

    #[test]
    fn nothing_measures_as_nothing() {
        for values in [vec![0.0], vec![0.0; 5]] {
            let m = Measures::of(&RecordSeries::new(0.1, values).unwrap());
            assert_eq!(
                (m.pga, m.pgv, m.pgd, m.arias, m.d5_95, m.cav, m.bracketed),
                (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
            );
        }
    }
}
