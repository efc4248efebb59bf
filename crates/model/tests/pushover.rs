//! Pushovers: what they mean, and what is said of those that make no sense.

mod common;

use common::{assert_faults, model, sound_and};
use drystone_geometry::DVec3;
use drystone_model::{AnalysisKind, Joints, Pattern, Pushover};

fn analysis(text: &str) -> String {
    sound_and(&format!(
        "[[analysis]]\nname = \"a\"\nkind = \"pushover\"\n{text}\n"
    ))
}

fn settings(text: &str) -> Pushover {
    match &model(&analysis(text)).analyses[0].kind {
        AnalysisKind::Pushover(settings) => settings.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_not_said_has_a_default() {
    let plain = settings("direction = [2, 0, 0]");
    assert_eq!(plain.growing.body, Some(DVec3::X));
    assert!(!plain.growing.live && plain.controls.is_empty());
    assert_eq!(
        (plain.pattern, plain.joints),
        (Pattern::Weight, Joints::Rigid)
    );
    assert_eq!((plain.step, plain.max_displacement), (None, None));
    assert_eq!(plain.increments, 50);
}

#[test]
fn control_points_are_arms_from_centroids() {
    let one = settings(
        "direction = [1, 0, 0]\npattern = \"height\"\ncontrol = { block = \"b2\", point = [1, 0.5, 1] }",
    );
    assert_eq!(one.pattern, Pattern::Height);
    assert_eq!(one.controls[0].arm, DVec3::new(0.5, 0.0, 0.5));
    let two =
        settings("direction = [1, 0, 0]\ncontrols = [{ block = \"b2\" }, { block = \"b2\" }]");
    assert_eq!(two.controls.len(), 2);
    assert_eq!(two.controls[0].arm, DVec3::ZERO);
}

#[test]
fn questions_without_sense_are_refused() {
    assert_faults(
        &analysis("step = 0.01"),
        &[
            "15:1 analysis \"a\": a pushover needs `direction`, `loads` or both [by `direction`, by `loads = \"live\"`, or by both]",
        ],
    );
    assert_faults(
        &analysis("direction = [1, 0, 0]\nstep = -1.0\nincrements = 1"),
        &[
            "19:8 analysis \"a\".step: the value is -1 m, but must be greater than zero",
            "20:14 analysis \"a\".increments: the value is 1, but must be from 2 to 10000 [50 are usual]",
        ],
    );
    assert_faults(
        &analysis("direction = [1, 0, 0]\ncontrol = { block = \"ground\" }"),
        &[
            "19:21 analysis \"a\".control.block: the block \"ground\" is a support, which does not move [name a block that can move]",
        ],
    );
    assert_faults(
        &analysis("loads = \"live\"\npattern = \"height\""),
        &[
            "18:9 analysis \"a\".loads: the model has no live loads [write `live = true` in the [[load]] to be multiplied]",
            "19:11 analysis \"a\".pattern: `pattern` distributes a body force, but `direction` is missing [write `direction`, or leave it out]",
        ],
    );
}
