//! What is said about files that can be read but describe no possible model.

mod common;

use common::{assert_faults, faults, model, sound_and, sound_but};
use drystone_model::{Format, compile_text, from_json};

const CUBE: &str = "[0,0,0],[1,0,0],[0,1,0],[1,1,0],[0,0,1],[1,0,1],[0,1,1],[1,1,1]";

/// Faces of that cube, counter-clockwise seen from outside.
const FACES: &str = "[0,2,3,1],[4,5,7,6],[0,1,5,4],[2,6,7,3],[0,4,6,2],[1,3,7,5]";

#[test]
fn densities_and_frictions_have_signs() {
    assert_faults(
        &sound_but("density = 2000.0", "density = -5"),
        &["3:11 material \"stone\".density: the value is -5 kg/m³, but must be greater than zero"],
    );
    assert_faults(
        &sound_but("density = 2000.0", "density = 0"),
        &["3:11 material \"stone\".density: the value is 0 kg/m³, but must be greater than zero"],
    );
    assert_faults(
        &sound_but("friction = 0.6", "friction = -0.6\nnormal_stiffness = 0"),
        &[
            "6:12 interface 1.friction: the value is -0.6, but must not be negative",
            "7:20 interface 1.normal_stiffness: the value is 0 N/m³, but must be greater than zero",
        ],
    );
    assert_faults(&sound_but("friction = 0.6", "friction = 0"), &[]);
    assert_faults(
        &sound_and("[model]\ngravity = -9.81\n"),
        &["16:11 model.gravity: the value is -9.81 m/s², but must not be negative"],
    );
}

#[test]
fn strengths_of_mortar_and_kinetic_friction_have_limits() {
    let law = |keys: &str| sound_but("friction = 0.6", &format!("friction = 0.6\n{keys}"));
    assert_faults(&law("kinetic_friction = 0.6"), &[]);
    assert_faults(
        &law("kinetic_friction = 0.7"),
        &[
            "7:20 interface 1.kinetic_friction: 0.7 is more than the friction of 0.6, with which the joint begins to slide [give at most `friction`]",
        ],
    );
    assert_faults(&law("cohesion = 6\ntensile_strength = 10"), &[]);
    assert_faults(
        &law("cohesion = 6\ntensile_strength = 20"),
        &[
            "8:20 interface 1.tensile_strength: 20 Pa is more than cohesion over friction, 10 Pa, at which nothing is left of the shear strength [give at most cohesion / friction, or a `cohesion` of at least 12 Pa]",
        ],
    );
    // Without friction there is no such limit.
    let smooth = sound_but("friction = 0.6", "friction = 0\ntensile_strength = 20");
    assert_faults(&smooth, &[]);
    assert_faults(
        &law("cohesion = -1"),
        &["7:12 interface 1.cohesion: the value is -1 Pa, but must not be negative"],
    );
}

#[test]
fn elastic_joints_need_a_stiffness_wherever_blocks_can_touch() {
    let elastic = "[[analysis]]\nname = \"soft\"\nkind = \"time_history\"\nduration = 1\njoints = \"elastic\"\n";
    let fault = "4:1 interface 1: \"stone\" meets \"stone\" without `normal_stiffness`, which the elastic joints of the analysis \
                 \"soft\" need [add normal_stiffness in N/m³, per area of joint: between 1e9 for rubble and mortar and 1e11 for dressed stone]";
    assert_faults(&sound_and(elastic), &[fault]);
    let shear_only = sound_but("friction = 0.6", "friction = 0.6\nshear_stiffness = 1e9");
    assert_faults(&format!("{shear_only}{elastic}"), &[fault]);
    let normal = sound_but("friction = 0.6", "friction = 0.6\nnormal_stiffness = 1e9");
    assert_faults(&format!("{normal}{elastic}"), &[]);
    // A law of materials that no two blocks have is not asked.
    let idle = "[[material]]\nname = \"ice\"\ndensity = 1\n[[interface]]\nbetween = [\"ice\", \"*\"]\nfriction = 0\n";
    assert_faults(&format!("{normal}{idle}{elastic}"), &[]);
    assert_faults(&sound_and(&elastic.replace("elastic", "rigid")), &[]);
}

