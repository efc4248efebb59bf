//! Noise and mistakes of drawings: repaired if that is possible, named in any case.

mod common;

use common::{Random, assert_closed, cuboid, gate, prism, volume};
use drystone_drawing::{
    DVec3, Drawing, DrawnSolid, Format, NoteKind, ReadOptions, Unit, read, write,
};
use drystone_geometry::convex_parts;

fn back(solids: &[DrawnSolid], format: Format, options: &ReadOptions) -> Drawing {
    read(&write(solids, format).unwrap(), format, options).unwrap()
}

fn count(drawing: &Drawing, kind: NoteKind) -> usize {
    let note = drawing.notes.iter().find(|note| note.kind == kind);
    note.map_or(0, |note| note.count)
}

/// Gives every face its own vertices, as programs do that do not care.
fn exploded(solid: &DrawnSolid) -> DrawnSolid {
    let mut apart = DrawnSolid {
        vertices: Vec::new(),
        faces: Vec::new(),
        ..solid.clone()
    };
    for face in &solid.faces {
        let first = apart.vertices.len() as u32;
        apart
            .vertices
            .extend(face.iter().map(|v| solid.vertices[*v as usize]));
        apart
            .faces
            .push((first..first + face.len() as u32).collect());
    }
    apart
}

#[test]
fn vertices_within_the_snap_tolerance_become_one() {
    let mut random = Random(4);
    let mut noisy: Vec<DrawnSolid> = gate().iter().map(exploded).collect();
    for v in noisy.iter_mut().flat_map(|solid| &mut solid.vertices) {
        *v += DVec3::splat(random.within(-4e-7, 4e-7));
    }
    let drawing = back(&noisy, Format::Obj, &ReadOptions::default());
    assert_eq!(drawing.solids.len(), 5);
    for (a, b) in gate().iter().zip(&drawing.solids) {
        assert_closed(b);
        assert_eq!(a.vertices.len(), b.vertices.len());
        assert!((volume(a) - volume(b)).abs() < 1e-5 * volume(a));
    }
    let note = drawing
        .notes
        .iter()
        .find(|n| n.kind == NoteKind::Welded)
        .unwrap();
    assert!(
        note.count > 100 && note.named == 5 && note.distance.unwrap() < 2e-6,
        "{note}"
    );
    // Noise above the tolerance leaves the surfaces open, and the solids are named.
    let strict = ReadOptions {
        snap: Some(1e-8),
        ..ReadOptions::default()
    };
    let fault = read(&write(&noisy, Format::Obj).unwrap(), Format::Obj, &strict).unwrap_err();
    assert!(
        fault.message.contains("not closed") && fault.message.contains("left jamb"),
        "{fault}"
    );
}

#[test]
fn faces_that_look_the_wrong_way_are_turned() {
    let mut solids = gate();
    solids[1].faces.iter_mut().for_each(|face| face.reverse());
    solids[3].faces[2].reverse();
    solids[3].faces[4].reverse();
    for format in [Format::Obj, Format::Compas, Format::Dxf, Format::Stl] {
        let drawing = back(&solids, format, &ReadOptions::default());
        assert_eq!(drawing.solids.len(), 5, "{format}");
        for (a, b) in gate().iter().zip(&drawing.solids) {
            assert_closed(b);
            assert!((volume(a) - volume(b)).abs() < 1e-12, "{format} {}", a.name);
        }
        assert_eq!(count(&drawing, NoteKind::TurnedSolids), 1, "{format}");
        let faces = count(&drawing, NoteKind::TurnedFaces);
        let quads = if format == Format::Stl { 4 } else { 2 };
        assert_eq!(faces, quads, "{format}");
    }
}

#[test]
fn useless_faces_are_left_out() {
    let mut solid = cuboid("a", [0.0; 3], [1.0, 2.0, 3.0]);
    let twice = solid.faces[3].clone();
    solid.faces.push(twice);
    solid.faces.push(vec![0, 1, 0]);
    solid.faces.push(vec![2, 2, 2]);
    let drawing = back(&[solid], Format::Obj, &ReadOptions::default());
    assert_closed(&drawing.solids[0]);
    assert_eq!(drawing.solids[0].faces.len(), 6);
    assert_eq!(count(&drawing, NoteKind::DoubleFaces), 1);
    assert_eq!(count(&drawing, NoteKind::FlatFaces), 2);
}

