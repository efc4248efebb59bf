//! Ties and questions of statics.

use drystone_geometry::DVec3;

use super::analyses::Known;
use super::check::Check;
use super::loads::arm;
use super::names::Names;
use crate::decode::Broken;
use crate::fault::{Section, Trail};
use crate::model::{Block, FrictionLaw};
use crate::spec::{EquilibriumSpec, LimitSpec, ModelSpec, Plane, ThrustLineSpec};
use crate::statics::{Equilibrium, Growing, Limit, LimitDrive, Multiplied, Tie};

/// The word for an end of a tie that is held.
const GROUND: &str = "ground";

/// Checks the ties.
pub(super) fn ties(
    spec: &ModelSpec,
    broken: &Broken,
    names: &Names<'_>,
    blocks: &[Option<Block>],
    check: &mut Check<'_>,
) -> Vec<Tie> {
    let mut ties = Vec::with_capacity(spec.tie.len());
    for (item, tie) in spec.tie.iter().enumerate() {
        if broken.has(Section::Tie, item) {
            continue;
        }
        let trail = Trail::item(Section::Tie, item, tie.name.as_deref());
        check.numbers(tie, trail);
        if let Some(force) = tie.initial_force
            && force >= 0.0
            && force > tie.yield_force
        {
            check.report(
                trail.key("initial_force"),
                format!(
                    "the tie yields at {} N, less than it is pulled by at the start, {force} N",
                    tie.yield_force
                ),
                "at most `yield`",
            );
        }
        let (ends, points) = (trail.key("blocks"), trail.key("points"));
        let mut found = [None; 2];
        let mut known = true;
        for (side, end) in found.iter_mut().enumerate() {
            let name = tie.blocks[side].as_str();
            if name == GROUND && names.get(name).is_none() {
                check.vector(tie.points[side], points.index(side));
                continue;
            }
            *end = names.find(name, ends.index(side), check.faults);
            known &= end.is_some();
            let block = end.and_then(|block| blocks[block].as_ref());
            arm(Some(tie.points[side]), block, points.index(side), check);
        }
        let held = |block: Option<usize>| block.is_none_or(|block| spec.block[block].support);
        if known && held(found[0]) && held(found[1]) {
            check.report(
                ends,
                "both ends are held, so the tie does nothing",
                "name a block that can move",
            );
        } else if found[0] == found[1] && found[0].is_some() {
            check.report(
                ends,
                "both ends are on the same block, so the tie does nothing",
                "name two blocks",
            );
        }
        let [a, b] = tie.points.map(DVec3::from_array);
        if a == b {
            check.report(
                points,
                "the two ends are the same point, so the tie has no direction",
                "",
            );
        }
        if check.plane.is_some() {
            let out = match check.plane {
                Some(Plane::Xz) => (b - a).y,
                _ => (b - a).x,
            };
            if out.abs() > 1e-9 * (b - a).length() {
                check.report(points, "the tie leaves the plane of this planar model", "");
            }
        }
        ties.push(Tie {
            name: tie
                .name
                .clone()
                .unwrap_or_else(|| format!("tie{}", item + 1)),
            blocks: found,
            points: [a, b],
            stiffness: tie.stiffness,
            yield_force: tie.yield_force,
            max_elongation: tie.max_elongation,
            initial_force: tie.initial_force(),
        });
    }
    ties
}

