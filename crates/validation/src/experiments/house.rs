//! The stone house of NB 4.5 under many motions: pulses of other lengths and frictions, and a suite of made-up earthquakes.

use std::path::Path;

use drystone_campaign::statistics::{Stripe, fit_stripes};
use drystone_campaign::{Outcome, Plan, execute};
use drystone_model::{AnalysisKind, Campaign, Format, ModelSpec, Question, VaryValue};
use rayon::prelude::*;

use super::{note_task, perform};
use crate::Measurements;
use crate::measured::Part;

const MODEL: &str = include_str!("../../../../examples/stone-house/campaigns.toml");

/// Friction between blocks, as published.
const FRICTION: [f64; 3] = [0.3, 0.5, 0.7];
/// A pulse so long that its half waves act like constant forces, s.
const LONG: f64 = 1.8;
/// Parts of the static capacity at which the long pulse is tried: below it nothing moves; above it the wave must last until the facade is over.
const AROUND: [f64; 2] = [0.95, 1.25];
/// Half-periods that are tried at 1 g, s.
const HALF_PERIODS: [f64; 8] = [0.2, 0.25, 0.3, 0.35, 0.4, 0.5, 0.6, 0.8];
const GRAVITY: f64 = 9.81;

fn planned(kind: fn(&Question) -> bool) -> Result<(Campaign, Plan), String> {
    let spec: ModelSpec =
        drystone_model::parse(MODEL, Format::Toml).map_err(|faults| faults.to_string())?;
    let model = drystone_model::compile(&spec).map_err(|faults| faults.to_string())?;
    let found = model
        .analyses
        .into_iter()
        .find_map(|analysis| match analysis.kind {
            AnalysisKind::Campaign(campaign) if kind(&campaign.question) => Some(campaign),
            _ => None,
        });
    let campaign = found.ok_or("the example has no such campaign")?;
    let plan = Plan::new(&spec, &campaign).map_err(|error| error.to_string())?;
    Ok((campaign, plan))
}

fn answered(outcome: Outcome) -> Result<Outcome, String> {
    match &outcome.failure {
        Some(reason) => Err(reason.clone()),
        None => Ok(outcome),
    }
}

/// Features of the failure domain, per friction: whether long pulses a little below and above the static capacity bring the house down, and
/// the shortest half-period that does so at 1 g.
pub fn domain() -> Result<Measurements, String> {
    let (campaign, plan) = planned(|question| matches!(question, Question::FailureDomain(_)))?;
    let run = |analysis: &str, friction: f64, half_period: f64, amplitude: f64| {
        let values = [friction, half_period, amplitude].map(VaryValue::Number);
        let task = plan.task_of(analysis, &values, None);
        answered(perform(&task)?)
    };
    let falls = |friction: f64, half_period: f64, amplitude: f64| -> Result<bool, String> {
        Ok(run(&campaign.of, friction, half_period, amplitude)?.collapsed == Some(true))
    };
    let mut measured = Measurements::new();
    for friction in FRICTION {
        let _part = Part::begin();
        let limit = run("limit", friction, LONG, GRAVITY)?;
        let capacity = limit.measure("multiplier").ok_or("no multiplier")?;
        measured.insert(format!("capacity_{friction}"), capacity);
        for (side, part) in ["below", "above"].into_iter().zip(AROUND) {
            let down = falls(friction, LONG, part * capacity * GRAVITY)?;
            measured.insert(format!("long_{side}_{friction}"), f64::from(u8::from(down)));
        }
        let mut shortest = f64::INFINITY;
        for half_period in HALF_PERIODS {
            if falls(friction, half_period, GRAVITY)? {
                shortest = half_period;
                break;
            }
        }
        measured.insert(format!("shortest_{friction}"), shortest);
    }
    Ok(measured)
}

/// Median and dispersion of the capacity, in g, over twenty made-up earthquakes of eight intensities.
pub fn fragility() -> Result<Measurements, String> {
    let (campaign, plan) = planned(|question| matches!(question, Question::Fragility(_)))?;
    let Question::Fragility(fragility) = &campaign.question else {
        return Err("the example has no fragility".to_owned());
    };
    let steps = fragility.intensities.len();
    (0..plan.size()).try_for_each(|index| note_task(&plan.task(index)))?;
    let outcomes: Vec<Outcome> = (0..plan.size())
        .into_par_iter()
        .map(|index| {
            let outcome = execute(&plan.task(index), Path::new(""), &|| false);
            answered(outcome.ok_or("stopped")?)
        })
        .collect::<Result<_, _>>()?;
    let stripes: Vec<Stripe> = fragility
        .intensities
        .iter()
        .enumerate()
        .map(|(step, intensity)| {
            let of_stripe = || outcomes.iter().skip(step).step_by(steps);
            let down = of_stripe().filter(|run| run.collapsed == Some(true));
            Stripe {
                intensity: intensity / GRAVITY,
                runs: of_stripe().count() as f64,
                collapses: down.count() as f64,
            }
        })
        .collect();
    let fit = fit_stripes(&stripes).map_err(|fault| fault.to_string())?;
    Ok(Measurements::from([
        ("theta".into(), fit.theta),
        ("beta".into(), fit.beta),
    ]))
}
