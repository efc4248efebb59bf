//! What can go wrong with files.

use std::path::{Path, PathBuf};

use drystone_questions::answer::Stranger;

/// How an interface calls the choices that a message refers to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wording {
    /// Replace results that are there; empty if there is no word for it.
    pub overwrite: &'static str,
    /// Go on with results that are there.
    pub resume: &'static str,
}

impl Wording {
    /// Without the words of any interface.
    pub const PLAIN: Self = Self {
        overwrite: "",
        resume: "",
    };

    fn option(word: &str) -> String {
        if word.is_empty() {
            String::new()
        } else {
            format!(" ({word})")
        }
    }
}

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
    /// Results are already there.
    #[error("{}", self.message(&Wording::PLAIN))]
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
    #[error("{}", self.message(&Wording::PLAIN))]
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
}

impl Error {
    /// The fault with the choices of an interface by their names.
    pub fn message(&self, words: &Wording) -> String {
        let (overwrite, resume) = (
            Wording::option(words.overwrite),
            Wording::option(words.resume),
        );
        match self {
            Self::ResultsExist { path } => {
                let mut text = format!(
                    "{} already holds results: choose another folder, overwrite them{overwrite}",
                    path.display()
                );
                // Not every command can.
                if !words.resume.is_empty() || words.overwrite.is_empty() {
                    text.push_str(&format!(" or go on with them{resume}"));
                }
                text
            }
            Self::Mismatch {
                path,
                what,
                found,
                expected,
            } => format!(
                "{} belongs to another {what}: it says {found}, expected {expected}; choose another folder, or overwrite the results{overwrite}",
                path.display()
            ),
            other => other.to_string(),
        }
    }

    pub(crate) fn mismatch(path: &Path, stranger: Stranger) -> Self {
        Self::Mismatch {
            path: path.to_owned(),
            what: stranger.what,
            found: stranger.found,
            expected: stranger.expected,
        }
    }

    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            Self::ResultsExist { .. } | Self::Mismatch { .. } | Self::Damaged { .. } => true,
            // Folders are created where the user says, and it is the first thing that happens there.
            Self::File { action, .. } => matches!(*action, "read" | "create"),
            Self::Encode { .. } => false,
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
