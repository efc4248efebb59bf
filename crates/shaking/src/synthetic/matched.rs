//! Artificial accelerograms that meet the spectrum of a code.
//!
//! Noise under an envelope, whose Fourier amplitudes are multiplied again and again by the ratio of the wanted to the
//! found spectrum, frequency by frequency; phases, and with them the course in time, stay. The result meets the rules
//! of Eurocode 8 (3.2.3.1.2) by itself, not only in the mean of several: no pseudo-acceleration within the range of
//! periods is below 90 % of the target, and the largest acceleration of the ground is not below that of the code.

use crate::{Artificial, Baseline, CodeSpectrum};

use super::fourier::Fourier;
use crate::code_spectrum::Corners;
use crate::random::Random;
use crate::{ExcitationError, RecordSeries, log_periods, pseudo_acceleration};

/// Part of the target that no ordinate falls below (EN 1998-1, 3.2.3.1.2 (4)).
pub const MATCH_FLOOR: f64 = 0.9;

/// Rounds of correction. The match improves little after twenty.
const ROUNDS: usize = 30;

/// Periods per factor of two at which spectra are corrected: some within the band of an oscillator with 5 % of damping.
const PER_OCTAVE: f64 = 18.0;

/// Periods per factor of two at which the result is judged. Spectra have notches where one peak in time takes over from
/// another; their flanks fall by about 1.5 % per 1 % of the period, so that none is missed by a percent.
const JUDGED_PER_OCTAVE: f64 = 120.0;

/// Part of the code's ground acceleration above which peaks are cut before the next round.
const CUT: f64 = 1.05;

/// Stiffer oscillators than this follow the ground, s.
const STIFF: f64 = 0.02;

/// Values that an accelerogram may have.
const LONGEST: f64 = 1e6;

/// How the mean spectrum of motions compares with a target.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Match {
    /// Lowest ratio of found to wanted pseudo-acceleration.
    pub lowest: f64,
    /// Highest ratio.
    pub highest: f64,
    /// Mean ratio.
    pub mean: f64,
    /// Ratio at a period of zero: largest ground acceleration to that of the code.
    pub zero_period: f64,
}

/// Compares the mean spectrum of motions with a target, over a range of periods (s).
pub fn matching(motions: &[RecordSeries], spectrum: &CodeSpectrum, periods: [f64; 2]) -> Match {
    let corners = Corners::of(spectrum);
    let count = motions.len().max(1) as f64;
    let mean_at = |period: f64| {
        motions
            .iter()
            .map(|series| pseudo_acceleration(series, period, spectrum.damping))
            .sum::<f64>()
            / count
            / corners.acceleration(period)
    };
    let judged = comparison(periods, JUDGED_PER_OCTAVE);
    let ratios: Vec<f64> = judged.into_iter().map(mean_at).collect();
    summary(&ratios, mean_at(0.0))
}

fn summary(ratios: &[f64], zero_period: f64) -> Match {
    Match {
        lowest: ratios.iter().copied().fold(f64::INFINITY, f64::min),
        highest: ratios.iter().copied().fold(0.0, f64::max),
        mean: ratios.iter().sum::<f64>() / ratios.len().max(1) as f64,
        zero_period,
    }
}

/// The periods at which a spectrum is compared.
fn comparison([first, last]: [f64; 2], per_octave: f64) -> Vec<f64> {
    let octaves = libm::log2(last / first).max(0.0);
    log_periods(first, last, (per_octave * octaves).ceil() as usize + 1)
}

/// The accelerogram of a seed, m/s².
pub fn artificial(settings: &Artificial) -> Result<RecordSeries, ExcitationError> {
    let length = settings.duration / settings.dt;
    if !(length > 8.0 && length < LONGEST) {
        return Err(ExcitationError::TooLong { values: length });
    }
    let count = length.round() as usize + 1;
    let corners = Corners::of(&settings.spectrum);
    // A margin beyond the range, so that its ends are not left hanging.
    let [first, last] = settings.periods;
    let wide = comparison([STIFF.min(first), 1.3 * last], PER_OCTAVE);
    let inside = |period: f64| (first * 0.999..=last * 1.001).contains(&period);
    let fourier = Fourier::at_least(2 * count);
    let ends = Ends::new(settings, count);
    let mut series = ends.noise(settings);
    let mut best: Option<(f64, RecordSeries)> = None;
    for round in 0..=ROUNDS {
        let ratios: Vec<f64> = wide
            .iter()
            .map(|period| {
                corners.acceleration(*period)
                    / pseudo_acceleration(&series, *period, settings.spectrum.damping)
            })
            .collect();
        let zero = corners.zero_period / series.peak();
        let judged: Vec<f64> = wide
            .iter()
            .zip(&ratios)
            .filter(|(period, _)| inside(**period))
            .map(|(_, ratio)| 1.0 / ratio)
            .collect();
        let cost = cost(&judged, 1.0 / zero);
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, series.clone()));
        }
        if round < ROUNDS {
            series = corrected(&series, &fourier, &wide, &ratios, zero, &ends)?;
        }
    }
    let (_, series) = best.unwrap_or((0.0, series));
    lifted(series, settings)
}

