//! Joints whose stone can be crushed: what a face bears whose stress is anywhere between zero and its strength.
//!
//! Resultants of such stresses, a normal force `N` and its first moment `m`, form a convex set. It is the intersection of half-spaces, one for every linear
//! function `g(r) = w + d' r` of the place on the face:
//!
//! `w N + d' m <= f_c int max(0, g) dA`
//!
//! with equality where the stress is `f_c` wherever `g > 0` and zero elsewhere: the stress block with the edge `g = 0`. For a rectangle that is bent about
//! one side this is PGCL's `|M| <= N/2 (l - N / (f_c p))`. In a program over forces at the corners each half-space is one linear row, a [`Cut`], and the rows that matter are found
//! on the way: after each solution, the stress block that its forces exceed most, joint by joint. So nothing is discretised, and joints that are far from being crushed have no row at all.

use serde::{Deserialize, Serialize};

use super::program::Program;
use super::{Answer, LimitProblem, LimitStatus};
use crate::ProblemFault;

/// A joint whose stone can be crushed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitCrushing {
    /// Contacts of the joint. A contact belongs to one joint at most; a joint without any limits nothing.
    pub contacts: Vec<u32>,
    /// Where each of them presses, in two axes of the joint, m.
    pub places: Vec<[f64; 2]>,
    /// Corners of the convex face in the same axes, in turn, m.
    pub face: Vec<[f64; 2]>,
    /// `f_c`, Pa.
    pub strength: f64,
}

/// A bound on the normal forces of one joint: `sum g_k n_k <= most`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cut {
    /// Per contact of the joint, at most one in size.
    pub(crate) weights: Vec<f64>,
    /// N.
    pub(crate) most: f64,
}

/// A stress block: the part of a face on which `w + d' r` is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Block {
    w: f64,
    d: [f64; 2],
}

/// The stress blocks that limit problems like each other had to respect, so that the next one can start with them: those of a structure in one configuration hold, as bounds, in every other.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StressBlocks {
    /// By joint.
    blocks: Vec<Vec<Block>>,
}

/// Those of one joint.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct JointBlocks(Vec<Block>);

impl StressBlocks {
    /// Of all joints, in the order of a problem.
    pub fn new(joints: impl Iterator<Item = JointBlocks>) -> Self {
        Self {
            blocks: joints.map(|joint| joint.0).collect(),
        }
    }

    /// By joint: of one that the last answer did not crush there are none.
    pub fn into_joints(self) -> impl Iterator<Item = JointBlocks> {
        self.blocks.into_iter().map(JointBlocks)
    }

    /// The cuts of the joints of a problem.
    pub(super) fn cuts(&mut self, joints: &[LimitCrushing]) -> Vec<Vec<Cut>> {
        self.blocks.resize(joints.len(), Vec::new());
        let gone = joints.iter().zip(&mut self.blocks);
        gone.filter(|(joint, _)| joint.contacts.is_empty())
            .for_each(|(_, blocks)| blocks.clear());
        let both = joints.iter().zip(&self.blocks);
        both.map(|(joint, blocks)| blocks.iter().map(|block| joint.cut(*block)).collect())
            .collect()
    }

    /// Adds the blocks that normal forces exceed by more than a part of themselves, or of a unit of force; whether there are any.
    pub(super) fn exceeded(
        &mut self,
        joints: &[LimitCrushing],
        normal: impl Fn(u32) -> f64,
        unit: f64,
        part: f64,
    ) -> bool {
        let mut any = false;
        for (joint, blocks) in joints.iter().zip(&mut self.blocks) {
            let force: f64 = joint.contacts.iter().map(|&k| normal(k)).sum();
            if let Some((block, excess)) = joint.worst(&normal)
                && excess > part * force.max(unit)
            {
                blocks.push(block);
                any = true;
            }
        }
        any
    }

    /// Bounds the normal force of joints that carry some and can't carry any amount; whether there are any that were not bound before.
    pub(super) fn bounded(
        &mut self,
        joints: &[LimitCrushing],
        carries: impl Fn(u32) -> bool,
        enough: f64,
    ) -> bool {
        let mut any = false;
        for (joint, blocks) in joints.iter().zip(&mut self.blocks) {
            let loaded = joint.contacts.iter().any(|&k| carries(k));
            if loaded && joint.whole() < enough && !blocks.contains(&Block::WHOLE) {
                blocks.push(Block::WHOLE);
                any = true;
            }
        }
        any
    }

