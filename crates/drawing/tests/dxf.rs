//! DXF: samples that another program wrote, and small ones for each rule.

mod common;

use common::{assert_closed, volume};
use drystone_drawing::{DVec3, Drawing, DrawnSolid, Format, NoteKind, ReadOptions, Unit, Up, read};

fn options(depth: Option<f64>) -> ReadOptions {
    ReadOptions {
        depth,
        ..ReadOptions::default()
    }
}

fn bounds(solid: &DrawnSolid) -> [DVec3; 2] {
    let low = solid.vertices.iter().copied().reduce(DVec3::min).unwrap();
    let high = solid.vertices.iter().copied().reduce(DVec3::max).unwrap();
    [low, high]
}

fn assert_box(solid: &DrawnSolid, low: [f64; 3], high: [f64; 3]) {
    assert_closed(solid);
    let [a, b] = bounds(solid);
    let off = (a - DVec3::from_array(low)).length() + (b - DVec3::from_array(high)).length();
    assert!(off < 1e-9, "{} spans {a} to {b}", solid.name);
    let size = DVec3::from_array(high) - DVec3::from_array(low);
    let whole = size.x * size.y * size.z;
    assert!(
        (volume(solid) - whole).abs() < 1e-9 * whole,
        "{}",
        solid.name
    );
}

fn by_name<'d>(drawing: &'d Drawing, name: &str) -> &'d DrawnSolid {
    let found = drawing.solids.iter().find(|solid| solid.name == name);
    found.unwrap_or_else(|| {
        let names: Vec<&String> = drawing.solids.iter().map(|s| &s.name).collect();
        panic!("no {name} in {names:?}")
    })
}

fn count(drawing: &Drawing, kind: NoteKind) -> usize {
    let note = drawing.notes.iter().find(|note| note.kind == kind);
    note.map_or(0, |note| note.count)
}

/// Entities between the lines that every file has.
fn file(unit: i32, entities: &str) -> Vec<u8> {
    format!(
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n{unit}\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n{entities}0\nENDSEC\n0\nEOF\n"
    )
    .into_bytes()
}

/// Groups written in one line: `code value, code value`.
fn groups(text: &str) -> String {
    let lines = text.split(',').map(|pair| {
        let (code, value) = pair.trim().split_once(' ').unwrap();
        format!("{code}\n{value}\n")
    });
    lines.collect()
}

#[test]
fn files_of_another_program_are_read_with_everything_named() {
    let r2010 = include_bytes!("samples/mixed_r2010.dxf");
    let r12 = include_bytes!("samples/mixed_r12.dxf");
    let fault = read(r12, Format::Dxf, &options(Some(0.3))).unwrap_err();
    assert!(fault.message.contains("give unit, one of m, mm"), "{fault}");
    for (bytes, unit) in [(&r2010[..], None), (&r12[..], Some(Unit::Millimetre))] {
        let options = ReadOptions {
            unit,
            ..options(Some(0.3))
        };
        let drawing = read(bytes, Format::Dxf, &options).unwrap();
        assert_eq!(drawing.unit, unit.is_none().then_some(Unit::Millimetre));
        // Two outlines, an extruded one, a pair, an array of six, a cube and a drum.
        assert_eq!(drawing.solids.len(), 13);
        let wall = by_name(&drawing, "WALL");
        assert_box(wall, [0.0, -0.15, 0.0], [0.4, 0.15, 0.2]);
        assert_eq!(wall.layer.as_deref(), Some("WALL"));
        // Extruded along x, whose plane has the axes y and z.
        assert_box(
            by_name(&drawing, "SOLIDS.1"),
            [0.0, 0.0, 0.0],
            [0.5, 0.3, 0.3],
        );
        assert_box(
            by_name(&drawing, "SOLIDS.2"),
            [-3.2, -0.2, 0.0],
            [-2.8, 0.2, 0.4],
        );
        // The block lies turned by a right angle; its second brick is mirrored.
        assert_box(
            by_name(&drawing, "PAIR.1"),
            [4.88, 0.0, 0.0],
            [5.0, 0.25, 0.065],
        );
        assert_box(
            by_name(&drawing, "PAIR.2"),
            [4.88, 0.26, 0.0],
            [5.0, 0.51, 0.065],
        );
        assert_box(
            by_name(&drawing, "BRICK.6"),
            [0.52, 5.13, 0.0],
            [0.77, 5.25, 0.065],
        );
        assert_eq!(by_name(&drawing, "BRICK.6").layer.as_deref(), Some("WALL"));
        // An arc of 20 degrees takes two chords; the keystone has six corners in elevation.
        let voussoir = by_name(&drawing, "ARCH.1");
        assert_eq!(voussoir.vertices.len(), 12);
        let sector = 0.5 * (20f64).to_radians() * (1.69 - 1.0) * 0.3;
        assert!((volume(voussoir) - sector).abs() < 6e-3 * sector);
        let drum = by_name(&drawing, "ARCH.2");
        let polygon = 12.0 * 0.09 * (15f64).to_radians().sin() * 0.2;
        assert!((volume(drum) - polygon).abs() < 1e-9 * polygon);
        assert_eq!(count(&drawing, NoteKind::HiddenLayer), 1);
        assert_eq!(count(&drawing, NoteKind::OpenLine), 1);
        assert_eq!(count(&drawing, NoteKind::Upright), 2);
        assert_eq!(count(&drawing, NoteKind::Unread("LINE".into())), 1);
        assert_eq!(count(&drawing, NoteKind::Unread("TEXT".into())), 1);
        let solid = usize::from(unit.is_none());
        assert_eq!(count(&drawing, NoteKind::Unread("MESH".into())), solid);
        // Two arcs of the voussoir and two halves of the circle.
        assert_eq!(count(&drawing, NoteKind::Chords), 4);
    }
}