#[test]
fn unknown_names_name_the_nearest() {
    assert_faults(
        &sound_but("name = \"stone\"", "name = \"stobe\"").replace(
            "name = \"ground\"\nmaterial = \"stone\"",
            "name = \"ground\"\nmaterial = \"stobe\"",
        ),
        &["13:12 block \"b2\".material: there is no material \"stone\" [did you mean \"stobe\"?]"],
    );
    assert_faults(
        &sound_but("between = [\"*\", \"*\"]", "between = [\"brick\", \"*\"]"),
        &["5:12 interface 1.between[0]: there is no material \"brick\" [materials: stone]"],
    );
    assert_faults(
        &sound_and("[[load]]\nblock = \"b3\"\nforce = [0, 0, -1]\n"),
        &["16:9 load 1.block: there is no block \"b3\" [did you mean \"b2\"?]"],
    );
    assert_faults(
        &sound_and(
            "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\nmotion = \"quake\"\n",
        ),
        &["19:10 analysis \"a\".motion: there is no motion \"quake\" [the model has no motions]"],
    );
}

#[test]
fn names_are_unique_and_not_empty() {
    assert_faults(
        &sound_but("name = \"ground\"", "name = \"b2\""),
        &["12:1 block \"b2\".name: block 1 has this name already [names must be unique]"],
    );
    assert_faults(
        &sound_but("name = \"ground\"", "name = \"\""),
        &["8:8 block 1.name: the name is empty"],
    );
    assert_faults(
        &sound_and("[[material]]\nname = \"*\"\ndensity = 1\n"),
        &["16:8 material \"*\".name: \"*\" matches any material [choose another name]"],
    );
    assert_faults(
        &sound_and("[[analysis]]\nname = \"a/b\"\nkind = \"time_history\"\nduration = 1\n"),
        &[
            "16:8 analysis \"a/b\".name: the name cannot be that of a folder, which the results need [use at most 200 letters, digits, `-`, `_` and inner dots and spaces]",
        ],
    );
}

#[test]
fn pairs_of_materials_need_an_interface() {
    let two = sound_and("[[material]]\nname = \"brick\"\ndensity = 1800\n").replace(
        "between = [\"*\", \"*\"]",
        "between = [\"stone\", \"stone\"]",
    );
    // Nothing is made of brick, and the only free block of stone meets the ground of stone.
    assert_faults(&two, &[]);
    let used = two.replace(
        "[[block]]\nmaterial = \"stone\"",
        "[[block]]\nmaterial = \"brick\"",
    );
    assert_faults(
        &used,
        &[
            "1:1 material \"stone\": no interface says how \"stone\" meets \"brick\" [add an [[interface]] with between = [\"stone\", \"brick\"] and its friction; \"*\" is any material]",
        ],
    );
    assert_faults(
        &used.replace(
            "between = [\"stone\", \"stone\"]",
            "between = [\"brick\", \"stone\"]",
        ),
        &[],
    );
}

#[test]
fn joints_of_both_kinds_need_an_interface() {
    let interface = |joints: &str, friction: f64| {
        format!(
            "[[interface]]\nbetween = [\"*\", \"*\"]\njoints = \"{joints}\"\nfriction = {friction:?}\n"
        )
    };
    let beds = sound_but("friction = 0.6", "friction = 0.6\njoints = \"bed\"");
    assert_faults(
        &beds,
        &[
            "1:1 material \"stone\": no interface says how \"stone\" meets \"stone\" in head joints [add an [[interface]] with between = [\"stone\", \"stone\"], joints = \"head\" and its friction; \"*\" is any material]",
        ],
    );
    assert_faults(&format!("{beds}{}", interface("head", 0.0)), &[]);
    // The same joints twice, and all of them after an exception.
    for again in ["bed", "all"] {
        let twice = format!("{beds}{}{}", interface("head", 0.0), interface(again, 0.5));
        let told = common::faults(&twice, Format::Toml);
        assert!(
            told[0].contains(
                "\"*\" with \"*\" in bed joints never applies: the later interface 3 overrides it"
            ),
            "{told:?}"
        );
        assert_eq!(told.len(), if again == "bed" { 1 } else { 2 }, "{told:?}");
    }
    let [told] = &common::faults(
        &sound_but("friction = 0.6", "friction = 0.6\njoints = \"beds\""),
        Format::Toml,
    )[..] else {
        panic!("one fault");
    };
    assert!(
        told.contains("interface 1.joints: \"beds\" is not one of the words known here")
            && told.contains("bed"),
        "{told}"
    );
}

