//! The step: detect, assemble, solve, integrate.

use drystone_cone::{Solution, Solver, Status, StepProblem, StoredProblem, Warm};
use drystone_geometry::{ContactSet, DVec3, Detector, Pose};
use drystone_model::{Ground, Joints, Model};

use crate::assemble::{
    Action, Bodies, ContactNotes, ContactSettings, SupportVelocity, add_contacts, free_motion,
    keep_free_normals, loads_on_blocks, to_local, to_world,
};
use crate::drive::Drive;
use crate::report::{ContactForce, Phase, StepFault, StepReport, StepSettings, Stopwatch};
use crate::rotation::exp_rotation;
use crate::state::State;

/// A step whose blocks travel farther than others were watched is detected and solved again, at most this often:
/// a chain of impacts within one step passes speed on block by block.
const MAX_DETECTIONS: usize = 3;

/// Takes steps. Holds buffers only: dropping it changes no bit of the answer.
pub struct Stepper<'m> {
    pub(crate) model: &'m Model,
    settings: StepSettings,
    pub(crate) bodies: Bodies,
    detector: Detector,
    solver: Solver,
    pub(crate) contacts: ContactSet,
    pub(crate) problem: StepProblem,
    impulses: Vec<[f64; 3]>,
    last_dt: f64,
}

/// What is prescribed for one step.
pub(crate) struct Prescribed {
    /// Length of the step, s.
    pub dt: f64,
    /// Mean velocity of the ground over the step, m/s.
    pub ground_velocity: DVec3,
    /// Velocity, before and in this step, of the frame that step problems are posed in: that of the ground. Zero where
    /// the equations are written in it anyway.
    pub frame: [DVec3; 2],
    /// Pose at the end of the step per block; supports only.
    pub ends: Vec<Option<Pose>>,
    /// Velocity relative to that frame per block; zero for free blocks.
    pub supports: Vec<SupportVelocity>,
    /// Force and couple of loads per block.
    pub loads: Vec<(DVec3, DVec3)>,
}

/// What the solver starts from, with what the assembly noticed.
struct Posed {
    notes: ContactNotes,
    /// Velocity per body, m/s and rad/s.
    velocity: Vec<[f64; 6]>,
    /// Impulse per contact, local components, N s.
    impulse: Vec<[f64; 3]>,
}

impl Posed {
    fn warm(&self) -> Warm<'_> {
        Warm {
            velocity: &self.velocity,
            impulse: &self.impulse,
        }
    }
}

