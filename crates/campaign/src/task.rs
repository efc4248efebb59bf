//! Everything that determines one run.

use drystone_model::Intensity;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

/// One run: the model as written with nothing but the analysis that is run, and how its motion is changed.
///
/// Files that the model names have their content in their name (see [`crate::Folder`]), so that the text of a task says all there is to
/// say, and its hash can stand for its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Of the program and of its numerics.
    pub version: String,
    /// The model as written, as JSON.
    pub model: Value,
    /// How strong the motion is made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scaling: Option<Scaling>,
    /// Time that the run goes on after its motion has ended, s; absent: the duration of the analysis.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after_motion: Option<f64>,
}

/// How strong a motion is made.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Scaling {
    /// By which measure.
    pub intensity: Intensity,
    /// To which value; absent: as it is, and the measure is told.
    pub value: Option<f64>,
}

impl Task {
    /// The name of its result, lower-case hexadecimal.
    pub fn hash(&self) -> String {
        // Neither plain data nor a buffer in memory can fail to be written.
        let text = serde_json::to_vec(self).unwrap_or_default();
        hexadecimal(&Sha256::digest(text))
    }
}

/// Lower-case hexadecimal.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
