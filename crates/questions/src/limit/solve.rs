//! How far loads can grow.

use drystone_cone::{
    LimitResidual, LimitSettings, LimitSolution, LimitStatus, solve_limit, solve_limit_pair,
};
use drystone_geometry::DVec3;
use drystone_model::{FrictionLaw, Growing, Limit, LimitDrive};

use super::nonassociated::NonAssociated;
use super::settlement::settlement;
use crate::equilibrium::{Reaction, asked, moving, path, reactions, traced};
use crate::statics::cut::CutThrust;
use crate::statics::joints::{Joint, add_motions, joints};
use crate::statics::posed::Posed;
use crate::statics::standing::{Standing, standing};
use crate::statics::thrust::ThrustLine;
use crate::statics::{StaticsFault, aimed};

/// One direction of a sweep.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolarPoint {
    /// Of the body force, from x towards y, rad.
    pub angle: f64,
    /// Whether there is a limit.
    pub status: LimitStatus,
    /// Lower bound.
    pub multiplier: f64,
    /// Upper bound.
    pub upper: f64,
    /// Blocks that move.
    pub moving: usize,
    /// The estimate without dilatancy, if it was asked for and converged.
    pub without_dilatancy: Option<f64>,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct LimitResult {
    /// Whether there is a limit.
    pub status: LimitStatus,
    /// Lower bound, proven by the forces. For a settlement: the force with which supports must at least be held, N.
    pub multiplier: f64,
    /// Upper bound, proven by the mechanism.
    pub upper: f64,
    /// Angle of the base, rad, if it is tilted.
    pub angle: Option<f64>,
    /// Direction of the body force, if there is one; of a sweep that of the least limit.
    pub direction: Option<DVec3>,
    /// Judged from raw data.
    pub residual: LimitResidual,
    /// Iterations of the solver, over all problems.
    pub iterations: u32,
    /// Velocity per body, m/s and rad/s: the mechanism, scaled so that live loads do unit work; of the fall if it does not stand.
    pub velocity: Vec<[f64; 6]>,
    /// Indices of the blocks that move.
    pub moving: Vec<usize>,
    /// Forces of contacts at the limit, local components, N; those that balance what grows if unbounded.
    pub force: Vec<[f64; 3]>,
    /// Tensions of ties, N.
    pub tension: Vec<f64>,
    /// What each joint carries, and how it moves.
    pub joints: Vec<Joint>,
    /// Per support.
    pub reactions: Vec<Reaction>,
    /// All directions of a sweep.
    pub polar: Vec<PolarPoint>,
    /// The verdict under dead loads alone, if the structure does not stand.
    pub fall: Option<Standing>,
    /// Of the limit state, where there is a path for it.
    pub line: Option<ThrustLine>,
    /// Its thrusts over the cuts that the path gives.
    pub cuts: Vec<CutThrust>,
    /// Its thrusts over planes that were asked for.
    pub given: Vec<CutThrust>,
    /// The estimate without dilatancy, if it was asked for.
    pub non_associated: Option<NonAssociated>,
    /// What is missing, and why.
    pub notes: Vec<String>,
}

/// Limits in which joints crush count to this accuracy, relative: rows of stress blocks that nearly depend on each other may leave no more digits.
const STRONG: f64 = 1e-5;

