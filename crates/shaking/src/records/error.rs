//! What is wrong with the file of a record.

use std::path::{Path, PathBuf};

/// A record that cannot be used; names the file, the line, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.text())]
pub struct RecordError {
    /// The file.
    pub path: PathBuf,
    /// Line, from 1, if the fault is in one line.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
    /// The file could not be read at all.
    pub unreadable: bool,
}

impl RecordError {
    pub(crate) fn new(path: &Path, line: Option<usize>, message: impl Into<String>) -> Self {
        Self {
            path: path.to_owned(),
            line,
            message: message.into(),
            unreadable: false,
        }
    }

    pub(crate) fn unreadable(path: &Path, error: &std::io::Error) -> Self {
        Self {
            unreadable: true,
            ..Self::new(path, None, error.to_string())
        }
    }

    fn text(&self) -> String {
        let path = self.path.display();
        match self.line {
            _ if self.unreadable => format!("cannot read {path}: {}", self.message),
            Some(line) => format!("{path}:{line}: {}", self.message),
            None => format!("{path}: {}", self.message),
        }
    }
}
