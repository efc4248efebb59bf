//! A straight wall in any bond, with leaves, openings and a gable.

mod explicit;
mod layout;
mod random;

use drystone_geometry::DVec3;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::courses::Cell;
use super::dimensions::Dimensions;
use super::openings::Opening;
use super::{Misfit, Piece, Structure};

pub(super) use explicit::{Explicit, lintel_cells, runs};
pub(super) use layout::{Rule, division, elevation, slopes};

/// A straight wall. The origin is its lower left front corner; length runs along x, thickness along +y, height along z.
///
/// Blocks are named `course3.block2`, from 1, from the bottom and from the left; in a wall of several leaves
/// `course3.leaf1.block2`, from the front, but through-stones `course3.block2`. Blocks of a gable are in the group `gable`,
/// lintels in `lintel`, voussoirs in `arch`, through-stones in `through`. What would be shorter than `min_length` belongs to
/// its neighbour.
///
/// The wall follows from `length`, `height` and `bond`; or exact courses are given, by `pattern` or by `joints`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Wall {
    /// Length, m; not with `pattern` or `joints`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub length: Option<f64>,
    /// Height, m: a whole number of courses, or any height where these are random; instead of `courses`. Up to the eaves if
    /// there is a gable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: Option<f64>,
    /// Number of courses; instead of `height`. Default with `pattern` or `joints`: as many as these have.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub courses: Option<u32>,
    /// Thickness, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub thickness: f64,
    /// Length and height [l, h] of a block, m. The height is that of a course.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block: Option<[f64; 2]>,
    /// How blocks are laid; default running.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bond: Option<Bond>,
    /// By how much every second course of a running or header bond is shifted, as a fraction of a block; default 0.5.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub overlap: Option<f64>,
    /// Shortest piece at an end or a jamb, m; default a fifth of a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub min_length: Option<f64>,
    /// Random bond: which of all random walls this is; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
    /// Random bond: shortest and longest block, m; default 0.75 and 1.5 times the length in `block`. Where joints would come
    /// too near to those below, the blocks at ends and jambs may be as short as `min_length`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub block_lengths: Option<[f64; 2]>,
    /// Random bond: lowest and highest course, m; default: all as high as `block` says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub course_heights: Option<[f64; 2]>,
    /// Random bond: least distance of a head joint from those below, m; default a quarter of a block. What can't be kept is
    /// refused, of the default noted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub min_overlap: Option<f64>,
    /// Several walls behind each other; default: one block through the thickness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub leaves: Option<Leaves>,
    /// Doors and windows.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Opening>,
    /// A triangle above the eaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gable: Option<Gable>,
    /// Exact courses in letters, from the bottom: `1` is a block, `h` half a block, `q` a quarter, digits from 2 several blocks
    /// in one, `o` an opening of one block, `.` one of half a block. Repeated from the first if there are more courses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pattern: Vec<String>,
    /// Exact courses in metres, from the bottom: for every course its runs of masonry, each the list of the ends of its blocks.
    /// Repeated from the first if there are more courses.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Vec<Vec<f64>>>,
    /// With `joints`: levels of all beds, m, one more than there are courses; default: equal courses as high as `block` says.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub levels: Vec<f64>,
    /// With `pattern` or `joints`: blocks over openings, named `lintel1` and so on, for which the courses have left room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lintels: Vec<Lintel>,
}

/// How the blocks of a wall are laid.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Bond {
    /// Every second course is shifted, by half a block unless `overlap` says otherwise.
    #[default]
    Running,
    /// Head joints above each other.
    Stack,
    /// Blocks lie across the wall: on the face they are half as long, and every second course is shifted by half of that.
    Header,
    /// Courses of stretchers in two leaves alternate with courses of headers through the wall, which are half as long on the
    /// face. Every second course begins and ends with a quarter of a block.
    English,
    /// Random lengths, and heights if `course_heights` is given, from a seed.
    Random,
}

/// Several walls behind each other that share courses and head joints.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Leaves {
    /// How many; at least two.
    #[schemars(range(min = 2))]
    pub count: u32,
    /// Thickness of each from the front, m, together that of the wall; default: all equal.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub thicknesses: Vec<f64>,
    /// Every how many courses there are through-stones; default: nowhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub through_every: Option<u32>,
    /// In such a course every how many blocks is one; default 2. They change places from one such course to the next.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub through_block: Option<u32>,
}

/// A triangle of masonry above the eaves of a wall.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Gable {
    /// Height above the eaves, m: a whole number of courses, unless these are random.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: f64,
    /// Width at the eaves, m, in the middle of the wall; default its whole length.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub width: Option<f64>,
    /// Courses end in steps, each as wide as the triangle is at half its height; default false: cut along the slopes. A tip
    /// that would be shorter than `min_length` at half its height is left out.
    #[serde(default, skip_serializing_if = "crate::spec::is_false")]
    pub stepped: bool,
}

/// A block over one or several courses of a wall with exact courses.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Lintel {
    /// Where it begins, m.
    pub from: f64,
    /// Where it ends, m.
    pub to: f64,
    /// Its lowest course, from 1.
    #[schemars(range(min = 1))]
    pub course: u32,
    /// How many courses it is high; default 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1))]
    pub courses: Option<u32>,
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
        let among = leaves.through_block.unwrap_or(2).max(1) as usize;
        (course + 1).is_multiple_of(every) && (block + (course + 1) / every).is_multiple_of(among)
    }
}
