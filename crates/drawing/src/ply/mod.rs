//! Polygon files: vertices and faces with any other properties beside them, as text or binary.
//!
//! A file written here has a number `block` for each face, and a comment with the name of each block, so that blocks come
//! back with their names. In other files the connected parts are the blocks.

mod header;
mod values;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use drystone_geometry::DVec3;

use crate::piece::{MOST, Piece};
use crate::text::{clean_name, one_line};
use crate::{DrawingError, DrawnSolid, Raw};
use header::{Element, Header, Kind, Property};
use values::Values;

pub(crate) fn read(bytes: &[u8]) -> Result<Raw, DrawingError> {
    let header = Header::read(bytes)?;
    let mut values = Values::new(bytes, &header);
    let mut vertices: Vec<DVec3> = Vec::new();
    let mut faces: Vec<(Vec<u32>, i64)> = Vec::new();
    let mut seen = 0;
    for element in &header.elements {
        match element.name.as_str() {
            "vertex" => read_vertices(element, &mut values, &mut vertices)?,
            "face" => read_faces(element, &mut values, &mut faces, &mut seen)?,
            _ => skip(element, &mut values)?,
        }
    }
    let count = vertices.len();
    let mut pieces: Vec<Piece> = Vec::new();
    let mut place: BTreeMap<i64, usize> = BTreeMap::new();
    let mut number: BTreeMap<(usize, u32), u32> = BTreeMap::new();
    for (f, (face, block)) in faces.into_iter().enumerate() {
        let at = *place.entry(block).or_insert_with(|| {
            let name = header.names.get(&block).cloned();
            pieces.push(Piece {
                numbered: name.is_none(),
                name: name.unwrap_or_else(|| "part".into()),
                layer: header.layers.get(&block).cloned(),
                ..Piece::default()
            });
            pieces.len() - 1
        });
        let piece = &mut pieces[at];
        let mut corners = Vec::with_capacity(face.len());
        for v in face {
            let Some(&position) = vertices.get(v as usize) else {
                return Err(DrawingError::whole(format!(
                    "face {f} names vertex {v}, but there are {count} vertices: they are counted from 0"
                )));
            };
            corners.push(*number.entry((at, v)).or_insert_with(|| {
                piece.vertices.push(position);
                piece.vertices.len() as u32 - 1
            }));
        }
        piece.faces.push(corners);
    }
    Ok(Raw {
        pieces,
        unit: header.unit,
        placed: false,
    })
}

fn read_vertices(
    element: &Element,
    values: &mut Values<'_>,
    vertices: &mut Vec<DVec3>,
) -> Result<(), DrawingError> {
    let axis = |name: &str| {
        let place = element.properties.iter().position(|p| p.name == name);
        place.ok_or_else(|| {
            DrawingError::at(
                element.line,
                format!("vertices have no property {name}: x, y and z are needed"),
            )
        })
    };
    let axes = [axis("x")?, axis("y")?, axis("z")?];
    for _ in 0..element.count {
        values.begin()?;
        let mut at = DVec3::ZERO;
        for (p, property) in element.properties.iter().enumerate() {
            let value = one_or_skip(property, values)?;
            if let Some(axis) = axes.iter().position(|&a| a == p) {
                at[axis] = value.filter(|v| v.is_finite()).ok_or_else(|| {
                    values.fault(format!(
                        "the coordinate {} is not a finite number",
                        property.name
                    ))
                })?;
            }
        }
        vertices.push(at);
    }
    Ok(())
}

fn read_faces(
    element: &Element,
    values: &mut Values<'_>,
    faces: &mut Vec<(Vec<u32>, i64)>,
    seen: &mut usize,
) -> Result<(), DrawingError> {
    let corners = |p: &Property| matches!(p.name.as_str(), "vertex_indices" | "vertex_index");
    if !element.properties.iter().any(corners) {
        return Err(DrawingError::at(
            element.line,
            "faces have no property vertex_indices: a list of the vertices of each face is needed",
        ));
    }
    for _ in 0..element.count {
        values.begin()?;
        let mut face = Vec::new();
        let mut block = 0;
        for property in &element.properties {
            if corners(property) {
                let Some(length) = property.length else {
                    return Err(DrawingError::at(
                        element.line,
                        "vertex_indices is a single number, not a list",
                    ));
                };
                let n = list_length(length, values)?;
                for _ in 0..n {
                    let index = values.next(property.kind)?;
                    if index.fract() != 0.0 || !(0.0..f64::from(u32::MAX)).contains(&index) {
                        return Err(values.fault(format!("{index} is not the number of a vertex")));
                    }
                    face.push(index as u32);
                }
            } else {
                let value = one_or_skip(property, values)?;
                if property.name == "block" {
                    block = value.map_or(0, |v| v as i64);
                }
            }
        }
        if face.len() < 3 {
            return Err(values.fault(format!(
                "a face needs at least 3 corners, not {}",
                face.len()
            )));
        }
        *seen += face.len();
        if *seen > MOST {
            return Err(values.fault("too many faces for a drawing of blocks".into()));
        }
        faces.push((face, block));
    }
    Ok(())
}

fn skip(element: &Element, values: &mut Values<'_>) -> Result<(), DrawingError> {
    // Elements without properties take no bytes of a binary file, however many there are said to be.
    if element.properties.is_empty() && !values.is_text() {
        return Ok(());
    }
    for _ in 0..element.count {
        values.begin()?;
        for property in &element.properties {
            one_or_skip(property, values)?;
        }
    }
    Ok(())
}

/// The value of a single number; nothing for a list, which is passed over.
fn one_or_skip(property: &Property, values: &mut Values<'_>) -> Result<Option<f64>, DrawingError> {
    let Some(length) = property.length else {
        return values.next(property.kind).map(Some);
    };
    let n = list_length(length, values)?;
    for _ in 0..n {
        values.next(property.kind)?;
    }
    Ok(None)
}

fn list_length(kind: Kind, values: &mut Values<'_>) -> Result<u64, DrawingError> {
    let n = values.next(kind)?;
    if n.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&n) {
        return Err(values.fault(format!("{n} is not the length of a list")));
    }
    Ok(n as u64)
}

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let mut text = String::from("ply\nformat ascii 1.0\ncomment unit m\n");
    for (i, solid) in solids.iter().enumerate() {
        let _ = writeln!(text, "comment block {i} {}", one_line(&solid.name));
        if let Some(layer) = &solid.layer {
            let _ = writeln!(text, "comment layer {i} {}", clean_name(layer));
        }
    }
    let vertices: usize = solids.iter().map(|solid| solid.vertices.len()).sum();
    let faces: usize = solids.iter().map(|solid| solid.faces.len()).sum();
    let _ = writeln!(
        text,
        "element vertex {vertices}\nproperty double x\nproperty double y\nproperty double z"
    );
    let _ = writeln!(
        text,
        "element face {faces}\nproperty list uint uint vertex_indices\nproperty int block\nend_header"
    );
    for v in solids.iter().flat_map(|solid| &solid.vertices) {
        let _ = writeln!(text, "{} {} {}", v.x, v.y, v.z);
    }
    let mut first = 0;
    for (i, solid) in solids.iter().enumerate() {
        for face in &solid.faces {
            let _ = write!(text, "{}", face.len());
            for v in face {
                let _ = write!(text, " {}", first + *v as usize);
            }
            let _ = writeln!(text, " {i}");
        }
        first += solid.vertices.len();
    }
    text.into_bytes()
}
