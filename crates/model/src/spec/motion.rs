//! Excitations as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::synthetic::{CodeSpectrumSpec, StochasticSpec};
use drystone_shaking::{Baseline, Channel};

/// A ground motion, or a settlement of supports.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum MotionSpec {
    /// Ground acceleration `a sin(pi t / t_p)` for two half-periods `t_p`.
    OneSine(PulseSpec),
    /// Ground acceleration `a` for `t_p`, then `-a/2` for `2 t_p`.
    Biphasic(PulseSpec),
    /// Ground acceleration `a` for `t_p`.
    Rectangular(PulseSpec),
    /// Ground acceleration `a sin(2 pi f t)` for a duration; the ground starts from rest.
    Sine(SineSpec),
    /// Recorded ground acceleration.
    Record(RecordSpec),
    /// Ground acceleration of a stochastic model.
    Stochastic(StochasticSpec),
    /// Ground acceleration that meets the spectrum of a code.
    CodeSpectrum(CodeSpectrumSpec),
    /// Supports move to a new place relative to the ground and stay there.
    Settlement(SettlementSpec),
}

/// A pulse of the ground.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct PulseSpec {
    /// Unique name.
    pub name: String,
    /// Ground acceleration, m/s².
    pub amplitude: f64,
    /// Half-period `t_p`, s; the duration of the first pulse for rectangular and biphasic.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub half_period: f64,
    /// Direction [x, y, z] of positive acceleration, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
}

/// A steady sine of the ground.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SineSpec {
    /// Unique name.
    pub name: String,
    /// Ground acceleration, m/s²; or give `displacement_amplitude`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amplitude: Option<f64>,
    /// Amplitude `d` of the oscillation of the ground, m; the acceleration is `(2 pi f)² d`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displacement_amplitude: Option<f64>,
    /// Frequency `f`, Hz.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub frequency: f64,
    /// How long it lasts, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
    /// Direction [x, y, z] of positive acceleration, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
}

/// A recorded accelerogram: one component by `path` and `direction`, or up to three by `components`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RecordSpec {
    /// Unique name.
    pub name: String,
    /// File of a record, relative to the folder of the model file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// Which component of the file, by number from 1 or by name; default: its only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Channel>,
    /// Direction [x, y, z] of positive acceleration, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
    /// Components of a record in several files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = 3))]
    pub components: Vec<ComponentSpec>,
    /// Angle by which the directions of all components are turned about z, degrees, counter-clockwise from above.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate_degrees: Option<f64>,
    /// Time step, s, for files that do not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: Option<f64>,
    /// Polynomial that is taken from every component so that the ground ends at rest; default none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// Part of the duration over which values rise from zero and fall to zero at the ends, 0 to 0.5; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0, "maximum" = 0.5))]
    pub taper: Option<f64>,
    /// Factor on the recorded values; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Largest absolute acceleration after scaling, m/s²; instead of `scale`, for one component.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub pga: Option<f64>,
    /// Spectral acceleration after scaling; instead of `scale`, for one component.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sa: Option<SaSpec>,
}

/// One component of a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComponentSpec {
    /// File, relative to the folder of the model file.
    pub path: String,
    /// Which component of the file, by number from 1 or by name; default: its only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub component: Option<Channel>,
    /// Direction [x, y, z] of positive acceleration, of any length.
    pub direction: [f64; 3],
    /// Factor on the recorded values; default: that of the record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scale: Option<f64>,
    /// Largest absolute acceleration of this component after scaling, m/s²; instead of `scale`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub pga: Option<f64>,
    /// Spectral acceleration after scaling; instead of `scale`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sa: Option<SaSpec>,
}

/// A pseudo-acceleration that a record is scaled to.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SaSpec {
    /// Period of the oscillator, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub period: f64,
    /// Its pseudo-acceleration after scaling, m/s².
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub value: f64,
    /// Its damping, as a part of the critical one; default 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0, "exclusiveMaximum" = 1.0))]
    pub damping: Option<f64>,
}

/// A settlement of supports.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SettlementSpec {
    /// Unique name.
    pub name: String,
    /// Names of the supports that move; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports: Option<Vec<String>>,
    /// Final displacement [x, y, z], m; default zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub displacement: Option<[f64; 3]>,
    /// Final rotation vector [x, y, z], rad; default zero.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<[f64; 3]>,
    /// Point [x, y, z] about which the supports rotate together, m; default: their common centroid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centre: Option<[f64; 3]>,
    /// How long it takes, s; the movement is half a cosine wave in time.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: f64,
}

impl Default for MotionSpec {
    fn default() -> Self {
        Self::OneSine(PulseSpec::default())
    }
}

impl MotionSpec {
    /// The name of the motion.
    pub fn name(&self) -> &str {
        match self {
            Self::OneSine(spec) | Self::Biphasic(spec) | Self::Rectangular(spec) => &spec.name,
            Self::Sine(spec) => &spec.name,
            Self::Record(spec) => &spec.name,
            Self::Stochastic(spec) => &spec.name,
            Self::CodeSpectrum(spec) => &spec.name,
            Self::Settlement(spec) => &spec.name,
        }
    }
}
