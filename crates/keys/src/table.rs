//! Tables with a fixed set of keys.

use serde::ser::SerializeStruct;

use crate::fault::{Fault, Faults, Trail, did_you_mean};
use crate::key::Key;
use crate::source::{Node, Value};

/// Something that can be read from a value of a model file.
pub trait Decode: Sized {
    /// Reports what is wrong; nothing if it could not be read at all.
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self>;
}

/// A table whose keys are declared; [`crate::keys!`] makes it.
pub trait Keys: Sized {
    /// In the order of the declaration.
    const KEYS: &'static [Key];

    /// Takes the values of its keys. Other keys may belong to somebody else who reads the same table.
    fn read(table: &mut Table<'_, '_>) -> Self;

    /// Hands over every number that is there, with its key.
    fn numbers(&self, visit: &mut dyn FnMut(&'static Key, f64));

    /// Writes its keys into a table that may have others.
    fn write<T: SerializeStruct>(&self, table: &mut T) -> Result<(), T::Error>;
}

/// A value of the wrong type.
pub fn wrong(node: &Node<'_>, trail: Trail<'_>, expected: &str) -> Fault {
    Fault::at(
        trail,
        format!("expected {expected}, found {}", node.describe()),
    )
    .span(node.span.clone())
}

/// A table being read.
#[derive(Debug)]
pub struct Table<'r, 's> {
    node: &'r Node<'s>,
    trail: Trail<'r>,
    faults: &'r mut Faults,
}

impl<'r, 's> Table<'r, 's> {
    /// Reports keys that are in none of these declarations.
    pub fn open(
        node: &'r Node<'s>,
        keys: &[&[Key]],
        trail: Trail<'r>,
        faults: &'r mut Faults,
    ) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            faults.push(wrong(node, trail, "a table"));
            return None;
        };
        let known = keys.iter().copied().flatten().map(|key| key.name);
        for (key, _) in entries {
            let text = key.text.as_ref();
            if !known.clone().any(|known| known == text) {
                faults.push(
                    Fault::at(trail, format!("unknown key `{text}`"))
                        .maybe_help(did_you_mean(text, "known keys", known.clone()))
                        .span(key.span.clone()),
                );
            }
        }
        Some(Self {
            node,
            trail,
            faults,
        })
    }

    /// A value that may be absent, with the unit of its numbers. JSON's null is the same as absent.
    pub fn optional<T: Decode>(&mut self, key: &str, unit: &'static str) -> Option<T> {
        let value = self.node.get(key)?;
        if matches!(value.value, Value::Null) {
            return None;
        }
        T::decode(value, self.trail.measured(key, unit), self.faults)
    }

    /// A value that is empty, zero or false where absent.
    pub fn defaulted<T: Decode + Default>(&mut self, key: &str, unit: &'static str) -> T {
        self.optional(key, unit).unwrap_or_default()
    }

    /// A value that must be there.
    pub fn required<T: Decode + Default>(&mut self, key: &str, unit: &'static str) -> T {
        let present = self
            .node
            .get(key)
            .is_some_and(|node| !matches!(node.value, Value::Null));
        if !present {
            self.faults.push(
                Fault::at(self.trail, format!("the key `{key}` is missing"))
                    .span(self.node.span.clone()),
            );
        }
        self.defaulted(key, unit)
    }
}
