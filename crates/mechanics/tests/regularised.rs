//! Numerical springs at contact points: displacements are force over stiffness, whatever the step, and nothing creeps.

mod common;

use common::{model, settings};
use drystone_cone::{Law, Settings, Tolerances};
use drystone_geometry::DVec3;
use drystone_mechanics::{State, StepSettings, Stepper, Still};
use drystone_model::{Model, Scheme};

const SLOPE: f64 = 15.0 * std::f64::consts::PI / 180.0;
/// Across and along, N/m per contact point.
const STIFFNESS: [f64; 2] = [2e8, 1e8];
/// Half of the base of a cube, m.
const HALF: f64 = 0.3;

/// A cuboid on the slope: along it, across it, and off it.
fn on_slope(name: &str, min: [f64; 3], max: [f64; 3], more: &str) -> String {
    let (sin, cos) = SLOPE.sin_cos();
    let corners: Vec<String> = (0..8)
        .map(|k| {
            let pick = |axis: usize| [min, max][k >> axis & 1][axis];
            let [x, y, z] = [pick(0), pick(1), pick(2)];
            format!("[{:?}, {y:?}, {:?}]", x * cos + z * sin, z * cos - x * sin)
        })
        .collect();
    format!(
        "[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nvertices = [{}]\n{more}\n",
        corners.join(", ")
    )
}

fn cube_on_slope(friction: f64) -> Model {
    let (low, high) = ([-HALF, -HALF, 0.0], [HALF, HALF, 2.0 * HALF]);
    let ground = ([-3.0, -3.0, -0.5], [3.0, 3.0, 0.0]);
    let blocks = [
        on_slope("ground", ground.0, ground.1, "support = true"),
        on_slope("cube", low, high, ""),
    ];
    model("", friction, &blocks)
}

fn regularised(scheme: Scheme, law: Law) -> StepSettings {
    StepSettings {
        scheme,
        regularisation: Some(STIFFNESS),
        solver: Settings {
            law,
            tolerances: Tolerances::validation(),
            ..Settings::default()
        },
        ..settings()
    }
}

/// Where the cube is after each of these times, s, seen from where it was drawn: down the slope and off it, m.
fn sunk(model: &Model, settings: &StepSettings, dt: f64, times: &[f64]) -> Vec<[f64; 2]> {
    let mut stepper = Stepper::new(model, settings.clone());
    let mut state = State::initial(model);
    let (sin, cos) = SLOPE.sin_cos();
    let mut step = 0;
    let mut reach = |time: f64| {
        while state.time < time - 0.5 * dt {
            step += 1;
            stepper
                .step(&mut state, f64::from(step) * dt, &Still, &mut ())
                .unwrap_or_else(|fault| panic!("{fault}"));
        }
        let gone = state.poses[1].position - model.blocks[1].position;
        [
            gone.dot(DVec3::new(cos, 0.0, -sin)),
            gone.dot(DVec3::new(sin, 0.0, cos)),
        ]
    };
    times.iter().map(|&time| reach(time)).collect()
}

/// Its four springs are sheared by the weight along the slope, compressed by that across it, and by the moment of the former about the base, on which the cube turns.
fn expected(model: &Model) -> [f64; 2] {
    let weight = 9.81 * model.blocks[1].mass;
    let [along, across] = [weight * SLOPE.sin(), weight * SLOPE.cos()];
    let [normal, tangent] = STIFFNESS;
    let turned = along * HALF / (4.0 * normal * HALF * HALF);
    [
        along / (4.0 * tangent) + turned * HALF,
        -across / (4.0 * normal),
    ]
}

/// Every scheme, law and step.
fn all(model: &Model, see: &dyn Fn(&str, &[[f64; 2]])) {
    for scheme in [Scheme::Euler, Scheme::Leapfrog] {
        for law in [Law::Associated, Law::Coulomb] {
            for dt in [2e-3, 1e-3, 2.5e-4] {
                let found = sunk(model, &regularised(scheme, law), dt, &[1.0, 2.0]);
                see(&format!("{scheme:?} {law:?} {dt}"), &found);
            }
        }
    }
}

#[test]
fn a_block_on_a_slope_moves_by_force_over_stiffness() {
    let model = cube_on_slope(2.0);
    all(&model, &|name, found| {
        for (k, expected) in expected(&model).iter().enumerate() {
            let [first, second] = [found[0][k], found[1][k]];
            // The weight comes suddenly: springs that let go while it swings hold less afterwards, and the others more. That is up to a tenth with short steps, which damp it least.
            assert!(
                (first - expected).abs() < 0.2 * expected.abs(),
                "{name}: {first} instead of {expected}"
            );
            assert!(
                (second - first).abs() < 1e-6 * expected.abs(),
                "{name}: creeps by {}",
                second - first
            );
        }
    });
}

/// The weight comes suddenly, so that pressures swing from nothing to twice their mean. With less friction the cube slips a little while they do, and then no more: twice as far at most, and not by as much in every step.
#[test]
fn friction_that_is_less_holds_after_the_first_swings() {
    let model = cube_on_slope(0.5);
    let [along, _] = expected(&model);
    all(&model, &|name, found| {
        let [first, second] = [found[0][0], found[1][0]];
        assert!(
            first > 0.99 * along && first < 2.0 * along,
            "{name}: {first}"
        );
        assert!(
            (second - first).abs() < 1e-6 * along,
            "{name}: creeps by {}",
            second - first
        );
    });
}
