//! The leapfrog scheme where contacts come and go: rest, flat drops, blocks that rock on a common plinth, collapse.

use drystone_geometry::DVec3;
use drystone_mechanics::log_rotation;
use drystone_model::{AnalysisKind, Model, Scheme};

use super::arch::arch_scene;
use super::{simulate, wall_scene};
use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, read};

const GRAVITY: f64 = 9.81;

pub(super) fn history(dt: f64, duration: f64, more: &str) -> String {
    format!(
        "[[analysis]]\nname = \"run\"\nkind = \"time_history\"\ndt = {dt:?}\nduration = {duration:?}\nscheme = \"leapfrog\"\n{more}"
    )
}

/// Largest displacement of any block.
fn displacement(model: &Model) -> Result<f64, String> {
    let mut moved: f64 = 0.0;
    simulate(model, &mut |run| {
        let poses = &run.progress().state.poses;
        for (pose, block) in poses.iter().zip(&model.blocks) {
            moved = moved.max((pose.position - block.position).length());
        }
    })?;
    Ok(moved)
}

/// What stands stands still, for a second or for a minute.
pub fn rest(quick: bool) -> Result<Measurements, String> {
    let duration = if quick { 1.0 } else { 60.0 };
    let mut results = Measurements::new();
    let mut still = |name: &str, model: &Model| -> Result<(), String> {
        let _part = Part::begin();
        results.insert(name.into(), displacement(model)?);
        Ok(())
    };
    let mut stack = Scene::new(0.65, "");
    stack.cuboid(
        "ground",
        [-1.0, -1.0, -0.5],
        [1.0, 1.0, 0.0],
        "support = true",
    );
    for k in 0..10 {
        let z = f64::from(k) * 0.2;
        stack.cuboid(&format!("b{k}"), [-0.2, -0.15, z], [0.2, 0.15, z + 0.2], "");
    }
    stack.add(&history(1e-3, duration, ""));
    still("stack", &stack.model()?)?;

    let mut wall = wall_scene(4, 6, 0.65);
    wall.add(&history(1e-3, duration, ""));
    still("wall", &wall.model()?)?;

    let mut arch = with_leapfrog(arch_scene(21, 0.0, duration).model()?);
    still("arch", &arch)?;
    // Half of what makes it fall, for good.
    arch = with_leapfrog(arch_scene(21, 0.12, duration).model()?);
    still("arch_pushed", &arch)?;

    let dome = read(include_str!("../../../../examples/dome/model.toml"))?;
    let mut dome = with_leapfrog(dome);
    if let Some(analysis) = dome.analyses.first_mut()
        && let AnalysisKind::TimeHistory(history) = &mut analysis.kind
    {
        history.motions.clear();
        history.duration = 0.2 * duration.min(10.0);
    }
    still("dome", &dome)?;
    Ok(results)
}

fn with_leapfrog(mut model: Model) -> Model {
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.scheme = Scheme::Leapfrog;
        }
    }
    model
}

/// A block falls flat from 0.1 m.
pub fn drop() -> Result<Measurements, String> {
    let mut scene = Scene::new(0.5, "");
    scene
        .cuboid(
            "ground",
            [-2.0, -2.0, -0.5],
            [2.0, 2.0, 0.0],
            "support = true",
        )
        .cuboid("block", [-0.3, -0.2, 0.1], [0.3, 0.2, 0.4], "")
        .add(&history(1e-3, 1.0, "friction_law = \"associated\""));
    let model = scene.model()?;
    // sqrt(2 h / g) = 0.1428 s.
    let (mut flight, mut rebound, mut height, mut energy) = (0f64, 0f64, 0.0, 0.0);
    let summary = simulate(&model, &mut |run| {
        let state = &run.progress().state;
        let fallen = 0.25 - state.poses[1].position.z;
        if state.time < 0.142 {
            flight = flight.max((fallen - 0.5 * GRAVITY * state.time * state.time).abs());
        } else if state.time > 0.145 {
            rebound = rebound.max(state.velocity[1].z);
        }
        height = state.poses[1].position.z - 0.15;
        energy = run.frame().energy.dissipated;
    })?;
    let fall = model.weight() * 0.1;
    Ok(Measurements::from([
        ("flight_error".into(), flight),
        ("rebound_speed".into(), rebound),
        ("final_height".into(), height.abs()),
        ("dissipated_over_lost_height".into(), energy / fall),
        (
            "audit_imbalance".into(),
            summary.audit.imbalance.abs() / fall,
        ),
        ("penetration".into(), summary.max_penetration),
    ]))
}

