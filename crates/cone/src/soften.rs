//! Problems without solution: a compliance that gives way where nothing else can, and the judge of what comes of it.

use crate::residual::{residual_under, scales};
use crate::{FIXED, Law, Residual, StepProblem};

/// Compliance relative to the Delassus diagonal. What gives way takes impulses of up to its inverse times the usual ones,
/// which is as far as double precision goes with half of its digits left.
const LAST_COMPLIANCE: f64 = 1e-8;

/// The problem with a small compliance at every contact. It has a solution.
pub(crate) fn soften(problem: &StepProblem) -> StepProblem {
    let mut softened = problem.clone();
    for contact in &mut softened.contacts {
        // A direction that moves no free degree of freedom has no Delassus diagonal. Nothing opposes it, so that it may
        // give way with impulses of the usual size.
        let lightness: f64 = contact
            .bodies
            .iter()
            .filter(|&&b| b != FIXED)
            .map(|&b| 1.0 / problem.mass[b as usize])
            .sum();
        let diagonal = problem.delassus_diagonal(contact);
        for (soft, own) in contact.compliance.iter_mut().zip(diagonal) {
            *soft += if own > 0.0 {
                LAST_COMPLIANCE * own
            } else {
                lightness
            };
        }
    }
    softened
}

/// Judges an answer to a softened problem of one island. Where a structure is squeezed, impulses exceed those of gravity by
/// many orders of magnitude, and so does their rounding: all but `primal` is relative to the largest impulse, if that is
/// larger than mean mass times `v_ref`.
pub(crate) fn softened_residual(
    softened: &StepProblem,
    law: Law,
    velocity: &[[f64; 6]],
    impulse: &[[f64; 3]],
) -> Residual {
    let scale = scales(softened);
    let unit = scale.mass / scale.bodies.max(1.0) * scale.speed;
    // NaN impulses are left to the judge.
    let squeeze = impulse.iter().fold(1.0, |m: f64, r| m.max(r[0] / unit));
    let judged = residual_under(softened, law, velocity, impulse);
    Residual {
        momentum: judged.momentum / squeeze,
        primal: judged.primal,
        dual: judged.dual / squeeze,
        gap: judged.gap / squeeze,
        natural: judged.natural / squeeze,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// Every contact gives way, also those that the mask makes powerless.
    #[test]
    fn every_contact_becomes_compliant() {
        let mut p = corpus::stack(2);
        for free in [[true; 6], [false; 6]] {
            p.free = free;
            let soft = soften(&p);
            assert!(
                soft.contacts
                    .iter()
                    .all(|c| c.compliance.iter().all(|e| *e > 0.0))
            );
        }
    }

    /// A residual is measured against the squeeze, but a gap that stays open is not excused by it, nor is NaN.
    #[test]
    fn the_squeeze_excuses_rounding_only() {
        let p = soften(&corpus::stack(1));
        let rest = vec![[0.0; 6]];
        let judge = |r: &[[f64; 3]]| softened_residual(&p, Law::Associated, &rest, r);
        let usual = vec![[1e-3, 0.0, 0.0]; 4];
        assert_eq!(
            judge(&usual),
            residual_under(&p, Law::Associated, &rest, &usual)
        );
        let scale = scales(&p);
        let large = 1e6 * scale.mass * scale.speed;
        let squeezed = judge(&[[large, 0.0, 0.0]; 4]);
        // Four impulses of a million units, nothing to balance them: four times the squeeze.
        assert!((squeezed.momentum - 4.0).abs() < 1e-4, "{squeezed:?}");
        let falling = vec![[0.0, 0.0, -scale.speed, 0.0, 0.0, 0.0]];
        let judged = softened_residual(&p, Law::Associated, &falling, &[[large, 0.0, 0.0]; 4]);
        assert!(judged.primal > 0.9, "{judged:?}");
        assert!(judge(&[[f64::NAN; 3]; 4]).excess(&crate::Tolerances::default()) == f64::INFINITY);
    }
}
