//! What the runs of a campaign say together: tables, summary, report.

use std::collections::BTreeSet;

use drystone_model::{Points, Question, Varied, VaryValue};
use drystone_results::figures_to_json;
use drystone_results::{write_json_shared, write_shared};
use serde_json::{Value, json};

use crate::domain::{self, Domain};
use crate::error::Error;
use crate::figures::figures;
use crate::folder::Folder;
use crate::fragility::{self, Curves};
use crate::local::Gathered;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::report;
use crate::study::Known;
use crate::sweep::{self, Effect};
use drystone_results::{SparseColumn as Column, SparseTable as Table};

/// Runs that a note names; the table has all.
const NAMED: usize = 5;

/// The answer to what a campaign asks.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// How measures depend on values.
    Sweep(Vec<Effect>),
    /// Boundaries and hulls.
    FailureDomain(Box<Domain>),
    /// Curves.
    Fragility(Vec<Curves>),
}

/// What was collected.
#[derive(Debug, Clone)]
pub struct Collected {
    /// Content of `summary.json`.
    pub summary: Value,
    /// The verdict in one line.
    pub headline: String,
    /// What somebody who asked this should know.
    pub notes: Vec<String>,
}

/// Writes the tables, the summary and the report of the runs that are known.
pub fn collect(folder: &Folder, gathered: &Gathered) -> Result<Collected, Error> {
    let path = folder.path();
    let runs = table(folder, gathered);
    runs.write_csv(&path.join("runs.csv"))?;
    runs.write_parquet(&path.join("runs.parquet"))?;
    timings(gathered).write_csv(&path.join("timings.csv"))?;
    let answer = match &folder.plan.campaign.question {
        Question::Sweep(_) => Answer::Sweep(sweep::effects(&folder.plan, &gathered.known)),
        Question::FailureDomain(settings) => {
            Answer::FailureDomain(Box::new(domain::domain(folder, settings, &gathered.known)))
        }
        Question::Fragility(settings) => {
            Answer::Fragility(fragility::curves(&folder.plan, settings, &gathered.known))
        }
    };
    let headline = headline(gathered, &answer);
    let mut notes = folder.notes().to_vec();
    notes.extend(idle(&folder.plan, &gathered.known));
    notes.extend(of_runs(folder, &gathered.known));
    notes.extend(open_verdicts(&folder.plan, &gathered.known));
    let mut summary = summary(folder, gathered, &answer);
    summary["headline"] = headline.as_str().into();
    summary["notes"] = notes.clone().into();
    write_json_shared(&path.join("summary.json"), &summary)?;
    let shown = figures(&answer);
    let file = path.join("figures.json");
    write_shared(&file, &figures_to_json(&shown, &file)?)?;
    let shown = (&answer, shown.as_slice());
    let page = report::html(folder, gathered, shown, &summary, &headline, &notes);
    write_shared(&path.join("report.html"), page.as_bytes())?;
    Ok(Collected {
        summary,
        headline,
        notes,
    })
}

/// Keys that vary without changing what is computed, such as those of a motion that the analysis does not use: every run is the same with
/// another of their values.
fn idle(plan: &Plan, known: &Known) -> Vec<String> {
    let ends = |varied: &Varied| match &varied.points {
        Points::Values(values) => [values.first().cloned(), values.last().cloned()],
        between => [0.0, 1.0].map(|part| Some(between.at(part))),
    };
    let mut varied: Vec<&Varied> = plan.campaign.vary.iter().collect();
    if let Question::FailureDomain(domain) = &plan.campaign.question {
        varied.extend([&domain.x, &domain.y]);
    }
    let silent = |at: usize| {
        let others: Vec<VaryValue> = ends(varied[at]).into_iter().flatten().collect();
        let mut compared = false;
        for index in known.keys() {
            let point = plan.point(*index);
            let run = |values: &[VaryValue]| {
                plan.task_of(&plan.campaign.of, values, point.motion.as_ref())
            };
            for other in others.iter().filter(|other| **other != point.values[at]) {
                let mut values = point.values.clone();
                values[at] = other.clone();
                compared = true;
                if run(&values).model != run(&point.values).model {
                    return false;
                }
            }
        }
        compared
    };
    let told = |at: usize| {
        format!(
            "`{}` has no effect: \"{}\" does not use it, and runs are the same for all its values",
            varied[at].key, plan.campaign.of
        )
    };
    (0..varied.len())
        .filter(|at| silent(*at))
        .map(told)
        .collect()
}

/// What a run has to say beyond what is said of the model, as of the values that it alone has.
fn own_notes<'r>(folder: &Folder, run: &'r Outcome) -> Vec<&'r str> {
    let notes = run
        .notes
        .iter()
        .filter(|note| !folder.notes().contains(note));
    notes.map(String::as_str).collect()
}

