//! Narrow phase: the contact direction and the antagonist points of one pair of convex blocks.
//!
//! 1. The direction is that of the largest separation (see [`axis`]): normals of faces, then common normals of edges.
//! 2. Faces that look at each other along it are projected on the plane orthogonal to it and clipped.
//! 3. The corners of the overlap, projected back along the direction, are the antagonist points (see [`points`]).
//!
//! All tolerances are fractions of the smaller block's thickness.

mod axis;
mod clip;
mod frame;
mod points;

pub(crate) use axis::{AxisKind, Pair};

use axis::{Axis, upper};
use frame::{Frame, Outline};
use glam::DVec3;
use points::Overlap;

use crate::ContactPoint;
use crate::body::Body;

/// Separations that differ by less are equal: then a face is preferred to a pair of edges, and among faces a fixed one.
/// Far above roundoff, far below any gap that matters.
const TIE: f64 = 1e-6;

/// Inaccuracy of drawings: blocks touch if they do so within this much.
const DRAWING: f64 = 1e-4;

/// Overlaps narrower than this are no contact: blocks that are side by side, or diagonal neighbours, within the accuracy
/// of drawings on both axes. Nothing of weight rests on a strip of a few hundredths of a millimetre.
const SLIVER: f64 = 2.0 * DRAWING;

/// Points closer together than this are one point, and bear the name of a vertex this near.
const COINCIDENT: f64 = 1e-5;

/// Faces steeper than this against the contact direction are seen edge-on: their lower edges belong to other faces.
const EDGE_ON: f64 = 1e-3;

/// If the gaps of a face contact vary by no more than this fraction of its width, no other direction can separate the
/// blocks better but one within about this angle (rad) of the face's normal, and edges are not searched.
const SOLID: f64 = 1e-3;

/// The contact of one pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Touch {
    /// Unit vector from a to b.
    pub normal: DVec3,
    /// m².
    pub area: f64,
}

/// Buffers of the narrow phase.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scratch {
    axes: Vec<Axis>,
    near: [Vec<u32>; 2],
    outlines: [Outline; 2],
    overlap: Overlap,
}

/// Finds the contact of a pair and appends its points, ordered by name.
///
/// `hint` holds a face that separated the pair before. Trying it first is pure acceleration: if that face separates
/// the pair by more than the margin, the complete search ends without contact as well.
pub(crate) fn touch(
    pair: &Pair,
    hint: &mut Option<AxisKind>,
    max_points: Option<usize>,
    scratch: &mut Scratch,
    points: &mut Vec<ContactPoint>,
) -> Option<Touch> {
    if let Some(kind) = *hint {
        if pair.along_face(kind).is_some_and(|s| s > pair.margin) {
            return None;
        }
        *hint = None;
    }
    let best = pair.face_axes(DRAWING * pair.size, &mut scratch.axes);
    if best.separation > pair.margin {
        *hint = Some(best.kind);
        return None;
    }
    let face = preferred(pair, &scratch.axes, best);
    let frame = see(pair, face.kind, scratch);
    if let Some(frame) = frame
        && is_solid(&scratch.overlap, face.separation)
    {
        return finish(pair, &frame, max_points, scratch, points);
    }
    let floor = best.separation + TIE * pair.size;
    let reach = pair.margin.max(-best.separation);
    let edges = pair.edge_axis(floor, reach, &mut scratch.near);
    let Some(edges) = edges else {
        if let Some(frame) = frame {
            return finish(pair, &frame, max_points, scratch, points);
        }
        return other_faces(pair, face, best.separation, max_points, scratch, points);
    };
    if edges.separation > pair.margin {
        return None;
    }
    if let Some(frame) = see(pair, edges.kind, scratch) {
        return finish(pair, &frame, max_points, scratch, points);
    }
    let face = edges;
    other_faces(pair, face, edges.separation, max_points, scratch, points)
}

