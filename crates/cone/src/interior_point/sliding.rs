//! Coulomb's law inside the interior-point method.
//!
//! The correction `c = |u_T|`, in cone variables, is an unknown like the others: with `w = u + |u_T| e`, `e` the normal,
//!
//! 1. `H (V - V_f) = A' z`
//! 2. `s = w(A V + b + E z)`, `b` the offset
//! 3. `s o z = 0`, both in the Lorentz cone
//!
//! Newton's method adds `B = I + e t'` with `t = u_T / |u_T|` and leaves `(H + A' G_B B A) dV = b`, without symmetry. It is solved by
//! conjugate residuals ([`super::krylov`]) with the factor of the symmetric matrix, which is close to it but for sliding contacts. Where hundreds slide, that takes most of the
//! time; a nonsymmetric factorisation would be a second one to maintain. What the residuals leave is a velocity, which is
//! added with the impulses that the symmetric matrix gives it: momentum stays in balance and only the cone condition waits for the
//! next iteration.
//!
//! The problem is not monotone, and where blocks are pinched between others its answers form a continuum: there the matrix is singular, the
//! central path has folds, and steps of Newton's method shrink to nothing. So the correction has a memory. It follows the slip as in
//! time, `c' = |u_T| - c`, by implicit steps of a pseudo-time `h`: `dc = kappa (|u_T| - c + t' du)`, `kappa = h / (1 + h)`, so that `B = I + kappa e t'`. With
//! `kappa = 1` that is Newton's method; with `kappa = 0` the correction is frozen and the problem convex, so that no fold stands in the way. The
//! pseudo-time is as long as the steps bear; the factor of the symmetric matrix serves all of them. Complementarity is not
//! driven below what the correction still lacks.

use super::chunks::in_pool;
use super::factor::{Condensed, scaled};
use super::krylov::Krylov;
use super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::passes::Point;
use super::scaling::{Scaling, jordan, longest_step, margins};
use super::{
    BOX, Buffers, ENOUGH, FURTHER_CORRECTORS, LONGER, STEP_FRACTION, Vectors, WORTHWHILE, passes,
    start,
};
use crate::workspace::Workspace;
use crate::{Stats, StepProblem, Tolerances, Warm};

/// Steps shorter than this three times in a row lead nowhere: a run that succeeds takes none, or one.
const SHORTEST_STEP: f64 = 0.01;
/// Steps at least this long are good enough for their pseudo-time; otherwise a shorter one is tried, and kept if its step is
/// `WORTH_LESS` times as long. After a step the pseudo-time grows again.
const GOOD: f64 = 0.5;
const WORTH_LESS: f64 = 2.0;
const SMALLER: f64 = 0.2;
const LARGER: f64 = 8.0;
/// Beyond the longest pseudo-time is Newton's method; below the shortest the correction is as good as frozen.
const LONGEST: f64 = 1e4;
const SHORTEST: f64 = 0.05;
/// What conjugate residuals may leave of a velocity. With 1e-2 it saves a third of the products and loses a third of the runs.
const LEFT: f64 = 1e-4;

/// One run of the method.
pub(crate) struct SlidingRun<'a> {
    pub(crate) tolerances: Tolerances,
    pub(crate) max_iterations: u32,
    pub(crate) proximal: f64,
    pub(crate) warm: Warm<'a>,
    /// Margin that the guess is lifted to, in units of `v_ref`.
    pub(crate) margin: f64,
}

/// Velocities and impulses.
pub(crate) type Answer = (Vec<[f64; 6]>, Vec<[f64; 3]>);

