//! Plane polygons into triangles, whether they are convex or not.

use glam::DVec3;

use super::merge::area_vector;

/// Beyond this number of corners the search for the best ear would take too long.
const MANY: usize = 100;

/// Triangles lower than this fraction of the polygon's reach have no area.
const STRAIGHT: f64 = 1e-12;

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
    if let [first, ..] = *corners {
        let from = |v: &u32| vertices[*v as usize].distance(vertices[first as usize]);
        let reach = corners.iter().map(from).fold(0.0, f64::max);
        flip_flat(vertices, &mut triangles, normal, reach);
    }
    triangles
}

/// The corner whose triangle is cut off next: of those that hold no other corner the one with the widest smallest
/// height, so that slivers come last; in polygons of very many corners the first one that serves, to end in time. In
/// polygons that cross themselves there may be none; then any corner serves, since only the edges have to be right.
fn best_ear(vertices: &[DVec3], rest: &[u32], normal: DVec3) -> usize {
    let n = rest.len();
    let corners = |i: usize| [rest[(i + n - 1) % n], rest[i], rest[(i + 1) % n]];
    let heights: Vec<f64> = (0..n)
        .map(|i| height(vertices, corners(i), normal))
        .collect();
    let convex = heights.iter().all(|&h| h >= 0.0);
    let mut best = (f64::NEG_INFINITY, 0);
    for (i, &height) in heights.iter().enumerate() {
        let corners = corners(i);
        let triangle = corners.map(|v| vertices[v as usize]);
        let inside =
            |v: &u32| !corners.contains(v) && holds(triangle, normal, vertices[*v as usize]);
        if height > best.0 && (convex || !rest.iter().any(inside)) {
            best = (height, i);
            if height > 0.0 && n > MANY {
                break;
            }
        }
    }
    best.1
}

/// Smallest height of a triangle, negative if it runs clockwise.
fn height(vertices: &[DVec3], corners: [u32; 3], normal: DVec3) -> f64 {
    let [p, q, r] = corners.map(|v| vertices[v as usize]);
    let longest = (q - p).length().max((r - q).length()).max((p - r).length());
    if longest > 0.0 {
        (q - p).cross(r - q).dot(normal) / longest
    } else {
        0.0
    }
}

/// Gets rid of triangles without area, which remain if corners on one line come last: such a triangle and its neighbour
/// across its long side exchange their diagonal.
fn flip_flat(vertices: &[DVec3], triangles: &mut [[u32; 3]], normal: DVec3, reach: f64) {
    let flat = |t: [u32; 3]| height(vertices, t, normal) <= STRAIGHT * reach;
    let mut pending: Vec<usize> = (0..triangles.len())
        .filter(|&t| flat(triangles[t]))
        .collect();
    loop {
        let before = pending.len();
        pending.retain(|&t| {
            let [a, b, c] = longest_side_last(vertices, triangles[t]);
            let across = triangles.iter().enumerate().find_map(|(u, other)| {
                let k = (0..3).find(|&k| (other[k], other[(k + 1) % 3]) == (a, c))?;
                (u != t && !flat(*other)).then_some((u, other[(k + 2) % 3]))
            });
            let Some((u, d)) = across else { return true };
            triangles[t] = [a, b, d];
            triangles[u] = [b, c, d];
            false
        });
        if pending.len() == before {
            return;
        }
    }
}

/// The corners in an order in which the longest side runs from the last to the first.
fn longest_side_last(vertices: &[DVec3], corners: [u32; 3]) -> [u32; 3] {
    let [a, b, c] = corners;
    let length = |from: u32, to: u32| vertices[from as usize].distance(vertices[to as usize]);
    let orders = [[a, b, c], [b, c, a], [c, a, b]];
    let mut best = orders[0];
    for order in orders {
        if length(order[2], order[0]) > length(best[2], best[0]) {
            best = order;
        }
    }
    best
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
            assert!(vector.dot(normal) > 1e-3, "a triangle is turned or flat");
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
        // A step between two corners in a row with those beside them.
        let lintel = [
            (0.0, 1.7),
            (2.0, 1.7),
            (2.0, 2.0),
            (1.3, 2.0),
            (1.3, 2.2),
            (0.7, 2.2),
            (0.7, 2.0),
            (0.0, 2.0),
        ];
        assert_divided(&lintel, &[0, 1, 2, 3, 4, 5, 6, 7]);
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
