//! The keys of campaigns.

use super::table::{Decode, table, wrong};
use super::values::words;
use crate::campaign::{DamageMeasure, Intervals, Method, Samples, VaryValue};
use crate::fault::{Faults, Trail};
use crate::spec::{
    DamageSpec, FailureDomainSpec, FragilitySpec, IntensityWord, SweepSpec, VarySpec,
};
use drystone_keys::{Node, Value};

table!(VarySpec {
    key: required,
    values: optional,
    from: optional,
    to: optional,
    count: optional,
    logarithmic: defaulted,
});

table!(SweepSpec {
    name: required,
    of: required,
    vary: required,
    samples: optional,
    count: optional,
    seed: optional,
} besides "kind");

table!(FailureDomainSpec {
    name: required,
    of: required,
    x: required,
    y: required,
    both_directions: defaulted,
    vary: defaulted,
    after_motion: optional,
    refine: defaulted,
    rocking: optional,
    limit: optional,
} besides "kind");

table!(FragilitySpec {
    name: required,
    of: required,
    motions: required,
    realisations: optional,
    intensity: optional,
    period: optional,
    intensities: optional,
    method: optional,
    damage: defaulted,
    vary: defaulted,
    after_motion: optional,
    confidence: optional,
    intervals: optional,
} besides "kind");

table!(DamageSpec {
    name: optional,
    measure: required,
    threshold: required,
});

words!(Samples { "grid" => Grid, "latin_hypercube" => LatinHypercube, "sobol" => Sobol });
words!(IntensityWord { "pga" => Pga, "pgv" => Pgv, "sa" => Sa });
words!(Method { "stripes" => Stripes, "incremental" => Incremental, "cloud" => Cloud });
words!(Intervals { "profile" => Profile, "bootstrap" => Bootstrap });
words!(DamageMeasure {
    "residual_displacement" => ResidualDisplacement,
    "largest_displacement" => LargestDisplacement,
    "rotation" => Rotation,
    "fallen_blocks" => FallenBlocks,
});

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
