//! The step: detect, assemble, solve, integrate.

use drystone_cone::{FIXED, Residual, Solution, Solver, Status, StepProblem, Warm};
use drystone_geometry::{ContactSet, DVec3, Detector, Pose};
use drystone_model::{Ground, Model};
use thiserror::Error;

use crate::assemble::{
    Bodies, ContactNotes, ContactSettings, SupportVelocity, add_contacts, free_motion,
    keep_free_normals, loads_on_blocks, to_local, to_world,
};
use crate::drive::Drive;
use crate::energy::StepWork;
use crate::rotation::exp_rotation;
use crate::state::State;

/// How steps are taken.
#[derive(Debug, Clone)]
pub struct StepSettings {
    /// How ground motion is applied.
    pub ground: Ground,
    /// Solver of the step problem.
    pub solver: drystone_cone::Settings,
    /// Numerical stiffness of contact points, N/m; absent: rigid.
    pub regularisation: Option<f64>,
    /// Quasi-Newton iterations for rotations; one is normally enough.
    pub rotation_iterations: usize,
    /// How often a step that is not solved to tolerance is halved before it is accepted and reported.
    pub max_halvings: u32,
}

/// The stages of a step, for whoever wants to know where time goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Contact detection.
    Detect,
    /// Building the step problem.
    Assemble,
    /// Solving it.
    Solve,
    /// Updating the state.
    Integrate,
    /// Between steps.
    Outside,
}

/// Told when a stage begins. Numerical code does not read the clock itself.
pub trait Stopwatch {
    /// The stage that begins now.
    fn enter(&mut self, phase: Phase);
}

impl Stopwatch for () {
    fn enter(&mut self, _phase: Phase) {}
}

/// Why a step could not be taken at all.
#[derive(Debug, Error)]
pub enum StepFault {
    /// The state ceased to consist of numbers.
    #[error("block \"{block}\" has a position or velocity that is not a finite number at {time} s")]
    NonFinite {
        /// Name of the first such block.
        block: String,
        /// s.
        time: f64,
    },
    /// The step problem itself is malformed.
    #[error("the step problem at {time} s is malformed: {fault}")]
    Problem {
        /// s.
        time: f64,
        /// What is wrong.
        fault: drystone_cone::ProblemFault,
    },
}

/// What one step did.
#[derive(Debug, Clone, Copy, Default)]
pub struct StepReport {
    /// Residual of the accepted solution; the worst one if the step was halved.
    pub residual: Residual,
    /// The solution meets the tolerances.
    pub solved: bool,
    /// The problem had no rigid solution (blocks wedged between fixed ones) and was solved with a small compliance.
    pub relaxed: bool,
    /// Number of pieces the step was cut into; one normally.
    pub pieces: u32,
    /// Solver iterations.
    pub iterations: u32,
    /// Contact points.
    pub contacts: usize,
    /// Largest overlap at the beginning of the step, m.
    pub penetration: f64,
    /// Contacts whose overlap is pushed out more slowly than within one step.
    pub capped: usize,
    /// Work done on the free blocks.
    pub work: StepWork,
}

impl StepReport {
    fn merge(&mut self, other: &Self) {
        if other.residual.worst() > self.residual.worst() {
            self.residual = other.residual;
        }
        self.solved &= other.solved;
        self.relaxed |= other.relaxed;
        self.pieces += other.pieces;
        self.iterations += other.iterations;
        self.contacts = other.contacts;
        self.penetration = self.penetration.max(other.penetration);
        self.capped = self.capped.max(other.capped);
        self.work += other.work;
    }
}

/// A contact point with the mean force of the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactForce {
    /// Block indices; the force acts on the second as `+`.
    pub blocks: [usize; 2],
    /// Point of action, m.
    pub point: DVec3,
    /// Unit vector from the first block to the second.
    pub normal: DVec3,
    /// Compression positive, N.
    pub normal_force: f64,
    /// N.
    pub shear_force: DVec3,
    /// Signed distance at the beginning of the step, m.
    pub gap: f64,
}

/// Takes steps. Holds buffers only: dropping it changes no bit of the answer.
pub struct Stepper<'m> {
    model: &'m Model,
    settings: StepSettings,
    bodies: Bodies,
    detector: Detector,
    solver: Solver,
    contacts: ContactSet,
    problem: StepProblem,
    impulses: Vec<[f64; 3]>,
    last_dt: f64,
}

