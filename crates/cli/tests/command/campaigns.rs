//! Campaigns: run, killed, resumed, damaged, changed; the same table every time.
#![cfg(unix)]

use std::fs;
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::kit::{Call, Desk, signal, stone_on_ground};

/// A rocking block under pulses: runs of a millisecond.
fn rocking(sweep: &str) -> String {
    format!(
        "[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 4.0\nhalf_period = 0.4\n\
         [[analysis]]\nname = \"rock\"\nkind = \"rocking\"\nhalf_width = 0.2\nhalf_height = 1.0\nmotion = \"pulse\"\nduration = 3.0\n\
         [[analysis]]\nname = \"many\"\n{sweep}\n"
    )
}

const GRID: &str = "kind = \"sweep\"\nof = \"rock\"\nvary = [\
    { key = \"motion.pulse.amplitude\", from = 1.0, to = 9.0, count = 5 },\
    { key = \"motion.pulse.half_period\", values = [0.2, 0.4, 0.8] }]";

/// A stone under pulses by contact dynamics, forty runs of some hundredths of a second.
fn shaken() -> String {
    stone_on_ground()
        + "\n[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 4.0\nhalf_period = 0.2\n\
           [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"pulse\"\ndt = 0.002\nduration = 0.6\n\
           [[analysis]]\nname = \"many\"\nkind = \"sweep\"\nof = \"shake\"\nvary = [\
           { key = \"motion.pulse.amplitude\", from = 2.0, to = 9.0, count = 10 },\
           { key = \"interface[*].friction\", values = [0.2, 0.4, 0.6, 0.8] }]\n"
}

fn results(desk: &Desk, out: &str) -> Vec<PathBuf> {
    let folder = desk.path(out).join("many/runs");
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

fn tables(desk: &Desk, out: &str) -> [Vec<u8>; 2] {
    ["runs.csv", "runs.parquet"].map(|name| desk.read(&format!("{out}/many/{name}")))
}

#[test]
fn a_sweep_has_a_row_per_run_whatever_the_threads() {
    let desk = Desk::with("model.toml", &rocking(GRID));
    for (out, threads) in [("one", "1"), ("three", "3")] {
        desk.call(&["campaign", "model.toml", "--out", out, "--threads", threads])
            .ended(0)
            .says(&["15 runs", "collapsed"]);
    }
    assert_eq!(tables(&desk, "one"), tables(&desk, "three"));
    let csv = String::from_utf8(desk.read("one/many/runs.csv")).unwrap();
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 16);
    assert!(rows[0].starts_with(
        "run,motion.pulse.amplitude,motion.pulse.half_period,status,collapsed,max_angle"
    ));
    assert!(rows[1].starts_with("0,1.0,0.2,stood,0,"));
    assert!(rows[15].starts_with("14,9.0,0.8,overturned,1,"));
    let summary = desk.summary("one/many");
    assert_eq!(summary["kind"], "sweep");
    assert_eq!(summary["status"], "complete");
    assert_eq!(summary["runs"]["done"], 15);
    let page = String::from_utf8(desk.read("one/many/report.html")).unwrap();
    assert!(page.contains("<svg") && page.contains("motion.pulse.amplitude"));
    // `run` makes the same, with the analysis itself.
    desk.call(&["run", "model.toml", "--out", "run"]).ended(0);
    assert_eq!(tables(&desk, "one"), tables(&desk, "run"));
    desk.call(&["run", "model.toml", "--out", "run"]).ended(2);
    desk.call(&["run", "model.toml", "--out", "run", "--resume"])
        .ended(0);
    desk.call(&["campaign", "run", "model.toml", "--only", "rock"])
        .ended(2)
        .says(&["no campaign of that name", "many"]);
    desk.call(&["campaign", "status", "one", "--json"]).ended(0);
    desk.call(&["campaign", "resume", "nowhere"])
        .ended(2)
        .says(&["campaign"]);
}

