//! One step: scaling, factor, predictor, correctors.

use super::super::factor::scaled;
use super::super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::super::passes::recentred;
use super::super::scaling::{Scaling, jordan, longest_step};
use super::cones::Kept;
use super::coulomb::HELD;
use super::{Buffers, Method, Point, work};
use crate::Law;

/// Fraction of the way to the boundary.
const STEP_FRACTION: f64 = 0.99;
/// Gondzio's correctors: as in the step problem, but for a shorter look ahead and a wider box, since iterates begin far from balance.
const CORRECTORS: u32 = 3;
const ENOUGH: f64 = 0.9;
const LONGER: f64 = 0.3;
const WORTHWHILE: f64 = 1.1;
const BOX: [f64; 2] = [0.1, 10.0];
/// Proximal term on forces, relative to the size of a cone. Walls have many more forces than they need, and without it the stiffness
/// of joints that hold exceeds that of joints that open by all digits there are: with 1e-10 forces stay 1e-7 out of balance, with
/// 1e-6 it takes long to vanish. Refining the linear systems does not help.
const PROXIMAL: f64 = 1e-8;
/// Proximal term on velocities, relative to the diagonal of the matrix, and how far it grows where a pivot fails.
const PIVOT: f64 = 1e-12;
const LARGEST_PIVOT: f64 = 1e-8;

/// Right-hand sides of a direction.
struct Aim {
    /// Share of what is missing that the step makes up for.
    share: f64,
    /// Change of `tau kappa`.
    product: f64,
}

