//! Parametric structures as written.

use drystone_keys::{
    Decode, Describe, Faults, Json, Keys, Kinds, Node, Parts, Serialize, SerializeStruct,
    Serializer, Trail, open_kind,
};
use drystone_structures::{PlacingSpec, StructureSpec};

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
