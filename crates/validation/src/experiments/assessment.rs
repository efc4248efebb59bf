//! The published assessment of a triumphal arch, from its own capacities.

use drystone_model::{AnalysisKind, CapacitySource};
use drystone_questions::assessment::{LimitState, Method, assess};

use crate::Measurements;
use crate::scene::read;

const COLUMNS: [(&str, &str); 3] = [
    (
        "plain",
        include_str!("../../../../examples/strengthening/no-tie.toml"),
    ),
    (
        "tie_10",
        include_str!("../../../../examples/strengthening/tie-10kN.toml"),
    ),
    (
        "tie_50",
        include_str!("../../../../examples/strengthening/tie-50kN.toml"),
    ),
];

/// Safety indices of table 3 of PGCL.
pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (column, text) in COLUMNS {
        let model = read(text)?;
        let settings = model
            .analyses
            .iter()
            .find_map(|analysis| match &analysis.kind {
                AnalysisKind::Assessment(settings) => Some(settings),
                _ => None,
            });
        let settings = settings.ok_or("the model has no assessment")?;
        let CapacitySource::Given(capacity) = &settings.capacity else {
            return Err("the capacity is not given".to_owned());
        };
        let found = assess(settings, capacity);
        for check in &found.checks {
            let state = match check.state {
                LimitState::Damage => "damage",
                LimitState::LifeSafety => "life",
            };
            let method = match check.method {
                Method::Force => "force",
                Method::Displacement => "displacement",
            };
            let index = check.index.ok_or("an index is beyond bounds")?;
            results.insert(format!("{column}_{state}_{method}"), index);
        }
        let peak = found.oscillator.peak.ok_or("there is no elastic branch")?;
        results.insert(format!("{column}_period"), peak.period);
    }
    Ok(results)
}
