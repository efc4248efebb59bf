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

use axis::Axis;
pub(crate) use clip::Clipper;
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

/// Blocks that two faces of one of them separate equally well, this far apart (cosine of the angle of their normals), meet with an edge or a
/// corner of both: they are diagonal neighbours, and no direction is that of their contact. Right angles are the rule; in rings of five blocks,
/// whose beds fall off to both sides of the edge, it is 59 degrees.
const CORNER: f64 = 0.643; // 50 degrees

/// Points closer together than this are one point, and bear the name of a vertex this near: the smallest motion that can
/// make a flush contact change its names.
const COINCIDENT: f64 = DRAWING;

/// Faces steeper than this against the contact direction are seen edge-on: their lower edges belong to other faces.
const EDGE_ON: f64 = 1e-3;

/// A face of the clipped block bears if it looks along the contact direction nearly as much as the one that does most: within this
/// factor of the cosine. The base of a block that tilts bears with its whole area though only an edge of it touches, and so do
/// the facets of a curved face; the side of a block that leans does not.
const BEARING: f64 = 0.99;

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
    edge_axes: Vec<Axis>,
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
    let best = pair.face_axes(SLIVER * pair.size, &mut scratch.axes);
    if best.separation > pair.margin {
        *hint = Some(best.kind);
        return None;
    }
    if best.separation >= -SLIVER * pair.size && meet_at_corners(pair, &scratch.axes) {
        return None;
    }
    let face = preferred(pair, &scratch.axes, best);
    let view = see(pair, face.kind, face.separation, scratch);
    if let Some(view) = &view
        && scratch.overlap.is_solid(face.separation)
    {
        return finish(pair, view, max_points, scratch, points);
    }
    let floor = best.separation + TIE * pair.size;
    let reach = pair.margin.max(-best.separation);
    let edges = pair.edge_axis(floor, reach, &mut scratch.near, &mut scratch.edge_axes);
    let (tried, view) = match edges {
        Some(edges) if edges.separation > pair.margin => return None,
        Some(edges) => (edges, see(pair, edges.kind, edges.separation, scratch)),
        None => (face, view),
    };
    let view = view.or_else(|| other_face(pair, tried, scratch));
    finish(pair, &view?, max_points, scratch, points)
}

/// Whether blocks are diagonal neighbours, from the axes that separate them about equally well. What they share is then narrower
/// than a sliver, seen along either of two axes so far apart.
///
/// Seen along one of them alone it may look wider: the beds of a dome are not at right angles to its meridians, so that each block
/// leans over the diagonal neighbour below, and the contact would tie rings together that real ones do not. Two faces of one block: where
/// a block rocks far over an edge that it shares with the one below, a face of each separates them, and the edge is their hinge.
fn meet_at_corners(pair: &Pair, axes: &[Axis]) -> bool {
    let normal = |axis: &Axis| pair.normal(axis.kind);
    let of_a = |axis: &Axis| matches!(axis.kind, AxisKind::FaceOfA(_));
    axes.iter().enumerate().any(|(k, one)| {
        let mut others = axes[k + 1..].iter();
        others.any(|other| of_a(one) == of_a(other) && normal(one).dot(normal(other)) < CORNER)
    })
}

/// Tries the faces that separate the blocks nearly as well as an axis that showed no overlap.
fn other_face<'a>(pair: &Pair<'a>, tried: Axis, scratch: &mut Scratch) -> Option<View<'a>> {
    let mut axes = std::mem::take(&mut scratch.axes);
    let floor = tried.separation - DRAWING * pair.size;
    axes.retain(|axis| axis.kind != tried.kind && axis.separation >= floor);
    axes.sort_by(|p, q| q.separation.total_cmp(&p.separation));
    let view = axes
        .iter()
        .find_map(|axis| see(pair, axis.kind, axis.separation, scratch));
    scratch.axes = axes;
    view
}

/// Among face axes that separate equally well: the larger face, then the one better aligned with the centroids, then the
/// one that looks up.
///
/// A block that rests on an equal one flush with it then has the lower block's face as reference; independent of the
/// order of the pair.
fn preferred(pair: &Pair, axes: &[Axis], best: Axis) -> Axis {
    let area = |axis: Axis| match axis.kind {
        AxisKind::FaceOfA(f) => pair.a.areas[f as usize],
        AxisKind::FaceOfB(f) => pair.b.areas[f as usize],
        AxisKind::Edges(..) => 0.0,
    };
    let better = |new: Axis, old: Axis| {
        if (area(new) - area(old)).abs() > 1e-6 * area(old) {
            area(new) > area(old)
        } else {
            pair.better_aligned(new.kind, old.kind).unwrap_or(false)
        }
    };
    let floor = best.separation - TIE * pair.size;
    let equal = axes.iter().copied().filter(|axis| axis.separation >= floor);
    equal
        .reduce(|old, new| if better(new, old) { new } else { old })
        .unwrap_or(best)
}

/// A pair seen along an axis, with the roles that the axis gives to the blocks.
///
/// The answer must not depend on which block is called a: here there are only the block whose faces clip and the one whose
/// faces are clipped, in a frame with its origin at the former's centroid.
struct View<'a> {
    clip: &'a Body,
    subject: &'a Body,
    /// From the centroid of the clipping block to the other, m.
    between: DVec3,
    clip_is_a: bool,
    /// Third axis from the clipping block to the other.
    frame: Frame,
}

