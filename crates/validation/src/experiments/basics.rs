//! One block: incline, sliding, flight, drop.

use drystone_geometry::{DMat3, DQuat, DVec3};

use super::simulate;
use crate::Measurements;
use crate::scene::{Scene, corners};

/// A slab and a flat block on it, turned together about y by `angle`.
fn incline_scene(angle: f64, law: &str, duration: f64) -> Scene {
    let turn = DQuat::from_rotation_y(angle);
    let turned =
        |min, max| -> Vec<DVec3> { corners(min, max).into_iter().map(|p| turn * p).collect() };
    let mut scene = Scene::new(0.5, "");
    scene
        .hull("slope", &turned([-2.0, -2.0, -0.5], [30.0, 2.0, 0.0]), "support = true")
        .hull("block", &turned([-0.3, -0.3, 0.0], [0.3, 0.3, 0.2]), "")
        .add(&format!(
            "[[analysis]]\nname = \"slide\"\nkind = \"time_history\"\nscheme = \"euler\"\ndt = 0.001\nduration = {duration:?}\nfriction_law = \"{law}\""
        ));
    scene
}

pub fn incline() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let held = incline_scene(26f64.to_radians(), "associated", 1.0).model()?;
    let mut moved: f64 = 0.0;
    simulate(&held, &mut |run| {
        let now = run.progress().state.poses[1].position;
        moved = moved.max((now - held.blocks[1].position).length());
    })?;
    results.insert("held_displacement".into(), moved);
    for law in ["associated", "coulomb"] {
        let angle = 28f64.to_radians();
        let model = incline_scene(angle, law, 1.0).model()?;
        let mut speed = 0.0;
        let summary = simulate(&model, &mut |run| {
            speed = run.progress().state.velocity[1].length()
        })?;
        // The speed of the last step is the mean over it, half a step before the end.
        results.insert(format!("acceleration_{law}"), speed / summary.time);
        results.insert(format!("residual_{law}"), summary.worst_residual);
    }
    Ok(results)
}

pub fn sliding() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    // A force equal to friction keeps the speed constant.
    let mass = 2000.0 * 0.6 * 0.6 * 0.2;
    let mut gaps = Vec::new();
    for law in ["associated", "coulomb"] {
        let mut scene = Scene::new(0.5, "");
        scene
            .cuboid("ground", [-2.0, -2.0, -0.5], [12.0, 2.0, 0.0], "support = true")
            .cuboid("block", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.2], "velocity = [2.0, 0.0, 0.0]")
            .add(&format!(
                "[[load]]\nblock = \"block\"\nforce = [{:?}, 0.0, 0.0]",
                0.5 * mass * 9.81
            ))
            .add(&format!(
                "[[analysis]]\nname = \"slide\"\nkind = \"time_history\"\nscheme = \"euler\"\ndt = 0.001\nduration = 2.0\nfriction_law = \"{law}\""
            ));
        let model = scene.model()?;
        let (mut middle, mut end, mut speed) = (0.0, 0.0, 0.0);
        simulate(&model, &mut |run| {
            let state = &run.progress().state;
            end = state.poses[1].position.z - model.blocks[1].position.z;
            speed = state.velocity[1].x;
            if run.progress().steps == 1000 {
                middle = end;
            }
        })?;
        results.insert(format!("speed_{law}"), speed);
        gaps.push((middle, end));
    }
    results.insert("gap".into(), gaps[0].1);
    results.insert("gap_growth".into(), gaps[0].1 - gaps[0].0);
    results.insert("gap_coulomb".into(), gaps[1].1);
    Ok(results)
}

/// A slab that friction stops: how far it gets, and how high it lifts on the way.
pub fn braking() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for law in ["associated", "coulomb"] {
        let mut scene = Scene::new(0.5, "");
        scene
            .cuboid("ground", [-2.0, -2.0, -0.5], [4.0, 2.0, 0.0], "support = true")
            .cuboid("slab", [-0.3, -0.3, 0.0], [0.3, 0.3, 0.1], "velocity = [1.6, 1.2, 0.0]")
            .add(&format!(
                "[[analysis]]\nname = \"slide\"\nkind = \"time_history\"\nscheme = \"euler\"\ndt = 0.001\nduration = 0.6\nfriction_law = \"{law}\""
            ));
        let model = scene.model()?;
        let (mut distance, mut lift, mut speed) = (0.0_f64, 0.0_f64, 0.0);
        simulate(&model, &mut |run| {
            let state = &run.progress().state;
            let way = state.poses[1].position - model.blocks[1].position;
            distance = way.x.hypot(way.y);
            lift = lift.max(way.z);
            speed = state.velocity[1].length();
        })?;
        results.insert(format!("lift_{law}"), lift);
        if law == "coulomb" {
            results.insert("distance_coulomb".into(), distance);
            results.insert("end_speed_coulomb".into(), speed);
        }
    }
    Ok(results)
}

/// Relative change of angular momentum and of energy of a tumbling brick.
fn tumble(dt: f64, iterations: usize) -> Result<(f64, f64), String> {
    let mut scene = Scene::new(0.5, "floating = true");
    scene
        .cuboid(
            "brick",
            [-0.15, -0.25, -0.5],
            [0.15, 0.25, 0.5],
            "velocity = [1.0, 0.0, 3.0]\nangular_velocity = [0.3, 4.0, 0.2]",
        )
        .add(&format!(
            "[[analysis]]\nname = \"flight\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\ndt = {dt:?}\nduration = 1.0\nrotation_iterations = {iterations}"
        ));
    let model = scene.model()?;
    let mut track = Vec::new();
    simulate(&model, &mut |run| {
        let state = &run.progress().state;
        let r = DMat3::from_quat(state.poses[0].rotation);
        let w = state.angular_velocity[0];
        let momentum = r * model.blocks[0].inertia * r.transpose() * w;
        track.push((momentum, 0.5 * momentum.dot(w)));
    })?;
    let (first, last) = (track[0], track[track.len() - 1]);
    Ok((
        (last.0 - first.0).length() / first.0.length(),
        (last.1 - first.1).abs() / first.1,
    ))
}

pub fn flight() -> Result<Measurements, String> {
    let (momentum, coarse) = tumble(1e-3, 4)?;
    let (_, fine) = tumble(5e-4, 4)?;
    let (momentum_once, _) = tumble(1e-3, 1)?;
    Ok(Measurements::from([
        ("momentum_error".into(), momentum),
        ("momentum_error_one_iteration".into(), momentum_once),
        ("energy_error".into(), coarse),
        ("energy_order".into(), (coarse / fine).log2()),
    ]))
}

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
        .add("[[analysis]]\nname = \"drop\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\ndt = 0.001\nduration = 1.0");
    let model = scene.model()?;
    let (mut fall, mut rebound, mut height, mut energy) = (0f64, 0f64, 0.0, 0.0);
    let mut landed = false;
    let summary = simulate(&model, &mut |run| {
        let state = &run.progress().state;
        fall = fall.max(-state.velocity[1].z);
        height = state.poses[1].position.z - 0.15;
        landed |= height < 1e-3;
        if landed {
            rebound = rebound.max(state.velocity[1].z);
        }
        energy = run.frame().energy.dissipated;
    })?;
    let weight = model.weight();
    Ok(Measurements::from([
        ("impact_speed".into(), fall),
        ("rebound_speed".into(), rebound),
        ("final_height".into(), height.abs()),
        (
            "dissipated_over_lost_height".into(),
            energy / (weight * 0.1),
        ),
        (
            "audit_imbalance".into(),
            summary.audit.imbalance.abs() / (weight * 0.1),
        ),
    ]))
}
