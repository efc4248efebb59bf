//! Binary glTF, for viewers: one node per solid, with flat normals and one material per layer.
//!
//! Positions have single precision. Each is relative to the middle of its solid, which the node keeps, so that buildings far
//! from the origin do not tremble. The format has y up; a root node turns the whole.

use std::collections::BTreeMap;

use drystone_geometry::{Aabb, DVec3, triangulate};
use serde_json::{Value, json};

use crate::{DrawingError, DrawnSolid};

/// Base colours of layers, red green blue from 0 to 1: kinds of stone.
const COLOURS: [[f64; 3]; 6] = [
    [0.76, 0.70, 0.60],
    [0.62, 0.45, 0.36],
    [0.55, 0.58, 0.60],
    [0.83, 0.79, 0.68],
    [0.45, 0.47, 0.40],
    [0.70, 0.55, 0.45],
];

/// Meaning of a buffer, in the words of OpenGL.
const FLOAT: u32 = 5126;
const UNSIGNED_INT: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;

#[derive(Default)]
struct Scene {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    meshes: Vec<Value>,
    nodes: Vec<Value>,
    /// Number of the material of each layer.
    materials: BTreeMap<Option<String>, usize>,
}

/// Lengths in the file are 32-bit numbers.
const LONGEST: u64 = u32::MAX as u64;

/// Of a triangle, bytes: three corners with position, normal and index.
const TRIANGLE: u64 = 3 * (12 + 12 + 4);

pub(crate) fn write(solids: &[DrawnSolid]) -> Result<Vec<u8>, DrawingError> {
    write_within(solids, LONGEST)
}

fn write_within(solids: &[DrawnSolid], longest: u64) -> Result<Vec<u8>, DrawingError> {
    let too_long = |bytes: u64| {
        DrawingError::whole(format!(
            "a GLB file has at most {longest} bytes, but these solids take {bytes}: write another format, or fewer of them"
        ))
    };
    // Looked at before gigabytes are filled.
    let faces = solids.iter().flat_map(|solid| &solid.faces);
    let triangles: u64 = faces.map(|face| face.len().saturating_sub(2) as u64).sum();
    if triangles.saturating_mul(TRIANGLE) > longest {
        return Err(too_long(triangles.saturating_mul(TRIANGLE)));
    }
    let mut scene = Scene::default();
    // Node 0 turns z up into y up.
    let children: Vec<usize> = (1..=solids.len()).collect();
    let half = std::f64::consts::FRAC_1_SQRT_2;
    scene.nodes.push(json!({
        "name": "z up",
        "rotation": [-half, 0.0, 0.0, half],
        "children": children,
    }));
    for solid in solids {
        scene.add(solid);
    }
    let file = scene.finish();
    if file.len() as u64 > longest {
        return Err(too_long(file.len() as u64));
    }
    Ok(file)
}

impl Scene {
    fn add(&mut self, solid: &DrawnSolid) {
        let bounds = Aabb::around(solid.vertices.iter().copied());
        let middle = if solid.vertices.is_empty() {
            DVec3::ZERO
        } else {
            0.5 * (bounds.min + bounds.max)
        };
        let (mut positions, mut normals, mut indices) = (Vec::new(), Vec::new(), Vec::new());
        for face in &solid.faces {
            for triangle in triangulate(&solid.vertices, face) {
                let corners = triangle.map(|v| solid.vertices[v as usize] - middle);
                let [a, b, c] = corners;
                let normal = (b - a).cross(c - a).normalize_or_zero();
                // Viewers reject normals without length; a triangle without area is not seen anyway.
                let normal = if normal == DVec3::ZERO {
                    DVec3::Z
                } else {
                    normal
                };
                for p in corners {
                    indices.push(positions.len() as u32);
                    positions.push(p.to_array().map(|x| x as f32));
                    normals.push(normal.to_array().map(|x| x as f32));
                }
            }
        }
        let count = self.materials.len();
        let material = *self.materials.entry(solid.layer.clone()).or_insert(count);
        let node = json!({ "name": solid.name, "translation": middle.to_array() });
        if indices.is_empty() {
            self.nodes.push(node);
            return;
        }
        let bound = |pick: fn(f32, f32) -> f32| {
            let fold = |axis: usize| positions.iter().map(|p| p[axis]).reduce(pick);
            [0, 1, 2].map(|axis| fold(axis).unwrap_or(0.0))
        };
        let (low, high) = (bound(f32::min), bound(f32::max));
        let bytes = |list: &[[f32; 3]]| -> Vec<u8> {
            list.iter()
                .flatten()
                .flat_map(|x| x.to_le_bytes())
                .collect()
        };
        let at = self.buffer(&bytes(&positions), ARRAY_BUFFER);
        let position = self.accessor(json!({
            "bufferView": at, "componentType": FLOAT, "count": positions.len(), "type": "VEC3",
            "min": low, "max": high,
        }));
        let at = self.buffer(&bytes(&normals), ARRAY_BUFFER);
        let normal = self.accessor(json!({
            "bufferView": at, "componentType": FLOAT, "count": normals.len(), "type": "VEC3",
        }));
        let order: Vec<u8> = indices.iter().flat_map(|i: &u32| i.to_le_bytes()).collect();
        let at = self.buffer(&order, ELEMENT_ARRAY_BUFFER);
        let index = self.accessor(json!({
            "bufferView": at, "componentType": UNSIGNED_INT, "count": indices.len(), "type": "SCALAR",
        }));
        self.meshes.push(json!({
            "name": solid.name,
            "primitives": [{
                "attributes": { "POSITION": position, "NORMAL": normal },
                "indices": index,
                "material": material,
            }],
        }));
        let mut node = node;
        node["mesh"] = json!(self.meshes.len() - 1);
        self.nodes.push(node);
    }

