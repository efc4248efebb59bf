//! An equilibrium into its folder.

use drystone_analysis::statics::{EquilibriumResult, Joint, Posed, ThrustLine, equilibrium};
use drystone_model::{Analysis, Equilibrium, Model};
use serde::Serialize;
use serde_json::{Value, json};

use super::answering::{Answering, write_summary};
use super::{ExecuteError, Head, Hooks, Outcome, wanted};
use crate::report::{StaticsReport, outlines, shown};
use crate::{ResultDir, write_atomic, write_mechanism, write_thrust_lines};

#[derive(Debug, Serialize)]
struct Summary<'a> {
    #[serde(flatten)]
    head: Head<'a>,
    status: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    failure: Option<&'a str>,
    multiplier: f64,
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
    /// Horizontal thrust at the end of the thrust line by state, N.
    #[serde(skip_serializing_if = "Value::is_null")]
    thrust: Value,
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

pub(super) fn execute(
    model: &Model,
    analysis: &Analysis,
    settings: &Equilibrium,
    folder: &ResultDir,
    hooks: &mut dyn Hooks,
) -> Result<Outcome, ExecuteError> {
    let mut answering = Answering::begin(model);
    let result = equilibrium(&answering.posed, settings)?;
    wanted(hooks)?;
    answering.tables(folder, &result.force, &result.joints, &result.reactions)?;
    let posed = &answering.posed;
    let stands = result.standing.stands;
    if !stands {
        write_mechanism(
            &folder.mechanism(),
            &posed.statics,
            &result.standing.velocity,
        )?;
    }
    if !result.lines.is_empty() {
        write_thrust_lines(&folder.thrust_line(), model, &result.lines)?;
    }
    let (total, seconds) = answering.seconds();
    let failure = failure(&result);
    let mut notes = notes(posed);
    notes.extend(result.notes.iter().cloned());
    let summary = Summary {
        head: Head::new("equilibrium", analysis, model),
        status: match (failure.is_some(), stands) {
            (true, _) => "inaccurate",
            (false, true) => "stable",
            (false, false) => "unstable",
        },
        failure: failure.as_deref(),
        multiplier: settings.multiplier,
        max_speed: (stands || result.standing.stepped).then_some(result.standing.max_speed),
        reaction: result.reaction.to_array(),
        residual: result.residual,
        solver_residual: result.standing.residual,
        moving_blocks: block_names(model, &result.moving),
        joints: result.joints.len(),
        contact_points: posed.statics.contacts.len(),
        worst: worst(model, &result.joints),
        ties: ties(model, &result.tension),
        thrust: thrust(&result.lines),
        rounds: result.rounds,
        notes,
        seconds,
    };
    let summary = write_summary(folder, &summary)?;
    let headline = headline(posed, &result, total);
    let report = StaticsReport {
        model,
        analysis: &analysis.name,
        headline: &headline,
        summary: &summary,
        outlines: &outlines(&posed.statics),
        joints: &result.joints,
        lines: &result.lines,
        mechanism: (!stands).then(|| shown(&posed.statics, &result.standing.velocity)),
        polar: &[],
    };
    write_atomic(&folder.report(), report.html().as_bytes())?;
    Ok(Outcome {
        headline,
        summary,
        failure,
        interrupted: false,
    })
}

/// Why there is no answer to rely on, if there is none.
fn failure(result: &EquilibriumResult) -> Option<String> {
    if !result.standing.solved {
        return Some(format!(
            "the solver missed its tolerance: its worst residual is {:.1e}",
            result.standing.residual
        ));
    }
    (!result.balanced).then(|| {
        format!(
            "no forces were found that balance the loads: after {} rounds {:.1e} of the mean load of a block is left",
            result.rounds, result.residual
        )
    })
}

fn headline(posed: &Posed<'_>, result: &EquilibriumResult, seconds: f64) -> String {
    let model = posed.statics.model;
    let verdict = if result.standing.stands {
        let [x, y, z] = result.reaction.to_array();
        format!("stable; reaction ({x:.4e}, {y:.4e}, {z:.4e}) N")
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

pub(super) fn block_names<'m>(model: &'m Model, blocks: &[usize]) -> Vec<&'m str> {
    blocks
        .iter()
        .map(|&i| model.blocks[i].name.as_str())
        .collect()
}

/// What somebody who reads the numbers should know.
pub(super) fn notes(posed: &Posed<'_>) -> Vec<String> {
    let model = posed.statics.model;
    let mut notes = Vec::new();
    let strength = model
        .interfaces()
        .any(|law| law.compressive_strength.is_some());
    if strength && model.free.iter().all(|&free| free) {
        notes.push(
            "compressive_strength is not applied: crushing is treated in planar models only, so that this answer is one for stone that does not crush; \
             for a part that moves in its plane write `plane` in [model]"
                .to_owned(),
        );
    }
    if posed.uncrushed > 0 {
        notes.push(format!(
            "compressive_strength is not applied in {} joints that touch along one line only",
            posed.uncrushed
        ));
    }
    if posed.statics.largest_gap > 0.0 {
        notes.push(format!(
            "blocks up to {:.1e} m apart count as touching",
            posed.statics.largest_gap
        ));
    }
    notes
}

/// Thrusts by state.
pub(super) fn thrust(lines: &[ThrustLine]) -> Value {
    if lines.is_empty() {
        return Value::Null;
    }
    let entries = lines
        .iter()
        .map(|line| (line.state.to_owned(), Value::from(line.thrust)));
    Value::Object(entries.collect())
}

pub(super) fn ties(model: &Model, tension: &[f64]) -> Vec<Value> {
    let all = model.ties.iter().zip(tension);
    all.map(
        |(tie, tension)| json!({ "name": tie.name, "tension": tension, "yield": tie.yield_force }),
    )
    .collect()
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
