//! `drystone convert`, and what the other commands say about drawings.

use crate::kit::{Desk, HEAD};

/// Two bricks on a plinth, an elevation in centimetres; the upper one is an L.
fn elevation() -> String {
    let mut text =
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n5\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
            .to_owned();
    for (layer, corners) in [
        ("ground", vec![(-50, -20), (150, -20), (150, 0), (-50, 0)]),
        ("wall", vec![(0, 0), (100, 0), (100, 30), (0, 30)]),
        (
            "wall",
            vec![(0, 30), (100, 30), (100, 60), (50, 60), (50, 90), (0, 90)],
        ),
    ] {
        text.push_str(&format!("0\nLWPOLYLINE\n8\n{layer}\n70\n1\n"));
        for (x, y) in corners {
            text.push_str(&format!("10\n{x}\n20\n{y}\n"));
        }
    }
    text.push_str("0\n3DSOLID\n8\nwall\n0\nENDSEC\n0\nEOF\n");
    text
}

#[test]
fn a_drawing_goes_through_every_format_and_back_to_a_model() {
    let desk = Desk::with("wall.dxf", &elevation());
    let call = desk
        .call(&["convert", "wall.dxf", "wall.obj", "--depth", "0.4"])
        .ended(0);
    for expected in [
        "wall.dxf: DXF, 3 solids on 2 layers",
        "cm, as the file says",
        "1 not convex",
        "volume   0.460000 m3",
        "3 outlines in the xy plane taken as an elevation",
        "skipped  1 × 3DSOLID",
        "wrote    wall.obj",
    ] {
        assert!(call.out.contains(expected), "{expected}: {}", call.out);
    }
    let convert = |from: &str, to: &str| {
        let call = desk.call(&["convert", from, to, "--unit", "m"]).ended(0);
        assert!(call.out.contains(&format!("wrote    {to}")), "{}", call.out);
        call.out
    };
    convert("wall.obj", "wall.stl");
    convert("wall.stl", "wall.ply");
    convert("wall.ply", "wall.compas.json");
    convert("wall.compas.json", "again.dxf");
    convert("again.dxf", "wall.vtu");
    convert("again.dxf", "wall.glb");
    let told = convert("again.dxf", "wall.toml");
    assert!(told.contains("no block is marked as a support"), "{told}");
    let model = String::from_utf8(desk.read("wall.toml")).unwrap();
    let held = model.replace("name = \"ground\"", "name = \"ground\"\nsupport = true");
    assert_ne!(held, model);
    desk.write("wall.toml", &held);
    convert("wall.toml", "wall.json");
    convert("wall.json", "last.obj");
    let first = String::from_utf8(desk.read("wall.obj")).unwrap();
    let last = String::from_utf8(desk.read("last.obj")).unwrap();
    let corners = |text: &str| {
        let mut lines: Vec<String> = text
            .lines()
            .filter(|l| l.starts_with("v "))
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines.dedup();
        lines
    };
    assert_eq!(corners(&first), corners(&last));
    let names = |text: &str| -> Vec<String> {
        text.lines()
            .filter_map(|l| l.strip_prefix("o "))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(names(&first), ["ground", "wall.1", "wall.2"]);
    assert_eq!(names(&first), names(&last));
    assert!(
        model.contains("density = 2000.0") && model.contains("friction = 0.7"),
        "{model}"
    );
    // Nothing is left under other names.
    let left = std::fs::read_dir(desk.path(".")).unwrap();
    assert!(
        left.flatten()
            .all(|file| !file.file_name().to_string_lossy().contains("partial"))
    );
}

#[test]
fn generated_structures_become_drawings() {
    let text = HEAD.to_owned()
        + r#"
[[generate]]
kind = "box"
material = "stone"
size = [1, 1, 1]
[[generate]]
kind = "ground"
material = "stone"
"#;
    let desk = Desk::with("m.toml", &text);
    desk.call(&["convert", "m.toml", "m.obj"]).ended(0);
    let obj = String::from_utf8(desk.read("m.obj")).unwrap();
    assert_eq!(obj.lines().filter(|l| l.starts_with("o ")).count(), 2);
    assert!(obj.contains("usemtl support\n"), "{obj}");
    for from in ["m.toml", "m.obj"] {
        desk.call(&["convert", from, "blocks.toml", "--overwrite"])
            .ended(0);
        let call = desk.call(&["check", "blocks.toml"]).ended(0);
        assert!(call.out.contains("2: 1 free, 1 support"), "{}", call.out);
    }
}

#[test]
fn nothing_is_overwritten_and_bad_input_is_named() {
    let desk = Desk::with("wall.dxf", &elevation());
    desk.write("there.obj", "mine");
    let call = desk
        .call(&["convert", "wall.dxf", "there.obj", "--depth", "1"])
        .ended(2);
    assert!(
        call.err.contains("there.obj is already there"),
        "{}",
        call.err
    );
    assert_eq!(desk.read("there.obj"), b"mine");
    desk.call(&[
        "convert",
        "wall.dxf",
        "there.obj",
        "--depth",
        "1",
        "--overwrite",
    ])
    .ended(0);
    assert_ne!(desk.read("there.obj"), b"mine");
    desk.write("bad.obj", "v 0 0 0\nv 1 1\n");
    for (args, expected) in [
        (
            &["wall.dxf", "x.obj"][..],
            "wall.dxf: no solid was found in the file; skipped 3 outlines without thickness",
        ),
        (
            &["bad.obj", "x.stl"],
            "bad.obj:2: a vertex needs three coordinates",
        ),
        (&["none.obj", "x.stl"], "none.obj: "),
        (
            &["wall.dxf", "x.dwg"],
            "x.dwg: the extension names no format",
        ),
        (&["x.vtu", "x.obj"], "x.vtu: "),
        (&["wall.dxf", "x.obj", "--depth", "-1"], ""),
        (&["wall.dxf", "x.obj", "--unit", "ell"], "one of m, mm"),
    ] {
        let call = desk.call(&[&["convert"], args].concat()).ended(2);
        assert!(call.err.contains(expected), "{args:?}: {}", call.err);
        assert!(!desk.path("x.obj").exists() && !desk.path("x.stl").exists());
    }
}

#[test]
fn check_and_run_say_what_was_skipped() {
    let text = HEAD.to_owned()
        + r#"
[[import]]
path = "wall.dxf"
material = "stone"
depth = 0.4
layers = [{ layer = "ground", support = true }]
[[analysis]]
name = "rest"
kind = "time_history"
dt = 0.01
duration = 0.02
"#;
    let desk = Desk::with("wall.dxf", &elevation());
    desk.write("m.toml", &text);
    let call = desk.call(&["check", "m.toml"]).ended(0);
    assert!(
        call.out.contains("wall.dxf: skipped 1 × 3DSOLID"),
        "{}",
        call.out
    );
    assert!(call.out.contains("3: 2 free, 1 support"), "{}", call.out);
    let call = desk.call(&["run", "m.toml"]).ended(0);
    assert!(
        call.err.contains("wall.dxf: skipped 1 × 3DSOLID"),
        "{}",
        call.err
    );
}
