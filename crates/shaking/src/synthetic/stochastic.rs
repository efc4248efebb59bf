//! A site-based, fully non-stationary stochastic ground motion (Rezaeian & Der Kiureghian 2008, 2010).
//!
//! White noise excites a filter whose frequency changes linearly in time. Its answer, divided by its standard
//! deviation, has unit variance at all times; times a gamma envelope it has the wanted Arias intensity, and its time
//! distribution. A critically damped oscillator of low frequency then removes what would let velocity and
//! displacement drift: the motion is the acceleration of that oscillator.

use crate::{Stochastic, Strength};
use std::f64::consts::{FRAC_PI_2, TAU};

use super::gamma::{ln_gamma, quantile};
use crate::RecordScale;
use crate::STANDARD_GRAVITY;
use crate::random::Random;
use crate::{ExcitationError, RecordSeries};

/// The filter's answer to an impulse is followed until it has decayed to this part.
const DECAYED: f64 = 1e-9;

/// The envelope is followed until this part of the Arias intensity is left.
const REST: f64 = 1e-4;

/// Shapes of the gamma distribution between which the envelope is looked for; 1 begins at once, large ones are narrow.
const SHAPES: (f64, f64) = (1.0 + 1e-6, 1e4);

/// Values that a motion may have.
const LONGEST: f64 = 1e6;

/// The envelope `q = c t^(k-1)/2 e^(-t/(2 s))`, whose square is a gamma distribution of shape `k` and scale `s`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Envelope {
    shape: f64,
    /// s.
    scale: f64,
}

impl Envelope {
    /// The envelope with this time from 5 % to 95 % of the energy, and this time of 45 %, s.
    pub fn new(significant_duration: f64, mid_time: f64) -> Result<Self, ExcitationError> {
        let ratio = significant_duration / mid_time;
        let of_shape =
            |shape: f64| (quantile(shape, 0.95) - quantile(shape, 0.05)) / quantile(shape, 0.45);
        let (mut low, mut high) = SHAPES;
        // The ratio falls with the shape.
        let (largest, smallest) = (of_shape(low), of_shape(high));
        if !(smallest..=largest).contains(&ratio) {
            return Err(ExcitationError::NoEnvelope {
                significant_duration,
                mid_time,
                smallest: significant_duration / largest,
                largest: significant_duration / smallest,
            });
        }
        for _ in 0..60 {
            let middle = (low * high).sqrt();
            if of_shape(middle) > ratio {
                low = middle;
            } else {
                high = middle;
            }
        }
        let shape = (low * high).sqrt();
        Ok(Self {
            shape,
            scale: mid_time / quantile(shape, 0.45),
        })
    }

    /// Energy per second at a time, as a part of all.
    fn energy(&self, time: f64) -> f64 {
        if time <= 0.0 {
            return 0.0;
        }
        let x = time / self.scale;
        libm::exp((self.shape - 1.0) * libm::log(x) - x - ln_gamma(self.shape)) / self.scale
    }

    /// Time at which this part of the energy has come, s.
    fn time_of(&self, part: f64) -> f64 {
        self.scale * quantile(self.shape, part)
    }
}

/// The motion of a seed, m/s².
pub fn stochastic(settings: &Stochastic) -> Result<RecordSeries, ExcitationError> {
    let envelope = Envelope::new(settings.significant_duration, settings.mid_time)?;
    let dt = settings.dt;
    // After the envelope's end the oscillator that filters comes to rest.
    let quiet = 2.0 / settings.high_pass;
    let length = (envelope.time_of(1.0 - REST) + quiet) / dt;
    if !(length > 1.0 && length < LONGEST) {
        return Err(ExcitationError::TooLong { values: length });
    }
    let count = length.ceil() as usize + 1;
    let unit = unit_process(settings, count);
    let arias = match settings.strength {
        Strength::Arias(arias) => arias,
        Strength::Pga(_) => 1.0,
    };
    // Energy that the high-pass filter takes is given beforehand.
    let energy = arias * STANDARD_GRAVITY / FRAC_PI_2 / passed(settings);
    let shaped: Vec<f64> = unit
        .iter()
        .enumerate()
        .map(|(k, x)| x * (energy * envelope.energy(k as f64 * dt)).sqrt())
        .collect();
    let series = RecordSeries::new(dt, high_passed(&shaped, dt, TAU * settings.high_pass))?;
    match settings.strength {
        Strength::Arias(_) => Ok(series),
        Strength::Pga(pga) => series.scaled(RecordScale::Pga(pga)),
    }
}