    /// Keeps the blocks that bound an answer; those of a certificate bound none.
    pub(super) fn keep_acting(
        &mut self,
        problem: &LimitProblem,
        program: &Program,
        answer: &Answer,
    ) {
        if !matches!(
            answer.status,
            LimitStatus::Optimal | LimitStatus::Inaccurate
        ) {
            self.blocks.iter_mut().for_each(Vec::clear);
            return;
        }
        // Rays of what is left of cuts come after contacts and both rays of each tie.
        let first = problem.contacts.len() + 2 * problem.ties.len();
        let mut rays = program.cones[first..].iter().zip(&answer.z[first..]);
        for blocks in &mut self.blocks {
            blocks.retain(|_| {
                rays.next().is_some_and(|(cone, z)| {
                    let side = &program.sides_of(cone)[0];
                    let most = program.dead[side.node as usize];
                    let (row, left) = (&side.rows[0], z[0]);
                    (0..6).any(|k| row[k] != 0.0 && -row[k] * left <= ROOM * most[k])
                })
            });
        }
    }
}

/// A bound with more room than this, relative, does not act.
const ROOM: f64 = 1e-4;
impl JointBlocks {
    /// The joint is not crushed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// Directions in which stress blocks are tried before the worst is refined, beside those of the sides of the face.
const DIRECTIONS: usize = 16;
/// So many of the worst of these are refined: away from the set the excess has one maximum, near to it on a long face several.
const REFINED: usize = 3;
/// Rounds of the golden section.
const SECTIONS: usize = 60;
const GOLDEN: f64 = 0.618_033_988_749_894_9;

impl LimitCrushing {
    /// Area of the face, m².
    pub fn area(&self) -> f64 {
        moments(&self.face).0
    }

    /// How far normal forces, N, are outside of what the joint bears, as a force: by how much more than it bears, or how far off, over the root of its area, times the force.
    pub fn excess(&self, normal: impl Fn(u32) -> f64) -> f64 {
        self.worst(&normal).map_or(0.0, |(_, excess)| excess)
    }

    /// Force that crushes the whole joint, N.
    pub(crate) fn whole(&self) -> f64 {
        self.strength * self.area()
    }

    fn cut(&self, block: Block) -> Cut {
        let weights: Vec<f64> = self.places.iter().map(|place| block.at(place)).collect();
        let largest = weights.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let over = if largest > 0.0 { 1.0 / largest } else { 1.0 };
        Cut {
            weights: weights.iter().map(|x| x * over).collect(),
            most: self.strength * block.integral(&self.face) * over,
        }
    }

    /// The block that forces exceed most, and by how much, N; none without forces.
    fn worst(&self, normal: &impl Fn(u32) -> f64) -> Option<(Block, f64)> {
        let (mut force, mut moment) = (0.0, [0.0; 2]);
        for (&contact, place) in self.contacts.iter().zip(&self.places) {
            let n = normal(contact);
            force += n;
            (0..2).for_each(|k| moment[k] += n * place[k]);
        }
        let (area, _) = moments(&self.face);
        let whole = self.strength * area;
        if force <= 0.0 {
            return None;
        }
        let beyond = force - whole;
        if beyond.is_nan() {
            return Some((Block::WHOLE, beyond));
        }
        let share = (force / self.strength).min(area);
        let tried = |angle: f64| {
            let block = Block::of_area(&self.face, [angle.cos(), angle.sin()], share);
            let borne = self.strength * block.integral(&self.face);
            let pressed = block.w * force + block.d[0] * moment[0] + block.d[1] * moment[1];
            (pressed - borne, block)
        };
        // The excess changes with the angle by the distance of the force from the middle of its block, which is less than the face is wide.
        let across = |a: &[f64; 2]| {
            let far = self.face.iter().map(|b| (a[0] - b[0]).hypot(a[1] - b[1]));
            far.fold(0.0, f64::max)
        };
        let wide = self.face.iter().map(across).fold(0.0, f64::max);
        let (excess, block) = most(&self.angles(), force * wide, tried)?;
        // A joint that is crushed as a whole bears no moment either: whichever is exceeded more.
        let aside = excess / area.sqrt();
        Some(if beyond > aside {
            (Block::WHOLE, beyond)
        } else {
            (block, aside)
        })
    }

