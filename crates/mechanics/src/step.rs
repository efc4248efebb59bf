//! The step: detect, assemble, solve, integrate.

use drystone_cone::{
    Contact, FIXED, Law, Method, ProblemFault, Solution, Solver, Status, StepProblem,
    StoredProblem, Warm,
};
use drystone_geometry::{ContactSet, DVec3, Detector};
use drystone_model::{Joints, Model};

use crate::assemble::{ContactNotes, ContactSettings, add_contacts};
use crate::bodies::Bodies;
use crate::contacts::{detector, keep_free_normals, to_local};
use crate::drive::Drive;
use crate::easing::{Past, corners, ease, share};
use crate::mortar::{Clamp, clamps};
use crate::motion::{join, split};
use crate::prescribed::Prescribed;
use crate::report::{Phase, StepFault, StepReport, StepSettings, Stopwatch};
use crate::scheme::carry::Carried;
use crate::scheme::curvature::add_curvature;
use crate::scheme::impacts::Timing;
use crate::scheme::sliding::{Course, centre_friction};
use crate::scheme::springs::{self, Centred, centre_springs};
use crate::scheme::{Stepping, stepping};
use crate::slip::{has_kinetic_friction, slacks};
use crate::state::State;
use crate::ties::{frequency, pieces};

/// A step whose blocks travel farther than others were watched is detected and solved again, at most this often:
/// a chain of impacts within one step passes speed on block by block.
const MAX_DETECTIONS: usize = 3;

/// Pieces of a step at most: ties that ask for more are so stiff that rigid ones were meant, and no run would end.
const MOST_PIECES: u32 = 10_000;

/// Takes steps. Holds buffers only: dropping it changes no bit of the answer.
pub struct Stepper<'m> {
    pub(crate) model: &'m Model,
    pub(crate) settings: StepSettings,
    pub(crate) scheme: &'static dyn Stepping,
    pub(crate) bodies: Bodies,
    detector: Detector,
    pub(crate) solver: Solver,
    pub(crate) contacts: ContactSet,
    pub(crate) problem: StepProblem,
    /// How the springs of the contacts were centred; empty where nothing is.
    pub(crate) springs: Vec<Centred>,
    /// Of the last step: impulse per contact and velocity per body, its length, and how long forces acted, s.
    pub(crate) impulses: Vec<[f64; 3]>,
    pub(crate) velocities: Vec<[f64; 6]>,
    pub(crate) last_dt: f64,
    pub(crate) last_span: f64,
    /// Largest frequency of ties, rad/s.
    tie_frequency: f64,
    /// Some joint has a kinetic friction of its own.
    pub(crate) slides: bool,
    /// Bonds of the initial configuration, and what they press the contacts of the last step with, N.
    pub(crate) clamps: Vec<Clamp>,
    pub(crate) clamping: Vec<f64>,
}

/// What the solver starts from, with what the assembly noticed.
struct Posed {
    notes: ContactNotes,
    /// Velocity per body, m/s and rad/s.
    velocity: Vec<[f64; 6]>,
    /// Impulse per contact, local components, N s.
    impulse: Vec<[f64; 3]>,
    /// What contacts under Coulomb's law remember of it.
    last: Vec<[f64; 3]>,
    /// Their normal impulse to which they do not yield, N s; under another law none.
    preload: Option<Vec<f64>>,
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
pub(crate) struct Solved {
    pub solution: Solution,
    notes: ContactNotes,
    /// What was given to the bodies before.
    pub carried: Carried,
    /// See [`Posed`].
    pub preload: Option<Vec<f64>>,
    /// How contacts slide and open, see [`slacks`]; empty where nobody asks.
    pub slacks: Vec<[f64; 3]>,
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
            detector: detector(model),
            solver: Solver::new(settings.solver),
            contacts: ContactSet::default(),
            springs: Vec::new(),
            impulses: Vec::new(),
            velocities: Vec::new(),
            last_dt: 1.0,
            last_span: 1.0,
            tie_frequency: frequency(model),
            slides: has_kinetic_friction(model),
            clamps: clamps(model, &settings),
            clamping: Vec::new(),
            scheme: stepping(settings.scheme),
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
        let halvings = self.settings.max_halvings;
        let pieces = pieces(self.tie_frequency, end - state.time);
        if pieces > MOST_PIECES {
            return Err(StepFault::StiffTies {
                time: state.time,
                pieces,
            });
        }
        if pieces > 1 {
            return self.step_in_pieces(state, end, pieces, drive, stopwatch);
        }
        let (next, report) = self.step_in_halves(state, end, halvings, drive, stopwatch)?;
        *state = next;
        Ok(report)
    }

