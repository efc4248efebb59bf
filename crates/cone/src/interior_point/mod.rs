//! The dedicated solver: a primal-dual interior-point method condensed to the bodies.
//!
//! For one island, with cone variables `s = (u_N, mu u_T)` and `z = (r_N, r_T / mu)`:
//!
//! 1. `H (V - V_f) = A' z`
//! 2. `s = A V + c + E z`
//! 3. `s o z = 0`, both in the Lorentz cone
//!
//! Newton's method on 1-2 and on 3 relaxed to the central path, in Nesterov-Todd scaling `W`, eliminates `ds` and `dz`
//! contact by contact with `G = (W^2 + E + delta)^-1` and leaves `K dV = b` with `K = H + A' G A`, six rows per body.
//! `delta` is a proximal term on the impulses, centred at the current iterate: it bounds `G` where contacts are redundant
//! and vanishes from the equations as the steps do. Each iteration: Mehrotra's predictor and corrector, then Gondzio's
//! correctors while they lengthen the step.

mod analyses;
mod chunks;
mod dense;
mod factor;
mod fronts;
pub(crate) mod homogeneous;
mod island;
mod lanes;
pub(crate) mod newton;
mod passes;
mod rest;
mod scaling;
mod slider;
pub(crate) mod sliding;
mod spring;
mod start;
mod substitution;
mod symbolic;

use crate::workspace::{Spare, Workspace};
use crate::{Stats, StepProblem, Tolerances, Warm};
use analyses::Analyses;
use chunks::in_pool;
use factor::{Condensed, Matrix, scaled};
use island::IslandData;
use lanes::{Lanes, Triple};
use passes::{Parts, Point, Reach};
use scaling::Scaling;

/// Fraction of the way to the boundary. 0.999 ends in NaN on problems with long sticking chains.
const STEP_FRACTION: f64 = 0.99;
/// Gondzio's correctors after Mehrotra's, tried while the step stays below `ENOUGH` and kept on while each gains a factor of
/// `WORTHWHILE`. Each looks `LONGER` ahead than the step reaches. Substitutions cost a tenth of a factorisation, and a church
/// about to move takes 19 iterations instead of 25.
const FURTHER_CORRECTORS: u32 = 3;
const ENOUGH: f64 = 0.9;
const WORTHWHILE: f64 = 1.1;
const LONGER: f64 = 0.5;
/// How much of what a further corrector adds is tried besides all of it: a few contacts among thousands decide how far a
/// direction leads, and they may want less of it, or more. Completing a direction, a longer pass, costs an eighth of its substitutions at 5000 blocks.
const SHARES: [f64; 2] = [0.5, 1.5];
/// Power of the predicted decrease of complementarity to which Mehrotra's rule centres. He takes 3; in large islands some of the
/// contacts end every predictor early, which says little about the rest.
const CENTRING: i32 = 4;
/// Products of `s` and `z` outside this box, in units of the target, block the way and are pulled back to it.
const BOX: [f64; 2] = [0.3, 10.0];
/// The proximal term leaves `delta dz` between `s` and `u`. Where impulses have far to go, as in a tower that begins to lean on
/// a corner, that is what keeps the velocity out of the cones, and `delta` is divided by `EASE` down to the least of the run. But
/// `1 / delta` multiplies rounding errors of velocities into those of momentum: if they show, it grows again.
const EASE: f64 = 10.0;
/// A step shorter than this three times in a row is no progress.
const SHORTEST_STEP: f64 = 1e-4;
/// The tolerances measure an island as a whole, which does not see a pebble on a slab of a hundred tonnes. Where contacts
/// differ by more than `UNEVEN`, iterations go on until the worst contact, by the mass that it feels, meets the tolerance
/// of the gap too. More than this many further iterations have not been needed at a mass ratio of 1e8.
const MAX_POLISH: u32 = 8;
const UNEVEN: f64 = 10.0;
/// Speed, in units of `v_ref`, that every feasible motion would have to exceed for the problem to count as infeasible.
const ABSURD_SPEED: f64 = 1e5;
/// What the impulses of a guess leave unbalanced, as a speed in units of `v_ref`, says how far they have to go: margins are at
/// least this share of it, and from `HOPELESS` on nothing is better than the guess.
const DOUBT: f64 = 0.3;
const HOPELESS: f64 = 0.9;

/// One run of the method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    pub(crate) tolerances: Tolerances,
    pub(crate) max_iterations: u32,
    pub(crate) proximal: f64,
    /// How far that may be eased.
    pub(crate) least_proximal: f64,
    /// Guess and the margin to lift it to.
    pub(crate) warm: Option<(Warm<'a>, f64)>,
    /// Look for the exact state of rest.
    pub(crate) rest: bool,
    /// Impulses exceed those of gravity by many orders of magnitude, and so does their rounding: balance and work count
    /// relative to them.
    pub(crate) squeezed: bool,
}