#[test]
fn structures_need_blocks_supports_and_something_free() {
    assert_faults(
        "",
        &["the model has no blocks [add [[block]], [[generate]] or [[import]] tables]"],
    );
    let unheld = sound_but("support = true\n", "");
    assert_faults(
        &format!("[model]\n{unheld}"),
        &[
            "1:1 model: no block is a support, so nothing holds the structure [write `support = true` in the blocks that stand for the ground, or `floating = true` under [model] if it is meant to fly]",
        ],
    );
    assert_faults(&format!("[model]\nfloating = true\n{unheld}"), &[]);
    let history = "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\n";
    let held = sound_but("[[block]]\nmaterial", "[[block]]\nsupport = true\nmaterial");
    assert_faults(&held, &[]);
    assert_faults(
        &format!("{held}{history}"),
        &[
            "model: every block is a support, so nothing can move [leave `support = true` out of the blocks that are free]",
        ],
    );
    let rocking = "[[analysis]]\nname = \"r\"\nkind = \"rocking\"\nhalf_width = 0.3\nhalf_height = 1.0\nduration = 1\n";
    assert_faults(rocking, &[]);
}

#[test]
fn shapes_without_volume_are_refused() {
    let found = faults(
        &sound_but(CUBE, "[0,0,0],[1,0,0],[0,1,0],[1,1,0]"),
        Format::Toml,
    );
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("14:12 block \"b2\".vertices: the block has no volume"),
        "{}",
        found[0]
    );
    let found = faults(&sound_but(CUBE, "[0,0,0],[1,0,0],[0,1,0]"), Format::Toml);
    assert!(
        found[0].starts_with("14:12 block \"b2\".vertices: only 3 vertices"),
        "{}",
        found[0]
    );
    let found = faults(&sound_but(CUBE, &format!("{CUBE},[1,0,1]")), Format::Toml);
    assert_eq!(
        found,
        [
            "14:77 block \"b2\".vertices[8]: vertices 5 and 8 coincide at [1, 0, 1] (distance 0.000e0 m) [keep one of them]"
        ]
    );
}

/// The one fault of the cube with these faces.
fn face_fault(vertices: &str, faces: &str) -> String {
    let text = sound_but(CUBE, vertices) + &format!("faces = [{faces}]\n");
    let found = faults(&text, Format::Toml);
    found.first().cloned().unwrap_or_default()
}

#[test]
fn faces_are_closed_outward_and_plane() {
    assert_eq!(face_fault(CUBE, FACES), "");
    let open = face_fault(CUBE, &FACES.replace(",[1,3,7,5]", ""));
    assert!(open.contains("a face is missing"), "{open}");
    let inverted = face_fault(CUBE, &FACES.replace("[4,5,7,6]", "[6,7,5,4]"));
    assert!(
        inverted.starts_with("15:20 block \"b2\".faces[1]: face 1 is inverted"),
        "{inverted}"
    );
    let reversed: Vec<String> = FACES
        .split("],[")
        .map(|face| {
            let mut corners: Vec<&str> = face.trim_matches(['[', ']']).split(',').collect();
            corners.reverse();
            format!("[{}]", corners.join(","))
        })
        .collect();
    let inside_out = face_fault(CUBE, &reversed.join(","));
    assert!(
        inside_out.starts_with("15:9 block \"b2\".faces: the block is inside out"),
        "{inside_out}"
    );
    let range = face_fault(CUBE, &FACES.replace("[0,2,3,1]", "[0,2,3,9]"));
    assert!(
        range.starts_with("15:10 block \"b2\".faces[0]: face 0 names vertex 9"),
        "{range}"
    );
    let bent = face_fault(&CUBE.replace("[1,1,1]", "[1,1,1.2]"), FACES);
    assert!(bent.contains("is not plane"), "{bent}");
}

