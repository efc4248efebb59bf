//! Results that a command rests on.

use std::path::Path;

use drystone_analysis::excitation::RecordSeries;
use drystone_io::{Error, ExecuteError, Existing, Outcome, execute};
use drystone_model::{Analysis, Model};

/// The results of an analysis that are in its folder, or else computed. Those of another model or of another version of the program are refused, or replaced if that
/// was asked for.
pub fn kept(
    model: &Model,
    analysis: &Analysis,
    records: &[Vec<RecordSeries>],
    folder: &Path,
    overwrite: bool,
) -> Result<Outcome, ExecuteError> {
    let run = |existing| execute(model, analysis, records, folder, existing, &mut ());
    match run(Existing::Resume) {
        Err(ExecuteError::File(Error::Mismatch { .. })) if overwrite => run(Existing::Replace),
        told => told,
    }
}
