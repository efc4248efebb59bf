//! `drystone run` from a model to complete folders.

use std::fs;

use drystone_model::structures::{Ground, Wall};
use drystone_model::{
    AnalysisSpec, GenerateSpec, InterfaceSpec, MaterialSpec, ModelSpec, MotionSpec, PulseSpec,
    StructureSpec, TimeHistorySpec, load_spec,
};
use serde_json::Value;

use crate::kit::{Desk, example, history, small, stone_on_ground};

/// Every summary has these.
const HEAD: [&str; 8] = [
    "kind",
    "name",
    "status",
    "version",
    "revision",
    "model_sha256",
    "analysis_sha256",
    "seconds",
];

fn assert_keys(value: &Value, keys: &[&str]) {
    for key in keys {
        assert!(
            !value[key].is_null() || value.get(key).is_some(),
            "no {key} in {value}"
        );
    }
}

#[test]
fn an_example_gives_the_promised_files_and_names() {
    let desk = Desk::new();
    let call = desk
        .call(&["run", &example("housner-block"), "--out", "out", "--json"])
        .ended(0)
        .says(&[
            "free-rocking: stood",
            "equation-of-motion: stood",
            "results in out/free-rocking",
        ]);
    let summaries = call.json();
    let [history, rocking] = [&summaries[0], &summaries[1]];
    assert_keys(history, &HEAD);
    assert_keys(
        history,
        &[
            "collapse_time",
            "steps",
            "max_penetration",
            "worst_residual",
            "energy",
            "peaks",
        ],
    );
    assert_keys(
        &history["energy"],
        &["kinetic", "potential", "harvested", "dissipated"],
    );
    assert!(history["peaks"]["top"]["displacement"].as_f64().unwrap() > 0.5);
    assert!(history["seconds"]["total"].as_f64().unwrap() > 0.0);
    assert_eq!(history["kind"], "time_history");
    assert_keys(rocking, &HEAD);
    assert_eq!(rocking["kind"], "rocking");
    let impact = &rocking["impacts"][0];
    assert!(
        impact["speed_after"].as_f64().unwrap().abs()
            < impact["speed_before"].as_f64().unwrap().abs()
    );
    assert!(impact["time"].as_f64().unwrap() > 0.0);
    // On paper the same as on standard output.
    assert_eq!(&desk.summary("out/free-rocking"), history);
    assert_eq!(&desk.summary("out/equation-of-motion"), rocking);

    let mut names: Vec<String> = fs::read_dir(desk.path("out/free-rocking"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "diagnostics.csv",
            "figures.json",
            "forces.csv",
            "history.csv",
            "motion.parquet",
            "report.html",
            "summary.json"
        ]
    );
    let table = String::from_utf8(desk.read("out/free-rocking/history.csv")).unwrap();
    let columns = table.lines().next().unwrap();
    assert_eq!(
        columns,
        "time,kinetic,potential,harvested,dissipated,top.ux,top.uy,top.uz,top.rx,top.ry,top.rz,\
         ground.ux,ground.uy,ground.uz"
    );
    // One row at the start and one per hundredth of a second, until the block is at rest.
    let rows: Vec<&str> = table.lines().collect();
    assert!(rows[1 + 600].starts_with("6,") && rows.len() > 1 + 1 + 600 + 50);
    let report = String::from_utf8(desk.read("out/free-rocking/report.html")).unwrap();
    assert!(
        report.contains("Housner block")
            && report.contains("<svg")
            && !report.contains("http://www.w3.org/1999/xlink")
    );
}

#[test]
fn a_collapse_is_a_result() {
    let desk = Desk::new();
    let model = example("rocking-wall");
    let names = ["--only", "long-pulse", "--only", "long-pulse-ode"];
    let call = desk
        .call(&[&["run", &model, "--json"], &names[..]].concat())
        .ended(0)
        .says(&["long-pulse: collapsed at", "long-pulse-ode: overturned at"]);
    let summaries = call.json();
    assert_eq!(summaries.as_array().unwrap().len(), 2);
    assert_eq!(summaries[0]["status"], "collapsed");
    assert!(summaries[0]["collapse_time"].as_f64().unwrap() > 0.62);
    assert_eq!(summaries[1]["status"], "overturned");
    // The folder that is taken if nothing is said.
    assert!(desk.path("results/long-pulse/summary.json").exists());
    assert!(!desk.path("results/short-pulse").exists());
}

#[test]
fn nothing_is_overwritten_unless_asked() {
    let desk = Desk::with("model.toml", &(small() + &history("again", "")));
    let run = ["run", "model.toml", "--out", "out"];
    desk.call(&[&run[..], &["--only", "again"]].concat())
        .ended(0);
    let before = desk.read("out/again/summary.json");
    desk.write("out/again/notes.txt", "mine");
    // The first analysis is not even begun if the second would be refused.
    desk.call(&run).ended(2).says(&[
        "out/again",
        "already holds results",
        "--overwrite",
        "--resume",
    ]);
    assert!(!desk.path("out/rest").exists());
    assert_eq!(desk.read("out/again/summary.json"), before);
    desk.call(&[&run[..], &["--overwrite"]].concat()).ended(0);
    assert_ne!(desk.read("out/again/summary.json"), before);
    assert_eq!(desk.read("out/again/notes.txt"), b"mine");
    assert!(desk.path("out/rest/summary.json").exists());
    desk.call(&[&run[..], &["--resume"]].concat())
        .ended(0)
        .says(&[
            "rest: complete already: stood",
            "again: complete already: stood",
        ]);
    desk.call(&[&run[..], &["--resume", "--overwrite"]].concat())
        .ended(2);
}

