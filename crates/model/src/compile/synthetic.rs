//! Earthquakes that are made up.

use std::f64::consts::TAU;

use super::check::Check;
use crate::fault::Trail;
use crate::spec::{Code, CodeSpectrumSpec, ModelSpec, MotionSpec, StochasticSpec};
use drystone_shaking::{Artificial, CodeShape, CodeSpectrum, Eurocode8Type, Stochastic, Strength};
use drystone_shaking::{Motion, MotionKind};

/// Longest accelerogram, s: a day would be a mistake of units.
const LONGEST: f64 = 3600.0;

/// Values that a motion may have, and steps that it may take to make them: some ten seconds.
const MOST_VALUES: f64 = 1e6;
const MOST_STEPS: f64 = 2e9;

/// Natural logarithm of the part to which the answer of the filter to an impulse is followed, 1e-9.
const DECAY: f64 = 20.7;

pub(super) fn stochastic(
    spec: &StochasticSpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> MotionKind {
    check.numbers(spec, trail);
    let dt = spec.dt();
    if spec.frequency * dt > 0.2 {
        check.report(
            trail.key("frequency"),
            format!(
                "a frequency of {} Hz cannot be drawn with a time step of {dt} s",
                spec.frequency
            ),
            "five time steps or more make a period; give a smaller `dt`",
        );
    }
    let duration = spec.significant_duration;
    let mid_time = spec.mid_time.unwrap_or(0.4 * duration);
    let ratio = duration / mid_time;
    // The family of envelopes has these; the bounds are those of the shapes 1 and 1000 of the gamma distribution.
    if spec.mid_time.is_some() && !(0.11..=4.9).contains(&ratio) {
        check.report(
            trail.key("mid_time"),
            format!("no envelope has a significant duration of {duration} s and 45 % of its intensity at {mid_time} s"),
            "the mid time is at least 0.21 times the significant duration and at most 9 times",
        );
    }
    let (rate, bandwidth) = (spec.frequency_rate(), spec.bandwidth());
    let high_pass = spec.high_pass();
    if high_pass > 0.5 * spec.frequency {
        check.report(
            trail.key("high_pass"),
            format!("the value is {high_pass} Hz"),
            "it should be well below `frequency`, at most half of it; usual are 0.1 to 0.2 Hz",
        );
    }
    lengthy(
        &Extent {
            mid_time,
            duration,
            high_pass,
            dt,
            frequency: spec.frequency,
            rate,
            bandwidth,
        },
        trail,
        check,
    );
    let strength = match (spec.arias, spec.pga) {
        (Some(arias), None) => Strength::Arias(arias),
        (None, Some(pga)) => {
            check.shaking(pga, trail.key("pga"));
            Strength::Pga(pga)
        }
        (given, _) => {
            let count = if given.is_some() {
                "both are"
            } else {
                "none is"
            };
            check.report(
                trail,
                format!("either `arias` or `pga` is needed, but {count} given"),
                "`arias` is the expected Arias intensity, m/s; `pga` the largest acceleration of the motion, m/s²",
            );
            Strength::Pga(1.0)
        }
    };
    MotionKind::Stochastic {
        direction: check.direction(spec.direction, trail.key("direction")),
        settings: Stochastic {
            strength,
            significant_duration: duration,
            mid_time,
            frequency: spec.frequency,
            frequency_rate: rate,
            bandwidth,
            high_pass,
            dt,
            seed: spec.seed,
        },
    }
}

/// What the length of a stochastic motion and the labour of making it follow from.
struct Extent {
    mid_time: f64,
    duration: f64,
    high_pass: f64,
    dt: f64,
    frequency: f64,
    rate: f64,
    bandwidth: f64,
}

/// Reports a motion of too many values, or whose filter rings for so long that it would take for ever to make.
fn lengthy(extent: &Extent, trail: Trail<'_>, check: &mut Check<'_>) {
    let Extent { mid_time, dt, .. } = *extent;
    // Of all envelopes the exponential one has the longest tail, three significant durations beyond the mid time; after
    // that the high-pass filter comes to rest.
    let end = mid_time + 3.0 * extent.duration + 2.0 / extent.high_pass;
    let values = end / dt;
    // What is no length has been reported already.
    if !values.is_finite() || extent.duration > LONGEST || mid_time > LONGEST {
        return;
    }
    if values > MOST_VALUES {
        too_long(values, trail, check);
        return;
    }
    let line = |time: f64| extent.frequency + extent.rate * (time - mid_time);
    let lowest = (0.1 * extent.frequency).max(extent.high_pass);
    let lowest = line(0.0).min(line(end)).max(lowest);
    let ringing = DECAY / (extent.bandwidth * TAU * lowest * dt);
    let steps = values * ringing.min(0.5 * values);
    if steps > MOST_STEPS {
        check.report(
            trail.key("bandwidth"),
            format!(
                "a filter of bandwidth {} rings for {:.0} s: {values:.0} values would take {steps:.1e} steps to make",
                extent.bandwidth,
                (ringing * dt).min(end)
            ),
            "a larger `bandwidth` (earthquakes have 0.03 to 0.8), a larger `dt` or a shorter `significant_duration`",
        );
    }
}

fn too_long(values: f64, trail: Trail<'_>, check: &mut Check<'_>) {
    check.report(
        trail.key("dt"),
        format!("the motion would have up to {values:.0} values"),
        &format!("at most {MOST_VALUES}: a larger `dt`, or a shorter motion"),
    );
}

/// The last period, s, to which a spectrum is met unless the model says otherwise or the motion is too short for it.
const LAST_PERIOD: f64 = 4.0;

/// Says which motions are too short for the usual periods.
pub(super) fn shortened(spec: &ModelSpec, motions: &[Motion]) -> Vec<String> {
    let silent = |motion: &&MotionSpec| matches!(motion, MotionSpec::CodeSpectrum(spec) if spec.periods.is_none());
    let note = |spec: &MotionSpec| {
        let motion = motions.iter().find(|motion| motion.name == spec.name())?;
        let MotionKind::CodeSpectrum { settings, .. } = &motion.kind else {
            return None;
        };
        let [first, last] = settings.periods;
        (last < LAST_PERIOD).then(|| {
            format!(
                "{}: periods shortened to {last} s, a fifth of the duration: the spectrum is met from {first} s to there instead of to {LAST_PERIOD} s",
                motion.name
            )
        })
    };
    spec.motion.iter().filter(silent).filter_map(note).collect()
}

pub(super) fn code_spectrum(
    spec: &CodeSpectrumSpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> MotionKind {
    check.numbers(spec, trail);
    check.shaking(spec.ag, trail.key("ag"));
    let (dt, duration) = (spec.dt(), spec.duration());
    if (MOST_VALUES..f64::INFINITY).contains(&(duration / dt)) && duration <= LONGEST {
        too_long(duration / dt, trail, check);
    }
    let stationary = spec.stationary.unwrap_or(10.0_f64.min(0.4 * duration));
    if stationary > 0.9 * duration {
        check.report(
            trail.key("stationary"),
            format!("a stationary part of {stationary} s in an accelerogram of {duration} s"),
            "at least a tenth of the duration is needed for its beginning and end",
        );
    }
    let periods = spec
        .periods
        .unwrap_or([0.05, LAST_PERIOD.min(0.2 * duration).max(0.1)]);
    if !(periods[0] >= 4.0 * dt && periods[1] >= 1.2 * periods[0] && periods[1] <= 0.25 * duration)
    {
        check.report(
            trail.key("periods"),
            format!("the spectrum cannot be met from {} s to {} s", periods[0], periods[1]),
            "the first period is at least four time steps, the last at least 1.2 times the first and at most a quarter of the duration",
        );
    }
    MotionKind::CodeSpectrum {
        direction: check.direction(spec.direction, trail.key("direction")),
        settings: Artificial {
            spectrum: target(spec, trail, check),
            periods,
            duration,
            stationary,
            dt,
            seed: spec.seed,
        },
    }
}

/// The spectrum that is to be met.
fn target(spec: &CodeSpectrumSpec, trail: Trail<'_>, check: &mut Check<'_>) -> CodeSpectrum {
    match spec.code {
        Code::Eurocode8 => foreign(
            &[
                ("f0", spec.f0.is_some()),
                ("tc_star", spec.tc_star.is_some()),
                ("topography", spec.topography.is_some()),
            ],
            "ntc2018",
            trail,
            check,
        ),
        Code::Ntc2018 => foreign(
            &[("spectrum_type", spec.spectrum_type.is_some())],
            "eurocode8",
            trail,
            check,
        ),
    }
    let code = shape(
        spec.code,
        spec.spectrum_type,
        (spec.f0, spec.tc_star, trail),
        spec.topography(),
        check,
    );
    CodeSpectrum {
        code,
        ag: spec.ag,
        soil: spec.soil(),
        damping: spec.damping(),
    }
}

/// A code's spectrum with its own parameters: the type of Eurocode 8; `F_0` and `T_C*`, with the table they stand in, and `S_T` of the Italian code.
pub(crate) fn shape(
    code: Code,
    spectrum_type: Option<u32>,
    (f0, tc_star, site): (Option<f64>, Option<f64>, Trail<'_>),
    topography: f64,
    check: &mut Check<'_>,
) -> CodeShape {
    match code {
        Code::Eurocode8 => {
            // Others are refused by their declaration.
            let kind = match spectrum_type {
                Some(2) => Eurocode8Type::Two,
                _ => Eurocode8Type::One,
            };
            CodeShape::Eurocode8 { kind }
        }
        Code::Ntc2018 => {
            let mut need = |value: Option<f64>, key: &str, help: &str| {
                if value.is_none() {
                    check.report(site.key(key), format!("the key `{key}` is missing"), help);
                }
                value.unwrap_or(1.0)
            };
            CodeShape::Ntc2018 {
                f0: need(
                    f0,
                    "f0",
                    "`f0` is the largest amplification F_0 of the site, about 2.2 to 3",
                ),
                tc_star: need(
                    tc_star,
                    "tc_star",
                    "`tc_star` is the period T_C* of the site, about 0.2 to 0.6 s",
                ),
                topography,
            }
        }
    }
}

/// Reports keys of another code.
pub(crate) fn foreign(keys: &[(&str, bool)], owner: &str, trail: Trail<'_>, check: &mut Check<'_>) {
    for (key, _) in keys.iter().filter(|(_, given)| *given) {
        check.report(
            trail.key(key),
            format!("`{key}` belongs to the code \"{owner}\""),
            "leave it out, or change `code`",
        );
    }
}
