//! Whether a point is inside a closed surface.

use glam::DVec3;

/// How often a closed surface of triangles, counter-clockwise seen from outside, goes around a point: 1 inside, 0 outside,
/// something in between on the surface.
///
/// The sum of the solid angles of the triangles (van Oosterom & Strackee 1983), which no ray has to be chosen for, and which
/// small holes change by little.
pub fn winding_number(triangles: impl IntoIterator<Item = [DVec3; 3]>, at: DVec3) -> f64 {
    let solid_angle = |corners: [DVec3; 3]| {
        let [a, b, c] = corners.map(|corner| corner - at);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    let sum: f64 = triangles.into_iter().map(solid_angle).sum();
    sum / (4.0 * std::f64::consts::PI)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tetrahedron, inside out, and twice around.
    #[test]
    fn it_counts_with_sign() {
        let [o, x, y, z] = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let outward = [[o, y, x], [o, z, y], [o, x, z], [x, y, z]];
        let inside = DVec3::splat(0.2);
        assert!((winding_number(outward, inside) - 1.0).abs() < 1e-12);
        assert!(winding_number(outward, DVec3::splat(0.4)).abs() < 1e-12);
        assert!(winding_number(outward, DVec3::splat(-3.0)).abs() < 1e-12);
        let inward = outward.map(|[a, b, c]| [a, c, b]);
        assert!((winding_number(inward, inside) + 1.0).abs() < 1e-12);
        let twice = outward.into_iter().chain(outward);
        assert!((winding_number(twice, inside) - 2.0).abs() < 1e-12);
    }
}