/// Answers a limit analysis. The solver's tolerance is the one that the analysis asks for.
pub fn limit(posed: &Posed<'_>, settings: &Limit) -> Result<LimitResult, StaticsFault> {
    let dead = posed.statics.dead();
    let solver = &LimitSettings {
        tolerance: aimed(settings.tolerance),
        ..LimitSettings::default()
    };
    let alone = standing(posed, &dead, settings.tolerance)?;
    if !alone.solved && alone.stands {
        return Err(StaticsFault::Unsolved(alone.residual));
    }
    if !alone.stands && !alone.is_marginal() {
        return Ok(falls(posed, alone));
    }
    let mut result = driven(posed, settings, &dead, solver)?;
    if alone.is_marginal() {
        if result.status == LimitStatus::Infeasible {
            // That they fall is not proved.
            result.status = LimitStatus::Inaccurate;
        }
        result.notes.push(
            "dead loads alone are at the limit of what the structure bears: whether it stands under them is not decided"
                .to_owned(),
        );
    }
    if result.status == LimitStatus::Optimal
        && let Some(path) = path(posed, settings.thrust_line, &mut result.notes)
    {
        let (line, cuts) = traced(posed, &path, "limit", &result.joints, &mut result.notes);
        (result.line, result.cuts) = (Some(line), cuts);
    }
    if result.status == LimitStatus::Optimal {
        let notes = &mut result.notes;
        result.given = asked(posed, &settings.cuts, "limit", &result.joints, notes);
    }
    Ok(result)
}

fn driven(
    posed: &Posed<'_>,
    settings: &Limit,
    dead: &[[f64; 6]],
    solver: &LimitSettings,
) -> Result<LimitResult, StaticsFault> {
    match &settings.drive {
        LimitDrive::Loads(growing) => {
            let live = posed.growing(growing);
            let mut result = grown(posed, dead, &live, 1.0, settings.friction_law, solver)?.result;
            result.direction = growing.body;
            Ok(result)
        }
        LimitDrive::Tilt(axis) => {
            // Seen from the base all dead loads turn towards the way down; over the cosine they are what they were, and the tangent of
            // the angle times what is across.
            let turn = |load: &[f64; 6]| {
                let part = |k: usize| DVec3::new(load[k], load[k + 1], load[k + 2]);
                let [force, moment] = [part(0), part(3)].map(|v| -axis.cross(v));
                [force.x, force.y, force.z, moment.x, moment.y, moment.z]
            };
            let live = tilted(posed, dead, turn);
            let mut result = leant(posed, dead, &live, settings.friction_law, solver)?;
            result.angle = Some(result.multiplier.atan());
            result.direction = Some(axis.cross(DVec3::Z));
            Ok(result)
        }
        LimitDrive::Directions(count) => sweep(posed, dead, *count, settings.friction_law, solver),
        LimitDrive::Settlement {
            supports,
            direction,
        } => settlement(posed, dead, supports, *direction, solver),
    }
}

/// Dead loads turned about each block's own point of application, which stays.
fn tilted(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    turn: impl Fn(&[f64; 6]) -> [f64; 6],
) -> Vec<[f64; 6]> {
    let statics = &posed.statics;
    let mut live: Vec<[f64; 6]> = dead
        .iter()
        .map(|load| {
            let [x, y, z, ..] = turn(load);
            [x, y, z, 0.0, 0.0, 0.0]
        })
        .collect();
    // Moments follow from turned forces on arms that do not turn.
    for load in statics.model.loads.iter().filter(|load| !load.live) {
        let body = statics.bodies.of_block[load.block];
        let Some(sum) = live.get_mut(body as usize) else {
            continue;
        };
        let force = load.force;
        let [x, y, z, ..] = turn(&[force.x, force.y, force.z, 0.0, 0.0, 0.0]);
        let moment = load.arm.cross(DVec3::new(x, y, z));
        (0..3).for_each(|k| sum[3 + k] += moment[k]);
    }
    live
}

