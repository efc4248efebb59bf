//! What the viewer of a page is given: the structure, its motion or its mechanism, forces, tables; as JSON that cannot end its script.
//!
//! The viewer's own types, `viewer/src/generated/scene.ts`, are made from these.

use std::collections::BTreeMap;

use drystone_geometry::DVec3;
use drystone_model::Model;
use drystone_questions::statics::{Joint, Movement, ThrustLine};
use drystone_questions::time_history::Resultant;
use serde::Serialize;

use super::Series;
use super::packed::{PackedMotion, doubles, indices, singles};
use super::touching::PackedTouching;

/// Rows of a history that a plot can show; of longer ones every so many-th is taken.
const ROWS: usize = 6000;

/// The diagonal of what is not a support, or of everything if all is, m.
pub fn size(model: &Model) -> f64 {
    let extent = |supports: bool| {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        for block in model.blocks.iter().filter(|b| supports || !b.support) {
            for vertex in block.shape.vertices() {
                low = low.min(block.position + vertex);
                high = high.max(block.position + vertex);
            }
        }
        (high - low).length()
    };
    let free = extent(false);
    if free.is_finite() { free } else { extent(true) }
}

/// Everything that a page holds for its viewer. What an analysis does not have is left out.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Scene {
    /// Name of the model.
    pub name: String,
    /// Name of the analysis.
    pub analysis: String,
    /// Kind of the analysis, as in its summary; none while it runs.
    pub kind: Option<String>,
    /// Outcome of the analysis in one word.
    pub status: String,
    /// Diagonal of what is not a support, m.
    pub size: f64,
    /// Degrees of freedom that are free: three displacements, three rotations.
    pub free: [bool; 6],
    /// m/s².
    pub gravity: f64,
    /// Hash of the model, lower-case hexadecimal.
    pub sha256: String,
    /// What was noticed as the model was read.
    pub notes: Vec<String>,
    /// Materials of blocks.
    pub materials: Vec<SceneMaterial>,
    /// Names of groups of blocks.
    pub groups: Vec<String>,
    /// Blocks at the start.
    pub blocks: SceneBlocks,
    /// Shapes of blocks.
    pub mesh: SceneMesh,
    /// Loads on blocks.
    pub loads: Vec<SceneLoad>,
    /// Ties between blocks.
    pub ties: Vec<SceneTie>,
    /// Frames of a run or of a pushover.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub motion: Option<PackedMotion>,
    /// Energies and monitors against time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<PackedTable>,
    /// How well steps were solved.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub diagnostics: Option<PackedTable>,
    /// Joints of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub touching: Option<PackedTouching>,
    /// Resultants in joints of a run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub forces: Option<PackedForces>,
    /// Joints of a question of statics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub joints: Option<PackedJoints>,
    /// Thrust lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lines: Option<Vec<SceneLine>>,
    /// Velocities of all blocks, six each, scaled so that the unit of time shows the mechanism; single precision.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<String>,
    /// The analysis is still running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub live: Option<Live>,
}

/// A material.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneMaterial {
    /// As in the model.
    pub name: String,
    /// kg/m³.
    pub density: f64,
}

/// Blocks at the start, one entry of each list per block.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneBlocks {
    /// As in the model.
    pub names: Vec<String>,
    /// Index of the material.
    pub material: Vec<usize>,
    /// Index of the group.
    pub group: Vec<usize>,
    /// 1 for a support, else 0.
    pub support: Vec<u8>,
    /// kg; single precision.
    pub mass: String,
    /// Centroids, m, three per block; double precision.
    pub position: String,
}

/// Shapes of blocks.
#[derive(Debug, Clone, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneMesh {
    /// Three coordinates per vertex in the frame of its block, m; single precision.
    pub vertices: String,
    /// Block, number of corners, corners; and so on. Indices.
    pub faces: String,
}

/// A load on a block.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneLoad {
    /// Index of the block.
    pub block: usize,
    /// From the centroid to where the load acts, m.
    pub arm: [f64; 3],
    /// N.
    pub force: [f64; 3],
    /// It grows with the multiplier.
    pub live: bool,
}

/// A tie.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneTie {
    /// As in the model.
    pub name: String,
    /// Indices of the blocks at its ends; none where it is held by the ground.
    pub blocks: [Option<usize>; 2],
    /// Its ends, m.
    pub points: [[f64; 3]; 2],
}