/// Why a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Residuals within tolerance.
    Converged,
    /// No motion slower than an absurd speed satisfies the constraints.
    Infeasible,
    /// Neither, within the iterations allowed.
    Stalled,
}

/// Answer of a run in physical units.
#[derive(Debug, Clone)]
pub(crate) struct Outcome {
    pub(crate) velocity: Vec<[f64; 6]>,
    pub(crate) impulse: Vec<[f64; 3]>,
    pub(crate) ending: Ending,
    /// Impulses that balance a state of rest, if the island is close to one; for the judge to accept or refuse.
    pub(crate) rest_impulse: Option<Vec<[f64; 3]>>,
}

/// What is kept from problem to problem.
#[derive(Debug, Default)]
pub(crate) struct Vectors {
    analyses: Analyses,
    island: IslandData,
    matrix: Matrix,
    buffers: Buffers,
    newton: newton::AllBuffers,
}

/// The vectors of an iteration.
#[derive(Debug, Default)]
struct Buffers {
    at: Point,
    /// An iterate that met the tolerances before it was polished.
    accepted: Point,
    scaling: Vec<Scaling>,
    u: Vec<Triple>,
    target: Vec<Triple>,
    /// Right-hand side of the equation of complementarity.
    wanted: Vec<Triple>,
    force: Vec<[f64; 6]>,
    /// `H (V - V_f) - A' z`.
    imbalance: Vec<[f64; 6]>,
    predictor: Point,
    corrector: Point,
    parts: Parts,
    /// One number per chunk: room that impulses have in their cones, or a part of a sum.
    per_chunk: Vec<f64>,
}

impl Buffers {
    fn fit(&mut self, island: &IslandData) {
        let (groups, bodies) = (island.groups.len(), island.bodies());
        let zero = [Lanes::ZERO; 3];
        self.at.fit(island);
        self.scaling.resize(groups, Scaling::default());
        self.u.resize(groups, zero);
        self.target.resize(groups, zero);
        self.wanted.resize(groups, zero);
        self.force.resize(bodies, [0.0; 6]);
        self.imbalance.resize(bodies, [0.0; 6]);
        self.predictor.fit(island);
        self.corrector.fit(island);
        self.parts.fit(island);
        self.per_chunk.resize(island.chunks.len(), 0.0);
    }

    /// Fills the imbalance of momentum and returns its square in the norm of `H^-1`.
    fn balance(&mut self, island: &IslandData) -> f64 {
        let Self {
            at,
            force,
            imbalance,
            ..
        } = self;
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
}

/// Solves a valid problem of one island with contacts. `None` only when there is no place to begin.
pub(crate) fn solve(
    problem: &StepProblem,
    run: &Run<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Outcome> {
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
    let mut method = Method {
        condensed: Condensed::new(symbolic, island, matrix)?,
        buffers,
        run,
        stats,
        proximal: run.proximal,
        held_back: 0.0,
        factorised: false,
    };
    in_pool(&island.chunks, || method.solve(problem, spare))
}

struct Method<'a> {
    condensed: Condensed<'a>,
    buffers: &'a mut Buffers,
    run: &'a Run<'a>,
    stats: &'a mut Stats,
    /// `delta`, between the least and that of the run.
    proximal: f64,
    /// What the proximal term left between `s` and `u` in the last step.
    held_back: f64,
    /// The scaling and the factor belong to the iterate before the last step.
    factorised: bool,
}

impl Method<'_> {
    fn solve(&mut self, problem: &StepProblem, spare: &mut Spare) -> Option<Outcome> {
        self.begin()?;
        let ending = self.iterate();
        let island = self.condensed.island;
        let (mut velocity, mut impulse) = (spare.velocity(), spare.impulse());
        island.physical_velocity(problem, &self.buffers.at.velocity, &mut velocity);
        island.physical_impulse(problem, &self.buffers.at.z, &mut impulse);
        let try_rest = self.run.rest && ending == Ending::Converged && self.factorised;
        let rest_impulse = (try_rest && self.rest()).then(|| {
            let mut impulse = spare.impulse();
            island.physical_impulse(problem, &self.buffers.at.z, &mut impulse);
            impulse
        });
        Some(Outcome {
            velocity,
            impulse,
            ending,
            rest_impulse,
        })
    }

    fn rest(&mut self) -> bool {
        let velocity = &self.buffers.at.velocity;
        if rest::speed(self.condensed.island, velocity) >= rest::NEAR_REST {
            return false;
        }
        rest::rest(
            &mut self.condensed,
            self.buffers,
            passes::Associated,
            self.run.tolerances.momentum,
            Condensed::solve,
        )
    }

