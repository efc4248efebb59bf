//! The curve of a pushover.

use std::path::Path;

use drystone_analysis::pushover::{Branch, Outcome};
use drystone_model::Model;

use super::{Cell, Table};
use crate::Error;

/// Both branches point by point: multiplier, displacement, m, works, J, and the tension of each tie, N.
pub fn write_curve(path: &Path, model: &Model, outcome: &Outcome) -> Result<(), Error> {
    let mut columns: Vec<String> = [
        "branch",
        "alpha",
        "d",
        "live_work",
        "dead_work",
        "dissipated",
    ]
    .map(str::to_owned)
    .to_vec();
    columns.extend(model.ties.iter().map(|tie| format!("{}.tension", tie.name)));
    let mut table = Table::create(path, &columns)?;
    for point in &outcome.curve.points {
        let branch = match point.branch {
            Branch::Elastic => "elastic",
            Branch::Rigid => "rigid",
        };
        let numbers = [
            point.alpha,
            point.d,
            point.live_work,
            point.dead_work,
            point.dissipated,
        ];
        let tensions = model.ties.iter().enumerate();
        let tensions = tensions.map(|(k, _)| point.tension.get(k).copied().unwrap_or(0.0));
        table.append(
            std::iter::once(Cell::Text(branch))
                .chain(numbers.into_iter().chain(tensions).map(Cell::Number)),
        )?;
    }
    table.finish()
}
