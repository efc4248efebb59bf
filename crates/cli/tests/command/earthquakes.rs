//! `drystone motion`: records and synthetic motions, described and written.

use serde_json::Value;

use crate::kit::{Desk, history, stone_on_ground};

const RECIPES: &str = r#"
[[motion]]
name = "noise"
kind = "stochastic"
seed = 5
pga = 2.0
significant_duration = 4.0
frequency = 4.0
dt = 0.01

[[motion]]
name = "type 1"
kind = "code_spectrum"
seed = 7
code = "eurocode8"
soil = "B"
ag = 2.0
duration = 12.0
periods = [0.1, 1.5]
dt = 0.01

[[motion]]
name = "pulse"
kind = "one_sine"
amplitude = 1.0
half_period = 0.5
"#;

fn three_columns() -> String {
    let rows: String = (0..200)
        .map(|k| {
            let t = 0.01 * f64::from(k);
            let a = (std::f64::consts::TAU * t).sin();
            format!("{t:.2},{a},{},{}\n", 2.0 * a, 0.5 * a)
        })
        .collect();
    format!("time [s],north [g],east [g],up [g]\n{rows}")
}

fn table(desk: &Desk, name: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let text = String::from_utf8(desk.read(name)).unwrap();
    let mut lines = text.lines();
    let columns = lines
        .next()
        .unwrap()
        .split(',')
        .map(str::to_owned)
        .collect();
    let rows = lines
        .map(|line| line.split(',').map(|cell| cell.parse().unwrap()).collect())
        .collect();
    (columns, rows)
}

#[test]
fn a_record_is_described_and_written() {
    let desk = Desk::with("station.csv", &three_columns());
    let call = desk.call(&["motion", "station.csv"]).ended(0);
    for words in ["columns, values in g", "1 north", "PGA, m/s²", "D5-95, s"] {
        assert!(call.out.contains(words), "no {words}:\n{}", call.out);
    }
    let json = desk
        .call(&["motion", "station.csv", "--json"])
        .ended(0)
        .json();
    let components = json[0]["components"].as_array().unwrap();
    let pga = |k: usize| components[k]["pga"].as_f64().unwrap();
    // The sine has a value at its crest.
    assert!((pga(0) - 9.80665).abs() < 1e-9 && (pga(1) - 2.0 * 9.80665).abs() < 1e-9);
    assert_eq!(components[1]["azimuth"], Value::from(90.0));
    assert!(!desk.path("out").exists());

    desk.call(&[
        "motion",
        "station.csv",
        "--component",
        "up",
        "--pga",
        "3",
        "--out",
        "out",
    ])
    .ended(0);
    let (columns, rows) = table(&desk, "out/station.csv");
    assert_eq!(
        columns,
        [
            "time [s]",
            "acceleration [m/s2]",
            "velocity [m/s]",
            "displacement [m]"
        ]
    );
    assert_eq!(rows.len(), 200);
    let peak = rows.iter().map(|row| row[1].abs()).fold(0.0, f64::max);
    assert!((peak - 3.0).abs() < 1e-12);
    let (columns, rows) = table(&desk, "out/station-spectra.csv");
    assert_eq!(columns.len(), 5);
    assert!(rows[0][0] == 0.0 && (rows[0][2] - 3.0).abs() < 1e-12);
    // At its own period the sine is amplified most.
    let resonant = rows.iter().max_by(|a, b| a[2].total_cmp(&b[2])).unwrap();
    assert!((0.8..1.2).contains(&resonant[0]), "{resonant:?}");

    desk.call(&["motion", "station.csv", "--out", "out"])
        .ended(2)
        .says(&["out/station", "already there", "--overwrite"]);
    desk.call(&["motion", "station.csv", "--out", "out", "--overwrite"])
        .ended(0);
    let (columns, _) = table(&desk, "out/station.csv");
    assert_eq!(columns[4], "2 east acceleration [m/s2]");
    // What is written can be read again: three components, velocities and displacements left aside.
    let back = ["motion", "out/station.csv", "--json"];
    let json = desk.call(&back).ended(0).json();
    assert_eq!(json[0]["components"].as_array().unwrap().len(), 3);
    let pga = json[0]["components"][1]["pga"].as_f64().unwrap();
    assert!((pga - 2.0 * 9.80665).abs() < 1e-9);
}

