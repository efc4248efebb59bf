//! Contacts under Coulomb's law yield a little to what changes.
//!
//! Rigid contacts with Coulomb's law do not determine a step. A block pinched between two others may be pressed as hard as one likes; friction follows the pressure,
//! and motion follows friction. So the answers form continua, in which Newton's method finds no place to stop and a fixed point wanders. What is missing is what sets
//! pressures in stone: they change only where something moves. A contact that is rigid otherwise has, under Coulomb's law, equation (2.14),
//!
//! `u = D' V + s + E (r - r_last)`, `K* ∋ u + mu |u_T| n ⊥ r ∈ K`,
//!
//! with `r_last` its impulse in the last step, in proportion to the length of the steps, and `E` a small share of its response to an impulse. Forces stay as they
//! were unless motion changes them. At rest nothing changes, and nothing yields. What a contact yields across the joint it gets back in the next step, because
//! the gap is part of `s`: it is no elastic joint, and stores nothing. Along the joint a contact that sticks yields as a spring of stiffness `1 / (dt T E)` does, which for blocks of
//! stone and steps of 1 ms is stiffer than the stone, and returns with its force.

use drystone_cone::{Contact, FIXED, StepProblem};

/// `E` in units of the Delassus diagonal. With 1e-3 all steps of a stone house in motion are solved, in 8 to 23 iterations; with 1e-4 some are not; with 1e-2
/// a wall of twenty blocks is off by 2 mm at steps of 4 ms, instead of 0.6 mm.
const SHARE: f64 = 1e-3;

/// Lets the rigid contacts of a problem yield to changes of their impulses in the `last` step. Returns the contacts as they were: what
/// follows a solution, energies and gaps, is that of rigid ones.
pub(crate) fn ease(problem: &mut StepProblem, last: &[[f64; 3]]) -> Vec<Contact> {
    let rigid = problem.contacts.clone();
    for (k, last) in last.iter().enumerate() {
        if rigid[k].compliance != [0.0; 2] {
            continue;
        }
        // A direction that moves nothing has no response; it needs a scale all the same.
        let sides = rigid[k].bodies.iter().filter(|&&b| b != FIXED);
        let lightness: f64 = sides.map(|&b| 1.0 / problem.mass[b as usize]).sum();
        let own = problem.delassus_diagonal(&rigid[k]);
        let yields = own.map(|x| SHARE * if x > 0.0 { x } else { lightness });
        let contact = &mut problem.contacts[k];
        contact.compliance = yields;
        contact.offset = std::array::from_fn(|j| contact.offset[j] - yields[j.min(1)] * last[j]);
    }
    rigid
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_cone::{Law, corpus, residual_under};

    /// What is in equilibrium is so with contacts that yield too: they do not yield to forces that stay.
    #[test]
    fn a_state_that_continues_does_not_yield() {
        let posed = corpus::stack(1);
        let share = -posed.mass[0] * posed.free_velocity[0][2] / 4.0;
        let impulse = vec![[share, 0.0, 0.0]; 4];
        let mut eased = posed.clone();
        let rigid = ease(&mut eased, &impulse);
        assert_eq!(rigid, posed.contacts);
        let judged = residual_under(&eased, Law::Coulomb, &[[0.0; 6]], &impulse);
        assert!(judged.worst() < 1e-14, "{judged:?}");
        // Without a memory the stack would sink in every step.
        let mut forgetful = posed.clone();
        ease(&mut forgetful, &[[0.0; 3]; 4]);
        let judged = residual_under(&forgetful, Law::Coulomb, &[[0.0; 6]], &impulse);
        assert!(judged.gap > 1e-4, "{judged:?}");
    }
}
