//! What a drawing holds, and how it should be read.

use drystone_geometry::{DVec3, Polyhedron};

use crate::{Note, Unit};

/// What a file of another program holds, in metres, z up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Drawing {
    /// Closed solids in the order of the file; their names are unique.
    pub solids: Vec<DrawnSolid>,
    /// What was assumed, repaired and skipped.
    pub notes: Vec<Note>,
    /// Unit of the file, if it says one.
    pub unit: Option<Unit>,
    /// The snap tolerance that was used, m.
    pub snap: f64,
}

/// A solid bounded by plane faces.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DrawnSolid {
    /// Name of the object, group or block in the file, or made of its layer and a number.
    pub name: String,
    /// Layer, or material where the format has no layers.
    pub layer: Option<String>,
    /// Marked as a support in the file; only COMPAS has such a mark.
    pub support: bool,
    /// Corners, m.
    pub vertices: Vec<DVec3>,
    /// Faces as positions in `vertices`, counter-clockwise seen from outside. They close the solid, which need not be
    /// convex; neither need they.
    pub faces: Vec<Vec<u32>>,
}

impl DrawnSolid {
    /// Enclosed volume, m³.
    pub fn volume(&self) -> f64 {
        enclosed_volume(&self.vertices, &self.faces)
    }

    /// Whether the solid is its convex hull but for a layer of this thickness (m), the noise of the drawing.
    pub fn is_convex(&self, within: f64) -> bool {
        Polyhedron::hull(&self.vertices).is_ok_and(|hull| {
            let area: f64 = hull.faces().iter().map(|face| face.area).sum();
            // The noise of a whole drawing may be a groove of a small block: no more than its own noise is forgiven.
            let within = within.min(1e-6 * hull.bounding_box().extent().max_element());
            let volume = hull.volume_properties().volume;
            volume - self.volume() <= within * area + 1e-12 * volume
        })
    }
}

/// The volume that faces enclose, m³; negative if they look inwards.
pub(crate) fn enclosed_volume(vertices: &[DVec3], faces: &[Vec<u32>]) -> f64 {
    let Some(&origin) = vertices.first() else {
        return 0.0;
    };
    let at = |v: u32| vertices[v as usize] - origin;
    let fan = |face: &Vec<u32>| -> f64 {
        let first = face.first().map_or(DVec3::ZERO, |&v| at(v));
        let rest = face.get(1..).unwrap_or_default();
        rest.windows(2)
            .map(|w| first.dot(at(w[0]).cross(at(w[1]))))
            .sum()
    };
    faces.iter().map(fan).sum::<f64>() / 6.0
}

/// Which axis of the file points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Up {
    /// y, as in elevations and in programs for pictures: (x, y, z) becomes (x, -z, y).
    Y,
    /// z, as in most CAD programs.
    Z,
}

/// How a drawing should be read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ReadOptions {
    /// Unit of the file; default: what the file says, and metres where its format has no units.
    pub unit: Option<Unit>,
    /// Vertices closer than this become one, m; default a millionth of the size of the drawing: above what numbers of
    /// single precision lose, far below the thickness of a joint.
    pub snap: Option<f64>,
    /// Plane outlines without a thickness of their own become blocks of this depth, half of it on each side of their
    /// plane, m; default: they are skipped.
    pub depth: Option<f64>,
    /// Which axis points up. Default: z, but plane outlines parallel to the xy plane that have no thickness of their own
    /// are taken for an elevation and put upright.
    pub up: Option<Up>,
    /// Arcs of outlines become chords of at most this angle, rad; default 15 degrees.
    pub chord: Option<f64>,
}
