//! Forces on blocks, and points that blocks carry.

use drystone_geometry::DVec3;

use super::check::Check;
use super::names::Names;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::{Block, Load};
use crate::spec::ModelSpec;

/// A point that is only watched may be farther from its block than this many times the size of the block, or it is taken for a mistake of units.
const FAR: f64 = 20.0;

/// What acts on a point outside of its block acts through an arm that is not drawn. Arms of plates, anchors and brackets are as long as this part of
/// the block; longer ones are noted, and those longer than the block itself are refused, unless it is a support.
const ARM: f64 = 0.1;

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
        let block_or_none = blocks[block].as_ref();
        let arm = match load.point {
            Some(point) => attached(point, block_or_none, "the load", trail.key("point"), check),
            None => DVec3::ZERO,
        };
        loads.push(Load {
            block,
            force,
            arm,
            live: load.live,
        });
    }
    loads
}

/// The same of a point on which something acts: it lies in its block, or near it.
pub(super) fn attached(
    point: [f64; 3],
    block: Option<&Block>,
    what: &str,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> DVec3 {
    let point = check.vector(point, trail);
    let Some(block) = block.filter(|_| point.is_finite()) else {
        return DVec3::ZERO;
    };
    let arm = point - block.position;
    let nearest = block.shape.nearest(arm);
    let distance = nearest.distance(arm);
    let size = block.shape.bounding_box().extent().max_element();
    if distance > ARM * size {
        let [x, y, z] = (nearest + block.position).to_array().map(plainly);
        let name = &block.name;
        let outside = format!("{} m outside of the block \"{name}\"", plainly(distance));
        let nearest = format!("its nearest point is [{x}, {y}, {z}]");
        // A support may stand for ground that is not drawn.
        if distance > size && !block.support {
            check.report(
                trail,
                format!("the point is {outside}, which is {} m long or high; {nearest}", plainly(size)),
                "coordinates are in metres and those of the file, not relative to the block; name the block that the point belongs to",
            );
        } else {
            check.notes.push(format!(
                "{trail}: {what} acts {outside}, as if an arm held it there; {nearest}"
            ));
        }
    }
    arm
}

/// A length to a tenth of a millimetre, or to four digits if it is smaller.
fn plainly(length: f64) -> String {
    if length.abs() >= 1e-3 || length.abs() < 1e-12 {
        // Zero has no sign.
        ((length * 1e4).round() / 1e4 + 0.0).to_string()
    } else {
        format!("{length:.3e}")
    }
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
