//! Contact points and their forces, from `forces.csv`.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_mechanics::ContactForce;
use drystone_model::Model;

use crate::Error;

/// One row of the table of forces.
type Row = (f64, String, String, [f64; 3], [f64; 3], f64, [f64; 3]);

/// Contact points with their forces and their time, row by row; rows of blocks that the model has not are skipped.
pub(super) fn contacts(
    model: &Model,
    path: &Path,
    mut each: impl FnMut(f64, ContactForce),
) -> Result<(), Error> {
    let damaged = |error: csv::Error| Error::damaged(path, error.to_string());
    let indices: BTreeMap<&str, usize> = model
        .blocks
        .iter()
        .enumerate()
        .map(|(index, block)| (block.name.as_str(), index))
        .collect();
    let mut reader = csv::Reader::from_path(path).map_err(damaged)?;
    for row in reader.deserialize() {
        let (time, a, b, point, normal, force, shear): Row = row.map_err(damaged)?;
        if let (Some(&a), Some(&b)) = (indices.get(a.as_str()), indices.get(b.as_str())) {
            let force = ContactForce {
                blocks: [a, b],
                point: point.into(),
                normal: normal.into(),
                normal_force: force,
                shear_force: shear.into(),
                gap: 0.0,
            };
            each(time, force);
        }
    }
    Ok(())
}

/// Contact forces of one time after another.
pub(crate) fn forces_by_time(
    model: &Model,
    path: &Path,
    each: &mut dyn FnMut(f64, &[ContactForce]),
) -> Result<(), Error> {
    let mut now: Vec<ContactForce> = Vec::new();
    let mut time = f64::NAN;
    contacts(model, path, |t, force| {
        if t != time && !now.is_empty() {
            each(time, &now);
            now.clear();
        }
        time = t;
        now.push(force);
    })?;
    if !now.is_empty() {
        each(time, &now);
    }
    Ok(())
}