/// Three blocks that rock on a plinth which is free but rests: impacts of one must not disturb the others. Largest difference of angle from the
/// same blocks on the ground.
pub fn plinth() -> Result<Measurements, String> {
    let run = |support: bool| -> Result<(Vec<[f64; 3]>, f64), String> {
        let mut scene = Scene::new(2.0, "plane = \"xz\"");
        let more = if support { "support = true" } else { "" };
        scene
            .cuboid(
                "ground",
                [-8.0, -1.0, -1.0],
                [8.0, 1.0, -0.5],
                "support = true",
            )
            .cuboid("plinth", [-7.0, -1.0, -0.5], [7.0, 1.0, 0.0], more);
        for (k, lean) in [0.12, 0.15, 0.19].into_iter().enumerate() {
            let turn = drystone_geometry::DQuat::from_rotation_y(lean);
            let x = 4.0 * (k as f64 - 1.0);
            let points: Vec<DVec3> = crate::scene::corners([-0.6, -0.3, 0.0], [0.0, 0.3, 2.0])
                .into_iter()
                .map(|p| turn * p + DVec3::new(x, 0.0, 0.0))
                .collect();
            scene.hull(&format!("block{k}"), &points, "");
        }
        scene.add(&history(1e-3, 3.0, "tolerance = \"validation\""));
        let model = scene.model()?;
        let mut track = Vec::new();
        let summary = simulate(&model, &mut |run| {
            let poses = &run.progress().state.poses;
            track.push([2, 3, 4].map(|i| log_rotation(poses[i].rotation).y));
        })?;
        Ok((track, summary.impacts.resolved as f64))
    };
    let (alone, _) = run(true)?;
    let (together, resolved) = run(false)?;
    let difference = alone.iter().zip(&together).flat_map(|(a, b)| {
        let pairs = a.iter().zip(b);
        pairs.map(|(a, b)| (a - b).abs()).collect::<Vec<_>>()
    });
    Ok(Measurements::from([
        ("angle_difference".into(), difference.fold(0.0, f64::max)),
        ("resolved_steps".into(), resolved),
    ]))
}

/// Energy that comes from nowhere in a collapse: the largest rise of total minus harvested energy over its lowest value so far, over the weight.
fn energy_growth(
    model: &Model,
) -> Result<(f64, drystone_questions::time_history::Summary), String> {
    let (mut lowest, mut growth) = (f64::INFINITY, 0f64);
    let summary = simulate(model, &mut |run| {
        let energy = run.frame().energy;
        let own = energy.kinetic + energy.potential - energy.harvested;
        lowest = lowest.min(own);
        growth = growth.max(own - lowest);
    })?;
    Ok((growth / model.weight(), summary))
}

/// Structures that fall down.
pub fn collapse(quick: bool) -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let oppenheim = include_str!("../../../../examples/oppenheim-arch/model.toml");
    let spandrel = include_str!("../../../../examples/spandrel-arch/model.toml");
    let house = include_str!("../../../../examples/stone-house/model.toml");
    let cases: &[(&str, &str, &str)] = if quick {
        &[("oppenheim", oppenheim, "collapse")]
    } else {
        &[
            ("oppenheim", oppenheim, "collapse"),
            ("spandrel", spandrel, "slow-sine"),
            ("house", house, "long-pulse"),
        ]
    };
    for &(name, text, analysis) in cases {
        let _part = Part::begin();
        let mut model = with_leapfrog(read(text)?);
        model.analyses.retain(|other| other.name == analysis);
        let (growth, summary) = energy_growth(&model)?;
        results.insert(format!("{name}_energy_growth"), growth);
        results.insert(
            format!("{name}_displacement"),
            summary.largest_displacement.displacement,
        );
        results.insert(
            format!("{name}_inaccurate_steps"),
            summary.troubles.inaccurate_steps as f64,
        );
        results.insert(
            format!("{name}_impact_steps"),
            summary.impacts.steps as f64 / summary.steps as f64,
        );
        results.insert(
            format!("{name}_dropped_steps"),
            summary.impacts.dropped as f64 / summary.steps as f64,
        );
    }
    Ok(results)
}
