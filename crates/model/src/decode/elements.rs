//! What stands for an item that could not be read: nothing but its name.

use super::Element;
use crate::asked::{AnalysisSpec, TimeHistorySpec};
use crate::spec::{
    BlockSpec, GenerateSpec, ImportSpec, InterfaceSpec, LoadSpec, MaterialSpec, MotionSpec,
    PlacingSpec, PulseSpec, TieSpec,
};

impl Element for BlockSpec {
    fn named(name: &str) -> Self {
        Self {
            name: name_of(name),
            ..Self::default()
        }
    }
}

impl Element for TieSpec {
    fn named(name: &str) -> Self {
        Self {
            name: name_of(name),
            ..Self::default()
        }
    }
}

fn name_of(name: &str) -> Option<String> {
    (!name.is_empty()).then(|| name.to_owned())
}

impl Element for MaterialSpec {
    fn named(name: &str) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }
}

impl Element for InterfaceSpec {
    fn named(_: &str) -> Self {
        Self::default()
    }
}

impl Element for LoadSpec {
    fn named(_: &str) -> Self {
        Self::default()
    }
}

impl Element for GenerateSpec {
    fn named(name: &str) -> Self {
        Self {
            placing: placing(name),
            ..Self::default()
        }
    }
}

impl Element for ImportSpec {
    fn named(name: &str) -> Self {
        Self {
            placing: placing(name),
            ..Self::default()
        }
    }
}

fn placing(name: &str) -> PlacingSpec {
    PlacingSpec {
        name: Some(name.into()),
        ..PlacingSpec::default()
    }
}

impl Element for MotionSpec {
    fn named(name: &str) -> Self {
        Self::OneSine(PulseSpec {
            name: name.into(),
            ..PulseSpec::default()
        })
    }
}

impl Element for AnalysisSpec {
    fn named(name: &str) -> Self {
        Self::TimeHistory(TimeHistorySpec {
            name: name.into(),
            ..TimeHistorySpec::default()
        })
    }
}
