//! `forces.csv`: contact points and their forces at output times.

use std::path::Path;

use drystone_geometry::DVec3;
use drystone_mechanics::ContactForce;

use super::{Cell, Keep, Table};
use crate::Error;

/// The table being written.
#[derive(Debug)]
pub struct ForcesTable {
    table: Table,
}

/// The normal points from block `a` to block `b`; forces act on `b`, compression positive.
const COLUMNS: [&str; 13] = [
    "time", "a", "b", "x", "y", "z", "nx", "ny", "nz", "normal", "shear_x", "shear_y", "shear_z",
];

impl ForcesTable {
    /// Begins the table.
    pub fn create(path: &Path) -> Result<Self, Error> {
        Ok(Self {
            table: Table::create(path, &COLUMNS.map(str::to_owned))?,
        })
    }

    /// Goes on with an interrupted table.
    pub fn resume(path: &Path, keep: Keep) -> Result<Self, Error> {
        Ok(Self {
            table: Table::resume(path, &COLUMNS.map(str::to_owned), keep)?,
        })
    }

    /// Appends the row of a contact point between the blocks of these names.
    pub fn append(
        &mut self,
        time: f64,
        names: [&str; 2],
        force: &ContactForce,
    ) -> Result<(), Error> {
        let vector = |v: DVec3| v.to_array().map(Cell::Number);
        let cells = [
            Cell::Number(time),
            Cell::Text(names[0]),
            Cell::Text(names[1]),
        ]
        .into_iter()
        .chain(vector(force.point))
        .chain(vector(force.normal))
        .chain([Cell::Number(force.normal_force)])
        .chain(vector(force.shear_force));
        self.table.append(cells)
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
    use super::*;

    #[test]
    fn writes_points_with_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("forces.csv");
        let mut table = ForcesTable::create(&path).unwrap();
        let force = ContactForce {
            blocks: [0, 1],
            point: DVec3::new(1.0, 2.0, 3.0),
            normal: DVec3::Z,
            normal_force: 4.5,
            shear_force: DVec3::new(-1.0, 0.5, 0.0),
            gap: 0.0,
        };
        table.append(0.5, ["base", "stone, big"], &force).unwrap();
        table.finish().unwrap();
        assert_eq!(
            std::fs::read_to_string(&path).unwrap(),
            "time,a,b,x,y,z,nx,ny,nz,normal,shear_x,shear_y,shear_z\n0.5,base,\"stone, big\",1,2,3,0,0,1,4.5,-1,0.5,0\n"
        );
    }
}
