//! What a run came to.

use serde::{Deserialize, Serialize};

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `stood`, `collapsed`, `undecided`, `overturned`, `stable`, `unstable`, `optimal`, ... as in the summary of the analysis, or `failed`.
    pub status: String,
    /// Whether the structure came down; absent where the analysis does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collapsed: Option<bool>,
    /// What was measured, in the order of the columns of the table; SI units.
    pub measures: Vec<(String, f64)>,
    /// Why the computation failed, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What its answer says beside its numbers, a sentence each, without what is said of the model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// How long it took, s. No result: it differs from time to time.
    pub seconds: f64,
}

impl Outcome {
    /// A run without an answer.
    pub fn failed(reason: impl Into<String>) -> Self {
        Self {
            status: "failed".to_owned(),
            collapsed: None,
            measures: Vec::new(),
            failure: Some(reason.into()),
            notes: Vec::new(),
            seconds: 0.0,
        }
    }

    /// It was computed, and says neither that the structure stands nor that it comes down.
    pub fn is_undecided(&self) -> bool {
        self.status == "undecided"
    }

    /// A measure by name; nothing if it was not taken.
    pub fn measure(&self, name: &str) -> Option<f64> {
        let found = self.measures.iter().find(|(other, _)| other == name);
        found.map(|(_, value)| *value)
    }
}
