//! An arch with its spandrels laid in courses.

use drystone_keys::keys;

use super::arch::{ArchShape, Curve, Profile};
use super::dimensions::Dimensions;
use super::{Misfit, Piece, Structure};

keys! {
    /// A wall with a semicircular opening: a ring of voussoirs and spandrels in level courses that fit its back. Along x,
    /// symmetric about x = 0, from y = 0 to `depth`, on the ground at z = 0.
    ///
    /// Each voussoir is a pentagon: two radial joints, a level top at the height of its upper outer corner and an upright side
    /// at its lower outer corner, so that the back of the ring is a staircase. Courses run from the risers of this staircase to
    /// the ends of the wall, with joints in running bond counted from the ends; a joint that would leave a piece shorter than
    /// `min_block_length` beside the ring is left out. A tread in the middle of a course carries a block of its own up to the top
    /// of the course. In courses above the ring, a middle block shorter than half a block gives way to a joint at x = 0.
    ///
    /// Voussoirs are named `voussoir1` and so on from the left; other blocks `course3.block5`, from the ground and from the left
    /// across the whole wall. Groups: `arch`, `spandrel`, and `pier` below the springing.
    pub struct SpandrelArch {
        /// Of the intrados.
        radius: f64 { required, unit: "m", above: 0.0 },
        /// Length of the radial joints.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Number of voussoirs; an odd number has a keystone, an even one a joint at the crown.
        voussoirs: u32 { required, least: 2 },
        /// Of the wall, along x.
        width: f64 { required, unit: "m", above: 0.0 },
        /// Of the wall.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Of the wall, along y.
        depth: f64 { required, unit: "m", above: 0.0 },
        /// Length of a whole block.
        block_length: f64 { required, unit: "m", above: 0.0 },
        /// Length below which a piece beside the ring is joined to its neighbour.
        min_block_length: f64 { optional, unit: "m", least: 0.0, otherwise: "0.6 of a block" },
        /// Levels of the bed joints between the ground and the top, m, from below.
        /// Those nearer than a thousandth of the thickness to a corner of the ring are taken to be there.
        levels: Vec<f64> { optional, unit: "m", otherwise: "the corners of the ring, without those that would make a course lower than `min_course_height` and whose treads are at least a fifth of the thickness wide; above the ring equal courses about as high as it is thick, and below the springing too" },
        /// Least height of a course beside the ring, m, where `levels` does not say.
        min_course_height: f64 { optional, unit: "m", least: 0.0, otherwise: "0.6 of the thickness" },
        /// Level of the springing.
        /// At 0 the ring stands on the ground.
        springing: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
    }
}

/// The right half of the ring: its joints from the crown down, each an inner and an outer corner.
struct Ring {
    joints: Vec<[[f64; 2]; 2]>,
    keystone: bool,
    springing: f64,
}

/// A rectangle [x0, x1] by [z0, z1], m.
#[derive(Clone, Copy)]
struct Cell {
    x: [f64; 2],
    z: [f64; 2],
}

impl Ring {
    /// Level of the tread that begins at a joint.
    fn level(&self, joint: usize) -> f64 {
        self.joints[joint][1][1]
    }

    /// Abscissa of the riser at a joint.
    fn riser(&self, joint: usize) -> f64 {
        self.joints[joint][1][0]
    }

    fn top(&self) -> f64 {
        self.level(0)
    }

    /// Treads that are stairs: from the crown down, all but the foot.
    fn treads(&self) -> std::ops::Range<usize> {
        0..self.joints.len() - 1
    }

    /// Extent of a tread. The uppermost one begins at the crown, or at the joint beside a keystone, which is as high.
    fn tread(&self, joint: usize) -> [f64; 2] {
        [joint, joint + 1].map(|joint| self.riser(joint))
    }
}

impl SpandrelArch {
    fn min_length(&self) -> f64 {
        self.min_block_length.unwrap_or(0.6 * self.block_length)
    }