/// Kills at twenty times that look random and are the same in every run of this test.
#[test]
fn twenty_kills_leave_the_same_table() {
    let desk = Desk::with("model.toml", &shaken());
    desk.call(&["campaign", "model.toml", "--out", "straight"])
        .ended(0);
    let mut random = 12345_u64;
    let mut cut = 0;
    for kill in 0..20 {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let mut child = desk
            .command(&[
                "campaign",
                "model.toml",
                "--out",
                "killed",
                "--threads",
                "2",
            ])
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 + kill + (random >> 33) % 90));
        child.kill().unwrap();
        child.wait().unwrap();
        cut += usize::from(!desk.path("killed/many/summary.json").exists());
    }
    // Were all over before they were killed, nothing would be tested.
    assert!(cut > 0, "no kill came in time");
    desk.call(&["campaign", "resume", "killed/many"]).ended(0);
    assert_eq!(tables(&desk, "straight"), tables(&desk, "killed"));
    // What was being written at a kill may lie about, but never under the name of a result.
    let names = results(&desk, "killed");
    let count = |ending: &str| {
        let of_ending = |path: &&PathBuf| path.extension().unwrap() == ending;
        names.iter().filter(of_ending).count()
    };
    assert_eq!(count("json"), 40);
    assert_eq!(count("json") + count("partial"), names.len());
}

