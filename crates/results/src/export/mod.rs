//! Motion for other programs: a series of VTK grids for ParaView, an animated scene for Blender and the like.

mod contacts;
mod glb;
mod tables;
mod vtu;

use std::path::{Path, PathBuf};

use drystone_mechanics::ContactForce;
use drystone_model::Model;

use contacts::contacts;
pub(crate) use contacts::forces_by_time;

use crate::{Error, MotionRecord, write_atomic};

pub use glb::animated_glb;
pub use tables::{parquet_of, write_motion_csv};
pub use vtu::{collection, contact_grid, grid};

/// Writes `NAME.pvd`, and beside it one grid per frame, `NAME.0000.vtu` and so on. Returns the number of grids.
pub fn write_pvd(model: &Model, motion: &MotionRecord, path: &Path) -> Result<usize, Error> {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    let stem = stem.unwrap_or_default().into_owned();
    let digits = motion.times.len().to_string().len().max(4);
    let mut entries = Vec::new();
    for (k, (&time, poses)) in motion.times.iter().zip(&motion.poses).enumerate() {
        let name = format!("{stem}.{k:0digits$}.vtu");
        write_atomic(&sibling(path, &name), grid(model, poses).as_bytes())?;
        entries.push((time, name));
    }
    // Last, so that a collection never names a grid that is not there.
    write_atomic(path, collection(&entries).as_bytes())?;
    Ok(entries.len())
}

/// Writes `NAME.pvd`, and beside it one grid of contact points per time of a table of forces, of which every so many-th is taken. Returns the
/// number of grids.
pub fn write_contacts_pvd(
    model: &Model,
    forces: &Path,
    path: &Path,
    every: usize,
) -> Result<usize, Error> {
    let mut by_time: Vec<(f64, Vec<ContactForce>)> = Vec::new();
    contacts(model, forces, |time, force| match by_time.last_mut() {
        Some((last, list)) if *last == time => list.push(force),
        _ => by_time.push((time, vec![force])),
    })?;
    let stem = path.file_stem().map(|stem| stem.to_string_lossy());
    let stem = stem.unwrap_or_default().into_owned();
    let mut entries = Vec::new();
    for (time, forces) in by_time.iter().step_by(every.max(1)) {
        let name = format!("{stem}.{:04}.vtu", entries.len());
        write_atomic(&sibling(path, &name), contact_grid(forces).as_bytes())?;
        entries.push((*time, name));
    }
    write_atomic(path, collection(&entries).as_bytes())?;
    Ok(entries.len())
}

fn sibling(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(name)
}
