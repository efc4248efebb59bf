//! `history.csv` of a time history: energies, monitors and the ground at output times.

use std::path::Path;

use drystone_analysis::time_history::Frame;

use super::{Cell, Keep, Table};
use crate::Error;

/// The table being written.
#[derive(Debug)]
pub struct HistoryTable {
    table: Table,
    elastic: bool,
}

/// Time and energies, then displacement and rotation of each monitor relative to the ground, then the ground; at the end the energy that
/// joints hold, where they give way.
pub fn history_columns(monitors: &[&str], elastic: bool) -> Vec<String> {
    let mut columns: Vec<String> = ["time", "kinetic", "potential", "harvested", "dissipated"]
        .map(str::to_owned)
        .to_vec();
    for monitor in monitors {
        columns
            .extend(["ux", "uy", "uz", "rx", "ry", "rz"].map(|axis| format!("{monitor}.{axis}")));
    }
    columns.extend(["ux", "uy", "uz"].map(|axis| format!("ground.{axis}")));
    if elastic {
        columns.push("elastic".to_owned());
    }
    columns
}

/// The values of a frame in the order of [`history_columns`].
pub fn history_row(frame: &Frame, elastic: bool) -> Vec<f64> {
    let energy = &frame.energy;
    let mut row = Vec::with_capacity(9 + 6 * frame.monitors.len());
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
    if elastic {
        row.push(energy.elastic);
    }
    row
}

impl HistoryTable {
    /// Begins the table with columns for these monitors, and for elastic energy if joints give way.
    pub fn create(path: &Path, monitors: &[&str], elastic: bool) -> Result<Self, Error> {
        Ok(Self {
            table: Table::create(path, &history_columns(monitors, elastic))?,
            elastic,
        })
    }

    /// Goes on with an interrupted table.
    pub fn resume(
        path: &Path,
        monitors: &[&str],
        elastic: bool,
        keep: Keep,
    ) -> Result<Self, Error> {
        Ok(Self {
            table: Table::resume(path, &history_columns(monitors, elastic), keep)?,
            elastic,
        })
    }

    /// Appends the row of a frame.
    pub fn append(&mut self, frame: &Frame) -> Result<(), Error> {
        let row = history_row(frame, self.elastic);
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
        let mut table = HistoryTable::create(&path, &["top"], false).unwrap();
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
            ties: vec![],
            ground: DVec3::new(11.0, 12.0, 13.0),
            poses: vec![],
        };
        table.append(&frame).unwrap();
        assert_eq!(table.rows(), 1);
        table.sync().unwrap();
        drop(table);
        let table = HistoryTable::resume(&path, &["top"], false, Keep::Rows(1)).unwrap();
        table.finish().unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "time,kinetic,potential,harvested,dissipated,top.ux,top.uy,top.uz,top.rx,top.ry,top.rz,\
             ground.ux,ground.uy,ground.uz\n0.25,1,2,3,4,5,6,7,8,9,10,11,12,13\n"
        );
    }

    #[test]
    fn elastic_energy_comes_last() {
        let columns = history_columns(&[], true);
        assert_eq!(
            columns[5..],
            ["ground.ux", "ground.uy", "ground.uz", "elastic"]
        );
        assert_eq!(history_columns(&[], false).len(), 8);
    }
}
