//! Why a drawing could not be read or written.

use std::fmt;

/// What is wrong with a file, where, and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub struct DrawingError {
    /// Line of the file, from 1; nothing in binary files and where the whole file is meant.
    pub line: Option<usize>,
    /// What is wrong and what would be right.
    pub message: String,
}

impl DrawingError {
    /// About the whole file.
    pub(crate) fn whole(message: impl Into<String>) -> Self {
        Self {
            line: None,
            message: message.into(),
        }
    }

    /// About a line, from 1.
    pub(crate) fn at(line: usize, message: impl Into<String>) -> Self {
        Self {
            line: Some(line),
            message: message.into(),
        }
    }
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "line {line}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}
