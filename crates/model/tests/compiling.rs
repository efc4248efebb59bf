//! What sound files become.

mod common;

use std::path::{Path, PathBuf};

use common::{SOUND, model, sound_and};
use drystone_geometry::{DMat3, DVec3};
use drystone_model::*;

/// Rounding of a few operations on numbers of order one.
const ROUNDING: f64 = 1e-12;

#[test]
fn mass_centroid_and_inertia_are_those_of_the_shape() {
    let model = model(&SOUND.replace(
        "[0,0,1],[1,0,1],[0,1,1],[1,1,1]",
        "[0,0,3],[1,0,3],[0,1,3],[1,1,3]",
    ));
    let block = &model.blocks[1];
    assert_eq!(
        (block.name.as_str(), block.support, block.material),
        ("b2", false, 0)
    );
    assert!((block.mass - 6000.0).abs() < 6000.0 * ROUNDING);
    assert!((block.position - DVec3::new(0.5, 0.5, 1.5)).length() < ROUNDING);
    let expected = DVec3::new(10.0, 10.0, 2.0) * 6000.0 / 12.0;
    let difference = block.inertia - DMat3::from_diagonal(expected);
    assert!(
        difference
            .to_cols_array()
            .iter()
            .all(|entry| entry.abs() < 6000.0 * ROUNDING),
        "{difference}"
    );
    let own = block.shape.volume_properties();
    assert!(own.centroid.length() < ROUNDING, "{}", own.centroid);
    assert!((model.weight() - 9.81 * 6000.0).abs() < 6e4 * ROUNDING);
}

#[test]
fn masses_that_are_given_replace_those_of_the_shape() {
    let text = format!("{SOUND}mass = 1000\ncentroid = [0.5, 0.5, 0.4]\n");
    let scaled = &model(&text).blocks[1];
    assert_eq!(
        (scaled.mass, scaled.position),
        (1000.0, DVec3::new(0.5, 0.5, 0.4))
    );
    // Inertia follows the mass: half of what the density gives.
    assert!((scaled.inertia.x_axis.x - 1000.0 / 6.0).abs() < 1000.0 * ROUNDING);
    let lowest = scaled
        .shape
        .vertices()
        .map(|vertex| vertex.z)
        .fold(f64::MAX, f64::min);
    assert!(
        (lowest + 0.4).abs() < ROUNDING,
        "vertices are relative to the given centroid"
    );
    let given = &model(&format!("{text}inertia = [200, 210, 220, 1, 2, 3]\n")).blocks[1];
    let tensor = DMat3::from_cols_array(&[200.0, 1.0, 2.0, 1.0, 210.0, 3.0, 2.0, 3.0, 220.0]);
    assert_eq!(given.inertia, tensor);
}

#[test]
fn the_last_interface_that_matches_holds_in_either_order() {
    let text = sound_and(
        "[[material]]\nname = \"brick\"\ndensity = 1\n\
         [[interface]]\nbetween = [\"brick\", \"*\"]\nfriction = 0.4\nnormal_stiffness = 1e8\n\
         [[interface]]\nbetween = [\"stone\", \"brick\"]\nfriction = 0.3\n\
         [[block]]\nmaterial = \"brick\"\nvertices = [[0,0,1],[1,0,1],[0,1,1],[0,0,2]]\n\
         [[block]]\nmaterial = \"brick\"\nvertices = [[0,0,1],[1,0,1],[0,1,1],[0,0,2]]\n",
    );
    let model = model(&text);
    let law = |a, b| model.interface(a, b, JointKind::Bed);
    assert_eq!(law(0, 1).friction, 0.6);
    assert_eq!(law(1, 2).friction, 0.3);
    assert_eq!(law(2, 1).friction, 0.3);
    assert_eq!(law(2, 3).friction, 0.4);
    assert_eq!(law(2, 3).normal_stiffness, Some(1e8));
    // Without one of its own the shear stiffness follows from the normal one.
    assert_eq!(law(2, 3).shear_stiffness, Some(1e8 / 2.4));
    assert_eq!(law(2, 1).normal_stiffness, None);
    assert_eq!(law(2, 1).shear_stiffness, None);
}

