//! Parametric structures as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::is_false;
use crate::structures::{
    Arch, BarrelVault, Building, Colonnade, Column, CrossVault, Cuboid, Cylinder, Dome, Ground,
    SpandrelArch, Stack, Tower, Wall,
};

/// A parametric structure and where it stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
pub struct GenerateSpec {
    /// Name, material and place.
    #[serde(flatten)]
    pub placing: PlacingSpec,
    /// What is made, by `kind`.
    #[serde(flatten)]
    pub structure: StructureSpec,
}

impl GenerateSpec {
    /// A structure of a material, named after its kind, at the origin.
    pub fn new(material: impl Into<String>, structure: StructureSpec) -> Self {
        let placing = PlacingSpec {
            material: material.into(),
            ..PlacingSpec::default()
        };
        Self { placing, structure }
    }
}

/// The kinds of structures and their dimensions.
#[expect(
    clippy::large_enum_variant,
    reason = "a model has few structures, and each becomes many blocks"
)]
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum StructureSpec {
    /// A single block with edges along the axes.
    Box(Cuboid),
    /// A support under what stands lowest.
    Ground(Ground),
    /// An arch of voussoirs, on piers or without.
    Arch(Arch),
    /// A wall with an arch and spandrels laid in courses.
    SpandrelArch(SpandrelArch),
    /// A barrel vault of bonded rows.
    BarrelVault(BarrelVault),
    /// A groin vault over a square bay.
    CrossVault(CrossVault),
    /// A dome of rings of blocks.
    Dome(Dome),
    /// A round wall, or a solid cylinder.
    Cylinder(Cylinder),
    /// A column of drums.
    Column(Column),
    /// A row of columns with an architrave.
    Colonnade(Colonnade),
    /// Equal boxes on top of each other.
    Stack(Stack),
    /// A straight wall.
    Wall(Wall),
    /// Walls that are bonded into each other.
    Building(Building),
    /// A rectangular tower of storeys.
    Tower(Tower),
}

impl Default for StructureSpec {
    fn default() -> Self {
        Self::Box(Cuboid::default())
    }
}

/// What all structures and drawings have in common: names, material, place, and what is done to their blocks. In this order:
/// removing, cutting, gaps, trimming, bumps, mirroring, turning, moving, repeating.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlacingSpec {
    /// Comes before the names of the blocks, with a dot; default: the kind. For a drawing the default is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Name of the material.
    pub material: String,
    /// Group of all blocks; default: the part of the structure that each belongs to, if it has parts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// All blocks follow the ground; default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub support: bool,
    /// Where the origin of the structure goes [x, y, z], m; default [0, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<[f64; 3]>,
    /// Turns about the axes x, then y, then z through the origin of the structure, degrees; default [0, 0, 0].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotate_degrees: Option<[f64; 3]>,
    /// Mirrors the structure in the plane through its origin that is normal to this axis; default: not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mirror: Option<Axis>,
    /// Copies in a row; default: one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeat: Option<RepeatSpec>,
    /// Planes that cut the structure, in its own frame.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cut: Vec<CutSpec>,
    /// Width of all joints, m: every face moves into its block by half of it; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub gap: Option<f64>,
    /// Worn edges: every edge is cut by a plane this far inside it, m; default 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub trim: Option<f64>,
    /// Rounds the undersides of blocks, which raises their restitution; default: plane.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bumps: Option<BumpsSpec>,
    /// Changes of some blocks, the last one that matches wins.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub set: Vec<SetSpec>,
    /// Blocks left out, by their names within the structure; `*` stands for any letters, `?` for one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remove: Vec<String>,
}

/// A coordinate axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// Along the first coordinate.
    X,
    /// Along the second coordinate.
    Y,
    /// Upwards.
    Z,
}

/// Copies in a row, named `NAME1`, `NAME2` and so on.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepeatSpec {
    /// How many in all; at least one.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// From one to the next [x, y, z], m.
    pub step: [f64; 3],
}

/// A plane that cuts a structure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CutSpec {
    /// A point of the plane [x, y, z], m.
    pub point: [f64; 3],
    /// Normal [x, y, z] of any length, towards the side that is taken away.
    pub normal: [f64; 3],
}

/// Ridges under blocks, so that the impact of a rocking block is spread over several (NB remark 7).
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct BumpsSpec {
    /// Blocks with bumps, by their names within the structure; default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<String>,
    /// Number of ridges between the two edges of the underside; at least one.
    #[schemars(range(min = 1))]
    pub count: u32,
    /// How far the edges are raised above the middle, m.
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub height: f64,
    /// The block rocks along this axis, x or y; the ridges run across it. Default x.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub along: Option<Axis>,
}

/// A change of some blocks of a structure.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct SetSpec {
    /// Names within the structure; `*` stands for any letters, `?` for one.
    pub blocks: String,
    /// Name of their material; default: that of the structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Their group; default: that of the structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Whether they follow the ground; default: as the structure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<bool>,
}
