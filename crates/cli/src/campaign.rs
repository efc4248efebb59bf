//! `drystone campaign`: many runs of one model, on this machine or on a cluster.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Args, Subcommand, ValueEnum};
use drystone_campaign::{
    Error, Folder, Gathered, SlurmOptions, Tally, Watch, collect, gather, run_local, run_slurm,
};
use drystone_model::{AnalysisKind, Model};
use drystone_results::ResultDir;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};

use crate::Outcome;
use crate::opened::open as open_case;
use crate::progress::{StopWish, bar};
use crate::speak::{answer, counted, tell};

/// Options of `campaign`.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub struct CampaignOptions {
    #[command(subcommand)]
    command: Option<CampaignCommand>,
    #[command(flatten)]
    start: StartOptions,
}

#[derive(Debug, Subcommand)]
enum CampaignCommand {
    /// Run the campaigns of a model; existing valid results are kept (the same as without `run`)
    Run(StartOptions),
    /// Report the progress of a campaign
    Status(LookOptions),
    /// Resume a campaign that was stopped
    Resume(GoOptions),
    /// Write tables, summary and report of the completed runs
    Collect(LookOptions),
    /// Repeat failed runs
    Retry(GoOptions),
    /// Perform the runs of one task of a job array
    #[command(hide = true)]
    Work(WorkOptions),
}

