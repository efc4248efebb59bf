//! Walls of a plan, course by course.

use drystone_geometry::DVec3;

use super::super::courses::{Cell, Outline, TINY, bonded, plain};
use super::super::dimensions::Dimensions;
use super::super::openings::{self, Courses, Cut};
use super::super::wall::{Rule, division, elevation, lintel_cells, runs};
use super::super::{Misfit, Piece};
use super::Member;

/// What the walls of a building are made of.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Masonry {
    /// Length of a block and height of a course, m.
    pub block: [f64; 2],
    /// Least distance of a joint from those below, m.
    pub overlap: f64,
    /// Shortest piece between openings, corners and ends, m.
    pub least: f64,
}

impl Masonry {
    /// Nothing if something is wrong with it.
    pub fn new(
        [length, height]: [f64; 2],
        overlap: Option<f64>,
        least: Option<f64>,
        checks: &mut Dimensions,
    ) -> Option<Self> {
        let mut right = checks.positive("course_height", height);
        right &= checks.positive("block_length", length);
        let overlap = overlap.unwrap_or(0.25 * length);
        let least = least.unwrap_or(0.2 * length);
        right = right
            && checks.not_negative("min_overlap", overlap)
            && checks.positive("min_length", least);
        if right && overlap > 0.4 * length {
            checks.refuse(
                "min_overlap",
                format!("{overlap} m"),
                format!("at most {} m, two fifths of a block", plain(0.4 * length)),
            );
            right = false;
        }
        right.then_some(Self {
            block: [length, height],
            overlap,
            least,
        })
    }

    fn level(&self, course: usize) -> f64 {
        course as f64 * self.block[1]
    }
}

/// The blocks of walls that are bonded into each other.
pub(in super::super) fn lay(
    members: Vec<Member>,
    masonry: &Masonry,
) -> Result<Vec<Piece>, Vec<Misfit>> {
    let mut checks = Dimensions::default();
    let estimate: f64 = members
        .iter()
        .flat_map(|member| &member.bands)
        .map(|band| {
            let length = band.along[1] - band.along[0];
            band.courses.len() as f64 * (2.0 * length / masonry.block[0] + 2.0)
        })
        .sum();
    checks.bounded("block_length", estimate);
    checks.done()?;

    let mut checks = Dimensions::default();
    let mut walls: Vec<Laid> = Vec::new();
    for member in members {
        walls.push(Laid::new(member, masonry, &mut checks));
    }
    checks.done()?;
    let top = walls
        .iter()
        .map(|wall| wall.member.courses().end)
        .max()
        .unwrap_or(0);
    let mut checks = Dimensions::default();
    for course in 0..top {
        let taken: Vec<Vec<[f64; 2]>> = (0..walls.len())
            .map(|wall| taken(&walls, wall, course, masonry, &mut checks))
            .collect();
        if !checks.fit() {
            break;
        }
        for (wall, taken) in walls.iter_mut().zip(taken) {
            wall.lay(course, taken, masonry, &mut checks);
        }
    }
    checks.done()?;
    let mut checks = Dimensions::default();
    let pieces = walls
        .iter()
        .flat_map(|wall| wall.pieces(masonry, &mut checks))
        .collect();
    checks.or(pieces)
}

/// A wall while it is laid.
struct Laid {
    member: Member,
    /// Outlines of its courses from its foot up.
    outlines: Vec<Outline>,
    cuts: Vec<Cut>,
    /// Runs of its courses from its foot up, each the ends of its blocks.
    runs: Vec<Vec<Vec<f64>>>,
}

impl Laid {
    fn new(member: Member, masonry: &Masonry, checks: &mut Dimensions) -> Self {
        let courses = member.courses();
        let outline = |course: usize| {
            let z = [course, course + 1].map(|course| masonry.level(course));
            match (&member.slopes, member.band(course)) {
                (Some(slopes), _) if course >= member.eaves => slopes.outline(z),
                (_, Some(band)) => Outline::rectangle(band.along, z),
                (_, None) => Outline::rectangle([0.0; 2], z),
            }
        };
        let mut outlines: Vec<Outline> = courses.clone().map(outline).collect();
        for outline in &outlines {
            let [from, to] = outline.bottom;
            if outline.is_rectangle() && to - from < masonry.least {
                checks.refuse(
                    format!("{}to", member.key),
                    format!("a wall of {} m", plain(to - from)),
                    format!("at least {} m, the shortest piece", plain(masonry.least)),
                );
                break;
            }
        }
        // A tip that is too small is left out.
        outlines.retain(|outline| {
            let [from, to] = outline.middle();
            to - from >= masonry.least * (1.0 - 1e-6)
        });
        let levels: Vec<f64> = (courses.start..=courses.start + outlines.len())
            .map(|course| masonry.level(course))
            .collect();
        let seen = Courses {
            levels: &levels,
            outlines: &outlines,
            block: masonry.block,
            least: masonry.least,
            start: member.start,
            sign: member.sign,
        };
        let cuts = openings::cuts(
            &member.openings,
            &seen,
            &|index| member.opening_keys[index].clone(),
            checks,
        );
        Self {
            runs: Vec::with_capacity(outlines.len()),
            member,
            outlines,
            cuts,
        }
    }

