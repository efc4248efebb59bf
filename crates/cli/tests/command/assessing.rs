//! Assessments and comparisons through the command.

use crate::kit::{Desk, history, stone_on_ground};

const CODE: &str = r#"
[[analysis]]
name = "code"
kind = "assessment"
code = "ntc2018"
site = { soil = "B", soil_factor = 1.2 }
damage = { ag = 1.02024, f0 = 2.332, tc_star = 0.281 }
life_safety = { ag = 2.56041, f0 = 2.364, tc_star = 0.347 }
scaling = "demand"
capacity = { alpha_0 = 0.088, alpha_y = 0.080, d_y = 0.019, d_0 = 0.471, participation = 0.79, gamma = 0.67, period_life_safety = 2.52 }
"#;

#[test]
fn an_assessment_is_told_step_by_step() {
    let desk = Desk::with("m.toml", &(stone_on_ground() + CODE));
    let call = desk.call(&["assess", "m.toml", "--out", "out"]).ended(0);
    for word in [
        "zeta_E",
        "**0.661**",
        "**0.658**",
        "NTC 2018",
        "T_LSLS",
        "C8.7.1.2",
    ] {
        assert!(call.out.contains(word), "no {word} in\n{}", call.out);
    }
    let summary = desk.summary("out/code");
    assert_eq!(summary["status"], "not_verified");
    let index = summary["index"].as_f64().unwrap();
    assert!((index - 0.527).abs() < 1e-3, "{index}");
    assert!(
        desk.read("out/code/spectra.csv")
            .starts_with(b"curve,period,displacement,acceleration\n")
    );
    let page = String::from_utf8(desk.read("out/code/report.html")).unwrap();
    assert!(page.contains("Capacity and demand") && page.contains("polyline"));
    // Nothing is overwritten unless asked.
    desk.call(&["assess", "m.toml", "--out", "out"])
        .ended(2)
        .says(&["already holds results"]);
    desk.call(&["assess", "m.toml", "--out", "out", "--overwrite"])
        .ended(0);
    desk.write("none.toml", &stone_on_ground());
    desk.call(&["assess", "none.toml"])
        .ended(2)
        .says(&["no analysis of kind assessment"]);
}

/// An onset from anywhere, no structure, no displacements: both limit states by forces, as in table 3 of PGCL.
#[test]
fn an_onset_alone_is_assessed_by_forces() {
    let head = CODE.split_once("capacity").unwrap().0;
    let text = format!("{head}capacity = {{ alpha_0 = 0.088, participation = 0.79 }}\n");
    let desk = Desk::with("m.toml", &text);
    let call = desk.call(&["assess", "m.toml", "--out", "out"]).ended(0);
    for word in [
        "**0.661**",
        "**0.527**",
        "d_0` at which",
        "no elastic branch is known",
    ] {
        assert!(call.out.contains(word), "no {word} in\n{}", call.out);
    }
    assert!(!call.out.contains("Gamma"), "{}", call.out);
    let summary = desk.summary("out/code");
    assert_eq!(summary["checks"].as_array().unwrap().len(), 2);
    assert!(summary["d_0"].is_null() && summary["gamma"].is_null());
    // There is nothing to show in space, and what is not verified is not green.
    let page = String::from_utf8(desk.read("out/code/report.html")).unwrap();
    assert!(page.contains("polyline") && !page.contains("id=\"viewer\""));
    assert!(page.contains("class=\"verdict not_verified\""));
}

#[test]
fn models_and_results_stand_side_by_side() {
    let limit = "\n[[analysis]]\nname = \"push\"\nkind = \"limit\"\ndirection = [1, 0, 0]\n";
    let tie = "\n[[tie]]\nname = \"rod\"\nblocks = [\"stone\", \"ground\"]\npoints = [[0.2, 0, 1], [-2, 0, 1]]\nstiffness = 1e6\nyield = 500.0\n";
    let desk = Desk::with("plain.toml", &(stone_on_ground() + limit + CODE));
    desk.write("tied.toml", &(stone_on_ground() + tie + limit + CODE));
    let call = desk.call(&["compare", "plain.toml", "tied.toml"]).ended(0);
    assert!(
        call.out.contains("| push | multiplier | 0.4 | "),
        "{}",
        call.out
    );
    for ending in ["md", "csv", "html"] {
        assert!(desk.path(&format!("comparison.{ending}")).exists());
    }
    // Folders of results do as well, and give the same table.
    let again = [
        "compare",
        "results/plain",
        "results/tied",
        "--out",
        "again.md",
    ];
    assert_eq!(desk.call(&again).ended(0).out, call.out);
    desk.call(&again)
        .ended(2)
        .says(&["again.md", "--overwrite"]);
    desk.call(&["compare", "nothing.toml", "--out", "other.md"])
        .ended(2)
        .says(&["nothing.toml"]);
}

