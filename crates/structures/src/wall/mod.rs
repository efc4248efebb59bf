//! A straight wall in any bond, with leaves, openings and a gable.

mod explicit;
mod layout;
mod random;

use drystone_geometry::DVec3;
use drystone_keys::{keys, words};

use super::courses::Cell;
use super::dimensions::Dimensions;
use super::openings::Opening;
use super::{Misfit, Piece, Structure};

pub(super) use explicit::{Explicit, lintel_cells, runs};
pub(super) use layout::{Rule, division, elevation, slopes};

keys! {
    /// A straight wall. The origin is its lower left front corner; length runs along x, thickness along +y, height along z.
    ///
    /// Blocks are named `course3.block2`, from 1, from the bottom and from the left; in a wall of several leaves
    /// `course3.leaf1.block2`, from the front, but through-stones `course3.block2`. Blocks of a gable are in the group `gable`,
    /// lintels in `lintel`, voussoirs in `arch`, through-stones in `through`. What would be shorter than `min_length` belongs to
    /// its neighbour.
    ///
    /// The wall follows from `length`, `height` and `bond`; or exact courses are given, by `pattern` or by `joints`.
    pub struct Wall {
        /// Length, m; not with `pattern` or `joints`.
        length: f64 { optional, unit: "m", above: 0.0 },
        /// Height, m: a whole number of courses, or any height where these are random; instead of `courses`.
        /// Up to the eaves if there is a gable.
        height: f64 { optional, unit: "m", above: 0.0 },
        /// Number of courses; instead of `height`.
        courses: u32 { optional, least: 1, otherwise: "as many as `pattern` or `joints` have" },
        /// Thickness.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// Length and height [l, h] of a block.
        /// The height is that of a course.
        block: [f64; 2] { optional, unit: "m" },
        /// How blocks are laid.
        bond: Bond { optional, default: Bond::Running },
        /// By how much every second course of a running or header bond is shifted, as a fraction of a block.
        overlap: f64 { optional, least: 0.0, most: 1.0, default: 0.5 },
        /// Shortest piece at an end or a jamb.
        min_length: f64 { optional, unit: "m", above: 0.0, otherwise: "a fifth of a block" },
        /// Random bond: which of all random walls this is.
        seed: u32 { optional, default: 1 },
        /// Random bond: shortest and longest block.
        /// Where joints would come too near to those below, the blocks at ends and jambs may be as short as `min_length`.
        block_lengths: [f64; 2] { optional, unit: "m", otherwise: "0.75 and 1.5 times the length in `block`" },
        /// Random bond: lowest and highest course.
        course_heights: [f64; 2] { optional, unit: "m", otherwise: "all as high as `block` says" },
        /// Random bond: least distance of a head joint from those below.
        /// What can't be kept is refused, of the default noted.
        min_overlap: f64 { optional, unit: "m", least: 0.0, otherwise: "a quarter of a block" },
        /// Several walls behind each other.
        leaves: Leaves { optional, otherwise: "one block through the thickness" },
        /// Doors and windows.
        openings: Vec<Opening> { defaulted },
        /// A triangle above the eaves.
        gable: Gable { optional },
        /// Exact courses in letters, from the bottom: `1` is a block, `h` half a block, `q` a quarter, digits from 2 several blocks in one, `o` an opening of one block, `.` one of half a block.
        /// Repeated from the first if there are more courses.
        pattern: Vec<String> { defaulted },
        /// Exact courses in metres, from the bottom: for every course its runs of masonry, each the list of the ends of its blocks.
        /// Repeated from the first if there are more courses.
        joints: Vec<Vec<Vec<f64>>> { defaulted },
        /// With `joints`: levels of all beds, m, one more than there are courses.
        levels: Vec<f64> { defaulted, unit: "m", otherwise: "equal courses as high as `block` says" },
        /// With `pattern` or `joints`: blocks over openings, named `lintel1` and so on, for which the courses have left room.
        lintels: Vec<Lintel> { defaulted },
    }
}

