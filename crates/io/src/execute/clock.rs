//! Where the time goes.

use std::time::Instant;

use drystone_mechanics::{Phase, Stopwatch};
use serde::{Deserialize, Serialize};

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

/// Adds up the time spent in each phase.
#[derive(Debug)]
pub struct Clock {
    seconds: Seconds,
    phase: Phase,
    since: Instant,
}

impl Clock {
    /// Goes on from what an interrupted run had spent.
    pub fn new(spent: Seconds) -> Self {
        Self {
            seconds: spent,
            phase: Phase::Outside,
            since: Instant::now(),
        }
    }

    /// Spent up to now.
    pub fn read(&mut self) -> Seconds {
        self.enter(self.phase);
        self.seconds
    }
}

impl Stopwatch for Clock {
    fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        let spent = now.duration_since(self.since).as_secs_f64();
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
