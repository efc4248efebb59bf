//! Earthquakes that are made up, as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use drystone_shaking::SoilClass;

/// A stochastic ground motion whose intensity and frequency change in time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct StochasticSpec {
    /// Unique name.
    pub name: String,
    /// Seed of the generator: every seed is another motion, the same one for ever.
    pub seed: u32,
    /// Expected Arias intensity, m/s; or give `pga`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub arias: Option<f64>,
    /// Largest absolute acceleration, m/s²; instead of `arias`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub pga: Option<f64>,
    /// Time from 5 % to 95 % of the Arias intensity, s.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub significant_duration: f64,
    /// Time of 45 % of the Arias intensity, s; default: 0.4 times the significant duration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub mid_time: Option<f64>,
    /// Predominant frequency at the mid time, Hz.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub frequency: f64,
    /// Change of that frequency, Hz/s; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frequency_rate: Option<f64>,
    /// Damping of the filter, which is the width of the band of frequencies; default 0.3.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub bandwidth: Option<f64>,
    /// Frequency below which motion is filtered out, Hz; default 0.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub high_pass: Option<f64>,
    /// Time step of the accelerogram, s; default 0.005.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: Option<f64>,
    /// Direction [x, y, z] of positive acceleration, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
}

/// An artificial accelerogram that meets the elastic spectrum of a code.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct CodeSpectrumSpec {
    /// Unique name.
    pub name: String,
    /// Seed of the generator: every seed is another motion, the same one for ever.
    pub seed: u32,
    /// Which code.
    pub code: Code,
    /// Ground acceleration on rock, with the factor of importance, m/s².
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub ag: f64,
    /// Ground type or soil category; default A.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub soil: Option<SoilClass>,
    /// Type of the spectrum of Eurocode 8, 1 or 2; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spectrum_type: Option<u32>,
    /// Largest amplification `F_0` of the Italian code.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub f0: Option<f64>,
    /// Period `T_C*` of the Italian code, s.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub tc_star: Option<f64>,
    /// Topographic factor `S_T` of the Italian code; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub topography: Option<f64>,
    /// Damping of the spectrum, as a part of the critical one; default 0.05.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub damping: Option<f64>,
    /// First and last period at which the spectrum is met, s; default [0.05, 4].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub periods: Option<[f64; 2]>,
    /// Length of the accelerogram, s; default 25.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub duration: Option<f64>,
    /// Length of its stationary part, s; default 10, or 0.4 times a shorter duration than 25.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("minimum" = 0.0))]
    pub stationary: Option<f64>,
    /// Time step of the accelerogram, s; default 0.005.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub dt: Option<f64>,
    /// Direction [x, y, z] of positive acceleration, of any length; default [1, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub direction: Option<[f64; 3]>,
}

/// Codes whose spectra are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// EN 1998-1:2004.
    #[default]
    Eurocode8,
    /// Italian code of 2018.
    Ntc2018,
}
