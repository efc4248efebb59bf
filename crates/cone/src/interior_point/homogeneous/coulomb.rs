//! The limit under Coulomb's law, inside the interior-point method.
//!
//! With the correction of de Saxcé and Feng a joint slides along itself: `s = A V + |u_T| e`, with `u_T` the tangential part of `A V` and `e` the
//! normal, in place of equation 2. The correction is the offset of the last iterate and, in the corrector, that at the end of the
//! predictor: the matrix keeps its symmetry, a step costs one more pass over the contacts, and what the correction lags behind is made up for by the next
//! step like anything else that is missing. `tau` is one and `kappa` zero, because a limit is known to exist.
//!
//! Two things make that work. Complementarity must not vanish before the lag does, or iterates stick to the boundary of cones that they should
//! leave. And there are many states of equilibrium with a mechanism that obeys Coulomb's law, with multipliers some per cent apart: wanted is a low one. So the correction
//! begins larger than it is and comes down to its value from there. Joints then close as they slide, multipliers are lower, and they rise to that
//! of Coulomb's law from below. On the dry panels this ends at multipliers up to 14 per cent lower than from the other side.

use super::super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::{Buffers, Method, size};
use crate::limit::{Answer, SLIPS};
use crate::residual::worse;

/// How many times its value the correction is too large at the beginning: joints close as much as they open under the associated law.
const CONTRACTION: f64 = 1.0;
/// Iterations until the correction has its value. Thirty find multipliers lower by about one per cent, for twice the time.
const ITERATIONS: u32 = 12;
/// The correction lags behind if what it misses does more work than this many times what complementarity leaves.
const LAGS: f64 = 1.0;

/// What is left of complementarity in a step in which the correction lags behind.
pub(super) const HELD: f64 = 0.6;

/// Forces out of balance that are aimed at, in tolerances: the judge accepts twice as much.
pub(super) const BALANCED: f64 = 50.0;
/// Part of the admissible residual of velocities that is aimed at.
pub(super) const AIMED: f64 = 0.5;
/// Where iterations gain nothing the correction goes half the way, then less, down to this: a wedge makes it swing about its value.
pub(super) const LEAST_SHARE: f64 = 0.25;
/// Iterations in a row that gain nothing after which there is no more to be expected.
pub(super) const GIVES_UP: u32 = 40;
/// Distance from the boundary of cones at the beginning, in units of mean loads and of speeds at which all live loads together do unit work.
const MARGIN: f64 = 0.3;

/// The correction of four contacts.
#[inline(always)]
fn slip(u: Triple, factor: Lanes) -> Lanes {
    factor * (u[1] * u[1] + u[2] * u[2]).sqrt()
}

/// Into the cone, and away from its boundary.
#[inline(always)]
fn lifted(x: Triple) -> Triple {
    [
        x[0].max(slip(x, Lanes::ONE)) + Lanes::splat(MARGIN),
        x[1],
        x[2],
    ]
}

