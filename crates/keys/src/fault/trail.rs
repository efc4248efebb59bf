//! The way from the top of a model to one of its values.

use std::fmt;

/// A path under construction. It lives on the stack, linked from end to start: files have tens of millions of values, and
/// only the few at fault need their path in full.
#[derive(Debug, Clone, Copy)]
pub enum Trail<'t> {
    /// An item; `item` is its position if its section is an array.
    Item {
        /// Key at the top of the file.
        section: &'static str,
        /// Position in the array.
        item: Option<usize>,
        /// Its name, if it has one.
        name: Option<&'t str>,
    },
    /// The value of a key, and the unit that is declared of it; empty if none is.
    Key(&'t Trail<'t>, &'t str, &'static str),
    /// The value at a position.
    Index(&'t Trail<'t>, usize),
}

impl<'t> Trail<'t> {
    /// The way to an element of an array at the top of the file.
    pub fn item(section: impl Into<&'static str>, item: usize, name: Option<&'t str>) -> Self {
        Self::Item {
            section: section.into(),
            item: Some(item),
            name,
        }
    }

    /// The way to a single table at the top of the file.
    pub fn table(section: impl Into<&'static str>) -> Self {
        Self::Item {
            section: section.into(),
            item: None,
            name: None,
        }
    }

    /// On to the value of a key.
    pub fn key(&'t self, key: &'t str) -> Self {
        self.measured(key, "")
    }

    /// On to the value of a key that has a unit.
    pub fn measured(&'t self, key: &'t str, unit: &'static str) -> Self {
        Self::Key(self, key, unit)
    }

    /// On to the value at a position.
    pub fn index(&'t self, index: usize) -> Self {
        Self::Index(self, index)
    }

    /// The unit of the numbers here, those in lists too; empty if they have none.
    pub(crate) fn unit(&self) -> &'static str {
        match self {
            Self::Item { .. } => "",
            Self::Key(_, _, unit) => unit,
            Self::Index(parent, _) => parent.unit(),
        }
    }

    pub(crate) fn place(&self) -> Place {
        match self {
            Self::Item { section, item, .. } => Place {
                section,
                item: *item,
                steps: Vec::new(),
            },
            Self::Key(parent, key, _) => parent.place().then(Step::Key((*key).to_owned())),
            Self::Index(parent, index) => parent.place().then(Step::Index(*index)),
        }
    }
}

/// `block "b7".vertices[3]`; items without a name by their position from one.
impl fmt::Display for Trail<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Item {
                section,
                item,
                name,
            } => {
                write!(out, "{section}")?;
                match (item, name) {
                    (_, Some(name)) => write!(out, " \"{name}\""),
                    (Some(item), None) => write!(out, " {}", item + 1),
                    (None, None) => Ok(()),
                }
            }
            Self::Key(parent, key, _) => write!(out, "{parent}.{key}"),
            Self::Index(parent, index) => write!(out, "{parent}[{index}]"),
        }
    }
}

/// A path that can be kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub section: &'static str,
    pub item: Option<usize>,
    pub steps: Vec<Step>,
}

/// One step down.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Step {
    Key(String),
    Index(usize),
}

impl Place {
    /// Further down by keys as text, e.g. `openings[2].width`.
    pub fn along(mut self, keys: &str) -> Self {
        let steps = keys
            .split(['.', '[', ']'])
            .filter(|step| !step.is_empty())
            .map(|step| match step.parse() {
                Ok(index) => Step::Index(index),
                Err(_) => Step::Key(step.to_owned()),
            });
        self.steps.extend(steps);
        self
    }

    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