    /// Pieces thinner than this are refused, m.
    fn sliver(&self) -> f64 {
        0.1 * self.thickness
    }

    fn ring(&self, check: &mut Dimensions) -> Option<(Profile, Ring)> {
        let springing = self.springing();
        let lengths = [
            ("radius", self.radius),
            ("width", self.width),
            ("height", self.height),
            ("depth", self.depth),
            ("block_length", self.block_length),
        ];
        for (key, length) in lengths {
            check.positive(key, length);
        }
        let optional = [
            ("min_block_length", self.min_block_length),
            ("min_course_height", self.min_course_height),
            ("springing", self.springing),
        ];
        for (key, length) in optional {
            if let Some(length) = length {
                check.not_negative(key, length);
            }
        }
        let curve = Curve {
            shape: ArchShape::Circular,
            span: None,
            rise: None,
            radius: check.fit().then_some(self.radius),
            angle_degrees: None,
            thickness: self.thickness,
            voussoirs: self.voussoirs,
            rings: 1,
        };
        if !check.fit() {
            check.positive("thickness", self.thickness);
            check.count("voussoirs", self.voussoirs, 2);
            return None;
        }
        let mut profile = curve.profile(check)?;
        profile.raise(springing);
        let right = &profile.joints[self.voussoirs.div_ceil(2) as usize..];
        let ring = Ring {
            joints: right.iter().map(|joint| [joint[0], joint[1]]).collect(),
            keystone: self.voussoirs % 2 == 1,
            springing,
        };
        let half = 0.5 * self.width;
        let outer = self.radius + self.thickness;
        if half < outer + self.min_length() {
            check.refuse(
                "width",
                format!(
                    "{} m leaves {:.6} m beside the ring on each side",
                    self.width,
                    half - outer
                ),
                format!(
                    "at least {:.6} m: the ring and the shortest block on both sides",
                    2.0 * (outer + self.min_length())
                ),
            );
        }
        if self.height < ring.top() {
            check.refuse(
                "height",
                format!(
                    "{} m, but the ring is {:.6} m high",
                    self.height,
                    ring.top()
                ),
                "at least as high as the ring",
            );
        }
        let blocks = (self.width / self.block_length).min(1e9) as u32 + 2;
        // Courses are not more than corners of the ring and whole courses above and below.
        let courses = (self.height / self.thickness).min(1e9) as u32;
        let courses = courses.saturating_add(self.voussoirs);
        check.total("block_length", &[blocks, courses]);
        check.fit().then_some((profile, ring))
    }

    /// All bed levels from the ground to the top.
    fn bed_levels(&self, ring: &Ring, check: &mut Dimensions) -> Vec<f64> {
        let levels = match &self.levels {
            Some(levels) => self.given_levels(levels, ring, check),
            None => self.default_levels(ring),
        };
        if check.fit() {
            self.check_levels(&levels, ring, check);
        }
        levels
    }

    fn given_levels(&self, given: &[f64], ring: &Ring, check: &mut Dimensions) -> Vec<f64> {
        let near = 1e-3 * self.thickness;
        let corners: Vec<f64> = (0..ring.joints.len())
            .map(|joint| ring.level(joint))
            .collect();
        let snap = |level: f64| {
            let corner = corners
                .iter()
                .find(|&&corner| (corner - level).abs() <= near);
            corner.copied().unwrap_or(level)
        };
        let mut levels = vec![0.0];
        for (index, &level) in given.iter().enumerate() {
            let last = levels[levels.len() - 1];
            if !(level > last && level < self.height) {
                check.refuse(
                    format!("levels[{index}]"),
                    format!(
                        "{level} m is not between {last} m and the top at {} m",
                        self.height
                    ),
                    "levels between the ground and the top, from below, without those two",
                );
                return levels;
            }
            levels.push(snap(level));
        }
        levels.push(self.height);
        levels
    }