    /// As many equal pieces as stiff ties ask for. That is no sign of trouble, and not reported as such.
    fn step_in_pieces(
        &mut self,
        state: &mut State,
        end: f64,
        pieces: u32,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<StepReport, StepFault> {
        let (halvings, start) = (self.settings.max_halvings, state.time);
        let mut reached = state.clone();
        let mut whole: Option<StepReport> = None;
        for piece in 1..=pieces {
            let part = f64::from(piece) / f64::from(pieces);
            let to = if piece == pieces {
                end
            } else {
                start + part * (end - start)
            };
            let (next, report) = self.step_in_halves(&reached, to, halvings, drive, stopwatch)?;
            reached = next;
            match &mut whole {
                Some(whole) => whole.merge(&report),
                None => whole = Some(report),
            }
        }
        *state = reached;
        let mut report = whole.unwrap_or_default();
        report.pieces = report.pieces.saturating_sub(pieces - 1);
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
        // Half a step is easier than the last resorts of the solver, and mostly enough. Clarabel has nothing but them.
        let may_halve = halvings > 0 && self.settings.solver.method != Method::Clarabel;
        let rounds = self.settings.solver.max_outer;
        self.solver
            .set_max_outer(if may_halve { 0 } else { rounds });
        let (next, report) = self.attempt(state, end, may_halve, drive, stopwatch)?;
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

    /// One step of the scheme, whole. `may_halve`: an answer that is not within tolerance will not be used.
    fn attempt(
        &mut self,
        state: &State,
        end: f64,
        may_halve: bool,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<(State, StepReport), StepFault> {
        let given = self.prescribed(state, end, drive);
        let mut margins = self.margins(state, &given);
        let mut solved = self.solve_with(state, &given, &margins, stopwatch)?;
        for _ in 1..MAX_DETECTIONS {
            let in_vain = may_halve && solved.solution.status == Status::Inaccurate;
            if in_vain || !self.widen(&mut margins, &solved.solution, given.dt) {
                break;
            }
            let before = (solved.iterations, solved.fallbacks);
            solved = self.solve_with(state, &given, &margins, stopwatch)?;
            solved.iterations += before.0;
            solved.fallbacks += before.1;
        }

        stopwatch.enter(Phase::Integrate);
        let solution = &solved.solution;
        let next = self.integrate(state, &solved, &given, end);
        let work = self.work(state, &next, solution, &solved.carried.impulse, &given);
        self.impulses.clone_from(&solution.impulse);
        self.clamping = self.clamping(state);
        self.velocities.clone_from(&solution.velocity);
        self.last_dt = given.dt;
        self.last_span = given.span;
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
            impacts: solved.carried.counts,
            elastic_energy: self.elastic_energy(solution, &next, given.dt, given.span)
                + self.tie_energy(&next, drive, given.frame[1]),
            compression_before: self.compression_energy(given.dt, given.span)
                + self.tie_energy(state, drive, given.frame[0]),
        };
        stopwatch.enter(Phase::Outside);
        Ok((next, report))
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
    /// storing and replaying. Nothing is solved, but for what contacts carry when a run begins, and the state stays as it is: a step can be looked at however hard it is.
    /// It is what [`Self::step`] tries first, before blocks turn out to travel farther than they were watched and before
    /// halving, but for the carry of islands that are struck in quick succession, which takes a solve to find. Until the next step, [`Self::contact_forces`] are those of the guess.
    pub fn pose(
        &mut self,
        state: &State,
        end: f64,
        drive: &dyn Drive,
        stopwatch: &mut dyn Stopwatch,
    ) -> StoredProblem {
        let given = self.prescribed(state, end, drive);
        let margins = self.margins(state, &given);
        let mut posed = self.pose_with(state, &given, &margins, stopwatch);
        // What is malformed here is so in the step as well, which says it.
        let _ = self.load(state, &given, &mut posed);
        if let Ok(carried) = self.carry(state, &given, &posed, false) {
            self.centre_friction(state, &given, &posed, &carried);
            carried.apply(&mut self.problem);
        }
        self.ease(&posed, &given);
        self.impulses.clone_from(&posed.impulse);
        self.clamping = self.clamping(state);
        self.last_span = given.span;
        stopwatch.enter(Phase::Outside);
        StoredProblem::new(self.problem.clone(), Some(posed.warm()))
    }

    fn is_coulomb(&self) -> bool {
        self.solver.settings().law == Law::Coulomb
    }

    /// Lets rigid contacts yield under Coulomb's law, see [`ease`]; the contacts as they were, and in how many of them an overlap that carries nothing is
    /// pushed out more slowly than within one step.
    fn ease(&mut self, posed: &Posed, given: &Prescribed) -> Option<(Vec<Contact>, usize)> {
        let preload = posed.preload.as_deref()?;
        let dt = given.dt;
        let limit = self.push_out_speed(self.grain(dt));
        let points = &self.contacts.points;
        // Overlaps by which contacts carry their force are not pushed out: heavy blocks would sink.
        let carried = |k: usize, speed: f64| {
            let wanted = points[k].gap / dt;
            wanted.max(-(limit + speed)) - wanted.max(-limit)
        };
        let share = share(dt, given.span);
        let past = Past {
            last: &posed.last,
            preload,
            parts: &corners(&self.contacts),
        };
        let rigid = ease(&mut self.problem, share, &past, carried);
        let yielded = |k: usize| {
            let beyond = (posed.last[k][0] - preload[k]).max(0.0);
            self.problem.contacts[k].compliance[0] * beyond
        };
        let capped = (0..points.len())
            .filter(|&k| points[k].gap / dt < -(limit + yielded(k)))
            .count();
        Some((rigid, capped))
    }

    /// The last impulse of a contact may be that of an impact; schemes that do not look for them do not know.
    fn may_be_struck(&self, state: &State, contact: &Contact) -> bool {
        let mut sides = contact.bodies.iter().filter(|&&body| body != FIXED);
        let struck = |&body: &u32| state.carry.struck(self.bodies.blocks[body as usize]);
        !self.scheme.is_staggered() || sides.any(struck)
    }

    /// What contacts under Coulomb's law carry without yielding: what they carried at first. Before the first step that is found, and is the guess. Where joints have a stiffness of their own blocks are
    /// drawn without compression, and nothing is.
    fn load(
        &mut self,
        state: &State,
        given: &Prescribed,
        posed: &mut Posed,
    ) -> Result<(), ProblemFault> {
        if !self.is_coulomb() {
            return Ok(());
        }
        if let Some(memory) = &state.preload {
            let mut remembered = Vec::new();
            memory.hand_on(&self.contacts, given.span, &mut remembered);
            let contacts = self.problem.contacts.iter().zip(remembered);
            let normal = |(contact, r): (&Contact, DVec3)| DVec3::from(contact.frame[0]).dot(r);
            posed.preload = Some(contacts.map(normal).collect());
            return Ok(());
        }
        let contacts = &self.problem.contacts;
        posed.preload = Some(vec![0.0; contacts.len()]);
        if contacts.iter().all(|c| c.compliance == [0.0; 2]) {
            posed.impulse = self.impulses_at_rest(state, given)?;
            posed.last.clone_from(&posed.impulse);
            posed.preload = Some(posed.impulse.iter().map(|r| r[0]).collect());
        }
        Ok(())
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
        let shear = self.recall_shear(state, given.dt);
        let notes = self.assemble_contacts(state, given, &shear);
        self.assemble_bodies(state, given, None);
        let mut remembered = Vec::new();
        if self.is_coulomb() {
            let memory = &state.impulses;
            memory.hand_on(&self.contacts, given.span, &mut remembered);
        } else {
            state
                .impulses
                .recall(&self.contacts, given.span, &mut remembered);
        }
        let contacts = self.problem.contacts.iter().zip(&remembered);
        let impulse: Vec<[f64; 3]> = contacts
            .map(|(contact, &impulse)| to_local(&contact.frame, impulse))
            .collect();
        // After an impact the impulse is no force that would act for longer in a longer step.
        let shorter = (state.impulses.span() / given.span).min(1.0);
        let contacts = self.problem.contacts.iter().zip(&impulse);
        let last = contacts
            .map(|(contact, r)| {
                let struck = self.may_be_struck(state, contact);
                r.map(|x| if struck { x * shorter } else { x })
            })
            .collect();
        let blocks = self.bodies.blocks.iter();
        let velocity: Vec<[f64; 6]> = blocks
            .map(|&i| {
                let velocity = state.velocity[i] - given.frame[0];
                join(velocity, state.angular_velocity[i])
            })
            .collect();
        self.slide(state, given, &velocity);
        self.springs.clear();
        if self.scheme.is_staggered() && self.settings.joints == Joints::Elastic {
            let before: Vec<DVec3> = shear.iter().map(|[_, before]| *before).collect();
            let past = springs::Past {
                velocity: &velocity,
                shear: &before,
                supports: [&given.supports_before, &given.supports],
            };
            self.springs = centre_springs(&self.contacts, &past, given.dt, &mut self.problem);
        }
        Posed {
            notes,
            velocity,
            impulse,
            last,
            preload: None,
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
        let malformed = |fault| StepFault::Problem {
            time: state.time,
            fault,
        };
        let mut posed = self.pose_with(state, given, margins, stopwatch);
        stopwatch.enter(Phase::Solve);
        self.load(state, given, &mut posed).map_err(malformed)?;
        let carried = self.carry(state, given, &posed, true).map_err(malformed)?;
        self.centre_friction(state, given, &posed, &carried);
        let mut iterations = carried.iterations;
        let mut fallbacks = 0;
        let mut pass = 0;
        loop {
            carried.apply(&mut self.problem);
            stopwatch.enter(Phase::Solve);
            let eased = self.ease(&posed, given);
            let solution = self.solver.solve(&self.problem, Some(posed.warm()));
            let slack = match &solution {
                Ok(solution) if self.slides || !self.clamps.is_empty() => {
                    slacks(&self.problem, solution)
                }
                _ => Vec::new(),
            };
            if let Some((rigid, capped)) = eased {
                self.problem.contacts = rigid;
                posed.notes.capped = capped;
            }
            let solution = solution.map_err(malformed)?;
            iterations += solution.stats.iterations;
            fallbacks += solution.stats.fallbacks;
            pass += 1;
            if pass >= self.settings.rotation_iterations {
                return Ok(Solved {
                    solution,
                    notes: posed.notes,
                    carried,
                    preload: posed.preload,
                    slacks: slack,
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

    /// What impacts in this step carry from one contact to the other. `may_solve`: also where a solve has to tell.
    fn carry(
        &mut self,
        state: &State,
        given: &Prescribed,
        posed: &Posed,
        may_solve: bool,
    ) -> Result<Carried, ProblemFault> {
        if !self.scheme.is_staggered() {
            return Ok(Carried::default());
        }
        let gives_way = |contact: &Contact| contact.compliance[0] > 0.0;
        if self.problem.contacts.iter().any(gives_way) {
            // Springs answer to their stretch alone: a reaction given in advance they would give once more.
            return Ok(Carried::none(self.problem.bodies()));
        }
        let grain = self.grain(given.dt);
        let timing = Timing {
            dt: given.dt,
            lag: state.lag,
            span: given.span,
            grain,
            push_out_speed: self.push_out_speed(grain),
            jump: given.jump,
        };
        let solver = &mut self.solver;
        let coulomb = solver.settings().law == Law::Coulomb;
        let parts = corners(&self.contacts);
        let mut solve = |problem: &StepProblem, places: &[u32], warm: Warm<'_>| {
            if !coulomb {
                return solver.solve(problem, Some(warm));
            }
            let mut eased = problem.clone();
            let chosen =
                |all: &[f64]| -> Vec<f64> { places.iter().map(|&c| all[c as usize]).collect() };
            let past = Past {
                last: warm.impulse,
                preload: &posed.preload.as_deref().map(chosen).unwrap_or_default(),
                parts: &chosen(&parts),
            };
            let share = share(given.dt, given.span);
            ease(&mut eased, share, &past, |_, _| 0.0);
            solver.solve(&eased, Some(warm))
        };
        state.carry.plan(
            &self.bodies,
            &self.contacts,
            &self.problem,
            posed.warm(),
            &timing,
            may_solve.then_some(&mut solve),
        )
    }

    /// Friction acts about the middle of the kick, see [`centre_friction`].
    fn centre_friction(
        &mut self,
        state: &State,
        given: &Prescribed,
        posed: &Posed,
        carried: &Carried,
    ) {
        // In a plane slip does not turn.
        let turns = self.model.free.iter().all(|&free| free);
        let Some((expected, smooth)) = carried.expectation().filter(|_| turns) else {
            return;
        };
        let course = Course {
            before: &posed.velocity,
            expected,
            smooth: &smooth,
            impulse: &posed.impulse,
            supports: [&given.supports_before, &given.supports],
            ratio: 2.0 * state.lag / given.dt,
        };
        centre_friction(&self.contacts, &course, &mut self.problem);
    }

    /// Speeds below what gravity gives in one step are the grain of the motion, m/s. A model without gravity still needs a
    /// grain; a tenth of the earth's gravity is one.
    pub(crate) fn grain(&self, dt: f64) -> f64 {
        self.model.gravity.max(1.0) * dt
    }

    /// Largest speed with which overlaps of rigid blocks are pushed out, m/s. With a stiffness overlaps are the compression of
    /// springs and are not limited: a limit would let heavy blocks sink.
    fn push_out_speed(&self, grain: f64) -> f64 {
        if self.settings.has_springs() {
            f64::INFINITY
        } else {
            self.scheme.push_out_speed(grain)
        }
    }

    fn assemble_contacts(
        &mut self,
        state: &State,
        given: &Prescribed,
        shear: &[[DVec3; 2]],
    ) -> ContactNotes {
        let grain = self.grain(given.dt);
        self.problem.speed_scale = grain;
        let settings = ContactSettings {
            dt: given.dt,
            span: given.span,
            push_out_speed: self.push_out_speed(grain),
            joints: self.settings.joints,
            regularisation: self.settings.regularisation,
        };
        let notes = add_contacts(
            self.model,
            &self.bodies,
            state,
            &given.supports,
            &self.contacts,
            shear,
            &settings,
            &mut self.problem,
        );
        if self.scheme.is_staggered() {
            add_curvature(
                state,
                |i| {
                    (
                        state.velocity[i] - given.frame[0],
                        state.angular_velocity[i],
                    )
                },
                &given.supports,
                &self.contacts,
                given.dt,
                &mut self.problem,
            );
        }
        notes
    }
}
