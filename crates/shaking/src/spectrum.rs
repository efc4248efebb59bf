//! Response spectra: the largest answers of damped oscillators to a ground motion.
//!
//! The equation of motion `u'' + 2 zeta omega u' + omega² u = -a` is solved exactly from value to value, since the
//! acceleration `a` is linear in between (Nigam & Jennings 1969).

use serde::Serialize;
use std::f64::consts::TAU;

use super::RecordSeries;

/// Steps per period between which peaks are looked for; the cubic between two of them misses at most 2e-4 of a peak.
const STEPS_PER_PERIOD: f64 = 12.0;

/// The largest answers of one oscillator.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Response {
    /// Of the undamped oscillator, s.
    pub period: f64,
    /// Largest absolute acceleration of the mass, m/s².
    pub sa: f64,
    /// Pseudo-acceleration, `omega² sd`, m/s².
    pub psa: f64,
    /// Largest velocity relative to the ground, m/s.
    pub sv: f64,
    /// Largest displacement relative to the ground, m.
    pub sd: f64,
}

/// The answers of an oscillator with this period (s) and damping (part of the critical one, below 1).
///
/// A period of zero moves with the ground. The oscillator is followed for one period after the last value, when the
/// ground accelerates no more.
pub fn response(series: &RecordSeries, period: f64, damping: f64) -> Response {
    answers::<true>(series, period, damping)
}

/// Pseudo-acceleration only, m/s²: half the work, for those who ask a thousand times.
pub fn pseudo_acceleration(series: &RecordSeries, period: f64, damping: f64) -> f64 {
    answers::<false>(series, period, damping).psa
}

/// The largest answers; without `ALL` only those of displacement.
fn answers<const ALL: bool>(series: &RecordSeries, period: f64, damping: f64) -> Response {
    let a = &series.acceleration;
    if period <= 0.0 {
        let pga = series.peak();
        return Response {
            period: 0.0,
            sa: pga,
            psa: pga,
            sv: 0.0,
            sd: 0.0,
        };
    }
    let omega = TAU / period;
    let substeps = (STEPS_PER_PERIOD * series.dt / period).ceil().max(1.0);
    let step = Step::new(series.dt / substeps, omega, damping);
    let substeps = substeps as usize;
    let mut peaks = Peaks::default();
    let mut state = State::default();
    for pair in a.windows(2) {
        let slope = (pair[1] - pair[0]) / substeps as f64;
        for k in 0..substeps {
            let from = pair[0] + slope * k as f64;
            let to = if k + 1 == substeps {
                pair[1]
            } else {
                from + slope
            };
            state = step.advance::<ALL>(state, from, to, &mut peaks);
        }
    }
    let rest = Step::new(period / (2.0 * STEPS_PER_PERIOD), omega, damping);
    for _ in 0..2 * STEPS_PER_PERIOD as usize {
        state = rest.advance::<ALL>(state, 0.0, 0.0, &mut peaks);
    }
    Response {
        period,
        sa: peaks.sa,
        psa: omega * omega * peaks.sd,
        sv: peaks.sv,
        sd: peaks.sd,
    }
}

/// The answers of oscillators of several periods.
pub fn response_spectrum(series: &RecordSeries, periods: &[f64], damping: f64) -> Vec<Response> {
    periods
        .iter()
        .map(|period| response(series, *period, damping))
        .collect()
}

/// Periods evenly spaced on a logarithmic scale, both ends included.
pub fn log_periods(first: f64, last: f64, count: usize) -> Vec<f64> {
    let ratio = libm::log(last / first) / count.saturating_sub(1).max(1) as f64;
    (0..count)
        .map(|k| {
            if k + 1 == count && count > 1 {
                last
            } else {
                first * libm::exp(ratio * k as f64)
            }
        })
        .collect()
}

