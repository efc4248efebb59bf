//! The keys of every table of a model file.

use super::table::{Decode, table};
use super::values::unknown_word;
use super::{Element, kind};
use crate::fault::{Faults, Trail};
use crate::spec::*;
use drystone_keys::Node;

table!(GeneralSpec {
    name: optional,
    gravity: optional,
    plane: optional,
    floating: defaulted,
});

table!(MaterialSpec {
    name: required,
    density: required,
});

table!(InterfaceSpec {
    between: required,
    joints: optional,
    friction: required,
    normal_stiffness: optional,
    shear_stiffness: optional,
    compressive_strength: optional,
    subdivisions: optional,
});

table!(BlockSpec {
    name: optional,
    material: required,
    support: defaulted,
    group: optional,
    vertices: required,
    faces: optional,
    velocity: optional,
    angular_velocity: optional,
    mass: optional,
    centroid: optional,
    inertia: optional,
});

table!(LoadSpec {
    block: required,
    force: required,
    point: optional,
    live: defaulted,
});

table!(PulseSpec {
    name: required,
    amplitude: required,
    half_period: required,
    direction: optional,
} besides "kind");

table!(SineSpec {
    name: required,
    amplitude: optional,
    displacement_amplitude: optional,
    frequency: required,
    duration: required,
    direction: optional,
} besides "kind");

table!(SettlementSpec {
    name: required,
    supports: optional,
    displacement: optional,
    rotation: optional,
    centre: optional,
    duration: required,
} besides "kind");

table!(TimeHistorySpec {
    name: required,
    motion: optional,
    motions: optional,
    dt: optional,
    adaptive: optional,
    duration: required,
    output_every: optional,
    scheme: optional,
    joints: optional,
    friction_law: optional,
    ground: optional,
    solver: optional,
    tolerance: optional,
    regularisation: optional,
    rotation_iterations: optional,
    collapse_drop: optional,
    stop_at_collapse: defaulted,
    forces_every: optional,
    monitors: defaulted,
} besides "kind");

table!(AdaptiveSpec {
    tolerance: optional,
    smallest: optional,
    largest: optional,
});

table!(MonitorSpec {
    name: optional,
    block: required,
    point: optional,
});

table!(RockingSpec {
    name: required,
    block: optional,
    half_width: optional,
    half_height: optional,
    direction: optional,
    initial_angle: optional,
    initial_velocity: optional,
    restitution: optional,
    motion: optional,
    motions: optional,
    duration: required,
    output_every: optional,
} besides "kind");

const MOTIONS: [&str; 8] = [
    "one_sine",
    "biphasic",
    "rectangular",
    "sine",
    "record",
    "stochastic",
    "code_spectrum",
    "settlement",
];
const ANALYSES: [&str; 9] = [
    "time_history",
    "rocking",
    "equilibrium",
    "limit",
    "pushover",
    "assessment",
    "sweep",
    "failure_domain",
    "fragility",
];

impl Decode for MotionSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match kind(node, trail, faults, &MOTIONS)? {
            "one_sine" => Decode::decode(node, trail, faults).map(Self::OneSine),
            "biphasic" => Decode::decode(node, trail, faults).map(Self::Biphasic),
            "rectangular" => Decode::decode(node, trail, faults).map(Self::Rectangular),
            "sine" => Decode::decode(node, trail, faults).map(Self::Sine),
            "record" => Decode::decode(node, trail, faults).map(Self::Record),
            "stochastic" => Decode::decode(node, trail, faults).map(Self::Stochastic),
            "code_spectrum" => Decode::decode(node, trail, faults).map(Self::CodeSpectrum),
            "settlement" => Decode::decode(node, trail, faults).map(Self::Settlement),
            other => {
                refuse_kind(other, node, trail, faults, &MOTIONS);
                None
            }
        }
    }
}

impl Decode for AnalysisSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match kind(node, trail, faults, &ANALYSES)? {
            "time_history" => Decode::decode(node, trail, faults).map(Self::TimeHistory),
            "rocking" => Decode::decode(node, trail, faults).map(Self::Rocking),
            "equilibrium" => Decode::decode(node, trail, faults).map(Self::Equilibrium),
            "limit" => Decode::decode(node, trail, faults).map(Self::Limit),
            "pushover" => Decode::decode(node, trail, faults).map(Self::Pushover),
            "assessment" => Decode::decode(node, trail, faults).map(Self::Assessment),
            "sweep" => Decode::decode(node, trail, faults).map(Self::Sweep),
            "failure_domain" => Decode::decode(node, trail, faults).map(Self::FailureDomain),
            "fragility" => Decode::decode(node, trail, faults).map(Self::Fragility),
            other => {
                refuse_kind(other, node, trail, faults, &ANALYSES);
                None
            }
        }
    }
}

fn refuse_kind(text: &str, node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults, kinds: &[&str]) {
    let span = node
        .get("kind")
        .map_or(node.span.clone(), |kind| kind.span.clone());
    faults.push(unknown_word(text, kinds, trail.key("kind")).span(span));
}

impl Element for MaterialSpec {
    fn named(name: &str) -> Self {
        let name = name.into();
        Self {
            name,
            ..Self::default()
        }
    }
}

impl Element for InterfaceSpec {
    fn named(_: &str) -> Self {
        Self::default()
    }
}

impl Element for BlockSpec {
    fn named(name: &str) -> Self {
        let name = (!name.is_empty()).then(|| name.into());
        Self {
            name,
            ..Self::default()
        }
    }
}

impl Element for LoadSpec {
    fn named(_: &str) -> Self {
        Self::default()
    }
}

impl Element for MotionSpec {
    fn named(name: &str) -> Self {
        let name = name.into();
        Self::OneSine(PulseSpec {
            name,
            ..PulseSpec::default()
        })
    }
}