impl<'a> View<'a> {
    /// The owner of the face clips; with edges the larger block, or among equals the one below, does.
    fn new(pair: &Pair<'a>, kind: AxisKind) -> Self {
        let normal = pair.normal(kind);
        let clip_is_a = match kind {
            AxisKind::FaceOfA(_) => true,
            AxisKind::FaceOfB(_) => false,
            AxisKind::Edges(..) => {
                let difference = pair.a.surface - pair.b.surface;
                if difference.abs() > 1e-9 * pair.a.surface {
                    difference > 0.0
                } else {
                    (normal.z, normal.y, normal.x) > (0.0, 0.0, 0.0)
                }
            }
        };
        let (clip, subject, between, normal) = if clip_is_a {
            (pair.a, pair.b, pair.between, normal)
        } else {
            (pair.b, pair.a, -pair.between, -normal)
        };
        let ends = match kind {
            AxisKind::FaceOfA(face) | AxisKind::FaceOfB(face) => {
                let first = clip.first_corner[face as usize] as usize;
                [clip.corners[first], clip.corners[first + 1]]
            }
            AxisKind::Edges(i, j, _) => clip.edges[if clip_is_a { i } else { j } as usize].ends,
        };
        let [p, q] = ends.map(|v| clip.vertices[v as usize]);
        Self {
            clip,
            subject,
            between,
            clip_is_a,
            frame: Frame::new(p, q - p, normal),
        }
    }

    /// World position of a point of the frame.
    fn place(&self, at: [f64; 2], height: f64) -> DVec3 {
        self.clip.position + self.frame.lift(at, height)
    }
}

/// Projects and clips the faces that look at each other along an axis; None if they do not overlap.
fn see<'a>(
    pair: &Pair<'a>,
    kind: AxisKind,
    separation: f64,
    scratch: &mut Scratch,
) -> Option<View<'a>> {
    let view = View::new(pair, kind);
    let Scratch {
        outlines: [clip, subject],
        overlap,
        ..
    } = scratch;
    let (frame, margin) = (&view.frame, pair.margin);
    overlap.clear();
    let towards = |face: &DVec3| -face.dot(frame.normal);
    let most = view.subject.normals.iter().map(towards).fold(0.0, f64::max);
    let mut clip_by = |face: usize, clip: &mut Outline| {
        clip.draw(frame, view.clip, DVec3::ZERO, face);
        // Below this height no point is within the margin of the other block.
        let floor = separation - margin - TIE * pair.size;
        if clip.heights.iter().all(|&h| h < floor) {
            return;
        }
        for other in 0..view.subject.face_count() {
            let towards = towards(&view.subject.normals[other]);
            if towards > EDGE_ON {
                subject.draw(frame, view.subject, view.between, other);
                if subject.heights.iter().any(|&h| h <= margin) {
                    let bears = towards > BEARING * most;
                    overlap.add(clip, subject, view.clip_is_a, bears, margin, pair.size);
                }
            }
        }
    };
    match kind {
        AxisKind::FaceOfA(face) | AxisKind::FaceOfB(face) => clip_by(face as usize, clip),
        AxisKind::Edges(..) => {
            for face in 0..view.clip.face_count() {
                if view.clip.normals[face].dot(frame.normal) > EDGE_ON {
                    clip_by(face, clip);
                }
            }
        }
    }
    (overlap.width() > SLIVER * pair.size).then_some(view)
}

/// Writes the points of the overlap in world coordinates.
fn finish(
    pair: &Pair,
    view: &View,
    max_points: Option<usize>,
    scratch: &mut Scratch,
    points: &mut Vec<ContactPoint>,
) -> Option<Touch> {
    let overlap = &mut scratch.overlap;
    overlap.tidy(pair.size);
    if let Some(max) = max_points {
        overlap.thin_out(max);
    }
    points.extend(overlap.candidates.iter().map(|c| {
        let [on_clip, on_subject] = c.heights.map(|height| view.place(c.at, height));
        let (on_a, on_b) = if view.clip_is_a {
            (on_clip, on_subject)
        } else {
            (on_subject, on_clip)
        };
        ContactPoint {
            id: c.id,
            on_a,
            on_b,
            gap: c.gap(),
            tributary_area: c.share,
        }
    }));
    (!overlap.candidates.is_empty()).then_some(Touch {
        normal: if view.clip_is_a {
            view.frame.normal
        } else {
            -view.frame.normal
        },
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
    if let Some(edges) = pair.edge_axis(
        best.separation,
        reach,
        &mut scratch.near,
        &mut scratch.edge_axes,
    ) {
        best = edges;
    }
    if best.separation >= 0.0 {
        return None;
    }
    see(pair, best.kind, best.separation, scratch);
    let view = View::new(pair, best.kind);
    // The middle of the points that are deeper than half of the depth.
    let deep = |c: &&points::Candidate| c.gap() <= 0.5 * best.separation;
    let mut sum = DVec3::ZERO;
    let mut count = 0.0;
    for c in scratch.overlap.candidates.iter().filter(deep) {
        sum += view.place(c.at, 0.5 * (c.heights[0] + c.heights[1]));
        count += 1.0;
    }
    let at = if count > 0.0 {
        sum / count
    } else {
        pair.a.position + 0.5 * pair.between
    };
    Some((-best.separation, at))
}