/// Ctrl-C and the signal to terminate end a campaign in good order: what is done is kept, and said.
#[test]
fn signals_stop_a_campaign_and_resume_completes_it() {
    let desk = Desk::with("model.toml", &shaken());
    desk.call(&["campaign", "model.toml", "--out", "straight"])
        .ended(0);
    for name in ["INT", "TERM"] {
        let child = desk
            .command(&["campaign", "model.toml", "--out", name, "--threads", "2"])
            .stderr(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let runs = desk.path(name).join("many/runs");
        let start = Instant::now();
        while fs::read_dir(&runs).map_or(0, Iterator::count) < 2 {
            assert!(start.elapsed() < Duration::from_secs(20), "no results");
            std::thread::sleep(Duration::from_millis(1));
        }
        signal(&child, name);
        Call::new(child.wait_with_output().unwrap())
            .ended(130)
            .says(&["stopped with", "of 40 runs done", "campaign resume"]);
        // Every result is whole, none is half-written, and there is no table that would look like the answer.
        let names = results(&desk, name);
        assert!(names.iter().all(|path| path.extension().unwrap() == "json"));
        assert!((2..40).contains(&names.len()), "{}", names.len());
        assert!(!desk.path(name).join("many/summary.json").exists());
        let status = desk.call(&["campaign", "status", name, "--json"]).ended(0);
        let status = status.json();
        assert_eq!(status[0]["done"], names.len());
        assert_eq!(status[0]["damaged"], 0);
        desk.call(&["campaign", "resume", name]).ended(0);
        assert_eq!(tables(&desk, "straight"), tables(&desk, name));
    }
}

#[test]
fn damaged_results_are_made_again_and_changes_rerun_only_what_changed() {
    let desk = Desk::with("model.toml", &rocking(GRID));
    desk.call(&["campaign", "model.toml", "--out", "out"])
        .ended(0);
    let before = tables(&desk, "out");
    let paths = results(&desk, "out");
    assert_eq!(paths.len(), 15);
    let text = fs::read_to_string(&paths[3]).unwrap();
    fs::write(&paths[3], &text[..text.len() / 2]).unwrap();
    // One that is sound, but not that of this run.
    fs::write(&paths[7], &text).unwrap();
    fs::write(&paths[9], "").unwrap();
    let call = desk.call(&["campaign", "status", "out/many"]).ended(0);
    assert!(
        call.out.contains("12 of 15 runs done") && call.out.contains("3 damaged"),
        "{}",
        call.out
    );
    desk.call(&["campaign", "resume", "out"])
        .ended(0)
        .says(&["damaged"]);
    assert_eq!(tables(&desk, "out"), before);

    // Two more values: ten more results. Nothing of what was there is touched.
    let old: Vec<_> = paths
        .iter()
        .map(|path| fs::metadata(path).unwrap().modified().unwrap())
        .collect();
    desk.write(
        "model.toml",
        &rocking(&GRID.replace("0.8]", "0.8, 0.5, 0.6]")).replace(
            "duration = 3.0",
            "duration = 3.0\n[model]\nname = \"other\"",
        ),
    );
    desk.call(&["campaign", "model.toml", "--out", "out"])
        .ended(0)
        .says(&["25 runs"]);
    let new: Vec<_> = paths
        .iter()
        .map(|path| fs::metadata(path).unwrap().modified().unwrap())
        .collect();
    assert_eq!(old, new);
    assert_eq!(results(&desk, "out").len(), 25);
}

#[test]
fn failed_runs_are_kept_with_their_reason_and_retried_when_asked() {
    let sweep = "kind = \"sweep\"\nof = \"rock\"\nvary = [{ key = \"motion.pulse.half_period\", values = [0.2, -1.0, 0.4] }]";
    let desk = Desk::with("model.toml", &rocking(sweep));
    desk.call(&["campaign", "model.toml", "--out", "out"])
        .ended(3)
        .says(&["3 runs", "1 failed", "retry"]);
    let csv = String::from_utf8(desk.read("out/many/runs.csv")).unwrap();
    assert!(
        csv.contains("failed") && csv.contains("greater than zero"),
        "{csv}"
    );
    let first = results(&desk, "out");
    desk.call(&["campaign", "resume", "out"]).ended(3);
    desk.call(&["campaign", "retry", "out"])
        .ended(3)
        .says(&["1 failed run to be made again"]);
    assert_eq!(first, results(&desk, "out"));
    desk.call(&["campaign", "collect", "out"]).ended(0);
}

#[test]
fn refined_domains_have_the_boundary_of_the_grid() {
    let domain = |refine: bool| {
        format!(
            "kind = \"failure_domain\"\nof = \"rock\"\nrefine = {refine}\nrocking = \"rock\"\nboth_directions = true\nafter_motion = 2.0\n\
             x = {{ key = \"motion.pulse.half_period\", from = 0.1, to = 0.9, count = 17 }}\n\
             y = {{ key = \"motion.pulse.amplitude\", from = 1.0, to = 13.0, count = 17 }}"
        )
    };
    let desk = Desk::new();
    for (out, refine) in [("full", false), ("refined", true)] {
        desk.write("model.toml", &rocking(&domain(refine)));
        desk.call(&["campaign", "model.toml", "--out", out])
            .ended(0);
    }
    let [full, refined] = ["full/many", "refined/many"].map(|out| desk.summary(out));
    assert_eq!(full["runs"]["done"], 2 * 17 * 17);
    assert!(refined["runs"]["done"].as_u64().unwrap() < 400);
    for curve in 0..2 {
        assert_eq!(
            full["curves"][curve]["boundary"],
            refined["curves"][curve]["boundary"]
        );
        // The block is the same both ways, and the equation is that of the runs.
        assert_eq!(full["curves"][curve]["boundary"], full["rocking"]);
    }
    assert_eq!(full["hull"], refined["hull"]);
}

/// A stone of 0.4 m by 1 m under pulses, some of which tip it over slowly; runs end a little after the pulse.
fn tipping(more: &str) -> String {
    stone_on_ground()
        + "\n[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 4.0\nhalf_period = 0.2\n\
           [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"pulse\"\ndt = 0.002\nduration = 0.6\n"
        + more
        + "\n[[analysis]]\nname = \"many\"\nkind = \"failure_domain\"\nof = \"shake\"\nafter_motion = 0.1\n\
           x = { key = \"motion.pulse.half_period\", values = [0.3, 0.5] }\n\
           y = { key = \"motion.pulse.amplitude\", from = 2.0, to = 14.0, count = 13 }\n"
}

#[test]
fn undecided_runs_count_neither_as_standing_nor_as_collapsed() {
    let desk = Desk::with("model.toml", &tipping("settle = 0"));
    desk.call(&["campaign", "model.toml", "--out", "cut"])
        .ended(0)
        .says(&["undecided"]);
    let status = desk.call(&["campaign", "status", "cut"]).ended(0);
    assert!(status.out.contains(" undecided"), "{}", status.out);
    let cut = desk.summary("cut/many");
    let open = cut["runs"]["undecided"].as_u64().unwrap();
    assert!(open > 0, "{}", cut["runs"]);
    let marked = cut["curves"][0]["undecided"].as_array().unwrap();
    assert_eq!(marked.len() as u64, open);
    let note = cut["notes"][0].as_str().unwrap();
    assert!(
        note.contains(&format!("{open} of 26 runs are undecided")),
        "{note}"
    );
    let csv = String::from_utf8(desk.read("cut/many/runs.csv")).unwrap();
    let without = csv.lines().filter(|row| row.contains(",undecided,,"));
    assert_eq!(without.count() as u64, open, "{csv}");
    // None of the points that a boundary rests on is undecided.
    for bracket in cut["curves"][0]["boundary"].as_array().unwrap() {
        for y in [&bracket["stands"], &bracket["collapses"]] {
            assert!(
                !marked
                    .iter()
                    .any(|point| point[0] == bracket["x"] && point[1] == *y)
            );
        }
    }
    // Followed to its end, each of them has a verdict, and some of them came down.
    desk.write("model.toml", &tipping(""));
    desk.call(&["campaign", "model.toml", "--out", "followed"])
        .ended(0);
    let followed = desk.summary("followed/many");
    assert_eq!(followed["runs"]["undecided"], 0);
    let down = |summary: &serde_json::Value| summary["runs"]["collapsed"].as_u64().unwrap();
    assert!(
        down(&followed) > down(&cut),
        "{} {}",
        down(&followed),
        down(&cut)
    );
}

#[test]
fn fragility_curves_come_with_intervals_or_a_reason() {
    let curves = |more: &str| {
        rocking(&format!(
            "kind = \"fragility\"\nof = \"rock\"\nmotions = [\"quake\"]\nrealisations = 12\nafter_motion = 2.0\n{more}"
        )) + "[[motion]]\nname = \"quake\"\nkind = \"stochastic\"\nseed = 7\npga = 3.0\nsignificant_duration = 5.0\nfrequency = 1.5\n"
    };
    let desk = Desk::with("model.toml", &curves("intensities = [2.0, 4.0, 6.0, 8.0]"));
    desk.call(&["campaign", "model.toml", "--out", "stripes"])
        .ended(0);
    let summary = desk.summary("stripes/many");
    let curve = &summary["fragility"][0]["curves"][0];
    let [theta, beta] = ["theta", "beta"].map(|key| summary[key].as_f64().unwrap());
    let interval = curve["theta_interval"].as_array().unwrap();
    assert!(
        theta > interval[0].as_f64().unwrap() && beta > 0.0,
        "{curve}"
    );
    assert_eq!(curve["stripes"][0]["runs"], 12.0);

    desk.write(
        "model.toml",
        &curves("method = \"incremental\"\nintensities = [2.0, 4.0, 6.0, 8.0]"),
    );
    desk.call(&["campaign", "model.toml", "--out", "stripes"])
        .ended(0);
    let rising = desk.summary("stripes/many");
    assert!(rising["runs"]["done"].as_u64().unwrap() < 48);

    desk.write("model.toml", &curves("intensities = [0.01, 0.02]"));
    desk.call(&["campaign", "model.toml", "--out", "none"])
        .ended(0);
    let none = desk.summary("none/many");
    let reason = none["fragility"][0]["curves"][0]["no_curve"]
        .as_str()
        .unwrap();
    assert!(reason.contains("none of the runs collapsed"), "{reason}");
}

#[test]
fn two_commands_in_one_folder_end_with_the_same_tables() {
    let desk = Desk::with("model.toml", &rocking(GRID));
    let arguments = ["campaign", "model.toml", "--out", "two", "--threads", "1"];
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                for _ in 0..5 {
                    desk.call(&arguments).ended(0);
                }
            });
        }
    });
    desk.call(&["campaign", "model.toml", "--out", "one"])
        .ended(0);
    assert_eq!(tables(&desk, "one"), tables(&desk, "two"));
}

