//! The run: steps, energies, collapse, output times.

use drystone_cone::{Law, Method, Settings};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{
    ContactForce, Drive, Energy, State, StepFault, StepReport, StepSettings, Stepper, Stopwatch,
    TieReading, foundation_level, log_rotation,
};
use drystone_model::{Adaptive, FrictionLaw, Ground, Model, Solver, TimeHistory};
use drystone_shaking::GroundMotion;
use serde::{Deserialize, Serialize};

use super::drive::Excitation;
use super::pace::Pace;
use super::steering::Steering;
use super::summary::{
    Audit, EnergyReport, Impacts, LargestDisplacement, MortarReport, Peak, Status, Summary,
    TiePeak, Troubles,
};
use super::tolerance::tolerances;
use super::verdict::{QUIET_SPEED, Seen, Standing, height, is_held};
use crate::answer::block_names;

/// Everything a run needs to go on later with the same bits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    /// Configuration, velocities, contact memory.
    pub state: State,
    /// Steps taken.
    pub steps: u64,
    /// Frames due so far.
    pub frames: u64,
    /// Force outputs due so far.
    pub force_frames: u64,
    /// Total energy at the start, J.
    initial_total: f64,
    /// Potential energy at the start, J.
    initial_potential: f64,
    /// Energy that joints hold, J, and that they held at the start.
    elastic: f64,
    initial_elastic: f64,
    audit: Audit,
    troubles: Troubles,
    impacts: Impacts,
    standing: Standing,
    /// Where steps adapt to the motion.
    pace: Option<Pace>,
    peaks: Vec<Peak>,
    ties: Vec<TiePeak>,
    /// Index of the block that moved most so far, and how far, m.
    farthest: (usize, f64),
    /// Largest rotation of any block so far, rad.
    rotation: f64,
}

impl Progress {
    /// Largest rotation of any free block so far, rad.
    pub fn rotation(&self) -> f64 {
        self.rotation
    }
}

/// What is due after a step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Events {
    /// A frame of output.
    pub frame: bool,
    /// A frame of contact forces.
    pub forces: bool,
}

/// A monitor's displacement and rotation vector relative to the ground.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MonitorReading {
    /// m.
    pub displacement: DVec3,
    /// rad.
    pub rotation: DVec3,
}

/// What is written at an output time.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// s.
    pub time: f64,
    /// J.
    pub energy: EnergyReport,
    /// In the order of the settings.
    pub monitors: Vec<MonitorReading>,
    /// In the order of the model.
    pub ties: Vec<TieReading>,
    /// Displacement of the ground, m.
    pub ground: DVec3,
    /// Relative to the ground, in the order of the model's blocks.
    pub poses: Vec<Pose>,
}

/// How well a step was solved.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepNote {
    /// End of the step, s.
    pub time: f64,
    /// Its length, s.
    pub dt: f64,
    /// Of the accepted solution, relative.
    pub residual: f64,
    /// Of the solver.
    pub iterations: u32,
    /// Contact points.
    pub contacts: usize,
    /// Deepest overlap of blocks at its beginning, m.
    pub penetration: f64,
    /// Dissipated energy since the start of the run that contacts do not explain, J.
    pub imbalance: f64,
    /// Largest natural map of the friction law in the accepted solution, relative; see [`drystone_cone::Residual::natural`].
    pub natural_map: f64,
}

/// A time history under way.
pub struct Run<'m> {
    model: &'m Model,
    settings: &'m TimeHistory,
    excitation: Excitation,
    stepper: Stepper<'m>,
    level: f64,
    /// Vertical extent per block, m.
    heights: Vec<f64>,
    progress: Progress,
    /// Of the last step; for whoever writes it down.
    note: StepNote,
}

