//! Walls whose courses are given exactly: in letters, or as lists of joints.

use super::super::courses::{Cell, Outline, plain, without};
use super::super::dimensions::Dimensions;
use super::{Lintel, Wall, elevation};

/// The exact courses of a wall, repeated from the first if there are more courses than are given.
pub(in super::super) struct Explicit {
    courses: Vec<Vec<Vec<f64>>>,
}

impl Explicit {
    /// Courses as lists of joints; `key` comes before the keys of those that are wrong.
    pub fn new(joints: &[Vec<Vec<f64>>], key: &str, checks: &mut Dimensions) -> Self {
        for (course, runs) in joints.iter().enumerate() {
            let mut last = f64::NEG_INFINITY;
            for (run, ends) in runs.iter().enumerate() {
                let at = format!("{key}joints[{course}][{run}]");
                if ends.len() < 2 {
                    checks.refuse(
                        at,
                        "a run of masonry has two ends at least",
                        "e.g. [0, 0.4, 0.8] for two blocks",
                    );
                    continue;
                }
                let rises = ends.windows(2).all(|pair| pair[0] < pair[1]);
                if !rises || ends[0] < last {
                    checks.refuse(
                        at,
                        "the ends of blocks do not follow each other",
                        "ascending numbers, run after run",
                    );
                }
                last = ends[ends.len() - 1];
            }
        }
        Self {
            courses: joints.to_vec(),
        }
    }

    /// Courses that were checked already.
    pub fn unchecked(courses: Vec<Vec<Vec<f64>>>) -> Self {
        Self { courses }
    }

    /// The runs of a course, from 0.
    pub fn course(&self, number: usize) -> &[Vec<f64>] {
        &self.courses[number % self.courses.len()]
    }

    /// How many are given.
    pub fn len(&self) -> usize {
        self.courses.len()
    }

    /// From where to where the courses reach.
    pub fn extent(&self) -> [f64; 2] {
        let ends = || self.courses.iter().flatten().flatten().copied();
        [
            ends().fold(f64::INFINITY, f64::min),
            ends().fold(f64::NEG_INFINITY, f64::max),
        ]
    }
}

/// Courses in letters: counts of quarter blocks, so that joints of neighbouring courses are in line exactly.
fn letters(pattern: &[String], length: f64, checks: &mut Dimensions) -> Vec<Vec<Vec<f64>>> {
    let mut widths: Vec<u32> = Vec::new();
    let mut courses = Vec::new();
    for (index, text) in pattern.iter().enumerate() {
        let mut at = 0;
        let mut runs: Vec<Vec<f64>> = Vec::new();
        let mut open = false;
        let place = |quarters: u32| f64::from(quarters) * 0.25 * length;
        for letter in text.chars() {
            let (quarters, solid) = match letter {
                'h' => (2, true),
                'q' => (1, true),
                'o' => (4, false),
                '.' => (2, false),
                digit @ '1'..='9' => (4 * digit.to_digit(10).unwrap_or(1), true),
                other => {
                    checks.refuse(
                        format!("pattern[{index}]"),
                        format!("the letter `{other}`"),
                        "1 to 9, h for half a block, q for a quarter, o for an opening of one block, . for one of half a block",
                    );
                    (4, true)
                }
            };
            if solid {
                if !open {
                    runs.push(vec![place(at)]);
                }
                if let Some(run) = runs.last_mut() {
                    run.push(place(at + quarters));
                }
            }
            open = solid;
            at += quarters;
        }
        widths.push(at);
        courses.push(runs);
    }
    let widest = widths.iter().max().copied().unwrap_or(0);
    for (index, &width) in widths.iter().enumerate() {
        if width != widest {
            checks.refuse(
                format!("pattern[{index}]"),
                format!(
                    "it is {} blocks long, and the longest course {}",
                    f64::from(width) / 4.0,
                    f64::from(widest) / 4.0
                ),
                "courses of equal length; o leaves room",
            );
        }
    }
    courses
}

