//! TOML text to items.
//!
//! The text is cut before every `[[name]]` header and each piece is parsed on its own. That keeps memory small for
//! files with very many blocks, and a syntax error in one block does not hide the faults of the others.

use toml::de::{DeTable, DeValue};

use super::node::{Item, KeyText, Node, Span, Value};
use crate::fault::{Fault, Faults};

/// Largest piece that is parsed in one go. The parser needs some thirty times its size in memory.
const LARGEST_PIECE: usize = 200_000_000;

/// Reads a whole file, item by item.
pub(super) fn read<'s>(
    text: &'s str,
    faults: &mut Faults,
    visit: &mut dyn FnMut(Item<'s>, &mut Faults),
) {
    read_pieces(text, LARGEST_PIECE, faults, visit);
}

fn read_pieces<'s>(
    text: &'s str,
    largest: usize,
    faults: &mut Faults,
    visit: &mut dyn FnMut(Item<'s>, &mut Faults),
) {
    let mut counts: Vec<(String, usize)> = Vec::new();
    for piece in pieces(text) {
        if piece.len() > largest {
            faults.push(
                Fault::new(format!(
                    "this part of the file is {} MB long and would need about {} GB of memory to read",
                    piece.len() / 1_000_000,
                    piece.len() / 33_000_000
                ))
                .help("write every block as a [[block]] table of its own, or use the JSON form: both are read block by block")
                .span(piece.start..piece.start + 1),
            );
            continue;
        }
        let (table, errors) = DeTable::parse_recoverable(&text[piece.clone()]);
        let broken = !errors.is_empty();
        for error in errors {
            let span = error.span().unwrap_or(0..0);
            faults.push(
                Fault::new(format!("not valid TOML: {}", error.message()))
                    .span(piece.start + span.start..piece.start + span.end),
            );
        }
        // Tables of the toml crate are sorted by key; items are wanted in the order of the file.
        let mut entries: Vec<_> = table.into_inner().into_iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        for (key, value) in entries {
            let section = KeyText {
                span: shift(key.span(), piece.start),
                text: key.into_inner(),
            };
            let node = convert(value, piece.start);
            match node.value {
                Value::Array(elements) => {
                    let count = count_of(&mut counts, &section.text);
                    for node in elements {
                        let index = Some(*count);
                        *count += 1;
                        let section = section.clone();
                        visit(
                            Item {
                                section,
                                index,
                                node,
                                broken,
                            },
                            faults,
                        );
                    }
                }
                _ => visit(
                    Item {
                        section,
                        index: None,
                        node,
                        broken,
                    },
                    faults,
                ),
            }
        }
    }
}

/// How many elements of this section came so far.
fn count_of<'c>(counts: &'c mut Vec<(String, usize)>, section: &str) -> &'c mut usize {
    let position = match counts.iter().position(|(known, _)| known == section) {
        Some(position) => position,
        None => {
            counts.push((section.to_owned(), 0));
            counts.len() - 1
        }
    };
    &mut counts[position].1
}

fn shift(span: Span, by: usize) -> Span {
    span.start + by..span.end + by
}

fn convert<'s>(value: toml::Spanned<DeValue<'s>>, offset: usize) -> Node<'s> {
    let span = shift(value.span(), offset);
    let value = match value.into_inner() {
        DeValue::Boolean(value) => Value::Bool(value),
        DeValue::String(text) => Value::String(text),
        DeValue::Float(number) => number
            .as_str()
            .parse()
            .map_or(Value::Other("a number"), Value::Float),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map(Value::Integer)
            .unwrap_or(Value::Other("an integer beyond 64 bits")),
        DeValue::Datetime(_) => Value::Other("a date or time"),
        DeValue::Array(items) => Value::Array(
            items
                .into_iter()
                .map(|item| convert(item, offset))
                .collect(),
        ),
        DeValue::Table(table) => {
            let mut entries: Vec<_> = table
                .into_iter()
                .map(|(key, value)| {
                    let span = shift(key.span(), offset);
                    let text = key.into_inner();
                    (KeyText { text, span }, convert(value, offset))
                })
                .collect();
            entries.sort_by_key(|(key, _)| key.span.start);
            Value::Table(entries)
        }
    };
    Node { value, span }
}

/// Cuts the text before every `[[name]]`. A file that goes back to an earlier table, such as `[[analysis.monitors]]`
/// after a `[[block]]`, stays in one piece, for only the whole says which table is meant.
fn pieces(text: &str) -> Vec<Span> {
    let mut cuts = vec![0];
    let mut current: Option<&str> = None;
    let mut quote: Option<&str> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        if quote.is_none()
            && let Some(Header { path, array }) = header(line)
        {
            match path.split_once('.') {
                None if array => {
                    cuts.push(start);
                    current = Some(path);
                }
                None => {}
                Some((root, _)) if current.is_none_or(|current| current == root.trim()) => {}
                Some(_) => return std::iter::once(0..text.len()).collect(),
            }
        } else {
            quote = open_quote(line, quote);
        }
        start += line.len();
    }
    cuts.push(text.len());
    cuts.windows(2).map(|cut| cut[0]..cut[1]).collect()
}

