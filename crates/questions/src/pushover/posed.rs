//! The limit problem of a configuration.

use std::collections::BTreeMap;

use drystone_cone::{
    Contact, FIXED, LimitCrushing, LimitMethod, LimitProblem, LimitSettings, LimitSolution,
    LimitStatus, StressBlocks, solve_limit, solve_limit_from,
};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Crushes, Pair, Watch, across_plane, relative_velocity};
use drystone_model::Model;

use super::crushing::{Closed, Crushing, CrushingJoint};
use super::loads::Loads;
use super::motion::Mechanism;
use super::ties::Ties;
use crate::statics::StaticsFault;

/// Blocks that travel farther than others were watched are watched farther, at most this often.
const WIDENINGS: usize = 3;

/// Answers that miss the tolerance of the solver are used if their worst residual is less than this. The curve is known to its bends, which are allowed
/// five hundred times as much.
const SHORT: f64 = 1e-5;

/// Dead loads that gain more than this part of the onset's multiplier by gaps that close belong to a fall. Where nothing falls, the triumphal arch gains two
/// thousandths in a step; what falls gains the more the shorter the step, without bound.
const FALLS: f64 = 0.2;

/// A contact has part in a fall if it brings more than this part of what is gained.
const LANDS: f64 = 1e-2;

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
    /// Distance per block within which others are watched, m.
    pub margins: Vec<f64>,
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
    /// Blocks fall, as far as they have room, however short the step.
    pub fall: Option<Fall>,
}

/// Blocks that lost their support.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fall {
    /// They land before they have fallen by their own thickness.
    Lands,
    /// They do not: what they leave behind is another structure.
    Leaves,
}

impl Poser<'_> {
    /// The limit of a configuration whose mechanism is going to be followed until what is multiplied has done `work`, J: gaps that
    /// close on the way carry.
    pub fn limit(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
    ) -> Result<Limit, StaticsFault> {
        let mut margins = self.margins.clone();
        for _ in 0..WIDENINGS {
            let limit = self.within(poses, ties, work, way, &margins)?;
            if limit.status != LimitStatus::Optimal {
                return Ok(limit);
            }
            let mut widened = false;
            for (block, margin) in margins.iter_mut().enumerate() {
                let radius = self.model.blocks[block].shape.radius();
                let travel = work * limit.mechanism.speed(block, radius);
                if travel > *margin {
                    *margin = 1.5 * travel;
                    widened = true;
                }
            }
            if !widened {
                return Ok(limit);
            }
        }
        self.within(poses, ties, work, way, &margins)
    }

    /// The same with all blocks watched a given number of times farther.
    pub fn limit_afar(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
        factor: f64,
    ) -> Result<Limit, StaticsFault> {
        let margins: Vec<f64> = self.margins.iter().map(|m| factor * m).collect();
        self.within(poses, ties, work, way, &margins)
    }

    fn within(
        &mut self,
        poses: &[Pose],
        ties: &Ties,
        work: f64,
        way: Way<'_>,
        margins: &[f64],
    ) -> Result<Limit, StaticsFault> {
        let (set, found) = self.watch.contacts(poses, margins);
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
        let mut gaps = Vec::with_capacity(contacts.len());
        let pairs: Vec<[u32; 2]> = contacts.iter().map(|contact| contact.bodies).collect();
        for contact in &mut contacts {
            contact.offset[0] /= work;
            gaps.push(contact.offset[0].max(0.0));
            if let Some(before) = way.before {
                let [_, t1, t2] = relative_velocity(contact, &before.velocity);
                contact.offset[0] += contact.friction * t1.hypot(t2);
            }
        }
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
        let sum = |gaps: &[f64]| -> f64 {
            let shares = gaps.iter().zip(&solution.force).map(|(g, f)| g * f[0]);
            shares.sum()
        };
        let (all, room) = (sum(&offsets), sum(&gaps));
        let alpha = solution.multiplier + all;
        let falls = room > alpha.max(FALLS * self.onset.abs());
        let fall = falls.then(|| self.fall(&pairs, &gaps, &solution.force, room, work));
        solution.multiplier = alpha;
        Ok(Limit {
            fall,
            ..self.told(solution)
        })
    }

    /// How a fall ends: by the gaps that close in it.
    fn fall(
        &self,
        pairs: &[[u32; 2]],
        gaps: &[f64],
        forces: &[[f64; 3]],
        room: f64,
        work: f64,
    ) -> Fall {
        let thickness = |body: u32| match body {
            FIXED => f64::INFINITY,
            body => self.model.blocks[self.watch.bodies.blocks[body as usize]]
                .shape
                .size(),
        };
        let leaves = pairs
            .iter()
            .zip(gaps)
            .zip(forces)
            .any(|((pair, gap), force)| {
                let thinnest = thickness(pair[0]).min(thickness(pair[1]));
                gap * force[0] > LANDS * room && gap * work > thinnest
            });
        if leaves { Fall::Leaves } else { Fall::Lands }
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
            fall: None,
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
            let second = solve_limit(problem, &other)?;
            let better = second.residual.worst() < solution.residual.worst();
            if second.status != LimitStatus::Inaccurate || better {
                solution = second;
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
            margins: vec![0.01; model.blocks.len()],
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
