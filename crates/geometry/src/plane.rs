//! Convex polygons in the plane.

use crate::narrow::Clipper;

/// Corners of what two convex polygons have in common, counter-clockwise; both are counter-clockwise. Where their edges lie on one line, no corner is made that
/// leaves it by less than a tolerance.
pub fn common_part(a: &[[f64; 2]], b: &[[f64; 2]], tolerance: f64) -> Vec<[f64; 2]> {
    let mut clipper = Clipper::default();
    clipper.intersect(a, b, tolerance);
    clipper.found.into_iter().map(|(at, _)| at).collect()
}

/// Corners of the convex hull, counter-clockwise from the leftmost, without points on its edges. Points that are not finite
/// are left out.
pub fn convex_hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let finite = points.iter().filter(|p| p.iter().all(|x| x.is_finite()));
    let mut sorted: Vec<[f64; 2]> = finite.copied().collect();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull = half(sorted.iter());
    let upper = half(sorted.iter().rev());
    // Each half ends where the other begins.
    hull.pop();
    hull.extend(&upper[..upper.len() - 1]);
    hull
}

/// The chain that turns left only (Andrew).
fn half<'p>(points: impl Iterator<Item = &'p [f64; 2]>) -> Vec<[f64; 2]> {
    let mut chain: Vec<[f64; 2]> = Vec::new();
    for &p in points {
        while let [.., a, b] = chain[..] {
            let turn = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
            if turn > 0.0 {
                break;
            }
            chain.pop();
        }
        chain.push(p);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_with_points_inside_and_on_its_edges() {
        let mut points = vec![[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];
        let corners = points.clone();
        points.extend([
            [1.0, 1.0],
            [1.0, 0.0],
            [2.0, 1.0],
            [0.0, 0.0],
            [f64::NAN, 5.0],
        ]);
        assert_eq!(convex_hull(&points), corners);
    }

    #[test]
    fn squares_side_by_side_share_a_strip() {
        let square = |x: f64| [[x, 0.0], [x + 1.0, 0.0], [x + 1.0, 1.0], [x, 1.0]];
        let mut strip = common_part(&square(0.0), &square(0.75), 1e-9);
        strip.sort_by(|a, b| a.partial_cmp(b).unwrap());
        assert_eq!(strip, [[0.75, 0.0], [0.75, 1.0], [1.0, 0.0], [1.0, 1.0]]);
        assert!(common_part(&square(0.0), &square(2.0), 1e-9).is_empty());
    }

    #[test]
    fn fewer_than_three_points_are_their_own_hull() {
        assert!(convex_hull(&[]).is_empty());
        assert_eq!(convex_hull(&[[1.0, 2.0], [1.0, 2.0]]), [[1.0, 2.0]]);
        let line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]];
        assert_eq!(convex_hull(&line), [[0.0, 0.0], [2.0, 2.0]]);
    }
}
