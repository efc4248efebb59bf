//! Buildings: walls of a plan that are bonded into each other at corners and junctions.

mod assembly;
mod plan;

use drystone_keys::{keys, words};

use super::dimensions::Dimensions;
use super::openings::Opening;
use super::wall::{Gable, Lintel};
use super::{Misfit, Piece, Structure};

pub(super) use assembly::{Masonry, lay};
pub(super) use plan::{Band, Member};

keys! {
    /// Walls of a plan with axes along x and y, bonded into each other. Coordinates are those of the plan; the lowest course lies
    /// at z = 0.
    ///
    /// All walls share their courses. Where two walls cross or meet, one runs through and the other stops at its faces, in turn
    /// from course to course: walls along x run through in the first, third, ... course, walls along y in the others. A wall that
    /// ends in or on another is bonded into it up to its far face. What is left of a wall in a course is divided into blocks of
    /// about `block_length` whose joints keep `min_overlap` from those below and come near to half a block where they can.
    ///
    /// Blocks are named `WALL.course3.block2`, from the bottom and from the start of the wall, and are in the group `WALL`.
    pub struct Building {
        /// Height of a course.
        course_height: f64 { required, unit: "m", above: 0.0 },
        /// About how long a block is.
        block_length: f64 { required, unit: "m", above: 0.0 },
        /// Least distance of a head joint from those below.
        min_overlap: f64 { optional, unit: "m", least: 0.0, otherwise: "a quarter of a block" },
        /// Shortest piece of masonry between openings, corners and ends.
        min_length: f64 { optional, unit: "m", above: 0.0, otherwise: "a fifth of a block" },
        /// The walls.
        walls: Vec<BuildingWall> { required },
    }
}

keys! {
    /// A wall of a building.
    pub struct BuildingWall {
        /// Comes before the names of its blocks, with a dot, and is their group.
        name: String { optional, otherwise: "`wall1` and so on" },
        /// Where it starts [x, y].
        from: [f64; 2] { required, unit: "m" },
        /// Where it ends [x, y], m; on a line along x or y with its start.
        to: [f64; 2] { required, unit: "m" },
        /// Thickness.
        thickness: f64 { required, unit: "m", above: 0.0 },
        /// On which side of the line from start to end it lies.
        /// Outer faces that are walked counter-clockwise have the building at their left.
        side: Side { optional, default: Side::Left },
        /// Level of its foot, m: whole courses.
        base: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Level of its top, m, or of its eaves if it has a gable: whole courses; not with `joints`.
        height: f64 { optional, unit: "m", above: 0.0 },
        /// Parts of the wall that go on above its height, each within the one before; not with a gable or `joints`.
        upper: Vec<UpperPart> { defaulted },
        /// Doors and windows.
        /// Lengths count from the start of the wall, levels from z = 0.
        openings: Vec<Opening> { defaulted },
        /// A triangle above the eaves.
        gable: Gable { optional },
        /// Exact courses in metres from the start of the wall, from its foot up: for every course its runs of masonry, each the list of the ends of its blocks.
        /// Other walls are fitted to them.
        joints: Vec<Vec<Vec<f64>>> { defaulted },
        /// With `joints`: blocks over openings, named `WALL.lintel1` and so on.
        /// Courses count from the foot of the wall.
        lintels: Vec<Lintel> { defaulted },
    }
}

keys! {
    /// A part of a wall that goes on above the rest.
    pub struct UpperPart {
        /// Where it begins, from the start of the wall.
        from: f64 { required, unit: "m" },
        /// Where it ends, from the start of the wall.
        to: f64 { required, unit: "m" },
        /// Level of its top, m: whole courses.
        height: f64 { required, unit: "m", above: 0.0 },
    }
}

words! {
    /// On which side of a line a wall lies, seen along the line.
    pub enum Side = Left {
        /// The line is its right face.
        Left = "left",
        /// The line is its left face.
        Right = "right",
        /// The line is its middle.
        Centre = "centre",
    }
}

impl Structure for Building {
    fn pieces(&self) -> Result<Vec<Piece>, Vec<Misfit>> {
        let mut checks = Dimensions::default();
        let masonry = Masonry::new(
            [self.block_length, self.course_height],
            self.min_overlap,
            self.min_length,
            &mut checks,
        );
        if self.walls.is_empty() {
            checks.refuse(
                "walls",
                "there are none",
                "a list of walls, each with `from`, `to`, `thickness` and `height`",
            );
        }
        let Some(masonry) = masonry else {
            return checks.or(Vec::new());
        };
        let mut members = Vec::new();
        for (index, wall) in self.walls.iter().enumerate() {
            members.extend(plan::member(wall, index, &masonry, &mut checks));
        }
        checks.done()?;
        plan::join(&mut members);
        plan::together(&members, &masonry)?;
        lay(members, &masonry)
    }
}
