//! Antagonist points out of overlapping faces: where they are, what they are called, which are kept.

use super::clip::{Clipper, Origin, area, length};
use super::frame::Outline;
use super::{COINCIDENT, SLIVER, SOLID};
use crate::FeatureId;
use crate::contact::{CROSSING, VERTEX_OF_B};

/// A point of the overlap before it is placed in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub id: FeatureId,
    /// The name if that one is taken: of the features that make the point.
    own: FeatureId,
    pub at: [f64; 2],
    /// Height of the point on the clipping block and of that on the other along the frame's normal, m.
    pub heights: [f64; 2],
    /// Its share of the areas of the overlaps that it is a corner of, m².
    pub share: f64,
}

impl Candidate {
    pub fn gap(&self) -> f64 {
        self.heights[1] - self.heights[0]
    }
}

/// A box in the plane.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    low: [f64; 2],
    high: [f64; 2],
}

impl Bounds {
    const EMPTY: Self = Self {
        low: [f64::INFINITY; 2],
        high: [f64::NEG_INFINITY; 2],
    };

    fn add(&mut self, at: [f64; 2]) {
        self.low = [self.low[0].min(at[0]), self.low[1].min(at[1])];
        self.high = [self.high[0].max(at[0]), self.high[1].max(at[1])];
    }

    fn diagonal(&self) -> f64 {
        length(self.high[0] - self.low[0], self.high[1] - self.low[1])
    }
}

impl Default for Bounds {
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Overlap of two faces.
#[derive(Debug, Clone, Copy)]
struct Flat {
    /// m.
    width: f64,
    /// Largest gap, also of points that are too far apart to be kept, m.
    widest_gap: f64,
}

impl Flat {
    /// Exceeds minus the separation if gaps vary little over the width.
    fn slack(&self) -> f64 {
        SOLID * self.width - self.widest_gap
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
    bounds: Bounds,
    flattest: Option<Flat>,
    clipper: Clipper,
    kept: Vec<Candidate>,
    order: Vec<(f64, usize)>,
}

impl Overlap {
    pub fn clear(&mut self) {
        self.candidates.clear();
        self.seen_area = 0.0;
        self.touching_area = 0.0;
        self.bounds = Bounds::EMPTY;
        self.flattest = None;
    }

    /// Adds the overlap of a face of the clipping block, which may be a or b, and a face of the other. Only faces that bear, not
    /// those that are seen from the side when a block tilts, give their area to their corners.
    pub fn add(
        &mut self,
        clip: &Outline,
        subject: &Outline,
        clip_is_a: bool,
        bears: bool,
        margin: f64,
        size: f64,
    ) {
        let (tolerance, sliver) = (COINCIDENT * size, SLIVER * size);
        self.clipper.intersect(&subject.at, &clip.at, sliver);
        let polygon = &self.clipper.found;
        if polygon.len() < 3 {
            return;
        }
        let mut touching = true;
        let mut widest_gap = f64::NEG_INFINITY;
        let mut bounds = Bounds::EMPTY;
        let fan = Fan::new(polygon);
        for (corner, &(mut at, origin)) in polygon.iter().enumerate() {
            // A vertex has its own height, which is exact.
            let mut heights = [clip.height(at), subject.height(at)];
            match origin {
                Origin::Clip(i) => {
                    at = clip.at[i];
                    heights = [clip.heights[i], subject.height(at)];
                }
                Origin::Subject(i) => heights[1] = subject.heights[i],
                Origin::Crossing { .. } => {}
            }
            let [id, own] = names(at, origin, clip, subject, clip_is_a, tolerance);
            let candidate = Candidate {
                id,
                own,
                at,
                heights,
                share: if bears {
                    fan.share(polygon, corner)
                } else {
                    0.0
                },
            };
            let gap = candidate.gap();
            widest_gap = widest_gap.max(gap);
            bounds.add(at);
            if gap <= margin {
                self.candidates.push(candidate);
            } else {
                touching = false;
            }
        }
        let area = area(polygon);
        self.seen_area += area;
        self.bounds.add(bounds.low);
        self.bounds.add(bounds.high);
        let flat = Flat {
            width: area / bounds.diagonal(),
            widest_gap,
        };
        if self.flattest.is_none_or(|f| flat.slack() > f.slack()) {
            self.flattest = Some(flat);
        }
        // What an edge or a corner dips into is no face.
        if touching && area > sliver * bounds.diagonal() {
            self.touching_area += area;
        }
    }

