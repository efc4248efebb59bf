//! Excitations as written.

use drystone_keys::{keys, kinds};

use super::synthetic::{CodeSpectrumSpec, StochasticSpec};
use drystone_shaking::{Baseline, Channel, SineStart};

kinds! {
    /// A ground motion, or a settlement of supports.
    pub enum MotionSpec {
        /// Ground acceleration `a sin(pi t / t_p)` for two half-periods `t_p`.
        OneSine(PulseSpec) = "one_sine",
        /// Ground acceleration `a` for `t_p`, then `-a/2` for `2 t_p`.
        Biphasic(PulseSpec) = "biphasic",
        /// Ground acceleration `a` for `t_p`.
        Rectangular(PulseSpec) = "rectangular",
        /// Ground acceleration `a sin(2 pi f t)` for a duration.
        Sine(SineSpec) = "sine",
        /// Recorded ground acceleration.
        Record(RecordSpec) = "record",
        /// Ground acceleration of a stochastic model.
        Stochastic(StochasticSpec) = "stochastic",
        /// Ground acceleration that meets the spectrum of a code.
        CodeSpectrum(CodeSpectrumSpec) = "code_spectrum",
        /// Supports move to a new place relative to the ground and stay there.
        Settlement(SettlementSpec) = "settlement",
    }
}

keys! {
    /// A pulse of the ground.
    pub struct PulseSpec {
        /// Unique name.
        name: String { required },
        /// Ground acceleration.
        amplitude: f64 { required, unit: "m/s²" },
        /// Half-period `t_p`, s; the duration of the first pulse for rectangular and biphasic.
        half_period: f64 { required, unit: "s", above: 0.0 },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
    }
}

keys! {
    /// A steady sine of the ground.
    pub struct SineSpec {
        /// Unique name.
        name: String { required },
        /// Ground acceleration, m/s²; or give `displacement_amplitude`.
        amplitude: f64 { optional, unit: "m/s²" },
        /// Amplitude `d` of the oscillation of the ground, m; the acceleration is `(2 pi f)² d`.
        displacement_amplitude: f64 { optional, unit: "m" },
        /// Frequency `f`.
        frequency: f64 { required, unit: "Hz", above: 0.0 },
        /// How long it lasts.
        duration: f64 { required, unit: "s", above: 0.0 },
        /// Whether the ground starts from rest, and drifts, or oscillates about its place from the start.
        start: SineStart { optional, default: SineStart::Still },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
    }
}

keys! {
    /// A recorded accelerogram: one component by `path` and `direction`, or up to three by `components`.
    pub struct RecordSpec {
        /// Unique name.
        name: String { required },
        /// File of a record, relative to the folder of the model file.
        path: String { optional },
        /// Which component of the file, by number from 1 or by name.
        component: Channel { optional, otherwise: "its only one" },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { optional, default: [1.0, 0.0, 0.0] },
        /// Components of a record in several files.
        components: Vec<ComponentSpec> { defaulted, longest: 3 },
        /// Angle by which the directions of all components are turned about z, degrees, counter-clockwise from above.
        rotate_degrees: f64 { optional, unit: "degrees" },
        /// Time step, s, for files that do not say.
        dt: f64 { optional, unit: "s", above: 0.0 },
        /// Polynomial that is taken from every component so that the ground ends at rest.
        baseline: Baseline { optional, default: Baseline::None },
        /// Part of the duration over which values rise from zero and fall to zero at the ends, 0 to 0.5.
        taper: f64 { optional, least: 0.0, most: 0.5, help: "it is the part of the duration at each end", default: 0.0 },
        /// Factor on the recorded values.
        scale: f64 { optional, default: 1.0 },
        /// Largest absolute acceleration after scaling, m/s²; instead of `scale`, for one component.
        pga: f64 { optional, unit: "m/s²", above: 0.0 },
        /// Spectral acceleration after scaling; instead of `scale`, for one component.
        sa: SaSpec { optional },
    }
}

keys! {
    /// One component of a record.
    pub struct ComponentSpec {
        /// File, relative to the folder of the model file.
        path: String { required },
        /// Which component of the file, by number from 1 or by name.
        component: Channel { optional, otherwise: "its only one" },
        /// Direction [x, y, z] of positive acceleration, of any length.
        direction: [f64; 3] { required },
        /// Factor on the recorded values.
        scale: f64 { optional, otherwise: "that of the record" },
        /// Largest absolute acceleration of this component after scaling, m/s²; instead of `scale`.
        pga: f64 { optional, unit: "m/s²", above: 0.0 },
        /// Spectral acceleration after scaling; instead of `scale`.
        sa: SaSpec { optional },
    }
}

keys! {
    /// A pseudo-acceleration that a record is scaled to.
    pub struct SaSpec {
        /// Period of the oscillator.
        period: f64 { required, unit: "s", least: 0.001, most: 100.0, help: "these are the periods of structures" },
        /// Its pseudo-acceleration after scaling.
        value: f64 { required, unit: "m/s²", above: 0.0 },
        /// Its damping, as a part of the critical one.
        damping: f64 { optional, least: 0.0, below: 1.0, help: "it is a part of the critical damping; usual is 0.05", default: 0.05 },
    }
}

keys! {
    /// A settlement of supports.
    pub struct SettlementSpec {
        /// Unique name.
        name: String { required },
        /// Names of the supports that move.
        supports: Vec<String> { optional, otherwise: "all" },
        /// Final displacement [x, y, z].
        displacement: [f64; 3] { optional, unit: "m", default: [0.0, 0.0, 0.0] },
        /// Final rotation vector [x, y, z].
        rotation: [f64; 3] { optional, unit: "rad", default: [0.0, 0.0, 0.0] },
        /// Point [x, y, z] about which the supports rotate together.
        centre: [f64; 3] { optional, unit: "m", otherwise: "their common centroid" },
        /// How long it takes, s; the movement is half a cosine wave in time.
        duration: f64 { required, unit: "s", above: 0.0 },
    }
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