    fn default_levels(&self, ring: &Ring) -> Vec<f64> {
        let least = self.min_course_height.unwrap_or(0.6 * self.thickness);
        let equal = |levels: &mut Vec<f64>, to: f64, courses: f64| {
            let from = levels[levels.len() - 1];
            for course in 1..courses as u32 {
                levels.push(from + (to - from) * (f64::from(course) / courses));
            }
            levels.push(to);
        };
        let mut levels = vec![0.0];
        if ring.springing > 0.0 {
            let courses = (ring.springing / self.thickness).round().max(1.0);
            equal(&mut levels, ring.springing, courses);
        }
        for joint in ring.treads().rev() {
            let level = ring.level(joint);
            let low = level - levels[levels.len() - 1] < least || self.height - level < least;
            let [from, to] = ring.tread(joint);
            if level < self.height && !(low && to - from >= 2.0 * self.sliver()) {
                levels.push(level);
            }
        }
        // Courses above must not begin just over a tread.
        let from = levels[levels.len() - 1];
        let wanted = ((self.height - from) / self.thickness).round().max(1.0);
        let clear = |courses: &f64| {
            let first = from + (self.height - from) / courses;
            let covered = |joint: usize| {
                let level = ring.level(joint);
                level <= from || first - level >= 2.0 * self.sliver()
            };
            ring.treads().all(covered)
        };
        let tries = [0.0, -1.0, 1.0, -2.0, 2.0].map(|more| (wanted + more).max(1.0));
        let courses = tries.iter().copied().find(clear).unwrap_or(wanted);
        equal(&mut levels, self.height, courses);
        levels
    }

    fn check_levels(&self, levels: &[f64], ring: &Ring, check: &mut Dimensions) {
        if ring.springing > 0.0 && !levels.contains(&ring.springing) {
            check.refuse(
                "levels",
                format!("no bed joint at the springing, {} m", ring.springing),
                "the level of the springing among the others",
            );
            return;
        }
        for bed in levels.windows(2) {
            let [low, high] = [bed[0], bed[1]];
            if high - low < self.sliver() {
                check.refuse(
                    "levels",
                    format!("a course of {:.6} m at {low:.6} m", high - low),
                    format!("courses at least {:.6} m high", self.sliver()),
                );
            }
            for joint in ring.treads() {
                let level = ring.level(joint);
                if level <= low || level >= high {
                    continue;
                }
                let [from, to] = ring.tread(joint);
                if high - level < self.sliver() || to - from < self.sliver() {
                    check.refuse(
                        "levels",
                        format!(
                            "the course from {low:.6} to {high:.6} m leaves a sliver of {:.6} x {:.6} m on the tread at {level:.6} m",
                            to - from,
                            high - level
                        ),
                        format!("a level at {level:.6} m"),
                    );
                }
            }
        }
    }

    /// The right half of a course, numbered from 0.
    fn course(&self, index: usize, z: [f64; 2], ring: &Ring) -> Course {
        let [low, high] = z;
        let shift = if index.is_multiple_of(2) { 1.0 } else { 0.5 };
        let half = 0.5 * self.width;
        // From the end inwards.
        let joints_down_to = |last: f64| -> Vec<f64> {
            let mut joints: Vec<f64> = (0_u32..)
                .map(|k| half - (f64::from(k) + shift) * self.block_length)
                .take_while(|&x| x >= last)
                .collect();
            joints.insert(0, half);
            joints
        };
        let tiny = 1e-9 * self.block_length;
        let mut cells = Vec::new();
        let mut centred = false;
        let mut joints: Vec<f64>;
        if low >= ring.top() {
            joints = joints_down_to(0.0);
            let innermost = joints[joints.len() - 1];
            if 2.0 * innermost < 0.5 * self.block_length - tiny && joints.len() > 1 {
                joints.pop();
            } else {
                centred = true;
            }
            joints.push(0.0);
        } else {
            let start = if low < ring.springing {
                self.radius
            } else {
                // The riser that stands beside the bottom of the course: of the lowest tread above it.
                let above = ring.treads().rev().find(|&joint| ring.level(joint) > low);
                let lowest = above.unwrap_or(0);
                for joint in (0..=lowest).filter(|&joint| ring.level(joint) < high) {
                    let z = [ring.level(joint), high];
                    let x = ring.tread(joint);
                    if joint == 0 && ring.keystone {
                        cells.push(Cell { x: [0.0, x[0]], z });
                        centred = true;
                    }
                    cells.push(Cell { x, z });
                }
                ring.riser(lowest + 1)
            };
            joints = joints_down_to(start + self.min_length() - tiny);
            joints.push(start);
        }
        joints.reverse();
        cells.extend(joints.windows(2).map(|ends| Cell {
            x: [ends[0], ends[1]],
            z,
        }));
        Course { cells, centred }
    }
}