    /// Whether one of the overlapping faces is wide and even enough to settle the contact direction.
    ///
    /// Let a face contact along `n` have width `W`, gaps from `s` to `s + D`. Along a direction at an angle `phi` from `n`
    /// the blocks are separated by at most `(s + D) cos phi - W sin phi`: witness opposite ends of the overlap. That
    /// exceeds `s` only if `sin phi < D / (W - |s|)`.
    pub fn is_solid(&self, separation: f64) -> bool {
        self.flattest
            .is_some_and(|f| f.slack() >= -separation && separation.abs() <= 0.1 * f.width)
    }

    /// Width of the overlap in its narrow direction, up to a factor of two; zero if there is none, m.
    pub fn width(&self) -> f64 {
        if self.seen_area > 0.0 {
            self.seen_area / self.bounds.diagonal()
        } else {
            0.0
        }
    }

    /// Drops points that coincide, and orders the rest by name.
    ///
    /// Of points that coincide the outermost stays, for the sake of the moments it can carry, or the one more closed.
    pub fn tidy(&mut self, size: f64) {
        let tolerance = COINCIDENT * size;
        let n = self.candidates.len();
        let centre =
            [0, 1].map(|i| self.candidates.iter().map(|c| c.at[i]).sum::<f64>() / n as f64);
        self.order.clear();
        for (i, c) in self.candidates.iter().enumerate() {
            let arm = [c.at[0] - centre[0], c.at[1] - centre[1]];
            // In symmetry the frame, which is tied to the blocks, decides.
            let tie = 0.6 * arm[0] + 0.8 * arm[1];
            let worth = length(arm[0], arm[1]) - c.gap() + 1e-3 * tie;
            self.order.push((worth, i));
        }
        self.order
            .sort_unstable_by(|p, q| q.0.total_cmp(&p.0).then(p.1.cmp(&q.1)));
        self.kept.clear();
        for &(_, i) in &self.order {
            let mut c = self.candidates[i];
            if let Some(kept) = self.kept.iter_mut().find(|k| near(k.at, c.at, tolerance)) {
                kept.share += c.share;
                continue;
            }
            if self.kept.iter().any(|k| k.id == c.id) {
                c.id = c.own;
            }
            self.kept.push(c);
        }
        self.kept.sort_unstable_by_key(|c| c.id);
        self.kept.dedup_by(|later, kept| {
            let same = later.id == kept.id;
            if same {
                kept.share += later.share;
            }
            same
        });
        std::mem::swap(&mut self.candidates, &mut self.kept);
    }

    /// Keeps `max` points spread as widely as possible.
    pub fn thin_out(&mut self, max: usize) {
        if self.candidates.len() <= max {
            return;
        }
        let distance = |p: &Candidate, q: &Candidate| length(p.at[0] - q.at[0], p.at[1] - q.at[1]);
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
        let total = |list: &[Candidate]| list.iter().map(|c| c.share).sum::<f64>();
        let left = total(&self.kept);
        if left > 0.0 {
            let stretch = total(&self.candidates) / left;
            self.kept.iter_mut().for_each(|c| c.share *= stretch);
        }
        self.kept.sort_unstable_by_key(|c| c.id);
        std::mem::swap(&mut self.candidates, &mut self.kept);
    }
}

/// A convex polygon as triangles about the mean of its corners. Each corner gets a third of its two triangles, and all share
/// the third that belongs to the mean: together they have the area and the centroid of the polygon, also where corners are
/// doubled or stand in the middle of a side.
struct Fan {
    middle: [f64; 2],
    common: f64,
}

impl Fan {
    fn new(polygon: &[([f64; 2], Origin)]) -> Self {
        let count = polygon.len() as f64;
        let middle = [0, 1].map(|i| polygon.iter().map(|c| c.0[i]).sum::<f64>() / count);
        Self {
            middle,
            common: area(polygon) / (3.0 * count),
        }
    }

