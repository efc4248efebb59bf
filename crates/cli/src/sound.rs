//! Models that can be run: read, and with blocks that do not fill the same space.

use std::path::Path;

use drystone_geometry::{Overlap, Pose, Solid, overlaps};
use drystone_model::{AnalysisKind, Interface, Joints, Model};

use crate::Outcome;
use crate::speak::{counted, tell};

/// Overlap, as a fraction of the smaller block's thickness, that is a mistake rather than the inaccuracy of a drawing.
const GROSS: f64 = 0.05;
/// At most this many overlaps are told one by one.
const SHOWN: usize = 10;

/// Reads a model to be run. Small overlaps and keys without effect are told; gross overlaps are refused.
pub(crate) fn load_to_run(path: &Path) -> Result<Model, Outcome> {
    let model =
        drystone_model::load(path).map_err(|faults| Outcome::BadInput(faults.to_string()))?;
    for note in examine(&model, path).map_err(Outcome::BadInput)? {
        tell(&format!("note: {note}"));
    }
    Ok(model)
}

/// What somebody who runs the model should know; gross overlaps are an error. `path` is the model's name in messages.
pub fn examine(model: &Model, path: &Path) -> Result<Vec<String>, String> {
    let mut notes = model.notes.clone();
    let found = overlaps_that_matter(model);
    let thickness = |overlap: &Overlap| {
        let size = |i: u32| model.blocks[i as usize].shape.size();
        size(overlap.a).min(size(overlap.b))
    };
    let gross: Vec<&Overlap> = found
        .iter()
        .filter(|overlap| overlap.depth > GROSS * thickness(overlap))
        .collect();
    if !gross.is_empty() {
        let mut lines: Vec<String> = gross
            .iter()
            .take(SHOWN)
            .map(|overlap| format!("error: {}", describe(model, overlap)))
            .collect();
        if gross.len() > SHOWN {
            lines.push(format!("and {} more", gross.len() - SHOWN));
        }
        lines.push(format!(
            "{}: blocks may overlap by at most {GROSS} of the smaller one's thickness; move them apart",
            path.display()
        ));
        return Err(lines.join("\n"));
    }
    if let Some(deepest) = found.iter().max_by(|a, b| a.depth.total_cmp(&b.depth)) {
        notes.push(format!(
            "{} of blocks overlap{} and will be pushed apart slowly{}; the deepest: {}",
            counted(found.len(), "pair"),
            if found.len() == 1 { "s" } else { "" },
            if has_elastic_joints(model) {
                ", but not by elastic joints, which begin compressed"
            } else {
                ""
            },
            describe(model, deepest)
        ));
    }
    let given =
        |value: fn(&Interface) -> Option<f64>| model.interfaces().any(|law| value(law).is_some());
    // A shear stiffness alone is as idle as both.
    let stiffness = given(|law| law.normal_stiffness.or(law.shear_stiffness));
    if stiffness && !has_elastic_joints(model) {
        notes.push(
            "normal_stiffness and shear_stiffness have no effect: joints are rigid unless an analysis says joints = \"elastic\"".to_owned(),
        );
    }