/// A tilt in which ties and crushing count. Over the cosine of the angle weights are what they were, but what ties and joints bear has
/// grown, so that the angle decides about itself: `over = sqrt(1 + alpha(over)^2)`. `alpha` is concave in `over`, which secants find in a few rounds.
fn leant(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    live: &[[f64; 6]],
    law: FrictionLaw,
    solver: &LimitSettings,
) -> Result<LimitResult, StaticsFault> {
    let (mut over, mut before) = (1.0_f64, None::<(f64, f64)>);
    for _ in 0..ROUNDS {
        // The estimate without dilatancy is made once, at the angle that was found.
        let mut found = grown(posed, dead, live, over, FrictionLaw::Associated, solver)?;
        if found.result.status != LimitStatus::Optimal {
            return Ok(found.result);
        }
        let next = found.result.multiplier.hypot(1.0);
        if posed.is_plain() || (next - over).abs() <= solver.tolerance * next {
            if law == FrictionLaw::Coulomb {
                found = grown(posed, dead, live, over, law, solver)?;
            }
            return Ok(found.over(posed, next));
        }
        if next > RIGHT {
            // Whatever the angle, the ties hold more than it asks for.
            let mut result = found.over(posed, next);
            (result.status, result.multiplier, result.upper) =
                (LimitStatus::Unbounded, f64::INFINITY, f64::INFINITY);
            return Ok(result);
        }
        let secant = before.map_or(next, |(last, missing)| {
            over - (next - over) * (over - last) / ((next - over) - missing)
        });
        before = Some((over, next - over));
        over = if secant >= 1.0 && secant <= 10.0 * next {
            secant
        } else {
            next
        };
    }
    let mut found = grown(posed, dead, live, over, FrictionLaw::Associated, solver)?;
    found.result.status = LimitStatus::Inaccurate;
    Ok(found.result)
}

/// Rounds of a tilt at most: without secants, halving the distance each time, thirty would do.
const ROUNDS: u32 = 60;

/// One over the cosine of an angle that is as good as a right one.
const RIGHT: f64 = 1e6;

/// A limit with the forces from which it is told.
struct Grown {
    result: LimitResult,
    solution: LimitSolution,
}

impl Grown {
    /// The same with all forces divided by a factor.
    fn over(mut self, posed: &Posed<'_>, factor: f64) -> LimitResult {
        let forces = self.solution.force.iter_mut().flatten();
        let tensions = self.solution.tension.iter_mut();
        forces.chain(tensions).for_each(|x| *x /= factor);
        LimitResult {
            non_associated: self.result.non_associated,
            notes: self.result.notes,
            ..told(posed, self.solution, &[])
        }
    }
}

/// Dead and live loads on ties and joints that bear `over` times as much as they do.
fn grown(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    live: &[[f64; 6]],
    over: f64,
    law: FrictionLaw,
    solver: &LimitSettings,
) -> Result<Grown, StaticsFault> {
    let free = posed.statics.model.free;
    let acts = |load: &[f64; 6]| (0..6).any(|k| free[k] && load[k] != 0.0);
    if !live.iter().any(acts) {
        return Err(StaticsFault::NoLoad);
    }
    let mut problem = posed.limit_problem(dead.to_vec(), live.to_vec());
    problem.ties.iter_mut().for_each(|tie| tie.strength *= over);
    problem
        .crushing
        .iter_mut()
        .for_each(|joint| joint.strength *= over);
    for bond in &mut problem.bonds {
        bond.tension *= over;
        bond.cohesion *= over;
    }
    let (mut solution, estimate) = match law {
        FrictionLaw::Associated => (solve_limit(&problem, solver)?, None),
        FrictionLaw::Coulomb => {
            let pair = solve_limit_pair(&problem, solver)?;
            (pair.associated, pair.coulomb)
        }
    };
    let worst = solution.residual.worst();
    // Bounds that meet are those of a limit, not of a certificate that there is none.
    let meet =
        (solution.upper - solution.multiplier).abs() <= STRONG * solution.multiplier.abs().max(1.0);
    let short = !posed.crushing.is_empty()
        && solution.status == LimitStatus::Inaccurate
        && worst <= STRONG
        && meet;
    if short {
        solution.status = LimitStatus::Optimal;
    }
    let mut result = LimitResult {
        non_associated: estimate.map(NonAssociated::from),
        ..told(posed, solution.clone(), &[])
    };
    if short {
        result.notes.push(format!(
            "with joints that crush the solver reached a residual of {worst:.0e} only; the multiplier is that exact"
        ));
    }
    Ok(Grown { result, solution })
}

