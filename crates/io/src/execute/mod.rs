//! An analysis from its question to a complete folder of results.

mod answering;
mod assessment;
mod clock;
mod equilibrium;
mod limit;
mod pushover;
pub(crate) mod read;
mod rocking;
mod time_history;

use std::path::Path;

use drystone_analysis::REVISION;
use drystone_analysis::excitation::{ExcitationError, RecordSeries};
use drystone_analysis::rocking::RockingError;
use drystone_analysis::statics::StaticsFault;
use drystone_analysis::time_history::Frame;
use drystone_model::{Analysis, AnalysisKind, Model};
use serde::Serialize;
use serde_json::Value;

use crate::version::{program_version, told_version};
use crate::{Error, Existing, ResultDir};

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// With the next step.
    Continue,
    /// No: save and stop.
    Stop,
}

/// Told how far an analysis is; decides whether it goes on.
pub trait Hooks {
    /// The analysis begins or resumes with `done` of `total` steps behind it.
    fn begin(&mut self, total: u64, done: u64);

    /// `done` steps are behind it; `message` describes the present state if anybody wants to know.
    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control;

    /// A frame was written.
    fn frame(&mut self, _frame: &Frame) {}

    /// The answer is found, and its files are written next unless nobody wants them any more. Not asked by time histories, which write as they go.
    fn answered(&mut self) -> Control {
        Control::Continue
    }
}

/// Nobody looks, nobody stops.
impl Hooks for () {
    fn begin(&mut self, _total: u64, _done: u64) {}

    fn advanced(&mut self, _done: u64, _message: &mut dyn FnMut() -> String) -> Control {
        Control::Continue
    }
}

/// What an analysis came to.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Content of `summary.json`.
    pub summary: Value,
    /// The verdict in one line.
    pub headline: String,
    /// Why the computation failed, if it did; results up to there are saved.
    pub failure: Option<String>,
    /// It was stopped before its end; resuming goes on.
    pub interrupted: bool,
}

/// Why an analysis left no results.
#[derive(Debug, thiserror::Error)]
pub enum ExecuteError {
    /// Files could not be read or written.
    #[error(transparent)]
    File(#[from] Error),
    /// The ground motion could not be made.
    #[error(transparent)]
    Excitation(#[from] ExcitationError),
    /// The rocking block is not one.
    #[error(transparent)]
    Rocking(#[from] RockingError),
    /// It is not one run.
    #[error("\"{0}\" is a campaign of many runs; `drystone campaign` runs it")]
    ManyRuns(String),
    /// The question of statics makes no sense.
    #[error(transparent)]
    Statics(#[from] StaticsFault),
    /// [`Hooks::answered`] said so.
    #[error("nobody wants the answer any more, and nothing was written")]
    Unwanted,
}

impl ExecuteError {
    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            Self::File(error) => error.is_input(),
            // The question is sound, the solver found no answer.
            Self::Statics(StaticsFault::Unsolved(_)) => false,
            Self::Unwanted => false,
            Self::Excitation(_) | Self::Rocking(_) | Self::Statics(_) | Self::ManyRuns(_) => true,
        }
    }
}

/// Runs one analysis of a model and writes its results into a folder.
///
/// `records` has the loaded series per motion, as [`crate::load_records`] gives them.
pub fn execute(
    model: &Model,
    analysis: &Analysis,
    records: &[Vec<RecordSeries>],
    folder: &Path,
    existing: Existing,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let folder = ResultDir::create(folder, existing)?;
    if existing == Existing::Resume
        && let Some(outcome) = complete(model, analysis, &folder)?
    {
        return Ok(outcome);
    }
    match &analysis.kind {
        AnalysisKind::TimeHistory(settings) => {
            time_history::execute(model, analysis, settings, records, &folder, existing, hooks)
        }
        AnalysisKind::Rocking(settings) => {
            rocking::execute(model, analysis, settings, records, &folder, hooks)
        }
        AnalysisKind::Equilibrium(settings) => {
            equilibrium::execute(model, analysis, settings, &folder, hooks)
        }
        AnalysisKind::Limit(settings) => limit::execute(model, analysis, settings, &folder, hooks),
        AnalysisKind::Pushover(settings) => {
            pushover::execute(model, analysis, settings, &folder, hooks)
        }
        AnalysisKind::Assessment(settings) => {
            assessment::execute(model, analysis, settings, &folder, hooks)
        }
        AnalysisKind::Campaign(_) => Err(ExecuteError::ManyRuns(analysis.name.clone())),
    }
}

/// Asked between an answer and its first file.
fn wanted(hooks: &mut dyn Hooks) -> Result<(), ExecuteError> {
    match hooks.answered() {
        Control::Continue => Ok(()),
        Control::Stop => Err(ExecuteError::Unwanted),
    }
}

/// The head that every summary has.
#[derive(Debug, Serialize)]
struct Head<'a> {
    kind: &'static str,
    name: &'a str,
    version: &'static str,
    /// Of the numerics within a version.
    revision: u32,
    model_sha256: &'a str,
    /// Of what this answer depends on.
    analysis_sha256: &'a str,
}

impl<'a> Head<'a> {
    fn new(kind: &'static str, analysis: &'a Analysis, model: &'a Model) -> Self {
        Self {
            kind,
            name: &analysis.name,
            version: env!("CARGO_PKG_VERSION"),
            revision: REVISION,
            model_sha256: &model.sha256,
            analysis_sha256: &analysis.sha256,
        }
    }
}

/// Refuses a summary that is not the answer of this program to this question.
fn check_owner(
    path: &Path,
    summary: &Value,
    model: &Model,
    analysis: &Analysis,
) -> Result<(), Error> {
    let word = |key: &str| summary[key].as_str().unwrap_or_default().to_owned();
    let program = match summary["revision"].as_u64() {
        Some(revision) => told_version(&word("version"), revision),
        None => word("version"),
    };
    let same_answer = word("analysis_sha256") == analysis.sha256;
    for (what, same, found, expected) in [
        (
            "version of the program",
            program == program_version(),
            program,
            program_version(),
        ),
        (
            "analysis",
            word("name") == analysis.name,
            word("name"),
            analysis.name.clone(),
        ),
        // What the rest of the file asks makes no other model of it.
        (
            "model",
            same_answer,
            word("model_sha256"),
            model.sha256.clone(),
        ),
    ] {
        if !same {
            return Err(Error::Mismatch {
                path: path.to_owned(),
                what,
                found,
                expected,
            });
        }
    }
    Ok(())
}

/// The outcome that a complete run of the same analysis left in the folder, failed or not: what failed once fails again.
fn complete(
    model: &Model,
    analysis: &Analysis,
    folder: &ResultDir,
) -> Result<Option<Outcome>, Error> {
    let path = folder.summary();
    if !path.exists() || folder.checkpoint().exists() {
        return Ok(None);
    }
    let text = std::fs::read_to_string(&path).map_err(Error::file("read", &path))?;
    let summary: Value = serde_json::from_str(&text)
        .map_err(|error| Error::damaged(&path, format!("not a summary: {error}")))?;
    check_owner(&path, &summary, model, analysis)?;
    if summary["status"] == "interrupted" {
        // Stopped before its end, and there is no checkpoint to go on from: it is made again.
        return Ok(None);
    }
    folder.tidy()?;
    let headline = format!(
        "complete already: {}",
        summary["status"].as_str().unwrap_or("unknown")
    );
    Ok(Some(Outcome {
        failure: summary["failure"].as_str().map(str::to_owned),
        summary,
        headline,
        interrupted: false,
    }))
}