#[test]
fn given_masses_are_possible() {
    let with = |more: &str| format!("{}{more}\n", common::SOUND);
    assert_faults(
        &with("mass = 0"),
        &["15:8 block \"b2\".mass: the value is 0 kg, but must be greater than zero"],
    );
    assert_faults(
        &with("centroid = [5, 0.5, 0.5]"),
        &[
            "15:12 block \"b2\".centroid: the centroid [5, 0.5, 0.5] lies outside the block, whose own is at [0.5, 0.5, 0.5] [coordinates are those of the file, not relative to the block]",
        ],
    );
    assert_faults(
        &with("inertia = [1, 1, 1, 2, 0, 0]"),
        &[
            "15:11 block \"b2\".inertia: the inertia tensor is not positive definite [the order is [xx, yy, zz, xy, xz, yz]]",
        ],
    );
    assert_faults(
        &with("inertia = [1, 1, 3, 0, 0, 0]"),
        &[
            "15:11 block \"b2\".inertia: no body has this inertia tensor: one principal moment exceeds the sum of the other two [the order is [xx, yy, zz, xy, xz, yz]]",
        ],
    );
    // A plate without thickness is the limit, and allowed.
    assert_faults(&with("inertia = [1, 1, 2, 0, 0, 0]"), &[]);
}

#[test]
fn blocks_of_planar_models_are_prisms() {
    let leaning = sound_but("[0,1,1],[1,1,1]]", "[0,1.2,1],[1,1.2,1]]");
    assert_faults(&leaning, &[]);
    let found = common::faults(&format!("{leaning}[model]\nplane = \"xz\"\n"), Format::Toml);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("14:12 block \"b2\".vertices: a face with the normal [")
            && found[0].contains("is oblique to the plane xz [blocks of a planar model are prisms"),
        "{found:?}"
    );
}

#[test]
fn planar_models_move_in_their_plane() {
    let planar = |more: &str| format!("{}{more}\n[model]\nplane = \"xz\"\n", common::SOUND);
    assert_faults(
        &planar("velocity = [1, 0, 2]\nangular_velocity = [0, 3, 0]"),
        &[],
    );
    assert_faults(
        &planar("velocity = [1, 0.5, 2]\nangular_velocity = [0.1, 3, 0.2]"),
        &[
            "15:16 block \"b2\".velocity[1]: the component 0.5 lies out of the plane xz of this planar model [make it zero, or leave `plane` out of [model]]",
            "16:21 block \"b2\".angular_velocity[0]: the component 0.1 turns blocks out of the plane xz of this planar model [make it zero, or leave `plane` out of [model]]",
            "16:29 block \"b2\".angular_velocity[2]: the component 0.2 turns blocks out of the plane xz of this planar model [make it zero, or leave `plane` out of [model]]",
        ],
    );
    assert_faults(
        &planar("[[load]]\nblock = \"b2\"\nforce = [0, 1, 0]"),
        &[
            "17:13 load 1.force[1]: the component 1 lies out of the plane xz of this planar model [make it zero, or leave `plane` out of [model]]",
        ],
    );
    let motion = "[[motion]]\nname = \"m\"\nkind = \"one_sine\"\namplitude = 1\nhalf_period = 1\ndirection = [1, 1, 0]";
    assert_faults(
        &planar(motion),
        &[
            "20:17 motion \"m\".direction[1]: the component 1 lies out of the plane xz of this planar model [make it zero, or leave `plane` out of [model]]",
        ],
    );
    // What a program writes for the cosine of a right angle.
    assert_faults(
        &planar(&motion.replace("[1, 1, 0]", "[1, 6.1e-17, 0]")),
        &[],
    );
    let yz =
        planar("velocity = [0, 1, 2]\nangular_velocity = [3, 0, 0]").replace("\"xz\"", "\"yz\"");
    assert_eq!(model(&yz).free, [false, true, true, true, false, false]);
}

