//! Newton's method for joints that give way.
//!
//! Where every contact has a compliance, the impulse follows from the velocity: it is the projection of `-E^-1 y`, `y = A V + c`,
//! onto the cone in the norm of `E`. What remains is to minimise a function of `V` alone, convex and once differentiable,
//!
//! `l(V) = 1/2 (V - V_f)' H (V - V_f) + sum 1/2 z' E z`, `z = z(A V + c)`,
//!
//! whose gradient is the imbalance of momentum, `H (V - V_f) - A' z`, and whose curvature is `H + A' G A` with `G = -dz/dy`: a
//! matrix of the same form as that of the interior-point method. Contacts that stick have `G = E^-1`, open ones none, sliding
//! ones that of the cone's side. Each iteration factorises once and searches along the line for the place where the slope
//! vanishes. `V` is never farther from the solution than the imbalance says, because the curvature is at least `H`.
//!
//! The method is that of SAP in Drake and of MuJoCo's Newton solver. It is good as long as contacts give way by an amount that
//! inertia notices; nearly rigid ones change between sticking and open from one iteration to the next, and the number of
//! iterations grows without bound.
//!
//! Under Coulomb's law the impulse follows from the velocity too, but is the gradient of nothing: `G` is not symmetric, and no function says
//! which way is down. Near a solution the same iteration finds it, in one to five steps where few contacts change between sticking, sliding and
//! open; far from one it may wander. So a guess has to be near, and every step, or its half or its quarter, has to leave less imbalance than there was; otherwise the method gives up, for
//! one that needs neither. With friction that is bounded by given pressures there is a convex function again ([`Friction::Held`]):
//! that is where a run under Coulomb's law begins.
//!
//! At the end contacts mostly do not change any more, and under Coulomb's law the last matrix serves once more: if a step has left a thousandth of the imbalance, another with the same factor leaves about two thousandths of the rest. It is taken whenever that is enough, and taken back if contacts have changed after all.

use super::chunks::{Groups, Pairs, PerChunk, each, in_pool};
use super::factor::Condensed;
use super::island::{Group, IslandData};
use super::lanes::{Lanes, Triple, add3, scale3, sums};
use super::passes::{Parts, gather, pull};
use super::slider::{Held, Slider};
use super::spring::Spring;
use super::{Ending, Outcome, Vectors, start};
use crate::workspace::{Spare, Workspace};
use crate::{Stats, StepProblem, Tolerances, Warm};

/// The slope at the end of a step, relative to that at its beginning, with which a search along the line is content. A
/// tighter one costs passes over the contacts and saves no iteration.
const FLAT: f64 = 0.1;
/// Evaluations of the slope in one search.
const MAX_SEARCH: usize = 30;
/// The longest step in units of Newton's. Beyond, the direction says nothing.
const LONGEST: f64 = 4.0;
/// Iterations over which the imbalance has to fall to a half; otherwise the method is taken to have stalled.
const PATIENCE: u32 = 30;
/// The tolerance measures an island as a whole, which does not see a pebble on a slab. Iterations go on until every body meets
/// it, at most this many more: convergence is quadratic at the end.
const MAX_POLISH: u32 = 4;
/// Faster than this, in units of `v_ref`, is motion.
const NEAR_REST: f64 = 0.02;
/// Without a function that has a minimum: the shortest step, in units of Newton's. After a shorter one hardly any run leads to a solution.
const SHORTEST: f64 = 0.25;
/// What a whole step has to take off the imbalance at least, as a share of it; shorter ones in proportion.
const DECREASE: f64 = 0.1;
/// A velocity that is wrong by the tolerance is an overlap that is wrong, and in the next step, divided by the compliance, a force: what is solved no better trembles for ever. So
/// what is as slow as a hundred times the tolerance is solved to this share of it.
const SHARP: f64 = 0.01;

