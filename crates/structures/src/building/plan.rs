//! The plan of a building: where its walls are, and where they meet.

use std::ops::Range;

use super::super::Misfit;
use super::super::courses::{Slopes, TINY, plain};
use super::super::dimensions::Dimensions;
use super::super::openings::Opening;
use super::super::wall::{Explicit, Lintel, slopes};
use super::{BuildingWall, Masonry, Side};

/// A wall in the plan. Lengths along it are coordinates of the plan, x or y, so that walls that meet share them.
pub(in super::super) struct Member {
    pub name: String,
    /// Comes before its keys in reports, with a dot.
    pub key: String,
    /// 0 along x, 1 along y.
    pub axis: usize,
    /// Where it starts along its axis, and +1 or -1 by its direction.
    pub start: f64,
    pub sign: f64,
    /// Its footprint, by courses; ascending, without gaps.
    pub bands: Vec<Band>,
    /// Courses below the eaves end here.
    pub eaves: usize,
    pub slopes: Option<Slopes>,
    pub openings: Vec<Opening>,
    /// By which keys the openings are given.
    pub opening_keys: Vec<String>,
    /// Exact courses, in coordinates of the plan.
    pub exact: Option<Explicit>,
    pub lintels: Vec<Lintel>,
}

/// The footprint of a wall in some courses.
#[derive(Debug, Clone, PartialEq)]
pub(in super::super) struct Band {
    pub courses: Range<usize>,
    /// From where to where along the wall and across it, m.
    pub along: [f64; 2],
    pub across: [f64; 2],
}

impl Member {
    pub fn band(&self, course: usize) -> Option<&Band> {
        self.bands
            .iter()
            .find(|band| band.courses.contains(&course))
    }

    pub fn courses(&self) -> Range<usize> {
        let start = self.bands.first().map_or(0, |band| band.courses.start);
        let end = self.bands.last().map_or(0, |band| band.courses.end);
        start..end
    }
}

