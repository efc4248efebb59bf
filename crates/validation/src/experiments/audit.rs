//! The independent account of energy: what contacts take must explain what is dissipated, but for the scheme's error.

use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::Scene;

/// A block that a load drags along the ground, faster and faster.
fn dragged(dt: f64) -> Scene {
    let mut scene = Scene::new(0.5, "");
    scene
        .cuboid(
            "ground",
            [-2.0, -2.0, -0.5],
            [12.0, 2.0, 0.0],
            "support = true",
        )
        .cuboid("block", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.2], "")
        // A mass of 144 kg against a friction of 706 N.
        .add("[[load]]\nblock = \"block\"\nforce = [900.0, 300.0, 0.0]")
        .add(&format!(
            "[[analysis]]\nname = \"drag\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\ndt = {dt:?}\nduration = 1.0\ntolerance = \"validation\""
        ));
    scene
}

/// A wall of four blocks on a ground that tilts past the angle of friction, so that it is lifted, slides and spreads.
fn tilted(dt: f64) -> Scene {
    let mut scene = Scene::new(0.2, "");
    scene.cuboid(
        "ground",
        [-4.0, -2.0, -0.5],
        [4.0, 2.0, 0.0],
        "support = true",
    );
    for (name, x, z, length) in [
        ("b1", 0.0, 0.0, 0.4),
        ("b2", 0.4, 0.0, 0.4),
        ("b3", 0.0, 0.2, 0.2),
        ("b4", 0.2, 0.2, 0.6),
    ] {
        scene.cuboid(name, [x, 0.0, z], [x + length, 0.2, z + 0.2], "");
    }
    scene.add(&format!(
        "[[motion]]\nname = \"tilt\"\nkind = \"settlement\"\nrotation = [0.05, 0.3, 0.0]\ncentre = [2.0, 0.0, 0.0]\nduration = 1.0\n\
         [[analysis]]\nname = \"tilt\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\nmotion = \"tilt\"\ndt = {dt:?}\nduration = 1.2"
    ));
    scene
}

/// Unexplained energy relative to that turned over: the larger of what came in and what contacts took.
fn imbalance(scene: &Scene) -> Result<f64, String> {
    let audit = simulate(&scene.model()?, &mut |_| ())?.audit;
    let turned_over = audit.harvested.abs().max(audit.lost_in_contacts.abs());
    Ok(audit.imbalance.abs() / turned_over)
}

pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, coarse, fine) in [
        ("dragged", dragged(2e-3), dragged(1e-3)),
        ("tilted", tilted(2e-3), tilted(1e-3)),
    ] {
        let _part = Part::begin();
        let (coarse, fine) = (imbalance(&coarse)?, imbalance(&fine)?);
        results.insert(format!("{name}_imbalance"), fine);
        results.insert(format!("{name}_ratio_on_halving"), coarse / fine);
    }
    Ok(results)
}
