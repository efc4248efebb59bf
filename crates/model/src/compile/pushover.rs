//! Settings of a pushover.

use super::analyses::Known;
use super::check::Check;
use super::loads::arm;
use crate::fault::Trail;
use crate::model::Block;
use crate::pushover::{ControlPoint, Pushover};
use crate::spec::{ControlSpec, ModelSpec, PushoverSpec};
use crate::statics::{Growing, Multiplied};

/// Checks the settings of a pushover.
pub(super) fn pushover(
    spec: &PushoverSpec,
    model: &ModelSpec,
    known: &Known<'_>,
    blocks: &[Option<Block>],
    gravity: f64,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Pushover {
    if spec.direction.is_none() && spec.loads.is_none() {
        check.report(
            trail,
            "a pushover needs `direction`, `loads` or both",
            "by `direction`, by `loads = \"live\"`, or by both",
        );
    }
    if spec.direction.is_some() && gravity == 0.0 {
        check.report(
            trail,
            "a body force proportional to the weight needs gravity",
            "leave `gravity` out of [model], or make it positive",
        );
    }
    if spec.direction.is_none() && spec.pattern.is_some() {
        check.report(
            trail.key("pattern"),
            "`pattern` distributes a body force, but `direction` is missing",
            "write `direction`, or leave it out",
        );
    }
    if spec.loads == Some(Multiplied::Live) && !model.load.iter().any(|load| load.live) {
        check.report(
            trail.key("loads"),
            "the model has no live loads",
            "write `live = true` in the [[load]] to be multiplied",
        );
    }
    check.numbers(spec, trail);
    let increments = spec.increments();
    if !(2..=10_000).contains(&increments) {
        check.report(
            trail.key("increments"),
            format!("the value is {increments}, but must be from 2 to 10000"),
            "50 are usual",
        );
    }
    let mut direction = |value: Option<[f64; 3]>, key| {
        value.map(|value| check.direction(Some(value), trail.key(key)))
    };
    let body = direction(spec.direction, "direction");
    let control_direction = direction(spec.control_direction, "control_direction");
    Pushover {
        growing: Growing {
            body,
            live: spec.loads == Some(Multiplied::Live),
        },
        pattern: spec.pattern(),
        controls: controls(spec, known, blocks, trail, check),
        control_direction,
        step: spec.step,
        max_displacement: spec.max_displacement,
        joints: spec.joints(),
        increments,
    }
}

/// The points that are followed: one by `control`, or several by `controls`.
fn controls(
    spec: &PushoverSpec,
    known: &Known<'_>,
    blocks: &[Option<Block>],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<ControlPoint> {
    let mut found = Vec::new();
    let mut add = |control: &ControlSpec, trail: Trail<'_>| {
        let Some(block) = known
            .blocks
            .find(&control.block, trail.key("block"), check.faults)
        else {
            return;
        };
        let Some(shape) = blocks[block].as_ref() else {
            return;
        };
        if shape.support {
            check.report(
                trail.key("block"),
                format!(
                    "the block \"{}\" is a support, which does not move",
                    control.block
                ),
                "name a block that can move",
            );
        }
        let arm = arm(control.point, Some(shape), trail.key("point"), check);
        found.push(ControlPoint { block, arm });
    };
    if let Some(control) = &spec.control {
        add(control, trail.key("control"));
    }
    let list = trail.key("controls");
    for (index, control) in spec.controls.iter().flatten().enumerate() {
        add(control, list.index(index));
    }
    if spec.control.is_some() && spec.controls.is_some() {
        check.report(
            trail.key("control"),
            "both `control` and `controls` are given",
            "leave one of them out",
        );
    }
    if spec.controls.as_ref().is_some_and(Vec::is_empty) {
        check.report(list, "no point is named", "name some, or leave it out");
    }
    found
}