/// That some runs have notes of their own, with the first of them.
fn of_runs(folder: &Folder, known: &Known) -> Option<String> {
    let all = known
        .iter()
        .map(|(index, run)| (index, own_notes(folder, run)));
    let mut told = all.filter(|(_, notes)| !notes.is_empty());
    let (index, first) = told.next()?;
    let first = first.join("; ");
    let (count, verb) = match 1 + told.count() {
        1 => ("1 run".to_owned(), "has"),
        count => (format!("{count} runs"), "have"),
    };
    Some(format!(
        "{count} of {} {verb} notes of {} own, in the column `notes` of the table of runs; run {index}: {first}",
        known.len(),
        if verb == "has" { "its" } else { "their" },
    ))
}

/// Runs that ended without a verdict.
fn open_verdicts(plan: &Plan, known: &Known) -> Option<String> {
    let open: Vec<String> = known
        .iter()
        .filter(|(_, run)| run.is_undecided())
        .map(|(index, _)| index.to_string())
        .collect();
    let remedy = match &plan.campaign.question {
        Question::Sweep(_) => "raise `duration` or `settle`",
        Question::FailureDomain(_) | Question::Fragility(_) => "raise `after_motion` or `settle`",
    };
    let first = open.iter().take(NAMED).map(String::as_str);
    let first = first.collect::<Vec<_>>().join(", ");
    let more = match open.len().checked_sub(NAMED) {
        Some(more @ 1..) => format!(" and {more} more"),
        _ => String::new(),
    };
    (!open.is_empty()).then(|| {
        format!(
            "{} of {} runs are undecided: they ended in motion or while the ground moved, and count neither as standing nor as collapsed; {remedy} of \"{}\" (run{} {first}{more})",
            open.len(),
            known.len(),
            plan.campaign.of,
            if open.len() == 1 { "" } else { "s" },
        )
    })
}

/// What tells a combination of values from others, by the last words of the keys where they differ.
pub(crate) fn combination(keys: &[String], values: &[VaryValue]) -> String {
    let last = |key: &str| key.rsplit('.').next().unwrap_or(key).to_owned();
    let short = |key: &String| {
        let same = keys.iter().filter(|other| last(other) == last(key));
        if same.count() > 1 {
            key.clone()
        } else {
            last(key)
        }
    };
    let parts = keys.iter().zip(values);
    let told = parts.map(|(key, value)| format!("{} {}", short(key), spoken(value)));
    told.collect::<Vec<_>>().join(", ")
}

/// The name of a motion of a suite.
pub(crate) fn motion_label((name, offset): &(String, u32)) -> String {
    if *offset == 0 {
        name.clone()
    } else {
        format!("{name}+{offset}")
    }
}

/// A row per run: inputs, status, measures, failure, and notes where some run has any.
fn table(folder: &Folder, gathered: &Gathered) -> Table {
    let plan = &folder.plan;
    let runs: Vec<(usize, &Outcome)> = gathered.known.iter().map(|(i, run)| (*i, run)).collect();
    let points: Vec<_> = runs.iter().map(|(index, _)| plan.point(*index)).collect();
    let mut table = Table::default();
    let whole = runs.iter().map(|(index, _)| i64::try_from(*index).ok());
    table.push("run", Column::Whole(whole.collect()));
    for (at, key) in plan.keys().into_iter().enumerate() {
        let values: Vec<Option<&VaryValue>> =
            points.iter().map(|point| point.values.get(at)).collect();
        table.push(key, input(&values));
    }
    if !plan.suite().is_empty() {
        let labels = points
            .iter()
            .map(|point| point.motion.as_ref().map(motion_label));
        table.push("motion", Column::Text(labels.collect()));
    }
    let statuses = runs.iter().map(|(_, run)| Some(run.status.clone()));
    table.push("status", Column::Text(statuses.collect()));
    let collapsed = runs.iter().map(|(_, run)| run.collapsed.map(i64::from));
    table.push("collapsed", Column::Whole(collapsed.collect()));
    // In the order in which runs have them; those that only some have come where these do.
    let mut names: Vec<&str> = Vec::new();
    let mut seen = BTreeSet::new();
    for (_, run) in &runs {
        let mut after = 0;
        for (name, _) in &run.measures {
            if seen.insert(name.as_str()) {
                names.insert(after, name);
            }
            after = names
                .iter()
                .position(|other| other == name)
                .unwrap_or(after)
                + 1;
        }
    }
    for name in names {
        let values = runs.iter().map(|(_, run)| run.measure(name));
        table.push(name, Column::Number(values.collect()));
    }
    let failures = runs.iter().map(|(_, run)| run.failure.clone());
    table.push("failure", Column::Text(failures.collect()));
    let notes = runs.iter().map(|(_, run)| own_notes(folder, run));
    let notes: Vec<_> = notes.collect();
    if notes.iter().any(|notes| !notes.is_empty()) {
        let notes = notes.iter();
        let notes = notes.map(|notes| (!notes.is_empty()).then(|| notes.join("; ")));
        table.push("notes", Column::Text(notes.collect()));
    }
    let hashes = runs.iter().map(|(index, _)| Some(plan.task(*index).hash()));
    table.push("result", Column::Text(hashes.collect()));
    table
}

