//! DXF files of solids: one block definition and one INSERT each, so that names, layers and bodies stay together.
//!
//! The version is R12, which every program reads, with the unit beside it. Faces of more than four corners are divided
//! into triangles whose inner edges are marked as invisible.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use drystone_geometry::triangulate;

use crate::DrawnSolid;
use crate::text::one_line;

/// Meshes have at most this many vertices, counted by 16 bits.
const MOST_VERTICES: usize = 32_767;

pub(crate) fn write(solids: &[DrawnSolid]) -> Vec<u8> {
    let mut text = String::new();
    let names: Vec<String> = names(solids);
    let layer = |solid: &DrawnSolid| solid.layer.as_deref().map_or("0".to_owned(), symbol);
    let layers: BTreeSet<String> = solids.iter().map(layer).collect();
    let mut group = |code: i32, value: &dyn std::fmt::Display| {
        let _ = writeln!(text, "{code}\n{value}");
    };
    group(0, &"SECTION");
    group(2, &"HEADER");
    group(9, &"$ACADVER");
    group(1, &"AC1009");
    group(9, &"$INSUNITS");
    group(70, &6);
    group(0, &"ENDSEC");
    group(0, &"SECTION");
    group(2, &"TABLES");
    group(0, &"TABLE");
    group(2, &"LAYER");
    group(70, &layers.len());
    for layer in &layers {
        group(0, &"LAYER");
        group(2, layer);
        group(70, &0);
        group(62, &7);
        group(6, &"CONTINUOUS");
    }
    group(0, &"ENDTAB");
    group(0, &"ENDSEC");
    group(0, &"SECTION");
    group(2, &"BLOCKS");
    for (solid, name) in solids.iter().zip(&names) {
        group(0, &"BLOCK");
        group(8, &layer(solid));
        group(2, name);
        group(70, &0);
        group(10, &0);
        group(20, &0);
        group(30, &0);
        group(3, name);
        group(1, &"");
        if solid.vertices.len() <= MOST_VERTICES {
            polyface(solid, &layer(solid), &mut group);
        } else {
            faces(solid, &layer(solid), &mut group);
        }
        group(0, &"ENDBLK");
        group(8, &layer(solid));
    }
    group(0, &"ENDSEC");
    group(0, &"SECTION");
    group(2, &"ENTITIES");
    for (solid, name) in solids.iter().zip(&names) {
        group(0, &"INSERT");
        group(8, &layer(solid));
        group(2, name);
        group(10, &0);
        group(20, &0);
        group(30, &0);
    }
    group(0, &"ENDSEC");
    group(0, &"EOF");
    text.into_bytes()
}

type Put<'a> = dyn FnMut(i32, &dyn std::fmt::Display) + 'a;

/// Triangles and quadrilaterals of a face, with the edges that are its own.
fn records(solid: &DrawnSolid, face: &[u32]) -> Vec<(Vec<u32>, Vec<bool>)> {
    if face.len() <= 4 {
        return vec![(face.to_vec(), vec![true; face.len()])];
    }
    let outer: BTreeSet<(u32, u32)> = (0..face.len())
        .map(|i| (face[i], face[(i + 1) % face.len()]))
        .collect();
    triangulate(&solid.vertices, face)
        .into_iter()
        .map(|t| {
            let own = [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])].map(|e| outer.contains(&e));
            (t.to_vec(), own.to_vec())
        })
        .collect()
}

fn polyface(solid: &DrawnSolid, layer: &str, group: &mut Put<'_>) {
    let records: Vec<_> = solid
        .faces
        .iter()
        .flat_map(|face| records(solid, face))
        .collect();
    group(0, &"POLYLINE");
    group(8, &layer);
    group(66, &1);
    group(10, &0);
    group(20, &0);
    group(30, &0);
    group(70, &64);
    group(71, &solid.vertices.len());
    group(72, &records.len());
    for v in &solid.vertices {
        group(0, &"VERTEX");
        group(8, &layer);
        group(10, &v.x);
        group(20, &v.y);
        group(30, &v.z);
        group(70, &192);
    }
    for (corners, own) in records {
        group(0, &"VERTEX");
        group(8, &layer);
        group(10, &0);
        group(20, &0);
        group(30, &0);
        group(70, &128);
        for (i, (v, own)) in corners.iter().zip(own).enumerate() {
            let number = i64::from(*v) + 1;
            group(71 + i as i32, &if own { number } else { -number });
        }
    }
    group(0, &"SEQEND");
    group(8, &layer);
}

fn faces(solid: &DrawnSolid, layer: &str, group: &mut Put<'_>) {
    for (mut corners, own) in solid.faces.iter().flat_map(|face| records(solid, face)) {
        let hidden: i32 = own
            .iter()
            .enumerate()
            .map(|(i, own)| if *own { 0 } else { 1 << i })
            .sum();
        if let [.., last] = corners[..] {
            corners.resize(4, last);
        }
        group(0, &"3DFACE");
        group(8, &layer);
        for (i, v) in corners.iter().enumerate() {
            let p = solid.vertices[*v as usize];
            group(10 + i as i32, &p.x);
            group(20 + i as i32, &p.y);
            group(30 + i as i32, &p.z);
        }
        group(70, &hidden);
    }
}

/// Names of block definitions: unique without regard to capital letters.
fn names(solids: &[DrawnSolid]) -> Vec<String> {
    let mut taken: BTreeSet<String> = BTreeSet::new();
    solids
        .iter()
        .map(|solid| {
            let plain = symbol(&solid.name);
            let mut name = plain.clone();
            let mut number = 2;
            while !taken.insert(name.to_uppercase()) {
                name = format!("{plain}.{number}");
                number += 1;
            }
            name
        })
        .collect()
}

/// A name that the format allows.
fn symbol(name: &str) -> String {
    one_line(name)
        .chars()
        .map(|c| {
            if "<>/\\\":;?*|=`,".contains(c) {
                '_'
            } else {
                c
            }
        })
        .collect()
}
