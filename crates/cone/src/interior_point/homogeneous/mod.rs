//! The limit problem by a homogeneous interior-point method, condensed to the bodies.
//!
//! With a scale `tau` and its partner `kappa`, the pair of problems and their certificates become one:
//!
//! 1. `A' z + alpha f_L + tau f_D = 0`
//! 2. `s = A V + tau g`
//! 3. `f_L' V = tau`
//! 4. `kappa = f_D' V + alpha - g' z`
//! 5. `s o z = 0` in the Lorentz cones, `tau kappa = 0`, neither negative
//!
//! Where `tau > 0`, everything over `tau` solves the problem. Where `kappa > 0` instead, there is no solution: either `z` over
//! `alpha` balances the live loads alone, or dead loads do work on `V` and live ones none.
//!
//! Newton's method in Nesterov-Todd scaling eliminates `ds` and `dz` cone by cone as in the step problem and leaves `K dV = b` with
//! `K = A' G A`, no inertia in it, bordered by `alpha` and `tau`: two more right-hand sides per factorisation.
//!
//! The same method finds limits under Coulomb's law, see [`coulomb`].

mod cones;
mod coulomb;
mod direction;

use super::analyses::Analyses;
use super::chunks::in_pool;
use super::factor::{Condensed, Matrix};
use super::island::IslandData;
use super::lanes::{Lanes, Triple, add3, dot3, scale3, sub3};
use super::passes::Parts;
use super::scaling::Scaling;
use crate::Law;
use crate::limit::program::Program;
use crate::limit::{Answer, LimitProblem, LimitSettings, LimitStatus};
use crate::residual::worse;
use cones::{Cones, Kept, links};
use coulomb::{AIMED, GIVES_UP, LEAST_SHARE};

/// An iteration that does not reduce the excess to this share has gained nothing; after so many of these an answer that misses the
/// tolerance by less than the factor is good enough, for it is as good as the numbers allow.
const GAIN: f64 = 0.95;
const PATIENCE: u32 = 8;
const GOOD: f64 = 8.0;
/// The bounds have met when they differ by less than this many tolerances.
const MET: f64 = 0.1;
/// Bodies lighter than the mean by more than one over this count more: their balance is judged by their own load too. No body counts for more
/// than the second number, since digits end there.
const LIGHT: [f64; 2] = [1e-5, 1e4];
/// A certificate that uses gaps must gain at least this part of the largest force times the widest gap.
const GAINED: f64 = 1e-4;
/// Steps shorter than this three times in a row are no progress.
const SHORTEST_STEP: f64 = 1e-5;

/// Iterate or direction.
#[derive(Debug, Clone, Default)]
struct Point {
    velocity: Vec<[f64; 6]>,
    s: Vec<Triple>,
    z: Vec<Triple>,
    alpha: f64,
    tau: f64,
    kappa: f64,
}

/// What is missing in equations 1 to 4, and complementarity.
#[derive(Debug, Clone, Default)]
struct Missing {
    /// `A' z + alpha f_L + tau f_D`.
    balance: Vec<[f64; 6]>,
    /// `s - A V - tau g`.
    cones: Vec<Triple>,
    /// `f_L' V - tau`.
    normalisation: f64,
    /// `kappa - f_D' V - alpha + g' z`.
    gap: f64,
    /// `s' z + tau kappa` over the number of cones and one.
    mean: f64,
    /// Works of dead and live loads, and `g' z`.
    dead_work: f64,
    live_work: f64,
    against_gaps: f64,
}

