//! The limit problem of a configuration.

use std::collections::BTreeMap;

use drystone_cone::{
    Contact, FIXED, LimitCrushing, LimitMethod, LimitProblem, LimitSettings, LimitSolution,
    LimitStatus, StressBlocks, solve_limit_from,
};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Crushes, Pair, Watch, across_plane, relative_velocity};
use drystone_model::Model;

use super::crushing::{Closed, Crushing, CrushingJoint};
use super::loads::Loads;
use super::motion::Mechanism;
use super::ties::Ties;
use crate::statics::{MOVES, StaticsFault};

/// Answers that miss the tolerance of the solver are used if their worst residual is less than this. The curve is known to its bends, which are allowed
/// five hundred times as much.
const SHORT: f64 = 1e-5;

/// What becomes of an answer that misses the tolerance by little.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shortfall {
    /// It serves, for the next configuration corrects it; how many there are is told.
    Used,
    /// It is no answer.
    Refused,
}

/// Poses limit problems and solves them.
pub(super) struct Poser<'m> {
    pub model: &'m Model,
    pub watch: Watch<'m>,
    pub loads: Loads,
    pub crushing: Crushing,
    /// How far each block may move in a step, and within which others are watched, m.
    pub reach: Vec<f64>,
    pub solver: LimitSettings,
    /// The first multiplier of all.
    pub onset: f64,
    /// Limit problems solved.
    pub solves: u32,
    /// Answers that were used though they missed the tolerance.
    pub short: u32,
    /// The worst residual of an answer that was used.
    pub residual: f64,
}

/// Joints of a configuration that can be crushed, with what they bear.
#[derive(Debug, Default)]
struct Joints {
    keys: Vec<[u32; 4]>,
    limits: Vec<LimitCrushing>,
}

/// How a configuration was come by.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Way<'w> {
    /// It is half-way along a step that begins in this one, whose gaps count.
    pub from: Option<&'w [Pose]>,
    /// The mechanism just before. With associated friction contacts that slide also open; a contact that slid before gets this opening as a
    /// gap, so that it slides along itself. It is what gaps of earlier steps do in PGCL (section 5.2), but whatever the length of steps.
    pub before: Option<&'w Mechanism>,
}

/// The answer for one configuration.
#[derive(Debug, Clone)]
pub(super) struct Limit {
    pub status: LimitStatus,
    pub alpha: f64,
    /// Per unit of work of what is multiplied.
    pub mechanism: Mechanism,
    pub tension: Vec<f64>,
    /// Blocks that a leap takes along: those that fall where there is no equilibrium, and those that would move farther in the step than they may.
    pub leaps: Vec<usize>,
    /// Blocks that hold the structure where no multiplier moves it: those of contacts that balance what is multiplied.
    pub holds: Vec<usize>,
}

