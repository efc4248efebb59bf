//! The force with which supports must be held when they are about to give way.
//!
//! Of all states of equilibrium the one in which supports give way is that in which they resist least: for an abutment that is pushed
//! outwards, the state of minimum thrust. `min -R' d` over reactions `R` of the supports on the structure, with `d` the unit vector of the
//! settlement; its dual is the mechanism that the settlement starts.

use drystone_cone::{Contact, FIXED, LimitSettings, solve_limit};
use drystone_geometry::DVec3;

use super::StaticsFault;
use super::limit::{LimitResult, told};
use super::posed::Posed;

/// Solves it as a limit problem: contacts of those supports carry the velocity of the settlement as an offset, whose work is what the limit
/// program subtracts from its multiplier. That multiplier is made a constant by a block beside the structure, which slides
/// under a live load of one newton times the multiplier, its weight being the mean weight of a block.
pub(super) fn settlement(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    supports: &[usize],
    direction: DVec3,
    settings: &LimitSettings,
) -> Result<LimitResult, StaticsFault> {
    let statics = &posed.statics;
    let bodies = dead.len();
    let mut problem = posed.limit_problem(dead.to_vec(), vec![[0.0; 6]; bodies]);
    for manifold in &statics.touching.manifolds {
        let [a, b] = [manifold.a, manifold.b].map(|i| supports.contains(&(i as usize)));
        if !(a || b) {
            continue;
        }
        let moved = if a { -direction } else { direction };
        let range = manifold.first as usize..(manifold.first + manifold.count) as usize;
        for contact in &mut problem.contacts[range] {
            contact.offset = contact.frame.map(|axis| DVec3::from(axis).dot(moved));
        }
    }
    let weight: f64 = dead.iter().map(|load| -load[2]).sum::<f64>().max(1.0);
    let unit = weight / bodies.max(1) as f64;
    let along = if statics.model.free[0] {
        DVec3::X
    } else {
        DVec3::Y
    };
    problem.dead.push([0.0, 0.0, -unit, 0.0, 0.0, 0.0]);
    problem.live.push([along.x, along.y, 0.0, 0.0, 0.0, 0.0]);
    // Low, so that it slides before it tips.
    for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        problem.contacts.push(Contact {
            bodies: [FIXED, bodies as u32],
            frame: [
                DVec3::Z.to_array(),
                along.to_array(),
                DVec3::Z.cross(along).to_array(),
            ],
            arms: [[0.0; 3], [x, y, -0.1]],
            friction: 1.0,
            offset: [0.0; 3],
            compliance: [0.0; 2],
        });
    }
    let mut solution = solve_limit(&problem, settings)?;
    solution.velocity.truncate(bodies);
    solution.force.truncate(statics.contacts.len());
    // What is left beside the force that moves the block is the work of the supports' reactions on a unit of settlement.
    let (lower, upper) = (solution.multiplier, solution.upper);
    let mut result = told(posed, solution);
    result.multiplier = unit - upper;
    result.upper = unit - lower;
    Ok(result)
}
