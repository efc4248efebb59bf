//! Equilibrium under given loads: the verdict, and forces that are unique.

use drystone_geometry::DVec3;
use drystone_model::{CuttingPlane, Equilibrium, Joints};

use crate::statics::balance::{Left, mean_load, size, unbalanced};
use crate::statics::cut::{CutThrust, explained, extremes, given, given_extremes, over, tied};
use crate::statics::joints::{Joint, add_motions, joints};
use crate::statics::posed::Posed;
use crate::statics::sharing::share;
use crate::statics::standing::{STEP, Standing, standing};
use crate::statics::thrust::{ThrustLine, ThrustPath};
use crate::statics::{MOVES, StaticsFault, speed};

/// What a support is pushed with by the structure.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reaction {
    /// Index of the block; none is the ground, to which ties are fastened.
    pub block: Option<usize>,
    /// Force of the support on the structure, N.
    pub force: DVec3,
    /// Its moment about the origin, N m.
    pub moment: DVec3,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct EquilibriumResult {
    /// The verdict with velocities.
    pub standing: Standing,
    /// Indices of the blocks that move.
    pub moving: Vec<usize>,
    /// Forces of contacts, local components, N; those of the first instant if it does not stand.
    pub force: Vec<[f64; 3]>,
    /// Tensions of ties, N.
    pub tension: Vec<f64>,
    /// What each joint carries.
    pub joints: Vec<Joint>,
    /// Per support.
    pub reactions: Vec<Reaction>,
    /// Sum over supports, N.
    pub reaction: DVec3,
    /// Largest force out of balance on a block over the mean load of a block, with what ties pull with from the start; recomputed from the forces.
    pub residual: f64,
    /// Rounds by which forces were made unique.
    pub rounds: u32,
    /// Forces are the unique ones of least elastic energy, of dry joints. They are not where joints need mortar, where these exceed what ties or joints bear, or were not found: then
    /// they are some that balance the loads within all limits.
    pub unique: bool,
    /// The rounds ended in balance.
    pub balanced: bool,
    /// Of this state and the extreme ones, where there is a path for them and the structure stands.
    pub lines: Vec<ThrustLine>,
    /// Thrusts over the cuts that the path of the lines gives, that of the lines' own thrust first.
    pub cuts: Vec<CutThrust>,
    /// Thrusts over planes that were asked for.
    pub given: Vec<CutThrust>,
    /// What is missing, and why.
    pub notes: Vec<String>,
}

/// Answers an equilibrium analysis.
pub fn equilibrium(
    posed: &Posed<'_>,
    settings: &Equilibrium,
) -> Result<EquilibriumResult, StaticsFault> {
    let mut loads = posed.statics.dead();
    let growing = posed.growing(&settings.growing);
    for (load, more) in loads.iter_mut().zip(&growing) {
        (0..6).for_each(|k| load[k] += settings.multiplier * more[k]);
    }
    let mut result = under(posed, &loads, settings.joints, settings.tolerance)?;
    if !result.standing.stands {
        return Ok(result);
    }
    if let Some(path) = path(posed, settings.thrust_line, &mut result.notes) {
        let notes = &mut result.notes;
        let (line, mut cuts) = traced(posed, &path, "equilibrium", &result.joints, notes);
        result.lines.push(line);
        let tolerance = settings.tolerance;
        let lines = extremes(&path, posed, &loads, tolerance, &mut cuts, notes)?;
        result.lines.extend(lines);
        result.cuts = cuts;
    }
    result.given = asked(
        posed,
        &settings.cuts,
        "equilibrium",
        &result.joints,
        &mut result.notes,
    );
    let (given, notes) = (&mut result.given, &mut result.notes);
    given_extremes(posed, &loads, settings.tolerance, given, notes)?;
    Ok(result)
}

