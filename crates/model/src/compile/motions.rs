//! Excitations.

use std::f64::consts::TAU;

use drystone_geometry::DVec3;

use super::check::Check;
use super::names::Names;
use super::records::{Reading, recorded};
use super::synthetic::{code_spectrum, stochastic};
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::Block;
use crate::spec::{ModelSpec, MotionSpec, PulseSpec, SettlementSpec, SineSpec};
use drystone_shaking::{Motion, MotionKind, Pulse};

/// Checks the motions; those at fault are left out.
pub(super) fn motions(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    reading: &mut Reading<'_>,
    check: &mut Check<'_>,
) -> Vec<Motion> {
    let mut motions = Vec::with_capacity(spec.motion.len());
    for (item, motion) in spec.motion.iter().enumerate() {
        if broken.has(Section::Motion, item) {
            continue;
        }
        let trail = Trail::item(Section::Motion, item, Some(motion.name()));
        let kind = match motion {
            MotionSpec::OneSine(pulse) => {
                Some(pulsed(pulse, trail, check, |amplitude, half_period| {
                    Pulse::OneSine {
                        amplitude,
                        half_period,
                    }
                }))
            }
            MotionSpec::Biphasic(pulse) => {
                Some(pulsed(pulse, trail, check, |amplitude, half_period| {
                    Pulse::Biphasic {
                        amplitude,
                        half_period,
                    }
                }))
            }
            MotionSpec::Rectangular(pulse) => {
                Some(pulsed(pulse, trail, check, |amplitude, half_period| {
                    Pulse::Rectangular {
                        amplitude,
                        half_period,
                    }
                }))
            }
            MotionSpec::Sine(sine) => Some(steady(sine, trail, check)),
            MotionSpec::Record(record) => Some(recorded(record, trail, reading, check)),
            MotionSpec::Stochastic(spec) => Some(stochastic(spec, trail, check)),
            MotionSpec::CodeSpectrum(spec) => Some(code_spectrum(spec, trail, check)),
            MotionSpec::Settlement(settlement) => {
                settled(settlement, spec, names, blocks, trail, check)
            }
        };
        reading.dependence.add_motion(motion, reading.fingerprint);
        let name = motion.name().to_owned();
        motions.extend(kind.map(|kind| Motion { name, kind }));
    }
    motions
}

fn pulsed(
    spec: &PulseSpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
    pulse: fn(f64, f64) -> Pulse,
) -> MotionKind {
    check.numbers(spec, trail);
    check.shaking(spec.amplitude, trail.key("amplitude"));
    MotionKind::Pulse {
        direction: check.direction(spec.direction, trail.key("direction")),
        pulse: pulse(spec.amplitude, spec.half_period),
    }
}

fn steady(spec: &SineSpec, trail: Trail<'_>, check: &mut Check<'_>) -> MotionKind {
    check.numbers(spec, trail);
    let amplitude = match (spec.amplitude, spec.displacement_amplitude) {
        (Some(amplitude), None) => {
            check.shaking(amplitude, trail.key("amplitude"));
            amplitude
        }
        (None, Some(displacement)) => {
            check.oscillation(displacement, trail.key("displacement_amplitude"));
            displacement * (TAU * spec.frequency).powi(2)
        }
        (given, _) => {
            let count = if given.is_some() {
                "both are"
            } else {
                "none is"
            };
            check.report(
                trail,
                format!(
                    "either `amplitude` or `displacement_amplitude` is needed, but {count} given"
                ),
                "`amplitude` is an acceleration, m/s²; `displacement_amplitude` is in m",
            );
            0.0
        }
    };
    MotionKind::Pulse {
        direction: check.direction(spec.direction, trail.key("direction")),
        pulse: Pulse::Sine {
            amplitude,
            frequency: spec.frequency,
            duration: spec.duration,
            start: spec.start(),
        },
    }
}

fn settled(
    spec: &SettlementSpec,
    model: &ModelSpec,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<MotionKind> {
    check.numbers(spec, trail);
    let displacement = check.translation(
        spec.displacement.unwrap_or_default(),
        trail.key("displacement"),
    );
    let rotation = check.rotation(spec.rotation.unwrap_or_default(), trail.key("rotation"));
    if spec.displacement.is_none() && spec.rotation.is_none() {
        check.report(trail, "a settlement needs `displacement` or `rotation`", "");
    }
    let mut supports = Vec::new();
    match &spec.supports {
        None => supports.extend((0..blocks.len()).filter(|&block| model.block[block].support)),
        Some(list) => {
            let trail = trail.key("supports");
            for (index, name) in list.iter().enumerate() {
                let trail = trail.index(index);
                let Some(block) = names.find(name, trail, check.faults) else {
                    continue;
                };
                if supports.contains(&block) {
                    check.report(trail, format!("the block \"{name}\" is named twice"), "");
                } else if blocks[block].as_ref().is_some_and(|block| !block.support) {
                    check.report(
                        trail,
                        format!("the block \"{name}\" is not a support"),
                        "write `support = true` in it",
                    );
                } else {
                    supports.push(block);
                }
            }
        }
    }
    if supports.is_empty() {
        check.report(
            trail.key("supports"),
            "no support moves",
            "name at least one block with `support = true`",
        );
    }
    let centre = match spec.centre {
        Some(centre) => check.vector(centre, trail.key("centre")),
        None => {
            let moved = || {
                supports
                    .iter()
                    .filter_map(|&support| blocks[support].as_ref())
            };
            let mass: f64 = moved().map(|block| block.mass).sum();
            let moment: DVec3 = moved().map(|block| block.mass * block.position).sum();
            moment / mass.max(f64::MIN_POSITIVE)
        }
    };
    Some(MotionKind::Settlement {
        supports,
        displacement,
        rotation,
        centre,
        duration: spec.duration,
    })
}