    /// The outline of a course; nothing where the wall is not.
    fn outline(&self, course: usize) -> Option<&Outline> {
        let own = course.checked_sub(self.member.courses().start)?;
        self.outlines.get(own)
    }

    /// Whether the wall has masonry of its own between two places in a course.
    fn is_at(&self, course: usize, [from, to]: [f64; 2]) -> bool {
        let near = 1e-6 * (to - from);
        let reaches = |[start, end]: [f64; 2]| start < to - near && end > from + near;
        let Some(outline) = self.outline(course) else {
            return false;
        };
        match &self.member.exact {
            Some(exact) => {
                let own = course - self.member.courses().start;
                runs(exact.course(own)).into_iter().any(reaches)
            }
            None => reaches(outline.bottom),
        }
    }

    /// Divides a course into blocks.
    fn lay(
        &mut self,
        course: usize,
        taken: Vec<[f64; 2]>,
        masonry: &Masonry,
        checks: &mut Dimensions,
    ) {
        let Some(outline) = self.outline(course) else {
            return;
        };
        let own = course - self.member.courses().start;
        if let Some(exact) = &self.member.exact {
            self.runs.push(exact.course(own).to_vec());
            return;
        }
        let mut taken = taken;
        taken.extend(self.voids(own));
        let mut below: Vec<f64> = self
            .runs
            .last()
            .map(|runs| runs.concat())
            .unwrap_or_default();
        let joints = self.cuts.iter().flat_map(|cut| &cut.joints);
        below.extend(
            joints
                .filter(|(bed, _)| *bed == own)
                .map(|(_, joint)| *joint),
        );
        below.sort_by(f64::total_cmp);
        let mut divide =
            |run: [f64; 2], below: &[f64]| bonded(run, masonry.block[0], below, masonry.overlap);
        let runs = division(
            outline,
            &taken,
            masonry.least,
            &below,
            &mut Rule::Free(&mut divide),
        );
        let short = runs
            .iter()
            .map(|ends| ends[ends.len() - 1] - ends[0])
            .find(|length| *length < masonry.least * (1.0 - 1e-6));
        if let Some(length) = short {
            checks.refuse(
                format!("{}from", self.member.key),
                format!(
                    "in course {} other walls leave a piece of {} m of \"{}\"",
                    course + 1,
                    plain(length),
                    self.member.name
                ),
                format!(
                    "at least {} m beside another wall, or nothing",
                    plain(masonry.least)
                ),
            );
        }
        self.runs.push(runs);
    }

    /// Stretches of a course, from the foot of the wall, that openings take.
    fn voids(&self, own: usize) -> impl Iterator<Item = [f64; 2]> {
        self.cuts
            .iter()
            .flat_map(|cut| &cut.voids)
            .filter(move |(course, _)| *course == own)
            .map(|(_, stretch)| *stretch)
    }

    fn pieces(&self, masonry: &Masonry, checks: &mut Dimensions) -> Vec<Piece> {
        let first = self.member.courses().start;
        let mut cells: Vec<(usize, Cell)> = Vec::new();
        for (own, (outline, runs)) in self.outlines.iter().zip(&self.runs).enumerate() {
            let mut polygons = elevation(outline, runs);
            if self.member.sign < 0.0 {
                polygons.reverse();
            }
            let course = first + own;
            for (index, polygon) in polygons.into_iter().enumerate() {
                let name = format!("course{}.block{}", course + 1, index + 1);
                cells.push((course, Cell::new(name, polygon)));
            }
        }
        for cut in &self.cuts {
            // Blocks over openings lie in the footprint of the lowest course they touch.
            cells.extend(
                cut.cells
                    .iter()
                    .map(|cell| (course_of(cell, masonry), cell.clone())),
            );
        }
        if let Some(exact) = &self.member.exact {
            let levels: Vec<f64> = (first..=first + exact.len())
                .map(|course| masonry.level(course))
                .collect();
            let mut lintels = self.member.lintels.clone();
            for lintel in &mut lintels {
                let ends =
                    [lintel.from, lintel.to].map(|end| self.member.start + self.member.sign * end);
                // Kept in order, so that one that ends before it begins is still reported.
                [lintel.from, lintel.to] = if self.member.sign > 0.0 {
                    ends
                } else {
                    [ends[1], ends[0]]
                };
            }
            let there = |course: usize| runs(exact.course(course));
            let made = lintel_cells(&lintels, &levels, &self.member.key, &there, checks);
            cells.extend(
                made.into_iter()
                    .map(|cell| (course_of(&cell, masonry), cell)),
            );
        }
        cells
            .into_iter()
            .filter_map(|(course, cell)| Some(self.piece(&cell, self.member.band(course)?.across)))
            .collect()
    }

