//! The head that every summary has.

use drystone_model::{Analysis, Model};
use serde::Serialize;
use serde_json::Value;

use crate::REVISION;

/// What `summary.json` begins with.
#[derive(Debug, Serialize)]
pub(crate) struct Head<'a> {
    pub(crate) kind: &'static str,
    name: &'a str,
    version: &'static str,
    /// Of the numerics within a version.
    revision: u32,
    model_sha256: &'a str,
    /// Of what this answer depends on.
    analysis_sha256: &'a str,
}

impl<'a> Head<'a> {
    pub(crate) fn new(kind: &'static str, analysis: &'a Analysis, model: &'a Model) -> Self {
        Self {
            kind,
            name: &analysis.name,
            version: env!("CARGO_PKG_VERSION"),
            revision: REVISION,
            model_sha256: &model.sha256,
            analysis_sha256: &analysis.sha256,
        }
    }
}

/// A summary as a value. Plain data cannot fail to become one; what is not a number becomes null.
pub(crate) fn value(summary: &impl Serialize) -> Value {
    serde_json::to_value(summary).unwrap_or(Value::Null)
}