impl Poser<'_> {
    /// The limit of a configuration whose mechanism is going to be followed until what is multiplied has done `work`, J: gaps that
    /// close on the way carry, as far as blocks may move in a step. What has to move farther leaps.
    pub fn limit(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
    ) -> Result<Limit, StaticsFault> {
        let reach = self.reach.clone();
        self.limit_within(poses, ties, work, way, &reach)
    }

    /// The same where blocks that leap land: each is watched for others as far as its own size.
    pub fn limit_of_landing(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
        leaps: &[usize],
    ) -> Result<Limit, StaticsFault> {
        let mut reach = self.reach.clone();
        for &block in leaps {
            reach[block] += self.model.blocks[block].shape.size();
        }
        self.limit_within(poses, ties, work, way, &reach)
    }

    fn limit_within(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
        reach: &[f64],
    ) -> Result<Limit, StaticsFault> {
        let (set, found) = self.watch.contacts(poses, reach);
        let bodies = &self.watch.bodies;
        let crushed = self.crushing.crushed.iter();
        let closed: BTreeMap<[u32; 4], Closed> = crushed
            .filter_map(|(&key, joint)| {
                let closed = joint.closed(bodies, poses, way.from.unwrap_or(poses))?;
                Some((key, closed))
            })
            .collect();
        let across = across_plane(&self.model.free);
        let mut contacts: Vec<Contact> = Vec::with_capacity(found.len());
        let mut crushing = Joints::default();
        for manifold in &set.manifolds {
            if closed.contains_key(&manifold.key()) {
                continue;
            }
            let first = contacts.len() as u32;
            let points = set.points_of(manifold);
            let own = &found[manifold.first as usize..];
            for (point, contact) in points.iter().zip(own) {
                let mut contact = *contact;
                if let Some(from) = way.from {
                    let back = |block: u32, at: DVec3| {
                        let block = block as usize;
                        from[block].transform(poses[block].inverse_transform(at))
                    };
                    let [a, b] = [back(manifold.a, point.on_a), back(manifold.b, point.on_b)];
                    contact.offset[0] = manifold.normal.dot(b - a);
                }
                contacts.push(contact);
            }
            let pair = Pair::new(self.model, bodies, poses, manifold);
            let points: Vec<DVec3> = points.iter().map(|point| point.midpoint()).collect();
            if let Crushes::Joint(joint) = pair.crushes(across, first, &points) {
                crushing.keys.push(manifold.key());
                crushing.limits.push(joint);
            }
        }
        for (key, mut joint) in closed {
            let first = contacts.len() as u32;
            joint.limit.contacts.iter_mut().for_each(|k| *k += first);
            contacts.extend(joint.contacts);
            crushing.keys.push(key);
            crushing.limits.push(joint.limit);
        }
        for contact in &mut contacts {
            contact.offset[0] /= work;
            if let Some(before) = way.before {
                let [_, t1, t2] = relative_velocity(contact, &before.velocity);
                contact.offset[0] += contact.friction * t1.hypot(t2);
            }
        }
        let pairs: Vec<[u32; 2]> = contacts.iter().map(|contact| contact.bodies).collect();
        let problem = LimitProblem {
            free: self.model.free,
            dead: self.loads.dead(poses),
            live: self.loads.live(poses),
            contacts,
            ties: ties.posed(self.model, bodies, poses),
            crushing: crushing.limits,
            // A pushover of joints with mortar is refused.
            bonds: Vec::new(),
        };
        let mut blocks = self.crushing.blocks(&crushing.keys);
        let mut solution = self.solve(&problem, Shortfall::Used, &mut blocks)?;
        let mut offsets: Vec<f64> = problem.contacts.iter().map(|c| c.offset[0]).collect();
        if solution.status == LimitStatus::Unbounded {
            // Overlaps between what cannot give way lock everything; what little of them integration leaves is then left.
            let mut relaxed = problem;
            for contact in &mut relaxed.contacts {
                contact.offset[0] = contact.offset[0].max(0.0);
            }
            offsets.iter_mut().for_each(|gap| *gap = gap.max(0.0));
            solution = self.solve(&relaxed, Shortfall::Used, &mut blocks)?;
        }
        let (model, bodies) = (self.model, &self.watch.bodies);
        self.crushing.remember(&crushing.keys, blocks, |key| {
            let manifold = set.manifolds.iter().find(|one| one.key() == key)?;
            let pair = Pair::new(model, bodies, poses, manifold);
            Some(CrushingJoint::new(model, &pair, manifold, poses))
        });
        // The bounds are those of the multiplier less the gaps' share; the curve is of the multiplier that balances.
        let shares = offsets.iter().zip(&solution.force);
        solution.multiplier += shares.map(|(gap, force)| gap * force[0]).sum::<f64>();
        let holds = match solution.status {
            LimitStatus::Unbounded => self.holding(&pairs, &solution.force),
            LimitStatus::Optimal | LimitStatus::Infeasible | LimitStatus::Inaccurate => Vec::new(),
        };
        let mut limit = self.told(solution);
        limit.holds = holds;
        limit.leaps = self.leaps(&limit, poses, work);
        Ok(limit)
    }

    /// Blocks that move farther in a step than they may, or fall without end.
    fn leaps(&self, limit: &Limit, poses: &[Pose], work: f64) -> Vec<usize> {
        let blocks = self.model.blocks.iter().enumerate();
        match limit.status {
            LimitStatus::Optimal => blocks
                .filter(|(i, block)| {
                    work * limit.mechanism.speed(*i, block.shape.radius()) > self.reach[*i]
                })
                .map(|(i, _)| i)
                .collect(),
            LimitStatus::Infeasible => self.falling(&limit.mechanism, poses),
            LimitStatus::Unbounded | LimitStatus::Inaccurate => Vec::new(),
        }
    }

    /// Blocks whose dead loads drive a motion.
    fn falling(&self, motion: &Mechanism, poses: &[Pose]) -> Vec<usize> {
        let dead = self.loads.dead(poses);
        let power = |(load, v): (&[f64; 6], &[f64; 6])| -> f64 {
            load.iter().zip(v).map(|(load, v)| load * v).sum()
        };
        let powers: Vec<f64> = dead.iter().zip(&motion.velocity).map(power).collect();
        let most = powers.iter().copied().fold(0.0, f64::max);
        let bodies = self.watch.bodies.blocks.iter().zip(powers);
        bodies
            .filter(|(_, power)| *power > MOVES * most)
            .map(|(&block, _)| block)
            .collect()
    }

    /// Blocks that forces of contacts press on.
    fn holding(&self, pairs: &[[u32; 2]], forces: &[[f64; 3]]) -> Vec<usize> {
        let most = forces
            .iter()
            .fold(0.0, |most: f64, force| most.max(force[0]));
        let pressed = pairs.iter().zip(forces);
        let pressed = pressed.filter(|(_, force)| force[0] > MOVES * most);
        let bodies = pressed.flat_map(|(pair, _)| *pair);
        let bodies = bodies.filter(|&body| body != FIXED);
        let mut blocks: Vec<usize> = bodies
            .map(|body| self.watch.bodies.blocks[body as usize])
            .collect();
        blocks.sort_unstable();
        blocks.dedup();
        blocks
    }

    /// The limit of a problem as it is. No configuration follows that would correct it, so that an answer short of the tolerance is none.
    pub fn first(&mut self, problem: LimitProblem) -> Result<Limit, StaticsFault> {
        let solution = self.solve(&problem, Shortfall::Refused, &mut StressBlocks::default())?;
        Ok(self.told(solution))
    }

    fn told(&self, solution: LimitSolution) -> Limit {
        Limit {
            status: solution.status,
            alpha: solution.multiplier,
            mechanism: Mechanism::new(&self.watch.bodies, solution.velocity),
            tension: solution.tension,
            leaps: Vec::new(),
            holds: Vec::new(),
        }
    }

    fn solve(
        &mut self,
        problem: &LimitProblem,
        short: Shortfall,
        blocks: &mut StressBlocks,
    ) -> Result<LimitSolution, StaticsFault> {
        self.solves += 1;
        let mut solution = solve_limit_from(problem, &self.solver, blocks)?;
        if solution.status == LimitStatus::Inaccurate {
            let other = LimitSettings {
                method: LimitMethod::Clarabel,
                ..self.solver
            };
            let mut own = StressBlocks::default();
            let second = solve_limit_from(problem, &other, &mut own)?;
            let better = second.residual.worst() < solution.residual.worst();
            if second.status != LimitStatus::Inaccurate || better {
                (solution, *blocks) = (second, own);
            }
        }
        Ok(self.accepted(solution, short))
    }

    /// An answer as it counts.
    fn accepted(&mut self, mut solution: LimitSolution, short: Shortfall) -> LimitSolution {
        let worst = solution.residual.worst();
        if short == Shortfall::Used && solution.status == LimitStatus::Inaccurate && worst <= SHORT
        {
            solution.status = LimitStatus::Optimal;
            self.short += 1;
        }
        if solution.status == LimitStatus::Optimal {
            self.residual = self.residual.max(worst);
        }
        solution
    }
}