/// Numbers as such; a column with anything else as words.
fn input(values: &[Option<&VaryValue>]) -> Column {
    let number = |value: &Option<&VaryValue>| value.and_then(VaryValue::number);
    if values.iter().all(|value| number(value).is_some()) {
        return Column::Number(values.iter().map(number).collect());
    }
    Column::Text(values.iter().map(|value| value.map(spoken)).collect())
}

/// A value as words.
pub(crate) fn spoken(value: &VaryValue) -> String {
    match value {
        VaryValue::Number(number) => Value::from(*number).to_string(),
        VaryValue::Text(text) => text.clone(),
        VaryValue::Flag(flag) => flag.to_string(),
    }
}

/// How long runs took. In a table of its own: all else is the same whenever and wherever they are made.
fn timings(gathered: &Gathered) -> Table {
    let mut table = Table::default();
    let numbers = gathered
        .known
        .keys()
        .map(|index| i64::try_from(*index).ok());
    table.push("run", Column::Whole(numbers.collect()));
    let seconds = gathered.known.values().map(|run| Some(run.seconds));
    table.push("seconds", Column::Number(seconds.collect()));
    table
}

fn summary(folder: &Folder, gathered: &Gathered, answer: &Answer) -> Value {
    let kind = match answer {
        Answer::Sweep(_) => "sweep",
        Answer::FailureDomain(_) => "failure_domain",
        Answer::Fragility(_) => "fragility",
    };
    let total: f64 = gathered.known.values().map(|run| run.seconds).sum();
    let mut summary = json!({
        "kind": kind,
        "name": folder.analysis(),
        "status": if gathered.is_complete() { "complete" } else { "incomplete" },
        "version": env!("CARGO_PKG_VERSION"),
        "model_sha256": folder.model_sha256(),
        "of": folder.plan.campaign.of,
        "runs": {
            "possible": folder.plan.size(),
            "wanted": gathered.tally.wanted,
            "done": gathered.known.len(),
            "collapsed": gathered.tally.collapsed,
            "undecided": gathered.tally.undecided,
            "failed": gathered.tally.failed,
        },
        "table": "runs.parquet",
        "seconds": {
            "total": total,
            "per_run": if gathered.known.is_empty() { 0.0 } else { total / gathered.known.len() as f64 },
        },
    });
    match answer {
        Answer::Sweep(effects) => {
            summary["effects"] = effects.iter().map(Effect::json).collect();
        }
        Answer::FailureDomain(domain) => {
            let Value::Object(map) = domain.json() else {
                return summary;
            };
            for (key, value) in map {
                summary[key] = value;
            }
        }
        Answer::Fragility(curves) => {
            let list: Vec<Value> = curves.iter().map(Curves::json).collect();
            // The curve of collapse is what most people look for. Several combinations have one each, and none stands for all.
            for key in ["theta", "beta", "theta_interval", "beta_interval"] {
                summary[key] = match &list[..] {
                    [only] => only["curves"][0][key].clone(),
                    _ => Value::Null,
                };
            }
            summary["fragility"] = list.into();
        }
    }
    summary
}

fn headline(gathered: &Gathered, answer: &Answer) -> String {
    let tally = &gathered.tally;
    let runs = gathered.known.len();
    let mut text = format!(
        "{runs} run{}, {} collapsed",
        if runs == 1 { "" } else { "s" },
        tally.collapsed
    );
    if tally.undecided > 0 {
        text.push_str(&format!(", {} undecided", tally.undecided));
    }
    if tally.failed > 0 {
        text.push_str(&format!(", {} failed", tally.failed));
    }
    if !gathered.is_complete() {
        text.push_str(&format!(", {} missing", gathered.missing.len()));
    }
    let more = match answer {
        Answer::Sweep(effects) => effects
            .iter()
            .find(|effect| effect.range() > 0.0)
            .map(|effect| format!("{} changes most with {}", effect.measure, effect.key)),
        Answer::FailureDomain(domain) => Some(domain.headline()),
        Answer::Fragility(curves) => Some(fragility::headline(curves)),
    };
    match more {
        Some(more) if !more.is_empty() => format!("{text}; {more}"),
        _ => text,
    }
}
