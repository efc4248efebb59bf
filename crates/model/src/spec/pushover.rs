//! A pushover as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::Joints;
use crate::pushover::Pattern;
use crate::statics::Multiplied;

/// A point whose displacement is followed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ControlSpec {
    /// Name of the block.
    pub block: String,
    /// Point [x, y, z] that the block carries, in the initial configuration, m; default its centroid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
}

/// How loads grow and fall with the displacement of the structure.
///
/// What grows is said by `direction`, by `loads`, or by both.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct PushoverSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Direction [x, y, z] of a body force, of any length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// How the body force is spread over blocks; default weight.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<Pattern>,
    /// "live": the live loads grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loads: Option<Multiplied>,
    /// Point whose displacement is followed; default: the one that moves farthest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control: Option<ControlSpec>,
    /// Several points, of whose displacements the mean is taken; instead of `control`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub controls: Option<Vec<ControlSpec>>,
    /// Direction [x, y, z] along which displacements are measured; default that of what grows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub control_direction: Option<[f64; 3]>,
    /// Step of the displacement on the rigid branch, m; default a hundredth of the smallest block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub step: Option<f64>,
    /// Displacement at which to stop, m; default: where the multiplier is zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_displacement: Option<f64>,
    /// Elastic: the rising branch is found as well, by the stiffness of interfaces and ties; default rigid: the falling one alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Joints>,
    /// Load increments of the rising branch; default 50.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 10000))]
    pub increments: Option<u32>,
}
