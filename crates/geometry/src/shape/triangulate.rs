//! Plane polygons into triangles, whether they are convex or not.

use glam::DVec3;

use super::merge::area_vector;

/// Beyond this number of corners the search for the best ear would take too long.
const MANY: usize = 100;

/// Divides a polygon into triangles with its own corners, by cutting off ears.
///
/// The polygon runs counter-clockwise about its mean normal, may be drawn in, and may be cut open towards a hole along an
/// edge that it runs in both directions. Every edge of the polygon is an edge of one triangle, in the same direction, so
/// that a closed surface stays closed whatever its faces look like. `corners` are positions in `vertices`; polygons with
/// fewer than three give nothing.
pub fn triangulate(vertices: &[DVec3], corners: &[u32]) -> Vec<[u32; 3]> {
    let mut rest: Vec<u32> = corners.to_vec();
    let mut triangles = Vec::with_capacity(corners.len().saturating_sub(2));
    let normal = area_vector(vertices, corners).normalize_or_zero();
    while rest.len() > 3 {
        let ear = best_ear(vertices, &rest, normal);
        let n = rest.len();
        triangles.push([rest[(ear + n - 1) % n], rest[ear], rest[(ear + 1) % n]]);
        rest.remove(ear);
    }
    if let [a, b, c] = rest[..] {
        triangles.push([a, b, c]);
    }
    triangles
}

/// Whether all corners turn left: the polygon may be fanned.
fn is_convex(vertices: &[DVec3], rest: &[u32], normal: DVec3) -> bool {
    let n = rest.len();
    (0..n).all(|i| turn(vertices, rest, normal, i) >= 0.0)
}

/// Twice the signed area of the triangle at a corner.
fn turn(vertices: &[DVec3], rest: &[u32], normal: DVec3, i: usize) -> f64 {
    let n = rest.len();
    let [p, q, r] = [(i + n - 1) % n, i, (i + 1) % n].map(|i| vertices[rest[i] as usize]);
    (q - p).cross(r - q).dot(normal)
}

/// The corner whose triangle is cut off next: of those that hold no other corner the one with the widest smallest
/// height, so that slivers come last; in polygons of very many corners the first one that serves, to end in time. In polygons that cross themselves there may be none; then any corner serves, since
/// only the edges have to be right.
fn best_ear(vertices: &[DVec3], rest: &[u32], normal: DVec3) -> usize {
    let n = rest.len();
    let convex = is_convex(vertices, rest, normal);
    let mut best = (f64::NEG_INFINITY, 0);
    for i in 0..n {
        let area = turn(vertices, rest, normal, i);
        let corners = [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
        let [p, q, r] = corners.map(|v| vertices[v as usize]);
        let longest = (q - p).length().max((r - q).length()).max((p - r).length());
        let height = if longest > 0.0 { area / longest } else { 0.0 };
        if height > best.0
            && (convex
                || !rest.iter().any(|v| {
                    !corners.contains(v) && holds([p, q, r], normal, vertices[*v as usize])
                }))
        {
            best = (height, i);
            if height > 0.0 && n > MANY {
                break;
            }
        }
    }
    best.1
}

/// Whether a point lies in a triangle or on its rim.
fn holds([p, q, r]: [DVec3; 3], normal: DVec3, at: DVec3) -> bool {
    let left = |from: DVec3, to: DVec3| (to - from).cross(at - from).dot(normal) >= 0.0;
    left(p, q) && left(q, r) && left(r, p)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn area(vertices: &[DVec3], corners: &[u32]) -> f64 {
        0.5 * area_vector(vertices, corners).length()
    }

    fn assert_divided(points: &[(f64, f64)], corners: &[u32]) {
        let vertices: Vec<DVec3> = points
            .iter()
            .map(|&(x, y)| DVec3::new(x, 2.0 * x - y, y + 0.3 * x))
            .collect();
        let triangles = triangulate(&vertices, corners);
        assert_eq!(triangles.len(), corners.len() - 2);
        let normal = area_vector(&vertices, corners).normalize();
        let mut sum = 0.0;
        for triangle in &triangles {
            let vector = area_vector(&vertices, triangle);
            assert!(vector.dot(normal) >= -1e-12, "a triangle is turned");
            sum += 0.5 * vector.length();
        }
        // Areas are sums of a few products of numbers near one.
        assert!((sum - area(&vertices, corners)).abs() < 1e-12);
    }

    #[test]
    fn polygons_that_are_drawn_in_are_divided_without_overlap() {
        let l = [
            (0.0, 0.0),
            (2.0, 0.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (0.0, 2.0),
        ];
        assert_divided(&l, &[0, 1, 2, 3, 4, 5]);
        let star: Vec<(f64, f64)> = (0..10)
            .map(|i| {
                let (r, a) = ([1.0, 0.4][i % 2], 0.628_318_530_717_958_6 * i as f64);
                (r * a.cos(), r * a.sin())
            })
            .collect();
        assert_divided(&star, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
        // A comb, with corners in a row.
        let comb = [
            (0.0, 0.0),
            (1.0, 0.0),
            (2.0, 0.0),
            (5.0, 0.0),
            (5.0, 3.0),
            (4.0, 3.0),
            (4.0, 1.0),
            (3.0, 1.0),
            (3.0, 3.0),
            (2.0, 3.0),
            (2.0, 1.0),
            (1.0, 1.0),
            (1.0, 3.0),
            (0.0, 3.0),
        ];
        assert_divided(&comb, &(0..14).collect::<Vec<_>>());
    }

    #[test]
    fn a_hole_is_reached_by_an_edge_run_in_both_directions() {
        let points = [
            (0.0, 0.0),
            (3.0, 0.0),
            (3.0, 3.0),
            (0.0, 3.0),
            (1.0, 1.0),
            (1.0, 2.0),
            (2.0, 2.0),
            (2.0, 1.0),
        ];
        assert_divided(&points, &[0, 1, 2, 3, 0, 4, 5, 6, 7, 4]);
    }

    #[test]
    fn every_edge_stays_an_edge_even_of_nonsense() {
        let vertices = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::X + DVec3::Y];
        for corners in [
            vec![0, 3, 1, 2],
            vec![0, 0, 1, 1],
            vec![0, 1, 0, 1, 2],
            vec![],
        ] {
            let triangles = triangulate(&vertices, &corners);
            let n = corners.len();
            for i in 0..n {
                let edge = (corners[i], corners[(i + 1) % n]);
                let runs = |t: &[u32; 3]| (0..3).any(|k| (t[k], t[(k + 1) % 3]) == edge);
                assert!(triangles.iter().any(runs), "{corners:?} lost {edge:?}");
            }
        }
    }
}
