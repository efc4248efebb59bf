//! The leapfrog scheme on small models.

mod common;

use common::{DT, Swing, cuboid, march, model, settings, slab, tower};
use drystone_geometry::{DQuat, DVec3, Pose};
use drystone_mechanics::{Drive, ImpactCounts, State, StepSettings, Stepper, Still, log_rotation};
use drystone_model::{Ground, Model, Scheme};

fn leapfrog() -> StepSettings {
    StepSettings {
        scheme: Scheme::Leapfrog,
        solver: drystone_cone::Settings {
            tolerances: drystone_cone::Tolerances::validation(),
            ..drystone_cone::Settings::default()
        },
        ..settings()
    }
}

/// A slender block on the edge of its base, leaning to +x, in the plane.
fn leaning(more: &str) -> Model {
    let turn = DQuat::from_rotation_y(0.2);
    let corners: Vec<String> = (0..8)
        .map(|k| {
            let pick =
                |axis: usize, low: f64, high: f64| if k >> axis & 1 == 0 { low } else { high };
            let p = turn * DVec3::new(pick(0, -0.6, 0.0), pick(1, -0.3, 0.3), pick(2, 0.0, 2.0));
            format!("[{:?}, {:?}, {:?}]", p.x, p.y, p.z)
        })
        .collect();
    let block = format!(
        "[[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n{more}\n",
        corners.join(", ")
    );
    model("plane = \"xz\"", 2.0, &[slab(), block])
}

/// Steps to the given times in order.
fn to_times(model: &Model, times: impl IntoIterator<Item = f64>) -> (State, ImpactCounts) {
    let mut stepper = Stepper::new(model, leapfrog());
    let mut state = State::initial(model);
    let mut impacts = ImpactCounts::default();
    for time in times {
        let report = stepper
            .step(&mut state, time, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        impacts += report.impacts;
    }
    (state, impacts)
}

fn lean(state: &State) -> f64 {
    log_rotation(state.poses[1].rotation).y
}

#[test]
fn free_fall_is_exact() {
    let model = model(
        "floating = true",
        0.5,
        &[cuboid(
            "block",
            [0.0, 0.0, 0.0],
            [0.4, 0.4, 0.4],
            "velocity = [1.0, 0.0, 2.0]",
        )],
    );
    let end = march(&model, leapfrog(), &Still, 500, &mut |_, _| {});
    let exact = model.blocks[0].position + DVec3::new(0.5, 0.0, 1.0 - 0.5 * 9.81 * 0.25);
    // Half a kick first, then whole ones: no error but rounding.
    assert!((end.poses[0].position - exact).length() < 1e-12);
}

#[test]
fn steps_of_changing_length_keep_the_second_order() {
    let model = leaning("");
    let time = 0.3;
    let (fine, _) = to_times(&model, (1..=2400).map(|k| time * f64::from(k) / 2400.0));
    // Steps alternate between one and two thirds of `pair`, whose lengths differ by a factor of two.
    let uneven = |pairs: u32| {
        let pair = time / f64::from(pairs);
        let times = (0..pairs).flat_map(move |k| {
            let start = pair * f64::from(k);
            [start + pair / 3.0, start + pair]
        });
        (lean(&to_times(&model, times).0) - lean(&fine)).abs()
    };
    let (coarse, halved) = (uneven(50), uneven(100));
    // Leapfrog with uneven steps is of second order as long as their ratio is smooth; alternating it costs a part of that, but a kick weighted
    // by the wrong step would leave an error of first order in each pair, a hundred times larger.
    assert!(coarse < 1e-5, "{coarse}");
    assert!(coarse / halved > 1.8, "{coarse} {halved}");
}

#[test]
fn a_leaning_block_follows_its_pendulum_equation() {
    let model = leaning("");
    // theta'' = -p^2 sin(alpha - theta), by the classical Runge-Kutta method.
    let alpha = 0.3f64.atan();
    let p2 = 3.0 * 9.81 / (4.0 * 1.0f64.hypot(0.3));
    let rate = |theta: f64| -p2 * (alpha - theta).sin();
    let (mut theta, mut w, h) = (0.2, 0.0, 1e-4);
    for _ in 0..3000 {
        let (k1, l1) = (w, rate(theta));
        let (k2, l2) = (w + 0.5 * h * l1, rate(theta + 0.5 * h * k1));
        let (k3, l3) = (w + 0.5 * h * l2, rate(theta + 0.5 * h * k2));
        let (k4, l4) = (w + h * l3, rate(theta + h * k3));
        theta += h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4);
        w += h / 6.0 * (l1 + 2.0 * l2 + 2.0 * l3 + l4);
    }
    let error = |steps: u32| {
        let times = (1..=steps).map(|k| 0.3 * f64::from(k) / f64::from(steps));
        (0.2 + lean(&to_times(&model, times).0) - theta).abs()
    };
    let (coarse, fine) = (error(75), error(150));
    let order = (coarse / fine).log2();
    assert!((order - 2.0).abs() < 0.2, "{coarse} {fine}");
}

