//! Arches over openings: voussoirs that are dressed to the courses beside and above them.
//!
//! Outside, the ring has steps: a vertical side from one bed to another, then a level top back to the circle of the
//! extrados. A joint goes from each inner corner of the steps to the centre, so that between joints every piece is a convex
//! pentagon; pieces that are too long are divided by more such joints. Ordinary blocks beside the ring then end in vertical
//! faces, as at a jamb, and no block needs to be hollowed.

use std::f64::consts::FRAC_PI_2;

use super::super::courses::TINY;

/// An arch over an opening.
pub(super) struct Arch {
    /// Ends of the span, m.
    pub jambs: [f64; 2],
    /// The bed it springs from.
    pub springing: usize,
    /// Rise of the intrados, at most half the span, m.
    pub rise: f64,
    /// Least thickness of the ring, m.
    pub ring: f64,
    /// About how long a voussoir is along the intrados, m.
    pub voussoir: f64,
}

/// What an arch is made of.
pub(super) struct Made {
    /// Polygons from left to right.
    pub voussoirs: Vec<Vec<[f64; 2]>>,
    pub voids: Vec<(usize, [f64; 2])>,
    pub joints: Vec<(usize, f64)>,
}

/// A voussoir shorter than this fraction of the length asked for is joined with the next.
const SHORTEST: f64 = 0.6;

/// One step of the outside of the right half.
struct Step {
    /// Beds at the bottom and at the top of the vertical side.
    beds: [usize; 2],
    /// Distances from the axis of the side and of the end of the level top, m.
    sides: [f64; 2],
    /// Angles from the vertical of the joints below and above, rad.
    angles: [f64; 2],
}

/// A corner of the right half: its distance from the axis and its level, m.
type Corner = [f64; 2];

impl Arch {
    /// Nothing if the wall ends below the crown.
    pub fn make(&self, levels: &[f64]) -> Option<Made> {
        let [left, right] = self.jambs;
        let half = 0.5 * (right - left);
        let spring = levels[self.springing];
        let inner = (half * half + self.rise * self.rise) / (2.0 * self.rise);
        let centre = spring + self.rise - inner;
        let crown = spring + self.rise + self.ring;
        // The bed at the crown; the ring grows to it.
        let top = levels.partition_point(|&level| level < crown - 1e3 * TINY * self.ring);
        let outer = levels.get(top)? - centre;
        let ring = Ring {
            levels,
            inner,
            outer,
            centre,
            half,
            springing: self.springing,
            spring_angle: if half >= inner * (1.0 - TINY) {
                FRAC_PI_2
            } else {
                (half / inner).asin()
            },
            near: 1e-3 * (self.voussoir / inner).min(1.0),
        };
        // Five at least: one alone would be a lintel.
        let target = (self.voussoir / inner).min(0.4 * ring.spring_angle);
        let (steps, last) = ring.steps(top, target);
        let mut side_pieces: Vec<Vec<Corner>> = Vec::new();
        for step in &steps {
            let [from, to] = step.angles;
            let count = ((from - to) / target).round().max(1.0) as usize;
            let joint = |part: usize| match part {
                0 => from,
                part if part == count => to,
                part => from + (to - from) * (part as f64 / count as f64),
            };
            side_pieces
                .extend((0..count).map(|part| ring.piece(step, [joint(part), joint(part + 1)])));
        }
        // At the crown the nearest odd number: a keystone, and as many at its left as at its right.
        let angle = last.angles[0];
        let pairs = (angle / target - 0.5).round().max(0.0) as usize;
        let joint = |part: usize| match part {
            0 => angle,
            part => angle * (1.0 - 2.0 * part as f64 / (2 * pairs + 1) as f64),
        };
        side_pieces
            .extend((0..pairs).map(|part| ring.piece(&last, [joint(part), joint(part + 1)])));
        let key = ring.half_keystone(&last, joint(pairs));

        let axis = 0.5 * (left + right);
        // The jambs are where the courses have them, not where rounding puts them.
        let on_right = |&[x, z]: &Corner| [if x == half { right } else { axis + x }, z];
        let on_left = |&[x, z]: &Corner| [if x == half { left } else { axis - x }, z];
        let mut voussoirs: Vec<Vec<[f64; 2]>> = side_pieces
            .iter()
            .map(|piece| piece.iter().rev().map(on_left).collect())
            .collect();
        voussoirs.push(
            key.iter()
                .map(on_right)
                .chain(key.iter().rev().map(on_left))
                .collect(),
        );
        voussoirs.extend(
            side_pieces
                .iter()
                .rev()
                .map(|piece| piece.iter().map(on_right).collect()),
        );

        let mut voids = Vec::new();
        let mut joints = Vec::new();
        for step in steps.iter().chain([&last]) {
            let sides = [axis - step.sides[0], axis + step.sides[0]];
            voids.extend((step.beds[0]..step.beds[1]).map(|bed| (bed, sides)));
            joints.extend(sides.map(|side| (step.beds[1], side)));
        }
        Some(Made {
            voussoirs,
            voids,
            joints,
        })
    }
}

