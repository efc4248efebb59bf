//! Validation cases as data, and the command that runs them