#[test]
fn two_components_are_turned_into_one_another() {
    let desk = Desk::with("station.csv", &three_columns());
    let turned = ["motion", "station.csv", "--json", "--rotate-degrees", "90"];
    desk.call(&turned)
        .ended(2)
        .says(&["two horizontal components"]);
    let mut args = turned.to_vec();
    args.extend(["--component", "1", "--component", "east"]);
    let json = desk.call(&args).ended(0).json();
    let pga = json[0]["components"][0]["pga"].as_f64().unwrap();
    assert!((pga - 2.0 * 9.80665).abs() < 1e-9);
}

#[test]
fn faults_say_what_would_be_right() {
    let desk = Desk::with("station.csv", &three_columns());
    desk.write("motions.toml", RECIPES);
    for (args, words) in [
        (&["motion", "nowhere.csv"][..], &["nowhere.csv"][..]),
        (
            &["motion", "station.csv", "--component", "west"],
            &["no component \"west\"", "component 2 \"east\""],
        ),
        (
            &["motion", "station.csv", "--damping", "5"],
            &["0.05 for 5 %"],
        ),
        (&["motion", "station.csv", "--sa", "3"], &["as in 0.5=3.0"]),
        (
            &["motion", "station.csv", "--pga", "3", "--scale", "2"],
            &["--scale"],
        ),
        (
            &["motion", "station.csv", "--baseline", "cubic"],
            &["quadratic"],
        ),
        (
            &["motion", "station.csv", "--motion", "noise"],
            &["--motion needs a model file"],
        ),
        (
            &["motion", "motions.toml", "--pga", "3"],
            &["--pga is for records"],
        ),
        (
            &["motion", "motions.toml", "--motion", "nois"],
            &[
                "no accelerogram is named \"nois\"",
                "\"noise\", \"type 1\", \"pulse\"",
            ],
        ),
        (
            &["motion", "motions.toml", "--count", "3", "--out", "out"],
            &["choose one of noise, type 1"],
        ),
        (&["motion", "motions.toml", "--count", "3"], &["--out"]),
    ] {
        desk.call(args).ended(2).says(words);
    }
    assert!(!desk.path("out").exists());
}