/// Frequency of the filter at a time, Hz; bounded where the straight line leaves what makes sense.
fn frequency(settings: &Stochastic, time: f64) -> f64 {
    let line = settings.frequency + settings.frequency_rate * (time - settings.mid_time);
    let lowest = (0.1 * settings.frequency).max(settings.high_pass);
    line.clamp(lowest, (0.2 / settings.dt).max(lowest))
}

/// The answer of the changing filter to white noise, divided by its standard deviation.
fn unit_process(settings: &Stochastic, count: usize) -> Vec<f64> {
    let dt = settings.dt;
    let zeta = settings.bandwidth;
    let mut random = Random::new(settings.seed, 0);
    let mut answer = vec![0.0; count];
    let mut variance = vec![0.0; count];
    for start in 0..count {
        let noise = random.normal();
        let omega = TAU * frequency(settings, start as f64 * dt);
        let damped = omega * (1.0 - zeta * zeta).sqrt();
        // The impulse response is a spiral in the complex plane, of which the imaginary part is taken.
        let decay = libm::exp(-zeta * omega * dt);
        let (sin, cos) = libm::sincos(damped * dt);
        let turn = (decay * cos, decay * sin);
        let height = omega / (1.0 - zeta * zeta).sqrt();
        let mut z = (1.0, 0.0);
        let mut size = 1.0;
        for k in start + 1..count {
            z = (z.0 * turn.0 - z.1 * turn.1, z.0 * turn.1 + z.1 * turn.0);
            size *= decay;
            if size < DECAYED {
                break;
            }
            let h = height * z.1;
            answer[k] += h * noise;
            variance[k] += h * h;
        }
    }
    for (x, variance) in answer.iter_mut().zip(variance) {
        // The first value has heard no noise yet.
        *x = if variance > 0.0 {
            *x / variance.sqrt()
        } else {
            0.0
        };
    }
    answer
}

/// Part of the energy at the mid time that passes the high-pass filter.
fn passed(settings: &Stochastic) -> f64 {
    // Power of the filter times gain of the high pass against frequency in units of the filter's, on a logarithmic scale.
    let corner = settings.high_pass / settings.frequency;
    let zeta = settings.bandwidth;
    let (mut kept, mut whole) = (0.0, 0.0);
    for k in 0..=2000 {
        let x = libm::exp(-12.0 + 18.0 * f64::from(k) / 2000.0);
        let x2 = x * x;
        let power = x / ((1.0 - x2) * (1.0 - x2) + 4.0 * zeta * zeta * x2);
        let gain = x2 / (x2 + corner * corner);
        whole += power;
        kept += power * gain * gain;
    }
    kept / whole
}

/// Acceleration of a critically damped oscillator that is driven by the given one, exact for straight lines between values.
fn high_passed(driving: &[f64], dt: f64, omega: f64) -> Vec<f64> {
    let wh = omega * dt;
    let decay = libm::exp(-wh);
    let mut state = (0.0, 0.0);
    let mut output = Vec::with_capacity(driving.len());
    output.push(driving.first().copied().unwrap_or(0.0));
    for pair in driving.windows(2) {
        // A particular solution p + q t, and (A + B t) e^(-omega t) to meet the state.
        let q = (pair[1] - pair[0]) / dt / (omega * omega);
        let p = pair[0] / (omega * omega) - 2.0 * q / omega;
        let a = state.0 - p;
        let b = state.1 - q + omega * a;
        state = (
            (a + b * dt) * decay + p + q * dt,
            (b - omega * (a + b * dt)) * decay + q,
        );
        output.push(pair[1] - 2.0 * omega * state.1 - omega * omega * state.0);
    }
    output
}

#[cfg(test)]
mod tests;
