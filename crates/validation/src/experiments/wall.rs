//! Walls and stacks that must stand still.

use super::simulate;
use crate::Measurements;
use crate::scene::Scene;

/// A wall in running bond of 0.4 x 0.2 x 0.2 m blocks with half blocks at the ends of every second course.
pub fn wall_scene(length: usize, courses: usize, friction: f64) -> Scene {
    let mut scene = Scene::new(friction, "");
    scene.add("[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\ndepth = 1.0\nmargin = 1.0\n");
    scene.add(&format!(
        "[[generate]]\nkind = \"wall\"\nmaterial = \"stone\"\nlength = {:?}\ncourses = {courses}\nthickness = 0.2\nblock = [0.4, 0.2]\n",
        length as f64 * 0.4
    ));
    scene
}

/// Shakes a scene; the largest displacement of any block relative to the ground, the largest overlap and the worst residual.
fn still(scene: &Scene) -> Result<Measurements, String> {
    let model = scene.model()?;
    let mut moved: f64 = 0.0;
    let summary = simulate(&model, &mut |run| {
        for (pose, block) in run.frame().poses.iter().zip(&model.blocks) {
            moved = moved.max((pose.position - block.position).length());
        }
    })?;
    Ok(Measurements::from([
        (
            "blocks".into(),
            model.blocks.iter().filter(|block| !block.support).count() as f64,
        ),
        ("displacement".into(), moved),
        ("penetration".into(), summary.max_penetration),
        ("residual".into(), summary.worst_residual),
        (
            "inaccurate_steps".into(),
            summary.troubles.inaccurate_steps as f64,
        ),
        (
            "iterations_per_step".into(),
            summary.troubles.iterations as f64 / summary.steps as f64,
        ),
    ]))
}

fn sine(duration: f64, ground: &str) -> String {
    format!(
        "[[motion]]\nname = \"sine\"\nkind = \"sine\"\namplitude = 2.943\nfrequency = 2.0\nduration = {duration:?}\ndirection = [1, 0, 0]\n\
         [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\nmotion = \"sine\"\ndt = 0.001\nduration = {duration:?}\nground = \"{ground}\""
    )
}

pub fn wall_205() -> Result<Measurements, String> {
    let mut results = still(wall_scene(20, 10, 0.65).add(&sine(2.0, "inertia")))?;
    let supports = still(wall_scene(20, 10, 0.65).add(&sine(0.3, "supports")))?;
    for quantity in [
        "displacement",
        "penetration",
        "residual",
        "inaccurate_steps",
    ] {
        results.insert(format!("supports_{quantity}"), supports[quantity]);
    }
    Ok(results)
}

pub fn wall_1000() -> Result<Measurements, String> {
    // 40 and 41 blocks in alternate courses, thirteen and twelve of them: 1012 blocks.
    still(wall_scene(40, 25, 0.65).add(&sine(0.5, "inertia")))
}

pub fn stack() -> Result<Measurements, String> {
    let mut scene = Scene::new(0.65, "");
    scene.cuboid(
        "ground",
        [-1.0, -1.0, -0.5],
        [1.0, 1.0, 0.0],
        "support = true",
    );
    for k in 0..30 {
        let z = f64::from(k) * 0.2;
        scene.cuboid(&format!("b{k}"), [-0.2, -0.15, z], [0.2, 0.15, z + 0.2], "");
    }
    still(
        scene.add(
            "[[analysis]]\nname = \"rest\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\ndt = 0.001\nduration = 10.0",
        ),
    )
}
