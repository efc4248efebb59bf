//! Model files as text: reading them with the place of every value, and saying what is wrong, where, and what would be
//! right.

mod fault;
mod source;

pub use fault::{Fault, Faults, Trail, did_you_mean, listed};
pub use source::{Format, Item, KeyText, Node, Source, Span, Value};
