//! The step as a whole, on small models.

mod common;

use common::{DT, Swing, cuboid, march, model, settings, slab, tower};
use drystone_geometry::{DQuat, DVec3};
use drystone_mechanics::{Drive, State, StepSettings, Stepper, Still};
use drystone_model::Ground;

#[test]
fn a_heavy_block_on_numerical_springs_sinks_by_force_over_stiffness_and_no_further() {
    let stiffness = 1e9;
    // 16 t: four tonnes per point, more than k dt², which a limit on push-out would let sink for ever.
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
        ..settings()
    };
    let end = march(&model, settings, &Still, 400, &mut |_, report| {
        assert_eq!(report.capped, 0)
    });
    let sunk = model.blocks[1].position.z - end.poses[1].position.z;
    let expected = model.blocks[1].mass * 9.81 / (4.0 * stiffness);
    assert!(
        (sunk - expected).abs() < 1e-3 * expected,
        "{sunk} {expected}"
    );
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
    let end = march(&model, settings(), &Still, 400, &mut |state, report| {
        fastest = fastest.max(state.velocity[1].z);
        capped += report.capped;
    });
    assert!(capped > 0);
    // No faster than gravity gives in one step, up to the solver's tolerance.
    assert!(fastest < 9.81 * DT * (1.0 + 1e-3), "{fastest}");
    assert!((end.poses[1].position.z - model.blocks[1].position.z - 0.001).abs() < 1e-6);
}

#[test]
fn a_block_wedged_between_supports_is_reported_and_stays_finite() {
    let model = model(
        "",
        0.5,
        &[
            cuboid(
                "left",
                [-1.0, -0.5, 0.0],
                [0.001, 0.5, 1.0],
                "support = true",
            ),
            cuboid(
                "right",
                [0.499, -0.5, 0.0],
                [1.5, 0.5, 1.0],
                "support = true",
            ),
            cuboid("block", [0.0, -0.2, 0.2], [0.5, 0.2, 0.6], ""),
        ],
    );
    let mut relaxed = 0;
    let end = march(&model, settings(), &Still, 20, &mut |_, report| {
        relaxed += usize::from(report.relaxed || !report.solved);
    });
    assert!(relaxed > 0);
    assert!((end.poses[2].position - model.blocks[2].position).length() < 0.01);
}

#[test]
fn speed_passed_on_by_an_impact_does_not_outrun_the_contacts() {
    // At 8 m/s a block travels 8 mm in a step. The second one is struck, and the third is 3 mm away from it.
    let mut blocks = vec![cuboid(
        "b0",
        [0.0, 0.0, 0.0],
        [0.2, 0.2, 0.2],
        "velocity = [8.0, 0.0, 0.0]",
    )];
    for k in 1..5 {
        let x = 0.2 + 0.004 + f64::from(k - 1) * 0.203;
        blocks.push(cuboid(
            &format!("b{k}"),
            [x, 0.0, 0.0],
            [x + 0.2, 0.2, 0.2],
            "",
        ));
    }
    let model = model("floating = true\ngravity = 0.0", 0.0, &blocks);
    let mut deepest = 0f64;
    march(&model, settings(), &Still, 30, &mut |state, _| {
        for k in 0..4 {
            let gap = state.poses[k + 1].position.x - state.poses[k].position.x - 0.2;
            deepest = deepest.max(-gap);
        }
    });
    // Steps are solved to 1e-7 of speeds of metres per second, a tenth of a nanometre per step.
    assert!(deepest < 1e-8, "{deepest}");
}

#[test]
fn products_of_inertia_do_not_leak_into_a_planar_spin() {
    let model = model(
        "plane = \"xz\"\nfloating = true",
        0.5,
        &[cuboid(
            "block",
            [0.0, 0.0, 0.0],
            [0.4, 0.4, 0.4],
            "inertia = [4.0, 4.0, 4.0, 1.0, 0.0, 1.5]\nangular_velocity = [0.0, 3.0, 0.0]",
        )],
    );
    let end = march(&model, settings(), &Still, 100, &mut |_, _| {});
    // One linearisation per step is exact here, but for rounding.
    assert!((end.angular_velocity[0] - DVec3::new(0.0, 3.0, 0.0)).length() < 1e-10);
}

#[test]
fn without_gravity_a_resting_block_stays() {
    let model = model(
        "gravity = 0.0",
        0.5,
        &[
            slab(),
            cuboid("block", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.4], ""),
        ],
    );
    let end = march(&model, settings(), &Still, 50, &mut |_, report| {
        assert!(report.solved)
    });
    assert_eq!(end.poses[1].position, model.blocks[1].position);
}

