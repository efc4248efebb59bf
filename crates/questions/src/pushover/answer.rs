//! The answer of a pushover, and the same answer from the numbers that were stored of it.

use drystone_geometry::DVec3;
use drystone_model::{Analysis, Case, Model, Pushover};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Branch, Curve, CurvePoint, Ending, Outcome, pushover};
use crate::answer::{
    Answer, Cell, Detail, Head, Measure, Motion, Table, Values, Verdict, block_names, value,
};
use crate::ask::{AskFault, Control, Hooks, wanted};

/// Why the curve ends.
#[derive(Debug, Serialize)]
struct End<'a> {
    cause: Ending,
    blocks: Vec<&'a str>,
}

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    ending: End<'a>,
    reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    elastic_ending: Option<Ending>,
    /// Rigid limit of the initial configuration.
    alpha_0: Option<f64>,
    /// Where both branches meet.
    alpha_y: Option<f64>,
    d_y: Option<f64>,
    /// Where the multiplier is zero.
    d_0: Option<f64>,
    /// The last displacement in equilibrium.
    d_ultimate: Option<f64>,
    /// N/m.
    #[serde(skip_serializing_if = "Option::is_none")]
    initial_stiffness: Option<f64>,
    /// Sum of what is multiplied, N.
    live_resultant: [f64; 3],
    /// The last point of the curve.
    #[serde(skip_serializing_if = "Option::is_none")]
    last: Option<Value>,
    control: Vec<Value>,
    control_direction: [f64; 3],
    points: usize,
    mobilised_blocks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    detached_blocks: Vec<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    broken_ties: Vec<Value>,
    limit_problems: u32,
    elastic_problems: u32,
    worst_residual: f64,
    notes: Vec<String>,
    seconds: Value,
}

/// Progress is told in thousandths of the way down to zero.
const PROGRESS: u64 = 1000;

/// Answers a pushover.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &Pushover,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let start = hooks.now();
    hooks.begin(PROGRESS, 0);
    let mut onset = None;
    let result = pushover(model, settings, &mut |point: &CurvePoint| {
        let onset = *onset.get_or_insert(point.alpha);
        let down = match (point.branch, settings.last_displacement()) {
            (Branch::Elastic, _) => 1.0,
            (Branch::Rigid, Some(most)) => (point.d / most).max(1.0 - point.alpha / onset),
            (Branch::Rigid, None) => 1.0 - point.alpha / onset,
        };
        let done = (PROGRESS as f64 * down.clamp(0.0, 1.0)) as u64;
        let mut message = || format!("multiplier {:.4} at {:.4} m", point.alpha, point.d);
        hooks.advanced(done, &mut message) == Control::Continue
    })?;
    let solved = hooks.now() - start;
    wanted(hooks)?;
    let total = hooks.now() - start;
    let status = result.status();
    let blocks = block_names(model, &result.ending_blocks);
    let reason = reason(result.ending, &blocks);
    let failure = (result.ending == Ending::Unsolved).then(|| reason.clone());
    let falls = matches!(result.ending, Ending::Detached | Ending::Unstable);
    let headline = headline(&result, &reason, total);
    let summary = value(&Summary {
        head: Head::new("pushover", analysis, model),
        status,
        failure: failure.as_deref(),
        detached_blocks: if falls { blocks.clone() } else { Vec::new() },
        ending: End {
            cause: result.ending,
            blocks,
        },
        reason,
        elastic_ending: result.elastic_ending,
        alpha_0: result.alpha_0,
        alpha_y: result.alpha_y,
        d_y: result.d_y,
        d_0: result.d_0,
        d_ultimate: result.d_ultimate,
        initial_stiffness: result.initial_stiffness,
        live_resultant: result.live_resultant.to_array(),
        last: result
            .curve
            .points
            .last()
            .map(|point| json!({ "alpha": point.alpha, "d": point.d })),
        control: result
            .control
            .iter()
            .map(
                |(block, at)| json!({ "block": model.blocks[*block].name, "point": at.to_array() }),
            )
            .collect(),
        control_direction: result.control_direction.to_array(),
        points: result.curve.points.len(),
        mobilised_blocks: block_names(model, &result.mobilised),
        broken_ties: result
            .broken_ties
            .iter()
            .map(|(tie, d)| json!({ "tie": model.ties[*tie].name, "d": d }))
            .collect(),
        limit_problems: result.solves,
        elastic_problems: result.elastic_solves,
        worst_residual: result.residual,
        notes: result.notes.clone(),
        seconds: json!({ "total": total, "solve": solved, "output": total - solved }),
    });
    Ok(Answer {
        verdict: verdict(&result),
        failure,
        interrupted: result.stopped(),
        summary,
        measures: measures(&result),
        tables: vec![curve_table(model, &result)],
        motion: Some(shapes(&result)),
        ..Answer::new(
            "pushover",
            analysis,
            status,
            headline,
            Detail::Pushover(Box::new(result)),
        )
    })
}

