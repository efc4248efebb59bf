//! `history.csv` of a time history: energies, monitors and the ground at output times.

use std::path::Path;

use drystone_analysis::time_history::Frame;

use super::{Cell, Keep, Table};
use crate::Error;

/// The table being written.
#[derive(Debug)]
pub struct HistoryTable {
    table: Table,
    monitors: usize,
}

/// Time and energies, then displacement and rotation of each monitor relative to the ground, then the ground.
fn columns(monitors: &[&str]) -> Vec<String> {
    let mut columns: Vec<String> = ["time", "kinetic", "potential", "harvested", "dissipated"]
        .map(str::to_owned)
        .to_vec();
    for monitor in monitors {
        columns
            .extend(["ux", "uy", "uz", "rx", "ry", "rz"].map(|axis| format!("{monitor}.{axis}")));
    }
    columns.extend(["ux", "uy", "uz"].map(|axis| format!("ground.{axis}")));
    columns
}

impl HistoryTable {
    /// Begins the table with columns for these monitors.
    pub fn create(path: &Path, monitors: &[&str]) -> Result<Self, Error> {
        Ok(Self {
            table: Table::create(path, &columns(monitors))?,
            monitors: monitors.len(),
        })
    }

    /// Goes on with an interrupted table.
    pub fn resume(path: &Path, monitors: &[&str], keep: Keep) -> Result<Self, Error> {
        Ok(Self {
            table: Table::resume(path, &columns(monitors), keep)?,
            monitors: monitors.len(),
        })
    }

    /// Appends the row of a frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), Error> {
        let energy = &frame.energy;
        let mut row = Vec::with_capacity(8 + 6 * self.monitors);
        row.extend([
            frame.time,
            energy.kinetic,
            energy.potential,
            energy.harvested,
            energy.dissipated,
        ]);
        for reading in &frame.monitors {
            row.extend(reading.displacement.to_array());
            row.extend(reading.rotation.to_array());
        }
        row.extend(frame.ground.to_array());
        self.table.append(row.into_iter().map(Cell::Number))
    }

    /// Rows so far.
    pub fn rows(&self) -> u64 {
        self.table.rows()
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

    /// As [`Table::finish`].
    pub fn finish(self) -> Result<(), Error> {
        self.table.finish()
    }
}

#[cfg(test)]
mod tests {
    use drystone_analysis::time_history::{EnergyReport, MonitorReading};
    use drystone_geometry::DVec3;

    use super::*;

    #[test]
    fn has_the_columns_that_others_rely_on() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        let mut table = HistoryTable::create(&path, &["top"]).unwrap();
        let frame = Frame {
            time: 0.25,
            energy: EnergyReport {
                kinetic: 1.0,
                potential: 2.0,
                harvested: 3.0,
                dissipated: 4.0,
                elastic: 0.0,
            },
            monitors: vec![MonitorReading {
                displacement: DVec3::new(5.0, 6.0, 7.0),
                rotation: DVec3::new(8.0, 9.0, 10.0),
            }],
            ground: DVec3::new(11.0, 12.0, 13.0),
            poses: vec![],
        };
        table.append(&frame).unwrap();
        assert_eq!(table.rows(), 1);
        table.sync().unwrap();
        drop(table);
        let table = HistoryTable::resume(&path, &["top"], Keep::Rows(1)).unwrap();
        table.finish().unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "time,kinetic,potential,harvested,dissipated,top.ux,top.uy,top.uz,top.rx,top.ry,top.rz,\
             ground.ux,ground.uy,ground.uz\n0.25,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
        );
    }
}
