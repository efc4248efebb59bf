//! What can go wrong with files.

use std::path::{Path, PathBuf};

/// A fault of reading or writing; names the file and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried: "read", "write", ...
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A record is not as its format wants it.
    #[error("{}:{line}: {message}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// A record as a whole cannot be used.
    #[error("{}: {message}", path.display())]
    RecordFile {
        /// The file.
        path: PathBuf,
        /// What is wrong, and what would be right.
        message: String,
    },
    /// Results are already there.
    #[error("{} already holds results: choose another folder, overwrite them (--overwrite) or go on with them (--resume)", path.display())]
    ResultsExist {
        /// The folder.
        path: PathBuf,
    },
    /// A file of ours is damaged or of another kind.
    #[error("{}: {message}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What was found.
        message: String,
    },
    /// A file of ours belongs to something else.
    #[error("{} belongs to another {what}: it says {found}, expected {expected}; choose another folder, or overwrite the \
             results (--overwrite)", path.display())]
    Mismatch {
        /// The file.
        path: PathBuf,
        /// Model, analysis, ...
        what: &'static str,
        /// In the file.
        found: String,
        /// Asked for.
        expected: String,
    },
    /// Values cannot be expressed in the format.
    #[error("cannot write {}: {message}", path.display())]
    Encode {
        /// The file.
        path: PathBuf,
        /// Why.
        message: String,
    },
    /// Several faults, one per line.
    #[error("{}", lines(.0))]
    Several(Vec<Error>),
}

fn lines(errors: &[Error]) -> String {
    let lines: Vec<String> = errors.iter().map(Error::to_string).collect();
    lines.join("\n")
}

impl Error {
    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Record { .. } | Self::RecordFile { .. } | Self::ResultsExist { .. } => true,
            Self::Mismatch { .. } | Self::Damaged { .. } => true,
            // Folders are created where the user says, and it is the first thing that happens there.
            Self::File { action, .. } => matches!(*action, "read" | "create"),
            Self::Encode { .. } => false,
            Self::Several(errors) => errors.iter().all(Self::is_input),
        }
    }

    pub(crate) fn file(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::File {
            action,
            path,
            source,
        }
    }

    pub(crate) fn damaged(path: &Path, message: impl Into<String>) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            message: message.into(),
        }
    }
}
