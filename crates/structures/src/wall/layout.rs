//! Walls whose courses follow from a bond.

use super::super::courses::{
    Cell, Generator, Outline, Range, Slopes, lattice, plain, random, without,
};
use super::super::dimensions::Dimensions;
use super::super::openings::{self, Courses, Cut};
use super::random::{RandomBond, Runs, Shortfall};
use super::{Bond, Wall};

/// How the runs of a course are divided.
pub(in super::super) enum Rule<'a> {
    /// At the points of a lattice: pitch in metres, shift in pitches.
    Lattice(f64, f64),
    /// Anyhow, given a run and the joints below.
    Free(&'a mut Divide<'a>),
}

/// Divides a run, given the joints below.
pub(super) type Divide<'a> = dyn FnMut([f64; 2], &[f64]) -> Vec<f64> + 'a;

/// The runs of masonry in a course, each the ends of its blocks; `below` are joints of the course below. Tips under a slope
/// that are shorter than `least` at half height are left out.
pub(in super::super) fn division(
    outline: &Outline,
    taken: &[[f64; 2]],
    least: f64,
    below: &[f64],
    rule: &mut Rule<'_>,
) -> Vec<Vec<f64>> {
    let mut taken = taken.to_vec();
    taken.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (bottom, middle) = (outline.bottom, outline.middle());
    // What other walls take may end within a slope; the course then begins there, and not where the slope would have it.
    let runs = without(&[bottom], &taken, 1e-6 * least);
    let runs = runs.into_iter().filter_map(|[start, end]| {
        let from = if start == bottom[0] { middle[0] } else { start };
        let to = if end == bottom[1] { middle[1] } else { end };
        let tip = [from, to] != [start, end] && to - from < least * (1.0 - 1e-6);
        (!tip).then_some([from, to])
    });
    runs.map(|run| {
        let mut ends = match rule {
            Rule::Lattice(pitch, shift) => lattice(run, *pitch, *shift, least),
            Rule::Free(divide) => divide(run, below),
        };
        if !outline.is_rectangle() {
            outline.snap(&mut ends, 0.2 * least);
        }
        ends
    })
    .collect()
}

/// Polygons of the blocks of a course from left to right.
pub(in super::super) fn elevation(outline: &Outline, runs: &[Vec<f64>]) -> Vec<Vec<[f64; 2]>> {
    runs.iter()
        .flat_map(|ends| ends.windows(2))
        .map(|pair| outline.polygon(pair[0], pair[1]))
        .collect()
}

impl Wall {
    /// The blocks of a wall given by length, height and bond.
    pub(super) fn bonded(&self, checks: &mut Dimensions) -> Vec<Cell> {
        self.bonded_if_sound(checks).unwrap_or_default()
    }

    fn bonded_if_sound(&self, checks: &mut Dimensions) -> Option<Vec<Cell>> {
        self.misplaced(checks);
        let length = checks.required("length", self.length, "the length of the wall, m");
        let block = self.block(checks);
        let length = length.filter(|&length| checks.positive("length", length));
        if let Some(overlap) = self.overlap
            && !(0.0..1.0).contains(&overlap)
        {
            checks.refuse(
                "overlap",
                format!("{overlap}"),
                "a fraction of a block from 0 to less than 1",
            );
        }
        let ([length], [pitch, course]) = ([length?], block?);
        let least = self.min_length.unwrap_or(0.2 * pitch);
        checks.positive("min_length", least);
        if least > 0.5 * pitch * (1.0 + 1e-9) {
            checks.refuse(
                "min_length",
                format!("{least} m"),
                format!("at most half a block, {} m", plain(0.5 * pitch)),
            );
        }
        let mut generator = Generator::new(u64::from(self.seed()));
        let (levels, eaves) = self.levels(course, &mut generator, checks)?;
        let shortest = match self.bond() {
            Bond::Running | Bond::Stack => pitch,
            Bond::Header | Bond::English => 0.5 * pitch,
            Bond::Random => self.block_lengths.map_or(0.75 * pitch, |[min, _]| min),
        };
        let pieces = (length / shortest + 1.0) * (levels.len() - 1) as f64;
        if !self.bounded("length", pieces, checks) || !checks.fit() {
            return None;
        }
        if length < least {
            checks.refuse(
                "length",
                format!("{length} m"),
                format!("at least {} m, the shortest piece", plain(least)),
            );
            return None;
        }
        let outlines = self.outlines(length, &levels, eaves, least, checks)?;
        let levels = &levels[..=outlines.len()];
        let courses = Courses {
            levels,
            outlines: &outlines,
            block: [pitch, course],
            least,
            start: 0.0,
            sign: 1.0,
        };
        let cuts = openings::cuts(
            &self.openings,
            &courses,
            &|index| format!("openings[{index}]"),
            checks,
        );
        if !checks.fit() {
            return None;
        }
        let sizes = [pitch, least];
        let (cells, shortfalls) = self.laid(&outlines, eaves, cuts, sizes, &mut generator);
        self.tell(&shortfalls, self.random(pitch), checks);
        Some(cells)
    }

