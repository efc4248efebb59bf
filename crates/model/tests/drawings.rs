//! Blocks from drawings: layers choose material, group and support; bad files are reported at their place.

use std::path::{Path, PathBuf};

use drystone_model::{Format, Model, compile_text};

/// A folder of its own for each test.
fn folder(test: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

const HEAD: &str = r#"[[material]]
name = "stone"
density = 2000.0
[[material]]
name = "brick"
density = 1600.0
[[interface]]
between = ["*", "*"]
friction = 0.6
"#;

fn compile(folder: &Path, import: &str) -> Result<Model, String> {
    let text = format!("{HEAD}[[import]]\n{import}");
    compile_text(&text, Format::Toml, &folder.join("m.toml")).map_err(|faults| faults.to_string())
}

fn square(layer: &str, x: f64, y: f64, width: f64, height: f64) -> String {
    let corners = [
        (x, y),
        (x + width, y),
        (x + width, y + height),
        (x, y + height),
    ];
    let mut text = format!("0\nLWPOLYLINE\n8\n{layer}\n90\n4\n70\n1\n");
    for (x, y) in corners {
        text.push_str(&format!("10\n{x}\n20\n{y}\n"));
    }
    text
}

/// An elevation in millimetres: a plinth on the layer GROUND, two courses on WALL and WALL_UPPER, a cornice that is an L
/// on CORNICE, and a line that is no block.
fn elevation() -> String {
    let mut text =
        "0\nSECTION\n2\nHEADER\n9\n$INSUNITS\n70\n4\n0\nENDSEC\n0\nSECTION\n2\nENTITIES\n"
            .to_owned();
    text.push_str(&square("GROUND", -500.0, -500.0, 3000.0, 500.0));
    text.push_str(&square("WALL", 0.0, 0.0, 1000.0, 400.0));
    text.push_str(&square("WALL", 1000.0, 0.0, 1000.0, 400.0));
    text.push_str(&square("WALL_UPPER", 500.0, 400.0, 1000.0, 400.0));
    text.push_str("0\nLWPOLYLINE\n8\nCORNICE\n90\n6\n70\n1\n");
    for (x, y) in [
        (500, 800),
        (1500, 800),
        (1500, 1000),
        (800, 1000),
        (800, 1200),
        (500, 1200),
    ] {
        text.push_str(&format!("10\n{x}\n20\n{y}\n"));
    }
    text.push_str("0\nLINE\n8\nAXES\n10\n0\n20\n0\n11\n0\n21\n5000\n0\nENDSEC\n0\nEOF\n");
    text
}

#[test]
fn layers_choose_material_group_and_support() {
    let folder = folder("layers");
    std::fs::write(folder.join("wall.dxf"), elevation()).unwrap();
    let model = compile(
        &folder,
        r#"path = "wall.dxf"
material = "stone"
depth = 0.5
layers = [
    { layer = "GROUND", support = true },
    { layer = "WALL*", material = "brick", group = "courses" },
    { layer = "WALL_UPPER", group = "upper" },
]
"#,
    )
    .unwrap();
    let names: Vec<&str> = model
        .blocks
        .iter()
        .map(|block| block.name.as_str())
        .collect();
    assert_eq!(
        names,
        ["GROUND", "WALL.1", "WALL.2", "WALL_UPPER", "CORNICE"]
    );
    let supports: Vec<bool> = model.blocks.iter().map(|block| block.support).collect();
    assert_eq!(supports, [true, false, false, false, false]);
    let groups: Vec<&str> = model
        .blocks
        .iter()
        .map(|block| block.group.as_deref().unwrap())
        .collect();
    assert_eq!(groups, ["GROUND", "courses", "courses", "upper", "CORNICE"]);
    let masses: Vec<f64> = model.blocks.iter().map(|block| block.mass).collect();
    let expected = [1500.0, 320.0, 320.0, 320.0, 2000.0 * 0.5 * 0.26];
    for (mass, expected) in masses.iter().zip(expected) {
        assert!((mass - expected).abs() < 1e-9 * expected, "{masses:?}");
    }
    // The elevation stands upright about the plane y = 0, in metres.
    let cornice = &model.blocks[4];
    assert_eq!(cornice.shape.parts().len(), 2);
    let bounds = cornice.shape.translated(cornice.position).bounding_box();
    for (a, b) in bounds.min.to_array().into_iter().zip([0.5, -0.25, 0.8]) {
        assert!((a - b).abs() < 1e-12);
    }
    assert!(
        model
            .notes
            .iter()
            .any(|note| note.starts_with("wall.dxf: skipped 1 × LINE")),
        "{:?}",
        model.notes
    );
}

#[test]
fn layers_may_be_skipped_and_overrule_the_import() {
    let folder = folder("skipped");
    std::fs::write(folder.join("wall.dxf"), elevation()).unwrap();
    let model = compile(
        &folder,
        r#"path = "wall.dxf"
name = "north"
material = "stone"
depth = 0.5
support = true
group = "facade"
layers = [{ layer = "WALL*", support = false }, { layer = "CORNICE", skip = true }]
at = [10, 0, 0]
"#,
    )
    .unwrap();
    let names: Vec<&str> = model
        .blocks
        .iter()
        .map(|block| block.name.as_str())
        .collect();
    let expected = [
        "north.GROUND",
        "north.WALL.1",
        "north.WALL.2",
        "north.WALL_UPPER",
    ];
    assert_eq!(names, expected);
    let supports: Vec<bool> = model.blocks.iter().map(|block| block.support).collect();
    assert_eq!(supports, [true, false, false, false]);
    assert!(
        model
            .blocks
            .iter()
            .all(|block| block.group.as_deref() == Some("facade"))
    );
    assert!((model.blocks[1].position.x - 10.5).abs() < 1e-12);
}

#[test]
fn the_hash_of_the_model_knows_the_drawing() {
    let folder = folder("hash");
    let import = "path = \"wall.dxf\"\nmaterial = \"stone\"\ndepth = 0.5\nlayers = [{ layer = \"GROUND\", support = true }]\n";
    std::fs::write(folder.join("wall.dxf"), elevation()).unwrap();
    let before = compile(&folder, import).unwrap().sha256;
    std::fs::write(folder.join("wall.dxf"), elevation().replace("5000", "5001")).unwrap();
    assert_ne!(compile(&folder, import).unwrap().sha256, before);
}

#[test]
fn faults_name_the_file_the_line_and_what_would_be_right() {
    let folder = folder("faults");
    std::fs::write(folder.join("wall.dxf"), elevation()).unwrap();
    std::fs::write(
        folder.join("unitless.dxf"),
        elevation().replace("$INSUNITS\n70\n4", "$INSUNITS\n70\n0"),
    )
    .unwrap();
    std::fs::write(folder.join("bad.obj"), "v 0 0 0\nv 1 0 0\nf 1 2 7\n").unwrap();
    let stone = "material = \"stone\"\ndepth = 0.5\n";
    for (import, expected) in [
        (
            "path = \"bad.obj\"\n",
            "\"bad.obj\", line 3: a face names vertex 7",
        ),
        ("path = \"unitless.dxf\"\n", "give unit, one of m, mm"),
        (
            "path = \"none.dxf\"\n",
            "paths are relative to the folder of the model file",
        ),
        (
            "path = \"wall.dwg\"\n",
            "files with the extensions dxf, obj, stl, ply, json",
        ),
        ("path = \"wall.dxf\"\nunit = \"metre\"\n", "one of m, mm"),
        (
            "path = \"wall.dxf\"\nsnap = -1.0\n",
            "snap must be a finite number, zero or more",
        ),
        (
            "path = \"wall.dxf\"\nlayers = [{ layer = \"WAL\" }]\n",
            "did you mean \"WALL\"",
        ),
        (
            "path = \"wall.dxf\"\nlayers = [{ layer = \"WALL\", material = \"wood\" }]\n",
            "\"wood\"",
        ),
    ] {
        let faults = compile(&folder, &format!("{import}{stone}")).unwrap_err();
        assert!(faults.contains(expected), "{import}: {faults}");
        assert!(faults.contains("import"), "{faults}");
    }
    // Without a depth the outlines are no blocks.
    let faults = compile(&folder, "path = \"wall.dxf\"\nmaterial = \"stone\"\n").unwrap_err();
    assert!(
        faults.contains("skipped 5 outlines without thickness: give depth"),
        "{faults}"
    );
}