#[test]
fn the_motions_of_a_model_are_described() {
    let desk = Desk::with("motions.toml", RECIPES);
    let json = desk
        .call(&["motion", "motions.toml", "--json"])
        .ended(0)
        .json();
    let names: Vec<&str> = json
        .as_array()
        .unwrap()
        .iter()
        .map(|motion| motion["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["noise", "type 1", "pulse"]);
    let pga = json[0]["components"][0]["pga"].as_f64().unwrap();
    assert!((pga - 2.0).abs() < 1e-12);
}

/// Motions that have a formula have measures in closed form.
#[test]
fn pulses_are_described_too() {
    let pulse = |kind: &str, more: &str| {
        format!("[[motion]]\nname = \"{kind}\"\nkind = \"{kind}\"\namplitude = 1.5\n{more}\n")
    };
    let half = "half_period = 0.4";
    let model = pulse("one_sine", half)
        + &pulse("biphasic", half)
        + &pulse("rectangular", half)
        + &pulse("sine", "frequency = 2\nduration = 1.25");
    let desk = Desk::with("motions.toml", &model);
    let json = desk
        .call(&["motion", "motions.toml", "--json"])
        .ended(0)
        .json();
    // Largest velocity: a sine of half period T gives 2 a T/pi; a constant acceleration a T. What is left at the end: of two
    // and a half periods the half one.
    let pi = std::f64::consts::PI;
    let expected = [
        (1.5 * 2.0 * 0.4 / pi, 0.0),
        (1.5 * 0.4, 0.0),
        (1.5 * 0.4, 1.5 * 0.4),
        (1.5 * 2.0 * 0.25 / pi, 1.5 * 2.0 * 0.25 / pi),
    ];
    for (motion, (pgv, last)) in json.as_array().unwrap().iter().zip(expected) {
        let measure = |key: &str| motion["components"][0][key].as_f64().unwrap();
        assert!((measure("pga") - 1.5).abs() < 1e-9, "{motion}");
        // A chord of a two-hundredth of a period cuts (pi/200)²/3 of the area; corners at jumps round the peak by as much as
        // half a step.
        assert!((measure("pgv") / pgv - 1.0).abs() < 3e-3, "{motion}");
        assert!(
            (measure("final_velocity").abs() - last).abs() < 2e-4,
            "{motion}"
        );
    }
    assert_eq!(json.as_array().unwrap().len(), 4);
}

/// A ground that oscillates from the start begins with the velocity of an oscillation, `-a / (2 pi f)`, and goes nowhere; one that starts from rest drifts.
#[test]
fn an_oscillation_is_described_with_its_initial_velocity() {
    let sine = |name: &str, start: &str| {
        format!(
            "[[motion]]\nname = \"{name}\"\nkind = \"sine\"\namplitude = 1.5\nfrequency = 2\nduration = 5\nstart = \"{start}\"\n"
        )
    };
    let model = sine("swings", "oscillating") + &sine("drifts", "still");
    let desk = Desk::with("motions.toml", &model);
    let call = ["motion", "motions.toml", "--json", "--out", "out"];
    let json = desk.call(&call).ended(0).json();
    let measure = |motion: usize, key: &str| json[motion]["components"][0][key].as_f64().unwrap();
    let round = 4.0 * std::f64::consts::PI;
    let expected = [
        // Displacement to either side of where it began.
        (1.5 / round, 1.5 / round.powi(2), -1.5 / round),
        // By a / (2 pi f²) per period, of which there are ten.
        (3.0 / round, 10.0 * 1.5 / round / 2.0, 0.0),
    ];
    for (motion, (pgv, pgd, last)) in expected.into_iter().enumerate() {
        // Chords of a two-hundredth of a period cut 8e-5 of the velocity, which in ten periods moves the ground by half a percent of the oscillation.
        assert!((measure(motion, "pgv") / pgv - 1.0).abs() < 3e-4, "{json}");
        assert!((measure(motion, "pgd") / pgd - 1.0).abs() < 1e-2, "{json}");
        assert!(
            (measure(motion, "final_velocity") - last).abs() < 1e-4,
            "{json}"
        );
    }
    let (_, rows) = table(&desk, "out/swings.csv");
    assert!((rows[0][2] + 1.5 / round).abs() < 1e-12 && rows[0][3] == 0.0);
    let farthest = rows.iter().map(|row| row[3].abs()).fold(0.0, f64::max);
    assert!(farthest < 1.01 * 1.5 / round.powi(2), "{farthest}");
}

#[test]
fn what_records_do_not_say_is_told_by_every_command() {
    let desk = Desk::with("station.csv", "time,acceleration\n0,0\n0.01,1\n0.02,0\n");
    let model = stone_on_ground()
        + "\n[[motion]]\nname = \"quake\"\nkind = \"record\"\npath = \"station.csv\"\n"
        + &history("shake", "motion = \"quake\"").replace("duration = 0.1", "duration = 0.01");
    desk.write("model.toml", &model);
    let words = ["station.csv", "taken for m/s2"];
    desk.call(&["run", "model.toml"]).ended(0).says(&words);
    let call = desk.call(&["check", "model.toml"]).ended(0);
    assert!(
        words.iter().all(|word| call.out.contains(word)),
        "{}",
        call.out
    );
    assert!(call.out.contains("1 free, 1 support\n"), "{}", call.out);
    desk.call(&["motion", "model.toml"]).ended(0).says(&words);
    desk.write("bare.csv", "0\n1\n0\n");
    desk.call(&["motion", "bare.csv"]).ended(2).says(&["--dt"]);
    desk.call(&["motion", "station.csv", "--resample", "5"])
        .ended(2)
        .says(&["--resample 5", "longer than the motion, 0.02 s"]);
}

#[test]
fn a_suite_is_made_offline_and_read_back() {
    let desk = Desk::with("motions.toml", RECIPES);
    let args = [
        "motion",
        "motions.toml",
        "--motion",
        "type 1",
        "--count",
        "4",
        "--out",
        "suite",
    ];
    let call = desk.call(&args).ended(0).says(&["4 motions in suite"]);
    assert!(call.out.contains("seeds 7 to 10"), "{}", call.out);
    let (columns, rows) = table(&desk, "suite/type-1-spectra.csv");
    assert_eq!(columns[..3], ["period [s]", "target [m/s2]", "mean [m/s2]"]);
    assert_eq!(columns.len(), 5 + 4);
    for row in rows.iter().filter(|row| (0.1..1.5).contains(&row[0])) {
        // Eurocode 8, 3.2.3.1.2 (4).
        assert!(row[2] >= 0.9 * row[1], "{row:?}");
    }
    assert!(rows[0][2] >= rows[0][1]);
    // A written motion is a record, and the same motion.
    let read = desk
        .call(&["motion", "suite/type-1-002.csv", "--json"])
        .ended(0)
        .json();
    let json = desk
        .call(&[&args[..], &["--overwrite", "--json"]].concat())
        .ended(0)
        .json();
    assert_eq!(json["motions"][1]["seed"], 8);
    let [a, b] = [&read[0]["components"][0], &json["motions"][1]].map(|m| m["pga"].as_f64());
    assert_eq!(a, b);
    assert!(json["match"]["lowest"].as_f64().unwrap() >= 0.9);
}
