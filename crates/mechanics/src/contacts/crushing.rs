//! Joints that crush: the two edges between which their normal force wanders, and their strength.

use drystone_cone::LimitCrushing;
use drystone_geometry::{ContactPoint, DVec3, Manifold};

use super::pair::Pair;

/// Points of a joint nearer to each other than this fraction of its size lie on one line.
const LINE: f64 = 1e-6;

/// Whether a joint crushes.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Crushes {
    /// Its interface has no strength, or it has no area.
    Never,
    /// It touches along one line only, because it gapes: an edge has no area to be crushed.
    Gapes,
    /// It does.
    Joint(LimitCrushing),
}

impl Pair {
    /// How the joint of this pair crushes in a planar model, `across` whose plane its points lie in pairs.
    pub(crate) fn crushes(
        &self,
        across: DVec3,
        manifold: &Manifold,
        points: &[ContactPoint],
    ) -> Crushes {
        let Some(strength) = self.law.compressive_strength else {
            return Crushes::Never;
        };
        if manifold.area <= 0.0 {
            return Crushes::Never;
        }
        let along = manifold.normal.cross(across);
        let places = || points.iter().map(|point| point.midpoint().dot(along));
        let low = places().fold(f64::INFINITY, f64::min);
        let high = places().fold(f64::NEG_INFINITY, f64::max);
        if high - low <= LINE * manifold.area.sqrt() {
            return Crushes::Gapes;
        }
        let mut edges = [Vec::new(), Vec::new()];
        for (k, place) in places().enumerate() {
            let edge = usize::from(place > 0.5 * (low + high));
            edges[edge].push(manifold.first + k as u32);
        }
        Crushes::Joint(LimitCrushing {
            edges,
            // Counted from the tension of its mortar, as the normal force of a bonded joint is.
            strength: (strength + self.law.tensile_strength) * manifold.area,
        })
    }
}
