//! Unstructured grids of VTK: blocks as polyhedral cells where they are at one time.

use std::fmt::{Display, Write as _};

use drystone_geometry::Pose;
use drystone_model::Model;

/// The type of a cell with any plane faces.
const POLYHEDRON: u8 = 42;

/// The blocks in these poses. Cells have their block's index, whether it is a support, and its group by number; points have their displacement
/// since the start, m. A block of several parts is several cells.
pub fn grid(model: &Model, poses: &[Pose]) -> String {
    let (mut points, mut displacement) = (Vec::new(), Vec::new());
    let (mut connectivity, mut ends) = (Vec::new(), Vec::new());
    let (mut faces, mut face_ends) = (Vec::new(), Vec::new());
    let (mut owners, mut supports) = (Vec::new(), Vec::new());
    for (b, (block, pose)) in model.blocks.iter().zip(poses).enumerate() {
        for part in block.shape.parts() {
            let first = points.len() / 3;
            for &vertex in part.vertices() {
                let place = pose.transform(vertex);
                points.extend(place.to_array());
                displacement.extend((place - (block.position + vertex)).to_array());
            }
            connectivity.extend(first..points.len() / 3);
            ends.push(connectivity.len());
            faces.push(part.faces().len());
            for face in part.faces() {
                faces.push(face.corners.len());
                faces.extend(face.corners.iter().map(|&corner| first + corner as usize));
            }
            face_ends.push(faces.len());
            owners.push(b);
            supports.push(u8::from(block.support));
        }
    }
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n",
    );
    let _ = writeln!(
        text,
        "<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">",
        points.len() / 3,
        owners.len()
    );
    text.push_str("<Points>\n");
    array(&mut text, "Float64", "points", 3, &points);
    text.push_str("</Points>\n<PointData>\n");
    array(&mut text, "Float64", "displacement", 3, &displacement);
    text.push_str("</PointData>\n<Cells>\n");
    array(&mut text, "Int64", "connectivity", 1, &connectivity);
    array(&mut text, "Int64", "offsets", 1, &ends);
    array(
        &mut text,
        "UInt8",
        "types",
        1,
        &vec![POLYHEDRON; owners.len()],
    );
    array(&mut text, "Int64", "faces", 1, &faces);
    array(&mut text, "Int64", "faceoffsets", 1, &face_ends);
    text.push_str("</Cells>\n<CellData>\n");
    array(&mut text, "Int64", "block", 1, &owners);
    array(&mut text, "UInt8", "support", 1, &supports);
    text.push_str("</CellData>\n</Piece>\n</UnstructuredGrid>\n</VTKFile>\n");
    text
}

/// Grids with their times, s.
pub fn collection(entries: &[(f64, String)]) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n<Collection>\n",
    );
    for (time, name) in entries {
        let name = name
            .replace('&', "&amp;")
            .replace('<', "&lt;")
            .replace('"', "&quot;");
        let _ = writeln!(
            text,
            "<DataSet timestep=\"{time}\" part=\"0\" file=\"{name}\"/>"
        );
    }
    text.push_str("</Collection>\n</VTKFile>\n");
    text
}

fn array<T: Display>(text: &mut String, kind: &str, name: &str, components: usize, values: &[T]) {
    let _ = writeln!(
        text,
        "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
    );
    for row in values.chunks(if components > 1 { components } else { 20 }) {
        for value in row {
            let _ = write!(text, "{value} ");
        }
        text.push('\n');
    }
    text.push_str("</DataArray>\n");
}