#[derive(Debug, Args)]
struct StartOptions {
    /// Model file, TOML or JSON
    model: Option<PathBuf>,
    /// Folder for results; one folder per campaign is made in it [default: results]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Run only the campaign of this name; may be given several times
    #[arg(long = "only", value_name = "NAME")]
    only: Vec<String>,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print the summaries as JSON on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct GoOptions {
    /// Folder of a campaign, or a folder that contains campaigns
    folder: PathBuf,
    #[command(flatten)]
    engine: EngineOptions,
    /// Print the summaries as JSON on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct LookOptions {
    /// Folder of a campaign, or a folder that contains campaigns
    folder: PathBuf,
    /// Print the answer as JSON on standard output
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct WorkOptions {
    /// Folder of the campaign
    folder: PathBuf,
    /// Number of the round
    #[arg(long)]
    round: u32,
    /// Number of the task, from 0
    #[arg(long)]
    task: usize,
    /// Number of threads
    #[arg(long, default_value_t = 1)]
    threads: usize,
}

/// Where runs are performed.
#[derive(Debug, Args)]
pub struct EngineOptions {
    /// Where runs are performed
    #[arg(long, value_enum, value_name = "ENGINE", default_value = "local")]
    engine: Engine,
    /// Runs at the same time, on this machine; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Partition of the cluster
    #[arg(long, value_name = "NAME")]
    partition: Option<String>,
    /// Runs per task of the cluster [default: as many as take about a minute]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    group: Option<u32>,
    /// Time limit of a task, in the format of `sbatch --time`
    #[arg(long, value_name = "TIME")]
    time: Option<String>,
    /// Another option of sbatch, e.g. --sbatch=--mem=4G; may be given several times
    #[arg(long = "sbatch", value_name = "OPTION", allow_hyphen_values = true)]
    sbatch: Vec<String>,
    /// Seconds between two queries of the cluster queue
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0)]
    poll: f64,
    /// Number of consecutive submissions without progress before giving up
    #[arg(long, value_name = "N", default_value_t = 3)]
    attempts: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Engine {
    /// The cores of this machine
    Local,
    /// Slurm job arrays, on a file system shared by all nodes
    Slurm,
}

/// Runs the command.
pub fn campaign(options: &CampaignOptions) -> Outcome {
    match &options.command {
        None => start(&options.start),
        Some(CampaignCommand::Run(options)) => start(options),
        Some(CampaignCommand::Status(options)) => status(options),
        Some(CampaignCommand::Collect(options)) => collected(options),
        Some(CampaignCommand::Resume(options)) => resume(options, false),
        Some(CampaignCommand::Retry(options)) => resume(options, true),
        Some(CampaignCommand::Work(options)) => work(options),
    }
}

fn start(options: &StartOptions) -> Outcome {
    let Some(file) = &options.model else {
        return Outcome::BadInput(
            "give a model file: drystone campaign MODEL; or one of status, resume, collect, retry with the folder of a campaign"
                .to_owned(),
        );
    };
    let case = match open_case(file) {
        Ok(case) => case,
        Err(outcome) => return outcome,
    };
    let names = match choose(case.model(), file, &options.only) {
        Ok(names) => names,
        Err(message) => return Outcome::BadInput(message),
    };
    let out = options.out.as_deref().unwrap_or(Path::new("results"));
    let make = |name: &String| {
        let path = out.join(name);
        if ResultDir::is_occupied(&path) && !Folder::is_one(&path) {
            return Err(Outcome::BadInput(format!(
                "{} holds results of another analysis; choose another folder with --out",
                path.display()
            )));
        }
        Folder::create(&path, file, name).map_err(faulty)
    };
    match names.iter().map(make).collect::<Result<Vec<_>, _>>() {
        Ok(folders) => go_all(&folders, &options.engine, options.json),
        Err(outcome) => outcome,
    }
}

/// Names of the campaigns to run.
fn choose(model: &Model, file: &Path, only: &[String]) -> Result<Vec<String>, String> {
    let is_campaign = |kind: &AnalysisKind| matches!(kind, AnalysisKind::Campaign(_));
    let all: Vec<&str> = model
        .analyses
        .iter()
        .filter(|analysis| is_campaign(&analysis.kind))
        .map(|analysis| analysis.name.as_str())
        .collect();
    if all.is_empty() {
        return Err(format!(
            "{}: the model has no campaign; add an [[analysis]] of the kind sweep, failure_domain or fragility",
            file.display()
        ));
    }
    if let Some(name) = only.iter().find(|name| !all.contains(&name.as_str())) {
        return Err(format!(
            "--only {name}: the model has no campaign of that name; it has: {}",
            all.join(", ")
        ));
    }
    let wanted = |name: &&str| only.is_empty() || only.iter().any(|other| other == name);
    Ok(all.into_iter().filter(wanted).map(str::to_owned).collect())
}

fn resume(options: &GoOptions, again: bool) -> Outcome {
    let folders = match open(&options.folder) {
        Ok(folders) => folders,
        Err(outcome) => return outcome,
    };
    if again {
        for folder in &folders {
            match forget_failures(folder) {
                Ok(count) => tell(&format!(
                    "{}: {} to be made again",
                    folder.analysis(),
                    counted(count, "failed run")
                )),
                Err(error) => return faulty(error),
            }
        }
    }
    go_all(&folders, &options.engine, options.json)
}

fn forget_failures(folder: &Folder) -> Result<usize, Error> {
    let known = gather(folder).known;
    let failed = known.iter().filter(|(_, run)| run.failure.is_some());
    let mut count = 0;
    for (index, _) in failed {
        folder.store.remove(&folder.plan.task(*index).hash())?;
        count += 1;
    }
    Ok(count)
}

fn status(options: &LookOptions) -> Outcome {
    let folders = match open(&options.folder) {
        Ok(folders) => folders,
        Err(outcome) => return outcome,
    };
    let mut lines = Vec::new();
    let mut values = Vec::new();
    for folder in &folders {
        let gathered = gather(folder);
        let tally = &gathered.tally;
        let mut line = format!(
            "{}: {} of {} done, {} collapsed, {} failed",
            folder.analysis(),
            tally.done,
            counted(tally.wanted, "run"),
            tally.collapsed,
            tally.failed
        );
        if tally.undecided > 0 {
            line.push_str(&format!(", {} undecided", tally.undecided));
        }
        if tally.damaged > 0 {
            line.push_str(&format!(", {} damaged and to be repeated", tally.damaged));
        }
        let total: f64 = gathered.known.values().map(|run| run.seconds).sum();
        if !gathered.is_complete() && tally.done > 0 {
            let left = total / tally.done as f64 * gathered.missing.len() as f64;
            line.push_str(&format!("; about {left:.0} s of one core remain"));
        }
        values.push(json!({
            "name": folder.analysis(),
            "wanted": tally.wanted,
            "done": tally.done,
            "missing": gathered.missing.len(),
            "collapsed": tally.collapsed,
            "undecided": tally.undecided,
            "failed": tally.failed,
            "damaged": tally.damaged,
            "complete": gathered.is_complete(),
        }));
        lines.push(line);
    }
    if options.json {
        return answer(&Value::from(values).to_string());
    }
    answer(&lines.join("\n"))
}

fn collected(options: &LookOptions) -> Outcome {
    let folders = match open(&options.folder) {
        Ok(folders) => folders,
        Err(outcome) => return outcome,
    };
    let mut summaries = Vec::new();
    for folder in &folders {
        match finish(folder, &gather(folder)) {
            Ok(summary) => summaries.push(summary),
            Err(error) => return faulty(error),
        }
    }
    told(options.json, &summaries, Outcome::Done)
}

fn work(options: &WorkOptions) -> Outcome {
    let folder = match Folder::open(&options.folder) {
        Ok(folder) => folder,
        Err(error) => return faulty(error),
    };
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let watch = Silent(stop.clone());
    let threads = options.threads.max(1);
    match drystone_campaign::work(&folder, options.round, options.task, threads, &watch) {
        Ok(tally) if tally.done < tally.wanted && stop.is_set() => {
            Outcome::Interrupted(format!("{} of {} runs done", tally.done, tally.wanted))
        }
        Ok(tally) => answer(&format!("{} of {} runs done", tally.done, tally.wanted)),
        Err(error) => faulty(error),
    }
}

/// The campaign of a folder, or those in the folders in it.
fn open(path: &Path) -> Result<Vec<Folder>, Outcome> {
    if Folder::is_one(path) {
        return Ok(vec![Folder::open(path).map_err(faulty)?]);
    }
    let mut inside: Vec<PathBuf> = std::fs::read_dir(path)
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| Folder::is_one(path))
        .collect();
    inside.sort();
    if inside.is_empty() {
        return Err(Outcome::BadInput(format!(
            "{}: this is not the folder of a campaign, nor does it contain one; `drystone campaign MODEL --out DIR` creates them",
            path.display()
        )));
    }
    let opened = inside.iter().map(|path| Folder::open(path));
    opened.collect::<Result<_, _>>().map_err(faulty)
}

