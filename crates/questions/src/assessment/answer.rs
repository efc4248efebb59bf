//! The answer of an assessment.

use drystone_model::{Analysis, Assessment, CapacitySource, Case, Displacements};
use serde_json::{Value, json};

use super::of_pushover::capacity_of;
use super::text::text;
use super::{AssessmentResult, Check, LimitState, Method, assess, demand_curve, states};
use crate::answer::{Answer, Cell, Detail, Head, Measure, Table, Verdict, value};
use crate::ask::{AskFault, Hooks, ask as ask_other, wanted};

/// Answers an assessment. The pushover that it rests on is asked for if nobody knows its answer yet.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &Assessment,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let start = hooks.now();
    let capacity = match &settings.capacity {
        CapacitySource::Given(capacity) => capacity.clone(),
        CapacitySource::Pushover(name) => {
            let basis = |why: String| AskFault::Basis(format!("pushover \"{name}\": {why}"));
            let asked = case.analysis(name);
            let asked = asked.ok_or_else(|| basis("the model has none of this name".to_owned()))?;
            let curve = match hooks.known(asked)? {
                Some(curve) => curve,
                None => ask_other(case, asked, hooks)?,
            };
            if curve.interrupted {
                return Err(AskFault::Interrupted(name.clone()));
            }
            capacity_of(model, &curve).map_err(basis)?
        }
    };
    let result = assess(settings, &capacity);
    wanted(hooks)?;
    let notes = unchecked(settings, &result);
    let mut summary = value(&Head::new("assessment", analysis, model));
    fill(&mut summary, &result, &notes, hooks.now() - start);
    let headline = headline(&result, &notes);
    let (status, verdict) = if is_verified(&result) {
        ("verified", Verdict::Stands)
    } else {
        ("not_verified", Verdict::Falls)
    };
    let index = result.worst().and_then(|check| check.index);
    let index = index.map(|index| Measure::main("index", "least safety index", index, ""));
    Ok(Answer {
        verdict,
        summary,
        measures: index.into_iter().collect(),
        tables: vec![spectra(settings, &result)],
        text: Some(text(
            &model.name,
            &analysis.name,
            &headline,
            settings,
            &result,
        )),
        ..Answer::new(
            "assessment",
            analysis,
            status,
            headline,
            Detail::Assessment(Box::new(result)),
        )
    })
}

fn is_verified(result: &AssessmentResult) -> bool {
    let passed = |index: Option<f64>| index.is_none_or(|index| index >= 1.0);
    result.checks.iter().all(|check| passed(check.index))
}

fn fill(summary: &mut Value, result: &AssessmentResult, notes: &[String], seconds: f64) {
    let (capacity, found) = (&result.capacity, &result.oscillator);
    let known = capacity.displacements.as_ref();
    let (peak, life) = (found.peak, found.life);
    let finite = |x: &f64| x.is_finite();
    let more = json!({
        "status": if is_verified(result) { "verified" } else { "not_verified" },
        "index": result.worst().and_then(|check| check.index),
        "checks": value(&result.checks),
        "notes": notes,
        "alpha_0": capacity.alpha_0,
        "alpha_y": known.map(|known| known.alpha_y),
        "d_y": known.map(|known| known.d_y),
        "d_0": known.and_then(|known| known.d_0),
        "d_ultimate": known.and_then(Displacements::last),
        "participation": capacity.participation,
        "gamma": known.map(|known| known.gamma),
        "a_0": found.onset,
        "a_y": peak.map(|peak| peak.acceleration),
        "d_y_star": peak.map(|peak| peak.displacement),
        "d_0_star": life.map(|life| life.last_displacement),
        "period": peak.map(|peak| peak.period).filter(finite),
        "d_life_safety": life.map(|life| life.displacement),
        "a_life_safety": life.map(|life| life.acceleration),
        "period_life_safety": life.map(|life| life.period).filter(finite),
        "seconds": { "total": seconds },
    });
    if let (Value::Object(all), Value::Object(more)) = (summary, more) {
        all.extend(more);
    }
}

fn headline(result: &AssessmentResult, notes: &[String]) -> String {
    let verdict = if is_verified(result) {
        "verified"
    } else {
        "not verified"
    };
    let told = match result.worst().and_then(|check| check.index) {
        Some(index) => format!("{verdict}: least safety index {index:.3}"),
        None => format!("{verdict}: every safety index is more than 100"),
    };
    if notes.is_empty() {
        told
    } else {
        format!("{told} ({})", notes.join("; "))
    }
}

/// What was not checked because the capacity does not say enough.
fn unchecked(settings: &Assessment, result: &AssessmentResult) -> Vec<String> {
    let missing = |state: LimitState| {
        let by_displacements =
            |check: &Check| check.state == state && check.method == Method::Displacement;
        !result.checks.iter().any(by_displacements)
    };
    let told = states(settings).filter_map(|(state, _)| {
        missing(state).then_some(match state {
            LimitState::Damage => "damage by forces alone",
            LimitState::LifeSafety => "life safety by forces alone",
        })
    });
    told.map(str::to_owned).collect()
}

/// Columns curve, period (s), displacement (m), acceleration (m/s²): the capacity and the demand of every limit state.
fn spectra(settings: &Assessment, result: &AssessmentResult) -> Table {
    let mut table = Table::new("spectra").words(&["curve"]).numbers(&[
        "period",
        "displacement",
        "acceleration",
    ]);
    let numbers = |row: [f64; 3]| row.map(Cell::Number);
    for &[d, a] in &result.oscillator.curve {
        let period = if d <= 0.0 {
            0.0
        } else if a > 0.0 {
            std::f64::consts::TAU * (d / a).sqrt()
        } else {
            f64::INFINITY
        };
        let [t, d, a] = numbers([period, d, a]);
        table.push([Cell::Text("capacity"), t, d, a]);
    }
    for (state, hazard) in states(settings) {
        let label = match state {
            LimitState::Damage => "damage",
            LimitState::LifeSafety => "life_safety",
        };
        for row in demand_curve(settings, hazard) {
            let [t, d, a] = numbers(row);
            table.push([Cell::Text(label), t, d, a]);
        }
    }
    table
}
