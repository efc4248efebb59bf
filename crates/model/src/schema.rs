//! The JSON Schema of model files.

use drystone_keys::{Keys, Parts};

use crate::spec::ModelSpec;

/// The JSON Schema of a model file, for editors and for programs that write models. TOML files have the same tree.
pub fn schema() -> serde_json::Value {
    let about =
        "A model of dry masonry: blocks, what acts on them, and what is asked. SI units, z up.";
    Parts::default().document("Drystone model", &[about], ModelSpec::KEYS)
}
