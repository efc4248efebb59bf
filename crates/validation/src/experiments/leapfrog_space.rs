//! The leapfrog scheme in space: flight, a top, a rolling prism, a block on its corner, sliding with spin. References are integrated here by
//! Runge and Kutta's method, from the equations of rigid bodies and without contacts.

use drystone_geometry::{DMat3, DQuat, DVec3};
use drystone_mechanics::{exp_rotation, log_rotation};
use drystone_model::Model;

use super::simulate;
use crate::Measurements;
use crate::scene::{Scene, corners};

const GRAVITY: f64 = 9.81;

fn history(dt: f64, duration: f64, more: &str) -> String {
    format!(
        "[[analysis]]\nname = \"run\"\nkind = \"time_history\"\nfriction_law = \"associated\"\ndt = {dt:?}\nduration = {duration:?}\nscheme = \"leapfrog\"\n\
         tolerance = \"validation\"\n{more}"
    )
}

/// Final rotation of a block.
fn final_rotation(model: &Model, block: usize) -> Result<DQuat, String> {
    let mut rotation = DQuat::IDENTITY;
    simulate(model, &mut |run| {
        rotation = run.progress().state.poses[block].rotation
    })?;
    Ok(rotation)
}

/// Angle between two rotations, rad.
fn angle_between(a: DQuat, b: DQuat) -> f64 {
    log_rotation(a * b.inverse()).length()
}

/// Rotation after `duration` of a body with inertia `inertia` in its own axes about a fixed point, or its centroid, under a couple
/// that depends on its rotation.
fn turned(
    inertia: DMat3,
    rotation: DQuat,
    spin: DVec3,
    couple: &dyn Fn(DQuat) -> DVec3,
    duration: f64,
) -> DQuat {
    let steps = (duration / 2e-5).round() as usize;
    let dt = duration / steps as f64;
    let world = |q: DQuat| {
        let r = DMat3::from_quat(q);
        r * inertia * r.transpose()
    };
    let rates = |q: DQuat, momentum: DVec3| (world(q).inverse() * momentum, couple(q));
    let (mut q, mut momentum) = (rotation, world(rotation) * spin);
    for _ in 0..steps {
        let (w1, c1) = rates(q, momentum);
        let (w2, c2) = rates(exp_rotation(0.5 * dt * w1) * q, momentum + 0.5 * dt * c1);
        let (w3, c3) = rates(exp_rotation(0.5 * dt * w2) * q, momentum + 0.5 * dt * c2);
        let (w4, c4) = rates(exp_rotation(dt * w3) * q, momentum + dt * c3);
        // The commutators that this leaves out are of third order in a step of 20 microseconds.
        q = (exp_rotation(dt / 6.0 * (w1 + 2.0 * w2 + 2.0 * w3 + w4)) * q).normalize();
        momentum += dt / 6.0 * (c1 + 2.0 * c2 + 2.0 * c3 + c4);
    }
    q
}

/// A brick that tumbles about its middle axis: angular momentum and energy, and its attitude after a second.
pub fn flight() -> Result<Measurements, String> {
    let spin = DVec3::new(0.3, 4.0, 0.2);
    let mut errors = Vec::new();
    let (mut momentum_error, mut energy_error) = (0.0f64, 0.0f64);
    for dt in [4e-3, 2e-3, 1e-3] {
        let mut scene = Scene::new(0.5, "floating = true");
        scene
            .cuboid(
                "brick",
                [-0.15, -0.25, -0.5],
                [0.15, 0.25, 0.5],
                "velocity = [1.0, 0.0, 3.0]\nangular_velocity = [0.3, 4.0, 0.2]",
            )
            .add(&history(dt, 1.0, ""));
        let model = scene.model()?;
        let inertia = model.blocks[0].inertia;
        let (start, rest) = (inertia * spin, 0.5 * spin.dot(inertia * spin));
        let mut rotation = DQuat::IDENTITY;
        simulate(&model, &mut |run| {
            let state = &run.progress().state;
            let w = state.angular_velocity[0];
            rotation = state.poses[0].rotation;
            if dt == 1e-3 {
                // The spin is that of the middle of the step.
                let r = DMat3::from_quat(exp_rotation(-state.lag * w) * rotation);
                let momentum = r * inertia * r.transpose() * w;
                let energy = 0.5 * momentum.dot(w);
                momentum_error = momentum_error.max((momentum - start).length() / start.length());
                energy_error = energy_error.max((energy - rest).abs() / rest);
            }
        })?;
        let exact = turned(inertia, DQuat::IDENTITY, spin, &|_| DVec3::ZERO, 1.0);
        errors.push(angle_between(rotation, exact));
    }
    Ok(Measurements::from([
        ("momentum_error".into(), momentum_error),
        ("energy_error".into(), energy_error),
        ("attitude_error_dt_0.001".into(), errors[2]),
        (
            "attitude_order".into(),
            (errors[0] / errors[2]).log2() / 2.0,
        ),
    ]))
}

