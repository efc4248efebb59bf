//! Mortar: what the bond of a joint carries at its contact points.

use drystone_cone::LimitBond;
use drystone_geometry::{ContactPoint, Manifold};

use super::pair::Pair;

impl Pair {
    /// Bonds of the points of this pair's joint, each by its share of the joint's area; none where the interface has no mortar, or where the joint gapes so that its faces do not touch throughout. Shares have the area and
    /// the centroid of the joint, so that points which all pull with the tensile strength are uniform tension.
    pub(crate) fn bonds<'p>(
        &'p self,
        manifold: &Manifold,
        points: &'p [ContactPoint],
    ) -> impl Iterator<Item = LimitBond> + 'p {
        let [cohesion, tension] = [self.law.cohesion, self.law.tensile_strength];
        let first = manifold.first;
        let touches = manifold.area > 0.0;
        points
            .iter()
            .enumerate()
            .filter(move |(_, point)| touches && self.law.is_bonded() && point.tributary_area > 0.0)
            .map(move |(k, point)| LimitBond {
                contact: first + k as u32,
                tension: tension * point.tributary_area,
                cohesion: cohesion * point.tributary_area,
            })
    }

    /// Shear force that a joint of some area carries under a normal force, N.
    pub fn shear_strength(&self, force: f64, area: f64) -> f64 {
        (self.law.friction * force + self.law.cohesion * area).max(0.0)
    }
}
