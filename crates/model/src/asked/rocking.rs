//! The equation of motion of a single rocking block.

use std::f64::consts::FRAC_PI_2;

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::{Known, motions};
use crate::compile::{Check, Names};
use crate::fault::Trail;
use crate::model::Block;
use crate::spec::MotionSpec;

/// Outputs of a rocking block at most, which are kept in memory.
const MOST_OUTPUTS: f64 = 1e7;

keys! {
    /// The equation of motion of a single rocking block, given by `block` or by `half_width` and `half_height`.
    pub struct RockingSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the block whose extents along `direction` and z are meant.
        block: String { optional },
        /// Half of the width of the base, m; instead of `block`.
        half_width: f64 { optional, unit: "m", above: 0.0 },
        /// Half of the height, m; instead of `block`.
        half_height: f64 { optional, unit: "m", above: 0.0 },
        /// Horizontal direction [x, y, 0] of positive rotation and ground motion, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
        /// Initial rotation.
        initial_angle: f64 { optional, unit: "rad", default: 0.0 },
        /// Initial angular velocity.
        initial_velocity: f64 { optional, unit: "rad/s", default: 0.0 },
        /// Factor on the speed at an impact, from 0 to 1.
        restitution: f64 { optional, least: 0.0, most: 1.0, help: "an impact cannot speed a block up; leave it out for Housner's value", otherwise: "Housner's `1 - 3/2 sin² alpha`" },
        /// Name of the motion that acts.
        motion: String { optional, otherwise: "none" },
        /// Names of several motions, which add up; instead of `motion`.
        motions: Vec<String> { optional },
        /// Time to simulate.
        duration: f64 { required, unit: "s", above: 0.0 },
        /// Interval of output.
        output_every: f64 { optional, unit: "s", above: 0.0, default: 0.01 },
    }
}

/// Settings of the rocking-block analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Rocking {
    /// Half width of the base, m.
    pub half_width: f64,
    /// Half height, m.
    pub half_height: f64,
    /// Initial rotation, rad.
    pub initial_angle: f64,
    /// Initial angular velocity, rad/s.
    pub initial_velocity: f64,
    /// Factor on the speed at an impact; absent: Housner's `1 - 3/2 sin² alpha`.
    pub restitution: Option<f64>,
    /// Indices into [`crate::Model::motions`]; the component along `direction` acts.
    pub motions: Vec<usize>,
    /// Unit vector: positive rotation and positive ground motion.
    pub direction: DVec3,
    /// s.
    pub duration: f64,
    /// s.
    pub output_every: f64,
    /// Gravity, m/s².
    pub gravity: f64,
}

pub(super) fn rocking(
    spec: &RockingSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Rocking {
    let Known {
        model,
        blocks,
        gravity,
        ..
    } = *known;
    let direction = check.direction(spec.direction, trail.key("direction"));
    if direction.z.abs() > 1e-9 {
        let trail = trail.key("direction");
        check.report(
            trail.index(2),
            "a block rocks along a horizontal direction",
            "make the third number zero",
        );
    }
    let (half_width, half_height) =
        half_sizes(spec, known.block_names, blocks, direction, trail, check);
    let initial_angle = spec.initial_angle();
    check.numbers(spec, trail);
    if initial_angle.is_finite() && initial_angle.abs() >= FRAC_PI_2 {
        check.report(
            trail.key("initial_angle"),
            format!("the angle is {initial_angle} rad, but must be less than a right angle"),
            "angles are in radians: 15 degrees are 0.2618",
        );
    }
    let output_every = spec.output_every();
    let outputs = spec.duration / output_every;
    if output_every > 0.0 && spec.duration.is_finite() && outputs > MOST_OUTPUTS {
        check.report(
            trail.key("duration"),
            format!(
                "the duration of {} s has {:.0e} outputs, every {output_every} s",
                spec.duration, outputs
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
    let motions = motions(
        &spec.motion,
        &spec.motions,
        known.motion_names,
        trail,
        check,
    );
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
        initial_velocity: spec.initial_velocity(),
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
        (None, Some(half_width), Some(half_height)) => (half_width, half_height),
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