/// How far a motion is from its target after the scaling that lifts it to what the code asks: its mean excess.
fn cost(ratios: &[f64], zero: f64) -> f64 {
    let found = summary(ratios, zero);
    let lift = lift(&found);
    let spread: f64 = ratios
        .iter()
        .map(|ratio| (lift * ratio - 1.0) * (lift * ratio - 1.0))
        .sum();
    (spread / ratios.len().max(1) as f64).sqrt() + 0.2 * (lift * zero - 1.0).max(0.0)
}

/// Factor after which a motion has what the code asks, and is right in the mean if that asks less.
fn lift(found: &Match) -> f64 {
    // A percent more than asked, for whoever compares at other periods.
    let floor = 1.01 * MATCH_FLOOR / found.lowest;
    floor.max(1.0 / found.zero_period).max(1.0 / found.mean)
}

fn lifted(
    mut series: RecordSeries,
    settings: &Artificial,
) -> Result<RecordSeries, ExcitationError> {
    let found = matching(
        std::slice::from_ref(&series),
        &settings.spectrum,
        settings.periods,
    );
    let factor = lift(&found);
    for a in &mut series.acceleration {
        *a *= factor;
    }
    series.check()?;
    Ok(series)
}

/// One round: Fourier amplitudes times the ratios of the spectra.
fn corrected(
    series: &RecordSeries,
    fourier: &Fourier,
    periods: &[f64],
    ratios: &[f64],
    zero: f64,
    ends: &Ends,
) -> Result<RecordSeries, ExcitationError> {
    let mut z = fourier.forward(&series.acceleration);
    let n = fourier.len();
    for k in 0..=n / 2 {
        let frequency = k as f64 / (n as f64 * series.dt);
        let factor = if frequency > 0.0 {
            ratio_at(1.0 / frequency, periods, ratios, zero)
        } else {
            0.0
        };
        for index in [k, (n - k) % n] {
            z[index].0 *= factor;
            z[index].1 *= factor;
            if index == k && (k == 0 || k == n / 2) {
                break;
            }
        }
    }
    let values = fourier.backward(z);
    ends.applied(values)?.baselined(Baseline::Quadratic)
}

/// Ratio at a period, on straight lines over the logarithm of the period; slow motion beyond the range fades out.
fn ratio_at(period: f64, periods: &[f64], ratios: &[f64], zero: f64) -> f64 {
    let after = periods.partition_point(|p| *p < period);
    if after == 0 {
        return zero.clamp(0.5, 2.0);
    }
    if after == periods.len() {
        let last = periods[after - 1];
        let fade = last / period;
        return ratios[after - 1] * fade * fade;
    }
    let (p, q) = (periods[after - 1], periods[after]);
    let part = libm::log(period / p) / libm::log(q / p);
    ratios[after - 1] + part * (ratios[after] - ratios[after - 1])
}

/// Where the motion begins and ends.
struct Ends {
    dt: f64,
    /// Envelope of the noise.
    envelope: Vec<f64>,
    /// What keeps corrected motions within the accelerogram.
    window: Vec<f64>,
    /// Acceleration above which peaks are cut, m/s².
    cut: f64,
}

impl Ends {
    fn new(settings: &Artificial, count: usize) -> Self {
        // A quarter of what is not stationary is the rise, with the square of time; the rest decays to 2 %.
        let rise = 0.25 * (settings.duration - settings.stationary);
        let decay = settings.duration - settings.stationary - rise;
        let envelope = (0..count)
            .map(|k| {
                let t = k as f64 * settings.dt;
                if t < rise {
                    (t / rise) * (t / rise)
                } else if t < rise + settings.stationary || decay <= 0.0 {
                    1.0
                } else {
                    libm::exp(-4.0 * (t - rise - settings.stationary) / decay)
                }
            })
            .collect();
        let edge = (0.05 * settings.duration).min(1.0);
        let window = (0..count)
            .map(|k| {
                let from_end = k.min(count - 1 - k) as f64 * settings.dt;
                if from_end < edge {
                    0.5 * (1.0 - libm::cos(std::f64::consts::PI * from_end / edge))
                } else {
                    1.0
                }
            })
            .collect();
        Self {
            dt: settings.dt,
            envelope,
            window,
            cut: CUT * Corners::of(&settings.spectrum).zero_period,
        }
    }

    fn noise(&self, settings: &Artificial) -> RecordSeries {
        let mut random = Random::new(settings.seed, 1);
        let values = self.envelope.iter().zip(&self.window);
        RecordSeries {
            dt: self.dt,
            acceleration: values.map(|(e, w)| e * w * random.normal()).collect(),
        }
    }

    /// The values within the accelerogram, coming from and going to zero, without peaks above those of the code. Single
    /// peaks matter to the ground's largest acceleration, and little to oscillators.
    fn applied(&self, values: Vec<f64>) -> Result<RecordSeries, ExcitationError> {
        let windowed = values
            .iter()
            .zip(&self.window)
            .map(|(v, w)| (v * w).clamp(-self.cut, self.cut));
        RecordSeries::new(self.dt, windowed.collect())
    }
}

#[cfg(test)]
mod tests;