    fn begin(&mut self) -> Option<()> {
        if let Some((guess, margin)) = self.run.warm {
            let island = self.condensed.island;
            start::warm(island, guess, margin, &mut self.buffers.at);
            let wrong = self.wrong();
            if wrong < HOPELESS {
                if DOUBT * wrong > margin {
                    start::warm(island, guess, DOUBT * wrong, &mut self.buffers.at);
                }
                return Some(());
            }
        }
        self.begin_cold(start::GLUED)?;
        let wrong = self.wrong();
        if wrong > start::TORN {
            self.begin_cold((start::GLUED / wrong).max(1.0))?;
        }
        Some(())
    }

    fn begin_cold(&mut self, stiffness: f64) -> Option<()> {
        let Buffers { at, parts, .. } = &mut *self.buffers;
        self.stats.factorisations += 1;
        start::cold(&mut self.condensed, stiffness, parts, at)
    }

    /// Imbalance of momentum at the start.
    fn wrong(&mut self) -> f64 {
        let island = self.condensed.island;
        let Buffers {
            at, parts, force, ..
        } = &mut *self.buffers;
        passes::gather(island, |k| at.z[k], |_| [0.0; 6], parts, force);
        (self.balance() / island.mass.iter().sum::<f64>()).sqrt()
    }

    fn iterate(&mut self) -> Ending {
        let island = self.condensed.island;
        let total = island.mass.iter().sum::<f64>();
        let rigid = island
            .groups
            .iter()
            .all(|g| g.soft.iter().all(|x| *x == Lanes::ZERO));
        let mut short_steps = 0;
        let uneven = self.contrast(total) > UNEVEN;
        let mut polished = 0;
        let mut accepted = false;
        let mut expected = f64::INFINITY;
        for _ in 0..self.run.max_iterations {
            let Buffers {
                at,
                parts,
                u,
                force,
                ..
            } = &mut *self.buffers;
            let measure = passes::measure(island, at, parts, u, force);
            let momentum = (self.balance() / total).sqrt();
            let tolerances = &self.run.tolerances;
            // The judge adds in another order; leave room for its rounding.
            let within = |x: f64, tolerance: f64| x <= 0.99 * tolerance;
            let slack = if self.run.squeezed {
                self.largest_impulse().max(1.0)
            } else {
                1.0
            };
            if within(momentum, slack * tolerances.momentum)
                && within(measure.primal, tolerances.primal)
                && within(measure.gap / total, slack * tolerances.gap)
            {
                let light = measure.worst_gap;
                if !uneven || polished == MAX_POLISH || within(light, slack * tolerances.gap) {
                    return Ending::Converged;
                }
                polished += 1;
                accepted = true;
                let Buffers { at, accepted, .. } = &mut *self.buffers;
                accepted.copy(at);
            }
            // For feasible V: 0 <= z . (A V + c) <= |A' z| |V| + c . z, so that |V| >= -c . z / |A' z|.
            let pull: f64 = self
                .buffers
                .force
                .iter()
                .enumerate()
                .map(|(b, f)| island.inverse_norm(b, &island.mask(*f)))
                .sum();
            if rigid && -measure.offset_work > ABSURD_SPEED * (total * pull).sqrt() {
                return Ending::Infeasible;
            }
            // The gap is that of `u`, complementarity that of `s`: what lies between is the work of the same distance.
            let open = measure.primal > tolerances.primal
                || measure.gap > slack * tolerances.gap * total
                    && measure.gap > 2.0 * measure.complementarity;
            if momentum > slack * tolerances.momentum && momentum > EASE * expected {
                self.proximal = (self.proximal * EASE).min(self.run.proximal);
            } else if open && self.held_back > 0.5 * measure.primal {
                self.proximal = (self.proximal / EASE).max(self.run.least_proximal);
            }
            let Some(step) = self.step(measure.complementarity / island.count) else {
                break;
            };
            expected = (1.0 - step) * momentum;
            if step < SHORTEST_STEP {
                short_steps += 1;
            } else {
                short_steps = 0;
            }
            if short_steps == 3 {
                break;
            }
        }
        // What was good before polishing is good still.
        if accepted {
            let Buffers { at, accepted, .. } = &mut *self.buffers;
            at.copy(accepted);
            Ending::Converged
        } else {
            Ending::Stalled
        }
    }