words! {
    /// How the blocks of a wall are laid.
    pub enum Bond = Running {
        /// Every second course is shifted, by half a block unless `overlap` says otherwise.
        Running = "running",
        /// Head joints above each other.
        Stack = "stack",
        /// Blocks lie across the wall: on the face they are half as long, and every second course is shifted by half of that.
        Header = "header",
        /// Courses of stretchers in two leaves alternate with courses of headers through the wall, which are half as long on the
        /// face. Every second course begins and ends with a quarter of a block.
        English = "english",
        /// Random lengths, and heights if `course_heights` is given, from a seed.
        Random = "random",
    }
}

keys! {
    /// Several walls behind each other that share courses and head joints.
    pub struct Leaves {
        /// How many; at least two.
        count: u32 { required, least: 2 },
        /// Thickness of each from the front, m, together that of the wall.
        thicknesses: Vec<f64> { defaulted, unit: "m", otherwise: "all equal" },
        /// Every how many courses there are through-stones.
        through_every: u32 { optional, least: 1, otherwise: "nowhere" },
        /// In such a course every how many blocks is one.
        /// They change places from one such course to the next.
        through_block: u32 { optional, least: 1, default: 2 },
    }
}

keys! {
    /// A triangle of masonry above the eaves of a wall.
    pub struct Gable {
        /// Height above the eaves, m: a whole number of courses, unless these are random.
        height: f64 { required, unit: "m", above: 0.0 },
        /// Width at the eaves, m, in the middle of the wall.
        width: f64 { optional, unit: "m", above: 0.0, otherwise: "its whole length" },
        /// Courses end in steps, each as wide as the triangle is at half its height.
        /// A tip that would be shorter than `min_length` at half its height is left out.
        stepped: bool { defaulted, otherwise: "false, cut along the slopes" },
    }
}

keys! {
    /// A block over one or several courses of a wall with exact courses.
    pub struct Lintel {
        /// Where it begins.
        from: f64 { required, unit: "m" },
        /// Where it ends.
        to: f64 { required, unit: "m" },
        /// Its lowest course, from 1.
        course: u32 { required, least: 1 },
        /// How many courses it is high.
        courses: u32 { optional, least: 1, default: 1 },
    }
}

impl Structure for Wall {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut checks = Dimensions::default();
        checks.positive("thickness", self.thickness);
        let across = self.across(&mut checks);
        let cells = if self.pattern.is_empty() && self.joints.is_empty() {
            self.bonded(&mut checks)
        } else {
            self.exact(&mut checks)
        };
        let pieces = cells.into_iter().map(|cell| piece(cell, &across)).collect();
        checks.or(pieces)
    }

    fn notes(&self) -> Vec<String> {
        let mut checks = Dimensions::default();
        if self.bond == Some(Bond::Random) {
            self.bonded(&mut checks);
        }
        checks.notes()
    }
}

/// The piece of a cell; `across` are the faces between leaves.
fn piece(cell: Cell, across: &[f64]) -> Piece {
    let y = match cell.leaf {
        Some(leaf) => [across[leaf], across[leaf + 1]],
        None => [across[0], across[across.len() - 1]],
    };
    let piece = match cell.polygon[..] {
        [[left, bottom], [right, low], [end, top], [start, high]]
            if left == start && right == end && bottom == low && top == high =>
        {
            let (min, max) = (DVec3::new(left, y[0], bottom), DVec3::new(right, y[1], top));
            Piece::cuboid(cell.name, min, max)
        }
        _ => Piece::prism(cell.name, &cell.polygon, y),
    };
    match cell.group {
        Some(group) => piece.grouped(group),
        None => piece,
    }
}

