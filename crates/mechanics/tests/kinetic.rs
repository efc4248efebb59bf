//! Joints that slide more easily than they begin to: closed forms, under both laws and by both schemes.

mod common;

use common::{cuboid, settings};
use drystone_cone::{Law, Tolerances};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, State, StepSettings, Stepper, Still};
use drystone_model::{Model, Scheme, from_toml};

const G: f64 = 9.81;
const REST: f64 = 0.5;
const KINETIC: f64 = 0.3;

/// A flat block of 144 kg on a slab.
fn flat(more: &str, tie: &str) -> Model {
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {REST}\nkinetic_friction = {KINETIC}\n{}{}{tie}",
        cuboid(
            "slab",
            [-9.0, -2.0, -0.5],
            [9.0, 2.0, 0.0],
            "support = true"
        ),
        cuboid("block", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.2], more),
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn ways() -> impl Iterator<Item = (StepSettings, f64)> {
    let laws = [Law::Associated, Law::Coulomb];
    let schemes = [Scheme::Euler, Scheme::Leapfrog];
    let all = laws.into_iter().flat_map(move |law| {
        let of = move |scheme| {
            let mut settings = settings();
            (settings.scheme, settings.solver.law) = (scheme, law);
            settings
        };
        schemes.map(of)
    });
    // Positions are off by so many steps times the speed that is lost or gained where sliding begins and ends.
    all.map(|settings| {
        let steps = match settings.scheme {
            Scheme::Euler => 1.5,
            Scheme::Leapfrog => 1.0,
        };
        (settings, steps)
    })
}

fn run(
    model: &Model,
    settings: &StepSettings,
    drive: &dyn Drive,
    dt: f64,
    end: f64,
    see: &mut dyn FnMut(&State),
) -> State {
    let mut stepper = Stepper::new(model, settings.clone());
    let mut state = State::initial(model);
    for k in 1..=(end / dt).round() as usize {
        let report = stepper
            .step(&mut state, k as f64 * dt, drive, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        assert!(report.solved, "{k}");
        see(&state);
    }
    state
}

/// Thrown over the ground at 2 m/s it stops after `v² / (2 mu_k g)`, and stays there.
#[test]
fn a_thrown_block_stops_by_kinetic_friction() {
    let model = flat("velocity = [2.0, 0.0, 0.0]", "");
    let exact = 4.0 / (2.0 * KINETIC * G);
    for (settings, steps) in ways() {
        for dt in [2e-3, 1e-3] {
            let end = run(&model, &settings, &Still, dt, 1.0, &mut |_| {});
            let off = (end.poses[1].position.x - exact).abs();
            let law = settings.solver.law;
            assert!(off < steps * dt * 2.0, "{law:?} {dt}: {off}");
            assert!(end.velocity[1].length() < 1e-6);
        }
    }
}

/// Ground whose acceleration grows by 8 m/s² every second.
struct Ramp;

impl Drive for Ramp {
    fn ground(&self, time: f64) -> DVec3 {
        8.0 * time.powi(3) / 6.0 * DVec3::X
    }

    fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
        initial
    }
}

/// It sticks until the ground has `mu_s g`, and is then left behind by what the ground has more than `mu_k g`.
#[test]
fn a_block_on_ground_that_accelerates() {
    let model = flat("", "");
    let (jerk, end) = (8.0, 1.0);
    let start: f64 = REST * G / jerk;
    let after = end - start;
    let exact = -(jerk * ((end.powi(3) - start.powi(3)) / 6.0 - start * start * after / 2.0)
        - KINETIC * G * after * after / 2.0);
    assert!(exact < -0.15);
    for (settings, _) in ways() {
        for dt in [2e-3, 1e-3] {
            let mut early: f64 = 0.0;
            let found = run(&model, &settings, &Ramp, dt, end, &mut |state| {
                if state.time < start - 2.0 * dt {
                    early = early.max(state.poses[1].position.x.abs());
                }
            });
            let off = (found.poses[1].position.x - exact).abs();
            // A step or two late, with the difference of both frictions as acceleration, and the speed of half a step.
            let most = (3.0 * (REST - KINETIC) + 0.5) * G * after * dt;
            let what = format!("{:?} {:?} {dt}", settings.solver.law, settings.scheme);
            assert!(off < most, "{what}: {off} {most}");
            // Contacts under Coulomb's law yield, by micrometres.
            assert!(early < 2e-5, "{what}: {early}");
        }
    }
}

