//! What `run` refuses or notes, every other command refuses or notes too.

use std::fs;

use crate::kit::{Call, Desk, HEAD, cuboid, history, small, stone_on_ground};

const CODE: &str = "[[analysis]]\nname = \"code\"\nkind = \"assessment\"\npushover = \"push\"\ncode = \"ntc2018\"\nsite = { soil = \"A\" }\nlife_safety = { ag = 2.0, f0 = 2.4, tc_star = 0.35 }\n";
const PUSH: &str = "[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\ncontrol = { block = \"stone\" }\n";
const SWEEP: &str = "[[analysis]]\nname = \"many\"\nkind = \"sweep\"\nof = \"stands\"\n[[analysis.vary]]\nkey = \"interface[0].friction\"\nvalues = [0.5, 0.6]\n";
const STANDS: &str = "[[analysis]]\nname = \"stands\"\nkind = \"equilibrium\"\n";

/// Two stones in one place.
fn twins() -> String {
    stone_on_ground() + &cuboid("twin", [-0.1, -0.2, 0.0], [0.3, 0.2, 1.0], "")
}

#[test]
fn blocks_in_one_place_are_refused_by_every_command() {
    let text = twins() + STANDS + PUSH + CODE + SWEEP + &history("rest", "");
    let line = text.lines().position(|line| line.contains("\"twin\""));
    let place = format!("model.toml:{}", line.unwrap());
    let desk = Desk::with("model.toml", &text);
    for args in [
        &["run", "model.toml"][..],
        &["campaign", "model.toml"],
        &["assess", "model.toml"],
        &["critical", "model.toml", "--friction"],
        &["compare", "model.toml"],
        &["dump", "model.toml", "--step", "1"],
    ] {
        let found: Call = desk.call(args).ended(2);
        found.says(&[
            "block \"twin\": overlaps block \"stone\"",
            &place,
            "move them apart",
        ]);
    }
    assert!(!desk.path("results").exists());
}

/// A value of a campaign that makes blocks overlap gives a run without an answer, not a wrong one.
#[test]
fn a_campaign_refuses_the_runs_whose_blocks_overlap() {
    let wall = "[[generate]]\nkind = \"stack\"\nname = \"pier\"\nmaterial = \"stone\"\ncount = 2\nblock = [0.4, 0.4, 0.5]\nat = [0, 0, 0]\n\
                [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n";
    let neighbour = cuboid("neighbour", [0.5, -0.2, 0.0], [0.9, 0.2, 0.5], "");
    let sweep = SWEEP
        .replace("interface[0].friction", "generate.pier.at[0]")
        .replace("[0.5, 0.6]", "[0.0, 0.5]");
    let desk = Desk::with(
        "model.toml",
        &format!("{HEAD}{neighbour}{wall}{STANDS}{sweep}"),
    );
    desk.call(&["campaign", "model.toml"]);
    let runs = String::from_utf8(desk.read("results/many/runs.csv")).unwrap();
    let rows: Vec<&str> = runs.lines().skip(1).collect();
    assert!(rows[0].contains("stable"), "{runs}");
    assert!(
        rows[1].contains("failed") && runs.contains("overlaps block"),
        "{runs}"
    );
}

/// A value that only some runs have is judged as one of the model would be.
#[test]
fn a_campaign_notes_values_that_are_probably_slips() {
    let sweep = SWEEP.replace("[0.5, 0.6]", "[0.5, 35.0]");
    let desk = Desk::with("model.toml", &(stone_on_ground() + STANDS + &sweep));
    desk.call(&["campaign", "model.toml"])
        .ended(0)
        .says(&["1 run of 2 has notes of its own", "not an angle in degrees"]);
    let runs = String::from_utf8(desk.read("results/many/runs.csv")).unwrap();
    let rows: Vec<&str> = runs.lines().skip(1).collect();
    assert!(
        !rows[0].contains("angle") && rows[1].contains("angle"),
        "{runs}"
    );
}