#[test]
fn moving_supports_and_inertia_forces_pose_the_same_problem() {
    let model = tower();
    let mut tracks: Vec<Vec<(DVec3, f64, f64)>> = Vec::new();
    for ground in [Ground::Inertia, Ground::Supports] {
        let mut track = Vec::new();
        march(
            &model,
            StepSettings {
                ground,
                ..settings()
            },
            &Swing,
            150,
            &mut |state, report| {
                let shift = if ground == Ground::Supports {
                    Swing.ground(state.time)
                } else {
                    DVec3::ZERO
                };
                track.push((
                    state.poses[2].position - shift,
                    report.work.external,
                    report.work.contact_loss,
                ));
            },
        );
        tracks.push(track);
    }
    let moved = tracks[0]
        .iter()
        .map(|row| (row.0 - model.blocks[2].position).length());
    assert!(
        moved.fold(0.0, f64::max) > 1e-3,
        "the comparison must see motion"
    );
    for (a, b) in tracks[0].iter().zip(&tracks[1]) {
        // Only rounding of absolute positions differs; sticking, sliding and rocking amplify it a little.
        assert!((a.0 - b.0).length() < 1e-8, "{} {}", a.0, b.0);
        assert!(
            (a.1 - b.1).abs() < 1e-4 && (a.2 - b.2).abs() < 1e-4,
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn dropping_the_stepper_between_steps_changes_no_bit() {
    let model = tower();
    let kept = march(&model, settings(), &Swing, 120, &mut |_, _| {});
    let mut state = State::initial(&model);
    for k in 1..=120 {
        Stepper::new(&model, settings())
            .step(&mut state, f64::from(k) * DT, &Swing, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
    }
    assert_eq!(kept, state);
}

#[test]
fn a_pebble_sticks_to_the_sliding_slab_that_carries_it() {
    // A cube of 2 cm on a slab of 80 t: a judge that looks at the sum over all contacts does not see it slip.
    let grit = "[[material]]\nname = \"grit\"\ndensity = 2000.0\n\
                [[interface]]\nbetween = [\"grit\", \"*\"]\nfriction = 0.9\n"
        .to_owned();
    let slide = "velocity = [2.0, 0.0, 0.0]";
    let pebble = cuboid("pebble", [-0.01, -0.01, 0.4], [0.01, 0.01, 0.42], slide);
    let model = model(
        "",
        0.6,
        &[
            cuboid(
                "ground",
                [-20.0, -20.0, -0.5],
                [20.0, 20.0, 0.0],
                "support = true",
            ),
            cuboid("slab", [-5.0, -5.0, 0.0], [5.0, 5.0, 0.4], slide),
            grit,
            pebble.replace("\"stone\"", "\"grit\""),
        ],
    );
    let end = march(&model, settings(), &Still, 300, &mut |_, report| {
        assert!(report.solved);
    });
    let went = |i: usize| (end.poses[i].position - model.blocks[i].position).x;
    assert!(went(1) > 0.2, "the slab must slide: {}", went(1));
    // Its speed changes by 1.8 m/s; a step solved to 1e-7 leaves far less than a tenth of a millimetre.
    assert!((went(1) - went(2)).abs() < 1e-4, "{} {}", went(1), went(2));
}

#[test]
fn a_posed_step_is_the_step_that_is_taken() {
    let model = model(
        "",
        0.4,
        &[
            slab(),
            cuboid("low", [-0.3, -0.2, 0.0], [0.3, 0.2, 0.3], ""),
            cuboid(
                "high",
                [-0.2, -0.2, 0.3],
                [0.4, 0.2, 0.6],
                "velocity = [0.4, 0.1, 0.0]",
            ),
        ],
    );
    let mut stepper = Stepper::new(&model, settings());
    let (mut state, mut moved) = (State::initial(&model), 0);
    let plain = march(&model, settings(), &Still, 20, &mut |_, _| {});
    for k in 1..=20 {
        let end = f64::from(k) * DT;
        let posed = stepper.pose(&state, end, &Still, &mut ());
        // Whoever asks for forces in between gets numbers, one per point.
        assert_eq!(
            stepper.contact_forces().count(),
            posed.problem.contacts.len()
        );
        stepper
            .step(&mut state, end, &Still, &mut ())
            .unwrap_or_else(|fault| panic!("{fault}"));
        let alone = drystone_cone::Solver::new(settings().solver)
            .solve(&posed.problem, posed.warm())
            .unwrap_or_else(|fault| panic!("{fault}"));
        for (v, taken) in alone.velocity.iter().zip(&state.velocity[1..]) {
            assert_eq!([v[0], v[1], v[2]], taken.to_array(), "step {k}");
        }
        moved += u32::from(alone.stats.iterations > 0);
    }
    assert!(moved > 10, "too quiet to tell: {moved}");
    assert_eq!(plain, state, "posing changes the answer");
}

#[test]
fn beds_stay_beds_while_the_stones_turn() {
    let head =
        "[[interface]]\nbetween = [\"stone\", \"stone\"]\njoints = \"head\"\nfriction = 0.1\n";
    let model = model(
        "",
        0.7,
        &[
            slab(),
            cuboid("low", [-0.3, -0.2, 0.0], [0.3, 0.2, 0.3], ""),
            cuboid("high", [-0.3, -0.2, 0.3], [0.3, 0.2, 0.6], ""),
            cuboid("beside", [0.3, -0.2, 0.3], [0.9, 0.2, 0.6], ""),
            head.to_owned(),
        ],
    );
    let mut stepper = Stepper::new(&model, settings());
    // Up in the air, as a whole, by more than the angle that tells beds from heads.
    for degrees in [0.0_f64, 60.0, 120.0] {
        let mut state = State::initial(&model);
        let turn = DQuat::from_rotation_y(degrees.to_radians());
        for pose in &mut state.poses[1..] {
            pose.position = turn * pose.position + DVec3::new(0.0, 0.0, 3.0);
            pose.rotation = turn;
        }
        let problem = stepper.pose(&state, DT, &Still, &mut ()).problem;
        let up = (turn * DVec3::Z).to_array();
        let (mut beds, mut heads) = (0, 0);
        for contact in &problem.contacts {
            let cosine: f64 = (0..3).map(|k| up[k] * contact.frame[0][k]).sum();
            let bed = cosine.abs() > 0.9;
            assert_eq!(contact.friction, if bed { 0.7 } else { 0.1 }, "{degrees}");
            beds += u32::from(bed);
            heads += u32::from(!bed);
        }
        assert!(beds >= 4 && heads >= 4, "{degrees}: {beds} {heads}");
    }
}
