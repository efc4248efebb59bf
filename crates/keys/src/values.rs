//! Numbers, strings, lists and words.

use serde_json::{Value as Json, json};

use crate::fault::{Fault, Faults, Trail, did_you_mean};
use crate::schema::{Describe, Parts};
use crate::source::{Node, Value};
use crate::table::{Decode, wrong};
use crate::units::Quantity;

impl Decode for f64 {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match node.value {
            Value::Float(number) if number.is_finite() => Some(number),
            Value::Float(number) => {
                let fault = Fault::at(trail, format!("the number is {number}, but must be finite"));
                faults.push(fault.span(node.span.clone()));
                None
            }
            // Beyond 2^53 the nearest floating-point number is as good as the number written.
            Value::Integer(number) => Some(number as f64),
            _ => {
                let read = match (&node.value, Quantity::of(trail.unit())) {
                    (Value::String(text), Some(quantity)) => quantity.read(text, node, trail),
                    _ => Err(Box::new(wrong(node, trail, "a number"))),
                };
                read.map_err(|fault| faults.push(*fault)).ok()
            }
        }
    }
}

impl Decode for u32 {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match node.value {
            Value::Integer(number) if u32::try_from(number).is_ok() => u32::try_from(number).ok(),
            _ => {
                faults.push(wrong(node, trail, "a whole number from 0"));
                None
            }
        }
    }
}

impl Decode for bool {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match node.value {
            Value::Bool(flag) => Some(flag),
            _ => {
                faults.push(wrong(node, trail, "true or false"));
                None
            }
        }
    }
}

impl Decode for String {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        match &node.value {
            Value::String(text) => Some(text.as_ref().to_owned()),
            _ => {
                faults.push(wrong(node, trail, "a string"));
                None
            }
        }
    }
}

impl<T: Decode> Decode for Vec<T> {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let Value::Array(items) = &node.value else {
            faults.push(wrong(node, trail, "an array"));
            return None;
        };
        let mut list = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            list.extend(T::decode(item, trail.index(index), faults));
        }
        (list.len() == items.len()).then_some(list)
    }
}

impl<T: Decode + Default, const N: usize> Decode for [T; N]
where
    [T; N]: Default,
{
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let items = match &node.value {
            Value::Array(items) if items.len() == N => items,
            _ => {
                faults.push(wrong(node, trail, &format!("an array of {N} values")));
                return None;
            }
        };
        let mut list = Self::default();
        let mut complete = true;
        for (index, item) in items.iter().enumerate() {
            match T::decode(item, trail.index(index), faults) {
                Some(value) => list[index] = value,
                None => complete = false,
            }
        }
        complete.then_some(list)
    }
}

/// Reads one of a few words.
pub fn word<T: Copy>(
    node: &Node<'_>,
    trail: Trail<'_>,
    faults: &mut Faults,
    words: &[(&str, T)],
) -> Option<T> {
    let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
    match &node.value {
        Value::String(text) => match words.iter().find(|(word, _)| word == text) {
            Some((_, value)) => return Some(*value),
            None => faults.push(unknown_word(text, &known(), trail).span(node.span.clone())),
        },
        _ => {
            let help = format!("one of {}", known().join(", "));
            faults.push(wrong(node, trail, "a string").help(help));
        }
    }
    None
}

/// A word that is not one of those known.
pub fn unknown_word(text: &str, words: &[&str], trail: Trail<'_>) -> Fault {
    Fault::at(
        trail,
        format!("\"{text}\" is not one of the words known here"),
    )
    .maybe_help(did_you_mean(text, "one of", words.iter().copied()))
}

impl Describe for f64 {
    fn describe(_: &mut Parts) -> Json {
        json!({ "type": "number", "format": "double" })
    }

    fn number(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Describe for u32 {
    fn describe(_: &mut Parts) -> Json {
        json!({ "type": "integer", "format": "uint32", "minimum": 0 })
    }

    fn number(&self) -> Option<f64> {
        Some(f64::from(*self))
    }
}

impl Describe for bool {
    fn describe(_: &mut Parts) -> Json {
        json!({ "type": "boolean" })
    }
}

impl Describe for String {
    fn describe(_: &mut Parts) -> Json {
        json!({ "type": "string" })
    }
}

impl<T: Describe> Describe for Vec<T> {
    fn describe(parts: &mut Parts) -> Json {
        json!({ "type": "array", "items": T::describe(parts) })
    }
}

impl<T: Describe, const N: usize> Describe for [T; N] {
    fn describe(parts: &mut Parts) -> Json {
        json!({ "type": "array", "items": T::describe(parts), "minItems": N, "maxItems": N })
    }
}