/// A solved step problem.
struct Solved {
    solution: Solution,
    notes: ContactNotes,
    iterations: u32,
    fallbacks: u32,
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
    /// otherwise. If it fails the state is as it was.
    pub fn step(
        &mut self,
        state: &mut State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<StepReport, StepFault> {
        let (next, report) =
            self.step_in_halves(state, end, self.settings.max_halvings, drive, stopwatch)?;
        *state = next;
        Ok(report)
    }

    fn step_in_halves(
        &mut self,
        state: &State,
        end: f64,
        halvings: u32,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<(State, StepReport), StepFault> {
        let (next, report) = self.attempt(state, end, drive, stopwatch)?;
        let broken = next.first_non_finite();
        // What is wedged at this instant is wedged in half a step too.
        let worth_halving = broken.is_some() || !(report.solved || report.relaxed);
        if halvings > 0 && worth_halving {
            let middle = 0.5 * (state.time + end);
            let (half, mut first) =
                self.step_in_halves(state, middle, halvings - 1, drive, stopwatch)?;
            let (next, second) = self.step_in_halves(&half, end, halvings - 1, drive, stopwatch)?;
            first.merge(&second);
            first.iterations += report.iterations;
            first.fallbacks += report.fallbacks;
            return Ok((next, first));
        }
        match broken {
            Some(i) => Err(StepFault::NonFinite {
                block: self.model.blocks[i].name.clone(),
                time: end,
            }),
            None => Ok((next, report)),
        }
    }

    /// One backward Euler step, equations (2.1)-(2.8).
    fn attempt(
        &mut self,
        state: &State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<(State, StepReport), StepFault> {
        let given = self.prescribed(state, end, drive);
        let mut margins = self.margins(state, &given);
        let mut solved = self.solve_with(state, &given, &margins, stopwatch)?;
        for _ in 1..MAX_DETECTIONS {
            if !self.widen(&mut margins, &solved.solution, given.dt) {
                break;
            }
            let before = (solved.iterations, solved.fallbacks);
            solved = self.solve_with(state, &given, &margins, stopwatch)?;
            solved.iterations += before.0;
            solved.fallbacks += before.1;
        }

        stopwatch.enter(Phase::Integrate);
        let solution = &solved.solution;
        let next = self.integrate(state, solution, &given, end);
        let work = self.work(state, &next, solution, &given);
        self.impulses.clone_from(&solution.impulse);
        self.last_dt = given.dt;
        let report = StepReport {
            residual: solution.residual,
            solved: solution.status != Status::Inaccurate,
            relaxed: solution.stats.softened > 0,
            pieces: 1,
            iterations: solved.iterations,
            fallbacks: solved.fallbacks,
            contacts: self.problem.contacts.len(),
            penetration: solved.notes.penetration,
            capped: solved.notes.capped,
            work,
            elastic_energy: self.elastic_energy(solution),
        };
        stopwatch.enter(Phase::Outside);
        Ok((next, report))
    }

    fn prescribed(&self, state: &State, end: f64, drive: &dyn Drive) -> Prescribed {
        let dt = end - state.time;
        let ground_velocity = (drive.ground(end) - drive.ground(state.time)) / dt;
        let (shift, frame) = match self.settings.ground {
            Ground::Inertia => (DVec3::ZERO, [DVec3::ZERO; 2]),
            Ground::Supports => (drive.ground(end), [state.ground_velocity, ground_velocity]),
        };
        let ends: Vec<Option<Pose>> = (0..state.poses.len())
            .map(|i| {
                let block = &self.model.blocks[i];
                block.support.then(|| {
                    let mut pose = drive.support(i, Pose::at(block.position), end);
                    pose.position += shift;
                    pose
                })
            })
            .collect();
        let supports = ends
            .iter()
            .zip(&state.poses)
            .map(|(to, from)| match to {
                Some(to) => SupportVelocity::between(*from, *to, dt).relative_to(frame[1]),
                None => SupportVelocity::default(),
            })
            .collect();
        Prescribed {
            dt,
            ground_velocity,
            frame,
            ends,
            supports,
            loads: loads_on_blocks(self.model, state),
        }
    }

    /// How far from each block others are watched: half as much again as it would travel at its present speed, and half a
    /// per cent of its thickness, so that blocks at rest keep their contacts.
    fn margins(&self, state: &State, given: &Prescribed) -> Vec<f64> {
        let blocks = self.model.blocks.iter().enumerate();
        blocks
            .map(|(i, block)| {
                let radius = block.shape.radius();
                let speed = if block.support {
                    given.supports[i].speed_bound(radius)
                } else {
                    (state.velocity[i] - given.frame[0]).length()
                        + state.angular_velocity[i].length() * radius
                };
                0.005 * block.shape.size()
                    + 1.5 * given.dt * (speed + self.model.gravity * given.dt)
            })
            .collect()
    }

    /// Widens the margins of blocks that travel farther than they were watched; false if there is none.
    fn widen(&self, margins: &mut [f64], solution: &Solution, dt: f64) -> bool {
        let mut widened = false;
        for (&i, velocity) in self.bodies.blocks.iter().zip(&solution.velocity) {
            let (v, w) = split(velocity);
            let travel = dt * (v.length() + w.length() * self.model.blocks[i].shape.radius());
            if travel > margins[i] {
                margins[i] = 1.5 * travel;
                widened = true;
            }
        }
        widened
    }

    /// The problem of the step from `state` to the time `end`, with the guess that its solver would start from, for
    /// storing and replaying. Nothing is solved and the state stays as it is: a step can be looked at however hard it is.
    /// It is what [`Self::step`] tries first, before blocks turn out to travel farther than they were watched and before
    /// halving. Until the next step, [`Self::contact_forces`] are those of the guess.
    pub fn pose(
        &mut self,
        state: &State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> StoredProblem {
        let given = self.prescribed(state, end, drive);
        let margins = self.margins(state, &given);
        let posed = self.pose_with(state, &given, &margins, stopwatch);
        self.impulses.clone_from(&posed.impulse);
        self.last_dt = given.dt;
        stopwatch.enter(Phase::Outside);
        StoredProblem::new(self.problem.clone(), Some(posed.warm()))
    }

    /// Detects contacts within the margins and poses the step problem.
    fn pose_with(
        &mut self,
        state: &State,
        given: &Prescribed,
        margins: &[f64],
        stopwatch: &mut dyn Stopwatch,
    ) -> Posed {
        stopwatch.enter(Phase::Detect);
        self.contacts
            .clone_from(self.detector.detect(&state.poses, margins));
        keep_free_normals(&self.model.free, &mut self.contacts);

        stopwatch.enter(Phase::Assemble);
        let notes = self.assemble_contacts(state, given);
        self.assemble_bodies(state, given, None);
        let mut remembered = Vec::new();
        state
            .impulses
            .recall(&self.contacts, given.dt, &mut remembered);
        let contacts = self.problem.contacts.iter().zip(&remembered);
        let blocks = self.bodies.blocks.iter();
        Posed {
            notes,
            velocity: blocks
                .map(|&i| {
                    join(
                        state.velocity[i] - given.frame[0],
                        state.angular_velocity[i],
                    )
                })
                .collect(),
            impulse: contacts
                .map(|(contact, &impulse)| to_local(&contact.frame, impulse))
                .collect(),
        }
    }

    /// Detects contacts within the margins, poses the step problem and solves it.
    fn solve_with(
        &mut self,
        state: &State,
        given: &Prescribed,
        margins: &[f64],
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<Solved, StepFault> {
        let mut posed = self.pose_with(state, given, margins, stopwatch);
        let (mut iterations, mut fallbacks) = (0, 0);
        let mut pass = 0;
        loop {
            stopwatch.enter(Phase::Solve);
            let solution = self
                .solver
                .solve(&self.problem, Some(posed.warm()))
                .map_err(|fault| StepFault::Problem {
                    time: state.time,
                    fault,
                })?;
            iterations += solution.stats.iterations;
            fallbacks += solution.stats.fallbacks;
            pass += 1;
            if pass >= self.settings.rotation_iterations {
                return Ok(Solved {
                    solution,
                    notes: posed.notes,
                    iterations,
                    fallbacks,
                });
            }
            posed.velocity.clone_from(&solution.velocity);
            posed.impulse.clone_from(&solution.impulse);
            stopwatch.enter(Phase::Assemble);
            self.assemble_bodies(state, given, Some(&posed.velocity));
        }
    }

    fn assemble_contacts(&mut self, state: &State, given: &Prescribed) -> ContactNotes {
        // Speeds below what gravity gives in one step are the grain of the motion. A model without gravity still needs a
        // grain; a tenth of the earth's gravity is one.
        let grain = self.model.gravity.max(1.0) * given.dt;
        self.problem.speed_scale = grain;
        let settings = ContactSettings {
            dt: given.dt,
            push_out_speed: grain,
            joints: self.settings.joints,
            regularisation: self.settings.regularisation,
        };
        add_contacts(
            self.model,
            &self.bodies,
            state,
            &given.supports,
            &self.contacts,
            &settings,
            &mut self.problem,
        )
    }

    /// `H` and `V_f` of all bodies. In the frame of the ground its change of velocity acts on every block, equation (3.1).
    fn assemble_bodies(
        &mut self,
        state: &State,
        given: &Prescribed,
        iterate: Option<&Vec<[f64; 6]>>,
    ) {
        let gravity = DVec3::new(0.0, 0.0, -self.model.gravity * given.dt);
        let kick = gravity - (given.ground_velocity - state.ground_velocity);
        for (body, &i) in self.bodies.blocks.iter().enumerate() {
            let block = &self.model.blocks[i];
            let (v, w) = (
                state.velocity[i] - given.frame[0],
                state.angular_velocity[i],
            );
            let spin = iterate.map_or(w, |iterate| split(&iterate[body]).1);
            let (force, couple) = given.loads[i];
            let action = Action {
                kick: kick + force * (given.dt / block.mass),
                couple,
            };
            let free = free_motion(
                block,
                &state.poses[i],
                (v, w),
                spin,
                &action,
                &self.model.free,
                given.dt,
            );
            self.problem.rotational[body] = free.inertia.to_cols_array();
            self.problem.free_velocity[body] = join(free.velocity, free.spin);
        }
    }

    /// The configuration update, equation (2.2).
    fn integrate(&self, state: &State, solution: &Solution, given: &Prescribed, end: f64) -> State {
        let dt = given.dt;
        let mut next = state.clone();
        next.time = end;
        next.ground_velocity = given.ground_velocity;
        for (&i, velocity) in self.bodies.blocks.iter().zip(&solution.velocity) {
            let (v, w) = split(velocity);
            next.velocity[i] = v + given.frame[1];
            next.angular_velocity[i] = w;
            next.poses[i].position += next.velocity[i] * dt;
            if w != DVec3::ZERO {
                next.poses[i].rotation =
                    (exp_rotation(w * dt) * next.poses[i].rotation).normalize();
            }
        }
        for (i, to) in given.ends.iter().enumerate() {
            if let Some(to) = to {
                next.poses[i] = *to;
            }
        }
        let world = self
            .problem
            .contacts
            .iter()
            .zip(&solution.impulse)
            .map(|(contact, impulse)| to_world(&contact.frame, impulse));
        next.impulses.store(&self.contacts, dt, world);
        match self.settings.joints {
            Joints::Rigid => next.shear.clear(),
            Joints::Elastic => self.store_shear(state, solution, dt, &mut next),
        }
        next
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
