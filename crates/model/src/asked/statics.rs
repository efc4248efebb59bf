//! What equilibrium, limit and pushover share.

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::Known;
use crate::compile::Check;
use crate::fault::Trail;

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
