//! Reads back tables that were just written, for the report.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_geometry::DVec3;
use drystone_mechanics::ContactForce;
use drystone_model::Model;

use crate::Error;
use crate::report::{Resultant, Series};

/// Resultants a page holds; of more, those of fewer times are taken.
const MOST: usize = 60_000;

/// A table of numbers against time.
pub(crate) fn history(path: &Path) -> Result<Series, Error> {
    let damaged = |error: csv::Error| Error::damaged(path, error.to_string());
    let mut reader = csv::Reader::from_path(path).map_err(damaged)?;
    let names: Vec<String> = reader
        .headers()
        .map_err(damaged)?
        .iter()
        .skip(1)
        .map(str::to_owned)
        .collect();
    let mut series = Series {
        columns: vec![Vec::new(); names.len()],
        names,
        time: Vec::new(),
    };
    for row in reader.deserialize() {
        let row: Vec<f64> = row.map_err(damaged)?;
        series.time.push(row[0]);
        for (column, value) in series.columns.iter_mut().zip(&row[1..]) {
            column.push(*value);
        }
    }
    Ok(series)
}

/// One row of the table of forces.
type Row = (f64, String, String, [f64; 3], [f64; 3], f64, [f64; 3]);

/// Contact points with their forces and their time, row by row, told to `each`; rows of blocks that the model has not are skipped.
pub(crate) fn contacts(
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

/// The resultants of contact forces by time and pair of blocks.
pub(super) fn forces(model: &Model, path: &Path) -> Result<Vec<Resultant>, Error> {
    let mut all = Vec::new();
    let mut now: BTreeMap<[usize; 2], Sum> = BTreeMap::new();
    let mut time = f64::NAN;
    contacts(model, path, |t, force| {
        if t != time {
            close(time, &mut now, &mut all);
            time = t;
        }
        let sum = now.entry(force.blocks).or_default();
        sum.force += force.normal_force * force.normal + force.shear_force;
        sum.normal += force.normal_force;
        sum.lever += force.normal_force * force.point;
        sum.place += force.point;
        sum.count += 1.0;
    })?;
    close(time, &mut now, &mut all);
    Ok(thinned(all))
}

#[derive(Debug, Clone, Copy, Default)]
struct Sum {
    force: DVec3,
    normal: f64,
    lever: DVec3,
    place: DVec3,
    count: f64,
}

fn close(time: f64, now: &mut BTreeMap<[usize; 2], Sum>, all: &mut Vec<Resultant>) {
    for (blocks, sum) in std::mem::take(now) {
        if sum.force.length() > 0.0 {
            all.push(Resultant {
                time,
                blocks,
                point: if sum.normal > 0.0 {
                    sum.lever / sum.normal
                } else {
                    sum.place / sum.count
                },
                force: sum.force,
            });
        }
    }
}

fn thinned(all: Vec<Resultant>) -> Vec<Resultant> {
    let stride = all.len().div_ceil(MOST).max(1);
    let (mut kept, mut count, mut time) = (Vec::new(), 0, f64::NAN);
    for resultant in all {
        if resultant.time != time {
            count += 1;
            time = resultant.time;
        }
        if (count - 1) % stride == 0 {
            kept.push(resultant);
        }
    }
    kept
}