/// The right half of a course.
struct Course {
    /// From the inside.
    cells: Vec<Cell>,
    /// The first cell is half of a block in the middle.
    centred: bool,
}

impl Course {
    /// All cells from left to right.
    fn mirrored(&self) -> Vec<Cell> {
        let mirror = |cell: &Cell| Cell {
            x: [-cell.x[1], -cell.x[0]],
            z: cell.z,
        };
        let skip = usize::from(self.centred);
        let mut cells: Vec<Cell> = self.cells[skip..].iter().rev().map(mirror).collect();
        if self.centred {
            let Cell { x, z } = self.cells[0];
            cells.push(Cell {
                x: [-x[1], x[1]],
                z,
            });
        }
        cells.extend(&self.cells[skip..]);
        cells
    }
}

impl Ring {
    /// Corners of a voussoir between two neighbouring joints on the right.
    fn voussoir(&self, joint: usize) -> Vec<[f64; 2]> {
        let [[inner, outer], [next_inner, next_outer]] =
            [self.joints[joint], self.joints[joint + 1]];
        let corner = [next_outer[0], outer[1]];
        vec![inner, next_inner, next_outer, corner, outer]
    }
}

impl Structure for SpandrelArch {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut check = Dimensions::default();
        let ring = self.ring(&mut check);
        let made = ring.map(|(profile, ring)| {
            let levels = self.bed_levels(&ring, &mut check);
            (profile, ring, levels)
        });
        check.done()?;
        let (profile, ring, levels) = made.ok_or_else(Vec::new)?;
        let y = [0.0, self.depth];
        let mut pieces = Vec::new();
        let half = (self.voussoirs / 2) as usize;
        for index in 0..self.voussoirs as usize {
            let right = index as i64 - i64::from(self.voussoirs.div_ceil(2));
            let left = half as i64 - 1 - index as i64;
            let polygon = if right >= 0 {
                ring.voussoir(right as usize)
            } else if left >= 0 {
                let mirror = |[x, z]: [f64; 2]| [-x, z];
                ring.voussoir(left as usize)
                    .into_iter()
                    .map(mirror)
                    .collect()
            } else {
                profile.voussoir(index, 0)
            };
            let name = format!("voussoir{}", index + 1);
            pieces.push(Piece::prism(name, &polygon, y).grouped("arch"));
        }
        for (course, bed) in levels.windows(2).enumerate() {
            let group = if bed[1] <= ring.springing {
                "pier"
            } else {
                "spandrel"
            };
            let cells = self.course(course, [bed[0], bed[1]], &ring).mirrored();
            for (block, Cell { x, z }) in cells.into_iter().enumerate() {
                let name = format!("course{}.block{}", course + 1, block + 1);
                let polygon = [[x[0], z[0]], [x[1], z[0]], [x[1], z[1]], [x[0], z[1]]];
                pieces.push(Piece::prism(name, &polygon, y).grouped(group));
            }
        }
        Ok(pieces)
    }
}
