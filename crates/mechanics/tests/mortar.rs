//! Mortar in motion: blocks that are glued to the ground until it shakes too hard, under both laws and by both schemes.

mod common;

use common::{cuboid, settings};
use drystone_cone::Law;
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, Energy, State, StepReport, StepSettings, Stepper, Still};
use drystone_model::{Model, Scheme, from_toml};

const G: f64 = 9.81;
const MU: f64 = 0.5;
/// Tension over weight.
const BOND: f64 = 0.6;

/// A block of some width and height, one metre deep, glued to a slab with a tensile strength of `BOND` times its weight.
fn glued(width: f64, height: f64, more: &str) -> Model {
    let strength = BOND * 2000.0 * G * height;
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {MU}\ncohesion = {:?}\ntensile_strength = {strength:?}\n{}{}",
        MU * strength,
        cuboid(
            "slab",
            [-9.0, -2.0, -0.5],
            [9.0, 2.0, 0.0],
            "support = true"
        ),
        cuboid(
            "block",
            [-0.5 * width, -0.5, 0.0],
            [0.5 * width, 0.5, height],
            more
        ),
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn ways() -> impl Iterator<Item = StepSettings> {
    let laws = [Law::Associated, Law::Coulomb];
    let schemes = [Scheme::Euler, Scheme::Leapfrog];
    laws.into_iter().flat_map(move |law| {
        let of = move |scheme| {
            let mut settings = settings();
            (settings.scheme, settings.solver.law) = (scheme, law);
            settings
        };
        schemes.map(of)
    })
}

fn run(
    model: &Model,
    settings: &StepSettings,
    drive: &dyn Drive,
    dt: f64,
    end: f64,
    see: &mut dyn FnMut(&Stepper<'_>, &State, &StepReport),
) -> State {
    let mut stepper = Stepper::new(model, settings.clone());
    let mut state = State::initial(model);
    for k in 1..=(end / dt).round() as usize {
        let report = stepper
            .step(&mut state, k as f64 * dt, drive, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        assert!(report.solved, "{k}");
        see(&stepper, &state, &report);
    }
    state
}

/// Ground whose acceleration grows along a direction, by its length in m/s² every second.
struct Ramp(DVec3);

impl Drive for Ramp {
    fn ground(&self, time: f64) -> DVec3 {
        time.powi(3) / 6.0 * self.0
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}

/// What a block that leaves the ground at `start` has gone after `end`, where it is left behind by the acceleration `jerk t - held`.
fn left_behind(jerk: f64, held: f64, start: f64, end: f64) -> f64 {
    let after = end - start;
    jerk * ((end.powi(3) - start.powi(3)) / 6.0 - start * start * after / 2.0)
        - held * after * after / 2.0
}

/// What a run showed: when mortar broke first, and how far the block had moved before.
fn broken(
    model: &Model,
    settings: &StepSettings,
    drive: &dyn Drive,
    dt: f64,
    end: f64,
) -> (f64, f64, State) {
    let (mut first, mut early) = (f64::INFINITY, 0.0_f64);
    let start = model.blocks[1].position;
    let found = run(model, settings, drive, dt, end, &mut |_, state, _| {
        if state.lost_mortar.is_empty() {
            early = early.max((state.poses[1].position - start).length());
        } else {
            first = first.min(state.time);
        }
    });
    (first, early, found)
}

/// Down goes the ground: it comes off at `j t = g + f_t A / m`, and is free then.
#[test]
fn a_glued_block_comes_off() {
    let (jerk, end) = (40.0, 0.6);
    let model = glued(0.6, 0.2, "");
    let start = (1.0 + BOND) * G / jerk;
    let exact = left_behind(jerk, G, start, end);
    assert!(exact > 0.1);
    for settings in ways() {
        for dt in [2e-3, 1e-3, 5e-4] {
            let drive = Ramp(-jerk * DVec3::Z);
            let (first, early, found) = broken(&model, &settings, &drive, dt, end);
            let what = format!("{:?} {:?} {dt}", settings.solver.law, settings.scheme);
            assert!((first - start).abs() < 3.0 * dt, "{what}: {first} {start}");
            // Contacts under Coulomb's law yield, by micrometres.
            assert!(early < 2e-5, "{what}: {early}");
            let off = (found.poses[1].position.z - 0.1 - exact).abs();
            // Some steps late, with the strength of the mortar as acceleration, and the speed of half a step.
            let most = (3.0 * BOND * G + 0.5 * jerk * end) * (end - start) * dt;
            assert!(off < most, "{what}: {off} {most}");
            assert_eq!(found.lost_mortar, [0, 1, 2, 3], "{what}");
        }
    }
}

/// It slides at `mu (g + f_t A / m)`, and with friction alone then.
#[test]
fn a_glued_block_slides() {
    let (jerk, end) = (16.0, 0.8);
    let model = glued(1.0, 0.1, "");
    let start = MU * (1.0 + BOND) * G / jerk;
    let exact = -left_behind(jerk, MU * G, start, end);
    assert!(exact < -0.1);
    for settings in ways() {
        for dt in [2e-3, 1e-3, 5e-4] {
            let (first, early, found) = broken(&model, &settings, &Ramp(jerk * DVec3::X), dt, end);
            let what = format!("{:?} {:?} {dt}", settings.solver.law, settings.scheme);
            assert!((first - start).abs() < 5.0 * dt, "{what}: {first} {start}");
            assert!(early < 1e-4, "{what}: {early}");
            let off = (found.poses[1].position.x - exact).abs();
            let most = (5.0 * MU * BOND * G + 0.5 * jerk * end) * (end - start) * dt;
            assert!(off < most, "{what}: {off} {most}");
        }
    }
}

/// A glued wall turns over at `m a h/2 = (m g + f_t A) b/2`: the side that lifts loses its mortar.
#[test]
fn a_glued_wall_turns_over() {
    let (width, height, jerk) = (0.4, 2.0, 10.0);
    let model = glued(width, height, "");
    let start = (1.0 + BOND) * G * width / height / jerk;
    for settings in ways() {
        for dt in [2e-3, 1e-3, 5e-4] {
            let (first, early, found) = broken(&model, &settings, &Ramp(jerk * DVec3::X), dt, 0.6);
            let what = format!("{:?} {:?} {dt}", settings.solver.law, settings.scheme);
            assert!((first - start).abs() < 5.0 * dt, "{what}: {first} {start}");
            assert!(early < 1e-3, "{what}: {early}");
            assert_eq!(found.lost_mortar.len(), 2, "{what}");
            assert!(found.angular_velocity[1].y < -0.1, "{what}");
        }
    }
}

/// Ground that swings as hard as mortar just bears, and the forces that joints carry then.
struct Swing;

const SWING: f64 = 0.95;

impl Drive for Swing {
    fn ground(&self, time: f64) -> DVec3 {
        // Downwards at first, with (1 + BOND) g times SWING at most.
        let w = std::f64::consts::TAU * 2.0;
        let size = SWING * (1.0 + BOND) * G / (w * w);
        size * ((w * time).cos() - 1.0) * DVec3::Z
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}

#[test]
fn what_mortar_bears_does_not_move() {
    let model = glued(0.6, 0.2, "");
    let mass = model.blocks[1].mass;
    for settings in ways() {
        let mut least = f64::INFINITY;
        let found = run(
            &model,
            &settings,
            &Swing,
            1e-3,
            1.0,
            &mut |stepper, _, _| {
                let force: f64 = stepper.contact_forces().map(|f| f.normal_force).sum();
                least = least.min(force);
            },
        );
        let what = format!("{:?} {:?}", settings.solver.law, settings.scheme);
        assert!(found.lost_mortar.is_empty(), "{what}");
        assert!((found.poses[1].position.z - 0.1).abs() < 1e-5, "{what}");
        // The joint pulls with what the ground has more than gravity.
        let pulled = (SWING * (1.0 + BOND) - 1.0) * G * mass;
        assert!(
            (least + pulled).abs() < 1e-2 * mass * G,
            "{what}: {least} {pulled}"
        );
    }
}

/// A block that is torn off by its own speed: energy only falls, and the first step takes the work of its mortar.
#[test]
fn mortar_takes_energy() {
    let model = glued(
        0.4,
        1.0,
        "velocity = [0.2, 0.1, 0.3]\nangular_velocity = [0.1, 0.5, 0.2]",
    );
    for settings in ways() {
        let level = 0.0;
        let mut energy = Energy::of(&model, &State::initial(&model), DVec3::ZERO, level).total();
        let whole = energy;
        let found = run(
            &model,
            &settings,
            &Still,
            1e-3,
            0.3,
            &mut |_, state, report| {
                let now = Energy::of(&model, state, DVec3::ZERO, level).total();
                let what = format!("{:?} {:?}", settings.solver.law, settings.scheme);
                // Free flight keeps it up to the error of the scheme.
                assert!(
                    now <= energy + 1e-6 * whole,
                    "{what} {}: {now} {energy}",
                    state.time
                );
                assert!(report.work.contact_loss > -1e-6 * whole);
                energy = now;
            },
        );
        assert!(!found.lost_mortar.is_empty());
    }
}

/// A run that is taken up from a saved state goes on bit by bit.
#[test]
fn a_saved_run_goes_on_as_it_was() {
    let model = glued(0.4, 2.0, "");
    let drive = Ramp(DVec3::new(10.0, 2.0, 0.0));
    for settings in ways() {
        for cut in [200, 330] {
            let whole = run(&model, &settings, &drive, 1e-3, 0.4, &mut |_, _, _| {});
            let end = f64::from(cut) * 1e-3;
            let mut state = run(&model, &settings, &drive, 1e-3, end, &mut |_, _, _| {});
            let mut stepper = Stepper::new(&model, settings.clone());
            for k in cut + 1..=400 {
                stepper
                    .step(&mut state, f64::from(k) * 1e-3, &drive, &mut ())
                    .unwrap();
            }
            assert!(!state.lost_mortar.is_empty());
            assert_eq!(state, whole);
        }
    }
}