#[test]
fn an_impact_carries_and_is_counted() {
    let model = leaning("");
    let (_, impacts) = to_times(&model, (1..=2500).map(|k| f64::from(k) * DT));
    assert!(impacts.carried >= 2, "{impacts:?}");
    assert_eq!(impacts.dropped, 0);
}

#[test]
fn dropping_the_stepper_between_steps_changes_no_bit() {
    let model = tower();
    let kept = march(&model, leapfrog(), &Swing, 150, &mut |_, _| {});
    let mut state = State::initial(&model);
    for k in 1..=150 {
        Stepper::new(&model, leapfrog())
            .step(&mut state, f64::from(k) * DT, &Swing, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert_eq!(kept, state);
}

#[test]
fn moving_supports_and_inertia_forces_pose_the_same_problem() {
    let model = tower();
    let mut tracks: Vec<Vec<DVec3>> = Vec::new();
    for ground in [Ground::Inertia, Ground::Supports] {
        let mut track = Vec::new();
        let settings = StepSettings {
            ground,
            ..leapfrog()
        };
        march(&model, settings, &Swing, 150, &mut |state, _| {
            let shift = match ground {
                Ground::Supports => Swing.ground(state.time),
                Ground::Inertia => DVec3::ZERO,
            };
            track.push(state.poses[2].position - shift);
        });
        tracks.push(track);
    }
    let moved = tracks[0]
        .iter()
        .map(|position| (*position - model.blocks[2].position).length());
    assert!(moved.fold(0.0, f64::max) > 1e-3, "it must move");
    for (a, b) in tracks[0].iter().zip(&tracks[1]) {
        // Rounding of absolute positions, amplified by sticking, sliding and rocking.
        assert!((*a - *b).length() < 1e-8, "{a} {b}");
    }
}

#[test]
fn overlaps_of_a_drawing_are_pushed_out_gently() {
    let model = model(
        "",
        0.5,
        &[
            slab(),
            cuboid("block", [-0.3, -0.3, -0.001], [0.3, 0.3, 0.4], ""),
        ],
    );
    let (mut fastest, mut capped) = (0f64, 0);
    let end = march(&model, leapfrog(), &Still, 600, &mut |state, report| {
        fastest = fastest.max(state.velocity[1].z);
        capped += report.capped;
    });
    assert!(capped > 0);
    // Half of what gravity gives in one step, up to the solver's tolerance.
    assert!(fastest < 0.5 * 9.81 * DT * (1.0 + 1e-3), "{fastest}");
    assert!((end.poses[1].position.z - model.blocks[1].position.z - 0.001).abs() < 1e-6);
}

#[test]
fn a_heavy_block_on_numerical_springs_sinks_by_force_over_stiffness() {
    let stiffness = 1e9;
    let model = model(
        "",
        0.5,
        &[
            slab(),
            cuboid("block", [-1.0, -1.0, 0.0], [1.0, 1.0, 2.0], ""),
        ],
    );
    let settings = StepSettings {
        regularisation: Some([stiffness; 2]),
        ..leapfrog()
    };
    let end = march(&model, settings, &Still, 400, &mut |_, _| {});
    let sunk = model.blocks[1].position.z - end.poses[1].position.z;
    let expected = model.blocks[1].mass * 9.81 / (4.0 * stiffness);
    assert!(
        (sunk - expected).abs() < 1e-3 * expected,
        "{sunk} {expected}"
    );
}

#[test]
fn contact_forces_are_those_of_the_first_half_kick_too() {
    let model = model(
        "",
        0.5,
        &[
            slab(),
            cuboid("block", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.4], ""),
        ],
    );
    let mut stepper = Stepper::new(&model, leapfrog());
    let mut state = State::initial(&model);
    for k in 1..=3 {
        stepper
            .step(&mut state, f64::from(k) * DT, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        let sum: f64 = stepper.contact_forces().map(|c| c.normal_force).sum();
        let weight = model.blocks[1].mass * 9.81;
        assert!((sum - weight).abs() < 1e-5 * weight, "step {k}: {sum}");
    }
    assert_eq!(state.poses[1].position, model.blocks[1].position);
}

/// The slab turns about the y axis through its centre at half a radian per second, after a smooth start.
struct Turntable;

impl Turntable {
    fn angle(time: f64) -> f64 {
        // Starts and goes on without a jump of velocity.
        if time < 0.2 {
            let phase = std::f64::consts::PI * time / 0.2;
            0.25 * (time - 0.2 / std::f64::consts::PI * phase.sin())
        } else {
            0.05 + 0.5 * (time - 0.2)
        }
    }
}

impl Drive for Turntable {
    fn ground(&self, _time: f64) -> DVec3 {
        DVec3::ZERO
    }

    fn support(&self, _block: usize, initial: Pose, time: f64) -> Pose {
        Pose {
            position: initial.position,
            rotation: DQuat::from_rotation_z(Self::angle(time)) * initial.rotation,
        }
    }
}

#[test]
fn a_block_rides_on_a_turning_support() {
    let model = model(
        "",
        0.9,
        &[
            slab(),
            cuboid("block", [1.0, -0.2, 0.0], [1.4, 0.2, 0.2], ""),
        ],
    );
    let error = |steps: usize| {
        let mut stepper = Stepper::new(&model, leapfrog());
        let mut state = State::initial(&model);
        for k in 1..=steps {
            stepper
                .step(&mut state, k as f64 / steps as f64, &Turntable, &mut ())
                .unwrap_or_else(|fault| panic!("{fault}"));
        }
        let exact = DQuat::from_rotation_z(Turntable::angle(1.0)) * model.blocks[1].position;
        (state.poses[1].position - exact).length()
    };
    let (coarse, fine) = (error(250), error(500));
    // It sticks, so that it goes where the slab goes; what it creeps outwards is of second order.
    assert!(fine < 1e-5, "{fine}");
    assert!(coarse / fine > 3.0, "{coarse} {fine}");
}

/// The slab sinks by 20 mm within 0.4 s, slowly enough for the block to stay on it.
struct Sinking;

impl Drive for Sinking {
    fn ground(&self, _time: f64) -> DVec3 {
        DVec3::ZERO
    }

    fn support(&self, _block: usize, mut initial: Pose, time: f64) -> Pose {
        let phase = std::f64::consts::PI * (time / 0.4).min(1.0);
        initial.position.z -= 0.01 * (1.0 - phase.cos());
        initial
    }
}

/// Work of a settlement is that of the force in the middle of the kick: with the velocity of the step alone it would run ahead by half a step, and the energy
/// of a block that sinks with its support would seem to grow.
#[test]
fn the_work_of_a_settlement_is_what_the_block_loses() {
    let model = model(
        "",
        0.6,
        &[
            slab(),
            cuboid("block", [-0.2, -0.2, 0.0], [0.2, 0.2, 0.4], ""),
        ],
    );
    let mut done = 0.0;
    let mut worst = 0.0_f64;
    let weight = model.blocks[1].mass * 9.81;
    let start = model.blocks[1].position.z;
    let end = march(&model, leapfrog(), &Sinking, 500, &mut |state, report| {
        done += report.work.external;
        let energy = drystone_mechanics::Energy::of(&model, state, DVec3::ZERO, start);
        worst = worst.max((energy.total() - done).abs());
    });
    assert!((end.poses[1].position.z - start + 0.02).abs() < 1e-9);
    // Half a step ahead it would be 0.5 dt times the largest speed of 0.08 m/s, 4e-5 m of lift.
    assert!(worst < 1e-7 * weight, "{}", worst / weight);
}

/// Coulomb's law without dilation: a block thrown along the ground stops after v²/(2 mu g), on the ground.
#[test]
fn a_block_slides_by_coulombs_law() {
    let model = model(
        "",
        0.5,
        &[
            slab(),
            cuboid(
                "block",
                [-0.4, -0.4, 0.0],
                [0.4, 0.4, 0.2],
                "velocity = [1.5, 0.0, 0.0]",
            ),
        ],
    );
    let mut settings = leapfrog();
    settings.solver.law = drystone_cone::Law::Coulomb;
    let end = march(&model, settings, &Still, 500, &mut |_, _| {});
    let exact = 1.5 * 1.5 / (2.0 * 0.5 * 9.81);
    let moved = end.poses[1].position - model.blocks[1].position;
    // The last step stops at its end rather than within it: mu g dt².
    assert!((moved.x - exact).abs() < 5e-6, "{} {exact}", moved.x);
    // Its overlap carries the weight: some thousandths of g dt².
    assert!(moved.z.abs() < 0.01 * 9.81 * DT * DT, "{}", moved.z);
    assert!(end.velocity[1].length() < 1e-12, "{}", end.velocity[1]);
}
