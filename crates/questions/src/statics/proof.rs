//! What proves a verdict, recomputed from the loads and the geometry, whoever found it.
//!
//! A structure *stands* if there are forces within friction and mortar that balance every block. It *falls* if there is a motion that the contacts allow and on which the loads do work, more than mortar takes: of forces within friction
//! none does work on it, so that none balances the loads. Near the limit of what stands a step from rest proves neither. Its velocities `V` are as inaccurate as the root of the solver's gap, and the work of the loads on them is of second order. There the
//! limit program decides. If every contact is pressed with the same force, `r_c`, well within friction, the loads that this takes, `f_c = -D r_c`, are carried with room to spare, and the question is how far the loads can go from those to the ones that act:
//!
//! `max lambda  s.t.  D c + f_c + lambda (f - f_c) = 0, c in K`
//!
//! Forces give a lower bound of `lambda` and mechanisms an upper one; with one or more the structure stands. The program is as well posed as that of any limit analysis, whereas with nothing but `f` it would have no interior.

use drystone_cone::cones::velocity_distance;
use drystone_cone::{
    Contact, FIXED, LimitMethod, LimitProblem, LimitSettings, LimitStatus, StepProblem, solve_limit,
};

use super::balance::{Left, mean_load, size, unbalanced};
use super::posed::Posed;
use super::{StaticsFault, aimed};

/// What forces have to exceed those that nearly balance the loads by, so that a motion is allowed after all that is not by what the solver leaves.
const FORCED: f64 = 10.0;

/// Contact points up to which Clarabel is asked where our own method does not decide, as when all joints of a column slide at once: with more it would take minutes.
pub(super) const SECOND_OPINION: usize = 20_000;

/// Bounds that are farther apart than this, or from one, are no bounds: the program was not solved.
const NEAR: f64 = 1e-3;

/// Forces of contacts, local components, and of ties, N.
pub(super) type Forces = (Vec<[f64; 3]>, Vec<f64>);

/// What the limit program says.
pub(super) enum Bounds {
    /// These forces balance the loads.
    Stands(Forces),
    /// On this motion, one velocity per body, the loads do work.
    Falls(Vec<[f64; 6]>),
    /// Neither is proved: bounds of `lambda`, less one.
    Marginal([f64; 2]),
    /// No bounds.
    Unsolved,
}

/// Whether a motion proves that the loads are not carried: they do work on it, more than the bonds of joints take and more than any forces of a reasonable size could undo where contacts overlap a little. That size is the force
/// that a contact has, and the load of the less loaded of its blocks.
pub(super) fn falls(
    posed: &Posed<'_>,
    problem: &StepProblem,
    loads: &[[f64; 6]],
    velocity: &[[f64; 6]],
    force: &[[f64; 3]],
) -> bool {
    let work: f64 = works(problem, loads, velocity).sum();
    let bonds = posed.bonds.iter();
    let taken: f64 = bonds
        .map(|bond| {
            let contact = &problem.contacts[bond.contact as usize];
            let u = problem.relative_velocity(contact, velocity);
            bond.dissipation(contact.friction, &u)
        })
        .sum();
    let radii = &posed.statics.bodies.radii;
    let load = |body: &u32| size(posed, &loads[*body as usize], radii[*body as usize]);
    let contacts = problem.contacts.iter().zip(force);
    let undone: f64 = contacts
        .map(|(contact, f)| {
            let u = problem.relative_velocity(contact, velocity);
            let free = contact.bodies.iter().filter(|&&body| body != FIXED);
            let least = free.map(load).fold(f64::INFINITY, f64::min);
            let carried = f.iter().map(|x| x * x).sum::<f64>().sqrt();
            velocity_distance(contact.friction, &u) * (carried + least)
        })
        .sum();
    work - taken > FORCED * undone
}

