//! The failure domain of a block by contact dynamics against that of the equation of motion.

use drystone_campaign::Plan;
use drystone_model::{AnalysisKind, Format, Question, VaryValue};

use super::perform;
use crate::Measurements;

const MODEL: &str = include_str!("../../../../examples/failure-domain/model.toml");

/// Every second half-period, from the first at which anything overturns on the grid.
const COLUMNS: [usize; 8] = [2, 4, 6, 8, 10, 12, 14, 16];

pub fn run() -> Result<Measurements, String> {
    let spec = drystone_model::parse(MODEL, Format::Toml).map_err(|faults| faults.to_string())?;
    let model = drystone_model::compile(&spec).map_err(|faults| faults.to_string())?;
    let campaign = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Campaign(campaign) => Some(campaign),
            _ => None,
        });
    let campaign = campaign.ok_or("the example has no campaign")?;
    let Question::FailureDomain(domain) = &campaign.question else {
        return Err("the example has no failure domain".to_owned());
    };
    let plan = Plan::new(&spec, campaign).map_err(|error| error.to_string())?;
    let (x, y) = (domain.x.points.values(), domain.y.points.values());
    let first = |analysis: &str, column: usize| -> Result<usize, String> {
        for (row, amplitude) in y.iter().enumerate() {
            let values = [x[column].clone(), amplitude.clone()];
            let task = plan.task_of(analysis, &values, None);
            let outcome = perform(&task)?;
            match outcome.collapsed {
                Some(true) => return Ok(row),
                Some(false) => {}
                None => return Err(outcome.failure.unwrap_or_default()),
            }
        }
        Ok(y.len())
    };
    let mut apart = 0;
    let mut least = y.len();
    for column in COLUMNS {
        let found = first(&campaign.of, column)?;
        apart = apart.max(found.abs_diff(first("equation-of-motion", column)?));
        least = least.min(found);
    }
    let mut measured = Measurements::new();
    measured.insert("cells_from_equation".to_owned(), apart as f64);
    let least = y.get(least).and_then(VaryValue::number);
    measured.insert("least_amplitude".to_owned(), least.unwrap_or(f64::NAN));
    Ok(measured)
}