    fn buffer(&mut self, bytes: &[u8], target: u32) -> usize {
        self.views.push(json!({
            "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len(), "target": target,
        }));
        self.bytes.extend_from_slice(bytes);
        self.views.len() - 1
    }

    fn accessor(&mut self, accessor: Value) -> usize {
        self.accessors.push(accessor);
        self.accessors.len() - 1
    }

    fn finish(mut self) -> Vec<u8> {
        let mut materials = vec![Value::Null; self.materials.len()];
        for (layer, &number) in &self.materials {
            let [r, g, b] = COLOURS[number % COLOURS.len()];
            materials[number] = json!({
                "name": layer.as_deref().unwrap_or("stone"),
                "pbrMetallicRoughness": {
                    "baseColorFactor": [r, g, b, 1.0], "metallicFactor": 0.0, "roughnessFactor": 0.9,
                },
            });
        }
        let mut root = json!({
            "asset": { "version": "2.0", "generator": "drystone" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": self.nodes,
        });
        // The format does not allow empty lists.
        if !self.meshes.is_empty() {
            root["meshes"] = Value::Array(self.meshes);
            root["accessors"] = Value::Array(self.accessors);
            root["bufferViews"] = Value::Array(self.views);
            root["buffers"] = json!([{ "byteLength": self.bytes.len() }]);
            root["materials"] = Value::Array(materials);
        }
        if root["nodes"][0]["children"]
            .as_array()
            .is_some_and(Vec::is_empty)
            && let Some(node) = root["nodes"][0].as_object_mut()
        {
            node.remove("children");
        }
        let mut text = root.to_string().into_bytes();
        text.resize(text.len().next_multiple_of(4), b' ');
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let mut chunks: Vec<(&[u8; 4], Vec<u8>)> = vec![(b"JSON", text)];
        if !self.bytes.is_empty() {
            chunks.push((b"BIN\0", self.bytes));
        }
        let total: usize = 12 + chunks.iter().map(|(_, c)| 8 + c.len()).sum::<usize>();
        let mut file = Vec::with_capacity(total);
        file.extend_from_slice(b"glTF");
        file.extend_from_slice(&2u32.to_le_bytes());
        file.extend_from_slice(&(total as u32).to_le_bytes());
        for (kind, content) in chunks {
            file.extend_from_slice(&(content.len() as u32).to_le_bytes());
            file.extend_from_slice(kind);
            file.extend_from_slice(&content);
        }
        file
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_would_be_too_long_is_refused() {
        let corners = [DVec3::ZERO, DVec3::Y, DVec3::X, DVec3::Z];
        let solid = DrawnSolid {
            name: "wedge".to_owned(),
            layer: None,
            support: false,
            vertices: corners.to_vec(),
            faces: vec![vec![0, 1, 2], vec![0, 2, 3], vec![0, 3, 1], vec![1, 3, 2]],
        };
        let solids = [solid];
        let file = write(&solids).unwrap();
        let length = file.len() as u64;
        assert_eq!(file[8..12], (length as u32).to_le_bytes());
        assert_eq!(write_within(&solids, length), Ok(file));
        // By its triangles alone, and by what stands around them.
        for limit in [4 * TRIANGLE - 1, length - 1] {
            let error = write_within(&solids, limit).unwrap_err();
            assert!(
                error.message.contains(&format!("at most {limit} bytes")),
                "{error}"
            );
        }
    }
}
