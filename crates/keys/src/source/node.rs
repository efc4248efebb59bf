//! A value of a model file together with where it stands.

use std::borrow::Cow;
use std::ops::Range;

/// Bytes of the text that a value or key occupies.
pub type Span = Range<usize>;

/// A value as written. TOML and JSON files both become this, so that everything after reading is the same for both.
#[derive(Debug, Clone)]
pub struct Node<'s> {
    /// The value.
    pub value: Value<'s>,
    /// Where it stands.
    pub span: Span,
}

/// The kinds of values that model files are made of.
#[derive(Debug, Clone)]
pub enum Value<'s> {
    /// JSON only; the same as leaving the key out.
    Null,
    /// True or false.
    Bool(bool),
    /// A number without point and exponent.
    Integer(i64),
    /// Any other number.
    Float(f64),
    /// A string.
    String(Cow<'s, str>),
    /// Something that no key of a model takes, e.g. a date.
    Other(&'static str),
    /// A list.
    Array(Vec<Node<'s>>),
    /// Keys and values, in the order of the file.
    Table(Vec<(KeyText<'s>, Node<'s>)>),
}

/// A key of a table.
#[derive(Debug, Clone)]
pub struct KeyText<'s> {
    /// The key.
    pub text: Cow<'s, str>,
    /// Where it stands.
    pub span: Span,
}

/// One item of a model file: a table such as `[model]`, or one element of an array such as `[[block]]`. Items are
/// handed over one at a time because the tree of a whole file of a million blocks would take many gigabytes.
#[derive(Debug)]
pub struct Item<'s> {
    /// The key at the top of the file.
    pub section: KeyText<'s>,
    /// Position in the array, or nothing if the section is not an array.
    pub index: Option<usize>,
    /// The item itself.
    pub node: Node<'s>,
    /// The text of this item has a syntax error, already reported; what could be read is in `node`.
    pub broken: bool,
}

impl<'s> Node<'s> {
    /// What the value is, for messages.
    pub fn describe(&self) -> String {
        match &self.value {
            Value::Null => "null".into(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Integer(value) => format!("the number {value}"),
            Value::Float(value) => format!("the number {value}"),
            Value::String(text) if text.chars().count() <= 40 => format!("the string \"{text}\""),
            Value::String(_) => "a string".into(),
            Value::Other(what) => (*what).into(),
            Value::Array(items) if items.is_empty() => "an empty array".into(),
            Value::Array(items) if items.len() == 1 => "an array of 1 value".into(),
            Value::Array(items) => format!("an array of {} values", items.len()),
            Value::Table(_) => "a table".into(),
        }
    }

    /// The value under a key, if this is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node<'s>> {
        match &self.value {
            Value::Table(entries) => entries
                .iter()
                .find(|(known, _)| known.text == key)
                .map(|(_, node)| node),
            _ => None,
        }
    }

    /// The value at a position, if this is an array that is long enough.
    pub fn at(&self, index: usize) -> Option<&Node<'s>> {
        match &self.value {
            Value::Array(items) => items.get(index),
            _ => None,
        }
    }

    /// The string under the key `name`.
    pub fn name(&self) -> Option<&str> {
        match &self.get("name")?.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}
