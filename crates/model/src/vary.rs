//! Changing one number of a model as written, for searches over parameters.

use serde_json::Value;

use crate::spec::ModelSpec;

/// Why a number could not be changed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum VaryFault {
    /// The path is not a path.
    #[error(
        "\"{path}\" is not a path: write keys with dots between them, e.g. generate.thickness, interface[0].friction or generate.NAME.span"
    )]
    Syntax {
        /// As given.
        path: String,
    },
    /// Nothing is there.
    #[error("\"{path}\" leads to nothing: the model as written has no {what}")]
    Nothing {
        /// As given.
        path: String,
        /// What is missing, with what there is instead.
        what: String,
    },
    /// Several things are there.
    #[error("\"{path}\" is not unique: {what}")]
    Several {
        /// As given.
        path: String,
        /// Which things.
        what: String,
    },
    /// Something else than a number is there.
    #[error("\"{path}\" leads to {found}, not to a number")]
    NotANumber {
        /// As given.
        path: String,
        /// What is there.
        found: String,
    },
    /// Something of another kind is there.
    #[error("\"{path}\" leads to {found}, in whose place {value} cannot stand{why}")]
    OtherKind {
        /// As given.
        path: String,
        /// What should stand there.
        value: String,
        /// What is there.
        found: String,
        /// What the reader says of a number with a unit; empty of anything else.
        why: String,
    },
    /// The model can't be read with it.
    #[error("the model cannot hold {value} at \"{path}\": {message}")]
    Refused {
        /// As given.
        path: String,
        /// The number.
        value: f64,
        /// What the reader says.
        message: String,
    },
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq)]
enum Step<'p> {
    Key(&'p str),
    Index(usize),
    All,
}

/// A number in a model as written: a path such as `generate.thickness`, where a list may be passed by position (`generate[0].thickness`), by
/// name (`generate.nave.thickness`), for all its entries (`interface[*].friction`), or without anything if one entry alone has the key.
#[derive(Debug, Clone)]
pub struct Parameter {
    path: String,
    tree: Value,
    places: Vec<String>,
}

impl Parameter {
    /// Finds the number.
    pub fn find(spec: &ModelSpec, path: &str) -> Result<Self, VaryFault> {
        let tree = serde_json::to_value(spec).map_err(|error| VaryFault::Refused {
            path: path.into(),
            value: f64::NAN,
            message: error.to_string(),
        })?;
        let places = places_of(&tree, path)?;
        for place in &places {
            let found = tree.pointer(place).unwrap_or(&Value::Null);
            if !found.is_number() {
                return Err(VaryFault::NotANumber {
                    path: path.into(),
                    found: described(found),
                });
            }
        }
        Ok(Self {
            path: path.into(),
            tree,
            places,
        })
    }

    /// The number as written, the first if there are several.
    pub fn value(&self) -> f64 {
        let first = self
            .places
            .first()
            .and_then(|place| self.tree.pointer(place));
        first.and_then(Value::as_f64).unwrap_or(f64::NAN)
    }

    /// The model as written with another number.
    pub fn set(&self, value: f64) -> Result<ModelSpec, VaryFault> {
        let mut tree = self.tree.clone();
        for place in &self.places {
            if let Some(number) = tree.pointer_mut(place) {
                *number = if number.is_u64() && value.fract() == 0.0 && value >= 0.0 {
                    Value::from(value as u64)
                } else {
                    Value::from(value)
                };
            }
        }
        crate::from_tree(&tree).map_err(|faults| VaryFault::Refused {
            path: self.path.clone(),
            value,
            message: faults.first(),
        })
    }
}

/// Where a path leads, as pointers into the tree.
pub(crate) fn places_of(tree: &Value, path: &str) -> Result<Vec<String>, VaryFault> {
    let steps = steps(path).ok_or_else(|| VaryFault::Syntax { path: path.into() })?;
    let mut places = Vec::new();
    follow(tree, &steps, String::new(), path, &mut places)?;
    Ok(places)
}

fn steps(path: &str) -> Option<Vec<Step<'_>>> {
    let mut steps = Vec::new();
    for part in path.split('.') {
        let (key, mut rest) = part.split_at(part.find('[').unwrap_or(part.len()));
        if key.is_empty() {
            return None;
        }
        steps.push(Step::Key(key));
        while let Some(inner) = rest.strip_prefix('[') {
            let (index, after) = inner.split_once(']')?;
            steps.push(match index {
                "*" => Step::All,
                index => Step::Index(index.parse().ok()?),
            });
            rest = after;
        }
        if !rest.is_empty() {
            return None;
        }
    }
    Some(steps)
}

