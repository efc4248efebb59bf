//! Piers and buttresses under the springings of an arch, laid in courses.

use drystone_keys::keys;

use crate::Piece;
use crate::dimensions::Dimensions;

keys! {
    /// Piers under the springings of an arch, flush with its intrados. They stand at z = 0 and carry the arch on their top;
    /// where the springing joints are inclined, the top course is one block with an inclined face.
    ///
    /// With `base_width` they are buttresses: their outer face leans, or steps back if `steps` says so. Joints are in running
    /// bond, counted from the inner face; a joint that would leave an outer block shorter than half a block is left out.
    pub struct Piers {
        /// Along the span, at the top.
        width: f64 { required, unit: "m", above: 0.0 },
        /// From the ground to the springing.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Number of courses, equally high.
        courses: u32 { required, least: 1 },
        /// Length of a block along the span.
        block_length: f64 { optional, unit: "m", above: 0.0, otherwise: "one block as wide as the pier" },
        /// Width at the ground, m, at least `width`.
        base_width: f64 { optional, unit: "m", above: 0.0, otherwise: "as at the top" },
        /// Number of set-offs between `base_width` and `width`.
        steps: u32 { optional, least: 1, otherwise: "the outer face is inclined" },
        /// Across the span, m, in the middle of the depth of the arch.
        depth: f64 { optional, unit: "m", above: 0.0, otherwise: "the depth of the arch" },
    }
}

/// The right springing joint on which a pier ends: inner and outer point [x, z], m, above the ground.
pub(super) type Springing = [[f64; 2]; 2];

impl Piers {
    /// Reports what is wrong; `bearing` is the width of the springing joint in plan, m.
    pub(super) fn check(&self, bearing: f64, check: &mut Dimensions) {
        let mut fits = check.positive("piers.width", self.width);
        fits &= check.positive("piers.height", self.height);
        fits &= check.count("piers.courses", self.courses, 1);
        fits &= check.positive_if("piers.block_length", self.block_length);
        fits &= check.positive_if("piers.base_width", self.base_width);
        check.positive_if("piers.depth", self.depth);
        if !fits {
            return;
        }
        // Joints are as wide as their corners say, to rounding.
        if self.width < bearing * (1.0 - 1e-9) {
            check.refuse(
                "piers.width",
                format!(
                    "{} m is narrower than the springing joint, {bearing:.6} m in plan",
                    self.width
                ),
                "at least as wide as the arch that stands on it",
            );
        }
        let base = self.base_width.unwrap_or(self.width);
        if base < self.width {
            check.refuse(
                "piers.base_width",
                format!(
                    "{base} m is less than the width at the top, {} m",
                    self.width
                ),
                "at least `width`",
            );
        }
        match self.steps {
            Some(0) => check.refuse("piers.steps", "no set-off", "at least 1, or leave it out"),
            Some(_) if self.base_width.is_none() => check.refuse(
                "piers.steps",
                "set-offs need a width at the ground",
                "`base_width`, m, greater than `width`",
            ),
            Some(steps) if steps >= self.courses => check.refuse(
                "piers.steps",
                format!("{steps} set-offs in {} courses", self.courses),
                "fewer than courses",
            ),
            _ => {}
        }
        let length = self.block_length.unwrap_or(base);
        let blocks = (base / length).min(1e9) as u32 + 2;
        check.total("piers.block_length", &[2, self.courses, blocks]);
    }

    /// Both piers, course by course, blocks from left to right; `y` is the range of the arch.
    pub(super) fn pieces(&self, springing: Springing, y: [f64; 2]) -> Vec<Piece> {
        let middle = 0.5 * (y[0] + y[1]);
        let y = match self.depth {
            Some(depth) => [middle - 0.5 * depth, middle + 0.5 * depth],
            None => y,
        };
        let mut pieces = Vec::new();
        for (pier, left) in [(1, true), (2, false)] {
            for course in 0..self.courses {
                let mut polygons = self.course(course, springing);
                if left {
                    polygons.reverse();
                    for [x, _] in polygons.iter_mut().flatten() {
                        *x = -*x;
                    }
                }
                for (index, polygon) in polygons.iter().enumerate() {
                    let name = format!("pier{pier}.course{}.block{}", course + 1, index + 1);
                    pieces.push(Piece::prism(name, polygon, y).grouped("pier"));
                }
            }
        }
        pieces
    }

    /// Blocks of a course of the right pier from the inside, as polygons [x, z].
    fn course(&self, course: u32, springing: Springing) -> Vec<Vec<[f64; 2]>> {
        let [[inner, top], outer] = springing;
        let level = |course: u32| {
            if course == self.courses {
                top
            } else {
                self.height * (f64::from(course) / f64::from(self.courses))
            }
        };
        let [low, high] = [level(course), level(course + 1)];
        let [below, above] = self.outer_face(course, inner);
        if course + 1 == self.courses && outer[1] > top {
            let mut corners = vec![[inner, low], [inner, high], outer, [below, low]];
            // A pier as wide as the joint in plan has no level part on top.
            if above > outer[0] * (1.0 + 1e-9) {
                corners.insert(3, [above, outer[1]]);
            } else {
                corners[2][0] = above;
            }
            return vec![corners];
        }
        let mut joints = vec![[inner, inner]];
        if let Some(length) = self.block_length {
            let first = if course.is_multiple_of(2) { 1.0 } else { 0.5 };
            // Half a block, to rounding, must remain at the narrower end of the course.
            let last = above.min(below) - (0.5 - 1e-9) * length;
            let inside = (0_u32..)
                .map(|k| inner + (f64::from(k) + first) * length)
                .take_while(|&x| x <= last);
            joints.extend(inside.map(|x| [x, x]));
        }
        joints.push([below, above]);
        joints
            .windows(2)
            .map(|ends| {
                let [[a, b], [c, d]] = [ends[0], ends[1]];
                vec![[a, low], [c, low], [d, high], [b, high]]
            })
            .collect()
    }

    /// Abscissae of the outer face at the bottom and at the top of a course of the right pier.
    fn outer_face(&self, course: u32, inner: f64) -> [f64; 2] {
        let base = self.base_width.unwrap_or(self.width);
        let at = |fraction: f64| inner + base + (self.width - base) * fraction;
        let courses = f64::from(self.courses);
        match self.steps {
            Some(steps) => {
                let tier = u64::from(course) * (u64::from(steps) + 1) / u64::from(self.courses);
                [at(tier as f64 / f64::from(steps)); 2]
            }
            None => [course, course + 1].map(|level| at(f64::from(level) / courses)),
        }
    }
}
