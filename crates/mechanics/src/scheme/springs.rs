//! Springs of joints in a staggered scheme, equation (6.9).
//!
//! The step problem knows the stretch of a spring at the end of the step. A force that acts about its beginning should be that of the stretch there, or, so
//! that stiff springs stay stable, of the mean over the end of this step and the beginning of the last. That mean neither damps nor bounds
//! oscillations that are faster than the steps; there the end alone is taken, as in the first-order scheme. The weight between the
//! two differs from one half by the square of the frequency times the step, which leaves the order at two.

use drystone_cone::{FIXED, StepProblem};
use drystone_geometry::{ContactSet, DVec3};

use crate::assemble::SupportVelocity;
use crate::contacts::to_local;

/// Weight of the end of the step for a spring of compliance `c`, m/s per N s, at a contact that an impulse moves by `moved`, m/s per N s: one half for springs that
/// oscillate slowly, one for springs that the steps do not resolve. `moved / c` is the square of frequency times step.
fn weight_of_end(compliance: f64, moved: f64) -> f64 {
    if compliance > 0.0 {
        0.5 + 0.5 * moved / (moved + compliance)
    } else {
        1.0
    }
}

/// What a contact of a staggered scheme knows of the step before.
pub(crate) struct Past<'p> {
    /// Velocity per body, m/s and rad/s.
    pub velocity: &'p [[f64; 6]],
    /// Elastic shear one step of this length ago per contact, world axes, m; empty where there is none.
    pub shear: &'p [DVec3],
    /// Of supports, in the step before and in this one.
    pub supports: [&'p [SupportVelocity]; 2],
}

/// How the spring of a contact was centred.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Centred {
    /// Weight of the end of the step, normal and tangential.
    pub weight: [f64; 2],
    /// Speed with which supports open the contact, m/s.
    pub support: f64,
}

/// Centres the springs of all contacts.
pub(crate) fn centre_springs(
    contacts: &ContactSet,
    past: &Past<'_>,
    dt: f64,
    problem: &mut StepProblem,
) -> Vec<Centred> {
    let mut springs = Vec::with_capacity(problem.contacts.len());
    for manifold in &contacts.manifolds {
        for point in contacts.points_of(manifold) {
            let index = springs.len();
            let contact = &problem.contacts[index];
            let moved = problem.delassus_diagonal(contact);
            let compliance = contact.compliance;
            let weight = [0, 1].map(|k| weight_of_end(compliance[k], moved[k]));
            let normal = DVec3::from(contact.frame[0]);
            let [support_before, support] = past.supports.map(|supports| {
                let mut opens = 0.0;
                for (block, side, sign) in [(manifold.a, 0, -1.0), (manifold.b, 1, 1.0)] {
                    if contact.bodies[side] == FIXED {
                        opens += sign * normal.dot(supports[block as usize].at(point.midpoint()));
                    }
                }
                opens
            });
            springs.push(Centred { weight, support });
            if weight == [1.0; 2] {
                continue;
            }
            let opened = problem.relative_velocity(contact, past.velocity)[0] + support_before;
            let before = past.shear.get(index).copied().unwrap_or_default() / dt;
            let before = to_local(&contact.frame, before);
            let others = weight.map(|a| (1.0 - a) / a);
            let contact = &mut problem.contacts[index];
            // The gap one step ago follows from the speed with which it has opened.
            contact.offset[0] =
                (contact.offset[0] - support) / weight[0] + support - others[0] * opened;
            contact.offset[1] += others[1] * before[1];
            contact.offset[2] += others[1] * before[2];
            contact.compliance = [compliance[0] / weight[0], compliance[1] / weight[1]];
        }
    }
    springs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolved_springs_are_centred_and_stiff_ones_are_not() {
        assert!(weight_of_end(1e4, 1.0) < 0.5001);
        assert!(weight_of_end(1e-4, 1.0) > 0.9999);
        assert_eq!(weight_of_end(0.0, 1.0), 1.0);
    }
}
