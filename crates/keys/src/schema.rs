//! The JSON Schema of what is declared.

use serde_json::{Map, Value as Json, json};

use crate::key::{Bounds, Key, Presence};
use crate::kinds::Kind;
use crate::units::Quantity;

/// Something that has a schema.
pub trait Describe {
    /// The schema; parts that several others share go to `parts`.
    fn describe(parts: &mut Parts) -> Json;

    /// The value itself, if it is a number that bounds can be checked of.
    fn number(&self) -> Option<f64> {
        None
    }
}

/// Schemas that others refer to by name.
#[derive(Debug, Default)]
pub struct Parts(Map<String, Json>);

impl Parts {
    /// A reference to a part, which is made if it is not there.
    pub fn refer(&mut self, name: &str, make: impl FnOnce(&mut Self) -> Json) -> Json {
        if !self.0.contains_key(name) {
            self.0.insert(name.to_owned(), Json::Null);
            let part = make(self);
            self.0.insert(name.to_owned(), part);
        }
        json!({ "$ref": format!("#/$defs/{name}") })
    }

    /// A reference to a table.
    pub fn table(&mut self, name: &str, about: &[&str], keys: &[Key]) -> Json {
        self.refer(name, |parts| {
            let mut table = parts.object(about, &[keys]);
            table["additionalProperties"] = false.into();
            table
        })
    }

    /// A reference to a table that is read by its `kind`.
    pub fn kinds(&mut self, name: &str, about: &[&str], kinds: &[Kind]) -> Json {
        self.refer(name, |parts| {
            let closed = |mut kind: Json| {
                kind["additionalProperties"] = false.into();
                kind
            };
            let kinds: Vec<Json> = parts.each(kinds).into_iter().map(closed).collect();
            json!({ "description": lines(about), "oneOf": kinds })
        })
    }

    /// The tables of each kind. They do not refuse further keys: somebody else may read the same table.
    pub fn each(&mut self, kinds: &[Kind]) -> Vec<Json> {
        let mut list = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let mut table = self.object(kind.doc, &[kind.keys]);
            table["properties"]["kind"] = json!({ "type": "string", "const": kind.word });
            match table["required"].as_array_mut() {
                Some(required) => required.insert(0, "kind".into()),
                None => table["required"] = json!(["kind"]),
            }
            list.push(table);
        }
        list
    }

    /// A table with the keys of several declarations. It does not refuse others yet.
    pub fn object(&mut self, about: &[&str], keys: &[&[Key]]) -> Json {
        let mut properties = Map::new();
        let mut required: Vec<&str> = Vec::new();
        for key in keys.iter().copied().flatten() {
            properties.insert(key.name.to_owned(), self.property(key));
            if key.presence == Presence::Required {
                required.push(key.name);
            }
        }
        let mut table = json!({
            "type": "object",
            "description": lines(about),
            "properties": properties,
        });
        if !required.is_empty() {
            table["required"] = required.into();
        }
        table
    }

    fn property(&mut self, key: &Key) -> Json {
        let mut property = (key.shape)(self);
        measured(&mut property, key.unit);
        if key.presence == Presence::Optional {
            property = or_null(property);
        }
        bound(&mut property, &key.bounds);
        property["description"] = key.description().into();
        if let crate::Absent::Value(value) = key.absent {
            property["default"] = value();
        }
        property
    }

    /// The whole schema of files whose top-level keys are these.
    pub fn document(mut self, title: &str, about: &[&str], keys: &[Key]) -> Json {
        let mut schema = self.object(about, &[keys]);
        schema["$schema"] = "https://json-schema.org/draft/2020-12/schema".into();
        schema["title"] = title.into();
        schema["additionalProperties"] = false.into();
        schema["$defs"] = self.0.into();
        schema
    }
}

/// One of a few words.
pub fn words(about: &[&str], words: &[(&str, &[&str])]) -> Json {
    let words: Vec<Json> = words
        .iter()
        .map(|(word, doc)| json!({ "type": "string", "const": word, "description": lines(doc) }))
        .collect();
    json!({ "description": lines(about), "oneOf": words })
}

/// Lines of documentation as one text; an empty line begins a paragraph.
fn lines(doc: &[&str]) -> String {
    let lines: Vec<&str> = doc.iter().map(|line| line.trim()).collect();
    lines.join("\n")
}

/// The same value with its numbers, in lists too, as numbers or as strings with a unit.
fn measured(shape: &mut Json, unit: &str) {
    if let Some(Json::Array(shapes)) = shape.get_mut("anyOf") {
        shapes.iter_mut().for_each(|shape| measured(shape, unit));
    } else if shape["type"] == "array" {
        measured(&mut shape["items"], unit);
    } else if shape["format"] == "double" && !unit.is_empty() {
        let quantity = Quantity::of(unit);
        debug_assert!(quantity.is_some(), "`{unit}` has no table of units");
        if let Some(quantity) = quantity {
            shape["type"] = json!(["number", "string"]);
            shape["pattern"] = quantity.pattern().into();
        }
    }
}

/// The same value, or JSON's null, which is the same as absent.
fn or_null(mut shape: Json) -> Json {
    match shape.get_mut("type") {
        Some(Json::Array(names)) => {
            names.push("null".into());
            shape
        }
        Some(name) => {
            *name = json!([name, "null"]);
            shape
        }
        None => json!({ "anyOf": [shape, { "type": "null" }] }),
    }
}

fn bound(property: &mut Json, bounds: &Bounds) {
    let numbers = [
        ("exclusiveMinimum", bounds.above),
        ("minimum", bounds.least),
        ("maximum", bounds.most),
        ("exclusiveMaximum", bounds.below),
    ];
    let integer = property["format"] == "uint32";
    for (word, limit) in numbers {
        if let Some(limit) = limit {
            property[word] = if integer {
                (limit as u64).into()
            } else {
                limit.into()
            };
        }
    }
    for (word, count) in [("minItems", bounds.shortest), ("maxItems", bounds.longest)] {
        if let Some(count) = count {
            property[word] = count.into();
        }
    }
}