/// A slab that is drawn away at a constant speed.
struct Belt;

const BELT: f64 = 0.1;

impl Drive for Belt {
    fn ground(&self, _time: f64) -> DVec3 {
        DVec3::ZERO
    }

    fn support(&self, _block: usize, mut initial: Pose, time: f64) -> Pose {
        initial.position.x += BELT * time;
        initial
    }
}

/// Stick and slip of a block on a belt, held back by a spring. It sticks until the spring has `mu_s N`, slips for
/// `(2/w) (pi - atan((e_s - e_k) w / v))`, and sticks again at the elongation `2 e_k - e_s` until the spring has been drawn back to `e_s`.
#[test]
fn stick_and_slip() {
    let (mass, stiffness): (f64, f64) = (144.0, 2.0e4);
    let tie = format!(
        "[[tie]]\nname = \"spring\"\nblocks = [\"block\", \"ground\"]\npoints = [[-0.3, 0, 0.001], [-8, 0, 0.001]]\nstiffness = {stiffness:?}\nyield = 1e6\n"
    );
    let model = flat(&format!("velocity = [{BELT}, 0, 0]"), &tie);
    let w = (stiffness / mass).sqrt();
    let [rest, kinetic] = [REST, KINETIC].map(|mu| mu * mass * G / stiffness);
    let slip = 2.0 / w * (std::f64::consts::PI - ((rest - kinetic) * w / BELT).atan());
    let least = kinetic - (rest - kinetic).hypot(BELT / w);
    let first = rest / BELT;
    let second = first + slip + 2.0 * (rest - kinetic) / BELT;
    for (mut settings, _) in ways() {
        // Slip counts from a speed on that the solver resolves.
        for (dt, tolerances) in [
            (1e-3, Tolerances::default()),
            (5e-4, Tolerances::validation()),
        ] {
            settings.solver.tolerances = tolerances;
            let (mut low, mut peaks): (f64, Vec<(f64, f64)>) = (f64::INFINITY, Vec::new());
            let mut before = [(0.0, 0.0); 2];
            run(&model, &settings, &Belt, dt, second + 0.1, &mut |state| {
                let now = (state.time, state.poses[1].position.x);
                if state.time > first {
                    low = low.min(now.1);
                }
                if before[1].1 > before[0].1 && before[1].1 >= now.1 {
                    peaks.push(before[1]);
                }
                before = [before[1], now];
            });
            let what = format!("{:?} {:?}", settings.solver.law, settings.scheme);
            assert_eq!(peaks.len(), 2, "{what}: {peaks:?}");
            // It goes on by (v/w)²/2 over the drop, and the belt takes it on in each step that it is late.
            let over = kinetic + (rest - kinetic).hypot(BELT / w);
            for (found, time) in peaks.iter().zip([first, second]) {
                assert!(
                    (found.1 - over).abs() < 3.0 * dt * BELT,
                    "{what}: {found:?} {over}"
                );
                let turned = (BELT / w / (rest - kinetic)).atan() / w;
                assert!(
                    (found.0 - time - turned).abs() < 10.0 * dt,
                    "{what}: {found:?} {time}"
                );
            }
            assert!((low - least).abs() < 1e-2 * rest, "{what}: {low} {least}");
        }
    }
}

/// A run that is taken up from a saved state goes on bit by bit.
#[test]
fn a_saved_run_goes_on_as_it_was() {
    let model = flat("velocity = [1.0, 0.2, 0.0]", "");
    for (settings, _) in ways() {
        let whole = run(&model, &settings, &Ramp, 1e-3, 0.2, &mut |_| {});
        let mut state = run(&model, &settings, &Ramp, 1e-3, 0.1, &mut |_| {});
        let mut stepper = Stepper::new(&model, settings.clone());
        for k in 101..=200 {
            stepper
                .step(&mut state, f64::from(k) * 1e-3, &Ramp, &mut ())
                .unwrap();
        }
        assert_eq!(state, whole);
    }
}
