//! What follows from a declaration: reader, faults, what is written, and the schema.

use drystone_keys::{Decode, Describe, Fault, Faults, Keys, Parts, Trail, from_tree, json, node};
use serde_json::json;

drystone_keys::words! {
    /// A coordinate axis.
    pub enum Axis {
        /// To the right.
        X = "x",
        /// Upwards.
        Z = "z",
    }
}

drystone_keys::keys! {
    /// A tie.
    pub struct Tie {
        /// Force per elongation.
        stiffness: f64 { required, unit: "N/m", above: 0.0 },
        /// Force at which it yields.
        yield_force as "yield": f64 { required, unit: "N", above: 0.0 },
        /// Strands.
        /// They share the force.
        strands: u32 { optional, least: 1, most: 64, default: 1 },
        /// Where it breaks.
        breaks: f64 { optional, unit: "m", otherwise: "nowhere" },
        /// Along which axis.
        along: Axis { optional, default: Axis::Z },
        /// Whether it is hidden.
        hidden: bool { defaulted },
        /// Its anchors.
        anchors: Vec<[f64; 3]> { required, unit: "m", shortest: 2 },
    }
}

drystone_keys::kinds! {
    /// Something that holds.
    pub enum Device {
        /// A tie.
        Tie(Tie) = "tie",
    }
}

fn faults_of<T: Decode>(tree: &serde_json::Value) -> Vec<String> {
    let mut faults = Faults::default();
    let _ = T::decode(&node(tree), Trail::item("tie", 0, None), &mut faults);
    let said = |fault: &Fault| format!("{}: {} ({:?})", fault.path, fault.what, fault.help);
    faults.iter().map(said).collect()
}

#[test]
fn values_are_read_and_written_by_their_names_and_defaults_are_not_written() {
    let tree =
        json!({ "stiffness": 2e6, "yield": 1e4, "anchors": [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0]] });
    let tie: Tie = from_tree(&tree).unwrap();
    assert_eq!(
        (tie.yield_force, tie.strands, tie.strands()),
        (1e4, None, 1)
    );
    assert_eq!((tie.along(), tie.hidden), (Axis::Z, false));
    assert_eq!(json(&tie), tree);
    let mut numbers = Vec::new();
    tie.numbers(&mut |key, value| numbers.push((key.name, value)));
    assert_eq!(numbers, [("stiffness", 2e6), ("yield", 1e4)]);
    let mut tree = json(&Device::Tie(tie));
    assert_eq!(tree["kind"], "tie");
    assert_eq!(json(&from_tree::<Device>(&tree).unwrap()), tree);
    tree["along"] = json!("x");
    tree["hidden"] = json!(true);
    assert_eq!(json(&from_tree::<Device>(&tree).unwrap()), tree);
}

#[test]
fn what_is_unknown_missing_or_of_another_type_is_reported() {
    assert_eq!(
        faults_of::<Tie>(
            &json!({ "stifness": 1, "yield": "strong", "anchors": [], "along": "y", "strands": 1.5 })
        ),
        [
            "tie 1: unknown key `stifness` (Some(\"did you mean \\\"stiffness\\\"?\"))",
            "tie 1: the key `stiffness` is missing (None)",
            "tie 1.yield: expected a number, alone or with its unit, found the string \"strong\" \
             (Some(\"a force is a number in N, or a string such as \\\"5 kN\\\"; units: N, daN, kN, MN, kgf\"))",
            "tie 1.strands: expected a whole number from 0, found the number 1.5 (None)",
            "tie 1.along: \"y\" is not one of the words known here (Some(\"one of: x, z\"))",
        ]
    );
    assert_eq!(
        faults_of::<Device>(&json!({ "kind": "tye" })),
        [
            "tie 1.kind: \"tye\" is not one of the words known here (Some(\"did you mean \\\"tie\\\"?\"))"
        ]
    );
}

#[test]
fn numbers_of_a_key_with_a_unit_may_be_given_in_others() {
    let tree = json!({
        "stiffness": "2 kN/mm", "yield": "10 kN",
        "anchors": [[0, "5 cm", 0.0], ["1 m", 0.0, "2 mm"]],
    });
    let tie: Tie = from_tree(&tree).unwrap();
    assert_eq!((tie.stiffness, tie.yield_force), (2e6, 1e4));
    assert_eq!(tie.anchors, [[0.0, 0.05, 0.0], [1.0, 0.0, 0.002]]);
    // What is written has SI units.
    assert_eq!(json(&tie)["anchors"][1], json!([1.0, 0.0, 0.002]));
    assert_eq!(
        faults_of::<Tie>(&json!({
            "stiffness": 2e6, "yield": 1e4, "strands": "2 m", "anchors": [[0, "5 kN", 0], [1, 0, 0]],
        })),
        [
            "tie 1.strands: expected a whole number from 0, found the string \"2 m\" (None)",
            "tie 1.anchors[0][1]: \"5 kN\" is a force, not a length (Some(\"a length is a number in m, or a string \
             such as \\\"2 mm\\\"; units: m, dm, cm, mm, km, in, ft\"))",
        ]
    );
}

#[test]
fn the_schema_says_what_the_declaration_says() {
    let mut parts = Parts::default();
    assert_eq!(Tie::describe(&mut parts), json!({ "$ref": "#/$defs/Tie" }));
    let schema = parts.document("Ties", &["Nothing but ties."], &[]);
    let tie = &schema["$defs"]["Tie"];
    assert_eq!(tie["additionalProperties"], false);
    assert_eq!(tie["required"], json!(["stiffness", "yield", "anchors"]));
    let keys: Vec<&str> = Tie::KEYS.iter().map(|key| key.name).collect();
    for key in keys {
        assert!(tie["properties"].get(key).is_some(), "{key}");
    }
    assert_eq!(
        tie["properties"]["strands"],
        json!({
            "type": ["integer", "null"], "format": "uint32", "minimum": 1, "maximum": 64, "default": 1,
            "description": "Strands; default 1. They share the force.",
        })
    );
    let property = |key: &str| tie["properties"][key].clone();
    assert_eq!(property("stiffness")["exclusiveMinimum"], 0.0);
    assert_eq!(property("anchors")["minItems"], 2);
    assert_eq!(property("yield")["type"], json!(["number", "string"]));
    assert_eq!(
        property("breaks")["type"],
        json!(["number", "string", "null"])
    );
    let coordinate = &property("anchors")["items"]["items"];
    let pattern = coordinate["pattern"].as_str().unwrap();
    assert!(
        pattern.ends_with("\\s*(m|dm|cm|mm|km|in|ft)\\s*$"),
        "{pattern}"
    );
    let said = |key: &str| property(key)["description"].clone();
    assert_eq!(said("breaks"), "Where it breaks, m; default: nowhere.");
    assert_eq!(said("along"), "Along which axis; default `z`.");
    assert_eq!(said("hidden"), "Whether it is hidden; default false.");
    let words = &schema["$defs"]["Axis"]["oneOf"];
    assert_eq!(
        words[1],
        json!({ "type": "string", "const": "z", "description": "Upwards." })
    );
}