#[test]
fn supports_and_loads_fit_together() {
    assert_faults(
        &sound_but("support = true", "support = true\nvelocity = [1, 0, 0]"),
        &[
            "11:12 block \"ground\".velocity: a support follows the ground and has no velocity of its own [a settlement can move it]",
        ],
    );
    assert_faults(
        &sound_and("[[load]]\nblock = \"ground\"\nforce = [0, 0, -1]\n"),
        &[
            "16:9 load 1.block: the block \"ground\" is a support, on which a force does nothing [name a block that can move]",
        ],
    );
    assert_faults(
        &sound_and("[[load]]\nblock = \"b2\"\nforce = [0, 0, -1]\npoint = [500, 500, 1000]\n"),
        &[
            "18:9 load 1.point: the point is 1223.112 m outside of the block \"b2\", which is 1 m long or high; its nearest point is [1, 1, 1] [coordinates are in metres and those of the file, not relative to the block; name the block that the point belongs to]",
        ],
    );
}

#[test]
fn motions_have_sensible_values() {
    let motion = |keys: &str| sound_and(&format!("[[motion]]\nname = \"m\"\n{keys}\n"));
    assert_faults(
        &motion("kind = \"biphasic\"\namplitude = 1\nhalf_period = 0\ndirection = [0, 0, 0]"),
        &[
            "19:15 motion \"m\".half_period: the value is 0 s, but must be greater than zero",
            "20:13 motion \"m\".direction: the direction has no length [e.g. [1, 0, 0]]",
        ],
    );
    assert_faults(
        &motion("kind = \"sine\"\nfrequency = 1\nduration = 1"),
        &[
            "15:1 motion \"m\": either `amplitude` or `displacement_amplitude` is needed, but none is given [`amplitude` is an acceleration, m/s²; `displacement_amplitude` is in m]",
        ],
    );
    let found = faults(
        &motion(
            "kind = \"sine\"\nfrequency = 1\nduration = 1\namplitude = 1\ndisplacement_amplitude = 1",
        ),
        Format::Toml,
    );
    assert!(found[0].contains("both are given"), "{found:?}");
    let found = faults(
        &motion("kind = \"record\"\npath = \"nowhere.csv\""),
        Format::Toml,
    );
    assert_eq!(found.len(), 1);
    assert!(
        found[0].starts_with("18:8 motion \"m\".path: the file nowhere.csv cannot be read: "),
        "{found:?}"
    );
    assert_faults(
        &motion("kind = \"record\""),
        &[
            "15:1 motion \"m\": a record needs a file [write `path = \"...\"`, or `components = [{ path = \"...\", direction = [1, 0, 0] }, ...]`]",
        ],
    );
    // The model file itself does for a file that is there.
    let component = "{ path = \"Cargo.toml\", direction = [1, 0, 0] }";
    assert_faults(
        &motion(&format!(
            "kind = \"record\"\ncomponents = [{component}, {component}]\npga = 3\nscale = 2"
        )),
        &[
            "19:7 motion \"m\".pga: both `scale` and `pga` are given [leave one of them out]",
            "19:7 motion \"m\".pga: which component is to have this acceleration? [write `pga`, `sa` or `scale` in each component, or one `scale` for all]",
        ],
    );
    let found = faults(
        &motion(&format!(
            "kind = \"record\"\ncomponents = [{component}, {component}, {component}, {component}]"
        )),
        Format::Toml,
    );
    assert!(
        found[0].contains("at most 3 components, but 4 are given"),
        "{found:?}"
    );
}

#[test]
fn settlements_move_supports() {
    let settlement = |keys: &str| {
        sound_and(&format!(
            "[[motion]]\nname = \"m\"\nkind = \"settlement\"\n{keys}\n"
        ))
    };
    assert_faults(
        &settlement("duration = 1\ndisplacement = [0, 0, -0.1]\nsupports = [\"ground\"]"),
        &[],
    );
    assert_faults(
        &settlement("duration = 1"),
        &["15:1 motion \"m\": a settlement needs `displacement` or `rotation`"],
    );
    assert_faults(
        &settlement("duration = 1\nrotation = [0, 0.1, 0]\nsupports = [\"b2\", \"grund\"]"),
        &[
            "20:12 motion \"m\".supports: no support moves [name at least one block with `support = true`]",
            "20:13 motion \"m\".supports[0]: the block \"b2\" is not a support [write `support = true` in it]",
            "20:19 motion \"m\".supports[1]: there is no block \"grund\" [did you mean \"ground\"?]",
        ],
    );
}

