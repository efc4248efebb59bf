//! The answer of a rocking analysis.

use drystone_model::{Analysis, Case, Rocking};
use drystone_shaking::GroundMotion;
use serde::Serialize;
use serde_json::{Value, json};

use super::{Impact, RockingResult, RockingStatus, solve};
use crate::answer::{Answer, Cell, Detail, Head, Measure, Table, Verdict, value};
use crate::ask::{AskFault, Hooks, wanted};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: RockingStatus,
    overturn_time: Option<f64>,
    rest_time: Option<f64>,
    max_angle: f64,
    impacts: &'a [Impact],
    seconds: Value,
}

/// Answers a rocking analysis.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &Rocking,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let start = hooks.now();
    let ground = GroundMotion::new(&model.motions, &settings.motions)?;
    let result = solve(settings, &ground)?;
    wanted(hooks)?;
    let summary = value(&Summary {
        head: Head::new("rocking", analysis, model),
        status: result.status,
        overturn_time: result.overturn_time,
        rest_time: result.rest_time,
        max_angle: result.max_angle,
        impacts: &result.impacts,
        seconds: json!({ "total": hooks.now() - start }),
    });
    let headline = match (result.status, result.overturn_time) {
        (RockingStatus::Overturned, Some(time)) => format!("overturned at {time:.3} s"),
        (RockingStatus::Overturned, None) => "overturned".to_owned(),
        (RockingStatus::Stood, _) => format!(
            "stood; largest angle {:.5} rad, {} impacts",
            result.max_angle,
            result.impacts.len()
        ),
        (RockingStatus::Undecided, _) => format!(
            "undecided: stood so far, shaken for {} of {} s: raise `duration` to know",
            settings.duration,
            ground.end()
        ),
    };
    let (status, verdict) = match result.status {
        RockingStatus::Overturned => ("overturned", Verdict::Falls),
        RockingStatus::Stood => ("stood", Verdict::Stands),
        RockingStatus::Undecided => ("undecided", Verdict::Undecided),
    };
    Ok(Answer {
        verdict,
        summary,
        measures: measures(&result),
        tables: vec![history(&result)],
        ..Answer::new(
            "rocking",
            analysis,
            status,
            headline,
            Detail::Rocking(Box::new(result)),
        )
    })
}

fn measures(result: &RockingResult) -> Vec<Measure> {
    let mut measures = vec![Measure::main(
        "max_angle",
        "largest angle",
        result.max_angle,
        "rad",
    )];
    if let Some(time) = result.overturn_time {
        measures.push(Measure::main("collapse_time", "overturned at", time, "s"));
    }
    let impacts = result.impacts.len() as f64;
    measures.push(Measure::minor("impacts", "impacts", impacts, ""));
    measures
}

/// Time (s), angle (rad), angular velocity (rad/s), kinetic and potential energy per unit weight (m).
fn history(result: &RockingResult) -> Table {
    let columns = ["time", "angle", "velocity", "kinetic", "potential"];
    let mut table = Table::new("history").numbers(&columns);
    for sample in &result.history {
        let row = [
            sample.time,
            sample.angle,
            sample.velocity,
            sample.kinetic,
            sample.potential,
        ];
        table.push(row.map(Cell::Number));
    }
    table
}