impl Element for AnalysisSpec {
    fn named(name: &str) -> Self {
        let name = name.into();
        Self::TimeHistory(TimeHistorySpec {
            name,
            ..TimeHistorySpec::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::table::Keys;
    use super::*;

    fn keys_of(schema: &serde_json::Value) -> BTreeSet<&str> {
        schema["properties"]
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect()
    }

    fn check<T: Keys>(schema: &serde_json::Value, what: &str) {
        let read: BTreeSet<&str> = T::KEYS.iter().copied().collect();
        assert_eq!(read, keys_of(schema), "{what}");
        assert_eq!(
            schema["additionalProperties"],
            serde_json::json!(false),
            "{what}"
        );
    }

    /// The schema is what editors and other programs believe; it must know exactly the keys that are read.
    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = crate::schema();
        let part = |name: &str| &schema["$defs"][name];
        check::<GeneralSpec>(part("GeneralSpec"), "model");
        check::<MaterialSpec>(part("MaterialSpec"), "material");
        check::<InterfaceSpec>(part("InterfaceSpec"), "interface");
        check::<BlockSpec>(part("BlockSpec"), "block");
        check::<LoadSpec>(part("LoadSpec"), "load");
        check::<MonitorSpec>(part("MonitorSpec"), "monitor");
        check::<AdaptiveSpec>(part("AdaptiveSpec"), "adaptive");
        check::<ComponentSpec>(part("ComponentSpec"), "component");
        let variant = |part: &str, kind: &str| {
            schema["$defs"][part]["oneOf"]
                .as_array()
                .unwrap()
                .iter()
                .find(|variant| variant["properties"]["kind"]["const"] == kind)
                .unwrap_or_else(|| panic!("{kind}"))
                .clone()
        };
        for pulse in ["one_sine", "biphasic", "rectangular"] {
            check::<PulseSpec>(&variant("MotionSpec", pulse), pulse);
        }
        check::<SineSpec>(&variant("MotionSpec", "sine"), "sine");
        check::<RecordSpec>(&variant("MotionSpec", "record"), "record");
        check::<SaSpec>(part("SaSpec"), "sa");
        check::<StochasticSpec>(&variant("MotionSpec", "stochastic"), "stochastic");
        check::<CodeSpectrumSpec>(&variant("MotionSpec", "code_spectrum"), "code_spectrum");
        check::<SettlementSpec>(&variant("MotionSpec", "settlement"), "settlement");
        check::<TimeHistorySpec>(&variant("AnalysisSpec", "time_history"), "time_history");
        check::<RockingSpec>(&variant("AnalysisSpec", "rocking"), "rocking");
        check::<EquilibriumSpec>(&variant("AnalysisSpec", "equilibrium"), "equilibrium");
        check::<LimitSpec>(&variant("AnalysisSpec", "limit"), "limit");
        check::<PushoverSpec>(&variant("AnalysisSpec", "pushover"), "pushover");
        check::<ControlSpec>(part("ControlSpec"), "control");
        check::<AssessmentSpec>(&variant("AnalysisSpec", "assessment"), "assessment");
        check::<CapacitySpec>(part("CapacitySpec"), "capacity");
        check::<SiteSpec>(part("SiteSpec"), "site");
        check::<HazardSpec>(part("HazardSpec"), "hazard");
        check::<FloorSpec>(part("FloorSpec"), "floor");
        check::<SweepSpec>(&variant("AnalysisSpec", "sweep"), "sweep");
        check::<FailureDomainSpec>(&variant("AnalysisSpec", "failure_domain"), "failure_domain");
        check::<FragilitySpec>(&variant("AnalysisSpec", "fragility"), "fragility");
        check::<VarySpec>(part("VarySpec"), "vary");
        check::<DamageSpec>(part("DamageSpec"), "damage");
        check::<TieSpec>(part("TieSpec"), "tie");
        check::<ThrustLineSpec>(part("ThrustLineSpec"), "thrust_line");
        check::<GivingWaySpec>(part("GivingWaySpec"), "settlement");
        let kinds = |part: &str| -> Vec<String> {
            let variants = schema["$defs"][part]["oneOf"].as_array().unwrap();
            let kind = |variant: &serde_json::Value| {
                variant["properties"]["kind"]["const"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            };
            variants.iter().map(kind).collect()
        };
        assert_eq!(kinds("MotionSpec"), MOTIONS);
        assert_eq!(kinds("AnalysisSpec"), ANALYSES);
        let sections: BTreeSet<&str> = crate::fault::Section::ALL
            .into_iter()
            .map(|section| section.key())
            .collect();
        assert_eq!(keys_of(&schema), sections);
    }

    /// Required keys agree too: a default value without them must be refused by the reader exactly where the schema says.
    #[test]
    fn the_schema_requires_the_keys_that_are_required() {
        let schema = crate::schema();
        let required = |name: &str| -> Vec<String> {
            let list = schema["$defs"][name]["required"].as_array().unwrap();
            list.iter()
                .map(|key| key.as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(required("BlockSpec"), ["material", "vertices"]);
        assert_eq!(required("InterfaceSpec"), ["between", "friction"]);
        let mut faults = Faults::default();
        let node = Node {
            value: drystone_keys::Value::Table(Vec::new()),
            span: 0..0,
        };
        BlockSpec::decode(
            &node,
            Trail::item(crate::fault::Section::Block, 0, None),
            &mut faults,
        );
        let whats: Vec<&str> = faults.iter().map(|fault| fault.what.as_str()).collect();
        assert_eq!(
            whats,
            [
                "the key `material` is missing",
                "the key `vertices` is missing"
            ]
        );
    }
}
