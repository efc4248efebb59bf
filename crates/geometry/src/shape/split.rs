//! Solids that are not convex, divided into few convex parts that fill the same space.
//!
//! The hull of the solid is cut by planes of its faces until no face runs through the inside of a piece; then each piece
//! is wholly solid or wholly empty, which the winding number of its centroid tells. A plane that leaves all faces on one
//! side only cuts off empty space and goes first. Otherwise the planes at inward edges come first, and of these the one
//! that divides the fewest faces and settles the most inward edges. At the end neighbours that are convex together are
//! joined again.

use glam::DVec3;

use super::mass::enclosed_volume;
use super::merge::{area_vector, mean_plane};
use super::polyhedron::{PLANARITY, extent};
use super::triangulate::triangulate;
use super::{Polyhedron, ShapeFault};

/// At most this many pieces are looked at: what needs more is a sculpture, not a block.
const MOST_CELLS: usize = 4000;
/// At most this many planes are compared for a cut; in solids with more, the largest faces.
const MOST_PLANES: usize = 64;
/// Joining is tried for at most this many parts.
const MOST_JOINED: usize = 48;
/// Volumes are sums of products that lose about 1e-13 of themselves each; this leaves room for thousands.
const EXACT: f64 = 1e-9;

/// Tolerances that are tried, relative to the extent: corners closer to a plane lie in it. The first one is that of all
/// shapes; noise beyond it, as in files of single precision far from the origin, shows in splinters.
const TOLERANCES: [f64; 3] = [PLANARITY, 10.0 * PLANARITY, 100.0 * PLANARITY];
/// A part thinner than this many tolerances is a splinter.
const SPLINTER: f64 = 20.0;

/// Divides the inside of a closed surface, faces counter-clockwise seen from outside, into convex parts.
///
/// Faces may be drawn in, and may be cut open to a hole along an edge that they run in both directions; faces that are not
/// plane count as the triangles into which they split. A convex solid is one part, its hull. The parts have the volume of
/// the solid to 1e-9, and to what noise of the vertices takes.
pub fn convex_parts(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<Vec<Polyhedron>, ShapeFault> {
    check(vertices, faces)?;
    let extent = extent(vertices);
    let mut best = Err(ShapeFault::TooIntricate { limit: MOST_CELLS });
    for tolerance in TOLERANCES.map(|t| t * extent) {
        let attempt = divide(vertices, faces, tolerance);
        let splintered = match &attempt {
            Ok(parts) => parts.iter().any(|part| part.size() < SPLINTER * tolerance),
            Err(ShapeFault::Misfit { .. } | ShapeFault::TooIntricate { .. }) => true,
            Err(_) => return attempt,
        };
        // The tightest tolerance holds unless a wider one does better.
        if best.is_err() || attempt.is_ok() && !splintered {
            best = attempt;
        }
        if !splintered {
            break;
        }
    }
    best
}

fn divide(
    vertices: &[DVec3],
    faces: &[Vec<u32>],
    tolerance: f64,
) -> Result<Vec<Polyhedron>, ShapeFault> {
    let surface = Surface::new(vertices, faces, tolerance);
    if surface.volume <= 0.0 {
        return Err(ShapeFault::InsideOut {
            volume: surface.volume,
        });
    }
    let hull = Polyhedron::hull(vertices)?;
    // How far what was taken to lie in a plane is from it.
    let mut noise = surface.noise;
    let mut fragments = surface.fragments.clone();
    for face in hull.faces() {
        fragments.retain(|f| {
            let (low, high) = f.heights(face.normal, face.offset);
            let lies_in = low >= -tolerance && high <= tolerance;
            if lies_in {
                noise = noise.max(high).max(-low);
            }
            !lies_in
        });
    }
    let mut parts = Vec::new();
    let mut cells = vec![Cell {
        shape: hull,
        fragments,
    }];
    let mut looked_at = 0;
    while let Some(cell) = cells.pop() {
        looked_at += 1;
        if looked_at > MOST_CELLS {
            return Err(ShapeFault::TooIntricate { limit: MOST_CELLS });
        }
        match choose(&cell, &surface) {
            Some((normal, offset)) => {
                let [behind, before] = cell.cut(normal, offset, tolerance, &mut noise);
                cells.extend(before);
                cells.extend(behind);
            }
            None => {
                let centroid = cell.shape.volume_properties().centroid;
                if surface.winding(centroid) > 0.5 {
                    parts.push(cell.shape);
                }
            }
        }
    }
    let parts = joined(parts);
    let filled: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
    let allowed = EXACT * surface.volume + 2.0 * noise * surface.area;
    if parts.is_empty() || (filled - surface.volume).abs() > allowed {
        return Err(ShapeFault::Misfit {
            enclosed: surface.volume,
            hull: filled,
        });
    }
    Ok(parts)
}

/// Finite numbers, indices that exist, and every edge run equally often in both directions.
fn check(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<(), ShapeFault> {
    if let Some((vertex, &at)) = vertices.iter().enumerate().find(|(_, p)| !p.is_finite()) {
        return Err(ShapeFault::NonFinite { vertex, at });
    }
    let count = vertices.len();
    if count < 4 {
        return Err(ShapeFault::TooFewVertices { count });
    }
    // Lower end, higher end, whether run downwards, face.
    let mut edges: Vec<(u32, u32, bool, usize)> = Vec::new();
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            return Err(ShapeFault::TooFewCorners {
                face,
                count: corners.len(),
            });
        }
        if let Some(&index) = corners.iter().find(|v| **v as usize >= count) {
            return Err(ShapeFault::IndexOutOfRange { face, index, count });
        }
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            edges.push((from.min(to), from.max(to), from > to, face));
        }
    }
    edges.sort_unstable();
    for uses in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        let down = uses.iter().filter(|edge| edge.2).count();
        let (low, high, ..) = uses[0];
        if 2 * down != uses.len() {
            // Of the direction that has more.
            let more = 2 * down > uses.len();
            let face = uses.iter().find(|e| e.2 == more).map_or(uses[0].3, |e| e.3);
            let (from, to) = if more { (high, low) } else { (low, high) };
            return Err(ShapeFault::OpenEdge { from, to, face });
        }
    }
    Ok(())
}