    fn share(&self, polygon: &[([f64; 2], Origin)], corner: usize) -> f64 {
        let count = polygon.len();
        let [before, at, after] =
            [corner + count - 1, corner, corner + 1].map(|k| polygon[k % count].0);
        let triangle = |p: [f64; 2], q: [f64; 2]| {
            let [a, b] = [p, q].map(|r| [r[0] - self.middle[0], r[1] - self.middle[1]]);
            0.5 * (a[0] * b[1] - a[1] * b[0]).abs()
        };
        (triangle(before, at) + triangle(at, after)) / 3.0 + self.common
    }
}

fn near(p: [f64; 2], q: [f64; 2], tolerance: f64) -> bool {
    let (dx, dy) = (p[0] - q[0], p[1] - q[1]);
    dx * dx + dy * dy <= tolerance * tolerance
}

/// The lowest name among the features that are near a point (a vertex of a, a vertex of b, an edge of each), then the
/// name of those that make it.
///
/// Vertices take precedence wherever one is near: with blocks laid flush the overlap's corner is now a vertex of one
/// block, now of the other, now a crossing, as roundoff has it, and its name must not change.
fn names(
    at: [f64; 2],
    origin: Origin,
    clip: &Outline,
    subject: &Outline,
    clip_is_a: bool,
    tolerance: f64,
) -> [FeatureId; 2] {
    let vertex_of_a = |vertex: u32| FeatureId(u64::from(vertex));
    let vertex_of_b = |vertex: u32| FeatureId(VERTEX_OF_B | u64::from(vertex));
    let crossing = |i: u32, j: u32| FeatureId(CROSSING | u64::from(i) << 31 | u64::from(j));
    let (a, b) = if clip_is_a {
        (clip, subject)
    } else {
        (subject, clip)
    };
    let own = match (origin, clip_is_a) {
        (Origin::Clip(i), true) | (Origin::Subject(i), false) => vertex_of_a(a.vertices[i]),
        (Origin::Clip(i), false) | (Origin::Subject(i), true) => vertex_of_b(b.vertices[i]),
        (
            Origin::Crossing {
                subject: j,
                clip: i,
            },
            true,
        ) => crossing(a.edges[i], b.edges[j]),
        (
            Origin::Crossing {
                subject: i,
                clip: j,
            },
            false,
        ) => crossing(a.edges[i], b.edges[j]),
    };
    let near_a = a.corner_at(at, tolerance).map(vertex_of_a);
    let near_b = || b.corner_at(at, tolerance).map(vertex_of_b);
    [near_a.or_else(near_b).unwrap_or(own), own]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Shares have the area and the centroid of the polygon, with corners doubled or on a side too.
    #[test]
    fn shares_have_area_and_centroid() {
        let origin = Origin::Clip(0);
        for (corners, size, centre) in [
            (
                vec![[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]],
                2.0,
                [1.0, 0.5],
            ),
            (
                vec![
                    [0.0, 0.0],
                    [2.0, 0.0],
                    [2.0, 0.0],
                    [2.0, 1.0],
                    [1.5, 1.0],
                    [0.0, 1.0],
                ],
                2.0,
                [1.0, 0.5],
            ),
            (vec![[0.0, 0.0], [3.0, 0.0], [0.0, 3.0]], 4.5, [1.0, 1.0]),
            // A trapezium: a square and half of one.
            (
                vec![[0.0, 0.0], [2.0, 0.0], [1.0, 1.0], [0.0, 1.0]],
                1.5,
                [7.0 / 9.0, 4.0 / 9.0],
            ),
        ] {
            let polygon: Vec<_> = corners.iter().map(|&at| (at, origin)).collect();
            let fan = Fan::new(&polygon);
            let shares: Vec<f64> = (0..polygon.len()).map(|k| fan.share(&polygon, k)).collect();
            // Sums of six numbers of order one.
            assert!((shares.iter().sum::<f64>() - size).abs() < 1e-14);
            for axis in 0..2 {
                let moment: f64 = shares
                    .iter()
                    .zip(&corners)
                    .map(|(w, at)| w * at[axis])
                    .sum();
                assert!((moment - size * centre[axis]).abs() < 1e-14, "{corners:?}");
            }
        }
    }
}
