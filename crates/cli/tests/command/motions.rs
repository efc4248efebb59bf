//! Ground motions and settlements from files to moving blocks.

use drystone_geometry::DVec3;
use drystone_results::{MotionRecord, read_motion};

use crate::kit::{Desk, cuboid, history, stone_on_ground};

fn motion(desk: &Desk, folder: &str) -> MotionRecord {
    read_motion(&desk.path(folder).join("motion.parquet")).unwrap()
}

/// Displacement of a block over the whole run.
fn displacement(motion: &MotionRecord, block: &str) -> DVec3 {
    let index = motion.blocks.iter().position(|name| name == block).unwrap();
    motion.poses.last().unwrap()[index].position - motion.poses[0][index].position
}

/// One and a half cycles of 0.9 g at 10 Hz and a rest, in g at steps of 5 ms. Whole cycles would slide the stone there and back.
fn accelerations() -> Vec<f64> {
    (0..60)
        .map(|k| {
            if k < 30 {
                (0.9 * (0.1 * std::f64::consts::PI * k as f64).sin() * 1e6).round() / 1e6
            } else {
                0.0
            }
        })
        .collect()
}

#[test]
fn a_record_moves_the_stone_the_same_from_csv_and_at2() {
    let values = accelerations();
    let rows: String = values
        .iter()
        .enumerate()
        .map(|(k, a)| format!("{},{a}\n", 0.005 * k as f64))
        .collect();
    let lines: String = values
        .chunks(5)
        .map(|five| {
            five.iter()
                .map(|a| format!("  {a:.6E}"))
                .collect::<String>()
                + "\n"
        })
        .collect();
    let desk = Desk::with("quake.csv", &format!("time [s],acceleration [g]\n{rows}"));
    desk.write(
        "quake.at2",
        &format!(
            "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere, 1/1/2000\nACCELERATION TIME SERIES IN UNITS OF G\n\
             NPTS=   {}, DT=   .0050 SEC\n{lines}",
            values.len()
        ),
    );
    let squat = cuboid("squat", [0.5, -0.5, 0.0], [1.5, 0.5, 0.4], "");
    for file in ["quake.csv", "quake.at2"] {
        let model = stone_on_ground()
            + &squat
            + &format!("\n[[motion]]\nname = \"quake\"\nkind = \"record\"\npath = \"{file}\"\n")
            + &history("shake", "motion = \"quake\"").replace("duration = 0.1", "duration = 0.4");
        let name = format!("{file}.toml");
        desk.write(&name, &model);
        desk.call(&["run", &name, "--out", &format!("out.{file}")])
            .ended(0);
    }
    let [csv, at2] =
        ["quake.csv", "quake.at2"].map(|file| motion(&desk, &format!("out.{file}/shake")));
    let [a, b] = [&csv, &at2].map(|motion| displacement(motion, "squat"));
    assert!(
        a.x.abs() > 1e-3,
        "the stone should slide at 0.9 g with a friction of 0.6: {a}"
    );
    // The files have six digits in common; the motion is that of the same numbers up to rounding of the time step.
    assert!(a.distance(b) < 1e-6, "{a} {b}");

    desk.write("quake.csv", "time,acceleration\n0,0\n0.005,zero\n");
    desk.call(&["run", "quake.csv.toml", "--out", "again"])
        .ended(2)
        .says(&["quake.csv:3"]);
    std::fs::remove_file(desk.path("quake.at2")).unwrap();
    desk.call(&["run", "quake.at2.toml", "--out", "again"])
        .ended(2)
        .says(&[
            "motion \"quake\"",
            "quake.at2",
            "relative to the folder of the model",
        ]);
    assert!(!desk.path("again").exists());
}

#[test]
fn a_settlement_moves_supports_and_the_stones_follow() {
    let model = stone_on_ground()
        + &cuboid("pier", [3.0, -0.5, -0.5], [4.0, 0.5, 0.0], "support = true")
        + &cuboid("post", [3.3, -0.2, 0.0], [3.7, 0.2, 0.6], "")
        + "\n[[motion]]\nname = \"sinks\"\nkind = \"settlement\"\ndisplacement = [0.02, 0, -0.05]\nrotation = [0, 0.05, 0]\n\
           duration = 0.8\nsupports = [\"pier\"]\n"
        + &history("settle", "motion = \"sinks\"").replace("duration = 0.1", "duration = 1.0");
    let desk = Desk::with("model.toml", &model);
    desk.call(&["run", "model.toml"])
        .ended(0)
        .says(&["settle: stood"]);
    let motion = motion(&desk, "results/settle");
    assert!((displacement(&motion, "pier") - DVec3::new(0.02, 0.0, -0.05)).length() < 1e-12);
    let post = motion
        .blocks
        .iter()
        .position(|name| name == "post")
        .unwrap();
    let last = motion.poses.last().unwrap();
    // The post turns with the pier about the pier's centre, 0.55 m below its own.
    let expected = DVec3::new(
        0.02 + 0.55 * 0.05_f64.sin(),
        0.0,
        -0.05 - 0.55 * (1.0 - 0.05_f64.cos()),
    );
    let found = displacement(&motion, "post");
    // Offsets of contact points are of first order in the step: 1e-3 m is far below the 0.06 m of the movement.
    assert!(found.distance(expected) < 1e-3, "{found} {expected}");
    let angle = 2.0 * last[post].rotation.y.asin();
    assert!((angle - 0.05).abs() < 1e-3, "{angle}");
    assert_eq!(displacement(&motion, "ground"), DVec3::ZERO);
    assert!(displacement(&motion, "stone").length() < 1e-9);
}