#[test]
fn bed_and_head_joints_can_differ() {
    let text = sound_and(
        "[[interface]]\nbetween = [\"stone\", \"stone\"]\njoints = \"head\"\nfriction = 0\n",
    );
    let model = model(&text);
    let friction = |kind| model.interface(0, 1, kind).friction;
    assert_eq!(friction(JointKind::Bed), 0.6);
    assert_eq!(friction(JointKind::Head), 0.0);
    let leaning = |degrees: f64| {
        let (sin, cos) = degrees.to_radians().sin_cos();
        DVec3::new(sin * 0.6, sin * 0.8, cos)
    };
    let initially = |degrees| {
        model
            .interface(1, 0, JointKind::of([leaning(degrees); 2]))
            .friction
    };
    for (degrees, expected) in [
        (0.0, 0.6),
        (44.0, 0.6),
        (45.0, 0.6),
        (46.0, 0.0),
        (90.0, 0.0),
    ] {
        assert_eq!(initially(degrees), expected, "{degrees}");
        assert_eq!(initially(180.0 - degrees), expected, "{degrees} from below");
    }
    // A stone that turned by 60 degrees still lies on its bed; a corner on a bed counts by the mean of both.
    assert_eq!(JointKind::of([leaning(0.0), leaning(60.0)]), JointKind::Bed);
    assert_eq!(
        JointKind::of([leaning(90.0), leaning(60.0)]),
        JointKind::Head
    );
}

#[test]
fn settings_have_their_defaults() {
    let model = model(&sound_and(
        "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 2\n",
    ));
    assert_eq!(model.name, "m");
    assert_eq!(model.gravity, 9.81);
    assert_eq!(model.free, [true; 6]);
    let expected = TimeHistory {
        motions: Vec::new(),
        dt: 0.001,
        adaptive: None,
        duration: 2.0,
        settle: 10.0,
        output_every: 0.01,
        scheme: Scheme::Leapfrog,
        joints: Joints::Rigid,
        friction_law: FrictionLaw::Coulomb,
        ground: Ground::Inertia,
        solver: Solver::Automatic,
        tolerance: Tolerance::Default,
        regularisation: None,
        rotation_iterations: 1,
        collapse: Collapse::Either,
        collapse_drop: 0.2,
        stop_at_collapse: false,
        forces_every: None,
        monitors: Vec::new(),
    };
    assert_eq!(model.analyses[0].kind, AnalysisKind::TimeHistory(expected));
}

#[test]
fn adaptive_steps_have_defaults_of_their_own() {
    let steps = |keys: &str| {
        let model = model(&sound_and(&format!(
            "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nscheme = \"leapfrog\"\nduration = 2\n{keys}\n"
        )));
        match &model.analyses[0].kind {
            AnalysisKind::TimeHistory(history) => (history.dt, history.adaptive),
            other => panic!("{other:?}"),
        }
    };
    let usual = Adaptive {
        tolerance: 1e-6,
        smallest: 5e-5,
        largest: 5e-3,
    };
    assert_eq!(steps("adaptive = {}"), (0.001, Some(usual)));
    let fine = Adaptive {
        largest: 5e-4,
        ..usual
    };
    assert_eq!(
        steps("adaptive = { largest = 5e-4 }"),
        (5e-4, Some(fine)),
        "the first step lies in the range"
    );
    let given =
        steps("dt = 2e-3\nadaptive = { tolerance = 1e-5, smallest = 1e-3, largest = 2e-3 }");
    let expected = Adaptive {
        tolerance: 1e-5,
        smallest: 1e-3,
        largest: 2e-3,
    };
    assert_eq!(given, (2e-3, Some(expected)));
}

