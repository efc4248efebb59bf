//! What is wrong with a model, where, and what would be right.

mod excerpt;
mod nearest;
mod trail;

use std::fmt;
use std::path::PathBuf;

use serde::ser::{Serialize, SerializeStruct, Serializer};

pub(crate) use excerpt::Excerpt;
pub use nearest::{did_you_mean, listed};
pub use trail::Trail;
pub(crate) use trail::{Place, Step};

/// How many faults are printed; the rest is counted.
const PRINTED: usize = 50;

/// How many faults are kept; the rest is counted. Nobody reads more, and a generated file may have one per block.
const KEPT: usize = 1000;

/// One thing that is wrong with a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Fault {
    /// The model file; absent for a model that was built in memory.
    pub file: Option<PathBuf>,
    /// Line of the value at fault, from 1.
    pub line: Option<usize>,
    /// Column of the value at fault in characters, from 1.
    pub column: Option<usize>,
    /// The value at fault, e.g. `block "b7".vertices[3]`; empty if it is the file as a whole.
    pub path: String,
    /// What is wrong.
    pub what: String,
    /// What would be right.
    pub help: Option<String>,
    pub(crate) place: Option<Place>,
    pub(crate) span: Option<std::ops::Range<usize>>,
    pub(crate) excerpt: Option<Excerpt>,
}

impl Fault {
    /// A fault of the file as a whole.
    pub fn new(what: impl Into<String>) -> Self {
        Self {
            file: None,
            line: None,
            column: None,
            path: String::new(),
            what: what.into(),
            help: None,
            place: None,
            span: None,
            excerpt: None,
        }
    }

    /// A fault of one value.
    pub fn at(trail: Trail<'_>, what: impl Into<String>) -> Self {
        let mut fault = Self::new(what);
        fault.path = trail.to_string();
        fault.place = Some(trail.place());
        fault
    }

    /// A fault of a value inside an item, by its keys as text, e.g. `openings[2].width`; empty for the item itself.
    pub fn inside(item: Trail<'_>, keys: &str, what: impl Into<String>) -> Self {
        let mut fault = Self::at(item, what);
        if !keys.is_empty() {
            fault.path = format!("{}.{keys}", fault.path);
        }
        fault.place = Some(item.place().along(keys));
        fault
    }

    /// Says what would be right.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Says what would be right, if anything is known.
    pub fn maybe_help(mut self, help: Option<String>) -> Self {
        self.help = help.or(self.help);
        self
    }

    /// Says where the value stands, in bytes of the text.
    pub fn span(mut self, span: std::ops::Range<usize>) -> Self {
        self.span = Some(span);
        self
    }
}

/// As other programs read it: `file`, `line`, `column`, `key`, `message`, `remedy`.
impl Serialize for Fault {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Fault", 6)?;
        fields.serialize_field("file", &self.file)?;
        fields.serialize_field("line", &self.line)?;
        fields.serialize_field("column", &self.column)?;
        fields.serialize_field("key", &self.path)?;
        fields.serialize_field("message", &self.what)?;
        fields.serialize_field("remedy", &self.help)?;
        fields.end()
    }
}

/// In the manner of compilers: the fault, the place, the line itself, and what would be right.
impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "error: ")?;
        if !self.path.is_empty() {
            write!(out, "{}: ", self.path)?;
        }
        write!(out, "{}", self.what)?;
        let gutter = self.line.map_or(1, |line| line.to_string().len());
        if let Some(file) = &self.file {
            write!(out, "\n{:gutter$}--> {}", "", file.display())?;
            if let (Some(line), Some(column)) = (self.line, self.column) {
                write!(out, ":{line}:{column}")?;
            }
        }
        if let (Some(line), Some(excerpt)) = (self.line, &self.excerpt) {
            write!(out, "\n{:gutter$} |\n{line} | {}", "", excerpt.text)?;
            write!(out, "\n{:gutter$} | {:skip$}", "", "", skip = excerpt.skip)?;
            write!(out, "{}", "^".repeat(excerpt.width))?;
        }
        if let Some(help) = &self.help {
            write!(out, "\n{:gutter$} = help: {help}", "")?;
        }
        Ok(())
    }
}

/// Everything that is wrong with a model, in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Faults {
    pub(crate) list: Vec<Fault>,
    more: usize,
}

impl Faults {
    /// Number of faults, of which at most a thousand are kept.
    pub fn len(&self) -> usize {
        self.list.len() + self.more
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// The faults that were kept.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.list.iter()
    }

    /// Adds a fault.
    pub fn push(&mut self, fault: Fault) {
        if self.list.len() < KEPT {
            self.list.push(fault);
        } else {
            self.more += 1;
        }
    }

    /// Adds the faults of something else.
    pub fn extend(&mut self, others: Self) {
        self.more += others.more;
        others.list.into_iter().for_each(|fault| self.push(fault));
    }

    /// The first fault in one line: the value, and what is wrong with it.
    pub fn first(&self) -> String {
        match self.list.first() {
            Some(fault) if fault.path.is_empty() => fault.what.clone(),
            Some(fault) => format!("{}: {}", fault.path, fault.what),
            None => String::new(),
        }
    }

    /// The value if nothing is wrong.
    pub fn or<T>(self, value: Option<T>) -> Result<T, Self> {
        match value {
            Some(value) if self.is_empty() => Ok(value),
            _ => Err(self),
        }
    }
}

impl<'f> IntoIterator for &'f Faults {
    type Item = &'f Fault;
    type IntoIter = std::slice::Iter<'f, Fault>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Self {
        Self {
            list: vec![fault],
            more: 0,
        }
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, fault) in self.list.iter().take(PRINTED).enumerate() {
            let gap = if number > 0 { "\n\n" } else { "" };
            write!(out, "{gap}{fault}")?;
        }
        if self.len() > PRINTED {
            write!(out, "\n\n... and {} more", self.len() - PRINTED)?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}