#[test]
fn a_value_is_changed_by_one_key_alone() {
    let axis = |key: &str| format!("{{ key = \"{key}\", values = [1.0, 2.0] }}");
    let [amplitude, same, all] = [
        "motion.pulse.amplitude",
        "motion[0].amplitude",
        "motion[*].amplitude",
    ]
    .map(axis);
    for campaign in [
        format!("kind = \"failure_domain\"\nof = \"rock\"\nx = {amplitude}\ny = {amplitude}"),
        format!(
            "kind = \"failure_domain\"\nof = \"rock\"\nx = {amplitude}\ny = {}\nvary = [{all}]",
            axis("motion.pulse.half_period")
        ),
        format!("kind = \"sweep\"\nof = \"rock\"\nvary = [{all}, {same}]"),
    ] {
        let desk = Desk::with("model.toml", &rocking(&campaign));
        desk.call(&["campaign", "model.toml"])
            .ended(2)
            .says(&["varies already"]);
    }
    let falling = "kind = \"sweep\"\nof = \"rock\"\nsamples = \"sobol\"\ncount = 4\n\
                   vary = [{ key = \"motion.pulse.amplitude\", from = 2.0, to = 1.0 }]";
    let desk = Desk::with("model.toml", &rocking(falling));
    desk.call(&["campaign", "model.toml"])
        .ended(2)
        .says(&["is descending"]);
}

