//! Questions that are many runs of another one. SI units.

use drystone_keys::words;
use serde::{Deserialize, Serialize};

/// Many runs of one analysis of the model, each with some values changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Campaign {
    /// Name of the analysis that is run.
    pub of: String,
    /// What varies beside what the question itself does.
    pub vary: Vec<Varied>,
    /// What is asked.
    pub question: Question,
}

/// What a campaign asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Question {
    /// How results depend on the values.
    Sweep(Sweep),
    /// Where in a plane of two values the structure collapses.
    FailureDomain(FailureDomain),
    /// How likely collapse and damage are at an intensity.
    Fragility(Fragility),
}

/// Dimensions for which the sequence of Sobol is known: most keys that it can vary.
pub const MOST_SOBOL: usize = 10;

/// How the values of a sweep are combined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sweep {
    /// How.
    pub samples: Samples,
    /// Number of runs; of a grid as many as there are combinations.
    pub count: usize,
    /// Of the generator.
    pub seed: u32,
}

/// A plane of two values.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureDomain {
    /// First value; its points are numbers.
    pub x: Varied,
    /// Second value; its points are numbers in rising order, greater than zero if both directions are asked for.
    pub y: Varied,
    /// Also with the opposite sign of `y`.
    pub both_directions: bool,
    /// Time that runs go on after their motion has ended, s; absent: the duration of the analysis.
    pub after_motion: Option<f64>,
    /// Only the points that the boundary needs.
    pub refine: bool,
    /// Name of a rocking analysis whose boundary is drawn along.
    pub rocking: Option<String>,
    /// Name of a limit analysis whose multiplier is drawn along.
    pub limit: Option<String>,
}

/// Earthquakes of rising intensity.
#[derive(Debug, Clone, PartialEq)]
pub struct Fragility {
    /// Names of the motions, with the number of each that are made from it: one of a record.
    pub motions: Vec<(String, u32)>,
    /// What they are scaled by.
    pub intensity: Intensity,
    /// What they are scaled to, in rising order; empty for a cloud.
    pub intensities: Vec<f64>,
    /// Which runs are made.
    pub method: Method,
    /// States of damage beside collapse.
    pub damage: Vec<Damage>,
    /// Time that runs go on after their motion has ended, s; absent: the duration of the analysis.
    pub after_motion: Option<f64>,
    /// Of the intervals, between 0 and 1.
    pub confidence: f64,
    /// How intervals are found.
    pub intervals: Intervals,
}

/// A measure of intensity.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Intensity {
    /// Largest absolute acceleration, m/s².
    Pga,
    /// Largest absolute velocity, m/s.
    Pgv,
    /// Pseudo-acceleration of an oscillator with 5 % damping, m/s².
    Sa {
        /// s.
        period: f64,
    },
}

/// A state of damage.
#[derive(Debug, Clone, PartialEq)]
pub struct Damage {
    /// For results.
    pub name: String,
    /// What is measured.
    pub measure: DamageMeasure,
    /// Exceeding it is damage; m, rad, or a number of blocks.
    pub threshold: f64,
}

/// A value of the model that changes.
#[derive(Debug, Clone, PartialEq)]
pub struct Varied {
    /// Path of the value in the model as written.
    pub key: String,
    /// What it becomes.
    pub points: Points,
}

/// What a value becomes.
#[derive(Debug, Clone, PartialEq)]
pub enum Points {
    /// One of these.
    Values(Vec<VaryValue>),
    /// Anything between two numbers, for samples.
    Between {
        /// One end.
        from: f64,
        /// The other.
        to: f64,
        /// Evenly distributed in the logarithm.
        logarithmic: bool,
    },
}

/// A value that a key of the model takes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum VaryValue {
    /// A number.
    Number(f64),
    /// A word or a path.
    Text(String),
    /// True or false.
    Flag(bool),
}

words! {
    /// How values are combined.
    pub enum Samples {
        /// All with all.
        Grid = "grid",
        /// Random samples, one in each of `count` slices of every value.
        LatinHypercube = "latin_hypercube",
        /// The sequence of Sobol, which fills the space evenly.
        Sobol = "sobol",
    }
}

words! {
    /// Which runs a fragility analysis makes.
    pub enum Method {
        /// Every motion at every intensity; counts of collapses are fitted.
        Stripes = "stripes",
        /// Every motion at rising intensities until it brings the structure down; the intensities of collapse are fitted.
        Incremental = "incremental",
        /// Every motion as it is; verdicts against intensities are fitted.
        Cloud = "cloud",
    }
}

words! {
    /// What damage is measured by.
    pub enum DamageMeasure = ResidualDisplacement {
        /// Displacement of the block that is farthest from its place at the end, m.
        ResidualDisplacement = "residual_displacement",
        /// Largest displacement of any block at any time, m.
        LargestDisplacement = "largest_displacement",
        /// Largest rotation of any block at any time, rad.
        Rotation = "rotation",
        /// Number of blocks that have dropped by more than their own height.
        FallenBlocks = "fallen_blocks",
    }
}

words! {
    /// How intervals of confidence are found.
    pub enum Intervals {
        /// From the likelihood, the other parameter being the best for each value of one.
        Profile = "profile",
        /// From fits to random outcomes of the curve, as many as there are runs.
        Bootstrap = "bootstrap",
    }
}

impl DamageMeasure {
    /// Column of the table of runs that holds it.
    pub fn column(self) -> &'static str {
        match self {
            Self::ResidualDisplacement => "residual_displacement",
            Self::LargestDisplacement => "largest_displacement",
            Self::Rotation => "rotation",
            Self::FallenBlocks => "fallen_blocks",
        }
    }
}

impl Points {
    /// The values, if there are some.
    pub fn values(&self) -> &[VaryValue] {
        match self {
            Self::Values(values) => values,
            Self::Between { .. } => &[],
        }
    }

    /// The value for a number from 0 to 1.
    pub fn at(&self, part: f64) -> VaryValue {
        match self {
            Self::Values(values) => {
                let index = (part * values.len() as f64) as usize;
                let last = values.len().saturating_sub(1);
                values
                    .get(index.min(last))
                    .cloned()
                    .unwrap_or(VaryValue::Number(part))
            }
            Self::Between {
                from,
                to,
                logarithmic,
            } => VaryValue::Number(between(*from, *to, *logarithmic, part)),
        }
    }
}

impl VaryValue {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number),
            Self::Text(_) | Self::Flag(_) => None,
        }
    }
}

/// A part of the way from one number to another, both ends exactly.
pub(crate) fn between(from: f64, to: f64, logarithmic: bool, part: f64) -> f64 {
    if part <= 0.0 {
        from
    } else if part >= 1.0 {
        to
    } else if logarithmic {
        from * (part * (to / from).ln()).exp()
    } else {
        from + part * (to - from)
    }
}
