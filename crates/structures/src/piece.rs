//! What structures are made of.

use drystone_geometry::{DVec3, VolumeProperties};

/// A convex block of a structure, in the frame of the structure.
#[derive(Debug, Clone, PartialEq)]
pub struct Piece {
    /// Unique within the structure, e.g. `course12.block3`; the name of the structure comes before it.
    pub name: String,
    /// Part of the structure it belongs to, e.g. `gable`, if the structure has parts.
    pub group: Option<String>,
    /// Material where it is not that of the structure, as layers of drawings say.
    pub material: Option<String>,
    /// Stands for the ground, as springers of an arch do.
    pub support: bool,
    /// Corners, m; the block is their convex hull unless it has faces.
    pub vertices: Vec<DVec3>,
    /// Faces as positions in the corners, for blocks of drawings that may not be convex.
    pub faces: Option<Vec<Vec<u32>>>,
    /// Volume, centroid and inertia at unit density where they are not those of the hull, as for voussoirs whose faces
    /// are curved.
    pub properties: Option<VolumeProperties>,
}

impl Piece {
    /// A free piece by its corners.
    pub fn new(name: impl Into<String>, vertices: Vec<DVec3>) -> Self {
        Self {
            name: name.into(),
            group: None,
            material: None,
            support: false,
            vertices,
            faces: None,
            properties: None,
        }
    }

    /// A box with edges along the axes, between two opposite corners (m).
    pub fn cuboid(name: impl Into<String>, min: DVec3, max: DVec3) -> Self {
        let corner = |index: usize| {
            let pick = |bit: usize, low: f64, high: f64| if index & bit == 0 { low } else { high };
            DVec3::new(
                pick(1, min.x, max.x),
                pick(2, min.y, max.y),
                pick(4, min.z, max.z),
            )
        };
        Self::new(name, (0..8).map(corner).collect())
    }

    /// A prism: a polygon in the plane xz, corners (x, z), between two values of y (m).
    pub fn prism(name: impl Into<String>, polygon: &[[f64; 2]], y: [f64; 2]) -> Self {
        let face = |y: f64| polygon.iter().map(move |&[x, z]| DVec3::new(x, y, z));
        Self::new(name, face(y[0]).chain(face(y[1])).collect())
    }

    /// The same piece in a part of the structure.
    pub fn grouped(mut self, group: impl Into<String>) -> Self {
        self.group = Some(group.into());
        self
    }

    /// The same piece as a support.
    pub fn supported(mut self) -> Self {
        self.support = true;
        self
    }
}

/// Why a structure cannot be made of its dimensions.
#[derive(Debug, Clone, PartialEq)]
pub struct Misfit {
    /// The key at fault; with a dot for one inside a table, e.g. `openings[2].width`.
    pub key: String,
    /// What is wrong, with numbers.
    pub what: String,
    /// What would be right.
    pub help: String,
}

impl Misfit {
    /// A misfit of the value of a key.
    pub fn new(key: impl Into<String>, what: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            key: key.into(),
            what: what.into(),
            help: help.into(),
        }
    }
}

/// Something that dimensions make into blocks.
pub trait Structure {
    /// The pieces in the frame of the structure, in an order that depends on the dimensions alone; or everything that is
    /// wrong with the dimensions.
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>>;

    /// What was made otherwise than its dimensions may lead to expect, a sentence each.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
}