fn verdict(result: &Outcome) -> Verdict {
    match result.ending {
        Ending::Unstable => Verdict::Falls,
        Ending::Unsolved | Ending::Interrupted => Verdict::Undecided,
        _ if result.stopped() => Verdict::Undecided,
        _ => Verdict::Stands,
    }
}

fn measures(result: &Outcome) -> Vec<Measure> {
    let all = [
        (
            "alpha_0",
            "multiplier at the onset",
            result.alpha_0,
            "",
            true,
        ),
        (
            "alpha_y",
            "multiplier where the branches meet",
            result.alpha_y,
            "",
            true,
        ),
        ("d_y", "displacement there", result.d_y, "m", true),
        (
            "d_0",
            "displacement at which the multiplier is zero",
            result.d_0,
            "m",
            true,
        ),
        (
            "d_ultimate",
            "displacement capacity",
            result.d_ultimate,
            "m",
            true,
        ),
        (
            "initial_stiffness",
            "initial stiffness",
            result.initial_stiffness,
            "N/m",
            true,
        ),
        (
            "mobilised_blocks",
            "blocks that moved",
            Some(result.mobilised.len() as f64),
            "",
            false,
        ),
        (
            "worst_residual",
            "worst residual",
            Some(result.residual),
            "",
            false,
        ),
    ];
    let known = all
        .into_iter()
        .filter_map(|(key, label, value, unit, main)| {
            let make = if main { Measure::main } else { Measure::minor };
            Some(make(key, label, value?, unit))
        });
    known.collect()
}

fn word(branch: Branch) -> &'static str {
    match branch {
        Branch::Elastic => "elastic",
        Branch::Rigid => "rigid",
    }
}

/// Both branches point by point: multiplier, displacement, m, works, J, and the tension of each tie, N.
fn curve_table(model: &Model, outcome: &Outcome) -> Table {
    let tensions: Vec<String> = model
        .ties
        .iter()
        .map(|tie| format!("{}.tension", tie.name))
        .collect();
    let mut table = Table::new("curve")
        .words(&["branch"])
        .numbers(&["alpha", "d", "live_work", "dead_work", "dissipated"])
        .numbers(&tensions);
    for point in &outcome.curve.points {
        let numbers = [
            point.alpha,
            point.d,
            point.live_work,
            point.dead_work,
            point.dissipated,
        ];
        let tensions = model.ties.iter().enumerate();
        let tensions = tensions.map(|(k, _)| point.tension.get(k).copied().unwrap_or(0.0));
        table.push(
            std::iter::once(Cell::Text(word(point.branch)))
                .chain(numbers.into_iter().chain(tensions).map(Cell::Number)),
        );
    }
    table
}

/// The way along both branches by growing displacement: up the elastic one to where they meet, then down the rigid one.
fn shapes(result: &Outcome) -> Motion {
    let mut shapes = Motion::default();
    let meet = result.d_y.unwrap_or(0.0);
    let elastic = result.curve.branch(Branch::Elastic);
    let rigid = result.curve.branch(Branch::Rigid);
    let has_elastic = result.elastic_ending.is_some();
    for point in elastic.chain(rigid.filter(|p| !has_elastic || p.d > meet)) {
        if shapes.times.last().is_none_or(|&d| point.d > d) {
            shapes.times.push(point.d);
            shapes.poses.push(point.poses.clone());
        }
    }
    shapes
}

/// A pushover's answer from what was stored of it: its summary, its curve and its shapes. Says what is missing.
///
/// What only the run itself knew, such as works and tensions, is left out; whatever rests on a pushover finds what it needs.
pub fn recall(
    analysis: &Analysis,
    summary: Value,
    curve: &Table,
    motion: Motion,
) -> Result<Answer, String> {
    let number = |key: &str| summary[key].as_f64();
    let vector = |key: &str| {
        let axes = summary[key].as_array();
        let axis = |k: usize| axes.and_then(|axes| axes.get(k)?.as_f64());
        let axes = [0, 1, 2].map(axis);
        axes.iter()
            .all(Option::is_some)
            .then(|| DVec3::from_array(axes.map(Option::unwrap_or_default)))
    };
    let ending = |value: &Value| -> Option<Ending> { serde_json::from_value(value.clone()).ok() };
    let missing = |what: &str| format!("`{what}` is missing");
    let mut outcome = Outcome::empty(
        ending(&summary["ending"]["cause"]).ok_or_else(|| missing("ending.cause"))?,
        vector("live_resultant").ok_or_else(|| missing("live_resultant"))?,
    );
    outcome.elastic_ending = ending(&summary["elastic_ending"]);
    outcome.alpha_0 = number("alpha_0");
    outcome.alpha_y = number("alpha_y");
    outcome.d_y = number("d_y");
    outcome.d_0 = number("d_0");
    outcome.d_ultimate = number("d_ultimate");
    outcome.initial_stiffness = number("initial_stiffness");
    outcome.control_direction = vector("control_direction").unwrap_or_default();
    outcome.residual = number("worst_residual").unwrap_or_default();
    let count = |key: &str| {
        summary[key]
            .as_u64()
            .and_then(|count| u32::try_from(count).ok())
    };
    outcome.solves = count("limit_problems").unwrap_or_default();
    outcome.elastic_solves = count("elastic_problems").unwrap_or_default();
    outcome.curve = points(curve)?;
    let seconds = summary["seconds"]["total"].as_f64();
    let reason = summary["reason"].as_str().unwrap_or_default();
    let headline = headline(&outcome, reason, seconds.unwrap_or_default());
    let (status, verdict) = (outcome.status(), verdict(&outcome));
    let mut measures = measures(&outcome);
    let mobilised = summary["mobilised_blocks"].as_array().map(Vec::len);
    for measure in &mut measures {
        if let ("mobilised_blocks", Some(count)) = (measure.key.as_str(), mobilised) {
            measure.value = count as f64;
        }
    }
    Ok(Answer {
        verdict,
        failure: summary["failure"].as_str().map(str::to_owned),
        interrupted: outcome.stopped(),
        measures,
        tables: vec![curve.clone()],
        motion: Some(motion),
        summary,
        ..Answer::new(
            "pushover",
            analysis,
            status,
            headline,
            Detail::Pushover(Box::new(outcome)),
        )
    })
}

