//! Ties in motion: a mass that hangs on one, and a block that rocks against one.

mod common;

use common::{cuboid, model, settings, slab};
use drystone_geometry::DVec3;
use drystone_mechanics::{
    Energy, State, StepReport, StepSettings, Stepper, Still, TieReading, log_rotation,
};
use drystone_model::{Model, Scheme};

const G: f64 = 9.81;
const MASS: f64 = 1000.0;
const STIFFNESS: f64 = 1.0e6;

/// A block of a tonne that hangs on a vertical tie from a point that is held, at rest where the tie is without force.
fn hanging(tie: &str, block: &str) -> Model {
    let tie = format!(
        "[[tie]]\nname = \"tie\"\nblocks = [\"block\", \"ground\"]\npoints = [[0, 0, 0], [0, 0, 3]]\n{tie}\n"
    );
    let block = cuboid("block", [-0.5, -0.5, -0.5], [0.5, 0.5, 0.0], block);
    model("floating = true", 0.5, &[block, tie])
}

fn with(scheme: Scheme) -> StepSettings {
    StepSettings {
        scheme,
        ..settings()
    }
}

/// Steps to the time `end` and shows every state.
fn run(
    model: &Model,
    scheme: Scheme,
    dt: f64,
    end: f64,
    see: &mut dyn FnMut(&State, &StepReport, &TieReading),
) -> State {
    let mut stepper = Stepper::new(model, with(scheme));
    let mut state = State::initial(model);
    for k in 1..=(end / dt).round() as usize {
        let report = stepper
            .step(&mut state, k as f64 * dt, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        let ties = stepper.ties(&state, &Still);
        see(&state, &report, &ties[0]);
    }
    state
}

fn sunk(state: &State) -> f64 {
    -0.25 - state.poses[0].position.z
}

/// `m g / k`.
const STATIC: f64 = MASS * G / STIFFNESS;

/// x = (m g / k) (1 - cos w t), by refinement: the error falls by four with every halving in the one scheme and by two in the other.
#[test]
fn a_mass_on_a_tie_oscillates_as_it_should() {
    let model = hanging(&format!("stiffness = {STIFFNESS:?}\nyield = 1e9"), "");
    let frequency = (STIFFNESS / MASS).sqrt();
    let exact = |t: f64| STATIC * (1.0 - (frequency * t).cos());
    for (scheme, order) in [(Scheme::Leapfrog, 2.0), (Scheme::Euler, 1.0)] {
        let errors = [2e-3, 1e-3, 5e-4].map(|dt| {
            // A phase at which neither displacement nor speed vanishes: both count.
            let state = run(&model, scheme, dt, 0.530, &mut |_, _, _| {});
            (sunk(&state) - exact(state.time)).abs() / STATIC
        });
        for pair in errors.windows(2) {
            let found = (pair[0] / pair[1]).log2();
            assert!((found - order).abs() < 0.25, "{scheme:?}: {errors:?}");
        }
    }
}

/// Kinetic, potential and elastic energy of an oscillation of hundreds of periods: it neither grows nor decays.
#[test]
fn an_elastic_tie_keeps_energy() {
    let model = hanging(&format!("stiffness = {STIFFNESS:?}\nyield = 1e9"), "");
    let unit = 0.5 * MASS * G * STATIC;
    for scheme in [Scheme::Leapfrog, Scheme::Euler] {
        let mut worst: f64 = 0.0;
        run(&model, scheme, 1e-3, 10.0, &mut |state, report, _| {
            let energy = Energy::of(&model, state, DVec3::ZERO, -0.5).total();
            let start = MASS * G * 0.25;
            worst = worst.max((energy + report.elastic_energy - start).abs() / unit);
        });
        // It swings with frequency times step: 0.032 in the first order, its square in the second.
        let allowed = match scheme {
            Scheme::Leapfrog => 2e-3,
            Scheme::Euler => 8e-2,
        };
        assert!(worst < allowed, "{scheme:?}: {worst}");
    }
}

/// Yields at 1.5 times the weight: by hand it flows by 0.75 m g / k, and what it takes is 1.5 m g times that, which the blocks have lost.
#[test]
fn plastic_work_is_what_is_lost() {
    let strength = 1.5 * MASS * G;
    let model = hanging(
        &format!("stiffness = {STIFFNESS:?}\nyield = {strength:?}"),
        "",
    );
    let mut last = TieReading::default();
    let mut energies = (0.0, 0.0);
    let mut largest: f64 = 0.0;
    run(
        &model,
        Scheme::Leapfrog,
        1e-4,
        0.5,
        &mut |state, report, tie| {
            last = *tie;
            largest = largest.max(tie.force);
            energies = (
                Energy::of(&model, state, DVec3::ZERO, -0.5).total(),
                report.elastic_energy,
            );
        },
    );
    assert_eq!(largest, strength);
    let expected = strength * 0.75 * STATIC;
    assert!((last.dissipated / expected - 1.0).abs() < 1e-3, "{last:?}");
    let lost = MASS * G * 0.25 - (energies.0 + energies.1);
    assert!((lost / expected - 1.0).abs() < 2e-3, "{lost} {expected}");
    assert!(!last.broken);
}

/// Breaks at 1.5 m g / k, with v² = 0.75 g m g / k, and falls freely from there.
#[test]
fn a_broken_tie_lets_go() {
    let model = hanging(
        &format!(
            "stiffness = {STIFFNESS:?}\nyield = 1e9\nmax_elongation = {:?}",
            1.5 * STATIC
        ),
        "",
    );
    let mut at_break = None;
    let mut last = TieReading::default();
    let dt = 1e-4;
    let end = run(&model, Scheme::Leapfrog, dt, 0.4, &mut |state, _, tie| {
        if tie.broken && at_break.is_none() {
            at_break = Some(state.time);
        }
        last = *tie;
    });
    let frequency = (STIFFNESS / MASS).sqrt();
    // cos w t = -1/2.
    let expected = 2.0 / 3.0 * std::f64::consts::PI / frequency;
    assert!((at_break.unwrap() - expected).abs() < 2.0 * dt);
    assert_eq!(last.force, 0.0);
    let falling = end.time - expected;
    let speed = (0.75 * G * STATIC).sqrt();
    let sunk_by = 1.5 * STATIC + speed * falling + 0.5 * G * falling * falling;
    // The break is found to a step, in which the tie pulls a little longer: its force over the mass, for a step.
    assert!((sunk(&end) - sunk_by).abs() < 2.0 * dt * 1.5 * G * falling);
    assert!((last.dissipated / (0.5 * STIFFNESS * (1.5 * STATIC).powi(2)) - 1.0).abs() < 0.01);
}

/// Thrown up, the block flies freely until the tie is taut again.
#[test]
fn a_slack_tie_does_nothing() {
    let model = hanging(
        &format!("stiffness = {STIFFNESS:?}\nyield = 1e9"),
        "velocity = [0, 0, 2]",
    );
    let end = run(&model, Scheme::Leapfrog, 1e-3, 0.3, &mut |_, _, tie| {
        assert_eq!(tie.force, 0.0);
        assert!(tie.elongation < 0.0);
    });
    // The scheme of second order is exact in free flight.
    assert!((sunk(&end) - (0.5 * G * 0.09 - 0.6)).abs() < 1e-12);
}

/// Post-tensioned by its weight the block stays where it is.
#[test]
fn post_tension_balances_the_weight() {
    let model = hanging(
        &format!(
            "stiffness = {STIFFNESS:?}\nyield = 1e9\ninitial_force = {:?}",
            MASS * G
        ),
        "",
    );
    for scheme in [Scheme::Leapfrog, Scheme::Euler] {
        let end = run(&model, scheme, 1e-3, 1.0, &mut |_, _, _| {});
        assert!(sunk(&end).abs() < 1e-9, "{}", sunk(&end));
    }
}

/// A tie whose period is a tenth of the step: steps are cut, nothing explodes, and the step counts as one.
#[test]
fn stiff_ties_are_stable() {
    let stiffness = 1e11_f64;
    let model = hanging(&format!("stiffness = {stiffness:?}\nyield = 1e9"), "");
    for scheme in [Scheme::Leapfrog, Scheme::Euler] {
        let mut most: f64 = 0.0;
        run(&model, scheme, 1e-3, 0.2, &mut |state, report, _| {
            most = most.max(sunk(state));
            assert_eq!(report.pieces, 1);
        });
        // Twice the static elongation, a tenth more by the coarse steps.
        assert!(most < 2.6 * MASS * G / stiffness, "{scheme:?}: {most}");
    }
}

/// A slender wall with a tie at its top that holds it back from falling forward, in the plane.
fn wall(strength: f64) -> Model {
    let tie = format!(
        "[[tie]]\nblocks = [\"wall\", \"ground\"]\npoints = [[0.25, 0, 3.0], [-4, 0, 3.0]]\nstiffness = 5e5\nyield = {strength:?}\ninitial_force = 500.0\n"
    );
    let wall = cuboid(
        "wall",
        [-0.25, -0.5, 0.0],
        [0.25, 0.5, 3.5],
        "angular_velocity = [0, 0.5, 0]\nvelocity = [0.875, 0, -0.125]",
    );
    model("plane = \"xz\"", 0.8, &[slab(), wall, tie])
}

/// A wall that turns about its toe is pulled back: by refinement the angle converges, and a tie keeps it below what it reaches freely.
#[test]
fn a_rocking_wall_is_held_back() {
    let largest = |strength: f64, dt: f64| {
        let mut most: f64 = 0.0;
        run(
            &wall(strength),
            Scheme::Leapfrog,
            dt,
            0.4,
            &mut |state, _, _| {
                most = most.max(log_rotation(state.poses[1].rotation).y);
            },
        );
        most
    };
    let angles = [2e-3, 1e-3, 5e-4].map(|dt| largest(2e4, dt));
    let [first, second] = [angles[0] - angles[1], angles[1] - angles[2]];
    assert!(
        first.abs() < 2e-3 * angles[2] && second.abs() < 0.5 * first.abs() + 1e-6,
        "{angles:?}"
    );
    let free = largest(500.0, 1e-3);
    assert!(angles[1] < 0.8 * free, "{angles:?} {free}");
}
