//! The force with which supports must be held when they are about to give way.
//!
//! Of all states of equilibrium the one in which supports give way is that in which they resist least: for an abutment that is pushed
//! outwards, the state of minimum thrust. `min -R' d` over reactions `R` of the supports on the structure, with `d` the unit vector of the
//! settlement; its dual is the mechanism that the settlement starts.

use drystone_cone::{Contact, FIXED, LimitSettings, LimitSolution, solve_limit};
use drystone_geometry::DVec3;

use super::solve::{LimitResult, told};
use crate::statics::StaticsFault;
use crate::statics::posed::Posed;

/// Answers a limit analysis whose supports give way.
pub(crate) fn settlement(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    supports: &[usize],
    direction: DVec3,
    settings: &LimitSettings,
) -> Result<LimitResult, StaticsFault> {
    let manifolds = posed.statics.touching.manifolds.iter().enumerate();
    let is_support = |i: u32| posed.statics.model.blocks[i as usize].support;
    let joints: Vec<Displaced> = manifolds
        .filter(|(_, m)| [m.a, m.b].iter().any(|&i| supports.contains(&(i as usize))))
        .map(|(joint, m)| Displaced {
            joint,
            by: if is_support(m.a) {
                -direction
            } else {
                direction
            },
        })
        .collect();
    let settled = settled(posed, dead, &joints, settings)?;
    let mut result = told(posed, settled.solution, &settled.offset);
    [result.multiplier, result.upper] = settled.bounds;
    Ok(result)
}

/// What a settlement comes to.
pub(crate) struct Settled {
    /// Of the limit problem, without the block beside the structure.
    pub solution: LimitSolution,
    /// Bounds of the least force, such as that with which supports must be held, N: what the mechanism proves, and what the forces do.
    pub bounds: [f64; 2],
    /// Relative velocity that the supports alone give each contact, local components, m/s.
    pub offset: Vec<[f64; 3]>,
}

/// A joint whose sides are moved apart.
pub(crate) struct Displaced {
    /// Position in the list of joints.
    pub joint: usize,
    /// Unit vector: where the second block goes, seen from the first.
    pub by: DVec3,
}

/// The same for the sides of some joints, with bounds of the least force on the second blocks along their displacements, summed over joints, N.
///
/// Solved as a limit problem: contacts of those joints carry the velocity of the settlement as an offset, whose work is what the limit
/// program subtracts from its multiplier. That multiplier is made a constant by a block beside the structure, which slides
/// under a live load of one newton times the multiplier, its weight being the mean weight of a block.
pub(crate) fn settled(
    posed: &Posed<'_>,
    dead: &[[f64; 6]],
    joints: &[Displaced],
    settings: &LimitSettings,
) -> Result<Settled, StaticsFault> {
    let statics = &posed.statics;
    let bodies = dead.len();
    let mut problem = posed.limit_problem(dead.to_vec(), vec![[0.0; 6]; bodies]);
    for displaced in joints {
        let manifold = &statics.touching.manifolds[displaced.joint];
        let range = manifold.first as usize..(manifold.first + manifold.count) as usize;
        for contact in &mut problem.contacts[range] {
            contact.offset = contact
                .frame
                .map(|axis| DVec3::from(axis).dot(displaced.by));
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
    let contacts = problem.contacts.iter().take(statics.contacts.len());
    let offset = contacts.map(|contact| contact.offset).collect();
    // What is left beside the force that moves the block is the work of the supports' reactions on a unit of settlement.
    let bounds = [unit - solution.upper, unit - solution.multiplier];
    Ok(Settled {
        solution,
        bounds,
        offset,
    })
}
