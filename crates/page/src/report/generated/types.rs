//! The viewer's types of what a page holds, made from the schema of the Rust ones.

use std::fmt::Write as _;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use super::super::live::LiveFrame;
use super::super::scene::Scene;
use super::check;

const HEAD: &str = "// What the page holds. Made from the types in crates/page/src/report; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated
// Arrays of numbers are base64 of little-endian numbers; indices have 32 bits and no sign.
";

/// A schema as TypeScript writes its type.
fn written(schema: &Value) -> String {
    if let Some(name) = schema["$ref"].as_str() {
        return name.rsplit('/').next().unwrap_or_default().to_owned();
    }
    if let Some(several) = schema["anyOf"].as_array() {
        return several.iter().map(written).collect::<Vec<_>>().join(" | ");
    }
    let one = |name: &str| match name {
        "string" | "boolean" | "null" => name.to_owned(),
        "number" | "integer" => "number".to_owned(),
        "array" => {
            let item = written(&schema["items"]);
            match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
                (Some(least), Some(most)) if least == most => {
                    format!("[{}]", vec![item; least as usize].join(", "))
                }
                _ if item.contains(' ') => format!("({item})[]"),
                _ => format!("{item}[]"),
            }
        }
        _ => panic!("no type for {schema}"),
    };
    match &schema["type"] {
        Value::String(name) => one(name),
        Value::Array(names) => {
            let names = names.iter().filter_map(Value::as_str);
            names.map(one).collect::<Vec<_>>().join(" | ")
        }
        _ => panic!("no type for {schema}"),
    }
}

fn comment(schema: &Value) -> String {
    let words = schema["description"].as_str().unwrap_or_default();
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn types_of_the_viewer_are_those_of_the_page() {
    let mut generator = SchemaSettings::default().for_serialize().into_generator();
    generator.subschema_for::<Scene>();
    generator.subschema_for::<LiveFrame>();
    let mut text = HEAD.to_owned();
    for (name, schema) in generator.definitions() {
        let _ = write!(
            text,
            "\n/** {} */\nexport interface {name} {{\n",
            comment(schema)
        );
        let required = schema["required"].as_array();
        for (key, value) in schema["properties"].as_object().unwrap() {
            let _ = writeln!(text, "  /** {} */", comment(value));
            let kind = written(value);
            // What may be left out is left out where it is none.
            let _ = if required.is_some_and(|keys| keys.iter().any(|other| other == key)) {
                writeln!(text, "  {key}: {kind};")
            } else {
                writeln!(text, "  {key}?: {};", kind.trim_end_matches(" | null"))
            };
        }
        text.push_str("}\n");
    }
    check("viewer/src/generated/scene.ts", &text);
}
