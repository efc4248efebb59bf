//! Results that a command rests on.

use std::path::Path;

use drystone_model::{Analysis, Case};
use drystone_questions::answer::Answer;
use drystone_results::{Error, ExecuteError, Existing, execute};

use crate::progress::{Shown, StopWish};

/// The results of an analysis that are in its folder, or else computed. Those of another model or of another version of the program are refused, or replaced if that
/// was asked for.
pub fn kept(
    case: &Case,
    analysis: &Analysis,
    folder: &Path,
    overwrite: bool,
    stop: &StopWish,
) -> Result<Answer, ExecuteError> {
    let run = |existing| {
        let mut shown = Shown::new(&analysis.name, stop);
        execute(case, analysis, folder, existing, &mut shown)
    };
    match run(Existing::Resume) {
        Err(ExecuteError::File(Error::Mismatch { .. })) if overwrite => run(Existing::Replace),
        told => told,
    }
}
