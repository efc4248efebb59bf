//! OBJ, STL, PLY and COMPAS: the dialects that programs write, and what is wrong with damaged files.

mod common;

use common::{assert_closed, cuboid, gate, volume};
use drystone_drawing::{
    DVec3, Drawing, DrawingError, Format, NoteKind, ReadOptions, Unit, Up, read, write,
};

fn read_as(text: &[u8], format: Format) -> Result<Drawing, DrawingError> {
    read(text, format, &ReadOptions::default())
}

const CUBE: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nv 1 0 1\nv 1 1 1\nv 0 1 1\n";
const QUADS: &str = "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";

#[test]
fn obj_dialects() {
    let fancy = QUADS.replace("f 1 4 3 2", "f 1/1/1 4//2 \\\n 3/7 2");
    let back = "f -8 -5 -6 -7\nf -4 -3 -2 -1\nf -8 -7 -3 -4\nf -7 -6 -2 -3\nf -6 -5 -1 -2\nf -5 -8 -4 -1\n";
    for faces in [QUADS, &fancy, back] {
        let text =
            format!("# by hand\nmtllib x.mtl\no stone 1\nusemtl granite\ns off\n{CUBE}{faces}");
        let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
        let [solid] = &drawing.solids[..] else {
            panic!()
        };
        assert_eq!(solid.name, "stone 1");
        assert_eq!(solid.layer.as_deref(), Some("granite"));
        assert_eq!(volume(solid), 1.0);
        assert_closed(solid);
    }
    // Windows line ends, groups instead of objects, and a group that is taken up again.
    let (first, second) = QUADS.split_at(20);
    let text = format!("{CUBE}g a\n{first}g b\ng a\n{second}").replace('\n', "\r\n");
    let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!(drawing.solids.len(), 1);
    assert_eq!(drawing.solids[0].name, "a");
    // One object of many groups: the groups are blocks. Many objects in groups: the objects are.
    let shifted = QUADS.lines().map(|l| {
        let words = l
            .split(' ')
            .skip(1)
            .map(|w| (w.parse::<u32>().unwrap() + 8).to_string());
        format!("f {}\n", words.collect::<Vec<_>>().join(" "))
    });
    let shifted: String = shifted.collect();
    let up = CUBE.replace(" 1\n", " 2\n").replace(" 0\n", " 1\n");
    let text = format!("o all\n{CUBE}{up}g low\n{QUADS}g high\n{shifted}");
    let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
    let names: Vec<&str> = drawing.solids.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["low", "high"]);
    let text = format!("{CUBE}{up}g wall\no low\n{QUADS}o high\n{shifted}");
    let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
    let names: Vec<&str> = drawing.solids.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["low", "high"]);
    assert_eq!(drawing.solids[1].layer.as_deref(), Some("wall"));
    // Both in one object: two bodies, and it is said so.
    let text = format!("o both\n{CUBE}{up}{QUADS}{shifted}");
    let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
    let names: Vec<&str> = drawing.solids.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["both.1", "both.2"]);
    assert!(
        drawing
            .notes
            .iter()
            .any(|n| n.kind == NoteKind::SeveralBodies)
    );
}

#[test]
fn the_unit_and_the_axis_that_points_up_may_be_given() {
    let text = format!("{CUBE}{QUADS}").replace("v 0 0 1", "v 0 0 1");
    let options = ReadOptions {
        unit: Some(Unit::Centimetre),
        up: Some(Up::Y),
        ..ReadOptions::default()
    };
    let drawing = read(text.as_bytes(), Format::Obj, &options).unwrap();
    let high = drawing.solids[0]
        .vertices
        .iter()
        .copied()
        .reduce(DVec3::max)
        .unwrap();
    let low = drawing.solids[0]
        .vertices
        .iter()
        .copied()
        .reduce(DVec3::min)
        .unwrap();
    assert!((high - DVec3::new(0.01, 0.0, 0.01)).length() < 1e-15);
    assert!((low - DVec3::new(0.0, -0.01, 0.0)).length() < 1e-15);
    assert!(drawing.notes.is_empty());
    let drawing = read_as(text.as_bytes(), Format::Obj).unwrap();
    assert_eq!(drawing.notes[0].kind, NoteKind::UnitAssumed);
    assert_eq!(drawing.unit, None);
}

