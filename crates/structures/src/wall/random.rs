//! Courses of random blocks, drawn again where they don't keep what was promised.

use super::super::courses::{Generator, Range, distance, random};
use super::layout::Divide;

/// The runs of masonry in a course, each the ends of its blocks.
pub(super) type Runs = Vec<Vec<f64>>;

/// How often the course below is drawn again for the sake of one course, and how many times in all per course of a wall: where
/// it is possible at all, a few draws do, and a wall where it is impossible takes only a few times longer.
const REDRAWN: usize = 32;
const REDRAWN_ON_AVERAGE: usize = 4;

/// What a course does not keep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Shortfall {
    /// From 0.
    pub course: usize,
    /// Least distance of a joint from those below, m, where it is less than it should be.
    pub overlap: Option<f64>,
    /// A length that is too short or too long, m.
    pub length: Option<f64>,
}

impl Shortfall {
    /// What is worse: the nearer joint, then the odd length.
    fn badness(&self) -> (f64, bool) {
        let nearness = self.overlap.map_or(f64::NEG_INFINITY, |overlap| -overlap);
        (nearness, self.length.is_some())
    }
}

/// Divides the runs of a course, given those that are done and how to divide one; also tells the joints below.
pub(super) type Lay<'l> =
    dyn for<'d> Fn(usize, &[Runs], &'d mut Divide<'d>) -> (Runs, Vec<f64>) + 'l;

/// Draws courses one after the other from below.
pub(super) struct RandomBond {
    pub lengths: Range,
    /// Shortest piece at an end or a jamb, m.
    pub least: f64,
    /// Least distance of a joint from those below, m.
    pub overlap: f64,
    /// Courses that don't keep these.
    pub shortfalls: Vec<Shortfall>,
    redraws: usize,
}

impl RandomBond {
    pub fn new(lengths: Range, least: f64, overlap: f64, courses: usize) -> Self {
        Self {
            lengths,
            least,
            overlap,
            shortfalls: Vec::new(),
            redraws: REDRAWN + courses * REDRAWN_ON_AVERAGE,
        }
    }

    /// A course on those that are done, the last of which may be drawn again.
    pub fn course(
        &mut self,
        course: usize,
        done: &mut [Runs],
        lay: &Lay<'_>,
        generator: &mut Generator,
    ) -> Runs {
        let (mut runs, mut found) = self.draw(course, done, lay, generator);
        for _ in 0..REDRAWN {
            let (Some(worst), Some(last)) = (found, course.checked_sub(1)) else {
                break;
            };
            if self.redraws == 0 {
                break;
            }
            self.redraws -= 1;
            let before = self.fault_of(last);
            let (redrawn, below) = self.draw(last, &done[..last], lay, generator);
            if badness(below) > badness(before) {
                continue;
            }
            let kept = std::mem::replace(&mut done[last], redrawn);
            let (again, better) = self.draw(course, done, lay, generator);
            if badness(better) < worst.badness() {
                (runs, found) = (again, better);
                self.shortfalls.retain(|short| short.course != last);
                self.shortfalls.extend(below);
            } else {
                done[last] = kept;
            }
        }
        self.shortfalls.extend(found);
        runs
    }

    fn fault_of(&self, course: usize) -> Option<Shortfall> {
        let of = |short: &&Shortfall| short.course == course;
        self.shortfalls.iter().find(of).copied()
    }

    fn draw(
        &self,
        course: usize,
        done: &[Runs],
        lay: &Lay<'_>,
        generator: &mut Generator,
    ) -> (Runs, Option<Shortfall>) {
        let mut divide = |run: [f64; 2], below: &[f64]| {
            random(
                run,
                self.lengths,
                self.least,
                below,
                self.overlap,
                generator,
            )
        };
        let (runs, below) = lay(course, done, &mut divide);
        let found = self.judge(course, &runs, &below);
        (runs, found)
    }

    /// What a course does not keep. Judged by its joints as they are, whoever made them.
    fn judge(&self, course: usize, runs: &[Vec<f64>], below: &[f64]) -> Option<Shortfall> {
        let inner = |ends: &Vec<f64>| 1..ends.len().saturating_sub(1);
        let nearest = runs
            .iter()
            .flat_map(|ends| &ends[inner(ends)])
            .map(|&joint| distance(below, joint))
            .fold(f64::INFINITY, f64::min);
        let Range { min, max } = self.lengths;
        let odd = |ends: &Vec<f64>| {
            let last = ends.len().saturating_sub(2);
            let lengths = ends.windows(2).map(|pair| pair[1] - pair[0]);
            let mut lengths = lengths.enumerate();
            let odd = lengths.find(|&(i, length)| {
                let shortest = if i == 0 || i == last { self.least } else { min };
                // A run that is too short for anything else is one block.
                last > 0 && length < shortest * (1.0 - 1e-6) || length > max * (1.0 + 1e-6)
            });
            odd.map(|(_, length)| length)
        };
        let short = Shortfall {
            course,
            overlap: (nearest < self.overlap * (1.0 - 1e-6)).then_some(nearest),
            length: runs.iter().find_map(odd),
        };
        (short.overlap.is_some() || short.length.is_some()).then_some(short)
    }
}

/// Of a course that keeps everything: better than any other.
fn badness(short: Option<Shortfall>) -> (f64, bool) {
    short.map_or((f64::NEG_INFINITY, false), |short| short.badness())
}