fn points(table: &Table) -> Result<Curve, String> {
    if table.rows() == 0 {
        // A structure that does not stand has no curve.
        return Ok(Curve::default());
    }
    let missing = |what: &str| format!("the column `{what}` is missing");
    let numbers = |name: &str| table.column(name).ok_or_else(|| missing(name));
    let (alpha, d) = (numbers("alpha")?, numbers("d")?);
    let branch = table.columns.iter().find(|column| column.name == "branch");
    let Some(Values::Words(branches)) = branch.map(|column| &column.values) else {
        return Err(missing("branch"));
    };
    let points = branches.iter().zip(alpha.iter().zip(d));
    let points = points.map(|(branch, (&alpha, &d))| {
        Ok(CurvePoint {
            branch: match branch.as_str() {
                "elastic" => Branch::Elastic,
                "rigid" => Branch::Rigid,
                other => return Err(format!("there is no branch \"{other}\"")),
            },
            alpha,
            d,
            live_work: 0.0,
            dead_work: 0.0,
            dissipated: 0.0,
            tension: Vec::new(),
            poses: Vec::new(),
        })
    });
    Ok(Curve {
        points: points.collect::<Result<_, String>>()?,
    })
}

/// Names of blocks in a sentence.
const NAMED: usize = 3;

/// Why a curve ends, with the blocks that it is due to where these are others than those of the mechanism.
fn reason(ending: Ending, blocks: &[&str]) -> String {
    let words = ending.words();
    let names = blocks.iter().take(NAMED).map(|name| format!("\"{name}\""));
    let names = names.collect::<Vec<_>>().join(", ");
    let more = match blocks.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    match ending {
        _ if blocks.is_empty() => words.to_owned(),
        Ending::Jump
        | Ending::Tie
        | Ending::Detached
        | Ending::Locked
        | Ending::Unstable
        | Ending::Still
        | Ending::Elsewhere => format!("{words} ({names}{more})"),
        Ending::Zero
        | Ending::Displacement
        | Ending::Ultimate
        | Ending::Peak
        | Ending::Met
        | Ending::Unsolved
        | Ending::Steps
        | Ending::Interrupted => words.to_owned(),
    }
}

fn headline(result: &Outcome, reason: &str, seconds: f64) -> String {
    let Some(onset) = result.alpha_0 else {
        return format!("{reason} ({seconds:.2} s)");
    };
    let mut text = format!("multiplier {onset:.6} at the onset");
    if let (Some(alpha), Some(d), true) =
        (result.alpha_y, result.d_y, result.elastic_ending.is_some())
    {
        let what = match result.elastic_ending {
            Some(Ending::Met) => "where both branches meet",
            _ => "at the peak of the elastic branch",
        };
        text.push_str(&format!(", {alpha:.6} at {d:.4} m {what}"));
    }
    if let (Some(ending), None) = (result.elastic_ending, result.alpha_y) {
        text.push_str(&format!(
            ", no peak of the elastic branch: {}",
            ending.words()
        ));
    }
    match (result.d_0, result.curve.points.last()) {
        (Some(d), _) => text.push_str(&format!(", zero at {d:.4} m")),
        (None, Some(last)) => text.push_str(&format!(
            ", {:.6} at {:.4} m, where {reason}",
            last.alpha, last.d,
        )),
        (None, None) => {}
    }
    format!(
        "{text} ({} points, {} limit problems in {seconds:.2} s)",
        result.curve.points.len(),
        result.solves
    )
}