/// A thrust line.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SceneLine {
    /// Of which state of equilibrium.
    pub state: String,
    /// N.
    pub thrust: f64,
    /// m.
    pub points: Vec<[f64; 3]>,
    /// The block that each point moves with.
    pub blocks: Vec<usize>,
}

/// A table of numbers against time.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackedTable {
    /// Of columns, without time.
    pub names: Vec<String>,
    /// s, of a pushover m; double precision.
    pub time: String,
    /// The first value of each column; none if it is not finite.
    #[cfg_attr(test, schemars(with = "Vec<Option<f64>>"))]
    pub start: Vec<f64>,
    /// Differences from the first value, column by column; single precision.
    pub values: String,
    /// Of how many rows one is here.
    pub stride: usize,
}

/// Resultants in joints, those of one time after another, sorted by pair within each time.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackedForces {
    /// s; double precision.
    pub times: String,
    /// First resultant of each time, and the end of the last; indices.
    pub starts: String,
    /// Two per resultant, which acts on the second; indices.
    pub blocks: String,
    /// Points of action, m; single precision.
    pub points: String,
    /// N; single precision.
    pub forces: String,
}

/// Joints of a question of statics.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PackedJoints {
    /// Two per joint; indices.
    pub blocks: String,
    /// Points of action of the resultants, m; single precision.
    pub points: String,
    /// Resultants on the second blocks, N; single precision.
    pub forces: String,
    /// Their normal parts, N; single precision.
    pub normal: String,
    /// m²; single precision.
    pub area: String,
    /// Part of the friction that is used; single precision.
    pub friction: String,
    /// Distance from the nearest edge, as a part of that of the middle; single precision.
    pub edge: String,
    /// How each joint moves in the mechanism; none if there is no mechanism.
    #[cfg_attr(test, schemars(with = "Vec<Option<String>>"))]
    pub movement: Vec<Option<Movement>>,
    /// Where it moves, m; single precision.
    pub at: String,
    /// First corner of each outline, and the end of the last; indices.
    pub starts: String,
    /// Corners in order around each joint, m; single precision.
    pub outlines: String,
}

/// What a page of a run that goes on needs to read its frames.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Live {
    /// Names of a frame's values after its time.
    pub columns: Vec<String>,
}

/// The structure as it was described.
pub fn structure(model: &Model) -> Scene {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &model.blocks {
        groups.insert(group(block), 0);
    }
    for (k, index) in groups.values_mut().enumerate() {
        *index = k;
    }
    let blocks = || model.blocks.iter();
    Scene {
        name: model.name.clone(),
        size: size(model),
        free: model.free,
        gravity: model.gravity,
        sha256: model.sha256.clone(),
        notes: model.notes.clone(),
        materials: model
            .materials
            .iter()
            .map(|material| SceneMaterial {
                name: material.name.clone(),
                density: material.density,
            })
            .collect(),
        groups: groups.keys().map(|&name| name.to_owned()).collect(),
        blocks: SceneBlocks {
            names: blocks().map(|block| block.name.clone()).collect(),
            material: blocks().map(|block| block.material).collect(),
            group: blocks().map(|block| groups[group(block)]).collect(),
            support: blocks().map(|block| u8::from(block.support)).collect(),
            mass: singles(blocks().map(|block| block.mass)),
            position: doubles(blocks().flat_map(|block| block.position.to_array())),
        },
        mesh: mesh(model),
        loads: model
            .loads
            .iter()
            .map(|load| SceneLoad {
                block: load.block,
                arm: load.arm.to_array(),
                force: load.force.to_array(),
                live: load.live,
            })
            .collect(),
        ties: model
            .ties
            .iter()
            .map(|tie| SceneTie {
                name: tie.name.clone(),
                blocks: tie.blocks,
                points: tie.points.map(|point| point.to_array()),
            })
            .collect(),
        ..Scene::default()
    }
}

fn mesh(model: &Model) -> SceneMesh {
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (b, block) in model.blocks.iter().enumerate() {
        for part in block.shape.parts() {
            let first = (vertices.len() / 3) as u32;
            vertices.extend(part.vertices().iter().flat_map(|vertex| vertex.to_array()));
            for face in part.faces() {
                faces.extend([b as u32, face.corners.len() as u32]);
                faces.extend(face.corners.iter().map(|&corner| first + corner));
            }
        }
    }
    SceneMesh {
        vertices: singles(vertices),
        faces: indices(faces),
    }
}

/// Blocks without a group belong to the structure that their name begins with.
fn group(block: &drystone_model::Block) -> &str {
    match &block.group {
        Some(group) => group,
        None => block.name.split('.').next().unwrap_or_default(),
    }
}