/// A convex piece of a face within a cell.
#[derive(Clone)]
struct Fragment {
    corners: Vec<DVec3>,
    /// Number of the plane of its face.
    plane: usize,
}

impl Fragment {
    /// Lowest and highest distance from a plane.
    fn heights(&self, normal: DVec3, offset: f64) -> (f64, f64) {
        let heights = self.corners.iter().map(|p| normal.dot(*p) - offset);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        })
    }

    /// The parts behind and before a plane that runs through it.
    fn divided(&self, normal: DVec3, offset: f64, tolerance: f64) -> [Self; 2] {
        let height = |p: DVec3| {
            let h = normal.dot(p) - offset;
            if h.abs() <= tolerance { 0.0 } else { h }
        };
        let mut sides = [Vec::new(), Vec::new()];
        for (i, &p) in self.corners.iter().enumerate() {
            let q = self.corners[(i + 1) % self.corners.len()];
            let (g, h) = (height(p), height(q));
            if g <= 0.0 {
                sides[0].push(p);
            }
            if g >= 0.0 {
                sides[1].push(p);
            }
            if (g < 0.0 && h > 0.0) || (g > 0.0 && h < 0.0) {
                let crossing = p + (q - p) * (g / (g - h));
                sides.iter_mut().for_each(|side| side.push(crossing));
            }
        }
        sides.map(|corners| Self {
            corners,
            plane: self.plane,
        })
    }
}

struct Plane {
    normal: DVec3,
    offset: f64,
    /// Of the face, m².
    area: f64,
}

/// An edge at which the solid is drawn in.
struct Inward {
    ends: [DVec3; 2],
    planes: [usize; 2],
}

struct Surface {
    fragments: Vec<Fragment>,
    planes: Vec<Plane>,
    inward: Vec<Inward>,
    volume: f64,
    /// Corners closer to a plane than this lie in it, m.
    tolerance: f64,
    /// How far vertices are from the planes of their faces, m.
    noise: f64,
    area: f64,
}

impl Surface {
    fn new(vertices: &[DVec3], faces: &[Vec<u32>], tolerance: f64) -> Self {
        let mut planes = Vec::new();
        let mut triangles: Vec<([u32; 3], usize)> = Vec::new();
        let mut noise = 0.0f64;
        let mut area = 0.0;
        for corners in faces {
            let divided = triangulate(vertices, corners);
            let (normal, offset) = mean_plane(vertices, corners);
            let off = |v: &u32| (normal.dot(vertices[*v as usize]) - offset).abs();
            let bent = corners.iter().map(off).fold(0.0, f64::max);
            let plane = bent <= tolerance;
            for (k, triangle) in divided.into_iter().enumerate() {
                if k == 0 || !plane {
                    let own: &[u32] = if plane { corners } else { &triangle };
                    let (normal, offset) = mean_plane(vertices, own);
                    let size = 0.5 * area_vector(vertices, own).length();
                    area += size;
                    planes.push(Plane {
                        normal,
                        offset,
                        area: size,
                    });
                }
                triangles.push((triangle, planes.len() - 1));
            }
            if plane {
                noise = noise.max(bent);
            }
        }
        let volume = enclosed_volume(vertices, triangles.iter().map(|(t, _)| t.as_slice()));
        let inward = inward_edges(vertices, &triangles, &planes, tolerance);
        let fragments = triangles
            .iter()
            .map(|(triangle, plane)| Fragment {
                corners: triangle.map(|v| vertices[v as usize]).to_vec(),
                plane: *plane,
            })
            // What is thinner than the tolerance bounds nothing.
            .filter(|f| !is_sliver(&f.corners, tolerance))
            .collect();
        Self {
            fragments,
            planes,
            inward,
            volume,
            tolerance,
            noise,
            area,
        }
    }

