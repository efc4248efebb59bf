//! Bumps under a rocking block raise its restitution (NB remark 7).

use std::f64::consts::PI;

use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::read;

/// Half the width and half the height of Housner's block, m, and its tilt at the start.
const HALF_WIDTH: f64 = 0.3;
const HALF_HEIGHT: f64 = 1.0;
const TILT: f64 = PI / 12.0;
/// Height of the bumps, m: the block rolls over them within an angle of some thousandths.
const BUMP: f64 = 5e-4;

/// Housner's block tilted over its lower right edge, with a number of ridges under it.
fn model(ridges: u32) -> String {
    let (rise, bumps) = match ridges {
        0 => (0.0, String::new()),
        _ => (
            BUMP,
            format!("bumps = {{ count = {ridges}, height = {BUMP:?} }}"),
        ),
    };
    let (sin, cos) = TILT.sin_cos();
    // Turned about the middle of its underside, the edge comes down by this much.
    let up = HALF_WIDTH * sin - rise * cos;
    format!(
        r#"
        [model]
        plane = "xz"
        [[material]]
        name = "stone"
        density = 2000.0
        [[interface]]
        between = ["*", "*"]
        friction = 2.0
        [[generate]]
        kind = "box"
        name = "column"
        material = "stone"
        size = [{width:?}, 0.6, {height:?}]
        {bumps}
        rotate_degrees = [0, 15, 0]
        at = [0, 0, {up:?}]
        [[generate]]
        kind = "ground"
        material = "stone"
        level = 0
        [[analysis]]
        name = "free-rocking"
        kind = "time_history"
        friction_law = "associated"
        scheme = "euler"
        dt = 0.0002
        duration = 1.3
        "#,
        width = 2.0 * HALF_WIDTH,
        height = 2.0 * HALF_HEIGHT,
    )
}

/// The restitution is the root of the ratio of energies above that of the upright block after and before the first passage.
pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for ridges in [0, 1, 2, 4] {
        let _part = Part::begin();
        let model = read(&model(ridges))?;
        let upright = model.blocks[0].mass * model.gravity * (HALF_HEIGHT - 0.5 * BUMP);
        let mut energies = Vec::new();
        let mut angles = Vec::new();
        simulate(&model, &mut |run| {
            let state = &run.progress().state;
            let block = &model.blocks[0];
            let speed = state.velocity[0].length_squared();
            let spin = state.angular_velocity[0].y;
            let kinetic = 0.5 * (block.mass * speed + block.inertia.y_axis.y * spin * spin);
            energies
                .push(kinetic + block.mass * model.gravity * state.poses[0].position.z - upright);
            angles.push(TILT + drystone_mechanics::log_rotation(state.poses[0].rotation).y);
        })?;
        // Well before the passage, and well after it.
        let before = angles.iter().position(|&angle| angle < 0.03);
        let after = angles.iter().position(|&angle| angle < -0.03);
        let restitution = match (before, after) {
            (Some(before), Some(after)) => (energies[after] / energies[before]).sqrt(),
            _ => f64::NAN,
        };
        results.insert(format!("restitution_{ridges}_ridges"), restitution);
    }
    Ok(results)
}