const SQUARE: &str = "0 LWPOLYLINE, 8 A, 70 1, 10 0, 20 0, 10 2, 20 0, 10 2, 20 1, 10 0, 20 1";

#[test]
fn units_come_from_the_header_unless_given() {
    for (code, metres) in [
        (1, 0.0254),
        (2, 0.3048),
        (4, 1e-3),
        (5, 1e-2),
        (6, 1.0),
        (14, 0.1),
    ] {
        let drawing = read(
            &file(code, &groups(SQUARE)),
            Format::Dxf,
            &options(Some(1.0)),
        )
        .unwrap();
        let [low, high] = bounds(&drawing.solids[0]);
        assert!((high.x - low.x - 2.0 * metres).abs() < 1e-12, "{code}");
    }
    let given = ReadOptions {
        unit: Some(Unit::Metre),
        ..options(Some(1.0))
    };
    let drawing = read(&file(4, &groups(SQUARE)), Format::Dxf, &given).unwrap();
    assert_eq!(bounds(&drawing.solids[0])[1].x, 2.0);
    assert_eq!(count(&drawing, NoteKind::UnitOverridden), 1);
    let fault = read(&file(18, &groups(SQUARE)), Format::Dxf, &options(Some(1.0))).unwrap_err();
    assert_eq!(fault.line, Some(8), "{fault}");
}

#[test]
fn outlines_stand_upright_unless_their_axis_is_given() {
    let square = file(6, &groups(SQUARE));
    let drawing = read(&square, Format::Dxf, &options(Some(0.4))).unwrap();
    assert_box(&drawing.solids[0], [0.0, -0.2, 0.0], [2.0, 0.2, 1.0]);
    let flat = ReadOptions {
        up: Some(Up::Z),
        ..options(Some(0.4))
    };
    let drawing = read(&square, Format::Dxf, &flat).unwrap();
    assert_box(&drawing.solids[0], [0.0, 0.0, -0.2], [2.0, 1.0, 0.2]);
    // With a thickness it is a solid already, as drawn.
    let thick = file(6, &groups(&format!("{SQUARE}, 39 0.7, 38 0.1")));
    let drawing = read(&thick, Format::Dxf, &options(Some(0.4))).unwrap();
    assert_box(&drawing.solids[0], [0.0, 0.0, 0.1], [2.0, 1.0, 0.8]);
    let turned = ReadOptions {
        up: Some(Up::Y),
        ..options(None)
    };
    let drawing = read(&thick, Format::Dxf, &turned).unwrap();
    assert_box(&drawing.solids[0], [0.0, -0.8, 0.0], [2.0, -0.1, 1.0]);
    let down = file(6, &groups(&format!("{SQUARE}, 39 -0.7")));
    let drawing = read(&down, Format::Dxf, &options(None)).unwrap();
    assert_box(&drawing.solids[0], [0.0, 0.0, -0.7], [2.0, 1.0, 0.0]);
    // Upright already: a line in space in the plane xz.
    let line = "0 POLYLINE, 8 A, 66 1, 70 9, 0 VERTEX, 10 0, 20 5, 30 0, 0 VERTEX, 10 1, 20 5, 30 0, \
                0 VERTEX, 10 1, 20 5, 30 1, 0 VERTEX, 10 0, 20 5, 30 1, 0 SEQEND, 8 A";
    let drawing = read(&file(6, &groups(line)), Format::Dxf, &options(Some(0.4))).unwrap();
    assert_box(&drawing.solids[0], [0.0, 4.8, 0.0], [1.0, 5.2, 1.0]);
}

