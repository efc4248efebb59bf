//! Model files that are going to be run.

use std::path::Path;

use drystone_model::Case;
use drystone_questions::answer::Answer;
use drystone_results::Wording;

use crate::Outcome;
use crate::speak::tell;

/// The choices of this interface, as messages call them.
pub(crate) const OPTIONS: Wording = Wording {
    overwrite: "--overwrite",
    resume: "--resume",
};

/// Reads a model file to be run, and prints what its user should know.
pub(crate) fn open(path: &Path) -> Result<Case, Outcome> {
    let case = Case::load(path).map_err(|faults| Outcome::BadInput(faults.to_string()))?;
    for note in case.notes() {
        tell(&format!("note: {note}"));
    }
    Ok(case)
}

/// What an answer has to say beside its headline, a line each: its notes without those of the model, which were told when that was opened.
pub(crate) fn own_notes(case: &Case, answer: &Answer) -> Vec<String> {
    let said =
        |note: &String| case.notes().contains(note) || answer.headline.contains(note.as_str());
    let own = answer.notes.iter().filter(|note| !said(note));
    own.map(|note| format!("  note: {note}")).collect()
}