/// The path of a thrust line: the one asked for, or that of a structure which is a chain. That there is none is noted if it was asked for.
pub(crate) fn path(
    posed: &Posed<'_>,
    ends: Option<[usize; 2]>,
    notes: &mut Vec<String>,
) -> Option<ThrustPath> {
    let Some([from, to]) = ends else {
        return ThrustPath::of_chain(&posed.statics);
    };
    let found = ThrustPath::between(&posed.statics, from, to);
    if found.is_none() {
        let [from, to] = [from, to].map(|block| &posed.statics.model.blocks[block].name);
        notes.push(format!(
            "no path of joints leads from block \"{from}\" to block \"{to}\", so there is no thrust line between them"
        ));
    }
    found
}

/// The thrust line of a state along a path, and its thrusts over the cuts that the path gives.
pub(crate) fn traced(
    posed: &Posed<'_>,
    path: &ThrustPath,
    state: &'static str,
    joints: &[Joint],
    notes: &mut Vec<String>,
) -> (ThrustLine, Vec<CutThrust>) {
    let cuts = over(path.cuts(&posed.statics), state, joints);
    explained(&cuts, notes);
    let first = cuts.first().and_then(|cut| cut.states.first());
    let thrust = first.map_or(f64::NAN, |state| state.thrust);
    (path.line(state, joints, thrust), cuts)
}

/// Thrusts of a state over planes that were asked for.
pub(crate) fn asked(
    posed: &Posed<'_>,
    planes: &[CuttingPlane],
    state: &'static str,
    joints: &[Joint],
    notes: &mut Vec<String>,
) -> Vec<CutThrust> {
    let cuts = over(given(&posed.statics, planes), state, joints);
    tied(&cuts, notes);
    cuts
}

/// The same under loads, N and N m per body.
pub(crate) fn under(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    how: Joints,
    tolerance: f64,
) -> Result<EquilibriumResult, StaticsFault> {
    let statics = &posed.statics;
    let standing = standing(posed, loads, tolerance)?;
    let (mut unique, mut balanced) = (false, true);
    let mut notes = Vec::new();
    let (force, tension, rounds) = if standing.stands {
        let shared = share(posed, loads, how, tolerance)?;
        unique = posed.within_limits(&shared.force, &shared.tension);
        balanced = shared.unbalanced <= tolerance;
        if !unique {
            notes.push(
                "forces of least elastic energy exceed the yield force of a tie or crush a joint; those written are within all limits, and not unique"
                    .to_owned(),
            );
        } else if !balanced
            && unbalanced(posed, loads, &standing.force, &standing.tension) <= tolerance
        {
            // The verdict's own forces do, where sharing lost the digits of light blocks or stalled.
            (unique, balanced) = (false, true);
            notes.push(match posed.bonds.is_empty() {
                true => format!(
                    "forces of least elastic energy were not found in {} rounds; those written balance the loads, and are not unique",
                    shared.rounds
                ),
                false => "friction alone does not carry the loads, joints need their mortar; the forces written balance the loads, and are not unique".to_owned(),
            });
        } else if !posed.bonds.is_empty() {
            notes.push(
                "friction alone carries the loads: the forces written are those of least elastic energy of joints without mortar"
                    .to_owned(),
            );
        }
        if unique {
            (shared.force, shared.tension, shared.rounds)
        } else {
            balanced = true;
            // Limits are convex and zero is within them: forces of greater loads, made smaller, are within them too.
            let (force, tension) = (standing.force.clone(), standing.tension.clone());
            (force, tension, shared.rounds)
        }
    } else {
        (standing.force.clone(), standing.tension.clone(), 0)
    };
    if standing.stands && how == Joints::Rigid {
        notes.extend(lost_tension(posed, &tension));
    }
    let mut joints = joints(statics, &force);
    if !standing.stands {
        add_motions(statics, &standing.velocity, &[], &mut joints);
    }
    let reactions = reactions(posed, &force, &tension);
    Ok(EquilibriumResult {
        moving: moving(posed, &standing.velocity),
        residual: out_of_balance(posed, loads, &force, &tension, &standing),
        reaction: reactions.iter().map(|reaction| reaction.force).sum(),
        joints,
        reactions,
        force,
        tension,
        rounds,
        unique,
        balanced,
        standing,
        lines: Vec::new(),
        cuts: Vec::new(),
        given: Vec::new(),
        notes,
    })
}

