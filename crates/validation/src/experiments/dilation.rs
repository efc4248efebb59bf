//! Redundant structures under both laws of friction: what dilation does to them, and how fast (the book, section 6.5).

use drystone_geometry::{DQuat, DVec3};
use drystone_mechanics::log_rotation;
use drystone_model::Model;

use super::simulate;
use crate::Measurements;
use crate::convergence::structures::wall_blocks;
use crate::scene::{Scene, corners};

/// Width and height of a column, m.
const COLUMN: [f64; 2] = [0.4, 2.2];
/// How far columns lean at first, rad.
const LEAN: f64 = 0.1;

fn history(law: &str, dt: f64, duration: f64) -> String {
    format!(
        "[[analysis]]\nname = \"run\"\nkind = \"time_history\"\nfriction_law = \"{law}\"\ntolerance = \"validation\"\ndt = {dt:?}\nduration = {duration:?}"
    )
}

/// Ground and columns that lean to the right, each on its right foot; and the height of their highest corners, m.
fn leaning(count: usize, friction: f64) -> (Scene, f64) {
    let mut scene = Scene::new(friction, "plane = \"xz\"");
    let end = 1.5 * count as f64;
    scene.cuboid(
        "ground",
        [-3.0, -1.0, -0.5],
        [end + 3.0, 1.0, 0.0],
        "support = true",
    );
    let turn = DQuat::from_rotation_y(LEAN);
    let mut top = 0f64;
    for k in 0..count {
        let foot = DVec3::new(1.5 * k as f64, 0.0, 0.0);
        let points: Vec<DVec3> = corners([-COLUMN[0], -0.2, 0.0], [0.0, 0.2, COLUMN[1]])
            .into_iter()
            .map(|p| turn * p + foot)
            .collect();
        top = points.iter().fold(top, |top, p| top.max(p.z));
        scene.hull(&format!("column{k}"), &points, "");
    }
    (scene, top)
}

/// Equal columns under one beam, tilted and let go.
pub fn columns_model(count: usize, friction: f64, law: &str, dt: f64) -> Result<Model, String> {
    let (mut scene, top) = leaning(count, friction);
    scene
        .cuboid(
            "beam",
            [-1.0, -0.2, top],
            [1.5 * count as f64 - 0.5, 0.2, top + 0.4],
            "",
        )
        .add(&history(law, dt, 0.6));
    scene.model()
}

/// Largest difference of the angles of such columns up to each of the given times, rad. It is zero, because they are equal.
pub fn spread(model: &Model, times: &[f64]) -> Result<Vec<f64>, String> {
    let count = model.blocks.len() - 2;
    let (mut worst, mut found) = (0f64, Vec::new());
    simulate(model, &mut |run| {
        let state = &run.progress().state;
        let angles = (1..=count).map(|i| log_rotation(state.poses[i].rotation).y);
        let (low, high) = angles.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), a| {
            (low.min(a), high.max(a))
        });
        worst = worst.max(high - low);
        while times
            .get(found.len())
            .is_some_and(|&t| state.time > t - 1e-9)
        {
            found.push(worst);
        }
    })?;
    Ok(found)
}

/// Columns stay together under Coulomb's law.
pub fn columns(quick: bool) -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let steps: &[f64] = if quick { &[2e-3] } else { &[2e-3, 1e-3, 5e-4] };
    for count in [2, 3, 4, 8] {
        let mut worst = 0f64;
        for friction in [0.6, 1.5, 5.0] {
            for &dt in steps {
                let model = columns_model(count, friction, "coulomb", dt)?;
                worst = spread(&model, &[0.6])?.into_iter().fold(worst, f64::max);
            }
        }
        results.insert(format!("spread_of_{count}"), worst);
    }
    Ok(results)
}

/// A leaning column between the ground and a beam that is fixed, 1e-10 m above it: what its gaps grow by in a step under the associated law, over the
/// factor of equation (6.11), the least and the largest of all steps in which they grow to 5e-9 m. Later the column could not be accelerated that fast.
pub fn ratchet() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, friction) in [("0.6", 0.6), ("1.5", 1.5), ("5", 5.0)] {
        let (mut least, mut largest) = (f64::INFINITY, 0f64);
        for dt in [2e-3, 2.5e-4] {
            let (mut scene, top) = leaning(1, friction);
            let low = top + 1e-10;
            scene
                .cuboid(
                    "beam",
                    [-1.0, -0.2, low],
                    [1.0, 0.2, low + 0.4],
                    "support = true",
                )
                .add(&history("associated", dt, 0.6));
            let model = scene.model()?;
            let block = &model.blocks[1];
            let arms = [
                DVec3::new(0.0, 0.0, 0.0) - block.position,
                DQuat::from_rotation_y(LEAN) * DVec3::new(-COLUMN[0], 0.0, COLUMN[1])
                    - block.position,
            ];
            // Height of the foot over the ground and of the beam over the top, m; both gaps together are what counts.
            let mut last = 0f64;
            simulate(&model, &mut |run| {
                let pose = &run.progress().state.poses[1];
                let [foot, head] = arms.map(|arm| pose.position + pose.rotation * arm);
                let gap = foot.z + low - head.z;
                let span = head - foot;
                let lift = -span.x / span.z;
                if last > 1e-10 && gap < 5e-9 {
                    let ratio = gap / last * (friction - lift) / friction;
                    (least, largest) = (least.min(ratio), largest.max(ratio));
                }
                last = gap;
            })?;
        }
        results.insert(format!("least_{name}"), least);
        results.insert(format!("largest_{name}"), largest);
    }
    Ok(results)
}

/// A wall of twenty blocks, eight courses of two and of three in turn, under one sine.
pub fn wall_model(friction: f64, law: &str, dt: f64) -> Result<Model, String> {
    let mut scene = Scene::new(friction, "plane = \"xz\"");
    scene.cuboid(
        "ground",
        [-3.0, -1.0, -0.5],
        [4.0, 1.0, 0.0],
        "support = true",
    );
    wall_blocks(&mut scene)
        .add("[[motion]]\nname = \"sine\"\nkind = \"one_sine\"\namplitude = 9.0\nhalf_period = 0.2\ndirection = [1, 0, 0]")
        .add(&history(law, dt, 0.32).replace("dt =", "motion = \"sine\"\ndt ="));
    scene.model()
}

/// Displacement of every block at the end of a run, m.
pub fn displacements(model: &Model) -> Result<Vec<DVec3>, String> {
    let mut moved = Vec::new();
    simulate(model, &mut |run| {
        let poses = run.progress().state.poses.iter().zip(&model.blocks);
        moved = poses
            .filter(|(_, block)| !block.support)
            .map(|(pose, block)| pose.position - block.position)
            .collect();
    })?;
    Ok(moved)
}

/// Root of the mean square of the differences of two fields of displacements, m.
pub fn difference(a: &[DVec3], b: &[DVec3]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| a.distance_squared(*b)).sum();
    (squares / a.len() as f64).sqrt()
}

/// The wall converges under Coulomb's law.
pub fn wall() -> Result<Measurements, String> {
    let run = |dt: f64| displacements(&wall_model(0.7, "coulomb", dt)?);
    let fine = run(2.5e-4)?;
    Ok(Measurements::from([
        ("difference_dt_0.004".into(), difference(&run(4e-3)?, &fine)),
        (
            "difference_dt_0.0005".into(),
            difference(&run(5e-4)?, &fine),
        ),
    ]))
}
