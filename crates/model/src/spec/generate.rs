//! Parametric structures as written.

use drystone_keys::{
    Decode, Describe, Faults, Json, Keys, Kinds, Node, Parts, Serialize, SerializeStruct,
    Serializer, Trail, keys, kinds, open_kind, words,
};

use crate::structures::{
    Arch, BarrelVault, Building, Colonnade, Column, CrossVault, Cuboid, Cylinder, Dome, Ground,
    SpandrelArch, Stack, Structure, Tower, Wall,
};

/// A parametric structure and where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GenerateSpec {
    /// Name, material and place.
    pub placing: PlacingSpec,
    /// What is made, by `kind`.
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

impl Decode for GenerateSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let (kind, mut table) = open_kind::<StructureSpec>(node, PlacingSpec::KEYS, trail, faults)?;
        let placing = PlacingSpec::read(&mut table);
        let structure = StructureSpec::read(kind, &mut table)?;
        Some(Self { placing, structure })
    }
}

impl Serialize for GenerateSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_struct("GenerateSpec", PlacingSpec::KEYS.len())?;
        self.placing.write(&mut table)?;
        self.structure.write(&mut table)?;
        table.end()
    }
}

/// The keys of a structure are spread over two parts of its schema, of which neither may refuse those of the other.
impl Describe for GenerateSpec {
    fn describe(parts: &mut Parts) -> Json {
        parts.refer("GenerateSpec", |parts| {
            let about = ["A parametric structure and where it stands."];
            let mut table = parts.object(&about, &[PlacingSpec::KEYS]);
            table["oneOf"] = parts.each(StructureSpec::KINDS).into();
            table["unevaluatedProperties"] = false.into();
            table
        })
    }
}

kinds! {
    /// The kinds of structures and their dimensions.
    pub enum StructureSpec {
        /// A single block with edges along the axes.
        Box(Cuboid) = "box",
        /// A support under what stands lowest.
        Ground(Ground) = "ground",
        /// An arch of voussoirs, on piers or without.
        Arch(Arch) = "arch",
        /// A wall with an arch and spandrels laid in courses.
        SpandrelArch(SpandrelArch) = "spandrel_arch",
        /// A barrel vault of bonded rows.
        BarrelVault(BarrelVault) = "barrel_vault",
        /// A groin vault over a square bay.
        CrossVault(CrossVault) = "cross_vault",
        /// A dome of rings of blocks.
        Dome(Dome) = "dome",
        /// A round wall, or a solid cylinder.
        Cylinder(Cylinder) = "cylinder",
        /// A column of drums.
        Column(Column) = "column",
        /// A row of columns with an architrave.
        Colonnade(Colonnade) = "colonnade",
        /// Equal boxes on top of each other.
        Stack(Stack) = "stack",
        /// A straight wall.
        Wall(Wall) = "wall",
        /// Walls that are bonded into each other.
        Building(Building) = "building",
        /// A rectangular tower of storeys.
        Tower(Tower) = "tower",
    }
}

impl StructureSpec {
    /// The structure itself.
    pub(crate) fn structure(&self) -> &dyn Structure {
        match self {
            Self::Box(structure) => structure,
            Self::Ground(structure) => structure,
            Self::Arch(structure) => structure,
            Self::SpandrelArch(structure) => structure,
            Self::BarrelVault(structure) => structure,
            Self::CrossVault(structure) => structure,
            Self::Dome(structure) => structure,
            Self::Cylinder(structure) => structure,
            Self::Column(structure) => structure,
            Self::Colonnade(structure) => structure,
            Self::Stack(structure) => structure,
            Self::Wall(structure) => structure,
            Self::Building(structure) => structure,
            Self::Tower(structure) => structure,
        }
    }
}

impl Default for StructureSpec {
    fn default() -> Self {
        Self::Box(Cuboid::default())
    }
}

