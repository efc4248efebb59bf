//! The judge of answers to problems in general form. Shares nothing with the solvers but the problem.

use super::fault::GeneralFault;
use super::problem::{GeneralProblem, LocalProblem, Sound};
use super::solution::GeneralResidual;
use super::sparse::SparseMatrix;
use crate::Law;
use crate::cones::{impulse_distance, velocity_distance};
use crate::operator::dot;
use crate::residual::worse;

/// Least speed relative to the terms of which the relative velocity is the sum: below, rounding would be judged.
const CANCELLED: f64 = 1e-6;

/// What residuals are relative to; see [`GeneralResidual`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scales {
    /// `S`.
    pub(super) speed: f64,
    /// `l`.
    pub(super) lightness: f64,
}

impl Scales {
    /// `R`.
    pub(super) fn impulse(&self) -> f64 {
        self.speed / self.lightness
    }

    /// A problem without any scale has zero as its answer, which any scale measures right.
    fn new(speed: f64, lightness: f64) -> Self {
        let or_one = |x: f64| if x > 0.0 { x } else { 1.0 };
        Self {
            speed: or_one(speed),
            lightness: or_one(lightness),
        }
    }

    pub(super) fn of_general(problem: &GeneralProblem, sound: &Sound) -> Self {
        let d = &problem.directions;
        let weight: f64 = (d.entries())
            .map(|(row, _, value)| value * value / sound.inertia.at(row, row))
            .sum();
        let mut speed = 0.0_f64;
        for (c, &mu) in problem.friction.iter().enumerate() {
            let outside = velocity_distance(mu, &triple(&sound.local_offset, c));
            if outside > 0.0 {
                let terms = (3 * c..3 * c + 3)
                    .flat_map(|k| d.column(k))
                    .map(|(row, value)| (value * sound.free[row]).abs())
                    .chain(triple(&problem.offset, c).map(f64::abs));
                let largest = terms.fold(0.0, f64::max);
                speed = speed.max(outside).max(CANCELLED * largest);
            }
        }
        Self::new(speed, weight / d.columns.max(1) as f64)
    }

    pub(super) fn of_local(delassus: &SparseMatrix, problem: &LocalProblem) -> Self {
        let rows = delassus.rows;
        let trace: f64 = (0..rows).map(|k| delassus.at(k, k)).sum();
        let speed = problem
            .friction
            .iter()
            .enumerate()
            .map(|(c, &mu)| velocity_distance(mu, &triple(&problem.offset, c)))
            .fold(0.0, f64::max);
        Self::new(speed, trace / rows.max(1) as f64)
    }
}

pub(super) fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |m: f64, x| m.max(x.abs()))
}

/// The three components of a contact.
pub(super) fn triple(values: &[f64], contact: usize) -> [f64; 3] {
    std::array::from_fn(|k| values[3 * contact + k])
}

/// The velocity that the cone condition sees.
pub(super) fn seen(law: Law, mu: f64, mut u: [f64; 3]) -> [f64; 3] {
    match law {
        Law::Associated => {}
        Law::Coulomb => u[0] += mu * u[1].hypot(u[2]),
    }
    u
}

/// The part of the residual that contacts contribute.
pub(super) fn contact_residual(
    friction: &[f64],
    law: Law,
    relative_velocity: &[f64],
    reaction: &[f64],
    scales: Scales,
) -> GeneralResidual {
    let mut residual = GeneralResidual::default();
    for (c, &mu) in friction.iter().enumerate() {
        let u = seen(law, mu, triple(relative_velocity, c));
        let r = triple(reaction, c);
        let far = nan_is_far(velocity_distance(mu, &u), &u);
        let outside = nan_is_far(impulse_distance(mu, &r), &r);
        residual.primal = worse(residual.primal, far / scales.speed);
        // The contacts of a body far heavier than most carry far more than `R`, and their rounding is relative to that.
        let carried = dot(&r, &r).sqrt().max(scales.impulse());
        residual.dual = worse(residual.dual, outside / carried);
        let product = dot(&u, &r).abs() / carried / scales.speed;
        residual.complementarity = worse(residual.complementarity, product);
    }
    residual
}

/// Distances to cones are found by comparisons, which NaN passes.
fn nan_is_far(distance: f64, of: &[f64; 3]) -> f64 {
    if of.iter().all(|x| x.is_finite()) {
        distance
    } else {
        f64::INFINITY
    }
}

pub(super) fn judge_general(
    problem: &GeneralProblem,
    sound: &Sound,
    law: Law,
    velocity: &[f64],
    reaction: &[f64],
) -> GeneralResidual {
    let scales = Scales::of_general(problem, sound);
    let u = relative_velocity(problem, velocity);
    let mut residual = contact_residual(&problem.friction, law, &u, reaction, scales);
    let inertial = sound.inertia.times(velocity);
    let contact = problem.directions.times(reaction);
    let energy = (scales.impulse() * scales.speed).sqrt();
    let (mut off, mut load) = (0.0, if problem.contacts() > 0 { energy } else { 0.0 });
    for k in 0..problem.size() {
        let root = sound.inertia.at(k, k).sqrt();
        let imbalance = inertial[k] - problem.force[k] - contact[k];
        off = worse(off, imbalance.abs() / root);
        load = f64::max(load, problem.force[k].abs() / root);
    }
    residual.equilibrium = if load > 0.0 { off / load } else { off };
    residual
}

/// `D' v + w`.
pub(super) fn relative_velocity(problem: &GeneralProblem, velocity: &[f64]) -> Vec<f64> {
    let mut u = problem.directions.transpose_times(velocity);
    for (u, w) in u.iter_mut().zip(&problem.offset) {
        *u += w;
    }
    u
}

/// `W r + q`.
pub(super) fn local_velocity(
    delassus: &SparseMatrix,
    offset: &[f64],
    reaction: &[f64],
) -> Vec<f64> {
    let mut u = delassus.times(reaction);
    for (u, q) in u.iter_mut().zip(offset) {
        *u += q;
    }
    u
}

fn lengths(checks: [(&'static str, &[f64], usize); 2]) -> Result<(), GeneralFault> {
    for (field, values, wanted) in checks {
        if values.len() != wanted {
            return Err(GeneralFault::Length {
                field,
                found: values.len(),
                unit: "entries",
                wanted: format!("the problem has {wanted}"),
            });
        }
    }
    Ok(())
}

/// Judges `(v, r)`, whoever found them. An error if the problem is not sound or lengths do not match.
pub fn general_residual(
    problem: &GeneralProblem,
    law: Law,
    velocity: &[f64],
    reaction: &[f64],
) -> Result<GeneralResidual, GeneralFault> {
    let sound = problem.sound()?;
    lengths([
        ("v", velocity, problem.size()),
        ("r", reaction, problem.offset.len()),
    ])?;
    Ok(judge_general(problem, &sound, law, velocity, reaction))
}

/// Judges `r` in local form, whoever found it. An error if the problem is not sound or the length does not match.
pub fn local_residual(
    problem: &LocalProblem,
    law: Law,
    reaction: &[f64],
) -> Result<GeneralResidual, GeneralFault> {
    let delassus = problem.sound()?.delassus;
    lengths([
        ("r", reaction, problem.offset.len()),
        ("q", &problem.offset, problem.offset.len()),
    ])?;
    let scales = Scales::of_local(&delassus, problem);
    let u = local_velocity(&delassus, &problem.offset, reaction);
    Ok(contact_residual(
        &problem.friction,
        law,
        &u,
        reaction,
        scales,
    ))
}