struct Header<'s> {
    path: &'s str,
    array: bool,
}

/// The header on this line, if it is one. Bare words other than these four are no TOML values, so that `[[block]]` is a
/// header even where an earlier bracket was never closed: one missing `]` is reported at its own block.
fn header(line: &str) -> Option<Header<'_>> {
    let line = line.trim_start();
    let inner = line.strip_prefix('[')?;
    let (inner, array) = match inner.strip_prefix('[') {
        Some(inner) => (inner, true),
        None => (inner, false),
    };
    let (path, rest) = inner.split_once(']')?;
    let rest = if array { rest.strip_prefix(']')? } else { rest };
    let rest = rest.trim();
    let path = path.trim();
    let bare = path
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    let word = path.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && !matches!(path, "true" | "false" | "inf" | "nan");
    (bare && word && (rest.is_empty() || rest.starts_with('#'))).then_some(Header { path, array })
}

/// The multi-line quote that is open at the end of the line.
fn open_quote<'q>(line: &str, mut open: Option<&'q str>) -> Option<&'q str> {
    let mut rest = line;
    loop {
        if let Some(quote) = open {
            // An escaped quote only matters in basic strings; skipping every escaped character finds the real end.
            let mut end = None;
            let mut chars = rest.char_indices();
            while let Some((at, c)) = chars.next() {
                if c == '\\' && quote == "\"\"\"" {
                    chars.next();
                } else if rest[at..].starts_with(quote) {
                    end = Some(at + quote.len());
                    break;
                }
            }
            let Some(end) = end else {
                return open;
            };
            rest = &rest[end..];
            open = None;
        }
        let at = rest.find(['"', '\'', '#'])?;
        rest = &rest[at..];
        if rest.starts_with('#') {
            return None;
        } else if rest.starts_with("\"\"\"") {
            open = Some("\"\"\"");
            rest = &rest[3..];
        } else if rest.starts_with("'''") {
            open = Some("'''");
            rest = &rest[3..];
        } else {
            let quote = &rest[..1];
            let mut escaped = false;
            let close = rest[1..].char_indices().find(|&(_, c)| {
                let found = !escaped && rest[..1].starts_with(c);
                escaped = quote == "\"" && c == '\\' && !escaped;
                found
            });
            rest = &rest[close?.0 + 2..];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        pieces(text).into_iter().map(|piece| &text[piece]).collect()
    }

    #[test]
    fn cuts_before_every_array_header() {
        let text = "a = 1\n[[block]] # one\nb = 2\n  [[ block ]]\n[block.extra]\nc = 3\n";
        assert_eq!(
            cut(text),
            [
                "a = 1\n",
                "[[block]] # one\nb = 2\n",
                "  [[ block ]]\n[block.extra]\nc = 3\n"
            ]
        );
    }

    #[test]
    fn headers_inside_strings_and_nested_arrays_are_no_cuts() {
        let text = "a = \"\"\"\n[[block]]\n\\\"\"\"\n[[block]]\n\"\"\"\nb = [\n[[1, 2]],\n[[true]]\n]\nc = '''\n[[block]]\n'''\n";
        assert_eq!(cut(text).len(), 1);
        let text = "a = \"it's \\\" # no comment\" # it's\n[[block]]\n";
        assert_eq!(cut(text).len(), 2);
    }

    #[test]
    fn a_piece_too_big_to_parse_says_what_it_needs() {
        let text = format!(
            "[[block]]\n[[block]]\nvertices = [{}]\n[[block]]\n",
            "[0, 0, 0], ".repeat(100)
        );
        let mut faults = Faults::default();
        let mut seen = 0;
        read_pieces(&text, 1000, &mut faults, &mut |_, _| seen += 1);
        let faults: Vec<String> = faults.iter().map(Fault::to_string).collect();
        assert_eq!(seen, 2);
        assert_eq!(faults.len(), 1);
        assert!(faults[0].contains("GB of memory to read"), "{}", faults[0]);
        assert!(
            faults[0].contains("[[block]] table of its own"),
            "{}",
            faults[0]
        );
    }

    #[test]
    fn a_table_continued_later_keeps_the_file_whole() {
        let text = "[[analysis]]\n[[block]]\n[[analysis.monitors]]\n";
        assert_eq!(cut(text), [text]);
    }
}
