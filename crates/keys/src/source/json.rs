//! JSON text to items: a reader that knows where every value stands.

use std::borrow::Cow;

use super::node::{Item, KeyText, Node, Span, Value};
use crate::fault::{Fault, Faults};

/// Deeper nesting than any model has; keeps hostile files from exhausting the stack.
const DEEPEST: usize = 32;

/// Reads a whole file, item by item. JSON gives no safe place to go on after a syntax error, so reading ends there.
pub(super) fn read<'s>(
    text: &'s str,
    faults: &mut Faults,
    visit: &mut dyn FnMut(Item<'s>, &mut Faults),
) {
    let mut reader = Reader { text, at: 0 };
    if let Err(fault) = reader.document(faults, visit) {
        faults.push(*fault);
    }
}

struct Reader<'s> {
    text: &'s str,
    at: usize,
}

type Read<T> = Result<T, Box<Fault>>;

impl<'s> Reader<'s> {
    fn document(
        &mut self,
        faults: &mut Faults,
        visit: &mut dyn FnMut(Item<'s>, &mut Faults),
    ) -> Read<()> {
        self.expect(b'{', "`{`: a model file is one JSON object")?;
        let mut seen: Vec<Cow<'s, str>> = Vec::new();
        if !self.closes(b'}') {
            loop {
                let section = self.key()?;
                if seen.contains(&section.text) {
                    return Err(duplicate(&section));
                }
                seen.push(section.text.clone());
                if self.peek() == Some(b'[') {
                    self.at += 1;
                    self.elements(&mut |reader, index| {
                        let node = reader.value(2)?;
                        let section = section.clone();
                        visit(
                            Item {
                                section,
                                index: Some(index),
                                node,
                                broken: false,
                            },
                            faults,
                        );
                        Ok(())
                    })?;
                } else {
                    let node = self.value(1)?;
                    if !matches!(node.value, Value::Null) {
                        visit(
                            Item {
                                section,
                                index: None,
                                node,
                                broken: false,
                            },
                            faults,
                        );
                    }
                }
                if !self.goes_on(b'}', "`,` or `}`")? {
                    break;
                }
            }
        }
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.unexpected("the end of the file")),
        }
    }

    fn value(&mut self, depth: usize) -> Read<Node<'s>> {
        if depth > DEEPEST {
            return Err(self.fault(self.at..self.at + 1, "nested too deeply"));
        }
        let first = self.peek();
        let start = self.at;
        let value = match first {
            Some(b'{') => {
                self.at += 1;
                self.table(depth)?
            }
            Some(b'[') => {
                self.at += 1;
                let mut items = Vec::new();
                self.elements(&mut |reader, _| {
                    items.push(reader.value(depth + 1)?);
                    Ok(())
                })?;
                Value::Array(items)
            }
            Some(b'"') => Value::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            _ => self.word()?,
        };
        Ok(Node {
            value,
            span: start..self.at,
        })
    }

    fn table(&mut self, depth: usize) -> Read<Value<'s>> {
        let mut entries: Vec<(KeyText<'s>, Node<'s>)> = Vec::new();
        if !self.closes(b'}') {
            loop {
                let key = self.key()?;
                if entries.iter().any(|(known, _)| known.text == key.text) {
                    return Err(duplicate(&key));
                }
                let value = self.value(depth + 1)?;
                entries.push((key, value));
                if !self.goes_on(b'}', "`,` or `}`")? {
                    break;
                }
            }
        }
        Ok(Value::Table(entries))
    }

    /// The elements of an array whose bracket was just read.
    fn elements(&mut self, element: &mut dyn FnMut(&mut Self, usize) -> Read<()>) -> Read<()> {
        if self.closes(b']') {
            return Ok(());
        }
        let mut index = 0;
        loop {
            element(self, index)?;
            index += 1;
            if !self.goes_on(b']', "`,` or `]`")? {
                return Ok(());
            }
        }
    }

    fn key(&mut self) -> Read<KeyText<'s>> {
        if self.peek() != Some(b'"') {
            return Err(self.unexpected("a key in double quotes"));
        }
        let start = self.at;
        let text = self.string()?;
        let span = start..self.at;
        self.expect(b':', "`:` after the key")?;
        Ok(KeyText { text, span })
    }

    /// A comma and something after it, or the closing bracket.
    fn goes_on(&mut self, close: u8, expected: &str) -> Read<bool> {
        match self.peek() {
            Some(b',') => {
                let comma = self.at;
                self.at += 1;
                if self.peek() == Some(close) {
                    return Err(self.fault(comma..comma + 1, "a comma with nothing after it"));
                }
                Ok(true)
            }
            Some(byte) if byte == close => {
                self.at += 1;
                Ok(false)
            }
            _ => Err(self.unexpected(expected)),
        }
    }

    fn closes(&mut self, close: u8) -> bool {
        let closes = self.peek() == Some(close);
        self.at += usize::from(closes);
        closes
    }

    fn expect(&mut self, byte: u8, expected: &str) -> Read<()> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// The next byte that is not white space.
    fn peek(&mut self) -> Option<u8> {
        let bytes = self.text.as_bytes();
        while let Some(b' ' | b'\t' | b'\n' | b'\r') = bytes.get(self.at) {
            self.at += 1;
        }
        bytes.get(self.at).copied()
    }

    fn number(&mut self) -> Read<Value<'s>> {
        let rest = &self.text[self.at..];
        let length = rest
            .find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '+' | '-'))
            .unwrap_or(rest.len());
        let token = &rest[..length];
        let span = self.at..self.at + length;
        if !is_number(token) {
            return Err(self.fault(span, &format!("`{token}` is not a number")));
        }
        self.at += length;
        if !token.contains(['.', 'e', 'E'])
            && let Ok(integer) = token.parse()
        {
            return Ok(Value::Integer(integer));
        }
        match token.parse() {
            Ok(number) => Ok(Value::Float(number)),
            Err(_) => Err(self.fault(span, &format!("`{token}` is not a number"))),
        }
    }

    fn word(&mut self) -> Read<Value<'s>> {
        let rest = &self.text[self.at..];
        let length = rest
            .find(|c: char| !c.is_alphanumeric())
            .unwrap_or(rest.len());
        let value = match &rest[..length] {
            "true" => Value::Bool(true),
            "false" => Value::Bool(false),
            "null" => Value::Null,
            "NaN" | "Infinity" => {
                let fault = self.fault(self.at..self.at + length, "every number must be finite");
                return Err(fault);
            }
            _ => return Err(self.unexpected("a value")),
        };
        self.at += length;
        Ok(value)
    }

    fn string(&mut self) -> Read<Cow<'s, str>> {
        let open = self.at;
        self.at += 1;
        let start = self.at;
        let mut owned: Option<String> = None;
        let mut plain = start;
        loop {
            match self.text.as_bytes().get(self.at) {
                Some(b'"') => {
                    let tail = &self.text[plain..self.at];
                    self.at += 1;
                    return Ok(match owned {
                        Some(mut text) => {
                            text.push_str(tail);
                            Cow::Owned(text)
                        }
                        None => Cow::Borrowed(tail),
                    });
                }
                Some(b'\\') => {
                    let text = owned.get_or_insert_default();
                    text.push_str(&self.text[plain..self.at]);
                    let escape = self.at;
                    match self.escape() {
                        Some(c) => text.push(c),
                        None => {
                            let end = self.at.min(self.text.len());
                            return Err(self.fault(escape..end, "not a JSON escape sequence"));
                        }
                    }
                    plain = self.at;
                }
                Some(0x00..=0x1f) | None => {
                    return Err(self.fault(
                        open..open + 1,
                        "the string that opens here is not closed on its line",
                    ));
                }
                Some(_) => self.at += 1,
            }
        }
    }

    /// The character that an escape sequence stands for; `at` moves past it.
    fn escape(&mut self) -> Option<char> {
        let kind = *self.text.as_bytes().get(self.at + 1)?;
        self.at += 2;
        Some(match kind {
            b'"' => '"',
            b'\\' => '\\',
            b'/' => '/',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.four_digits()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return char::from_u32(first);
                }
                if !self.text[self.at..].starts_with("\\u") {
                    return None;
                }
                self.at += 2;
                let second = self.four_digits()?.checked_sub(0xdc00)?;
                return char::from_u32(0x10000 + ((first - 0xd800) << 10) + second);
            }
            _ => return None,
        })
    }

    fn four_digits(&mut self) -> Option<u32> {
        let digits = self.text.get(self.at..self.at + 4)?;
        if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).ok()
    }

    fn unexpected(&mut self, expected: &str) -> Box<Fault> {
        self.peek();
        match self.text[self.at..].chars().next() {
            None => self.fault(
                self.at.saturating_sub(1)..self.at,
                &format!("the file ends where {expected} should come"),
            ),
            Some(c) => {
                let fault = self.fault(
                    self.at..self.at + c.len_utf8(),
                    &format!("expected {expected}, found `{c}`"),
                );
                match c {
                    '/' | '#' => Box::new(fault.help("JSON has no comments; TOML has them")),
                    '\'' => Box::new(fault.help("JSON strings stand in double quotes")),
                    _ => fault,
                }
            }
        }
    }

    fn fault(&self, span: Span, what: &str) -> Box<Fault> {
        Box::new(Fault::new(format!("not valid JSON: {what}")).span(span))
    }
}

fn duplicate(key: &KeyText<'_>) -> Box<Fault> {
    Box::new(
        Fault::new(format!(
            "not valid JSON: the key \"{}\" stands twice in one object",
            key.text
        ))
        .span(key.span.clone()),
    )
}

/// Rust's own parser of numbers accepts more than JSON does, e.g. `1.` and `.5`.
fn is_number(token: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let token = token.strip_prefix('-').unwrap_or(token);
    let (mantissa, exponent) = match token.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (token, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(|text| digits(text.strip_prefix(['+', '-']).unwrap_or(text)))
}
