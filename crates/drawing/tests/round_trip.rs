//! What is written comes back: geometry, names, layers, supports as far as the format has them.

mod common;

use common::{assert_closed, distance, gate, volume};
use drystone_drawing::{DVec3, DrawnSolid, Format, ReadOptions, read, write};

const READ: [Format; 5] = [
    Format::Dxf,
    Format::Obj,
    Format::Stl,
    Format::Ply,
    Format::Compas,
];

fn there_and_back(solids: &[DrawnSolid], format: Format) -> Vec<DrawnSolid> {
    let bytes = write(solids, format).unwrap();
    let drawing = read(&bytes, format, &ReadOptions::default()).unwrap();
    let told: Vec<String> = drawing
        .notes
        .iter()
        .map(ToString::to_string)
        .filter(|note| !note.starts_with("the file has no unit"))
        .collect();
    assert_eq!(told, Vec::<String>::new(), "{format}");
    drawing.solids
}

#[test]
fn every_format_keeps_geometry_and_names_of_touching_blocks() {
    let solids = gate();
    for format in READ {
        let back = there_and_back(&solids, format);
        assert_eq!(back.len(), solids.len(), "{format}");
        for (a, b) in solids.iter().zip(&back) {
            assert_eq!(a.name, b.name, "{format}");
            assert_closed(b);
            // Numbers are written so that every bit comes back.
            assert_eq!(distance(a, b), 0.0, "{format} {}", a.name);
            let (v, w) = (volume(a), volume(b));
            assert!((v - w).abs() <= 1e-14 * v, "{format} {}: {v} {w}", a.name);
            if !matches!(format, Format::Stl) {
                assert_eq!(a.layer, b.layer, "{format}");
            }
            if format == Format::Compas {
                assert_eq!(a.support, b.support);
            }
        }
    }
}

#[test]
fn any_chain_of_formats_keeps_geometry() {
    let solids = gate();
    for first in READ {
        for second in READ {
            let back = there_and_back(&there_and_back(&solids, first), second);
            for (a, b) in solids.iter().zip(&back) {
                assert_eq!(a.name, b.name, "{first} {second}");
                assert_eq!(distance(a, b), 0.0, "{first} {second}");
            }
        }
    }
}

#[test]
fn buildings_far_from_the_origin_lose_nothing() {
    let shift = DVec3::new(512_345.678, 4_987_654.321, 123.456);
    let mut solids = gate();
    for solid in &mut solids {
        solid.vertices.iter_mut().for_each(|v| *v += shift);
    }
    for format in READ {
        let back = there_and_back(&solids, format);
        for (a, b) in solids.iter().zip(&back) {
            assert_eq!(distance(a, b), 0.0, "{format}");
        }
    }
}

#[test]
fn odd_names_survive_or_are_made_legal() {
    let mut solids = gate();
    solids[0].name = "a/b \"c\"".into();
    solids[1].name = "päpstlicher Stein 7".into();
    solids[2].name = "two\nlines".into();
    solids[3].name = String::new();
    solids[4].name = "Block".into();
    for format in READ {
        let back = there_and_back(&solids, format);
        assert_eq!(back.len(), 5, "{format}");
        assert_eq!(back[1].name, "päpstlicher Stein 7", "{format}");
        let names: std::collections::BTreeSet<&String> = back.iter().map(|s| &s.name).collect();
        assert_eq!(names.len(), 5, "{format}: {names:?}");
        assert!(names.iter().all(|n| !n.contains('\n') && !n.is_empty()));
    }
}
