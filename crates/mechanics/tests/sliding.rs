//! Blocks that slide while the direction of their slip turns, in the leapfrog scheme.

mod common;

use std::f64::consts::TAU;

use common::{cuboid, model, settings, slab};
use drystone_cone::{Law, Tolerances};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, State, StepSettings, Stepper};
use drystone_model::{Model, Scheme};

const FRICTION: f64 = 0.3;
const MASS: f64 = 2000.0 * 0.6 * 0.6 * 0.1;
const WEIGHT: f64 = 9.81 * MASS;

fn leapfrog(law: Law) -> StepSettings {
    let mut settings = StepSettings {
        scheme: Scheme::Leapfrog,
        ..settings()
    };
    settings.solver.law = law;
    settings.solver.tolerances = Tolerances::validation();
    settings
}

/// A slab on the ground with this velocity and spin.
fn thrown(velocity: [f64; 3], spin: f64) -> Model {
    let more = format!("velocity = {velocity:?}\nangular_velocity = [0.0, 0.0, {spin:?}]");
    let block = cuboid("slab", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.1], &more);
    model("", FRICTION, &[slab(), block])
}

/// A push along the ground, in parts of the weight, that turns with the angular speed `turn`, rad/s, and ends at some time, s.
struct Push {
    part: f64,
    turn: f64,
    until: f64,
}

impl Drive for Push {
    fn ground(&self, _time: f64) -> DVec3 {
        DVec3::ZERO
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }

    fn force(&self, _block: usize, from: f64, to: f64) -> (DVec3, DVec3) {
        let middle = 0.5 * (from + to);
        let direction = DVec3::new(-(self.turn * middle).sin(), (self.turn * middle).cos(), 0.0);
        let part = if middle < self.until { self.part } else { 0.0 };
        (part * WEIGHT * direction, DVec3::ZERO)
    }
}

/// Steps to the given times in order.
fn to_times(
    model: &Model,
    law: Law,
    push: &Push,
    times: impl IntoIterator<Item = f64>,
    see: &mut dyn FnMut(&State),
) -> State {
    let mut stepper = Stepper::new(model, leapfrog(law));
    let mut state = State::initial(model);
    for time in times {
        let report = stepper.step(&mut state, time, push, &mut ());
        assert!(report.unwrap_or_else(|fault| panic!("{fault}")).solved);
        see(&state);
    }
    state
}

fn march(
    model: &Model,
    law: Law,
    push: &Push,
    dt: f64,
    duration: f64,
    see: &mut dyn FnMut(&State),
) {
    let steps = (duration / dt).round() as u32;
    to_times(
        model,
        law,
        push,
        (1..=steps).map(|k| f64::from(k) * dt),
        see,
    );
}

/// Errors fall with the square of the step where the slip turns, with and without a spin, in even steps and in uneven ones. Under the associated law the
/// height at which the slab floats is of first order too.
#[test]
fn friction_that_turns_is_of_second_order() {
    let push = Push {
        part: 0.4,
        turn: 3.0,
        until: f64::INFINITY,
    };
    let duration = 0.32;
    for (spin, uneven) in [(0.0, 0.0), (2.0, 0.0), (0.0, 0.3)] {
        let model = thrown([0.6, 0.0, 0.0], spin);
        let reached = [40, 160, 1280].map(|steps| {
            // Lengths vary smoothly about their mean, by the part `uneven` of it.
            let times = (1..=steps).map(|k| {
                let x = f64::from(k) / f64::from(steps);
                duration * (x - uneven * (TAU * x).sin() / TAU)
            });
            let state = to_times(&model, Law::Coulomb, &push, times, &mut |_| {});
            state.poses[1].position.with_z(0.0)
        });
        let [coarse, fine] = [0, 1].map(|k| (reached[k] - reached[2]).length());
        let order = (coarse / fine).log2() / 2.0;
        let case = format!("spin {spin}, uneven {uneven}: {coarse:e} {fine:e}, order {order}");
        // Friction half a step late has the order 1, and errors of some 1e-3 and 2e-4 m.
        assert!(order > 1.5, "{case}");
        assert!(coarse < 3e-5, "{case}");
    }
}

/// What stops on a bent path is at rest from then on, to the last bit.
#[test]
fn what_stops_stays() {
    let push = Push {
        part: 0.2,
        turn: 0.0,
        until: f64::INFINITY,
    };
    for law in [Law::Coulomb, Law::Associated] {
        for spin in [0.0, 3.0] {
            let model = thrown([0.6, 0.0, 0.0], spin);
            let mut stopped: Option<DVec3> = None;
            let mut rests = 0;
            march(&model, law, &push, 1e-3, 1.0, &mut |state| {
                let at = state.poses[1].position;
                match stopped {
                    Some(place) => {
                        assert!(
                            at == place,
                            "{law:?}, spin {spin}: {:e}",
                            (at - place).length()
                        );
                        rests += 1;
                    }
                    None if state.velocity[1] == DVec3::ZERO && state.time > 0.1 => {
                        stopped = Some(at);
                    }
                    None => {}
                }
            });
            assert!(
                rests > 100,
                "{law:?}, spin {spin}: at rest for {rests} steps"
            );
        }
    }
}

/// A push that turns, and that friction holds, moves nothing but what contacts yield by.
#[test]
fn what_sticks_does_not_tremble() {
    let push = Push {
        part: 0.25,
        turn: 40.0,
        until: f64::INFINITY,
    };
    for law in [Law::Coulomb, Law::Associated] {
        let model = thrown([0.0; 3], 0.0);
        let (dt, mut moved) = (1e-3, 0.0_f64);
        march(&model, law, &push, dt, 0.5, &mut |state| {
            let way = state.poses[1].position - model.blocks[1].position;
            moved = moved.max(way.length());
        });
        // 1/400 of g dt² for the weight, and less for the push.
        assert!(moved < 0.01 * 9.81 * dt * dt, "{law:?}: {moved:e}");
    }
}

/// A push that turns and is stronger than friction drives the slab about; when it ends the slab stops, and stays.
#[test]
fn what_was_driven_about_comes_to_rest() {
    let push = Push {
        part: 0.5,
        turn: 40.0,
        until: 0.4,
    };
    for law in [Law::Coulomb, Law::Associated] {
        let model = thrown([0.0; 3], 0.0);
        let (mut slid, mut late) = (0.0_f64, 0.0_f64);
        march(&model, law, &push, 1e-3, 1.0, &mut |state| {
            let speed = state.velocity[1].length();
            if state.time < 0.4 {
                slid = slid.max(speed);
            } else if state.time > 0.8 {
                late = late.max(speed);
            }
        });
        assert!(slid > 0.02, "{law:?}: {slid}");
        assert!(late == 0.0, "{law:?}: {late:e}");
    }
}