/// Solves a valid problem: under the associated law or, from the limit under that, under Coulomb's.
pub(crate) fn solve(
    problem: &LimitProblem,
    program: &Program,
    from: Option<&Answer>,
    settings: &LimitSettings,
) -> Answer {
    let law = if from.is_some() {
        Law::Coulomb
    } else {
        Law::Associated
    };
    let unit = program.unit_force();
    let (links, pairs) = links(program);
    let is_link = |k: u32| links.binary_search(&k).is_ok();
    let contacts: Vec<u32> = (0..problem.contacts.len() as u32)
        .filter(|&k| !is_link(k))
        .collect();
    let mut step = problem.as_step(&program.radii);
    step.contacts = contacts
        .iter()
        .map(|&k| problem.contacts[k as usize])
        .collect();
    step.contacts.iter_mut().for_each(|c| {
        c.offset = [0.0; 3];
        c.compliance = [0.0; 2];
    });
    let mut island = IslandData::default();
    island.fill_linked(&step, &pairs);
    // No inertia: what is left of it is the scale of proximal terms.
    island.mass.iter_mut().for_each(|m| *m = 0.0);
    island.rotational.iter_mut().for_each(|j| *j = [0.0; 9]);
    // Live loads do unit work on velocities of about one.
    let all: f64 = program
        .live
        .iter()
        .zip(&program.radii)
        .map(|(f, r)| size(f, *r))
        .sum();
    let live_unit = if all > 0.0 { all } else { unit };
    let cones = Cones::new(program, &island, links, contacts, &pairs, live_unit);
    let mut analyses = Analyses::default();
    let mut matrix = Matrix::default();
    let mut method = None;
    if let Some((symbolic, _)) = analyses.of(&island)
        && let Some(mut condensed) = Condensed::new(symbolic, &island, &mut matrix)
        && condensed.fit_three().is_some()
    {
        let scaled = |loads: &[[f64; 6]], unit: f64| -> Vec<[f64; 6]> {
            loads.iter().map(|f| f.map(|x| x / unit)).collect()
        };
        method = Some(Method {
            dead: scaled(&program.dead, unit),
            live: scaled(&program.live, live_unit),
            units: [unit, live_unit],
            buffers: Buffers::new(&cones, program.nodes(), law),
            law,
            lowered: 0,
            share: 1.0,
            radii: &program.radii,
            counts: counts(program, unit),
            bodies: program.bodies.max(1),
            cones: &cones,
            condensed,
            settings,
            iterations: 0,
        });
    }
    let Some(mut method) = method else {
        return nothing(program);
    };
    in_pool(&island.chunks, || {
        if let Some(from) = from {
            method.begin(from);
        }
        method.run();
    });
    method.answer(program)
}

fn counts(program: &Program, unit: f64) -> Vec<f64> {
    let [from, most] = LIGHT;
    let nodes = program.dead.iter().zip(&program.radii).enumerate();
    nodes
        .map(|(node, (dead, &radius))| match size(dead, radius) {
            own if own > 0.0 && node < program.bodies => (from * unit / own).clamp(1.0, most),
            _ => 1.0,
        })
        .collect()
}

fn nothing(program: &Program) -> Answer {
    Answer {
        status: LimitStatus::Inaccurate,
        velocity: vec![[0.0; 6]; program.nodes()],
        z: vec![[0.0; 3]; program.cones.len()],
        alpha: 0.0,
        iterations: 0,
    }
}

struct Method<'a> {
    cones: &'a Cones<'a>,
    radii: &'a [f64],
    /// How much a force out of balance counts, per node.
    counts: Vec<f64>,
    bodies: usize,
    dead: Vec<[f64; 6]>,
    live: Vec<[f64; 6]>,
    /// Of dead and of live loads, N.
    units: [f64; 2],
    condensed: Condensed<'a>,
    settings: &'a LimitSettings,
    law: Law,
    /// Iterations in which the correction has come down.
    lowered: u32,
    /// Share of the way to the next correction that is taken.
    share: f64,
    buffers: Buffers,
    iterations: u32,
}

struct Buffers {
    at: Point,
    best: Point,
    missing: Missing,
    scaling: Vec<Scaling>,
    target: Vec<Triple>,
    wanted: Vec<Triple>,
    further: Vec<Triple>,
    predictor: Point,
    corrector: Point,
    /// `K^-1 f_L` and `K^-1 (f_D - A' G g)`, and `A' G g`.
    by_alpha: Vec<[f64; 6]>,
    by_tau: Vec<[f64; 6]>,
    gaps: Vec<[f64; 6]>,
    /// Works of live loads, and of dead ones and gaps, on these two.
    border: [[f64; 2]; 2],
    right: Vec<[f64; 6]>,
    parts: Parts,
    sums: Vec<[f64; 2]>,
    extremes: Vec<[f64; 1]>,
    reaches: Vec<f64>,
    /// Offset of every cone: its own and, under Coulomb's law, the correction.
    offset: Vec<Triple>,
    /// The bounds have met.
    met: bool,
    status: LimitStatus,
}

impl Buffers {
    fn new(cones: &Cones<'_>, nodes: usize, law: Law) -> Self {
        let (axis, zero) = ([Lanes::ONE, Lanes::ZERO, Lanes::ZERO], [Lanes::ZERO; 3]);
        let none = vec![[0.0; 6]; nodes];
        let start = Point {
            velocity: none.clone(),
            s: vec![axis; cones.len()],
            z: vec![axis; cones.len()],
            alpha: 0.0,
            tau: 1.0,
            // There is a limit under Coulomb's law where there is one under the associated law: no certificate is looked for.
            kappa: match law {
                Law::Associated => 1.0,
                Law::Coulomb => 0.0,
            },
        };
        let mut parts = Parts::default();
        parts.fit(cones.island);
        Self {
            best: start.clone(),
            predictor: start.clone(),
            corrector: start.clone(),
            at: start,
            missing: Missing {
                balance: none.clone(),
                cones: vec![zero; cones.len()],
                ..Missing::default()
            },
            scaling: vec![Scaling::default(); cones.len()],
            target: vec![zero; cones.len()],
            wanted: vec![zero; cones.len()],
            further: vec![zero; cones.len()],
            by_alpha: none.clone(),
            by_tau: none.clone(),
            gaps: none.clone(),
            border: [[0.0; 2]; 2],
            right: none,
            parts,
            sums: Vec::new(),
            extremes: Vec::new(),
            reaches: Vec::new(),
            offset: cones.offset.clone(),
            met: false,
            status: LimitStatus::Inaccurate,
        }
    }
}

