//! Buildings: walls of a plan that are bonded into each other at corners and junctions.

mod assembly;
mod plan;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::dimensions::Dimensions;
use super::openings::Opening;
use super::wall::{Gable, Lintel};
use super::{Misfit, Piece, Structure};

pub(super) use assembly::{Masonry, lay};
pub(super) use plan::{Band, Member};

/// Walls of a plan with axes along x and y, bonded into each other. Coordinates are those of the plan; the lowest course lies
/// at z = 0.
///
/// All walls share their courses. Where two walls cross or meet, one runs through and the other stops at its faces, in turn
/// from course to course: walls along x run through in the first, third, ... course, walls along y in the others. A wall that
/// ends in or on another is bonded into it up to its far face. What is left of a wall in a course is divided into blocks of
/// about `block_length` whose joints keep `min_overlap` from those below and come near to half a block where they can.
///
/// Blocks are named `WALL.course3.block2`, from the bottom and from the start of the wall, and are in the group `WALL`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub struct Building {
    /// Height of a course, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub course_height: f64,
    /// About how long a block is, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub block_length: f64,
    /// Least distance of a head joint from those below, m; default a quarter of a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub min_overlap: Option<f64>,
    /// Shortest piece of masonry between openings, corners and ends, m; default a fifth of a block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub min_length: Option<f64>,
    /// The walls.
    pub walls: Vec<BuildingWall>,
}

/// A wall of a building.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BuildingWall {
    /// Comes before the names of its blocks, with a dot, and is their group; default `wall1` and so on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Where it starts [x, y], m.
    pub from: [f64; 2],
    /// Where it ends [x, y], m; on a line along x or y with its start.
    pub to: [f64; 2],
    /// Thickness, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub thickness: f64,
    /// On which side of the line from start to end it lies; default left. Outer faces that are walked counter-clockwise have
    /// the building at their left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub side: Option<Side>,
    /// Level of its foot, m: whole courses; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub base: Option<f64>,
    /// Level of its top, m, or of its eaves if it has a gable: whole courses; not with `joints`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: Option<f64>,
    /// Parts of the wall that go on above its height, each within the one before; not with a gable or `joints`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub upper: Vec<UpperPart>,
    /// Doors and windows. Lengths count from the start of the wall, levels from z = 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub openings: Vec<Opening>,
    /// A triangle above the eaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gable: Option<Gable>,
    /// Exact courses in metres from the start of the wall, from its foot up: for every course its runs of masonry, each the list
    /// of the ends of its blocks. Other walls give way to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub joints: Vec<Vec<Vec<f64>>>,
    /// With `joints`: blocks over openings, named `WALL.lintel1` and so on. Courses count from the foot of the wall.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lintels: Vec<Lintel>,
}

/// A part of a wall that goes on above the rest.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UpperPart {
    /// Where it begins, from the start of the wall, m.
    pub from: f64,
    /// Where it ends, from the start of the wall, m.
    pub to: f64,
    /// Level of its top, m: whole courses.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: f64,
}

/// On which side of a line a wall lies, seen along the line.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The line is its right face.
    #[default]
    Left,
    /// The line is its left face.
    Right,
    /// The line is its middle.
    Centre,
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
