//! Mass of voussoirs whose intrados and extrados are true circles.

use drystone_geometry::{DMat3, DVec3, VolumeProperties};

use super::profile::Circle;

/// Volume, centroid and inertia of a ring sector between two radii and two angles from the vertical (rad), and from y = 0
/// to `depth` (m). The centre of the circle is at x = 0 and at the level `centre`.
pub(super) fn ring_sector(
    radii: [f64; 2],
    angles: [f64; 2],
    centre: f64,
    depth: f64,
) -> VolumeProperties {
    let [r, s] = radii;
    let angle = angles[1] - angles[0];
    let area = 0.5 * (s * s - r * r) * angle;
    let volume = area * depth;
    let half = 0.5 * angle;
    let distance = 2.0 / 3.0 * (s.powi(3) - r.powi(3)) / (s * s - r * r) * half.sin() / half;
    // Second moments about the centre of the circle, along the middle of the sector and across it.
    let quartic = 0.125 * (s.powi(4) - r.powi(4)) * depth;
    let along = quartic * (angle + angle.sin()) - volume * distance * distance;
    let across = quartic * (angle - angle.sin());
    let deep = volume * depth * depth / 12.0;
    let (sin, cos) = (0.5 * (angles[0] + angles[1])).sin_cos();
    let outwards = DVec3::new(sin, 0.0, cos);
    let sideways = DVec3::new(cos, 0.0, -sin);
    let square = |v: DVec3| DMat3::from_cols(v * v.x, v * v.y, v * v.z);
    let second = square(outwards) * along + square(sideways) * across + square(DVec3::Y) * deep;
    let trace = along + across + deep;
    VolumeProperties {
        volume,
        centroid: DVec3::new(distance * sin, 0.5 * depth, distance * cos + centre),
        inertia: DMat3::from_diagonal(DVec3::splat(trace)) - second,
    }
}

impl Circle {
    /// Angle of a joint from the vertical, rad; joints are numbered from the left.
    pub(super) fn angle(&self, joint: u32, voussoirs: u32) -> f64 {
        let place = 2 * i64::from(joint) - i64::from(voussoirs);
        self.half * (place as f64 / f64::from(voussoirs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::Polyhedron;

    /// A sector cut into many thin straight-sided wedges has the same moments in the limit.
    #[test]
    fn sectors_agree_with_the_sum_of_many_wedges() {
        let (radii, angles, centre, depth) = ([2.0, 2.7], [0.3, 0.9], -0.4, 0.8);
        let exact = ring_sector(radii, angles, centre, depth);
        let count = 400;
        let at = |k: usize| angles[0] + (angles[1] - angles[0]) * k as f64 / count as f64;
        let wedges: Vec<VolumeProperties> = (0..count)
            .map(|k| {
                let mut points = Vec::new();
                for angle in [at(k), at(k + 1)] {
                    for radius in radii {
                        for y in [0.0, depth] {
                            let (sin, cos) = angle.sin_cos();
                            points.push(DVec3::new(radius * sin, y, radius * cos + centre));
                        }
                    }
                }
                Polyhedron::hull(&points).unwrap().volume_properties()
            })
            .collect();
        let volume: f64 = wedges.iter().map(|w| w.volume).sum();
        let first: DVec3 = wedges.iter().map(|w| w.centroid * w.volume).sum();
        let centroid = first / volume;
        let mut inertia = DMat3::ZERO;
        for wedge in &wedges {
            let arm = wedge.centroid - centroid;
            let square = DMat3::from_cols(arm * arm.x, arm * arm.y, arm * arm.z);
            let shift = DMat3::from_diagonal(DVec3::splat(arm.length_squared())) - square;
            inertia += wedge.inertia + shift * wedge.volume;
        }
        // Chords miss the area by a part of (0.6/400)²/6, the moments by about twice as much.
        assert!((volume / exact.volume - 1.0).abs() < 1e-6);
        assert!(centroid.distance(exact.centroid) < 1e-6);
        let error = inertia - exact.inertia;
        for column in [error.x_axis, error.y_axis, error.z_axis] {
            assert!(column.length() < 2e-6 * exact.inertia.y_axis.y, "{error}");
        }
    }
}
