//! Forces on blocks, and points that blocks carry.

use drystone_geometry::DVec3;

use super::check::Check;
use super::names::Names;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::{Block, Load};
use crate::spec::ModelSpec;

/// A point farther from its block than this many times the size of the block is taken for a mistake of units.
const FAR: f64 = 20.0;

/// Checks the loads.
pub(super) fn loads(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    check: &mut Check<'_>,
) -> Vec<Load> {
    let mut loads = Vec::with_capacity(spec.load.len());
    for (item, load) in spec.load.iter().enumerate() {
        if broken.has(Section::Load, item) {
            continue;
        }
        let trail = Trail::item(Section::Load, item, None);
        let force = check.translation(load.force, trail.key("force"));
        let Some(block) = names.find(&load.block, trail.key("block"), check.faults) else {
            continue;
        };
        if spec.block[block].support {
            check.report(
                trail.key("block"),
                format!(
                    "the block \"{}\" is a support, on which a force does nothing",
                    load.block
                ),
                "name a block that can move",
            );
        }
        let arm = arm(
            load.point,
            blocks[block].as_ref(),
            trail.key("point"),
            check,
        );
        loads.push(Load {
            block,
            force,
            arm,
            live: load.live,
        });
    }
    loads
}

/// The point minus the centroid of the block that carries it; zero where absent.
pub(crate) fn arm(
    point: Option<[f64; 3]>,
    block: Option<&Block>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> DVec3 {
    let Some(point) = point else {
        return DVec3::ZERO;
    };
    let point = check.vector(point, trail);
    // A block at fault has no centroid; the model will not be made anyway.
    let Some(block) = block else {
        return DVec3::ZERO;
    };
    let arm = point - block.position;
    let size = block.shape.radius();
    if arm.is_finite() && arm.length() > FAR * size {
        check.report(
            trail,
            format!(
                "the point is {:.4} m from the centroid of the block \"{}\", which reaches only {size:.4} m",
                arm.length(),
                block.name
            ),
            "coordinates are in metres and those of the file, not relative to the block",
        );
    }
    arm
}
