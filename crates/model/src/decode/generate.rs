//! The keys of parametric structures and drawings.

use super::table::{Decode, Keys, Table, table};
use super::values::{unknown_word, words};
use super::{Element, kind};
use crate::fault::{Faults, Trail};
use crate::spec::*;
use crate::structures::*;
use drystone_keys::{Node, Value};

table!(PlacingSpec {
    name: optional,
    material: required,
    group: optional,
    support: defaulted,
    at: optional,
    rotate_degrees: optional,
    mirror: optional,
    repeat: optional,
    cut: defaulted,
    gap: optional,
    trim: optional,
    bumps: optional,
    set: defaulted,
    remove: defaulted,
});

table!(RepeatSpec {
    count: required,
    step: required,
});

table!(CutSpec {
    point: required,
    normal: required,
});

table!(BumpsSpec {
    blocks: optional,
    count: required,
    height: required,
    along: optional,
});

table!(SetSpec {
    blocks: required,
    material: optional,
    group: optional,
    support: optional,
});

table!(LayerSpec {
    layer: required,
    material: optional,
    group: optional,
    support: optional,
    skip: defaulted,
});

table!(Cuboid { size: required });

table!(Ground {
    below: optional,
    depth: optional,
    margin: optional,
    level: optional,
});

table!(Arch {
    shape: optional,
    span: optional,
    rise: optional,
    radius: optional,
    angle_degrees: optional,
    thickness: required,
    depth: required,
    voussoirs: required,
    rings: optional,
    curved_mass: defaulted,
    springers: optional,
    piers: optional,
});

table!(Piers {
    width: required,
    height: required,
    courses: required,
    block_length: optional,
    base_width: optional,
    steps: optional,
    depth: optional,
});

table!(Stack {
    count: required,
    block: required,
});

table!(Wall {
    length: optional,
    height: optional,
    courses: optional,
    thickness: required,
    block: optional,
    bond: optional,
    overlap: optional,
    min_length: optional,
    seed: optional,
    block_lengths: optional,
    course_heights: optional,
    min_overlap: optional,
    leaves: optional,
    openings: defaulted,
    gable: optional,
    pattern: defaulted,
    joints: defaulted,
    levels: defaulted,
    lintels: defaulted,
});

table!(Leaves {
    count: required,
    thicknesses: defaulted,
    through_every: optional,
    through_block: optional,
});

table!(Gable {
    height: required,
    width: optional,
    stepped: defaulted,
});

table!(Lintel {
    from: required,
    to: required,
    course: required,
    courses: optional,
});

table!(Opening {
    name: optional,
    at: optional,
    sill: optional,
    width: required,
    height: required,
    top: optional,
    bearing: optional,
    lintel_height: optional,
    rise: optional,
    ring: optional,
    voussoir: optional,
    step: optional,
});

table!(Building {
    course_height: required,
    block_length: required,
    min_overlap: optional,
    min_length: optional,
    walls: required,
});

table!(BuildingWall {
    name: optional,
    from: required,
    to: required,
    thickness: required,
    side: optional,
    base: optional,
    height: optional,
    upper: defaulted,
    openings: defaulted,
    gable: optional,
    joints: defaulted,
    lintels: defaulted,
});

table!(UpperPart {
    from: required,
    to: required,
    height: required,
});

table!(Tower {
    width: required,
    course_height: required,
    block_length: required,
    min_overlap: optional,
    min_length: optional,
    storeys: required,
});

table!(Storey {
    height: required,
    thickness: required,
    setback: optional,
    openings: defaulted,
    south: defaulted,
    east: defaulted,
    north: defaulted,
    west: defaulted,
});

words!(Side { "left" => Left, "right" => Right, "centre" => Centre });
words!(Bond { "running" => Running, "stack" => Stack, "header" => Header, "english" => English, "random" => Random });
words!(OpeningTop { "lintel" => Lintel, "arch" => Arch, "corbel" => Corbel, "none" => None });
table!(SpandrelArch {
    radius: required,
    thickness: required,
    voussoirs: required,
    width: required,
    height: required,
    depth: required,
    block_length: required,
    min_block_length: optional,
    levels: optional,
    min_course_height: optional,
    springing: optional,
});

table!(BarrelVault {
    shape: optional,
    span: optional,
    rise: optional,
    radius: optional,
    angle_degrees: optional,
    thickness: required,
    rows: required,
    length: required,
    blocks: required,
    springers: optional,
});

table!(CrossVault {
    shape: optional,
    span: required,
    rise: optional,
    thickness: required,
    rows: required,
    block_length: required,
    min_block_length: optional,
    bearing: optional,
    springers: optional,
    piers: optional,
});

table!(CornerPiers {
    height: required,
    courses: required,
});

table!(Dome {
    radius: required,
    rise: optional,
    thickness: required,
    rings: required,
    blocks: required,
    oculus: optional,
    lantern: optional,
    keystone: optional,
    beds: optional,
    bond: optional,
    stepped: defaulted,
    springers: optional,
});

table!(Cylinder {
    radius: required,
    thickness: required,
    height: required,
    courses: required,
    blocks: required,
    sides: optional,
    rings: optional,
    core: defaulted,
    bond: optional,
});

table!(Column {
    section: optional,
    radius: required,
    top_radius: optional,
    entasis: optional,
    height: required,
    drums: required,
    sides: optional,
    base: optional,
    capital: optional,
});

table!(Lantern {
    height: required,
    courses: required,
    thickness: optional,
});

table!(Slab {
    height: required,
    width: required,
});

table!(Colonnade {
    columns: required,
    spacing: required,
    column: required,
    architrave: optional,
});

table!(Architrave {
    height: required,
    depth: optional,
    overhang: optional,
});

