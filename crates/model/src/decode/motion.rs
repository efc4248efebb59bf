//! The keys of earthquakes.

use super::table::{Decode, table, wrong};
use super::values::words;
use crate::fault::{Faults, Trail};
use crate::motion::{Baseline, Channel, SoilClass};
use crate::spec::{Code, CodeSpectrumSpec, ComponentSpec, RecordSpec, SaSpec, StochasticSpec};
use drystone_keys::{Node, Value};

table!(RecordSpec {
    name: required,
    path: optional,
    component: optional,
    direction: optional,
    components: defaulted,
    rotate_degrees: optional,
    dt: optional,
    baseline: optional,
    taper: optional,
    scale: optional,
    pga: optional,
    sa: optional,
} besides "kind");

table!(ComponentSpec {
    path: required,
    component: optional,
    direction: required,
    scale: optional,
    pga: optional,
    sa: optional,
});

table!(SaSpec {
    period: required,
    value: required,
    damping: optional,
});

table!(StochasticSpec {
    name: required,
    seed: required,
    arias: optional,
    pga: optional,
    significant_duration: required,
    mid_time: optional,
    frequency: required,
    frequency_rate: optional,
    bandwidth: optional,
    high_pass: optional,
    dt: optional,
    direction: optional,
} besides "kind");

table!(CodeSpectrumSpec {
    name: required,
    seed: required,
    code: required,
    ag: required,
    soil: optional,
    spectrum_type: optional,
    f0: optional,
    tc_star: optional,
    topography: optional,
    damping: optional,
    periods: optional,
    duration: optional,
    stationary: optional,
    dt: optional,
    direction: optional,
} besides "kind");

words!(Baseline { "none" => None, "constant" => Constant, "linear" => Linear, "quadratic" => Quadratic });
words!(Code { "eurocode8" => Eurocode8, "ntc2018" => Ntc2018 });
words!(SoilClass { "A" => A, "B" => B, "C" => C, "D" => D, "E" => E });

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
