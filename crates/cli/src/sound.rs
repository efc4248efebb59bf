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
    if given(|law| law.compressive_strength) && !crushes(model) {
        notes.push(
            "compressive_strength has no effect: joints crush in equilibrium and limit analyses and pushovers of planar models only".to_owned(),
        );
    }
    Ok(notes)
}

fn has_elastic_joints(model: &Model) -> bool {
    model.analyses.iter().any(|analysis| match &analysis.kind {
        AnalysisKind::TimeHistory(history) => history.joints == Joints::Elastic,
        AnalysisKind::Equilibrium(equilibrium) => equilibrium.joints == Joints::Elastic,
        AnalysisKind::Pushover(pushover) => pushover.joints == Joints::Elastic,
        AnalysisKind::Rocking(_)
        | AnalysisKind::Limit(_)
        | AnalysisKind::Assessment(_)
        | AnalysisKind::Campaign(_) => false,
    })
}

/// Whether some analysis treats crushing.
fn crushes(model: &Model) -> bool {
    let planar = !model.free.iter().all(|&free| free);
    planar
        && model.analyses.iter().any(|analysis| match &analysis.kind {
            AnalysisKind::Equilibrium(_) | AnalysisKind::Limit(_) | AnalysisKind::Pushover(_) => {
                true
            }
            AnalysisKind::TimeHistory(_)
            | AnalysisKind::Rocking(_)
            | AnalysisKind::Assessment(_)
            | AnalysisKind::Campaign(_) => false,
        })
}

/// Overlaps in the initial configuration, but for those between two supports, which do not matter.
pub(crate) fn overlaps_that_matter(model: &Model) -> Vec<Overlap> {
    let (shapes, poses) = initial_configuration(model);
    let support = |i: u32| model.blocks[i as usize].support;
    overlaps(&shapes, &poses)
        .into_iter()
        .filter(|overlap| !(support(overlap.a) && support(overlap.b)))
        .collect()
}

/// Shapes and poses of all blocks at the start.
pub(crate) fn initial_configuration(model: &Model) -> (Vec<Solid>, Vec<Pose>) {
    let blocks = model.blocks.iter();
    blocks
        .map(|block| (block.shape.clone(), Pose::at(block.position)))
        .unzip()
}

fn describe(model: &Model, overlap: &Overlap) -> String {
    let name = |i: u32| &model.blocks[i as usize].name;
    format!(
        "\"{}\" and \"{}\" overlap by {:.3e} m near ({:.3}, {:.3}, {:.3})",
        name(overlap.a),
        name(overlap.b),
        overlap.depth,
        overlap.at.x,
        overlap.at.y,
        overlap.at.z
    )
}
