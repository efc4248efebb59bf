//! Joints that give way: springs that press, hold by friction, remember, and let go.

mod common;

use common::{DT, cuboid};
use drystone_geometry::DVec3;
use drystone_mechanics::{State, StepReport, StepSettings, Stepper, Still};
use drystone_model::{Joints, Model};

/// N/m³.
const NORMAL: f64 = 2e9;
const SHEAR: f64 = 5e8;

fn model(more: &str) -> Model {
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n\
         normal_stiffness = {NORMAL:?}\nshear_stiffness = {SHEAR:?}\n{}{more}",
        cuboid(
            "ground",
            [-3.0, -3.0, -0.5],
            [3.0, 3.0, 0.0],
            "support = true"
        )
    );
    drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn settings() -> StepSettings {
    StepSettings {
        joints: Joints::Elastic,
        ..common::settings()
    }
}

fn march(model: &Model, state: &mut State, steps: usize, see: &mut dyn FnMut(&State, &StepReport)) {
    let mut stepper = Stepper::new(model, settings());
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
    let mut state = State::initial(&model);
    march(&model, &mut state, 1000, &mut |_, _| {});
    let sunk = model.blocks[1].position.z - state.poses[1].position.z;
    let expected = 2000.0 * 9.81 * 0.5 / NORMAL;
    // The rest rule lets 1e-7 of the weight of a step pass as balance.
    assert!((sunk / expected - 1.0).abs() < 1e-6, "{sunk} {expected}");
    let tilt = drystone_mechanics::log_rotation(state.poses[1].rotation).length();
    assert!(tilt < 1e-6 * expected, "{tilt}");
    assert_eq!(state.velocity[1], DVec3::ZERO, "it is at rest");
}

/// A push below friction shears the joint, and the joint springs back when it ends. A push beyond leaves the block where it
/// slid to.
#[test]
fn shear_below_friction_springs_back() {
    let weight = 2000.0 * 0.6 * 0.4 * 0.2 * 9.81;
    let stiffness = SHEAR * 0.6 * 0.4;
    for (push, slides) in [(0.2, false), (0.8, true)] {
        let block = cuboid("block", [-0.3, -0.2, 0.0], [0.3, 0.2, 0.2], "");
        let free = model(&block);
        let force = push * weight;
        let pushed = model(&format!(
            "{block}[[load]]\nblock = \"block\"\nforce = [{force:?}, 0.0, 0.0]\npoint = [0.0, 0.0, 0.0]\n"
        ));
        let mut state = State::initial(&free);
        march(&free, &mut state, 300, &mut |_, _| {});
        march(&pushed, &mut state, 300, &mut |_, _| {});
        let sheared = state.poses[1].position.x;
        march(&free, &mut state, 700, &mut |_, _| {});
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
    let mut state = State::initial(&model);
    march(&model, &mut state, 50, &mut |state, report| {
        assert!(report.elastic_energy == 0.0);
        let fall = 1.0 - 9.81 * state.time;
        assert!((state.velocity[1].z - fall).abs() < 1e-12);
        assert!((state.velocity[1].x - 0.3).abs() < 1e-12);
    });
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
    let mut state = State::initial(&model);
    march(&model, &mut state, 5, &mut |_, report| {
        // The tolerance of the judge is 1e-7 of the weight.
        for energy in [report.compression_before, report.elastic_energy] {
            assert!((energy / held - 1.0).abs() < 1e-6, "{energy} {held}");
        }
    });
}