/// A block that leans by 0.2 m on a foot of 0.4 m and a height of 2 m: its middle, 1 m high, is 0.1 m from one edge of the foot and 0.3 m from the other,
/// so that it bears a tenth of its weight where it leans to and three tenths the other way. Verdicts of equilibria are those of the limits.
#[test]
fn each_direction_of_a_domain_has_its_own_capacity() {
    let leaning = |limit: &str| {
        format!(
            "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n\
             [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n\
             [[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [\
             [-0.2, -0.2, 0], [0.2, -0.2, 0], [0.2, 0.2, 0], [-0.2, 0.2, 0], [0, -0.2, 2], [0.4, -0.2, 2], [0.4, 0.2, 2], [0, 0.2, 2]]\n\
             [[analysis]]\nname = \"push\"\nkind = \"equilibrium\"\nmultiplier = 0.1\ndirection = [1, 0, 0]\n\
             [[analysis]]\nname = \"static\"\nkind = \"limit\"\n{limit}\n\
             [[analysis]]\nname = \"many\"\nkind = \"failure_domain\"\nof = \"push\"\nlimit = \"static\"\nboth_directions = true\n\
             x = {{ key = \"interface[0].friction\", values = [0.6, 0.7] }}\n\
             y = {{ key = \"analysis.push.multiplier\", values = [0.09, 0.11, 0.29, 0.31] }}\n"
        )
    };
    let live = "[[load]]\nblock = \"block\"\nforce = [1000, 0, 0]\nlive = true";
    for (limit, capacities) in [
        ("direction = [1, 0, 0]".to_owned(), [Some(0.1), Some(0.3)]),
        ("tilt = [0, 1, 0]".to_owned(), [Some(0.1), Some(0.3)]),
        ("directions = 4".to_owned(), [Some(0.1), Some(0.1)]),
        // The weight is 6278.4 N.
        (format!("loads = \"live\"\n{live}"), [Some(0.62784), None]),
    ] {
        let desk = Desk::with("model.toml", &leaning(&limit));
        desk.call(&["campaign", "model.toml", "--out", "out"])
            .ended(0);
        let curves = &desk.summary("out/many")["curves"];
        for (curve, capacity) in capacities.into_iter().enumerate() {
            let found = curves[curve]["static_capacity"].as_f64();
            let close = match (found, capacity) {
                (Some(found), Some(capacity)) => (found / (9.81 * capacity) - 1.0).abs() < 1e-5,
                (found, capacity) => found == capacity,
            };
            assert!(close, "{limit}, curve {curve}: {found:?}, not {capacity:?}");
        }
        let collapses = |curve: usize| curves[curve]["boundary"][0]["collapses"].as_f64();
        assert_eq!([collapses(0), collapses(1)], [Some(0.11), Some(0.31)]);
    }
}