/// Checks the settings of an equilibrium analysis.
pub(super) fn equilibrium(
    spec: &EquilibriumSpec,
    model: &ModelSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Equilibrium {
    let multiplier = spec.multiplier();
    check.finite(multiplier, trail.key("multiplier"));
    let body = spec
        .direction
        .map(|direction| check.direction(Some(direction), trail.key("direction")));
    let live = spec.loads == Some(Multiplied::Live) || body.is_none();
    if spec.direction.is_some() && spec.multiplier.is_none() {
        check.report(
            trail.key("direction"),
            "`multiplier` is missing: the body force along `direction` is multiplied by it",
            "write `multiplier`, or leave `direction` out",
        );
    }
    let any_live = live && model.load.iter().any(|load| load.live);
    if multiplier != 0.0 && body.is_none() && !any_live {
        check.report(
            trail.key("multiplier"),
            "there is nothing to multiply: no `direction` is given, and the model has no live loads",
            "write `direction`, or `live = true` in a [[load]], or leave `multiplier` out",
        );
    }
    Equilibrium {
        multiplier,
        growing: Growing { body, live },
        joints: spec.joints(),
        thrust_line: thrust_line(&spec.thrust_line, known, trail, check),
        tolerance: tolerance(spec.tolerance(), trail, check),
    }
}

/// A tolerance that solvers can meet and that still means something.
fn tolerance(tolerance: f64, trail: Trail<'_>, check: &mut Check<'_>) -> f64 {
    if !(1e-9..=1e-2).contains(&tolerance) {
        check.report(
            trail.key("tolerance"),
            format!("the value is {tolerance}, but must be from 1e-9 to 1e-2"),
            "leave it out for 1e-6; below 1e-9 rounding dominates, above 1e-2 the result is not meaningful",
        );
    }
    tolerance
}

/// Checks the settings of a limit analysis.
pub(super) fn limit(
    spec: &LimitSpec,
    model: &ModelSpec,
    known: &Known<'_>,
    gravity: f64,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Limit {
    let loads = spec.direction.is_some() || spec.loads.is_some();
    let ways = [
        loads,
        spec.tilt.is_some(),
        spec.directions.is_some(),
        spec.settlement.is_some(),
    ];
    if ways.iter().filter(|given| **given).count() != 1 {
        check.report(
            trail,
            "a limit analysis needs exactly one load: `direction` and/or `loads`, or `tilt`, `directions` or `settlement`",
            "by `direction` and/or `loads = \"live\"`, or by `tilt`, `directions` or `settlement`",
        );
    }
    let weighty = spec.direction.is_some() || spec.tilt.is_some() || spec.directions.is_some();
    if weighty && gravity == 0.0 {
        check.report(
            trail,
            "a body force proportional to the weight needs gravity",
            "leave `gravity` out of [model], or make it positive",
        );
    }
    if spec.loads == Some(Multiplied::Live) && !model.load.iter().any(|load| load.live) {
        check.report(
            trail.key("loads"),
            "the model has no live loads",
            "write `live = true` in the [[load]] to be multiplied",
        );
    }
    if spec.friction_law == Some(FrictionLaw::Coulomb) {
        let whole = spec.directions.is_some() || spec.settlement.is_some();
        if check.plane.is_none() || whole {
            check.report(
                trail.key("friction_law"),
                "the estimate without dilatancy is made in planar models, for loads and tilting",
                "leave it out, and ask a time history with friction_law = \"coulomb\"",
            );
        }
    }
    Limit {
        drive: drive(spec, model, known, trail, check),
        friction_law: spec.friction_law(),
        thrust_line: thrust_line(&spec.thrust_line, known, trail, check),
        tolerance: tolerance(spec.tolerance(), trail, check),
    }
}

fn drive(
    spec: &LimitSpec,
    model: &ModelSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> LimitDrive {
    if let Some(axis) = spec.tilt {
        return LimitDrive::Tilt(tilt(axis, model, trail, check));
    }
    if let Some(count) = spec.directions {
        if !(2..=3600).contains(&count) {
            check.report(
                trail.key("directions"),
                format!("the value is {count}, but must be from 2 to 3600"),
                "24 are one every 15 degrees",
            );
        }
        if check.plane.is_some() && count > 2 {
            check.report(
                trail.key("directions"),
                "a planar model has two horizontal directions",
                "write 2",
            );
        }
        return LimitDrive::Directions(count);
    }
    if let Some(settlement) = &spec.settlement {
        let trail = trail.key("settlement");
        let list = trail.key("supports");
        let mut supports = Vec::new();
        for (index, name) in settlement.supports.iter().enumerate() {
            let Some(block) = known.blocks.find(name, list.index(index), check.faults) else {
                continue;
            };
            if !model.block[block].support {
                check.report(
                    list.index(index),
                    format!("the block \"{name}\" is not a support"),
                    "only supports can settle",
                );
            }
            supports.push(block);
        }
        if settlement.supports.is_empty() {
            check.report(list, "no support is named", "name those that settle");
        }
        return LimitDrive::Settlement {
            supports,
            direction: check.direction(Some(settlement.displacement), trail.key("displacement")),
        };
    }
    LimitDrive::Loads(Growing {
        body: spec
            .direction
            .map(|direction| check.direction(Some(direction), trail.key("direction"))),
        live: spec.loads == Some(Multiplied::Live),
    })
}

/// The axis of a tilting base.
fn tilt(axis: [f64; 3], model: &ModelSpec, trail: Trail<'_>, check: &mut Check<'_>) -> DVec3 {
    let trail = trail.key("tilt");
    let vector = check.vector(axis, trail);
    let (across, what) = match check.plane {
        None => (None, "the axis of tilting is horizontal and has a length"),
        Some(Plane::Xz) => (
            Some(DVec3::Y),
            "a model in the plane xz is tilted about the axis y",
        ),
        Some(Plane::Yz) => (
            Some(DVec3::X),
            "a model in the plane yz is tilted about the axis x",
        ),
    };
    let unit = vector.try_normalize().filter(|unit| {
        let out = across.map_or(unit.z.abs(), |axis| unit.cross(axis).length());
        out <= 1e-9
    });
    if unit.is_none() && vector.is_finite() {
        let help = match check.plane {
            None => "e.g. [0, 1, 0], which tilts towards x",
            Some(Plane::Xz) => "write [0, 1, 0] or [0, -1, 0]",
            Some(Plane::Yz) => "write [1, 0, 0] or [-1, 0, 0]",
        };
        check.report(trail, what, help);
    }
    let Some(unit) = unit else {
        return across.unwrap_or(DVec3::Y);
    };
    for load in model.load.iter().filter(|load| !load.live) {
        let force = DVec3::from_array(load.force);
        if force.dot(unit).abs() > 1e-9 * force.length() {
            check.report(
                trail,
                format!("the dead load on \"{}\" has a component along this axis, which tilting does not turn", load.block),
                "use `direction`, or leave that component out",
            );
        }
    }
    unit
}

fn thrust_line(
    spec: &Option<ThrustLineSpec>,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<[usize; 2]> {
    let spec = spec.as_ref()?;
    let trail = trail.key("thrust_line");
    let from = known
        .blocks
        .find(&spec.from, trail.key("from"), check.faults);
    let to = known.blocks.find(&spec.to, trail.key("to"), check.faults);
    if from == to && from.is_some() {
        check.report(
            trail,
            "it begins and ends at the same block",
            "name two blocks",
        );
    }
    Some([from?, to?])
}
