//! The two ways to apply ground motion.

use drystone_questions::time_history::Frame;

use super::simulate;
use crate::Measurements;
use crate::scene::Scene;

/// Largest differences of displacements and of energies between inertia forces and moving supports, for a wall that
/// rocks under horizontal and vertical motion.
pub fn run() -> Result<Measurements, String> {
    let (weight, inertia) = history("inertia")?;
    let (_, supports) = history("supports")?;
    let (mut difference, mut energy, mut largest) = (0f64, 0f64, 0f64);
    for (a, b) in inertia.iter().zip(&supports) {
        let u = a.monitors[0].displacement;
        difference = difference.max((u - b.monitors[0].displacement).length());
        largest = largest.max(u.length());
        let (p, q) = (a.energy, b.energy);
        for change in [
            p.kinetic - q.kinetic,
            p.potential - q.potential,
            p.harvested - q.harvested,
            p.dissipated - q.dissipated,
        ] {
            energy = energy.max(change.abs() / weight);
        }
    }
    Ok(Measurements::from([
        ("difference".into(), difference),
        ("energy_difference".into(), energy),
        ("largest_displacement".into(), largest),
    ]))
}

/// Weight of the wall and a frame per step.
fn history(ground: &str) -> Result<(f64, Vec<Frame>), String> {
    let mut scene = Scene::new(2.0, "plane = \"xz\"");
    scene
        .cuboid("ground", [-3.0, -1.0, -0.5], [3.0, 1.0, 0.0], "support = true")
        .cuboid("wall", [-0.25, -0.5, 0.0], [0.25, 0.5, 3.5], "")
        .add(
            "[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 3.0\nhalf_period = 0.25\n\
             direction = [1.0, 0.0, 0.2]",
        )
        .add(&format!(
            "[[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\nmotion = \"pulse\"\ndt = 0.001\n\
             duration = 1.5\ntolerance = \"validation\"\nground = \"{ground}\"\n\
             monitors = [{{ name = \"top\", block = \"wall\", point = [0.25, 0.5, 3.5] }}]"
        ));
    let model = scene.model()?;
    let mut frames = Vec::new();
    simulate(&model, &mut |run| frames.push(run.frame()))?;
    Ok((model.weight(), frames))
}
