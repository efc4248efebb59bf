//! Drawings and meshes of other programs as plain solids, and back.
//!
//! [`read`] turns the bytes of a DXF, OBJ, STL, PLY or COMPAS file into closed solids in metres that face outwards, and says
//! in [`Note`]s what was assumed, repaired and skipped: nothing that could be a block is dropped in silence. [`write()`] turns
//! solids into the same formats, and into VTU and GLB. Files may be truncated, corrupt or hostile: what cannot be read is
//! a [`DrawingError`] with the line where there is one, never a panic.
//!
//! ```
//! use drystone_drawing::{Format, ReadOptions, read, write};
//!
//! let obj = b"o wedge\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
//! let drawing = read(obj, Format::Obj, &ReadOptions::default())?;
//! assert_eq!(drawing.solids[0].name, "wedge");
//! let stl = write(&drawing.solids, Format::Stl)?;
//! assert!(stl.starts_with(b"solid wedge"));
//! # Ok::<(), drystone_drawing::DrawingError>(())
//! ```

mod compas;
mod drawing;
mod dxf;
mod error;
mod format;
mod glb;
mod note;
mod obj;
mod piece;
mod ply;
mod repair;
mod stl;
mod text;
mod unit;
mod vtu;

use std::path::Path;

pub use drawing::{Drawing, DrawnSolid, ReadOptions, Up};
pub use drystone_geometry::DVec3;
pub use error::DrawingError;
pub use format::Format;
pub use note::{Note, NoteKind};
pub use unit::Unit;

use note::Notes;
use piece::{Piece, check_coordinate};

/// Reads the bytes of a file.
pub fn read(bytes: &[u8], format: Format, options: &ReadOptions) -> Result<Drawing, DrawingError> {
    check_options(options)?;
    let mut notes = Notes::default();
    let raw = match format {
        Format::Dxf => dxf::read(bytes, options, &mut notes)?,
        Format::Obj => obj::read(bytes, &mut notes)?,
        Format::Stl => stl::read(bytes)?,
        Format::Ply => ply::read(bytes)?,
        Format::Compas => compas::read(bytes, &mut notes)?,
        Format::Vtu | Format::Glb => {
            return Err(DrawingError::whole(format!(
                "{format} files are written but not read; export the drawing as DXF, OBJ, STL or PLY"
            )));
        }
    };
    let unit = raw.unit;
    let pieces = in_metres(raw, options, &mut notes)?;
    let snap = repair::snap(&pieces, options);
    let solids = repair::solids(pieces, snap, &mut notes);
    let notes = notes.finish();
    if solids.is_empty() {
        return Err(nothing_found(&notes));
    }
    Ok(Drawing {
        solids,
        notes,
        unit,
        snap,
    })
}

/// Reads a file; its extension says the format.
pub fn read_file(path: &Path, options: &ReadOptions) -> Result<Drawing, DrawingError> {
    let format = Format::of(path).filter(|format| format.is_read());
    let Some(format) = format else {
        let known: Vec<&str> = Format::ALL
            .into_iter()
            .filter(|format| format.is_read())
            .map(Format::extension)
            .collect();
        return Err(DrawingError::whole(format!(
            "the extension names no format of drawings that can be read: {}",
            known.join(", ")
        )));
    };
    let bytes = std::fs::read(path)
        .map_err(|error| DrawingError::whole(format!("the file cannot be read: {error}")))?;
    read(&bytes, format, options)
}

/// The bytes of a file that holds these solids, in metres, z up.
///
/// Text formats keep every bit of the coordinates; GLB has single precision.
pub fn write(solids: &[DrawnSolid], format: Format) -> Result<Vec<u8>, DrawingError> {
    for solid in solids {
        let count = solid.vertices.len();
        let corners = || solid.faces.iter().flatten();
        if corners().any(|&v| v as usize >= count) || !solid.vertices.iter().all(|v| v.is_finite())
        {
            return Err(DrawingError::whole(format!(
                "the solid \"{}\" names vertices that do not exist, or its coordinates are not finite",
                solid.name
            )));
        }
    }
    Ok(match format {
        Format::Dxf => dxf::write(solids),
        Format::Obj => obj::write(solids),
        Format::Stl => stl::write(solids),
        Format::Ply => ply::write(solids),
        Format::Compas => compas::write(solids),
        Format::Vtu => vtu::write(solids),
        Format::Glb => glb::write(solids)?,
    })
}

/// What a reader found, in the unit of the file.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    pieces: Vec<Piece>,
    /// As the file says.
    unit: Option<Unit>,
    /// The pieces are in metres and z up already: the reader needed options to make them.
    placed: bool,
}

fn check_options(options: &ReadOptions) -> Result<(), DrawingError> {
    let given = [
        ("snap", options.snap, true),
        ("depth", options.depth, false),
        ("chord", options.chord, false),
    ];
    for (key, value, zero) in given {
        let right = value.is_none_or(|v| v.is_finite() && (v > 0.0 || zero && v == 0.0));
        if !right {
            let least = if zero { "at least" } else { "greater than" };
            return Err(DrawingError::whole(format!(
                "{key} must be a finite number {least} zero"
            )));
        }
    }
    Ok(())
}

/// Converts lengths and axes, and checks every coordinate.
fn in_metres(
    raw: Raw,
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<Vec<Piece>, DrawingError> {
    match (options.unit, raw.unit) {
        (None, None) if !raw.placed => notes.add(NoteKind::UnitAssumed, 1, "", None),
        (Some(given), Some(stated)) if given != stated => {
            notes.add(NoteKind::UnitOverridden, 1, "", None);
        }
        _ => {}
    }
    let unit = options.unit.or(raw.unit).unwrap_or(Unit::Metre);
    let mut pieces = raw.pieces;
    for piece in &mut pieces {
        for p in &mut piece.vertices {
            if !raw.placed {
                // Metres keep every bit.
                if unit != Unit::Metre {
                    *p *= unit.metres();
                }
                if options.up == Some(Up::Y) {
                    *p = upright(*p);
                }
            }
            for x in p.to_array() {
                check_coordinate(x, piece.line)?;
            }
        }
    }
    Ok(pieces)
}

/// Turns what is drawn with y up.
pub(crate) fn upright(p: DVec3) -> DVec3 {
    DVec3::new(p.x, -p.z, p.y)
}

fn nothing_found(notes: &[Note]) -> DrawingError {
    let mut message = "no solid was found in the file".to_owned();
    for note in notes.iter().filter(|note| note.kind.is_loss()) {
        message.push_str("; ");
        message.push_str(&note.to_string());
    }
    DrawingError::whole(message)
}