/// What contacts that give way make of velocities, under one law of friction.
pub(super) trait Joint: Copy + Default + Send + Sync + 'static {
    /// `G` as the matrix takes it.
    type Stiffness: Copy + Default + Send + Sync;
    /// Impulses are the gradient of a convex function, so that a search along the line leads on from anywhere.
    const CONVEX: bool;

    /// `guess` is the impulse of the guess, zero if there is none.
    fn new(group: &Group, guess: Triple) -> Self;
    /// `E^-1`, across and along.
    fn stiffness(&self) -> [Lanes; 2];
    /// What it does at the velocity `y = A V + c`.
    fn respond(&self, y: Triple) -> Response<Self::Stiffness>;
    /// `z . d` and `d' G d`.
    fn along(&self, y: Triple, d: Triple) -> [Lanes; 2];
    /// Its own among the buffers of all joints.
    fn buffers(all: &mut AllBuffers) -> &mut Buffers<Self>;
    /// Makes room for the factor; `None` if there is none.
    fn fit(condensed: &mut Condensed<'_>) -> Option<()>;
    fn factorise(condensed: &mut Condensed<'_>, stiffness: &[Self::Stiffness]) -> bool;
    fn solve(condensed: &mut Condensed<'_>, x: &mut [[f64; 6]]);
}

/// A contact's answer to a velocity.
pub(super) struct Response<G> {
    pub(super) z: Triple,
    /// The function whose gradient is `-z`: of springs `1/2 z' E z`. Zero where there is none.
    pub(super) energy: Lanes,
    /// `G = -dz/dy`.
    pub(super) stiffness: G,
}

/// Whether every contact yields, so that impulses follow from velocities.
pub(crate) fn applies(problem: &StepProblem) -> bool {
    let gives_way =
        |c: &crate::Contact| c.compliance[0] > 0.0 && (c.friction == 0.0 || c.compliance[1] > 0.0);
    problem.contacts.iter().all(gives_way)
}

/// Smallest compliance of a contact in units of its Delassus diagonal: how far from rigid the stiffest joint is.
fn softness(island: &IslandData) -> f64 {
    let ratio = |group: &Group| {
        let slope = group.friction * group.friction;
        let tiny = Lanes::splat(f64::MIN_POSITIVE);
        let endless = Lanes::splat(f64::INFINITY);
        // Without friction nothing is held along the joint.
        let along = slope.where_greater(Lanes::ZERO, group.soft[1] / slope.max(tiny), endless);
        group.soft[0].min(along) / group.delassus.max(tiny)
    };
    let least = |least: Lanes, group: &Group| least.min(ratio(group));
    let start = Lanes::splat(f64::INFINITY);
    -(-island.groups.iter().fold(start, least)).largest()
}

/// What bounds friction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Friction {
    /// The pressure, with dilation: the associated law.
    Associated,
    /// The pressure of the guess, whatever it becomes.
    Held,
    /// The pressure, without dilation.
    Coulomb,
}

/// One run of the method.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewtonRun<'a> {
    pub(crate) tolerances: Tolerances,
    pub(crate) max_iterations: u32,
    pub(crate) warm: Option<Warm<'a>>,
    /// Largest imbalance of the guess, in units of `v_ref`: beyond, the run ends.
    pub(crate) farthest: f64,
    /// What every iteration may leave of that bound.
    pub(crate) slowest: f64,
    /// Compliance in units of the Delassus diagonal that every contact has to exceed.
    pub(crate) least_softness: f64,
    /// Every body meets the tolerance, not only the island as a whole.
    pub(crate) each_body: bool,
    /// Look for the exact state of rest.
    pub(crate) rest: bool,
}