#[cfg(test)]
mod tests {
    use drystone_model::{AnalysisKind, Model, from_toml};

    use drystone_cone::solve_limit;

    use super::*;
    use crate::statics::Posed;

    /// An answer that misses the tolerance by little serves on the way, and is none to the first problem.
    #[test]
    fn the_onset_is_not_short_of_the_tolerance() {
        let text = r#"
[model]
plane = "xz"
[[material]]
name = "stone"
density = 2000
[[interface]]
between = ["*", "*"]
friction = 0.6
[[generate]]
kind = "box"
name = "wall"
material = "stone"
size = [0.5, 1.0, 3.5]
[[generate]]
kind = "box"
name = "base"
material = "stone"
support = true
at = [0, 0, -1]
size = [5.0, 5.0, 1.0]
[[analysis]]
name = "push"
kind = "pushover"
direction = [1, 0, 0]
"#;
        let model: Model = from_toml(text).unwrap_or_else(|faults| panic!("{faults}"));
        let AnalysisKind::Pushover(settings) = &model.analyses[0].kind else {
            panic!("a pushover");
        };
        let posed = Posed::new(&model);
        let loads = Loads::new(&model, settings);
        let start: Vec<Pose> = model.blocks.iter().map(|b| Pose::at(b.position)).collect();
        let mut poser = Poser {
            model: &model,
            watch: Watch::new(&model),
            crushing: Crushing::default(),
            reach: vec![0.01; model.blocks.len()],
            solver: LimitSettings::default(),
            onset: 0.0,
            solves: 0,
            short: 0,
            residual: 0.0,
            loads,
        };
        let problem = posed.limit_problem(poser.loads.dead(&start), poser.loads.live(&start));
        let mut missed = solve_limit(&problem, &poser.solver).expect("an answer");
        missed.status = LimitStatus::Inaccurate;
        missed.residual.gap = 0.5 * SHORT;
        let refused = poser.accepted(missed.clone(), Shortfall::Refused);
        assert_eq!((refused.status, poser.short), (LimitStatus::Inaccurate, 0));
        let used = poser.accepted(missed.clone(), Shortfall::Used);
        assert_eq!((used.status, poser.short), (LimitStatus::Optimal, 1));
        missed.residual.gap = 2.0 * SHORT;
        let far = poser.accepted(missed, Shortfall::Used);
        assert_eq!((far.status, poser.short), (LimitStatus::Inaccurate, 1));
    }
}