/// Tries the faces that separate the blocks nearly as well as the best axis, which showed no overlap.
fn other_faces(
    pair: &Pair,
    tried: Axis,
    best: f64,
    max_points: Option<usize>,
    scratch: &mut Scratch,
    points: &mut Vec<ContactPoint>,
) -> Option<Touch> {
    let mut axes = std::mem::take(&mut scratch.axes);
    axes.retain(|axis| axis.kind != tried.kind && axis.separation >= best - DRAWING * pair.size);
    axes.sort_by(|p, q| q.separation.total_cmp(&p.separation));
    let frame = axes.iter().find_map(|axis| see(pair, axis.kind, scratch));
    scratch.axes = axes;
    finish(pair, &frame?, max_points, scratch, points)
}

/// Among face axes that separate equally well: the larger face, then the one that looks up.
///
/// A block that rests on an equal one flush with it then has the lower block's face as reference; independent of the
/// order of the pair.
fn preferred(pair: &Pair, axes: &[Axis], best: Axis) -> Axis {
    let mut chosen: Option<Axis> = None;
    for &axis in axes
        .iter()
        .filter(|axis| axis.separation >= best.separation - TIE * pair.size)
    {
        let area_and_normal = |axis: Axis| match axis.kind {
            AxisKind::FaceOfA(f) => (pair.a.areas[f as usize], pair.a.normals[f as usize]),
            AxisKind::FaceOfB(f) => (pair.b.areas[f as usize], pair.b.normals[f as usize]),
            AxisKind::Edges(_, _, normal) => (0.0, normal),
        };
        let better = chosen.is_none_or(|chosen| {
            let (area, normal) = area_and_normal(axis);
            let (chosen_area, chosen_normal) = area_and_normal(chosen);
            if (area - chosen_area).abs() > 1e-6 * chosen_area {
                area > chosen_area
            } else {
                upper(normal, chosen_normal).unwrap_or(false)
            }
        });
        if better {
            chosen = Some(axis);
        }
    }
    chosen.unwrap_or(best)
}

/// The plane to look at: its origin on the reference face or edge.
fn frame_of(pair: &Pair, kind: AxisKind, normal: DVec3) -> Frame {
    let first_edge = |body: &Body, face: u32| {
        let first = body.first_corner[face as usize] as usize;
        [first, first + 1].map(|c| body.vertices[body.corners[c] as usize])
    };
    let (shift, [p, q]) = match kind {
        AxisKind::FaceOfA(face) => (DVec3::ZERO, first_edge(pair.a, face)),
        AxisKind::FaceOfB(face) => (pair.between, first_edge(pair.b, face)),
        AxisKind::Edges(i, _, _) => {
            let ends = pair.a.edges[i as usize].ends;
            (DVec3::ZERO, ends.map(|v| pair.a.vertices[v as usize]))
        }
    };
    Frame::new(p + shift, q - p, normal)
}

