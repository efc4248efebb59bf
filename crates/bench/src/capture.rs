//! From a model to the step problems of a motion: real steps with real contact detection.

use drystone_cone::{
    LimitProblem, LimitSettings, LimitStatus, Settings, StoredProblem, solve_limit,
};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, Phase, State, Statics, StepSettings, Stepper, Still, Stopwatch};
use drystone_model::{Ground, Model, Scheme};
use serde::{Deserialize, Serialize};

use crate::clock::wall_ms;
use crate::family::Family;
use crate::measure::Series;

/// Length of a step, s.
const STEP: f64 = 0.002;
/// Steps of shaking before a problem is taken.
const SHAKEN: u32 = 12;
/// Steps of the large pulse.
const PUSHED: u32 = 8;
/// Steps in which laws of friction are compared, how often they are taken, and how often a step may be halved, as in time histories.
const SERIES: u32 = 16;
const REPEATED: u32 = 3;
const HALVINGS: u32 = 3;
/// Steps that rubble falls.
const POURED: u32 = 25;
/// Steps under self-weight at most, until nothing moves: contacts that yield under Coulomb's law take some to settle.
const SETTLED: u32 = 60;
/// How often a step is posed to time its stages.
const POSED: u32 = 10;
/// Largest acceleration of a small motion, in units of gravity.
const SMALL: f64 = 0.3;
/// Part of what a structure bears that a small motion asks of it at most: beyond all of it a mechanism is under way.
const BORNE: f64 = 2.0 / 3.0;
/// Direction of ground motions; no axis of anything.
const DIRECTION: DVec3 = DVec3::new(0.8, 0.6, 0.0);

/// What a structure does in the step that is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Motion {
    /// Nothing moves and nothing has changed: the last answer is checked and found good.
    Rest,
    /// The ground's acceleration rises towards 0.3 g, or two thirds of what the structure bears: forces change in every step, little
    /// moves.
    Small,
    /// In a pulse of 2 g, while blocks slide, rock and hit each other.
    Collapse,
}

impl Motion {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rest, Self::Small, Self::Collapse];

    /// Its name in tables.
    pub fn word(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Small => "small motion",
            Self::Collapse => "collapse",
        }
    }

    /// Whether a family has this state: rubble that is poured never rests within a few steps.
    pub(crate) fn suits(self, family: Family) -> bool {
        self == Self::Collapse || family != Family::RubblePile
    }
}

/// The ground under a structure.
struct Shaking {
    motion: Motion,
    from: f64,
    /// Acceleration of a small motion when its problem is taken, m/s2.
    small: f64,
}

impl Drive for Shaking {
    fn ground(&self, time: f64) -> DVec3 {
        let t = time - self.from;
        let shift = match self.motion {
            Motion::Rest => 0.0,
            Motion::Small => {
                // A sine that is one radian old when the problem is taken; it begins at rest.
                let omega = 1.0 / (STEP * f64::from(SHAKEN));
                let amplitude = self.small / 1_f64.sin();
                amplitude / omega * (t - (omega * t).sin() / omega)
            }
            Motion::Collapse => 0.5 * 2.0 * 9.81 * t * t,
        };
        shift * DIRECTION
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}

/// A problem as its solver would get it.
pub(crate) struct Captured {
    /// With its warm start.
    pub stored: StoredProblem,
    /// Contact detection of this step, ms.
    pub detect_ms: f64,
    /// Posing the problem, ms.
    pub assemble_ms: f64,
    /// Mean speed of blocks before the step over what gravity gives in a step.
    pub speed: f64,
}

#[derive(Default)]
struct Watch {
    phase: Option<Phase>,
    since: f64,
    detect: f64,
    assemble: f64,
    solve: f64,
}

impl Stopwatch for Watch {
    fn enter(&mut self, phase: Phase) {
        let now = wall_ms();
        match self.phase {
            Some(Phase::Detect) => self.detect += now - self.since,
            Some(Phase::Assemble) => self.assemble += now - self.since,
            Some(Phase::Solve) => self.solve += now - self.since,
            _ => {}
        }
        self.phase = Some(phase);
        self.since = now;
    }
}

/// A structure at rest under its own weight, from which motions begin.
pub(crate) struct Standing<'m> {
    model: &'m Model,
    state: State,
    settings: StepSettings,
    poured: bool,
}

