//! What the viewer of a page is given: the structure, its motion or its mechanism, forces, tables; as JSON that cannot end its script.

use std::collections::BTreeMap;

use drystone_analysis::statics::{Joint, ThrustLine};
use drystone_analysis::time_history::Resultant;
use drystone_geometry::DVec3;
use drystone_model::Model;
use serde_json::{Value, json};

use super::Series;
use super::packed::{PackedMotion, doubles, indices, singles};

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

/// The structure as it was described.
pub fn structure(model: &Model) -> Value {
    let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
    for block in &model.blocks {
        groups.insert(group(block), 0);
    }
    for (k, index) in groups.values_mut().enumerate() {
        *index = k;
    }
    let blocks = || model.blocks.iter();
    let (mut vertices, mut faces) = (Vec::new(), Vec::new());
    for (b, block) in blocks().enumerate() {
        for part in block.shape.parts() {
            let first = (vertices.len() / 3) as u32;
            vertices.extend(part.vertices().iter().flat_map(|vertex| vertex.to_array()));
            for face in part.faces() {
                faces.extend([b as u32, face.corners.len() as u32]);
                faces.extend(face.corners.iter().map(|&corner| first + corner));
            }
        }
    }
    json!({
        "name": model.name,
        "size": size(model),
        "free": model.free,
        "gravity": model.gravity,
        "sha256": model.sha256,
        "notes": model.notes,
        "materials": model.materials.iter().map(|m| json!({ "name": m.name, "density": m.density })).collect::<Vec<_>>(),
        "groups": groups.keys().collect::<Vec<_>>(),
        "blocks": {
            "names": blocks().map(|block| block.name.as_str()).collect::<Vec<_>>(),
            "material": blocks().map(|block| block.material).collect::<Vec<_>>(),
            "group": blocks().map(|block| groups[group(block)]).collect::<Vec<_>>(),
            "support": blocks().map(|block| u8::from(block.support)).collect::<Vec<_>>(),
            "mass": singles(blocks().map(|block| block.mass)),
            "position": doubles(blocks().flat_map(|block| block.position.to_array())),
        },
        "mesh": { "vertices": singles(vertices), "faces": indices(faces) },
        "loads": model.loads.iter().map(|load| json!({
            "block": load.block, "arm": load.arm.to_array(), "force": load.force.to_array(), "live": load.live,
        })).collect::<Vec<_>>(),
        "ties": model.ties.iter().map(|tie| json!({
            "name": tie.name, "blocks": tie.blocks, "points": tie.points.map(|p| p.to_array()),
        })).collect::<Vec<_>>(),
    })
}

/// Blocks without a group belong to the structure that their name begins with.
fn group(block: &drystone_model::Block) -> &str {
    match &block.group {
        Some(group) => group,
        None => block.name.split('.').next().unwrap_or_default(),
    }
}

/// A table of numbers against time. Columns are kept as differences from their first value, which single precision holds well.
pub fn history(series: &Series) -> Value {
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
    json!({
        "names": series.names,
        "time": doubles(series.time.iter().step_by(stride).copied()),
        "start": starts,
        "values": singles(values),
        "stride": stride,
    })
}

/// A table of what steps were like. Of longer ones the worst of every so many rows is taken, because what matters there are the outliers.
pub fn diagnostics(series: &Series) -> Value {
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
pub fn forces(resultants: &[Resultant]) -> Value {
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
    json!({
        "times": doubles(times),
        "starts": indices(starts),
        "blocks": indices(all().flat_map(|r| r.blocks.map(|b| b as u32))),
        "points": singles(all().flat_map(|r| r.point.to_array())),
        "forces": singles(all().flat_map(|r| r.force.to_array())),
    })
}

/// Joints with their outlines, which go around in order.
pub fn joints(joints: &[Joint], outlines: &[Vec<DVec3>]) -> Value {
    let mut starts = vec![0_u32];
    for outline in outlines {
        starts.push(starts.last().copied().unwrap_or(0) + outline.len() as u32);
    }
    let all = || joints.iter();
    let number = |of: fn(&Joint) -> f64| singles(joints.iter().map(of));
    json!({
        "blocks": indices(all().flat_map(|joint| joint.blocks.map(|b| b as u32))),
        "points": singles(all().flat_map(|joint| joint.point.to_array())),
        "forces": singles(all().flat_map(|joint| (joint.force * joint.normal + joint.shear).to_array())),
        "normal": number(|joint| joint.force),
        "area": number(|joint| joint.area),
        "friction": number(|joint| joint.friction_used),
        "edge": number(|joint| joint.edge_fraction),
        "movement": all().map(|joint| joint.motion.map(|motion| motion.movement)).collect::<Vec<_>>(),
        "at": singles(all().flat_map(|joint| joint.motion.map_or(joint.centre, |motion| motion.at).to_array())),
        "starts": indices(starts),
        "outlines": singles(outlines.iter().flatten().flat_map(|p| p.to_array())),
    })
}

/// Thrust lines.
pub fn lines(lines: &[ThrustLine]) -> Value {
    let one = |line: &ThrustLine| {
        let points: Vec<[f64; 3]> = line.points.iter().map(|p| p.point.to_array()).collect();
        let blocks: Vec<usize> = line.points.iter().map(|p| p.blocks[1]).collect();
        json!({ "state": line.state, "thrust": line.thrust, "points": points, "blocks": blocks })
    };
    lines.iter().map(one).collect()
}

/// Velocities of all blocks, scaled so that the unit of time shows the mechanism.
pub fn mechanism(velocity: &[[f64; 6]]) -> Value {
    singles(velocity.iter().flatten().copied()).into()
}

/// The motion, as the viewer reads it.
pub fn motion(packed: &PackedMotion) -> Value {
    serde_json::to_value(packed).unwrap_or(Value::Null)
}

/// JSON that may stand in a script: no tag can begin in it.
pub(crate) fn embedded(data: &Value) -> String {
    data.to_string()
        .replace('<', "\\u003c")
        .replace('>', "\\u003e")
        .replace('&', "\\u0026")
        .replace('\u{2028}', "\\u2028")
        .replace('\u{2029}', "\\u2029")
}