    /// How much lighter the lightest contact is than contacts are on the average of an island of mass `total`; below ten in
    /// structures of blocks of one kind.
    fn contrast(&self, total: f64) -> f64 {
        let island = self.condensed.island;
        let lightest = island.groups.iter().fold(Lanes::ZERO, |most, group| {
            most.max(group.delassus * group.weight)
        });
        lightest.largest() * total / island.count.max(1.0)
    }

    fn largest_impulse(&self) -> f64 {
        let z = &self.buffers.at.z;
        z.iter()
            .flatten()
            .flat_map(|x| x.0)
            .fold(0.0, |m: f64, x| m.max(x.abs()))
    }

    /// Fills the imbalance of momentum and returns its square in the norm of `H^-1`.
    fn balance(&mut self) -> f64 {
        self.buffers.balance(self.condensed.island)
    }

    /// One predictor-corrector step; its length, or `None` if the numbers broke down, and then the iterate has not moved.
    fn step(&mut self, mean: f64) -> Option<f64> {
        let (island, proximal) = (self.condensed.island, self.proximal);
        let buffers = &mut *self.buffers;
        passes::scale(island, &buffers.at, proximal, &mut buffers.scaling);
        self.stats.iterations += 1;
        self.stats.factorisations += 1;
        self.factorised = self.condensed.factorise(scaled(&buffers.scaling));
        if !self.factorised {
            return None;
        }

        let right = &mut buffers.predictor.velocity;
        passes::predict(
            island,
            passes::Associated,
            &buffers.scaling,
            &buffers.u,
            &mut buffers.parts,
            &mut buffers.target,
            (&buffers.imbalance, right),
        );
        self.condensed.solve(right);
        let reach = passes::complete(
            island,
            passes::Associated,
            &buffers.scaling,
            &buffers.at,
            proximal,
            &buffers.u,
            &buffers.target,
            &mut buffers.parts,
            &mut buffers.predictor,
        )?;
        let step = reach.step.min(1.0);
        let along = mean + (step * reach.change[0] + step * step * reach.change[1]) / island.count;
        let ratio = (along / mean).clamp(0.0, 1.0);
        let centre = mean * ratio.powi(CENTRING);

        passes::correct(
            island,
            &buffers.scaling,
            &buffers.predictor,
            centre,
            &mut buffers.wanted,
        );
        let reach = self.towards_wanted()?;
        let reach = self.further(reach, centre);
        let step = (STEP_FRACTION * reach.step).min(1.0);
        if step <= 0.0 {
            return None;
        }
        let Buffers { at, corrector, .. } = &mut *self.buffers;
        passes::advance(island, at, corrector, step);
        self.held_back = step * reach.proximal;
        Some(step)
    }

    /// Gondzio's correctors. The best direction ends up in the corrector; how far it leads.
    fn further(&mut self, mut reach: Reach, centre: f64) -> Reach {
        for _ in 0..FURTHER_CORRECTORS {
            if reach.step > ENOUGH {
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
            let trial = (reach.step + LONGER).min(1.0);
            let bounds = BOX.map(|x| x * centre);
            let island = self.condensed.island;
            passes::recentre(island, scaling, predictor, trial, bounds, wanted);
            let found = self.towards_wanted().map(|all| self.share(all));
            let gain = found.map_or(0.0, |further| further.step / reach.step);
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

    /// Takes as much of the way from the predictor to the corrector as leads furthest; `all` is how far the corrector does.
    fn share(&mut self, all: Reach) -> Reach {
        let island = self.condensed.island;
        let Buffers {
            at,
            predictor,
            corrector,
            parts,
            ..
        } = &mut *self.buffers;
        let (mut best, mut reach) = (1.0, all);
        for share in SHARES {
            let step = passes::reach_between(island, at, [predictor, corrector], share, parts);
            if step > reach.step {
                (best, reach.step) = (share, step);
            }
        }
        if best != 1.0 {
            passes::move_between(island, predictor, corrector, best);
        }
        reach
    }

    /// Fills the corrector with the direction whose complementarity changes as `wanted` asks. `None` if the numbers broke
    /// down.
    fn towards_wanted(&mut self) -> Option<Reach> {
        let (island, proximal) = (self.condensed.island, self.proximal);
        let buffers = &mut *self.buffers;
        let right = &mut buffers.corrector.velocity;
        passes::aim(
            island,
            passes::Associated,
            &buffers.scaling,
            &buffers.at,
            &buffers.wanted,
            &buffers.u,
            &mut buffers.parts,
            &mut buffers.target,
            (&buffers.imbalance, right),
        );
        self.condensed.solve(right);
        passes::complete(
            island,
            passes::Associated,
            &buffers.scaling,
            &buffers.at,
            proximal,
            &buffers.u,
            &buffers.target,
            &mut buffers.parts,
            &mut buffers.corrector,
        )
    }
}
