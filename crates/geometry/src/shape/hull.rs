//! Convex hull in exact integer arithmetic.
//!
//! Floating-point hulls fail on the inputs that masonry is made of: boxes and prisms whose many coplanar vertices carry
//! a little noise. Here the points are rounded to a grid of 2⁻⁴⁰ of their extent, on which every orientation test is
//! an exact 128-bit integer, so that the triangles always bound a convex body. Which of them form one plane face is
//! decided afterwards, with a tolerance far above the grid (see [`super::merge`]).

use glam::DVec3;

/// Cells of the grid along the largest extent. A determinant of three differences then stays below `6 · 2¹²⁰ < 2¹²⁷`.
const GRID: f64 = (1u64 << 40) as f64;

type Cell = [i64; 3];

/// A triangle of the growing hull with its outward normal, not of unit length.
#[derive(Clone, Copy)]
struct Triangle {
    corners: [u32; 3],
    normal: [i128; 3],
}

impl Triangle {
    fn new(cells: &[Cell], corners: [u32; 3]) -> Self {
        let [a, b, c] = corners.map(|v| cells[v as usize]);
        Self {
            corners,
            normal: cross(minus(b, a), minus(c, a)),
        }
    }

    /// Positive if `p` is on the outer side of the triangle.
    fn above(&self, cells: &[Cell], p: u32) -> i128 {
        let d = minus(cells[p as usize], cells[self.corners[0] as usize]);
        self.normal[0] * d[0] + self.normal[1] * d[1] + self.normal[2] * d[2]
    }
}

/// Triangles of the convex hull as indices into `points`, counter-clockwise seen from outside.
///
/// None if the points lie in one plane of the grid. The points must be finite.
pub(super) fn triangles(points: &[DVec3]) -> Option<Vec<[u32; 3]>> {
    let cells = to_grid(points)?;
    let start = first_tetrahedron(&cells)?;
    let mut hull = tetrahedron(&cells, start);
    let mut rim = Vec::new();
    for point in 0..cells.len() as u32 {
        if !start.contains(&point) {
            add_point(&cells, &mut hull, point, &mut rim);
        }
    }
    Some(hull.iter().map(|triangle| triangle.corners).collect())
}

fn to_grid(points: &[DVec3]) -> Option<Vec<Cell>> {
    let low = points.iter().copied().reduce(DVec3::min)?;
    let high = points.iter().copied().reduce(DVec3::max)?;
    let extent = (high - low).max_element();
    let round = |p: &DVec3| {
        ((*p - low) / extent * GRID)
            .round()
            .to_array()
            .map(|x| x as i64)
    };
    (extent > 0.0 && extent.is_finite()).then(|| points.iter().map(round).collect())
}

fn minus(p: Cell, q: Cell) -> [i128; 3] {
    [0, 1, 2].map(|i| i128::from(p[i] - q[i]))
}

fn cross(u: [i128; 3], v: [i128; 3]) -> [i128; 3] {
    [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ]
}

/// Index of the largest measure, the first among equals; None if all are zero.
fn largest(count: usize, measure: impl Fn(usize) -> f64) -> Option<u32> {
    let mut best = (0.0, None);
    for i in 0..count {
        let m = measure(i);
        if m > best.0 {
            best = (m, Some(i as u32));
        }
    }
    best.1
}

/// Four points that span a volume, chosen wide apart.
fn first_tetrahedron(cells: &[Cell]) -> Option<[u32; 4]> {
    let length = |v: [i128; 3]| v.iter().map(|&x| (x as f64) * (x as f64)).sum::<f64>();
    let a = (0..cells.len()).min_by_key(|&i| cells[i])?;
    let b = largest(cells.len(), |i| length(minus(cells[i], cells[a])))?;
    let ab = minus(cells[b as usize], cells[a]);
    let c = largest(cells.len(), |i| {
        length(cross(ab, minus(cells[i], cells[a])))
    })?;
    let base = Triangle::new(cells, [a as u32, b, c]);
    let d = largest(cells.len(), |i| {
        base.above(cells, i as u32).unsigned_abs() as f64
    })?;
    Some([a as u32, b, c, d])
}

fn tetrahedron(cells: &[Cell], [a, b, c, d]: [u32; 4]) -> Vec<Triangle> {
    let inverted = Triangle::new(cells, [a, b, c]).above(cells, d) > 0;
    let (b, c) = if inverted { (c, b) } else { (b, c) };
    [[a, b, c], [a, d, b], [b, d, c], [c, d, a]]
        .map(|corners| Triangle::new(cells, corners))
        .to_vec()
}

/// Replaces the triangles that see the point by a fan to their rim.
///
/// A triangle whose plane contains the point counts as not seeing it. The triangles that do see it are those seen from
/// a point pulled inwards by an infinitesimal amount, hence always a disc with a single rim; and the point is never on
/// the line of a rim edge, so that the fan has no degenerate triangle.
fn add_point(cells: &[Cell], hull: &mut Vec<Triangle>, point: u32, rim: &mut Vec<[u32; 2]>) {
    rim.clear();
    hull.retain(|triangle| {
        if triangle.above(cells, point) <= 0 {
            return true;
        }
        let [a, b, c] = triangle.corners;
        for edge in [[a, b], [b, c], [c, a]] {
            // An inner edge of the disc appears in both directions.
            match rim.iter().position(|&[from, to]| [to, from] == edge) {
                Some(twin) => {
                    rim.swap_remove(twin);
                }
                None => rim.push(edge),
            }
        }
        false
    });
    let fan = rim
        .iter()
        .map(|&[from, to]| Triangle::new(cells, [from, to, point]));
    hull.extend(fan);
}
