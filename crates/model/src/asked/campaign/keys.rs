//! Questions that are many runs of another one, as written.

use drystone_keys::{
    Decode, Describe, Faults, Json, Node, Parts, Trail, Value, keys, words, wrong,
};
use serde_json::json;

use super::settings::{DamageMeasure, Intervals, Method, Samples, VaryValue};

keys! {
    /// A value of the model that changes from run to run: over `values`, over `count` values from `from` to `to`, or, for samples, anywhere between the two.
    pub struct VarySpec {
        /// Path of the value in the file, e.g. `generate.thickness`, `interface[*].friction`, `motion.NAME.amplitude`.
        key: String { required },
        /// The values: numbers, words or true and false; paths of files count from the folder of the model file.
        values: Vec<VaryValue> { optional },
        /// First value.
        from: f64 { optional },
        /// Last value.
        to: f64 { optional },
        /// How many values, both ends included; not for samples.
        count: u32 { optional, least: 2 },
        /// Equal ratios instead of equal steps between `from` and `to`.
        logarithmic: bool { defaulted },
    }
}

keys! {
    /// Any values of the model over lists, ranges or samples, for studies of sensitivity.
    pub struct SweepSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the analysis that is run.
        of: String { required },
        /// What varies.
        vary: Vec<VarySpec> { required, shortest: 1 },
        /// How values are combined.
        /// A grid is all with all.
        samples: Samples { optional, default: Samples::Grid },
        /// Number of runs of latin_hypercube and sobol.
        count: u32 { optional, least: 1 },
        /// Seed of latin_hypercube.
        seed: u32 { optional, default: 1 },
    }
}

keys! {
    /// Where in the plane of two values, such as half-period and amplitude of a pulse, the structure collapses.
    pub struct FailureDomainSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the analysis that is run.
        of: String { required },
        /// First value, e.g. the half-period.
        x: VarySpec { required },
        /// Second value, e.g. the amplitude, in rising order; the boundary is looked for along it.
        y: VarySpec { required },
        /// Also with the opposite sign of `y`.
        both_directions: bool { defaulted },
        /// What else varies: one domain for each combination.
        vary: Vec<VarySpec> { defaulted },
        /// Time that runs go on after their motion has ended.
        after_motion: f64 { optional, unit: "s", least: 0.0, otherwise: "the duration of the analysis" },
        /// Runs only the points that the boundary needs, far fewer than the grid has.
        refine: bool { defaulted },
        /// Name of a rocking analysis whose boundary is drawn along.
        rocking: String { optional },
        /// Name of a limit analysis whose multiplier is drawn along, times gravity.
        /// In the opposite direction its `direction` or `tilt` is turned round.
        limit: String { optional },
    }
}

keys! {
    /// The probability of collapse or damage against the intensity of earthquakes.
    pub struct FragilitySpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Name of the time history or rocking analysis that is run; it names one motion, in whose place all of these act.
        of: String { required },
        /// Names of the motions, recorded or synthetic.
        motions: Vec<String> { required, shortest: 1 },
        /// How many motions are made from each one that is made up, with seeds counted up from its own.
        realisations: u32 { optional, least: 1, default: 1 },
        /// What motions are scaled by.
        intensity: IntensityWord { optional, default: IntensityWord::Pga },
        /// Period of sa.
        period: f64 { optional, unit: "s", above: 0.0 },
        /// Intensities that every motion is scaled to, m/s² for pga and sa, m/s for pgv; not for cloud, whose motions stay as they are.
        intensities: Vec<f64> { optional },
        /// Which runs are made and how the curve is fitted.
        method: Method { optional, default: Method::Stripes },
        /// States of damage beside collapse, a curve for each.
        damage: Vec<DamageSpec> { defaulted },
        /// What else varies: a set of curves for each combination.
        vary: Vec<VarySpec> { defaulted },
        /// Time that runs go on after their motion has ended.
        after_motion: f64 { optional, unit: "s", least: 0.0, otherwise: "the duration of the analysis" },
        /// Confidence of the intervals.
        confidence: f64 { optional, above: 0.0, below: 1.0, help: "0.95 is usual", default: 0.95 },
        /// How intervals are found.
        intervals: Intervals { optional, default: Intervals::Profile },
    }
}

words! {
    /// Measures of the intensity of a motion.
    pub enum IntensityWord {
        /// Largest absolute acceleration, m/s².
        Pga = "pga",
        /// Largest absolute velocity, m/s.
        Pgv = "pgv",
        /// Pseudo-acceleration of an oscillator with 5 % damping, m/s².
        Sa = "sa",
    }
}

keys! {
    /// A state of damage: what is measured exceeds the threshold, or the structure collapses.
    pub struct DamageSpec {
        /// Name for results.
        name: String { optional, otherwise: "that of the measure" },
        /// What is measured.
        measure: DamageMeasure { required },
        /// m, rad, or a number of blocks.
        threshold: f64 { required, least: 0.0 },
    }
}

impl Decode for VaryValue {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match &node.value {
            Value::Float(_) | Value::Integer(_) => {
                f64::decode(node, trail, faults).map(Self::Number)
            }
            Value::String(text) => Some(Self::Text(text.as_ref().to_owned())),
            Value::Bool(flag) => Some(Self::Flag(*flag)),
            _ => {
                faults.push(wrong(node, trail, "a number, a string, or true or false"));
                None
            }
        }
    }
}

impl Describe for VaryValue {
    fn describe(parts: &mut Parts) -> Json {
        parts.refer("VaryValue", |_| {
            json!({
                "description": "A value that a key of the model takes.",
                "anyOf": [
                    { "type": "number", "format": "double", "description": "A number." },
                    { "type": "string", "description": "A word or a path." },
                    { "type": "boolean", "description": "True or false." },
                ],
            })
        })
    }
}
