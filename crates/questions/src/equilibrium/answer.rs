//! The answer of an equilibrium analysis.

use drystone_model::{Analysis, Case, Equilibrium, Model};
use serde::Serialize;
use serde_json::{Value, json};

use super::{EquilibriumResult, equilibrium};
use crate::answer::{Answer, Detail, Head, Measure, Verdict, block_names, value};
use crate::ask::{AskFault, Hooks, wanted};
use crate::statics::detail::{
    Stages, by_block, given, mechanism, notes, outlines, tables, thrust, thrust_measures,
    thrust_table, thrust_words, ties,
};
use crate::statics::{Joint, Posed, StaticsDetail};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    multiplier: f64,
    /// Of a marginal structure: it stands or falls within so small a part of the loads, at least and at most; positive stands.
    #[serde(skip_serializing_if = "Option::is_none")]
    margin: Option<[f64; 2]>,
    /// Speed of the fastest block a millisecond after the loads are put on, m/s; none where no step was taken.
    max_speed: Option<f64>,
    reaction: [f64; 3],
    residual: f64,
    solver_residual: f64,
    moving_blocks: Vec<&'a str>,
    joints: usize,
    contact_points: usize,
    worst: Worst,
    ties: Vec<Value>,
    /// Horizontal thrust over whole cuts by state, N.
    #[serde(skip_serializing_if = "Value::is_null")]
    thrust: Value,
    /// Forces over planes that were asked for, N.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<Value>,
    rounds: u32,
    notes: Vec<String>,
    seconds: Value,
}

/// The joints nearest to opening and to sliding.
#[derive(Debug, Serialize)]
struct Worst {
    nearest_to_an_edge: Option<Value>,
    nearest_to_sliding: Option<Value>,
}

/// Answers an equilibrium analysis.
pub(crate) fn ask(
    case: &Case,
    analysis: &Analysis,
    settings: &Equilibrium,
    hooks: &mut dyn Hooks,
) -> Result<Answer, AskFault> {
    let model = case.model();
    let start = hooks.now();
    let posed = Posed::new(model);
    let mut stages = Stages::detected(start, hooks.now());
    let result = equilibrium(&posed, settings)?;
    wanted(hooks)?;
    stages.solved(hooks.now());
    let stands = result.standing.stands;
    let velocity = &result.standing.velocity;
    let mut tables = tables(&posed, &result.force, &result.joints, &result.reactions);
    if !stands {
        tables.push(mechanism(&posed.statics, velocity));
    }
    if !result.lines.is_empty() {
        tables.push(thrust_table(model, &result.lines));
    }
    let (total, seconds) = stages.seconds(hooks.now());
    let failure = failure(&result);
    let marginal = result.standing.is_marginal();
    let status = match (failure.is_some(), stands) {
        (true, _) => "inaccurate",
        (false, true) => "stable",
        (false, false) if marginal => "marginal",
        (false, false) => "unstable",
    };
    let mut all_notes = notes(&posed);
    all_notes.extend(result.notes.iter().cloned());
    let summary = value(&Summary {
        head: Head::new("equilibrium", analysis, model),
        status,
        failure: failure.as_deref(),
        multiplier: settings.multiplier,
        margin: result.standing.margin.filter(|_| marginal),
        max_speed: (stands || result.standing.stepped).then_some(result.standing.max_speed),
        reaction: result.reaction.to_array(),
        residual: result.residual,
        solver_residual: result.standing.residual,
        moving_blocks: block_names(model, &result.moving),
        joints: result.joints.len(),
        contact_points: posed.statics.contacts.len(),
        worst: worst(model, &result.joints),
        ties: ties(model, &result.tension),
        thrust: thrust(&result.cuts),
        cuts: given(&result.given),
        rounds: result.rounds,
        notes: all_notes,
        seconds,
    });
    let detail = StaticsDetail {
        outlines: outlines(&posed.statics),
        mechanism: (!stands).then(|| by_block(&posed.statics, velocity)),
        joints: result.joints.clone(),
        lines: result.lines.clone(),
        cuts: result.cuts.clone(),
        polar: Vec::new(),
    };
    let headline = headline(&posed, &result, total);
    let detail = Detail::Statics(Box::new(detail));
    Ok(Answer {
        verdict: match (&failure, stands) {
            (Some(_), _) => Verdict::Undecided,
            (None, true) => Verdict::Stands,
            (None, false) if marginal => Verdict::Undecided,
            (None, false) => Verdict::Falls,
        },
        failure,
        summary,
        measures: measures(&result),
        tables,
        ..Answer::new("equilibrium", analysis, status, headline, detail)
    })
}