    fn laid(
        &self,
        outlines: &[Outline],
        eaves: usize,
        cuts: Vec<Cut>,
        [pitch, least]: [f64; 2],
        generator: &mut Generator,
    ) -> (Vec<Cell>, Vec<Shortfall>) {
        let joints = |course: usize| {
            cuts.iter()
                .flat_map(|cut| &cut.joints)
                .filter(move |(number, _)| *number == course)
                .map(|(_, joint)| *joint)
        };
        let taken: Vec<Vec<[f64; 2]>> = (0..outlines.len())
            .map(|course| {
                cuts.iter()
                    .flat_map(|cut| &cut.voids)
                    .filter(|(number, _)| *number == course)
                    .map(|(_, stretch)| *stretch)
                    .collect()
            })
            .collect();
        let lay = |course: usize, rule: &mut Rule<'_>, below: &[f64]| {
            division(&outlines[course], &taken[course], least, below, rule)
        };
        let draw = |course: usize, done: &[Runs], divide: &mut Divide<'_>| {
            let mut below = done.last().map(|last| last.concat()).unwrap_or_default();
            below.extend(joints(course));
            below.sort_by(f64::total_cmp);
            let runs = lay(course, &mut Rule::Free(divide), &below);
            (runs, below)
        };
        let (lengths, overlap) = self.random(pitch);
        let mut random = RandomBond::new(lengths, least, overlap, outlines.len());
        let mut done: Vec<Runs> = Vec::with_capacity(outlines.len());
        for course in 0..outlines.len() {
            let runs = match self.lattice(course, pitch) {
                Some((pitch, shift)) => lay(course, &mut Rule::Lattice(pitch, shift), &[]),
                None => random.course(course, &mut done, &draw, generator),
            };
            done.push(runs);
        }
        let mut cells = Vec::new();
        for (course, (outline, runs)) in outlines.iter().zip(&done).enumerate() {
            let group = (course >= eaves).then_some("gable");
            cells.extend(self.cells(course, elevation(outline, runs), group));
        }
        cells.extend(cuts.into_iter().flat_map(|cut| cut.cells));
        (cells, random.shortfalls)
    }

    /// Lengths and least overlap of random blocks, m.
    fn random(&self, pitch: f64) -> (Range, f64) {
        let [min, max] = self.block_lengths.unwrap_or([0.75 * pitch, 1.5 * pitch]);
        let overlap = self.min_overlap.unwrap_or(0.25 * pitch);
        (Range { min, max }, overlap)
    }

    /// Refuses a wall that can't keep the overlap its file asks for; notes what else a random wall does not keep.
    fn tell(
        &self,
        shortfalls: &[Shortfall],
        (Range { min, max }, overlap): (Range, f64),
        checks: &mut Dimensions,
    ) {
        let courses = |found: &[(usize, f64)]| match found {
            [(course, _)] => format!("course {}", course + 1),
            _ => format!("{} courses, the first is {}", found.len(), found[0].0 + 1),
        };
        let gather = |of: fn(&Shortfall) -> Option<f64>| -> Vec<(usize, f64)> {
            let mut found: Vec<(usize, f64)> = shortfalls
                .iter()
                .filter_map(|short| Some((short.course, of(short)?)))
                .collect();
            found.sort_by_key(|(course, _)| *course);
            found
        };
        let near = gather(|short| short.overlap);
        if let Some((_, least)) = near.iter().min_by(|a, b| a.1.total_cmp(&b.1)) {
            let reached = plain((least * 1e3).floor() * 1e-3);
            let what = format!(
                "blocks of {} to {} m don't keep a distance of {} m from the joints below, only {reached} m ({})",
                plain(min),
                plain(max),
                plain(overlap),
                courses(&near)
            );
            if self.min_overlap.is_some() {
                let help = format!(
                    "at most {reached} m, a wider range of `block_lengths`, a smaller `min_length`, or another `seed`"
                );
                checks.refuse("min_overlap", what, help);
            } else {
                checks.note(what);
            }
        }
        let odd = gather(|short| short.length);
        if let Some((_, length)) = odd.first() {
            checks.note(format!(
                "a stretch can't be divided into blocks of {} to {} m: one is {:.3} m long ({})",
                plain(min),
                plain(max),
                length,
                courses(&odd)
            ));
        }
    }

    /// Pitch and shift of a course; nothing if it is random.
    fn lattice(&self, course: usize, pitch: f64) -> Option<(f64, f64)> {
        let shifted = !course.is_multiple_of(2);
        let shift = if shifted { self.overlap() } else { 0.0 };
        match self.bond() {
            Bond::Running => Some((pitch, shift)),
            Bond::Stack => Some((pitch, 0.0)),
            Bond::Header => Some((0.5 * pitch, shift)),
            // Headers are half as long as stretchers and break with them by a quarter.
            Bond::English if shifted => Some((0.5 * pitch, 0.5)),
            Bond::English => Some((pitch, 0.0)),
            Bond::Random => None,
        }
    }

    /// Levels of all beds, and the number of courses below the eaves.
    fn levels(
        &self,
        course: f64,
        generator: &mut Generator,
        checks: &mut Dimensions,
    ) -> Option<(Vec<f64>, usize)> {
        let gable = self.gable.as_ref().map(|gable| gable.height);
        if let Some(height) = gable
            && !checks.positive("gable.height", height)
        {
            return None;
        }
        if let Some([min, max]) = self.course_heights {
            let height = self.height?;
            if min.is_nan() || min <= 0.0 {
                return None;
            }
            if !checks.positive("height", height) {
                return None;
            }
            if !self.bounded(
                "course_heights",
                (height + gable.unwrap_or(0.0)) / min,
                checks,
            ) {
                return None;
            }
            let tip = height + gable.unwrap_or(0.0);
            let mut fixed = openings::levels(&self.openings, course);
            fixed.extend([0.0, height, tip]);
            fixed.retain(|level| (0.0..=tip).contains(level));
            fixed.sort_by(f64::total_cmp);
            // Levels that openings share up to rounding are one.
            fixed.dedup_by(|b, a| *b - *a < 1e-6 * course);
            let mut levels = vec![0.0];
            let slack = 1e-6 * max;
            for pair in fixed.windows(2) {
                let (bay, range) = ([pair[0], pair[1]], Range { min, max });
                let beds = random(bay, range, min, &[], 0.0, generator);
                let fits = |height: f64| (min - slack..=max + slack).contains(&height);
                if beds.windows(2).all(|bed| fits(bed[1] - bed[0])) {
                    levels.extend(&beds[1..]);
                    continue;
                }
                let tall = pair[1] - pair[0];
                let count = equal_courses(tall, range);
                let each = tall / count as f64;
                levels.extend((1..count).map(|k| pair[0] + each * k as f64));
                levels.push(pair[1]);
                if !fits(each) {
                    checks.note(format!(
                        "a height of {tall:.3} m can't be divided into courses of {} to {} m: courses from {:.3} m up are {each:.3} m high ({count})",
                        plain(min),
                        plain(max),
                        pair[0],
                    ));
                }
            }
            let eaves = levels.partition_point(|&level| level < height - 1e-6 * course);
            return Some((levels, eaves));
        }
        let eaves = match (self.courses, self.height) {
            (None, Some(height)) => checks
                .positive("height", height)
                .then(|| checks.whole("height", height, course, "courses"))
                .flatten(),
            (Some(0), None) => {
                checks.refuse("courses", "0 courses", "at least one");
                None
            }
            (Some(courses), None) => Some(courses),
            (Some(_), Some(_)) => {
                checks.refuse(
                    "courses",
                    "both courses and height are given",
                    "leave one of them out",
                );
                None
            }
            (None, None) => None,
        };
        let above = gable.map(|height| checks.whole("gable.height", height, course, "courses"));
        let total = eaves?.saturating_add(above.unwrap_or(Some(0))?);
        if !checks.bounded("courses", f64::from(total)) {
            return None;
        }
        let levels = (0..=total).map(|level| f64::from(level) * course).collect();
        Some((levels, eaves? as usize))
    }

    /// Outlines of all courses. A tip that is too small is left out.
    fn outlines(
        &self,
        length: f64,
        levels: &[f64],
        eaves: usize,
        least: f64,
        checks: &mut Dimensions,
    ) -> Option<Vec<Outline>> {
        let slopes = match &self.gable {
            Some(gable) => Some(slopes(
                gable,
                [0.0, length],
                [levels[eaves], *levels.last()?],
                "gable.width",
                checks,
            )?),
            None => None,
        };
        let mut outlines = Vec::with_capacity(levels.len() - 1);
        for (course, pair) in levels.windows(2).enumerate() {
            let z = [pair[0], pair[1]];
            let outline = match &slopes {
                Some(slopes) if course >= eaves => slopes.outline(z),
                _ => Outline::rectangle([0.0, length], z),
            };
            let [from, to] = outline.middle();
            if course < eaves || to - from >= least {
                outlines.push(outline);
            }
        }
        Some(outlines)
    }

    /// Keys that belong to another kind of wall.
    fn misplaced(&self, checks: &mut Dimensions) {
        if self.courses.is_none() && self.height.is_none() {
            checks.refuse(
                "height",
                "it is missing",
                "the height of the wall, m, or its number of `courses`",
            );
        }
        let random = self.bond == Some(Bond::Random);
        for (key, given) in [
            ("seed", self.seed.is_some()),
            ("block_lengths", self.block_lengths.is_some()),
            ("course_heights", self.course_heights.is_some()),
            ("min_overlap", self.min_overlap.is_some()),
        ] {
            if given && !random {
                checks.refuse(
                    key,
                    "the bond is not random",
                    "leave it out, or bond = \"random\"",
                );
            }
        }
        for (key, range) in [
            ("block_lengths", self.block_lengths),
            ("course_heights", self.course_heights),
        ] {
            if let Some([min, max]) = range
                && !(min > 0.0 && max >= min && max.is_finite())
            {
                checks.refuse(
                    key,
                    format!("from {min} to {max} m"),
                    "[least, largest], both greater than zero",
                );
            }
        }
        if let Some(overlap) = self.min_overlap {
            checks.not_negative("min_overlap", overlap);
        }
        if self.overlap.is_some() && !matches!(self.bond(), Bond::Running | Bond::Header) {
            checks.refuse(
                "overlap",
                "the bond has its own",
                "leave it out; it is for running and header bonds",
            );
        }
        for (key, given) in [
            ("levels", !self.levels.is_empty()),
            ("lintels", !self.lintels.is_empty()),
        ] {
            if given {
                checks.refuse(
                    key,
                    "it goes with `pattern` or `joints`",
                    "leave it out, or give exact courses",
                );
            }
        }
        if self.courses.is_some() && self.course_heights.is_some() {
            checks.refuse(
                "courses",
                "courses are of random height",
                "give the height of the wall instead",
            );
        }
    }
}

