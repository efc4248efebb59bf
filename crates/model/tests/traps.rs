//! What is legal in a file and does something else than its author thinks: refused, or noted by whoever reads the model.

mod common;

use std::path::Path;

use common::{assert_faults, sound_and};
use drystone_model::{AnalysisKind, Case, Format, VaryValue};

fn notes(more: &str) -> Vec<String> {
    let case = Case::of_text(&sound_and(more), Format::Toml, Path::new("m.toml"));
    let case = case.unwrap_or_else(|faults| panic!("{faults}"));
    case.notes().to_vec()
}

fn interface(between: &str, friction: &str) -> String {
    format!("[[interface]]\nbetween = {between}\nfriction = {friction}\n")
}

/// The first interface of the model is that of any two materials.
#[test]
fn an_interface_that_a_later_one_hides_is_noted() {
    let special = interface("[\"stone\", \"stone\"]", "0.4");
    assert_eq!(notes(&special), [""; 0]);
    let general = interface("[\"*\", \"stone\"]", "0.7");
    let found = notes(&format!("{special}{general}"));
    assert_eq!(
        found,
        [
            "interface 2 (\"stone\" with \"stone\") never applies: the later interface 3 (\"*\" with \"stone\") overrides it, \
          since the last one that matches holds; write interface 3 first, and this one after it"
        ]
    );
    let twice = notes(&interface("[\"*\", \"*\"]", "0.4"));
    assert!(
        twice.len() == 1 && twice[0].ends_with("write it only once"),
        "{twice:?}"
    );
    // The same law again changes nothing.
    assert_eq!(notes(&interface("[\"*\", \"*\"]", "0.6")), [""; 0]);
}

/// One law of all joints with a strength, then one of bed joints that does not repeat it: `b2` stands on its base by a bed joint alone.
#[test]
fn a_law_that_bed_joints_hide_is_noted() {
    let strong =
        "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\ncompressive_strength = 1e6\n";
    let bed = "[[interface]]\nbetween = [\"stone\", \"*\"]\njoints = \"bed\"\nfriction = 0.5\n";
    let crushing = "[[analysis]]\nname = \"e\"\nkind = \"equilibrium\"\n";
    let planar = |more: &str| {
        let text = format!("[model]\nplane = \"xz\"\n{}", sound_and(more));
        let case = Case::of_text(&text, Format::Toml, Path::new("m.toml"));
        let case = case.unwrap_or_else(|faults| panic!("{faults}"));
        let notes = case.notes().iter();
        let notes = notes.filter(|note| note.contains("overrides it, as a whole"));
        notes.cloned().collect::<Vec<_>>()
    };
    let found = planar(&format!("{strong}{bed}{crushing}"));
    assert!(
        found.iter().any(|note| note.starts_with(
            "friction and compressive_strength of interface 2 (\"*\" with \"*\") hold in no joint"
        ) && note
            .contains("interface 3 (\"stone\" with \"*\" in bed joints)")),
        "{found:?}"
    );
    // Repeated there, nothing is lost but friction; with that too, nothing at all.
    let same = bed.replace("0.5", "0.6\ncompressive_strength = 1e6");
    let found = planar(&format!("{strong}{same}{crushing}"));
    assert!(
        found.iter().all(|note| !note.contains("interface 2")),
        "{found:?}"
    );
    // A block beside it gives the law of all joints a head joint to hold in, and beds still do not crush.
    let beside = "[[block]]\nname = \"beside\"\nmaterial = \"stone\"\nvertices = [[1,0,0],[2,0,0],[1,1,0],[2,1,0],[1,0,1],[2,0,1],[1,1,1],[2,1,1]]\n";
    let found = planar(&format!("{strong}{bed}{crushing}{beside}"));
    assert!(
        found.iter().any(|note| note.starts_with(
            "compressive_strength of interface 2 (\"*\" with \"*\") does not hold where interface 3"
        )),
        "{found:?}"
    );
    let found = planar(&format!("{strong}{same}{crushing}{beside}"));
    assert_eq!(found, [""; 0]);
}