keys! {
    /// What all structures and drawings have in common: names, material, place, and what is done to their blocks. In this order:
    /// removing, cutting, gaps, trimming, bumps, mirroring, turning, moving, repeating.
    pub struct PlacingSpec {
        /// Comes before the names of the blocks, with a dot.
        /// For a drawing the default is nothing.
        name: String { optional, otherwise: "the kind" },
        /// Name of the material.
        material: String { required },
        /// Group of all blocks.
        group: String { optional, otherwise: "the part of the structure that each belongs to, if it has parts" },
        /// All blocks follow the ground.
        support: bool { defaulted },
        /// Where the origin of the structure goes [x, y, z].
        at: [f64; 3] { optional, unit: "m", default: [0.0, 0.0, 0.0] },
        /// Turns about the axes x, then y, then z through the origin of the structure.
        rotate_degrees: [f64; 3] { optional, unit: "degrees", default: [0.0, 0.0, 0.0] },
        /// Mirrors the structure in the plane through its origin that is normal to this axis.
        mirror: Axis { optional, otherwise: "not" },
        /// Copies in a row.
        repeat: RepeatSpec { optional, otherwise: "one" },
        /// Planes that cut the structure, in its own frame.
        cut: Vec<CutSpec> { defaulted },
        /// Width of all joints, m: every face moves into its block by half of it.
        gap: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Worn edges: every edge is cut by a plane this far inside it.
        trim: f64 { optional, unit: "m", least: 0.0, default: 0.0 },
        /// Rounds the undersides of blocks, which raises their restitution.
        bumps: BumpsSpec { optional, otherwise: "plane" },
        /// Changes of some blocks, the last one that matches wins.
        set: Vec<SetSpec> { defaulted },
        /// Blocks left out, by their names within the structure; `*` stands for any letters, `?` for one.
        remove: Vec<String> { defaulted },
    }
}

words! {
    /// A coordinate axis.
    pub enum Axis {
        /// Along the first coordinate.
        X = "x",
        /// Along the second coordinate.
        Y = "y",
        /// Upwards.
        Z = "z",
    }
}

keys! {
    /// Copies in a row, named `NAME1`, `NAME2` and so on.
    pub struct RepeatSpec {
        /// How many in all; at least one.
        count: u32 { required, least: 1 },
        /// From one to the next [x, y, z].
        step: [f64; 3] { required, unit: "m" },
    }
}

keys! {
    /// A plane that cuts a structure.
    pub struct CutSpec {
        /// A point of the plane [x, y, z].
        point: [f64; 3] { required, unit: "m" },
        /// Normal [x, y, z] of any length, towards the side that is taken away.
        normal: [f64; 3] { required },
    }
}

keys! {
    /// Ridges under blocks, so that the impact of a rocking block is spread over several (NB remark 7).
    pub struct BumpsSpec {
        /// Blocks with bumps, by their names within the structure.
        blocks: String { optional, otherwise: "all" },
        /// Number of ridges between the two edges of the underside; at least one.
        count: u32 { required, least: 1 },
        /// How far the edges are raised above the middle.
        height: f64 { required, unit: "m", above: 0.0 },
        /// The block rocks along this axis, x or y; the ridges run across it.
        along: Axis { optional, default: Axis::X },
    }
}

keys! {
    /// A change of some blocks of a structure.
    pub struct SetSpec {
        /// Names within the structure; `*` stands for any letters, `?` for one.
        blocks: String { required },
        /// Name of their material.
        material: String { optional, otherwise: "that of the structure" },
        /// Their group.
        group: String { optional, otherwise: "that of the structure" },
        /// Whether they follow the ground.
        support: bool { optional, otherwise: "as the structure" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_structure_has_a_key_of_its_placing() {
        for kind in StructureSpec::KINDS {
            for key in kind.keys {
                let placing = PlacingSpec::KEYS.iter();
                assert!(
                    placing.clone().all(|other| other.name != key.name),
                    "{} and its placing both have {}",
                    kind.word,
                    key.name
                );
            }
        }
    }
}
