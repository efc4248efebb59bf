//! Coulomb's law inside the interior-point method.
//!
//! The correction `c = |u_T|`, in cone variables, is an unknown like the others: with `w = u + |u_T| e`, `e` the normal,
//!
//! 1. `H (V - V_f) = A' z`
//! 2. `s = w(A V + b + E z)`, `b` the offset
//! 3. `s o z = 0`, both in the Lorentz cone
//!
//! Newton's method adds `B = I + e t'` with `t = u_T / |u_T|` and leaves `(H + A' G_B B A) dV = b`, without symmetry, for the same fronts as the
//! symmetric matrix of the associated law and twice its work. (With the symmetric factor as preconditioner it takes hundreds of
//! products where many contacts slide.)
//!
//! The problem is not monotone, and where blocks are pinched between others its answers form a continuum: there the matrix is singular, the
//! central path has folds, and steps of Newton's method shrink to nothing. So the correction has a memory. It follows the slip as in
//! time, `c' = |u_T| - c`, by implicit steps of a pseudo-time `h`: `dc = kappa (|u_T| - c + t' du)`, `kappa = h / (1 + h)`, so that `B = I + kappa e t'`. With
//! `kappa = 1` that is Newton's method; with `kappa = 0` the correction is frozen and the problem convex, so that no fold stands in the way. The
//! pseudo-time is as long as the steps bear. Complementarity is not driven below what the correction will lack after the step: an iterate that is
//! far less complementary than feasible has no long steps left.

use super::chunks::{Groups, PerChunk, each, in_pool};
use super::factor::Condensed;
use super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::passes::{Point, Tilt, cone_velocity, soft_times};
use super::scaling::{Scaling, margins};
use super::{
    BOX, Buffers, CENTRING, ENOUGH, FURTHER_CORRECTORS, LONGER, STEP_FRACTION, Vectors, WORTHWHILE,
    passes, rest, start,
};
use crate::residual::worse;
use crate::workspace::Workspace;
use crate::{Stats, StepProblem, Tolerances, Warm};

/// Steps shorter than this three times in a row lead nowhere: a run that succeeds takes none, or one.
const SHORTEST_STEP: f64 = 0.01;
/// Steps at least this long are good enough for their pseudo-time; otherwise a shorter one is tried, and so on while that makes the step
/// `WORTH_LESS` times as long. Where it does not, as in the first steps from a poor guess, the correction is not to blame.
const GOOD: f64 = 0.3;
const WORTH_LESS: f64 = 2.0;
/// Complementarity is at least this many times the work that the correction will lack, while it has a memory.
const AHEAD: f64 = 3.0;
/// A velocity that is wrong by the tolerance is an overlap that is wrong, and in the next step, divided by the compliance, a force. So a structure that is solved no better than
/// to the tolerances trembles for ever, at a hundred times of them. What is as slow as that is solved to this share of the tolerances, if `MAX_POLISH` iterations do.
const SHARP: f64 = 0.01;
const MAX_POLISH: u32 = 3;
/// The pseudo-time below that of Newton's method, and how it shrinks. After a step it grows again.
const FIRST: f64 = 1.0;
const SMALLER: f64 = 0.2;
const LARGER: f64 = 8.0;
/// Beyond the longest pseudo-time is Newton's method; below the shortest the correction is as good as frozen.
const LONGEST: f64 = 1e3;
const SHORTEST: f64 = 0.05;

/// One run of the method.
pub(crate) struct SlidingRun<'a> {
    pub(crate) tolerances: Tolerances,
    pub(crate) max_iterations: u32,
    pub(crate) proximal: f64,
    pub(crate) warm: Warm<'a>,
    /// Margin that the guess is lifted to, in units of `v_ref`, if it is not in doubt.
    pub(crate) margin: f64,
    /// How many times wider than that, or than the doubt.
    pub(crate) wider: f64,
    /// Look for the exact state of rest.
    pub(crate) rest: bool,
}

/// Where a run has come in physical units, for the judge to accept or refuse.
pub(crate) struct Answer {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    /// Impulses that balance a state of rest, if the island is close to one.
    pub(crate) rest_impulse: Option<Vec<[f64; 3]>>,
}

