//! `drystone run`: every analysis of a model into its folder.

use std::path::Path;

use drystone_io::{Control, Existing, Hooks, Outcome as Executed, execute, load_records};
use drystone_model::Model;
use indicatif::ProgressBar;

use crate::Outcome;
use crate::args::RunOptions;
use crate::progress::{StopWish, bar};

/// Runs the command.
pub fn run(options: &RunOptions) -> Outcome {
    if let Some(threads) = options.threads
        && let Err(error) = rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()
    {
        return Outcome::BadInput(format!("--threads {threads}: {error}"));
    }
    let model = match drystone_model::load(&options.model) {
        Ok(model) => model,
        Err(faults) => return Outcome::BadInput(faults.to_string()),
    };
    if let Err(message) = names_exist(&model, &options.only) {
        return Outcome::BadInput(message);
    }
    if model.analyses.is_empty() {
        return Outcome::BadInput(format!(
            "{}: the model asks no question; add an [[analysis]]",
            options.model.display()
        ));
    }
    let records = match load_records(&model) {
        Ok(records) => records,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(error) => return Outcome::Failed(format!("Ctrl-C can't be handled here: {error}")),
    };
    let existing = match (options.overwrite, options.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    };
    let mut summaries = Vec::new();
    let mut failures = Vec::new();
    for analysis in &model.analyses {
        if !options.only.is_empty() && !options.only.contains(&analysis.name) {
            continue;
        }
        let mut hooks = Terminal::new(&analysis.name, stop.clone());
        let folder = options.out.join(&analysis.name);
        let executed = execute(&model, analysis, &records, &folder, existing, &mut hooks);
        hooks.clear();
        match executed {
            Ok(executed) => {
                eprintln!("{}", verdict(&analysis.name, &executed, &folder));
                if let Some(reason) = &executed.failure {
                    failures.push(format!("{}: {reason}", analysis.name));
                }
                summaries.push(executed.summary);
            }
            Err(error) if error.is_input() => return Outcome::BadInput(format!("{}: {error}", analysis.name)),
            Err(error) => return Outcome::Failed(format!("{}: {error}", analysis.name)),
        }
        if stop.is_set() {
            break;
        }
    }
    if options.json {
        match serde_json::to_string_pretty(&summaries) {
            Ok(text) => println!("{text}"),
            Err(error) => return Outcome::Failed(error.to_string()),
        }
    }
    if failures.is_empty() {
        Outcome::Done
    } else {
        Outcome::Failed(failures.join("\n"))
    }
}

fn names_exist(model: &Model, only: &[String]) -> Result<(), String> {
    let names: Vec<&str> = model.analyses.iter().map(|analysis| analysis.name.as_str()).collect();
    match only.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "--only {name}: the model has no analysis of that name; it has: {}",
            names.join(", ")
        )),
    }
}

/// One or two lines that say what came out.
fn verdict(name: &str, executed: &Executed, folder: &Path) -> String {
    format!("{name}: {}\n  results in {}", executed.headline, folder.display())
}

/// Shows progress and passes on the wish to stop.
struct Terminal {
    name: String,
    stop: StopWish,
    bar: Option<ProgressBar>,
}

impl Terminal {
    fn new(name: &str, stop: StopWish) -> Self {
        Self {
            name: name.to_owned(),
            stop,
            bar: None,
        }
    }

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Hooks for Terminal {
    fn begin(&mut self, total: u64, done: u64) {
        self.bar = Some(bar(&self.name, total, done));
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        if let Some(bar) = &self.bar {
            bar.set_position(done);
            // The message costs more than a step of a small model: refresh it now and then.
            if done % 64 == 0 && !bar.is_hidden() {
                bar.set_message(message());
            }
        }
        if self.stop.is_set() {
            Control::Stop
        } else {
            Control::Continue
        }
    }
}