/// Where a run has come, for the judge to accept or refuse. `None` when memory runs out.
pub(crate) fn solve(
    problem: &StepProblem,
    run: &SlidingRun<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Answer> {
    let Workspace { vectors, spare, .. } = workspace;
    let Vectors {
        analyses,
        island,
        matrix,
        buffers,
        ..
    } = vectors;
    island.fill(problem);
    let (symbolic, fresh) = analyses.of(island)?;
    stats.analyses += u32::from(fresh);
    buffers.fit(island);
    let mut method = Sliding {
        condensed: Condensed::new(symbolic, island, matrix)?,
        proximal: run.proximal,
        slopes: Vec::with_capacity(island.groups.len()),
        cone: vec![[Lanes::ZERO; 3]; island.groups.len()],
        correction: vec![Lanes::ZERO; island.groups.len()],
        time: f64::INFINITY,
        best: Point::default(),
        left: vec![[0.0; 6]; island.bodies()],
        krylov: Krylov::default(),
        buffers,
    };
    in_pool(&island.chunks, || method.solve(run, stats));
    let at = &method.buffers.at;
    let (mut velocity, mut impulse) = (spare.velocity(), spare.impulse());
    island.physical_velocity(problem, &at.velocity, &mut velocity);
    island.physical_impulse(problem, &at.z, &mut impulse);
    Some((velocity, impulse))
}

/// Derivative of the correction at four contacts.
struct Slope {
    /// `kappa t`.
    slip: [Lanes; 2],
    /// `E t`, and once the scaling is known `E t / (1 + t' E G e)`: what the compliance adds to `G_B`.
    soft: Triple,
}

impl Slope {
    /// `B x`.
    #[inline(always)]
    fn tilt(&self, x: Triple) -> Triple {
        [x[0] + self.slip[0] * x[1] + self.slip[1] * x[2], x[1], x[2]]
    }

    /// `G_B x = (W^2 + B E + delta)^-1 x`, by Sherman and Morrison's formula.
    #[inline(always)]
    fn inverse_times(&self, g: &Scaling, x: Triple) -> Triple {
        let y = g.inverse_times(x);
        let normal = g.inverse_times([Lanes::ONE, Lanes::ZERO, Lanes::ZERO]);
        sub3(y, scale3(normal, dot3(self.soft, y)))
    }
}

/// What [`Sliding::measure`] finds.
struct Measure {
    /// Largest normal velocity into a contact, an upper bound of the distance of `w` to its cone.
    primal: f64,
    /// `sum |w . z|`.
    gap: f64,
    /// `sum s . z`.
    complementarity: f64,
    /// `sum | |u_T| - c | z_N`.
    lacking: f64,
}

/// `kappa` of an implicit step of this pseudo-time.
fn share(time: f64) -> f64 {
    if time == f64::INFINITY {
        1.0
    } else {
        time / (1.0 + time)
    }
}

/// `|u_T|`.
#[inline(always)]
fn slip(u: &Triple) -> Lanes {
    (u[1] * u[1] + u[2] * u[2]).sqrt()
}

struct Sliding<'a> {
    condensed: Condensed<'a>,
    /// `u` of the buffers is `w` here.
    buffers: &'a mut Buffers,
    proximal: f64,
    slopes: Vec<Slope>,
    /// `u`; the buffers' `u` is what `s` should become.
    cone: Vec<Triple>,
    /// `c`.
    correction: Vec<Lanes>,
    /// Pseudo-time of the last step.
    time: f64,
    /// The best direction so far, while smaller shares are tried.
    best: Point,
    /// What conjugate residuals left of the velocity.
    left: Vec<[f64; 6]>,
    krylov: Krylov,
}

