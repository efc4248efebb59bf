//! Fragility through the command: intensities, methods, damage, records in files.
#![cfg(unix)]

use std::fs;

use serde_json::Value;

use crate::kit::{Desk, stone_on_ground};

/// A column of 0.4 m by 2 m by its equation of motion, and a fragility analysis of it.
fn column(motions: &str, campaign: &str) -> String {
    format!(
        "{motions}\n[[analysis]]\nname = \"rock\"\nkind = \"rocking\"\nhalf_width = 0.2\nhalf_height = 1.0\nmotion = \"a\"\nduration = 12.0\n\
         [[analysis]]\nname = \"curve\"\nkind = \"fragility\"\nof = \"rock\"\n{campaign}\n"
    )
}

/// Ground motion of two sines that begins and ends softly, as a table of times and accelerations.
fn record(first: f64, second: f64) -> String {
    let mut text = String::from("time [s],acceleration [m/s2]\n");
    for k in 0..=800 {
        let t = 0.01 * f64::from(k);
        let a = (t * std::f64::consts::PI / 8.0).sin().powi(2)
            * (2.0 * (first * t).sin() + (second * t).sin());
        text.push_str(&format!("{t:.2},{a:.9}\n"));
    }
    text
}

/// Runs the only campaign of `model.toml`; its summary.
fn answered(desk: &Desk, model: &str, out: &str) -> Value {
    desk.write("model.toml", model);
    desk.call(&["campaign", "model.toml", "--out", out])
        .ended(0);
    desk.summary(&format!("{out}/curve"))
}

/// A column of the table of runs.
fn column_of(desk: &Desk, out: &str, name: &str) -> Vec<String> {
    let table = String::from_utf8(desk.read(&format!("{out}/curve/runs.csv"))).unwrap();
    let mut rows = table.lines().map(|row| row.split(',').collect::<Vec<_>>());
    let head = rows.next().unwrap();
    let at = head.iter().position(|other| *other == name);
    let at = at.unwrap_or_else(|| panic!("no {name} in {head:?}"));
    rows.map(|row| row[at].to_owned()).collect()
}

fn numbers(desk: &Desk, out: &str, name: &str) -> Vec<f64> {
    let column = column_of(desk, out, name);
    column.iter().map(|text| text.parse().unwrap()).collect()
}

const RECORDS: &str = "[[motion]]\nname = \"a\"\nkind = \"record\"\npath = \"quakes/a.csv\"\n\
    [[motion]]\nname = \"b\"\nkind = \"record\"\npath = \"quakes/b.csv\"\n";

fn desk_with_records() -> Desk {
    let desk = Desk::new();
    fs::create_dir(desk.path("quakes")).unwrap();
    desk.write("quakes/a.csv", &record(4.0, 9.0));
    desk.write("quakes/b.csv", &record(2.5, 13.0));
    desk
}

/// Scaling to a spectral acceleration is scaling to the peak that `drystone motion` says goes with it.
#[test]
fn spectral_intensities_scale_as_the_command_motion_does() {
    let desk = desk_with_records();
    let spectral = "motions = [\"a\"]\nintensity = \"sa\"\nperiod = 0.8\nintensities = [6.0]";
    let summary = answered(&desk, &column(RECORDS, spectral), "sa");
    let told = &summary["fragility"][0]["intensity"];
    assert_eq!(told, "sa(0.8 s), m/s²");
    assert_eq!(numbers(&desk, "sa", "intensity"), [6.0]);
    let measured = desk
        .call(&["motion", "quakes/a.csv", "--sa", "0.8=6.0", "--json"])
        .ended(0)
        .json();
    let text = measured.to_string();
    let peak = found(&measured, "pga").unwrap_or_else(|| panic!("{text}"));
    let peaks = format!("motions = [\"a\"]\nintensity = \"pga\"\nintensities = [{peak}]");
    answered(&desk, &column(RECORDS, &peaks), "pga");
    let [by_sa, by_pga] = ["sa", "pga"].map(|out| numbers(&desk, out, "max_angle")[0]);
    // The peak has been through decimal digits, and rocking amplifies differences.
    assert!(by_sa > 0.0 && (by_sa - by_pga).abs() < 1e-6 * by_sa);
    desk.write(
        "model.toml",
        &column(RECORDS, &spectral.replace("period = 0.8\n", "")),
    );
    desk.call(&["campaign", "model.toml", "--out", "none"])
        .ended(2)
        .says(&["period"]);
}