fn measures(result: &EquilibriumResult) -> Vec<Measure> {
    let standing = &result.standing;
    let mut measures = vec![
        Measure::main("max_speed", "fastest block", standing.max_speed, "m/s"),
        Measure::main(
            "moving_blocks",
            "blocks that begin to move",
            result.moving.len() as f64,
            "",
        ),
        Measure::minor(
            "worst_residual",
            "force out of balance",
            result.residual,
            "",
        ),
    ];
    measures.extend(thrust_measures(&result.cuts, &result.given));
    measures
}

/// Why there is no answer to rely on, if there is none.
fn failure(result: &EquilibriumResult) -> Option<String> {
    if result.standing.is_marginal() {
        return None;
    }
    if !result.standing.solved {
        return Some(format!(
            "the solver missed its tolerance: its worst residual is {:.1e}",
            result.standing.residual
        ));
    }
    (!result.balanced).then(|| {
        format!(
            "no forces were found that balance the loads: after {} rounds {:.1e} of the mean load of a block remains unbalanced",
            result.rounds, result.residual
        )
    })
}

fn headline(posed: &Posed<'_>, result: &EquilibriumResult, seconds: f64) -> String {
    let model = posed.statics.model;
    let verdict = if result.standing.stands {
        let [x, y, z] = result.reaction.to_array();
        let thrust = thrust_words(&result.cuts, &result.given);
        format!("stable; reaction ({x:.4e}, {y:.4e}, {z:.4e}) N{thrust}")
    } else if let Some([low, high]) = result
        .standing
        .margin
        .filter(|_| result.standing.is_marginal())
    {
        format!(
            "marginal: at the limit of what stands, proved neither to stand nor to fall; bounds of the load factor less one: {low:.1e} and {high:.1e}"
        )
    } else {
        let first = result
            .moving
            .first()
            .map_or("", |&i| model.blocks[i].name.as_str());
        // The limit program knows the mechanism, not how fast it starts.
        let speed = if result.standing.stepped {
            let part = result.standing.max_speed / (1e-3 * model.gravity.max(1.0));
            format!(", the fastest with {part:.3} of gravity")
        } else {
            String::new()
        };
        format!(
            "unstable: {} of {} blocks begin to move (\"{first}\" ...){speed}",
            result.moving.len(),
            model.blocks.iter().filter(|block| !block.support).count(),
        )
    };
    format!(
        "{verdict} ({seconds:.2} s, residual {:.1e})",
        result.residual
    )
}

fn worst(model: &Model, joints: &[Joint]) -> Worst {
    // Joints that carry next to nothing have no meaningful point of application.
    let largest = joints.iter().map(|joint| joint.force).fold(0.0, f64::max);
    let carrying = || joints.iter().filter(|joint| joint.force > 1e-6 * largest);
    let tell = |joint: &Joint| {
        json!({
            "blocks": joint.blocks.map(|i| model.blocks[i].name.as_str()),
            "normal": joint.force,
            "edge_fraction": joint.edge_fraction,
            "eccentricity": joint.eccentricity,
            "friction_used": joint.friction_used,
        })
    };
    Worst {
        nearest_to_an_edge: carrying()
            .filter(|joint| joint.area > 0.0)
            .min_by(|a, b| a.edge_fraction.total_cmp(&b.edge_fraction))
            .map(tell),
        nearest_to_sliding: carrying()
            .max_by(|a, b| a.friction_used.total_cmp(&b.friction_used))
            .map(tell),
    }
}
