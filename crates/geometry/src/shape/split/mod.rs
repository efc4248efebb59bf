//! Solids that are not convex, divided into few convex parts that fill the same space.
//!
//! The hull of the solid is cut by planes of its faces until no face runs through the inside of a piece; then each piece
//! is wholly solid or wholly empty, which the winding number of its centroid tells. A plane that leaves all faces on one
//! side only cuts off empty space and goes first. Otherwise the planes at inward edges come first, and of these the one
//! that divides the fewest faces and settles the most inward edges. At the end neighbours that are convex together are
//! joined again.

mod cell;
mod surface;

use glam::DVec3;

use super::polyhedron::{PLANARITY, extent};
use super::{Polyhedron, ShapeFault};
use cell::{Cell, choose};
use surface::Surface;

/// At most this many pieces are looked at: what needs more is a sculpture, not a block.
const MOST_CELLS: usize = 4000;
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
        // Those that wait will all be looked at.
        if looked_at + cells.len() > MOST_CELLS {
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
