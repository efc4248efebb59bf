//! Small models for tests of the step.
#![allow(dead_code)]

use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, State, StepReport, StepSettings, Stepper};
use drystone_model::{Ground, Joints, Model, Scheme};

pub const DT: f64 = 1e-3;

pub fn cuboid(name: &str, min: [f64; 3], max: [f64; 3], more: &str) -> String {
    let mut corners = Vec::new();
    for k in 0..8 {
        let pick = |axis: usize| {
            if k >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        corners.push(format!("[{:?}, {:?}, {:?}]", pick(0), pick(1), pick(2)));
    }
    format!(
        "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nvertices = [{}]\n{more}\n",
        corners.join(", ")
    )
}

pub fn model(head: &str, friction: f64, blocks: &[String]) -> Model {
    let text = format!(
        "[model]\nname = \"test\"\n{head}\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {friction:?}\n{}",
        blocks.concat()
    );
    drystone_model::from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

pub fn settings() -> StepSettings {
    StepSettings {
        scheme: Scheme::Euler,
        ground: Ground::Inertia,
        solver: drystone_cone::Settings::default(),
        joints: Joints::Rigid,
        regularisation: None,
        rotation_iterations: 1,
        max_halvings: 3,
    }
}

/// Steps a model and shows every state and report.
pub fn march(
    model: &Model,
    settings: StepSettings,
    drive: &dyn Drive,
    steps: usize,
    see: &mut dyn FnMut(&State, &StepReport),
) -> State {
    let mut stepper = Stepper::new(model, settings);
    let mut state = State::initial(model);
    for k in 1..=steps {
        let report = stepper
            .step(&mut state, k as f64 * DT, drive, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        see(&state, &report);
    }
    state
}

pub fn slab() -> String {
    cuboid(
        "ground",
        [-3.0, -3.0, -0.5],
        [3.0, 3.0, 0.0],
        "support = true",
    )
}

/// The ground swings along x and z.
pub struct Swing;

impl Drive for Swing {
    fn ground(&self, time: f64) -> DVec3 {
        let swing = 1.0 - (std::f64::consts::TAU * 2.0 * time).cos();
        DVec3::new(0.03, 0.0, 0.004) * swing
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}

pub fn tower() -> Model {
    model(
        "",
        0.6,
        &[
            slab(),
            cuboid("lower", [-0.2, -0.2, 0.0], [0.2, 0.2, 0.8], ""),
            cuboid("upper", [-0.2, -0.2, 0.8], [0.2, 0.2, 1.4], ""),
        ],
    )
}
