//! How loads grow and fall with the displacement of a structure.

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::statics::{Growing, Multiplied};
use super::{Joints, Known};
use crate::compile::{Check, arm};
use crate::fault::Trail;
use crate::model::Block;
use crate::spec::InterfaceSpec;

keys! {
    /// A point whose displacement is followed.
    pub struct ControlSpec {
        /// Name of the block.
        block: String { required },
        /// Point [x, y, z] that the block carries, in the initial configuration.
        point: [f64; 3] { optional, unit: "m", otherwise: "its centroid" },
    }
}

keys! {
    /// How loads grow and fall with the displacement of the structure.
    ///
    /// Needs `direction`, `loads` or both.
    pub struct PushoverSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Direction [x, y, z] of a body force, of any length.
        direction: [f64; 3] { optional },
        /// How the body force is spread over blocks.
        pattern: Pattern { optional, default: Pattern::Weight },
        /// "live": the live loads grow.
        loads: Multiplied { optional },
        /// Point whose displacement is followed.
        control: ControlSpec { optional, otherwise: "the one that moves farthest" },
        /// Several points, of whose displacements the mean is taken; instead of `control`.
        controls: Vec<ControlSpec> { optional },
        /// Direction [x, y, z] along which displacements are measured.
        control_direction: [f64; 3] { optional, otherwise: "that of what grows" },
        /// Step of the displacement on the rigid branch.
        step: f64 { optional, unit: "m", above: 0.0, otherwise: "a hundredth of the smallest block" },
        /// Displacement at which to stop.
        max_displacement: f64 { optional, unit: "m", above: 0.0, otherwise: "where the multiplier is zero" },
        /// Displacement at which the structure is lost whatever its multiplier, such as the seat of a beam: the curve ends there.
        d_ultimate: f64 { optional, unit: "m", above: 0.0, otherwise: "the last displacement in equilibrium" },
        /// Elastic: the rising branch is found as well, by the stiffness of interfaces and ties.
        joints: Joints { optional, default: Joints::Rigid },
        /// Load increments of the rising branch.
        increments: u32 { optional, least: 2, most: 10000, help: "50 are usual", default: 50 },
    }
}

words! {
    /// How a body force is spread over the blocks.
    pub enum Pattern = Weight {
        /// In proportion to their weights.
        Weight = "weight",
        /// In proportion to weight times height of the centroid above the lowest point of what can move; in all as large as the weight.
        Height = "height",
    }
}

/// A point of a block whose displacement is followed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ControlPoint {
    /// Index into [`crate::Model::blocks`].
    pub block: usize,
    /// The point minus the centroid in the initial configuration, m.
    pub arm: DVec3,
}

/// Settings of a pushover.
#[derive(Debug, Clone, PartialEq)]
pub struct Pushover {
    /// What is multiplied.
    pub growing: Growing,
    /// How the body force is spread.
    pub pattern: Pattern,
    /// The displacement is the mean over these; empty: that of the point that moves farthest.
    pub controls: Vec<ControlPoint>,
    /// Unit vector along which displacements are measured; absent: that of what grows.
    pub control_direction: Option<DVec3>,
    /// Step of the displacement on the rigid branch, m; absent: chosen by the size of the blocks.
    pub step: Option<f64>,
    /// Displacement at which to stop, m; absent: where the multiplier is zero.
    pub max_displacement: Option<f64>,
    /// Displacement at which the structure is lost whatever its multiplier, m.
    pub d_ultimate: Option<f64>,
    /// Elastic: the rising branch is found too.
    pub joints: Joints,
    /// Load increments of the elastic branch, up to the multiplier of the rigid limit.
    pub increments: u32,
}

impl Pushover {
    /// Displacement at which the curve ends at the latest, m.
    pub fn last_displacement(&self) -> Option<f64> {
        let ends = [self.max_displacement, self.d_ultimate];
        ends.into_iter().flatten().reduce(f64::min)
    }
}

/// Checks the settings of a pushover.
pub(super) fn pushover(
    spec: &PushoverSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Pushover {
    let Known {
        model,
        blocks,
        gravity,
        ..
    } = *known;
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
    let bonded = |interface: &InterfaceSpec| {
        interface.cohesion() > 0.0 || interface.tensile_strength() > 0.0
    };
    if model.interface.iter().any(bonded) {
        check.report(
            trail,
            "an interface has `cohesion` or `tensile_strength`, and a pushover does not follow how mortar breaks",
            "ask `limit` for the multiplier at which a structure with mortar begins to move, or leave both keys out",
        );
    }
    check.numbers(spec, trail);
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
        d_ultimate: spec.d_ultimate,
        joints: spec.joints(),
        increments: spec.increments(),
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
            .block_names
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
