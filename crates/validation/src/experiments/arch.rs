//! An arch just below and just above its static limit.

use drystone_geometry::DVec3;

use super::simulate;
use crate::Measurements;
use crate::scene::Scene;

/// Static limit of the arch below as a fraction of gravity, from an independent limit analysis.
const LIMIT: f64 = 0.2362;

/// A semicircle of straight-sided voussoirs with fixed springers, under constant ground acceleration.
pub fn arch_scene(voussoirs: usize, acceleration: f64, duration: f64) -> Scene {
    let (inner, outer, depth) = (3.0, 3.6, 1.0);
    let mut scene = Scene::new(0.65, "");
    let joint = |k: f64| {
        let angle = std::f64::consts::PI * k / voussoirs as f64;
        DVec3::new(angle.cos(), 0.0, angle.sin())
    };
    let sector = |from: DVec3, to: DVec3| -> Vec<DVec3> {
        let ends = [inner * from, outer * from, inner * to, outer * to];
        ends.iter()
            .flat_map(|&p| [p, p + DVec3::Y * depth])
            .collect()
    };
    for k in 0..voussoirs {
        scene.hull(
            &format!("v{}", k + 1),
            &sector(joint(k as f64), joint(k as f64 + 1.0)),
            "",
        );
    }
    for (name, x) in [("right", outer), ("left", -inner)] {
        scene.cuboid(
            name,
            [x - (outer - inner), 0.0, -0.5],
            [x, depth, 0.0],
            "support = true",
        );
    }
    scene.add(&format!(
        "[[motion]]\nname = \"push\"\nkind = \"rectangular\"\namplitude = {:?}\nhalf_period = 100.0\ndirection = [1, 0, 0]\n\
         [[analysis]]\nname = \"push\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\nmotion = \"push\"\ndt = 0.001\nduration = {duration:?}",
        acceleration * 9.81
    ));
    scene
}

pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, factor) in [("below", 0.95), ("above", 1.05)] {
        let model = arch_scene(21, factor * LIMIT, 0.5).model()?;
        let mut moved: f64 = 0.0;
        let summary = simulate(&model, &mut |run| {
            for (pose, block) in run.progress().state.poses.iter().zip(&model.blocks) {
                moved = moved.max((pose.position - block.position).length());
            }
        })?;
        results.insert(format!("displacement_{name}"), moved);
        results.insert(format!("residual_{name}"), summary.worst_residual);
        results.insert(
            format!("inaccurate_{name}"),
            summary.troubles.inaccurate_steps as f64,
        );
    }
    Ok(results)
}