/// Lintels in courses with these levels; `runs` tells the masonry of a course, which must have left room.
pub(in super::super) fn lintel_cells(
    lintels: &[Lintel],
    levels: &[f64],
    key: &str,
    runs: &dyn Fn(usize) -> Vec<[f64; 2]>,
    checks: &mut Dimensions,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for (index, lintel) in lintels.iter().enumerate() {
        let at = format!("{key}lintels[{index}]");
        let (first, count) = (lintel.course as usize, lintel.courses() as usize);
        let total = levels.len() - 1;
        if first == 0 || count == 0 || first + count > total + 1 {
            checks.refuse(
                format!("{at}.course"),
                format!("{count} courses from course {first}"),
                format!("courses from 1 to {total}"),
            );
            continue;
        }
        let length = lintel.to - lintel.from;
        if !checks.positive(format!("{at}.to"), length) {
            continue;
        }
        let beds = [levels[first - 1], levels[first - 1 + count]];
        let full = (first - 1..first - 1 + count).find(|&course| {
            let left = without(&[[lintel.from, lintel.to]], &runs(course), 0.0);
            let free: f64 = left.iter().map(|[from, to]| to - from).sum();
            free < length * (1.0 - 1e-6)
        });
        if let Some(course) = full {
            checks.refuse(
                at,
                format!(
                    "from {} to {} m there are other blocks in course {}",
                    plain(lintel.from),
                    plain(lintel.to),
                    course + 1
                ),
                "leave room for the lintel in its courses",
            );
            continue;
        }
        let mut cell = Cell::rectangle(
            format!("lintel{}", index + 1),
            [lintel.from, lintel.to],
            beds,
        );
        cell.group = Some("lintel");
        cells.push(cell);
    }
    cells
}

impl Wall {
    /// The blocks of a wall whose courses are given exactly.
    pub(super) fn exact(&self, checks: &mut Dimensions) -> Vec<Cell> {
        self.exact_if_sound(checks).unwrap_or_default()
    }

    fn exact_if_sound(&self, checks: &mut Dimensions) -> Option<Vec<Cell>> {
        for (key, given) in [
            ("length", self.length.is_some()),
            ("height", self.height.is_some()),
            ("bond", self.bond.is_some()),
            ("overlap", self.overlap.is_some()),
            ("min_length", self.min_length.is_some()),
            ("seed", self.seed.is_some()),
            ("block_lengths", self.block_lengths.is_some()),
            ("course_heights", self.course_heights.is_some()),
            ("min_overlap", self.min_overlap.is_some()),
            ("openings", !self.openings.is_empty()),
            ("gable", self.gable.is_some()),
        ] {
            if given {
                checks.refuse(
                    key,
                    "the courses are given exactly",
                    "leave it out, or `pattern` and `joints`",
                );
            }
        }
        if !self.pattern.is_empty() && !self.joints.is_empty() {
            checks.refuse(
                "pattern",
                "both pattern and joints are given",
                "leave one of them out",
            );
        }
        let explicit = if self.pattern.is_empty() {
            Explicit::new(&self.joints, "", checks)
        } else {
            let [length, _] = self.block(checks)?;
            Explicit::unchecked(letters(&self.pattern, length, checks))
        };
        let levels = self.exact_levels(explicit.len(), checks)?;
        let total: usize = (0..levels.len() - 1)
            .map(|course| explicit.course(course).iter().map(Vec::len).sum::<usize>())
            .sum();
        if !self.bounded("courses", total as f64, checks) || !checks.fit() {
            return None;
        }
        let mut cells = Vec::new();
        for (course, pair) in levels.windows(2).enumerate() {
            let outline = Outline::rectangle(explicit.extent(), [pair[0], pair[1]]);
            cells.extend(self.cells(course, elevation(&outline, explicit.course(course)), None));
        }
        let runs = |course: usize| runs(explicit.course(course));
        cells.extend(lintel_cells(&self.lintels, &levels, "", &runs, checks));
        Some(cells)
    }

    fn exact_levels(&self, given: usize, checks: &mut Dimensions) -> Option<Vec<f64>> {
        let courses = self.courses.unwrap_or(given as u32);
        if courses == 0 || !self.bounded("courses", f64::from(courses), checks) {
            if courses == 0 {
                checks.refuse("courses", "0 courses", "at least one");
            }
            return None;
        }
        if self.levels.is_empty() {
            let [_, height] = self.block(checks)?;
            return Some(
                (0..=courses)
                    .map(|level| f64::from(level) * height)
                    .collect(),
            );
        }
        if self.levels.len() != courses as usize + 1 {
            checks.refuse(
                "levels",
                format!("{} levels", self.levels.len()),
                format!(
                    "{} for {courses} courses: those of all beds, and the top",
                    courses + 1
                ),
            );
            return None;
        }
        if !self.levels.windows(2).all(|pair| pair[0] < pair[1]) {
            checks.refuse("levels", "they do not ascend", "ascending numbers, m");
            return None;
        }
        Some(self.levels.clone())
    }
}

/// From where to where the runs of a course go.
pub(in super::super) fn runs(course: &[Vec<f64>]) -> Vec<[f64; 2]> {
    course
        .iter()
        .filter_map(|ends| Some([*ends.first()?, *ends.last()?]))
        .collect()
}
