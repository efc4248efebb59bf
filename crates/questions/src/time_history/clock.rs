//! Where the time goes.

use drystone_mechanics::{Phase, Stopwatch};
use serde::{Deserialize, Serialize};

use crate::ask::Hooks;

/// Seconds by part of the work.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Seconds {
    /// All of the below.
    pub total: f64,
    /// Contact detection.
    pub detect: f64,
    /// Building the step problems.
    pub assemble: f64,
    /// Solving them.
    pub solve: f64,
    /// Updating the state.
    pub integrate: f64,
    /// Energies, monitors, files.
    pub output: f64,
}

/// Adds up the time spent in each phase, by the clock of whoever accompanies the run.
#[derive(Debug)]
pub(super) struct Clock {
    seconds: Seconds,
    phase: Phase,
    since: f64,
}

impl Clock {
    /// Goes on from what an interrupted run had spent.
    pub(super) fn new(spent: Seconds, now: f64) -> Self {
        Self {
            seconds: spent,
            phase: Phase::Outside,
            since: now,
        }
    }

    /// Spent up to now.
    pub(super) fn read(&mut self, now: f64) -> Seconds {
        self.enter(self.phase, now);
        self.seconds
    }

    fn enter(&mut self, phase: Phase, now: f64) {
        let spent = now - self.since;
        let part = match self.phase {
            Phase::Detect => &mut self.seconds.detect,
            Phase::Assemble => &mut self.seconds.assemble,
            Phase::Solve => &mut self.seconds.solve,
            Phase::Integrate => &mut self.seconds.integrate,
            Phase::Outside => &mut self.seconds.output,
        };
        *part += spent;
        self.seconds.total += spent;
        self.phase = phase;
        self.since = now;
    }
}

/// A clock while a step is taken.
pub(super) struct Ticking<'a> {
    pub(super) clock: &'a mut Clock,
    pub(super) hooks: &'a dyn Hooks,
}

impl Stopwatch for Ticking<'_> {
    fn enter(&mut self, phase: Phase) {
        self.clock.enter(phase, self.hooks.now());
    }
}