#[test]
fn settings_that_are_given_arrive() {
    let text = sound_and(
        "[[motion]]\nname = \"m\"\nkind = \"sine\"\ndisplacement_amplitude = 0.1\nfrequency = 2\nduration = 5\nstart = \"oscillating\"\ndirection = [0, 3, 4]\n\
         [[motion]]\nname = \"n\"\nkind = \"biphasic\"\namplitude = -3\nhalf_period = 0.5\n\
         [[load]]\nblock = \"b2\"\nforce = [1, 2, 3]\npoint = [1, 1, 1]\nlive = true\n\
         [[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 2\ndt = 0.02\nmotions = [\"n\", \"m\"]\n\
         friction_law = \"coulomb\"\nground = \"supports\"\nsolver = \"clarabel\"\ntolerance = \"validation\"\n\
         joints = \"rigid\"\nregularisation = { normal = 1e9, tangential = \"200 MN/m\" }\nrotation_iterations = 3\nsettle = 2.5\ncollapse = \"local\"\ncollapse_drop = 0.5\nstop_at_collapse = true\nforces_every = 0.1\n\
         scheme = \"euler\"\nmonitors = [{ name = \"top\", block = \"b2\", point = [0.5, 0.5, 1] }, { block = \"b2\" }]\n",
    );
    let model = model(&text);
    let AnalysisKind::TimeHistory(history) = &model.analyses[0].kind else {
        panic!("{:?}", model.analyses);
    };
    // Output once per step where steps are longer than the default interval.
    assert_eq!((history.dt, history.output_every), (0.02, 0.02));
    assert_eq!(history.motions, [1, 0]);
    assert_eq!(
        (history.friction_law, history.ground),
        (FrictionLaw::Coulomb, Ground::Supports)
    );
    assert_eq!(
        (history.solver, history.tolerance),
        (Solver::Clarabel, Tolerance::Validation)
    );
    assert_eq!(
        (history.regularisation, history.rotation_iterations),
        (Some([1e9, 2e8]), 3)
    );
    assert_eq!((history.settle, history.collapse), (2.5, Collapse::Local));
    assert_eq!(
        (history.collapse_drop, history.stop_at_collapse),
        (0.5, true)
    );
    assert_eq!(history.forces_every, Some(0.1));
    let names: Vec<&str> = history
        .monitors
        .iter()
        .map(|monitor| monitor.name.as_str())
        .collect();
    assert_eq!(names, ["top", "b2"]);
    assert!((history.monitors[0].arm - DVec3::new(0.0, 0.0, 0.5)).length() < ROUNDING);
    assert_eq!(history.monitors[1].arm, DVec3::ZERO);
    let load = &model.loads[0];
    assert_eq!(
        (load.block, load.force, load.live),
        (1, DVec3::new(1.0, 2.0, 3.0), true)
    );
    assert!((load.arm - DVec3::splat(0.5)).length() < ROUNDING);
    let MotionKind::Pulse {
        direction,
        pulse:
            Pulse::Sine {
                amplitude,
                start: SineStart::Oscillating,
                ..
            },
    } = model.motions[0].kind
    else {
        panic!("{:?}", model.motions);
    };
    assert!((direction - DVec3::new(0.0, 0.6, 0.8)).length() < ROUNDING);
    let expected = 0.1 * (4.0 * std::f64::consts::PI).powi(2);
    assert!((amplitude / expected - 1.0).abs() < ROUNDING);
    let MotionKind::Pulse { direction, pulse } = model.motions[1].kind else {
        panic!("{:?}", model.motions);
    };
    assert_eq!(
        (direction, pulse),
        (
            DVec3::X,
            Pulse::Biphasic {
                amplitude: -3.0,
                half_period: 0.5
            }
        )
    );
}

