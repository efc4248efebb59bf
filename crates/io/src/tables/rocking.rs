//! `history.csv` of a rocking analysis.

use std::path::Path;

use drystone_analysis::rocking::RockingSample;

use super::{Cell, Table};
use crate::Error;

/// Writes time, angle (rad), angular velocity (rad/s), kinetic and potential energy per unit weight (m).
pub fn write_rocking_history(path: &Path, history: &[RockingSample]) -> Result<(), Error> {
    let columns = ["time", "angle", "velocity", "kinetic", "potential"].map(str::to_owned);
    let mut table = Table::create(path, &columns)?;
    for sample in history {
        let row = [
            sample.time,
            sample.angle,
            sample.velocity,
            sample.kinetic,
            sample.potential,
        ];
        table.append(row.map(Cell::Number))?;
    }
    table.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_all_samples() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.csv");
        let sample = RockingSample {
            time: 0.5,
            angle: -0.1,
            velocity: 2.0,
            kinetic: 0.25,
            potential: 0.0,
        };
        write_rocking_history(&path, &[sample]).unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "time,angle,velocity,kinetic,potential\n0.5,-0.1,2,0.25,0\n"
        );
    }
}
