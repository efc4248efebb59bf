//! The question of a code as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::synthetic::Code;
use crate::assessment::Scaling;
use drystone_shaking::SoilClass;

/// What ground acceleration a mechanism bears by the rules of a code.
///
/// The capacity is that of a pushover analysis named by `pushover`, or it is given by `capacity`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct AssessmentSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the pushover analysis that gives the capacity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pushover: Option<String>,
    /// The capacity; instead of `pushover`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub capacity: Option<CapacitySpec>,
    /// Which code's spectra.
    pub code: Code,
    /// The place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<SiteSpec>,
    /// Demand at the limit state of damage; at least one of the two limit states is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub damage: Option<HazardSpec>,
    /// Demand at the limit state of life safety.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub life_safety: Option<HazardSpec>,
    /// Behaviour factor q of the check by forces at life safety; default 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0))]
    pub behaviour_factor: Option<f64>,
    /// Confidence factor; default 1.35, that of limited knowledge.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0))]
    pub confidence_factor: Option<f64>,
    /// The building below a mechanism that does not stand on the ground; default: it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub floor: Option<FloorSpec>,
    /// How the spectrum grows with the ground acceleration that is sought; default capacity: soil factor and periods grow with it. With demand the spectrum is scaled as a whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
}

/// The capacity of a mechanism, from a pushover curve.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CapacitySpec {
    /// Multiplier at which the mechanism begins.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub alpha_0: f64,
    /// Multiplier where the elastic branch meets the falling one; default: that of the straight line from `alpha_0` to zero at `d_y`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub alpha_y: Option<f64>,
    /// Displacement of the control point there, m; without it there is no elastic branch, and damage is checked by forces alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub d_y: Option<f64>,
    /// Displacement of the control point at which the multiplier is zero, m; without it life safety is checked by forces alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub d_0: Option<f64>,
    /// Participating fraction e* of the mass.
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1.0))]
    pub participation: f64,
    /// Factor Gamma* by which displacements of the control point become those of the equivalent oscillator; needed with `d_y` and `d_0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub gamma: Option<f64>,
    /// Points [displacement in m, multiplier] of the curve; default: straight from the origin to the peak and on to zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub curve: Option<Vec<[f64; 2]>>,
    /// Period at life safety, s; default: that of the curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub period_life_safety: Option<f64>,
}

/// The place where a structure stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SiteSpec {
    /// Ground type or soil category; default A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soil: Option<SoilClass>,
    /// Factor of the soil; default: that of the code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub soil_factor: Option<f64>,
    /// Topographic factor `S_T` of the Italian code: 1 for category T1, 1.2 for T2 and T3, 1.4 for T4; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1.0, max = 1.4))]
    pub topography: Option<f64>,
    /// Type of the spectrum of Eurocode 8, 1 or 2; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectrum_type: Option<u32>,
}

/// Ground motion of a limit state.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HazardSpec {
    /// Ground acceleration on rock, m/s².
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub ag: f64,
    /// Largest amplification `F_0` of the Italian code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub f0: Option<f64>,
    /// Period `T_C*` of the Italian code, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub tc_star: Option<f64>,
    /// Damping of the mechanism, as a part of the critical one; default 0.05 at damage, 0.08 at life safety.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub damping: Option<f64>,
}

/// A building that carries a mechanism at a height.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FloorSpec {
    /// Height of the mechanism's base above the foundation, m; mechanisms on the ground have no floor.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub z: f64,
    /// Height of the building, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: f64,
    /// First period of the building in the direction of the mechanism, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub period: f64,
    /// Number of storeys, from which the factor of participation of the first mode follows: 3 n / (2 n + 1); default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub storeys: Option<u32>,
    /// Modes [period in s, factor of participation, shape at `z`] instead of the first one with a straight shape z / height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub modes: Option<Vec<[f64; 3]>>,
    /// Damping of the building, as a part of the critical one; default 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub damping: Option<f64>,
}
