//! The model as written: what a model file says, before anything is checked or computed.
//!
//! Field names are the keys of the file. An absent value means the default that its documentation states; defaults are
//! applied when the model is compiled, so that a file is written back as it was read.

mod analysis;
mod assessment;
mod campaign;
mod generate;
mod import;
mod motion;
mod pushover;
mod statics;
mod synthetic;

pub use analysis::{AdaptiveSpec, AnalysisSpec, MonitorSpec, RockingSpec, TimeHistorySpec};
pub use assessment::{AssessmentSpec, CapacitySpec, FloorSpec, HazardSpec, SiteSpec};
pub use campaign::{
    DamageSpec, FailureDomainSpec, FragilitySpec, IntensityWord, SweepSpec, VarySpec,
};
pub use generate::{
    Axis, BumpsSpec, CutSpec, GenerateSpec, PlacingSpec, RepeatSpec, SetSpec, StructureSpec,
};
pub use import::{ImportSpec, LayerSpec, Up};
pub use motion::{
    ComponentSpec, MotionSpec, PulseSpec, RecordSpec, SaSpec, SettlementSpec, SineSpec,
};
pub use pushover::{ControlSpec, PushoverSpec};
pub use statics::{EquilibriumSpec, GivingWaySpec, LimitSpec, ThrustLineSpec, TieSpec};
pub use synthetic::{Code, CodeSpectrumSpec, StochasticSpec};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A model of dry masonry: blocks, what acts on them, and what is asked. SI units, z up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ModelSpec {
    /// General settings.
    #[serde(default)]
    pub model: GeneralSpec,
    /// Materials.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub material: Vec<MaterialSpec>,
    /// How materials meet. The last interface that matches a pair of materials holds.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub interface: Vec<InterfaceSpec>,
    /// Rigid convex blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub block: Vec<BlockSpec>,
    /// Blocks from drawings. They come after those above.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub import: Vec<ImportSpec>,
    /// Blocks of parametric structures. They come after those of drawings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub generate: Vec<GenerateSpec>,
    /// Forces on blocks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub load: Vec<LoadSpec>,
    /// Ties.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie: Vec<TieSpec>,
    /// Ground motions and settlements.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub motion: Vec<MotionSpec>,
    /// The questions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub analysis: Vec<AnalysisSpec>,
}

/// General settings of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GeneralSpec {
    /// Name for reports; default: the name of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Acceleration of gravity along -z, m/s²; default 9.81.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub gravity: Option<f64>,
    /// Makes the model planar; default: blocks move in space.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plane: Option<Plane>,
    /// The model has no supports on purpose, e.g. for free flight; default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub floating: bool,
}

/// The plane of a planar model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Plane {
    /// Free in x, z and the rotation about y.
    Xz,
    /// Free in y, z and the rotation about x.
    Yz,
}

/// A material.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MaterialSpec {
    /// Unique name.
    pub name: String,
    /// Mass per volume, kg/m³; greater than zero.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub density: f64,
}

/// How two materials meet.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct InterfaceSpec {
    /// Names of the two materials in any order; "*" is any material.
    pub between: [String; 2],
    /// In which joints this holds: bed joints, whose normal is within 45 degrees of the vertical in the initial configuration, or the others; default all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<WhichJoints>,
    /// Coulomb coefficient of friction.
    #[schemars(range(min = 0.0))]
    pub friction: f64,
    /// Normal stiffness per area of joint, N/m³; analyses with elastic joints need it, others do not use it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub normal_stiffness: Option<f64>,
    /// Shear stiffness per area of joint, N/m³; default: the normal one over 2.4.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub shear_stiffness: Option<f64>,
    /// Stress at which the joint crushes, Pa; default: never.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub compressive_strength: Option<f64>,
    /// Parts into which joints are divided along their sides in the elastic branch of a pushover, from 1 to 64; default 1: their corners alone carry.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 64))]
    pub subdivisions: Option<u32>,
}

/// Joints by the way they lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum WhichJoints {
    /// Bed joints.
    Bed,
    /// Head joints and all others that stand.
    Head,
    /// Both.
    All,
}

/// A rigid convex block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BlockSpec {
    /// Unique name; default: b1, b2, ... by the position in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the material.
    pub material: String,
    /// Follows the ground instead of moving freely; default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub support: bool,
    /// Free word by which programs and reports put blocks together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Corners [x, y, z], m; at least four that do not lie in one plane.
    #[schemars(length(min = 4))]
    pub vertices: Vec<[f64; 3]>,
    /// Faces as positions in `vertices` from 0, counter-clockwise seen from outside; default: the convex hull.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub faces: Option<Vec<Vec<u32>>>,
    /// Initial velocity of the centroid relative to the ground, m/s; default zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<[f64; 3]>,
    /// Initial angular velocity, rad/s; default zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub angular_velocity: Option<[f64; 3]>,
    /// Mass, kg; default: density times volume.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mass: Option<f64>,
    /// Centre of mass [x, y, z], m; default: that of the shape.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centroid: Option<[f64; 3]>,
    /// Entries [xx, yy, zz, xy, xz, yz] of the inertia tensor about the centroid in the axes of the file, kg m² (xy is
    /// minus the integral of x y dm); default: that of the shape, in proportion to the mass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inertia: Option<[f64; 6]>,
}

/// A force on a block, constant in size and direction; its point moves with the block.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LoadSpec {
    /// Name of the block.
    pub block: String,
    /// Force [x, y, z], N.
    pub force: [f64; 3],
    /// Point of application [x, y, z], m; default: the centroid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
    /// A live load, which limit and pushover analyses multiply; default false: a dead load. In a time history both act.
    #[serde(default, skip_serializing_if = "is_false")]
    pub live: bool,
}

pub(crate) fn is_false(flag: &bool) -> bool {
    !flag
}

impl BlockSpec {
    /// A box with edges along the axes, between two opposite corners (m).
    pub fn cuboid(name: &str, material: &str, min: [f64; 3], max: [f64; 3]) -> Self {
        let pick = |corner: usize, axis: usize| {
            if corner >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        Self {
            name: Some(name.to_owned()),
            material: material.to_owned(),
            vertices: (0..8)
                .map(|corner| [pick(corner, 0), pick(corner, 1), pick(corner, 2)])
                .collect(),
            ..Self::default()
        }
    }

    /// The same block as a support.
    pub fn supported(mut self) -> Self {
        self.support = true;
        self
    }
}

/// Why a model could not be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// The TOML writer refused.
    #[error("the model cannot be written as TOML: {0}")]
    Toml(#[from] toml::ser::Error),
    /// The JSON writer refused.
    #[error("the model cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
}

impl ModelSpec {
    /// The model as the text of a TOML file.
    pub fn to_toml(&self) -> Result<String, WriteError> {
        Ok(toml::to_string(self)?)
    }

    /// The model as the text of a JSON file.
    pub fn to_json(&self) -> Result<String, WriteError> {
        Ok(serde_json::to_string_pretty(self)?)
    }
}