fn load(point: &str) -> String {
    format!("[[load]]\nblock = \"b2\"\nforce = [0, 0, -1000]\npoint = {point}\n")
}

/// The block is the unit cube above the origin.
#[test]
fn a_load_far_from_its_block_is_refused_and_one_beside_it_is_noted() {
    for near in ["[0.5, 0.5, 1]", "[0.2, 0.9, 0.1]", "[1.05, 0.5, \"50 cm\"]"] {
        assert_eq!(notes(&load(near)), [""; 0], "{near}");
    }
    assert_eq!(
        notes(&load("[1.5, 0.5, 0.25]")),
        [
            "load 1.point: the load acts 0.5 m outside of the block \"b2\", as if an arm held it there; its nearest point is [1, 0.5, 0.25]"
        ]
    );
    assert_faults(
        &sound_and(&load("[-2, 0.5, 3]")),
        &[
            "18:9 load 1.point: the point is 2.8284 m outside of the block \"b2\", which is 1 m long or high; its nearest point is [0, 0.5, 1] \
           [coordinates are in metres and those of the file, not relative to the block; name the block that the point belongs to]",
        ],
    );
}

#[test]
fn a_tie_that_ends_far_from_its_block_is_refused_and_an_anchor_plate_is_not() {
    let tie = |end: &str| {
        format!(
            "[[tie]]\nblocks = [\"ground\", \"b2\"]\npoints = [[0, 0.5, 0], {end}]\nstiffness = 1e6\nyield = 1e4\n"
        )
    };
    assert_eq!(notes(&tie("[1, 0.5, 0.9]")), [""; 0]);
    // A plate of five centimetres.
    assert_eq!(notes(&tie("[1.05, 0.5, 0.9]")), [""; 0]);
    let found = notes(&tie("[1.4, 0.5, 0.9]"));
    assert!(
        found.len() == 1
            && found[0].starts_with(
                "tie 1.points[1]: the tie \"tie1\" acts 0.4 m outside of the block \"b2\""
            ),
        "{found:?}"
    );
    assert_faults(
        &sound_and(&tie("[31, 0.5, 0.5]")),
        &[
            "17:24 tie 1.points[1]: the point is 30 m outside of the block \"b2\", which is 1 m long or high; its nearest point is [1, 0.5, 0.5] \
           [coordinates are in metres and those of the file, not relative to the block; name the block that the point belongs to]",
        ],
    );
}

/// A support may stand for ground that is not drawn.
#[test]
fn a_tie_that_ends_far_from_its_support_is_noted() {
    let found = notes(
        "[[tie]]\nblocks = [\"ground\", \"b2\"]\npoints = [[-8, 0.5, 0], [0, 0.5, 0.9]]\nstiffness = 1e6\nyield = 1e4\n",
    );
    assert!(
        found.len() == 1 && found[0].contains("8 m outside of the block \"ground\""),
        "{found:?}"
    );
}

/// The ground holds whatever is fastened to it, wherever that is.
#[test]
fn an_end_in_the_ground_may_be_anywhere() {
    let text = "[[tie]]\nblocks = [\"b2\", \"ground\"]\npoints = [[1, 0.5, 0.9], [40, 0.5, 0]]\nstiffness = 1e6\nyield = 1e4\n";
    let text = sound_and(text).replace("\"ground\"\nmaterial", "\"base\"\nmaterial");
    let case = Case::of_text(&text, Format::Toml, Path::new("m.toml"));
    assert_eq!(case.unwrap().notes(), [""; 0]);
}

#[test]
fn blocks_that_touch_nothing_are_noted() {
    let found = notes(
        "[[block]]\nname = \"bird\"\nmaterial = \"stone\"\nvertices = [[5,0,5],[6,0,5],[5,1,5],[5,0,6]]\n",
    );
    assert_eq!(
        found,
        ["1 block touches neither a support nor anything that rests on one: \"bird\""]
    );
}