/// Solves a valid problem of one island with contacts that all give way. `None` if one does not, or not enough.
pub(crate) fn solve(
    problem: &StepProblem,
    friction: Friction,
    run: &NewtonRun<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Outcome> {
    if !applies(problem) {
        return None;
    }
    workspace.vectors.island.fill(problem);
    solve_again(problem, friction, run, workspace, stats)
}

/// Solves the problem that was solved last once more, with another friction or from another guess.
pub(crate) fn solve_again(
    problem: &StepProblem,
    friction: Friction,
    run: &NewtonRun<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Outcome> {
    match friction {
        Friction::Associated => solve_under::<Spring>(problem, run, workspace, stats),
        Friction::Held => solve_under::<Held>(problem, run, workspace, stats),
        Friction::Coulomb => solve_under::<Slider>(problem, run, workspace, stats),
    }
}

fn solve_under<J: Joint>(
    problem: &StepProblem,
    run: &NewtonRun<'_>,
    workspace: &mut Workspace,
    stats: &mut Stats,
) -> Option<Outcome> {
    let Workspace { vectors, spare, .. } = workspace;
    let Vectors {
        analyses,
        island,
        matrix,
        newton,
        ..
    } = vectors;
    let buffers = J::buffers(newton);
    if softness(island) <= run.least_softness {
        return None;
    }
    let (symbolic, fresh) = analyses.of(island)?;
    stats.analyses += u32::from(fresh);
    buffers.fit(island, run.warm);
    let mut newton = Newton {
        total_mass: island.mass.iter().sum(),
        condensed: Condensed::new(symbolic, island, matrix)?,
        buffers,
    };
    J::fit(&mut newton.condensed)?;
    let solved = in_pool(&island.chunks, || newton.solve(problem, run, spare, stats));
    Some(solved)
}

/// Buffers of all joints.
#[derive(Debug, Default)]
pub(super) struct AllBuffers {
    pub(super) springs: Buffers<Spring>,
    pub(super) sliders: Buffers<Slider>,
    pub(super) held: Buffers<Held>,
}

/// The vectors of an iteration; kept from problem to problem.
#[derive(Debug, Default)]
pub(super) struct Buffers<J: Joint> {
    joints: Vec<J>,
    /// `A V + c`.
    y: Vec<Triple>,
    /// `A dV`.
    moved: Vec<Triple>,
    z: Vec<Triple>,
    stiffness: Vec<J::Stiffness>,
    velocity: Vec<[f64; 6]>,
    /// `H (V - V_f) - A' z`.
    gradient: Vec<[f64; 6]>,
    direction: Vec<[f64; 6]>,
    parts: Parts,
    /// Velocities that met the tolerance before they were polished.
    accepted: Vec<[f64; 6]>,
    /// Sums per chunk.
    sums: Vec<[f64; 2]>,
}

impl<J: Joint> Buffers<J> {
    fn fit(&mut self, island: &IslandData, warm: Option<Warm<'_>>) {
        let (groups, bodies) = (island.groups.len(), island.bodies());
        let zero = [Lanes::ZERO; 3];
        self.y.resize(groups, zero);
        self.moved.resize(groups, zero);
        self.z.clear();
        self.z.resize(groups, zero);
        if let Some(guess) = warm {
            start::impulses(island, guess.impulse, &mut self.z);
        }
        let both = island.groups.iter().zip(&self.z);
        self.joints.clear();
        self.joints.extend(both.map(|(group, z)| J::new(group, *z)));
        self.stiffness.resize(groups, J::Stiffness::default());
        self.velocity.clone_from(&island.free_velocity);
        self.gradient.resize(bodies, [0.0; 6]);
        self.direction.resize(bodies, [0.0; 6]);
        self.parts.fit(island);
        self.sums.resize(island.chunks.len(), [0.0; 2]);
    }

    /// In the order of chunks, so that threads do not change bits.
    fn total(&self) -> [f64; 2] {
        let add = |[a, b]: [f64; 2], [c, d]: &[f64; 2]| [a + c, b + d];
        self.sums.iter().fold([0.0; 2], add)
    }
}

struct Newton<'a, J: Joint> {
    condensed: Condensed<'a>,
    buffers: &'a mut Buffers<J>,
    total_mass: f64,
}

impl<J: Joint> Newton<'_, J> {
    fn solve(
        &mut self,
        problem: &StepProblem,
        run: &NewtonRun<'_>,
        spare: &mut Spare,
        stats: &mut Stats,
    ) -> Outcome {
        let island = self.condensed.island;
        self.begin(run.warm, stats);
        let ending = self.iterate(run, stats);
        let (mut velocity, mut impulse) = (spare.velocity(), spare.impulse());
        island.physical_velocity(problem, &self.buffers.velocity, &mut velocity);
        island.physical_impulse(problem, &self.buffers.z, &mut impulse);
        // At rest the impulses are those of the compression that is there; the judge decides whether they balance.
        let near_rest = run.rest && ending == Ending::Converged && self.is_slow(NEAR_REST);
        let rest_impulse = near_rest.then(|| {
            self.buffers.velocity.fill([0.0; 6]);
            self.respond();
            let mut impulse = spare.impulse();
            island.physical_impulse(problem, &self.buffers.z, &mut impulse);
            impulse
        });
        Outcome {
            velocity,
            impulse,
            ending,
            rest_impulse,
        }
    }

    /// From the velocity of the guess, from that of joints that are glued if there is none, or from free flight if that is
    /// better, as far as a function says so.
    fn begin(&mut self, warm: Option<Warm<'_>>, stats: &mut Stats) {
        let island = self.condensed.island;
        let free = if J::CONVEX { self.respond() } else { 0.0 };
        match warm {
            Some(guess) => {
                for (v, w) in self.buffers.velocity.iter_mut().zip(guess.velocity) {
                    *v = island.mask(w.map(|x| x / island.unit_speed));
                }
            }
            None => {
                stats.factorisations += 1;
                self.glue();
            }
        }
        // Not finite counts as worse.
        let worse = |value: f64| value.partial_cmp(&free).is_none_or(|x| x.is_gt());
        if J::CONVEX && worse(self.respond()) {
            self.buffers.velocity.clone_from(&island.free_velocity);
        }
    }

    /// The velocity with springs that also pull and never slide: in a structure at rest that is nearly the answer, whereas from
    /// free flight the joints of an arch close one after the other.
    fn glue(&mut self) {
        let island = self.condensed.island;
        let Buffers {
            joints,
            velocity,
            parts,
            ..
        } = &mut *self.buffers;
        let joints = &*joints;
        let glued = |k: usize| {
            let ([n, t], zero) = (joints[k].stiffness(), Lanes::ZERO);
            [n, zero, zero, t, zero, t]
        };
        if !self.condensed.factorise(glued) {
            return;
        }
        let pulled = |k: usize| {
            let ([n, t], c) = (joints[k].stiffness(), island.groups[k].offset);
            [-(c[0] * n), -(c[1] * t), -(c[2] * t)]
        };
        let start = |b: usize| island.inertia(b, &island.free_velocity[b]);
        gather(island, pulled, start, parts, velocity);
        velocity.iter_mut().for_each(|x| *x = island.mask(*x));
        self.condensed.solve(velocity);
    }

    fn iterate(&mut self, run: &NewtonRun<'_>, stats: &mut Stats) -> Ending {
        // Velocities are as exact as momentum: whoever wants them exact says so by the tolerance of cones.
        let tolerance = 0.99 * run.tolerances.momentum.min(run.tolerances.primal);
        let mut milestone = f64::INFINITY;
        let (mut since, mut polished) = (0, 0);
        // Imbalance before the last step, how much of that was taken, and whether by an old matrix.
        let (mut before, mut length, mut old) = (f64::INFINITY, 1.0, false);
        let mut farthest = run.farthest;
        for _ in 0..=run.max_iterations {
            self.respond();
            let [whole, worst] = self.imbalance();
            let enough = if J::CONVEX || !self.is_slow(tolerance / SHARP) {
                tolerance
            } else {
                SHARP * tolerance
            };
            let left = if run.each_body { worst } else { whole };
            if whole <= tolerance && (left <= enough || polished == MAX_POLISH) {
                return Ending::Converged;
            }
            let led_down = whole <= (1.0 - DECREASE * length) * before;
            if !J::CONVEX && before.is_finite() && polished == 0 && !led_down {
                if old {
                    // Contacts have changed after all: a step with a matrix of its own, from where it was.
                    self.advance(-length);
                    (before, length, old) = (f64::INFINITY, 1.0, false);
                    continue;
                }
                length *= 0.5;
                if length < SHORTEST || !whole.is_finite() {
                    break;
                }
                self.advance(-length);
                continue;
            }
            if whole <= tolerance {
                polished += 1;
                let Buffers {
                    velocity, accepted, ..
                } = &mut *self.buffers;
                accepted.clone_from(velocity);
            }
            if whole <= 0.5 * milestone {
                (milestone, since) = (whole, 0);
            } else {
                since += 1;
            }
            let far = whole > farthest;
            farthest *= run.slowest;
            if since > PATIENCE || far || !whole.is_finite() {
                break;
            }
            // A smooth step leaves `c e^2` of an imbalance `e`, and the same matrix twice that share of the rest.
            old = !J::CONVEX && before.is_finite() && 2.0 * whole / before * left <= enough;
            (before, length) = (whole, 1.0);
            if old {
                self.direct();
                self.advance(1.0);
                continue;
            }
            stats.iterations += 1;
            stats.factorisations += 1;
            if !self.step() {
                break;
            }
        }
        // What was good before polishing is good still.
        if polished > 0 {
            let Buffers {
                velocity, accepted, ..
            } = &mut *self.buffers;
            velocity.clone_from(accepted);
        }
        self.respond();
        if polished > 0 {
            Ending::Converged
        } else {
            Ending::Stalled
        }
    }

    /// Imbalance of momentum as a speed: of the whole island, and of the body that has most of it.
    fn imbalance(&self) -> [f64; 2] {
        let (mut whole, mut worst) = (0.0, 0.0_f64);
        let island = self.condensed.island;
        for (b, gradient) in self.buffers.gradient.iter().enumerate() {
            let square = island.inverse_norm(b, gradient);
            whole += square;
            worst = worst.max(square / island.mass[b]);
        }
        [(whole / self.total_mass).sqrt(), worst.sqrt()]
    }

    /// Fills `y`, `z`, `G` and the gradient at the present velocity, and returns the function to be minimised.
    fn respond(&mut self) -> f64 {
        let island = self.condensed.island;
        let Buffers {
            joints,
            y,
            z,
            stiffness,
            velocity,
            gradient,
            parts: Parts { wrenches, .. },
            sums,
            ..
        } = &mut *self.buffers;
        let (joints, velocity) = (&*joints, &*velocity);
        each(
            &island.chunks,
            (
                (Groups(y), Groups(z)),
                Groups(stiffness),
                (Pairs(wrenches), PerChunk(sums)),
            ),
            #[inline(always)]
            |chunk, ((y, z), stiffness, (wrenches, sum))| {
                let mut energy = Lanes::ZERO;
                pull(
                    island,
                    chunk,
                    wrenches.0,
                    #[inline(always)]
                    |k, group| {
                        let here = add3(group.velocity(velocity), group.offset);
                        let response = joints[k].respond(here);
                        let at = k - chunk.groups[0];
                        y.0[at] = here;
                        z.0[at] = response.z;
                        stiffness.0[at] = response.stiffness;
                        energy += response.energy * group.weight;
                        response.z
                    },
                );
                sum.0[0] = [energy.sum(), 0.0];
            },
        );
        island.gather(wrenches, &|_| [0.0; 6], gradient);
        let mut value = self.buffers.total()[0];
        for (b, gradient) in self.buffers.gradient.iter_mut().enumerate() {
            let change = change(island, b, &self.buffers.velocity[b]);
            let inertial = island.inertia(b, &change);
            value += 0.5 * dot6(&change, &inertial);
            *gradient = island.mask(std::array::from_fn(|k| inertial[k] - gradient[k]));
        }
        value
    }

    /// One step; false if the numbers broke down or the way leads nowhere.
    fn step(&mut self) -> bool {
        if !J::factorise(&mut self.condensed, &self.buffers.stiffness) {
            return false;
        }
        self.direct();
        let length = if J::CONVEX { self.search() } else { Some(1.0) };
        length.map(|length| self.advance(length)).is_some()
    }

    /// Newton's direction, by the factor that there is.
    fn direct(&mut self) {
        let Buffers {
            gradient,
            direction,
            ..
        } = &mut *self.buffers;
        for (d, g) in direction.iter_mut().zip(gradient) {
            *d = g.map(|x| -x);
        }
        J::solve(&mut self.condensed, direction);
    }

    fn advance(&mut self, length: f64) {
        let Buffers {
            velocity,
            direction,
            ..
        } = &mut *self.buffers;
        for (v, d) in velocity.iter_mut().zip(direction) {
            (0..6).for_each(|k| v[k] += length * d[k]);
        }
    }

    /// Fills what the direction moves at contacts; the slope that inertia has along it, and how that grows.
    fn along(&mut self) -> [f64; 2] {
        let island = self.condensed.island;
        let Buffers {
            moved,
            velocity,
            direction,
            ..
        } = &mut *self.buffers;
        let direction = &*direction;
        each(
            &island.chunks,
            Groups(moved),
            #[inline(always)]
            |chunk, moved| {
                for (k, moved) in (chunk.groups[0]..).zip(moved.0) {
                    *moved = island.groups[k].velocity(direction);
                }
            },
        );
        let (mut linear, mut square) = (0.0, 0.0);
        for (b, d) in direction.iter().enumerate() {
            let inertial = island.inertia(b, d);
            linear += dot6(&change(island, b, &velocity[b]), &inertial);
            square += dot6(d, &inertial);
        }
        [linear, square]
    }

    /// How far to go along the direction: where the slope, which grows along the way, vanishes. `None` if it does not lead down.
    fn search(&mut self) -> Option<f64> {
        let inertial = self.along();
        let (start, _) = self.slope(0.0, inertial);
        // Not a number is not down either.
        if start.partial_cmp(&0.0) != Some(std::cmp::Ordering::Less) {
            return None;
        }
        let enough = FLAT * -start;
        let (mut low, mut high) = (0.0, LONGEST);
        let mut at = 1.0;
        for _ in 0..MAX_SEARCH {
            let (here, curvature) = self.slope(at, inertial);
            if here.abs() <= enough {
                return Some(at);
            }
            if !here.is_finite() {
                return None;
            }
            if here < 0.0 {
                low = at;
            } else {
                high = at;
            }
            let next = at - here / curvature;
            at = if next > low && next < high {
                next
            } else {
                0.5 * (low + high)
            };
        }
        (low > 0.0).then_some(low)
    }

    /// Slope and curvature at a place along the direction; `inertial` is the part of the slope that inertia has.
    fn slope(&mut self, at: f64, inertial: [f64; 2]) -> (f64, f64) {
        let island = self.condensed.island;
        let Buffers {
            joints,
            y,
            moved,
            sums: parts,
            ..
        } = &mut *self.buffers;
        let (joints, y, moved) = (&*joints, &*y, &*moved);
        each(
            &island.chunks,
            PerChunk(parts),
            #[inline(always)]
            |chunk, part| {
                let mut sum = [Lanes::ZERO; 2];
                for k in chunk.groups[0]..chunk.groups[1] {
                    let there = add3(y[k], scale3(moved[k], Lanes::splat(at)));
                    let own = joints[k].along(there, moved[k]);
                    let weight = island.groups[k].weight;
                    sum[0] += own[0] * weight;
                    sum[1] += own[1] * weight;
                }
                part.0[0] = sums(&sum);
            },
        );
        let [push, stiff] = self.buffers.total();
        let [linear, square] = inertial;
        (linear + at * square - push, square + stiff)
    }

    /// Slower than this, in units of `v_ref`.
    fn is_slow(&self, speed: f64) -> bool {
        let bodies = self.buffers.velocity.iter().enumerate();
        let energy: f64 = bodies
            .map(|(b, v)| dot6(v, &self.condensed.island.inertia(b, v)))
            .sum();
        (energy / self.total_mass).sqrt() < speed
    }
}

