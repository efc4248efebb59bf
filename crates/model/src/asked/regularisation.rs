//! Numerical springs at contact points: one stiffness, or one across and one along the joint.

use drystone_keys::{
    Decode, Describe, Faults, Json, Node, Parts, Serialize, Serializer, Trail, Value, keys,
};
use serde_json::json;

use crate::compile::Check;

keys! {
    /// Stiffness of numerical springs across and along a joint.
    pub struct SpringsSpec {
        /// Across the joint.
        normal: f64 { required, unit: "N/m", above: 0.0 },
        /// Along the joint.
        tangential: f64 { required, unit: "N/m", above: 0.0 },
    }
}

/// Stiffness of numerical springs.
#[derive(Debug, Clone, PartialEq)]
pub enum RegularisationSpec {
    /// The same both ways, N/m.
    Same(f64),
    /// Across and along the joint.
    Each(SpringsSpec),
}

impl RegularisationSpec {
    /// Across and along the joint, N/m, if both are within bounds; that of a single number is checked with the keys beside it.
    pub(super) fn stiffness(&self, trail: Trail<'_>, check: &mut Check<'_>) -> [f64; 2] {
        match self {
            Self::Same(both) => [*both; 2],
            Self::Each(springs) => {
                check.numbers(springs, trail);
                [springs.normal, springs.tangential]
            }
        }
    }
}

impl Decode for RegularisationSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match &node.value {
            Value::Table(_) => SpringsSpec::decode(node, trail, faults).map(Self::Each),
            _ => f64::decode(node, trail, faults).map(Self::Same),
        }
    }
}

impl Serialize for RegularisationSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Same(both) => serializer.serialize_f64(*both),
            Self::Each(springs) => springs.serialize(serializer),
        }
    }
}

impl Describe for RegularisationSpec {
    fn describe(parts: &mut Parts) -> Json {
        let number = f64::describe(parts);
        let springs = SpringsSpec::describe(parts);
        json!({ "anyOf": [number, springs] })
    }

    fn number(&self) -> Option<f64> {
        match self {
            Self::Same(both) => Some(*both),
            Self::Each(_) => None,
        }
    }
}
