//! The kinds of structures.

use drystone_keys::kinds;

use crate::{
    Arch, BarrelVault, Building, Colonnade, Column, CrossVault, Cuboid, Cylinder, Dome, Ground,
    SpandrelArch, Stack, Structure, Tower, Wall,
};

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
    pub fn structure(&self) -> &dyn Structure {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PlacingSpec;
    use drystone_keys::{Keys, Kinds};

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