impl Wall {
    /// Where leaves begin and end, from the front.
    fn across(&self, checks: &mut Dimensions) -> Vec<f64> {
        if self.bond == Some(Bond::English) {
            if self.leaves.is_some() {
                checks.refuse("leaves", "an English bond has its own", "leave it out");
            }
            return vec![0.0, 0.5 * self.thickness, self.thickness];
        }
        let Some(leaves) = &self.leaves else {
            return vec![0.0, self.thickness];
        };
        let count = leaves.count;
        if !(2..=100).contains(&count) {
            checks.refuse("leaves.count", format!("{count} leaves"), "from 2 to 100");
            return vec![0.0, self.thickness];
        }
        for (key, number) in [
            ("leaves.through_every", leaves.through_every),
            ("leaves.through_block", leaves.through_block),
        ] {
            if number == Some(0) {
                checks.refuse(key, "every 0", "a whole number from 1");
            }
        }
        if leaves.through_block.is_some() && leaves.through_every.is_none() {
            checks.refuse(
                "leaves.through_block",
                "no course has through-stones",
                "add through_every, e.g. 3 for every third course",
            );
        }
        if leaves.thicknesses.is_empty() {
            let part = |leaf: u32| self.thickness * (f64::from(leaf) / f64::from(count));
            return (0..=count).map(part).collect();
        }
        let total: f64 = leaves.thicknesses.iter().sum();
        if leaves.thicknesses.len() != count as usize
            || (total - self.thickness).abs() > 1e-6 * self.thickness
        {
            checks.refuse(
                "leaves.thicknesses",
                format!("{} numbers, together {total} m", leaves.thicknesses.len()),
                format!(
                    "{count} numbers, together the thickness, {} m",
                    self.thickness
                ),
            );
        }
        let mut across = vec![0.0];
        let mut at = 0.0;
        for (index, &thickness) in leaves.thicknesses.iter().enumerate() {
            checks.positive(format!("leaves.thicknesses[{index}]"), thickness);
            at += thickness;
            across.push(at);
        }
        // The back face is where the thickness says; lists of another length are refused above.
        across.resize(count as usize + 1, self.thickness);
        across[count as usize] = self.thickness;
        across
    }

    /// Length and height of a block.
    fn block(&self, checks: &mut Dimensions) -> Option<[f64; 2]> {
        let help = "length and height of a block, e.g. block = [0.4, 0.2]";
        let block = checks.required("block", self.block, help)?;
        let right = block.map(|length| checks.positive("block", length));
        (right == [true; 2]).then_some(block)
    }

    /// Whether so many blocks in each leaf are not too many.
    fn bounded(&self, key: &str, pieces: f64, checks: &mut Dimensions) -> bool {
        let leaves = self
            .leaves
            .as_ref()
            .map_or(1.0, |leaves| f64::from(leaves.count));
        checks.bounded(key, pieces * leaves)
    }

    /// Blocks of the courses: one through the thickness, or one in each leaf.
    fn cells(
        &self,
        course: usize,
        polygons: Vec<Vec<[f64; 2]>>,
        group: Option<&'static str>,
    ) -> Vec<Cell> {
        let leaves = match (self.bond, &self.leaves) {
            (Some(Bond::English), _) if course.is_multiple_of(2) => 2,
            (Some(Bond::English), _) | (_, None) => 1,
            (_, Some(leaves)) => leaves.count as usize,
        };
        let mut cells = Vec::with_capacity(polygons.len() * leaves);
        for (index, polygon) in polygons.into_iter().enumerate() {
            let (number, block) = (course + 1, index + 1);
            let through = self.is_through(course, index);
            if leaves == 1 || through {
                let mut cell = Cell::new(format!("course{number}.block{block}"), polygon);
                cell.group = group.or((leaves > 1).then_some("through"));
                cells.push(cell);
                continue;
            }
            for leaf in 0..leaves {
                let name = format!("course{number}.leaf{}.block{block}", leaf + 1);
                let mut cell = Cell::new(name, polygon.clone());
                cell.group = group;
                cell.leaf = Some(leaf);
                cells.push(cell);
            }
        }
        cells
    }

    fn is_through(&self, course: usize, block: usize) -> bool {
        let Some(leaves) = &self.leaves else {
            return false;
        };
        let Some(every) = leaves.through_every.map(|every| every.max(1) as usize) else {
            return false;
        };
        let among = leaves.through_block().max(1) as usize;
        (course + 1).is_multiple_of(every) && (block + (course + 1) / every).is_multiple_of(among)
    }
}
