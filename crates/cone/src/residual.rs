//! The judge: how far a pair `(V, r)` is from solving a problem, recomputed from raw data.
//!
//! Every solver answers to the same four numbers; a fifth, the natural map of the friction law, is reported beside them. They are relative to a speed
//! `v_ref` per island, so that parts of a structure that do not touch are judged as if each were alone.

use serde::{Deserialize, Serialize};

use crate::cones::{impulse_distance, velocity_distance};
use crate::islands::Partition;
use crate::natural_map::{Lightness, mean_lightness, natural_square};
use crate::operator::dot;
use crate::settings::{Law, Tolerances};
use crate::{FIXED, StepProblem};

/// Below this speed nothing is resolved, m/s; only reached by a problem without any scale of its own.
const SMALLEST_SPEED: f64 = 1e-12;

/// Relative residuals of the optimality conditions; the worst island counts.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Residual {
    /// `|H (V - V_f) - D r|` in the norm of `H^-1`, over `sqrt(M) v_ref`.
    pub momentum: f64,
    /// Largest distance of `u = D' V + s + E r` to `K*`, over `v_ref`.
    pub primal: f64,
    /// Largest distance of an impulse to `K`, over mean mass times `v_ref`.
    pub dual: f64,
    /// `sum |u . r|` over `M v_ref^2`.
    pub gap: f64,
    /// Largest natural map of a contact as a speed, `|l r - P_K(l r - u)|` with `1/l` the mass that the contact feels, over `v_ref`.
    ///
    /// Reported only: up to the square root of the gap in good answers of interior-point methods, where speed and impulse of a contact both vanish.
    #[serde(default)]
    pub natural: f64,
}

impl Residual {
    /// Whether the four that decide are within tolerance; `dual` shares the tolerance of `primal`, and `natural` has none. NaN never is.
    pub fn within(&self, tolerances: &Tolerances) -> bool {
        self.momentum <= tolerances.momentum
            && self.primal <= tolerances.primal
            && self.dual <= tolerances.primal
            && self.gap <= tolerances.gap
    }

    /// The largest ratio of a residual to its tolerance: at most one when [`Residual::within`].
    pub fn excess(&self, tolerances: &Tolerances) -> f64 {
        let ratios = [
            self.momentum / tolerances.momentum,
            self.primal / tolerances.primal,
            self.dual / tolerances.primal,
            self.gap / tolerances.gap,
        ];
        ratios.into_iter().fold(0.0, |worst: f64, x| {
            if x.is_nan() {
                f64::INFINITY
            } else {
                worst.max(x)
            }
        })
    }

    /// The largest of the four that decide.
    pub fn worst(&self) -> f64 {
        [self.momentum, self.primal, self.dual, self.gap]
            .into_iter()
            .fold(0.0, worse)
    }

    pub(crate) fn merge(&mut self, other: Residual) {
        self.momentum = worse(self.momentum, other.momentum);
        self.primal = worse(self.primal, other.primal);
        self.dual = worse(self.dual, other.dual);
        self.gap = worse(self.gap, other.gap);
        self.natural = worse(self.natural, other.natural);
    }
}

/// The larger of two; NaN if one is, which `max` would drop.
#[inline(always)]
pub(crate) fn worse(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}

/// Scales of one island.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scales {
    /// `max(speed_scale, rms V_f, rms penetration speed)`, m/s.
    pub(crate) speed: f64,
    /// Total mass `M`, kg.
    pub(crate) mass: f64,
    /// Number of bodies.
    pub(crate) bodies: f64,
}

/// Scales of a problem taken as one island. The free velocity is measured by its kinetic energy, so that rotations
/// count in the same unit and the scale does not depend on axes.
pub(crate) fn scales(problem: &StepProblem) -> Scales {
    let all_bodies = 0..problem.bodies() as u32;
    let all_contacts = 0..problem.contacts.len() as u32;
    scales_of(problem, all_bodies, all_contacts)
}

fn scales_of(
    problem: &StepProblem,
    bodies: impl ExactSizeIterator<Item = u32>,
    contacts: impl ExactSizeIterator<Item = u32>,
) -> Scales {
    let (count, points) = (bodies.len() as f64, contacts.len() as f64);
    let (mut mass, mut energy, mut push) = (0.0, 0.0, 0.0);
    for b in bodies {
        let v = &problem.free_velocity[b as usize];
        let p = problem.inertia_times(b as usize, v);
        mass += problem.mass[b as usize];
        energy += (0..6).map(|k| v[k] * p[k]).sum::<f64>();
    }
    for c in contacts {
        push += problem.contacts[c as usize].offset[0].min(0.0).powi(2);
    }
    let free = if mass > 0.0 {
        (energy / mass).sqrt()
    } else {
        0.0
    };
    let penetration = if points > 0.0 {
        (push / points).sqrt()
    } else {
        0.0
    };
    let speed = problem
        .speed_scale
        .max(free)
        .max(penetration)
        .max(SMALLEST_SPEED);
    Scales {
        speed,
        mass,
        bodies: count,
    }
}

