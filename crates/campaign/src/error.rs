//! What can go wrong with a campaign as a whole. A run that fails is no error: it is kept with its reason.

use std::path::{Path, PathBuf};

/// A fault of a campaign; names the file and what would be right.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model is at fault.
    #[error(transparent)]
    Model(#[from] drystone_model::Faults),
    /// A value that varies is at fault.
    #[error(transparent)]
    Vary(#[from] drystone_model::VaryFault),
    /// A file of results could not be read or written.
    #[error(transparent)]
    Results(#[from] drystone_results::Error),
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was tried.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A folder or a file of it is not what it should be.
    #[error("{}: {message}", path.display())]
    Folder {
        /// Where.
        path: PathBuf,
        /// What was found, and what would be right.
        message: String,
    },
    /// The question can't be asked in this way.
    #[error("{0}")]
    Input(String),
    /// The cluster did not do as told.
    #[error("{0}")]
    Cluster(String),
}

impl Error {
    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Model(_) | Self::Vary(_) | Self::Folder { .. } | Self::Input(_) => true,
            Self::Results(error) => error.is_input(),
            Self::File { action, .. } => matches!(*action, "read" | "create"),
            Self::Cluster(_) => false,
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

    pub(crate) fn folder(path: &Path, message: impl Into<String>) -> Self {
        Self::Folder {
            path: path.to_owned(),
            message: message.into(),
        }
    }
}