/// `None` when memory runs out.
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
    let groups = island.groups.len();
    let mut method = Sliding {
        condensed: Condensed::new(symbolic, island, matrix)?,
        proximal: run.proximal,
        slopes: vec![Slope::default(); groups],
        cone: vec![[Lanes::ZERO; 3]; groups],
        correction: vec![Lanes::ZERO; groups],
        measures: vec![Measure::default(); island.chunks.len()],
        time: f64::INFINITY,
        factorised: false,
        best: Point::default(),
        buffers,
    };
    method.condensed.fit_general()?;
    let converged = in_pool(&island.chunks, || method.solve(run, stats));
    let at = &method.buffers.at;
    let (mut velocity, mut impulse) = (spare.velocity(), spare.impulse());
    island.physical_velocity(problem, &at.velocity, &mut velocity);
    island.physical_impulse(problem, &at.z, &mut impulse);
    let try_rest = run.rest && converged && method.factorised;
    let resting = try_rest && in_pool(&island.chunks, || method.rest(run));
    let rest_impulse = resting.then(|| {
        let mut impulse = spare.impulse();
        island.physical_impulse(problem, &method.buffers.at.z, &mut impulse);
        impulse
    });
    Some(Answer {
        velocity,
        impulse,
        rest_impulse,
    })
}

/// Derivative of the correction at four contacts.
#[derive(Debug, Clone, Copy, Default)]
struct Slope {
    /// `kappa t`.
    slip: [Lanes; 2],
    /// `kappa E t / (1 + kappa t' E G e)`: what the compliance adds to `G_B`.
    soft: Triple,
    /// `G e`.
    normal: Triple,
}

impl Slope {
    /// From `kappa t`, with the scaling and the compliance along the joint.
    #[inline(always)]
    fn new(slip: [Lanes; 2], g: &Scaling, shear: Lanes) -> Self {
        let soft = [Lanes::ZERO, shear * slip[0], shear * slip[1]];
        let normal = g.inverse_times([Lanes::ONE, Lanes::ZERO, Lanes::ZERO]);
        let part = Lanes::ONE / (Lanes::ONE + dot3(soft, normal));
        Self {
            slip,
            soft: scale3(soft, part),
            normal,
        }
    }

    /// `B x`.
    #[inline(always)]
    fn tilt(&self, x: Triple) -> Triple {
        [x[0] + self.slip[0] * x[1] + self.slip[1] * x[2], x[1], x[2]]
    }

    /// `G_B x = (W^2 + B E + delta)^-1 x`, by Sherman and Morrison's formula.
    #[inline(always)]
    fn inverse_times(&self, g: &Scaling, x: Triple) -> Triple {
        let y = g.inverse_times(x);
        sub3(y, scale3(self.normal, dot3(self.soft, y)))
    }

    /// `G_B B = G + G e q'` by its rows, with `q = (1 - soft' G e) kappa t - G soft`.
    #[inline(always)]
    fn matrix(&self, g: &Scaling) -> [Triple; 3] {
        let [xx, xy, xz, yy, yz, zz] = g.inverse_matrix();
        let whole = Lanes::ONE - dot3(self.soft, self.normal);
        let [x, y, z] = g.inverse_times(self.soft);
        let q = [-x, whole * self.slip[0] - y, whole * self.slip[1] - z];
        let n = self.normal;
        [
            add3([xx, xy, xz], scale3(q, n[0])),
            add3([xy, yy, yz], scale3(q, n[1])),
            add3([xz, yz, zz], scale3(q, n[2])),
        ]
    }
}

impl Tilt for &[Slope] {
    #[inline(always)]
    fn tilt(self, k: usize, x: Triple) -> Triple {
        self[k].tilt(x)
    }

    #[inline(always)]
    fn inverse_times(self, k: usize, scaling: &Scaling, x: Triple) -> Triple {
        self[k].inverse_times(scaling, x)
    }
}

/// What [`Sliding::measure`] finds.
#[derive(Debug, Clone, Copy, Default)]
struct Measure {
    /// Largest normal velocity into a contact, an upper bound of the distance of `w` to its cone.
    primal: f64,
    /// `sum |w . z|`.
    gap: f64,
    /// `sum s . z`.
    complementarity: f64,
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
    /// Per chunk.
    measures: Vec<Measure>,
    /// Pseudo-time of the last step.
    time: f64,
    /// Scaling, slopes and factor belong together: to the iterate before the last step and the pseudo-time that was tried last.
    factorised: bool,
    /// The best direction so far, while shorter pseudo-times are tried.
    best: Point,
}