/// A top: an inverted pyramid of eight sides that spins on its point.
pub fn top() -> Result<Measurements, String> {
    let tilt = DQuat::from_rotation_x(0.3);
    let (height, radius, spin) = (0.4, 0.25, 80.0);
    let mut points = vec![DVec3::ZERO];
    points.extend((0..8).map(|k| {
        let angle = std::f64::consts::TAU * f64::from(k) / 8.0;
        tilt * DVec3::new(radius * angle.cos(), radius * angle.sin(), height)
    }));
    let w = tilt * DVec3::new(0.0, 0.0, spin);
    let centre = tilt * DVec3::new(0.0, 0.0, 0.75 * height);
    let v = w.cross(centre);
    let mut errors = Vec::new();
    let mut slip = 0.0f64;
    for dt in [2e-3, 1e-3, 5e-4] {
        let mut scene = Scene::new(2.0, "");
        scene
            .cuboid(
                "ground",
                [-2.0, -2.0, -0.5],
                [2.0, 2.0, 0.0],
                "support = true",
            )
            .hull(
                "top",
                &points,
                &format!(
                    "velocity = [{:?}, {:?}, {:?}]\nangular_velocity = [{:?}, {:?}, {:?}]",
                    v.x, v.y, v.z, w.x, w.y, w.z
                ),
            )
            .add(&history(dt, 0.5, ""));
        let model = scene.model()?;
        let block = &model.blocks[1];
        let arm = block.position;
        // About the point.
        let inertia =
            block.inertia + block.mass * (arm.length_squared() * DMat3::IDENTITY - outer(arm, arm));
        let weight = DVec3::new(0.0, 0.0, -GRAVITY * block.mass);
        let couple = |q: DQuat| (q * arm).cross(weight);
        let mut rotation = DQuat::IDENTITY;
        simulate(&model, &mut |run| {
            let pose = &run.progress().state.poses[1];
            rotation = pose.rotation;
            slip = slip.max((pose.position - pose.rotation * arm).length());
        })?;
        let exact = turned(inertia, DQuat::IDENTITY, w, &couple, 0.5);
        errors.push(angle_between(rotation, exact));
    }
    Ok(Measurements::from([
        ("attitude_error_dt_0.001".into(), errors[1]),
        (
            "attitude_order".into(),
            (errors[0] / errors[2]).log2() / 2.0,
        ),
        ("point_moves".into(), slip),
    ]))
}

fn outer(a: DVec3, b: DVec3) -> DMat3 {
    DMat3::from_cols(a * b.x, a * b.y, a * b.z)
}