impl Method<'_> {
    /// How many times its value the correction is.
    fn factor(&self) -> Lanes {
        let left = (1.0 - f64::from(self.lowered) / f64::from(ITERATIONS)).max(0.0);
        Lanes::splat(1.0 + CONTRACTION * left * left)
    }

    /// By how many tolerances the iterate misses Coulomb's law. As long as the correction is too large no iterate is good enough; where
    /// nothing else is left to do it takes its value at once.
    pub(super) fn lower(&mut self) -> f64 {
        let excess = self.excess();
        if self.lowered >= ITERATIONS {
            return excess;
        }
        self.lowered = if excess <= 1.0 {
            ITERATIONS
        } else {
            self.lowered + 1
        };
        f64::INFINITY
    }

    /// The same for any size of the correction, as the judge has it: forces out of balance, velocities into contacts, work of live loads, and what complementarity
    /// leaves over the multiplier.
    fn excess(&mut self) -> f64 {
        let factor = self.factor();
        let Buffers {
            at,
            missing,
            extremes,
            sums,
            met,
            ..
        } = &mut self.buffers;
        let (cones, at, missing) = (self.cones, &*at, &*missing);
        // Only the associated law freezes complementarity.
        *met = false;
        let mut balance = 0.0;
        let mut fastest: f64 = 0.0;
        for (b, &radius) in self.radii.iter().enumerate() {
            balance = worse(balance, self.counts[b] * size(&missing.balance[b], radius));
            fastest = fastest.max(size(&at.velocity[b], 1.0 / radius));
        }
        let [into] = cones.largest(
            extremes,
            #[inline(always)]
            |k| {
                if cones.slides(k) {
                    let u = add3(cones.velocity(k, &at.velocity), cones.offset[k]);
                    [(Lanes::ZERO - u[0]).max(Lanes::ZERO)]
                } else {
                    [dot3(missing.cones[k], missing.cones[k]).sqrt()]
                }
            },
        );
        let [left, _] = cones.sum(
            sums,
            #[inline(always)]
            |k| {
                let mut s = add3(cones.velocity(k, &at.velocity), cones.offset[k]);
                if cones.slides(k) {
                    s[0] += slip(s, factor);
                }
                [dot3(s, at.z[k]) * cones.weight(k), Lanes::ZERO]
            },
        );
        let velocities = [
            into / fastest,
            missing.normalisation.abs(),
            left.abs() / at.alpha.abs().max(self.bodies as f64),
        ];
        let velocities = velocities.into_iter().fold(0.0, worse);
        worse(
            balance / (BALANCED * self.settings.tolerance),
            velocities / (AIMED * SLIPS),
        )
    }

    /// Starts from the limit under the associated law, lifted into the cones.
    pub(super) fn begin(&mut self, from: &Answer) {
        let [unit, live_unit] = self.units;
        let (cones, factor) = (self.cones, self.factor());
        let at = &mut self.buffers.at;
        at.alpha = from.alpha * live_unit / unit;
        for (to, v) in at.velocity.iter_mut().zip(&from.velocity) {
            *to = v.map(|x| x * live_unit);
        }
        for (&(group, lane), &cone) in cones.island.slots.iter().zip(&cones.contacts) {
            let z = from.z[cone as usize];
            // Padding repeats the last contact of a group.
            for copy in lane as usize..4 {
                (0..3).for_each(|k| at.z[group as usize][k].0[copy] = z[k] / unit);
            }
        }
        let links = at.z[cones.island.groups.len()..].iter_mut();
        for (z, &cone) in links.zip(&cones.links) {
            *z = from.z[cone as usize].map(|x| Lanes::splat(x / unit));
        }
        for z in &mut at.z {
            *z = lifted(*z);
        }
        let velocity = &at.velocity;
        cones.fill(&mut at.s, |k| {
            let mut s = add3(cones.velocity(k, velocity), cones.offset[k]);
            if cones.slides(k) {
                s[0] += slip(s, factor);
            }
            lifted(s)
        });
    }

    /// Offsets of the iterate: the share of the way to them from those before.
    pub(super) fn follow(&mut self) {
        self.correct(None);
    }

    /// Offsets at the end of a step along the corrector, and what is then missing of the cones.
    pub(super) fn foresee(&mut self, step: f64) {
        self.correct(Some(step));
        let Buffers {
            at,
            offset,
            missing,
            ..
        } = &mut self.buffers;
        let (cones, at, offset) = (self.cones, &*at, &*offset);
        cones.fill(
            &mut missing.cones,
            #[inline(always)]
            |k| sub3(at.s[k], add3(cones.velocity(k, &at.velocity), offset[k])),
        );
    }

    fn correct(&mut self, step: Option<f64>) {
        let (factor, share) = (self.factor(), Lanes::splat(self.share));
        let Buffers {
            at,
            offset,
            further,
            corrector,
            ..
        } = &mut self.buffers;
        std::mem::swap(offset, further);
        let (cones, at, along, before) = (self.cones, &*at, &*corrector, &*further);
        let step = step.map(Lanes::splat);
        cones.fill(
            offset,
            #[inline(always)]
            |k| {
                let mut own = cones.offset[k];
                if cones.slides(k) {
                    let mut u = cones.velocity(k, &at.velocity);
                    if let Some(step) = step {
                        u = add3(u, scale3(cones.velocity(k, &along.velocity), step));
                    }
                    let was = before[k][0] - own[0];
                    own[0] += was + share * (slip(u, factor) - was);
                }
                own
            },
        );
    }

    /// Whether the correction lags behind.
    pub(super) fn lags(&mut self) -> bool {
        let Buffers {
            at, missing, sums, ..
        } = &mut self.buffers;
        let (cones, at, open) = (self.cones, &*at, &missing.cones);
        let [lag, left] = cones.sum(
            sums,
            #[inline(always)]
            |k| {
                let weight = cones.weight(k);
                [
                    dot3(open[k], at.z[k]).abs() * weight,
                    dot3(at.s[k], at.z[k]) * weight,
                ]
            },
        );
        lag > LAGS * left
    }
}
