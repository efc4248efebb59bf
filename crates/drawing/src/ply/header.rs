//! What a polygon file says about itself.

use std::collections::BTreeMap;

use crate::text::{clean_name, decode, quoted};
use crate::{DrawingError, Unit};

/// How the values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Storage {
    Text,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn of(word: &str) -> Option<Self> {
        Some(match word {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }
}

/// A property of an element; with a `length` it is a list.
#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Kind,
    /// Type of the number in front of a list that says how long it is.
    pub length: Option<Kind>,
}

/// Things of one kind.
#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    /// As stated, which need not be true.
    pub count: u64,
    pub properties: Vec<Property>,
    pub line: usize,
}

/// All that stands before the values.
#[derive(Debug)]
pub(super) struct Header {
    pub storage: Storage,
    pub elements: Vec<Element>,
    pub unit: Option<Unit>,
    /// By the number of the block.
    pub names: BTreeMap<i64, String>,
    pub layers: BTreeMap<i64, String>,
    /// Where the values begin.
    pub end: usize,
    /// Lines before the values.
    pub lines: usize,
}

impl Header {
    pub(super) fn read(bytes: &[u8]) -> Result<Self, DrawingError> {
        let mut header = Self {
            storage: Storage::Text,
            elements: Vec::new(),
            unit: None,
            names: BTreeMap::new(),
            layers: BTreeMap::new(),
            end: 0,
            lines: 0,
        };
        let mut storage = None;
        while let Some(text) = header.next_line(bytes) {
            let line = header.lines;
            let words: Vec<&str> = text.split_whitespace().collect();
            if line == 1 {
                if words != ["ply"] {
                    return Err(DrawingError::at(
                        1,
                        "not a PLY file: the first line must be `ply`",
                    ));
                }
                continue;
            }
            match words[..] {
                ["format", kind, _version] => storage = Some(format(kind, line)?),
                ["comment", "unit", unit] => header.unit = Unit::of(unit),
                ["comment", "block", number, ..] => {
                    remember(&mut header.names, number, &text, "block");
                }
                ["comment", "layer", number, ..] => {
                    remember(&mut header.layers, number, &text, "layer");
                }
                ["comment" | "obj_info", ..] | [] => {}
                ["element", name, count] => {
                    let count = count.parse().map_err(|_| {
                        DrawingError::at(
                            line,
                            format!("{} is not a number of elements", quoted(count)),
                        )
                    })?;
                    header.elements.push(Element {
                        name: name.to_owned(),
                        count,
                        properties: Vec::new(),
                        line,
                    });
                }
                ["property", "list", length, kind, name] => {
                    header.add(name, kind, Some(length), line)?;
                }
                ["property", kind, name] => header.add(name, kind, None, line)?,
                ["end_header"] => {
                    header.storage = storage.ok_or_else(|| {
                        DrawingError::at(
                            line,
                            "the header has no line `format ascii 1.0` or the like",
                        )
                    })?;
                    return Ok(header);
                }
                _ => {
                    return Err(DrawingError::at(
                        line,
                        format!("{} is not understood in the header", quoted(text.trim())),
                    ));
                }
            }
        }
        Err(DrawingError::at(
            header.lines.max(1),
            "the header does not end: `end_header` is missing",
        ))
    }

    fn next_line(&mut self, bytes: &[u8]) -> Option<String> {
        let rest = bytes.get(self.end..).filter(|rest| !rest.is_empty())?;
        // Headers are short; a binary file of another kind may have no line break for long.
        let window = &rest[..rest.len().min(10_000)];
        let length = window
            .iter()
            .position(|&b| b == b'\n')
            .unwrap_or(window.len());
        self.end += (length + 1).min(rest.len());
        self.lines += 1;
        Some(decode(&rest[..length]))
    }

    fn add(
        &mut self,
        name: &str,
        kind: &str,
        length: Option<&str>,
        line: usize,
    ) -> Result<(), DrawingError> {
        let known = |word: &str| {
            Kind::of(word).ok_or_else(|| {
                DrawingError::at(line, format!("{} is no type of numbers", quoted(word)))
            })
        };
        let kind = known(kind)?;
        let length = length.map(known).transpose()?;
        let Some(element) = self.elements.last_mut() else {
            return Err(DrawingError::at(
                line,
                "a property stands before any element",
            ));
        };
        element.properties.push(Property {
            name: name.to_owned(),
            kind,
            length,
        });
        Ok(())
    }
}

fn format(kind: &str, line: usize) -> Result<Storage, DrawingError> {
    match kind {
        "ascii" => Ok(Storage::Text),
        "binary_little_endian" => Ok(Storage::LittleEndian),
        "binary_big_endian" => Ok(Storage::BigEndian),
        _ => Err(DrawingError::at(
            line,
            format!(
                "the format {} is not one of ascii, binary_little_endian, binary_big_endian",
                quoted(kind)
            ),
        )),
    }
}

/// Keeps what stands behind `comment WORD NUMBER`.
fn remember(names: &mut BTreeMap<i64, String>, number: &str, text: &str, word: &str) {
    let Ok(block) = number.parse() else { return };
    let rest = text
        .split_once(word)
        .and_then(|(_, rest)| rest.split_once(number));
    if let Some((_, name)) = rest {
        let name = clean_name(name);
        if !name.is_empty() {
            names.insert(block, name);
        }
    }
}
