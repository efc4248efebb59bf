//! Unstructured grids of VTK: blocks as polyhedral cells where they are at one time.

use std::fmt::{Display, Write as _};

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::ContactForce;
use drystone_model::Model;

/// The type of a cell with any plane faces.
const POLYHEDRON: u8 = 42;
/// The type of a cell that is a point.
const VERTEX: u8 = 1;

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
    let mut text = opened(points.len() / 3, owners.len());
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
    text.push_str("</CellData>\n");
    text.push_str(CLOSED);
    text
}

fn opened(points: usize, cells: usize) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"LittleEndian\">\n<UnstructuredGrid>\n\
         <Piece NumberOfPoints=\"{points}\" NumberOfCells=\"{cells}\">\n"
    )
}

const CLOSED: &str = "</Piece>\n</UnstructuredGrid>\n</VTKFile>\n";

/// Contact points as cells of one point. Points have the indices of their blocks, the normal from the first to the second, the normal force
/// (compression positive), the shear force and the whole force on the second, N.
pub fn contact_grid(forces: &[ContactForce]) -> String {
    let mut text = opened(forces.len(), forces.len());
    let vectors = |of: fn(&ContactForce) -> DVec3| -> Vec<f64> {
        forces
            .iter()
            .flat_map(|force| of(force).to_array())
            .collect()
    };
    let side = |k: usize| -> Vec<usize> { forces.iter().map(|force| force.blocks[k]).collect() };
    text.push_str("<Points>\n");
    array(&mut text, "Float64", "points", 3, &vectors(|f| f.point));
    text.push_str("</Points>\n<PointData>\n");
    array(&mut text, "Int64", "a", 1, &side(0));
    array(&mut text, "Int64", "b", 1, &side(1));
    array(&mut text, "Float64", "normal", 3, &vectors(|f| f.normal));
    let normal: Vec<f64> = forces.iter().map(|force| force.normal_force).collect();
    array(&mut text, "Float64", "normal_force", 1, &normal);
    array(
        &mut text,
        "Float64",
        "shear",
        3,
        &vectors(|f| f.shear_force),
    );
    let whole = vectors(|f| f.normal_force * f.normal + f.shear_force);
    array(&mut text, "Float64", "force", 3, &whole);
    text.push_str("</PointData>\n<Cells>\n");
    let indices: Vec<usize> = (0..forces.len()).collect();
    let ends: Vec<usize> = (1..=forces.len()).collect();
    array(&mut text, "Int64", "connectivity", 1, &indices);
    array(&mut text, "Int64", "offsets", 1, &ends);
    array(&mut text, "UInt8", "types", 1, &vec![VERTEX; forces.len()]);
    text.push_str("</Cells>\n");
    text.push_str(CLOSED);
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
    // One component goes without saying; some readers make a column of what says it.
    let _ = if components > 1 {
        writeln!(
            text,
            "<DataArray type=\"{kind}\" Name=\"{name}\" NumberOfComponents=\"{components}\" format=\"ascii\">"
        )
    } else {
        writeln!(
            text,
            "<DataArray type=\"{kind}\" Name=\"{name}\" format=\"ascii\">"
        )
    };
    for row in values.chunks(if components > 1 { components } else { 20 }) {
        for value in row {
            let _ = write!(text, "{value} ");
        }
        text.push('\n');
    }
    text.push_str("</DataArray>\n");
}
