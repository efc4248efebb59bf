//! The leapfrog scheme where contacts come and go: rest, flat drops, sliding, blocks that rock on a common plinth, collapse.

use drystone_geometry::{DMat3, DVec3};
use drystone_mechanics::log_rotation;
use drystone_model::{AnalysisKind, Model, Scheme};

use super::arch::arch_scene;
use super::{simulate, wall_scene};
use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, read};

const GRAVITY: f64 = 9.81;

fn history(dt: f64, duration: f64, more: &str) -> String {
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
        .add(&history(1e-3, 1.0, ""));
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

/// A block on three feet that slides and spins, against the equations of motion with the feet's loads from equilibrium.
pub fn slide() -> Result<Measurements, String> {
    let friction = 0.3;
    let (height, radius) = (0.2, 0.5);
    let (velocity, spin) = (DVec3::new(1.5, 0.3, 0.0), 4.0);
    let corner = |k: usize| {
        let angle = std::f64::consts::TAU * k as f64 / 3.0;
        DVec3::new(radius * angle.cos(), radius * angle.sin(), 0.0)
    };
    let points: Vec<DVec3> = (0..3)
        .flat_map(|k| [corner(k), corner(k) + height * DVec3::Z])
        .collect();
    let time = 0.3;
    let mut errors = Vec::new();
    for dt in [4e-3, 2e-3, 1e-3] {
        let mut scene = Scene::new(friction, "");
        scene
            .cuboid(
                "ground",
                [-5.0, -5.0, -0.5],
                [5.0, 5.0, 0.0],
                "support = true",
            )
            .hull(
                "block",
                &points,
                &format!(
                    "velocity = [{:?}, {:?}, 0.0]\nangular_velocity = [0.0, 0.0, {spin:?}]",
                    velocity.x, velocity.y
                ),
            )
            .add(&history(
                dt,
                time,
                "friction_law = \"coulomb\"\ntolerance = \"validation\"",
            ));
        let model = scene.model()?;
        let block = &model.blocks[1];
        let mut reached = (DVec3::ZERO, 0.0);
        simulate(&model, &mut |run| {
            let pose = &run.progress().state.poses[1];
            reached = (
                pose.position - block.position,
                log_rotation(pose.rotation).z,
            );
        })?;
        let exact = slid(
            &[0, 1, 2].map(corner),
            0.5 * height,
            block.inertia.z_axis.z / block.mass,
            friction,
            (velocity, spin),
            time,
        );
        errors.push(
            (reached.0 - exact.0)
                .length()
                .max(radius * (reached.1 - exact.1).abs()),
        );
    }
    Ok(Measurements::from([
        ("position_error_dt_0.001".into(), errors[2]),
        ("order".into(), (errors[0] / errors[2]).log2() / 2.0),
    ]))
}

/// Displacement and angle of a body on three sliding feet `below` its centroid, with inertia `gyration` over mass about z.
fn slid(
    feet: &[DVec3; 3],
    below: f64,
    gyration: f64,
    friction: f64,
    (velocity, spin): (DVec3, f64),
    duration: f64,
) -> (DVec3, f64) {
    // Acceleration and angular acceleration, per unit mass.
    let rates = |angle: f64, v: DVec3, w: f64| {
        let arms = feet.map(|foot| drystone_geometry::DQuat::from_rotation_z(angle) * foot);
        let directions = arms.map(|arm| (v + DVec3::new(0.0, 0.0, w).cross(arm)).normalize());
        // Loads N: their sum is the weight, and with friction -mu N u they have no moment about x and y.
        let columns: [DVec3; 3] = std::array::from_fn(|k| {
            let force = DVec3::Z - friction * directions[k];
            let moment = (arms[k] - below * DVec3::Z).cross(force);
            DVec3::new(1.0, moment.x, moment.y)
        });
        let loads = DMat3::from_cols(columns[0], columns[1], columns[2]).inverse()
            * DVec3::new(GRAVITY, 0.0, 0.0);
        let mut sum = (DVec3::ZERO, 0.0);
        for k in 0..3 {
            let force = -friction * loads[k] * directions[k];
            sum.0 += force;
            sum.1 += arms[k].cross(force).z / gyration;
        }
        sum
    };
    let steps = 3000;
    let dt = duration / f64::from(steps);
    let (mut x, mut angle, mut v, mut w) = (DVec3::ZERO, 0.0, velocity, spin);
    for _ in 0..steps {
        let (a1, b1) = rates(angle, v, w);
        let (v2, w2) = (v + 0.5 * dt * a1, w + 0.5 * dt * b1);
        let (a2, b2) = rates(angle + 0.5 * dt * w, v2, w2);
        let (v3, w3) = (v + 0.5 * dt * a2, w + 0.5 * dt * b2);
        let (a3, b3) = rates(angle + 0.5 * dt * w2, v3, w3);
        let (v4, w4) = (v + dt * a3, w + dt * b3);
        let (a4, b4) = rates(angle + dt * w3, v4, w4);
        x += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        angle += dt / 6.0 * (w + 2.0 * w2 + 2.0 * w3 + w4);
        v += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
        w += dt / 6.0 * (b1 + 2.0 * b2 + 2.0 * b3 + b4);
    }
    (x, angle)
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
