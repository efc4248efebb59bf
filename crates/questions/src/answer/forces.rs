//! The row of a contact point in `forces.csv`, for time histories and statics alike.

use drystone_geometry::DVec3;
use drystone_mechanics::ContactForce;
use drystone_model::Model;

use super::table::{Cell, Table};

/// Columns of the table. The normal points from block `a` to block `b`; forces act on `b`, compression positive.
pub const FORCE_COLUMNS: [&str; 13] = [
    "time", "a", "b", "x", "y", "z", "nx", "ny", "nz", "normal", "shear_x", "shear_y", "shear_z",
];

/// The cells of a contact point.
pub fn force_row<'m>(model: &'m Model, time: f64, force: &ContactForce) -> [Cell<'m>; 13] {
    let name = |i: usize| Cell::Text(model.blocks[i].name.as_str());
    let vector = |v: DVec3| v.to_array().map(Cell::Number);
    let ([x, y, z], [nx, ny, nz], [sx, sy, sz]) = (
        vector(force.point),
        vector(force.normal),
        vector(force.shear_force),
    );
    let [a, b] = force.blocks.map(name);
    let normal = Cell::Number(force.normal_force);
    [
        Cell::Number(time),
        a,
        b,
        x,
        y,
        z,
        nx,
        ny,
        nz,
        normal,
        sx,
        sy,
        sz,
    ]
}

/// An empty table of forces.
pub(crate) fn force_table() -> Table {
    let [time, a, b, rest @ ..] = FORCE_COLUMNS;
    let table = Table::new("forces").numbers(&[time]);
    table.words(&[a, b]).numbers(&rest)
}