#[test]
fn obj_faults_have_lines() {
    for (text, line, what) in [
        ("v 0 0\n", 1, "z is missing"),
        ("v 0 0 0\nv 0 x 0\n", 2, "y is \"x\""),
        ("v 0 0 inf\n", 1, "not a finite number"),
        (
            "v 0 0 0\nf 1 2 3\n",
            2,
            "names vertex 2, but there are 1 vertices before it",
        ),
        ("v 0 0 0\nf 0 1 1\n", 2, "names vertex 0"),
        ("v 0 0 0\nf 1 1\n", 2, "at least 3 corners"),
        (
            "v 0 0 0\nf 1 1 -9223372036854775808\n",
            2,
            "names vertex -9223372036854775808",
        ),
        ("v 0 0 0\nf a b c\n", 2, "not the number of a vertex"),
    ] {
        let fault = read_as(text.as_bytes(), Format::Obj).unwrap_err();
        assert_eq!(fault.line, Some(line), "{fault}");
        assert!(fault.message.contains(what), "{fault}");
    }
    for text in ["", "hello\nworld\n"] {
        let fault = read_as(text.as_bytes(), Format::Obj).unwrap_err();
        assert!(fault.message.contains("no solid"), "{fault}");
    }
    let fault = read_as(b"hello world\n", Format::Obj).unwrap_err();
    assert!(fault.message.contains("\"hello\""), "{fault}");
}

/// Binary STL of solids, single precision.
fn binary_stl(solids: &[drystone_drawing::DrawnSolid]) -> Vec<u8> {
    let text = String::from_utf8(write(solids, Format::Stl).unwrap()).unwrap();
    let numbers: Vec<f32> = text
        .lines()
        .filter(|l| l.starts_with("vertex"))
        .flat_map(|l| {
            l.split(' ')
                .skip(1)
                .map(|w| w.parse::<f32>().unwrap())
                .collect::<Vec<_>>()
        })
        .collect();
    // Begins like a text file, as some programs do.
    let mut bytes = b"solid but binary".to_vec();
    bytes.resize(80, b' ');
    bytes.extend(((numbers.len() / 9) as u32).to_le_bytes());
    for triangle in numbers.chunks(9) {
        bytes.extend([0; 12]);
        bytes.extend(triangle.iter().flat_map(|x| x.to_le_bytes()));
        bytes.extend([0; 2]);
    }
    bytes
}

#[test]
fn binary_stl_of_touching_blocks_comes_apart() {
    let solids = gate();
    let drawing = read_as(&binary_stl(&solids), Format::Stl).unwrap();
    assert_eq!(drawing.solids.len(), 5);
    for (a, b) in solids.iter().zip(&drawing.solids) {
        assert_closed(b);
        // Single precision of coordinates up to 3.
        assert!(common::distance(a, b) < 4e-7, "{}", a.name);
    }
    let names: Vec<&str> = drawing.solids.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(names, ["part.1", "part.2", "part.3", "part.4", "part.5"]);
}

#[test]
fn stl_faults() {
    let good = binary_stl(&[cuboid("a", [0.0; 3], [1.0; 3])]);
    let short = &good[..good.len() - 7];
    // Begins with `solid` but is no text.
    let fault = read_as(short, Format::Stl).unwrap_err();
    assert!(!fault.message.is_empty());
    let mut other = good.clone();
    other[..5].copy_from_slice(b"STLB ");
    let fault = read_as(&other[..other.len() - 7], Format::Stl).unwrap_err();
    assert!(
        fault
            .message
            .contains("states 12 triangles, which takes 684 bytes, but there are 677"),
        "{fault}"
    );
    other[80..84].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(read_as(&other, Format::Stl).is_err());
    let mut nan = good.clone();
    nan[96..100].copy_from_slice(&f32::NAN.to_le_bytes());
    let fault = read_as(&nan, Format::Stl).unwrap_err();
    assert!(fault.message.contains("out of range"), "{fault}");
    for (text, line, what) in [
        (
            "solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nendloop\nendfacet\nendsolid",
            6,
            "3 vertices, not 1",
        ),
        ("solid a\nvertex 0 zero 0\n", 2, "y is \"zero\""),
        ("solid a\nfacet normal 0 0 1\n", 2, "truncated"),
        ("solid a\nendsolid\nvertex 0 0 0\n", 3, "outside of a solid"),
        ("solid a\ntriangle\n", 2, "is no word of an STL file"),
    ] {
        let fault = read_as(text.as_bytes(), Format::Stl).unwrap_err();
        assert_eq!(fault.line, Some(line), "{fault}");
        assert!(fault.message.contains(what), "{fault}");
    }
    assert!(read_as(b"tiny", Format::Stl).is_err());
}