/// Decides by the limit program. Ties and joints bear everything here.
pub(super) fn by_bounds(
    posed: &Posed<'_>,
    problem: &StepProblem,
    loads: &[[f64; 6]],
    tolerance: f64,
) -> Result<Bounds, StaticsFault> {
    let own = posed.statics.contacts.len();
    let apart = |force: &[[f64; 3]]| -> Forces {
        let (own, ties) = force.split_at(own);
        (own.to_vec(), ties.iter().map(|f| f[0]).collect())
    };
    let mean = mean_load(posed, loads);
    // All together as much as all loads.
    let share = loads.len() as f64 / problem.contacts.len().max(1) as f64;
    let pressed = vec![[share * mean, 0.0, 0.0]; problem.contacts.len()];
    let nothing = vec![[0.0; 6]; loads.len()];
    let (force, tension) = apart(&pressed);
    let push = Left::new(posed, &nothing, &force, &tension).sums;
    let with = |loads: &[[f64; 6]], sign: f64| -> Vec<[f64; 6]> {
        let both = loads.iter().zip(&push);
        both.map(|(f, d)| std::array::from_fn(|k| f[k] + sign * d[k]))
            .collect()
    };
    let limited = LimitProblem {
        bonds: posed.bonds.clone(),
        free: problem.free,
        dead: with(&nothing, -1.0),
        live: with(loads, 1.0),
        contacts: problem.contacts.iter().map(rigid).collect(),
        ..LimitProblem::default()
    };
    let methods: &[LimitMethod] = if problem.contacts.len() <= SECOND_OPINION {
        &[LimitMethod::InteriorPoint, LimitMethod::Clarabel]
    } else {
        &[LimitMethod::InteriorPoint]
    };
    let mut undecided = Bounds::Unsolved;
    for &method in methods {
        let settings = LimitSettings {
            method,
            tolerance: aimed(aimed(tolerance)),
            ..LimitSettings::default()
        };
        let found = solve_limit(&limited, &settings)?;
        let [low, high] = [found.multiplier, found.upper];
        // Forces of the loads themselves, from those of `f_c + lambda (f - f_c)`, or of `f - f_c` alone.
        let (more, over) = match found.status {
            LimitStatus::Unbounded => (1.0, 1.0),
            LimitStatus::Infeasible => continue,
            LimitStatus::Optimal | LimitStatus::Inaccurate => (low - 1.0, low),
        };
        let both = found.force.iter().zip(&pressed);
        let force: Vec<[f64; 3]> = both
            .map(|(c, p)| std::array::from_fn(|k| (c[k] + more * p[k]) / over))
            .collect();
        let forces = apart(&force);
        // What they leave out of balance could be carried with so much less of `lambda`: its work on the mechanism.
        let left = Left::new(posed, loads, &forces.0, &forces.1).sums;
        let lost: f64 = works(problem, &left, &found.velocity).map(f64::abs).sum();
        if low - lost > 1.0 && unbalanced(posed, loads, &forces.0, &forces.1) <= tolerance {
            return Ok(Bounds::Stands(forces));
        }
        if falls(posed, problem, loads, &found.velocity, &found.force) {
            return Ok(Bounds::Falls(found.velocity));
        }
        let margin = [low.min(high) - 1.0 - lost, low.max(high) - 1.0 + lost];
        if matches!(undecided, Bounds::Unsolved) && margin.iter().all(|x| x.abs() <= NEAR) {
            undecided = Bounds::Marginal(margin);
        }
    }
    Ok(undecided)
}

/// What loads do on a motion, by component.
fn works<'a>(
    problem: &'a StepProblem,
    loads: &'a [[f64; 6]],
    velocity: &'a [[f64; 6]],
) -> impl Iterator<Item = f64> + 'a {
    let both = loads.iter().zip(velocity);
    both.flat_map(|(f, v)| (0..6).filter(|&k| problem.free[k]).map(|k| f[k] * v[k]))
}

/// A contact without what only steps in time have.
fn rigid(contact: &Contact) -> Contact {
    Contact {
        offset: [0.0; 3],
        compliance: [0.0; 2],
        ..*contact
    }
}