/// A load, or a velocity if the radius is the inverse one.
fn size(x: &[f64; 6], radius: f64) -> f64 {
    let force = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
    let moment = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
    (force + moment / (radius * radius)).sqrt()
}

fn work(a: &[[f64; 6]], b: &[[f64; 6]]) -> f64 {
    // By component, so that no addition waits for the one before.
    let mut sums = [0.0; 6];
    for (a, b) in a.iter().zip(b) {
        (0..6).for_each(|k| sums[k] += a[k] * b[k]);
    }
    sums.iter().sum()
}

impl Method<'_> {
    fn run(&mut self) {
        let mut short = 0;
        let mut least = f64::INFINITY;
        let mut idle = 0;
        let good = match self.law {
            Law::Associated => GOOD,
            Law::Coulomb => 1.0 / AIMED,
        };
        for _ in 0..self.settings.max_iterations {
            self.measure();
            let (status, excess) = match self.law {
                Law::Associated => self.verdict(),
                Law::Coulomb => (LimitStatus::Optimal, self.lower()),
            };
            let waiting = self.law == Law::Coulomb && excess.is_infinite();
            idle = if excess < GAIN * least || waiting {
                0
            } else {
                idle + 1
            };
            if self.law == Law::Coulomb && idle > 0 && idle % PATIENCE == 0 {
                self.share = (0.5 * self.share).max(LEAST_SHARE);
            }
            if self.law == Law::Coulomb && idle >= GIVES_UP {
                return;
            }
            // Freezing complementarity is for making up the balance; where it does not, it goes on down.
            self.buffers.met &= idle < 2;
            if excess < least {
                least = excess;
                self.buffers.best.clone_from(&self.buffers.at);
                self.buffers.status = status;
            }
            if excess <= 1.0 || least <= good && idle >= PATIENCE {
                return;
            }
            let Some(step) = self.step() else {
                break;
            };
            short = if step < SHORTEST_STEP { short + 1 } else { 0 };
            if short == 3 {
                break;
            }
        }
    }

    /// Fills what is missing at the iterate.
    fn measure(&mut self) {
        if self.law == Law::Coulomb {
            self.follow();
        }
        let count = self.count();
        let Buffers {
            at,
            missing,
            parts,
            sums,
            offset,
            ..
        } = &mut self.buffers;
        let offset = &*offset;
        let (cones, dead, live) = (self.cones, &self.dead, &self.live);
        let tau = Lanes::splat(at.tau);
        let Missing {
            cones: open,
            balance,
            ..
        } = missing;
        cones.gather(
            #[inline(always)]
            |k| {
                let velocity = cones.velocity(k, &at.velocity);
                let given = add3(velocity, scale3(offset[k], tau));
                Kept {
                    kept: sub3(at.s[k], given),
                    pulls: at.z[k],
                }
            },
            |b| std::array::from_fn(|k| at.alpha * live[b][k] + at.tau * dead[b][k]),
            parts,
            open,
            balance,
        );
        let [product, against] = cones.sum(
            sums,
            #[inline(always)]
            |k| {
                let weight = cones.weight(k);
                [
                    dot3(at.s[k], at.z[k]) * weight,
                    dot3(offset[k], at.z[k]) * weight,
                ]
            },
        );
        missing.dead_work = work(dead, &at.velocity);
        missing.live_work = work(live, &at.velocity);
        missing.against_gaps = against;
        missing.normalisation = missing.live_work - at.tau;
        missing.gap = at.kappa - missing.dead_work - at.alpha + against;
        missing.mean = (product + at.tau * at.kappa) / count;
    }

    fn count(&self) -> f64 {
        (self.cones.contacts.len() + self.cones.links.len()) as f64 + 1.0
    }

    /// What the iterate is nearest to, and by how many tolerances it misses it.
    fn verdict(&mut self) -> (LimitStatus, f64) {
        let tolerance = self.settings.tolerance;
        let Buffers {
            at,
            missing,
            extremes,
            sums,
            met,
            ..
        } = &mut self.buffers;
        let cones = self.cones;
        let worst = |loads: &dyn Fn(usize) -> [f64; 6]| {
            let radii = self.radii.iter().enumerate();
            radii.fold(0.0, |most, (b, &radius)| {
                worse(size(&loads(b), radius), most)
            })
        };
        let fastest = at
            .velocity
            .iter()
            .zip(self.radii)
            .fold(0.0, |most: f64, (v, &radius)| {
                most.max(size(v, 1.0 / radius))
            });
        let [open] = cones.largest(
            extremes,
            #[inline(always)]
            |k| {
                let x = missing.cones[k];
                [dot3(x, x).sqrt()]
            },
        );

        // alpha f_L / live_unit * unit, so that the multiplier is alpha unit / live_unit.
        let ratio = self.units[0] / self.units[1];
        let lower = ratio * (at.alpha - missing.against_gaps) / at.tau;
        let upper = -ratio * missing.dead_work / at.tau;
        let bodies = self.bodies as f64;
        let far = (upper - lower).abs() / lower.abs().max(ratio * bodies);
        let optimal = [
            worst(&|b| missing.balance[b].map(|x| self.counts[b] * x)) / at.tau,
            open / fastest,
            (missing.live_work / at.tau - 1.0).abs(),
            far,
        ]
        .into_iter()
        .fold(0.0, worse);

        *met = far.max((missing.live_work / at.tau - 1.0).abs()) < MET * tolerance;
        let [pressed, wide] = if cones.closed {
            [0.0; 2]
        } else {
            let most = cones.largest(
                sums,
                #[inline(always)]
                |k| [at.z[k][0], cones.offset[k][0].abs()],
            );
            most.map(|x| x.max(0.0))
        };
        // What the loads gain must be more than a rounding of what gaps take.
        let gain = at.alpha - missing.against_gaps;
        let unbounded = if gain > GAINED * pressed * wide {
            let tau = at.tau;
            let left =
                worst(&|b| std::array::from_fn(|k| missing.balance[b][k] - tau * self.dead[b][k]));
            left / (at.alpha.abs() / bodies).max(pressed)
        } else {
            f64::INFINITY
        };
        let infeasible = if missing.dead_work > 0.0 {
            let [open] = cones.largest(
                extremes,
                #[inline(always)]
                |k| {
                    let x = sub3(at.s[k], cones.velocity(k, &at.velocity));
                    [dot3(x, x).sqrt()]
                },
            );
            worse(
                open / fastest,
                (missing.live_work / missing.dead_work).abs(),
            )
        } else {
            f64::INFINITY
        };
        let mut found = (LimitStatus::Optimal, optimal);
        // Certificates count only as far as the iterate has left the solutions.
        if at.tau < at.kappa {
            for other in [
                (LimitStatus::Unbounded, unbounded),
                (LimitStatus::Infeasible, infeasible),
            ] {
                if other.1 < found.1 {
                    found = other;
                }
            }
        }
        (found.0, found.1 / tolerance)
    }

    fn answer(self, program: &Program) -> Answer {
        let [unit, live_unit] = self.units;
        let mut answer = nothing(program);
        let Buffers { best, status, .. } = self.buffers;
        let live_work = work(&self.live, &best.velocity);
        let mut gain = best.alpha;
        for (k, z) in best.z.iter().enumerate() {
            gain -= (dot3(self.cones.offset[k], *z) * self.cones.weight(k)).sum();
        }
        // Any multiple of a mechanism is one: that of unit work is wanted, not that of the iterate's scale.
        let (force, speed) = match status {
            LimitStatus::Unbounded => (live_unit / gain, 0.0),
            LimitStatus::Infeasible => (0.0, 1.0 / unit),
            _ if self.cones.closed => (unit / best.tau, 1.0 / (live_unit * live_work)),
            _ => (unit / best.tau, 1.0 / (live_unit * best.tau)),
        };
        for (to, v) in answer.velocity.iter_mut().zip(&best.velocity) {
            *to = v.map(|x| x * speed);
        }
        for (&(group, lane), &cone) in self.cones.island.slots.iter().zip(&self.cones.contacts) {
            answer.z[cone as usize] = best.z[group as usize].map(|x| x.0[lane as usize] * force);
        }
        let links = &best.z[self.cones.island.groups.len()..];
        for (z, &cone) in links.iter().zip(&self.cones.links) {
            answer.z[cone as usize] = z.map(|x| x.0[0] * force);
        }
        answer.status = status;
        answer.alpha = match status {
            LimitStatus::Unbounded => best.alpha / gain,
            LimitStatus::Infeasible => 0.0,
            _ => best.alpha / best.tau * unit / live_unit,
        };
        answer.iterations = self.iterations;
        answer
    }
}
