//! The natural map of the friction law: one number per contact that vanishes where velocity and impulse obey the law, and only there.
//!
//! `w = u + mu |u_T| n` (Coulomb; `w = u` under associated friction) and `r` obey `K* ∋ w ⊥ r ∈ K` exactly if
//!
//! ```text
//! r = P_K(r - rho w)    for some, and then for every, rho > 0.
//! ```
//!
//! With `rho = 1/l`, where `l` is a third of the trace of the contact's own block of `D' H^-1 D + E`, `r - P_K(r - rho w)` is about the impulse by which the contact
//! alone would have to change. `K` is a cone, so that `l r - P_K(l r - w)` is the same as a speed. The trace does not depend on the choice of tangents.
//!
//! For `r ∈ K` and `w ∈ K*` the square of that speed is at most `l w . r`: with `x = l r` and `p = P_K(x - w)`, a projection has `(x - w - p) . (x - p) <= 0`,
//! so `|x - p|^2 <= w . x - w . p`, and `w . p >= 0`. Where speed and impulse both are of the size `e` the bound is reached. Answers of interior-point methods, whose
//! complementarity is `e^2` at such contacts, therefore have natural maps far above their gaps, and no tolerance is put on them: on the corpus, at gaps below 1e-7, up to 3e-4.

use crate::cones::project_impulse;
use crate::operator::{cholesky_solve, dot, masked_cholesky};
use crate::{Contact, FIXED, StepProblem};

/// What a unit impulse on a body does to it: the part of the Delassus operator that all its contacts share.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lightness {
    /// Inverse mass times the number of free translations, 1/kg.
    translations: f64,
    /// Inverse of the rotational block on free rotations, rows 00, 01, 02, 11, 12, 22, 1/(kg m²).
    turn: [f64; 6],
    /// Inverse mass, 1/kg.
    inverse_mass: f64,
}

impl Lightness {
    fn of(problem: &StepProblem, body: usize) -> Self {
        let free = &problem.free;
        let factor = masked_cholesky(&problem.rotational[body], free);
        let column = |k: usize| {
            let unit = std::array::from_fn(|i| f64::from(u8::from(i == k && free[3 + k])));
            factor.map_or([0.0; 3], |l| cholesky_solve(&l, unit))
        };
        let [x, y, z] = [0, 1, 2].map(column);
        let inverse_mass = 1.0 / problem.mass[body];
        let count = free[..3].iter().filter(|&&free| free).count();
        Self {
            translations: count as f64 * inverse_mass,
            turn: [x[0], x[1], x[2], y[1], y[2], z[2]],
            inverse_mass,
        }
    }

    /// Trace of the block of a contact with this arm: the sum of `(a x e)' J^-1 (a x e)` over any three orthonormal `e` is `tr(J^-1) a . a - a' J^-1 a`.
    fn trace(&self, a: &[f64; 3]) -> f64 {
        let s = &self.turn;
        let along = a[0] * (s[0] * a[0] + 2.0 * (s[1] * a[1] + s[2] * a[2]))
            + a[1] * (s[3] * a[1] + 2.0 * s[4] * a[2])
            + s[5] * a[2] * a[2];
        self.translations + (s[0] + s[3] + s[5]) * dot(a, a) - along
    }
}

/// `l`: a third of the trace of the contact's block of `D' H^-1 D + E`, 1/kg. `bodies` keeps what is worked out on the way.
pub(crate) fn mean_lightness(
    problem: &StepProblem,
    contact: &Contact,
    bodies: &mut [Option<Lightness>],
) -> f64 {
    let [normal, tangent] = contact.compliance;
    let (mut trace, mut least) = (normal + 2.0 * tangent, 0.0);
    for (&body, arm) in contact.bodies.iter().zip(&contact.arms) {
        if body != FIXED {
            let body = body as usize;
            let body = bodies[body].get_or_insert_with(|| Lightness::of(problem, body));
            trace += body.trace(arm);
            least += body.inverse_mass;
        }
    }
    // A contact of bodies that the mask holds moves nothing; it still needs a scale.
    (trace * (1.0 / 3.0)).max(1e-3 * least)
}