impl Method<'_> {
    /// One predictor-corrector step; its length, or `None` if the numbers broke down.
    pub(super) fn step(&mut self) -> Option<f64> {
        self.iterations += 1;
        self.factorise()?;
        let mean = self.buffers.missing.mean;
        let cones = self.cones;
        let at = &self.buffers.at;
        let aim = Aim {
            share: 1.0,
            product: -at.tau * at.kappa,
        };
        let reach = self.predict(&aim)?;
        let sliding = self.law == Law::Coulomb;
        if sliding {
            self.foresee(reach.min(1.0));
        }
        std::mem::swap(&mut self.buffers.predictor, &mut self.buffers.corrector);

        // Where bounds have met and forces are still out of balance, less complementarity would only make the matrix worse.
        let (centring, share) = if self.buffers.met {
            (1.0, 1.0)
        } else if sliding && self.lags() {
            (HELD, 1.0)
        } else {
            let centring = (1.0 - reach.min(1.0)).powi(3).clamp(1e-8, 1.0);
            (centring, 1.0 - centring)
        };
        let Buffers {
            at,
            scaling,
            wanted,
            predictor,
            ..
        } = &mut self.buffers;
        let centre = Lanes::splat(centring * mean);
        cones.fill(
            wanted,
            #[inline(always)]
            |k| {
                let w = &scaling[k];
                let lambda = w.lambda();
                let second = jordan(w.over(predictor.s[k]), w.times(predictor.z[k]));
                let mut d = sub3([Lanes::ZERO; 3], add3(jordan(lambda, lambda), second));
                d[0] += centre;
                d
            },
        );
        let aim = Aim {
            share,
            product: centring * mean - at.tau * at.kappa - predictor.tau * predictor.kappa,
        };
        let reach = self.towards(&aim)?;
        let reach = self.further(reach, aim, centring * mean);
        let step = (STEP_FRACTION * reach).min(1.0);
        if step.is_nan() || step <= 0.0 {
            return None;
        }
        self.advance(step);
        Some(step)
    }

    /// Gondzio's correctors, as in the step problem. The best direction ends up in the corrector; how far it leads.
    fn further(&mut self, mut reach: f64, mut aim: Aim, centre: f64) -> f64 {
        let cones = self.cones;
        for _ in 0..CORRECTORS {
            if reach > ENOUGH {
                break;
            }
            let Buffers {
                at,
                scaling,
                wanted,
                predictor,
                corrector,
                further,
                ..
            } = &mut self.buffers;
            std::mem::swap(predictor, corrector);
            let trial = (reach + LONGER).min(1.0);
            let bounds = BOX.map(|x| x * centre);
            std::mem::swap(wanted, further);
            let (before, along) = (&*further, &*predictor);
            cones.fill(
                wanted,
                #[inline(always)]
                |k| {
                    let change = recentred(&scaling[k], along.s[k], along.z[k], trial, bounds);
                    add3(before[k], change)
                },
            );
            let product = (at.tau + trial * along.tau) * (at.kappa + trial * along.kappa);
            let change = (product.clamp(bounds[0], bounds[1]) - product).max(-bounds[1]);
            aim.product += change;
            let found = self.towards(&aim);
            let gain = found.map_or(0.0, |further| further / reach);
            match found {
                Some(further) if gain >= 1.0 => reach = further,
                _ => std::mem::swap(&mut self.buffers.predictor, &mut self.buffers.corrector),
            }
            if gain < WORTHWHILE {
                break;
            }
        }
        reach
    }

    /// Moves along the corrector. The program is homogeneous: only ratios count, and the larger of `tau` and `kappa` is made one.
    fn advance(&mut self, step: f64) {
        let Buffers {
            at,
            corrector,
            reaches,
            ..
        } = &mut self.buffers;
        let (tau, kappa) = (
            at.tau + step * corrector.tau,
            at.kappa + step * corrector.kappa,
        );
        let again = 1.0 / tau.max(kappa);
        at.alpha = again * (at.alpha + step * corrector.alpha);
        at.tau = again * tau;
        at.kappa = again * kappa;
        for (v, d) in at.velocity.iter_mut().zip(&corrector.velocity) {
            (0..6).for_each(|k| v[k] = again * (v[k] + step * d[k]));
        }
        let [step, again] = [step, again].map(Lanes::splat);
        let along = &*corrector;
        self.cones.change(
            &mut at.s,
            &mut at.z,
            reaches,
            #[inline(always)]
            |k, s, z| {
                *s = scale3(add3(*s, scale3(along.s[k], step)), again);
                *z = scale3(add3(*z, scale3(along.z[k], step)), again);
                Lanes::ZERO
            },
        );
    }

    /// Scaling, factor, and the right-hand sides of `alpha` and `tau`.
    fn factorise(&mut self) -> Option<()> {
        let Buffers {
            at,
            scaling,
            parts,
            gaps,
            target,
            ..
        } = &mut self.buffers;
        let cones = self.cones;
        let proximal = Lanes::splat(PROXIMAL);
        cones.fill(
            scaling,
            #[inline(always)]
            |k| {
                let soft = proximal * cones.lightness(k);
                Scaling::new(at.s[k], at.z[k], [soft, soft])
            },
        );
        let links = cones.link_blocks(scaling);
        let add_to_edge = |edge: usize, block: &mut [[f64; 6]; 6]| links.add_to_edge(edge, block);
        let mut pivot = PIVOT;
        while !self.condensed.factorise_with(
            scaled(scaling),
            &|node, block| {
                links.add_to_node(node, block);
                for part in [0..3, 3..6] {
                    let trace: f64 = part.clone().map(|k| block[k][k]).sum();
                    let extra = if trace > 0.0 { pivot * trace } else { 1.0 };
                    part.for_each(|k| block[k][k] += extra);
                }
            },
            &add_to_edge,
        ) {
            pivot *= 10.0;
            if pivot > LARGEST_PIVOT {
                return None;
            }
        }
        if cones.closed {
            gaps.fill([0.0; 6]);
        } else {
            cones.gather(
                #[inline(always)]
                |k| Kept {
                    kept: cones.offset[k],
                    pulls: scaling[k].inverse_times(cones.offset[k]),
                },
                |_| [0.0; 6],
                parts,
                target,
                gaps,
            );
        }
        self.buffers.by_alpha.clone_from(&self.live);
        let Buffers { by_tau, gaps, .. } = &mut self.buffers;
        for ((to, dead), gap) in by_tau.iter_mut().zip(&self.dead).zip(&*gaps) {
            (0..6).for_each(|k| to[k] = dead[k] - gap[k]);
        }
        Some(())
    }

    /// The first direction after a factorisation, straight to the boundary, with what `alpha` and `tau` do to the velocities.
    fn predict(&mut self, aim: &Aim) -> Option<f64> {
        // What is wanted is -lambda o lambda, and W (lambda \ wanted) is then -s.
        self.pull(
            aim,
            #[inline(always)]
            |k, at, _, _| sub3([Lanes::ZERO; 3], at.s[k]),
        );
        let Buffers {
            by_alpha,
            by_tau,
            right,
            gaps,
            border,
            ..
        } = &mut self.buffers;
        self.condensed.solve_three([by_alpha, by_tau, right]);
        let gaps = (!self.cones.closed).then_some(&gaps[..]);
        let dead = |x: &[[f64; 6]]| work(&self.dead, x) + gaps.map_or(0.0, |gaps| work(gaps, x));
        *border = [
            [work(&self.live, by_alpha), work(&self.live, by_tau)],
            [dead(by_alpha), dead(by_tau)],
        ];
        self.finish(aim)
    }

    /// Fills the corrector with the direction that makes up for `share` of what is missing and changes complementarity as
    /// `wanted` asks; how far it leads.
    fn towards(&mut self, aim: &Aim) -> Option<f64> {
        self.pull(
            aim,
            #[inline(always)]
            |k, _, w, wanted| w.times(w.jordan_divide(wanted[k])),
        );
        self.condensed.solve(&mut self.buffers.right);
        self.finish(aim)
    }

    /// Right-hand side of the velocities; `change` is what complementarity asks of `s` while `z` stays.
    #[inline(always)]
    fn pull(
        &mut self,
        aim: &Aim,
        change: impl Fn(usize, &Point, &Scaling, &[Triple]) -> Triple + Sync,
    ) {
        let cones = self.cones;
        let Buffers {
            at,
            missing,
            scaling,
            target,
            wanted,
            parts,
            right,
            ..
        } = &mut self.buffers;
        let share = Lanes::splat(aim.share);
        let (at, wanted, open) = (&*at, &*wanted, &missing.cones);
        cones.gather(
            #[inline(always)]
            |k| {
                let w = &scaling[k];
                let target = add3(scale3(open[k], share), change(k, at, w, wanted));
                Kept {
                    kept: target,
                    pulls: w.inverse_times(target),
                }
            },
            |b| missing.balance[b].map(|x| aim.share * x),
            parts,
            target,
            right,
        );
    }

    /// The direction from the solution for its right-hand side.
    fn finish(&mut self, aim: &Aim) -> Option<f64> {
        let cones = self.cones;
        let Buffers {
            at,
            missing,
            scaling,
            target,
            right,
            by_alpha,
            by_tau,
            gaps,
            border,
            corrector,
            sums,
            ..
        } = &mut self.buffers;
        // The two equations that are left for alpha and tau.
        let [pushed, stiff] = if cones.closed {
            [0.0; 2]
        } else {
            cones.sum(
                sums,
                #[inline(always)]
                |k| {
                    let by = scaling[k].inverse_times(cones.offset[k]);
                    let weight = cones.weight(k);
                    [
                        dot3(by, target[k]) * weight,
                        dot3(by, cones.offset[k]) * weight,
                    ]
                },
            )
        };
        let mut dead = work(&self.dead, right);
        if !cones.closed {
            dead += work(gaps, right);
        }
        let [[live_alpha, live_tau], [dead_alpha, dead_tau]] = *border;
        let first = [
            live_alpha,
            live_tau - 1.0,
            -aim.share * missing.normalisation - work(&self.live, right),
        ];
        let second = [
            dead_alpha + 1.0,
            dead_tau + at.kappa / at.tau + stiff,
            aim.share * missing.gap + aim.product / at.tau + pushed - dead,
        ];
        let [alpha, tau] = match self.law {
            Law::Associated => {
                let determinant = first[0] * second[1] - first[1] * second[0];
                [
                    (first[2] * second[1] - first[1] * second[2]) / determinant,
                    (first[0] * second[2] - first[2] * second[0]) / determinant,
                ]
            }
            // The scale is given, and the second equation follows from the others.
            Law::Coulomb => [first[2] / first[0], 0.0],
        };
        for ((to, one), (a, t)) in corrector
            .velocity
            .iter_mut()
            .zip(&*right)
            .zip(by_alpha.iter().zip(&*by_tau))
        {
            (0..6).for_each(|k| to[k] = one[k] + alpha * a[k] + tau * t[k]);
        }
        corrector.alpha = alpha;
        corrector.tau = tau;
        corrector.kappa = match self.law {
            Law::Associated => (aim.product - at.kappa * tau) / at.tau,
            Law::Coulomb => 0.0,
        };

        let mut reach = self.complete(aim);
        let Buffers { at, corrector, .. } = &self.buffers;
        for (x, d) in [(at.tau, corrector.tau), (at.kappa, corrector.kappa)] {
            if d < 0.0 {
                reach = reach.min(-x / d);
            }
        }
        let Point { alpha, tau, .. } = *corrector;
        let finite = alpha.is_finite()
            && tau.is_finite()
            && corrector.velocity.iter().flatten().all(|x| x.is_finite());
        (finite && !reach.is_nan()).then_some(reach)
    }

    /// Cone variables of a direction whose velocities, `alpha` and `tau` are known; how far it stays in the cones.
    fn complete(&mut self, aim: &Aim) -> f64 {
        let cones = self.cones;
        let Buffers {
            at,
            scaling,
            target,
            missing,
            corrector,
            reaches,
            ..
        } = &mut self.buffers;
        let Point {
            velocity,
            s,
            z,
            tau,
            ..
        } = corrector;
        let velocity = &*velocity;
        let [share, tau, proximal] = [aim.share, *tau, PROXIMAL].map(Lanes::splat);
        let nearest = cones.change(
            s,
            z,
            reaches,
            #[inline(always)]
            |k, s, z| {
                let own = cones.velocity(k, velocity);
                let moved = add3(own, scale3(cones.offset[k], tau));
                *z = scaling[k].inverse_times(sub3(target[k], moved));
                let extra = scale3(*z, proximal * cones.lightness(k));
                *s = sub3(add3(moved, extra), scale3(missing.cones[k], share));
                -longest_step(at.s[k], *s).min(longest_step(at.z[k], *z))
            },
        );
        -nearest
    }
}