#[test]
fn live_loads_that_nothing_multiplies_are_noted_and_those_that_are_missing_refused() {
    let live = "[[load]]\nblock = \"b2\"\nforce = [0, 0, -1]\nlive = true\n";
    let analysis =
        |kind: &str, keys: &str| format!("[[analysis]]\nname = \"a\"\nkind = \"{kind}\"\n{keys}\n");
    // A file without analyses asks nothing yet.
    assert_eq!(notes(live), [""; 0]);
    for acting in [
        analysis("limit", "loads = \"live\""),
        analysis("equilibrium", "multiplier = 1.0"),
        analysis("time_history", "duration = 1.0"),
    ] {
        assert_eq!(notes(&format!("{live}{acting}")), [""; 0], "{acting}");
    }
    for idle in [
        analysis("limit", "direction = [1, 0, 0]"),
        analysis("equilibrium", ""),
    ] {
        let found = notes(&format!("{live}{idle}"));
        assert!(
            found.len() == 1 && found[0].starts_with("the live loads act in no analysis"),
            "{found:?}"
        );
    }
    assert_faults(
        &sound_and(&analysis(
            "equilibrium",
            "direction = [1, 0, 0]\nmultiplier = 0.1\nloads = \"live\"",
        )),
        &[
            "20:9 analysis \"a\".loads: the model has no live loads [write `live = true` in the [[load]] to be multiplied, or leave `loads` out]",
        ],
    );
}

/// The block stands on the ground by one joint, at z = 0; supports at both sides of the plane do not push each other.
#[test]
fn a_plane_that_cuts_no_joint_is_refused() {
    for kind in ["equilibrium", "limit\"\nloads = \"live"] {
        let asked = |cut: &str| {
            sound_and(&format!(
                "[[load]]\nblock = \"b2\"\nforce = [10, 0, 0]\nlive = true\n[[analysis]]\nname = \"a\"\nkind = \"{kind}\"\ncuts = [{cut}]\n"
            ))
        };
        let good = "{ point = [0, 0, 0.2], normal = [0, 0, 1] }";
        let case = Case::of_text(&asked(good), Format::Toml, Path::new("m.toml"));
        assert!(case.is_ok(), "{case:?}");
        let bad = asked(&format!(
            "{good}, {{ point = [0, 0, 0.6], normal = [0, 0, 1] }}"
        ));
        let faults = Case::of_text(&bad, Format::Toml, Path::new("m.toml")).unwrap_err();
        let text = faults.to_string();
        assert!(
            text.contains("analysis \"a\".cuts[1]: the plane cuts no joint"),
            "{text}"
        );
    }
}

/// A unit of something else than the key is refused.
#[test]
fn values_of_campaigns_have_the_units_of_their_keys() {
    let swept = |values: &str| {
        sound_and(&format!(
            "[[motion]]\nname = \"p\"\nkind = \"one_sine\"\namplitude = 3.0\nhalf_period = 0.2\n\
             [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"p\"\nduration = 1.0\n\
             [[analysis]]\nname = \"sweep\"\nkind = \"sweep\"\nof = \"shake\"\nvary = [{{ key = \"motion.p.amplitude\", values = {values} }}]\n"
        ))
    };
    let read = |values: &str| Case::of_text(&swept(values), Format::Toml, Path::new("m.toml"));
    let case = read("[\"0.2 g\", 2.5, \"300 cm/s²\"]").unwrap_or_else(|faults| panic!("{faults}"));
    let AnalysisKind::Campaign(campaign) = &case.model().analyses[1].kind else {
        panic!("a campaign");
    };
    let values = campaign.vary[0].points.values();
    assert_eq!(values, [1.96133, 2.5, 3.0].map(VaryValue::Number));
    let told = read("[\"0.2 kN\"]").unwrap_err().to_string();
    assert!(
        told.contains(
            "\"motion.p.amplitude\" leads to 3.0, in whose place \"0.2 kN\" cannot stand: "
        ) && told.contains("is a force, not an acceleration"),
        "{told}"
    );
}