/// A prism of twelve sides that rolls over its edges: energy after each edge against what conservation of angular momentum about the new edge
/// leaves.
pub fn rolling() -> Result<Measurements, String> {
    let (sides, radius, spin) = (12, 0.5, 3.0);
    let part = std::f64::consts::TAU / f64::from(sides);
    // On its lowest edge, a little past the face that it came from.
    let lean = -0.45 * part;
    let mut points = Vec::new();
    for k in 0..sides {
        let angle = part * f64::from(k) + lean;
        // The first edge is the lowest; the axis is y.
        let p = DVec3::new(radius * angle.sin(), 0.0, -radius * angle.cos());
        points.extend([p, p + DVec3::Y]);
    }
    let foot = points[0];
    let points: Vec<DVec3> = points.iter().map(|&p| p - foot).collect();
    let centre = DVec3::new(-foot.x, 0.5, -foot.z);
    let w = DVec3::new(0.0, spin, 0.0);
    let v = w.cross(DVec3::new(centre.x, 0.0, centre.z));
    let mut results = Measurements::new();
    for dt in [2e-3, 1e-3, 5e-4] {
        let mut scene = Scene::new(2.0, "");
        scene
            .cuboid(
                "ground",
                [-5.0, -2.0, -0.5],
                [15.0, 3.0, 0.0],
                "support = true",
            )
            .hull(
                "prism",
                &points,
                &format!(
                    "velocity = [{:?}, {:?}, {:?}]\nangular_velocity = [0.0, {spin:?}, 0.0]",
                    v.x, v.y, v.z
                ),
            )
            .add(&history(dt, 1.3, ""));
        let model = scene.model()?;
        let block = &model.blocks[1];
        let about_edge = block.inertia.y_axis.y + block.mass * radius * radius;
        let kept =
            (block.inertia.y_axis.y + block.mass * radius * radius * part.cos()) / about_edge;
        // Total energies with the centre over an edge's face at the moment of impact.
        let flat = block.mass * GRAVITY * radius * (0.5 * part).cos();
        let start = 0.5 * about_edge * spin * spin + block.mass * GRAVITY * radius * lean.cos();
        let mut energies: Vec<f64> = Vec::new();
        let (mut last, mut edge) = (f64::NAN, 0i64);
        simulate(&model, &mut |run| {
            let state = &run.progress().state;
            let angle = log_rotation(state.poses[1].rotation).y;
            let energy = run.frame().energy;
            // Between two impacts the angle runs from half a part before an edge to half a part after it.
            let now = ((angle - lean) / part + 0.5).floor() as i64;
            if now != edge {
                energies.push(last);
                edge = now;
            }
            last = energy.kinetic + energy.potential;
        })?;
        let mut worst = 0.0f64;
        let mut expected = start - flat;
        for energy in energies.iter().take(5) {
            worst = worst.max(((energy - flat) / expected - 1.0).abs());
            expected *= kept * kept;
        }
        results.insert(format!("energy_error_dt_{dt:?}"), worst);
        if dt == 1e-3 {
            results.insert("edges".into(), energies.len() as f64);
        }
    }
    Ok(results)
}

/// A block of 0.6 x 0.6 x 2 m released on its corner: order before the first impact, and how much halving the step still changes after two.
pub fn corner() -> Result<Measurements, String> {
    let turn = DQuat::from_scaled_axis(DVec3::new(-0.1, 0.12, 0.0));
    let points: Vec<DVec3> = corners([-0.6, -0.6, 0.0], [0.0, 0.0, 2.0])
        .into_iter()
        .map(|p| turn * p)
        .collect();
    let mut results = Measurements::new();
    // The first corner comes down at 0.387 s, the second at 0.431 s, and at 0.92 s several at once.
    for (label, time) in [("before_impacts", 0.2), ("after_two_impacts", 0.8)] {
        let mut rotations = Vec::new();
        for dt in [4e-3, 2e-3, 1e-3, 5e-4] {
            let mut scene = Scene::new(2.0, "");
            scene
                .cuboid(
                    "ground",
                    [-4.0, -4.0, -0.5],
                    [4.0, 4.0, 0.0],
                    "support = true",
                )
                .hull("block", &points, "")
                .add(&history(dt, time, ""));
            rotations.push(final_rotation(&scene.model()?, 1)?);
        }
        let change: Vec<f64> = rotations
            .windows(2)
            .map(|pair| angle_between(pair[0], pair[1]))
            .collect();
        // A shorter step changes less than the solver's tolerance lets through.
        let order = (change[0] / change[1]).log2();
        results.insert(format!("order_{label}"), order);
        results.insert(format!("change_on_halving_{label}"), change[2]);
    }
    Ok(results)
}
