//! Surfaces as files give them.

use drystone_geometry::DVec3;

use crate::DrawingError;

/// Coordinates beyond this, in metres, are no building's; products of three of them still have a meaning.
const FAR: f64 = 1e9;

/// At most this many corners of faces are taken from one file: hostile files repeat little things very often.
pub(crate) const MOST: usize = 20_000_000;

/// Faces that a file puts together, before anything is known about them.
#[derive(Debug, Clone, Default)]
pub(crate) struct Piece {
    pub name: String,
    pub layer: Option<String>,
    pub support: bool,
    /// In the unit and axes of the file, then in metres.
    pub vertices: Vec<DVec3>,
    /// Positions in `vertices`, all of which exist.
    pub faces: Vec<Vec<u32>>,
    /// Where it begins.
    pub line: Option<usize>,
    /// Several bodies are nothing special: the name is that of a layer or of nothing in particular.
    pub numbered: bool,
}

impl Piece {
    /// Adds a face by the positions of its corners.
    pub(crate) fn add_face(&mut self, corners: &[DVec3]) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(corners);
        self.faces
            .push((first..first + corners.len() as u32).collect());
    }
}

/// Checks a coordinate (m); says what is wrong with it.
pub(crate) fn check_coordinate(value: f64, line: Option<usize>) -> Result<(), DrawingError> {
    if value.abs() <= FAR {
        return Ok(());
    }
    Err(DrawingError {
        line,
        message: format!(
            "the coordinate {value:e} m is out of range: it must be a finite number of at most {FAR:e} m; is the unit right?"
        ),
    })
}
