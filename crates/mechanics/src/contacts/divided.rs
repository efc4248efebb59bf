//! Joints divided into parts, so that they open little by little.

use drystone_geometry::{ContactPoint, DVec3, Manifold};

/// Points of a joint with their areas, m²: each part gives its area to its corners in equal shares. `across`: the direction in which a
/// planar joint is not divided.
pub fn divided(
    manifold: &Manifold,
    corners: &[ContactPoint],
    parts: u32,
    across: Option<DVec3>,
) -> Vec<(DVec3, f64)> {
    let whole = || {
        let one = |corner: &ContactPoint| (corner.midpoint(), corner.tributary_area);
        corners.iter().map(one).collect()
    };
    if parts <= 1 || manifold.area <= 0.0 || corners.len() < 3 {
        return whole();
    }
    let ring = around(manifold.normal, corners);
    if let [p, q, r, s] = ring[..] {
        // Along which sides to divide: in the plane only along the joint.
        let along = |side: DVec3| match across {
            Some(across) => side.dot(across).abs() < 0.5 * side.length(),
            None => true,
        };
        let count = |side: DVec3| if along(side) { parts } else { 1 };
        return quadrilateral([p, q, r, s], count(q - p), count(s - p), manifold.area);
    }
    let centre = ring.iter().sum::<DVec3>() / ring.len() as f64;
    let mut points = Vec::new();
    for (k, &p) in ring.iter().enumerate() {
        triangle([centre, p, ring[(k + 1) % ring.len()]], parts, &mut points);
    }
    points
}

/// Corners in the order of a walk around the joint.
fn around(normal: DVec3, corners: &[ContactPoint]) -> Vec<DVec3> {
    let mut ring: Vec<DVec3> = corners.iter().map(ContactPoint::midpoint).collect();
    let centre = ring.iter().sum::<DVec3>() / ring.len() as f64;
    let (t1, t2) = normal.any_orthonormal_pair();
    let angle = |p: &DVec3| (*p - centre).dot(t2).atan2((*p - centre).dot(t1));
    ring.sort_by(|p, q| angle(p).total_cmp(&angle(q)));
    ring
}

fn quadrilateral([p, q, r, s]: [DVec3; 4], n: u32, m: u32, area: f64) -> Vec<(DVec3, f64)> {
    let at = |u: u32, v: u32| {
        let (u, v) = (f64::from(u) / f64::from(n), f64::from(v) / f64::from(m));
        (1.0 - u) * (1.0 - v) * p + u * (1.0 - v) * q + u * v * r + (1.0 - u) * v * s
    };
    let mut points = Vec::with_capacity(((n + 1) * (m + 1)) as usize);
    let mut sum = 0.0;
    for u in 0..=n {
        for v in 0..=m {
            let mut share = 0.0;
            for (i, j) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                if (i..n + i).contains(&u) && (j..m + j).contains(&v) {
                    let (i, j) = (u - i, v - j);
                    let [a, b, c, d] = [at(i, j), at(i + 1, j), at(i + 1, j + 1), at(i, j + 1)];
                    share += 0.125 * (c - a).cross(d - b).length();
                }
            }
            sum += share;
            points.push((at(u, v), share));
        }
    }
    // Corners of a joint may be a little off its plane; its area is as detection says.
    let scale = if sum > 0.0 { area / sum } else { 0.0 };
    points.iter_mut().for_each(|point| point.1 *= scale);
    points
}

fn triangle([p, q, r]: [DVec3; 3], n: u32, points: &mut Vec<(DVec3, f64)>) {
    let share = (q - p).cross(r - p).length() / 6.0 / f64::from(n * n);
    let at = |u: u32, v: u32| {
        let (u, v) = (f64::from(u) / f64::from(n), f64::from(v) / f64::from(n));
        p + u * (q - p) + v * (r - p)
    };
    for u in 0..=n {
        for v in 0..=n - u {
            // Small triangles that meet here: six inside, three on sides, one at corners.
            let on = u32::from(u == 0) + u32::from(v == 0) + u32::from(u + v == n);
            let meet = [6.0, 3.0, 1.0][on.min(2) as usize];
            points.push((at(u, v), meet * share));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::FeatureId;

    fn corner(x: f64, y: f64) -> ContactPoint {
        ContactPoint {
            id: FeatureId(0),
            on_a: DVec3::new(x, y, 0.0),
            on_b: DVec3::new(x, y, 0.0),
            gap: 0.0,
            tributary_area: 0.0,
        }
    }

    fn joint(area: f64) -> Manifold {
        Manifold {
            a: 0,
            b: 1,
            parts: [0; 2],
            normal: DVec3::Z,
            first: 0,
            count: 0,
            area,
        }
    }

    /// Area and centroid of a joint do not depend on how it is divided.
    #[test]
    fn parts_share_the_area_about_its_centroid() {
        let square = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)];
        let five = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 2.0), (0.0, 1.0)];
        for (corners, area, centre) in [
            (&square[..], 2.0, [1.0, 0.5]),
            (&five[..], 3.0, [1.0, 7.0 / 9.0]),
        ] {
            let corners: Vec<_> = corners.iter().map(|&(x, y)| corner(x, y)).collect();
            for parts in [2, 3, 8] {
                let points = divided(&joint(area), &corners, parts, None);
                let sum: f64 = points.iter().map(|(_, share)| share).sum();
                let lever: DVec3 = points.iter().map(|(at, share)| *at * *share).sum();
                assert!((sum - area).abs() < 1e-12, "{sum}");
                assert!((lever.x / area - centre[0]).abs() < 1e-12);
                assert!((lever.y / area - centre[1]).abs() < 1e-12, "{lever}");
            }
        }
    }

    #[test]
    fn a_planar_joint_is_divided_along_its_length_alone() {
        let corners = [(0.0, 0.0), (2.0, 0.0), (2.0, 1.0), (0.0, 1.0)].map(|(x, y)| corner(x, y));
        let points = divided(&joint(2.0), &corners, 4, Some(DVec3::Y));
        assert_eq!(points.len(), 10);
        assert!(points.iter().all(|(at, _)| at.y == 0.0 || at.y == 1.0));
        let ends: Vec<f64> = points.iter().map(|(_, share)| *share).collect();
        assert_eq!((ends[0], ends[2]), (0.125, 0.25));
    }
}
