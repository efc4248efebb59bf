//! Integration from event to event.

use drystone_model::Rocking;

use super::runge_kutta::{State, step};
use super::{Impact, RockingBlock, RockingError, RockingResult, RockingSample, RockingStatus};
use drystone_shaking::GroundMotion;

/// Error per step relative to the size of the motion (the slenderness for angles, times `p` for velocities). The
/// answer is then good to about 1e-9; below 1e-13 rounding takes over.
const TOLERANCE: f64 = 1e-11;

/// A bounce that rises less than this part of the slenderness is no motion: far below what any reader of an angle
/// sees, and it bounds the number of impacts of a block that comes to rest, which is infinite in theory.
const NEGLIGIBLE_RISE: f64 = 1e-9;

/// While the block rests, time by which the search for lift-off advances at least, s. What a ground acceleration
/// above the threshold for so short a time could do is below [`NEGLIGIBLE_RISE`].
const SEARCH_STEP: f64 = 1e-6;

/// Longest step, in units of `1/p`; short enough that the ends of a step tell what happened inside.
const LONGEST_STEP: f64 = 0.1;

/// More impacts than this mean that nothing sensible is being computed.
const MOST_IMPACTS: usize = 1_000_000;

/// Solves for the motion of a rocking block on moving ground; the ground's component along the direction of the
/// analysis acts.
pub fn solve(settings: &Rocking, ground: &GroundMotion) -> Result<RockingResult, RockingError> {
    check(settings)?;
    Integration::new(settings, ground).run()
}

fn check(settings: &Rocking) -> Result<(), RockingError> {
    for (what, value) in [
        ("half_width", settings.half_width),
        ("half_height", settings.half_height),
        ("gravity", settings.gravity),
        ("duration", settings.duration),
        ("output_every", settings.output_every),
    ] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(RockingError::NotPositive { what, value });
        }
    }
    let range = |what, range, value, good: bool| match good {
        true => Ok(()),
        false => Err(RockingError::OutOfRange { what, range, value }),
    };
    let angle = settings.initial_angle;
    range(
        "initial_angle",
        "-pi/2 .. pi/2 rad",
        angle,
        angle.abs() < std::f64::consts::FRAC_PI_2,
    )?;
    let velocity = settings.initial_velocity;
    range(
        "initial_velocity",
        "finite numbers",
        velocity,
        velocity.is_finite(),
    )?;
    let restitution = settings.restitution.unwrap_or(1.0);
    range(
        "restitution",
        "0 .. 1",
        restitution,
        (0.0..=1.0).contains(&restitution),
    )
}

/// What a smooth stretch of motion ended with.
enum Event {
    /// The end of the stretch.
    None,
    Impact,
    Overturn,
}

struct Integration<'a> {
    settings: &'a Rocking,
    ground: &'a GroundMotion,
    block: RockingBlock,
    time: f64,
    state: State,
    /// Corner about which the block turns, +1 or -1; zero when it rests on both.
    side: f64,
    step_hint: f64,
    next_output: u64,
    result: RockingResult,
}

impl<'a> Integration<'a> {
    fn new(settings: &'a Rocking, ground: &'a GroundMotion) -> Self {
        let block = RockingBlock::new(settings);
        let state = [settings.initial_angle, settings.initial_velocity];
        let side = if state[0] != 0.0 {
            state[0].signum()
        } else if state[1] != 0.0 {
            state[1].signum()
        } else {
            0.0
        };
        Self {
            settings,
            ground,
            block,
            time: 0.0,
            state,
            side,
            step_hint: LONGEST_STEP / block.frequency,
            next_output: 0,
            result: RockingResult {
                status: RockingStatus::Stood,
                overturn_time: None,
                rest_time: None,
                max_angle: state[0].abs(),
                impacts: Vec::new(),
                history: Vec::new(),
            },
        }
    }

    fn run(mut self) -> Result<RockingResult, RockingError> {
        self.next_output = 1;
        self.record(0.0, self.state);
        let duration = self.settings.duration;
        let mut stops: Vec<f64> = self.ground.breakpoints();
        stops.retain(|&t| t > 0.0 && t < duration);
        stops.push(duration);
        for stop in stops {
            self.advance_to(stop)?;
            if self.result.overturn_time.is_some() {
                break;
            }
        }
        Ok(self.conclude())
    }