/// Judges `(V, r)` under associated friction. See [`residual_under`].
pub fn residual(problem: &StepProblem, velocity: &[[f64; 6]], impulse: &[[f64; 3]]) -> Residual {
    residual_under(problem, Law::Associated, velocity, impulse)
}

/// Judges `(V, r)` under a friction law.
///
/// Under [`Law::Coulomb`] the velocity in the cone condition is `u + mu |u_T| n` (the correction of de Saxcé and Feng),
/// which makes sliding tangential. Lengths must match the problem; a mismatch or a number that is not finite is judged
/// as infinitely wrong.
pub fn residual_under(
    problem: &StepProblem,
    law: Law,
    velocity: &[[f64; 6]],
    impulse: &[[f64; 3]],
) -> Residual {
    Judge::default().report(problem, law, velocity, impulse)
}

/// The judge with vectors that are kept.
#[derive(Debug, Default)]
pub(crate) struct Judge {
    generalised: Vec<[f64; 6]>,
    /// Per body, of those that were asked for; empty where no natural map is.
    lightness: Vec<Option<Lightness>>,
    partition: Partition,
}

impl Judge {
    /// What decides on an answer: [`residual_under`] without the natural map, which is left zero.
    pub(crate) fn residual(
        &mut self,
        problem: &StepProblem,
        law: Law,
        velocity: &[[f64; 6]],
        impulse: &[[f64; 3]],
    ) -> Residual {
        self.lightness.clear();
        self.measure(problem, law, velocity, impulse)
    }

    /// See [`residual_under`]. Attempts on the way to an answer go without the natural map, which nobody asks of them.
    pub(crate) fn report(
        &mut self,
        problem: &StepProblem,
        law: Law,
        velocity: &[[f64; 6]],
        impulse: &[[f64; 3]],
    ) -> Residual {
        self.lightness.clear();
        self.lightness.resize(problem.bodies(), None);
        self.measure(problem, law, velocity, impulse)
    }

    /// With the natural map if `lightness` has the length of the bodies.
    fn measure(
        &mut self,
        problem: &StepProblem,
        law: Law,
        velocity: &[[f64; 6]],
        impulse: &[[f64; 3]],
    ) -> Residual {
        if velocity.len() != problem.bodies() || impulse.len() != problem.contacts.len() {
            return Residual {
                momentum: f64::INFINITY,
                primal: f64::INFINITY,
                dual: f64::INFINITY,
                gap: f64::INFINITY,
                natural: f64::INFINITY,
            };
        }
        problem.fill_generalised_impulse(impulse, &mut self.generalised);
        self.partition.fill(problem);
        let generalised = &self.generalised;
        let mut worst = Residual::default();
        for island in self.partition.iter() {
            let scale = scales_of(
                problem,
                island.bodies.iter().copied(),
                island.contacts.iter().copied(),
            );
            let mut momentum = 0.0;
            for b in island.bodies.iter().map(|&b| b as usize) {
                let (v, f) = (&velocity[b], &problem.free_velocity[b]);
                let change: [f64; 6] = std::array::from_fn(|k| v[k] - f[k]);
                let inertial = problem.inertia_times(b, &change);
                let missing: [f64; 6] = std::array::from_fn(|k| inertial[k] - generalised[b][k]);
                let speed = problem.inertia_solve(b, &missing);
                momentum += (0..6).map(|k| missing[k] * speed[k]).sum::<f64>();
                // A degree of freedom that is not free has to keep its value.
                momentum += (0..6)
                    .filter(|&k| !problem.free[k])
                    .map(|k| problem.mass[b] * change[k] * change[k])
                    .sum::<f64>();
            }
            let (mut primal, mut dual, mut gap, mut natural) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0);
            for c in island.contacts.iter().map(|&c| c as usize) {
                let (contact, r) = (&problem.contacts[c], &impulse[c]);
                let mut u = problem.cone_velocity(contact, velocity, r);
                if law == Law::Coulomb {
                    u[0] += contact.friction * u[1].hypot(u[2]);
                }
                let (far, outside) = (
                    velocity_distance(contact.friction, &u),
                    impulse_distance(contact.friction, r),
                );
                primal = if far.is_nan() {
                    f64::INFINITY
                } else {
                    primal.max(far)
                };
                dual = if outside.is_nan() {
                    f64::INFINITY
                } else {
                    dual.max(outside)
                };
                gap += dot(&u, r).abs();
                // Of an impulse in its cone it is at most `|u|`, because projections do not move points apart: few contacts can be the worst.
                let small = outside == 0.0 && dot(&u, &u) <= natural;
                if !small && !self.lightness.is_empty() {
                    let lightness = mean_lightness(problem, contact, &mut self.lightness);
                    let square = natural_square(contact.friction, lightness, &u, r);
                    natural = worse(natural, square);
                }
            }
            let per_mass = scale.mass / scale.bodies.max(1.0);
            worst.merge(Residual {
                momentum: (momentum / scale.mass).sqrt() / scale.speed,
                primal: primal / scale.speed,
                dual: dual / (per_mass * scale.speed),
                gap: gap / (scale.mass * scale.speed * scale.speed),
                natural: natural.sqrt() / scale.speed,
            });
        }
        debug_assert!(
            problem
                .contacts
                .iter()
                .all(|c| c.bodies[0] != FIXED || c.bodies[1] != FIXED)
        );
        worst
    }
}