/// A cube with properties that nobody asked for, in both byte orders.
fn binary_ply(big: bool) -> Vec<u8> {
    let order = if big { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\ncomment made by hand\nelement vertex 8\nproperty uchar red\nproperty float x\n\
         property double y\nproperty short z\nproperty list uchar float weights\nelement face 6\nproperty float quality\n\
         property list uchar int vertex_index\nelement edge 1\nproperty int a\nend_header\n"
    )
    .into_bytes();
    fn put<const N: usize>(bytes: &mut Vec<u8>, mut value: [u8; N], big: bool) {
        if big {
            value.reverse();
        }
        bytes.extend(value);
    }
    for line in CUBE.lines() {
        let at: Vec<f64> = line
            .split(' ')
            .skip(1)
            .map(|w| w.parse().unwrap())
            .collect();
        bytes.push(200);
        put(&mut bytes, (at[0] as f32).to_le_bytes(), big);
        put(&mut bytes, at[1].to_le_bytes(), big);
        put(&mut bytes, (at[2] as i16).to_le_bytes(), big);
        bytes.push(2);
        put(&mut bytes, 0.5f32.to_le_bytes(), big);
        put(&mut bytes, 0.5f32.to_le_bytes(), big);
    }
    for line in QUADS.lines() {
        put(&mut bytes, 1f32.to_le_bytes(), big);
        bytes.push(4);
        for word in line.split(' ').skip(1) {
            put(
                &mut bytes,
                (word.parse::<i32>().unwrap() - 1).to_le_bytes(),
                big,
            );
        }
    }
    put(&mut bytes, 7i32.to_le_bytes(), big);
    bytes
}

#[test]
fn ply_dialects() {
    for big in [false, true] {
        let bytes = binary_ply(big);
        let drawing = read_as(&bytes, Format::Ply).unwrap();
        assert_eq!(drawing.solids.len(), 1);
        assert_eq!(volume(&drawing.solids[0]), 1.0);
        for length in [bytes.len() - 1, bytes.len() - 40, bytes.len() - 100] {
            let fault = read_as(&bytes[..length], Format::Ply).unwrap_err();
            assert!(fault.message.contains("truncated"), "{fault}");
        }
    }
    // All touching blocks in one list of vertices, without names.
    let text = String::from_utf8(write(&gate(), Format::Ply).unwrap()).unwrap();
    let plain: String = text
        .lines()
        .filter(|l| !l.starts_with("comment"))
        .map(|l| {
            format!(
                "{}\n",
                l.replace("property int block", "property int colour")
            )
        })
        .collect();
    let drawing = read_as(plain.as_bytes(), Format::Ply).unwrap();
    assert_eq!(drawing.solids.len(), 5);
}

#[test]
fn ply_headers_that_lie_cost_nothing() {
    let header = |vertices: &str, more: &str| {
        format!(
            "ply\nformat {more} 1.0\nelement vertex {vertices}\nproperty float x\nproperty float y\nproperty float z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n"
        )
    };
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        for count in ["4000000000", "18446744073709551615"] {
            let mut bytes = header(count, format).into_bytes();
            bytes.extend(b"0 0 0\n1 0 0\n");
            let fault = read_as(&bytes, Format::Ply).unwrap_err();
            assert!(fault.message.contains("truncated"), "{fault}");
        }
    }
    let fault = read_as(header("-1", "ascii").as_bytes(), Format::Ply).unwrap_err();
    assert_eq!(fault.line, Some(3));
    let nothing =
        "ply\nformat binary_little_endian 1.0\nelement nothing 18446744073709551615\nend_header\n";
    assert!(
        read_as(nothing.as_bytes(), Format::Ply)
            .unwrap_err()
            .message
            .contains("no solid")
    );
    for (text, line, what) in [
        ("stl\n", 1, "first line must be `ply`"),
        ("ply\nformat utf8 1.0\n", 2, "is not one of ascii"),
        (
            "ply\nelement vertex 1\nend_header\n",
            3,
            "has no line `format",
        ),
        ("ply\nproperty int x\n", 2, "before any element"),
        (
            "ply\nelement vertex 1\nproperty quad x\n",
            3,
            "no type of numbers",
        ),
        ("ply\nformat ascii 1.0\n", 2, "does not end"),
        (
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty int x\nend_header\n0\n",
            3,
            "no property y",
        ),
    ] {
        let fault = read_as(text.as_bytes(), Format::Ply).unwrap_err();
        assert_eq!(fault.line, Some(line), "{fault}");
        assert!(fault.message.contains(what), "{fault}");
    }
}

