//! The page of a question of statics: the structure with the resultants in its joints and its thrust lines, the mechanism, the capacity by
//! direction.

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::exp_rotation;
use drystone_model::Model;
use drystone_questions::statics::{Cut, Joint, PolarPoint, ThrustLine};

use super::page::{Page, Paper};
use super::scene::{self, Scene};
use super::{View, view};
use crate::figure::{Content, Drawing, Figure, Ink, Path, Polar};

/// The fastest block of a mechanism is shown displaced by this fraction of the size of the structure.
const SHOWN: f64 = 0.08;

/// What the page shows.
pub struct StaticsReport<'a> {
    /// The structure.
    pub model: &'a Model,
    /// Name of the analysis.
    pub analysis: &'a str,
    /// One sentence: the verdict.
    pub headline: &'a str,
    /// The summary as it was written.
    pub summary: &'a serde_json::Value,
    /// Joints with their resultants.
    pub joints: &'a [Joint],
    /// Thrust lines.
    pub lines: &'a [ThrustLine],
    /// What the thrusts of the lines are taken over, if they are lines of a cut.
    pub cut: Option<&'a Cut>,
    /// Outlines of the joints, in their order.
    pub outlines: &'a [Vec<DVec3>],
    /// Velocities of all blocks in the mechanism, if there is one, scaled as by [`shown`].
    pub mechanism: Option<Vec<[f64; 6]>>,
    /// Capacity by direction.
    pub polar: &'a [PolarPoint],
}

impl StaticsReport<'_> {
    /// The page.
    pub fn paper(&self) -> Paper {
        let directions = self
            .polar
            .iter()
            .map(|point| [point.angle, point.multiplier]);
        let polar = Polar::new(["x", "y"], directions);
        let more = polar.map(|polar| Figure::new("Multiplier by direction", Content::Polar(polar)));
        let scene = Scene {
            joints: Some(scene::joints(self.joints, self.outlines)),
            lines: Some(scene::lines(self.lines)),
            mechanism: self.mechanism.as_deref().map(scene::mechanism),
            ..scene::structure(self.model)
        };
        Page {
            name: &self.model.name,
            analysis: self.analysis,
            headline: self.headline,
            summary: self.summary,
            still: self.structure(),
            more: more.into_iter().collect(),
            text: String::new(),
            scene,
        }
        .paper()
    }

    /// The structure with its forces, its thrust lines and its mechanism.
    fn structure(&self) -> Vec<Figure> {
        let rest: Vec<Pose> = self
            .model
            .blocks
            .iter()
            .map(|block| Pose::at(block.position))
            .collect();
        let frames = [(0.0, rest)];
        let around = View::around(self.model, &frames);
        let plain = view(self.model, &frames[0].1, &around);
        let lines = match self.cut {
            Some(cut) if cut.joints.len() > 1 => format!(
                "Thrust lines along one path of joints; the thrusts are those {}",
                cut.words()
            ),
            _ => "Thrust lines".to_owned(),
        };
        let mut drawn = vec![(
            Drawing {
                paths: forces(&around, self.joints),
                ..plain.clone()
            },
            "Resultants in the joints, by length and width",
        )];
        if !self.lines.is_empty() {
            let paths = self.lines.iter().map(|line| thrust(&around, line));
            let paths = paths.collect();
            drawn.push((Drawing { paths, ..plain }, lines.as_str()));
        }
        if let Some(velocity) = &self.mechanism {
            let moved = displaced(self.model, velocity);
            let drawing = view(self.model, &moved, &around);
            drawn.push((drawing, "Mechanism, not to scale"));
        }
        let figure = |(drawing, caption): (Drawing, &str)| {
            Figure::new("Structure", Content::Drawing(drawing)).with_caption(caption)
        };
        drawn.into_iter().map(figure).collect()
    }
}

/// Resultants as lines through where they act.
fn forces(around: &View, joints: &[Joint]) -> Vec<Path> {
    let force = |joint: &Joint| joint.force * joint.normal + joint.shear;
    let largest = joints
        .iter()
        .map(|joint| force(joint).length())
        .fold(0.0, f64::max);
    let mut paths = Vec::new();
    for joint in joints {
        let share = force(joint).length() / largest;
        // Nor is there anything to see where nothing is loaded, and the share not a number.
        if share >= 1e-3 {
            let half = force(joint).normalize_or_zero() * (0.05 * share.sqrt() * around.span());
            let ends = [joint.point - half, joint.point + half].map(|p| around.place(p));
            let width = around.size() * (0.001 + 0.005 * share);
            paths.push(Path::new(Ink::Force, width, ends));
        }
    }
    paths
}

fn thrust(around: &View, line: &ThrustLine) -> Path {
    let ink = match line.state {
        "minimum" => Ink::MinimumThrust,
        "maximum" => Ink::MaximumThrust,
        "limit" => Ink::LimitThrust,
        _ => Ink::Thrust,
    };
    let points = line.points.iter().map(|point| around.place(point.point));
    Path {
        label: format!("{} {:.4e} N", line.state, line.thrust),
        ..Path::new(ink, 0.005 * around.size(), points)
    }
}

/// Velocities of all blocks, scaled so that in the unit of time the fastest shows the mechanism.
pub fn shown(model: &Model, velocity: &[[f64; 6]]) -> Vec<[f64; 6]> {
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut fastest: f64 = 0.0;
    let free = model.blocks.iter().zip(velocity);
    for (block, v) in free.filter(|(block, _)| !block.support) {
        let (speed, spin) = split(v);
        fastest = fastest.max(speed.length() + spin.length() * block.shape.radius());
        for vertex in block.shape.vertices() {
            low = low.min(block.position + vertex);
            high = high.max(block.position + vertex);
        }
    }
    let size = (high - low).length();
    let scale = if fastest > 0.0 && size.is_finite() {
        SHOWN * size.max(1e-6) / fastest
    } else {
        0.0
    };
    velocity.iter().map(|v| v.map(|x| scale * x)).collect()
}

fn split(v: &[f64; 6]) -> (DVec3, DVec3) {
    (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]))
}

/// Poses after the unit of time.
fn displaced(model: &Model, velocity: &[[f64; 6]]) -> Vec<Pose> {
    let all = model.blocks.iter().zip(velocity);
    all.map(|(block, v)| {
        let (speed, spin) = split(v);
        Pose {
            position: block.position + speed,
            rotation: exp_rotation(spin),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A single block has an extent, though its middle has none.
    #[test]
    fn the_mechanism_of_one_block_is_seen() {
        let model = drystone_model::from_toml(
            "[[material]]
name = \"stone\"
density = 2000
[[interface]]
between = [\"*\", \"*\"]
friction = 0.6
\
             [model]
floating = true
[[block]]
name = \"b\"
material = \"stone\"
\
             vertices = [[0, 0, 0], [3, 0, 0], [0, 4, 0], [3, 4, 0], [0, 0, 12], [3, 0, 12], [0, 4, 12], [3, 4, 12]]
",
        )
        .unwrap_or_else(|faults| panic!("{faults}"));
        let velocity = shown(&model, &[[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]]);
        let moved = displaced(&model, &velocity)[0].position.x - model.blocks[0].position.x;
        assert!((moved - SHOWN * 13.0).abs() < 1e-12, "{moved}");
    }
}
