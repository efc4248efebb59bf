//! Questions as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::assessment::AssessmentSpec;
use super::campaign::{FailureDomainSpec, FragilitySpec, SweepSpec};
use super::pushover::PushoverSpec;
use super::statics::{EquilibriumSpec, LimitSpec};
use crate::model::{FrictionLaw, Ground, Joints, Scheme, Solver, Tolerance};

/// A question to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysisSpec {
    /// Motion in time by contact dynamics.
    TimeHistory(TimeHistorySpec),
    /// The equation of motion of a single rocking block.
    Rocking(RockingSpec),
    /// Whether the structure stands, and how its joints carry it.
    Equilibrium(EquilibriumSpec),
    /// How far loads can grow.
    Limit(LimitSpec),
    /// How loads grow and fall with the displacement.
    Pushover(PushoverSpec),
    /// What a code says of a capacity.
    Assessment(AssessmentSpec),
    /// Many runs with values of the model changed.
    Sweep(SweepSpec),
    /// Many runs over a plane of two values.
    FailureDomain(FailureDomainSpec),
    /// Many runs with earthquakes of rising intensity.
    Fragility(FragilitySpec),
}

/// Motion in time by contact dynamics.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct TimeHistorySpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the motion that acts; default: only gravity and loads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Names of several motions, which add up; instead of `motion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motions: Option<Vec<String>>,
    /// Time step, s; default 0.001.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: Option<f64>,
    /// Steps whose length follows the motion, `dt` being the first; default: all steps are `dt`. Not with the scheme euler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adaptive: Option<AdaptiveSpec>,
    /// Time to simulate, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Interval of output, s; default 0.01, or the time step if that is longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub output_every: Option<f64>,
    /// Time-stepping scheme; default leapfrog, of second order. The papers use euler.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<Scheme>,
    /// Whether joints give way by the stiffness of their interfaces; default rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<Joints>,
    /// Law of friction; default associated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub friction_law: Option<FrictionLaw>,
    /// How ground motion is applied; default inertia. Both give the same answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ground: Option<Ground>,
    /// Solver of the step problem; default automatic.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solver: Option<Solver>,
    /// Accuracy of the step problem; default default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<Tolerance>,
    /// Numerical stiffness of each contact point that makes impulses unique, N/m; default: rigid.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub regularisation: Option<f64>,
    /// Quasi-Newton iterations for rotations per step; default 1, which is normally enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100))]
    pub rotation_iterations: Option<u32>,
    /// Loss of potential energy above the foundation that counts as collapse, as a fraction; default 0.2.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0), range(max = 1.0))]
    pub collapse_drop: Option<f64>,
    /// End the run at collapse; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub stop_at_collapse: bool,
    /// Interval of contact-force output, s; default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub forces_every: Option<f64>,
    /// Points whose displacement is recorded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub monitors: Vec<MonitorSpec>,
}

/// Steps whose length follows the motion.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AdaptiveSpec {
    /// Error of position that a step may make by the estimate of the scheme, m; default 1e-6.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub tolerance: Option<f64>,
    /// Shortest step, s; default 5e-5. It is taken whatever the error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub smallest: Option<f64>,
    /// Longest step, s; default 5e-3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub largest: Option<f64>,
}

/// A point whose displacement is recorded.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct MonitorSpec {
    /// Unique name within the analysis; default: the name of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the block that carries the point.
    pub block: String,
    /// The point [x, y, z] in the initial configuration, m; default: the centroid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub point: Option<[f64; 3]>,
}

/// The equation of motion of a single rocking block, given by `block` or by `half_width` and `half_height`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RockingSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the block whose extents along `direction` and z are meant.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// Half of the width of the base, m; instead of `block`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub half_width: Option<f64>,
    /// Half of the height, m; instead of `block`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub half_height: Option<f64>,
    /// Horizontal direction [x, y, 0] of positive rotation and ground motion, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// Initial rotation, rad; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_angle: Option<f64>,
    /// Initial angular velocity, rad/s; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub initial_velocity: Option<f64>,
    /// Factor on the speed at an impact, from 0 to 1; default: Housner's `1 - 3/2 sin² alpha`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub restitution: Option<f64>,
    /// Name of the motion that acts; default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<String>,
    /// Names of several motions, which add up; instead of `motion`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motions: Option<Vec<String>>,
    /// Time to simulate, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Interval of output, s; default 0.01.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub output_every: Option<f64>,
}

impl Default for AnalysisSpec {
    fn default() -> Self {
        Self::TimeHistory(TimeHistorySpec::default())
    }
}

impl AnalysisSpec {
    /// The name of the analysis.
    pub fn name(&self) -> &str {
        match self {
            Self::TimeHistory(spec) => &spec.name,
            Self::Rocking(spec) => &spec.name,
            Self::Equilibrium(spec) => &spec.name,
            Self::Limit(spec) => &spec.name,
            Self::Pushover(spec) => &spec.name,
            Self::Assessment(spec) => &spec.name,
            Self::Sweep(spec) => &spec.name,
            Self::FailureDomain(spec) => &spec.name,
            Self::Fragility(spec) => &spec.name,
        }
    }

    /// Whether it is made of many runs of another one.
    pub fn is_campaign(&self) -> bool {
        matches!(
            self,
            Self::Sweep(_) | Self::FailureDomain(_) | Self::Fragility(_)
        )
    }
}
