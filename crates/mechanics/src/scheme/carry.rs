//! Impacts inside a step: what the old contacts do until the new one closes, equations (6.5)-(6.8).
//!
//! A step that ends with a contact closed mixes the velocities before and after the impact in the right proportion, so that
//! positions are right to second order. What it loses is the reaction of the contacts that held until the impact: the new contact
//! takes over for the whole step. The reaction is therefore carried: the smooth generalised impulse of all blocks concerned acts on them
//! for the time until the impact, before the step problem is solved. What belongs to the next kick waits for it.

use std::collections::BTreeSet;

use drystone_cone::{ProblemFault, Solution, Status, StepProblem, Warm};
use drystone_geometry::{ContactSet, FeatureId};
use serde::{Deserialize, Serialize};

use super::algebra::{add, impulse_on_bodies};
use super::impacts::{Closing, Fate, Forecast, Group, QUIET, SOLVE_EVERY, Timing, among_moving};
use crate::bodies::Bodies;

/// What impacts leave behind from step to step; empty in schemes that carry nothing.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CarryMemory {
    /// Per block.
    blocks: Vec<BlockCarry>,
    /// Contacts that closed in the last step, in order: manifold and point.
    closed: Vec<([u32; 4], FeatureId)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct BlockCarry {
    /// Force and couple of all contacts in the last smooth step, N and N m.
    smooth: [f64; 6],
    /// Their rate of change, per s; zero while unknown.
    rate: [f64; 6],
    /// What the next step still has to be given, N s and N m s.
    pending: [f64; 6],
    /// Steps since the group of the block was last struck.
    quiet: u32,
    /// Steps since a solve was made for it.
    unsolved: u32,
}

impl Default for BlockCarry {
    fn default() -> Self {
        // The start is no impact: one step makes a smooth reaction.
        Self {
            smooth: [0.0; 6],
            rate: [0.0; 6],
            pending: [0.0; 6],
            quiet: QUIET - 1,
            unsolved: SOLVE_EVERY,
        }
    }
}

impl BlockCarry {
    /// What the contacts would do in this step if nothing happened; their last smooth force is that of `since` ago, s.
    fn reaction(&self, since: f64) -> Reaction {
        Reaction {
            force: std::array::from_fn(|k| self.smooth[k] + since * self.rate[k]),
            rate: self.rate,
        }
    }
}

/// Force and couple of the contacts of a body about the beginning of a step, linear in time.
#[derive(Debug, Clone, Copy)]
struct Reaction {
    /// At the beginning, N and N m.
    force: [f64; 6],
    /// Per s.
    rate: [f64; 6],
}

impl Reaction {
    /// Impulse between two times from the beginning of the step, N s and N m s.
    fn between(&self, from: f64, to: f64) -> [f64; 6] {
        self.weighted(to - from, 0.5 * (to * to - from * from))
    }

    /// Impulse under a weight over time with this area, s, and first moment, s².
    fn weighted(&self, area: f64, moment: f64) -> [f64; 6] {
        std::array::from_fn(|k| area * self.force[k] + moment * self.rate[k])
    }
}

/// How groups of moving blocks that touch each other were treated in a step in which contacts closed among them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ImpactCounts {
    /// Groups whose last smooth reaction was carried.
    pub carried: u32,
    /// Groups struck again so soon that the reaction had to be found by a solve without the contacts that close.
    pub resolved: u32,
    /// Groups for which nothing was carried.
    pub dropped: u32,
}

impl std::ops::AddAssign for ImpactCounts {
    fn add_assign(&mut self, other: Self) {
        self.carried += other.carried;
        self.resolved += other.resolved;
        self.dropped += other.dropped;
    }
}

/// What is given to the bodies before a step problem is solved.
#[derive(Debug, Clone, Default)]
pub(crate) struct Carried {
    /// Per body, N s and N m s.
    pub impulse: Vec<[f64; 6]>,
    /// What is left for the next step, per body.
    pending: Vec<[f64; 6]>,
    /// What happened to its group, per body.
    fate: Vec<Fate>,
    /// Velocity per body if the forces of the last smooth step go on, m/s and rad/s; empty where nobody knows.
    expected: Vec<[f64; 6]>,
    /// Whether these forces are known, per body.
    known: Vec<bool>,
    /// Contacts that close in this step.
    closing: BTreeSet<usize>,
    /// How groups were treated.
    pub counts: ImpactCounts,
    /// Solver iterations that it took to find out.
    pub iterations: u32,
}

