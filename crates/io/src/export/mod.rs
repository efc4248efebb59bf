//! Motion for other programs: a series of VTK grids for ParaView, an animated scene for Blender and the like.

mod glb;
mod vtu;

use std::path::{Path, PathBuf};

use drystone_model::Model;

use crate::{Error, MotionRecord, write_atomic};

pub use glb::animated_glb;
pub use vtu::{collection, grid};

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

fn sibling(path: &Path, name: &str) -> PathBuf {
    path.parent().unwrap_or(Path::new("")).join(name)
}