/// A table of numbers against time. Columns are kept as differences from their first value, which single precision holds well.
pub fn history(series: &Series) -> PackedTable {
    let stride = series.time.len().div_ceil(ROWS).max(1);
    let starts: Vec<f64> = series
        .columns
        .iter()
        .map(|column| column.first().copied().unwrap_or_default())
        .collect();
    let values = series
        .columns
        .iter()
        .zip(&starts)
        .flat_map(|(column, start)| {
            column
                .iter()
                .step_by(stride)
                .map(move |value| value - start)
        });
    PackedTable {
        names: series.names.clone(),
        time: doubles(series.time.iter().step_by(stride).copied()),
        values: singles(values),
        start: starts,
        stride,
    }
}

/// A table of what steps were like. Of longer ones the worst of every so many rows is taken, because what matters there are the outliers.
pub fn diagnostics(series: &Series) -> PackedTable {
    let stride = series.time.len().div_ceil(ROWS).max(1);
    let worst = |rows: &[f64]| {
        rows.iter().copied().fold(
            0.0,
            |most: f64, x| if x.abs() > most.abs() { x } else { most },
        )
    };
    let columns = series.columns.iter();
    history(&Series {
        names: series.names.clone(),
        time: series
            .time
            .chunks(stride)
            .map(|rows| rows[rows.len() - 1])
            .collect(),
        columns: columns
            .map(|column| column.chunks(stride).map(worst).collect())
            .collect(),
    })
}

/// Resultants, those of one time after another.
pub fn forces(resultants: &[Resultant]) -> PackedForces {
    let mut times: Vec<f64> = Vec::new();
    let mut starts: Vec<u32> = Vec::new();
    for (k, resultant) in resultants.iter().enumerate() {
        if times.last() != Some(&resultant.time) {
            times.push(resultant.time);
            starts.push(k as u32);
        }
    }
    starts.push(resultants.len() as u32);
    let all = || resultants.iter();
    PackedForces {
        times: doubles(times),
        starts: indices(starts),
        blocks: indices(all().flat_map(|r| r.blocks.map(|b| b as u32))),
        points: singles(all().flat_map(|r| r.point.to_array())),
        forces: singles(all().flat_map(|r| r.force.to_array())),
    }
}

/// Joints with their outlines, which go around in order.
pub fn joints(joints: &[Joint], outlines: &[Vec<DVec3>]) -> PackedJoints {
    let mut starts = vec![0_u32];
    for outline in outlines {
        starts.push(starts.last().copied().unwrap_or(0) + outline.len() as u32);
    }
    let all = || joints.iter();
    let number = |of: fn(&Joint) -> f64| singles(joints.iter().map(of));
    let point =
        |of: fn(&Joint) -> DVec3| singles(joints.iter().flat_map(|joint| of(joint).to_array()));
    PackedJoints {
        blocks: indices(all().flat_map(|joint| joint.blocks.map(|b| b as u32))),
        points: point(|joint| joint.point),
        forces: point(|joint| joint.force * joint.normal + joint.shear),
        normal: number(|joint| joint.force),
        area: number(|joint| joint.area),
        friction: number(|joint| joint.friction_used),
        edge: number(|joint| joint.edge_fraction),
        movement: all()
            .map(|joint| joint.motion.map(|motion| motion.movement))
            .collect(),
        at: point(|joint| joint.motion.map_or(joint.centre, |motion| motion.at)),
        starts: indices(starts),
        outlines: singles(outlines.iter().flatten().flat_map(|p| p.to_array())),
    }
}

/// Thrust lines.
pub fn lines(lines: &[ThrustLine]) -> Vec<SceneLine> {
    let one = |line: &ThrustLine| SceneLine {
        state: line.state.to_owned(),
        thrust: line.thrust,
        points: line.points.iter().map(|p| p.point.to_array()).collect(),
        blocks: line.points.iter().map(|p| p.blocks[1]).collect(),
    };
    lines.iter().map(one).collect()
}

/// Velocities of all blocks, scaled so that the unit of time shows the mechanism.
pub fn mechanism(velocity: &[[f64; 6]]) -> String {
    singles(velocity.iter().flatten().copied())
}

/// JSON that may stand in a script: no tag can begin in it.
pub(super) fn embedded(scene: &Scene) -> String {
    // By way of a value, which sorts the keys: pages stay the same whatever the order of the fields.
    serde_json::to_value(scene)
        .unwrap_or_default()
        .to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