#[test]
fn compas_files_written_by_compas_are_read() {
    let assembly = read_as(include_bytes!("samples/assembly.json"), Format::Compas).unwrap();
    let meshes = read_as(include_bytes!("samples/meshes.json"), Format::Compas).unwrap();
    let model = read_as(include_bytes!("samples/blockmodel.json"), Format::Compas).unwrap();
    for (drawing, names, supported) in [
        (&assembly, ["base", "top"], true),
        (&meshes, ["base", "top"], false),
        (&model, ["base", "lifted"], true),
    ] {
        let found: Vec<&str> = drawing.solids.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(found, names);
        assert_eq!(drawing.solids[0].support, supported);
        assert!(!drawing.solids[1].support);
        for solid in &drawing.solids {
            assert_closed(solid);
            assert!((volume(solid) - 0.25).abs() < 1e-15);
        }
        // The second block lies on the first, moved by a quarter; in the model by a transformation.
        let low = drawing.solids[1]
            .vertices
            .iter()
            .copied()
            .reduce(DVec3::min)
            .unwrap();
        assert!((low - DVec3::new(0.25, 0.0, 0.5)).length() < 1e-15);
    }
    let boxes = br#"[{"dtype": "compas.geometry/Box", "data": {"xsize": 1, "ysize": 2, "zsize": 3,
        "frame": {"point": [5, 0, 0], "xaxis": [0, 1, 0], "yaxis": [-1, 0, 0]}}},
        {"dtype": "compas.geometry/Brep", "data": {}}]"#;
    let drawing = read_as(boxes, Format::Compas).unwrap();
    assert!((volume(&drawing.solids[0]) - 6.0).abs() < 1e-12);
    let high = drawing.solids[0]
        .vertices
        .iter()
        .copied()
        .reduce(DVec3::max)
        .unwrap();
    assert!((high - DVec3::new(6.0, 0.5, 1.5)).length() < 1e-12);
    let brep = NoteKind::Unread("compas.geometry/Brep".into());
    assert!(drawing.notes.iter().any(|note| note.kind == brep));
}

#[test]
fn compas_faults() {
    for (text, what) in [
        ("{", "not JSON"),
        ("{}", "no solid"),
        ("[1, 2]", "no solid"),
        (
            r#"{"vertex": {"0": {"x": "a"}}, "face": {}}"#,
            "x of vertex \"0\" is no number",
        ),
        (
            r#"{"name": "m", "vertex": {"0": {}}, "face": {"0": [0, 1, 2]}}"#,
            "in the mesh \"m\": face \"0\"",
        ),
        (
            r#"{"vertices": [[0, 0]], "faces": []}"#,
            "list of three numbers",
        ),
        (
            r#"{"geometry": {}, "transformation": {"matrix": [[1]]}}"#,
            "4 rows",
        ),
    ] {
        let fault = read_as(text.as_bytes(), Format::Compas).unwrap_err();
        assert!(fault.message.contains(what), "{text}: {fault}");
    }
    let deep = "[".repeat(100_000);
    assert!(read_as(deep.as_bytes(), Format::Compas).is_err());
    let fault = read_as(b"{\n\n \"a\": nope}", Format::Compas).unwrap_err();
    assert_eq!(fault.line, Some(3));
}

#[test]
fn formats_that_are_only_written_say_so() {
    for format in [Format::Vtu, Format::Glb] {
        let bytes = write(&gate(), format).unwrap();
        let fault = read_as(&bytes, format).unwrap_err();
        assert!(fault.message.contains("written but not read"), "{fault}");
    }
}
