//! DXF, the exchange format of CAD programs, as text.
//!
//! The reader is our own rather than one of the libraries: those give no lines for messages and drop entities that they
//! do not know, while here everything in the file that could be a block is read or named. A DXF file is a list of pairs of
//! lines, a code and a value ([`groups`]); codes 0 divide it into sections and entities ([`file`]); entities have shapes
//! ([`entity`]), which are put in place with the blocks that contain them ([`place`]).
//!
//! What becomes a block:
//! * closed plane lines (LWPOLYLINE, POLYLINE, CIRCLE, SOLID, TRACE): along their own normal if they have a thickness,
//!   else by the depth that the reader is given ([`outline`]);
//! * polyface and polygon meshes;
//! * sets of 3DFACE that close, each layer for itself and each INSERT for itself.

mod entity;
mod file;
mod groups;
mod outline;
mod place;
mod transform;
mod write;

pub(crate) use write::write;

use crate::note::Notes;
use crate::text::decode;
use crate::{DrawingError, Raw, ReadOptions, Unit};
use file::File;

pub(crate) fn read(
    bytes: &[u8],
    options: &ReadOptions,
    notes: &mut Notes,
) -> Result<Raw, DrawingError> {
    if bytes.starts_with(b"AutoCAD Binary DXF") {
        return Err(DrawingError::whole(
            "this is a binary DXF file, which is not read: save it as ASCII DXF",
        ));
    }
    if bytes.starts_with(b"AC10") {
        return Err(DrawingError::whole(
            "this is a DWG file: save it as ASCII DXF",
        ));
    }
    let text = decode(bytes);
    let groups = groups::groups(&text)?;
    let file = File::read(&groups)?;
    let stated = match file.unit {
        Some((code, line)) => unit(code, line, options)?,
        None => None,
    };
    let Some(unit) = options.unit.or(stated) else {
        return Err(DrawingError::whole(format!(
            "the drawing does not say its unit ($INSUNITS is missing or 0): give unit, one of {}",
            Unit::words()
        )));
    };
    let pieces = place::pieces(&file, unit, options, notes)?;
    Ok(Raw {
        pieces,
        unit: stated,
        placed: true,
    })
}

/// The unit that the variable $INSUNITS names; nothing for drawings without.
fn unit(code: i64, line: usize, options: &ReadOptions) -> Result<Option<Unit>, DrawingError> {
    Ok(Some(match code {
        0 => return Ok(None),
        1 => Unit::Inch,
        2 => Unit::Foot,
        4 => Unit::Millimetre,
        5 => Unit::Centimetre,
        6 => Unit::Metre,
        7 => Unit::Kilometre,
        10 => Unit::Yard,
        14 => Unit::Decimetre,
        21 => Unit::SurveyFoot,
        // Nobody draws walls in light years; whoever gives a unit knows better.
        _ if options.unit.is_some() => return Ok(None),
        _ => {
            return Err(DrawingError::at(
                line,
                format!(
                    "$INSUNITS = {code} is no unit in which buildings are drawn: give unit, one of {}",
                    Unit::words()
                ),
            ));
        }
    }))
}
