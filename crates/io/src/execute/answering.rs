//! What equilibria and limit analyses have in common: joints found, tables of forces, a summary and a report.

use std::time::Instant;

use drystone_analysis::statics::{Joint, Posed, Reaction};
use drystone_model::Model;
use serde::Serialize;
use serde_json::{Value, json};

use super::ExecuteError;
use crate::{
    Error, ResultDir, write_joints, write_json_atomic, write_reactions, write_static_forces,
};

/// A question of statics on its way to its folder, with the times at which its stages ended, s.
pub(super) struct Answering<'m> {
    pub(super) posed: Posed<'m>,
    start: Instant,
    detected: f64,
    solved: f64,
}

impl<'m> Answering<'m> {
    /// Finds the joints of a model.
    pub(super) fn begin(model: &'m Model) -> Self {
        let start = Instant::now();
        let posed = Posed::new(model);
        let detected = start.elapsed().as_secs_f64();
        Self {
            posed,
            start,
            detected,
            solved: detected,
        }
    }

    /// It is solved: the tables that every answer has.
    pub(super) fn tables(
        &mut self,
        folder: &ResultDir,
        force: &[[f64; 3]],
        joints: &[Joint],
        reactions: &[Reaction],
    ) -> Result<(), ExecuteError> {
        self.solved = self.start.elapsed().as_secs_f64();
        let model = self.posed.statics.model;
        write_static_forces(&folder.forces(), &self.posed.statics, force)?;
        write_joints(&folder.joints(), model, joints)?;
        write_reactions(&folder.reactions(), model, reactions)?;
        Ok(())
    }

    /// How long it took in all, s, and by stages for the summary.
    pub(super) fn seconds(&self) -> (f64, Value) {
        let total = self.start.elapsed().as_secs_f64();
        let stages = json!({
            "total": total,
            "detect": self.detected,
            "solve": self.solved - self.detected,
            "output": total - self.solved,
        });
        (total, stages)
    }
}

/// Writes a summary, and hands it back as a value.
pub(super) fn write_summary(
    folder: &ResultDir,
    summary: &impl Serialize,
) -> Result<Value, ExecuteError> {
    let path = folder.summary();
    let summary = serde_json::to_value(summary).map_err(|error| Error::Encode {
        path: path.clone(),
        message: error.to_string(),
    })?;
    write_json_atomic(&path, &summary)?;
    Ok(summary)
}
