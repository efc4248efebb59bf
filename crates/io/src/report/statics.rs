//! The page of a question of statics: the structure with the resultants in its joints and its thrust lines, the mechanism, the capacity by
//! direction.

use std::fmt::Write as _;

use drystone_analysis::statics::{Joint, PolarPoint, ThrustLine};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::exp_rotation;
use drystone_model::Model;

use super::look::figure::{GRID, TEXT};
use super::look::light::ACCENT;
use super::look::sign::FORCE;
use super::page::Page;
use super::scene::{self, Scene};
use super::{View, look, view};

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
    /// Outlines of the joints, in their order.
    pub outlines: &'a [Vec<DVec3>],
    /// Velocities of all blocks in the mechanism, if there is one, scaled as by [`shown`].
    pub mechanism: Option<Vec<[f64; 6]>>,
    /// Capacity by direction.
    pub polar: &'a [PolarPoint],
}

impl StaticsReport<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut still = String::new();
        self.pictures(&mut still);
        let mut more = String::new();
        if !self.polar.is_empty() {
            let _ = write!(
                more,
                "<h2>Multiplier by direction</h2>{}",
                polar(self.polar)
            );
        }
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
            still,
            more,
            scene,
        }
        .html()
    }

    fn pictures(&self, page: &mut String) {
        let rest: Vec<Pose> = self
            .model
            .blocks
            .iter()
            .map(|block| Pose::at(block.position))
            .collect();
        let frames = [(0.0, rest)];
        let around = View::around(self.model, &frames);
        page.push_str("<h2>Structure</h2><div class=\"strip\">");
        let picture = with_forces(
            &view(self.model, &frames[0].1, &around),
            &around,
            self.joints,
        );
        let _ = write!(
            page,
            "<figure>{picture}<figcaption>Resultants in the joints, by length and width</figcaption></figure>"
        );
        if !self.lines.is_empty() {
            let picture = with_lines(
                &view(self.model, &frames[0].1, &around),
                &around,
                self.lines,
            );
            let _ = write!(
                page,
                "<figure>{picture}<figcaption>Thrust lines: {}</figcaption></figure>",
                legend(self.lines)
            );
        }
        if let Some(velocity) = &self.mechanism {
            let _ = write!(
                page,
                "<figure>{}<figcaption>Mechanism, not to scale</figcaption></figure>",
                view(self.model, &displaced(self.model, velocity), &around)
            );
        }
        page.push_str("</div>");
    }
}

fn colour(state: &str) -> &'static str {
    match state {
        "minimum" => look::thrust::MINIMUM,
        "maximum" => look::thrust::MAXIMUM,
        "limit" => look::thrust::LIMIT,
        _ => look::thrust::EQUILIBRIUM,
    }
}

fn legend(lines: &[ThrustLine]) -> String {
    let parts: Vec<String> = lines
        .iter()
        .map(|line| {
            format!(
                "<span style=\"color:{}\">{} {:.4e} N</span>",
                colour(line.state),
                line.state,
                line.thrust
            )
        })
        .collect();
    parts.join(", ")
}

/// A picture with more drawn over it.
fn overlaid(picture: &str, more: &str) -> String {
    match picture.strip_suffix("</svg>") {
        Some(open) => format!("{open}{more}</svg>"),
        None => picture.to_owned(),
    }
}

fn with_forces(picture: &str, around: &View, joints: &[Joint]) -> String {
    let force = |joint: &Joint| joint.force * joint.normal + joint.shear;
    let largest = joints
        .iter()
        .map(|joint| force(joint).length())
        .fold(0.0, f64::max);
    if largest <= 0.0 {
        return picture.to_owned();
    }
    let mut more = String::new();
    for joint in joints {
        let share = force(joint).length() / largest;
        if share < 1e-3 {
            continue;
        }
        let half = force(joint).normalize_or_zero() * (0.05 * share.sqrt() * around.span());
        let [a, b] = [joint.point - half, joint.point + half].map(|p| around.place(p));
        let _ = write!(
            more,
            "<line x1=\"{:.4}\" y1=\"{:.4}\" x2=\"{:.4}\" y2=\"{:.4}\" stroke=\"{FORCE}\" stroke-opacity=\"0.8\" stroke-width=\"{:.5}\"/>",
            a[0],
            a[1],
            b[0],
            b[1],
            around.size() * (0.001 + 0.005 * share)
        );
    }
    overlaid(picture, &more)
}

fn with_lines(picture: &str, around: &View, lines: &[ThrustLine]) -> String {
    let mut more = String::new();
    for line in lines {
        let points: Vec<String> = line
            .points
            .iter()
            .map(|point| {
                let [x, y] = around.place(point.point);
                format!("{x:.4},{y:.4}")
            })
            .collect();
        let _ = write!(
            more,
            "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"{:.5}\" points=\"{}\"/>",
            colour(line.state),
            0.005 * around.size(),
            points.join(" ")
        );
    }
    overlaid(picture, &more)
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

/// The capacity as a closed curve around the origin.
fn polar(points: &[PolarPoint]) -> String {
    let largest = points
        .iter()
        .map(|point| point.multiplier)
        .filter(|value| value.is_finite())
        .fold(0.0, f64::max);
    if largest <= 0.0 {
        return String::new();
    }
    let at = |point: &PolarPoint| {
        let r = (point.multiplier / largest).clamp(0.0, 1.0);
        format!("{:.4},{:.4}", r * point.angle.cos(), -r * point.angle.sin())
    };
    let mut svg = format!(
        "<svg class=\"polar\" viewBox=\"-1.25 -1.15 2.5 2.3\" style=\"max-width:28rem\" font-size=\"0.08\" fill=\"{TEXT}\" role=\"img\">",
    );
    for part in [0.5, 1.0] {
        let _ = write!(
            svg,
            "<circle r=\"{part}\" fill=\"none\" stroke=\"{GRID}\" stroke-width=\"0.006\"/><text x=\"0.01\" y=\"{:.3}\">{:.3}</text>",
            -part - 0.01,
            part * largest
        );
    }
    let corners: Vec<String> = points.iter().map(at).collect();
    let _ = write!(
        svg,
        "<polygon points=\"{}\" fill=\"{ACCENT}\" fill-opacity=\"0.15\" stroke=\"{ACCENT}\" stroke-width=\"0.012\"/><text x=\"1.05\" y=\"0.03\">x</text><text x=\"-0.03\" y=\"-1.07\">y</text></svg>",
        corners.join(" ")
    );
    svg
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

    #[test]
    fn overlays_stay_inside_the_picture() {
        assert_eq!(overlaid("<svg><g/></svg>", "<a/>"), "<svg><g/><a/></svg>");
    }
}
