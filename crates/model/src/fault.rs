//! What is wrong with a model, by the section of the file.

pub(crate) use drystone_keys::{Fault, Faults, Trail, did_you_mean};

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

impl From<Section> for &'static str {
    fn from(section: Section) -> Self {
        section.key()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_keys::Keys;

    #[test]
    fn sections_are_the_keys_of_a_model() {
        let keys = crate::ModelSpec::KEYS.iter().map(|key| key.name);
        assert!(keys.eq(Section::ALL.map(Section::key)));
    }
}
