//! Tables with a fixed set of keys.

use crate::fault::{Fault, Faults, Trail, did_you_mean};
use drystone_keys::{Node, Value};

/// Something that can be read from a value of a model file.
pub(super) trait Decode: Sized {
    /// Reports what is wrong; nothing if it could not be read at all.
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self>;
}

/// A table whose keys are known.
pub(super) trait Keys: Sized {
    const KEYS: &'static [&'static str];

    /// Takes the values of its keys. Other keys may belong to somebody else who reads the same table.
    fn read(table: &mut Table<'_, '_>) -> Self;
}

/// A value of the wrong type.
pub(super) fn wrong(node: &Node<'_>, trail: Trail<'_>, expected: &str) -> Fault {
    Fault::at(
        trail,
        format!("expected {expected}, found {}", node.describe()),
    )
    .span(node.span.clone())
}

/// A table being read.
pub(super) struct Table<'r, 's> {
    node: &'r Node<'s>,
    trail: Trail<'r>,
    faults: &'r mut Faults,
}

impl<'r, 's> Table<'r, 's> {
    /// Reports keys that are not known.
    pub fn open(
        node: &'r Node<'s>,
        keys: &[&str],
        trail: Trail<'r>,
        faults: &'r mut Faults,
    ) -> Option<Self> {
        let Value::Table(entries) = &node.value else {
            faults.push(wrong(node, trail, "a table"));
            return None;
        };
        for (key, _) in entries {
            let text = key.text.as_ref();
            if !keys.contains(&text) {
                faults.push(
                    Fault::at(trail, format!("unknown key `{text}`"))
                        .maybe_help(did_you_mean(text, "known keys", keys.iter().copied()))
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

    /// A value that may be absent. JSON's null is the same as absent.
    pub fn optional<T: Decode>(&mut self, key: &str) -> Option<T> {
        let value = self.node.get(key)?;
        if matches!(value.value, Value::Null) {
            return None;
        }
        T::decode(value, self.trail.key(key), self.faults)
    }

    /// A value that is empty, zero or false where absent.
    pub fn defaulted<T: Decode + Default>(&mut self, key: &str) -> T {
        self.optional(key).unwrap_or_default()
    }

    /// A value that must be there.
    pub fn required<T: Decode + Default>(&mut self, key: &str) -> T {
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
        self.defaulted(key)
    }
}

/// Reads a struct whose fields are the keys of a table: each field is `required`, `optional` or `defaulted`. Keys after
/// `besides` are known but read elsewhere.
macro_rules! table {
    ($spec:ident { $($field:ident: $how:ident),* $(,)? } $(besides $tag:literal)?) => {
        impl $crate::decode::table::Keys for $spec {
            const KEYS: &'static [&'static str] = &[$($tag,)? $(stringify!($field)),*];

            fn read(table: &mut $crate::decode::table::Table<'_, '_>) -> Self {
                Self { $($field: table.$how(stringify!($field))),* }
            }
        }

        impl $crate::decode::table::Decode for $spec {
            fn decode(
                node: &drystone_keys::Node<'_>,
                trail: $crate::fault::Trail<'_>,
                faults: &mut $crate::fault::Faults,
            ) -> Option<Self> {
                use $crate::decode::table::{Keys, Table};
                let mut table = Table::open(node, Self::KEYS, trail, faults)?;
                Some(Self::read(&mut table))
            }
        }
    };
}

pub(super) use table;