/// A wall of a building in the plan; nothing if something is wrong with it.
pub(super) fn member(
    wall: &BuildingWall,
    index: usize,
    masonry: &Masonry,
    checks: &mut Dimensions,
) -> Option<Member> {
    let key = format!("walls[{index}].");
    let course = masonry.block[1];
    let mut right = checks.positive(format!("{key}thickness"), wall.thickness);
    let finite = wall
        .from
        .iter()
        .chain(&wall.to)
        .all(|number| number.is_finite());
    let steps = [wall.to[0] - wall.from[0], wall.to[1] - wall.from[1]];
    let length = steps[0].abs().max(steps[1].abs());
    let axis = usize::from(steps[1].abs() > steps[0].abs());
    if !finite || length == 0.0 || steps[1 - axis].abs() > TINY * length {
        checks.refuse(
            format!("{key}to"),
            format!("from {:?} to {:?}", wall.from, wall.to),
            "a wall along x or along y: one coordinate is the same, the other differs",
        );
        right = false;
    }
    let base = match wall.base {
        Some(base) if base != 0.0 => checks.whole(format!("{key}base"), base, course, "courses"),
        _ => Some(0),
    };
    let (sign, start) = (steps[axis].signum(), wall.from[axis]);
    let exact = (!wall.joints.is_empty()).then(|| exact(wall, &key, sign, start, checks));
    let eaves = match (&exact, wall.height) {
        (Some(_), Some(_)) => {
            checks.refuse(
                format!("{key}height"),
                "the courses are given exactly",
                "leave it out",
            );
            None
        }
        (Some(exact), None) => base.map(|base| base + exact.len() as u32),
        (None, Some(height)) => checks
            .positive(format!("{key}height"), height)
            .then(|| checks.whole(format!("{key}height"), height, course, "courses"))
            .flatten(),
        (None, None) => {
            checks.refuse(
                format!("{key}height"),
                "it is missing",
                "the level of the top of the wall, m",
            );
            None
        }
    };
    for (name, given) in [
        ("openings", !wall.openings.is_empty()),
        ("gable", wall.gable.is_some()),
    ] {
        if given && exact.is_some() {
            checks.refuse(
                format!("{key}{name}"),
                "the courses are given exactly",
                "leave it out, or `joints`",
            );
        }
    }
    if !wall.lintels.is_empty() && exact.is_none() {
        checks.refuse(
            format!("{key}lintels"),
            "it goes with `joints`",
            "leave it out; openings have their own",
        );
    }
    let gable = match &wall.gable {
        Some(gable) => checks
            .positive(format!("{key}gable.height"), gable.height)
            .then(|| {
                checks.whole(
                    format!("{key}gable.height"),
                    gable.height,
                    course,
                    "courses",
                )
            })
            .flatten()?,
        None => 0,
    };
    let (base, eaves) = (base?, eaves?);
    if base >= eaves {
        checks.refuse(
            format!("{key}base"),
            "the wall ends below its foot",
            "less than `height`",
        );
        right = false;
    }
    if !checks.bounded("walls", f64::from(eaves) + f64::from(gable)) || !right {
        return None;
    }
    let along = match &exact {
        Some(exact) => exact.extent(),
        None => [
            wall.from[axis].min(wall.to[axis]),
            wall.from[axis].max(wall.to[axis]),
        ],
    };
    let line = wall.from[1 - axis];
    // The left of +x is +y, the left of +y is -x.
    let left = if axis == 0 { sign } else { -sign };
    let thick = wall.thickness;
    let across = match wall.side() {
        Side::Centre => [line - 0.5 * thick, line + 0.5 * thick],
        side => {
            let other = if (side == Side::Left) == (left > 0.0) {
                line + thick
            } else {
                line - thick
            };
            [line.min(other), line.max(other)]
        }
    };
    let top = eaves + gable;
    let slopes = match &wall.gable {
        Some(gable) => {
            let levels = [eaves, top].map(|level| f64::from(level) * course);
            Some(slopes(
                gable,
                along,
                levels,
                &format!("{key}gable.width"),
                checks,
            )?)
        }
        None => None,
    };
    let mut bands = vec![Band {
        courses: base as usize..top as usize,
        along,
        across,
    }];
    for (part, upper) in wall.upper.iter().enumerate() {
        let key = format!("{key}upper[{part}]");
        if wall.gable.is_some() || exact.is_some() {
            checks.refuse(key, "the wall has a gable or exact courses", "leave it out");
            return None;
        }
        let end = checks.whole(format!("{key}.height"), upper.height, course, "courses")?;
        let below = bands[part].clone();
        let ends = [upper.from, upper.to].map(|end| start + sign * end);
        let along = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        let near = TINY * length;
        let within = along[0] >= below.along[0] - near && along[1] <= below.along[1] + near;
        if !within || upper.from >= upper.to || end as usize <= below.courses.end {
            checks.refuse(
                key,
                format!(
                    "from {} to {} m, up to {} m",
                    upper.from, upper.to, upper.height
                ),
                "within the part below it, and higher",
            );
            return None;
        }
        bands.push(Band {
            courses: below.courses.end..end as usize,
            along,
            across,
        });
    }
    Some(Member {
        name: wall
            .name
            .clone()
            .unwrap_or_else(|| format!("wall{}", index + 1)),
        key,
        axis,
        start,
        sign,
        bands,
        eaves: eaves as usize,
        slopes,
        openings: wall.openings.clone(),
        opening_keys: (0..wall.openings.len())
            .map(|opening| format!("walls[{index}].openings[{opening}]"))
            .collect(),
        exact,
        lintels: wall.lintels.clone(),
    })
}

/// Exact courses in coordinates of the plan.
fn exact(
    wall: &BuildingWall,
    key: &str,
    sign: f64,
    start: f64,
    checks: &mut Dimensions,
) -> Explicit {
    // Checked as written, so that reports speak of what was written.
    Explicit::new(&wall.joints, key, checks);
    let placed: Vec<Vec<Vec<f64>>> = wall
        .joints
        .iter()
        .map(|runs| {
            let mut runs: Vec<Vec<f64>> = runs
                .iter()
                .map(|ends| ends.iter().map(|end| start + sign * end).collect())
                .collect();
            if sign < 0.0 {
                runs.reverse();
                runs.iter_mut().for_each(|ends| ends.reverse());
            }
            runs
        })
        .collect();
    Explicit::unchecked(placed)
}

