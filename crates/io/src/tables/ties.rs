//! `ties.csv`: force and elongation of ties at output times.

use std::path::Path;

use drystone_analysis::time_history::Frame;

use super::{Cell, Keep, Table};
use crate::Error;

/// The table being written.
#[derive(Debug)]
pub struct TiesTable {
    table: Table,
}

/// Time, then force (N) and elongation (m) of each tie.
fn columns(names: &[&str]) -> Vec<String> {
    let of_tie = |name: &&str| ["force", "elongation"].map(|what| format!("{name}.{what}"));
    let ties = names.iter().flat_map(of_tie);
    std::iter::once("time".to_owned()).chain(ties).collect()
}

impl TiesTable {
    /// Begins the table with columns for these ties.
    pub fn create(path: &Path, names: &[&str]) -> Result<Self, Error> {
        Ok(Self {
            table: Table::create(path, &columns(names))?,
        })
    }

    /// Goes on with an interrupted table.
    pub fn resume(path: &Path, names: &[&str], keep: Keep) -> Result<Self, Error> {
        Ok(Self {
            table: Table::resume(path, &columns(names), keep)?,
        })
    }

    /// Appends the row of a frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), Error> {
        let ties = frame.ties.iter();
        let numbers = ties.flat_map(|tie| [tie.force, tie.elongation]);
        let row = std::iter::once(frame.time).chain(numbers);
        self.table.append(row.map(Cell::Number))
    }

    /// As [`Table::sync`].
    pub fn sync(&mut self) -> Result<(), Error> {
        self.table.sync()
    }

    /// As [`Table::publish_copy`].
    pub fn publish_copy(&mut self) -> Result<(), Error> {
        self.table.publish_copy()
    }

    /// As [`Table::discard_partial`].
    pub fn discard_partial(self) -> Result<(), Error> {
        self.table.discard_partial()
    }
}
