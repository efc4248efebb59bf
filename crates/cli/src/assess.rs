//! `drystone assess`: the assessments of a model, told as text.

use std::path::PathBuf;

use drystone_io::{Existing, ResultDir, execute, load_records};
use drystone_model::{Analysis, AnalysisKind, CapacitySource};

use crate::Outcome;
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
    /// Replace assessments that are already there
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
        let mut wanted: Vec<(&Analysis, Existing)> = Vec::new();
        if let CapacitySource::Pushover(name) = &source {
            let pushover = model.analyses.iter().find(|other| other.name == *name);
            wanted.extend(pushover.map(|pushover| (pushover, Existing::Resume)));
        }
        let existing = if options.overwrite {
            Existing::Replace
        } else {
            Existing::Refuse
        };
        wanted.push((analysis, existing));
        for (analysis, existing) in wanted {
            let folder = options.out.join(&analysis.name);
            match execute(&model, analysis, &records, &folder, existing, &mut ()) {
                Ok(outcome) => tell(&format!("{}: {}", analysis.name, outcome.headline)),
                Err(error) if error.is_input() => {
                    return Outcome::BadInput(format!("{}: {error}", analysis.name));
                }
                Err(error) => return Outcome::Failed(format!("{}: {error}", analysis.name)),
            }
        }
        let folder = match ResultDir::create(&options.out.join(&analysis.name), Existing::Resume) {
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