/// A friction of 1e12 is more than the limit program can tell from numbers of the order of one.
#[test]
fn comparisons_say_what_has_no_answer() {
    let limit = "\n[[analysis]]\nname = \"push\"\nkind = \"limit\"\ndirection = [1, 0, 0]\n";
    let plain = stone_on_ground() + limit;
    let desk = Desk::with("plain.toml", &plain);
    desk.write(
        "rough.toml",
        &plain.replace("friction = 0.6", "friction = 1e12"),
    );
    // Failing again, from what is there, is no better.
    for out in ["first.md", "again.md"] {
        let call = desk
            .call(&["compare", "plain.toml", "rough.toml", "--out", out])
            .ended(3)
            .says(&["without an answer: rough: push"]);
        let row = call
            .out
            .lines()
            .find(|line| line.contains("| multiplier |"));
        assert!(
            row.is_some_and(|row| row.contains("| 0.4 |  |")),
            "{}",
            call.out
        );
        assert!(
            call.out.contains("failed: the solver missed"),
            "{}",
            call.out
        );
        assert!(desk.path(out).exists());
    }
    desk.call(&["compare", "results/rough", "--out", "folder.md"])
        .ended(3)
        .says(&["without an answer: rough: push"]);
    desk.call(&["run", "rough.toml", "--out", "results/rough", "--resume"])
        .ended(3)
        .says(&["the computation failed: push"]);
}

/// An assessment ends where its pushover does.
#[test]
fn an_assessment_of_a_pushover_that_failed_is_a_failure() {
    let push = "\n[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = { block = \"stone\" }\n";
    let (head, _) = CODE.split_once("capacity").unwrap();
    let text = stone_on_ground() + push + head + "pushover = \"push\"\n";
    let desk = Desk::with("m.toml", &text.replace("friction = 0.6", "friction = 1e12"));
    for _ in 0..2 {
        desk.call(&["assess", "m.toml", "--out", "out"])
            .ended(3)
            .says(&["push: the solver missed its tolerance"]);
    }
}

#[test]
fn ties_of_a_time_history_have_a_table() {
    let tie = "\n[[tie]]\nname = \"rod\"\nblocks = [\"stone\", \"ground\"]\npoints = [[-0.2, 0, 1], [-2, 0, 1]]\nstiffness = 1e6\nyield = 500.0\ninitial_force = 100.0\n";
    let desk = Desk::with("m.toml", &(stone_on_ground() + tie + &history("rest", "")));
    desk.call(&["run", "m.toml", "--out", "out"]).ended(0);
    let table = String::from_utf8(desk.read("out/rest/ties.csv")).unwrap();
    assert!(
        table.starts_with("time,rod.force,rod.elongation\n0,100,0\n"),
        "{table}"
    );
    let summary = desk.summary("out/rest");
    // A hundred newtons do not move the stone.
    assert_eq!(summary["ties"]["rod"]["max_force"], 100.0);
    assert_eq!(summary["status"], "stood");
}

/// A block of 0.4 x 1.0 m that turns about its toe, by hand: alpha_0 = 0.4, e* about 1 for a single block, and a rigid mechanism is checked for damage by forces alone.
#[test]
fn an_assessment_rests_on_a_pushover() {
    let push = "\n[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = { block = \"stone\", point = [0.2, 0, 1.0] }\n";
    let (head, _) = CODE.split_once("capacity").unwrap();
    let code = format!("{head}pushover = \"push\"\n");
    let desk = Desk::with("m.toml", &(stone_on_ground() + push + &code));
    let call = desk.call(&["assess", "m.toml", "--out", "out"]).ended(0);
    assert!(
        call.out.contains("pushover analysis \"push\""),
        "{}",
        call.out
    );
    let summary = desk.summary("out/code");
    let number = |key: &str| summary[key].as_f64().unwrap();
    assert!((number("alpha_0") - 0.4).abs() < 1e-6, "{summary}");
    assert!((number("participation") - 1.0).abs() < 1e-9, "{summary}");
    // A curve of other numerics is not used, and replaced if asked.
    let mut push = desk.summary("out/push");
    push["revision"] = 1.into();
    desk.write("out/push/summary.json", &push.to_string());
    let again = ["assess", "m.toml", "--out", "out", "--overwrite"];
    desk.call(&again[..4])
        .ended(2)
        .says(&["another version of the program"]);
    desk.call(&again).ended(0);
    assert_ne!(desk.summary("out/push")["revision"], 1);
    // The centroid moves by about half as much as the top.
    assert!((number("gamma") - 0.5).abs() < 0.1, "{summary}");
    assert_eq!(summary["checks"].as_array().unwrap().len(), 3);
}
