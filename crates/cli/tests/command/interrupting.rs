//! Ctrl-C, the signal to terminate, and kills.
#![cfg(unix)]

use std::fs;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use crate::kit::{Call, Desk, history, signal, stone_on_ground};

/// A stone that rocks for a few seconds of computing time, and a short analysis after it.
fn long() -> String {
    stone_on_ground().replace("friction = 0.6", "friction = 0.9")
        + "\n[[motion]]\nname = \"hum\"\nkind = \"sine\"\namplitude = 4.5\nfrequency = 3.0\nduration = 80.0\n"
        + "\n[[analysis]]\nname = \"long\"\nkind = \"time_history\"\nmotion = \"hum\"\ndt = 0.002\nduration = 80.0\nsettle = 0\n"
        + "forces_every = 0.1\n"
        + &history("short", "")
}

/// Starts a run and waits until it has written some frames.
fn begun(desk: &Desk, out: &str) -> Child {
    let child = desk
        .command(&["run", "model.toml", "--out", out])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let spool = desk.path(out).join("long/motion.parquet.partial");
    let start = Instant::now();
    while fs::metadata(&spool).map_or(0, |file| file.len()) < 2000 {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "the run does not begin"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    child
}

#[test]
fn signals_keep_results_and_resume_completes_them() {
    let desk = Desk::with("model.toml", &long());
    desk.call(&["run", "model.toml", "--out", "straight"])
        .ended(0);
    for name in ["INT", "TERM"] {
        let child = begun(&desk, name);
        signal(&child, name);
        Call::new(child.wait_with_output().unwrap())
            .ended(130)
            .says(&[
                "stopping after this step",
                "interrupted at",
                "not run: short",
                "--resume",
            ]);
        let summary = desk.summary(&format!("{name}/long"));
        assert_eq!(summary["status"], "interrupted");
        let steps = summary["steps"].as_u64().unwrap();
        assert!(steps > 10 && steps < 40_000, "{steps}");
        let motion =
            drystone_results::read_motion(&desk.path(name).join("long/motion.parquet")).unwrap();
        assert!(motion.times.len() > 5);
        assert!(!desk.path(name).join("short").exists());
        // Not by accident.
        desk.call(&["run", "model.toml", "--out", name])
            .ended(2)
            .says(&["--resume"]);
        desk.call(&["run", "model.toml", "--out", name, "--resume"])
            .ended(0);
        for table in ["history.csv", "forces.csv", "motion.parquet"] {
            let [expected, found] =
                ["straight", name].map(|out| desk.read(&format!("{out}/long/{table}")));
            assert!(expected == found, "{table} differs");
        }
        assert!(desk.path(name).join("short/summary.json").exists());
        assert!(!desk.path(name).join("long/checkpoint.bin").exists());
    }
}

/// An assessment waits for its pushover, which may take long.
#[test]
fn an_assessment_hears_signals() {
    let model = stone_on_ground()
        + "\n[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\nstep = 1e-7\n"
        + "[[analysis]]\nname = \"code\"\nkind = \"assessment\"\npushover = \"push\"\ncode = \"eurocode8\"\nlife_safety = { ag = 2.0 }\n";
    let desk = Desk::with("model.toml", &model);
    let child = desk
        .command(&["assess", "model.toml"])
        .stderr(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let start = Instant::now();
    // The folder is made before the first step.
    while !desk.path("results/push").exists() {
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "it does not begin"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
    signal(&child, "INT");
    Call::new(child.wait_with_output().unwrap())
        .ended(130)
        .says(&["stopping after this step", "interrupted: push"]);
}

#[test]
fn a_kill_leaves_no_half_file_under_its_final_name() {
    let desk = Desk::with("model.toml", &long());
    let mut child = begun(&desk, "out");
    signal(&child, "KILL");
    child.wait().unwrap();
    for entry in fs::read_dir(desk.path("out/long")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(name.ends_with(".partial"), "{name}");
    }
    desk.call(&["run", "model.toml", "--out", "out"])
        .ended(2)
        .says(&["already holds results", "--resume"]);
    desk.call(&["run", "model.toml", "--out", "out", "--resume"])
        .ended(0);
    assert_eq!(desk.summary("out/long")["steps"], 40_000);
}
