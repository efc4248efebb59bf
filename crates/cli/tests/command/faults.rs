//! Wrong input: code 2, and words that help.

use std::fs;

use crate::kit::{Desk, HEAD, cuboid, history, small, stone_on_ground};

#[test]
fn files_that_are_none() {
    let desk = Desk::with("model.yaml", "");
    fs::create_dir(desk.path("folder.toml")).unwrap();
    desk.write("empty.toml", "");
    desk.write("empty.json", "");
    fs::write(desk.path("latin.toml"), b"[model]\nname = \"\xe9\"\n").unwrap();
    for command in ["run", "check", "dump"] {
        for (file, words) in [
            ("missing.toml", &["missing.toml", "cannot be read"][..]),
            ("model.yaml", &["model.yaml", ".toml or .json"]),
            ("folder.toml", &["folder.toml", "cannot be read"]),
            ("empty.toml", &["empty.toml", "no blocks", "[[block]]"]),
            ("empty.json", &["empty.json"]),
            ("latin.toml", &["latin.toml:2", "UTF-8"]),
        ] {
            desk.call(&[command, file]).ended(2).says(words);
        }
    }
    assert!(!desk.path("results").exists());
}

/// The line of a text that has these words, from 1.
fn line_of(text: &str, words: &str) -> usize {
    text.lines().position(|line| line.contains(words)).unwrap() + 1
}

#[test]
fn faults_name_file_line_block_and_remedy() {
    let flat = stone_on_ground()
        + &cuboid("flat", [0.0; 3], [1.0, 1.0, 0.0], "")
        + &history("rest", "durration = 3.0");
    let desk = Desk::with("model.toml", &flat);
    let flat_line = format!("model.toml:{}", line_of(&flat, "\"flat\"") + 3);
    let key_line = format!("model.toml:{}:1", line_of(&flat, "durration"));
    // Both are told at once.
    desk.call(&["run", "model.toml"]).ended(2).says(&[
        "block \"flat\"",
        &flat_line,
        "no volume",
        "unknown key `durration`",
        &key_line,
        "did you mean \"duration\"?",
    ]);
    let lost = stone_on_ground()
        + &history("shake", "motion = \"puls\"")
        + "[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 1.0\nhalf_period = 0.2\n";
    desk.write("lost.toml", &lost);
    desk.call(&["check", "lost.toml"]).ended(2).says(&[
        "\"puls\"",
        &format!("lost.toml:{}", line_of(&lost, "\"puls\"")),
        "did you mean \"pulse\"?",
    ]);
}

#[test]
fn settings_that_make_no_sense() {
    for (settings, words) in [
        (
            "dt = 1.0\nduration = 0.5",
            &["dt", "longer than the duration"][..],
        ),
        ("duration = 0.0", &["duration", "greater than zero"]),
        ("duration = -1.0", &["duration", "greater than zero"]),
        ("duration = nan", &["duration", "finite"]),
        ("duration = inf", &["duration", "finite"]),
        (
            "dt = 0.1\nduration = 1.0\noutput_every = 0.01",
            &["output_every", "shorter than the time step"],
        ),
    ] {
        let model = format!(
            "{}\n[[analysis]]\nname = \"a\"\nkind = \"time_history\"\n{settings}\n",
            stone_on_ground()
        );
        let desk = Desk::with("model.toml", &model);
        desk.call(&["run", "model.toml"])
            .ended(2)
            .says(words)
            .says(&["model.toml:", "analysis \"a\""]);
        assert!(!desk.path("results").exists());
    }
    for name in ["a/b", "..", "a\\\\b", ""] {
        let desk = Desk::with("model.toml", &(stone_on_ground() + &history(name, "")));
        desk.call(&["run", "model.toml"]).ended(2).says(&["name"]);
    }
}

#[test]
fn models_without_a_question_or_without_anything_to_move() {
    let desk = Desk::with("model.toml", &stone_on_ground());
    desk.call(&["check", "model.toml"]).ended(0);
    desk.call(&["run", "model.toml"])
        .ended(2)
        .says(&["model.toml", "[[analysis]]"]);
    desk.call(&["run", "model.toml", "--only", "x"])
        .ended(2)
        .says(&["[[analysis]]"]);
    desk.call(&["dump", "model.toml"])
        .ended(2)
        .says(&["no time history"]);
    let fixed = HEAD.to_owned()
        + &cuboid("ground", [0.0; 3], [1.0; 3], "support = true")
        + &history("rest", "");
    desk.write("fixed.toml", &fixed);
    desk.call(&["run", "fixed.toml"])
        .ended(2)
        .says(&["every block is a support"]);
    let held_by_nothing =
        HEAD.to_owned() + &cuboid("stone", [0.0; 3], [1.0; 3], "") + &history("rest", "");
    desk.write("loose.toml", &held_by_nothing);
    desk.call(&["run", "loose.toml"])
        .ended(2)
        .says(&["support = true", "floating = true"]);
    desk.write("good.toml", &small());
    desk.call(&["run", "good.toml", "--only", "rset"])
        .ended(2)
        .says(&["--only rset", "it has: rest"]);
}