fn go_all(folders: &[Folder], engine: &EngineOptions, json: bool) -> Outcome {
    let stop = match StopWish::listen() {
        Ok(stop) => stop,
        Err(outcome) => return outcome,
    };
    let mut summaries = Vec::new();
    let mut failed = Vec::new();
    for folder in folders {
        match go(folder, engine, &stop) {
            Ok((summary, failures)) => {
                summaries.push(summary);
                if failures > 0 {
                    failed.push(format!(
                        "{}: {} failed; the table gives the reasons, and `drystone campaign retry {}` repeats them",
                        folder.analysis(),
                        counted(failures, "run"),
                        folder.path().display()
                    ));
                }
            }
            Err(outcome) => return told(json, &summaries, outcome),
        }
    }
    let outcome = if failed.is_empty() {
        Outcome::Done
    } else {
        Outcome::Failed(failed.join("\n"))
    };
    told(json, &summaries, outcome)
}

/// What was computed is told even if something went wrong later.
fn told(json: bool, summaries: &[Value], outcome: Outcome) -> Outcome {
    if !json {
        return outcome;
    }
    let text = serde_json::to_string_pretty(summaries).unwrap_or_default();
    match (answer(&text), outcome) {
        (Outcome::Done, outcome) | (outcome, Outcome::Done) => outcome,
        (_, outcome) => outcome,
    }
}

/// Makes all runs of a campaign on this machine, and collects them: the summary, and how many failed.
pub fn go_local(
    folder: &Folder,
    chosen: Option<u16>,
    stop: &StopWish,
) -> Result<(Value, usize), Outcome> {
    let watch = Terminal::new(folder.analysis(), stop.clone());
    let gathered = run_local(folder, threads(chosen), &watch);
    ended(folder, gathered, watch)
}

fn go(
    folder: &Folder,
    options: &EngineOptions,
    stop: &StopWish,
) -> Result<(Value, usize), Outcome> {
    let watch = Terminal::new(folder.analysis(), stop.clone());
    let gathered = match options.engine {
        Engine::Local => run_local(folder, threads(options.threads), &watch),
        Engine::Slurm => {
            let slurm = slurm_options(options)?;
            run_slurm(folder, &slurm, &watch)
        }
    };
    ended(folder, gathered, watch)
}