impl<'m> Run<'m> {
    /// A run at its start.
    pub fn new(model: &'m Model, settings: &'m TimeHistory, excitation: Excitation) -> Self {
        let level = foundation_level(model);
        let mut state = State::initial(model);
        // A ground that oscillates from the start takes the structure along.
        let velocity = excitation.initial_velocity();
        if velocity != DVec3::ZERO {
            state.ground_velocity = velocity;
            if settings.ground == Ground::Supports {
                state.velocity.iter_mut().for_each(|v| *v += velocity);
            }
        }
        let frame = match settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => velocity,
        };
        let energy = Energy::of(model, &state, frame, level);
        let progress = Progress {
            state,
            steps: 0,
            frames: 0,
            force_frames: 0,
            initial_total: energy.total(),
            initial_potential: energy.potential,
            elastic: 0.0,
            initial_elastic: 0.0,
            audit: Audit::default(),
            troubles: Troubles::default(),
            impacts: Impacts::default(),
            standing: Standing::default(),
            pace: settings.adaptive.map(|_| Pace::new(settings.dt)),
            peaks: settings.monitors.iter().map(|_| Peak::default()).collect(),
            ties: vec![TiePeak::default(); model.ties.len()],
            farthest: (0, 0.0),
            rotation: 0.0,
        };
        let mut run = Self {
            stepper: Stepper::new(model, step_settings(model, settings)),
            model,
            settings,
            excitation,
            level,
            heights: model.blocks.iter().map(height).collect(),
            progress,
            note: StepNote::default(),
        };
        // What ties are stretched by from the start counts too.
        run.see_ties();
        run
    }

    fn see_ties(&mut self) {
        if self.model.ties.is_empty() {
            return;
        }
        let time = self.progress.state.time;
        let readings = self.ties();
        for (peak, reading) in self.progress.ties.iter_mut().zip(&readings) {
            peak.see(time, reading);
        }
    }

    /// Goes on from saved progress of the same model and settings.
    pub fn resume(&mut self, progress: Progress) {
        self.progress = progress;
        // What the last step left behind is not that of the state from here on.
        self.stepper = Stepper::new(self.model, step_settings(self.model, self.settings));
        self.note = StepNote::default();
    }

    /// What must be saved to resume.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// How the ground moves by the motions of the model.
    pub(super) fn ground(&self) -> &GroundMotion {
        &self.excitation.ground
    }

    /// What is set between steps.
    pub fn steering(&self) -> &Steering {
        &self.excitation.steering
    }

    /// The same, to be changed.
    pub fn steering_mut(&mut self) -> &mut Steering {
        &mut self.excitation.steering
    }

    /// Gives the free blocks other velocities relative to the ground, per block of the model, m/s and rad/s; what a planar model does not
    /// free is left out. The energy that this takes counts as harvested. False, and nothing is done, if it is more than a number can hold.
    pub fn set_velocities(&mut self, velocity: &[DVec3], angular_velocity: &[DVec3]) -> bool {
        let before = self.energy().total();
        let frame = self.frame_velocity();
        let state = &mut self.progress.state;
        let kept = (state.velocity.clone(), state.angular_velocity.clone());
        let free = self.model.free.map(|free| f64::from(u8::from(free)));
        let masks = [
            DVec3::new(free[0], free[1], free[2]),
            DVec3::new(free[3], free[4], free[5]),
        ];
        for (i, block) in self.model.blocks.iter().enumerate() {
            if !block.support {
                state.velocity[i] = masks[0] * velocity[i] + frame;
                state.angular_velocity[i] = masks[1] * angular_velocity[i];
            }
        }
        let gained = self.energy().total() - before;
        if !gained.is_finite() {
            let state = &mut self.progress.state;
            (state.velocity, state.angular_velocity) = kept;
            return false;
        }
        self.progress.audit.harvested += gained;
        self.progress.standing.disturb();
        true
    }

    /// Pose, velocity and angular velocity of a block relative to the ground. Those of a support are the means of the last step.
    pub fn motion_of(&self, block: usize) -> (Pose, DVec3, DVec3) {
        let state = &self.progress.state;
        let mut pose = state.poses[block];
        pose.position -= self.frame_displacement();
        if !self.model.blocks[block].support {
            let velocity = state.velocity[block] - self.frame_velocity();
            return (pose, velocity, state.angular_velocity[block]);
        }
        let dt = self.note.dt;
        if dt <= 0.0 {
            return (pose, DVec3::ZERO, DVec3::ZERO);
        }
        let initial = Pose::at(self.model.blocks[block].position);
        let before = self.excitation.support(block, initial, state.time - dt);
        let turned = log_rotation(pose.rotation * before.rotation.inverse());
        (pose, (pose.position - before.position) / dt, turned / dt)
    }

    /// Number of steps of the duration, and once it is over of the time that is spent on it at most; as many as there would be if all were the
    /// first one where steps adapt.
    pub fn total_steps(&self) -> u64 {
        if self.at_end() {
            self.most_steps()
        } else {
            self.steps_until(self.settings.duration)
        }
    }

    /// Number of steps if the structure does not come to rest.
    pub fn most_steps(&self) -> u64 {
        self.steps_until(self.latest_end())
    }

    fn steps_until(&self, time: f64) -> u64 {
        // A duration that is a multiple of dt up to rounding must not gain a step.
        (time / self.settings.dt - 1e-9).ceil().max(0.0) as u64
    }

    /// How much of [`Self::total_steps`] is done.
    pub fn steps_done(&self) -> u64 {
        match self.progress.pace {
            Some(_) if self.finished() => self.steps_until(self.progress.state.time),
            Some(_) => (self.progress.state.time / self.settings.dt).floor() as u64,
            None => self.progress.steps,
        }
    }

    /// When the run ends if the structure does not come to rest, s. A motion that lasts longer still leaves the verdict open, whatever is computed before
    /// its end.
    fn latest_end(&self) -> f64 {
        let latest = self.settings.duration + self.settings.settle;
        if self.excitation.end() > latest {
            self.settings.duration
        } else {
            latest
        }
    }

    /// Steps adapt to the motion, and nobody knows how many there will be.
    pub fn is_adaptive(&self) -> bool {
        self.progress.pace.is_some()
    }

    /// The duration is over.
    pub fn at_end(&self) -> bool {
        match self.progress.pace {
            Some(_) => self.progress.state.time >= self.settings.duration,
            None => self.progress.steps >= self.steps_until(self.settings.duration),
        }
    }

    /// Nothing is left to do: the duration is over and there is a verdict, or no more time for one.
    pub fn finished(&self) -> bool {
        let standing = &self.progress.standing;
        let late = match self.progress.pace {
            Some(_) => self.progress.state.time >= self.latest_end(),
            None => self.progress.steps >= self.most_steps(),
        };
        (self.at_end() && (late || standing.is_decided()))
            || (self.settings.stop_at_collapse && standing.collapse_time.is_some())
    }

    /// Takes one step.
    pub fn advance(&mut self, stopwatch: &mut dyn Stopwatch) -> Result<Events, StepFault> {
        let start = self.progress.state.time;
        let ended = self.at_end();
        let report = match self.settings.adaptive {
            Some(steps) => self.adapt(&steps, stopwatch)?,
            None => {
                let end = self.next_end();
                self.stepper
                    .step(&mut self.progress.state, end, &self.excitation, stopwatch)?
            }
        };
        let end = self.progress.state.time;
        self.progress.steps += 1;
        self.excitation.steering.stepped();
        self.account(&report);
        self.watch(start);
        self.note = StepNote {
            time: end,
            dt: end - start,
            residual: report.residual.worst(),
            iterations: report.iterations,
            contacts: report.contacts,
            penetration: report.penetration,
            imbalance: self.imbalance(),
            natural_map: report.residual.natural,
        };
        let mut events = Events::default();
        // The end of the duration is written whether or not it is the last step.
        let last = self.finished() || (self.at_end() && !ended);
        let due = is_due(end, self.progress.frames + 1, self.settings.output_every);
        self.progress.frames += u64::from(due);
        events.frame = due || last;
        if let Some(every) = self.settings.forces_every {
            let due = is_due(end + self.leeway(), self.progress.force_frames + 1, every);
            self.progress.force_frames += u64::from(due);
            events.forces = due || last;
        }
        Ok(events)
    }

    /// How well the last step was solved.
    pub fn note(&self) -> &StepNote {
        &self.note
    }

    /// Dissipated energy that contacts do not explain, J: the error of time integration.
    fn imbalance(&self) -> f64 {
        let energy = self.energy_report();
        let stored = energy.elastic - self.progress.initial_elastic;
        energy.dissipated + stored - self.progress.audit.lost_in_contacts
    }

    /// Takes steps and takes them back until one is good enough.
    fn adapt(
        &mut self,
        steps: &Adaptive,
        stopwatch: &mut dyn Stopwatch,
    ) -> Result<StepReport, StepFault> {
        let (mut iterations, mut fallbacks) = (0, 0);
        let target = self.target();
        loop {
            let end = self.next_end();
            let mut next = self.progress.state.clone();
            let mut report = self
                .stepper
                .step(&mut next, end, &self.excitation, stopwatch)?;
            let frames = [&self.progress.state, &next].map(|state| self.frame_of(state));
            let progress = &mut self.progress;
            let Some(pace) = &mut progress.pace else {
                progress.state = next;
                return Ok(report);
            };
            iterations += report.iterations;
            fallbacks += report.fallbacks;
            let states = [&progress.state, &next];
            let closings = self.stepper.closings();
            if pace.judge(self.model, steps, states, target, frames, closings) {
                progress.state = next;
                (report.iterations, report.fallbacks) = (iterations, fallbacks);
                return Ok(report);
            }
        }
    }

    /// When the next step ends, s.
    fn next_end(&self) -> f64 {
        let progress = &self.progress;
        match &progress.pace {
            Some(pace) => pace.end(progress.state.time, self.target()),
            None => (progress.steps + 1) as f64 * self.settings.dt,
        }
    }

    /// The time that steps that adapt must not pass by, s: that of a frame, of forces, or the end.
    fn target(&self) -> f64 {
        let progress = &self.progress;
        let frame = (progress.frames + 1) as f64 * self.settings.output_every;
        let end = if self.at_end() {
            self.latest_end()
        } else {
            self.settings.duration
        };
        let target = if frame < end * (1.0 - 1e-9) {
            frame
        } else {
            end
        };
        let forces = self.settings.forces_every;
        forces
            .map(|every| (progress.force_frames + 1) as f64 * every)
            .filter(|&forces| forces > progress.state.time && forces < target - self.leeway())
            .unwrap_or(target)
    }

    /// How far from their time forces may be written if a frame is there, s: a tiny step between the two would turn errors of position into speed.
    fn leeway(&self) -> f64 {
        let steps = self.settings.adaptive;
        steps.map_or(0.0, |steps| 0.5 * steps.smallest)
    }

    fn account(&mut self, report: &StepReport) {
        let progress = &mut self.progress;
        progress.audit.harvested += report.work.external;
        progress.audit.harvested_from_supports += report.work.supports;
        progress.audit.lost_in_contacts += report.work.contact_loss;
        progress.elastic = report.elastic_energy;
        if progress.steps == 1 {
            progress.initial_elastic = report.compression_before;
        }
        progress.troubles.add(report);
        progress.impacts.add(report);
    }

    /// Collapse, rest, peaks, and how far blocks have gone in a step.
    fn watch(&mut self, begin: f64) {
        let energy = self.energy();
        let shift = self.frame_displacement();
        let speed = self.speed();
        let progress = &mut self.progress;
        let threshold = (1.0 - self.settings.collapse_drop) * progress.initial_potential;
        // What supports take away by settling under the structure is not lost by falling.
        let height = energy.potential - progress.audit.harvested_from_supports.min(0.0);
        let lost_height = progress.initial_potential > 0.0 && height < threshold;
        let (model, excitation) = (self.model, &self.excitation);
        let time = progress.state.time;
        for (i, block) in self.model.blocks.iter().enumerate() {
            let gone = progress.state.poses[i].position - shift - block.position;
            if block.support {
                continue;
            }
            if gone.length() > progress.farthest.1 {
                progress.farthest = (i, gone.length());
            }
            let turned = log_rotation(progress.state.poses[i].rotation).length();
            progress.rotation = progress.rotation.max(turned);
            let lowered = || excitation.lowered(model, time);
            let standing = &mut progress.standing;
            standing.dropped(i, -gone.z, self.heights[i], lowered);
        }
        let seen = Seen {
            span: [begin, time],
            motion_end: self.excitation.end(),
            speed,
            lost_height,
        };
        progress.standing.see(self.settings, &seen);
        // Before the duration is over nobody needs the verdict.
        if self.at_end() && self.progress.standing.is_in_doubt(time) {
            let held = self.is_held(begin);
            self.progress.standing.sought(time, held);
        }
        self.see_ties();
        for k in 0..self.settings.monitors.len() {
            let reading = self.reading(k);
            self.progress.peaks[k].see(
                self.progress.state.time,
                reading.displacement,
                reading.rotation,
            );
        }
    }

    /// Whether forces hold the structure where it is, under what acts since `begin`, s.
    fn is_held(&self, begin: f64) -> bool {
        let state = &self.progress.state;
        let more = |block: usize| {
            let (force, couple) = self.excitation.force(block, begin, state.time);
            [force.x, force.y, force.z, couple.x, couple.y, couple.z]
        };
        is_held(self.model, self.relative_poses(), &state.ties, more)
    }

    /// Poses relative to the ground.
    fn relative_poses(&self) -> Vec<Pose> {
        let shift = self.frame_displacement();
        let poses = self.progress.state.poses.iter().map(|pose| Pose {
            position: pose.position - shift,
            rotation: pose.rotation,
        });
        poses.collect()
    }

    /// Force and elongation of every tie now.
    pub fn ties(&self) -> Vec<TieReading> {
        self.stepper.ties(&self.progress.state, &self.excitation)
    }

    /// Velocity of the ground in the frame of the equations.
    fn frame_velocity(&self) -> DVec3 {
        self.frame_of(&self.progress.state)
    }

    /// The same in another state.
    fn frame_of(&self, state: &State) -> DVec3 {
        match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => state.ground_velocity,
        }
    }

    /// Displacement of the ground in the frame of the equations.
    fn frame_displacement(&self) -> DVec3 {
        match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => self.excitation.ground(self.progress.state.time),
        }
    }

    fn energy(&self) -> Energy {
        Energy::of(
            self.model,
            &self.progress.state,
            self.frame_velocity(),
            self.level + self.frame_displacement().z,
        )
    }

    fn reading(&self, monitor: usize) -> MonitorReading {
        let monitor = &self.settings.monitors[monitor];
        let initial = self.model.blocks[monitor.block].position + monitor.arm;
        let pose = &self.progress.state.poses[monitor.block];
        MonitorReading {
            displacement: pose.transform(monitor.arm) - self.frame_displacement() - initial,
            rotation: log_rotation(pose.rotation),
        }
    }

    fn energy_report(&self) -> EnergyReport {
        let energy = self.energy();
        let harvested = self.progress.audit.harvested;
        let elastic = self.progress.elastic;
        let initial = self.progress.initial_total + self.progress.initial_elastic;
        EnergyReport {
            kinetic: energy.kinetic,
            potential: energy.potential,
            harvested,
            dissipated: harvested - (energy.total() + elastic - initial),
            elastic,
        }
    }

    /// The present frame.
    pub fn frame(&self) -> Frame {
        Frame {
            time: self.progress.state.time,
            energy: self.energy_report(),
            monitors: (0..self.settings.monitors.len())
                .map(|k| self.reading(k))
                .collect(),
            ties: self.ties(),
            ground: self.excitation.ground(self.progress.state.time),
            poses: self.relative_poses(),
        }
    }

    /// Contact points and mean forces of the last step, positions relative to the ground.
    pub fn contact_forces(&self) -> impl Iterator<Item = ContactForce> + '_ {
        // Points are those of the beginning of the step.
        let shift = match self.settings.ground {
            Ground::Inertia => DVec3::ZERO,
            Ground::Supports => self
                .excitation
                .ground(self.progress.state.time - self.note.dt),
        };
        self.stepper.contact_forces().map(move |mut force| {
            force.point -= shift;
            force
        })
    }

    /// Impulse per contact of [`Self::problem`], local components, N s.
    pub fn impulses(&self) -> &[[f64; 3]] {
        self.stepper.impulses()
    }

    /// The step problem of the last step.
    pub fn problem(&self) -> &drystone_cone::StepProblem {
        self.stepper.problem()
    }

    /// The problem of the step that comes next, with its warm start; nothing is solved.
    pub fn next_problem(&mut self) -> drystone_cone::StoredProblem {
        let end = self.next_end();
        self.stepper
            .pose(&self.progress.state, end, &self.excitation, &mut ())
    }

    /// Speed of the fastest point of the free blocks relative to the ground, up to a factor of two, m/s.
    pub fn speed(&self) -> f64 {
        let state = &self.progress.state;
        let frame = self.frame_velocity();
        (0..self.model.blocks.len())
            .filter(|&i| !self.model.blocks[i].support)
            .map(|i| {
                (state.velocity[i] - frame).length()
                    + state.angular_velocity[i].length() * self.model.blocks[i].shape.radius()
            })
            .fold(0.0, f64::max)
    }

    /// The results so far.
    pub fn summary(&self) -> Summary {
        let energy = self.energy_report();
        let mut audit = self.progress.audit;
        audit.imbalance = self.imbalance();
        let standing = &self.progress.standing;
        Summary {
            status: match (standing.collapse_time, standing.at_rest_since()) {
                (Some(_), _) => Status::Collapsed,
                _ if !self.finished() => Status::Interrupted,
                (None, Some(_)) => Status::Stood,
                (None, None) => Status::Undecided,
            },
            collapse_time: standing.collapse_time,
            fallen_blocks: block_names(self.model, &standing.fallen)
                .into_iter()
                .map(str::to_owned)
                .collect(),
            at_rest_since: standing.at_rest_since(),
            held_at_end: standing.is_held(),
            motion_end: Some(self.excitation.end()).filter(|end| end.is_finite()),
            time: self.progress.state.time,
            steps: self.progress.steps,
            max_penetration: self.progress.troubles.max_penetration,
            worst_residual: self.progress.troubles.worst_residual,
            moving_at_end: self.speed() > QUIET_SPEED,
            largest_displacement: LargestDisplacement {
                block: self
                    .model
                    .blocks
                    .get(self.progress.farthest.0)
                    .filter(|_| self.progress.farthest.1 > 0.0)
                    .map_or_else(String::new, |block| block.name.clone()),
                displacement: self.progress.farthest.1,
            },
            energy,
            audit,
            troubles: self.progress.troubles.clone(),
            impacts: self.progress.impacts,
            adaptive: self.progress.pace.as_ref().map(|pace| pace.report),
            peaks: self
                .settings
                .monitors
                .iter()
                .zip(&self.progress.peaks)
                .map(|(monitor, peak)| (monitor.name.clone(), *peak))
                .collect(),
            ties: self
                .model
                .ties
                .iter()
                .zip(&self.progress.ties)
                .map(|(tie, peak)| (tie.name.clone(), *peak))
                .collect(),
            mortar: match self.stepper.mortar_points() {
                0 => None,
                points => Some(MortarReport {
                    points,
                    broken: self.progress.state.lost_mortar.len(),
                }),
            },
        }
    }
}

/// Whether output number `count` is due at `time`: outputs happen at the first step at or after their time.
fn is_due(time: f64, count: u64, every: f64) -> bool {
    time >= count as f64 * every * (1.0 - 1e-12) - 1e-12 * every
}

fn step_settings(model: &Model, settings: &TimeHistory) -> StepSettings {
    let solver = Settings {
        method: match settings.solver {
            Solver::Automatic => Method::Automatic,
            Solver::InteriorPoint => Method::InteriorPoint,
            Solver::Newton => Method::Newton,
            Solver::Clarabel => Method::Clarabel,
        },
        law: match settings.friction_law {
            FrictionLaw::Associated => Law::Associated,
            FrictionLaw::Coulomb => Law::Coulomb,
        },
        tolerances: tolerances(model, settings),
        ..Settings::default()
    };
    StepSettings {
        scheme: settings.scheme,
        ground: settings.ground,
        solver,
        joints: settings.joints,
        regularisation: settings.regularisation,
        rotation_iterations: settings.rotation_iterations,
        max_halvings: 3,
    }
}
