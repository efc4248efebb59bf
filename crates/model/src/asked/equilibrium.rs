//! Whether a structure stands, and how its joints carry it.

use drystone_keys::keys;

use super::statics::{
    CuttingPlane, CuttingPlaneSpec, Growing, Multiplied, STATICS_TOLERANCE, ThrustLineSpec, cuts,
    thrust_line,
};
use super::{Joints, Known};
use crate::compile::Check;
use crate::fault::Trail;

keys! {
    /// Whether the structure stands, and how its joints carry it.
    pub struct EquilibriumSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Factor on the weight along `direction` and on live loads.
        /// With 0 dead loads act alone.
        multiplier: f64 { optional, default: 0.0 },
        /// Direction [x, y, z] of a body force that is `multiplier` times the weight.
        direction: [f64; 3] { optional, otherwise: "none" },
        /// "live": live loads act, times `multiplier`.
        loads: Multiplied { optional, otherwise: "live where there is no `direction`" },
        /// By which stiffness forces are shared between contacts: elastic takes that of interfaces, rigid the same everywhere.
        joints: Joints { optional, default: Joints::Rigid },
        /// Draws the line of thrust between two blocks, and the extreme ones.
        thrust_line: ThrustLineSpec { optional },
        /// Planes over which the force between both sides is found, with its least and its greatest value.
        cuts: Vec<CuttingPlaneSpec> { defaulted },
        /// Largest force out of balance, relative to the mean load of a block, at which a structure counts as standing.
        tolerance: f64 { optional, least: 1e-9, most: 1e-2, help: "below 1e-9 rounding dominates, above 0.01 the result is not meaningful", default: STATICS_TOLERANCE },
    }
}

/// Settings of an equilibrium analysis.
#[derive(Debug, Clone, PartialEq)]
pub struct Equilibrium {
    /// Factor on what is multiplied.
    pub multiplier: f64,
    /// What is multiplied.
    pub growing: Growing,
    /// By which stiffness forces are shared.
    pub joints: Joints,
    /// Blocks between which the thrust line runs.
    pub thrust_line: Option<[usize; 2]>,
    /// Planes over which the force between both sides is found.
    pub cuts: Vec<CuttingPlane>,
    /// Largest force out of balance over the mean load of a block.
    pub tolerance: f64,
}

/// Checks the settings of an equilibrium analysis.
pub(super) fn equilibrium(
    spec: &EquilibriumSpec,
    known: &Known<'_>,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Equilibrium {
    let Known { model, .. } = *known;
    let multiplier = spec.multiplier();
    check.numbers(spec, trail);
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
    if spec.loads == Some(Multiplied::Live) && !any_live {
        check.report(
            trail.key("loads"),
            "the model has no live loads",
            "write `live = true` in the [[load]] to be multiplied, or leave `loads` out",
        );
    }
    Equilibrium {
        multiplier,
        growing: Growing { body, live },
        joints: spec.joints(),
        thrust_line: thrust_line(&spec.thrust_line, known, trail, check),
        cuts: cuts(&spec.cuts, trail, check),
        tolerance: spec.tolerance(),
    }
}
