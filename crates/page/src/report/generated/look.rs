//! Colours and sizes of text: from `look.json` to Rust, TypeScript and Python.

use std::fmt::Write as _;

use serde_json::{Map, Value};

use super::check;

const HEAD: &str = "Made from crates/page/src/report/look.json; do not edit: DRYSTONE_WRITE=1 cargo test -p drystone-page generated";

/// A name with what is said of it, and either a list or named values.
struct Group {
    name: String,
    about: String,
    values: Values,
}

enum Values {
    List(Vec<String>),
    Named(Vec<(String, Value)>),
}

fn groups() -> Vec<Group> {
    let all: Map<String, Value> = serde_json::from_str(include_str!("../look.json")).unwrap();
    let group = |(name, value): (String, Value)| {
        let Value::Object(mut map) = value else {
            panic!("{name} is no table")
        };
        let about = map.remove("about").unwrap().as_str().unwrap().to_owned();
        let values = match map.remove("list") {
            Some(list) => Values::List(serde_json::from_value(list).unwrap()),
            None => Values::Named(map.into_iter().collect()),
        };
        Group {
            name,
            about,
            values,
        }
    };
    all.into_iter().map(group).collect()
}

/// A group as custom properties of CSS.
fn properties(group: &Group, prefix: &str) -> String {
    match &group.values {
        Values::List(list) => format!("--{}:{};", group.name, list.join(",")),
        Values::Named(values) => values.iter().fold(String::new(), |mut text, (key, value)| {
            let key = key.replace('_', "-");
            let _ = write!(text, "--{prefix}{key}:{};", value.as_str().unwrap());
            text
        }),
    }
}

fn rust(groups: &[Group]) -> String {
    let mut text = format!("//! Colours and sizes of text. {HEAD}\n\n");
    text.push_str("#![allow(missing_docs, reason = \"names say what values are for\")]\n");
    for group in groups {
        let upper = group.name.to_uppercase();
        let _ = write!(text, "\n/// {}\n", group.about);
        match &group.values {
            Values::List(list) => {
                let _ = writeln!(
                    text,
                    "pub const {upper}: [&str; {}] = {list:?};",
                    list.len()
                );
            }
            Values::Named(values) => {
                let _ = writeln!(text, "pub mod {} {{", group.name);
                for (key, value) in values {
                    let kind = if value.is_string() { "&str" } else { "u32" };
                    let _ = writeln!(
                        text,
                        "    pub const {}: {kind} = {value};",
                        key.to_uppercase()
                    );
                }
                text.push_str("}\n");
            }
        }
    }
    // Pages write these as they are: nothing is put together at run time.
    for (name, prefix) in [
        ("light", ""),
        ("dark", ""),
        ("print", ""),
        ("text", "text-"),
        ("ramp", ""),
    ] {
        let group = groups.iter().find(|group| group.name == name).unwrap();
        let _ = write!(
            text,
            "\n/// The same in CSS: {about}\npub const {}_CSS: &str = {:?};\n",
            name.to_uppercase(),
            properties(group, prefix),
            about = group.about,
        );
    }
    text
}

fn typescript(groups: &[Group]) -> String {
    let mut text = format!("// Colours and sizes of text. {HEAD}\n");
    for group in groups {
        let mut parts = group.name.split('_');
        let mut name = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            name += &part[..1].to_uppercase();
            name += &part[1..];
        }
        let _ = write!(text, "\n/** {} */\nexport const {name} = ", group.about);
        match &group.values {
            Values::List(list) => {
                let _ = write!(text, "{list:?}");
            }
            Values::Named(values) => {
                text.push_str("{\n");
                for (key, value) in values {
                    let _ = writeln!(text, "  {key}: {value},");
                }
                text.push('}');
            }
        }
        text.push_str(" as const;\n");
    }
    text
}

fn python(groups: &[Group]) -> String {
    let mut text =
        format!("\"\"\"Colours and sizes of text. {HEAD}\"\"\"\n\nfrom typing import Final\n");
    for group in groups {
        let upper = group.name.to_uppercase();
        let _ = write!(text, "\n#: {}\n{upper}: Final = ", group.about);
        match &group.values {
            Values::List(list) => {
                let _ = writeln!(text, "({})", format!("{list:?}").trim_matches(['[', ']']));
            }
            Values::Named(values) => {
                text.push_str("{\n");
                for (key, value) in values {
                    let _ = writeln!(text, "    \"{key}\": {value},");
                }
                text.push_str("}\n");
            }
        }
    }
    text
}

#[test]
fn one_look_for_rust_typescript_and_python() {
    let groups = groups();
    check("crates/page/src/report/look.rs", &rust(&groups));
    check("viewer/src/generated/look.ts", &typescript(&groups));
    check("python/drystone/_look.py", &python(&groups));
}
