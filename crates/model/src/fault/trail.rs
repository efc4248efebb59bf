//! The way from the top of a model to one of its values.

use std::fmt;

/// The top-level keys of a model file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Section {
    Model,
    Material,
    Interface,
    Block,
    Import,
    Generate,
    Load,
    Tie,
    Motion,
    Analysis,
}

impl Section {
    pub const ALL: [Self; 10] = [
        Self::Model,
        Self::Material,
        Self::Interface,
        Self::Block,
        Self::Import,
        Self::Generate,
        Self::Load,
        Self::Tie,
        Self::Motion,
        Self::Analysis,
    ];

    pub fn key(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Material => "material",
            Self::Interface => "interface",
            Self::Block => "block",
            Self::Import => "import",
            Self::Generate => "generate",
            Self::Load => "load",
            Self::Tie => "tie",
            Self::Motion => "motion",
            Self::Analysis => "analysis",
        }
    }

    pub fn of(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.key() == key)
    }
}

/// A path under construction. It lives on the stack, linked from end to start: files have tens of millions of values, and
/// only the few at fault need their path in full.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Trail<'t> {
    /// An item; `item` is its position if its section is an array.
    Item {
        section: Section,
        item: Option<usize>,
        name: Option<&'t str>,
    },
    Key(&'t Trail<'t>, &'t str),
    Index(&'t Trail<'t>, usize),
}

impl<'t> Trail<'t> {
    pub fn item(section: Section, item: usize, name: Option<&'t str>) -> Self {
        let item = Some(item);
        Self::Item {
            section,
            item,
            name,
        }
    }

    pub fn model() -> Self {
        let section = Section::Model;
        Self::Item {
            section,
            item: None,
            name: None,
        }
    }

    pub fn key(&'t self, key: &'t str) -> Self {
        Self::Key(self, key)
    }

    pub fn index(&'t self, index: usize) -> Self {
        Self::Index(self, index)
    }

    pub fn place(&self) -> Place {
        match self {
            Self::Item { section, item, .. } => Place {
                section: *section,
                item: *item,
                steps: Vec::new(),
            },
            Self::Key(parent, key) => parent.place().then(Step::Key((*key).to_owned())),
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
                write!(out, "{}", section.key())?;
                match (item, name) {
                    (_, Some(name)) => write!(out, " \"{name}\""),
                    (Some(item), None) => write!(out, " {}", item + 1),
                    (None, None) => Ok(()),
                }
            }
            Self::Key(parent, key) => write!(out, "{parent}.{key}"),
            Self::Index(parent, index) => write!(out, "{parent}[{index}]"),
        }
    }
}

/// A path that can be kept.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub section: Section,
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
    fn then(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}
