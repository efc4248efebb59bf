//! The page of a question of statics: the structure with the resultants in its joints and its thrust lines, the mechanism, the capacity by
//! direction.

use std::fmt::Write as _;

use drystone_analysis::statics::{Joint, PolarPoint, ThrustLine};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Statics, exp_rotation};
use drystone_model::Model;

use super::{STYLE, View, escape, rows, view};

/// The fastest block of a mechanism is shown displaced by this fraction of the size of the structure.
const SHOWN: f64 = 0.08;

/// Lists longer than this are left to the tables.
const LONG: usize = 40;

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
    /// Poses displaced along the mechanism, if there is one.
    pub mechanism: Option<Vec<Pose>>,
    /// Capacity by direction.
    pub polar: &'a [PolarPoint],
}

impl StaticsReport<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let mut page = String::new();
        let status = self.summary["status"].as_str().unwrap_or_default();
        let _ = write!(
            page,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">\
             <title>{name}: {analysis}</title><style>{STYLE}</style>\
             <h1>{name}</h1><p class=\"sub\">{analysis}</p><p class=\"verdict {status}\">{headline}</p>",
            name = escape(&self.model.name),
            analysis = escape(self.analysis),
            status = escape(status),
            headline = escape(self.headline),
        );
        self.pictures(&mut page);
        if !self.polar.is_empty() {
            let _ = write!(
                page,
                "<h2>Multiplier by direction</h2>{}",
                polar(self.polar)
            );
        }
        let mut short = self.summary.clone();
        shorten(&mut short);
        page.push_str("<h2>Numbers</h2><table>");
        rows(&mut page, "", &short);
        page.push_str("</table>");
        page
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
        if let Some(poses) = &self.mechanism {
            let _ = write!(
                page,
                "<figure>{}<figcaption>Mechanism, not to scale</figcaption></figure>",
                view(self.model, poses, &around)
            );
        }
        page.push_str("</div>");
    }
}

const COLOURS: [(&str, &str); 4] = [
    ("equilibrium", "#1b6ca8"),
    ("limit", "#1b6ca8"),
    ("minimum", "#3d8b52"),
    ("maximum", "#c8553d"),
];

fn colour(state: &str) -> &'static str {
    let known = COLOURS.iter().find(|(name, _)| *name == state);
    known.map_or("#444", |(_, colour)| colour)
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
        let half = force(joint).normalize_or_zero() * (0.05 * share.sqrt() * around.size());
        let [a, b] = [joint.point - half, joint.point + half].map(|p| around.place(p));
        let _ = write!(
            more,
            "<line x1=\"{:.4}\" y1=\"{:.4}\" x2=\"{:.4}\" y2=\"{:.4}\" stroke=\"#1b6ca8\" stroke-opacity=\"0.8\" stroke-width=\"{:.5}\"/>",
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

/// Poses displaced along a mechanism, so that the fastest block shows it.
pub fn displaced(statics: &Statics<'_>, velocity: &[[f64; 6]]) -> Vec<Pose> {
    let model = statics.model;
    let mut poses: Vec<Pose> = model
        .blocks
        .iter()
        .map(|block| Pose::at(block.position))
        .collect();
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let mut fastest: f64 = 0.0;
    let split = |v: &[f64; 6]| (DVec3::new(v[0], v[1], v[2]), DVec3::new(v[3], v[4], v[5]));
    for (&block, v) in statics.bodies.blocks.iter().zip(velocity) {
        let (speed, spin) = split(v);
        let shape = &model.blocks[block].shape;
        fastest = fastest.max(speed.length() + spin.length() * shape.radius());
        for vertex in shape.vertices() {
            let place = poses[block].transform(vertex);
            low = low.min(place);
            high = high.max(place);
        }
    }
    let size = (high - low).length();
    if !(fastest > 0.0 && size.is_finite()) {
        return poses;
    }
    let time = SHOWN * size.max(1e-6) / fastest;
    for (&block, v) in statics.bodies.blocks.iter().zip(velocity) {
        let (speed, spin) = split(v);
        poses[block].position += time * speed;
        poses[block].rotation = exp_rotation(time * spin) * poses[block].rotation;
    }
    poses
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
    let mut svg = String::from(
        "<svg viewBox=\"-1.25 -1.15 2.5 2.3\" style=\"max-width:28rem\" font-size=\"0.08\" fill=\"#444\" role=\"img\">",
    );
    for part in [0.5, 1.0] {
        let _ = write!(
            svg,
            "<circle r=\"{part}\" fill=\"none\" stroke=\"#ddd\" stroke-width=\"0.006\"/><text x=\"0.01\" y=\"{:.3}\">{:.3}</text>",
            -part - 0.01,
            part * largest
        );
    }
    let corners: Vec<String> = points.iter().map(at).collect();
    let _ = write!(
        svg,
        "<polygon points=\"{}\" fill=\"#1b6ca8\" fill-opacity=\"0.15\" stroke=\"#1b6ca8\" stroke-width=\"0.012\"/><text x=\"1.05\" y=\"0.03\">x</text><text x=\"-0.03\" y=\"-1.07\">y</text></svg>",
        corners.join(" ")
    );
    svg
}

/// Replaces long lists by their length.
fn shorten(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Array(items) if items.len() > LONG => {
            *value = format!("{} entries, in the summary", items.len()).into();
        }
        serde_json::Value::Array(items) => items.iter_mut().for_each(shorten),
        serde_json::Value::Object(map) => map.values_mut().for_each(shorten),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lists_are_told_by_their_length() {
        let mut value = serde_json::json!({"a": vec![1; 41], "b": [1, 2]});
        shorten(&mut value);
        assert_eq!(value["a"], "41 entries, in the summary");
        assert_eq!(value["b"][1], 2);
    }

    /// A single block has an extent, though its middle has none.
    #[test]
    fn the_mechanism_of_one_block_is_seen() {
        let model = drystone_model::from_toml(
            "[[material]]\nname = \"stone\"\ndensity = 2000\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
             [model]\nfloating = true\n[[block]]\nname = \"b\"\nmaterial = \"stone\"\n\
             vertices = [[0, 0, 0], [3, 0, 0], [0, 4, 0], [3, 4, 0], [0, 0, 12], [3, 0, 12], [0, 4, 12], [3, 4, 12]]\n",
        )
        .unwrap_or_else(|faults| panic!("{faults}"));
        let poses = displaced(&Statics::new(&model), &[[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]]);
        let moved = poses[0].position.x - model.blocks[0].position.x;
        assert!((moved - SHOWN * 13.0).abs() < 1e-12, "{moved}");
    }

    #[test]
    fn overlays_stay_inside_the_picture() {
        assert_eq!(overlaid("<svg><g/></svg>", "<a/>"), "<svg><g/><a/></svg>");
    }
}
