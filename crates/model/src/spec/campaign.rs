//! Questions that are many runs of another one, as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::campaign::{DamageMeasure, Intervals, Method, Samples, VaryValue};

/// A value of the model that changes from run to run: over `values`, over `count` values from `from` to `to`, or, for samples, anywhere between the two.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VarySpec {
    /// Path of the value in the file, e.g. `generate.thickness`, `interface[*].friction`, `motion.NAME.amplitude`.
    pub key: String,
    /// The values: numbers, words or true and false; paths of files count from the folder of the model file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<VaryValue>>,
    /// First value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<f64>,
    /// Last value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<f64>,
    /// How many values, both ends included; not for samples.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 2))]
    pub count: Option<u32>,
    /// Equal ratios instead of equal steps between `from` and `to`; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub logarithmic: bool,
}

/// Any values of the model over lists, ranges or samples, for studies of sensitivity.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct SweepSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the analysis that is run.
    pub of: String,
    /// What varies.
    #[schemars(length(min = 1))]
    pub vary: Vec<VarySpec>,
    /// How values are combined; default grid, all with all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub samples: Option<Samples>,
    /// Number of runs of latin_hypercube and sobol.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub count: Option<u32>,
    /// Seed of latin_hypercube; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
}

/// Where in the plane of two values, such as half-period and amplitude of a pulse, the structure collapses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct FailureDomainSpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the analysis that is run.
    pub of: String,
    /// First value, e.g. the half-period.
    pub x: VarySpec,
    /// Second value, e.g. the amplitude, in rising order; the boundary is looked for along it.
    pub y: VarySpec,
    /// Also with the opposite sign of `y`; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub both_directions: bool,
    /// What else varies: one domain for each combination.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<VarySpec>,
    /// Time that runs go on after their motion has ended, s; default: the duration of the analysis.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0))]
    pub after_motion: Option<f64>,
    /// Runs only the points that the boundary needs, far fewer than the grid has; default false.
    #[serde(default, skip_serializing_if = "super::is_false")]
    pub refine: bool,
    /// Name of a rocking analysis whose boundary is drawn along.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rocking: Option<String>,
    /// Name of a limit analysis whose multiplier is drawn along, times gravity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<String>,
}

/// The probability of collapse or damage against the intensity of earthquakes.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct FragilitySpec {
    /// Unique name; results go to a folder of this name.
    pub name: String,
    /// Name of the time history or rocking analysis that is run; it names one motion, in whose place all of these act.
    pub of: String,
    /// Names of the motions, records or made up.
    #[schemars(length(min = 1))]
    pub motions: Vec<String>,
    /// How many motions are made from each one that is made up, with seeds counted up from its own; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub realisations: Option<u32>,
    /// What motions are scaled by; default pga.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intensity: Option<IntensityWord>,
    /// Period of sa, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub period: Option<f64>,
    /// Intensities that every motion is scaled to, m/s² for pga and sa, m/s for pgv; not for cloud, whose motions stay as they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intensities: Option<Vec<f64>>,
    /// Which runs are made and how the curve is fitted; default stripes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<Method>,
    /// States of damage beside collapse, a curve for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub damage: Vec<DamageSpec>,
    /// What else varies: a set of curves for each combination.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub vary: Vec<VarySpec>,
    /// Time that runs go on after their motion has ended, s; default: the duration of the analysis.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0))]
    pub after_motion: Option<f64>,
    /// Confidence of the intervals; default 0.95.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0, "exclusiveMaximum" = 1.0))]
    pub confidence: Option<f64>,
    /// How intervals are found; default profile.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intervals: Option<Intervals>,
}

/// Measures of the intensity of a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum IntensityWord {
    /// Largest absolute acceleration, m/s².
    Pga,
    /// Largest absolute velocity, m/s.
    Pgv,
    /// Pseudo-acceleration of an oscillator with 5 % damping, m/s².
    Sa,
}

/// A state of damage: what is measured exceeds the threshold, or the structure collapses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DamageSpec {
    /// Name for results; default: that of the measure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// What is measured.
    pub measure: DamageMeasure,
    /// m, rad, or a number of blocks.
    #[schemars(extend("minimum" = 0.0))]
    pub threshold: f64,
}
