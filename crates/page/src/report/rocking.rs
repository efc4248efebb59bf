//! The page of a rocking block: the equation knows two lengths and an angle, from which a block and its motion are drawn.

use std::fmt::Write as _;

use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_model::{Model, Rocking};
use drystone_questions::rocking::RockingSample;
use serde_json::Value;

use super::{PackedMotion, Paper, Report, Series, size, stride};

/// Still pictures.
const PICTURES: usize = 6;

/// The page, or none if the block cannot be drawn.
pub fn rocking_page(
    model: &Model,
    analysis: &str,
    settings: &Rocking,
    samples: &[RockingSample],
    headline: &str,
    summary: &Value,
) -> Option<Paper> {
    let drawn = block(&model.name, settings)?;
    let stride = stride(&drawn, samples.len());
    let last = samples.len().checked_sub(1)?;
    let frames: Vec<(f64, Vec<Pose>)> = samples
        .iter()
        .enumerate()
        .filter(|(k, _)| k % stride == 0 || *k == last)
        .map(|(_, sample)| {
            let ground = Pose::at(drawn.blocks[0].position);
            (sample.time, vec![ground, pose(settings, sample.angle)])
        })
        .collect();
    let count = PICTURES.min(frames.len());
    let pictures: Vec<_> = (0..count)
        .map(|k| frames[k * (frames.len() - 1) / (count - 1).max(1)].clone())
        .collect();
    let column = |of: fn(&RockingSample) -> f64| samples.iter().map(of).collect::<Vec<f64>>();
    let names = [
        "angle",
        "velocity",
        "kinetic_per_weight",
        "potential_per_weight",
    ];
    let history = Series {
        names: names.map(str::to_owned).to_vec(),
        time: column(|sample| sample.time),
        columns: vec![
            column(|sample| sample.angle),
            column(|sample| sample.velocity),
            column(|sample| sample.kinetic),
            column(|sample| sample.potential),
        ],
    };
    let report = Report {
        model: &drawn,
        analysis,
        headline,
        summary,
        history: &history,
        diagnostics: &Series::default(),
        ties: &Series::default(),
        touching: &[],
        frames: &pictures,
        motion: &PackedMotion::new(&drawn, &frames, size(&drawn), stride),
        forces: &[],
    };
    Some(report.paper())
}

/// Where the block is: it turns about the corner towards which it leans.
fn pose(settings: &Rocking, angle: f64) -> Pose {
    let along = settings.direction;
    let axis = DVec3::Z.cross(along);
    let corner = settings.half_width * angle.signum() * along;
    let rotation = DQuat::from_axis_angle(axis.normalize_or(DVec3::Y), angle);
    Pose {
        position: corner + rotation * (settings.half_height * DVec3::Z - corner),
        rotation,
    }
}

/// A model of the block on its ground.
fn block(name: &str, settings: &Rocking) -> Option<Model> {
    let along = settings.direction;
    let across = DVec3::Z.cross(along).try_normalize()?;
    let (b, h) = (settings.half_width, settings.half_height);
    let corners = |half: [f64; 2], heights: [f64; 2]| {
        let mut list = Vec::new();
        for x in [-half[0], half[0]] {
            for y in [-half[1], half[1]] {
                for z in heights {
                    list.push((x * along + y * across + z * DVec3::Z).to_array());
                }
            }
        }
        format!("{list:?}")
    };
    let deep = b.max(0.4 * h);
    let mut text = String::from(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n",
    );
    let wide = 2.0 * b.hypot(h);
    for (name, support, list) in [
        (
            "ground",
            true,
            corners([b + wide, 2.0 * deep], [-0.15 * h, 0.0]),
        ),
        ("block", false, corners([b, deep], [0.0, 2.0 * h])),
    ] {
        let _ = write!(
            text,
            "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nsupport = {support}\nvertices = {list}\n"
        );
    }
    let mut model = drystone_model::from_toml(&text).ok()?;
    model.name = name.to_owned();
    // Seen in elevation if it moves along an axis.
    model.free = match along.abs().to_array() {
        [x, ..] if x > 0.999 => [true, false, true, false, true, false],
        [_, y, _] if y > 0.999 => [false, true, true, true, false, false],
        _ => model.free,
    };
    Some(model)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(direction: DVec3) -> Rocking {
        Rocking {
            half_width: 0.3,
            half_height: 1.0,
            initial_angle: 0.1,
            initial_velocity: 0.0,
            restitution: None,
            motions: Vec::new(),
            direction,
            duration: 1.0,
            output_every: 0.1,
            gravity: 9.81,
        }
    }

    #[test]
    fn the_block_leans_where_its_angle_says_and_stands_on_a_corner() {
        for direction in [DVec3::X, DVec3::Y, DVec3::new(0.6, -0.8, 0.0)] {
            let settings = settings(direction);
            let model = block("b", &settings).unwrap();
            for angle in [0.2, -0.2] {
                let pose = pose(&settings, angle);
                // The top goes with the angle, and the lowest corner stays on the ground.
                let top = pose.transform(DVec3::Z) - DVec3::new(0.0, 0.0, 2.0);
                assert!(top.dot(direction) * angle > 0.0);
                let vertices = model.blocks[1].shape.vertices();
                let lowest = vertices
                    .map(|v| pose.transform(v).z)
                    .fold(f64::INFINITY, f64::min);
                assert!(lowest.abs() < 1e-12, "{lowest}");
            }
        }
    }
}