struct Ring<'a> {
    levels: &'a [f64],
    inner: f64,
    outer: f64,
    /// Level of the centre, m.
    centre: f64,
    half: f64,
    springing: usize,
    spring_angle: f64,
    /// Joints that nearly meet the outer corner of a step, rad, go through it.
    near: f64,
}

impl Ring<'_> {
    /// The steps of the right half from the springing up, and the crown, which is common to both halves.
    fn steps(&self, top: usize, target: f64) -> (Vec<Step>, Step) {
        let abscissa = |level: f64| {
            (self.outer * self.outer - (level - self.centre).powi(2))
                .max(0.0)
                .sqrt()
        };
        let mut bed = self.springing;
        let mut side = abscissa(self.levels[bed]);
        let mut angle = self.spring_angle;
        let mut steps = Vec::new();
        for (next, &level) in self.levels.iter().enumerate().take(top).skip(bed + 1) {
            let inset = abscissa(level);
            let joint = inset.atan2(level - self.centre);
            // Long enough, and leaves half a keystone at least.
            if angle - joint >= SHORTEST * target && joint >= 0.5 * SHORTEST * target {
                steps.push(Step {
                    beds: [bed, next],
                    sides: [side, inset],
                    angles: [angle, joint],
                });
                (bed, side, angle) = (next, inset, joint);
            }
        }
        let crown = Step {
            beds: [bed, top],
            sides: [side, 0.0],
            angles: [angle, 0.0],
        };
        (steps, crown)
    }

    /// A piece between two joints, given by their angles from the vertical, the lower one first.
    fn piece(&self, step: &Step, [below, above]: [f64; 2]) -> Vec<Corner> {
        let mut corners = self.half_keystone(step, below);
        if !self.has_corner(step, below, above) {
            corners.truncate(2);
        }
        corners.push(self.outside(step, above));
        corners.push(self.intrados(above));
        corners
    }

    /// The half of a piece that begins at a joint and is symmetric.
    fn half_keystone(&self, step: &Step, angle: f64) -> Vec<Corner> {
        let mut corners = vec![self.intrados(angle), self.outside(step, angle)];
        if self.has_corner(step, angle, 0.0) {
            corners.push([step.sides[0], self.levels[step.beds[1]]]);
        }
        corners
    }

    fn intrados(&self, angle: f64) -> Corner {
        if angle == self.spring_angle {
            return [self.half, self.levels[self.springing]];
        }
        [
            self.inner * angle.sin(),
            self.centre + self.inner * angle.cos(),
        ]
    }

    /// Where the joint at an angle ends at the outside of a step. The lowest joint of all is the level bed of the springer.
    fn outside(&self, step: &Step, angle: f64) -> Corner {
        let [low, high] = step.beds.map(|bed| self.levels[bed]);
        let [side, inset] = step.sides;
        let corner = side.atan2(high - self.centre);
        if angle == step.angles[0] {
            [side, low]
        } else if angle == step.angles[1] {
            [inset, high]
        } else if (angle - corner).abs() < self.near {
            [side, high]
        } else if angle > corner {
            [side, self.centre + side / angle.tan()]
        } else {
            [(high - self.centre) * angle.tan(), high]
        }
    }

    /// Whether the outer corner of a step lies between two joints and on neither.
    fn has_corner(&self, step: &Step, below: f64, above: f64) -> bool {
        let corner = step.sides[0].atan2(self.levels[step.beds[1]] - self.centre);
        let after = below == step.angles[0] || corner < below - self.near;
        after && corner > above + self.near
    }
}
