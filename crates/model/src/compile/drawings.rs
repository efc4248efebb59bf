//! Drawings to pieces.

use std::collections::BTreeSet;
use std::path::Path;

use drystone_drawing::{Drawing, DrawnSolid, Format, ReadOptions, Unit};

use super::Fingerprint;
use crate::fault::{Fault, Faults, Trail, did_you_mean};
use crate::spec::{ImportSpec, LayerSpec, Up};
use crate::structures::{Piece, matches};

/// The blocks of a drawing, and what was done to it.
pub(super) struct Drawn {
    pub pieces: Vec<Piece>,
    /// What was assumed, repaired and skipped, with the name of the file.
    pub notes: Vec<String>,
}

/// The blocks of a drawing, with the material, group and support that their layers choose; nothing if it is at fault.
pub(super) fn pieces(
    import: &ImportSpec,
    folder: &Path,
    trail: Trail<'_>,
    fingerprint: &mut Fingerprint,
    faults: &mut Faults,
) -> Option<Drawn> {
    let options = options(import, trail, faults);
    let drawing = read(import, folder, options?, trail, fingerprint, faults)?;
    check_layers(import, &drawing, trail, faults)?;
    let notes = drawing
        .notes
        .iter()
        .map(|note| format!("{}: {note}", import.drawing.path))
        .collect();
    let pieces = drawing
        .solids
        .into_iter()
        .filter_map(|solid| piece(solid, import, drawing.snap))
        .collect();
    Some(Drawn { pieces, notes })
}

/// How the drawing should be read; reports all that is wrong with it.
fn options(import: &ImportSpec, trail: Trail<'_>, faults: &mut Faults) -> Option<ReadOptions> {
    let before = faults.len();
    let unit = import.drawing.unit.as_deref().and_then(|word| {
        let unit = Unit::of(word);
        if unit.is_none() {
            let what = format!("\"{word}\" is no unit of length known here");
            let fault = Fault::at(trail.key("unit"), what);
            faults.push(fault.help(format!("one of {}", Unit::words())));
        }
        unit
    });
    let numbers = [
        ("snap", import.drawing.snap, true),
        ("depth", import.drawing.depth, false),
        ("chord_degrees", import.drawing.chord_degrees, false),
    ];
    for (key, value, zero) in numbers {
        let right = value.is_none_or(|v| v.is_finite() && (v > 0.0 || zero && v == 0.0));
        if !right {
            let least = if zero {
                "zero or more"
            } else {
                "greater than zero"
            };
            let what = format!("{key} must be a finite number, {least}");
            faults.push(Fault::at(trail.key(key), what));
        }
    }
    (faults.len() == before).then(|| ReadOptions {
        unit,
        snap: import.drawing.snap,
        depth: import.drawing.depth,
        up: import.drawing.up.map(|up| match up {
            Up::Y => drystone_drawing::Up::Y,
            Up::Z => drystone_drawing::Up::Z,
        }),
        chord: import.drawing.chord_degrees.map(f64::to_radians),
    })
}

fn read(
    import: &ImportSpec,
    folder: &Path,
    options: ReadOptions,
    trail: Trail<'_>,
    fingerprint: &mut Fingerprint,
    faults: &mut Faults,
) -> Option<Drawing> {
    let path = folder.join(&import.drawing.path);
    let trail = trail.key("path");
    let format = Format::of(&path).filter(|format| format.is_read());
    let Some(format) = format else {
        let what = format!(
            "\"{}\" is not a drawing that can be read",
            import.drawing.path
        );
        let known: Vec<&str> = Format::ALL
            .into_iter()
            .filter(|format| format.is_read())
            .map(Format::extension)
            .collect();
        let help = format!("files with the extensions {}", known.join(", "));
        faults.push(Fault::at(trail, what).help(help));
        return None;
    };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            let what = format!("\"{}\" cannot be read: {error}", path.display());
            faults.push(
                Fault::at(trail, what).help("paths are relative to the folder of the model file"),
            );
            return None;
        }
    };
    fingerprint.add_bytes(&bytes);
    match drystone_drawing::read(&bytes, format, &options) {
        Ok(drawing) => Some(drawing),
        Err(error) => {
            faults.push(Fault::at(
                trail,
                format!("\"{}\", {error}", import.drawing.path),
            ));
            None
        }
    }
}

/// Every layer of the model file is one of the drawing.
fn check_layers(
    import: &ImportSpec,
    drawing: &Drawing,
    trail: Trail<'_>,
    faults: &mut Faults,
) -> Option<()> {
    let layers: BTreeSet<&str> = drawing
        .solids
        .iter()
        .filter_map(|solid| solid.layer.as_deref())
        .collect();
    let before = faults.len();
    let list = trail.key("layers");
    for (index, spec) in import.drawing.layers.iter().enumerate() {
        if layers.iter().any(|layer| matches(&spec.layer, layer)) {
            continue;
        }
        let what = format!("no block of the drawing is on a layer \"{}\"", spec.layer);
        let help = if layers.is_empty() {
            Some("the drawing has no layers".to_owned())
        } else {
            did_you_mean(&spec.layer, "layers", layers.iter().copied())
        };
        let item = list.index(index);
        faults.push(Fault::at(item.key("layer"), what).maybe_help(help));
    }
    (faults.len() == before).then_some(())
}

/// A solid as a piece; nothing if its layer is skipped.
fn piece(solid: DrawnSolid, import: &ImportSpec, snap: f64) -> Option<Piece> {
    // The last one that matches wins, key by key.
    let layer = solid.layer.as_deref();
    let chosen: Vec<&LayerSpec> = import
        .drawing
        .layers
        .iter()
        .rev()
        .filter(|spec| layer.is_some_and(|layer| matches(&spec.layer, layer)))
        .collect();
    if chosen.first().is_some_and(|spec| spec.skip) {
        return None;
    }
    let support = chosen.iter().find_map(|spec| spec.support);
    let group = chosen.iter().find_map(|spec| spec.group.clone());
    let faces = (!solid.is_convex(snap)).then(|| solid.faces.clone());
    Some(Piece {
        group: group
            .or_else(|| import.placing.group.clone())
            .or_else(|| solid.layer.clone()),
        material: chosen.iter().find_map(|spec| spec.material.clone()),
        support: support.unwrap_or(import.placing.support || solid.support),
        faces,
        ..Piece::new(solid.name, solid.vertices)
    })
}
