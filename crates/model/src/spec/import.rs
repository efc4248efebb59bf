//! Drawings as written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{PlacingSpec, is_false};

/// Blocks from a file of another program: DXF, OBJ, STL, PLY, COMPAS JSON.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[schemars(extend("unevaluatedProperties" = false))]
pub struct ImportSpec {
    /// The file, relative to the folder of the model file; its extension says the format.
    pub path: String,
    /// Unit of length of the file: m, dm, cm, mm, km, in, ft, yd, us_ft; default: what the file says, and m where its format has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Corners closer than this become one, m; default 1e-6 of the size of the drawing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0))]
    pub snap: Option<f64>,
    /// Plane outlines become blocks of this depth, m.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub depth: Option<f64>,
    /// Axis of the file that points up; default z, but plane outlines drawn in the plane xy are put upright.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub up: Option<Up>,
    /// Arcs of outlines become chords of at most this angle, degrees; default 15.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("exclusiveMinimum" = 0.0))]
    pub chord_degrees: Option<f64>,
    /// What the layers of the drawing mean; default: all alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layers: Vec<LayerSpec>,
    /// Name, material and place.
    #[serde(flatten)]
    pub placing: PlacingSpec,
}

/// The axis of a drawing that points up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Up {
    /// (x, y, z) becomes (x, -z, y).
    Y,
    /// As drawn.
    Z,
}

/// What a layer of a drawing means.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LayerSpec {
    /// Name of the layer; `*` stands for any letters, `?` for one. The last one that matches wins.
    pub layer: String,
    /// Name of the material; default: that of the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub material: Option<String>,
    /// Group of its blocks; default: the name of the layer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Its blocks follow the ground; default: as the import.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub support: Option<bool>,
    /// Its blocks are left out; default false.
    #[serde(default, skip_serializing_if = "is_false")]
    pub skip: bool,
}