/// Displacement and velocity of the mass relative to the ground.
#[derive(Debug, Clone, Copy, Default)]
struct State {
    u: f64,
    v: f64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Peaks {
    sd: f64,
    sv: f64,
    sa: f64,
}

/// The exact solution over one step as a linear map of state and load.
struct Step {
    h: f64,
    omega2: f64,
    /// `2 zeta omega`.
    friction: f64,
    /// Next displacement from displacement, velocity, load at the start and load at the end.
    u: [f64; 4],
    /// Next velocity from the same.
    v: [f64; 4],
}

impl Step {
    fn new(h: f64, omega: f64, zeta: f64) -> Self {
        let root = (1.0 - zeta * zeta).sqrt();
        let damped = omega * root;
        let decay = libm::exp(-zeta * omega * h);
        let (sin, cos) = libm::sincos(damped * h);
        let (s, c) = (decay * sin, decay * cos);
        let omega2 = omega * omega;
        let z = zeta / root;
        let lag = 2.0 * zeta / (omega * h);
        Self {
            h,
            omega2,
            friction: 2.0 * zeta * omega,
            u: [
                z * s + c,
                s / damped,
                (lag + ((1.0 - 2.0 * zeta * zeta) / (damped * h) - z) * s - (1.0 + lag) * c)
                    / omega2,
                (1.0 - lag + (2.0 * zeta * zeta - 1.0) / (damped * h) * s + lag * c) / omega2,
            ],
            v: [
                -omega / root * s,
                c - z * s,
                (-1.0 / h + (omega / root + z / h) * s + c / h) / omega2,
                (1.0 - z * s - c) / (h * omega2),
            ],
        }
    }

    /// Goes one step on under ground accelerations `from` and `to`, and notes peaks on the way.
    fn advance<const ALL: bool>(
        &self,
        state: State,
        from: f64,
        to: f64,
        peaks: &mut Peaks,
    ) -> State {
        let combine = |c: &[f64; 4]| c[0] * state.u + c[1] * state.v - c[2] * from - c[3] * to;
        let next = State {
            u: combine(&self.u),
            v: combine(&self.v),
        };
        let h = self.h;
        peaks.sd = peaks.sd.max(peak(state.u, state.v, next.u, next.v, h));
        if !ALL {
            return next;
        }
        // Absolute acceleration of the mass, relative acceleration, rate of the absolute one.
        let derived = |state: State, ground: f64| {
            let absolute = -(self.friction * state.v + self.omega2 * state.u);
            let relative = absolute - ground;
            (
                absolute,
                relative,
                -(self.friction * relative + self.omega2 * state.v),
            )
        };
        let (absolute, relative, rate) = derived(state, from);
        let (next_absolute, next_relative, next_rate) = derived(next, to);
        peaks.sv = peaks
            .sv
            .max(peak(state.v, relative, next.v, next_relative, h));
        peaks.sa = peaks
            .sa
            .max(peak(absolute, rate, next_absolute, next_rate, h));
        next
    }
}

/// Largest absolute value at the end of a step or inside it, by the cubic through values and rates at both ends.
fn peak(value: f64, rate: f64, next: f64, next_rate: f64, h: f64) -> f64 {
    let end = next.abs();
    if rate * next_rate >= 0.0 {
        return end;
    }
    // The rate along the cubic, with s from 0 to 1: h rate (1-s)² + ... is a quadratic in s.
    let rise = next - value;
    let (r0, r1) = (h * rate, h * next_rate);
    let c2 = 3.0 * (r0 + r1 - 2.0 * rise);
    let c1 = 2.0 * (3.0 * rise - 2.0 * r0 - r1);
    let root = (c1 * c1 - 4.0 * c2 * r0).max(0.0).sqrt();
    // Of the two roots the one without cancellation, then the other by their product.
    let q = -0.5 * (c1 + root.copysign(c1));
    let inside = |s: f64| (s > 0.0 && s < 1.0).then_some(s);
    let Some(s) = inside(r0 / q).or_else(|| inside(q / c2)) else {
        return end;
    };
    let extreme = value + s * (r0 + s * (c1 / 2.0 + s * c2 / 3.0));
    extreme.abs().max(end)
}

#[cfg(test)]
mod tests;