#[test]
fn long_edges_take_up_the_corners_of_short_ones() {
    // The top of the box is in two halves whose common corners the long sides do not know.
    let mut solid = cuboid("a", [0.0; 3], [2.0, 1.0, 1.0]);
    let top = solid
        .faces
        .iter()
        .position(|f| f.iter().all(|v| solid.vertices[*v as usize].z == 1.0))
        .unwrap();
    let corners = solid.faces.remove(top);
    let n = solid.vertices.len() as u32;
    let at = |k: usize| solid.vertices[corners[k] as usize];
    // Halve the two edges along x.
    let along = (0..4)
        .find(|&k| (at((k + 1) % 4) - at(k)).x.abs() > 1.0)
        .unwrap();
    let [a, b, c, d] = [0, 1, 2, 3].map(|k| corners[(along + k) % 4]);
    let middle = |u: u32, v: u32| 0.5 * (solid.vertices[u as usize] + solid.vertices[v as usize]);
    let (p, q) = (middle(a, b), middle(c, d));
    solid.vertices.extend([p, q]);
    solid.faces.push(vec![a, n, n + 1, d]);
    solid.faces.push(vec![n, b, c, n + 1]);
    for format in [Format::Obj, Format::Stl] {
        let drawing = back(&[solid.clone()], format, &ReadOptions::default());
        assert_eq!(drawing.solids.len(), 1, "{format}");
        assert_closed(&drawing.solids[0]);
        assert!((volume(&drawing.solids[0]) - 2.0).abs() < 1e-12);
        assert_eq!(count(&drawing, NoteKind::SplitEdges), 2, "{format}");
    }
}

#[test]
fn bent_faces_become_triangles() {
    let mut solid = cuboid("a", [0.0; 3], [1.0, 1.0, 1.0]);
    solid.vertices[0].x -= 0.1;
    solid.vertices[0].y += 0.1;
    let drawing = back(&[solid], Format::Obj, &ReadOptions::default());
    assert_closed(&drawing.solids[0]);
    assert!(count(&drawing, NoteKind::BentFaces) >= 1);
    for face in &drawing.solids[0].faces {
        assert!(face.len() == 3 || face.len() == 4);
    }
}

#[test]
fn what_encloses_nothing_is_named() {
    let mut solids = gate();
    // A sheet drawn on both sides, and an open box.
    let sheet = DrawnSolid {
        name: "sheet".into(),
        vertices: vec![DVec3::ZERO, DVec3::X, DVec3::Y],
        faces: vec![vec![0, 1, 2], vec![2, 1, 0]],
        ..DrawnSolid::default()
    };
    let mut open = cuboid("tray", [9.0, 0.0, 0.0], [10.0, 1.0, 1.0]);
    open.faces.pop();
    solids.extend([sheet, open]);
    let drawing = back(&solids, Format::Obj, &ReadOptions::default());
    assert_eq!(drawing.solids.len(), 5);
    for (kind, name) in [(NoteKind::NoVolume, "sheet"), (NoteKind::Open, "tray")] {
        let note = drawing.notes.iter().find(|note| note.kind == kind).unwrap();
        assert_eq!((note.count, note.names[0].as_str()), (1, name));
        assert!(note.kind.is_loss());
    }
}

