//! Excitations.

use std::f64::consts::TAU;
use std::path::Path;

use drystone_geometry::DVec3;

use super::Fingerprint;
use super::check::Check;
use super::names::Names;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::{Block, Motion, MotionKind, Pulse, RecordComponent, RecordScale};
use crate::spec::{
    ComponentSpec, ModelSpec, MotionSpec, PulseSpec, RecordSpec, SettlementSpec, SineSpec,
};

/// Checks the motions; those at fault are left out.
pub(super) fn motions(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    folder: &Path,
    fingerprint: &mut Fingerprint,
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
            MotionSpec::Record(record) => Some(recorded(record, trail, folder, fingerprint, check)),
            MotionSpec::Settlement(settlement) => {
                settled(settlement, spec, names, blocks, trail, check)
            }
        };
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
    check.finite(spec.amplitude, trail.key("amplitude"));
    check.positive(spec.half_period, "s", trail.key("half_period"));
    MotionKind::Pulse {
        direction: check.direction(spec.direction, trail.key("direction")),
        pulse: pulse(spec.amplitude, spec.half_period),
    }
}

fn steady(spec: &SineSpec, trail: Trail<'_>, check: &mut Check<'_>) -> MotionKind {
    check.positive(spec.frequency, "Hz", trail.key("frequency"));
    check.positive(spec.duration, "s", trail.key("duration"));
    let amplitude = match (spec.amplitude, spec.displacement_amplitude) {
        (Some(amplitude), None) => {
            check.finite(amplitude, trail.key("amplitude"));
            amplitude
        }
        (None, Some(displacement)) => {
            check.finite(displacement, trail.key("displacement_amplitude"));
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
        },
    }
}

fn recorded(
    spec: &RecordSpec,
    trail: Trail<'_>,
    folder: &Path,
    fingerprint: &mut Fingerprint,
    check: &mut Check<'_>,
) -> MotionKind {
    if let Some(dt) = spec.dt {
        check.positive(dt, "s", trail.key("dt"));
    }
    let common = scale(spec.scale, spec.pga, trail, check);
    let mut components = Vec::new();
    match (&spec.path, spec.components.len()) {
        (Some(path), 0) => {
            let direction = check.direction(spec.direction, trail.key("direction"));
            components.push(RecordComponent {
                direction,
                path: file(path, folder, trail.key("path"), fingerprint, check),
                dt: spec.dt,
                scale: common.unwrap_or(RecordScale::Factor(1.0)),
            });
        }
        (None, 1..=3) => {
            if spec.direction.is_some() {
                check.report(trail.key("direction"), "every component has a direction of its own", "leave this one out");
            }
            if spec.pga.is_some() && spec.components.len() > 1 {
                check.report(
                    trail.key("pga"),
                    "which component is to have this acceleration?",
                    "write `pga` or `scale` in each component, or one `scale` for all",
                );
            }
            let list = trail.key("components");
            for (index, component) in spec.components.iter().enumerate() {
                let trail = list.index(index);
                let ComponentSpec { path, direction, scale: factor, pga } = component;
                let own = scale(*factor, *pga, trail, check);
                components.push(RecordComponent {
                    direction: check.direction(Some(*direction), trail.key("direction")),
                    path: file(path, folder, trail.key("path"), fingerprint, check),
                    dt: spec.dt,
                    scale: own.or(common).unwrap_or(RecordScale::Factor(1.0)),
                });
            }
        }
        (None, 0) => check.report(
            trail,
            "a record needs a file",
            "write `path = \"...\"`, or `components = [{ path = \"...\", direction = [1, 0, 0] }, ...]`",
        ),
        (None, count) => check.report(
            trail.key("components"),
            format!("a record has at most 3 components, but {count} are given"),
            "make two motions of them and list both in the analysis",
        ),
        (Some(_), _) => check.report(trail.key("path"), "the record has both `path` and `components`", "leave one of them out"),
    }
    MotionKind::Record { components }
}

fn scale(
    factor: Option<f64>,
    pga: Option<f64>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<RecordScale> {
    if let Some(factor) = factor {
        check.finite(factor, trail.key("scale"));
    }
    if let Some(pga) = pga {
        check.positive(pga, "m/s²", trail.key("pga"));
    }
    match (factor, pga) {
        (Some(_), Some(_)) => {
            check.report(
                trail.key("pga"),
                "both `scale` and `pga` are given",
                "leave one of them out",
            );
            None
        }
        (Some(factor), None) => Some(RecordScale::Factor(factor)),
        (None, Some(pga)) => Some(RecordScale::Pga(pga)),
        (None, None) => None,
    }
}

/// A file that the model names, which must be there to be read.
fn file(
    path: &str,
    folder: &Path,
    trail: Trail<'_>,
    fingerprint: &mut Fingerprint,
    check: &mut Check<'_>,
) -> std::path::PathBuf {
    let full = folder.join(path);
    if let Err(error) = fingerprint.add_file(&full) {
        check.report(
            trail,
            format!("the file {} cannot be read: {error}", full.display()),
            "paths are relative to the folder of the model file",
        );
    }
    full
}

fn settled(
    spec: &SettlementSpec,
    model: &ModelSpec,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<MotionKind> {
    check.positive(spec.duration, "s", trail.key("duration"));
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
