//! Doors and windows: what they take out of the courses of a wall, and what spans them.

mod arch;

use drystone_keys::{keys, words};

use super::courses::{Cell, Outline, TINY, plain};
use super::dimensions::Dimensions;

keys! {
    /// A door or a window in a wall. Its sill and its head lie in bed joints.
    pub struct Opening {
        /// Comes before the names of its lintel or voussoirs, with a dot.
        name: String { optional, otherwise: "`opening1` and so on" },
        /// Distance of its left jamb from the start of the wall.
        at: f64 { optional, unit: "m", otherwise: "in the middle of the wall" },
        /// Level of the sill.
        /// At 0 it is a door.
        sill: f64 { optional, unit: "m", default: 0.0 },
        /// Clear width.
        width: f64 { required, unit: "m", above: 0.0 },
        /// Height of the jambs.
        /// An arch rises above it.
        height: f64 { required, unit: "m", above: 0.0 },
        /// What spans it.
        top: OpeningTop { optional, default: OpeningTop::Lintel },
        /// How far a lintel rests on the masonry at each side.
        bearing: f64 { optional, unit: "m", above: 0.0, otherwise: "half a block" },
        /// Height of a lintel, m: whole courses.
        lintel_height: f64 { optional, unit: "m", above: 0.0, otherwise: "one course" },
        /// Rise of an arch.
        /// Less makes a segmental arch.
        rise: f64 { optional, unit: "m", above: 0.0, otherwise: "half the width, a semicircle" },
        /// Least thickness of the ring of an arch.
        /// The ring is as much thicker as it takes to end in a bed joint at the crown.
        ring: f64 { optional, unit: "m", above: 0.0, otherwise: "one course" },
        /// About how long a voussoir is along the intrados.
        /// There are five at least.
        voussoir: f64 { optional, unit: "m", above: 0.0, otherwise: "one course" },
        /// How far each course of a corbelled top reaches beyond the one below.
        step: f64 { optional, unit: "m", above: 0.0, otherwise: "a quarter of a block" },
    }
}

words! {
    /// What spans an opening.
    pub enum OpeningTop = Lintel {
        /// One block of the whole thickness, with bearings at both sides.
        Lintel = "lintel",
        /// A ring of voussoirs, semicircular or segmental. Outside they are dressed to the courses: level tops, vertical sides.
        Arch = "arch",
        /// Courses that come nearer to each other until they meet.
        Corbel = "corbel",
        /// Nothing: the courses above run on, or there are none.
        None = "none",
    }
}

/// The flattest arch, as a fraction of its width: less has no thrust that masonry beside it could bear.
const FLATTEST: f64 = 0.02;

/// The shortest voussoir, as a fraction of the width: more than a few hundred in an arch are a slip of the pen.
const SHORTEST_VOUSSOIR: f64 = 0.005;

/// The courses of a wall as openings see them.
pub(super) struct Courses<'a> {
    /// Levels of all beds, m, ascending.
    pub levels: &'a [f64],
    /// Outline of every course.
    pub outlines: &'a [Outline],
    /// Length of a block and height of a course, m.
    pub block: [f64; 2],
    /// Pieces between openings must not be shorter, m.
    pub least: f64,
    /// Start of the wall along its axis, and +1 or -1 if lengths grow or shrink along it.
    pub start: f64,
    pub sign: f64,
}

/// What an opening takes out of the courses and what it puts there.
#[derive(Debug, Default)]
pub(super) struct Cut {
    /// Stretches without ordinary blocks, by course.
    pub voids: Vec<(usize, [f64; 2])>,
    /// Lintels and voussoirs.
    pub cells: Vec<Cell>,
    /// Ends of those, by the course below which they count as joints.
    pub joints: Vec<(usize, f64)>,
}

/// Levels that a wall must have for its openings, besides the ground and its top.
pub(super) fn levels(openings: &[Opening], course: f64) -> Vec<f64> {
    let mut levels = Vec::new();
    for opening in openings {
        let sill = opening.sill();
        let head = sill + opening.height;
        levels.extend([sill, head]);
        match opening.top() {
            OpeningTop::Lintel => levels.push(head + opening.lintel_height.unwrap_or(course)),
            OpeningTop::Arch => {
                let rise = opening.rise.unwrap_or(0.5 * opening.width);
                levels.push(head + rise + opening.ring.unwrap_or(course));
            }
            OpeningTop::Corbel | OpeningTop::None => {}
        }
    }
    levels
}

/// What all openings of a wall take out and put in; `key` tells by which key of the structure an opening is given.
pub(super) fn cuts(
    openings: &[Opening],
    courses: &Courses<'_>,
    key: &dyn Fn(usize) -> String,
    checks: &mut Dimensions,
) -> Vec<Cut> {
    let mut cuts: Vec<Cut> = Vec::new();
    for (index, opening) in openings.iter().enumerate() {
        let one = One {
            opening,
            courses,
            key: key(index),
            name: opening
                .name
                .clone()
                .unwrap_or_else(|| format!("opening{}", index + 1)),
        };
        if let Some(cut) = one.cut(checks) {
            let clash = cuts
                .iter()
                .position(|other| meets(other, &cut, courses.least));
            if let Some(other) = clash {
                checks.refuse(
                    one.key.clone(),
                    format!(
                        "it or its top meets {}, or leaves less than {} m between",
                        key(other),
                        plain(courses.least)
                    ),
                    "move them apart",
                );
            }
            one.within(&cut, checks);
            cuts.push(cut);
        } else {
            cuts.push(Cut::default());
        }
    }
    cuts
}

