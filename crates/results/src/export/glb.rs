//! Binary glTF with animation: one node per block, which moves as the block did.

use drystone_geometry::{DQuat, DVec3, triangulate};
use drystone_model::Model;
use serde_json::{Value, json};

use crate::{Error, MotionRecord};

/// Meaning of a buffer, in the words of OpenGL.
const FLOAT: u32 = 5126;
const ARRAY_BUFFER: u32 = 34962;

/// Colours of free blocks and of supports.
const COLOURS: [[f64; 3]; 2] = [[0.76, 0.70, 0.60], [0.55, 0.58, 0.60]];

#[derive(Default)]
struct Buffers {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
}

impl Buffers {
    /// Adds rows of numbers in single precision; returns the number of their accessor. Corners (`target`) and times need their bounds.
    fn add<const N: usize>(&mut self, rows: &[[f64; N]], target: Option<u32>) -> usize {
        let kind = ["", "SCALAR", "VEC2", "VEC3", "VEC4"][N];
        let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
        let start = self.bytes.len();
        for row in rows {
            for (k, &value) in row.iter().enumerate() {
                let value = value as f32;
                low[k] = low[k].min(value);
                high[k] = high[k].max(value);
                self.bytes.extend(value.to_le_bytes());
            }
        }
        let mut view =
            json!({ "buffer": 0, "byteOffset": start, "byteLength": self.bytes.len() - start });
        if let Some(target) = target {
            view["target"] = json!(target);
        }
        let mut accessor = json!({
            "bufferView": self.views.len(), "componentType": FLOAT, "count": rows.len(), "type": kind,
        });
        if N != 4 {
            accessor["min"] = json!(low.to_vec());
            accessor["max"] = json!(high.to_vec());
        }
        self.views.push(view);
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }
}

/// The motion as an animated scene. The format has y up; a root node turns the whole.
pub fn animated_glb(model: &Model, motion: &MotionRecord) -> Result<Vec<u8>, Error> {
    let mut buffers = Buffers::default();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let children: Vec<usize> = (1..=model.blocks.len()).collect();
    let mut nodes = vec![json!({
        "name": "z up", "rotation": [-half, 0.0, 0.0, half], "children": children,
    })];
    let mut meshes = Vec::new();
    for (b, block) in model.blocks.iter().enumerate() {
        let (mut positions, mut normals) = (Vec::new(), Vec::new());
        for part in block.shape.parts() {
            for face in part.faces() {
                for triangle in triangulate(part.vertices(), &face.corners) {
                    positions.extend(triangle.map(|v| part.vertices()[v as usize].to_array()));
                    normals.extend([face.normal.to_array(); 3]);
                }
            }
        }
        let position = buffers.add(&positions, Some(ARRAY_BUFFER));
        let normal = buffers.add(&normals, Some(ARRAY_BUFFER));
        meshes.push(json!({ "primitives": [{
            "attributes": { "POSITION": position, "NORMAL": normal }, "material": usize::from(block.support),
        }]}));
        nodes.push(json!({
            "name": block.name, "mesh": b, "translation": block.position.to_array(),
        }));
    }
    let mut root = json!({
        "asset": { "version": "2.0", "generator": concat!("Drystone ", env!("CARGO_PKG_VERSION")) },
        "scene": 0,
        "scenes": [{ "name": model.name, "nodes": [0] }],
        "materials": COLOURS.map(|[r, g, b]| json!({
            "pbrMetallicRoughness": { "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.95 },
        })),
        "meshes": meshes,
        "nodes": nodes,
    });
    if motion.times.len() > 1 {
        let (samplers, channels) = animate(model, motion, &mut buffers);
        if !channels.is_empty() {
            root["animations"] =
                json!([{ "name": "motion", "samplers": samplers, "channels": channels }]);
        }
    }
    root["buffers"] = json!([{ "byteLength": buffers.bytes.len() }]);
    root["bufferViews"] = buffers.views.into();
    root["accessors"] = buffers.accessors.into();
    packed(&root, buffers.bytes)
}

/// Samplers and channels of blocks that move.
fn animate(
    model: &Model,
    motion: &MotionRecord,
    buffers: &mut Buffers,
) -> (Vec<Value>, Vec<Value>) {
    let (mut samplers, mut channels) = (Vec::new(), Vec::new());
    let start = motion.times[0];
    let times: Vec<[f64; 1]> = motion.times.iter().map(|time| [time - start]).collect();
    let times = buffers.add(&times, None);
    for (b, block) in model.blocks.iter().enumerate() {
        let poses = || motion.poses.iter().filter_map(|poses| poses.get(b));
        let mut push = |path: &str, output: usize| {
            channels.push(
                json!({ "sampler": samplers.len(), "target": { "node": b + 1, "path": path } }),
            );
            samplers.push(json!({ "input": times, "output": output, "interpolation": "LINEAR" }));
        };
        let still = |place: DVec3| place == block.position;
        if !poses().all(|pose| still(pose.position)) {
            let places: Vec<[f64; 3]> = poses().map(|pose| pose.position.to_array()).collect();
            push("translation", buffers.add(&places, None));
        }
        if !poses().all(|pose| pose.rotation == DQuat::IDENTITY) {
            let turns: Vec<[f64; 4]> = poses().map(|pose| pose.rotation.to_array()).collect();
            push("rotation", buffers.add(&turns, None));
        }
    }
    (samplers, channels)
}

/// Header, JSON and numbers, each filled up to a multiple of four bytes.
fn packed(root: &Value, mut bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let mut text = root.to_string().into_bytes();
    text.resize(text.len().next_multiple_of(4), b' ');
    bytes.resize(bytes.len().next_multiple_of(4), 0);
    let length = 12 + 8 + text.len() + 8 + bytes.len();
    let short = |length: usize| {
        u32::try_from(length).map_err(|_| Error::Encode {
            path: "motion.glb".into(),
            message: format!("a GLB file has at most 4 GiB, but this motion takes {length} bytes: take fewer frames (--every)"),
        })
    };
    let mut file = Vec::with_capacity(length);
    file.extend(b"glTF");
    file.extend(2_u32.to_le_bytes());
    file.extend(short(length)?.to_le_bytes());
    file.extend(short(text.len())?.to_le_bytes());
    file.extend(b"JSON");
    file.extend(text);
    file.extend(short(bytes.len())?.to_le_bytes());
    file.extend(b"BIN\0");
    file.extend(bytes);
    Ok(file)
}
