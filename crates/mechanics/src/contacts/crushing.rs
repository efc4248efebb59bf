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
            let centre = joint.face.iter().map(|p| p[1]).sum::<f64>() / joint.face.len() as f64;
            joint.places.iter_mut().for_each(|place| place[1] = centre);
        }
        Crushes::Joint(joint)
    }
}
