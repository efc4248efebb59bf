//! `drystone assess`: the assessments of a model, told as text.

use std::path::PathBuf;

use drystone_model::{Analysis, AnalysisKind, CapacitySource, Case};
use drystone_questions::answer::{Answer, Detail};
use drystone_questions::{Hooks, KeepFault};
use drystone_results::{ExecuteError, Existing, Wording, execute};

use crate::Outcome;
use crate::kept::kept;
use crate::opened::{OPTIONS, open, own_notes};
use crate::progress::StopWish;
use crate::speak::{answer, tell};

/// Options of `assess`.
#[derive(Debug, clap::Args)]
pub struct AssessOptions {
    /// Model file with analyses of kind assessment
    pub model: PathBuf,
    /// Folder of results: existing pushover curves are used, others are computed first
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Replace assessments that are already there, and pushover curves of another model or version of the program
    #[arg(long)]
    pub overwrite: bool,
}

/// Runs the command.
pub fn assess(options: &AssessOptions) -> Outcome {
    let case = match open(&options.model) {
        Ok(case) => case,
        Err(outcome) => return outcome,
    };
    let source = |analysis: &Analysis| match &analysis.kind {
        AnalysisKind::Assessment(settings) => Some(settings.capacity.clone()),
        _ => None,
    };
    let existing = match options.overwrite {
        true => Existing::Replace,
        false => Existing::Refuse,
    };
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let mut texts = Vec::new();
    for analysis in &case.model().analyses {
        let Some(source) = source(analysis) else {
            continue;
        };
        let place = |analysis: &Analysis| options.out.join(&analysis.name);
        let pushover = match &source {
            CapacitySource::Pushover(name) => case.analysis(name),
            CapacitySource::Given(_) => None,
        };
        let mut known = Known(None);
        if let Some(pushover) = pushover {
            let found = kept(&case, pushover, &place(pushover), options.overwrite, &stop);
            if stop.is_set() {
                return Outcome::Interrupted(format!(
                    "interrupted: {}; what is complete is kept",
                    pushover.name
                ));
            }
            match check(&case, &pushover.name, found) {
                Ok(answer) if matches!(answer.detail, Detail::Pushover(_)) => {
                    known = Known(Some(answer));
                }
                // Read from its folder when it is asked for.
                Ok(_) => {}
                Err(outcome) => return outcome,
            }
        }
        let found = execute(&case, analysis, &place(analysis), existing, &mut known);
        match check(&case, &analysis.name, found) {
            Ok(answer) => texts.extend(answer.text),
            Err(outcome) => return outcome,
        }
    }
    if texts.is_empty() {
        return Outcome::BadInput(format!(
            "{}: the model has no analysis of kind assessment",
            options.model.display()
        ));
    }
    answer(&texts.join("\n"))
}

/// The pushover that an assessment rests on.
struct Known(Option<Answer>);

impl Hooks for Known {
    fn known(&mut self, _analysis: &Analysis) -> Result<Option<Answer>, KeepFault> {
        Ok(self.0.clone())
    }
}

/// Prints what an analysis came to; nothing rests on one that failed.
fn check(case: &Case, name: &str, found: Result<Answer, ExecuteError>) -> Result<Answer, Outcome> {
    match found {
        Ok(answer) => {
            tell(&format!("{name}: {}", answer.headline));
            own_notes(case, &answer).iter().for_each(|note| tell(note));
            match &answer.failure {
                None => Ok(answer),
                Some(why) => Err(Outcome::Failed(format!("{name}: {why}"))),
            }
        }
        Err(error) => {
            let message = format!(
                "{name}: {}",
                error.message(&Wording {
                    resume: "",
                    ..OPTIONS
                })
            );
            Err(match error.is_input() {
                true => Outcome::BadInput(message),
                false => Outcome::Failed(message),
            })
        }
    }
}