#[test]
fn time_histories_have_sensible_settings() {
    let history = |keys: &str| {
        sound_and(&format!(
            "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\n{keys}\n"
        ))
    };
    assert_faults(
        &history("duration = 1\nscheme = \"euler\"\nadaptive = { tolerance = 0, smallest = 1e-3 }"),
        &[
            "20:12 analysis \"a\".adaptive: the scheme euler has no estimate of its error for steps to adapt to [`scheme = \"leapfrog\"` has one]",
            "20:26 analysis \"a\".adaptive.tolerance: the value is 0 m, but must be greater than zero",
        ],
    );
    assert_faults(
        &history(
            "duration = 1\nscheme = \"leapfrog\"\ndt = 0.01\noutput_every = 4e-5\nadaptive = { smallest = 1e-4 }",
        ),
        &[
            "20:6 analysis \"a\".dt: the first step is 0.01 s, but adaptive steps are from 0.0001 to 0.005 s [choose `dt` between them, or leave it out]",
            "21:16 analysis \"a\".output_every: the interval 0.00004 s is shorter than the time step 0.0001 s",
        ],
    );
    assert_faults(
        &history(
            "duration = 1\nscheme = \"leapfrog\"\nadaptive = { smallest = 1e-2, biggest = 3 }",
        ),
        &[
            "20:31 analysis \"a\".adaptive: unknown key `biggest` [known keys: tolerance, smallest, largest]",
        ],
    );
    assert_faults(
        &history("duration = 1\nscheme = \"leapfrog\"\nadaptive = { smallest = 1e-2 }"),
        &[
            "20:12 analysis \"a\".adaptive: the smallest step, 0.01 s, is longer than the largest, 0.005 s",
        ],
    );
    assert_faults(
        &history(
            "duration = 1\ndt = 0.01\noutput_every = 0.001\nforces_every = 0\ncollapse_drop = 20\nrotation_iterations = 0",
        ),
        &[
            "20:16 analysis \"a\".output_every: the interval 0.001 s is shorter than the time step 0.01 s",
            "21:16 analysis \"a\".forces_every: the value is 0 s, but must be greater than zero",
            "22:17 analysis \"a\".collapse_drop: the value is 20, but must be at most 1 [0.2 means that a fifth of the potential energy is lost]",
            "23:23 analysis \"a\".rotation_iterations: the value is 0, but must be from 1 to 100 [1 is normally enough]",
        ],
    );
    assert_faults(
        &history("duration = 1\nsettle = -1\ncollapse = \"partial\""),
        &[
            "20:12 analysis \"a\".collapse: \"partial\" is not one of the words known here [one of: global, local, either]",
        ],
    );
    assert_faults(
        &history("duration = 1\nsettle = -1"),
        &["19:10 analysis \"a\".settle: the value is -1 s, but must not be negative"],
    );
    assert_faults(
        &history("duration = 1\nsettle = 1e7"),
        &[
            "19:10 analysis \"a\".settle: with steps of 0.001 s following the structure for 10000000 s more takes 1e10 of them [choose `settle` so that there are at most 1e9]",
        ],
    );
    assert_faults(
        &history("duration = 1\ndt = 2"),
        &["19:6 analysis \"a\".dt: the time step 2 s is longer than the duration 1 s"],
    );
    assert_faults(
        &history("duration = 1\ndt = 1e-12"),
        &[
            "19:6 analysis \"a\".dt: with steps of 0.000000000001 s the duration of 1 s takes 1e12 of them [choose `dt` so that there are at most 1e9]",
        ],
    );
    assert_faults(
        &history(
            "duration = 1\nmonitors = [{ block = \"b2\" }, { block = \"b2\" }, { name = \"x\", block = \"b9\" }, { block = \"ground\" }]",
        ),
        &[
            "19:41 analysis \"a\".monitors[1].block: a monitor named \"b2\" is there already [names must be unique within the analysis]",
            "19:71 analysis \"a\".monitors[2].block: there is no block \"b9\" [did you mean \"b2\"?]",
            "19:89 analysis \"a\".monitors[3].block: the name \"ground\" is that of the ground's own columns in the results [choose another name]",
        ],
    );
    assert_faults(
        &history(
            "duration = 1\nmotion = \"m\"\nmotions = [\"m\"]\n[[motion]]\nname = \"m\"\nkind = \"rectangular\"\namplitude = 1\nhalf_period = 1",
        ),
        &[
            "19:10 analysis \"a\".motion: both `motion` and `motions` are given [leave one of them out]",
        ],
    );
}