impl Sliding<'_> {
    /// Whether it converged.
    fn solve(&mut self, run: &SlidingRun<'_>, stats: &mut Stats) -> bool {
        let island = self.condensed.island;
        let total = island.mass.iter().sum::<f64>();
        self.best.fit(island);
        start::warm(island, run.warm, run.margin, &mut self.buffers.at);
        self.measure();
        // What the impulses of the guess leave unbalanced, as a speed, says how far they have to go.
        let wrong = (self.buffers.balance(island) / total).sqrt();
        let margin = run.wider * run.margin.max(wrong);
        if margin > run.margin {
            start::warm(island, run.warm, margin, &mut self.buffers.at);
            self.measure();
        }
        let at = &mut self.buffers.at;
        for ((s, u), c) in at.s.iter_mut().zip(&self.cone).zip(&mut self.correction) {
            *c = slip(u);
            let w = [u[0] + *c, u[1], u[2]];
            let [low, _] = margins(w);
            let lift = (Lanes::splat(margin) - low).max(Lanes::ZERO);
            *s = [w[0] + lift, w[1], w[2]];
        }
        self.iterate(run, total, stats)
    }

    /// So slow that it may be at rest, and tremble.
    fn slow(&self, run: &SlidingRun<'_>) -> bool {
        let velocity = &self.buffers.at.velocity;
        SHARP * rest::speed(self.condensed.island, velocity) < run.tolerances.primal
    }

    fn rest(&mut self, run: &SlidingRun<'_>) -> bool {
        self.slow(run)
            && rest::rest(
                &mut self.condensed,
                self.buffers,
                &self.slopes[..],
                run.tolerances.momentum,
                Condensed::solve_general,
            )
    }

    fn iterate(&mut self, run: &SlidingRun<'_>, total: f64, stats: &mut Stats) -> bool {
        let island = self.condensed.island;
        let (mut short_steps, mut polished) = (0, 0);
        for _ in 0..run.max_iterations {
            let found = self.measure();
            let momentum = (self.buffers.balance(island) / total).sqrt();
            // The judge adds in another order; leave room for its rounding.
            let within = |share: f64| {
                momentum <= share * run.tolerances.momentum
                    && found.primal <= share * run.tolerances.primal
                    && found.gap <= share * run.tolerances.gap * total
            };
            if within(0.99) {
                let sharp = polished == MAX_POLISH || within(SHARP);
                if sharp || !(run.rest && self.slow(run)) {
                    return true;
                }
                polished += 1;
                let Buffers { at, accepted, .. } = &mut *self.buffers;
                accepted.copy(at);
            }
            stats.iterations += 1;
            let Some(step) = self.step(found.complementarity / island.count, stats) else {
                break;
            };
            short_steps = if step < SHORTEST_STEP {
                short_steps + 1
            } else {
                0
            };
            if short_steps == 3 {
                break;
            }
        }
        if polished > 0 {
            let Buffers { at, accepted, .. } = &mut *self.buffers;
            at.copy(accepted);
        }
        polished > 0
    }

    /// Fills `u` and the generalised impulses.
    fn measure(&mut self) -> Measure {
        let island = self.condensed.island;
        let Buffers {
            at, parts, force, ..
        } = &mut *self.buffers;
        let at = &*at;
        each(
            &island.chunks,
            (Groups(&mut self.cone), PerChunk(&mut self.measures)),
            #[inline(always)]
            |chunk, (cone, measure)| {
                let (mut primal, mut gap) = (Lanes::ZERO, Lanes::ZERO);
                let mut product = Lanes::ZERO;
                for (k, cone) in (chunk.groups[0]..).zip(cone.0) {
                    let (group, z) = (&island.groups[k], at.z[k]);
                    let u = cone_velocity(group, &at.velocity, z);
                    let length = slip(&u);
                    *cone = u;
                    primal = primal.max(-u[0]);
                    gap += ((dot3(u, z) + length * z[0]) * group.weight).abs();
                    product += dot3(at.s[k], z) * group.weight;
                }
                measure.0[0] = Measure {
                    primal: primal.largest(),
                    gap: gap.sum(),
                    complementarity: product.sum(),
                };
            },
        );
        passes::gather(island, |k| at.z[k], |_| [0.0; 6], parts, force);
        let mut all = Measure::default();
        for one in &self.measures {
            all.primal = worse(all.primal, one.primal);
            all.gap += one.gap;
            all.complementarity += one.complementarity;
        }
        all
    }

    /// Fills `w = u + (c + kappa (|u_T| - c)) e` and its slopes.
    fn couple(&mut self, share: f64) {
        let island = self.condensed.island;
        let (cone, correction) = (&self.cone, &self.correction);
        let Buffers { u: w, scaling, .. } = &mut *self.buffers;
        let scaling = &*scaling;
        each(
            &island.chunks,
            (Groups(w), Groups(&mut self.slopes)),
            #[inline(always)]
            |chunk, (w, slopes)| {
                let kappa = Lanes::splat(share);
                for (k, (w, slope)) in (chunk.groups[0]..).zip(w.0.iter_mut().zip(slopes.0)) {
                    let (u, c) = (cone[k], correction[k]);
                    let length = slip(&u);
                    let over = kappa / length.max(Lanes::splat(1e-150));
                    let shear = island.groups[k].soft[1];
                    *slope = Slope::new([u[1] * over, u[2] * over], &scaling[k], shear);
                    *w = [u[0] + c + kappa * (length - c), u[1], u[2]];
                }
            },
        );
    }

    /// One step; its length, or `None` if the numbers broke down, and then the iterate has not moved. `mean` is the complementarity of a
    /// contact.
    fn step(&mut self, mean: f64, stats: &mut Stats) -> Option<f64> {
        let island = self.condensed.island;
        let Buffers { at, scaling, .. } = &mut *self.buffers;
        passes::scale(island, at, self.proximal, scaling);
        let mut time = LARGER * self.time;
        if time > LONGEST {
            time = f64::INFINITY;
        }
        let mut best = 0.0;
        loop {
            stats.factorisations += 1;
            let reach = self.direction(share(time), mean).unwrap_or(0.0);
            let better = reach > WORTH_LESS * best;
            if better {
                (best, self.time) = (reach, time);
                self.best.copy(&self.buffers.corrector);
            }
            // A trial without a direction says nothing about the next.
            let in_vain = best > 0.0 && !better;
            if reach >= GOOD || in_vain || time < SHORTEST {
                break;
            }
            time = if time < f64::INFINITY {
                SMALLER * time
            } else {
                FIRST
            };
        }
        let step = (STEP_FRACTION * best).min(1.0);
        if step <= 0.0 {
            return None;
        }
        passes::advance(island, &mut self.buffers.at, &self.best, step);
        self.follow(step);
        Some(step)
    }

    /// The correction after a step: the share of the way to the slip that there is, of which the direction knew the linear part.
    fn follow(&mut self, step: f64) {
        let (island, at, share) = (self.condensed.island, &self.buffers.at, share(self.time));
        // Without a memory the correction is what it should be, not almost.
        let followed = if share < 1.0 { step * share } else { 1.0 };
        each(
            &island.chunks,
            Groups(&mut self.correction),
            #[inline(always)]
            |chunk, correction| {
                for (k, c) in (chunk.groups[0]..).zip(correction.0) {
                    let u = cone_velocity(&island.groups[k], &at.velocity, at.z[k]);
                    *c += Lanes::splat(followed) * (slip(&u) - *c);
                }
            },
        );
    }

    /// Fills the corrector with the direction for a share of the correction; how far it leads. `None` if the numbers broke down.
    fn direction(&mut self, share: f64, mean: f64) -> Option<f64> {
        self.couple(share);
        let island = self.condensed.island;
        let Buffers {
            at,
            scaling,
            u,
            target,
            imbalance,
            predictor,
            parts,
            ..
        } = &mut *self.buffers;
        let (slopes, scaling) = (&self.slopes[..], &*scaling);
        if !self.condensed.factorise_general(
            #[inline(always)]
            |k| slopes[k].matrix(&scaling[k]),
        ) {
            self.factorised = false;
            return None;
        }
        self.factorised = true;
        let right = &mut predictor.velocity;
        passes::predict(
            island,
            slopes,
            scaling,
            u,
            parts,
            target,
            (imbalance, right),
        );
        self.condensed.solve_general(right);
        let reach = passes::complete(
            island,
            slopes,
            scaling,
            at,
            self.proximal,
            u,
            target,
            parts,
            predictor,
        )?;
        let step = reach.step.min(1.0);
        let along = mean + (step * reach.change[0] + step * step * reach.change[1]) / island.count;
        let ratio = (along / mean).clamp(0.0, 1.0);
        let lacking = self.lacking(share) / island.count;
        let centre = (mean * ratio.powi(CENTRING)).max((AHEAD * lacking).min(mean));
        let Buffers {
            scaling,
            wanted,
            predictor,
            ..
        } = &mut *self.buffers;
        // A predictor that leads nowhere says nothing about the curvature of the path.
        predictor
            .s
            .iter_mut()
            .for_each(|ds| *ds = scale3(*ds, Lanes::splat(step)));
        passes::correct(island, scaling, predictor, centre, wanted);
        let mut reach = self.towards_wanted()?;
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
            let further = self.towards_wanted().unwrap_or(0.0);
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

    /// Work that the correction lacks after a whole step of the predictor: `sum z_N (1 - kappa) | |u_T| - c + t' du |`.
    fn lacking(&mut self, share: f64) -> f64 {
        if share == 1.0 {
            return 0.0;
        }
        let (island, cone, correction) = (self.condensed.island, &self.cone, &self.correction);
        let Buffers {
            at,
            predictor,
            per_chunk: sums,
            ..
        } = &mut *self.buffers;
        let (at, along) = (&*at, &*predictor);
        each(
            &island.chunks,
            PerChunk(sums),
            #[inline(always)]
            |chunk, sum| {
                let mut lacking = Lanes::ZERO;
                for k in chunk.groups[0]..chunk.groups[1] {
                    let (group, u) = (&island.groups[k], cone[k]);
                    let [_, x, y] = add3(
                        group.velocity(&along.velocity),
                        soft_times(group.soft, along.z[k]),
                    );
                    let length = slip(&u);
                    let more = (u[1] * x + u[2] * y) / length.max(Lanes::splat(1e-150));
                    let lag = length - correction[k] + more;
                    lacking += (lag * at.z[k][0] * group.weight).abs();
                }
                sum.0[0] = lacking.sum();
            },
        );
        (1.0 - share) * sums.iter().sum::<f64>()
    }

    /// Fills the corrector with the direction whose complementarity changes as `wanted` asks; how far it leads, or `None` if the numbers broke
    /// down.
    fn towards_wanted(&mut self) -> Option<f64> {
        let (island, slopes) = (self.condensed.island, &self.slopes[..]);
        let Buffers {
            at,
            scaling,
            u,
            target,
            wanted,
            imbalance,
            corrector,
            parts,
            ..
        } = &mut *self.buffers;
        let right = &mut corrector.velocity;
        passes::aim(
            island,
            slopes,
            scaling,
            at,
            wanted,
            u,
            parts,
            target,
            (imbalance, right),
        );
        self.condensed.solve_general(right);
        let reach = passes::complete(
            island,
            slopes,
            scaling,
            at,
            self.proximal,
            u,
            target,
            parts,
            corrector,
        )?;
        Some(reach.step)
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
            wider: 1.0,
            rest: false,
        }
    }

    /// `G_B (W^2 + B E + delta) x = x`, and the matrix by rows is `G_B B`.
    #[test]
    fn the_slope_inverts_what_it_stands_for() {
        let lanes = |x: f64| Lanes([x, 1.3 * x, -0.4 * x, 0.7 * x]);
        let s = [
            lanes(1.0).abs() + Lanes::splat(1.5),
            lanes(0.6),
            lanes(-0.5),
        ];
        let z = [
            lanes(2.0).abs() + Lanes::splat(3.5),
            lanes(-1.1),
            lanes(0.3),
        ];
        let (press, shear, extra) = (Lanes::splat(0.2), Lanes::splat(0.35), Lanes::splat(1e-3));
        let g = Scaling::new(s, z, [press + extra, shear + extra]);
        let rigid = Scaling::new(s, z, [Lanes::ZERO; 2]);
        let slope = Slope::new([lanes(0.5), lanes(-0.3)], &g, shear);
        let x = [lanes(0.9), lanes(-1.7), lanes(0.2)];
        // W^2 of a rigid contact is the inverse of its G.
        let [xx, xy, xz, yy, yz, zz] = rigid.inverse_matrix();
        let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
        let y = rows.map(|row| dot3(row, x));
        let soft = slope.tilt(soft_times([press, shear], y));
        let image = add3(add3(x, soft), scale3(y, extra));
        let back = slope.inverse_times(&g, image);
        let tilted = slope.inverse_times(&g, slope.tilt(x));
        let by_rows = slope.matrix(&g).map(|row| dot3(row, x));
        for k in 0..3 {
            assert!((back[k] - y[k]).abs().largest() < 1e-12, "{back:?} {y:?}");
            assert!((tilted[k] - by_rows[k]).abs().largest() < 1e-12);
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
            let found = solve(&p, &run, &mut Workspace::default(), &mut stats).unwrap();
            let judged = residual_under(&p, Law::Coulomb, &found.velocity, &found.impulse);
            assert!(
                judged.within(&run.tolerances),
                "{name}: {judged:?} {stats:?}"
            );
            assert!(stats.iterations <= 30, "{name}: {stats:?}");
        }
    }
}