#[test]
fn what_is_no_outline_is_named() {
    let open = SQUARE.replace("70 1", "70 0");
    let bow = "0 LWPOLYLINE, 8 B, 70 1, 10 0, 20 0, 10 2, 20 1, 10 2, 20 0, 10 0, 20 3";
    let bent = "0 POLYLINE, 8 C, 66 1, 70 9, 0 VERTEX, 10 0, 20 0, 30 0, 0 VERTEX, 10 1, 20 0, 30 0, \
                0 VERTEX, 10 1, 20 1, 30 1, 0 VERTEX, 10 0, 20 1, 30 0, 0 SEQEND, 8 A";
    let closed = "0 3DSOLID, 8 D, 100 AcDbModelerGeometry, 1 secret, 0 BODY, 8 D, 0 3DSOLID, 8 E";
    let text = [SQUARE, &open, bow, bent, closed].map(groups).concat();
    let drawing = read(&file(6, &text), Format::Dxf, &options(Some(1.0))).unwrap();
    assert_eq!(drawing.solids.len(), 1);
    for kind in [
        NoteKind::OpenLine,
        NoteKind::CrossedLine,
        NoteKind::BentLine,
    ] {
        assert_eq!(count(&drawing, kind.clone()), 1, "{kind:?}");
    }
    let solids = NoteKind::Unread("3DSOLID".into());
    let note = drawing.notes.iter().find(|n| n.kind == solids).unwrap();
    assert_eq!(
        note.to_string(),
        "skipped 2 × 3DSOLID: its shape is stored in a closed format; export it as STL or OBJ, or convert it to a \
         polyface mesh (D, E), first at line 126"
    );
    assert_eq!(count(&drawing, NoteKind::Unread("BODY".into())), 1);
    let fault = read(&file(6, &text), Format::Dxf, &options(None)).unwrap_err();
    assert!(
        fault
            .message
            .contains("skipped 1 outline without thickness: give depth"),
        "{fault}"
    );
    // A line that returns to its start is closed, whatever its mark says.
    let returned = file(6, &groups(&format!("{open}, 10 0, 20 0")));
    let drawing = read(&returned, Format::Dxf, &options(Some(1.0))).unwrap();
    assert_eq!(drawing.solids.len(), 1);
}

#[test]
fn a_filled_quadrilateral_lists_its_corners_crosswise() {
    let solid = "0 SOLID, 8 A, 10 0, 20 0, 11 2, 21 0, 12 0, 22 1, 13 2, 23 1, 39 0.5";
    let drawing = read(&file(6, &groups(solid)), Format::Dxf, &options(None)).unwrap();
    assert_box(&drawing.solids[0], [0.0, 0.0, 0.0], [2.0, 1.0, 0.5]);
}

#[test]
fn a_polygon_mesh_closed_in_both_directions_is_a_ring() {
    // A square ring of square section: 4 sections of 4 vertices.
    let mut text = "0\nPOLYLINE\n8\nRING\n66\n1\n70\n49\n71\n4\n72\n4\n".to_owned();
    for (c, s) in [(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)] {
        for (r, z) in [(2.0, 0.0), (3.0, 0.0), (3.0, 1.0), (2.0, 1.0)] {
            text.push_str(&format!(
                "0\nVERTEX\n8\nRING\n10\n{}\n20\n{}\n30\n{z}\n70\n64\n",
                r * c,
                r * s
            ));
        }
    }
    text.push_str("0\nSEQEND\n");
    let drawing = read(&file(6, &text), Format::Dxf, &options(None)).unwrap();
    let ring = &drawing.solids[0];
    assert_closed(ring);
    assert!((volume(ring) - (18.0 - 8.0)).abs() < 1e-12);
}