/// `V - V_f` of one body.
fn change(island: &IslandData, body: usize, velocity: &[f64; 6]) -> [f64; 6] {
    std::array::from_fn(|k| velocity[k] - island.free_velocity[body][k])
}

fn dot6(a: &[f64; 6], b: &[f64; 6]) -> f64 {
    (0..6).map(|k| a[k] * b[k]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::{self, Random};

    /// Compliance relative to the Delassus diagonal, another one along than across.
    fn soft(mut p: StepProblem, ratio: f64) -> StepProblem {
        for k in 0..p.contacts.len() {
            let [normal, _] = p.delassus_diagonal(&p.contacts[k]);
            p.contacts[k].compliance = [ratio * normal, 2.4 * ratio * normal];
        }
        p
    }

    /// The slope along a line is that of the function, the gradient agrees with it, and the curvature is that of the slope.
    #[test]
    fn slopes_are_those_of_the_function() {
        let p = soft(corpus::shaken(corpus::wall(3, 3), 0.05, 4), 0.1);
        let island = IslandData::new(&p);
        let mut analyses = super::super::Analyses::default();
        let (symbolic, _) = analyses.of(&island).unwrap();
        let (mut matrix, mut buffers) = (Default::default(), Buffers::<Spring>::default());
        buffers.fit(&island, None);
        let mut newton = Newton {
            total_mass: island.mass.iter().sum(),
            condensed: Condensed::new(symbolic, &island, &mut matrix).unwrap(),
            buffers: &mut buffers,
        };
        let value = |newton: &mut Newton<'_, Spring>, by: f64, along: &[[f64; 6]]| {
            let start = newton.buffers.velocity.clone();
            for (v, d) in newton.buffers.velocity.iter_mut().zip(along) {
                (0..6).for_each(|k| v[k] += by * d[k]);
            }
            let value = newton.respond();
            newton.buffers.velocity = start;
            value
        };
        let mut random = Random::new(2);
        let along: Vec<[f64; 6]> = island
            .mass
            .iter()
            .map(|_| std::array::from_fn(|_| random.signed()))
            .collect();
        let h = 1e-5;
        let difference =
            (value(&mut newton, h, &along) - value(&mut newton, -h, &along)) / (2.0 * h);
        newton.respond();
        let slope: f64 = newton
            .buffers
            .gradient
            .iter()
            .zip(&along)
            .map(|(g, d)| dot6(g, d))
            .sum();
        // The function is once differentiable: kinks of the slope within h leave their mark.
        assert!(
            (slope - difference).abs() < 1e-4 * slope.abs(),
            "{slope} {difference}"
        );
        newton.buffers.direction.clone_from(&along);
        let inertial = newton.along();
        let (start, _) = newton.slope(0.0, inertial);
        assert!((start - slope).abs() < 1e-10 * slope.abs());
        for at in [0.1, 0.4] {
            let [low, high] = [at - h, at + h].map(|t| newton.slope(t, inertial).0);
            let (here, curvature) = newton.slope(at, inertial);
            let steeper = (high - low) / (2.0 * h);
            assert!(
                (curvature - steeper).abs() < 1e-3 * curvature,
                "{curvature} {steeper}"
            );
            let rise = value(&mut newton, at + h, &along) - value(&mut newton, at - h, &along);
            newton.respond();
            assert!(
                (here - rise / (2.0 * h)).abs() < 1e-4 * here.abs(),
                "{here} {rise}"
            );
        }
    }

    #[test]
    fn rigid_contacts_are_not_for_this_method() {
        assert!(!applies(&corpus::stack(2)));
        let mut p = soft(corpus::stack(2), 0.1);
        assert!(applies(&p));
        // A stack's contacts feel more along than across: the diagonal is the larger of both.
        let found = softness(&IslandData::new(&p));
        assert!(found > 0.02 && found <= 0.1 + 1e-12, "{found}");
        p.contacts[3].compliance[1] = 0.0;
        assert!(!applies(&p));
        p.contacts[3].friction = 0.0;
        assert!(
            applies(&p),
            "without friction nothing is held along the joint"
        );
    }

    /// A pebble between slabs a million times heavier is as exact as they are.
    #[test]
    fn light_bodies_are_solved_too() {
        let mut p = corpus::stack(3);
        p.mass[1] *= 1e-6;
        p.rotational[1].iter_mut().for_each(|x| *x *= 1e-6);
        let p = soft(p, 0.01);
        let run = NewtonRun {
            tolerances: Tolerances::default(),
            max_iterations: 60,
            warm: None,
            farthest: f64::INFINITY,
            slowest: 1.0,
            least_softness: 0.0,
            each_body: true,
            rest: false,
        };
        let (workspace, stats) = (&mut Workspace::default(), &mut Stats::default());
        let found = solve(&p, Friction::Associated, &run, workspace, stats).unwrap();
        assert_eq!(found.ending, Ending::Converged);
        let force = p.generalised_impulse(&found.impulse);
        let change: [f64; 6] =
            std::array::from_fn(|k| found.velocity[1][k] - p.free_velocity[1][k]);
        let wanted = p.inertia_times(1, &change);
        let off = (wanted[2] - force[1][2]).abs() / p.mass[1];
        assert!(off < 1e-6 * p.speed_scale, "{off}");
    }
}