    fn piece(&self, cell: &Cell, across: [f64; 2]) -> Piece {
        let name = format!("{}.{}", self.member.name, cell.name);
        let point = |[along, z]: [f64; 2], across: f64| match self.member.axis {
            0 => DVec3::new(along, across, z),
            _ => DVec3::new(across, along, z),
        };
        let vertices = across
            .iter()
            .flat_map(|&across| {
                cell.polygon
                    .iter()
                    .map(move |&corner| point(corner, across))
            })
            .collect();
        Piece::new(name, vertices).grouped(self.member.name.clone())
    }
}

fn course_of(cell: &Cell, masonry: &Masonry) -> usize {
    let foot = cell
        .polygon
        .iter()
        .map(|[_, z]| *z)
        .fold(f64::INFINITY, f64::min);
    // A voussoir may begin anywhere in a course.
    (foot / masonry.block[1] + 1e-6).floor().max(0.0) as usize
}

/// Stretches of a wall that other walls take in a course.
fn taken(
    walls: &[Laid],
    wall: usize,
    course: usize,
    masonry: &Masonry,
    checks: &mut Dimensions,
) -> Vec<[f64; 2]> {
    let own = &walls[wall];
    let Some(band) = own.outline(course).and(own.member.band(course)) else {
        return Vec::new();
    };
    let mut taken = Vec::new();
    for (index, other) in walls.iter().enumerate() {
        let crossing = other.member.axis != own.member.axis;
        let Some(across) = other
            .outline(course)
            .and(other.member.band(course))
            .filter(|_| crossing)
        else {
            continue;
        };
        let near = TINY * masonry.block[0];
        let meet = |a: [f64; 2], b: [f64; 2]| a[0] < b[1] - near && b[0] < a[1] - near;
        if !meet(band.along, across.across) || !meet(across.along, band.across) {
            continue;
        }
        // Where both have masonry, they take turns; exact courses come first.
        if !own.is_at(course, across.across) || !other.is_at(course, band.across) {
            continue;
        }
        let turn = (own.member.axis == 0) == course.is_multiple_of(2);
        let wins = match (own.member.exact.is_some(), other.member.exact.is_some()) {
            (true, true) => {
                if wall < index {
                    checks.refuse(
                        format!("{}joints", other.member.key),
                        format!(
                            "course {} has blocks in the wall \"{}\" where that has blocks too",
                            course + 1,
                            own.member.name
                        ),
                        "leave room for one of them in each course",
                    );
                }
                continue;
            }
            (false, false) => turn,
            (exact, _) => exact,
        };
        if !wins {
            taken.push(across.across);
        }
        apart_from_openings(own, course, across.across, other, masonry, checks);
    }
    // Two walls may cross a third side by side.
    taken.sort_by(|a, b| a[0].total_cmp(&b[0]));
    taken
}

/// Openings keep away from walls that meet theirs, or begin right at their faces.
fn apart_from_openings(
    own: &Laid,
    course: usize,
    [from, to]: [f64; 2],
    other: &Laid,
    masonry: &Masonry,
    checks: &mut Dimensions,
) {
    let foot = own.member.courses().start;
    let least = masonry.least * (1.0 - 1e-6);
    let tiny = TINY * masonry.block[0];
    for (index, cut) in own.cuts.iter().enumerate() {
        for &(_, [left, right]) in cut.voids.iter().filter(|(own, _)| own + foot == course) {
            let gap = (from - right).max(left - to);
            if gap < -tiny || (gap > tiny && gap < least) {
                checks.refuse(
                    own.member.opening_keys[index].clone(),
                    format!(
                        "in course {} it or its top comes within {} m of the wall \"{}\"",
                        course + 1,
                        plain(gap.max(0.0)),
                        other.member.name
                    ),
                    format!(
                        "leave at least {} m between, or nothing",
                        plain(masonry.least)
                    ),
                );
                return;
            }
        }
    }
}