fn follow(
    value: &Value,
    steps: &[Step<'_>],
    place: String,
    path: &str,
    places: &mut Vec<String>,
) -> Result<(), VaryFault> {
    let Some((step, rest)) = steps.split_first() else {
        places.push(place);
        return Ok(());
    };
    let nothing = |what: String| VaryFault::Nothing {
        path: path.into(),
        what,
    };
    match (value, step) {
        (Value::Object(map), Step::Key(key)) => {
            let Some(next) = map.get(*key) else {
                let known: Vec<&str> = map.keys().map(String::as_str).collect();
                return Err(nothing(format!(
                    "`{key}` there; it has {}",
                    known.join(", ")
                )));
            };
            // JSON pointers write these two otherwise.
            let key = key.replace('~', "~0").replace('/', "~1");
            follow(next, rest, format!("{place}/{key}"), path, places)
        }
        (Value::Array(items), Step::Index(index)) => match items.get(*index) {
            Some(next) => follow(next, rest, format!("{place}/{index}"), path, places),
            None => Err(nothing(format!(
                "entry {index}; there are {}, counted from 0",
                items.len()
            ))),
        },
        (Value::Array(items), Step::All) => {
            for (index, next) in items.iter().enumerate() {
                follow(next, rest, format!("{place}/{index}"), path, places)?;
            }
            Ok(())
        }
        (Value::Array(items), Step::Key(key)) => {
            let named = items.iter().position(|item| item["name"] == **key);
            if let Some(index) = named {
                return follow(
                    &items[index],
                    rest,
                    format!("{place}/{index}"),
                    path,
                    places,
                );
            }
            let having: Vec<usize> = (0..items.len())
                .filter(|&index| items[index].get(*key).is_some())
                .collect();
            match having[..] {
                [index] => follow(
                    &items[index],
                    steps,
                    format!("{place}/{index}"),
                    path,
                    places,
                ),
                [] => Err(nothing(format!("entry with the name or the key `{key}`"))),
                _ => Err(VaryFault::Several {
                    path: path.into(),
                    what: format!(
                        "{} entries have the key `{key}`; give a position as [0], a name, or [*] for all",
                        having.len()
                    ),
                }),
            }
        }
        (other, _) => Err(VaryFault::NotANumber {
            path: path.into(),
            found: described(other),
        }),
    }
}

pub(crate) fn described(value: &Value) -> String {
    match value {
        Value::Object(_) => "a table".into(),
        Value::Array(_) => "a list".into(),
        other => other.to_string(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Format;

    const MODEL: &str = r#"
[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.7
[[interface]]
between = ["stone", "stone"]
friction = 0.5
[[generate]]
kind = "arch"
name = "bridge"
material = "stone"
span = 4.0
thickness = 0.4
depth = 1.0
voussoirs = 11
[[generate]]
kind = "ground"
material = "stone"
"#;

    /// An arch on the ground, with two interfaces.
    pub(crate) fn spec() -> ModelSpec {
        crate::parse(MODEL, Format::Toml).unwrap()
    }

    #[test]
    fn numbers_are_found_by_position_by_name_and_where_there_is_one() {
        for path in [
            "generate.thickness",
            "generate[0].thickness",
            "generate.bridge.thickness",
        ] {
            let parameter = Parameter::find(&spec(), path).unwrap();
            assert_eq!(parameter.value(), 0.4, "{path}");
            let changed = parameter.set(0.25).unwrap();
            assert_eq!(Parameter::find(&changed, path).unwrap().value(), 0.25);
        }
        let all = Parameter::find(&spec(), "interface[*].friction").unwrap();
        let changed = all.set(0.1).unwrap();
        assert!(
            changed
                .interface
                .iter()
                .all(|interface| interface.friction == 0.1)
        );
        let count = Parameter::find(&spec(), "generate.voussoirs").unwrap();
        assert_eq!(
            Parameter::find(&count.set(13.0).unwrap(), "generate.voussoirs")
                .unwrap()
                .value(),
            13.0
        );
        assert!(count.set(12.5).is_err());
    }

    #[test]
    fn what_leads_nowhere_says_why() {
        let told = |path: &str| Parameter::find(&spec(), path).unwrap_err().to_string();
        assert!(told("generate.thikness").contains("thikness"));
        assert!(told("interface.friction").contains("[*]"));
        assert!(told("generate[7].thickness").contains("there are 2"));
        assert!(told("generate[0]").contains("a table"));
        assert!(told("generate..x").contains("not a path"));
        assert!(told("generate[x].y").contains("not a path"));
        assert!(told("material.name").contains("stone"));
        assert!(told("model.gravity").contains("gravity"));
    }
}