fn meets(a: &Cut, b: &Cut, least: f64) -> bool {
    let near = least * (1.0 - 1e-6);
    a.voids.iter().any(|(course, [from, to])| {
        b.voids.iter().any(|(other, [start, end])| {
            course == other && *from < end + near && *start < to + near
        })
    })
}

struct One<'a> {
    opening: &'a Opening,
    courses: &'a Courses<'a>,
    key: String,
    name: String,
}

impl One<'_> {
    fn cut(&self, checks: &mut Dimensions) -> Option<Cut> {
        let opening = self.opening;
        let mut right = true;
        for (key, value) in [
            ("width", Some(opening.width)),
            ("height", Some(opening.height)),
            ("bearing", opening.bearing),
            ("lintel_height", opening.lintel_height),
            ("rise", opening.rise),
            ("ring", opening.ring),
            ("voussoir", opening.voussoir),
            ("step", opening.step),
        ] {
            if let Some(value) = value {
                right &= checks.positive(format!("{}.{key}", self.key), value);
            }
        }
        if let Some(at) = opening.at
            && !at.is_finite()
        {
            checks.refuse(format!("{}.at", self.key), format!("{at} m"), "a length, m");
            right = false;
        }
        let top = opening.top();
        for (key, given, belongs) in [
            ("bearing", opening.bearing.is_some(), OpeningTop::Lintel),
            (
                "lintel_height",
                opening.lintel_height.is_some(),
                OpeningTop::Lintel,
            ),
            ("rise", opening.rise.is_some(), OpeningTop::Arch),
            ("ring", opening.ring.is_some(), OpeningTop::Arch),
            ("voussoir", opening.voussoir.is_some(), OpeningTop::Arch),
            ("step", opening.step.is_some(), OpeningTop::Corbel),
        ] {
            if given && top != belongs {
                right = false;
                checks.refuse(
                    format!("{}.{key}", self.key),
                    "the opening has another kind of top",
                    format!("leave it out, or top = \"{}\"", word(belongs)),
                );
            }
        }
        if !right {
            return None;
        }
        let jambs = self.jambs();
        let sill = opening.sill();
        let first = self.level("sill", sill, checks);
        let head = self.level("height", sill + opening.height, checks);
        let (first, head) = (first?, head?);
        let mut cut = Cut::default();
        cut.voids
            .extend((first..head).map(|course| (course, jambs)));
        match top {
            OpeningTop::Lintel => self.lintel(&mut cut, jambs, head, checks)?,
            OpeningTop::Arch => self.arch(&mut cut, jambs, head, checks)?,
            OpeningTop::Corbel => self.corbel(&mut cut, jambs, head, checks)?,
            OpeningTop::None => {}
        }
        Some(cut)
    }

    fn jambs(&self) -> [f64; 2] {
        let width = self.opening.width;
        let Courses { start, sign, .. } = *self.courses;
        match self.opening.at {
            Some(at) if sign > 0.0 => [start + at, start + at + width],
            Some(at) => [start - at - width, start - at],
            None => {
                let [from, to] = self
                    .courses
                    .outlines
                    .first()
                    .map_or([0.0; 2], |outline| outline.bottom);
                let left = 0.5 * (from + to) - 0.5 * width;
                [left, left + width]
            }
        }
    }

    /// The bed at a level.
    fn level(&self, key: &str, z: f64, checks: &mut Dimensions) -> Option<usize> {
        let levels = self.courses.levels;
        let near = 1e-6 * self.courses.block[1];
        let after = levels.partition_point(|&level| level < z - near);
        if levels.get(after).is_some_and(|&level| level <= z + near) {
            return Some(after);
        }
        let around: Vec<String> = [after.checked_sub(1), Some(after)]
            .into_iter()
            .flatten()
            .filter_map(|index| levels.get(index))
            .map(|level| format!("{} m", plain(*level)))
            .collect();
        checks.refuse(
            format!("{}.{key}", self.key),
            format!(
                "it makes the level {} m, where there is no bed joint",
                plain(z)
            ),
            format!("the nearest bed joints are at {}", around.join(" and ")),
        );
        None
    }

    fn lintel(
        &self,
        cut: &mut Cut,
        [left, right]: [f64; 2],
        head: usize,
        checks: &mut Dimensions,
    ) -> Option<()> {
        let [length, course] = self.courses.block;
        let height = self.opening.lintel_height.unwrap_or(course);
        let bearing = self.opening.bearing.unwrap_or(0.5 * length);
        let levels = self.courses.levels;
        let top = self.level("lintel_height", levels[head] + height, checks)?;
        let ends = [left - bearing, right + bearing];
        let mut cell = Cell::rectangle(
            format!("{}.lintel", self.name),
            ends,
            [levels[head], levels[top]],
        );
        cell.group = Some("lintel");
        cut.cells.push(cell);
        cut.voids.extend((head..top).map(|course| (course, ends)));
        cut.joints.extend(ends.map(|end| (top, end)));
        Some(())
    }

    fn corbel(
        &self,
        cut: &mut Cut,
        [left, right]: [f64; 2],
        head: usize,
        checks: &mut Dimensions,
    ) -> Option<()> {
        let step = self.opening.step.unwrap_or(0.25 * self.courses.block[0]);
        let courses = ((right - left) / (2.0 * step) - TINY).ceil();
        let last = self.courses.levels.len() - 1;
        // The course that closes the opening is part of the top.
        if courses > (last - head) as f64 {
            checks.refuse(
                format!("{}.step", self.key),
                format!(
                    "steps of {step} m need {courses} courses above the opening, and there are {}",
                    last - head
                ),
                "longer steps, or a lower opening",
            );
            return None;
        }
        for number in 1..courses as usize {
            let in_by = number as f64 * step;
            cut.voids
                .push((head + number - 1, [left + in_by, right - in_by]));
        }
        Some(())
    }

    fn arch(
        &self,
        cut: &mut Cut,
        jambs: [f64; 2],
        head: usize,
        checks: &mut Dimensions,
    ) -> Option<()> {
        let course = self.courses.block[1];
        let half = 0.5 * self.opening.width;
        let rise = self.opening.rise.unwrap_or(half);
        if rise > half * (1.0 + TINY) {
            checks.refuse(
                format!("{}.rise", self.key),
                format!(
                    "a rise of {rise} m over a width of {} m",
                    self.opening.width
                ),
                format!(
                    "up to {} m, a semicircle; higher jambs raise it",
                    plain(half)
                ),
            );
            return None;
        }
        if rise < FLATTEST * self.opening.width {
            checks.refuse(
                format!("{}.rise", self.key),
                format!(
                    "a rise of {rise} m over a width of {} m",
                    self.opening.width
                ),
                format!(
                    "at least {} m; flatter, a lintel",
                    plain(FLATTEST * self.opening.width)
                ),
            );
            return None;
        }
        let ring = self.opening.ring.unwrap_or(course);
        let voussoir = self.opening.voussoir.unwrap_or(course);
        if voussoir < SHORTEST_VOUSSOIR * self.opening.width {
            checks.refuse(
                format!("{}.voussoir", self.key),
                format!(
                    "voussoirs of {voussoir} m over a width of {} m",
                    self.opening.width
                ),
                format!(
                    "at least {} m",
                    plain(SHORTEST_VOUSSOIR * self.opening.width)
                ),
            );
            return None;
        }
        let shape = arch::Arch {
            jambs,
            springing: head,
            rise: rise.min(half),
            ring,
            voussoir,
        };
        let Some(made) = shape.make(self.courses.levels) else {
            checks.refuse(
                format!("{}.top", self.key),
                format!(
                    "the arch reaches up to {} m and the wall ends below",
                    plain(self.courses.levels[head] + rise + ring)
                ),
                "a lower rise, a thinner ring or a higher wall",
            );
            return None;
        };
        let count = made.voussoirs.len();
        for (index, polygon) in made.voussoirs.into_iter().enumerate() {
            // From the left as seen from the front.
            let number = if self.courses.sign > 0.0 {
                index + 1
            } else {
                count - index
            };
            let mut cell = Cell::new(format!("{}.voussoir{number}", self.name), polygon);
            cell.group = Some("arch");
            cut.cells.push(cell);
        }
        cut.voids.extend(made.voids);
        cut.joints.extend(made.joints);
        Some(())
    }

    /// Everything lies in the wall and leaves masonry beside it, or goes to the very end.
    fn within(&self, cut: &Cut, checks: &mut Dimensions) {
        let least = self.courses.least * (1.0 - 1e-6);
        for &(course, [from, to]) in &cut.voids {
            let outline = &self.courses.outlines[course];
            let beside = [
                outline.top[0].max(outline.bottom[0]),
                outline.top[1].min(outline.bottom[1]),
            ];
            let left = from - beside[0];
            let right = beside[1] - to;
            let tiny = TINY * self.courses.block[0];
            if [left, right]
                .iter()
                .any(|&rest| rest < least && rest.abs() > tiny)
            {
                checks.refuse(
                    self.key.clone(),
                    format!(
                        "in course {} it or its top goes from {} to {} m, and the wall from {} to {} m",
                        course + 1,
                        plain(from),
                        plain(to),
                        plain(beside[0]),
                        plain(beside[1])
                    ),
                    format!("leave at least {} m of masonry beside it", plain(self.courses.least)),
                );
                return;
            }
        }
    }
}

fn word(top: OpeningTop) -> &'static str {
    match top {
        OpeningTop::Lintel => "lintel",
        OpeningTop::Arch => "arch",
        OpeningTop::Corbel => "corbel",
        OpeningTop::None => "none",
    }
}