words!(RingBond { "running" => Running, "stack" => Stack });
words!(Beds { "radial" => Radial, "horizontal" => Horizontal });
words!(Section { "round" => Round, "square" => Square });
words!(ArchShape { "circular" => Circular, "pointed" => Pointed, "elliptical" => Elliptical, "flat" => Flat });
words!(Springers { "support" => Support, "none" => None });
words!(Up { "y" => Y, "z" => Z });
words!(Axis { "x" => X, "y" => Y, "z" => Z });

/// Reads a table whose keys are those of a structure and those of its placing.
fn placed<T: Keys>(
    node: &Node<'_>,
    trail: Trail<'_>,
    faults: &mut Faults,
    others: &[&str],
) -> Option<(PlacingSpec, T)> {
    let keys = [others, PlacingSpec::KEYS, T::KEYS].concat();
    let mut table = Table::open(node, &keys, trail, faults)?;
    Some((PlacingSpec::read(&mut table), T::read(&mut table)))
}

/// The kinds of structures: the word, the variant.
macro_rules! kinds {
    ($($word:literal => $variant:ident),* $(,)?) => {
        const KINDS: &[&str] = &[$($word),*];

        impl Decode for GenerateSpec {
            fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
                match kind(node, trail, faults, KINDS)? {
                    $($word => placed(node, trail, faults, &["kind"]).map(|(placing, structure)| Self {
                        placing,
                        structure: StructureSpec::$variant(structure),
                    }),)*
                    other => {
                        let span = node.get("kind").map_or(node.span.clone(), |kind| kind.span.clone());
                        faults.push(unknown_word(other, KINDS, trail.key("kind")).span(span));
                        None
                    }
                }
            }
        }

        impl StructureSpec {
            /// The word that stands for this kind in a model file.
            pub fn kind(&self) -> &'static str {
                match self {
                    $(Self::$variant(_) => $word,)*
                }
            }

            /// The structure itself.
            pub(crate) fn structure(&self) -> &dyn Structure {
                match self {
                    $(Self::$variant(structure) => structure,)*
                }
            }
        }

        /// The keys of each kind.
        #[cfg(test)]
        fn keys_by_kind() -> Vec<(&'static str, &'static [&'static str])> {
            fn keys<T: Keys>(_: fn(T) -> StructureSpec) -> &'static [&'static str] {
                T::KEYS
            }
            vec![$(($word, keys(StructureSpec::$variant))),*]
        }
    };
}

kinds! {
    "box" => Box,
    "ground" => Ground,
    "arch" => Arch,
    "spandrel_arch" => SpandrelArch,
    "barrel_vault" => BarrelVault,
    "cross_vault" => CrossVault,
    "dome" => Dome,
    "cylinder" => Cylinder,
    "column" => Column,
    "colonnade" => Colonnade,
    "stack" => Stack,
    "wall" => Wall,
    "building" => Building,
    "tower" => Tower,
}

/// The keys of a drawing without those of its placing.
struct Drawn {
    path: String,
    unit: Option<String>,
    snap: Option<f64>,
    depth: Option<f64>,
    up: Option<Up>,
    chord_degrees: Option<f64>,
    layers: Vec<LayerSpec>,
}

table!(Drawn {
    path: required,
    unit: optional,
    snap: optional,
    depth: optional,
    up: optional,
    chord_degrees: optional,
    layers: defaulted,
});

impl Decode for ImportSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let (placing, drawn) = placed::<Drawn>(node, trail, faults, &[])?;
        let Drawn {
            path,
            unit,
            snap,
            depth,
            up,
            chord_degrees,
            layers,
        } = drawn;
        Some(Self {
            path,
            unit,
            snap,
            depth,
            up,
            chord_degrees,
            layers,
            placing,
        })
    }
}

impl Element for GenerateSpec {
    fn named(name: &str) -> Self {
        let mut spec = Self::default();
        spec.placing.name = Some(name.into());
        spec
    }
}

impl Element for ImportSpec {
    fn named(name: &str) -> Self {
        let mut spec = Self::default();
        spec.placing.name = Some(name.into());
        spec
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn keys_of(schema: &serde_json::Value) -> BTreeSet<&str> {
        let properties = schema["properties"].as_object().unwrap();
        properties.keys().map(String::as_str).collect()
    }

    fn set<'k>(keys: &[&[&'k str]]) -> BTreeSet<&'k str> {
        keys.concat().into_iter().collect()
    }

    /// The keys of a structure are spread over two parts of its schema, of which neither may refuse those of the other.
    #[test]
    fn the_schema_has_the_keys_that_are_read() {
        let schema = crate::schema();
        let part = &schema["$defs"]["GenerateSpec"];
        assert_eq!(keys_of(part), set(&[PlacingSpec::KEYS]));
        assert_eq!(part["unevaluatedProperties"], serde_json::json!(false));
        let variants = part["oneOf"].as_array().unwrap();
        let by_kind = keys_by_kind();
        assert_eq!(variants.len(), by_kind.len());
        for (variant, (kind, keys)) in variants.iter().zip(by_kind) {
            assert_eq!(variant["properties"]["kind"]["const"], kind);
            assert_eq!(keys_of(variant), set(&[keys, &["kind"]]), "{kind}");
            assert!(variant.get("additionalProperties").is_none(), "{kind}");
            for key in keys {
                assert!(
                    !PlacingSpec::KEYS.contains(key),
                    "{kind} and its placing both have {key}"
                );
            }
        }
        let part = &schema["$defs"]["ImportSpec"];
        assert_eq!(keys_of(part), set(&[PlacingSpec::KEYS, Drawn::KEYS]));
        assert_eq!(part["unevaluatedProperties"], serde_json::json!(false));
    }
}
