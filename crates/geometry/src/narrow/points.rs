//! Antagonist points out of overlapping faces: where they are, what they are called, which are kept.

use glam::DVec3;

use super::clip::{Clipper, Origin, area};
use super::frame::{Frame, Outline};
use crate::FeatureId;

/// A point of the overlap before it is placed in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub id: FeatureId,
    pub at: [f64; 2],
    /// Height of the point on a and of that on b along the normal, m.
    pub heights: [f64; 2],
}

impl Candidate {
    pub fn gap(&self) -> f64 {
        self.heights[1] - self.heights[0]
    }
}

/// The overlap of two blocks seen along one direction.
#[derive(Debug, Clone, Default)]
pub(super) struct Overlap {
    pub candidates: Vec<Candidate>,
    /// Area of all overlapping faces, m².
    pub seen_area: f64,
    /// The part of it whose faces touch or nearly touch throughout, m².
    pub touching_area: f64,
    low: [f64; 2],
    high: [f64; 2],
    /// Largest gap, also of points that are too far apart to be kept, m.
    pub widest_gap: f64,
    clipper: Clipper,
    kept: Vec<Candidate>,
    order: Vec<(f64, usize)>,
}

const VERTEX_OF_B: u64 = 1 << 62;
const CROSSING: u64 = 2 << 62;

impl Overlap {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.seen_area = 0.0;
        self.touching_area = 0.0;
        self.low = [f64::INFINITY; 2];
        self.high = [f64::NEG_INFINITY; 2];
        self.widest_gap = f64::NEG_INFINITY;
    }

    /// Adds the overlap of a face of a and a face of b; `clip_is_a` says which of the two clips the other.
    pub fn add(&mut self, outlines: [&Outline; 2], clip_is_a: bool, margin: f64, tolerance: f64) {
        let (clip, subject) = if clip_is_a {
            (outlines[0], outlines[1])
        } else {
            (outlines[1], outlines[0])
        };
        self.clipper.intersect(&subject.at, &clip.at, tolerance);
        let polygon = &self.clipper.found;
        if polygon.len() < 3 {
            return;
        }
        let mut touching = true;
        for &(mut at, origin) in polygon {
            // Heights of the clip face and of the subject; a vertex has its own, which is exact.
            let mut heights = [clip.height(at), subject.height(at)];
            match origin {
                Origin::Clip(i) if near(clip.at[i], at, tolerance) => {
                    at = clip.at[i];
                    heights = [clip.heights[i], subject.height(at)];
                }
                Origin::Subject(i) => heights[1] = subject.heights[i],
                Origin::Clip(_) | Origin::Crossing { .. } => {}
            }
            if !clip_is_a {
                heights.swap(0, 1);
            }
            let id = name(at, origin, outlines, clip_is_a, tolerance);
            let candidate = Candidate { id, at, heights };
            let gap = candidate.gap();
            self.widest_gap = self.widest_gap.max(gap);
            self.low = [self.low[0].min(at[0]), self.low[1].min(at[1])];
            self.high = [self.high[0].max(at[0]), self.high[1].max(at[1])];
            if gap <= margin {
                self.candidates.push(candidate);
            } else {
                touching = false;
            }
        }
        let area = area(polygon);
        self.seen_area += area;
        if touching {
            self.touching_area += area;
        }
    }

    /// Width of the overlap in its narrow direction, up to a factor of two; zero if there is none, m.
    pub fn width(&self) -> f64 {
        let diagonal = (self.high[0] - self.low[0]).hypot(self.high[1] - self.low[1]);
        if diagonal > 0.0 && self.seen_area > 0.0 {
            self.seen_area / diagonal
        } else {
            0.0
        }
    }

    /// Drops points that coincide or have the same name, and orders the rest by name.
    ///
    /// Of points that coincide the outermost stays, for the sake of the moments it can carry, or the one more closed.
    pub fn tidy(&mut self, frame: &Frame, tolerance: f64) {
        let n = self.candidates.len();
        let centre =
            [0, 1].map(|i| self.candidates.iter().map(|c| c.at[i]).sum::<f64>() / n as f64);
        // Breaks ties in a way that does not depend on which block comes first.
        let aside = DVec3::new(0.36, 0.48, 0.80);
        self.order.clear();
        for (i, c) in self.candidates.iter().enumerate() {
            let arm = [c.at[0] - centre[0], c.at[1] - centre[1]];
            let tie = (frame.u * arm[0] + frame.v * arm[1]).dot(aside);
            self.order
                .push((arm[0].hypot(arm[1]) - c.gap() + 1e-3 * tie, i));
        }
        self.order
            .sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        self.kept.clear();
        for &(_, i) in &self.order {
            let c = self.candidates[i];
            if !self
                .kept
                .iter()
                .any(|k| k.id == c.id || near(k.at, c.at, tolerance))
            {
                self.kept.push(c);
            }
        }
        self.kept.sort_unstable_by_key(|c| c.id);
        std::mem::swap(&mut self.candidates, &mut self.kept);
    }

    /// Keeps `max` points spread as widely as possible.
    pub fn thin_out(&mut self, max: usize) {
        if self.candidates.len() <= max {
            return;
        }
        let distance = |p: &Candidate, q: &Candidate| (p.at[0] - q.at[0]).hypot(p.at[1] - q.at[1]);
        self.kept.clear();
        while self.kept.len() < max {
            // The first one is the most closed; each next one the farthest from those kept.
            let worth = |c: &Candidate| match self.kept[..] {
                [] => -c.gap(),
                _ => self
                    .kept
                    .iter()
                    .map(|k| distance(k, c))
                    .fold(f64::INFINITY, f64::min),
            };
            let mut best = (f64::NEG_INFINITY, None);
            for c in &self.candidates {
                if worth(c) > best.0 {
                    best = (worth(c), Some(*c));
                }
            }
            let Some(c) = best.1 else { break };
            self.kept.push(c);
        }
        self.kept.sort_unstable_by_key(|c| c.id);
        std::mem::swap(&mut self.candidates, &mut self.kept);
    }
}

fn near(p: [f64; 2], q: [f64; 2], tolerance: f64) -> bool {
    let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
    dx * dx + dy * dy <= tolerance * tolerance
}

/// The lowest name among the features that meet at a point: a vertex of a, a vertex of b, an edge of each.
///
/// Vertices take precedence wherever one is near: with blocks laid flush the overlap's corner is now a vertex of one
/// block, now of the other, now a crossing, as roundoff has it, and its name must not change.
fn name(
    at: [f64; 2],
    origin: Origin,
    [a, b]: [&Outline; 2],
    clip_is_a: bool,
    tolerance: f64,
) -> FeatureId {
    if let Some(vertex) = a.corner_at(at, tolerance) {
        return FeatureId(u64::from(vertex));
    }
    if let Some(vertex) = b.corner_at(at, tolerance) {
        return FeatureId(VERTEX_OF_B | u64::from(vertex));
    }
    let (clip, subject) = match origin {
        Origin::Crossing { subject, clip } => (clip, subject),
        // Not reached but by degenerate polygons: a vertex is near itself.
        Origin::Clip(i) | Origin::Subject(i) => (i % a.edges.len(), i % b.edges.len()),
    };
    let (i, j) = if clip_is_a {
        (clip, subject)
    } else {
        (subject, clip)
    };
    let edge = |edges: &[u32], i: usize| u64::from(edges[i % edges.len()]);
    FeatureId(CROSSING | edge(&a.edges, i) << 31 | edge(&b.edges, j))
}