    /// How often the surface goes around a point: 1 inside, 0 outside.
    fn winding(&self, at: DVec3) -> f64 {
        let solid_angle = |f: &Fragment| {
            let [a, b, c] = [0, 1, 2].map(|i| f.corners[i] - at);
            let (la, lb, lc) = (a.length(), b.length(), c.length());
            let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
            2.0 * a.dot(b.cross(c)).atan2(below)
        };
        let sum: f64 = self.fragments.iter().map(solid_angle).sum();
        sum / (4.0 * std::f64::consts::PI)
    }
}

fn is_sliver(corners: &[DVec3], tolerance: f64) -> bool {
    let Some((&first, rest)) = corners.split_first() else {
        return true;
    };
    let area: DVec3 = rest
        .windows(2)
        .map(|w| (w[0] - first).cross(w[1] - first))
        .sum();
    let reach = rest.iter().map(|p| p.distance(first)).fold(0.0, f64::max);
    area.length() <= 1e-3 * tolerance * reach
}

fn inward_edges(
    vertices: &[DVec3],
    triangles: &[([u32; 3], usize)],
    planes: &[Plane],
    tolerance: f64,
) -> Vec<Inward> {
    let mut edges: Vec<(u32, u32, usize)> = Vec::new();
    for (t, ([a, b, c], _)) in triangles.iter().enumerate() {
        edges.extend([(*a, *b, t), (*b, *c, t), (*c, *a, t)]);
    }
    edges.sort_unstable();
    let mut inward = Vec::new();
    for &(from, to, t) in &edges {
        let start = edges.partition_point(|e| (e.0, e.1) < (to, from));
        let twins = edges[start..]
            .iter()
            .take_while(|e| (e.0, e.1) == (to, from));
        for &(_, _, u) in twins {
            let (p, q) = (triangles[t].1, triangles[u].1);
            if p >= q {
                continue;
            }
            // The solid is drawn in where the neighbour stands out of the plane of a face.
            let apex = triangles[u].0.iter().find(|v| **v != from && **v != to);
            let Some(&apex) = apex else { continue };
            let above = planes[p].normal.dot(vertices[apex as usize]) - planes[p].offset;
            if above > tolerance {
                inward.push(Inward {
                    ends: [vertices[from as usize], vertices[to as usize]],
                    planes: [p, q],
                });
            }
        }
    }
    inward
}

/// A convex piece of space with the faces that run through it.
struct Cell {
    shape: Polyhedron,
    fragments: Vec<Fragment>,
}

impl Cell {
    /// The cells behind and before a plane; slivers are dropped.
    fn cut(self, normal: DVec3, offset: f64, tolerance: f64, noise: &mut f64) -> [Option<Self>; 2] {
        let height = |p: DVec3| {
            let h = normal.dot(p) - offset;
            if h.abs() <= 1e-3 * tolerance { 0.0 } else { h }
        };
        let mut points = [Vec::new(), Vec::new()];
        for &p in self.shape.vertices() {
            let h = height(p);
            if h <= 0.0 {
                points[0].push(p);
            }
            if h >= 0.0 {
                points[1].push(p);
            }
        }
        for edge in self.shape.edges() {
            let [p, q] = edge.ends.map(|v| self.shape.vertices()[v as usize]);
            let (g, h) = (height(p), height(q));
            if (g < 0.0 && h > 0.0) || (g > 0.0 && h < 0.0) {
                let crossing = p + (q - p) * (g / (g - h));
                points.iter_mut().for_each(|side| side.push(crossing));
            }
        }
        let mut sides = [Vec::new(), Vec::new()];
        for fragment in self.fragments {
            let (low, high) = fragment.heights(normal, offset);
            match (low < -tolerance, high > tolerance) {
                (false, false) => *noise = noise.max(high).max(-low),
                (true, false) => sides[0].push(fragment),
                (false, true) => sides[1].push(fragment),
                (true, true) => {
                    let divided = fragment.divided(normal, offset, tolerance);
                    for (side, part) in sides.iter_mut().zip(divided) {
                        if !is_sliver(&part.corners, tolerance) {
                            side.push(part);
                        }
                    }
                }
            }
        }
        let [behind, before] = points;
        let [f, g] = sides;
        [(behind, f), (before, g)].map(|(points, fragments)| {
            // Too thin for a block: the volume tells whether that mattered.
            let shape = Polyhedron::hull(&points).ok()?;
            Some(Self { shape, fragments })
        })
    }

