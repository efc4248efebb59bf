//! Motions of the ground and of supports, as a model describes them. SI units.

use drystone_geometry::DVec3;
use drystone_keys::{Decode, Describe, Faults, Json, Node, Parts, Trail, Value, words, wrong};
use serde::Serialize;
use serde_json::json;

use crate::RecordSeries;

/// A named excitation.
#[derive(Debug, Clone, PartialEq)]
pub struct Motion {
    /// Unique name.
    pub name: String,
    /// What moves, and how.
    pub kind: MotionKind,
}

/// The excitations.
#[derive(Debug, Clone, PartialEq)]
pub enum MotionKind {
    /// A ground motion along one fixed direction (unit vector).
    Pulse {
        /// Unit vector.
        direction: DVec3,
        /// Shape in time.
        pulse: Pulse,
    },
    /// A recorded accelerogram of one to three components.
    Record {
        /// One per component.
        components: Vec<RecordComponent>,
    },
    /// A stochastic ground motion along one fixed direction.
    Stochastic {
        /// Unit vector.
        direction: DVec3,
        /// What it is like.
        settings: Stochastic,
    },
    /// An artificial accelerogram along one fixed direction that meets the spectrum of a code.
    CodeSpectrum {
        /// Unit vector.
        direction: DVec3,
        /// What it is like.
        settings: Artificial,
    },
    /// Supports move to a new place relative to the ground and stay there.
    Settlement {
        /// Indices of the support blocks that move.
        supports: Vec<usize>,
        /// Final displacement, m.
        displacement: DVec3,
        /// Final rotation vector, rad.
        rotation: DVec3,
        /// Point about which they rotate, m.
        centre: DVec3,
        /// s; half a cosine wave in time.
        duration: f64,
    },
}

/// Acceleration of the ground against time; positive along the direction of the motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Pulse {
    /// `a sin(pi t / t_p)` for `0..2 t_p`.
    OneSine {
        /// m/s².
        amplitude: f64,
        /// `t_p`, s.
        half_period: f64,
    },
    /// `a` for `t_p`, then `-a/2` for `2 t_p`.
    Biphasic {
        /// m/s².
        amplitude: f64,
        /// `t_p`, s.
        half_period: f64,
    },
    /// `a` for `t_p`.
    Rectangular {
        /// m/s².
        amplitude: f64,
        /// `t_p`, s.
        half_period: f64,
    },
    /// `a sin(2 pi f t)` for the duration.
    Sine {
        /// m/s².
        amplitude: f64,
        /// Hz.
        frequency: f64,
        /// s.
        duration: f64,
        /// With which velocity the ground begins.
        start: SineStart,
    },
}

words! {
    /// With which velocity a steady sine of the ground begins.
    pub enum SineStart = Still {
        /// None: the ground drifts to one side, by `a / (2 pi f²)` per period.
        Still = "still",
        /// `-a / (2 pi f)`, that of an oscillation about the place where the ground is, and the structure with it.
        Oscillating = "oscillating",
    }
}

/// One component of a recorded accelerogram.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordComponent {
    /// Unit vector; the part of one if a record was turned out of the plane of a planar model.
    pub direction: DVec3,
    /// The file that it was read from; empty if it was computed.
    pub path: std::path::PathBuf,
    /// The accelerogram after correction and scaling.
    pub series: RecordSeries,
    /// What was assumed in reading the file, a sentence each with its name.
    pub notes: Vec<String>,
}

/// A component of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Channel {
    /// By its place in the file, from 1.
    Number(u32),
    /// By its name in the file.
    Name(String),
}

impl Decode for Channel {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match &node.value {
            Value::String(text) => Some(Self::Name(text.as_ref().to_owned())),
            Value::Integer(number) if u32::try_from(*number).is_ok_and(|number| number > 0) => {
                u32::try_from(*number).ok().map(Self::Number)
            }
            _ => {
                faults.push(wrong(node, trail, "a whole number from 1, or a name"));
                None
            }
        }
    }
}

impl Describe for Channel {
    fn describe(parts: &mut Parts) -> Json {
        parts.refer("Channel", |_| {
            json!({
                "description": "A component of a file.",
                "anyOf": [
                    { "type": "integer", "format": "uint32", "minimum": 1, "description": "By its place in the file, from 1." },
                    { "type": "string", "description": "By its name in the file." },
                ],
            })
        })
    }
}

