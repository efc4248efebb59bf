//! Questions and their settings.

use std::collections::BTreeSet;
use std::f64::consts::FRAC_PI_2;

use drystone_geometry::DVec3;

use super::assessment;
use super::campaign;
use super::check::Check;
use super::fingerprint::Dependence;
use super::loads::arm;
use super::names::Names;
use super::pushover::pushover;
use super::statics;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::*;
use crate::spec::{AnalysisSpec, ModelSpec, MonitorSpec, MotionSpec, RockingSpec, TimeHistorySpec};

/// Steps of a time history at most: even at a microsecond each they take a quarter of an hour, and a step that is a slip of the pen far more.
const MOST_STEPS: f64 = 1e9;

/// Outputs of a rocking block at most, which are kept in memory.
const MOST_OUTPUTS: f64 = 1e7;

/// What an analysis can refer to.
pub(super) struct Known<'k> {
    pub blocks: &'k Names<'k>,
    pub motions: &'k Names<'k>,
}

/// Checks the analyses.
pub(super) fn analyses(
    spec: &ModelSpec,
    broken: &Broken,
    known: &Known<'_>,
    blocks: &[Option<Block>],
    gravity: f64,
    dependence: &Dependence,
    check: &mut Check<'_>,
) -> Vec<Analysis> {
    Names::collect(
        Section::Analysis,
        spec.analysis.iter().map(AnalysisSpec::name),
        broken,
        check.faults,
    );
    let mut analyses = Vec::with_capacity(spec.analysis.len());
    for (item, analysis) in spec.analysis.iter().enumerate() {
        if broken.has(Section::Analysis, item) {
            continue;
        }
        let name = analysis.name();
        let trail = Trail::item(Section::Analysis, item, Some(name));
        if !is_folder_name(name) {
            check.report(
                trail.key("name"),
                "the name cannot be that of a folder, which the results need",
                "use letters, digits, `-`, `_` and inner dots and spaces",
            );
        }
        let kind = match analysis {
            AnalysisSpec::TimeHistory(history) => {
                AnalysisKind::TimeHistory(time_history(history, known, blocks, trail, check))
            }
            AnalysisSpec::Rocking(rocking) => {
                AnalysisKind::Rocking(rock(rocking, spec, known, blocks, gravity, trail, check))
            }
            AnalysisSpec::Equilibrium(equilibrium) => AnalysisKind::Equilibrium(
                statics::equilibrium(equilibrium, spec, known, trail, check),
            ),
            AnalysisSpec::Limit(limit) => {
                AnalysisKind::Limit(statics::limit(limit, spec, known, gravity, trail, check))
            }
            AnalysisSpec::Pushover(push) => {
                AnalysisKind::Pushover(pushover(push, spec, known, blocks, gravity, trail, check))
            }
            AnalysisSpec::Assessment(assess) => AnalysisKind::Assessment(assessment::assessment(
                assess, spec, item, gravity, trail, check,
            )),
            AnalysisSpec::Sweep(sweep) => {
                AnalysisKind::Campaign(campaign::sweep(sweep, spec, trail, check))
            }
            AnalysisSpec::FailureDomain(domain) => {
                AnalysisKind::Campaign(campaign::failure_domain(domain, spec, trail, check))
            }
            AnalysisSpec::Fragility(fragility) => {
                AnalysisKind::Campaign(campaign::fragility(fragility, spec, known, trail, check))
            }
        };
        analyses.push(Analysis {
            name: name.to_owned(),
            kind,
            sha256: dependence.hash(analysis, &spec.analysis),
        });
    }
    analyses
}

/// Whether results can go to a folder of this name on every common system.
fn is_folder_name(name: &str) -> bool {
    let forbidden = |c: char| c.is_control() || r#"/\:*?"<>|"#.contains(c);
    name.is_empty()
        || !(name.contains(forbidden) || name.starts_with(['.', ' ']) || name.ends_with(['.', ' ']))
}