#[test]
fn a_rocking_block_has_the_extents_of_its_block() {
    let block = "[[block]]\nname = \"r\"\nmaterial = \"stone\"\nvertices = [[0,0,0],[2,0,0],[0,4,0],[2,4,0],[0,0,6],[2,0,6],[0,4,6],[2,4,6]]\n";
    let rocking = "[[analysis]]\nname = \"a\"\nkind = \"rocking\"\nblock = \"r\"\ndirection = [0, 5, 0]\nduration = 1\ninitial_angle = 0.1\n";
    let model = model(&sound_and(&format!("{block}{rocking}")));
    let AnalysisKind::Rocking(rocking) = &model.analyses[0].kind else {
        panic!("{:?}", model.analyses);
    };
    assert!(
        (rocking.half_width - 2.0).abs() < ROUNDING && (rocking.half_height - 3.0).abs() < ROUNDING
    );
    assert_eq!(
        (rocking.direction, rocking.initial_angle, rocking.gravity),
        (DVec3::Y, 0.1, 9.81)
    );
    assert_eq!((rocking.restitution, rocking.output_every), (None, 0.01));
}

#[test]
fn settlements_turn_about_the_common_centroid_of_all_supports() {
    let far = "[[block]]\nname = \"far\"\nmaterial = \"stone\"\nsupport = true\nvertices = [[3,0,-1],[4,0,-1],[3,1,-1],[4,1,-1],[3,0,0],[4,0,0],[3,1,0],[4,1,0]]\n";
    let text = sound_and(&format!(
        "{far}[[motion]]\nname = \"s\"\nkind = \"settlement\"\nrotation = [0, 0.1, 0]\nduration = 2\n"
    ));
    let model = model(&text);
    let MotionKind::Settlement {
        supports,
        displacement,
        rotation,
        centre,
        duration,
    } = &model.motions[0].kind
    else {
        panic!("{:?}", model.motions);
    };
    assert_eq!((supports.as_slice(), *duration), ([0, 2].as_slice(), 2.0));
    assert_eq!(
        (*displacement, *rotation),
        (DVec3::ZERO, DVec3::new(0.0, 0.1, 0.0))
    );
    assert!(
        (*centre - DVec3::new(2.0, 0.5, -0.5)).length() < ROUNDING,
        "{centre}"
    );
}

/// A folder that is removed when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("drystone-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn records_are_found_beside_the_model_and_change_its_hash() {
    let folder = Folder::new("records");
    folder.write("x.csv", "0, 0\n0.01, 2\n");
    folder.write("y.csv", "0, -2\n0.01, 1\n");
    let plain = folder.write("plain.toml", SOUND);
    // As computed by sha256sum.
    let known = "68cc3ba023496cc1f66969958c663e7aba8cb8f01aa6ce43153cb6b03523859d";
    assert_eq!(load(&plain).unwrap().sha256, known);
    let text = sound_and(
        "[[motion]]\nname = \"r\"\nkind = \"record\"\ndt = 0.01\nscale = 2\n\
         components = [{ path = \"x.csv\", direction = [2, 0, 0] }, { path = \"y.csv\", direction = [0, 1, 0], pga = 3 }]\n\
         [[motion]]\nname = \"single\"\nkind = \"record\"\npath = \"x.csv\"\ndirection = [0, 0, -1]\n",
    );
    let path = folder.write("model.toml", &text);
    let first = load(&path).unwrap();
    let MotionKind::Record { components } = &first.motions[0].kind else {
        panic!("{:?}", first.motions);
    };
    let found: Vec<_> = components
        .iter()
        .map(|part| (part.direction, &part.path, &part.series.acceleration[..]))
        .collect();
    let [x, y] = ["x.csv", "y.csv"].map(|name| folder.0.join(name));
    assert_eq!(
        found,
        [
            (DVec3::X, &x, &[0.0, 4.0][..]),
            (DVec3::Y, &y, &[-3.0, 1.5][..])
        ]
    );
    let MotionKind::Record { components } = &first.motions[1].kind else {
        panic!("{:?}", first.motions);
    };
    assert_eq!(components[0].direction, DVec3::NEG_Z);
    assert_eq!(components[0].series.acceleration, [0.0, 2.0]);
    // What the files do not say is noted, once a file.
    let unit = |note: &&String| note.contains("does not say the unit");
    assert_eq!(
        first.notes.iter().filter(unit).count(),
        2,
        "{:?}",
        first.notes
    );
    assert_eq!(load(&path).unwrap().sha256, first.sha256);
    folder.write("y.csv", "0, 2\n0.01, 2\n");
    assert_ne!(load(&path).unwrap().sha256, first.sha256);
    // A record that cannot be used is a fault of the model, with its line and the record's own.
    folder.write("y.csv", "0, 2\n0.01, wet\n");
    let faults = load(&path).unwrap_err().to_string();
    assert!(
        faults.contains("components[1].path") && faults.contains("y.csv:2"),
        "{faults}"
    );
}

