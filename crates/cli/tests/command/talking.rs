//! What the command says: help, schema, findings, and to whom.

use std::process::Stdio;

use crate::kit::{Call, Desk, HEAD, cuboid, example, history, small, stone_on_ground};

#[test]
fn every_command_explains_itself() {
    let desk = Desk::new();
    let help = desk.call(&["--help"]).ended(0);
    assert!(help.out.contains("Dynamics of dry masonry"), "{}", help.out);
    for command in ["run", "check", "schema", "dump", "replay"] {
        assert!(help.out.contains(&format!("  {command} ")), "{}", help.out);
        let own = desk.call(&[command, "--help"]).ended(0);
        assert!(
            own.out.contains(&format!("drystone {command}")),
            "{}",
            own.out
        );
    }
    let options = desk.call(&["run", "--help"]).ended(0).out;
    for option in [
        "--out",
        "--threads",
        "--only",
        "--overwrite",
        "--resume",
        "--json",
    ] {
        assert!(options.contains(option), "{options}");
    }
    assert!(
        desk.call(&["--version"])
            .ended(0)
            .out
            .contains(env!("CARGO_PKG_VERSION"))
    );
    desk.call(&[]).ended(2);
    desk.call(&["ru", "model.toml"]).ended(2).says(&["run"]);
}

#[test]
fn the_schema_is_json_and_knows_the_sections() {
    let schema = Desk::new().call(&["schema"]).ended(0).json();
    for section in [
        "model",
        "material",
        "interface",
        "block",
        "load",
        "motion",
        "analysis",
    ] {
        assert!(schema["properties"][section].is_object(), "{section}");
    }
}

#[test]
fn check_says_what_it_found() {
    let desk = Desk::with("model.toml", &small());
    let call = desk.call(&["check", "model.toml"]).ended(0);
    for words in [
        "2: 1 free, 1 support",
        "3.1392 kN",
        "4 points between 1 pair",
        "rest (time_history",
    ] {
        assert!(call.out.contains(words), "{}", call.out);
    }
    let findings = desk
        .call(&["check", "model.toml", "--json"])
        .ended(0)
        .json();
    assert_eq!(findings["blocks"], 2);
    assert_eq!(findings["contact_points"], 4);
    assert!((findings["contact_area"].as_f64().unwrap() - 0.16).abs() < 1e-12);
    assert!((findings["weight"].as_f64().unwrap() - 3139.2).abs() < 1e-9);
    assert_eq!(findings["overlaps"].as_array().unwrap().len(), 0);
    // Nothing is left behind.
    assert!(!desk.path("results").exists());
}

#[test]
fn check_finds_overlaps_and_loose_blocks() {
    let model = stone_on_ground()
        + &cuboid("twin", [-0.2, -0.2, 0.0], [0.2, 0.2, 1.0], "")
        + &cuboid("loose", [-0.2, -0.2, 3.0], [0.2, 0.2, 4.0], "")
        + &history("rest", "");
    let desk = Desk::with("model.toml", &model);
    // It prints what it found, and says by its code that the model cannot be run.
    let call = desk.call(&["check", "model.toml", "--json"]);
    assert_eq!(call.code, Some(2));
    let findings = call.json();
    assert_eq!(
        findings["overlaps"][0]["blocks"],
        serde_json::json!(["stone", "twin"])
    );
    assert_eq!(
        findings["islands_without_support"],
        serde_json::json!([["loose"]])
    );
    let text = desk.call(&["check", "model.toml"]).ended(2).out;
    assert!(
        text.contains("\"stone\" and \"twin\"")
            && text.contains("1 group of blocks not connected to any support")
            && text.contains("rests on one: \"loose\""),
        "{text}"
    );
    // Two blocks in one place are a mistake.
    desk.call(&["run", "model.toml"])
        .ended(2)
        .says(&["overlaps block \"stone\" by", "move them apart"]);
}