impl<'m> Stepper<'m> {
    /// Prepares to step a model.
    pub fn new(model: &'m Model, settings: StepSettings) -> Self {
        let bodies = Bodies::new(model);
        let problem = StepProblem {
            mass: bodies
                .blocks
                .iter()
                .map(|&i| model.blocks[i].mass)
                .collect(),
            rotational: vec![[0.0; 9]; bodies.blocks.len()],
            free_velocity: vec![[0.0; 6]; bodies.blocks.len()],
            free: model.free,
            speed_scale: 0.0,
            contacts: Vec::new(),
        };
        Self {
            detector: Detector::new(
                model
                    .blocks
                    .iter()
                    .map(|block| block.shape.clone())
                    .collect(),
                model.blocks.iter().map(|block| block.support).collect(),
            ),
            solver: Solver::new(settings.solver),
            contacts: ContactSet::default(),
            impulses: Vec::new(),
            last_dt: 1.0,
            model,
            settings,
            bodies,
            problem,
        }
    }

    /// Advances the state to the time `end` in one step, or in halves if the step problem can't be solved to tolerance
    /// otherwise.
    pub fn step(
        &mut self,
        state: &mut State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<StepReport, StepFault> {
        self.step_in_halves(state, end, self.settings.max_halvings, drive, stopwatch)
    }

    fn step_in_halves(
        &mut self,
        state: &mut State,
        end: f64,
        halvings: u32,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<StepReport, StepFault> {
        let (next, report) = self.attempt(state, end, drive, stopwatch)?;
        if report.solved || halvings == 0 {
            *state = next;
            return Ok(report);
        }
        let middle = 0.5 * (state.time + end);
        let mut report = self.step_in_halves(state, middle, halvings - 1, drive, stopwatch)?;
        report.merge(&self.step_in_halves(state, end, halvings - 1, drive, stopwatch)?);
        Ok(report)
    }

    /// One backward Euler step, equations (2.1)-(2.8).
    fn attempt(
        &mut self,
        state: &State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<(State, StepReport), StepFault> {
        let dt = end - state.time;
        let ground_velocity = (drive.ground(end) - drive.ground(state.time)) / dt;
        let ends = self.support_ends(state, end, drive);
        let supports: Vec<SupportVelocity> = ends
            .iter()
            .zip(&state.poses)
            .map(|(to, from)| {
                to.map_or_else(Default::default, |to| {
                    SupportVelocity::between(*from, to, dt)
                })
            })
            .collect();

        stopwatch.enter(Phase::Detect);
        self.detect(state, &supports, dt);

        stopwatch.enter(Phase::Assemble);
        let notes = self.assemble_contacts(state, &supports, dt);
        let kick = self.kick(state, ground_velocity, dt);
        let loads = loads_on_blocks(self.model, state);
        let mut remembered = Vec::new();
        state.impulses.recall(&self.contacts, 1.0, &mut remembered);
        let mut warm_impulse: Vec<[f64; 3]> = self
            .problem
            .contacts
            .iter()
            .zip(&remembered)
            .map(|(contact, &impulse)| to_local(&contact.frame, impulse))
            .collect();
        let mut warm_velocity: Vec<[f64; 6]> = self
            .bodies
            .blocks
            .iter()
            .map(|&i| join(state.velocity[i], state.angular_velocity[i]))
            .collect();

        let mut iterations = 0_u32;
        let mut solution: Option<Solution> = None;
        for _ in 0..self.settings.rotation_iterations.max(1) {
            stopwatch.enter(Phase::Assemble);
            self.assemble_bodies(state, &warm_velocity, solution.is_some(), kick, &loads, dt);
            stopwatch.enter(Phase::Solve);
            let warm = Warm {
                velocity: &warm_velocity,
                impulse: &warm_impulse,
            };
            let found = self
                .solver
                .solve(&self.problem, Some(warm))
                .map_err(|fault| StepFault::Problem {
                    time: state.time,
                    fault,
                })?;
            iterations += found.stats.iterations;
            warm_velocity.clone_from(&found.velocity);
            warm_impulse.clone_from(&found.impulse);
            solution = Some(found);
        }
        let Some(solution) = solution else {
            unreachable!("at least one iteration is made")
        };

        stopwatch.enter(Phase::Integrate);
        let next = self.integrate(state, &solution, &ends, ground_velocity, end);
        if let Some(i) = next.first_non_finite() {
            return Err(StepFault::NonFinite {
                block: self.model.blocks[i].name.clone(),
                time: end,
            });
        }
        let work = self.work(state, &next, &solution, &supports, &loads, dt);
        self.impulses.clone_from(&solution.impulse);
        self.last_dt = dt;
        stopwatch.enter(Phase::Outside);
        let report = StepReport {
            residual: solution.residual,
            solved: !matches!(solution.status, Status::Inaccurate),
            relaxed: matches!(solution.status, Status::Infeasible),
            pieces: 1,
            iterations,
            contacts: self.problem.contacts.len(),
            penetration: notes.penetration,
            capped: notes.capped,
            work,
        };
        Ok((next, report))
    }

    /// Poses of supports at the end of the step, in the frame of the equations.
    fn support_ends(&self, state: &State, end: f64, drive: &dyn Drive) -> Vec<Option<Pose>> {
        let shift = match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => drive.ground(end),
        };
        (0..state.poses.len())
            .map(|i| {
                let block = &self.model.blocks[i];
                block.support.then(|| {
                    let mut pose = drive.support(i, Pose::at(block.position), end);
                    pose.position += shift;
                    pose
                })
            })
            .collect()
    }

    fn detect(&mut self, state: &State, supports: &[SupportVelocity], dt: f64) {
        let margins: Vec<f64> = (0..state.poses.len())
            .map(|i| self.margin(i, state, supports, dt))
            .collect();
        self.contacts
            .clone_from(self.detector.detect(&state.poses, &margins));
        keep_free_normals(&self.model.free, &mut self.contacts);
    }

    /// How far from a block others are watched: what it may travel within the step, and half a per cent of its
    /// thickness for what impacts may add.
    fn margin(&self, i: usize, state: &State, supports: &[SupportVelocity], dt: f64) -> f64 {
        let block = &self.model.blocks[i];
        let speed = if block.support {
            let corner = DVec3::splat(block.shape.radius());
            supports[i].at(state.poses[i].position).length()
                + supports[i].at(state.poses[i].position + corner).length()
        } else {
            state.velocity[i].length() + state.angular_velocity[i].length() * block.shape.radius()
        };
        0.005 * block.shape.size() + 1.5 * dt * (speed + self.model.gravity * dt)
    }

    fn assemble_contacts(
        &mut self,
        state: &State,
        supports: &[SupportVelocity],
        dt: f64,
    ) -> ContactNotes {
        // Speeds below what gravity gives in one step are the grain of the motion. A gravity of zero still needs one.
        let grain = self.model.gravity.max(1.0) * dt;
        self.problem.speed_scale = grain;
        let settings = ContactSettings {
            dt,
            push_out_speed: grain,
            regularisation: self.settings.regularisation,
        };
        add_contacts(
            self.model,
            &self.bodies,
            state,
            supports,
            &self.contacts,
            &settings,
            &mut self.problem,
        )
    }

    /// Change of velocity of every free block by gravity and by the ground's motion.
    fn kick(&self, state: &State, ground_velocity: DVec3, dt: f64) -> DVec3 {
        let gravity = DVec3::new(0.0, 0.0, -self.model.gravity * dt);
        match self.settings.ground {
            Ground::Inertia => gravity - (ground_velocity - state.ground_velocity),
            Ground::Supports => gravity,
        }
    }

    fn assemble_bodies(
        &mut self,
        state: &State,
        iterate: &[[f64; 6]],
        use_iterate: bool,
        kick: DVec3,
        loads: &[(DVec3, DVec3)],
        dt: f64,
    ) {
        for (body, &i) in self.bodies.blocks.iter().enumerate() {
            let block = &self.model.blocks[i];
            let w = state.angular_velocity[i];
            let spin = if use_iterate {
                split(&iterate[body]).1
            } else {
                w
            };
            let (force, couple) = loads[i];
            let (h, v_free, w_free) = free_motion(
                block,
                &state.poses[i],
                (state.velocity[i], w),
                spin,
                kick + force * (dt / block.mass),
                couple,
                dt,
            );
            self.problem.rotational[body] = h.to_cols_array();
            let mut free_velocity = join(v_free, w_free);
            for (value, &free) in free_velocity.iter_mut().zip(&self.model.free) {
                if !free {
                    *value = 0.0;
                }
            }
            self.problem.free_velocity[body] = free_velocity;
        }
    }

    /// The configuration update, equation (2.2).
    fn integrate(
        &self,
        state: &State,
        solution: &Solution,
        ends: &[Option<Pose>],
        ground_velocity: DVec3,
        end: f64,
    ) -> State {
        let dt = end - state.time;
        let mut next = state.clone();
        next.time = end;
        next.ground_velocity = ground_velocity;
        for (body, &i) in self.bodies.blocks.iter().enumerate() {
            let (v, w) = split(&solution.velocity[body]);
            next.velocity[i] = v;
            next.angular_velocity[i] = w;
            next.poses[i].position += v * dt;
            if w != DVec3::ZERO {
                next.poses[i].rotation =
                    (exp_rotation(w * dt) * next.poses[i].rotation).normalize();
            }
        }
        for (i, to) in ends.iter().enumerate() {
            if let Some(to) = to {
                next.velocity[i] = (to.position - state.poses[i].position) / dt;
                next.poses[i] = *to;
            }
        }
        let world = self
            .problem
            .contacts
            .iter()
            .zip(&solution.impulse)
            .map(|(contact, impulse)| to_world(&contact.frame, impulse));
        next.impulses.store(&self.contacts, world);
        next
    }

    /// Work on the free blocks in the frame of the ground, with mean velocities, for which the change of kinetic energy
    /// is exact.
    fn work(
        &self,
        state: &State,
        next: &State,
        solution: &Solution,
        supports: &[SupportVelocity],
        loads: &[(DVec3, DVec3)],
        dt: f64,
    ) -> StepWork {
        let (frame_before, frame_after) = match self.settings.ground {
            Ground::Inertia => (DVec3::ZERO, DVec3::ZERO),
            Ground::Supports => (state.ground_velocity, next.ground_velocity),
        };
        let kick = state.ground_velocity - next.ground_velocity;
        let mean = |i: usize| {
            (
                0.5 * (state.velocity[i] - frame_before + next.velocity[i] - frame_after),
                0.5 * (state.angular_velocity[i] + next.angular_velocity[i]),
            )
        };
        let mut work = StepWork::default();
        for &i in &self.bodies.blocks {
            let (v, w) = mean(i);
            let (force, couple) = loads[i];
            work.external +=
                self.model.blocks[i].mass * kick.dot(v) + dt * (force.dot(v) + couple.dot(w));
        }
        for (contact, impulse) in self.problem.contacts.iter().zip(&solution.impulse) {
            let impulse = to_world(&contact.frame, impulse);
            for (side, sign) in [(0, -1.0), (1, 1.0)] {
                if contact.bodies[side] != FIXED {
                    let i = self.bodies.blocks[contact.bodies[side] as usize];
                    let (v, w) = mean(i);
                    let arm = DVec3::from(contact.arms[side]);
                    work.contact_loss -= sign * impulse.dot(v + w.cross(arm));
                }
            }
        }
        for manifold in &self.contacts.manifolds {
            let (a, b) = (manifold.a as usize, manifold.b as usize);
            let (support, sign) = match (self.bodies.of_block[a], self.bodies.of_block[b]) {
                (FIXED, _) => (a, 1.0),
                (_, FIXED) => (b, -1.0),
                _ => continue,
            };
            let first = manifold.first as usize;
            for (k, point) in self.contacts.points_of(manifold).iter().enumerate() {
                let impulse = to_world(
                    &self.problem.contacts[first + k].frame,
                    &solution.impulse[first + k],
                );
                let velocity = supports[support].at(point.midpoint()) - frame_after;
                let done = sign * impulse.dot(velocity);
                work.external += done;
                work.contact_loss += done;
            }
        }
        work
    }

    /// Contact points and mean forces of the last step.
    pub fn contact_forces(&self) -> impl Iterator<Item = ContactForce> + '_ {
        self.contacts.manifolds.iter().flat_map(move |manifold| {
            let first = manifold.first as usize;
            self.contacts
                .points_of(manifold)
                .iter()
                .enumerate()
                .map(move |(k, point)| {
                    let local = self.impulses[first + k].map(|r| r / self.last_dt);
                    let frame = &self.problem.contacts[first + k].frame;
                    ContactForce {
                        blocks: [manifold.a as usize, manifold.b as usize],
                        point: point.midpoint(),
                        normal: manifold.normal,
                        normal_force: local[0],
                        shear_force: to_world(frame, &[0.0, local[1], local[2]]),
                        gap: point.gap,
                    }
                })
        })
    }

    /// Impulse per contact of [`Self::problem`] in the last step, local components, N s.
    pub fn impulses(&self) -> &[[f64; 3]] {
        &self.impulses
    }

    /// The problem of the last step, for storing and replaying.
    pub fn problem(&self) -> &StepProblem {
        &self.problem
    }
}

fn join(v: DVec3, w: DVec3) -> [f64; 6] {
    [v.x, v.y, v.z, w.x, w.y, w.z]
}

fn split(velocity: &[f64; 6]) -> (DVec3, DVec3) {
    let [vx, vy, vz, wx, wy, wz] = *velocity;
    (DVec3::new(vx, vy, vz), DVec3::new(wx, wy, wz))
}