/// Ties that do not keep the force that they are drawn with from the start, as far as the digits tell. Elastic joints shorten under it, and each tie with
/// them: that is what is asked of them.
fn lost_tension(posed: &Posed<'_>, tension: &[f64]) -> Vec<String> {
    let ties = posed.statics.model.ties.iter().zip(tension);
    let drawn = ties.filter(|(tie, _)| tie.initial_force > 0.0);
    drawn
        .filter_map(|(tie, &kept)| {
            let [asked, kept] = [tie.initial_force, kept].map(|force| format!("{force:.3e}"));
            (asked != kept).then(|| {
                format!(
                    "the tie \"{}\" does not keep its `initial_force` of {asked} N: no forces were found that balance the loads with it, and those written have {kept} N in the tie",
                    tie.name
                )
            })
        })
        .collect()
}

/// Blocks that move.
pub(crate) fn moving(posed: &Posed<'_>, velocity: &[[f64; 6]]) -> Vec<usize> {
    let bodies = &posed.statics.bodies;
    let fastest = crate::statics::largest_speed(velocity, &bodies.radii);
    let all = bodies.blocks.iter().zip(velocity).zip(&bodies.radii);
    all.filter(|((_, v), radius)| fastest > 0.0 && speed(v, **radius) > MOVES * fastest)
        .map(|((&block, _), _)| block)
        .collect()
}

/// Forces of supports on the structure.
pub(crate) fn reactions(posed: &Posed<'_>, force: &[[f64; 3]], tension: &[f64]) -> Vec<Reaction> {
    let model = posed.statics.model;
    // The ground comes last.
    let mut all: Vec<Option<Reaction>> = vec![None; model.blocks.len() + 1];
    let mut add = |block: Option<usize>, force: DVec3, at: DVec3| {
        let sum = all[block.unwrap_or(model.blocks.len())].get_or_insert(Reaction {
            block,
            force: DVec3::ZERO,
            moment: DVec3::ZERO,
        });
        sum.force += force;
        sum.moment += at.cross(force);
    };
    for contact in posed.statics.contact_forces(force) {
        let on_second = contact.normal_force * contact.normal + contact.shear_force;
        for (block, other, sign) in [(0, 1, 1.0), (1, 0, -1.0)] {
            let (block, other) = (contact.blocks[block], contact.blocks[other]);
            if model.blocks[block].support && !model.blocks[other].support {
                add(Some(block), sign * on_second, contact.point);
            }
        }
    }
    for (tie, tension) in model.ties.iter().zip(tension) {
        let axis = (tie.points[1] - tie.points[0]).normalize();
        let held = |side: usize| tie.blocks[side].is_none_or(|block| model.blocks[block].support);
        for (side, sign) in [(0, -1.0), (1, 1.0)] {
            if held(side) && !held(1 - side) {
                add(tie.blocks[side], sign * *tension * axis, tie.points[side]);
            }
        }
    }
    all.into_iter().flatten().collect()
}

/// Largest force out of balance over the mean load: what is left of loads and forces, but for what moves the blocks.
fn out_of_balance(
    posed: &Posed<'_>,
    loads: &[[f64; 6]],
    force: &[[f64; 3]],
    tension: &[f64],
    standing: &Standing,
) -> f64 {
    let statics = &posed.statics;
    let model = statics.model;
    let mut sums = Left::new(posed, loads, force, tension).sums;
    // What does not stand is not in balance; its momentum makes up for it where a step was taken.
    if !standing.stands && standing.stepped {
        for ((sum, &i), v) in sums
            .iter_mut()
            .zip(&statics.bodies.blocks)
            .zip(&standing.velocity)
        {
            let block = &model.blocks[i];
            let spin = block.inertia * DVec3::new(v[3], v[4], v[5]) / STEP;
            for k in 0..3 {
                sum[k] -= block.mass * v[k] / STEP;
                sum[3 + k] -= spin[k];
            }
        }
    }
    let mean = mean_load(posed, loads);
    let worst = sums
        .iter()
        .zip(&statics.bodies.radii)
        .map(|(sum, &radius)| size(posed, sum, radius))
        .fold(0.0, f64::max);
    if mean > 0.0 { worst / mean } else { worst }
}