#[test]
fn folders_that_cannot_be_written() {
    let desk = Desk::with("model.toml", &small());
    desk.write("file", "mine");
    desk.call(&["run", "model.toml", "--out", "file"])
        .ended(2)
        .says(&["cannot create", "file/rest"]);
    assert_eq!(desk.read("file"), b"mine");
    desk.call(&["run", "model.toml", "--overwrite", "--out", "file"])
        .ended(2)
        .says(&["file/rest"]);
    desk.call(&["dump", "model.toml", "--out", "missing/step.json"])
        .ended(3)
        .says(&["missing/step.json"]);
    desk.call(&["dump", "model.toml", "--overwrite", "--out", "."])
        .ended(3);
}

#[cfg(unix)]
#[test]
fn read_only_folders() {
    use std::os::unix::fs::PermissionsExt;
    let desk = Desk::with("model.toml", &small());
    let locked = desk.path("locked");
    fs::create_dir_all(locked.join("rest")).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o555)).unwrap();
    fs::set_permissions(locked.join("rest"), fs::Permissions::from_mode(0o555)).unwrap();
    // The superuser may write everywhere.
    if fs::write(locked.join("probe"), "").is_err() {
        desk.call(&["run", "model.toml", "--out", "locked/new"])
            .ended(2)
            .says(&["locked/new"]);
        desk.call(&["run", "model.toml", "--out", "locked"])
            .ended(3)
            .says(&["locked/rest"]);
    }
    fs::set_permissions(locked.join("rest"), fs::Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn numbers_of_threads() {
    let desk = Desk::with("model.toml", &small());
    for threads in ["0", "many", "1000000"] {
        desk.call(&["run", "model.toml", "--threads", threads])
            .ended(2)
            .says(&["--threads"]);
    }
    assert!(!desk.path("results").exists());
}

/// Far from the origin, huge, tiny, weightless, with steps of a second: nothing moves a stone that stands.
#[test]
fn unusual_but_sound_models_run() {
    let scaled = |offset: f64, size: f64| {
        let at = |corner: [f64; 3]| corner.map(|x| offset + size * x);
        HEAD.to_owned()
            + &cuboid(
                "ground",
                at([-1.0, -1.0, -1.0]),
                at([1.0, 1.0, 0.0]),
                "support = true",
            )
            + &cuboid("stone", at([-0.2, -0.2, 0.0]), at([0.2, 0.2, 1.0]), "")
    };
    let monitored = "monitors = [{ block = \"stone\" }, { name = \"base\", block = \"ground\" }]";
    for (what, model) in [
        ("1e6 m away", scaled(1e6, 1.0) + &history("rest", monitored)),
        (
            "a millimetre",
            scaled(0.0, 1e-3) + &history("rest", monitored),
        ),
        (
            "a thousand kilometres",
            scaled(0.0, 1e6) + &history("rest", monitored),
        ),
        (
            "weightless",
            stone_on_ground().replace("[model]", "[model]\ngravity = 0.0")
                + &history("rest", monitored),
        ),
        (
            "steps of a second",
            stone_on_ground()
                + &format!(
                    "[[analysis]]\nname = \"rest\"\nkind = \"time_history\"\ndt = 1.0\nduration = 100.0\n{monitored}\n"
                ),
        ),
        (
            "no output but the last",
            stone_on_ground() + &history("rest", &format!("output_every = 5.0\n{monitored}")),
        ),
    ] {
        let desk = Desk::with("model.toml", &model);
        desk.call(&["run", "model.toml"]).ended(0);
        let summary = desk.summary("results/rest");
        assert_eq!(summary["status"], "stood", "{what}");
        let moved = summary["peaks"]["stone"]["displacement"].as_f64().unwrap();
        // A stone 1e6 m away has coordinates in steps of 1e-10 m.
        assert!(moved < 1e-9, "{what}: {moved} m");
        assert_eq!(summary["peaks"]["base"]["displacement"], 0.0, "{what}");
        let table = String::from_utf8(desk.read("results/rest/history.csv")).unwrap();
        assert!(table.lines().count() >= 3, "{what}: {table}");
    }
}