/// Primal objective `1/2 (V - V_f)' H (V - V_f) + 1/2 r' E r`, J; what two solvers have to agree on.
pub fn objective(problem: &StepProblem, velocity: &[[f64; 6]], impulse: &[[f64; 3]]) -> f64 {
    let mut twice = 0.0;
    for (b, (v, f)) in velocity.iter().zip(&problem.free_velocity).enumerate() {
        let change: [f64; 6] = std::array::from_fn(|k| v[k] - f[k]);
        let p = problem.inertia_times(b, &change);
        twice += (0..6).map(|k| change[k] * p[k]).sum::<f64>();
    }
    for (c, r) in problem.contacts.iter().zip(impulse) {
        twice += (0..3)
            .map(|k| c.compliance[k.min(1)] * r[k] * r[k])
            .sum::<f64>();
    }
    0.5 * twice
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// One block of 2 kg on four points: the exact answer is judged zero, and each kind of error shows up in its own
    /// number with the size that the definition says.
    #[test]
    fn errors_are_measured_as_defined() {
        let p = corpus::stack(1);
        let scale = scales(&p);
        let share = -p.mass[0] * p.free_velocity[0][2] / 4.0;
        let rest = vec![[0.0; 6]];
        let r = vec![[share, 0.0, 0.0]; 4];
        let exact = residual(&p, &rest, &r);
        assert!(
            exact.within(&Tolerances {
                momentum: 1e-14,
                primal: 1e-14,
                gap: 1e-14
            }),
            "{exact:?}"
        );

        let down = residual(&p, &[[0.0, 0.0, -1e-3 * scale.speed, 0.0, 0.0, 0.0]], &r);
        assert!(
            (down.momentum - 1e-3).abs() < 1e-12 && (down.primal - 1e-3).abs() < 1e-12,
            "{down:?}"
        );
        // Four points carry M g dt together, moving at 1e-3 v_ref.
        let weight = 4.0 * share / (scale.mass * scale.speed);
        assert!((down.gap - 1e-3 * weight).abs() < 1e-12, "{down:?}");

        let mu = p.contacts[0].friction;
        let mut skew = r.clone();
        skew[0][1] = share * mu + 1e-3 * scale.mass * scale.speed;
        let outside = residual(&p, &rest, &skew).dual;
        assert!(
            (outside - 1e-3 / (1.0 + mu * mu).sqrt()).abs() < 1e-12,
            "{outside}"
        );
    }

    #[test]
    fn nan_and_wrong_lengths_never_pass() {
        let p = corpus::stack(1);
        let loose = Tolerances {
            momentum: f64::MAX,
            primal: f64::MAX,
            gap: f64::MAX,
        };
        let r = vec![[0.0; 3]; 4];
        assert!(residual(&p, &[[0.0; 6]], &r).within(&loose));
        assert!(!residual(&p, &[[f64::NAN; 6]], &r).within(&loose));
        assert!(!residual(&p, &[[0.0; 6]], &[[f64::NAN; 3]; 4]).within(&loose));
        assert!(!residual(&p, &[], &r).within(&loose));
        assert_eq!(
            residual(&p, &[[f64::NAN; 6]], &r).excess(&loose),
            f64::INFINITY
        );
    }

    /// Sliding along the plane: admissible under Coulomb's law, not under the associated one, which wants lift.
    #[test]
    fn coulomb_slides_without_lift() {
        let p = corpus::stack(1);
        let mu = p.contacts[0].friction;
        let share = -p.mass[0] * p.free_velocity[0][2] / 4.0;
        let v = vec![[0.5, 0.0, 0.0, 0.0, 0.0, 0.0]];
        let mut moving = p.clone();
        moving.free_velocity[0][0] = 0.5 + mu * 4.0 * share / p.mass[0];
        let r: Vec<[f64; 3]> = p
            .contacts
            .iter()
            .map(|c| {
                [
                    share,
                    -mu * share * c.frame[1][0],
                    -mu * share * c.frame[2][0],
                ]
            })
            .collect();
        // The moment of the friction forces tips the block: count translations only.
        moving.free = [true, true, true, false, false, false];
        assert!(residual_under(&moving, Law::Coulomb, &v, &r).within(&Tolerances::validation()));
        assert!(residual(&moving, &v, &r).primal > 0.1);
    }
}