/// What else a file asks, its format and its name leave the answers of an analysis valid; what they rest on does not.
#[test]
fn an_analysis_has_the_hash_of_what_it_depends_on() {
    let folder = Folder::new("dependence");
    folder.write("x.csv", "0\n1\n");
    let text = sound_and(
        "[[motion]]\nname = \"r\"\nkind = \"record\"\ndt = 0.01\npath = \"x.csv\"\ndirection = [1, 0, 0]\n\
         [[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = { block = \"b2\" }\n\
         [[analysis]]\nname = \"code\"\nkind = \"assessment\"\npushover = \"push\"\ncode = \"ntc2018\"\nsite = { soil = \"A\" }\n\
         life_safety = { ag = 2.0, f0 = 2.4, tc_star = 0.35 }\n\
         [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"r\"\nduration = 1\n",
    );
    let hashes = |name: &str, text: &str| {
        let model = load(&folder.write(name, text)).unwrap_or_else(|faults| panic!("{faults}"));
        ["push", "code", "shake"].map(|name| {
            let found = model.analyses.iter().find(|item| item.name == name);
            found.unwrap().sha256.clone()
        })
    };
    let first = hashes("model.toml", &text);
    let json = parse(&text, Format::Toml).unwrap().to_json().unwrap();
    assert_eq!(hashes("other.json", &json), first);
    let more = "[[analysis]]\nname = \"rest\"\nkind = \"equilibrium\"\n";
    assert_eq!(hashes("more.toml", &format!("{text}{more}")), first);
    let changed = |text: &str| {
        let found = hashes("changed.toml", text);
        [0, 1, 2].map(|k| found[k] != first[k])
    };
    assert_eq!(
        changed(&text.replace("[1, 0, 0]\ncontrol", "[0, 1, 0]\ncontrol")),
        [true, true, false]
    );
    assert_eq!(
        changed(&text.replace("ag = 2.0", "ag = 2.1")),
        [false, true, false]
    );
    assert_eq!(
        changed(&text.replace("dt = 0.01", "dt = 0.02")),
        [false, false, true]
    );
    assert_eq!(
        changed(&text.replace("density = ", "density = 1")),
        [true, true, true]
    );
    // A motion that the time history does not name is not part of it; one that it names is, and so is the order.
    let sway = "[[motion]]\nname = \"sway\"\nkind = \"sine\"\namplitude = 1\nfrequency = 2\nduration = 3\n";
    assert_eq!(changed(&format!("{sway}{text}")), [false; 3]);
    let several = |list: &str| {
        let both = text.replace("motion = \"r\"", &format!("motions = [{list}]"));
        hashes("several.toml", &format!("{sway}{both}"))[2].clone()
    };
    let [both, turned, one] = ["\"r\", \"sway\"", "\"sway\", \"r\"", "\"r\""].map(several);
    assert!(both != turned && both != one && turned != one);
    folder.write("x.csv", "0\n2\n");
    assert_eq!(changed(&text), [false, false, true]);
    assert!(several("\"r\"") != one);
    assert_eq!(several("\"sway\""), {
        folder.write("x.csv", "0\n1\n");
        several("\"sway\"")
    });
}

#[test]
fn tables_continued_after_other_tables_are_one_table() {
    let text = sound_and(
        "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\n\
         [[load]]\nblock = \"b2\"\nforce = [0, 0, 0]\n\
         [[analysis.monitors]]\nblock = \"b2\"\n",
    );
    let AnalysisKind::TimeHistory(history) = &model(&text).analyses[0].kind else {
        panic!("not a time history");
    };
    assert_eq!(history.monitors.len(), 1);
}

