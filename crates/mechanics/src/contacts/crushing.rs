//! Joints that crush: their face, where contacts press on it, and their strength.

use drystone_cone::LimitCrushing;
use drystone_geometry::{DVec3, convex_hull};

use super::pair::Pair;

/// A joint whose face is narrower than this fraction of its length touches along one line.
const LINE: f64 = 1e-6;

/// Whether a joint crushes.
#[derive(Debug, Clone, PartialEq)]
pub enum Crushes {
    /// Its interface has no strength.
    Never,
    /// It touches along one line or at one point only: that has no area to be crushed.
    Gapes,
    /// It does.
    Joint(LimitCrushing),
}

impl Pair {
    /// How a joint of this pair crushes, with contacts at some points, m, the corners of its face: the first of them is the contact with the number given. In a planar model, `across` whose plane nothing
    /// turns, only where contacts are along that plane counts.
    pub fn crushes(&self, across: Option<DVec3>, first: u32, points: &[DVec3]) -> Crushes {
        let Some(strength) = self.law.compressive_strength else {
            return Crushes::Never;
        };
        let [normal, t1, t2] = self.axes;
        let [along, beside] = across.map_or([t1, t2], |across| [across.cross(normal), across]);
        let places: Vec<[f64; 2]> = points
            .iter()
            .map(|point| [point.dot(along), point.dot(beside)])
            .collect();
        let mut joint = LimitCrushing {
            contacts: (first..first + points.len() as u32).collect(),
            face: convex_hull(&places),
            places,
            // Counted from the tension of its mortar, as the normal force of a bonded joint is.
            strength: strength + self.law.tensile_strength,
        };
        let extent = joint.places.iter().fold(0.0, |most: f64, place| {
            let [x, y] = [0, 1].map(|k| place[k] - joint.places[0][k]);
            most.max(x.hypot(y))
        });
        if joint.area() <= LINE * extent * extent {
            return Crushes::Gapes;
        }
        if across.is_some() {
            joint.face = evened(&joint.face);
            joint.places.iter_mut().for_each(|place| place[1] = 0.0);
        }
        Crushes::Joint(joint)
    }
}

/// A convex face with its chords across the plane of the model moved to the middle of it: as wide everywhere, and no moment across the plane comes from its shape.
fn evened(face: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut levels: Vec<f64> = face.iter().map(|corner| corner[0]).collect();
    levels.sort_unstable_by(f64::total_cmp);
    levels.dedup();
    let width = |x: f64| {
        let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
        for (a, b) in face.iter().zip(face.iter().cycle().skip(1)) {
            if x < a[0].min(b[0]) || x > a[0].max(b[0]) {
                continue;
            }
            let ends = if a[0] == b[0] {
                [a[1], b[1]]
            } else {
                [a[1] + (x - a[0]) / (b[0] - a[0]) * (b[1] - a[1]); 2]
            };
            for y in ends {
                (low, high) = (low.min(y), high.max(y));
            }
        }
        high - low
    };
    let below = levels.iter().map(|&x| [x, -0.5 * width(x)]);
    let above = levels.iter().rev().map(|&x| [x, 0.5 * width(x)]);
    below.chain(above).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_evened_face_has_its_widths() {
        let face = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 3.0]];
        let even = [[0.0, -1.5], [1.0, -0.5], [1.0, 0.5], [0.0, 1.5]];
        assert_eq!(evened(&face), even);
        let joint = |face: &[[f64; 2]]| LimitCrushing {
            face: face.to_vec(),
            ..LimitCrushing::default()
        };
        assert_eq!(joint(&evened(&face)).area(), joint(&face).area());
    }
}
