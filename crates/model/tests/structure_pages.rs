//! The tables of keys on the book's pages of structures are those of the schema.
//!
//! `UPDATE_BOOK=1 cargo test -p drystone-model --test structure_pages` writes them anew.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// The pages, and between which marks a table of keys stands on them.
const PAGES: [&str; 6] = [
    "walls.md",
    "buildings.md",
    "arches.md",
    "vaults.md",
    "domes.md",
    "columns.md",
];
const OPEN: &str = "<!-- keys of ";
const CLOSE: &str = "<!-- end of keys -->";

fn book() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src")
}

fn line(text: &Value) -> String {
    let text = text.as_str().unwrap_or_default();
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// Names of the definitions that a schema refers to, in order.
fn references(schema: &Value, found: &mut Vec<String>) {
    match schema {
        Value::Object(table) => {
            for (key, value) in table {
                match value
                    .as_str()
                    .and_then(|text| text.strip_prefix("#/$defs/"))
                {
                    Some(name) if key == "$ref" => found.push(name.to_owned()),
                    _ => references(value, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| references(value, found)),
        _ => {}
    }
}

/// Where a part that several structures have is described: the kind, and its page.
#[derive(Clone, PartialEq)]
struct Home {
    kind: String,
    page: &'static str,
}

/// Describes one kind of structure.
struct Keys<'s> {
    schema: &'s Value,
    home: Home,
    /// Parts that were described on this page or one before it.
    known: &'s mut BTreeMap<String, Home>,
    /// Those of which this kind has said where they are described.
    told: BTreeSet<String>,
    out: String,
}

impl Keys<'_> {
    /// A table of the keys of an object, followed by those of the tables and words in it that were not described before.
    fn describe(&mut self, object: &Value) {
        let required: Vec<&str> = object["required"]
            .as_array()
            .map(|list| list.iter().filter_map(Value::as_str).collect())
            .unwrap_or_default();
        let _ = writeln!(self.out, "| key | meaning |\n|---|---|");
        let properties = object["properties"].as_object().unwrap();
        for (key, property) in properties.iter().filter(|(key, _)| *key != "kind") {
            let needed = if required.contains(&key.as_str()) {
                " Needed."
            } else {
                ""
            };
            let _ = writeln!(
                self.out,
                "| `{key}` | {}{needed} |",
                line(&property["description"])
            );
        }
        for (key, property) in properties {
            let mut names = Vec::new();
            references(property, &mut names);
            for name in names {
                self.part(key, name);
            }
        }
    }

    /// A part that a key refers to: said once in the book, and elsewhere where.
    fn part(&mut self, key: &str, name: String) {
        let part = &self.schema["$defs"][&name];
        if let Some(home) = self.known.get(&own_keys(part)) {
            // A kind that is also a part of another one, as a column is of a colonnade.
            let _ = writeln!(self.out, "\n`{key}`: see `{}` above.", home.kind);
            return;
        }
        let description = line(&part["description"]);
        match self.known.get(&name) {
            Some(home) if *home == self.home => {}
            Some(Home { kind, page }) => {
                if self.told.insert(name) {
                    let place = if *page == self.home.page {
                        format!("`{kind}` above")
                    } else {
                        format!("[`{kind}`]({page})")
                    };
                    let _ = writeln!(self.out, "\n`{key}`: {description} See {place}.");
                }
            }
            None => {
                self.known.insert(name, self.home.clone());
                let _ = writeln!(self.out, "\n`{key}`: {description}\n");
                if part.get("properties").is_some() {
                    self.describe(part);
                } else {
                    for word in part["oneOf"].as_array().unwrap() {
                        let meaning = line(&word["description"]);
                        let _ = writeln!(self.out, "* `{}`: {meaning}", word["const"]);
                    }
                }
            }
        }
    }
}

/// The keys of a kind or of a part as one text, by which they are known again.
fn own_keys(object: &Value) -> String {
    let mut properties = object["properties"].clone();
    if let Some(table) = properties.as_object_mut() {
        table.remove("kind");
    }
    properties.to_string()
}

fn keys(home: Home, schema: &Value, known: &mut BTreeMap<String, Home>) -> String {
    let variants = schema["$defs"]["GenerateSpec"]["oneOf"].as_array().unwrap();
    let variant = variants
        .iter()
        .find(|variant| variant["properties"]["kind"]["const"] == home.kind)
        .unwrap_or_else(|| panic!("there is no kind {}", home.kind));
    let mut keys = Keys {
        schema,
        home,
        known,
        told: BTreeSet::new(),
        out: String::new(),
    };
    keys.describe(variant);
    keys.known.insert(own_keys(variant), keys.home);
    keys.out
}

#[test]
fn pages_have_the_keys_of_the_schema() {
    let schema = drystone_model::schema();
    let update = std::env::var_os("UPDATE_BOOK").is_some();
    let mut described = BTreeSet::new();
    let mut known = BTreeMap::new();
    for name in PAGES {
        let path = book().join(name);
        let page = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let mut renewed = String::new();
        let mut rest = page.as_str();
        while let Some((before, after)) = rest.split_once(OPEN) {
            let (kind, after) = after.split_once(" -->").unwrap();
            let (_, after) = after
                .split_once(CLOSE)
                .unwrap_or_else(|| panic!("{name}: {kind} does not end"));
            let home = Home {
                kind: kind.to_owned(),
                page: name,
            };
            let _ = write!(
                renewed,
                "{before}{OPEN}{kind} -->\n\n{}\n{CLOSE}",
                keys(home, &schema, &mut known)
            );
            described.insert(kind.to_owned());
            rest = after;
        }
        renewed.push_str(rest);
        if update {
            fs::write(&path, renewed).unwrap();
        } else {
            assert!(
                renewed == page,
                "{name} is not up to date: run with UPDATE_BOOK=1"
            );
        }
    }
    let kinds = schema["$defs"]["GenerateSpec"]["oneOf"]
        .as_array()
        .unwrap()
        .iter();
    for kind in kinds.filter_map(|variant| variant["properties"]["kind"]["const"].as_str()) {
        assert!(
            described.contains(kind) || ["box", "ground"].contains(&kind),
            "no page describes {kind}"
        );
    }
}