/// Walls that end in or on another reach to its far face, as far as they are not given exactly.
pub(super) fn join(members: &mut [Member]) {
    let footprints: Vec<(usize, Band)> = members
        .iter()
        .filter_map(|member| Some((member.axis, member.bands.first()?.clone())))
        .collect();
    for member in members.iter_mut().filter(|member| member.exact.is_none()) {
        let axis = member.axis;
        for band in &mut member.bands {
            let own = band.clone();
            for (_, other) in footprints.iter().filter(|(other, _)| *other != axis) {
                reach(&own, other, band);
            }
            // A gable over the whole wall grows with it.
            if let Some(slopes) = &mut member.slopes
                && slopes.feet == own.along
            {
                slopes.feet = band.along;
            }
        }
    }
}

/// Extends a wall to the far face of one across it in or on which it ends.
fn reach(own: &Band, other: &Band, band: &mut Band) {
    let near = TINY * (own.along[1] - own.along[0]);
    if other.along[1] < own.across[0] - near || other.along[0] > own.across[1] + near {
        return;
    }
    let [low, high] = other.across;
    let within = |end: f64| end >= low - near && end <= high + near;
    if within(own.along[0]) {
        band.along[0] = band.along[0].min(low);
    }
    if within(own.along[1]) {
        band.along[1] = band.along[1].max(high);
    }
}

/// Above its eaves a gable thins out towards its feet. A wall across that goes on above the eaves there would rest on a
/// wedge in every second course, so it is refused.
fn gable_meets_higher_wall(
    member: &Member,
    other: &Member,
    masonry: &Masonry,
    checks: &mut Dimensions,
) {
    let (Some(slopes), Some(eaves)) = (&member.slopes, member.bands.last()) else {
        return;
    };
    let near = TINY * masonry.block[0];
    let meet = |a: [f64; 2], b: [f64; 2]| a[0] < b[1] - near && b[0] < a[1] - near;
    let higher = other.bands.iter().any(|band| {
        // What lies across one wall lies along the other.
        band.courses.end > member.eaves
            && meet(slopes.feet, band.across)
            && meet(eaves.across, band.along)
    });
    if higher && other.slopes.is_none() {
        checks.refuse(
            format!("{}gable", member.key),
            format!(
                "the wall \"{}\" continues above the eaves where the gable is only a wedge",
                other.name
            ),
            "eaves as high as that wall, or a gable whose `width` ends before it",
        );
    }
}

/// Walls with different names, and no two along each other in the same place.
pub(super) fn together(members: &[Member], masonry: &Masonry) -> Result<(), Vec<Misfit>> {
    let mut checks = Dimensions::default();
    for member in members {
        for other in members.iter().filter(|other| other.axis != member.axis) {
            gable_meets_higher_wall(member, other, masonry, &mut checks);
        }
    }
    for (index, member) in members.iter().enumerate() {
        for other in &members[..index] {
            if other.name == member.name {
                checks.refuse(
                    format!("{}name", member.key),
                    format!("another wall is named \"{}\" too", member.name),
                    "names must be unique",
                );
            }
            let near = TINY * masonry.block[0];
            let meet = |a: [f64; 2], b: [f64; 2]| a[0] < b[1] - near && b[0] < a[1] - near;
            let pairs = member
                .bands
                .iter()
                .flat_map(|a| other.bands.iter().map(move |b| (a, b)));
            let mut clashes = pairs.filter(|(a, b)| {
                let courses = a.courses.start < b.courses.end && b.courses.start < a.courses.end;
                courses && meet(a.along, b.along) && meet(a.across, b.across)
            });
            if let Some((a, b)) = clashes.next()
                && member.axis == other.axis
            {
                let place =
                    |band: &Band| format!("{} to {} m", plain(band.along[0]), plain(band.along[1]));
                checks.refuse(
                    format!("{}from", member.key),
                    format!(
                        "the wall lies in \"{}\": from {} and from {}",
                        other.name,
                        place(a),
                        place(b)
                    ),
                    "parallel walls beside or behind each other; one wall if they are one",
                );
            }
        }
    }
    checks.done()
}
