//! Which program computed something.

use drystone_analysis::REVISION;

/// Version of this program and of its numerics: results of another one may differ, and are not taken for its own.
pub fn program_version() -> String {
    told_version(env!("CARGO_PKG_VERSION"), REVISION.into())
}

/// The same of any program, from what its results say.
pub(crate) fn told_version(version: &str, revision: u64) -> String {
    format!("{version} revision {revision}")
}
