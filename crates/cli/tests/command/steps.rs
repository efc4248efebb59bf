//! `drystone dump` and `drystone replay`.

use crate::kit::{Desk, HEAD, cuboid, example, history, small};

#[test]
fn a_dumped_step_is_solved_cold_warm_and_by_the_other_solver() {
    let desk = Desk::new();
    let model = example("oppenheim-arch");
    desk.call(&["dump", &model, "--step", "3", "--out", "step.json"])
        .ended(0);
    let replay = desk.call(&["replay", "step.json"]).ended(0).out;
    assert!(replay.starts_with("7 bodies, 32 contacts"), "{replay}");
    let line = |replay: &str, solver: &str| {
        let mut lines = replay.lines();
        let line = lines.find(|line| line.starts_with(solver));
        line.map(|line| {
            line.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        })
    };
    for solver in ["cold", "warm", "clarabel"] {
        assert_eq!(line(&replay, solver).unwrap()[1], "solved", "{replay}");
    }
    // The stored guess is that of the step before, where the arch stood as it stands now.
    let iterations = |solver: &str| line(&replay, solver).unwrap()[2].parse::<u32>().unwrap();
    assert!(iterations("warm") < iterations("cold"), "{replay}");
    let exact = desk
        .call(&[
            "replay",
            "step.json",
            "--no-clarabel",
            "--tolerance",
            "validation",
        ])
        .ended(0)
        .out;
    assert!(line(&exact, "clarabel").is_none(), "{exact}");
    let gap = |replay: &str| line(replay, "cold").unwrap()[7].parse::<f64>().unwrap();
    assert!(gap(&exact) <= 1e-9, "{exact}");
    // The same on standard output, and nothing overwritten.
    let printed = desk.call(&["dump", &model, "--step", "3"]).ended(0).json();
    let stored: serde_json::Value = serde_json::from_slice(&desk.read("step.json")).unwrap();
    assert_eq!(printed, stored);
    assert_eq!(stored["warm"]["velocity"].as_array().unwrap().len(), 7);
    assert_eq!(stored["warm"]["impulse"].as_array().unwrap().len(), 32);
    desk.call(&["dump", &model, "--out", "step.json"])
        .ended(2)
        .says(&["step.json", "--overwrite"]);
    desk.call(&["dump", &model, "--out", "step.json", "--overwrite"])
        .ended(0);
    assert_ne!(
        stored,
        serde_json::from_slice::<serde_json::Value>(&desk.read("step.json")).unwrap()
    );
}

#[test]
fn steps_that_do_not_exist_are_refused() {
    let desk = Desk::with("model.toml", &small());
    desk.call(&["dump", "model.toml", "--step", "0"])
        .ended(2)
        .says(&["--step 0", "1 to 5050"]);
    desk.call(&["dump", "model.toml", "--step", "51"])
        .ended(2)
        .says(&["--step 51", "ends with step 50"]);
    // Ten seconds beyond its duration if it did not come to rest.
    desk.call(&["dump", "model.toml", "--step", "5051"])
        .ended(2)
        .says(&["--step 5051", "1 to 5050"]);
    desk.call(&["dump", "model.toml", "--analysis", "shake"])
        .ended(2)
        .says(&["\"shake\"", "it has: rest"]);
    let falling = HEAD.to_owned()
        + &cuboid(
            "ground",
            [-1.0, -1.0, -0.5],
            [1.0, 1.0, 0.0],
            "support = true",
        )
        + &cuboid("stone", [-0.2, -0.2, 0.1], [0.2, 0.2, 0.2], "")
        + &history("fall", "stop_at_collapse = true\ncollapse_drop = 0.1");
    desk.write("falling.toml", &falling);
    desk.call(&["dump", "falling.toml", "--step", "50"])
        .ended(2)
        .says(&["--step 50", "stop_at_collapse"]);
}

#[test]
fn only_step_problems_are_replayed() {
    let desk = Desk::with("model.toml", &small());
    desk.write("empty.json", "");
    desk.call(&["replay", "nothing.json"])
        .ended(2)
        .says(&["nothing.json"]);
    desk.call(&["replay", "empty.json"])
        .ended(2)
        .says(&["empty.json", "drystone dump"]);
    desk.call(&["replay", "model.toml"])
        .ended(2)
        .says(&["model.toml", "drystone dump"]);
    let text = desk.call(&["dump", "model.toml"]).ended(0).out;
    let mut stored: serde_json::Value = serde_json::from_str(&text).unwrap();
    stored["problem"]["mass"][0] = (-1.0).into();
    desk.write("negative.json", &stored.to_string());
    desk.call(&["replay", "negative.json"])
        .ended(2)
        .says(&["negative.json", "mass"]);
    stored["format"] = "drystone step 0".into();
    desk.write("old.json", &stored.to_string());
    desk.call(&["replay", "old.json"])
        .ended(2)
        .says(&["old.json", "drystone step 0"]);
}
