//! Joints that give way: springs that press, hold by friction, remember, and let go.

mod common;

use common::{DT, cuboid};
use drystone_geometry::DVec3;
use drystone_mechanics::{Energy, State, StepReport, StepSettings, Stepper, Still};
use drystone_model::{Joints, Model, Scheme};

/// N/m³.
const NORMAL: f64 = 2e9;
const SHEAR: f64 = 5e8;

fn model(more: &str) -> Model {
    model_of(NORMAL, SHEAR, more)
}

fn model_of(normal: f64, shear: f64, more: &str) -> Model {
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n\
         normal_stiffness = {normal:?}\nshear_stiffness = {shear:?}\n{}{more}",
        cuboid(
            "ground",
            [-3.0, -3.0, -0.5],
            [3.0, 3.0, 0.0],
            "support = true"
        )
    );
    drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn settings(scheme: Scheme) -> StepSettings {
    StepSettings {
        joints: Joints::Elastic,
        scheme,
        ..common::settings()
    }
}

/// Solved so well that the error of the scheme shows.
fn sharp(scheme: Scheme) -> StepSettings {
    StepSettings {
        solver: drystone_cone::Settings {
            tolerances: drystone_cone::Tolerances::validation(),
            ..drystone_cone::Settings::default()
        },
        ..settings(scheme)
    }
}

/// Both schemes: the steps of these tests do not resolve the springs, so that both damp.
const SCHEMES: [Scheme; 2] = [Scheme::Euler, Scheme::Leapfrog];