    /// Where to look first: normals of all sides, and directions all around.
    fn angles(&self) -> Vec<f64> {
        let around = |k: usize| std::f64::consts::TAU * k as f64 / DIRECTIONS as f64;
        let mut all: Vec<f64> = (0..DIRECTIONS).map(around).collect();
        let next = self.face.iter().cycle().skip(1);
        for (a, b) in self.face.iter().zip(next) {
            let normal = (a[0] - b[0]).atan2(b[1] - a[1]);
            all.extend(
                [normal, normal + std::f64::consts::PI]
                    .map(|x| x.rem_euclid(std::f64::consts::TAU)),
            );
        }
        all.sort_unstable_by(f64::total_cmp);
        all.dedup_by(|a, b| (*a - *b).abs() < 1e-9);
        all
    }

    /// Finds what makes the joint unanswerable; `taken` are contacts that have a joint already.
    pub(super) fn validate(&self, joint: usize, taken: &mut [bool]) -> Result<(), ProblemFault> {
        let fault = |field, value, wanted| {
            Err(ProblemFault::Crushing {
                joint,
                field,
                value,
                wanted,
            })
        };
        if self.contacts.is_empty() {
            return Ok(());
        }
        if !(self.strength.is_finite() && self.strength > 0.0) {
            return fault("strength", self.strength, "it must be positive and finite");
        }
        let area = self.area();
        if !(area.is_finite() && area > 0.0) {
            return fault("area of the face", area, "it must be positive and finite");
        }
        let mut places = self.places.iter().chain(&self.face).flatten();
        if let Some(&x) = places.find(|x| !x.is_finite()) {
            return fault("place", x, "it must be finite");
        }
        if self.places.len() != self.contacts.len() {
            let wanted = "one is needed for each contact";
            return fault("number of places", self.places.len() as f64, wanted);
        }
        for &contact in &self.contacts {
            match taken.get_mut(contact as usize) {
                Some(seen) if !*seen => *seen = true,
                Some(_) => {
                    let wanted = "it belongs to a joint already";
                    return fault("contact", f64::from(contact), wanted);
                }
                None => {
                    let wanted = "there is no such contact";
                    return fault("contact", f64::from(contact), wanted);
                }
            }
        }
        Ok(())
    }
}

/// The angle at which a function of a given slope at most is greatest, and what it is there: the best of some angles, refined between their neighbours where it may be positive.
fn most(angles: &[f64], slope: f64, tried: impl Fn(f64) -> (f64, Block)) -> Option<(f64, Block)> {
    let mut found: Vec<(usize, (f64, Block))> = angles
        .iter()
        .map(|&angle| tried(angle))
        .enumerate()
        .collect();
    found.sort_by(|a, b| b.1.0.total_cmp(&a.1.0));
    let count = angles.len();
    let mut best = found.first()?.1;
    for &(k, (value, _)) in found.iter().take(REFINED) {
        let turn = std::f64::consts::TAU;
        let mut low = angles[(k + count - 1) % count] - if k == 0 { turn } else { 0.0 };
        let mut high = angles[(k + 1) % count] + if k + 1 == count { turn } else { 0.0 };
        if value + slope * (angles[k] - low).max(high - angles[k]) < best.0.max(0.0) {
            continue;
        }
        let inner = |low: f64, high: f64| {
            [high - GOLDEN * (high - low), low + GOLDEN * (high - low)].map(|x| (x, tried(x)))
        };
        let [mut left, mut right] = inner(low, high);
        for _ in 0..SECTIONS {
            if left.1.0 > right.1.0 {
                (high, right) = (right.0, left);
                let at = high - GOLDEN * (high - low);
                left = (at, tried(at));
            } else {
                (low, left) = (left.0, right);
                let at = low + GOLDEN * (high - low);
                right = (at, tried(at));
            }
        }
        for one in [left.1, right.1] {
            if one.0 > best.0 {
                best = one;
            }
        }
    }
    Some(best)
}

impl Block {
    /// All of the face.
    const WHOLE: Self = Self {
        w: 1.0,
        d: [0.0; 2],
    };

