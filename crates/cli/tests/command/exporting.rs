//! `drystone export`: what other programs are given is where the results file has it.

use serde_json::Value;

use crate::kit::{Desk, history, stone_on_ground};

/// A stone that slides over the ground.
fn sliding(name: &str) -> String {
    let (from, to) = (
        "name = \"stone\"\nmaterial = \"stone\"\n",
        format!("name = \"{name}\"\nmaterial = \"stone\"\nvelocity = [1.0, 0.0, 0.0]\n"),
    );
    stone_on_ground().replace(from, &to) + &history("slide", "output_every = 0.01")
}

fn ran() -> (Desk, drystone_results::MotionRecord) {
    let desk = Desk::with("model.toml", &sliding("stone"));
    desk.call(&["run", "model.toml", "--out", "out"]).ended(0);
    let motion = drystone_results::read_motion(&desk.path("out/slide/motion.parquet")).unwrap();
    assert!(motion.times.len() > 3);
    assert!(motion.poses[3][1].position.x > 0.01);
    (desk, motion)
}

#[test]
fn grids_have_true_times_and_a_stride() {
    let (desk, motion) = ran();
    let arguments = ["export", "model.toml", "out/slide", "m.pvd", "--every", "2"];
    desk.call(&arguments).ended(0);
    let collection = String::from_utf8(desk.read("m.pvd")).unwrap();
    let wanted: Vec<f64> = motion.times.iter().copied().step_by(2).collect();
    let found: Vec<f64> = collection
        .split("timestep=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    assert_eq!(found, wanted);
    let last = wanted.len() - 1;
    let grid = String::from_utf8(desk.read(&format!("m.{last:04}.vtu"))).unwrap();
    let (_, points) = grid.split_once("Name=\"points\"").unwrap();
    let (points, _) = points.split_once("</DataArray>").unwrap();
    let points: Vec<f64> = points
        .split_once('>')
        .unwrap()
        .1
        .split_whitespace()
        .map(|word| word.parse().unwrap())
        .collect();
    // Two boxes of eight corners; the middle of the second is its centroid.
    assert_eq!(points.len(), 3 * 16);
    let pose = motion.poses[2 * last][1].position.to_array();
    for (axis, expected) in pose.into_iter().enumerate() {
        let mean: f64 = points[24..].iter().skip(axis).step_by(3).sum::<f64>() / 8.0;
        assert!((mean - expected).abs() < 1e-12, "{mean} {expected}");
    }
    // What is there is not overwritten unasked.
    desk.call(&arguments).ended(2).says(&["--overwrite"]);
}

#[test]
fn a_scene_is_animated() {
    let (desk, motion) = ran();
    desk.call(&["export", "model.toml", "out/slide", "m.glb"])
        .ended(0);
    let file = desk.read("m.glb");
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!(
        (&file[..4], word(4), word(8)),
        (&b"glTF"[..], 2, file.len())
    );
    let length = word(12);
    let root: Value = serde_json::from_slice(&file[20..20 + length]).unwrap();
    let numbers = &file[20 + length + 8..];
    assert_eq!(root["nodes"][2]["name"], motion.blocks[1].as_str());
    let animation = &root["animations"][0];
    let channel = animation["channels"].as_array().unwrap().iter();
    let mut channel = channel.filter(|c| c["target"]["path"] == "translation");
    let channel = channel.find(|c| c["target"]["node"] == 2).unwrap();
    let sampler = &animation["samplers"][channel["sampler"].as_u64().unwrap() as usize];
    let accessor = &root["accessors"][sampler["output"].as_u64().unwrap() as usize];
    assert_eq!(accessor["count"], motion.times.len());
    let view = &root["bufferViews"][accessor["bufferView"].as_u64().unwrap() as usize];
    let first = view["byteOffset"].as_u64().unwrap() as usize;
    for (frame, poses) in motion.poses.iter().enumerate() {
        for (axis, expected) in poses[1].position.to_array().into_iter().enumerate() {
            let at = first + 4 * (3 * frame + axis);
            let found = f32::from_le_bytes(numbers[at..at + 4].try_into().unwrap());
            assert_eq!(found, expected as f32);
        }
    }
}

#[test]
fn faults_say_what_would_be_right() {
    let (desk, _) = ran();
    desk.call(&["export", "model.toml", "out/slide", "m.fbx"])
        .ended(2)
        .says(&[".pvd or .glb"]);
    desk.call(&["export", "model.toml", "nowhere", "m.glb"])
        .ended(2)
        .says(&["motion.parquet"]);
    desk.write("other.toml", &sliding("brick"));
    desk.call(&["export", "other.toml", "out/slide", "m.glb"])
        .ended(2)
        .says(&["different blocks", "the model that was run"]);
}

#[test]
fn everything_is_written_in_one_format() {
    let model = sliding("stone") + "forces_every = 0.02\n";
    let desk = Desk::with("model.toml", &model);
    desk.call(&["run", "model.toml", "--out", "out"]).ended(0);
    let export = |format: &str, out: &str| {
        desk.call(&["export", "model.toml", "out/slide", out, "--to", format])
    };
    let csv = export("csv", "tables").ended(0);
    assert!(csv.out.contains("motion.csv"), "{}", csv.out);
    for name in ["history.csv", "diagnostics.csv", "forces.csv"] {
        let [copy, table] =
            [format!("tables/{name}"), format!("out/slide/{name}")].map(|file| desk.read(&file));
        assert!(copy == table, "{name} differs");
    }
    let motion = drystone_results::read_motion(&desk.path("out/slide/motion.parquet")).unwrap();
    let text = String::from_utf8(desk.read("tables/motion.csv")).unwrap();
    assert_eq!(
        text.lines().count(),
        1 + motion.times.len() * motion.blocks.len()
    );
    export("parquet", "columns").ended(0);
    assert_eq!(&desk.read("columns/forces.parquet")[..4], b"PAR1");
    assert!(!desk.path("columns/motion.csv").exists());
    export("vtu", "grids").ended(0);
    let grid = String::from_utf8(desk.read("grids/contacts.0000.vtu")).unwrap();
    assert!(grid.contains("normal_force") && !grid.contains("NumberOfComponents=\"1\""));
    export("glb", "scene").ended(0);
    assert_eq!(&desk.read("scene/motion.glb")[..4], b"glTF");
    export("csv", "tables")
        .ended(2)
        .says(&["already exists", "--overwrite"]);
    export("csv", "out/slide")
        .ended(2)
        .says(&["results themselves"]);
}
