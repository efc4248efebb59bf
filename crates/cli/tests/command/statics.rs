//! Equilibrium, limits and critical values through the command.

use crate::kit::{Desk, cuboid, stone_on_ground};

fn ask(name: &str, text: &str) -> String {
    format!("[[analysis]]\nname = \"{name}\"\n{text}\n")
}

/// An arch of seven voussoirs between two supports.
const ARCH: &str = r#"
[model]
plane = "xz"
[[material]]
name = "stone"
density = 2000.0
[[interface]]
between = ["*", "*"]
friction = 0.8
[[generate]]
kind = "arch"
name = "arch"
material = "stone"
span = 4.0
thickness = 0.6
depth = 1.0
voussoirs = 7
"#;

fn lines(bytes: Vec<u8>) -> Vec<String> {
    let text = String::from_utf8(bytes).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn an_arch_gets_its_forces_lines_and_mechanism() {
    let text = format!(
        "{ARCH}{}{}",
        ask("stands", "kind = \"equilibrium\""),
        ask("push", "kind = \"limit\"\ndirection = [1, 0, 0]")
    );
    let desk = Desk::with("arch.toml", &text);
    desk.call(&["run", "arch.toml", "--out", "out"])
        .ended(0)
        .says(&["stands: stable", "push: multiplier"]);

    let stands = desk.summary("out/stands");
    assert_eq!(stands["status"], "stable");
    assert_eq!(stands["max_speed"], 0.0);
    assert!(stands["residual"].as_f64().unwrap() < 1e-6);
    let thrust = |state: &str| stands["thrust"][state].as_f64().unwrap();
    assert!(thrust("minimum") < thrust("equilibrium") && thrust("equilibrium") < thrust("maximum"));
    // Eight joints, in three states.
    assert_eq!(
        lines(desk.read("out/stands/thrust_line.csv")).len(),
        1 + 3 * 8
    );
    assert_eq!(lines(desk.read("out/stands/joints.csv")).len(), 1 + 8);
    assert_eq!(lines(desk.read("out/stands/reactions.csv")).len(), 1 + 2);
    assert!(!desk.path("out/stands/mechanism.csv").exists());

    let push = desk.summary("out/push");
    assert_eq!(push["status"], "optimal");
    let bounds = ["multiplier", "upper_bound"].map(|key| push[key].as_f64().unwrap());
    assert!(bounds[0] > 0.05 && (bounds[1] - bounds[0]).abs() < 1e-6);
    assert_eq!(push["hinges"].as_array().unwrap().len(), 4);
    assert_eq!(
        lines(desk.read("out/push/mechanism.csv"))[0],
        "block,vx,vy,vz,wx,wy,wz"
    );
    assert_eq!(lines(desk.read("out/push/forces.csv")).len(), 1 + 4 * 8);
    let page = String::from_utf8(desk.read("out/push/report.html")).unwrap();
    let (still, _) = page.split_once("<script").unwrap_or((&page, ""));
    assert!(still.contains("Mechanism") && still.contains("polyline") && !still.contains("NaN"));

    // What is there is neither overwritten nor taken for something else.
    desk.call(&["run", "arch.toml", "--out", "out"]).ended(2);
    desk.call(&["run", "arch.toml", "--out", "out", "--resume"])
        .ended(0)
        .says(&["complete already: optimal"]);
}

#[test]
fn what_does_not_stand_is_an_answer() {
    let text = stone_on_ground()
        + &cuboid("loose", [3.0, 0.0, 2.0], [3.5, 0.5, 2.5], "")
        + &ask("stands", "kind = \"equilibrium\"")
        + &ask("push", "kind = \"limit\"\ndirection = [1, 0, 0]");
    let desk = Desk::with("m.toml", &text);
    desk.call(&["run", "m.toml"])
        .ended(0)
        .says(&["unstable", "infeasible", "\"loose\""]);
    let stands = desk.summary("results/stands");
    assert_eq!(stands["moving_blocks"], serde_json::json!(["loose"]));
    // Free fall for a millisecond.
    assert!((stands["max_speed"].as_f64().unwrap() - 9.81e-3).abs() < 1e-9);
    let push = desk.summary("results/push");
    assert_eq!(push["status"], "infeasible");
    assert!(push["multiplier"].is_null());
}

#[test]
fn supports_that_give_way_are_held_by_the_least_thrust() {
    let text = format!(
        "{ARCH}{}{}",
        ask("stands", "kind = \"equilibrium\""),
        ask(
            "spread",
            "kind = \"limit\"\nsettlement = { supports = [\"arch.springer2\"], displacement = [1, 0, 0] }"
        )
    );
    let desk = Desk::with("arch.toml", &text);
    desk.call(&["run", "arch.toml"])
        .ended(0)
        .says(&["held with"]);
    let held = desk.summary("results/spread")["multiplier"]
        .as_f64()
        .unwrap();
    let least = desk.summary("results/stands")["thrust"]["minimum"]
        .as_f64()
        .unwrap();
    assert!((held / least - 1.0).abs() < 1e-6, "{held} {least}");
}

#[test]
fn the_same_files_come_out_of_any_number_of_threads() {
    let text = format!(
        "{ARCH}{}",
        ask("push", "kind = \"limit\"\ntilt = [0, 1, 0]")
    );
    let desk = Desk::with("arch.toml", &text);
    for threads in ["1", "3"] {
        desk.call(&["run", "arch.toml", "--out", threads, "--threads", threads])
            .ended(0)
            .says(&["degrees"]);
    }
    for file in [
        "forces.csv",
        "joints.csv",
        "mechanism.csv",
        "thrust_line.csv",
    ] {
        let [one, three] = ["1", "3"].map(|out| desk.read(&format!("{out}/push/{file}")));
        assert_eq!(one, three, "{file}");
    }
}

#[test]
fn critical_finds_friction_and_thickness() {
    let desk = Desk::with("arch.toml", ARCH);
    let call = desk
        .call(&[
            "critical",
            "arch.toml",
            "--vary",
            "generate.thickness",
            "--json",
        ])
        .ended(0);
    let found = call.json();
    let [holds, fails] = ["holds", "fails"].map(|key| found[key].as_f64().unwrap());
    assert!(
        holds > fails && (holds / fails - 1.0) < 2e-6,
        "{holds} {fails}"
    );
    assert!((0.1..0.3).contains(&holds), "{holds}");

    // A block slides on a table at its angle of friction.
    let block = stone_on_ground()
        + &ask(
            "push",
            "kind = \"equilibrium\"\nmultiplier = 0.2\ndirection = [1, 0, 0]",
        );
    desk.write("block.toml", &block);
    let call = desk
        .call(&["critical", "block.toml", "--friction", "--json"])
        .ended(0);
    let found = call.json()["critical"].as_f64().unwrap();
    assert!((found - 0.2).abs() < 1e-5, "{found}");
}

#[test]
fn critical_says_what_it_cannot_do() {
    let desk = Desk::with("arch.toml", ARCH);
    for (args, words) in [
        (&["--vary", "generate.thicknes"][..], &["thicknes"][..]),
        (
            &[
                "--vary",
                "generate.thickness",
                "--from",
                "0.5",
                "--to",
                "0.6",
            ],
            &["the structure stands at both ends"],
        ),
        (
            &["--vary", "generate.thickness", "--analysis", "push"],
            &["no equilibrium or limit", "none"],
        ),
        (
            &["--vary", "generate.thickness", "--tolerance", "2"],
            &["--tolerance 2"],
        ),
        (
            &["--vary", "generate.thickness", "--from", "nan", "--to", "1"],
            &["--from NaN", "finite"],
        ),
        (
            &["--vary", "generate.thickness", "--multiplier", "0.2"],
            &["--multiplier", "limit analysis"],
        ),
        (
            &[
                "--vary",
                "generate.thickness",
                "--from",
                "-1",
                "--to",
                "0.6",
            ],
            &["thickness"],
        ),
        (&[], &["--vary"]),
    ] {
        let all: Vec<&str> = ["critical", "arch.toml"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        desk.call(&all).ended(2).says(words);
    }
}

/// The limit program answers where there are ties: it has a mechanism and no speed. What is asked for in vain is noted.
#[test]
fn ties_leave_no_speed_and_paths_that_are_missing_are_noted() {
    let tie = |strength: f64| {
        format!(
            "[[tie]]\nblocks = [\"loose\", \"ground\"]\npoints = [[3.25, 0.25, 2.5], [3.25, 0.25, 5]]\nstiffness = 1e6\nyield = {strength:?}\n"
        )
    };
    let text = |strength: f64| {
        stone_on_ground()
            + &cuboid("loose", [3.0, 0.0, 2.0], [3.5, 0.5, 2.5], "")
            + &tie(strength)
            + &ask(
                "stands",
                "kind = \"equilibrium\"\nthrust_line = { from = \"stone\", to = \"loose\" }",
            )
    };
    let desk = Desk::with("m.toml", &text(10.0));
    let checked = desk.call(&["check", "m.toml"]).ended(0);
    assert!(
        checked.out.contains("1 tie, yield at 0.0100 kN") && !checked.out.contains("crush"),
        "{}",
        checked.out
    );
    let strong = text(10.0).replace("friction =", "compressive_strength = 2.5e6\nfriction =");
    desk.write("strong.toml", &strong);
    let checked = desk.call(&["check", "strong.toml"]).ended(0);
    assert!(
        checked.out.contains("joints crush at 2.5000 MPa"),
        "{}",
        checked.out
    );
    let call = desk.call(&["run", "m.toml"]).ended(0).says(&["unstable"]);
    assert!(!call.err.contains("of gravity"), "{}", call.err);
    assert!(desk.summary("results/stands")["max_speed"].is_null());
    desk.write("m.toml", &text(1e6));
    desk.call(&["run", "m.toml", "--overwrite"])
        .ended(0)
        .says(&["stands: stable"]);
    let stands = desk.summary("results/stands");
    assert_eq!(stands["max_speed"], 0.0);
    assert!(
        stands["notes"].to_string().contains("no path of joints"),
        "{stands}"
    );
}
