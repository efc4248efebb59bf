//! `drystone run`: every analysis of a model into its folder.

use std::io::IsTerminal as _;
use std::path::Path;

use drystone_campaign::Folder;
use drystone_model::{Analysis, AnalysisKind, Case, Model};
use drystone_questions::answer::{Answer, Detail};
use drystone_questions::time_history::Frame;
use drystone_questions::{Control, Hooks, KeepFault};
use drystone_results::{Existing, ResultDir, execute};

use crate::Outcome;
use crate::args::RunOptions;
use crate::campaign::{faulty, go_local};
use crate::opened::{OPTIONS, open, own_notes};
use crate::progress::{Shown, StopWish};
use crate::spark::{decisive, wrapped};
use crate::speak::{answer, tell};
use crate::watch::{LINGER, Watch};

/// Runs the command.
pub fn run(options: &RunOptions) -> Outcome {
    if let Some(threads) = options.threads
        && let Err(error) = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
    {
        return Outcome::BadInput(format!("--threads {threads}: {error}"));
    }
    let case = match open(&options.model) {
        Ok(case) => case,
        Err(outcome) => return outcome,
    };
    let chosen = match choose(case.model(), options) {
        Ok(chosen) => chosen,
        Err(message) => return Outcome::BadInput(message),
    };
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let watch = match watch(options, &chosen, &stop) {
        Ok(watch) => watch,
        Err(error) => return Outcome::Failed(format!("--watch: cannot serve the page: {error}")),
    };
    let mut summaries = Vec::new();
    let run = Job {
        case: &case,
        chosen: &chosen,
        options,
        stop: &stop,
        watch: watch.as_ref(),
    };
    let outcome = run.all(&mut summaries);
    if let Some(watch) = &watch {
        tell(&format!(
            "the page is served for {} s more, or until Ctrl-C; the reports stay in {}",
            LINGER.as_secs(),
            options.out.display()
        ));
        watch.finish();
    }
    if options.json {
        // What was computed is told even if something went wrong later.
        let told = match serde_json::to_string_pretty(&summaries) {
            Ok(text) => answer(&text),
            Err(error) => Outcome::Failed(error.to_string()),
        };
        if let (Outcome::Done, Outcome::Failed(_)) = (&outcome, &told) {
            return told;
        }
    }
    outcome
}

/// The page on this machine, if it was asked for.
fn watch(
    options: &RunOptions,
    chosen: &[&Analysis],
    stop: &StopWish,
) -> std::io::Result<Option<Watch>> {
    if !options.watch {
        return Ok(None);
    }
    let names: Vec<&str> = chosen
        .iter()
        .map(|analysis| analysis.name.as_str())
        .collect();
    let watch = Watch::start(&names, stop)?;
    tell(&format!("watch the run at {}", watch.address()));
    Ok(Some(watch))
}

/// What is to be run.
struct Job<'a> {
    case: &'a Case,
    chosen: &'a [&'a Analysis],
    options: &'a RunOptions,
    stop: &'a StopWish,
    watch: Option<&'a Watch>,
}

impl Job<'_> {
    /// Runs the chosen analyses one after the other.
    fn all(&self, summaries: &mut Vec<serde_json::Value>) -> Outcome {
        let existing = existing(self.options);
        let mut failures = Vec::new();
        let mut refused = false;
        // Pushovers, on which assessments rest.
        let mut curves: Vec<Answer> = Vec::new();
        for (position, analysis) in self.chosen.iter().enumerate() {
            let folder = self.options.out.join(&analysis.name);
            if let AnalysisKind::Campaign(_) = analysis.kind {
                match self.campaign(&analysis.name, &folder, existing) {
                    Ok((summary, failed)) => {
                        summaries.push(summary);
                        if failed > 0 {
                            failures.push(analysis.name.as_str());
                        }
                    }
                    Err(Outcome::Interrupted(message)) => {
                        let rest = self.not_run(position);
                        return Outcome::Interrupted(format!("{message}{rest}"));
                    }
                    Err(outcome) => return outcome,
                }
                continue;
            }
            if let Some(watch) = self.watch {
                watch.begin(position, self.case.model(), analysis);
            }
            let mut hooks = Terminal::new(self, position, &curves);
            let executed = execute(self.case, analysis, &folder, existing, &mut hooks);
            drop(hooks);
            if let Some(watch) = self.watch {
                let report = std::fs::read(folder.join("report.html")).ok();
                watch.end(position, report.filter(|_| executed.is_ok()));
            }
            let executed = match executed {
                Ok(executed) => executed,
                Err(error) if self.stop.is_set() => {
                    let rest = self.not_run(position);
                    return Outcome::Interrupted(format!("{}: {error}{rest}", analysis.name));
                }
                // The others can be answered all the same.
                Err(error) => {
                    tell(&format!("{}: {}", analysis.name, error.message(&OPTIONS)));
                    refused |= error.is_input();
                    failures.push(analysis.name.as_str());
                    continue;
                }
            };
            let notes = own_notes(self.case, &executed);
            tell(&told(&analysis.name, &executed.headline, &notes, &folder));
            if executed.failure.is_some() {
                failures.push(analysis.name.as_str());
            }
            let interrupted = executed.interrupted;
            summaries.push(executed.summary.clone());
            if let Detail::Pushover(_) = executed.detail {
                curves.push(executed);
            }
            let rest = self.not_run(position);
            if self.stop.is_set() && (interrupted || !rest.is_empty()) {
                return Outcome::Interrupted(format!("interrupted{rest}; --resume continues"));
            }
        }
        match (failures.join(", "), refused) {
            (names, _) if names.is_empty() => Outcome::Done,
            (names, true) => Outcome::BadInput(format!("without an answer: {names}")),
            (names, false) => Outcome::Failed(format!("the computation failed: {names}")),
        }
    }

    /// The analyses after this one, which a stop leaves out; nothing if it was the last.
    fn not_run(&self, position: usize) -> String {
        let rest = self.chosen[position + 1..].iter();
        let rest: Vec<&str> = rest.map(|analysis| analysis.name.as_str()).collect();
        match rest.is_empty() {
            true => String::new(),
            false => format!("; not run: {}", rest.join(", ")),
        }
    }

    /// Makes all runs of a campaign on this machine.
    fn campaign(
        &self,
        name: &str,
        path: &Path,
        existing: Existing,
    ) -> Result<(serde_json::Value, usize), Outcome> {
        let files = |error: drystone_results::Error| {
            Outcome::BadInput(format!("{name}: {}", error.message(&OPTIONS)))
        };
        ResultDir::create(path, existing).map_err(files)?;
        let folder = Folder::create(path, &self.options.model, name).map_err(faulty)?;
        if existing == Existing::Replace {
            folder.store.clear().map_err(faulty)?;
        }
        go_local(&folder, self.options.threads, self.stop)
    }
}