/// `|l r - P_K(l r - w)|²`, m²/s².
pub(crate) fn natural_square(mu: f64, lightness: f64, w: &[f64; 3], r: &[f64; 3]) -> f64 {
    let x = r.map(|r| lightness * r);
    let y: [f64; 3] = std::array::from_fn(|k| x[k] - w[k]);
    // Most contacts stick: inside the cone `y` is its own projection, and no root is needed to see that.
    if y[0] >= 0.0 && y[1] * y[1] + y[2] * y[2] <= mu * mu * y[0] * y[0] {
        return dot(w, w);
    }
    let p = project_impulse(mu, &y);
    let d: [f64; 3] = std::array::from_fn(|k| x[k] - p[k]);
    dot(&d, &d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::islands::Partition;
    use crate::residual::scales;
    use crate::{
        Law, Method, Residual, Settings, Solver, Status, Tolerances, Warm, corpus, residual_under,
    };

    /// The trace is the sum of the diagonal that the columns of `D` give, in space and in the plane.
    #[test]
    fn the_lightness_is_the_mean_of_the_diagonal() {
        for mut p in [corpus::wall(3, 2), corpus::planar_arch(7)] {
            p.contacts[0].compliance = [0.3, 0.1];
            let mut bodies = vec![None; p.bodies()];
            for contact in &p.contacts {
                let [normal, tangent] = p.delassus_diagonal(contact);
                let [e, f] = contact.compliance;
                let exact = (normal + e + 2.0 * (tangent + f)) / 3.0;
                let found = mean_lightness(&p, contact, &mut bodies);
                assert!((found - exact).abs() < 1e-12 * exact, "{found} {exact}");
            }
        }
    }

    /// Open, sticking and sliding contacts have none; the law decides whether a sliding one has to open.
    #[test]
    fn exact_answers_have_none() {
        let (mu, l) = (0.5, 0.4);
        let far = |w: &[f64; 3], r: &[f64; 3]| natural_square(mu, l, w, r).sqrt();
        let rounding = 1e-15;
        assert!(far(&[0.3, 0.1, 0.0], &[0.0; 3]) < rounding, "open");
        assert!(far(&[0.0; 3], &[2.0, 0.6, -0.7]) < rounding, "sticking");
        assert!(far(&[0.0; 3], &[0.0; 3]) < rounding, "touching");
        // Slides with (3, 4), so that w = (mu 5, 3, 4), against the friction mu N.
        let (w, r) = ([2.5, 3.0, 4.0], [2.0, -0.6, -0.8]);
        assert!(far(&w, &r) < 1e-14, "sliding");
        // Without opening it does not obey the associated law.
        assert!(far(&[0.0, 3.0, 4.0], &r) > 0.1);
        // Without friction: pressed without speed, or open without impulse.
        let smooth = natural_square(0.0, l, &[0.0, 3.0, 4.0], &[2.0, 0.0, 0.0]);
        assert!(smooth.sqrt() < rounding);
    }

    /// A block at rest under Coulomb's law whose first contact errs in one way at a time.
    #[test]
    fn wrong_answers_have_what_was_computed_by_hand() {
        let p = corpus::stack(1);
        let (mu, v) = (p.contacts[0].friction, scales(&p).speed);
        let share = -p.mass[0] * p.free_velocity[0][2] / 4.0;
        let rest = vec![[0.0; 6]];
        let r = vec![[share, 0.0, 0.0]; 4];
        let judge = |velocity: &[[f64; 6]], r: &[[f64; 3]]| {
            residual_under(&p, Law::Coulomb, velocity, r).natural
        };
        assert!(judge(&rest, &r) < 1e-15);

        // A speed along the normal of contacts that are pressed, either way, less than their impulses could take away: x - P(x - w) = w.
        let l = mean_lightness(&p, &p.contacts[0], &mut [None]);
        assert!(l * share > 2e-3 * v);
        for speed in [1e-3, -1e-3] {
            let found = judge(&[[0.0, 0.0, speed * v, 0.0, 0.0, 0.0]], &r);
            assert!((found - 1e-3).abs() < 1e-12, "{found}");
        }
        // Opens faster than that: all of its impulse is wrong, P = 0.
        let found = judge(&[[0.0, 0.0, 10.0 * l * share, 0.0, 0.0, 0.0]], &r);
        assert!((found - l * share / v).abs() < 1e-12, "{found}");
        // An impulse beyond the cone at rest: its distance to the cone.
        let mut skew = r.clone();
        skew[0][1] = mu * share + 1e-3 * v / l;
        let found = judge(&rest, &skew);
        assert!(
            (found - 1e-3 / (1.0 + mu * mu).sqrt()).abs() < 1e-12,
            "{found}"
        );
        // Slides by a little without friction: w = (mu s, s, 0) and x - w stays in the cone, so that w is what is left.
        let s = 1e-3 * v;
        let found = judge(&[[s, 0.0, 0.0, 0.0, 0.0, 0.0]], &r);
        let exact = 1e-3 * (1.0 + mu * mu).sqrt();
        assert!((found - exact).abs() < 1e-12, "{found} {exact}");
    }

    #[test]
    fn it_decides_nothing() {
        let residual = Residual {
            natural: 1.0,
            ..Residual::default()
        };
        let strict = Tolerances::validation();
        assert!(residual.within(&strict) && residual.excess(&strict) == 0.0);
        assert_eq!(residual.worst(), 0.0);
    }

    /// The bound of the introduction with the distances to both cones, in the units of the judge: for one island of mass `M` with `n` bodies, `L = M` times the largest
    /// `l`, `R` the largest impulse over `M v_ref` and `W` the largest `w` over `v_ref`,
    /// `natural <= sqrt(L (gap + R primal + (W + primal) dual / n)) + primal + 2 L dual / n`.
    #[test]
    fn the_gap_bounds_it_on_the_corpus() {
        let mut largest: f64 = 0.0;
        let mut count = 0;
        for (name, p) in corpus::all() {
            let mut partition = Partition::default();
            partition.fill(&p);
            if p.bodies() > 100 || name == "clamp" || partition.len() != 1 {
                continue;
            }
            count += 1;
            for law in [Law::Associated, Law::Coulomb] {
                let settings = Settings {
                    law,
                    ..Settings::default()
                };
                let s = Solver::new(settings).solve(&p, None).unwrap();
                assert_eq!(s.status, Status::Solved, "{name}");
                let (found, scale) = (s.residual, scales(&p));
                let mut bodies = vec![None; p.bodies()];
                let (mut light, mut push, mut speed) = (0.0_f64, 0.0_f64, 0.0_f64);
                for (contact, r) in p.contacts.iter().zip(&s.impulse) {
                    let mut w = p.cone_velocity(contact, &s.velocity, r);
                    if law == Law::Coulomb {
                        w[0] += contact.friction * w[1].hypot(w[2]);
                    }
                    light = light.max(scale.mass * mean_lightness(&p, contact, &mut bodies));
                    push = push.max(dot(r, r).sqrt() / (scale.mass * scale.speed));
                    speed = speed.max(dot(&w, &w).sqrt() / scale.speed);
                }
                let dual = found.dual / scale.bodies;
                let product = found.gap + push * found.primal + (speed + found.primal) * dual;
                let bound = (light * product).sqrt() + found.primal + 2.0 * light * dual;
                assert!(
                    found.natural <= bound * (1.0 + 1e-9) + 1e-13,
                    "{name}, {law:?}: {} > {bound}, {found:?}",
                    found.natural
                );
                largest = largest.max(found.natural / bound);
            }
        }
        // Problems were there, and the bound is no empty one.
        assert!(count > 5 && largest > 1e-2, "{count} {largest}");
    }

    /// Newton's method under Coulomb's law solves the law itself, not a smoothed one: what is left is rounding. Contacts that give way, warm, and something pushes.
    #[test]
    fn newton_leaves_rounding() {
        let (p, impulse) = crate::coulomb::tests::pushed();
        let still = vec![[0.0; 6]; p.bodies()];
        let warm = Warm {
            velocity: &still,
            impulse: &impulse,
        };
        let [newton, other] = [Method::Automatic, Method::InteriorPoint].map(|method| {
            let settings = crate::coulomb::tests::tight();
            let mut solver = Solver::new(Settings { method, ..settings });
            solver.solve(&p, Some(warm)).unwrap().residual
        });
        // Measured 6e-18 and 2e-11; a thousand roundings are allowed.
        assert!(newton.natural < 1e-13, "{newton:?}");
        assert!(other.natural > newton.natural, "{other:?} {newton:?}");
    }
}
