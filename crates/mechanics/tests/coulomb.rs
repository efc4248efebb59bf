//! Coulomb's law with contacts that yield to changes of their forces.

mod common;

use common::{DT, cuboid, march, model, settings, slab};
use drystone_cone::{Law, Tolerances};
use drystone_geometry::{DVec3, Pose};
use drystone_mechanics::{Drive, StepSettings, Stepper, Still};
use drystone_model::{Model, Scheme};

fn coulomb(scheme: Scheme) -> StepSettings {
    let mut settings = StepSettings {
        scheme,
        ..settings()
    };
    settings.solver.law = Law::Coulomb;
    settings.solver.tolerances = Tolerances::validation();
    settings
}

/// Two blocks that friction holds against a force of a third of their weight.
fn pushed() -> Model {
    model(
        "",
        0.5,
        &[
            slab(),
            cuboid("lower", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.3], ""),
            cuboid("upper", [-0.3, -0.3, 0.3], [0.3, 0.3, 0.6], ""),
            "[[load]]\nblock = \"upper\"\nforce = [700.0, 0.0, 0.0]\n".to_string(),
        ],
    )
}

/// Contacts do not yield to what they carry at first, along the joint either.
#[test]
fn what_friction_holds_does_not_creep() {
    for scheme in [Scheme::Euler, Scheme::Leapfrog] {
        let model = pushed();
        let end = march(&model, coulomb(scheme), &Still, 400, &mut |_, report| {
            assert!(report.solved)
        });
        for block in [1, 2] {
            let moved = (end.poses[block].position - model.blocks[block].position).length();
            assert_eq!(moved, 0.0, "{scheme:?}");
        }
    }
}

/// A ground that starts suddenly is no load that the drawing shows: the same pulse a step later moves the blocks as far.
#[test]
fn what_shakes_is_not_in_the_drawing() {
    struct Push(f64);
    impl Drive for Push {
        fn ground(&self, time: f64) -> DVec3 {
            let t = (time - self.0).max(0.0);
            0.5 * 2.0 * t * t * DVec3::X
        }
        fn support(&self, _block: usize, initial: Pose, _time: f64) -> Pose {
            initial
        }
    }
    let model = model(
        "",
        0.5,
        &[
            slab(),
            cuboid("lower", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.3], ""),
            cuboid("upper", [-0.3, -0.3, 0.3], [0.3, 0.3, 0.6], ""),
        ],
    );
    let sway = |later: f64| {
        let mut most = 0.0_f64;
        let settings = coulomb(Scheme::Euler);
        march(&model, settings, &Push(later), 100, &mut |state, _| {
            most = most.max((state.poses[2].position.x - model.blocks[2].position.x).abs());
        });
        most
    };
    let (at_once, later) = (sway(0.0), sway(DT));
    assert!(at_once > 1e-9, "{at_once}");
    // The stiffness of the springs makes no difference of phase within a hundred steps.
    assert!(
        (at_once - later).abs() < 1e-3 * at_once,
        "{at_once} {later}"
    );
}

/// Nothing presses the block: it falls as if the walls were not there.
#[test]
fn a_block_that_walls_merely_touch_falls() {
    let wall = |name: &str, from: f64, to: f64| {
        cuboid(name, [from, -0.5, -2.0], [to, 0.5, 1.0], "support = true")
    };
    let model = model(
        "",
        0.5,
        &[
            wall("left", -1.0, 0.0),
            wall("right", 0.5, 1.5),
            cuboid("block", [0.0, -0.2, 0.2], [0.5, 0.2, 0.6], ""),
        ],
    );
    let end = march(
        &model,
        coulomb(Scheme::Leapfrog),
        &Still,
        200,
        &mut |_, _| {},
    );
    let fallen = model.blocks[2].position.z - end.poses[2].position.z;
    let free = 0.5 * 9.81 * 0.2 * 0.2;
    assert!((fallen - free).abs() < 1e-9 * free, "{fallen} {free}");
}

/// A block that falls flat comes to rest on the ground: an impact leaves 1/400 of its speed, which the next steps take away.
#[test]
fn what_lands_lands_on_the_ground() {
    for scheme in [Scheme::Euler, Scheme::Leapfrog] {
        let model = model(
            "",
            0.5,
            &[
                slab(),
                cuboid("block", [-0.3, -0.3, 0.05], [0.3, 0.3, 0.35], ""),
            ],
        );
        let mut rebound = 0.0_f64;
        let end = march(&model, coulomb(scheme), &Still, 400, &mut |state, _| {
            rebound = rebound.max(state.velocity[1].z);
        });
        let gap = end.poses[1].position.z - model.blocks[1].position.z + 0.05;
        // By its overlap a contact carries the weight: 1/400 of g dt², shared by four.
        assert!(gap.abs() < 0.01 * 9.81 * DT * DT, "{scheme:?}: {gap}");
        // It strikes with 1 m/s, of which 1/400 is left and is pushed out.
        assert!(rebound < 5e-3, "{scheme:?}: {rebound}");
        assert!(end.velocity[1].length() < 1e-9, "{}", end.velocity[1]);
    }
}

/// Sixty courses, and a heavy block on a light one, stand where they were put; pushed down for a while, they come to rest there again.
#[test]
fn columns_and_contrasts_of_weight_come_to_rest() {
    let mut column = vec![slab()];
    column.extend((0..60).map(|k| {
        let z = 0.2 * f64::from(k);
        cuboid(&format!("b{k}"), [-0.3, -0.3, z], [0.3, 0.3, z + 0.2], "")
    }));
    let light = vec![
        slab(),
        cuboid("light", [-0.05, -0.05, 0.0], [0.05, 0.05, 0.02], ""),
        cuboid("heavy", [-0.5, -0.5, 0.02], [0.5, 0.5, 1.02], ""),
    ];
    for blocks in [column, light] {
        let settings = coulomb(Scheme::Leapfrog);
        let model = model("", 0.5, &blocks);
        let last = model.blocks.len() - 1;
        let put = model.blocks[last].position.z;
        let end = march(
            &model,
            settings.clone(),
            &Still,
            100,
            &mut |state, report| {
                assert!(report.solved);
                assert_eq!(state.velocity[last].length(), 0.0);
            },
        );
        assert_eq!(end.poses[last].position.z, put);

        let mut state = end;
        let mut stepper = Stepper::new(&model, settings);
        state.velocity[last].z = -0.01;
        let mut deepest = 0.0_f64;
        for _ in 0..1500 {
            let to = state.time + DT;
            let report = stepper.step(&mut state, to, &Still, &mut ()).unwrap();
            assert!(report.solved);
            deepest = deepest.max(put - state.poses[last].position.z);
        }
        assert_eq!(state.velocity[last].length(), 0.0);
        // What is solved to the sharper tolerance of slow motion leaves a few 1e-9 of the weight on overlaps of 1/400 of g dt² for each block above.
        let off = (put - state.poses[last].position.z).abs();
        assert!(deepest > 1e-7 && off < 1e-4 * deepest, "{deepest} {off}");
    }
}