#[test]
fn rocking_blocks_have_sensible_settings() {
    let rocking = |keys: &str| {
        sound_and(&format!(
            "[[analysis]]\nname = \"r\"\nkind = \"rocking\"\nduration = 1\n{keys}\n"
        ))
    };
    assert_faults(
        &rocking("half_width = 1"),
        &[
            "15:1 analysis \"r\": the block is given either by `block` or by both `half_width` and `half_height` [e.g. half_width = 0.3, half_height = 1.0]",
        ],
    );
    assert_faults(
        &rocking("block = \"b2\"\ninitial_angle = 15\nrestitution = 1.5\ndirection = [1, 0, 1]"),
        &[
            "20:17 analysis \"r\".initial_angle: the angle is 15 rad, but must be less than a right angle [angles are in radians: 15 degrees are 0.2618]",
            "21:15 analysis \"r\".restitution: the value is 1.5, but must be from 0 to 1 [an impact cannot speed a block up; leave it out for Housner's value]",
            "22:20 analysis \"r\".direction[2]: a block rocks along a horizontal direction [make the third number zero]",
        ],
    );
    let settlement = "block = \"b2\"\nmotion = \"s\"\n[[motion]]\nname = \"s\"\nkind = \"settlement\"\nduration = 1\ndisplacement = [0, 0, -1]";
    let often = faults(
        &rocking("half_width = 0.3\nhalf_height = 1\noutput_every = 1e-9"),
        Format::Toml,
    );
    assert!(often[0].contains("has 1e9 outputs"), "{often:?}");
    let endless = "half_width = 0.3\nhalf_height = 1\noutput_every = 1e-9";
    let endless = rocking(endless).replace("duration = 1\n", "duration = 1e305\n");
    assert!(faults(&endless, Format::Toml)[0].contains("has inf outputs"));
    let found = faults(&rocking(settlement), Format::Toml);
    assert!(
        found[0].contains("is a settlement, which the rocking equation does not know"),
        "{found:?}"
    );
}

#[test]
fn faults_are_printed_in_the_manner_of_compilers() {
    let text = sound_but("density = 2000.0", "denisty = 2000.0");
    let path = std::path::Path::new("walls/m.toml");
    let printed = compile_text(&text, Format::Toml, path)
        .unwrap_err()
        .to_string();
    let expected = r#"error: material "stone": the key `density` is missing
 --> walls/m.toml:1:1
  |
1 | [[material]]
  | ^^^^^^^^^^^^

error: material "stone": unknown key `denisty`
 --> walls/m.toml:3:1
  |
3 | denisty = 2000.0
  | ^^^^^^^
  = help: did you mean "density"?"#;
    assert_eq!(printed, expected);
}

#[test]
fn of_very_many_faults_fifty_are_printed_and_all_are_counted() {
    let blocks: Vec<String> = (0..3000)
        .map(|_| "{\"material\": \"x\", \"vertices\": []}".to_owned())
        .collect();
    let text = format!("{{\"block\": [{}]}}", blocks.join(","));
    let faults = from_json(&text).unwrap_err();
    // Material and shape of every block, and no support.
    assert_eq!(faults.len(), 6001);
    let printed = faults.to_string();
    assert_eq!(printed.matches("error: ").count(), 50);
    assert!(
        printed.ends_with("... and 5951 more"),
        "{}",
        &printed[printed.len() - 100..]
    );
    assert!(printed.lines().all(|line| line.chars().count() < 250));
}