    /// The part of a face with a given area, m², that lies farthest in a direction.
    fn of_area(face: &[[f64; 2]], d: [f64; 2], area: f64) -> Self {
        let along = |p: &[f64; 2]| d[0] * p[0] + d[1] * p[1];
        let mut levels: Vec<f64> = face.iter().map(along).collect();
        levels.sort_unstable_by(|a, b| b.total_cmp(a));
        let mut left = area;
        let mut edge = levels.last().copied().unwrap_or(0.0);
        for pair in levels.windows(2) {
            let height = pair[0] - pair[1];
            if height <= 0.0 {
                continue;
            }
            // Between two levels the width is linear.
            let inside = [0.25, 0.75].map(|t| width(face, d, pair[0] - t * height));
            let slope = 2.0 * (inside[1] - inside[0]) / height;
            let top = (inside[0] - 0.25 * height * slope).max(0.0);
            let between = (top + 0.5 * slope * height) * height;
            if left < between {
                let root = (top * top + 2.0 * slope * left).max(0.0).sqrt();
                edge = pair[0] - (2.0 * left / (top + root)).min(height);
                break;
            }
            left -= between;
        }
        Self { w: -edge, d }
    }

    fn at(&self, place: &[f64; 2]) -> f64 {
        self.w + self.d[0] * place[0] + self.d[1] * place[1]
    }