impl<'m> Standing<'m> {
    /// Takes the first steps. `stop` is asked before each, and `None` means that it said yes.
    pub fn new(
        model: &'m Model,
        family: Family,
        solver: Settings,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Self>, String> {
        let poured = family == Family::RubblePile;
        let settings = StepSettings {
            scheme: Scheme::Euler,
            ground: Ground::Inertia,
            solver,
            joints: drystone_model::Joints::Rigid,
            regularisation: None,
            rotation_iterations: 1,
            max_halvings: 0,
        };
        let mut standing = Self {
            model,
            state: State::initial(model),
            settings,
            poured,
        };
        let mut state = standing.state.clone();
        let moves = |state: &State| {
            let mut all = state.velocity.iter().chain(&state.angular_velocity);
            all.any(|v| v.length() > 0.0)
        };
        for step in 0..if poured { POURED } else { SETTLED } {
            if !poured && step > 0 && !moves(&state) {
                break;
            }
            if !standing.advance(&mut state, &Still, 1, stop)? {
                return Ok(None);
            }
        }
        standing.state = state;
        Ok(Some(standing))
    }

    fn advance(
        &self,
        state: &mut State,
        drive: &dyn Drive,
        steps: u32,
        stop: &dyn Fn() -> bool,
    ) -> Result<bool, String> {
        let mut stepper = Stepper::new(self.model, self.settings.clone());
        for _ in 0..steps {
            if stop() {
                return Ok(false);
            }
            let end = state.time + STEP;
            let taken = stepper.step(state, end, drive, &mut ());
            taken.map_err(|fault| fault.to_string())?;
        }
        Ok(true)
    }

    /// The multiple of gravity with which the ground may be pulled away under the structure, as it was built, before it becomes a mechanism. Tall walls bear less
    /// than low ones of the same thickness, so that one acceleration for all sizes would be a small motion for some and a
    /// collapse for others.
    fn bears(&self) -> Result<f64, String> {
        let statics = Statics::new(self.model);
        let problem = LimitProblem {
            free: self.model.free,
            dead: statics.dead(),
            live: statics.body_force(-DIRECTION),
            contacts: statics.contacts.clone(),
            ..LimitProblem::default()
        };
        let found =
            solve_limit(&problem, &LimitSettings::default()).map_err(|fault| fault.to_string())?;
        match found.status {
            LimitStatus::Inaccurate => Err("what it bears was not found".to_owned()),
            LimitStatus::Infeasible => Err("it does not stand".to_owned()),
            LimitStatus::Unbounded => Ok(f64::INFINITY),
            LimitStatus::Optimal => Ok(found.multiplier),
        }
    }

    /// What shakes it in a motion, and how many steps lead into that.
    fn shaking(&self, motion: Motion) -> Result<(Shaking, u32), String> {
        let drive = Shaking {
            motion,
            from: self.state.time,
            small: if motion == Motion::Small {
                9.81 * SMALL.min(BORNE * self.bears()?)
            } else {
                0.0
            },
        };
        let steps = match motion {
            Motion::Rest => 0,
            Motion::Small => SHAKEN,
            // Rubble is in motion as it falls.
            Motion::Collapse if self.poured => 0,
            Motion::Collapse => PUSHED,
        };
        Ok((drive, steps))
    }

    /// The steps of a motion as a run takes them, in halves where one can't be solved whole; `None` if `stop` said yes.
    pub fn series(
        &self,
        motion: Motion,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Series>, String> {
        let (drive, _) = self.shaking(motion)?;
        let mut settings = self.settings.clone();
        settings.max_halvings = HALVINGS;
        let mut best: Option<Series> = None;
        for _ in 0..REPEATED {
            let mut stepper = Stepper::new(self.model, settings.clone());
            let (mut state, mut watch) = (self.state.clone(), Watch::default());
            let mut series = Series::default();
            for _ in 0..SERIES {
                if stop() {
                    return Ok(None);
                }
                let end = state.time + STEP;
                let report = stepper
                    .step(&mut state, end, &drive, &mut watch)
                    .map_err(|fault| fault.to_string())?;
                series.iterations += f64::from(report.iterations) / f64::from(SERIES);
                series.halved += u32::from(report.pieces > 1);
                series.inaccurate += u32::from(!report.solved);
                series.residual = series.residual.max(report.residual.worst());
            }
            series.ms = watch.solve / f64::from(SERIES);
            if best.is_none_or(|best| series.ms < best.ms) {
                best = Some(series);
            }
        }
        Ok(best)
    }

    /// The problem of the step after those that lead into a motion; `None` if `stop` said yes.
    pub fn capture(
        &self,
        motion: Motion,
        stop: &dyn Fn() -> bool,
    ) -> Result<Option<Captured>, String> {
        let (drive, steps) = self.shaking(motion)?;
        let mut state = self.state.clone();
        if !self.advance(&mut state, &drive, steps, stop)? {
            return Ok(None);
        }
        let mut stepper = Stepper::new(self.model, self.settings.clone());
        let end = state.time + STEP;
        // Stages are too short for ticks of processor time. The best of several in wall time is one that nothing disturbed; the
        // first fills the buffers, which in a run those of the step before have done.
        let mut stored = stepper.pose(&state, end, &drive, &mut ());
        let (mut detect_ms, mut assemble_ms) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..POSED {
            let mut watch = Watch::default();
            stored = stepper.pose(&state, end, &drive, &mut watch);
            detect_ms = detect_ms.min(watch.detect);
            assemble_ms = assemble_ms.min(watch.assemble);
        }
        let free: Vec<f64> = (0..self.model.blocks.len())
            .filter(|&i| !self.model.blocks[i].support)
            .map(|i| state.velocity[i].length())
            .collect();
        Ok(Some(Captured {
            stored,
            detect_ms,
            assemble_ms,
            speed: free.iter().sum::<f64>() / (free.len().max(1) as f64 * 9.81 * STEP),
        }))
    }
}

/// The problem of a step of a structure in motion, with its warm start.
pub fn step_problem(
    family: Family,
    blocks: usize,
    motion: Motion,
) -> Result<StoredProblem, String> {
    let model =
        drystone_model::from_toml(&family.text(blocks)).map_err(|faults| faults.to_string())?;
    let captured = Standing::new(&model, family, Settings::default(), &|| false)?
        .map(|standing| standing.capture(motion, &|| false))
        .transpose()?
        .flatten();
    captured
        .map(|captured| captured.stored)
        .ok_or_else(|| "stopped".to_owned())
}