/// Projects and clips the faces that look at each other along an axis; None if they do not overlap.
fn see(pair: &Pair, kind: AxisKind, scratch: &mut Scratch) -> Option<Frame> {
    let normal = pair.normal(kind);
    let Scratch {
        outlines, overlap, ..
    } = scratch;
    let [outline_a, outline_b] = outlines;
    let tolerance = COINCIDENT * pair.size;
    overlap.clear();
    let frame = frame_of(pair, kind, normal);
    match kind {
        AxisKind::FaceOfA(face) => {
            outline_a.draw(&frame, pair.a, DVec3::ZERO, face as usize);
            for other in 0..pair.b.face_count() {
                if pair.b.normals[other].dot(normal) < -EDGE_ON {
                    outline_b.draw(&frame, pair.b, pair.between, other);
                    if outline_b.heights.iter().any(|&h| h <= pair.margin) {
                        overlap.add([outline_a, outline_b], true, pair.margin, tolerance);
                    }
                }
            }
        }
        AxisKind::FaceOfB(face) => {
            outline_b.draw(&frame, pair.b, pair.between, face as usize);
            for other in 0..pair.a.face_count() {
                if pair.a.normals[other].dot(normal) > EDGE_ON {
                    outline_a.draw(&frame, pair.a, DVec3::ZERO, other);
                    if outline_a.heights.iter().any(|&h| -h <= pair.margin) {
                        overlap.add([outline_a, outline_b], false, pair.margin, tolerance);
                    }
                }
            }
        }
        AxisKind::Edges(_, j, _) => {
            let r = pair.b.vertices[pair.b.edges[j as usize].ends[0] as usize] + pair.between;
            // Beyond these heights no pair of points is within the margin.
            let highest_b = pair.margin;
            let lowest_a = (r - frame.origin).dot(normal) - pair.margin;
            for face in 0..pair.a.face_count() {
                if pair.a.normals[face].dot(normal) <= EDGE_ON {
                    continue;
                }
                outline_a.draw(&frame, pair.a, DVec3::ZERO, face);
                if outline_a.heights.iter().all(|&h| h < lowest_a) {
                    continue;
                }
                for other in 0..pair.b.face_count() {
                    if pair.b.normals[other].dot(normal) < -EDGE_ON {
                        outline_b.draw(&frame, pair.b, pair.between, other);
                        if outline_b.heights.iter().any(|&h| h <= highest_b) {
                            overlap.add([outline_a, outline_b], true, pair.margin, tolerance);
                        }
                    }
                }
            }
        }
    }
    (overlap.width() > SLIVER * pair.size).then_some(frame)
}

fn is_solid(overlap: &Overlap, separation: f64) -> bool {
    let width = overlap.width();
    overlap.widest_gap - separation <= SOLID * width && separation.abs() <= 0.1 * width
}

/// Writes the points of the overlap in world coordinates.
fn finish(
    pair: &Pair,
    frame: &Frame,
    max_points: Option<usize>,
    scratch: &mut Scratch,
    points: &mut Vec<ContactPoint>,
) -> Option<Touch> {
    let overlap = &mut scratch.overlap;
    overlap.tidy(frame, COINCIDENT * pair.size);
    if let Some(max) = max_points {
        overlap.thin_out(max);
    }
    points.extend(overlap.candidates.iter().map(|c| ContactPoint {
        id: c.id,
        on_a: pair.a.position + frame.lift(c.at, c.heights[0]),
        on_b: pair.a.position + frame.lift(c.at, c.heights[1]),
        gap: c.gap(),
    }));
    (!overlap.candidates.is_empty()).then_some(Touch {
        normal: frame.normal,
        area: overlap.touching_area,
    })
}

/// By how much two blocks overlap (m), and where; None if they do not.
pub(crate) fn depth(pair: &Pair, scratch: &mut Scratch) -> Option<(f64, DVec3)> {
    let mut best = pair.face_axes(0.0, &mut scratch.axes);
    if best.separation >= 0.0 {
        return None;
    }
    let reach = -best.separation;
    if let Some(edges) = pair.edge_axis(best.separation, reach, &mut scratch.near) {
        best = edges;
    }
    if best.separation >= 0.0 {
        return None;
    }
    see(pair, best.kind, scratch);
    let normal = pair.normal(best.kind);
    // The middle of the points that are deeper than half of the depth.
    let mut sum = DVec3::ZERO;
    let mut count = 0.0;
    let frame = frame_of(pair, best.kind, normal);
    for c in &scratch.overlap.candidates {
        if c.gap() <= 0.5 * best.separation {
            sum += frame.lift(c.at, 0.5 * (c.heights[0] + c.heights[1]));
            count += 1.0;
        }
    }
    let at = if count > 0.0 {
        sum / count
    } else {
        0.5 * pair.between
    };
    Some((-best.separation, pair.a.position + at))
}