fn ended(
    folder: &Folder,
    gathered: Result<Gathered, Error>,
    watch: Terminal,
) -> Result<(Value, usize), Outcome> {
    let stopped = watch.stopped();
    watch.bar.finish_and_clear();
    let gathered = gathered.map_err(faulty)?;
    if stopped && !gathered.is_complete() {
        return Err(Outcome::Interrupted(format!(
            "{}: stopped with {} of {} done; `drystone campaign resume {}` continues",
            folder.analysis(),
            gathered.tally.done,
            counted(gathered.tally.wanted, "run"),
            folder.path().display()
        )));
    }
    if gathered.tally.damaged > 0 {
        tell(&format!(
            "note: {} of results {} damaged and repeated",
            counted(gathered.tally.damaged, "file"),
            if gathered.tally.damaged == 1 {
                "was"
            } else {
                "were"
            }
        ));
    }
    let summary = finish(folder, &gathered).map_err(faulty)?;
    Ok((summary, gathered.tally.failed))
}

fn finish(folder: &Folder, gathered: &Gathered) -> Result<Value, Error> {
    let collected = collect(folder, gathered)?;
    tell(&format!(
        "{}: {}\n  results in {}",
        folder.analysis(),
        collected.headline,
        folder.path().display()
    ));
    // Those of the model were told when it was opened.
    let told = |note: &&String| !folder.notes().contains(note);
    for note in collected.notes.iter().filter(told) {
        tell(&format!("note: {}: {note}", folder.analysis()));
    }
    Ok(collected.summary)
}

fn threads(chosen: Option<u16>) -> usize {
    let cores = || std::thread::available_parallelism().map_or(1, usize::from);
    chosen.map_or_else(cores, usize::from)
}

fn slurm_options(options: &EngineOptions) -> Result<SlurmOptions, Outcome> {
    let program = match crate::PROGRAM.get() {
        Some(program) => program.clone(),
        None => std::env::current_exe().map_err(|error| {
            Outcome::Failed(format!("the path of the program is not known: {error}"))
        })?,
    };
    if !(options.poll > 0.0 && options.poll <= 3600.0) {
        return Err(Outcome::BadInput(format!(
            "--poll {}: it must be greater than zero and at most 3600 s",
            options.poll
        )));
    }
    Ok(SlurmOptions {
        program,
        partition: options.partition.clone(),
        group: options.group.map(|group| group as usize),
        time: options.time.clone(),
        more: options.sbatch.clone(),
        every: Duration::from_secs_f64(options.poll),
        attempts: options.attempts,
    })
}

/// A fault of a campaign: the user's or the machine's.
pub fn faulty(error: Error) -> Outcome {
    if error.is_input() {
        Outcome::BadInput(error.to_string())
    } else {
        Outcome::Failed(error.to_string())
    }
}

/// Shows how far a campaign is, and passes on the wish to stop.
struct Terminal {
    bar: ProgressBar,
    stop: StopWish,
}

impl Terminal {
    fn new(name: &str, stop: StopWish) -> Self {
        let bar = bar(name, 0, 0);
        let style = ProgressStyle::with_template(
            "{prefix:.bold} [{bar:30}] {pos}/{len}  {per_sec}  {msg}  left {eta}",
        )
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
        bar.set_style(style);
        Self { bar, stop }
    }
}

impl Watch for Terminal {
    fn told(&self, tally: &Tally) {
        if tally.made == 0 {
            // What was found says nothing about how fast runs are.
            self.bar.set_position(tally.done as u64);
            self.bar.reset_eta();
        }
        self.bar.set_length(tally.wanted as u64);
        self.bar.set_position(tally.done as u64);
        if !self.bar.is_hidden() {
            self.bar.set_message(format!(
                "{} collapsed, {} failed",
                tally.collapsed, tally.failed
            ));
        }
    }

    fn stopped(&self) -> bool {
        self.stop.is_set()
    }
}

/// Only passes on the wish to stop.
struct Silent(StopWish);

impl Watch for Silent {
    fn told(&self, _: &Tally) {}

    fn stopped(&self) -> bool {
        self.0.is_set()
    }
}
