//! Unstructured grids of VTK, for ParaView and the like: polyhedral cells with the number of their block.
//!
//! VTK computes with the hull of a cell, so that a solid which is not convex becomes several cells of one block.

use std::fmt::Write as _;

use drystone_geometry::{DVec3, convex_parts};

use crate::DrawnSolid;
use crate::text::one_line;

/// The type of a cell with any plane faces.
const POLYHEDRON: u8 = 42;

/// A convex part of a solid, or the whole.
struct Cell {
    vertices: Vec<DVec3>,
    faces: Vec<Vec<u32>>,
    block: usize,
}

fn cells(solids: &[DrawnSolid]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (block, solid) in solids.iter().enumerate() {
        let parts = convex_parts(&solid.vertices, &solid.faces).unwrap_or_default();
        if parts.len() < 2 {
            cells.push(Cell {
                vertices: solid.vertices.clone(),
                faces: solid.faces.clone(),
                block,
            });
            continue;
        }
        cells.extend(parts.iter().map(|part| Cell {
            vertices: part.vertices().to_vec(),
            faces: part.faces().iter().map(|f| f.corners.clone()).collect(),
            block,
        }));
    }
    cells
}

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let cells = cells(solids);
    let points: usize = cells.iter().map(|cell| cell.vertices.len()).sum();
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text.push_str(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n",
    );
    text.push_str("<UnstructuredGrid>\n");
    names(&mut text, solids);
    let _ = writeln!(
        text,
        "<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{}\">",
        cells.len()
    );
    text.push_str("<Points>\n<DataArray type=\"Float64\" Name=\"points\" NumberOfComponents=\"3\" format=\"ascii\">\n");
    for v in cells.iter().flat_map(|cell| &cell.vertices) {
        let _ = writeln!(text, "{} {} {}", v.x, v.y, v.z);
    }
    text.push_str("</DataArray>\n</Points>\n<Cells>\n");
    let mut first = 0;
    let (mut connectivity, mut faces) = (Vec::new(), Vec::new());
    let (mut ends, mut face_ends) = (Vec::new(), Vec::new());
    for cell in &cells {
        let count = cell.vertices.len();
        connectivity.extend(first..first + count);
        ends.push(connectivity.len());
        faces.push(cell.faces.len());
        for face in &cell.faces {
            faces.push(face.len());
            faces.extend(face.iter().map(|v| first + *v as usize));
        }
        face_ends.push(faces.len());
        first += count;
    }
    array(&mut text, "Int64", "connectivity", &connectivity);
    array(&mut text, "Int64", "offsets", &ends);
    array(&mut text, "UInt8", "types", &vec![POLYHEDRON; cells.len()]);
    array(&mut text, "Int64", "faces", &faces);
    array(&mut text, "Int64", "faceoffsets", &face_ends);
    text.push_str("</Cells>\n<CellData>\n");
    let blocks: Vec<usize> = cells.iter().map(|cell| cell.block).collect();
    array(&mut text, "Int64", "block", &blocks);
    let support = |cell: &Cell| u8::from(solids[cell.block].support);
    let supports: Vec<u8> = cells.iter().map(support).collect();
    array(&mut text, "UInt8", "support", &supports);
    text.push_str("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text.into_bytes()
}

/// Strings are stored as the codes of their bytes, each ended by a zero.
fn names(text: &mut String, solids: &[DrawnSolid]) {
    let _ = writeln!(
        text,
        "<FieldData>\n<Array type=\"String\" Name=\"names\" NumberOfTuples=\"{}\" format=\"ascii\">",
        solids.len()
    );
    for solid in solids {
        for byte in one_line(&solid.name).bytes() {
            let _ = write!(text, "{byte} ");
        }
        text.push_str("0\n");
    }
    text.push_str("</Array>\n</FieldData>\n");
}

fn array<T: std::fmt::Display>(text: &mut String, kind: &str, name: &str, values: &[T]) {
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">"
    );
    for row in values.chunks(20) {
        for value in row {
            let _ = write!(text, "{value} ");
        }
        text.push('\n');
    }
    text.push_str("</DataArray>\n");
}
