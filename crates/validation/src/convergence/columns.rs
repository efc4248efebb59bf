//! Equal columns under one beam, and their exact motion.

use drystone_geometry::{DQuat, DVec3};
use drystone_model::Model;

use super::structures::{HISTORY, planar};
use crate::scene::corners;

/// Of a column, m.
const WIDTH: f64 = 0.4;
const HEIGHT: f64 = 2.2;
/// From column to column, m.
const SPACING: f64 = 1.5;
/// How far the beam reaches beyond the outer points that carry it, and its height, m.
const OVERHANG: f64 = 0.5;
const BEAM: f64 = 0.4;
/// Angle at which the columns are let go, rad.
const TILT: f64 = 0.1;
/// Acceleration of gravity, m/s².
const GRAVITY: f64 = 9.81;

/// Columns that are tilted about their right feet and let go.
///
/// The beam stands on their left upper corners, which are the higher ones. It is carried by more columns than it needs, if there are more than two.
pub(super) fn model(count: u32) -> Result<Model, String> {
    let mut scene = planar(0.6);
    let turn = DQuat::from_rotation_y(TILT);
    for k in 0..count {
        let points: Vec<DVec3> = corners([-WIDTH, -0.2, 0.0], [0.0, 0.2, HEIGHT])
            .into_iter()
            .map(|p| foot(k) + turn * p)
            .collect();
        scene.hull(&format!("column{}", k + 1), &points, "");
    }
    let first = corner(TILT);
    let last = foot(count - 1) + first;
    scene
        .cuboid(
            "beam",
            [first.x - OVERHANG, -0.2, first.z],
            [last.x + OVERHANG, 0.2, first.z + BEAM],
            "",
        )
        .add(HISTORY)
        .model()
}

/// Centroids of columns and beam in the motion in which all columns turn alike, before they are upright.
///
/// With the corner that carries the beam at the distance `d` from the foot and at `x` beside it, a column of mass `m` has the moment `m g x / 2` and the inertia
/// `m d² / 3` about its foot, its share `b` of the beam, which does not turn, `b g x` and `b d²`.
pub(super) fn exact(count: u32, time: f64) -> Vec<DVec3> {
    let column = WIDTH * HEIGHT;
    let length = SPACING * f64::from(count - 1) + 2.0 * OVERHANG;
    let beam = length * BEAM / f64::from(count);
    let distance = WIDTH.powi(2) + HEIGHT.powi(2);
    let inertia = (column / 3.0 + beam) * distance;
    let acceleration = |angle: f64| {
        let lever = corner(angle).x;
        (0.5 * column + beam) * GRAVITY * lever / inertia
    };
    // Runge and Kutta's method with steps of about 0.1 ms: exact to rounding.
    let steps = (time / 1e-4).ceil().max(1.0);
    let h = time / steps;
    let (mut angle, mut speed) = (TILT, 0.0);
    for _ in 0..steps as u64 {
        let (a1, v1) = (acceleration(angle), speed);
        let (a2, v2) = (acceleration(angle + 0.5 * h * v1), speed + 0.5 * h * a1);
        let (a3, v3) = (acceleration(angle + 0.5 * h * v2), speed + 0.5 * h * a2);
        let (a4, v4) = (acceleration(angle + h * v3), speed + h * a3);
        angle += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
        speed += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    let columns = (0..count).map(|k| foot(k) + 0.5 * corner(angle));
    let middle = 0.5 * (foot(0) + foot(count - 1)) + corner(angle);
    columns.chain([middle + DVec3::Z * 0.5 * BEAM]).collect()
}

/// The right foot of a column, which it turns about.
fn foot(k: u32) -> DVec3 {
    DVec3::X * SPACING * f64::from(k)
}

/// The left upper corner of a column from its right foot.
fn corner(angle: f64) -> DVec3 {
    DQuat::from_rotation_y(angle) * DVec3::new(-WIDTH, 0.0, HEIGHT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The exact motion begins where the model stands, and keeps its energy.
    #[test]
    fn the_exact_motion_is_that_of_the_model() {
        let model = model(3).unwrap();
        let free: Vec<_> = model.blocks.iter().filter(|block| !block.support).collect();
        let start = exact(3, 0.0);
        assert_eq!(free.len(), start.len());
        for (block, position) in free.iter().zip(&start) {
            assert!(
                (block.position - *position).length() < 1e-12,
                "{}",
                block.name
            );
        }
        let (time, h) = (0.5, 1e-3);
        let [before, now, after] = [time - h, time, time + h].map(|time| exact(3, time));
        let mut energy = 0.0;
        for (k, block) in free.iter().enumerate() {
            let velocity = (after[k] - before[k]) / (2.0 * h);
            energy += 0.5 * block.mass * velocity.length_squared();
            energy += block.mass * GRAVITY * (now[k].z - start[k].z);
            if k < 3 {
                // A column's centroid is as far from its foot as half its diagonal.
                let spin = velocity.length() / (0.5 * WIDTH.hypot(HEIGHT));
                energy += 0.5 * block.inertia.y_axis.y * spin * spin;
            }
        }
        // Central differences are off by 1e-6 of the speed, and the energy that changed hands is some hundred joules.
        assert!(energy.abs() < 1e-2, "{energy}");
    }
}
