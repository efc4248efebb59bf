//! Unstructured grids of VTK, for ParaView and the like: each solid is one polyhedral cell, with the number of its block.

use std::fmt::Write as _;

use crate::DrawnSolid;
use crate::text::one_line;

/// The type of a cell with any plane faces.
const POLYHEDRON: u8 = 42;

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let points: usize = solids.iter().map(|solid| solid.vertices.len()).sum();
    let mut text = String::from("<?xml version=\"1.0\"?>\n");
    text.push_str(
        "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n",
    );
    text.push_str("<UnstructuredGrid>\n");
    names(&mut text, solids);
    let _ = writeln!(
        text,
        "<Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{}\">",
        solids.len()
    );
    text.push_str("<Points>\n<DataArray type=\"Float64\" Name=\"points\" NumberOfComponents=\"3\" format=\"ascii\">\n");
    for v in solids.iter().flat_map(|solid| &solid.vertices) {
        let _ = writeln!(text, "{} {} {}", v.x, v.y, v.z);
    }
    text.push_str("</DataArray>\n</Points>\n<Cells>\n");
    let mut first = 0;
    let (mut connectivity, mut faces) = (Vec::new(), Vec::new());
    let (mut ends, mut face_ends) = (Vec::new(), Vec::new());
    for solid in solids {
        let count = solid.vertices.len();
        connectivity.extend(first..first + count);
        ends.push(connectivity.len());
        faces.push(solid.faces.len());
        for face in &solid.faces {
            faces.push(face.len());
            faces.extend(face.iter().map(|v| first + *v as usize));
        }
        face_ends.push(faces.len());
        first += count;
    }
    array(&mut text, "Int64", "connectivity", &connectivity);
    array(&mut text, "Int64", "offsets", &ends);
    array(&mut text, "UInt8", "types", &vec![POLYHEDRON; solids.len()]);
    array(&mut text, "Int64", "faces", &faces);
    array(&mut text, "Int64", "faceoffsets", &face_ends);
    text.push_str("</Cells>\n<CellData>\n");
    let blocks: Vec<usize> = (0..solids.len()).collect();
    array(&mut text, "Int64", "block", &blocks);
    let supports: Vec<u8> = solids.iter().map(|solid| solid.support.into()).collect();
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