#[test]
fn a_changed_model_is_not_resumed() {
    let desk = Desk::with("model.toml", &small());
    let run = ["run", "model.toml", "--resume"];
    desk.call(&run).ended(0);
    // What the answer does not depend on may change.
    let more = "\n# another question\n[[analysis]]\nname = \"stands\"\nkind = \"equilibrium\"\n";
    desk.write("model.toml", &(small() + more));
    desk.call(&run)
        .ended(0)
        .says(&["rest: complete already", "stands: stable"]);
    let changed = small().replace("friction = 0.6", "friction = 0.61");
    desk.write("model.toml", &changed);
    desk.call(&run)
        .ended(2)
        .says(&["rest", "another model", "--overwrite"]);
}

#[test]
fn a_failed_computation_keeps_what_there_is() {
    let broken = stone_on_ground()
        + "[[load]]\nblock = \"stone\"\nforce = [1e300, 0, 0]\n"
        + &history("wild", "");
    let desk = Desk::with("model.toml", &broken);
    let call = desk.call(&["run", "model.toml", "--json"]).ended(3).says(&[
        "wild: failed at 0.0000 s",
        "\"stone\"",
        "not a finite number",
    ]);
    let summary = &call.json()[0];
    assert_eq!(summary["status"], "failed");
    assert!(summary["failure"].as_str().unwrap().contains("stone"));
    assert_eq!(&desk.summary("results/wild"), summary);
    assert!(desk.path("results/wild/history.csv").exists());
}

/// 117 blocks of which courses slide on each other.
fn wall() -> ModelSpec {
    let wall = Wall {
        length: Some(12.0 * 0.4),
        courses: Some(9),
        thickness: 0.2,
        block: Some([0.4, 0.2]),
        ..Wall::default()
    };
    let mut spec = ModelSpec::default();
    spec.material.push(MaterialSpec {
        name: "stone".into(),
        density: 2000.0,
    });
    spec.interface.push(InterfaceSpec {
        between: ["*".into(), "*".into()],
        friction: 0.4,
        ..InterfaceSpec::default()
    });
    for structure in [
        StructureSpec::Ground(Ground::default()),
        StructureSpec::Wall(wall),
    ] {
        spec.generate.push(GenerateSpec::new("stone", structure));
    }
    spec.motion.push(MotionSpec::Rectangular(PulseSpec {
        name: "push".into(),
        amplitude: 8.0,
        half_period: 1.0,
        direction: Some([1.0, 0.3, 0.0]),
    }));
    spec.analysis
        .push(AnalysisSpec::TimeHistory(TimeHistorySpec {
            name: "shake".into(),
            motion: Some("push".into()),
            dt: Some(0.004),
            duration: 0.08,
            output_every: Some(0.004),
            forces_every: Some(0.02),
            ..TimeHistorySpec::default()
        }));
    spec
}

#[test]
fn results_do_not_depend_on_the_number_of_threads() {
    let spec = wall();
    let desk = Desk::with("model.toml", &spec.to_toml().unwrap());
    for threads in ["1", "2"] {
        desk.call(&["run", "model.toml", "--out", threads, "--threads", threads])
            .ended(0);
    }
    for table in ["motion.parquet", "history.csv", "forces.csv"] {
        let [one, two] = ["1", "2"].map(|threads| desk.read(&format!("{threads}/shake/{table}")));
        assert!(one == two, "{table} differs");
    }
    let motion = drystone_results::read_motion(&desk.path("1/shake/motion.parquet")).unwrap();
    let (first, last) = (&motion.poses[0], motion.poses.last().unwrap());
    let moved = first
        .iter()
        .zip(last)
        .filter(|(a, b)| a.position.distance(b.position) > 1e-3);
    assert!(moved.count() > 50, "the wall hardly moves");
}

#[test]
fn json_and_toml_give_the_same_results() {
    let desk = Desk::new();
    let spec = load_spec(example("block-3d").as_ref()).unwrap();
    let mut spec = ModelSpec {
        analysis: spec.analysis[..1].to_vec(),
        ..spec
    };
    if let AnalysisSpec::TimeHistory(history) = &mut spec.analysis[0] {
        history.duration = 0.6;
    }
    desk.write("a.toml", &spec.to_toml().unwrap());
    desk.write("b.json", &spec.to_json().unwrap());
    let name = spec.analysis[0].name();
    desk.call(&["run", "a.toml", "--out", "a"]).ended(0);
    desk.call(&["run", "b.json", "--out", "b"]).ended(0);
    for table in ["history.csv", "motion.parquet"] {
        let [a, b] = ["a", "b"].map(|out| desk.read(&format!("{out}/{name}/{table}")));
        assert!(a == b, "{table} differs");
    }
}
