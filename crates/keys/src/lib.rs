//! Keys of model files, declared once.
//!
//! A declaration ([`keys!`], [`words!`], [`kinds!`]) says of every key its name, type, unit, bounds, default and what it is. From it come the
//! struct as written, its reader, what is written back, and the JSON Schema ([`Describe`]) from which the tables of the book are made.
//!
//! Files are read with the place of every value ([`Source`]); what is wrong is reported with its line and with what would
//! be right ([`Fault`]).

mod declare;
mod fault;
mod key;
mod kinds;
mod schema;
mod source;
mod table;
mod units;
mod values;

pub use fault::{Fault, Faults, Trail, did_you_mean, listed};
pub use key::{Absent, Bounds, KIND, Key, Presence};
pub use kinds::{Kind, Kinds, open_kind};
pub use schema::{Describe, Parts, words as words_schema};
#[doc(no_inline)]
pub use serde::ser::{Serialize, SerializeStruct, Serializer};
#[doc(no_inline)]
pub use serde_json::Value as Json;
pub use source::{Format, Item, KeyText, Node, Source, Span, Value, node, read_tree};
pub use table::{Decode, Keys, Table, wrong};
pub use units::STANDARD_GRAVITY;
pub use values::{unknown_word, word};

/// A value as JSON; null if it cannot be written, which plain data never is.
pub fn json(value: &impl Serialize) -> Json {
    serde_json::to_value(value).unwrap_or_default()
}

/// Reads a value from a tree of JSON.
pub fn from_tree<T: Decode>(tree: &Json) -> Result<T, Faults> {
    let mut faults = Faults::default();
    let value = T::decode(&node(tree), Trail::table("value"), &mut faults);
    faults.or(value)
}
