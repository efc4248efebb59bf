//! The one way from a question to its answer.

use drystone_mechanics::ContactForce;
use drystone_model::{Analysis, AnalysisKind, Case};
use drystone_shaking::ExcitationError;

use crate::answer::Answer;
use crate::rocking::RockingError;
use crate::statics::StaticsFault;
use crate::time_history::{Earlier, Frame, Progress, Seconds, StepNote};
use crate::{assessment, equilibrium, limit, pushover, rocking, time_history};

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Control {
    /// With the next step.
    Continue,
    /// No: save and stop.
    Stop,
}

/// What went wrong while rows were written away.
pub type KeepFault = Box<dyn std::error::Error + Send + Sync>;

/// Whoever accompanies an analysis: is shown how far it is, decides whether it goes on, and may keep rows and states as they come.
///
/// Every method has a default, that of nobody who looks.
pub trait Hooks {
    /// Seconds since some instant, for accounts of time; numerics do not look at clocks themselves.
    fn now(&self) -> f64 {
        0.0
    }

    /// The analysis begins or resumes with `done` of `total` steps behind it; asked again where a time history goes on beyond its duration.
    fn begin(&mut self, _total: u64, _done: u64) {}

    /// `done` steps are behind it; `message` describes the present state if anybody wants to know.
    fn advanced(&mut self, _done: u64, _message: &mut dyn FnMut() -> String) -> Control {
        Control::Continue
    }

    /// The answer is found, and is given next unless nobody wants it any more. Not asked by time histories, which hand over rows as they go.
    fn answered(&mut self) -> Control {
        Control::Continue
    }

    /// The answer to another analysis of the same case, if it is known already.
    fn known(&mut self, _analysis: &Analysis) -> Result<Option<Answer>, KeepFault> {
        Ok(None)
    }

    /// Whether the answer is to hold the motion of a time history; it may be larger than memory.
    fn wants_motion(&self) -> bool {
        true
    }

    /// Whether the answer is to hold the rows of a time history: histories, diagnostics, resultants.
    fn wants_rows(&self) -> bool {
        true
    }

    /// Whether the answer is to hold the contact forces of a time history; at every output time there is one per contact point.
    fn wants_forces(&self) -> bool {
        false
    }

    /// Where a time history goes on, if it was begun before.
    fn resume(&mut self) -> Result<Option<Earlier>, KeepFault> {
        Ok(None)
    }

    /// A frame is due.
    fn frame(&mut self, _frame: &Frame) -> Result<(), KeepFault> {
        Ok(())
    }

    /// Contact forces are due.
    fn forces(&mut self, _time: f64, _forces: &[ContactForce]) -> Result<(), KeepFault> {
        Ok(())
    }

    /// A step was taken.
    fn step(&mut self, _note: &StepNote) -> Result<(), KeepFault> {
        Ok(())
    }

    /// The state after a step, from which the run can go on; `last` if it stops here before its end.
    fn state(
        &mut self,
        _progress: &Progress,
        _seconds: Seconds,
        _last: bool,
    ) -> Result<(), KeepFault> {
        Ok(())
    }
}

/// Nobody looks, nobody stops.
impl Hooks for () {}

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskFault {
    /// The ground motion could not be made.
    #[error(transparent)]
    Excitation(#[from] ExcitationError),
    /// The rocking block is not one.
    #[error(transparent)]
    Rocking(#[from] RockingError),
    /// The question of statics makes no sense.
    #[error(transparent)]
    Statics(#[from] StaticsFault),
    /// What the question rests on does not hold it.
    #[error("{0}")]
    Basis(String),
    /// It is not one run.
    #[error("\"{0}\" is a campaign of many runs; `drystone campaign` runs it")]
    ManyRuns(String),
    /// It was stopped before what it rests on was known.
    #[error("interrupted: \"{0}\", on which it rests, is not complete")]
    Interrupted(String),
    /// [`Hooks::answered`] said so.
    #[error("the analysis was abandoned, and nothing was written")]
    Unwanted,
    /// Rows could not be kept.
    #[error(transparent)]
    Keep(#[from] KeepFault),
}

impl AskFault {
    /// The user's input or choice is at fault, not the machine.
    pub fn is_input(&self) -> bool {
        match self {
            // The question is sound, the solver found no answer.
            Self::Statics(StaticsFault::Unsolved(_) | StaticsFault::Marginal) => false,
            Self::Unwanted | Self::Interrupted(_) | Self::Keep(_) => false,
            Self::Excitation(_)
            | Self::Rocking(_)
            | Self::Statics(_)
            | Self::Basis(_)
            | Self::ManyRuns(_) => true,
        }
    }
}

/// Answers one question about a case.
pub fn ask(case: &Case, analysis: &Analysis, hooks: &mut dyn Hooks) -> Result<Answer, AskFault> {
    let mut answer = match &analysis.kind {
        AnalysisKind::TimeHistory(settings) => time_history::ask(case, analysis, settings, hooks),
        AnalysisKind::Rocking(settings) => rocking::ask(case, analysis, settings, hooks),
        AnalysisKind::Equilibrium(settings) => equilibrium::ask(case, analysis, settings, hooks),
        AnalysisKind::Limit(settings) => limit::ask(case, analysis, settings, hooks),
        AnalysisKind::Pushover(settings) => pushover::ask(case, analysis, settings, hooks),
        AnalysisKind::Assessment(settings) => assessment::ask(case, analysis, settings, hooks),
        AnalysisKind::Campaign(_) => Err(AskFault::ManyRuns(analysis.name.clone())),
    }?;
    answer.notes = gathered(case, &answer);
    answer.summary["notes"] = answer.notes.clone().into();
    Ok(answer)
}

/// The notes of the model, then those of the answer, wherever its question put them; each once.
fn gathered(case: &Case, answer: &Answer) -> Vec<String> {
    let summed = answer.summary["notes"].as_array().into_iter().flatten();
    let summed = summed.filter_map(|note| note.as_str().map(str::to_owned));
    let own = answer.notes.iter().cloned().chain(summed);
    let mut notes: Vec<String> = Vec::new();
    for note in case.notes().iter().cloned().chain(own) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// Asked between finding an answer and giving it.
pub(crate) fn wanted(hooks: &mut dyn Hooks) -> Result<(), AskFault> {
    match hooks.answered() {
        Control::Continue => Ok(()),
        Control::Stop => Err(AskFault::Unwanted),
    }
}
