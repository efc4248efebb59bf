//! Tables that are read by the word under `kind`.

use serde::ser::SerializeStruct;

use crate::fault::{Fault, Faults, Trail, listed};
use crate::key::{KIND, Key};
use crate::source::{Node, Value};
use crate::table::{Table, wrong};
use crate::values::unknown_word;

/// One kind of table.
#[derive(Debug, Clone, Copy)]
pub struct Kind {
    /// The word under `kind`.
    pub word: &'static str,
    /// Lines of documentation.
    pub doc: &'static [&'static str],
    /// The keys beside `kind`.
    pub keys: &'static [Key],
}

/// A choice between tables by the word under `kind`; [`crate::kinds!`] makes it.
pub trait Kinds: Sized {
    /// In the order of the declaration.
    const KINDS: &'static [Kind];

    /// Takes the values of the keys of a kind, which is one of [`Self::KINDS`].
    fn read(kind: &str, table: &mut Table<'_, '_>) -> Option<Self>;

    /// Writes `kind` and its keys into a table that may have others.
    fn write<T: SerializeStruct>(&self, table: &mut T) -> Result<(), T::Error>;
}

/// Opens a table by its kind; `besides` are keys that somebody else reads.
pub fn open_kind<'r, 's, T: Kinds>(
    node: &'r Node<'s>,
    besides: &[Key],
    trail: Trail<'r>,
    faults: &'r mut Faults,
) -> Option<(&'static str, Table<'r, 's>)> {
    let words = || T::KINDS.iter().map(|kind| kind.word);
    let (word, span) = match node.get("kind") {
        _ if !matches!(node.value, Value::Table(_)) => {
            faults.push(wrong(node, trail, "a table"));
            return None;
        }
        None => {
            faults.push(
                Fault::at(trail, "the key `kind` is missing")
                    .help(format!("one of {}", listed(words())))
                    .span(node.span.clone()),
            );
            return None;
        }
        Some(kind) => match &kind.value {
            Value::String(text) => (text, kind.span.clone()),
            _ => {
                faults.push(wrong(kind, trail.key("kind"), "a string"));
                return None;
            }
        },
    };
    let Some(kind) = T::KINDS.iter().find(|kind| kind.word == word.as_ref()) else {
        let words: Vec<&str> = words().collect();
        faults.push(unknown_word(word, &words, trail.key("kind")).span(span));
        return None;
    };
    let table = Table::open(node, &[&[KIND], besides, kind.keys], trail, faults)?;
    Some((kind.word, table))
}
