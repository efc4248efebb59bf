//! Model files as text: reading them item by item, and finding the line of a fault.

mod json;
mod node;
mod toml;
mod tree;

use std::collections::BTreeMap;
use std::path::Path;

pub use node::{Item, KeyText, Node, Span, Value};
pub use tree::{node, read_tree};

use crate::fault::{Excerpt, Fault, Faults, Step};

/// How a model file is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Tom's Obvious Minimal Language; the form for people.
    Toml,
    /// The same tree as JSON; the form for programs.
    Json,
}

impl Format {
    /// The format that a file's extension names.
    pub fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        if extension.eq_ignore_ascii_case("toml") {
            Some(Self::Toml)
        } else if extension.eq_ignore_ascii_case("json") {
            Some(Self::Json)
        } else {
            None
        }
    }
}

/// The text of a model file.
#[derive(Debug, Clone, Copy)]
pub struct Source<'s> {
    /// The whole of it.
    pub text: &'s str,
    /// How it is written.
    pub format: Format,
}

impl<'s> Source<'s> {
    /// Hands every item of the file to `visit`, in the order of the file; syntax errors go to `faults`.
    pub fn read(&self, faults: &mut Faults, visit: &mut dyn FnMut(Item<'s>, &mut Faults)) {
        match self.format {
            Format::Toml => toml::read(self.text, faults, visit),
            Format::Json => json::read(self.text, faults, visit),
        }
    }

    /// Gives every fault its line and column and puts them in the order of the file.
    ///
    /// Faults of the compilation know the path of the value at fault but not its place in the text. Keeping the places of all
    /// values would cost more memory than the values; reading the file once more when there is a fault costs nothing
    /// otherwise.
    pub fn locate(&self, faults: &mut Faults, file: Option<&Path>) {
        let mut wanted: BTreeMap<(&str, Option<usize>), Vec<usize>> = BTreeMap::new();
        for (number, fault) in faults.list.iter().enumerate() {
            if let (None, Some(place)) = (&fault.span, &fault.place) {
                wanted
                    .entry((place.section, place.item))
                    .or_default()
                    .push(number);
            }
        }
        if !wanted.is_empty() {
            let found = &mut faults.list;
            let mut ignored = Faults::default();
            self.read(&mut ignored, &mut |item, _| {
                let here = (item.section.text.as_ref(), item.index);
                for &number in wanted.get(&here).into_iter().flatten() {
                    found[number].span = found[number]
                        .place
                        .as_ref()
                        .map(|place| walk(&item.node, &place.steps));
                }
            });
        }
        faults
            .list
            .sort_by_key(|fault| fault.span.as_ref().map_or(usize::MAX, |span| span.start));
        resolve(self.text, &mut faults.list, file);
    }
}

/// The span of the value that the steps lead to, or of the nearest thing around it that is there.
fn walk(item: &Node<'_>, steps: &[Step]) -> Span {
    let mut node = item;
    for step in steps {
        let next = match step {
            Step::Key(key) => node.get(key),
            Step::Index(index) => node.at(*index),
        };
        match next {
            Some(next) => node = next,
            None => break,
        }
    }
    node.span.clone()
}

/// Lines and columns for faults sorted by place, in one pass over the text: a minified file may be a single line of hundreds
/// of megabytes.
fn resolve(text: &str, faults: &mut [Fault], file: Option<&Path>) {
    let (mut line, mut line_start) = (1, 0);
    let (mut column, mut at) = (1, 0);
    for fault in faults {
        fault.file = file.map(Path::to_path_buf);
        let Some(span) = fault.span.clone() else {
            continue;
        };
        let mut start = span.start.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        for (offset, c) in text[at..start].char_indices() {
            if c == '\n' {
                line += 1;
                line_start = at + offset + 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        at = start;
        fault.line = Some(line);
        fault.column = Some(column);
        fault.excerpt = Some(Excerpt::new(text, line_start, start, span.end));
    }
}
