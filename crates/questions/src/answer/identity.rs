//! What an answer belongs to: one program, one question, and everything that the answer depends on.

use drystone_model::Analysis;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::REVISION;

/// Version of this program and of its numerics: results of another one may differ, and are not taken for its own.
pub fn program_version() -> String {
    version_of(env!("CARGO_PKG_VERSION"), REVISION.into())
}

/// The same of any program, from what its results say.
fn version_of(version: &str, revision: u64) -> String {
    format!("{version} revision {revision}")
}

/// The identity of an answer, the same for checkpoints, folders of results and whoever reads them again.
///
/// It knows nothing of other analyses in the same file: adding one leaves the answers that are there, and the runs that were stopped, as they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Identity {
    /// Version of the program and of its numerics: another one may lay out its state in another way, or compute other bits.
    pub program: String,
    /// Name of the analysis.
    pub analysis: String,
    /// Hash of what the answer depends on, [`Analysis::sha256`].
    pub sha256: String,
}

/// Something that belongs to another answer than the expected one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stranger {
    /// Model, analysis, ...
    pub what: &'static str,
    /// As it says.
    pub found: String,
    /// As it should.
    pub expected: String,
}

impl Identity {
    /// Of an answer that this program is asked for.
    pub fn of(analysis: &Analysis) -> Self {
        Self {
            program: program_version(),
            analysis: analysis.name.clone(),
            sha256: analysis.sha256.clone(),
        }
    }

    /// Of the answer that a summary belongs to.
    pub fn of_summary(summary: &Value) -> Self {
        let word = |key: &str| summary[key].as_str().unwrap_or_default().to_owned();
        Self {
            program: match summary["revision"].as_u64() {
                Some(revision) => version_of(&word("version"), revision),
                None => word("version"),
            },
            analysis: word("name"),
            sha256: word("analysis_sha256"),
        }
    }

    /// Refuses what does not have the expected identity.
    pub fn expect(&self, expected: &Self) -> Result<(), Stranger> {
        for (what, found, expected) in [
            ("version of the program", &self.program, &expected.program),
            ("analysis", &self.analysis, &expected.analysis),
            ("model", &self.sha256, &expected.sha256),
        ] {
            if found != expected {
                return Err(Stranger {
                    what,
                    found: found.clone(),
                    expected: expected.clone(),
                });
            }
        }
        Ok(())
    }
}
