//! What equilibrium, limit and pushover share.

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::Known;
use crate::compile::Check;
use crate::fault::Trail;
use crate::model::Block;

/// Tolerance of equilibrium and limit analyses unless they say another: forces balance, and bounds meet, to a millionth.
pub const STATICS_TOLERANCE: f64 = 1e-6;

keys! {
    /// Two blocks between which a thrust line is drawn.
    pub struct ThrustLineSpec {
        /// Name of the block at which it begins.
        from: String { required },
        /// Name of the block at which it ends.
        to: String { required },
    }
}

keys! {
    /// A plane that cuts a structure in two.
    pub struct CuttingPlaneSpec {
        /// A point [x, y, z] of the plane.
        point: [f64; 3] { required, unit: "m" },
        /// Normal [x, y, z] of the plane, of any length: from the side that pushes to the one that is pushed.
        normal: [f64; 3] { required },
    }
}

words! {
    /// Which loads are multiplied.
    pub enum Multiplied {
        /// Live loads.
        Live = "live",
    }
}

/// What is multiplied: a body force, live loads, or both.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Growing {
    /// Unit vector of a body force as large as the weight.
    pub body: Option<DVec3>,
    /// Live loads.
    pub live: bool,
}

/// A plane that cuts a structure in two: blocks are on the side of their centroid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CuttingPlane {
    /// A point of it, m.
    pub point: DVec3,
    /// Unit vector from the side that pushes to the one that is pushed.
    pub normal: DVec3,
}

impl CuttingPlane {
    /// Whether a joint of two blocks is cut: whether it is the second one that is pushed, if so. Supports do not push each other.
    pub fn crosses(&self, blocks: [&Block; 2]) -> Option<bool> {
        let pushed = blocks.map(|block| (block.position - self.point).dot(self.normal) > 0.0);
        let held = blocks.iter().all(|block| block.support);
        (pushed[0] != pushed[1] && !held).then_some(pushed[1])
    }
}

pub(super) fn cuts(
    specs: &[CuttingPlaneSpec],
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Vec<CuttingPlane> {
    let list = trail.key("cuts");
    let plane = |(index, spec): (usize, &CuttingPlaneSpec)| {
        let trail = list.index(index);
        CuttingPlane {
            point: check.vector(spec.point, trail.key("point")),
            normal: check.direction(Some(spec.normal), trail.key("normal")),
        }
    };
    specs.iter().enumerate().map(plane).collect()
}

pub(super) fn thrust_line(
    spec: &Option<ThrustLineSpec>,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<[usize; 2]> {
    let spec = spec.as_ref()?;
    let trail = trail.key("thrust_line");
    let from = known
        .block_names
        .find(&spec.from, trail.key("from"), check.faults);
    let to = known
        .block_names
        .find(&spec.to, trail.key("to"), check.faults);
    if from == to && from.is_some() {
        check.report(
            trail,
            "it begins and ends at the same block",
            "name two blocks",
        );
    }
    Some([from?, to?])
}
