//! The answer of a limit analysis.

use drystone_cone::{LimitResidual, LimitStatus};
use drystone_geometry::DVec3;
use drystone_model::{Analysis, Case, Limit, LimitDrive, Model};
use serde::Serialize;
use serde_json::{Value, json};

use super::{LimitResult, PolarPoint, limit};
use crate::answer::{Answer, Cell, Detail, Head, Measure, Table, Verdict, block_names, value};
use crate::ask::{AskFault, Hooks, wanted};
use crate::statics::detail::{
    Stages, by_block, given, mechanism, notes, outlines, tables, thrust, thrust_measures,
    thrust_table, thrust_words, ties,
};
use crate::statics::{Joint, Movement, Posed, StaticsDetail, ThrustLine};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: LimitStatus,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    /// What the forces prove; absent if there is no limit.
    multiplier: Option<f64>,
    /// What the mechanism proves.
    upper_bound: Option<f64>,
    /// Difference of both over one or the multiplier, whichever is larger.
    duality_gap: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    angle_degrees: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    direction: Option<[f64; 3]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    non_associated: Option<Value>,
    residual: LimitResidual,
    iterations: u32,
    reaction: [f64; 3],
    moving_blocks: Vec<&'a str>,
    hinges: Vec<Value>,
    sliding: Vec<Value>,
    opening: Vec<Value>,
    ties: Vec<Value>,
    /// Horizontal thrust over whole cuts, N.
    #[serde(skip_serializing_if = "Value::is_null")]
    thrust: Value,
    /// Forces over planes that were asked for, N.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<Value>,
    joints: usize,
    contact_points: usize,
    notes: Vec<String>,
    seconds: Value,
}

/// Answers a limit analysis.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &Limit,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let start = hooks.now();
    let posed = Posed::new(model);
    let mut stages = Stages::detected(start, hooks.now());
    let result = limit(&posed, settings)?;
    wanted(hooks)?;
    stages.solved(hooks.now());
    let bounded = result.status != LimitStatus::Unbounded;
    let lines: Vec<ThrustLine> = result.line.iter().cloned().collect();
    let mut tables = tables(&posed, &result.force, &result.joints, &result.reactions);
    if bounded {
        tables.push(mechanism(&posed.statics, &result.velocity));
    }
    if !result.polar.is_empty() {
        tables.push(polar_table(&result.polar));
    }
    if !lines.is_empty() {
        tables.push(thrust_table(model, &lines));
    }
    let (total, seconds) = stages.seconds(hooks.now());
    let finite = |x: f64| x.is_finite().then_some(x);
    let bounds = finite(result.multiplier).zip(finite(result.upper));
    let reaction: DVec3 = result.reactions.iter().map(|r| r.force).sum();
    let failure = failure(&result);
    let summary = value(&Summary {
        head: Head::new("limit", analysis, model),
        status: result.status,
        failure: failure.as_deref(),
        multiplier: finite(result.multiplier),
        upper_bound: finite(result.upper),
        duality_gap: bounds.map(|(low, high)| (high - low).abs() / low.abs().max(1.0)),
        angle: result.angle,
        angle_degrees: result.angle.map(f64::to_degrees),
        direction: result.direction.map(|direction| direction.to_array()),
        non_associated: result.non_associated.as_ref().map(|estimate| {
            json!({
                "multiplier": estimate.multiplier,
                "iterations": estimate.iterations,
                "residual": estimate.residual,
                "converged": estimate.converged,
            })
        }),
        residual: result.residual,
        iterations: result.iterations,
        reaction: reaction.to_array(),
        moving_blocks: block_names(model, &result.moving),
        hinges: moved(
            model,
            &result.joints,
            &[Movement::Hinge, Movement::SlidingHinge],
        ),
        sliding: moved(
            model,
            &result.joints,
            &[Movement::Sliding, Movement::SlidingHinge],
        ),
        opening: moved(model, &result.joints, &[Movement::Open]),
        ties: ties(model, &result.tension),
        thrust: thrust(&result.cuts),
        cuts: given(&result.given),
        joints: result.joints.len(),
        contact_points: posed.statics.contacts.len(),
        notes: notes(&posed)
            .into_iter()
            .chain(result.notes.iter().cloned())
            .collect(),
        seconds,
    });
    let detail = StaticsDetail {
        outlines: outlines(&posed.statics),
        mechanism: bounded.then(|| by_block(&posed.statics, &result.velocity)),
        joints: result.joints.clone(),
        lines,
        cuts: result.cuts.clone(),
        polar: result.polar.clone(),
    };
    let headline = headline(model, settings, &result, total);
    let detail = Detail::Statics(Box::new(detail));
    Ok(Answer {
        verdict: match result.status {
            LimitStatus::Optimal | LimitStatus::Unbounded => Verdict::Stands,
            LimitStatus::Infeasible => Verdict::Falls,
            LimitStatus::Inaccurate => Verdict::Undecided,
        },
        failure,
        summary,
        measures: measures(&result),
        tables,
        ..Answer::new("limit", analysis, word(result.status), headline, detail)
    })
}

/// As in summaries and tables.
fn word(status: LimitStatus) -> &'static str {
    match status {
        LimitStatus::Optimal => "optimal",
        LimitStatus::Unbounded => "unbounded",
        LimitStatus::Infeasible => "infeasible",
        LimitStatus::Inaccurate => "inaccurate",
    }
}

