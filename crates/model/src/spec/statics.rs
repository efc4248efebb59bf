//! Ties, and questions of statics as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::model::{FrictionLaw, Joints};
use crate::statics::Multiplied;

/// A tie between two blocks, or between a block and the ground: it pulls and never pushes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TieSpec {
    /// Name for results; default: tie1, tie2, ... by the position in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Names of the two blocks; "ground" for an end that is held, where no block has that name.
    pub blocks: [String; 2],
    /// The two ends [x, y, z], m.
    pub points: [[f64; 3]; 2],
    /// Force per elongation, N/m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub stiffness: f64,
    /// Force at which it yields, N.
    #[serde(rename = "yield")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub yield_force: f64,
    /// Elongation at which it breaks, m; default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub max_elongation: Option<f64>,
    /// Tension at the start by which it is post-tensioned, N, at most `yield`; default 0. Time histories start with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0))]
    pub initial_force: Option<f64>,
}

/// Two blocks between which a thrust line is drawn.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ThrustLineSpec {
    /// Name of the block at which it begins.
    pub from: String,
    /// Name of the block at which it ends.
    pub to: String,
}

/// Supports that give way in a direction.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivingWaySpec {
    /// Names of the supports.
    pub supports: Vec<String>,
    /// Direction [x, y, z] of the settlement, of any length.
    pub displacement: [f64; 3],
}

/// Whether the structure stands, and how its joints carry it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct EquilibriumSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Factor on the weight along `direction` and on live loads; default 0: dead loads alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiplier: Option<f64>,
    /// Direction [x, y, z] of a body force that is `multiplier` times the weight; default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// "live": live loads act, times `multiplier`. Default where there is no `direction`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loads: Option<Multiplied>,
    /// By which stiffness forces are shared between contacts: elastic takes that of interfaces, rigid the same everywhere; default rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Joints>,
    /// Draws the line of thrust between two blocks, and the extreme ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thrust_line: Option<ThrustLineSpec>,
    /// Largest force out of balance, relative to the mean load of a block, at which a structure counts as standing; default 1e-6.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e-2))]
    pub tolerance: Option<f64>,
}

/// How far loads can grow until the structure becomes a mechanism.
///
/// What grows is said by `direction`, by `loads`, by both of these, or by one of `tilt`, `directions` and `settlement`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct LimitSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Direction [x, y, z] of a body force proportional to the weight, of any length.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// "live": the live loads grow.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loads: Option<Multiplied>,
    /// Horizontal axis [x, y, 0] about which the base is tilted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tilt: Option<[f64; 3]>,
    /// Number of horizontal directions around the compass, for each of which the limit is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2, max = 3600))]
    pub directions: Option<u32>,
    /// Supports that give way: the force with which they must at least be held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub settlement: Option<GivingWaySpec>,
    /// Law of friction; default associated. With coulomb a second estimate without dilatancy is made and reported beside the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_law: Option<FrictionLaw>,
    /// Draws the line of thrust of the limit state between two blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thrust_line: Option<ThrustLineSpec>,
    /// Largest relative residual at which an answer counts, and largest distance of both bounds, over the multiplier; default 1e-6. The
    /// solver aims at a hundredth of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1e-9, max = 1e-2))]
    pub tolerance: Option<f64>,
}