    /// Through a stretch in which the ground acceleration is smooth.
    fn advance_to(&mut self, stop: f64) -> Result<(), RockingError> {
        while self.time < stop {
            if self.side == 0.0 {
                let lift_off = self.lift_off(stop);
                self.rest_until(lift_off.map_or(stop, |(time, _)| time));
                match lift_off {
                    Some((_, side)) => self.side = side,
                    None => return Ok(()),
                }
                continue;
            }
            match self.rock_to(stop)? {
                Event::None => {}
                Event::Impact => self.impact()?,
                Event::Overturn => {
                    self.result.overturn_time = Some(self.time);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Ground acceleration along the direction of the analysis, seen from inside a smooth stretch that ends at `stop`.
    fn ground_acceleration(&self, time: f64, stop: f64) -> f64 {
        let acceleration = if time < stop {
            self.ground.acceleration(time)
        } else {
            self.ground.acceleration_before(stop)
        };
        acceleration.dot(self.settings.direction)
    }

    /// First time at which the ground lifts the resting block, and the corner that stays down.
    fn lift_off(&self, stop: f64) -> Option<(f64, f64)> {
        let threshold = self.block.uplift_acceleration();
        let rate = self.ground.rate_bound(self.time, stop);
        let excess = |time| self.ground_acceleration(time, stop).abs() - threshold;
        let (mut quiet, mut time) = (self.time, self.time);
        // Within missing/rate nothing can happen: the search takes long strides unless a peak nearly reaches.
        loop {
            let missing = -excess(time);
            if missing < 0.0 {
                let lift_off = time - first_below_zero(|back| excess(time - back), time - quiet);
                // The last bits of the bisection must not land on the quiet side.
                let lift_off = if excess(lift_off) > 0.0 {
                    lift_off
                } else {
                    time
                };
                return Some((lift_off, -self.ground_acceleration(lift_off, stop).signum()));
            }
            if time >= stop || rate == 0.0 {
                return None;
            }
            quiet = time;
            time = (time + (missing / rate).max(SEARCH_STEP)).min(stop);
        }
    }

    fn rest_until(&mut self, time: f64) {
        self.result.rest_time.get_or_insert(self.time);
        self.state = [0.0; 2];
        for due in self.due_outputs(time) {
            self.record(due, [0.0; 2]);
        }
        self.time = time;
    }

    /// One accepted step, cut at an event.
    fn rock_to(&mut self, stop: f64) -> Result<Event, RockingError> {
        self.result.rest_time = None;
        let longest = LONGEST_STEP / self.block.frequency;
        let left = stop - self.time;
        let mut h = self.step_hint.min(longest).min(left);
        // A sliver that the last step would leave is taken along, so that stops are met exactly.
        if left - h < 1e-6 * longest {
            h = left;
        }
        let (start, from) = (self.time, self.state);
        let mut rejected = false;
        let to = loop {
            let (to, error) = self.try_step(start, from, h, stop);
            let size = self.block.slenderness;
            let error = (error[0].abs() / size).max(error[1].abs() / (size * self.block.frequency))
                / TOLERANCE;
            if !error.is_finite() {
                return Err(self.stalled("the motion is not finite"));
            }
            if error <= 1.0 {
                let next = h * (0.9 * error.max(1e-10).powf(-0.2)).clamp(0.2, 5.0);
                // A step cut short by a stop must not shorten those after it.
                let cut = h == left && !rejected;
                self.step_hint = if cut { next.max(self.step_hint) } else { next };
                break to;
            }
            rejected = true;
            h *= (0.9 * error.powf(-0.2)).clamp(0.2, 0.9);
            if start + h == start {
                return Err(self.stalled("the step became too small"));
            }
        };
        let (event, length) = self.find_event(start, from, h, to, stop);
        let end = if length == h {
            to
        } else {
            self.try_step(start, from, length, stop).0
        };
        let end_time = if length == left { stop } else { start + length };
        self.note_peak(start, from, length, end, stop);
        for due in self.due_outputs(end_time) {
            // A step of just this length from the same start is as accurate as the step itself.
            let state = self.try_step(start, from, due - start, stop).0;
            self.record(due, state);
        }
        self.time = end_time;
        self.state = end;
        Ok(event)
    }

    fn try_step(&self, start: f64, from: State, h: f64, stop: f64) -> (State, State) {
        let rate = |t: f64, y: State| {
            self.block
                .rate(self.side, y, self.ground_acceleration(t, stop))
        };
        step(rate, start, from, h)
    }

    /// The first event within a step and the length of the step up to it.
    fn find_event(&self, start: f64, from: State, h: f64, to: State, stop: f64) -> (Event, f64) {
        let side = self.side;
        let angle = |length: f64| side * self.try_step(start, from, length, stop).0[0];
        let velocity = |length: f64| side * self.try_step(start, from, length, stop).0[1];
        if side * to[0] < 0.0 {
            return (Event::Impact, first_below_zero(angle, h));
        }
        // The block may come down, touch and be lifted again within the step.
        if side * from[1] < 0.0 && side * to[1] > 0.0 {
            let lowest = first_below_zero(|length| -velocity(length), h);
            if angle(lowest) < 0.0 {
                return (Event::Impact, first_below_zero(angle, lowest));
            }
        }
        let flat = std::f64::consts::FRAC_PI_2;
        if side * to[0] >= flat {
            return (
                Event::Overturn,
                first_below_zero(|length| flat - angle(length), h),
            );
        }
        (Event::None, h)
    }

    fn impact(&mut self) -> Result<(), RockingError> {
        let before = self.state[1];
        let after = self.block.restitution * before;
        self.state = [0.0, after];
        if self.result.impacts.len() >= MOST_IMPACTS {
            return Err(self.stalled("there were too many impacts"));
        }
        let ground = self
            .ground
            .acceleration(self.time)
            .dot(self.settings.direction);
        let side = before.signum();
        let restoring = -side * self.block.angular_acceleration(side, 0.0, ground);
        let lifted = ground.abs() > self.block.uplift_acceleration();
        let negligible = 2.0 * restoring * NEGLIGIBLE_RISE * self.block.slenderness;
        let stops = after == 0.0 || (!lifted && after * after <= negligible);
        if !stops || before * before > negligible {
            self.result.impacts.push(Impact {
                time: self.time,
                speed_before: before.abs(),
                speed_after: after.abs(),
            });
        }
        self.side = if stops { 0.0 } else { side };
        self.step_hint = LONGEST_STEP / self.block.frequency;
        Ok(())
    }

    /// Largest angle within a step, which is at its end unless the block turns back inside.
    fn note_peak(&mut self, start: f64, from: State, length: f64, end: State, stop: f64) {
        let mut peak = end[0].abs();
        if self.side * from[1] > 0.0 && self.side * end[1] < 0.0 {
            let velocity = |length: f64| self.side * self.try_step(start, from, length, stop).0[1];
            let turn = first_below_zero(velocity, length);
            peak = peak.max(self.try_step(start, from, turn, stop).0[0].abs());
        }
        self.result.max_angle = self.result.max_angle.max(peak);
    }

    /// Output times not yet written, up to and including `end`; they count as written from now on.
    fn due_outputs(&mut self, end: f64) -> Vec<f64> {
        let every = self.settings.output_every;
        let end = end.min(self.settings.duration);
        let times: Vec<f64> = (self.next_output..)
            .map(|k| k as f64 * every)
            .take_while(|&time| time <= end)
            .collect();
        self.next_output += times.len() as u64;
        times
    }

    fn record(&mut self, time: f64, state: State) {
        self.result.history.push(RockingSample {
            time,
            angle: state[0],
            velocity: state[1],
            kinetic: self.block.kinetic(state[1]),
            potential: self.block.potential(state[0]),
        });
    }

    fn stalled(&self, why: &'static str) -> RockingError {
        RockingError::Stalled {
            time: self.time,
            why,
        }
    }

    /// What comes of the present state if the ground stays as it is. Between impacts the energy is constant, and the way to the side is over the
    /// tipping point.
    fn will_overturn(&self) -> bool {
        let [angle, velocity] = self.state;
        let barrier = self.block.potential(self.block.slenderness);
        let energy = self.block.kinetic(velocity) + self.block.potential(angle);
        let outward = angle * velocity > 0.0 || (angle == 0.0 && velocity != 0.0);
        if angle.abs() > self.block.slenderness {
            // On its way back it has to pass the tipping point, and not to reach the other one after an impact.
            return angle * velocity >= 0.0
                || energy < barrier
                || self.after_impact(energy) > barrier;
        }
        energy > barrier && (outward || self.after_impact(energy) > barrier)
    }

    /// What an impact leaves of the energy with which the block comes down.
    fn after_impact(&self, energy: f64) -> f64 {
        self.block.restitution.powi(2) * energy
    }

    fn conclude(mut self) -> RockingResult {
        if self
            .result
            .history
            .last()
            .is_none_or(|last| last.time < self.time)
        {
            self.record(self.time, self.state);
        }
        self.result.status = if self.result.overturn_time.is_some() {
            RockingStatus::Overturned
        } else if self.time < self.ground.end() {
            RockingStatus::Undecided
        } else if self.will_overturn() {
            RockingStatus::Overturned
        } else {
            RockingStatus::Stood
        };
        if self.side != 0.0 {
            self.result.rest_time = None;
        }
        self.result
    }
}

/// Where `f`, positive just after 0 and not positive at `end`, falls below zero: bisection to the last bits, at most
/// about sixty evaluations.
fn first_below_zero(f: impl Fn(f64) -> f64, end: f64) -> f64 {
    let (mut above, mut below) = (0.0, end);
    loop {
        let middle = 0.5 * (above + below);
        if middle <= above || middle >= below || below - above < 1e-15 * end {
            return below;
        }
        if f(middle) > 0.0 {
            above = middle;
        } else {
            below = middle;
        }
    }
}
