//! `diagnostics.csv` of a time history: how well each step was solved.

use std::path::Path;

use drystone_analysis::time_history::StepNote;

use super::{Cell, Keep, Table};
use crate::Error;

/// The table being written.
#[derive(Debug)]
pub struct DiagnosticsTable {
    table: Table,
}

const COLUMNS: [&str; 7] = [
    "time",
    "dt",
    "residual",
    "iterations",
    "contacts",
    "penetration",
    "imbalance",
];

impl DiagnosticsTable {
    /// Begins the table.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            table: Table::create(path, &COLUMNS.map(str::to_owned))?,
        })
    }

    /// Goes on with an interrupted table after the step that ended at `time`, s.
    pub fn resume(path: &Path, time: f64) -> Result<Self, Error> {
        let columns = COLUMNS.map(str::to_owned);
        Ok(Self {
            table: Table::resume(path, &columns, Keep::UpTo(time))?,
        })
    }

    /// Appends the row of a step.
    pub fn append(&mut self, note: &StepNote) -> Result<(), Error> {
        let row = [
            note.time,
            note.dt,
            note.residual,
            f64::from(note.iterations),
            note.contacts as f64,
            note.penetration,
            note.imbalance,
        ];
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