#[test]
fn small_overlaps_and_keys_without_effect_are_told_and_the_model_runs() {
    let model = stone_on_ground().replace("friction = ", "normal_stiffness = 1e9\nfriction = ")
        + &cuboid("neighbour", [0.199, -0.2, 0.0], [0.6, 0.2, 1.0], "")
        + &history("rest", "");
    let desk = Desk::with("model.toml", &model);
    desk.call(&["run", "model.toml"]).ended(0).says(&[
        "\"stone\" and \"neighbour\" overlap by 1.000e-3 m",
        "normal_stiffness and shear_stiffness have no effect: joints are rigid",
        "overlaps were removed gradually",
    ]);
}

#[test]
fn a_stiffness_that_has_an_effect_is_not_told_of() {
    let model = stone_on_ground().replace("friction = ", "normal_stiffness = 1e9\nfriction = ")
        + &history("soft", "joints = \"elastic\"");
    let desk = Desk::with("model.toml", &model);
    let call = desk.call(&["run", "model.toml", "--json"]).ended(0);
    assert!(!call.err.contains("no effect"), "{}", call.err);
    assert!(call.json()[0]["energy"]["elastic"].as_f64() > Some(0.0));
}

#[test]
fn names_may_be_in_any_script() {
    let model = HEAD.to_owned()
        + &cuboid(
            "地面",
            [-1.0, -1.0, -0.5],
            [1.0, 1.0, 0.0],
            "support = true",
        )
        + &cuboid(
            "камень, \\\"a\\\" <b>/c",
            [-0.2, -0.2, 0.0],
            [0.2, 0.2, 1.0],
            "",
        )
        + &history(
            "tremblement Ω",
            "forces_every = 0.05\nmonitors = [{ block = \"камень, \\\"a\\\" <b>/c\" }]",
        );
    let desk = Desk::with("modèle.toml", &model);
    desk.call(&["run", "modèle.toml", "--out", "résultats"])
        .ended(0)
        .says(&["résultats/tremblement Ω"]);
    let table = String::from_utf8(desk.read("résultats/tremblement Ω/history.csv")).unwrap();
    assert!(
        table.starts_with("time,") && table.contains("\"камень, \"\"a\"\" <b>/c.ux\""),
        "{table}"
    );
    let forces = String::from_utf8(desk.read("résultats/tremblement Ω/forces.csv")).unwrap();
    assert!(
        forces.contains("地面,\"камень, \"\"a\"\" <b>/c\""),
        "{forces}"
    );
    let report = String::from_utf8(desk.read("résultats/tremblement Ω/report.html")).unwrap();
    assert!(report.contains("&lt;b&gt;") && !report.contains("<b>/c"));
    let motion =
        drystone_results::read_motion(&desk.path("résultats/tremblement Ω/motion.parquet"))
            .unwrap();
    assert_eq!(motion.blocks, ["地面", "камень, \"a\" <b>/c"]);
}

/// A reader that leaves early is no reason to panic, nor to lose a run.
#[test]
fn closed_pipes_are_survived() {
    let desk = Desk::with("model.toml", &small());
    desk.write("bad.toml", "{{{");
    for (args, code) in [
        (&["schema"][..], 0),
        (&["check", "model.toml"], 0),
        (&["dump", "model.toml"], 0),
        (&["run", "model.toml", "--json"], 0),
        (&["check", "bad.toml"], 2),
    ] {
        let mut child = desk
            .command(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        drop(child.stderr.take());
        assert_eq!(child.wait().unwrap().code(), Some(code), "{args:?}");
    }
    assert!(desk.path("results/rest/summary.json").exists());
}

#[test]
fn progress_is_for_terminals_only() {
    let desk = Desk::new();
    let call = desk
        .call(&["run", &example("rocking-wall"), "--only", "short-pulse-ode"])
        .ended(0);
    let quiet = |call: &Call| {
        !call.err.contains('\u{1b}') && !call.err.contains('\r') && call.out.is_empty()
    };
    assert!(quiet(&call), "{call:?}");
    desk.write("model.toml", &small());
    let call = desk.call(&["run", "model.toml"]).ended(0);
    assert!(quiet(&call) && call.err.lines().count() == 2, "{call:?}");
}