/// What an analysis came to. On a terminal in lines of 80 columns and with its history in small; scripts get the plain lines.
fn told(name: &str, headline: &str, notes: &[String], folder: &Path) -> String {
    let verdict = format!("{name}: {headline}");
    let place = format!("  results in {}", folder.display());
    if !std::io::stderr().is_terminal() {
        return [&[verdict], notes, &[place]].concat().join("\n");
    }
    let mut lines = vec![wrapped(&verdict)];
    lines.extend(notes.iter().map(|note| format!("  {}", wrapped(note))));
    lines.extend(decisive(folder).map(|line| format!("  {line}")));
    lines.push(place);
    lines.join("\n")
}

fn existing(options: &RunOptions) -> Existing {
    match (options.overwrite, options.resume) {
        (true, _) => Existing::Replace,
        (_, true) => Existing::Resume,
        _ => Existing::Refuse,
    }
}

/// The analyses to run. What would refuse the last of them is found out before hours go into the first.
fn choose<'m>(model: &'m Model, options: &RunOptions) -> Result<Vec<&'m Analysis>, String> {
    if model.analyses.is_empty() {
        return Err(format!(
            "{}: the model asks no question; add an [[analysis]]",
            options.model.display()
        ));
    }
    names_exist(model, &options.only)?;
    let wanted =
        |analysis: &&Analysis| options.only.is_empty() || options.only.contains(&analysis.name);
    let chosen: Vec<&Analysis> = model.analyses.iter().filter(wanted).collect();
    if existing(options) == Existing::Refuse {
        let occupied = chosen
            .iter()
            .map(|analysis| options.out.join(&analysis.name))
            .filter(|folder| ResultDir::is_occupied(folder));
        let faults: Vec<String> = occupied
            .map(|path| drystone_results::Error::ResultsExist { path }.message(&OPTIONS))
            .collect();
        if !faults.is_empty() {
            return Err(faults.join("\n"));
        }
    }
    Ok(chosen)
}

fn names_exist(model: &Model, only: &[String]) -> Result<(), String> {
    let names: Vec<&str> = model
        .analyses
        .iter()
        .map(|analysis| analysis.name.as_str())
        .collect();
    match only.iter().find(|name| !names.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => Err(format!(
            "--only {name}: the model has no analysis of that name; it has: {}",
            names.join(", ")
        )),
    }
}

/// Shows progress, on the terminal and to whoever watches, and passes on the wish to stop.
struct Terminal<'a> {
    job: &'a Job<'a>,
    index: usize,
    /// Answers of this run that others rest on.
    curves: &'a [Answer],
    shown: Shown<'a>,
    watch: Option<Watch>,
    total: u64,
}

impl<'a> Terminal<'a> {
    fn new(job: &'a Job<'a>, index: usize, curves: &'a [Answer]) -> Self {
        Self {
            job,
            index,
            curves,
            shown: Shown::new(&job.chosen[index].name, job.stop),
            watch: job.watch.cloned(),
            total: 0,
        }
    }
}

impl Hooks for Terminal<'_> {
    fn begin(&mut self, total: u64, done: u64) {
        self.total = total;
        self.shown.begin(total, done);
    }

    fn advanced(&mut self, done: u64, message: &mut dyn FnMut() -> String) -> Control {
        if let Some(watch) = &mut self.watch {
            watch.progress(self.index, done, self.total, message);
        }
        self.shown.advanced(done, message)
    }

    fn known(&mut self, analysis: &Analysis) -> Result<Option<Answer>, KeepFault> {
        let mut known = self.curves.iter();
        Ok(known.find(|answer| answer.name == analysis.name).cloned())
    }

    fn frame(&mut self, frame: &Frame) -> Result<(), KeepFault> {
        if let Some(watch) = &self.watch {
            watch.frame(
                self.index,
                self.job.case.model(),
                self.job.chosen[self.index],
                frame,
            );
        }
        Ok(())
    }
}