#[test]
fn what_is_wrong_is_printed_as_json() {
    let text = twins() + &history("rest", "durration = 3.0");
    let desk = Desk::with("model.toml", &text);
    let call = desk.call(&["check", "model.toml", "--json"]);
    assert_eq!(call.code, Some(2));
    let faults = call.json();
    let fault = &faults["faults"][0];
    let line = 1 + text
        .lines()
        .position(|line| line.contains("durration"))
        .unwrap();
    assert_eq!(fault["file"], "model.toml");
    assert_eq!(fault["line"], line);
    assert_eq!(fault["column"], 1);
    assert_eq!(fault["key"], "analysis \"rest\"");
    assert_eq!(fault["message"], "unknown key `durration`");
    assert!(
        fault["remedy"].as_str().unwrap().contains("duration"),
        "{fault}"
    );
    assert_eq!(faults["more"], 0);
    // What `run` would refuse is listed in the same form beside what was found.
    desk.write("model.toml", &twins());
    let findings = desk.call(&["check", "model.toml", "--json"]).json();
    assert_eq!(findings["blocks"], 3);
    assert_eq!(findings["faults"][0]["key"], "block \"twin\"");
    assert!(findings["faults"][0]["line"].as_u64().unwrap() > 10);
}

/// Every command that answers something notes a block that nothing holds, not `check` alone.
#[test]
fn blocks_in_the_air_are_noted_by_every_command() {
    let kite = cuboid("kite", [3.0, 0.0, 2.0], [3.4, 0.4, 2.4], "");
    let text = stone_on_ground() + &kite + STANDS + PUSH + CODE + SWEEP;
    let desk = Desk::with("model.toml", &text);
    let said = "1 block touches neither a support nor anything that rests on one: \"kite\"";
    for command in [
        &["check", "model.toml"][..],
        &["run", "model.toml", "--only", "stands"],
        &["critical", "model.toml", "--friction"],
        &["campaign", "model.toml"],
        &["assess", "model.toml", "--out", "code"],
    ] {
        let call = desk.call(command);
        let all = call.out.clone() + &call.err;
        assert!(all.contains(said), "{command:?}:\n{all}");
    }
}

#[test]
fn a_stopped_run_resumes_after_another_analysis_was_added() {
    let desk = Desk::with("model.toml", &small());
    let whole = Desk::with("model.toml", &small());
    whole.call(&["run", "model.toml"]).ended(0);
    // Stopped after its first steps, as by Ctrl-C: what is left is a checkpoint and the files that it counts on.
    drystone_stopped(&desk);
    assert!(desk.path("results/rest/checkpoint.bin").exists());
    // Neither another question nor a motion that the first one does not name is part of its answer.
    let shove =
        "[[motion]]\nname = \"shove\"\nkind = \"one_sine\"\namplitude = 1.0\nhalf_period = 0.2\n";
    desk.write("model.toml", &(small() + shove + STANDS));
    desk.call(&["run", "model.toml", "--resume"]).ended(0);
    for file in ["history.csv", "motion.parquet", "diagnostics.csv"] {
        let [a, b] = [&desk, &whole].map(|desk| desk.read(&format!("results/rest/{file}")));
        assert!(a == b, "{file}");
    }
    assert_eq!(desk.summary("results/stands")["status"], "stable");
    assert!(!desk.path("results/rest/checkpoint.bin").exists());
}

/// Runs the model on a desk and stops it after some steps.
fn drystone_stopped(desk: &Desk) {
    use drystone_questions::{Control, Hooks};
    struct Stop;
    impl Hooks for Stop {
        fn advanced(&mut self, done: u64, _message: &mut dyn FnMut() -> String) -> Control {
            match done {
                20.. => Control::Stop,
                _ => Control::Continue,
            }
        }
    }
    let case = drystone_model::Case::load(&desk.path("model.toml")).unwrap();
    let analysis = &case.model().analyses[0];
    let folder = desk.path("results").join(&analysis.name);
    let existing = drystone_results::Existing::Refuse;
    let answer = drystone_results::execute(&case, analysis, &folder, existing, &mut Stop).unwrap();
    assert!(answer.interrupted);
}

/// An assessment rests on the answer of its pushover, whether that lies in a folder, was found in the same run, or is not there yet.
#[test]
fn an_assessment_needs_no_files_of_its_pushover() {
    let desk = Desk::with("model.toml", &(stone_on_ground() + PUSH + CODE));
    desk.call(&["run", "model.toml", "--out", "both"]).ended(0);
    desk.call(&["run", "model.toml", "--out", "alone", "--only", "code"])
        .ended(0);
    assert!(!desk.path("alone/push").exists());
    fs::create_dir(desk.path("kept")).unwrap();
    desk.call(&["run", "model.toml", "--out", "kept", "--only", "push"])
        .ended(0);
    desk.call(&["run", "model.toml", "--out", "kept", "--only", "code"])
        .ended(0);
    let index = |folder: &str| desk.summary(&format!("{folder}/code"))["index"].clone();
    assert!(index("both").as_f64().unwrap() > 0.0);
    assert_eq!(index("both"), index("alone"));
    assert_eq!(index("both"), index("kept"));
}