#[test]
fn a_wall_of_a_thousand_touching_bricks_in_one_soup_comes_apart_quickly() {
    let mut bricks = Vec::new();
    for course in 0..25 {
        for i in 0..40 {
            let shift = if course % 2 == 0 { 0.0 } else { 0.125 };
            let low = [0.25 * f64::from(i) + shift, 0.0, 0.1 * f64::from(course)];
            bricks.push(cuboid("b", low, [low[0] + 0.25, 0.12, low[2] + 0.1]));
        }
    }
    // One soup of triangles, in an order in which no run of faces closes: every second brick is written at the end.
    let text = |bricks: &mut dyn Iterator<Item = &DrawnSolid>| {
        let bricks: Vec<DrawnSolid> = bricks.cloned().collect();
        String::from_utf8(write(&bricks, Format::Stl).unwrap()).unwrap()
    };
    let all = text(&mut bricks.iter());
    let facets: Vec<&str> = all.split("facet normal").skip(1).collect();
    let mut soup = String::from("solid wall\n");
    for start in 0..7 {
        for facet in facets.iter().skip(start).step_by(7) {
            let end = facet.find("endfacet").unwrap();
            soup.push_str(&format!("facet normal{}endfacet\n", &facet[..end]));
        }
    }
    soup.push_str("endsolid wall\n");
    let started = std::time::Instant::now();
    let drawing = read(soup.as_bytes(), Format::Stl, &ReadOptions::default()).unwrap();
    assert_eq!(drawing.solids.len(), 1000);
    for solid in &drawing.solids {
        assert!((volume(solid) - 0.003).abs() < 1e-12);
    }
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn convexity_is_judged_with_the_noise_of_the_drawing() {
    let mut solid = cuboid("a", [0.0; 3], [1.0, 1.0, 1.0]);
    assert!(solid.is_convex(0.0));
    solid.vertices[0] += DVec3::splat(3e-6);
    assert!(solid.is_convex(1e-5));
    let l = prism(
        "l",
        &[
            (0.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (0.0, 2.0),
        ],
        0.0,
        1.0,
    );
    assert!(!l.is_convex(1e-3));
    assert!((l.volume() - 3.0).abs() < 1e-15);
}

#[test]
fn hollows_stay_hollow() {
    let mut hollow = cuboid("a", [0.0; 3], [3.0, 2.0, 2.0]);
    let inner = cuboid("b", [1.0, 0.5, 0.5], [2.0, 1.5, 1.5]);
    let n = hollow.vertices.len() as u32;
    hollow.vertices.extend(&inner.vertices);
    for face in &inner.faces {
        hollow
            .faces
            .push(face.iter().rev().map(|v| v + n).collect());
    }
    // A loose body beside it in the same object stays one of its own.
    let beside = cuboid("c", [5.0, 0.0, 0.0], [6.0, 1.0, 1.0]);
    for format in [
        Format::Obj,
        Format::Stl,
        Format::Ply,
        Format::Dxf,
        Format::Compas,
    ] {
        let drawing = back(
            &[hollow.clone(), beside.clone()],
            format,
            &ReadOptions::default(),
        );
        assert_eq!(drawing.solids.len(), 2, "{format}");
        let solid = &drawing.solids[0];
        assert_closed(solid);
        assert!((volume(solid) - 11.0).abs() < 1e-12, "{format}");
        let parts = convex_parts(&solid.vertices, &solid.faces).unwrap();
        let sum: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
        assert!((sum - 11.0).abs() < 1e-9, "{format}");
        assert_eq!(parts.len(), 6, "{format}");
    }
}

/// A body in the hollow of another, and hollow itself: its hollow is not one of the outer body.
#[test]
fn a_hollow_belongs_to_the_innermost_body_around_it() {
    let mut nest = cuboid("nest", [0.0; 3], [10.0; 3]);
    for (level, inward) in [(1.0, true), (2.0, false), (3.0, true)] {
        let shell = cuboid("shell", [level; 3], [10.0 - level; 3]);
        let n = nest.vertices.len() as u32;
        nest.vertices.extend(&shell.vertices);
        for face in &shell.faces {
            let mut face: Vec<u32> = face.iter().map(|v| v + n).collect();
            if inward {
                face.reverse();
            }
            nest.faces.push(face);
        }
    }
    let drawing = back(&[nest], Format::Obj, &ReadOptions::default());
    let volumes: Vec<f64> = drawing.solids.iter().map(volume).collect();
    assert_eq!(volumes.len(), 2, "{volumes:?}");
    // 10³ - 8³ and 6³ - 4³.
    assert!(
        (volumes[0] - 488.0).abs() < 1e-9 && (volumes[1] - 152.0).abs() < 1e-9,
        "{volumes:?}"
    );
}

/// Found by changing files at random: faces bent by little of a huge extent enclose a volume whose sign depends on the
/// corner from which they are seen.
#[test]
fn a_corner_flung_far_away_leaves_no_solid_inside_out() {
    let mut solids = gate();
    solids[3].vertices[6].y = 1e9;
    let bytes = write(&solids, Format::Obj).unwrap();
    for unit in [Unit::Metre, Unit::Millimetre] {
        for snap in [None, Some(0.0), Some(1e-9), Some(0.5)] {
            let options = ReadOptions {
                unit: Some(unit),
                snap,
                ..ReadOptions::default()
            };
            if let Ok(drawing) = read(&bytes, Format::Obj, &options) {
                assert!(drawing.solids.iter().all(|solid| solid.volume() > 0.0));
            }
        }
    }
}