#[test]
fn keys_without_effect_are_told() {
    let sweep = "kind = \"sweep\"\nof = \"rock\"\nvary = [{ key = \"motion.other.amplitude\", values = [1.0, 2.0] }]\n\
                 [[motion]]\nname = \"other\"\nkind = \"one_sine\"\namplitude = 4.0\nhalf_period = 0.4";
    let desk = Desk::with("model.toml", &rocking(sweep));
    let told = desk.call(&["campaign", "model.toml", "--out", "out"]);
    told.ended(0)
        .says(&["note: many: `motion.other.amplitude` has no effect"]);
    let summary = desk.summary("out/many");
    assert_eq!(summary["notes"].as_array().unwrap().len(), 1);
    assert!(!summary["headline"].as_str().unwrap().contains("changes"));
    desk.write("model.toml", &rocking(GRID));
    desk.call(&["campaign", "model.toml", "--out", "grid"])
        .ended(0);
    assert_eq!(desk.summary("grid/many")["notes"], serde_json::json!([]));
}

#[test]
fn answers_of_several_combinations_say_whose_they_are() {
    let widths = "vary = [{ key = \"analysis.rock.half_width\", values = [0.3, 0.2] }]";
    let domain = format!(
        "kind = \"failure_domain\"\nof = \"rock\"\nrocking = \"rock\"\n{widths}\n\
         x = {{ key = \"motion.pulse.half_period\", from = 0.2, to = 1.0, count = 5 }}\n\
         y = {{ key = \"motion.pulse.amplitude\", from = 1.0, to = 9.0, count = 9 }}"
    );
    let desk = Desk::with("model.toml", &rocking(&domain));
    desk.call(&["campaign", "model.toml", "--out", "out"])
        .ended(0)
        .says(&["with half_width 0.2"]);
    let summary = desk.summary("out/many");
    // The slender column falls wherever the stout one does: its hull holds all.
    assert_eq!(
        summary["hulls"][1]["values"]["analysis.rock.half_width"],
        0.2
    );
    assert_eq!(summary["hull"], summary["hulls"][1]["hull"]);
    assert_ne!(summary["hull"], summary["hulls"][0]["hull"]);
    for curve in summary["curves"].as_array().unwrap() {
        assert_eq!(curve["rocking"], curve["boundary"]);
    }
    let curves = format!(
        "kind = \"fragility\"\nof = \"rock\"\nmotions = [\"quake\"]\nrealisations = 12\nafter_motion = 2.0\nintensities = [2.0, 4.0, 6.0, 8.0]\n{widths}\n\
         [[motion]]\nname = \"quake\"\nkind = \"stochastic\"\nseed = 7\npga = 3.0\nsignificant_duration = 5.0\nfrequency = 1.5"
    );
    desk.write("model.toml", &rocking(&curves));
    desk.call(&["campaign", "model.toml", "--out", "curves"])
        .ended(0)
        .says(&["half_width 0.3: theta", "half_width 0.2: theta"]);
    let summary = desk.summary("curves/many");
    assert!(summary["theta"].is_null() && summary["beta"].is_null());
    assert_eq!(summary["fragility"].as_array().unwrap().len(), 2);
}