    /// Whether a plane leaves part of the cell on both sides.
    fn is_cut_by(&self, normal: DVec3, offset: f64, tolerance: f64) -> bool {
        let mut heights = self
            .shape
            .vertices()
            .iter()
            .map(|p| normal.dot(*p) - offset);
        heights.clone().any(|h| h > tolerance) && heights.any(|h| h < -tolerance)
    }
}

/// The plane by which a cell is cut next; none if no face runs through it.
fn choose(cell: &Cell, surface: &Surface) -> Option<(DVec3, f64)> {
    let mut present: Vec<usize> = cell.fragments.iter().map(|f| f.plane).collect();
    present.sort_unstable();
    present.dedup();
    present.retain(|&p| {
        let plane = &surface.planes[p];
        cell.is_cut_by(plane.normal, plane.offset, surface.tolerance)
    });
    present.sort_by(|&p, &q| {
        let [a, b] = [p, q].map(|p| surface.planes[p].area);
        b.total_cmp(&a).then(p.cmp(&q))
    });
    // Inward edges within the cell.
    let inward: Vec<&Inward> = surface
        .inward
        .iter()
        .filter(|edge| edge.planes.iter().any(|p| present.contains(p)))
        .filter(|edge| reaches_into(&cell.shape, edge, surface.tolerance))
        .collect();
    let mut best: Option<(Score, usize)> = None;
    let mut compared = 0;
    for &p in &present {
        let plane = &surface.planes[p];
        let settled = inward
            .iter()
            .filter(|edge| {
                let off = |at: DVec3| (plane.normal.dot(at) - plane.offset).abs();
                edge.ends.iter().all(|at| off(*at) <= surface.tolerance)
            })
            .count();
        let (mut divided, mut before) = (0, false);
        for fragment in &cell.fragments {
            let (low, high) = fragment.heights(plane.normal, plane.offset);
            before |= high > surface.tolerance;
            divided += usize::from(low < -surface.tolerance && high > surface.tolerance);
        }
        // Smaller is better.
        let score = Score {
            solid: before,
            outward: settled == 0,
            divided,
            left: inward.len() - settled,
        };
        if best.as_ref().is_none_or(|(b, _)| score < *b) {
            best = Some((score, p));
        }
        compared += 1;
        // Nothing is better than cutting off empty space.
        if !before || compared >= MOST_PLANES {
            break;
        }
    }
    best.map(|(_, p)| (surface.planes[p].normal, surface.planes[p].offset))
}

/// How good a cut is, the most important first.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Score {
    /// It may run through the solid.
    solid: bool,
    /// Its plane is not at an inward edge.
    outward: bool,
    /// Faces that it divides.
    divided: usize,
    /// Inward edges that it leaves.
    left: usize,
}

/// Whether part of an edge lies inside a cell or on its rim.
fn reaches_into(shape: &Polyhedron, edge: &Inward, tolerance: f64) -> bool {
    let [p, q] = edge.ends;
    let (mut from, mut to) = (0.0f64, 1.0f64);
    for face in shape.faces() {
        let [g, h] = [p, q].map(|at| face.normal.dot(at) - face.offset - tolerance);
        if g > 0.0 && h > 0.0 {
            return false;
        }
        if g > 0.0 {
            from = from.max(g / (g - h));
        } else if h > 0.0 {
            to = to.min(g / (g - h));
        }
    }
    // An edge that only touches the cell with its end does not count.
    (to - from) * p.distance(q) > 4.0 * tolerance
}

/// Joins parts that are convex together, the first ones first.
fn joined(mut parts: Vec<Polyhedron>) -> Vec<Polyhedron> {
    if parts.len() > MOST_JOINED {
        return parts;
    }
    let volume = |part: &Polyhedron| part.volume_properties().volume;
    let mut i = 0;
    while i < parts.len() {
        let mate = (i + 1..parts.len()).find_map(|j| {
            let points = [parts[i].vertices(), parts[j].vertices()].concat();
            let hull = Polyhedron::hull(&points).ok()?;
            let gap = volume(&hull) - volume(&parts[i]) - volume(&parts[j]);
            (gap.abs() <= 1e-12 * volume(&hull)).then_some((j, hull))
        });
        match mate {
            Some((j, hull)) => {
                parts[i] = hull;
                parts.remove(j);
                // The larger part may now fit to one that it did not fit to before.
                i = 0;
            }
            None => i += 1,
        }
    }
    parts
}
