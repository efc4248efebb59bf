//! Closed plane lines into prisms.

use drystone_geometry::{Aabb, DVec3};

use crate::note::NoteKind;
use crate::piece::Piece;

/// Outlines of more corners than this are no blocks, and looking for crossings would take too long.
const MOST_CORNERS: usize = 3000;

/// Arcs become chords of at most this angle by default, rad: an arc over one voussoir stays one chord, a circle becomes a
/// polygon of 24 sides.
const CHORD: f64 = std::f64::consts::PI / 12.0;

/// A corner of a line in its plane. The way to the next corner is an arc of angle 4 atan(bulge), to the left if positive.
#[derive(Debug, Clone, Copy)]
pub(super) struct Corner {
    pub x: f64,
    pub y: f64,
    pub bulge: f64,
}

/// A line of straight pieces, how many arcs it had, and how far the chords are from them.
pub(super) struct Straightened {
    pub points: Vec<[f64; 2]>,
    pub arcs: usize,
    pub distance: f64,
}

/// Replaces arcs by chords.
pub(super) fn straighten(corners: &[Corner], closed: bool, chord: Option<f64>) -> Straightened {
    let chord = chord.unwrap_or(CHORD).max(1e-3);
    let mut line = Straightened {
        points: Vec::with_capacity(corners.len()),
        arcs: 0,
        distance: 0.0,
    };
    for (i, corner) in corners.iter().enumerate() {
        line.points.push([corner.x, corner.y]);
        let last = i + 1 == corners.len();
        let b = corner.bulge;
        if b.abs() < 1e-9 || (last && !closed) {
            continue;
        }
        let next = corners[if last { 0 } else { i + 1 }];
        let (dx, dy) = (next.x - corner.x, next.y - corner.y);
        if dx == 0.0 && dy == 0.0 {
            continue;
        }
        let aside = (1.0 - b * b) / (4.0 * b);
        let centre = [
            corner.x + 0.5 * dx - aside * dy,
            corner.y + 0.5 * dy + aside * dx,
        ];
        let from = [corner.x - centre[0], corner.y - centre[1]];
        let angle = 4.0 * b.atan();
        let pieces = (angle.abs() / chord - 1e-9).ceil().max(1.0);
        for k in 1..pieces as usize {
            let (sine, cosine) = (angle * k as f64 / pieces).sin_cos();
            line.points.push([
                centre[0] + cosine * from[0] - sine * from[1],
                centre[1] + sine * from[0] + cosine * from[1],
            ]);
        }
        let radius = from[0].hypot(from[1]);
        let off = radius * (1.0 - (0.5 * angle / pieces).cos());
        line.arcs += 1;
        line.distance = line.distance.max(off);
    }
    line
}

/// A closed line in a plane, ready to be extruded.
pub(super) struct Outline {
    pub points: Vec<DVec3>,
    pub normal: DVec3,
}

/// Checks a line of points (m): closed, plane, without crossings.
pub(super) fn outline(mut points: Vec<DVec3>, closed: bool) -> Result<Outline, NoteKind> {
    let bounds = Aabb::around(points.iter().copied());
    let extent = bounds.extent().max_element();
    // The same fraction as the default snap tolerance.
    let near = 1e-6 * extent;
    let ends_meet = match (points.first(), points.last()) {
        (Some(a), Some(b)) => points.len() > 3 && a.distance(*b) <= near,
        _ => false,
    };
    if !closed && !ends_meet {
        return Err(NoteKind::OpenLine);
    }
    points.dedup_by(|b, a| a.distance(*b) <= near);
    while points.len() > 1 && points[0].distance(points[points.len() - 1]) <= near {
        points.pop();
    }
    if points.len() < 3 {
        return Err(NoteKind::NoVolume);
    }
    if points.len() > MOST_CORNERS {
        return Err(NoteKind::Unread(format!(
            "outline of more than {MOST_CORNERS} corners"
        )));
    }
    let origin = points[0];
    let area: DVec3 = points[1..]
        .windows(2)
        .map(|w| (w[0] - origin).cross(w[1] - origin))
        .sum();
    let normal = area.normalize_or_zero();
    if area.length() <= near * extent || normal == DVec3::ZERO {
        return Err(NoteKind::NoVolume);
    }
    if points
        .iter()
        .any(|p| (*p - origin).dot(normal).abs() > near)
    {
        return Err(NoteKind::BentLine);
    }
    if crosses_itself(&points, normal) {
        return Err(NoteKind::CrossedLine);
    }
    Ok(Outline { points, normal })
}

/// Whether two sides that are not neighbours have a point in common.
fn crosses_itself(points: &[DVec3], normal: DVec3) -> bool {
    let x = normal.any_orthonormal_vector();
    let y = normal.cross(x);
    let flat: Vec<[f64; 2]> = points.iter().map(|p| [p.dot(x), p.dot(y)]).collect();
    let n = flat.len();
    let side = |a: [f64; 2], b: [f64; 2], c: [f64; 2]| {
        (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    };
    for i in 0..n {
        let (a, b) = (flat[i], flat[(i + 1) % n]);
        for j in i + 2..n {
            if i == 0 && j == n - 1 {
                continue;
            }
            let (c, d) = (flat[j], flat[(j + 1) % n]);
            // Sides that only touch are left to the repair of surfaces.
            if side(a, b, c) * side(a, b, d) < 0.0 && side(c, d, a) * side(c, d, b) < 0.0 {
                return true;
            }
        }
    }
    false
}

/// The prism between the outline moved by `from` and by `to`, added to a piece.
pub(super) fn extrude(outline: &Outline, from: DVec3, to: DVec3, piece: &mut Piece) {
    let n = outline.points.len() as u32;
    let upwards = (to - from).dot(outline.normal) > 0.0;
    let (low, high) = if upwards { (from, to) } else { (to, from) };
    let bottom = outline.points.iter().map(|p| *p + low);
    piece.vertices = bottom
        .chain(outline.points.iter().map(|p| *p + high))
        .collect();
    piece.faces = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    for i in 0..n {
        let j = (i + 1) % n;
        piece.faces.push(vec![i, j, n + j, n + i]);
    }
}
