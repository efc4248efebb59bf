//! A tree of JSON in memory to items, as if it had been read from a file.

use std::borrow::Cow;

use serde_json::Value as Json;

use super::{Item, KeyText, Node, Value};
use crate::fault::{Fault, Faults};

/// Hands every item of the tree to `visit`. Values have no places, since there is no text.
pub fn read_tree<'s>(
    tree: &'s Json,
    faults: &mut Faults,
    visit: &mut dyn FnMut(Item<'s>, &mut Faults),
) {
    let Json::Object(sections) = tree else {
        let found = node(tree).describe();
        faults.push(Fault::new(format!(
            "a model is one JSON object, not {found}"
        )));
        return;
    };
    for (section, value) in sections {
        let mut item = |index: Option<usize>, value: &'s Json| {
            let item = Item {
                section: key(section),
                index,
                node: node(value),
                broken: false,
            };
            visit(item, faults);
        };
        match value {
            Json::Null => {}
            Json::Array(list) => {
                for (index, value) in list.iter().enumerate() {
                    item(Some(index), value);
                }
            }
            value => item(None, value),
        }
    }
}

/// A value without a place.
pub fn node(value: &Json) -> Node<'_> {
    let value = match value {
        Json::Null => Value::Null,
        Json::Bool(flag) => Value::Bool(*flag),
        Json::Number(number) => match (number.as_i64(), number.as_f64()) {
            (Some(integer), _) => Value::Integer(integer),
            (None, Some(number)) => Value::Float(number),
            (None, None) => Value::Other("a number"),
        },
        Json::String(text) => Value::String(Cow::Borrowed(text)),
        Json::Array(list) => Value::Array(list.iter().map(node).collect()),
        Json::Object(table) => {
            let entries = table.iter();
            Value::Table(
                entries
                    .map(|(name, value)| (key(name), node(value)))
                    .collect(),
            )
        }
    };
    Node { value, span: 0..0 }
}

fn key(text: &str) -> KeyText<'_> {
    KeyText {
        text: Cow::Borrowed(text),
        span: 0..0,
    }
}