#[test]
fn errors_name_the_options_of_the_command_line() {
    let desk = Desk::with("model.toml", &small());
    desk.call(&["run", "model.toml"]).ended(0);
    desk.call(&["run", "model.toml"])
        .ended(2)
        .says(&["(--overwrite)", "(--resume)"]);
    desk.write("model.toml", &small().replace("2000.0", "2100.0"));
    desk.call(&["run", "model.toml", "--resume"])
        .ended(2)
        .says(&["another model", "(--overwrite)"]);
}

/// A structure that does not stand has a pushover without a curve, which is an answer like any other.
#[test]
fn answers_without_a_curve_are_kept_and_read_again() {
    let leaning = HEAD.to_owned()
        + &cuboid(
            "ground",
            [-2.0, -1.0, -0.5],
            [2.0, 1.0, 0.0],
            "support = true",
        )
        + &cuboid("low", [-0.2, -0.2, 0.0], [0.2, 0.2, 0.5], "")
        + &cuboid("stone", [0.1, -0.2, 0.5], [0.9, 0.2, 1.0], "");
    let desk = Desk::with("model.toml", &(leaning + PUSH + CODE));
    desk.call(&["run", "model.toml", "--only", "push"]).ended(0);
    assert_eq!(desk.summary("results/push")["status"], "unstable");
    desk.call(&["run", "model.toml", "--only", "push", "--resume"])
        .ended(0)
        .says(&["complete already: unstable"]);
    desk.call(&["run", "model.toml", "--only", "code"])
        .ended(2)
        .says(&["pushover \"push\"", "`alpha_0` is missing"]);
}

/// What a record is scaled to is checked before it is scaled: a period of a picosecond would take for ever.
#[test]
fn records_at_fault_are_not_computed() {
    let motion = "[[motion]]\nname = \"quake\"\nkind = \"record\"\npath = \"quake.csv\"\nsa = { period = 1e-12, value = 1.0 }\n";
    let desk = Desk::with("model.toml", &(small() + motion));
    desk.write("quake.csv", "t [s],a [m/s2]\n0,0\n0.01,1\n0.02,0\n");
    desk.call(&["check", "model.toml"])
        .ended(2)
        .says(&["sa.period", "0.001 to 100 s"]);
}

/// A note of the model and one of the answer itself: each is told once in the terminal, and both are in the summary, on the page and in a campaign.
#[test]
fn notes_are_part_of_every_answer() {
    let kite = cuboid("kite", [3.0, 0.0, 2.0], [3.4, 0.4, 2.4], "");
    let slippery = HEAD.replace("friction = ", "kinetic_friction = 0.3\nfriction = ");
    let text = stone_on_ground().replace(HEAD, &slippery) + &kite + STANDS + SWEEP;
    let desk = Desk::with("model.toml", &text);
    let of_model = "1 block touches neither";
    let of_answer = "kinetic_friction is not applied";
    let told = desk.call(&["run", "model.toml"]).ended(0).err;
    for note in [of_model, of_answer] {
        // The campaign quotes the first note of its runs.
        let lines = told
            .lines()
            .filter(|line| line.contains(note) && !line.contains("2 runs of 2"));
        assert_eq!(lines.count(), 1, "{note}:\n{told}");
    }
    let notes = |folder: &str| {
        let notes = desk.summary(folder)["notes"].clone();
        let notes: Vec<String> = serde_json::from_value(notes).unwrap();
        notes
    };
    let found = notes("results/stands");
    assert!(found[0].starts_with(of_model), "{found:?}");
    assert!(
        found.iter().any(|note| note.starts_with(of_answer)),
        "{found:?}"
    );
    let found = notes("results/many");
    assert!(found[0].starts_with(of_model), "{found:?}");
    assert!(
        found.iter().any(
            |note| note.starts_with("2 runs of 2 have notes of their own")
                && note.contains(of_answer)
        ),
        "{found:?}"
    );
    let runs = String::from_utf8(desk.read("results/many/runs.csv")).unwrap();
    assert!(
        runs.lines().next().unwrap().contains(",failure,notes,"),
        "{runs}"
    );
    assert_eq!(runs.matches(of_answer).count(), 2, "{runs}");
    for page in ["stands", "many"] {
        let page = String::from_utf8(desk.read(&format!("results/{page}/report.html"))).unwrap();
        assert!(page.contains(of_model) && page.contains(of_answer));
    }
}