/// The first number of this name anywhere in a tree.
fn found(tree: &Value, name: &str) -> Option<f64> {
    match tree {
        Value::Object(map) => map
            .get(name)
            .and_then(Value::as_f64)
            .or_else(|| map.values().find_map(|value| found(value, name))),
        Value::Array(list) => list.iter().find_map(|value| found(value, name)),
        _ => None,
    }
}

/// A campaign holds copies of the records it names. One that changes is run again, and it alone.
#[test]
fn records_travel_with_the_campaign_and_count_by_their_content() {
    let desk = desk_with_records();
    let stripes =
        "motions = [\"a\", \"b\"]\nintensities = [1.0, 2.0, 4.0, 8.0]\nafter_motion = 2.0";
    let model = column(RECORDS, stripes);
    let summary = answered(&desk, &model, "out");
    assert_eq!(summary["runs"]["done"], 8);
    let table = desk.read("out/curve/runs.csv");
    let motions = column_of(&desk, "out", "motion");
    assert_eq!(motions, ["a", "a", "a", "a", "b", "b", "b", "b"]);
    assert_eq!(
        numbers(&desk, "out", "intensity"),
        [1.0, 2.0, 4.0, 8.0].repeat(2)
    );

    // Without the files the folder goes on, wherever it is.
    fs::rename(desk.path("out"), desk.path("moved")).unwrap();
    fs::rename(desk.path("quakes"), desk.path("away")).unwrap();
    let mut results: Vec<_> = fs::read_dir(desk.path("moved/curve/runs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    results.sort();
    fs::remove_file(&results[2]).unwrap();
    fs::remove_file(desk.path("moved/curve/runs.csv")).unwrap();
    desk.call(&["campaign", "resume", "moved"]).ended(0);
    assert_eq!(desk.read("moved/curve/runs.csv"), table);
    desk.call(&["campaign", "model.toml", "--out", "other"])
        .ended(2)
        .says(&["quakes/a.csv"]);

    fs::rename(desk.path("away"), desk.path("quakes")).unwrap();
    desk.write("quakes/b.csv", &record(2.6, 13.0));
    answered(&desk, &model, "moved");
    let all = fs::read_dir(desk.path("moved/curve/runs")).unwrap().count();
    assert_eq!(all, 8 + 4);
    let before = String::from_utf8(table).unwrap();
    let after = String::from_utf8(desk.read("moved/curve/runs.csv")).unwrap();
    let [before, after] = [&before, &after].map(|text| text.lines().collect::<Vec<_>>());
    assert_eq!(before[..5], after[..5]);
    assert!(before[5..] != after[5..]);
}

/// Motions as they are: one verdict each, at the intensity it happens to have.
#[test]
fn a_cloud_is_fitted_to_single_verdicts() {
    let quakes: String = [1.5, 3.0, 4.5, 6.0, 8.0]
        .iter()
        .zip(["a", "b", "c", "d", "e"])
        .map(|(pga, name)| {
            format!(
                "[[motion]]\nname = \"{name}\"\nkind = \"stochastic\"\nseed = 3\npga = {pga}\nsignificant_duration = 5.0\nfrequency = 1.2\n"
            )
        })
        .collect();
    let desk = Desk::new();
    let cloud = "motions = [\"a\", \"b\", \"c\", \"d\", \"e\"]\nrealisations = 6\nmethod = \"cloud\"\nintensity = \"pgv\"\nafter_motion = 1.0";
    let summary = answered(&desk, &column(&quakes, cloud), "out");
    assert_eq!(summary["runs"]["done"], 30);
    let intensities = numbers(&desk, "out", "intensity");
    let collapsed = numbers(&desk, "out", "collapsed");
    let mut distinct = intensities.clone();
    distinct.sort_by(f64::total_cmp);
    distinct.dedup();
    assert_eq!(distinct.len(), 30, "no motion is scaled");
    // Verdicts overlap, or there would be no curve; its median lies between those that stood and those that fell.
    let of = |verdict: f64| -> Vec<f64> {
        let each = intensities.iter().zip(&collapsed);
        let chosen = each.filter(|(_, other)| **other == verdict);
        let mut list: Vec<f64> = chosen.map(|(intensity, _)| *intensity).collect();
        list.sort_by(f64::total_cmp);
        list
    };
    let (stood, fell) = (of(0.0), of(1.0));
    assert!(stood.len() > 3 && fell.len() > 3 && fell[0] < stood[stood.len() - 1]);
    let theta = summary["theta"].as_f64().unwrap();
    assert!(theta > stood[stood.len() / 2] && theta < fell[fell.len() / 2]);
    let stripes = summary["fragility"][0]["curves"][0]["stripes"].as_array();
    assert_eq!(stripes.unwrap().len(), 30);
    desk.write(
        "model.toml",
        &column(&quakes, &format!("{cloud}\nintensities = [1.0]")),
    );
    desk.call(&["campaign", "model.toml", "--out", "none"])
        .ended(2)
        .says(&["intensities", "cloud"]);
}

/// Curves of damage come from the columns of the table, and what has collapsed is damaged.
#[test]
fn damage_is_counted_by_what_was_measured() {
    let model = stone_on_ground()
        + "\n[[motion]]\nname = \"quake\"\nkind = \"stochastic\"\nseed = 5\npga = 3.0\nsignificant_duration = 0.8\nfrequency = 2.0\nhigh_pass = 0.8\n\
           [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"quake\"\ndt = 0.005\nduration = 2.5\ntolerance = \"preview\"\nstop_at_collapse = true\n\
           [[analysis]]\nname = \"curve\"\nkind = \"fragility\"\nof = \"shake\"\nmotions = [\"quake\"]\nrealisations = 5\n\
           intensities = [4.0, 7.0, 11.0, 18.0]\ndamage = [\
           { measure = \"residual_displacement\", threshold = 0.01, name = \"moved\" },\
           { measure = \"largest_displacement\", threshold = 0.05 },\
           { measure = \"rotation\", threshold = 0.05 },\
           { measure = \"fallen_blocks\", threshold = 0.5 }]\n";
    let desk = Desk::new();
    let summary = answered(&desk, &model, "out");
    let curves = summary["fragility"][0]["curves"].as_array().unwrap();
    let states: Vec<&str> = curves
        .iter()
        .map(|c| c["state"].as_str().unwrap())
        .collect();
    assert_eq!(
        states,
        [
            "collapse",
            "moved",
            "largest_displacement",
            "rotation",
            "fallen_blocks"
        ]
    );
    let collapsed = numbers(&desk, "out", "collapsed");
    let intensity = numbers(&desk, "out", "intensity");
    let columns = [
        ("residual_displacement", 0.01),
        ("largest_displacement", 0.05),
        ("rotation", 0.05),
        ("fallen_blocks", 0.5),
    ];
    let mut seen = 0.0;
    for ((column, threshold), curve) in columns.into_iter().zip(&curves[1..]) {
        let measured = numbers(&desk, "out", column);
        for stripe in curve["stripes"].as_array().unwrap() {
            assert_eq!(stripe["runs"], 5.0);
            let expected = (0..20)
                .filter(|&k| stripe["intensity"] == intensity[k])
                .filter(|&k| collapsed[k] == 1.0 || measured[k] > threshold)
                .count() as f64;
            assert_eq!(stripe["reached"], expected, "{column} {stripe}");
            seen += expected;
        }
    }
    // Some of everything, or nothing was tested.
    assert!(seen > 4.0 && seen < 76.0, "{seen}");
    assert!(
        columns
            .iter()
            .all(|(column, _)| numbers(&desk, "out", column).len() == 20)
    );
}
