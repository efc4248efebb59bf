//! The length of the next step, from what the last one missed.
//!
//! A leapfrog step expects accelerations to stay as they are. What a velocity changes by beyond that, over a step, is what the position is off by, up to a
//! factor: third order in the step for a smooth motion, first at an impact. The factor is that of a smooth motion.

use drystone_geometry::DVec3;
use drystone_mechanics::State;
use drystone_model::{Adaptive, Model};
use serde::{Deserialize, Serialize};

/// `dt³/24` times the third derivative is what a step of leapfrog misses.
const FACTOR: f64 = 1.0 / 24.0;
/// A step is planned with this part of the length that would just do.
const SAFETY: f64 = 0.9;
/// Steps grow by no more than this from one to the next: the scheme is of second order if its steps change smoothly.
const GROWTH: f64 = 1.5;
/// Part of the time until the next impact that a step may take.
const APPROACH: f64 = 0.4;
/// A step may be longer than planned by this part if it ends at an output time then: time has been added up, and is off by rounding.
const STRETCH: f64 = 1e-6;
/// Bounds of what a step that is taken back is shortened by. Impacts ask for less than the square root says, and get it by and by.
const SHORTENING: [f64; 2] = [0.3, 0.7];

/// What the choice of steps remembers from step to step.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Pace {
    /// Length of the next step, s.
    pub next: f64,
    /// Accelerations of the last two steps per block, m/s² and rad/s². After an impact the one before it is the better measure.
    before: [Vec<[DVec3; 2]>; 2],
    /// What happened so far.
    pub report: PaceReport,
}

/// How long steps were that adapted to the motion.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct PaceReport {
    /// Shortest step, s. Steps that end at an output time may be shorter than the shortest allowed.
    pub shortest: f64,
    /// Longest step, s.
    pub longest: f64,
    /// Steps that were taken back because they erred by more than the tolerance.
    pub rejected: u64,
}

impl Pace {
    /// Before the first step, of length `dt`.
    pub fn new(dt: f64) -> Self {
        Self {
            next: dt,
            ..Self::default()
        }
    }

    /// End of the step from `time`, if `target` has to be hit: the rest of the way is divided evenly if it is less than two steps.
    pub fn end(&self, time: f64, target: f64) -> f64 {
        end_of(self.next, time, target)
    }

    /// Judges a step between two states on the way to `target`, velocities relative to `frames`: true if it is taken. Plans the next one, or a shorter one instead of it. The
    /// first step has no accelerations to be compared with, and is taken. `closings`: when contacts close after it, s, and how fast, m/s.
    pub fn judge(
        &mut self,
        model: &Model,
        steps: &Adaptive,
        [from, to]: [&State; 2],
        target: f64,
        frames: [DVec3; 2],
        closings: impl Iterator<Item = (f64, f64)>,
    ) -> bool {
        let dt = to.time - from.time;
        let span = from.lag + dt - to.lag;
        let mut error = 0.0_f64;
        let mut accelerations = Vec::with_capacity(model.blocks.len());
        for (i, block) in model.blocks.iter().enumerate() {
            if block.support {
                accelerations.push([DVec3::ZERO; 2]);
                continue;
            }
            let change = [
                (to.velocity[i] - frames[1]) - (from.velocity[i] - frames[0]),
                to.angular_velocity[i] - from.angular_velocity[i],
            ];
            let missed = self.before.iter().filter_map(|before| {
                let [a, b] = before.get(i)?;
                let radius = block.shape.radius();
                Some((change[0] - span * *a).length() + radius * (change[1] - span * *b).length())
            });
            let missed = missed.fold(f64::INFINITY, f64::min);
            if missed.is_finite() {
                error = error.max(FACTOR * dt * missed);
            }
            accelerations.push(change.map(|change| change / span));
        }
        if error > steps.tolerance {
            let factor = SAFETY * (steps.tolerance / error).sqrt();
            let shorter = (dt * factor.clamp(SHORTENING[0], SHORTENING[1])).max(steps.smallest);
            // What would end where this one did, rounding included, would be taken back for ever.
            if end_of(shorter, from.time, target) < to.time {
                self.next = shorter;
                self.report.rejected += 1;
                return false;
            }
        }
        let factor = SAFETY * (steps.tolerance / error.max(f64::MIN_POSITIVE)).cbrt();
        // A step cut short by an output time says nothing against going on as planned.
        let planned = (dt * factor).min(GROWTH * self.next.max(dt));
        // What will close is approached by degrees: a step much shorter than the one before turns its errors of position into speed.
        let planned = closings.fold(planned, |planned, (time, speed)| {
            let good_enough = steps.tolerance / (FACTOR * speed);
            planned.min(good_enough.max(APPROACH * time))
        });
        self.next = planned.clamp(steps.smallest, steps.largest);
        self.before.swap(0, 1);
        self.before[0] = accelerations;
        self.report.longest = self.report.longest.max(dt);
        self.report.shortest = if self.report.shortest > 0.0 {
            self.report.shortest.min(dt)
        } else {
            dt
        };
        true
    }
}

/// End of a step that is planned with the length `next`; see [`Pace::end`].
fn end_of(next: f64, time: f64, target: f64) -> f64 {
    let rest = target - time;
    if rest <= next * (1.0 + STRETCH) {
        target
    } else if rest < 2.0 * next {
        time + 0.5 * rest
    } else {
        time + next
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_to_an_output_is_divided_evenly() {
        let pace = Pace::new(0.004);
        assert_eq!(pace.end(0.0, 0.01), 0.004);
        assert_eq!(pace.end(0.004, 0.01), 0.007);
        assert_eq!(pace.end(0.007, 0.01), 0.01);
        assert_eq!(pace.end(0.0, 0.004 + 1e-12), 0.004 + 1e-12);
    }
}
