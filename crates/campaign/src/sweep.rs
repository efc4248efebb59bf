//! What measures depend on.

use std::collections::BTreeMap;

use drystone_model::{Points, VaryValue};
use serde_json::{Value, json};

use crate::collect::spoken;
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::study::Known;

/// Measures of how a run went, not of what the structure did.
const TECHNICAL: [&str; 7] = [
    "steps",
    "time",
    "max_penetration",
    "worst_residual",
    "inaccurate_steps",
    "moving_at_end",
    "upper_bound",
];

/// Parts that a range is divided into: a straight line through samples would promise more collapses than there are runs.
const PARTS: usize = 5;

/// How a measure changes with one value, the others being averaged over.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The measure, `collapsed` for the part of runs that came down.
    pub measure: String,
    /// What varies.
    pub key: String,
    /// Mean over all runs.
    pub mean: f64,
    /// The value that makes the measure least on average, and that mean.
    pub low: (String, f64),
    /// The value that makes it greatest, and that mean.
    pub high: (String, f64),
}

impl Effect {
    /// Greatest minus least mean.
    pub fn range(&self) -> f64 {
        self.high.1 - self.low.1
    }

    /// For `summary.json`.
    pub fn json(&self) -> Value {
        json!({
            "measure": self.measure,
            "key": self.key,
            "mean": self.mean,
            "least": { "at": self.low.0, "mean": self.low.1 },
            "greatest": { "at": self.high.0, "mean": self.high.1 },
        })
    }
}

/// Effects of all keys on all measures; measure by measure, the greatest effect first.
pub fn effects(plan: &Plan, known: &Known) -> Vec<Effect> {
    let runs: Vec<(Vec<VaryValue>, &Outcome)> = known
        .iter()
        .filter(|(_, run)| run.failure.is_none())
        .map(|(index, run)| (plan.point(*index).values, run))
        .collect();
    let mut all = Vec::new();
    for measure in measures(&runs) {
        let value = |run: &Outcome| match measure.as_str() {
            "collapsed" => run.collapsed.map(|down| f64::from(u8::from(down))),
            name => run.measure(name),
        };
        let rows: Vec<(&[VaryValue], f64)> = runs
            .iter()
            .filter_map(|(inputs, run)| Some((&inputs[..], value(run)?)))
            .collect();
        if rows.len() < 2 {
            continue;
        }
        let mean = rows.iter().map(|(_, value)| value).sum::<f64>() / rows.len() as f64;
        let mut effects: Vec<Effect> = plan
            .campaign
            .vary
            .iter()
            .enumerate()
            .filter_map(|(at, varied)| {
                let pairs = rows.iter().map(|(inputs, value)| (&inputs[at], *value));
                let (low, high) = match &varied.points {
                    Points::Values(_) => by_value(pairs)?,
                    Points::Between { .. } => by_part(pairs)?,
                };
                Some(Effect {
                    measure: measure.clone(),
                    key: varied.key.clone(),
                    mean,
                    low,
                    high,
                })
            })
            .collect();
        effects.sort_by(|a, b| b.range().total_cmp(&a.range()));
        all.extend(effects);
    }
    all
}

/// What can be looked at, the verdict first.
fn measures(runs: &[(Vec<VaryValue>, &Outcome)]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let verdicts = || runs.iter().filter_map(|(_, run)| run.collapsed);
    if verdicts().any(|down| down) && verdicts().any(|down| !down) {
        names.push("collapsed".to_owned());
    }
    for (_, run) in runs {
        for (name, _) in &run.measures {
            if !TECHNICAL.contains(&name.as_str()) && !names.contains(name) {
                names.push(name.clone());
            }
        }
    }
    names
}

type Ends = ((String, f64), (String, f64));

/// Least and greatest mean over runs with the same value.
fn by_value<'v>(pairs: impl Iterator<Item = (&'v VaryValue, f64)>) -> Option<Ends> {
    let mut means: BTreeMap<String, (f64, f64)> = BTreeMap::new();
    for (input, value) in pairs {
        let entry = means.entry(spoken(input)).or_default();
        entry.0 += value;
        entry.1 += 1.0;
    }
    let means: Vec<(String, f64)> = means
        .into_iter()
        .map(|(input, (sum, count))| (input, sum / count))
        .collect();
    let low = means.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.clone();
    let high = means.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.clone();
    Some((low, high))
}

/// Least and greatest mean over parts of the range with as many samples each.
fn by_part<'v>(pairs: impl Iterator<Item = (&'v VaryValue, f64)>) -> Option<Ends> {
    let mut points: Vec<[f64; 2]> = pairs
        .filter_map(|(input, value)| Some([input.number()?, value]))
        .collect();
    points.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let size = points.len().div_ceil(PARTS).max(1);
    let mean = |part: &[[f64; 2]], k: usize| {
        part.iter().map(|point| point[k]).sum::<f64>() / part.len() as f64
    };
    let means: Vec<(String, f64)> = points
        .chunks(size)
        .map(|part| (format!("{:.4}", mean(part, 0)), mean(part, 1)))
        .collect();
    let low = means.iter().min_by(|a, b| a.1.total_cmp(&b.1))?.clone();
    let high = means.iter().max_by(|a, b| a.1.total_cmp(&b.1))?.clone();
    Some((low, high))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_by_value_and_by_part_of_the_range() {
        let values = [1.0, 1.0, 2.0, 2.0].map(VaryValue::Number);
        let pairs = || values.iter().zip([1.0, 3.0, 10.0, 14.0]);
        let (low, high) = by_value(pairs()).unwrap();
        assert_eq!((low, high), (("1.0".into(), 2.0), ("2.0".into(), 12.0)));
        // A parabola over 0..9 in five parts of two: least in the middle, greatest at an end.
        let values: Vec<VaryValue> = (0..10).map(|k| VaryValue::Number(f64::from(k))).collect();
        let parabola = (0..10).map(|k| (f64::from(k) - 4.0).powi(2));
        let (low, high) = by_part(values.iter().zip(parabola)).unwrap();
        assert_eq!(low, ("4.5000".into(), 0.5));
        assert_eq!(high, ("8.5000".into(), 20.5));
        assert_eq!(by_part(std::iter::empty()), None);
    }
}
