//! Answers in their folders: what is kept, what is refused, and what is not written.

use std::fs;
use std::path::Path;

use drystone_model::{Case, Model, from_toml};
use drystone_questions::answer::Answer;
use drystone_questions::{AskFault, Control, Hooks};
use drystone_results::{ExecuteError, Existing, execute};
use serde_json::Value;

/// A block of 1 x 1 x 2 m on the ground, pushed in two ways.
fn model(friction: f64, more: &str) -> Model {
    let cuboid = |name: &str, reach: f64, low: f64, high: f64| {
        let corner = |k: usize| {
            let side = |bit: usize| if k >> bit & 1 == 0 { -reach } else { reach };
            [side(0), side(1), if k >> 2 == 0 { low } else { high }]
        };
        let corners: Vec<[f64; 3]> = (0..8).map(corner).collect();
        let support = low < 0.0;
        format!(
            "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nsupport = {support}\nvertices = {corners:?}\n"
        )
    };
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {friction:e}\n\
         {}{}[[analysis]]\nname = \"limit\"\nkind = \"limit\"\ndirection = [1, 0, 0]\n\
         [[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = {{ block = \"stone\" }}\n{more}",
        cuboid("ground", 4.0, -1.0, 0.0),
        cuboid("stone", 0.5, 0.0, 2.0),
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn case(model: &Model) -> Case {
    Case::of_model(model.clone()).unwrap_or_else(|faults| panic!("{faults}"))
}

fn ask(model: &Model, index: usize, folder: &Path, existing: Existing) -> Result<Answer, String> {
    let analysis = &model.analyses[index];
    execute(&case(model), analysis, folder, existing, &mut ()).map_err(|error| error.to_string())
}

/// A friction of 1e12 is more than the limit program can tell from numbers of the order of one.
#[test]
fn what_failed_has_failed_after_resuming_too() {
    let model = model(1e12, "");
    for index in 0..2 {
        let folder = tempfile::tempdir().unwrap();
        let first = ask(&model, index, folder.path(), Existing::Refuse).unwrap();
        let why = first
            .failure
            .expect("the test needs an analysis that fails");
        assert_eq!(first.summary["failure"], why);
        let again = ask(&model, index, folder.path(), Existing::Resume).unwrap();
        assert_eq!(again.failure, Some(why));
        assert_eq!(again.summary, first.summary);
    }
}

#[test]
fn results_of_other_numerics_are_not_resumed() {
    let model = model(0.7, "");
    let folder = tempfile::tempdir().unwrap();
    let first = ask(&model, 0, folder.path(), Existing::Refuse).unwrap();
    assert_eq!(first.failure, None);
    let path = folder.path().join("summary.json");
    for (key, value) in [
        ("version", Value::from("0.0.1")),
        ("revision", Value::from(drystone_questions::REVISION - 1)),
        ("revision", Value::Null),
    ] {
        let mut summary = first.summary.clone();
        summary[key] = value;
        fs::write(&path, summary.to_string()).unwrap();
        let refused = ask(&model, 0, folder.path(), Existing::Resume).unwrap_err();
        assert!(refused.contains("another version"), "{refused}");
        assert!(refused.contains("overwrite the results"), "{refused}");
    }
}

#[test]
fn what_else_is_asked_leaves_results_valid() {
    let folder = tempfile::tempdir().unwrap();
    let first = ask(&model(0.7, ""), 0, folder.path(), Existing::Refuse).unwrap();
    let more = "[[analysis]]\nname = \"rest\"\nkind = \"equilibrium\"\n";
    let again = ask(&model(0.7, more), 0, folder.path(), Existing::Resume).unwrap();
    assert!(again.headline.contains("complete already"));
    assert_eq!(again.summary, first.summary);
    let refused = ask(&model(0.6, ""), 0, folder.path(), Existing::Resume).unwrap_err();
    assert!(refused.contains("another model"), "{refused}");
}

/// Somebody went away while the answer was being found.
struct Gone;

impl Hooks for Gone {
    fn begin(&mut self, _total: u64, _done: u64) {}

    fn advanced(&mut self, _done: u64, _message: &mut dyn FnMut() -> String) -> Control {
        Control::Continue
    }

    fn answered(&mut self) -> Control {
        Control::Stop
    }
}

#[test]
fn what_nobody_wants_is_not_written() {
    let rest = "[[analysis]]\nname = \"rest\"\nkind = \"equilibrium\"\n\
                [[analysis]]\nname = \"rock\"\nkind = \"rocking\"\nblock = \"stone\"\nduration = 1\n\
                [[analysis]]\nname = \"code\"\nkind = \"assessment\"\ncode = \"ntc2018\"\nsite = { soil = \"A\" }\n\
                life_safety = { ag = 2.0, f0 = 2.4, tc_star = 0.35 }\n\
                capacity = { alpha_0 = 0.1, alpha_y = 0.09, d_y = 0.01, d_0 = 0.5, participation = 0.8, gamma = 0.7 }\n";
    let model = model(0.7, rest);
    for analysis in &model.analyses {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().join(&analysis.name);
        let told = execute(&case(&model), analysis, &place, Existing::Refuse, &mut Gone);
        let unwanted = matches!(told, Err(ExecuteError::Question(AskFault::Unwanted)));
        assert!(unwanted, "{told:?}");
        assert_eq!(fs::read_dir(&place).unwrap().count(), 0);
    }
}