#[test]
fn the_result_does_not_depend_on_how_blocks_are_shared_out() {
    let wall = structures::Wall {
        length: Some(8.2),
        courses: Some(10),
        thickness: 0.23,
        block: Some([0.41, 0.19]),
        ..structures::Wall::default()
    };
    let mut spec = parse(SOUND, Format::Toml).unwrap();
    let mut wall = GenerateSpec::new("stone", StructureSpec::Wall(wall));
    wall.placing.at = Some([0.1, 0.2, 0.3]);
    spec.generate.push(wall);
    let first = compile_in(&spec, Path::new("")).unwrap();
    assert_eq!(first.blocks.len(), 2 + 205);
    let one = rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    assert_eq!(one.install(|| compile(&spec)).unwrap(), first);
}

/// A prism over an arrowhead: vertex 2 of the base is drawn in. It becomes two parts that are one block.
#[test]
fn a_block_that_is_not_convex_is_divided_into_parts() {
    let vertices = "[0,0,0],[1,0,0],[0.3,0.3,0],[0,1,0],[0,0,1],[1,0,1],[0.3,0.3,1],[0,1,1]";
    let faces = "[3,2,1,0],[4,5,6,7],[0,1,5,4],[1,2,6,5],[2,3,7,6],[3,0,4,7]";
    let text = format!(
        "[model]\nfloating = true\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
         [[block]]\nmaterial = \"stone\"\nvertices = [{vertices}]\nfaces = [{faces}]\n"
    );
    let model = drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
    let block = &model.blocks[0];
    assert_eq!(block.shape.parts().len(), 2);
    // Two triangles of base 1 and height 0.3, on the diagonal's two sides.
    assert!(
        (block.mass - 2000.0 * 0.3).abs() < 600.0 * ROUNDING,
        "{}",
        block.mass
    );
    let centroid = (1.0 + 0.3) / 3.0 * 0.5 + 0.3 / 3.0 * 0.5;
    assert!((block.position - DVec3::new(centroid, centroid, 0.5)).length() < ROUNDING * 10.0);
}

/// A relief with thousands of dents can't be divided into parts; that it is not convex is not what is wrong with it.
#[test]
fn why_a_block_that_is_not_convex_cannot_be_divided_is_said() {
    let side = 64_u32;
    let top = |i: u32, j: u32| 4 + i * (side + 1) + j;
    let mut vertices = vec![
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [1.0, 1.0, 0.0],
        [0.0, 1.0, 0.0],
    ];
    for i in 0..=side {
        for j in 0..=side {
            // Any heights will do that make no pattern; the rim is level.
            let inside = (1..side).contains(&i) && (1..side).contains(&j);
            let bump = f64::from((i * 7919 + j * 104_729) % 101) / 101.0;
            let z = if inside { 0.5 + 0.1 * bump } else { 0.5 };
            vertices.push([
                f64::from(i) / f64::from(side),
                f64::from(j) / f64::from(side),
                z,
            ]);
        }
    }
    let mut faces = vec![vec![0, 3, 2, 1]];
    let rim = |from: u32, to: u32, along: &dyn Fn(u32) -> u32| {
        let mut face = vec![from, to];
        face.extend((0..=side).rev().map(along));
        face
    };
    faces.push(rim(0, 1, &|k| top(k, 0)));
    faces.push(rim(1, 2, &|k| top(side, k)));
    faces.push(rim(2, 3, &|k| top(side - k, side)));
    faces.push(rim(3, 0, &|k| top(0, side - k)));
    for i in 0..side {
        for j in 0..side {
            let [a, b, c, d] = [top(i, j), top(i + 1, j), top(i + 1, j + 1), top(i, j + 1)];
            faces.extend([vec![a, b, c], vec![a, c, d]]);
        }
    }
    let block =
        format!("[[block]]\nmaterial = \"stone\"\nvertices = {vertices:?}\nfaces = {faces:?}\n");
    let found = common::faults(&common::sound_and(&block), Format::Toml);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("too intricate"), "{found:?}");
}
