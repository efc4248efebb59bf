//! The rocking block into its folder.

use std::time::Instant;

use drystone_analysis::excitation::{GroundMotion, RecordSeries};
use drystone_analysis::rocking::{Impact, RockingStatus, solve};
use drystone_model::{Analysis, Model, Rocking};
use serde::Serialize;
use serde_json::json;

use super::{ExecuteError, Head, Hooks, Outcome, wanted};
use crate::report::rocking_page;
use crate::{Error, ResultDir, write_atomic, write_json_atomic, write_rocking_history};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: RockingStatus,
    overturn_time: Option<f64>,
    rest_time: Option<f64>,
    max_angle: f64,
    impacts: &'a [Impact],
    seconds: serde_json::Value,
}

pub(super) fn execute(
    model: &Model,
    analysis: &Analysis,
    settings: &Rocking,
    records: &[Vec<RecordSeries>],
    folder: &ResultDir,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let start = Instant::now();
    let ground = GroundMotion::new(&model.motions, &settings.motions, records)?;
    let result = solve(settings, &ground)?;
    wanted(hooks)?;
    write_rocking_history(&folder.history(), &result.history)?;
    let summary = Summary {
        head: Head::new("rocking", analysis, model),
        status: result.status,
        overturn_time: result.overturn_time,
        rest_time: result.rest_time,
        max_angle: result.max_angle,
        impacts: &result.impacts,
        seconds: json!({ "total": start.elapsed().as_secs_f64() }),
    };
    let path = folder.summary();
    write_json_atomic(&path, &summary)?;
    let headline = match (result.status, result.overturn_time) {
        (RockingStatus::Overturned, Some(time)) => format!("overturned at {time:.3} s"),
        (RockingStatus::Overturned, None) => "overturned".to_owned(),
        (RockingStatus::Stood, _) => format!(
            "stood; largest angle {:.5} rad, {} impacts",
            result.max_angle,
            result.impacts.len()
        ),
    };
    let summary = serde_json::to_value(&summary).map_err(|error| Error::Encode {
        path,
        message: error.to_string(),
    })?;
    if let Some(page) = rocking_page(
        model,
        &analysis.name,
        settings,
        &result.history,
        &headline,
        &summary,
    ) {
        write_atomic(&folder.report(), page.as_bytes())?;
    }
    Ok(Outcome {
        summary,
        headline,
        failure: None,
        interrupted: false,
    })
}
