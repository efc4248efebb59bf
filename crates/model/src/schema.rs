//! The JSON Schema of model files.

use crate::spec::ModelSpec;

/// The JSON Schema of a model file, for editors and for programs that write models. TOML files have the same tree.
pub fn schema() -> serde_json::Value {
    let mut schema = schemars::schema_for!(ModelSpec).to_value();
    schema["title"] = "Drystone model".into();
    schema
}
