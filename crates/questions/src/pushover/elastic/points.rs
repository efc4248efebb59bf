//! Joints as springs at points: their corners, or those of the parts into which joints are divided.

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{KeptPair, Statics, across_plane, compliance, divided};

/// A spring between two blocks that neither pulls nor holds more than friction.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Spring {
    pub pair: KeptPair,
    /// The point in the frames of both blocks.
    pub local: [DVec3; 2],
    /// Normal and tangential, m/N.
    pub compliance: [f64; 2],
    /// Elastic shear in the frame of the first block, m.
    pub stretch: DVec3,
}

/// The springs of all joints, none of them strained. `k_n = k_jn` times the area of a point, PGCL section 4.
pub(super) fn springs(statics: &Statics<'_>, poses: &[Pose]) -> Vec<Spring> {
    let model = statics.model;
    let across = across_plane(&model.free);
    let mut all = Vec::new();
    for (manifold, pair) in statics.joints() {
        let stiffness = pair.stiffness();
        if stiffness.contains(&None) {
            continue;
        }
        let least = pair.least_area(model);
        let kept = KeptPair::new(pair);
        let corners = statics.touching.points_of(manifold);
        for (at, area) in divided(manifold, corners, pair.subdivisions(), across) {
            all.push(Spring {
                pair: kept,
                local: kept.local(poses, at),
                compliance: compliance(stiffness, area.max(least), 1.0),
                stretch: DVec3::ZERO,
            });
        }
    }
    all
}