fn march(
    model: &Model,
    scheme: Scheme,
    state: &mut State,
    steps: usize,
    see: &mut dyn FnMut(&State, &StepReport),
) {
    let mut stepper = Stepper::new(model, settings(scheme));
    for _ in 0..steps {
        let end = state.time + DT;
        let report = stepper
            .step(state, end, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        assert!(report.solved && report.pieces == 1 && report.capped == 0);
        see(state, &report);
    }
}

/// An irregular base: a uniform load on a uniform bed sinks it without tilting, whatever the number of its corners, because
/// shares of corners have the centroid of the joint.
#[test]
fn a_prism_with_five_corners_sinks_straight() {
    let plan = [[0.0, 0.0], [0.9, 0.0], [1.0, 0.5], [0.4, 0.8], [0.0, 0.6]];
    let vertices: Vec<String> = [0.0, 0.5]
        .iter()
        .flat_map(|z| {
            plan.iter()
                .map(move |[x, y]| format!("[{x:?}, {y:?}, {z:?}]"))
        })
        .collect();
    let model = model(&format!(
        "[[block]]\nname = \"prism\"\nmaterial = \"stone\"\nvertices = [{}]\n",
        vertices.join(", ")
    ));
    for scheme in SCHEMES {
        let mut state = State::initial(&model);
        march(&model, scheme, &mut state, 1000, &mut |_, _| {});
        let sunk = model.blocks[1].position.z - state.poses[1].position.z;
        let expected = 2000.0 * 9.81 * 0.5 / NORMAL;
        // The rest rule lets 1e-7 of the weight of a step pass as balance.
        assert!((sunk / expected - 1.0).abs() < 1e-6, "{sunk} {expected}");
        let tilt = drystone_mechanics::log_rotation(state.poses[1].rotation).length();
        assert!(tilt < 1e-6 * expected, "{tilt}");
        assert_eq!(state.velocity[1], DVec3::ZERO, "it is at rest");
    }
}

/// A push below friction shears the joint, and the joint springs back when it ends. A push beyond leaves the block where it
/// slid to.
#[test]
fn shear_below_friction_springs_back() {
    let weight = 2000.0 * 0.6 * 0.4 * 0.2 * 9.81;
    let stiffness = SHEAR * 0.6 * 0.4;
    let cases = SCHEMES
        .into_iter()
        .flat_map(|scheme| [(scheme, 0.2, false), (scheme, 0.8, true)]);
    for (scheme, push, slides) in cases {
        let block = cuboid("block", [-0.3, -0.2, 0.0], [0.3, 0.2, 0.2], "");
        let free = model(&block);
        let force = push * weight;
        let pushed = model(&format!(
            "{block}[[load]]\nblock = \"block\"\nforce = [{force:?}, 0.0, 0.0]\npoint = [0.0, 0.0, 0.0]\n"
        ));
        let mut state = State::initial(&free);
        march(&free, scheme, &mut state, 300, &mut |_, _| {});
        march(&pushed, scheme, &mut state, 300, &mut |_, _| {});
        let sheared = state.poses[1].position.x;
        march(&free, scheme, &mut state, 700, &mut |_, _| {});
        let left = state.poses[1].position.x;
        if slides {
            assert!(left > 0.1, "{left}");
        } else {
            let expected = force / stiffness;
            // The load acts at the base as drawn, 5e-5 of the block's height off the joint.
            assert!(
                (sheared / expected - 1.0).abs() < 1e-3,
                "{sheared} {expected}"
            );
            assert!(left.abs() < 1e-6 * expected, "{left}");
        }
    }
}

/// A block thrown up leaves its joint without being pulled, and its springs forget.
#[test]
fn joints_do_not_pull_and_forget_when_they_open() {
    let model = model(&cuboid(
        "block",
        [-0.3, -0.2, 0.0],
        [0.3, 0.2, 0.2],
        "velocity = [0.3, 0.0, 1.0]",
    ));
    for scheme in SCHEMES {
        let mut state = State::initial(&model);
        march(&model, scheme, &mut state, 50, &mut |state, report| {
            assert!(report.elastic_energy == 0.0);
            let fall = 1.0 - 9.81 * (state.time - state.lag);
            assert!((state.velocity[1].z - fall).abs() < 1e-12);
            assert!((state.velocity[1].x - 0.3).abs() < 1e-12);
        });
    }
}

/// A block drawn as deep in its joint as its weight presses it is at rest from the first step on, and what its joint holds it
/// held before.
#[test]
fn a_block_drawn_compressed_stays_and_gains_nothing() {
    let sunk = 2000.0 * 9.81 * 0.2 / NORMAL;
    let model = model(&cuboid(
        "block",
        [-0.3, -0.2, -sunk],
        [0.3, 0.2, 0.2 - sunk],
        "",
    ));
    let held = 0.5 * NORMAL * 0.6 * 0.4 * sunk * sunk;
    for scheme in SCHEMES {
        let mut state = State::initial(&model);
        let mut first = true;
        march(&model, scheme, &mut state, 5, &mut |_, report| {
            // The tolerance of the judge is 1e-7 of the weight.
            for energy in [report.compression_before, report.elastic_energy] {
                assert!(
                    (energy / held - 1.0).abs() < 1e-6,
                    "{first} {energy} {held}"
                );
            }
            first = false;
        });
    }
}

/// Position of a block that bounces on its joint without leaving it, relative to its rest, over the amplitude, after 0.05 s.
fn bounced(scheme: Scheme, steps: u32) -> (f64, f64) {
    let (soft, time) = (1e8_f64, 0.05);
    let sunk = 2000.0 * 9.81 * 0.5 / soft;
    let frequency = (9.81 / sunk).sqrt();
    let speed = 0.5 * sunk * frequency;
    let block = cuboid(
        "block",
        [-0.3, -0.2, -sunk],
        [0.3, 0.2, 0.5 - sunk],
        &format!("velocity = [0.0, 0.0, {speed:?}]"),
    );
    let model = model_of(soft, soft, &block);
    let mut state = State::initial(&model);
    let mut stepper = Stepper::new(&model, sharp(scheme));
    let (mut largest, mut start) = (0.0_f64, None);
    for k in 1..=steps {
        let end = time * f64::from(k) / f64::from(steps);
        let report = stepper
            .step(&mut state, end, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        let energy = Energy::of(&model, &state, DVec3::ZERO, 0.0).total() + report.elastic_energy;
        let start = *start.get_or_insert(energy);
        largest = largest.max((energy - start).abs());
    }
    let moved = state.poses[1].position.z - model.blocks[1].position.z;
    let exact = 0.5 * sunk * (frequency * time).sin();
    let kinetic = 0.5 * model.blocks[1].mass * speed * speed;
    ((moved - exact).abs() / (0.5 * sunk), largest / kinetic)
}

/// The weight of a spring's end differs from one half by the square of the step, so that the scheme is of second order; an end alone makes it one of first.
#[test]
fn a_spring_oscillates_with_the_order_of_the_scheme() {
    let errors = |scheme| [100, 200].map(|steps| bounced(scheme, steps));
    let [(coarse, gained), (fine, gained_less)] = errors(Scheme::Leapfrog);
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.2, "{coarse} {fine}");
    assert!(
        gained_less < 0.35 * gained && gained_less < 0.02,
        "{gained} {gained_less}"
    );
    let [(coarse, _), (fine, _)] = errors(Scheme::Euler);
    let order = (coarse / fine).log2();
    assert!((order - 1.0).abs() < 0.3, "{coarse} {fine}");
}

/// Sway of a block on sheared springs, which are centred too: three lengths of step tell the order.
#[test]
fn a_sheared_spring_keeps_the_order() {
    let sway = |steps: u32| {
        let sunk = 2000.0 * 9.81 * 0.5 / 1e8;
        let block = cuboid(
            "block",
            [-0.3, -0.2, -sunk],
            [0.3, 0.2, 0.5 - sunk],
            "velocity = [1e-3, 0.0, 0.0]",
        );
        let model = model_of(1e8, 4e7, &block);
        let mut state = State::initial(&model);
        let mut stepper = Stepper::new(&model, sharp(Scheme::Leapfrog));
        for k in 1..=steps {
            let end = 0.05 * f64::from(k) / f64::from(steps);
            stepper
                .step(&mut state, end, &Still, &mut ())
                .unwrap_or_else(|fault| panic!("{fault}"));
        }
        state.poses[1].position.x - model.blocks[1].position.x
    };
    let [coarse, middle, fine] = [400, 800, 1600].map(sway);
    let order = ((coarse - middle) / (middle - fine)).abs().log2();
    // The damping of fast oscillations is of third order and shows: 2.4.
    assert!(order > 1.8 && order < 3.0, "{coarse} {middle} {fine}");
}