/// Solves a step problem that has only some of the contacts, given by their places in the whole one.
pub(crate) type Solve<'s> =
    dyn FnMut(&StepProblem, &[u32], Warm<'_>) -> Result<Solution, ProblemFault> + 's;

impl CarryMemory {
    fn of(&self, block: usize) -> BlockCarry {
        self.blocks.get(block).copied().unwrap_or_default()
    }

    /// Whether a block, or one that it moves with, was struck in the last step.
    pub(crate) fn struck(&self, block: usize) -> bool {
        self.of(block).quiet == 0
    }

    /// Finds contacts that close in this step, and what has to be carried. Without `solve`, groups that need one get nothing.
    pub(crate) fn plan(
        &self,
        bodies: &Bodies,
        contacts: &ContactSet,
        problem: &StepProblem,
        warm: Warm<'_>,
        timing: &Timing,
        solve: Option<&mut Solve<'_>>,
    ) -> Result<Carried, ProblemFault> {
        let count = problem.bodies();
        let memory: Vec<BlockCarry> = bodies.blocks.iter().map(|&i| self.of(i)).collect();
        let mut carried = Carried {
            impulse: memory.iter().map(|memory| memory.pending).collect(),
            ..Carried::none(count)
        };
        let mut reactions: Vec<Reaction> = memory
            .iter()
            .map(|memory| memory.reaction(2.0 * timing.lag))
            .collect();
        let forecast = Forecast {
            velocity: (0..count)
                .map(|b| {
                    if memory[b].quiet < QUIET {
                        // What loads and contacts do is not known apart; that they balance is the better guess.
                        return warm.velocity[b];
                    }
                    let smooth = reactions[b].force.map(|f| timing.span * f);
                    let impulse = add(&smooth, &carried.impulse[b]);
                    add(
                        &problem.free_velocity[b],
                        &problem.inertia_solve(b, &impulse),
                    )
                })
                .collect(),
            quiet: memory.iter().map(|memory| memory.quiet).collect(),
            pressed: warm.impulse,
            closed: &self.closed,
        };
        let closing = Closing::find(contacts, problem, &forecast, timing);
        carried.known = memory.iter().map(|memory| memory.quiet >= QUIET).collect();
        carried.expected = forecast.velocity;
        if closing.is_empty() {
            carried.over_jump(&memory, &reactions, timing);
            return Ok(carried);
        }
        carried.closing = closing.iter().map(|c| c.contact as usize).collect();

        let moving = among_moving(problem, warm.velocity, bodies, timing);
        let history = |b: u32| (memory[b as usize].quiet, memory[b as usize].unsolved);
        let mut groups = Group::struck(&moving, &closing, history, solve.is_some());
        let to_resolve = groups.iter().filter(|group| group.fate == Fate::Resolved);
        let wanted: Vec<u32> = to_resolve
            .flat_map(|group| group.island.contacts.iter().copied())
            .collect();
        if let Some(solve) = solve.filter(|_| !wanted.is_empty()) {
            let open = without_closing(&moving, &carried, wanted, warm, solve)?;
            carried.iterations = open.iterations;
            for group in groups.iter_mut().filter(|g| g.fate == Fate::Resolved) {
                let Some(found) = &open.impulses else {
                    group.fate = Fate::Dropped;
                    continue;
                };
                for b in group.island.bodies.iter().map(|&b| b as usize) {
                    reactions[b] = Reaction {
                        force: found[b].map(|p| p / timing.span),
                        rate: [0.0; 6],
                    };
                }
            }
        }
        for group in &groups {
            let fate = group.fate;
            for &b in &group.island.bodies {
                carried.fate[b as usize] = fate;
            }
            match fate {
                Fate::Carried => carried.counts.carried += 1,
                Fate::Resolved => carried.counts.resolved += 1,
                Fate::Dropped | Fate::Quiet | Fate::Jolted => carried.counts.dropped += 1,
            }
        }
        for group in &groups {
            if group.fate == Fate::Dropped {
                continue;
            }
            // This kick reaches to the middle of the step; what lies beyond it waits for the next one.
            let half = 0.5 * timing.dt;
            let (now, later) = (group.after.min(half), group.after.max(half));
            for &b in &group.island.bodies {
                let (b, reaction) = (b as usize, &reactions[b as usize]);
                let given = reaction.between(-timing.lag, now);
                carried.impulse[b] = add(&carried.impulse[b], &given);
                carried.pending[b] = reaction.between(half, later);
            }
        }
        carried.over_jump(&memory, &reactions, timing);
        Ok(carried)
    }

    /// What the next step has to know. `impulse` is that of contacts and carry on every body.
    pub(crate) fn remember(
        &mut self,
        bodies: &Bodies,
        contacts: &ContactSet,
        carried: &Carried,
        impulse: &[[f64; 6]],
        (span, since): (f64, f64),
    ) {
        self.blocks
            .resize(bodies.of_block.len(), BlockCarry::default());
        for (body, &block) in bodies.blocks.iter().enumerate() {
            let memory = &mut self.blocks[block];
            memory.quiet = match carried.fate[body] {
                Fate::Quiet => memory.quiet.saturating_add(1),
                Fate::Carried | Fate::Resolved | Fate::Dropped | Fate::Jolted => 0,
            };
            memory.unsolved = match carried.fate[body] {
                Fate::Resolved => 0,
                Fate::Quiet | Fate::Carried | Fate::Dropped | Fate::Jolted => {
                    memory.unsolved.saturating_add(1)
                }
            };
            if memory.quiet >= QUIET {
                let force = impulse[body].map(|p| p / span);
                memory.rate = if memory.quiet > QUIET && since > 0.0 {
                    std::array::from_fn(|k| (force[k] - memory.smooth[k]) / since)
                } else {
                    [0.0; 6]
                };
                memory.smooth = force;
            }
            memory.pending = carried.pending[body];
        }
        self.closed.clear();
        for manifold in &contacts.manifolds {
            for (k, point) in contacts.points_of(manifold).iter().enumerate() {
                if carried.closing.contains(&(manifold.first as usize + k)) {
                    self.closed.push((manifold.key(), point.id));
                }
            }
        }
    }
}

impl Carried {
    /// Nothing, for so many bodies.
    pub fn none(bodies: usize) -> Self {
        Self {
            impulse: vec![[0.0; 6]; bodies],
            pending: vec![[0.0; 6]; bodies],
            fate: vec![Fate::Quiet; bodies],
            ..Self::default()
        }
    }

    /// What bodies are expected to do, m/s and rad/s, and which of them go on smoothly, so that they may be; none if nobody knows.
    pub fn expectation(&self) -> Option<(&[[f64; 6]], Vec<bool>)> {
        if self.expected.is_empty() {
            return None;
        }
        let bodies = self.known.iter().zip(&self.fate);
        let smooth = bodies.map(|(&known, &fate)| known && fate == Fate::Quiet);
        Some((&self.expected, smooth.collect()))
    }

    /// A jump of the load is like an impact that strikes everywhere: the reaction to the old load goes on until then. Loads are averaged with a
    /// hat over the steps on both sides, equation (6.2), and so is the reaction, equation (6.8).
    fn over_jump(&mut self, memory: &[BlockCarry], reactions: &[Reaction], timing: &Timing) {
        let Some(after) = timing.jump else {
            return;
        };
        let (dt, before) = (timing.dt, 2.0 * timing.lag);
        // Area and first moment of the hats of this kick and the next up to the jump.
        let now = 0.5 * before + after - after * after / (2.0 * dt);
        let now_moment = after * after * (0.5 - after / (3.0 * dt)) - before * before / 6.0;
        let later = after * after / (2.0 * dt);
        let later_moment = after * after * after / (3.0 * dt);
        for (b, memory) in memory.iter().enumerate() {
            if self.fate[b] != Fate::Quiet {
                continue;
            }
            self.fate[b] = Fate::Jolted;
            if memory.quiet >= QUIET {
                let reaction = &reactions[b];
                self.impulse[b] = add(&self.impulse[b], &reaction.weighted(now, now_moment));
                self.pending[b] = reaction.weighted(later, later_moment);
            }
        }
    }

    /// Gives the impulses to the free velocities of a problem.
    pub fn apply(&self, problem: &mut StepProblem) {
        for (body, impulse) in self.impulse.iter().enumerate() {
            if *impulse != [0.0; 6] {
                let change = problem.inertia_solve(body, impulse);
                problem.free_velocity[body] = add(&problem.free_velocity[body], &change);
            }
        }
    }
}

/// A step without the contacts that close.
struct Open {
    /// On every body, N s and N m s: the reaction of the other contacts alone. `None` if the problem is not solved.
    impulses: Option<Vec<[f64; 6]>>,
    /// That it took.
    iterations: u32,
}

/// Solves a step without the contacts that close. Only the `wanted` contacts take part.
fn without_closing(
    problem: &StepProblem,
    carried: &Carried,
    mut wanted: Vec<u32>,
    warm: Warm<'_>,
    solve: &mut Solve<'_>,
) -> Result<Open, ProblemFault> {
    wanted.retain(|&c| !carried.closing.contains(&(c as usize)));
    wanted.sort_unstable();
    let mut open = StepProblem {
        contacts: wanted
            .iter()
            .map(|&c| problem.contacts[c as usize])
            .collect(),
        ..problem.clone()
    };
    carried.apply(&mut open);
    let impulse: Vec<[f64; 3]> = wanted.iter().map(|&c| warm.impulse[c as usize]).collect();
    let guess = Warm {
        velocity: warm.velocity,
        impulse: &impulse,
    };
    let solution = solve(&open, &wanted, guess)?;
    let solved = solution.status != Status::Inaccurate;
    Ok(Open {
        impulses: solved.then(|| impulse_on_bodies(&open, &solution.velocity)),
        iterations: solution.stats.iterations,
    })
}