fn time_history(
    spec: &TimeHistorySpec,
    known: &Known<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> TimeHistory {
    let scheme = spec.scheme();
    let adaptive = adaptive(spec, scheme, trail, check);
    let range = adaptive.map(|steps| (steps.smallest, steps.largest));
    let dt = match (spec.dt, range) {
        (None, Some((smallest, largest))) => spec.dt().max(smallest).min(largest),
        _ => spec.dt(),
    };
    check.numbers(spec, trail);
    let dt_fits = dt.is_finite() && dt > 0.0;
    if let Some((smallest, largest)) = range
        && dt_fits
        && smallest <= largest
        && !(smallest..=largest).contains(&dt)
    {
        check.report(
            trail.key("dt"),
            format!(
                "the first step is {dt} s, but adaptive steps are from {smallest} to {largest} s"
            ),
            "choose `dt` between them, or leave it out",
        );
    }
    let least = range.map_or(dt, |(smallest, _)| smallest);
    let output_every = match spec.output_every {
        Some(given) => given,
        None => spec.output_every().max(least),
    };
    if dt_fits && spec.duration > 0.0 && dt > spec.duration {
        check.report(
            trail.key("dt"),
            format!(
                "the time step {dt} s is longer than the duration {} s",
                spec.duration
            ),
            "",
        );
    }
    let steps = spec.duration / dt;
    if dt_fits && steps > MOST_STEPS {
        check.report(
            trail.key("dt"),
            format!(
                "with steps of {dt} s the duration of {} s takes {steps:.0e} of them",
                spec.duration
            ),
            &format!("choose `dt` so that there are at most {MOST_STEPS:.0e}"),
        );
    }
    for (key, interval) in [
        ("output_every", Some(output_every)),
        ("forces_every", spec.forces_every),
    ] {
        let Some(interval) = interval else { continue };
        let trail = trail.key(key);
        // Rounding aside, nothing can be written more often than once per step.
        if interval > 0.0 && dt_fits && interval < least * (1.0 - 1e-9) {
            check.report(
                trail,
                format!("the interval {interval} s is shorter than the time step {least} s"),
                "",
            );
        }
    }
    let rotation_iterations = spec.rotation_iterations();
    if !(1..=100).contains(&rotation_iterations) {
        check.report(
            trail.key("rotation_iterations"),
            format!("the value is {rotation_iterations}, but must be from 1 to 100"),
            "1 is normally enough",
        );
    }
    let collapse_drop = spec.collapse_drop();
    if collapse_drop.is_finite() && collapse_drop > 1.0 {
        check.report(
            trail.key("collapse_drop"),
            format!("the value is {collapse_drop}, but must be a fraction of at most 1"),
            "0.2 means that a fifth of the potential energy is lost",
        );
    }
    TimeHistory {
        motions: motions(&spec.motion, &spec.motions, known.motions, trail, check),
        dt,
        adaptive,
        duration: spec.duration,
        output_every,
        scheme,
        joints: spec.joints(),
        friction_law: spec.friction_law(),
        ground: spec.ground(),
        solver: spec.solver(),
        tolerance: spec.tolerance(),
        regularisation: spec.regularisation,
        rotation_iterations: rotation_iterations as usize,
        collapse_drop,
        stop_at_collapse: spec.stop_at_collapse,
        forces_every: spec.forces_every,
        monitors: monitors(&spec.monitors, known.blocks, blocks, trail, check),
    }
}

/// Steps of changing length, if they are wanted.
fn adaptive(
    spec: &TimeHistorySpec,
    scheme: Scheme,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<Adaptive> {
    let spec = spec.adaptive.as_ref()?;
    let trail = trail.key("adaptive");
    if scheme != Scheme::Leapfrog {
        check.report(
            trail,
            "the scheme euler has no estimate of its error for steps to adapt to",
            "`scheme = \"leapfrog\"` has one",
        );
    }
    let steps = Adaptive {
        tolerance: spec.tolerance(),
        smallest: spec.smallest(),
        largest: spec.largest(),
    };
    check.numbers(spec, trail);
    let fits = [steps.tolerance, steps.smallest, steps.largest]
        .iter()
        .all(|value| value.is_finite() && *value > 0.0);
    if fits && steps.smallest > steps.largest {
        check.report(
            trail,
            format!(
                "the smallest step, {} s, is longer than the largest, {} s",
                steps.smallest, steps.largest
            ),
            "",
        );
    }
    fits.then_some(steps)
}

/// The motions that act: one by `motion`, or several by `motions`.
fn motions(
    one: &Option<String>,
    several: &Option<Vec<String>>,
    names: &Names<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<usize> {
    if one.is_some() && several.is_some() {
        check.report(
            trail.key("motion"),
            "both `motion` and `motions` are given",
            "leave one of them out",
        );
    }
    let mut found = Vec::new();
    if let Some(name) = one {
        found.extend(names.find(name, trail.key("motion"), check.faults));
    }
    let list = trail.key("motions");
    for (index, name) in several.iter().flatten().enumerate() {
        found.extend(names.find(name, list.index(index), check.faults));
    }
    found
}

fn monitors(
    specs: &[MonitorSpec],
    names: &Names<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<Monitor> {
    let list = trail.key("monitors");
    let mut used: BTreeSet<&str> = BTreeSet::new();
    let mut monitors = Vec::with_capacity(specs.len());
    for (index, monitor) in specs.iter().enumerate() {
        let trail = list.index(index);
        let name = monitor.name.as_deref().unwrap_or(&monitor.block);
        let label = trail.key(if monitor.name.is_some() {
            "name"
        } else {
            "block"
        });
        if name.is_empty() {
            check.report(label, "the name is empty", "");
        } else if name == "ground" {
            check.report(
                label,
                "the name \"ground\" is that of the ground's own columns in the results",
                "choose another name",
            );
        } else if !used.insert(name) {
            check.report(
                label,
                format!("a monitor named \"{name}\" is there already"),
                "names must be unique within the analysis",
            );
        }
        let Some(block) = names.find(&monitor.block, trail.key("block"), check.faults) else {
            continue;
        };
        let arm = arm(
            monitor.point,
            blocks[block].as_ref(),
            trail.key("point"),
            check,
        );
        monitors.push(Monitor {
            name: name.to_owned(),
            block,
            arm,
        });
    }
    monitors
}

fn rock(
    spec: &RockingSpec,
    model: &ModelSpec,
    known: &Known<'_>,
    blocks: &[Option<Block>],
    gravity: f64,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Rocking {
    let direction = check.direction(spec.direction, trail.key("direction"));
    if direction.z.abs() > 1e-9 {
        let trail = trail.key("direction");
        check.report(
            trail.index(2),
            "a block rocks along a horizontal direction",
            "make the third number zero",
        );
    }
    let (half_width, half_height) = half_sizes(spec, known.blocks, blocks, direction, trail, check);
    let initial_angle = spec.initial_angle();
    if check.finite(initial_angle, trail.key("initial_angle")) && initial_angle.abs() >= FRAC_PI_2 {
        check.report(
            trail.key("initial_angle"),
            format!("the angle is {initial_angle} rad, but must be less than a right angle"),
            "angles are in radians: 15 degrees are 0.2618",
        );
    }
    let initial_velocity = spec.initial_velocity();
    check.finite(initial_velocity, trail.key("initial_velocity"));
    if let Some(restitution) = spec.restitution
        && check.not_negative(restitution, "", trail.key("restitution"))
        && restitution > 1.0
    {
        check.report(
            trail.key("restitution"),
            format!("the value is {restitution}, but an impact cannot speed a block up: at most 1"),
            "leave it out for Housner's value",
        );
    }
    check.positive(spec.duration, "s", trail.key("duration"));
    let output_every = spec.output_every();
    if check.positive(output_every, "s", trail.key("output_every"))
        && spec.duration / output_every > MOST_OUTPUTS
    {
        check.report(
            trail.key("duration"),
            format!(
                "the duration of {} s has {:.0e} outputs, every {output_every} s",
                spec.duration,
                spec.duration / output_every
            ),
            &format!("choose `output_every` so that there are at most {MOST_OUTPUTS:.0e}"),
        );
    }
    if gravity == 0.0 {
        check.report(
            trail,
            "a block does not rock without gravity",
            "leave `gravity` out of [model], or make it positive",
        );
    }
    let motions = motions(&spec.motion, &spec.motions, known.motions, trail, check);
    for &motion in &motions {
        if let MotionSpec::Settlement(settlement) = &model.motion[motion] {
            check.report(
                trail,
                format!(
                    "the motion \"{}\" is a settlement, which the rocking equation does not know",
                    settlement.name
                ),
                "use a ground motion, or a time history",
            );
        }
    }
    Rocking {
        half_width,
        half_height,
        initial_angle,
        initial_velocity,
        restitution: spec.restitution,
        motions,
        direction,
        duration: spec.duration,
        output_every,
        gravity,
    }
}

/// Half width and half height: as given, or half the extents of the block.
fn half_sizes(
    spec: &RockingSpec,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    direction: DVec3,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> (f64, f64) {
    match (&spec.block, spec.half_width, spec.half_height) {
        (None, Some(half_width), Some(half_height)) => {
            check.positive(half_width, "m", trail.key("half_width"));
            check.positive(half_height, "m", trail.key("half_height"));
            (half_width, half_height)
        }
        (Some(name), None, None) => {
            let block = names.find(name, trail.key("block"), check.faults);
            let half = |block: &Block, axis: DVec3| {
                let along = || block.shape.vertices().map(|vertex| vertex.dot(axis));
                0.5 * (along().fold(f64::MIN, f64::max) - along().fold(f64::MAX, f64::min))
            };
            match block.and_then(|block| blocks[block].as_ref()) {
                Some(block) => (half(block, direction), half(block, DVec3::Z)),
                None => (1.0, 1.0),
            }
        }
        _ => {
            check.report(
                trail,
                "the block is given either by `block` or by both `half_width` and `half_height`",
                "e.g. half_width = 0.3, half_height = 1.0",
            );
            (1.0, 1.0)
        }
    }
}
