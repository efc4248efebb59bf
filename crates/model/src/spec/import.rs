//! Drawings as written.

use drystone_keys::{
    Decode, Describe, Faults, Json, Keys, Node, Parts, Serialize, SerializeStruct, Serializer,
    Table, Trail, keys, words,
};

use super::PlacingSpec;

/// Blocks from a file of another program, and where they stand.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ImportSpec {
    /// The file, and how it is read.
    pub drawing: DrawingSpec,
    /// Name, material and place.
    pub placing: PlacingSpec,
}

keys! {
    /// Blocks from a file of another program: DXF, OBJ, STL, PLY, COMPAS JSON.
    pub struct DrawingSpec {
        /// The file, relative to the folder of the model file; its extension says the format.
        path: String { required },
        /// Unit of length of the file: m, dm, cm, mm, km, in, ft, yd, us_ft.
        unit: String { optional, otherwise: "what the file says, and m where its format has none" },
        /// Corners closer than this become one.
        snap: f64 { optional, unit: "m", least: 0.0, otherwise: "1e-6 of the size of the drawing" },
        /// Plane outlines become blocks of this depth.
        depth: f64 { optional, unit: "m", above: 0.0 },
        /// Axis of the file that points up.
        up: Up { optional, otherwise: "z, but plane outlines drawn in the plane xy are put upright" },
        /// Arcs of outlines become chords of at most this angle.
        chord_degrees: f64 { optional, unit: "degrees", above: 0.0, otherwise: "15" },
        /// What the layers of the drawing mean.
        layers: Vec<LayerSpec> { defaulted, otherwise: "all alike" },
    }
}

words! {
    /// The axis of a drawing that points up.
    pub enum Up {
        /// (x, y, z) becomes (x, -z, y).
        Y = "y",
        /// As drawn.
        Z = "z",
    }
}

keys! {
    /// What a layer of a drawing means.
    pub struct LayerSpec {
        /// Name of the layer; `*` stands for any letters, `?` for one.
        /// The last one that matches wins.
        layer: String { required },
        /// Name of the material.
        material: String { optional, otherwise: "that of the import" },
        /// Group of its blocks.
        group: String { optional, otherwise: "the name of the layer" },
        /// Its blocks follow the ground.
        support: bool { optional, otherwise: "as the import" },
        /// Its blocks are left out.
        skip: bool { defaulted },
    }
}

impl Decode for ImportSpec {
    fn decode(node: &Node<'_>, trail: Trail<'_>, faults: &mut Faults) -> Option<Self> {
        let keys = [PlacingSpec::KEYS, DrawingSpec::KEYS];
        let mut table = Table::open(node, &keys, trail, faults)?;
        let placing = PlacingSpec::read(&mut table);
        let drawing = DrawingSpec::read(&mut table);
        Some(Self { drawing, placing })
    }
}

impl Serialize for ImportSpec {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut table = serializer.serialize_struct("ImportSpec", DrawingSpec::KEYS.len())?;
        self.drawing.write(&mut table)?;
        self.placing.write(&mut table)?;
        table.end()
    }
}

impl Describe for ImportSpec {
    fn describe(parts: &mut Parts) -> Json {
        parts.refer("ImportSpec", |parts| {
            let about = ["Blocks from a file of another program: DXF, OBJ, STL, PLY, COMPAS JSON."];
            let mut table = parts.object(&about, &[DrawingSpec::KEYS, PlacingSpec::KEYS]);
            table["unevaluatedProperties"] = false.into();
            table
        })
    }
}
