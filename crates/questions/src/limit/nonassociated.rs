//! The limit without dilatancy, as a sequence of limit analyses.
//!
//! With Coulomb's law a joint slides along itself. There is then no limit program with unique bounds; an estimate in use is the fixed point at
//! which joints slide freely under shear forces of `mu N`, with `N` those of the limit state itself (Gilbert, Casapulla and Ahmed 2006). It
//! is a state of equilibrium with a mechanism that obeys Coulomb's law; that there is no other with a smaller multiplier is not proven.

use drystone_cone::{FIXED, LimitProblem, LimitSettings, LimitStatus, LimitTie, solve_limit};
use drystone_geometry::DVec3;

use crate::statics::StaticsFault;
use crate::statics::posed::Posed;

/// How much of the normal forces just found goes into the next round: all of them oscillate.
const SHARE: f64 = 0.6;

/// Rounds at most.
const ROUNDS: u32 = 60;

/// Change of the multiplier between rounds, relative, at which the sequence ends.
const CHANGE: f64 = 1e-4;

/// The estimate.
#[derive(Debug, Clone, PartialEq)]
pub struct NonAssociated {
    /// Multiplier of the last round.
    pub multiplier: f64,
    /// Limit analyses made.
    pub rounds: u32,
    /// Largest change over the last three rounds, relative.
    pub change: f64,
    /// The sequence came to rest.
    pub converged: bool,
    /// Velocity per body in the last round, m/s and rad/s.
    pub velocity: Vec<[f64; 6]>,
}

/// The sequence from the associated limit state of a planar problem.
pub(crate) fn sequence(
    posed: &Posed<'_>,
    problem: &LimitProblem,
    force: &[[f64; 3]],
    multiplier: f64,
    settings: &LimitSettings,
) -> Result<NonAssociated, StaticsFault> {
    let mut normal: Vec<f64> = force.iter().map(|f| f[0].max(0.0)).collect();
    let mut found = NonAssociated {
        multiplier,
        rounds: 0,
        change: f64::INFINITY,
        converged: false,
        velocity: Vec::new(),
    };
    let mut changes = [f64::INFINITY; 3];
    while found.rounds < ROUNDS {
        let frozen = frozen(posed, problem, &normal);
        let solution = solve_limit(&frozen, settings)?;
        found.rounds += 1;
        if solution.status != LimitStatus::Optimal {
            return Ok(found);
        }
        let change =
            (solution.multiplier - found.multiplier).abs() / solution.multiplier.abs().max(1e-9);
        changes = [changes[1], changes[2], change];
        found.multiplier = solution.multiplier;
        found.change = changes.into_iter().fold(0.0, f64::max);
        found.velocity = solution.velocity;
        if found.change <= CHANGE {
            found.converged = true;
            return Ok(found);
        }
        for (old, new) in normal.iter_mut().zip(&solution.force) {
            *old += SHARE * (new[0].max(0.0) - *old);
        }
    }
    Ok(found)
}

/// Contacts without friction, and in each joint two ties along it that hold up to what friction does under given normal forces:
/// they give way without opening the joint.
///
/// In the plane all points of a joint slide along one line, so that one tie each way does for all of them, with the sum of what they hold. A
/// pair for every point says the same with more unknowns, as long as the joint is flat.
fn frozen(posed: &Posed<'_>, problem: &LimitProblem, normal: &[f64]) -> LimitProblem {
    let across = if posed.statics.model.free[0] {
        DVec3::Y
    } else {
        DVec3::X
    };
    let mut frozen = problem.clone();
    for manifold in &posed.statics.touching.manifolds {
        let points = manifold.first as usize..(manifold.first + manifold.count) as usize;
        let held = points.clone().zip(&problem.contacts[points.clone()]);
        let strength: f64 = held.map(|(k, contact)| contact.friction * normal[k]).sum();
        frozen.contacts[points.clone()]
            .iter_mut()
            .for_each(|contact| contact.friction = 0.0);
        let Some(contact) = problem.contacts.get(points.start) else {
            continue;
        };
        let along = manifold.normal.cross(across).normalize_or_zero();
        if strength <= 0.0 || along == DVec3::ZERO || contact.bodies == [FIXED; 2] {
            continue;
        }
        for axis in [along, -along] {
            frozen.ties.push(LimitTie {
                bodies: contact.bodies,
                axis: axis.to_array(),
                arms: contact.arms,
                strength,
            });
        }
    }
    frozen
}
