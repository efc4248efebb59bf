//! `drystone assess`: the assessments of a model, told as text.

use std::path::PathBuf;

use drystone_io::{ExecuteError, Existing, ResultDir, execute, load_records};
use drystone_model::{Analysis, AnalysisKind, CapacitySource};

use crate::Outcome;
use crate::kept::kept;
use crate::sound::load_to_run;
use crate::speak::{answer, tell};

/// Options of `assess`.
#[derive(Debug, clap::Args)]
pub struct AssessOptions {
    /// Model file with analyses of kind assessment
    pub model: PathBuf,
    /// Folder of results: pushover curves that are there already are used, others are computed first
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub out: PathBuf,
    /// Replace assessments that are already there, and pushover curves of another model or version of the program
    #[arg(long)]
    pub overwrite: bool,
}

/// Runs the command.
pub fn assess(options: &AssessOptions) -> Outcome {
    let model = match load_to_run(&options.model) {
        Ok(model) => model,
        Err(outcome) => return outcome,
    };
    let records = match load_records(&model) {
        Ok(records) => records,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let source = |analysis: &Analysis| match &analysis.kind {
        AnalysisKind::Assessment(settings) => Some(settings.capacity.clone()),
        AnalysisKind::TimeHistory(_)
        | AnalysisKind::Rocking(_)
        | AnalysisKind::Equilibrium(_)
        | AnalysisKind::Limit(_)
        | AnalysisKind::Pushover(_)
        | AnalysisKind::Campaign(_) => None,
    };
    let mut texts = Vec::new();
    for analysis in &model.analyses {
        let Some(source) = source(analysis) else {
            continue;
        };
        let place = |analysis: &Analysis| options.out.join(&analysis.name);
        let pushover = match &source {
            CapacitySource::Pushover(name) => model.analyses.iter().find(|a| a.name == *name),
            CapacitySource::Given(_) => None,
        };
        if let Some(pushover) = pushover {
            let folder = place(pushover);
            let told = kept(&model, pushover, &records, &folder, options.overwrite);
            if let Err(outcome) = check(&pushover.name, told) {
                return outcome;
            }
        }
        let existing = if options.overwrite {
            Existing::Replace
        } else {
            Existing::Refuse
        };
        let told = execute(
            &model,
            analysis,
            &records,
            &place(analysis),
            existing,
            &mut (),
        );
        if let Err(outcome) = check(&analysis.name, told) {
            return outcome;
        }
        let folder = match ResultDir::create(&place(analysis), Existing::Resume) {
            Ok(folder) => folder,
            Err(error) => return Outcome::Failed(error.to_string()),
        };
        match std::fs::read_to_string(folder.text()) {
            Ok(text) => texts.push(text),
            Err(error) => return Outcome::Failed(format!("{}: {error}", folder.text().display())),
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

/// Tells what an analysis came to; nothing rests on one that failed.
fn check(name: &str, told: Result<drystone_io::Outcome, ExecuteError>) -> Result<(), Outcome> {
    match told {
        Ok(outcome) => {
            tell(&format!("{name}: {}", outcome.headline));
            match outcome.failure {
                None => Ok(()),
                Some(why) => Err(Outcome::Failed(format!("{name}: {why}"))),
            }
        }
        Err(error) if error.is_input() => Err(Outcome::BadInput(format!("{name}: {error}"))),
        Err(error) => Err(Outcome::Failed(format!("{name}: {error}"))),
    }
}