/// The faces of a box as 3DFACE, each listed in the direction that `turned` says.
fn faces(layer: &str, low: [f64; 3], high: [f64; 3], turned: impl Fn(usize) -> bool) -> String {
    let corner = |i: usize| {
        let pick = |axis: usize, bit: usize| if i & bit == 0 { low[axis] } else { high[axis] };
        [pick(0, 1), pick(1, 2), pick(2, 4)]
    };
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 1, 5, 4],
        [1, 3, 7, 5],
        [3, 2, 6, 7],
        [2, 0, 4, 6],
    ];
    let mut text = String::new();
    for (f, mut quad) in quads.into_iter().enumerate() {
        if turned(f) {
            quad.reverse();
        }
        text.push_str(&format!("0\n3DFACE\n8\n{layer}\n"));
        for (k, v) in quad.into_iter().enumerate() {
            let [x, y, z] = corner(v);
            text.push_str(&format!(
                "{}\n{x}\n{}\n{y}\n{}\n{z}\n",
                10 + k,
                20 + k,
                30 + k
            ));
        }
    }
    text
}

#[test]
fn faces_of_touching_blocks_in_one_layer_are_told_apart() {
    // Three courses of bricks in one layer: faces lie on each other, whole and in part.
    let boxes = [
        ([0.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
        ([2.0, 0.0, 0.0], [4.0, 1.0, 1.0]),
        ([1.0, 0.0, 1.0], [3.0, 1.0, 2.0]),
        ([0.0, 0.0, 2.0], [2.0, 1.0, 3.0]),
        ([2.0, 0.0, 2.0], [4.0, 1.0, 3.0]),
    ];
    let text: String = boxes
        .iter()
        .map(|(l, h)| faces("W", *l, *h, |_| false))
        .collect();
    let drawing = read(&file(6, &text), Format::Dxf, &options(None)).unwrap();
    assert_eq!(drawing.solids.len(), 5);
    assert!(drawing.notes.is_empty(), "{:?}", drawing.notes);
    for (solid, (low, high)) in drawing.solids.iter().zip(boxes) {
        assert_box(solid, low, high);
    }
    // Faces of all bricks mixed up: the wedges between them tell.
    let per_box: Vec<Vec<String>> = boxes
        .iter()
        .map(|(l, h)| {
            let text = faces("W", *l, *h, |_| false);
            let mut list: Vec<String> = text
                .split("0\n3DFACE\n")
                .skip(1)
                .map(|f| format!("0\n3DFACE\n{f}"))
                .collect();
            list.rotate_left(2);
            list
        })
        .collect();
    let mixed: String = (0..6)
        .flat_map(|f| per_box.iter().map(move |list| list[f].clone()))
        .collect();
    let drawing = read(&file(6, &mixed), Format::Dxf, &options(None)).unwrap();
    assert_eq!(drawing.solids.len(), 5);
    for solid in &drawing.solids {
        assert!((volume(solid) - 2.0).abs() < 1e-12);
    }
    // Faces drawn this way and that: bodies that are written one after the other are still found.
    let careless: String = boxes
        .iter()
        .map(|(l, h)| faces("W", *l, *h, |f| f % 2 == 0))
        .collect();
    let drawing = read(&file(6, &careless), Format::Dxf, &options(None)).unwrap();
    for (solid, (low, high)) in drawing.solids.iter().zip(boxes) {
        assert_box(solid, low, high);
    }
    assert_eq!(count(&drawing, NoteKind::TurnedFaces), 15);
    // One lid is missing: the others stay, and the one is named.
    let lidless = text.replacen("0\n3DFACE\n", "0\nREGION\n", 1);
    let drawing = read(&file(6, &lidless), Format::Dxf, &options(None)).unwrap();
    assert_eq!(drawing.solids.len(), 4);
    assert_eq!(count(&drawing, NoteKind::Open), 1);
    assert_eq!(count(&drawing, NoteKind::Unread("REGION".into())), 1);
}

#[test]
fn damaged_files_are_refused_with_their_line() {
    let good = file(6, &groups(SQUARE));
    let text = String::from_utf8(good).unwrap();
    for (old, new, line, what) in [
        ("10\n2\n", "10\nNaN\n", 26, "not a finite number"),
        ("10\n2\n", "10\n1e400\n", 26, "not a finite number"),
        ("10\n2\n", "10\n1e300\n", 16, "out of range"),
        ("8\nA\n", "eight\nA\n", 17, "group code"),
        ("0\nENDSEC\n0\nEOF\n", "", 36, "truncated"),
        ("\n70\n1\n", "\n70\nx\n", 20, "not a whole number"),
    ] {
        assert!(text.contains(old), "{old}");
        let broken = text.replacen(old, new, 1);
        let broken = if old.starts_with("0\nENDSEC") {
            let at = text.rfind(old).unwrap();
            text[..at].to_owned()
        } else {
            broken
        };
        let fault = read(broken.as_bytes(), Format::Dxf, &options(Some(1.0))).unwrap_err();
        assert!(fault.message.contains(what), "{fault}");
        assert_eq!(fault.line, Some(line), "{fault}");
    }
    for (bytes, what) in [
        (&b"AutoCAD Binary DXF\r\n\x1a\0"[..], "save it as ASCII DXF"),
        (b"AC1032\0\0\0", "DWG"),
        (b"hello\nworld\n", "not a DXF file"),
        (b"", "no sections"),
    ] {
        let fault = read(bytes, Format::Dxf, &options(None)).unwrap_err();
        assert!(fault.message.contains(what), "{fault}");
    }
}

fn with_blocks(blocks: &str, entities: &str) -> Vec<u8> {
    format!(
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n6\n0\nENDSEC\n0\nSECTION\n2\nBLOCKS\n{blocks}0\nENDSEC\n0\nSECTION\n2\nENTITIES\n{entities}0\nENDSEC\n0\nEOF\n"
    )
    .into_bytes()
}

#[test]
fn blocks_that_contain_themselves_or_multiply_end_at_once() {
    let cycle = groups(
        "0 BLOCK, 2 A, 0 INSERT, 2 B, 0 ENDBLK, 8 0, 0 BLOCK, 2 B, 0 INSERT, 2 A, 0 ENDBLK, 8 0",
    );
    let insert = groups("0 INSERT, 2 A");
    let fault = read(&with_blocks(&cycle, &insert), Format::Dxf, &options(None)).unwrap_err();
    assert!(fault.message.contains("contains itself"), "{fault}");
    let fault = read(&with_blocks("", &insert), Format::Dxf, &options(None)).unwrap_err();
    assert!(
        fault
            .message
            .contains("\"A\", which the file does not define"),
        "{fault}"
    );
    let many = groups("0 INSERT, 2 A, 70 1000000000, 71 1000000000");
    let one = groups("0 BLOCK, 2 A, 0 POINT, 8 0, 0 ENDBLK, 8 0");
    let fault = read(&with_blocks(&one, &many), Format::Dxf, &options(None)).unwrap_err();
    assert!(fault.message.contains("at most"), "{fault}");
    // Each block holds the one before ten times over: ten thousand million points.
    let mut blocks = one;
    for k in 1..=10 {
        let inner = if k == 1 {
            "A".to_owned()
        } else {
            format!("A{}", k - 1)
        };
        blocks.push_str(&groups(&format!("0 BLOCK, 2 A{k}")));
        for _ in 0..10 {
            blocks.push_str(&groups(&format!("0 INSERT, 2 {inner}")));
        }
        blocks.push_str(&groups("0 ENDBLK, 8 0"));
    }
    let started = std::time::Instant::now();
    let fault = read(
        &with_blocks(&blocks, &groups("0 INSERT, 2 A10")),
        Format::Dxf,
        &options(None),
    )
    .unwrap_err();
    assert!(fault.message.contains("at most"), "{fault}");
    assert!(started.elapsed().as_secs() < 5);
}

#[test]
fn old_encodings_and_escapes_in_names_are_understood() {
    let mut bytes = file(6, &groups(&SQUARE.replace("8 A", "8 T#R \\U+00E9")));
    let at = bytes.iter().position(|b| *b == b'#').unwrap();
    bytes[at] = 0xdc;
    let drawing = read(&bytes, Format::Dxf, &options(Some(1.0))).unwrap();
    assert_eq!(drawing.solids[0].layer.as_deref(), Some("TÜR é"));
}
