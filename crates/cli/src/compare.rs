//! `drystone compare`: several models or results side by side.

use std::path::{Path, PathBuf};

use drystone_results::{Candidate, Comparison, write_atomic};
use serde_json::json;

use crate::Outcome;
use crate::kept::kept;
use crate::opened::{OPTIONS, open};
use crate::progress::StopWish;
use crate::speak::{answer, tell};

/// Options of `compare`.
#[derive(Debug, clap::Args)]
pub struct CompareOptions {
    /// Model files, whose static analyses and assessments are run, or folders of results
    #[arg(required = true, num_args = 1.., value_name = "MODEL|DIR")]
    pub candidates: Vec<PathBuf>,
    /// File to write; files with the extensions .csv and .html are written as well
    #[arg(long, value_name = "FILE", default_value = "comparison.md")]
    pub out: PathBuf,
    /// Folder for the results of models; one folder per model is made in it. Results of the same model that are there already are used
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub results: PathBuf,
    /// Replace files that are already there, and results of another model or version of the program
    #[arg(long)]
    pub overwrite: bool,
}

/// Runs the command.
pub fn compare(options: &CompareOptions) -> Outcome {
    let files = ["md", "csv", "html"].map(|ending| options.out.with_extension(ending));
    if !options.overwrite
        && let Some(file) = files.iter().find(|file| file.exists())
    {
        return Outcome::BadInput(format!(
            "{} already exists: choose another --out, or use --overwrite",
            file.display()
        ));
    }
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let labels = labels(&options.candidates);
    let mut candidates = Vec::new();
    let mut unanswered = Vec::new();
    for (path, label) in options.candidates.iter().zip(&labels) {
        let (folder, failed) = if path.is_dir() {
            (path.clone(), Vec::new())
        } else {
            let folder = options.results.join(label);
            match run(path, &folder, options.overwrite, &stop) {
                Ok(failed) => (folder, failed),
                Err(outcome) => return outcome,
            }
        };
        let mut candidate = match Candidate::read(label, &folder) {
            Ok(candidate) => candidate,
            Err(_) if !failed.is_empty() => Candidate {
                label: label.clone(),
                results: Vec::new(),
            },
            Err(error) => return Outcome::BadInput(error.to_string()),
        };
        for (analysis, why) in failed {
            let told = json!({ "name": analysis, "failure": why });
            let place = folder.join(&analysis);
            candidate.results.retain(|(old, _)| *old != place);
            candidate.results.push((place, told));
        }
        // Others can be compared all the same; the column of this one says why it is empty. Numbers of an answer that does not count are not shown.
        for (_, summary) in &mut candidate.results {
            if let Some(why) = summary["failure"].as_str() {
                let name = &summary["name"];
                unanswered.push(format!("{label}: {}", name.as_str().unwrap_or_default()));
                *summary = json!({ "name": name, "status": format!("failed: {why}") });
            }
        }
        candidates.push(candidate);
    }
    let comparison = match Comparison::new(&candidates) {
        Ok(comparison) => comparison,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let csv = match comparison.csv() {
        Ok(csv) => csv,
        Err(error) => return Outcome::Failed(error.to_string()),
    };
    let markdown = comparison.markdown();
    for (file, text) in files.iter().zip([&markdown, &csv, &comparison.html()]) {
        if let Err(error) = write_atomic(file, text.as_bytes()) {
            return Outcome::Failed(error.to_string());
        }
        tell(&format!("wrote {}", file.display()));
    }
    match answer(&markdown) {
        Outcome::Done if !unanswered.is_empty() => {
            Outcome::Failed(format!("without an answer: {}", unanswered.join(", ")))
        }
        outcome => outcome,
    }
}

/// Runs the statics and assessments of a model; what is complete already is kept. Tells which could not be answered, and why.
fn run(
    path: &Path,
    folder: &Path,
    overwrite: bool,
    stop: &StopWish,
) -> Result<Vec<(String, String)>, Outcome> {
    let mut failed = Vec::new();
    let case = open(path)?;
    for analysis in case
        .model()
        .analyses
        .iter()
        .filter(|analysis| analysis.kind.is_static())
    {
        let place = folder.join(&analysis.name);
        let found = kept(&case, analysis, &place, overwrite, stop);
        if stop.is_set() && !found.as_ref().is_ok_and(|answer| !answer.interrupted) {
            return Err(Outcome::Interrupted(format!(
                "interrupted: {}: {}; the same command continues",
                path.display(),
                analysis.name
            )));
        }
        match found {
            // An answer that does not count is told by its summary.
            Ok(outcome) => tell(&format!(
                "{}: {}: {}",
                path.display(),
                analysis.name,
                outcome.headline
            )),
            Err(error) => {
                tell(&format!(
                    "{}: {} failed: {}",
                    path.display(),
                    analysis.name,
                    error.message(&OPTIONS)
                ));
                failed.push((analysis.name.clone(), error.message(&OPTIONS)));
            }
        }
    }
    Ok(failed)
}

/// Names of the columns: that of the file or folder, with that of its folder where several are called the same.
fn labels(paths: &[PathBuf]) -> Vec<String> {
    let name = |path: &Path| {
        let name = if path.is_dir() {
            path.file_name()
        } else {
            path.file_stem()
        };
        name.map_or_else(
            || "results".to_owned(),
            |name| name.to_string_lossy().into_owned(),
        )
    };
    let mut labels: Vec<String> = paths.iter().map(|path| name(path)).collect();
    let plain = labels.clone();
    for (k, path) in paths.iter().enumerate() {
        if plain.iter().filter(|other| **other == plain[k]).count() > 1 {
            let parent = path.parent().and_then(Path::file_name);
            let parent =
                parent.map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            if !parent.is_empty() {
                labels[k] = format!("{parent}-{}", plain[k]);
            }
        }
        // Whatever is still the same is told apart by its place on the command line.
        if labels[..k].contains(&labels[k]) {
            labels[k] = format!("{}-{}", labels[k], k + 1);
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_have_different_names() {
        let paths = ["a/model.toml", "b/model.toml", "b/model.toml", "tie.toml"].map(PathBuf::from);
        assert_eq!(labels(&paths), ["a-model", "b-model", "b-model-3", "tie"]);
    }
}
