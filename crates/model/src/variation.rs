//! Changing several values of a model as written, many times.

use serde_json::Value;

use crate::asked::VaryValue;
use crate::spec::ModelSpec;
use crate::vary::{VaryFault, described, places_of};

/// Values in a model as written that are changed together. Paths are those of [`crate::Parameter`]; what they lead to may also be a word or a flag.
#[derive(Debug, Clone)]
pub struct Variation {
    tree: Value,
    changes: Vec<(String, Vec<String>)>,
}

impl Variation {
    /// Finds the values.
    pub fn find(spec: &ModelSpec, paths: &[&str]) -> Result<Self, VaryFault> {
        let tree = serde_json::to_value(spec).map_err(|error| VaryFault::Refused {
            path: paths.join(", "),
            value: f64::NAN,
            message: error.to_string(),
        })?;
        Self::find_in(tree, paths)
    }

    /// As [`Self::find`], in a model that is a tree of JSON already.
    pub fn find_in(tree: Value, paths: &[&str]) -> Result<Self, VaryFault> {
        let changes = paths
            .iter()
            .map(|path| Ok(((*path).to_owned(), leaves(&tree, path)?)))
            .collect::<Result<_, VaryFault>>()?;
        Ok(Self { tree, changes })
    }

    /// Where a path leads, as JSON pointers.
    pub fn places(&self, path: usize) -> &[String] {
        self.changes.get(path).map_or(&[], |(_, places)| places)
    }

    /// The model as a tree of JSON with these values, one for each path.
    pub fn tree(&self, values: &[VaryValue]) -> Value {
        let mut tree = self.tree.clone();
        for ((_, places), value) in self.changes.iter().zip(values) {
            for place in places {
                if let Some(found) = tree.pointer_mut(place) {
                    *found = written(value, found);
                }
            }
        }
        tree
    }

    /// Whether values of this kind can stand where a path leads; says what is there if not.
    pub fn takes(&self, path: usize, value: &VaryValue) -> Result<(), VaryFault> {
        let Some((path, places)) = self.changes.get(path) else {
            return Ok(());
        };
        for place in places {
            let found = self.tree.pointer(place).unwrap_or(&Value::Null);
            let why = match value {
                VaryValue::Number(_) if found.is_number() => continue,
                VaryValue::Text(_) if found.is_string() => continue,
                VaryValue::Flag(_) if found.is_boolean() => continue,
                VaryValue::Text(text) if found.is_number() => match self.read(place, text) {
                    Ok(_) => continue,
                    Err(why) => format!(": {why}"),
                },
                _ => String::new(),
            };
            return Err(VaryFault::OtherKind {
                path: path.clone(),
                value: written(value, found).to_string(),
                found: described(found),
                why,
            });
        }
        Ok(())
    }

    /// The number that a text such as "0.2 g" is where a path leads, in the unit of its key; nothing if something else than numbers is there, or the text is none.
    pub(crate) fn number(&self, path: usize, text: &str) -> Option<f64> {
        let place = self.places(path).first()?;
        let is_number = |place: &String| self.tree.pointer(place).is_some_and(Value::is_number);
        if !self.places(path).iter().all(is_number) {
            return None;
        }
        self.read(place, text).ok()
    }

    /// The same at a place, by whoever reads the key there, or what that says.
    fn read(&self, place: &str, text: &str) -> Result<f64, String> {
        let mut tree = self.tree.clone();
        if let Some(found) = tree.pointer_mut(place) {
            *found = Value::from(text);
        }
        let spec = crate::from_tree(&tree).map_err(|faults| faults.first())?;
        let tree = serde_json::to_value(spec).map_err(|error| error.to_string())?;
        let number = tree.pointer(place).and_then(Value::as_f64);
        number.ok_or_else(|| "it is no number there".to_owned())
    }
}

/// Whole numbers stay whole where they were.
fn written(value: &VaryValue, found: &Value) -> Value {
    match value {
        VaryValue::Number(number)
            if found.is_u64() && number.fract() == 0.0 && (0.0..1e15).contains(number) =>
        {
            Value::from(*number as u64)
        }
        VaryValue::Number(number) => Value::from(*number),
        VaryValue::Text(text) => Value::from(text.as_str()),
        VaryValue::Flag(flag) => Value::from(*flag),
    }
}

/// Where a path leads: to numbers, words and flags, at least one.
fn leaves(tree: &Value, path: &str) -> Result<Vec<String>, VaryFault> {
    let places = places_of(tree, path)?;
    for place in &places {
        let found = tree.pointer(place).unwrap_or(&Value::Null);
        if !(found.is_number() || found.is_string() || found.is_boolean()) {
            return Err(VaryFault::NotANumber {
                path: path.into(),
                found: described(found),
            });
        }
    }
    if places.is_empty() {
        return Err(VaryFault::Nothing {
            path: path.into(),
            what: "entry there".into(),
        });
    }
    Ok(places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vary::tests::spec;

    #[test]
    fn several_values_change_at_once() {
        let spec = spec();
        let paths = [
            "interface[*].friction",
            "generate.voussoirs",
            "generate.bridge.material",
        ];
        let variation = Variation::find(&spec, &paths).unwrap();
        let values = [
            VaryValue::Number(0.3),
            VaryValue::Number(13.0),
            VaryValue::Text("brick".into()),
        ];
        for (path, value) in values.iter().enumerate() {
            variation.takes(path, value).unwrap();
        }
        let changed = crate::from_tree(&variation.tree(&values)).unwrap();
        assert!(changed.interface.iter().all(|i| i.friction == 0.3));
        let tree = serde_json::to_value(&changed).unwrap();
        assert_eq!(tree["generate"][0]["voussoirs"], 13);
        assert_eq!(tree["generate"][0]["material"], "brick");
        let told = variation
            .takes(0, &VaryValue::Text("rough".into()))
            .unwrap_err()
            .to_string();
        assert!(told.contains("0.7") && told.contains("rough"), "{told}");
        assert!(Variation::find(&spec, &["generate.thikness"]).is_err());
    }
}
