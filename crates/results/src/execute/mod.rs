//! A question answered into a folder of results.

mod recording;

use std::path::Path;
use std::time::Instant;

use drystone_model::{Analysis, AnalysisKind, Case};
use drystone_questions::answer::{Answer, Identity};
use drystone_questions::{AskFault, Control, Hooks, KeepFault, ask};

use crate::store::{finish_time_history, read_answer, read_summary, write_answer};
use crate::{Error, Existing, ResultDir, Wording};
use recording::Recording;

/// Why an analysis left no results.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Files could not be read or written.
    #[error(transparent)]
    File(#[from] Error),
    /// The question has no answer.
    #[error(transparent)]
    Question(AskFault),
}

impl From<AskFault> for ExecuteError {
    fn from(fault: AskFault) -> Self {
        match fault {
            // Whoever keeps rows here has no other faults than those of files.
            AskFault::Keep(error) => match error.downcast::<Error>() {
                Ok(error) => Self::File(*error),
                Err(error) => Self::Question(AskFault::Keep(error)),
            },
            other => Self::Question(other),
        }
    }
}

impl ExecuteError {
    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            Self::File(error) => error.is_input(),
            Self::Question(fault) => fault.is_input(),
        }
    }

    /// The fault with the choices of an interface by their names.
    pub fn message(&self, words: &Wording) -> String {
        match self {
            Self::File(error) => error.message(words),
            Self::Question(fault) => fault.to_string(),
        }
    }
}

/// Answers one question about a case and writes the answer into a folder.
///
/// An answer that is there already and is complete is handed back when resuming, with its summary alone.
pub fn execute(
    case: &Case,
    analysis: &Analysis,
    folder: &Path,
    existing: Existing,
    hooks: &mut dyn Hooks,
) -> Result<Answer, ExecuteError> {
    let folder = ResultDir::create(folder, existing)?;
    if existing == Existing::Resume
        && let Some(answer) = complete(analysis, &folder)?
    {
        return Ok(answer);
    }
    let AnalysisKind::TimeHistory(settings) = &analysis.kind else {
        let mut hooks = Timed::new(hooks, &folder);
        let answer = ask(case, analysis, &mut hooks).inspect_err(|fault| leave(fault, &folder))?;
        write_answer(case, analysis, &answer, &folder)?;
        return Ok(answer);
    };
    let mut recording = Recording::new(case, analysis, settings, &folder, existing, hooks);
    let answer = ask(case, analysis, &mut recording).inspect_err(|fault| leave(fault, &folder))?;
    let mut files = recording.files()?;
    files.publish_copies()?;
    finish_time_history(case, analysis, &answer, &folder)?;
    if answer.failure.is_none() && !answer.interrupted {
        // In this order a kill leaves either all that resuming needs or a complete run.
        let path = folder.checkpoint();
        if path.exists() {
            std::fs::remove_file(&path).map_err(Error::file("remove", &path))?;
        }
        files.discard_partials()?;
    }
    Ok(answer)
}

/// Removes a folder into which nothing was written. Not after work that was left behind: the folder may belong to somebody else by then.
fn leave(fault: &AskFault, folder: &ResultDir) {
    if !matches!(fault, AskFault::Unwanted) {
        folder.leave();
    }
}

/// The answer that a complete run of the same analysis left in the folder, failed or not: what failed once fails again.
fn complete(analysis: &Analysis, folder: &ResultDir) -> Result<Option<Answer>, Error> {
    let path = folder.summary();
    if !path.exists() || folder.checkpoint().exists() {
        return Ok(None);
    }
    let summary = read_summary(&path)?;
    Identity::of_summary(&summary)
        .expect(&Identity::of(analysis))
        .map_err(|stranger| Error::mismatch(&path, stranger))?;
    if summary["status"] == "interrupted" {
        // Stopped before its end, and there is no checkpoint to go on from: it is made again.
        return Ok(None);
    }
    folder.tidy()?;
    let mut answer = Answer::stored(analysis, summary);
    answer.headline = format!("complete already: {}", answer.status);
    Ok(Some(answer))
}

/// Hooks with a clock, which know the answers that lie beside the folder.
struct Timed<'a> {
    inner: &'a mut dyn Hooks,
    folder: &'a ResultDir,
    start: Instant,
}

impl<'a> Timed<'a> {
    fn new(inner: &'a mut dyn Hooks, folder: &'a ResultDir) -> Self {
        Self {
            inner,
            folder,
            start: Instant::now(),
        }
    }
}

impl Hooks for Timed<'_> {
    fn now(&self) -> f64 {
        self.start.elapsed().as_secs_f64()
    }

    fn begin(&mut self, total: u64, done: u64) {
        self.inner.begin(total, done);
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        self.inner.advanced(done, message)
    }

    fn answered(&mut self) -> Control {
        self.inner.answered()
    }

    fn wants_motion(&self) -> bool {
        self.inner.wants_motion()
    }

    fn wants_rows(&self) -> bool {
        self.inner.wants_rows()
    }

    fn known(&mut self, analysis: &Analysis) -> Result<Option<Answer>, KeepFault> {
        if let Some(answer) = self.inner.known(analysis)? {
            return Ok(Some(answer));
        }
        let beside = self.folder.path().with_file_name(&analysis.name);
        let path = beside.join("summary.json");
        if !path.exists() {
            return Ok(None);
        }
        // What belongs to another model, or was stopped, is no answer to this question.
        let summary = read_summary(&path)?;
        let same = Identity::of_summary(&summary) == Identity::of(analysis);
        if !same || summary["status"] == "interrupted" {
            return Ok(None);
        }
        Ok(Some(read_answer(analysis, &beside)?))
    }
}