impl Sliding<'_> {
    fn solve(&mut self, run: &SlidingRun<'_>, stats: &mut Stats) {
        start::warm(
            self.condensed.island,
            run.warm,
            run.margin,
            &mut self.buffers.at,
        );
        self.best.fit(self.condensed.island);
        self.measure();
        let open = Lanes::splat(run.margin);
        let at = &mut self.buffers.at;
        for ((s, u), c) in at.s.iter_mut().zip(&self.cone).zip(&mut self.correction) {
            *c = slip(u);
            let w = [u[0] + *c, u[1], u[2]];
            let [low, _] = margins(w);
            *s = [w[0] + (open - low).max(Lanes::ZERO), w[1], w[2]];
        }
        self.iterate(run, stats);
    }

    fn iterate(&mut self, run: &SlidingRun<'_>, stats: &mut Stats) {
        let island = self.condensed.island;
        let total = island.mass.iter().sum::<f64>();
        let mut short_steps = 0;
        for _ in 0..run.max_iterations {
            let found = self.measure();
            let momentum = (self.balance() / total).sqrt();
            // The judge adds in another order; leave room for its rounding.
            let within = |x: f64, tolerance: f64| x <= 0.99 * tolerance;
            if within(momentum, run.tolerances.momentum)
                && within(found.primal, run.tolerances.primal)
                && within(found.gap / total, run.tolerances.gap)
            {
                return;
            }
            stats.iterations += 1;
            stats.factorisations += 1;
            let means = [found.complementarity, found.lacking].map(|x| x / island.count);
            let Some(step) = self.step(means) else {
                return;
            };
            short_steps = if step < SHORTEST_STEP {
                short_steps + 1
            } else {
                0
            };
            if short_steps == 3 {
                return;
            }
        }
    }

    /// Fills `u` and the generalised impulses.
    fn measure(&mut self) -> Measure {
        let (island, cone, correction) = (self.condensed.island, &mut self.cone, &self.correction);
        let Buffers {
            at, parts, force, ..
        } = &mut *self.buffers;
        let (mut primal, mut gap, mut product) = (Lanes::ZERO, Lanes::ZERO, Lanes::ZERO);
        let mut lacking = Lanes::ZERO;
        for (k, group) in island.groups.iter().enumerate() {
            let z = at.z[k];
            let [press, shear] = group.soft;
            let u = add3(
                add3(group.velocity(&at.velocity), group.offset),
                [press * z[0], shear * z[1], shear * z[2]],
            );
            let length = slip(&u);
            cone[k] = u;
            primal = primal.max(-u[0]);
            gap += ((dot3(u, z) + length * z[0]) * group.weight).abs();
            product += dot3(at.s[k], z) * group.weight;
            lacking += ((length - correction[k]) * z[0] * group.weight).abs();
        }
        passes::gather(island, |k| at.z[k], |_| [0.0; 6], parts, force);
        Measure {
            primal: primal.largest(),
            gap: gap.sum(),
            complementarity: product.sum(),
            lacking: lacking.sum(),
        }
    }

    /// Fills `w = u + (c + kappa (|u_T| - c)) e` and its slopes.
    fn couple(&mut self, share: f64) {
        let island = self.condensed.island;
        let Buffers { u: w, scaling, .. } = &mut *self.buffers;
        let kappa = Lanes::splat(share);
        self.krylov.forget();
        self.slopes.clear();
        for (k, group) in island.groups.iter().enumerate() {
            let (u, c) = (self.cone[k], self.correction[k]);
            let length = slip(&u);
            let over = kappa / length.max(Lanes::splat(1e-150));
            let slope = [u[1] * over, u[2] * over];
            w[k] = [u[0] + c + kappa * (length - c), u[1], u[2]];
            let shear = group.soft[1];
            let soft = [Lanes::ZERO, shear * slope[0], shear * slope[1]];
            let normal = scaling[k].inverse_times([Lanes::ONE, Lanes::ZERO, Lanes::ZERO]);
            let part = Lanes::ONE / (Lanes::ONE + dot3(soft, normal));
            self.slopes.push(Slope {
                slip: slope,
                soft: scale3(soft, part),
            });
        }
    }

    /// Fills the imbalance of momentum and returns its square in the norm of `H^-1`.
    fn balance(&mut self) -> f64 {
        let island = self.condensed.island;
        let Buffers {
            at,
            force,
            imbalance,
            ..
        } = &mut *self.buffers;
        let mut square = 0.0;
        for (b, imbalance) in imbalance.iter_mut().enumerate() {
            let change: [f64; 6] =
                std::array::from_fn(|k| at.velocity[b][k] - island.free_velocity[b][k]);
            let inertial = island.inertia(b, &change);
            *imbalance = island.mask(std::array::from_fn(|k| inertial[k] - force[b][k]));
            square += island.inverse_norm(b, imbalance);
        }
        square
    }

    /// One step; its length, or `None` if the numbers broke down, and then the iterate has not moved. `means` are complementarity and
    /// what the correction lacks, per contact.
    fn step(&mut self, means: [f64; 2]) -> Option<f64> {
        let island = self.condensed.island;
        let Buffers { at, scaling, .. } = &mut *self.buffers;
        passes::scale(island, at, self.proximal, scaling);
        if !self.condensed.factorise(scaled(scaling)) {
            return None;
        }
        let mut time = LARGER * self.time;
        if time > LONGEST {
            time = f64::INFINITY;
        }
        let mut best = 0.0;
        loop {
            let reach = self.direction(share(time), means).unwrap_or(0.0);
            if reach > WORTH_LESS * best {
                (best, self.time) = (reach, time);
                self.best.copy(&self.buffers.corrector);
            }
            if reach >= GOOD || time < SHORTEST {
                break;
            }
            time = SMALLER * time.min(LONGEST);
        }
        let step = (STEP_FRACTION * best).min(1.0);
        if step <= 0.0 {
            return None;
        }
        passes::advance(island, &mut self.buffers.at, &self.best, step);
        let share = share(self.time);
        let (at, followed) = (&self.buffers.at, Lanes::splat(step * share));
        for (k, c) in self.correction.iter_mut().enumerate() {
            let group = &island.groups[k];
            let shear = group.soft[1];
            let [_, t1, t2] = add3(group.velocity(&at.velocity), group.offset);
            let z = at.z[k];
            let length = slip(&[Lanes::ZERO, t1 + shear * z[1], t2 + shear * z[2]]);
            *c = if share == 1.0 {
                length
            } else {
                *c + followed * (length - *c)
            };
        }
        Some(step)
    }

    /// Fills the corrector with the direction for a share of the correction; how far it leads.
    fn direction(&mut self, share: f64, [mean, lacking]: [f64; 2]) -> Option<f64> {
        let island = self.condensed.island;
        self.couple(share);
        let Buffers {
            scaling, wanted, ..
        } = &mut *self.buffers;
        for (wanted, g) in wanted.iter_mut().zip(&*scaling) {
            let lambda = g.lambda();
            *wanted = sub3([Lanes::ZERO; 3], jordan(lambda, lambda));
        }
        let (reach, change) = self.towards_wanted()?;
        let step = reach.min(1.0);
        let along = mean + (step * change[0] + step * step * change[1]) / island.count;
        let ratio = (along / mean).clamp(0.0, 1.0);
        let least = (lacking * (1.0 - share)).min(mean);
        let centre = (mean * ratio * ratio * ratio).max(least);
        let Buffers {
            scaling,
            wanted,
            corrector,
            ..
        } = &mut *self.buffers;
        // A predictor that leads nowhere says nothing about the curvature of the path.
        corrector
            .s
            .iter_mut()
            .for_each(|ds| *ds = scale3(*ds, Lanes::splat(step)));
        passes::correct(island, scaling, corrector, centre, wanted);
        let (mut reach, _) = self.towards_wanted()?;
        for _ in 0..FURTHER_CORRECTORS {
            if reach > ENOUGH {
                break;
            }
            let Buffers {
                scaling,
                wanted,
                predictor,
                corrector,
                ..
            } = &mut *self.buffers;
            std::mem::swap(predictor, corrector);
            let trial = (reach + LONGER).min(1.0);
            let bounds = BOX.map(|x| x * centre);
            passes::recentre(island, scaling, predictor, trial, bounds, wanted);
            let further = self.towards_wanted().map_or(0.0, |(further, _)| further);
            let gain = further / reach;
            if gain >= 1.0 {
                reach = further;
            } else {
                std::mem::swap(&mut self.buffers.predictor, &mut self.buffers.corrector);
            }
            if gain < WORTHWHILE {
                break;
            }
        }
        Some(reach)
    }

    /// Fills the direction whose complementarity changes as `wanted` asks. Returns how far it leads and `sum s . dz + ds . z`
    /// with `sum ds . dz`, or `None` if the numbers broke down.
    fn towards_wanted(&mut self) -> Option<(f64, [f64; 2])> {
        let (island, slopes, left) = (self.condensed.island, &self.slopes, &mut self.left);
        let Buffers {
            at,
            scaling,
            u: w,
            target,
            wanted,
            force,
            imbalance,
            corrector: direction,
            parts,
            ..
        } = &mut *self.buffers;
        let (scaling, imbalance) = (&*scaling, &*imbalance);
        for (k, target) in target.iter_mut().enumerate() {
            let g = &scaling[k];
            let step = g.times(g.jordan_divide(wanted[k]));
            *target = add3(sub3(at.s[k], w[k]), step);
        }
        let target = &*target;
        let right = &mut direction.velocity;
        passes::gather(
            island,
            |k| slopes[k].inverse_times(&scaling[k], target[k]),
            |b| imbalance[b].map(|x| -x),
            parts,
            right,
        );
        let condensed = &mut self.condensed;
        condensed.solve(right);
        self.krylov.solve(island, right, left, LEFT, |x, out| {
            let more = |k: usize| {
                let (g, moved) = (&scaling[k], island.groups[k].velocity(x));
                let tilted = slopes[k].inverse_times(g, slopes[k].tilt(moved));
                sub3(tilted, g.inverse_times(moved))
            };
            passes::gather(island, more, |_| [0.0; 6], parts, force);
            condensed.solve(force);
            for (o, f) in out.iter_mut().zip(force.iter()) {
                (0..6).for_each(|k| o[k] += f[k]);
            }
        });
        let proximal = Lanes::splat(self.proximal);
        let mut reach = Lanes::splat(f64::INFINITY);
        let (mut linear, mut square) = (Lanes::ZERO, Lanes::ZERO);
        for (k, group) in island.groups.iter().enumerate() {
            let (g, slope) = (&scaling[k], &slopes[k]);
            let moved = group.velocity(&direction.velocity);
            let whole = slope.inverse_times(g, sub3(target[k], slope.tilt(moved)));
            let missing = group.velocity(left);
            let dz = sub3(whole, g.inverse_times(missing));
            let [press, shear] = group.soft;
            let given = add3(
                add3(moved, missing),
                [press * dz[0], shear * dz[1], shear * dz[2]],
            );
            let extra = scale3(dz, proximal * group.delassus);
            let ds = sub3(add3(slope.tilt(given), extra), sub3(at.s[k], w[k]));
            direction.z[k] = dz;
            direction.s[k] = ds;
            reach = reach
                .min(longest_step(at.s[k], ds))
                .min(longest_step(at.z[k], dz));
            linear += (dot3(at.s[k], dz) + dot3(ds, at.z[k])) * group.weight;
            square += dot3(ds, dz) * group.weight;
        }
        for (v, more) in direction.velocity.iter_mut().zip(left.iter()) {
            (0..6).for_each(|k| v[k] += more[k]);
        }
        let (reach, change) = (-(-reach).largest(), [linear.sum(), square.sum()]);
        // The sums run over all of ds and dz.
        let finite = direction.velocity.iter().flatten().all(|x| x.is_finite())
            && change.iter().all(|x| x.is_finite())
            && !reach.is_nan();
        finite.then_some((reach, change))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::residual::residual_under;
    use crate::{Law, corpus};

    fn run_from<'a>(velocity: &'a [[f64; 6]], impulse: &'a [[f64; 3]]) -> SlidingRun<'a> {
        SlidingRun {
            tolerances: Tolerances::default(),
            max_iterations: 60,
            proximal: 1e-8,
            warm: Warm { velocity, impulse },
            margin: 0.1,
        }
    }

    /// Alone and from free flight it solves sliding, sticking and impact, with and without compliance, within thirty iterations; the
    /// fixed point takes ten times as many for some.
    #[test]
    fn stands_alone_where_there_is_no_fold() {
        for (name, p) in corpus::all() {
            if ![
                "incline sliding",
                "incline sticking",
                "drop impact",
                "arch shaken",
                "planar arch shaken",
                "compliant",
                "moving ground",
            ]
            .contains(&name)
            {
                continue;
            }
            let impulse = vec![[0.0; 3]; p.contacts.len()];
            let run = run_from(&p.free_velocity, &impulse);
            let mut stats = Stats::default();
            let (v, r) = solve(&p, &run, &mut Workspace::default(), &mut stats).unwrap();
            let judged = residual_under(&p, Law::Coulomb, &v, &r);
            assert!(
                judged.within(&run.tolerances),
                "{name}: {judged:?} {stats:?}"
            );
            assert!(stats.iterations <= 30, "{name}: {stats:?}");
        }
    }
}