/// What is done to a record before it is scaled: it is tapered, then its baseline is corrected.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Treatment {
    /// Correction of the baseline.
    pub baseline: Baseline,
    /// Part of the duration over which the values rise from zero at the start and fall to zero at the end; 0 to 0.5.
    pub taper: f64,
}

words! {
    /// Polynomial that is taken from an accelerogram so that the ground ends at rest.
    ///
    /// Among those of its degree that do, it is the one whose integral is nearest to the velocity in the mean square.
    pub enum Baseline = None {
        /// Nothing is taken away.
        None = "none",
        /// A constant: the mean.
        Constant = "constant",
        /// A straight line.
        Linear = "linear",
        /// A parabola.
        Quadratic = "quadratic",
    }
}

/// Scaling of a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum RecordScale {
    /// Values times this factor.
    Factor(f64),
    /// Scaled to this largest absolute acceleration, m/s².
    Pga(f64),
    /// Scaled to a pseudo-acceleration of an oscillator.
    Sa {
        /// Its period, s.
        period: f64,
        /// Its damping, as a part of the critical one.
        damping: f64,
        /// m/s².
        value: f64,
    },
}

/// Parameters of a stochastic ground motion whose intensity and frequency change in time (Rezaeian & Der Kiureghian).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stochastic {
    /// How strong it is.
    pub strength: Strength,
    /// Time from 5 % to 95 % of the Arias intensity, s.
    pub significant_duration: f64,
    /// Time at which 45 % of the Arias intensity have come, s.
    pub mid_time: f64,
    /// Of the filter at the mid time, Hz.
    pub frequency: f64,
    /// Change of that frequency, Hz/s.
    pub frequency_rate: f64,
    /// Damping of the filter: the width of its band, as a part of the critical one.
    pub bandwidth: f64,
    /// Corner frequency below which motion is filtered out, Hz.
    pub high_pass: f64,
    /// Time step, s.
    pub dt: f64,
    /// Generator's seed.
    pub seed: u32,
}

/// How strong a stochastic motion is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Strength {
    /// Expected Arias intensity, m/s; single motions scatter about it.
    Arias(f64),
    /// Largest absolute acceleration of every motion, m/s².
    Pga(f64),
}

/// Parameters of an artificial accelerogram whose response spectrum is that of a code.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Artificial {
    /// The spectrum that is met.
    pub spectrum: CodeSpectrum,
    /// First and last period at which it is met, s.
    pub periods: [f64; 2],
    /// Length of the accelerogram, s.
    pub duration: f64,
    /// Length of its stationary part, s.
    pub stationary: f64,
    /// Time step, s.
    pub dt: f64,
    /// Generator's seed.
    pub seed: u32,
}

/// Elastic response spectrum of a code, horizontal.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CodeSpectrum {
    /// Which code, with its parameters.
    pub code: CodeShape,
    /// Ground acceleration on rock, with the factor of importance, m/s².
    pub ag: f64,
    /// Ground type or soil category.
    pub soil: SoilClass,
    /// As a part of the critical one.
    pub damping: f64,
}

/// Codes with the parameters that only they have.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum CodeShape {
    /// EN 1998-1:2004, 3.2.2.2.
    Eurocode8 {
        /// Type of the spectrum.
        kind: Eurocode8Type,
    },
    /// Italian code of 2018, 3.2.3.2.
    Ntc2018 {
        /// Largest amplification, `F_0`.
        f0: f64,
        /// Period at which the part of constant velocity begins on rock, `T_C*`, s.
        tc_star: f64,
        /// Topographic factor, `S_T`.
        topography: f64,
    },
}

/// Types of the spectrum of Eurocode 8.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Eurocode8Type {
    /// Strong, far earthquakes.
    One,
    /// Surface-wave magnitude up to 5.5.
    Two,
}

words! {
    /// Ground types of Eurocode 8 and soil categories of the Italian code.
    pub enum SoilClass = A {
        /// Rock.
        A = "A",
        /// Very dense or stiff.
        B = "B",
        /// Dense or medium dense.
        C = "C",
        /// Loose or soft.
        D = "D",
        /// Thin and soft over stiff.
        E = "E",
    }
}