/// The number of equal courses whose height is in a range, or as near to it as can be.
fn equal_courses(height: f64, range: Range) -> usize {
    let few = (height / range.max - 1e-6).ceil().max(1.0);
    // One less makes courses taller than the range, but those of `few` may be below it by more.
    let excess = |count: f64| (height / count / range.max).max(range.min * count / height);
    let fewer = (few - 1.0).max(1.0);
    let best = if excess(fewer) < excess(few) {
        fewer
    } else {
        few
    };
    best as usize
}

/// The triangle of a gable in the middle of a wall.
pub(in super::super) fn slopes(
    gable: &super::Gable,
    [from, to]: [f64; 2],
    z: [f64; 2],
    key: &str,
    checks: &mut Dimensions,
) -> Option<Slopes> {
    let feet = match gable.width {
        None => [from, to],
        Some(width) => {
            if !checks.positive(key, width) {
                return None;
            }
            if width > (to - from) * (1.0 + 1e-9) {
                checks.refuse(
                    key,
                    format!("a gable of {width} m"),
                    format!("at most as wide as the wall, {} m", plain(to - from)),
                );
                return None;
            }
            let middle = 0.5 * (from + to);
            [middle - 0.5 * width, middle + 0.5 * width]
        }
    };
    Some(Slopes {
        feet,
        z,
        stepped: gable.stepped,
    })
}
