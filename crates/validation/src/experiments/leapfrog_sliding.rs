//! The leapfrog scheme where blocks slide and the direction of their slip turns. References are integrated here by Runge-Kutta.

use drystone_geometry::{DMat3, DVec3};
use drystone_mechanics::log_rotation;
use drystone_model::Model;

use super::leapfrog_contacts::history;
use super::simulate;
use crate::Measurements;
use crate::scene::Scene;

const GRAVITY: f64 = 9.81;
/// Lengths of steps, s.
const STEPS: [f64; 4] = [4e-3, 2e-3, 1e-3, 5e-4];

/// A slab on a floor with friction 0.3, pushed across its way with a part of its weight. It does not turn: the pressure moves only along its slip.
fn pushed(push: f64, dt: f64, duration: f64, velocity: DVec3, more: &str) -> Result<Model, String> {
    let mut scene = Scene::new(0.3, "");
    let weight = 2000.0 * 0.6 * 0.6 * 0.1 * GRAVITY;
    scene
        .cuboid(
            "ground",
            [-9.0, -9.0, -0.5],
            [9.0, 9.0, 0.0],
            "support = true",
        )
        .cuboid(
            "slab",
            [-0.3, -0.3, 0.0],
            [0.3, 0.3, 0.1],
            &format!("velocity = [{:?}, {:?}, 0.0]", velocity.x, velocity.y),
        )
        .add(&format!(
            "[[load]]\nblock = \"slab\"\nforce = [0.0, {:?}, 0.0]",
            push * weight
        ))
        .add(&history(dt, duration, more));
    scene.model()
}

/// The way of a body that slides under a push, by Runge-Kutta.
fn pushed_way(push: f64, mut v: DVec3, duration: f64) -> DVec3 {
    let rate = |v: DVec3| GRAVITY * (push * DVec3::Y - 0.3 * v.normalize());
    let steps = 4000;
    let dt = duration / f64::from(steps);
    let mut x = DVec3::ZERO;
    for _ in 0..steps {
        let a1 = rate(v);
        let v2 = v + 0.5 * dt * a1;
        let a2 = rate(v2);
        let v3 = v + 0.5 * dt * a2;
        let a3 = rate(v3);
        let v4 = v + dt * a3;
        let a4 = rate(v4);
        x += dt / 6.0 * (v + 2.0 * v2 + 2.0 * v3 + v4);
        v += dt / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
    }
    x
}

/// A slab that slides and is pushed across its way: errors, their order, and that it stays where it stops.
pub fn turn() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let more = "friction_law = \"coulomb\"\ntolerance = \"validation\"";
    let (velocity, time) = (DVec3::new(0.6, 0.0, 0.0), 0.4);
    let exact = pushed_way(0.4, velocity, time);
    let mut errors = Vec::new();
    for dt in STEPS {
        let model = pushed(0.4, dt, time, velocity, more)?;
        let start = model.blocks[1].position;
        let mut way = DVec3::ZERO;
        simulate(&model, &mut |run| {
            way = run.progress().state.poses[1].position - start;
        })?;
        errors.push((way - exact).truncate().length());
    }
    insert_errors(&mut results, &errors);
    // Half the push is less than friction: the slab stops.
    let model = pushed(0.2, 1e-3, 1.0, velocity, more)?;
    let (mut stopped, mut moved): (Option<DVec3>, f64) = (None, f64::INFINITY);
    simulate(&model, &mut |run| {
        let state = &run.progress().state;
        let (at, v) = (state.poses[1].position, state.velocity[1]);
        if let Some(place) = stopped {
            moved = f64::max(moved, (at - place).length());
        } else if v == DVec3::ZERO {
            (stopped, moved) = (Some(at), 0.0);
        }
    })?;
    results.insert("moved_after_stop".into(), moved);
    Ok(results)
}

/// Errors by the length of the step, and their order. From 0.5 ms on the solver's tolerance adds up to as much as the scheme misses.
fn insert_errors(results: &mut Measurements, errors: &[f64]) {
    for (dt, error) in STEPS.iter().zip(errors) {
        results.insert(format!("position_error_dt_{dt}"), *error);
    }
    let order = (errors[0] / errors[2]).log2() / 2.0;
    results.insert("order".into(), order);
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
    for dt in STEPS {
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
    let mut results = Measurements::new();
    insert_errors(&mut results, &errors);
    Ok(results)
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
