//! Intersection of two convex polygons in the plane, with the edges that bound it (Sutherland-Hodgman).

/// Marks the number of an edge of the clip polygon, as opposed to one of the subject.
const CLIP: u32 = 1 << 31;

/// A corner of the intersection; the edge to the next corner runs along edge `out` of one of the polygons.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    at: [f64; 2],
    out: u32,
}

/// What makes a corner of the intersection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A vertex of the subject.
    Subject(usize),
    /// A vertex of the clip polygon.
    Clip(usize),
    /// An edge of the subject and one of the clip polygon; edge `i` runs from vertex `i` to the next.
    Crossing { subject: usize, clip: usize },
}

/// Buffers of [`Clipper::intersect`] and its result.
#[derive(Debug, Clone, Default)]
pub(crate) struct Clipper {
    corners: Vec<Corner>,
    next: Vec<Corner>,
    /// Corners of the intersection, counter-clockwise.
    pub found: Vec<([f64; 2], Origin)>,
}

/// Twice the signed area of the triangle `p q r`.
fn turn(p: [f64; 2], q: [f64; 2], r: [f64; 2]) -> f64 {
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])
}

/// Length of a vector; unlike `hypot` the same bits everywhere.
pub(super) fn length(x: f64, y: f64) -> f64 {
    (x * x + y * y).sqrt()
}

impl Clipper {
    /// Intersects two counter-clockwise convex polygons.
    ///
    /// A crossing that leaves its neighbours' chord by less than `tolerance` is dropped: where edges of the two polygons
    /// lie on one line, roundoff makes such crossings anywhere along it.
    pub fn intersect(&mut self, subject: &[[f64; 2]], clip: &[[f64; 2]], tolerance: f64) {
        self.found.clear();
        self.corners.clear();
        let tagged = subject.iter().enumerate();
        self.corners
            .extend(tagged.map(|(i, &at)| Corner { at, out: i as u32 }));
        for (m, &p) in clip.iter().enumerate() {
            let q = clip[(m + 1) % clip.len()];
            if !self.cut(p, q, m as u32 | CLIP) {
                return;
            }
        }
        let n = self.corners.len();
        for i in 0..n {
            let before = self.corners[(i + n - 1) % n].out;
            let Corner { at, out } = self.corners[i];
            let index = |edge: u32| (edge & !CLIP) as usize;
            let origin = match (before & CLIP != 0, out & CLIP != 0) {
                (false, false) => Origin::Subject(index(out)),
                (true, true) if (index(before) + 1) % clip.len() == index(out) => {
                    Origin::Clip(index(out))
                }
                // Only roundoff makes lines meet that are no neighbours.
                (true, true) => Origin::Crossing {
                    subject: 0,
                    clip: index(out),
                },
                (false, true) => Origin::Crossing {
                    subject: index(before),
                    clip: index(out),
                },
                (true, false) => Origin::Crossing {
                    subject: index(out),
                    clip: index(before),
                },
            };
            self.found.push((at, origin));
        }
        self.drop_straight(tolerance);
    }

    /// Cuts away what lies to the right of the line from `p` to `q`; false if nothing remains.
    fn cut(&mut self, p: [f64; 2], q: [f64; 2], edge: u32) -> bool {
        let Some(last) = self.corners.last() else {
            return false;
        };
        self.next.clear();
        let mut before = *last;
        let mut side_before = turn(p, q, before.at);
        for &corner in &self.corners {
            let side = turn(p, q, corner.at);
            if (side >= 0.0) != (side_before >= 0.0) {
                let t = side_before / (side_before - side);
                let at = [0, 1].map(|i| before.at[i] + t * (corner.at[i] - before.at[i]));
                let out = if side >= 0.0 { before.out } else { edge };
                self.next.push(Corner { at, out });
            }
            if side >= 0.0 {
                self.next.push(corner);
            }
            before = corner;
            side_before = side;
        }
        std::mem::swap(&mut self.corners, &mut self.next);
        !self.corners.is_empty()
    }

    fn drop_straight(&mut self, tolerance: f64) {
        let mut i = 0;
        while i < self.found.len() && self.found.len() > 3 {
            let n = self.found.len();
            let (at, origin) = self.found[i];
            let (p, q) = (self.found[(i + n - 1) % n].0, self.found[(i + 1) % n].0);
            let chord = length(q[0] - p[0], q[1] - p[1]);
            let straight = turn(p, q, at).abs() <= tolerance * chord;
            if straight && matches!(origin, Origin::Crossing { .. }) {
                self.found.remove(i);
            } else {
                i += 1;
            }
        }
    }
}

/// Area of a counter-clockwise polygon.
pub(super) fn area(polygon: &[([f64; 2], Origin)]) -> f64 {
    let Some((first, rest)) = polygon.split_first() else {
        return 0.0;
    };
    0.5 * rest
        .windows(2)
        .map(|w| turn(first.0, w[0].0, w[1].0))
        .sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

    fn intersection(subject: &[[f64; 2]], clip: &[[f64; 2]]) -> Vec<([f64; 2], Origin)> {
        let mut clipper = Clipper::default();
        clipper.intersect(subject, clip, 1e-9);
        clipper.found
    }

    #[test]
    fn shifted_squares_meet_in_a_vertex_of_each_and_two_crossings() {
        let shifted = SQUARE.map(|[x, y]| [x + 0.25, y + 0.5]);
        let found = intersection(&shifted, &SQUARE);
        assert_eq!(found.len(), 4);
        assert!((area(&found) - 0.375).abs() < 1e-15);
        assert!(found.contains(&([0.25, 0.5], Origin::Subject(0))));
        assert!(found.contains(&([1.0, 1.0], Origin::Clip(2))));
        assert!(found.contains(&(
            [1.0, 0.5],
            Origin::Crossing {
                subject: 0,
                clip: 1
            }
        )));
        assert!(found.contains(&(
            [0.25, 1.0],
            Origin::Crossing {
                subject: 3,
                clip: 2
            }
        )));
    }

    #[test]
    fn crossings_along_a_common_line_are_dropped() {
        let tilted = [[0.25, -1e-12], [0.75, 1e-12], [0.75, 0.5], [0.25, 0.5]];
        let found = intersection(&tilted, &SQUARE);
        assert_eq!(found.len(), 4);
    }

    #[test]
    fn apart_means_nothing() {
        assert!(intersection(&SQUARE.map(|[x, y]| [x + 1.5, y]), &SQUARE).is_empty());
    }
}