    /// Integral of what is positive over a face, m³.
    fn integral(&self, face: &[[f64; 2]]) -> f64 {
        let mut part = Vec::with_capacity(face.len() + 2);
        for (a, b) in face.iter().zip(face.iter().cycle().skip(1)) {
            let [at_a, at_b] = [self.at(a), self.at(b)];
            if at_a >= 0.0 {
                part.push(*a);
            }
            if (at_a > 0.0 && at_b < 0.0) || (at_a < 0.0 && at_b > 0.0) {
                let t = at_a / (at_a - at_b);
                part.push(std::array::from_fn(|k| a[k] + t * (b[k] - a[k])));
            }
        }
        let (area, centroid) = moments(&part);
        area * self.at(&centroid)
    }
}

/// Length of the chord of a convex polygon at a level of a direction.
fn width(face: &[[f64; 2]], d: [f64; 2], level: f64) -> f64 {
    let [mut low, mut high] = [f64::INFINITY, f64::NEG_INFINITY];
    for (a, b) in face.iter().zip(face.iter().cycle().skip(1)) {
        let [at_a, at_b] = [a, b].map(|p| d[0] * p[0] + d[1] * p[1] - level);
        if (at_a > 0.0) == (at_b > 0.0) {
            continue;
        }
        let t = at_a / (at_a - at_b);
        let across = |p: &[f64; 2]| d[0] * p[1] - d[1] * p[0];
        let at = across(a) + t * (across(b) - across(a));
        (low, high) = (low.min(at), high.max(at));
    }
    (high - low).max(0.0)
}

/// Area of a convex polygon and its centroid.
fn moments(polygon: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let Some(from) = polygon.first() else {
        return (0.0, [0.0; 2]);
    };
    let (mut area, mut moment) = (0.0, [0.0; 2]);
    for pair in polygon[1..].windows(2) {
        let [a, b] = [0, 1].map(|k: usize| [pair[k][0] - from[0], pair[k][1] - from[1]]);
        let triangle = 0.5 * (a[0] * b[1] - a[1] * b[0]);
        area += triangle;
        (0..2).for_each(|k| moment[k] += triangle * (a[k] + b[k]) / 3.0);
    }
    // Either sense of turning will do.
    let centroid = if area == 0.0 {
        *from
    } else {
        [from[0] + moment[0] / area, from[1] + moment[1] / area]
    };
    (area.abs(), centroid)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(face: &[[f64; 2]], strength: f64) -> LimitCrushing {
        LimitCrushing {
            contacts: (0..face.len() as u32).collect(),
            places: face.to_vec(),
            face: face.to_vec(),
            strength,
        }
    }

    const PLATE: [[f64; 2]; 4] = [[-0.3, -0.5], [0.3, -0.5], [0.3, 0.5], [-0.3, 0.5]];

    /// Force at one place, as a joint with one contact there.
    fn pressed_at(joint: &LimitCrushing, at: [f64; 2], force: f64) -> f64 {
        let single = LimitCrushing {
            contacts: vec![0],
            places: vec![at],
            ..joint.clone()
        };
        single.excess(|_| force)
    }

    /// PGCL's stress block: a force is borne up to half of what it needs from the edge.
    #[test]
    fn bent_about_a_side_the_block_is_a_rectangle() {
        let plate = joint(&PLATE, 1e6);
        for force in [1e2, 1e4, 2e5, 5.9e5] {
            let farthest = 0.3 - 0.5 * force / 1e6;
            assert!(pressed_at(&plate, [farthest - 1e-6, 0.0], force) < 0.0);
            let beyond = pressed_at(&plate, [farthest + 1e-6, 0.0], force);
            let expected = force * 1e-6 / 0.6_f64.sqrt();
            assert!(
                (beyond / expected - 1.0).abs() < 1e-3,
                "{force}: {beyond:e} {expected:e}"
            );
        }
        assert!((pressed_at(&plate, [0.0; 2], 6.1e5) - 1e4).abs() < 1e-6);
        // All of it is pressed, and nothing is left to bear a moment.
        let expected = 6e5 * 0.1 / 0.6_f64.sqrt();
        assert!((pressed_at(&plate, [0.1, 0.0], 6e5) / expected - 1.0).abs() < 1e-9);
    }

    /// On a diagonal the block is a triangle, whose centroid is the force.
    #[test]
    fn at_a_corner_the_block_is_a_triangle() {
        let square = joint(&[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]], 2.0);
        for leg in [1e-3, 0.1, 1.0_f64] {
            let force = 2.0 * 0.5 * leg * leg;
            let inside = leg / 3.0;
            let near = pressed_at(&square, [inside * (1.0 + 1e-5); 2], force);
            assert!(near < 0.0, "{leg}: {near:e}");
            assert!(
                pressed_at(&square, [inside * (1.0 - 1e-5); 2], force) > 0.0,
                "{leg}"
            );
        }
    }

    /// Resultants of random stresses between zero and the strength are borne, those of a stress block exactly.
    #[test]
    fn resultants_of_admissible_stresses_are_borne() {
        let face = [[0.0, 0.0], [1.2, -0.2], [1.7, 0.6], [0.8, 1.1], [0.1, 0.7]];
        let joint = joint(&face, 3.0);
        let whole = joint.whole();
        let mut state = 7_u64;
        let mut random = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        for _ in 0..200 {
            let angle = std::f64::consts::TAU * random();
            let area = joint.area() * (0.01 + 0.98 * random());
            let block = Block::of_area(&face, [angle.cos(), angle.sin()], area);
            // First moment of the block, by differences of its integral.
            let at = |d: [f64; 2]| Block { w: block.w, d }.integral(&face);
            let step = 1e-6;
            let moment: [f64; 2] = std::array::from_fn(|k| {
                let mut both = [block.d; 2];
                both[0][k] += step;
                both[1][k] -= step;
                (at(both[0]) - at(both[1])) / (2.0 * step)
            });
            let centre = moment.map(|x| x / area);
            let excess = pressed_at(&joint, centre, 3.0 * area) / whole;
            assert!(excess.abs() < 1e-7, "{excess:e}");
            // Farther out in its direction it is not.
            let out = [centre[0] + 1e-3 * block.d[0], centre[1] + 1e-3 * block.d[1]];
            let more = pressed_at(&joint, out, 3.0 * area);
            let expected = 3.0 * area * 1e-3 / joint.area().sqrt();
            assert!(
                (more / expected - 1.0).abs() < 0.02,
                "{more:e} {expected:e}"
            );
        }
    }
}
