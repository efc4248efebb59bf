//! The limit problem of a configuration.

use drystone_cone::{
    Contact, FIXED, LimitMethod, LimitProblem, LimitSettings, LimitSolution, LimitStatus,
    solve_limit,
};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::Watch;
use drystone_model::Model;

use super::crushing::CrushingJoint;
use super::loads::Loads;
use super::motion::Mechanism;
use super::strained::Strained;
use super::ties::Ties;
use crate::statics::StaticsFault;

/// Blocks that travel farther than others were watched are watched farther, at most this often.
const WIDENINGS: usize = 3;

/// Answers that miss the tolerance of the solver are used if their worst residual is less than this.
const SHORT: f64 = 1e-5;

/// Poses limit problems and solves them.
pub(super) struct Poser<'m> {
    pub model: &'m Model,
    pub watch: Watch<'m>,
    pub loads: Loads,
    pub joints: Vec<CrushingJoint>,
    /// Those of them that are near their strength.
    pub strained: Strained,
    /// Distance per block within which others are watched, m.
    pub margins: Vec<f64>,
    pub solver: LimitSettings,
    /// Limit problems solved.
    pub solves: u32,
    /// Answers that were used though they missed the tolerance.
    pub short: u32,
    /// The worst residual of an answer that was used.
    pub residual: f64,
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
        let mut contacts: Vec<Contact> = Vec::with_capacity(found.len());
        for manifold in &set.manifolds {
            if self.joints.iter().any(|joint| joint.is(manifold)) {
                continue;
            }
            let first = manifold.first as usize;
            for (point, contact) in set.points_of(manifold).iter().zip(&found[first..]) {
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
        }
        let crushing = self
            .joints
            .iter()
            .map(|joint| joint.add(bodies, poses, way.from.unwrap_or(poses), &mut contacts))
            .collect();
        for contact in &mut contacts {
            contact.offset[0] /= work;
            if let Some(before) = way.before {
                contact.offset[0] += contact.friction * sliding(contact, &before.velocity);
            }
        }
        let mut problem = LimitProblem {
            free: self.model.free,
            dead: self.loads.dead(poses),
            live: self.loads.live(poses),
            contacts,
            ties: ties.posed(self.model, bodies, poses),
            crushing,
        };
        let mut solution = self.solve(&mut problem)?;
        let mut offsets: Vec<f64> = problem.contacts.iter().map(|c| c.offset[0]).collect();
        if solution.status == LimitStatus::Unbounded {
            // Overlaps between what cannot give way lock everything; what little of them integration leaves is then left.
            let mut relaxed = problem;
            for contact in &mut relaxed.contacts {
                contact.offset[0] = contact.offset[0].max(0.0);
            }
            offsets.iter_mut().for_each(|gap| *gap = gap.max(0.0));
            solution = self.solve(&mut relaxed)?;
        }
        // The bounds are those of the multiplier less the gaps' share; the curve is of the multiplier that balances.
        let shares = offsets.iter().zip(&solution.force).map(|(g, f)| g * f[0]);
        solution.multiplier += shares.sum::<f64>();
        Ok(self.told(solution))
    }

    /// The limit of a problem as it is.
    pub fn first(&mut self, mut problem: LimitProblem) -> Result<Limit, StaticsFault> {
        let solution = self.solve(&mut problem)?;
        Ok(self.told(solution))
    }

    fn told(&self, solution: LimitSolution) -> Limit {
        Limit {
            status: solution.status,
            alpha: solution.multiplier,
            mechanism: Mechanism::new(&self.watch.bodies, solution.velocity),
            tension: solution.tension,
        }
    }

    fn solve(&mut self, problem: &mut LimitProblem) -> Result<LimitSolution, StaticsFault> {
        let mut strained = std::mem::take(&mut self.strained);
        let solution = strained.solve(problem, |problem| self.solve_one(problem));
        self.strained = strained;
        solution
    }

    fn solve_one(&mut self, problem: &LimitProblem) -> Result<LimitSolution, StaticsFault> {
        self.solves += 1;
        let mut solution = solve_limit(problem, &self.solver)?;
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
        let worst = solution.residual.worst();
        // Answers a little short of the tolerance serve, for the next configuration corrects them; how many there are is told.
        if solution.status == LimitStatus::Inaccurate && worst <= SHORT {
            solution.status = LimitStatus::Optimal;
            self.short += 1;
        }
        if solution.status == LimitStatus::Optimal {
            self.residual = self.residual.max(worst);
        }
        Ok(solution)
    }
}

/// Speed with which a contact slides.
fn sliding(contact: &Contact, velocity: &[[f64; 6]]) -> f64 {
    let mut relative = DVec3::ZERO;
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if contact.bodies[side] == FIXED {
            continue;
        }
        let [x, y, z, rx, ry, rz] = velocity[contact.bodies[side] as usize];
        let arm = DVec3::from(contact.arms[side]);
        relative += sign * (DVec3::new(x, y, z) + DVec3::new(rx, ry, rz).cross(arm));
    }
    let [_, t1, t2] = contact.frame;
    DVec3::from(t1)
        .dot(relative)
        .hypot(DVec3::from(t2).dot(relative))
}
