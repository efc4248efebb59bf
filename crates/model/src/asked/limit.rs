//! How far loads can grow.

use drystone_geometry::DVec3;
use drystone_keys::keys;

use super::statics::{
    CuttingPlane, CuttingPlaneSpec, Growing, Multiplied, STATICS_TOLERANCE, ThrustLineSpec, cuts,
    thrust_line,
};
use super::{FrictionLaw, Known};
use crate::compile::Check;
use crate::fault::Trail;
use crate::spec::{ModelSpec, Plane};

keys! {
    /// Supports that settle in a direction.
    pub struct GivingWaySpec {
        /// Names of the supports.
        supports: Vec<String> { required },
        /// Direction [x, y, z] of the settlement, of any length.
        displacement: [f64; 3] { required },
    }
}

keys! {
    /// How far loads can grow until the structure becomes a mechanism.
    ///
    /// Needs `direction`, `loads` or both, or one of `tilt`, `directions` and `settlement`.
    pub struct LimitSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Direction [x, y, z] of a body force proportional to the weight, of any length.
        direction: [f64; 3] { optional },
        /// "live": the live loads grow.
        loads: Multiplied { optional },
        /// Horizontal axis [x, y, 0] about which the base is tilted.
        tilt: [f64; 3] { optional },
        /// Number of horizontal directions around the compass, for each of which the limit is found.
        directions: u32 { optional, least: 2, most: 3600, help: "24 are one every 15 degrees" },
        /// Supports that settle: the least force with which they must be held.
        settlement: GivingWaySpec { optional },
        /// Law of friction.
        /// With coulomb a second estimate without dilatancy is made and reported beside the first.
        friction_law: FrictionLaw { optional, default: FrictionLaw::Associated },
        /// Draws the line of thrust of the limit state between two blocks.
        thrust_line: ThrustLineSpec { optional },
        /// Planes over which the force between both sides is found, of the limit state.
        cuts: Vec<CuttingPlaneSpec> { defaulted },
        /// Largest relative residual at which an answer counts, and largest distance of both bounds, over the multiplier.
        /// The solver aims at a hundredth of it.
        tolerance: f64 { optional, least: 1e-9, most: 1e-2, help: "below 1e-9 rounding dominates, above 0.01 the result is not meaningful", default: STATICS_TOLERANCE },
    }
}

/// What a limit analysis drives.
#[derive(Debug, Clone, PartialEq)]
pub enum LimitDrive {
    /// Loads grow.
    Loads(Growing),
    /// The base is tilted about a horizontal axis (unit vector).
    Tilt(DVec3),
    /// Body forces in this many horizontal directions, one after the other.
    Directions(u32),
    /// Supports give way.
    Settlement {
        /// Indices of the supports.
        supports: Vec<usize>,
        /// Unit vector.
        direction: DVec3,
    },
}

/// Settings of a limit analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Limit {
    /// What is driven.
    pub drive: LimitDrive,
    /// Law of friction.
    pub friction_law: FrictionLaw,
    /// Blocks between which the thrust line runs.
    pub thrust_line: Option<[usize; 2]>,
    /// Planes over which the force between both sides is found.
    pub cuts: Vec<CuttingPlane>,
    /// Largest relative residual of an answer that counts.
    pub tolerance: f64,
}

/// Checks the settings of a limit analysis.
pub(super) fn limit(
    spec: &LimitSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Limit {
    let Known { model, gravity, .. } = *known;
    check.numbers(spec, trail);
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
    if spec.friction_law == Some(FrictionLaw::Coulomb) && spec.settlement.is_some() {
        check.report(
            trail.key("friction_law"),
            "the estimate without dilatancy is made for loads, tilting and directions, not for settlements",
            "leave it out, and ask a time history with friction_law = \"coulomb\"",
        );
    }
    Limit {
        drive: drive(spec, model, known, trail, check),
        friction_law: spec.friction_law(),
        thrust_line: thrust_line(&spec.thrust_line, known, trail, check),
        cuts: cuts(&spec.cuts, trail, check),
        tolerance: spec.tolerance(),
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
            let Some(block) = known
                .block_names
                .find(name, list.index(index), check.faults)
            else {
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