/// A solution in the words of the model; `offset` as [`add_motions`] wants it.
pub(crate) fn told(posed: &Posed<'_>, solution: LimitSolution, offset: &[[f64; 3]]) -> LimitResult {
    let statics = &posed.statics;
    let mut joints = joints(statics, &solution.force);
    let mechanism = solution.status != LimitStatus::Unbounded;
    if mechanism {
        add_motions(statics, &solution.velocity, offset, &mut joints);
    }
    LimitResult {
        status: solution.status,
        multiplier: solution.multiplier,
        upper: solution.upper,
        angle: None,
        direction: None,
        residual: solution.residual,
        iterations: solution.iterations,
        moving: if mechanism {
            moving(posed, &solution.velocity)
        } else {
            Vec::new()
        },
        reactions: reactions(posed, &solution.force, &solution.tension),
        joints,
        velocity: solution.velocity,
        force: solution.force,
        tension: solution.tension,
        polar: Vec::new(),
        fall: None,
        line: None,
        cuts: Vec::new(),
        given: Vec::new(),
        non_associated: None,
        notes: Vec::new(),
    }
}

/// It does not stand under dead loads.
fn falls(posed: &Posed<'_>, alone: Standing) -> LimitResult {
    let statics = &posed.statics;
    let mut joints = joints(statics, &alone.force);
    add_motions(statics, &alone.velocity, &[], &mut joints);
    LimitResult {
        status: if alone.solved {
            LimitStatus::Infeasible
        } else {
            LimitStatus::Inaccurate
        },
        multiplier: f64::NEG_INFINITY,
        upper: f64::NEG_INFINITY,
        angle: None,
        direction: None,
        residual: LimitResidual::default(),
        iterations: 0,
        velocity: alone.velocity.clone(),
        moving: moving(posed, &alone.velocity),
        force: alone.force.clone(),
        tension: alone.tension.clone(),
        reactions: reactions(posed, &alone.force, &alone.tension),
        joints,
        polar: Vec::new(),
        fall: Some(alone),
        line: None,
        cuts: Vec::new(),
        given: Vec::new(),
        non_associated: None,
        notes: Vec::new(),
    }
}

fn sweep(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    count: u32,
    law: FrictionLaw,
    solver: &LimitSettings,
) -> Result<LimitResult, StaticsFault> {
    let mut polar = Vec::with_capacity(count as usize);
    let mut least: Option<LimitResult> = None;
    let mut iterations = 0;
    let along_y = !posed.statics.model.free[0];
    for k in 0..count {
        let mut angle = std::f64::consts::TAU * f64::from(k) / f64::from(count);
        if along_y {
            angle += std::f64::consts::FRAC_PI_2;
        }
        // Cosines of right angles are zero, as a model in the plane needs.
        let clean = |x: f64| if x.abs() < 1e-15 { 0.0 } else { x };
        let direction = DVec3::new(clean(angle.cos()), clean(angle.sin()), 0.0);
        let live = posed.growing(&Growing {
            body: Some(direction),
            live: false,
        });
        let mut result = grown(posed, dead, &live, 1.0, law, solver)?.result;
        result.direction = Some(direction);
        iterations += result.iterations;
        polar.push(PolarPoint {
            angle,
            status: result.status,
            multiplier: result.multiplier,
            upper: result.upper,
            moving: result.moving.len(),
            without_dilatancy: result
                .non_associated
                .as_ref()
                .filter(|estimate| estimate.converged)
                .map(|estimate| estimate.multiplier),
        });
        // What was not solved is not the least; it is told below.
        let known = |result: &LimitResult| {
            result.status != LimitStatus::Inaccurate && !result.multiplier.is_nan()
        };
        let less = |least: &LimitResult| {
            known(&result) && (!known(least) || result.multiplier < least.multiplier)
        };
        if least.as_ref().is_none_or(less) {
            least = Some(result);
        }
    }
    let mut result = least.ok_or(StaticsFault::NoLoad)?;
    if polar
        .iter()
        .any(|point| point.status == LimitStatus::Inaccurate || point.multiplier.is_nan())
    {
        result.status = LimitStatus::Inaccurate;
    }
    result.polar = polar;
    result.iterations = iterations;
    Ok(result)
}