fn measures(result: &LimitResult) -> Vec<Measure> {
    let mut measures = vec![
        Measure::main("multiplier", "collapse multiplier", result.multiplier, ""),
        Measure::minor("upper_bound", "upper bound", result.upper, ""),
        Measure::main(
            "moving_blocks",
            "blocks that move",
            result.moving.len() as f64,
            "",
        ),
        Measure::minor(
            "worst_residual",
            "worst residual",
            result.residual.worst(),
            "",
        ),
    ];
    let estimate = result.non_associated.as_ref();
    if let Some(estimate) = estimate.filter(|estimate| estimate.converged) {
        measures.push(Measure::main(
            "without_dilatancy",
            "multiplier without dilatancy, an estimate",
            estimate.multiplier,
            "",
        ));
    }
    measures.extend(thrust_measures(&result.cuts, &result.given));
    measures
}

/// The limit by direction.
fn polar_table(points: &[PolarPoint]) -> Table {
    let mut table = Table::new("polar")
        .numbers(&["angle_degrees", "x", "y"])
        .words(&["status"])
        .numbers(&["multiplier", "upper_bound", "moving_blocks"]);
    let estimated = points.iter().any(|point| point.without_dilatancy.is_some());
    if estimated {
        table = table.maybe(&["without_dilatancy"]);
    }
    for point in points {
        let mut row = vec![
            Cell::Number(point.angle.to_degrees()),
            Cell::Number(point.angle.cos()),
            Cell::Number(point.angle.sin()),
            Cell::Text(word(point.status)),
            Cell::Number(point.multiplier),
            Cell::Number(point.upper),
            Cell::Number(point.moving as f64),
        ];
        if estimated {
            row.push(point.without_dilatancy.map_or(Cell::Blank, Cell::Number));
        }
        table.push(row);
    }
    table
}

/// Why there is no answer to rely on, if there is none. Of a sweep: which directions have none.
fn failure(result: &LimitResult) -> Option<String> {
    if result.status != LimitStatus::Inaccurate {
        return None;
    }
    let missed: Vec<String> = result
        .polar
        .iter()
        .filter(|point| point.status == LimitStatus::Inaccurate || point.multiplier.is_nan())
        .map(|point| format!("{:.6}", point.angle.to_degrees()))
        .collect();
    Some(if missed.is_empty() {
        format!(
            "the solver missed its tolerance: its worst residual is {:.1e}",
            result.residual.worst()
        )
    } else {
        format!(
            "the solver missed its tolerance in directions at {} degrees from x towards y; the least multiplier is that of the others",
            missed.join(", ")
        )
    })
}

/// Joints that move in one of these ways.
fn moved(model: &Model, joints: &[Joint], ways: &[Movement]) -> Vec<Value> {
    let mut all = Vec::new();
    for joint in joints {
        if let Some(motion) = joint
            .motion
            .filter(|motion| ways.contains(&motion.movement))
        {
            all.push(json!({
                "blocks": joint.blocks.map(|i| model.blocks[i].name.as_str()),
                "at": motion.at.to_array(),
                "opening": motion.opening,
                "sliding": motion.sliding,
            }));
        }
    }
    all
}

/// A force in newtons; what is nothing beside the weight is zero.
fn newtons(force: f64, model: &Model) -> String {
    let free = model.blocks.iter().filter(|block| !block.support);
    let weight = model.gravity * free.map(|block| block.mass).sum::<f64>();
    let nothing = force.abs() <= 1e-7 * weight;
    format!("{:.6e}", if nothing { 0.0 } else { force })
}

fn headline(model: &Model, settings: &Limit, result: &LimitResult, seconds: f64) -> String {
    let free = model.blocks.iter().filter(|block| !block.support).count();
    let first = result
        .moving
        .first()
        .map_or("", |&i| model.blocks[i].name.as_str());
    let verdict = match result.status {
        LimitStatus::Infeasible => format!(
            "infeasible: the structure does not stand under dead loads; {} of {free} blocks begin to move (\"{first}\" ...)",
            result.moving.len()
        ),
        LimitStatus::Unbounded => {
            "unbounded: no multiplier causes collapse; friction and supports balance the loads"
                .to_owned()
        }
        LimitStatus::Optimal | LimitStatus::Inaccurate => {
            let value = match (&settings.drive, result.angle) {
                (LimitDrive::Settlement { .. }, _) => format!(
                    "supports must be held with {}, at most {} N",
                    newtons(result.multiplier, model),
                    newtons(result.upper, model)
                ),
                (LimitDrive::Directions(_), _) => format!(
                    "least multiplier {:.6}, at most {:.6}, along {:?}",
                    result.multiplier,
                    result.upper,
                    result.direction.unwrap_or_default().to_array()
                ),
                (_, Some(angle)) => format!(
                    "angle {:.4} degrees (multiplier {:.6}, at most {:.6})",
                    angle.to_degrees(),
                    result.multiplier,
                    result.upper
                ),
                _ => format!(
                    "multiplier {:.6}, at most {:.6}",
                    result.multiplier, result.upper
                ),
            };
            let estimate = match &result.non_associated {
                Some(estimate) if estimate.converged => format!(
                    "; without dilatancy about {:.3} (an estimate)",
                    estimate.multiplier
                ),
                Some(_) => "; the estimate without dilatancy did not converge".to_owned(),
                None => String::new(),
            };
            let thrust = thrust_words(&result.cuts, &result.given);
            format!(
                "{value}; {} of {free} blocks move{estimate}{thrust}",
                result.moving.len()
            )
        }
    };
    format!(
        "{verdict} ({seconds:.2} s, residual {:.1e})",
        result.residual.worst()
    )
}
