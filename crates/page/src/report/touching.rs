//! Joints of a time history: where blocks touch at the start. How they open and slide follows from the poses.

use drystone_geometry::DVec3;
use drystone_mechanics::Statics;
use drystone_model::Model;
use serde::Serialize;

use super::packed::{indices, singles};
use drystone_questions::statics::outlines;

/// A page holds at most this many; a structure with more has too many to look at one by one.
const MOST: usize = 40_000;

/// A joint before anything moves.
#[derive(Debug, Clone, PartialEq)]
pub struct Touching {
    /// Block indices.
    pub blocks: [usize; 2],
    /// Unit vector from the first to the second.
    pub normal: DVec3,
    /// m².
    pub area: f64,
    /// Coulomb coefficient.
    pub friction: f64,
    /// Contact points in order around it, m.
    pub outline: Vec<DVec3>,
}

/// The joints of a model, or none if there are too many.
pub fn touching(model: &Model) -> Vec<Touching> {
    let statics = Statics::new(model);
    let manifolds = &statics.touching.manifolds;
    if manifolds.len() > MOST {
        return Vec::new();
    }
    let all = manifolds.iter().zip(&statics.pairs);
    let all = all.zip(outlines(&statics));
    all.map(|((manifold, pair), outline)| {
        let blocks = [manifold.a as usize, manifold.b as usize];
        Touching {
            blocks,
            normal: manifold.normal,
            area: manifold.area,
            friction: pair.friction(),
            outline,
        }
    })
    .collect()
}

/// Joints as the viewer reads them.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackedTouching {
    /// Two per joint; indices.
    pub blocks: String,
    /// Unit vectors from the first block to the second; single precision.
    pub normals: String,
    /// m²; single precision.
    pub area: String,
    /// Coulomb coefficients; single precision.
    pub friction: String,
    /// First corner of each outline, and the end of the last; indices.
    pub starts: String,
    /// Corners in order around each joint, m; single precision.
    pub outlines: String,
}

pub(super) fn packed(joints: &[Touching]) -> PackedTouching {
    let mut starts = vec![0_u32];
    for joint in joints {
        starts.push(starts.last().copied().unwrap_or(0) + joint.outline.len() as u32);
    }
    let all = || joints.iter();
    PackedTouching {
        blocks: indices(all().flat_map(|joint| joint.blocks.map(|b| b as u32))),
        normals: singles(all().flat_map(|joint| joint.normal.to_array())),
        area: singles(all().map(|joint| joint.area)),
        friction: singles(all().map(|joint| joint.friction)),
        starts: indices(starts),
        outlines: singles(
            all()
                .flat_map(|joint| &joint.outline)
                .flat_map(|p| p.to_array()),
        ),
    }
}
