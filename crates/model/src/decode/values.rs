//! Numbers, strings, lists and words.

use super::table::{Decode, wrong};
use crate::fault::{Fault, Faults, Trail, did_you_mean};
use crate::model::{FrictionLaw, Ground, Joints, Scheme, Solver, Tolerance};
use crate::pushover::Pattern;
use crate::spec::{Plane, WhichJoints};
use crate::statics::Multiplied;
use drystone_keys::{Node, Value};

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
                faults.push(wrong(node, trail, "a number"));
                None
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

/// An enum written as one of a few words.
macro_rules! words {
    ($name:ident { $($word:literal => $variant:ident),* $(,)? }) => {
        impl Decode for $name {
            fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
                let words = [$($word),*];
                match &node.value {
                    Value::String(text) => match text.as_ref() {
                        $($word => return Some(Self::$variant),)*
                        text => faults.push($crate::decode::values::unknown_word(text, &words, trail).span(node.span.clone())),
                    },
                    _ => faults.push($crate::decode::table::wrong(node, trail, "a string").help(format!("one of {}", words.join(", ")))),
                }
                None
            }
        }
    };
}

pub(super) use words;

words!(Plane { "xz" => Xz, "yz" => Yz });
words!(Scheme { "euler" => Euler, "leapfrog" => Leapfrog });
words!(FrictionLaw { "associated" => Associated, "coulomb" => Coulomb });
words!(Ground { "inertia" => Inertia, "supports" => Supports });
words!(WhichJoints { "bed" => Bed, "head" => Head, "all" => All });
words!(Joints { "rigid" => Rigid, "elastic" => Elastic });
words!(Multiplied { "live" => Live });
words!(Pattern { "weight" => Weight, "height" => Height });
words!(Solver { "automatic" => Automatic, "interior_point" => InteriorPoint, "newton" => Newton, "clarabel" => Clarabel });
words!(Tolerance { "preview" => Preview, "default" => Default, "validation" => Validation });

/// A word that is not one of those known.
pub(super) fn unknown_word(text: &str, words: &[&str], trail: Trail<'_>) -> Fault {
    Fault::at(
        trail,
        format!("\"{text}\" is not one of the words known here"),
    )
    .maybe_help(did_you_mean(text, "one of", words.iter().copied()))
}
