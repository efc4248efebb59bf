//! Joints that give way, against closed forms.
//!
//! Backward Euler slows an oscillation of circular frequency `w` to `atan(w dt) / dt` and takes the factor
//! `1 / sqrt(1 + w² dt²)` of its amplitude in every step: closed forms too, so that the joints can be judged apart from the
//! scheme.

use std::f64::consts::PI;

use drystone_geometry::{DQuat, DVec3};
use drystone_mechanics::log_rotation;
use drystone_model::Model;

use super::simulate;
use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, corners, read};

const HOUSNER: &str = include_str!("../../../../examples/housner-block/model.toml");

const GRAVITY: f64 = 9.81;
const DENSITY: f64 = 2000.0;
/// N/m³.
const NORMAL: f64 = 1e8;
/// N/m³.
const SHEAR: f64 = 4e7;
/// Of blocks, m.
const SIZE: [f64; 3] = [0.6, 0.4, 0.5];

fn mass() -> f64 {
    DENSITY * SIZE[0] * SIZE[1] * SIZE[2]
}

/// Compression of a joint under the weight of one block, m.
fn settlement() -> f64 {
    DENSITY * GRAVITY * SIZE[2] / NORMAL
}

fn scene() -> Scene {
    let mut scene = Scene::new(0.5, "");
    scene.add(&format!(
        "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\nnormal_stiffness = {NORMAL:?}\nshear_stiffness = {SHEAR:?}"
    ));
    scene
}

fn ground(scene: &mut Scene) -> &mut Scene {
    scene.cuboid(
        "ground",
        [-2.0, -2.0, -0.5],
        [2.0, 2.0, 0.0],
        "support = true",
    )
}

fn history(dt: f64, duration: f64, more: &str) -> String {
    history_by("euler", dt, duration, more)
}

fn history_by(scheme: &str, dt: f64, duration: f64, more: &str) -> String {
    format!(
        "[[analysis]]\nname = \"elastic\"\nkind = \"time_history\"\nscheme = \"{scheme}\"\njoints = \"elastic\"\ntolerance = \"validation\"\ndt = {dt:?}\nduration = {duration:?}\noutput_every = {duration:?}\n{more}"
    )
}

/// Frequency that the scheme gives an oscillation.
fn slowed(frequency: f64, dt: f64) -> f64 {
    (frequency * dt).atan() / dt
}

/// Mean circular frequency of a series sampled at `dt`, from its zeros, and the factor by which its extremes shrink
/// per period.
fn oscillation(series: &[f64], dt: f64) -> [f64; 2] {
    let mut zeros = Vec::new();
    let mut extremes = vec![0.0_f64];
    for (k, pair) in series.windows(2).enumerate() {
        if pair[0] * pair[1] < 0.0 {
            zeros.push(dt * (k as f64 + pair[0] / (pair[0] - pair[1])));
            extremes.push(0.0);
        }
        if let Some(last) = extremes.last_mut() {
            *last = last.max(pair[1].abs());
        }
    }
    let (Some(first), Some(last), count) = (zeros.first(), zeros.last(), zeros.len()) else {
        return [f64::NAN; 2];
    };
    let half_periods = count as f64 - 1.0;
    // Extremes between zeros only: the first and the last are cut off.
    let decay = (extremes[count - 1] / extremes[1]).powf(2.0 / (half_periods - 1.0));
    [PI * half_periods / (last - first), decay]
}

/// Runs a model and samples a number after every step.
fn sample(
    model: &Model,
    value: impl Fn(&drystone_mechanics::State) -> f64,
) -> Result<Vec<f64>, String> {
    let mut series = Vec::new();
    simulate(model, &mut |run| series.push(value(&run.progress().state)))?;
    Ok(series)
}

pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for part in [settle, bounce, rock, column, slope, stiffen] {
        let _part = Part::begin();
        part(&mut results)?;
    }
    Ok(results)
}

/// A block put down on its joint.
fn settle(results: &mut Measurements) -> Result<(), String> {
    let mut scene = scene();
    ground(&mut scene)
        .cuboid("block", [-0.3, -0.2, 0.0], [0.3, 0.2, 0.5], "")
        .add(&history(1e-3, 1.0, ""));
    let model = scene.model()?;
    let summary = simulate(&model, &mut |run| {
        let sunk = model.blocks[1].position.z - run.progress().state.poses[1].position.z;
        results.insert("settlement_ratio".into(), sunk / settlement());
    })?;
    // Half of the weight's work is held by the springs, the other half was damped away.
    let held = 0.5 * mass() * GRAVITY * settlement();
    results.insert("elastic_energy_ratio".into(), summary.energy.elastic / held);
    results.insert("dissipated_ratio".into(), summary.energy.dissipated / held);
    results.insert(
        "audit_imbalance_ratio".into(),
        summary.audit.imbalance / held,
    );
    Ok(())
}

/// A block that bounces on its joint without leaving it.
fn bounce(results: &mut Measurements) -> Result<(), String> {
    let sunk = settlement();
    let frequency = (GRAVITY / sunk).sqrt();
    for (scheme, dt) in [
        ("euler", 2e-4),
        ("euler", 1e-4),
        ("leapfrog", 4e-4),
        ("leapfrog", 2e-4),
    ] {
        let _part = Part::begin();
        let by = history_by(scheme, dt, 0.2, "");
        let mut scene = scene();
        let speed = 0.5 * sunk * frequency;
        ground(&mut scene)
            .cuboid(
                "block",
                [-0.3, -0.2, -sunk],
                [0.3, 0.2, 0.5 - sunk],
                &format!("velocity = [0.0, 0.0, {speed:?}]"),
            )
            .add(&by);
        let model = scene.model()?;
        let rest = model.blocks[1].position.z;
        let series = sample(&model, |state| state.poses[1].position.z - rest)?;
        let [found, decay] = oscillation(&series, dt);
        if scheme == "leapfrog" {
            let off = (found / frequency - 1.0).abs();
            results.insert(format!("leapfrog_frequency_error_dt_{dt:?}"), off);
            results.insert(format!("leapfrog_loss_per_period_dt_{dt:?}"), 1.0 - decay);
            continue;
        }
        results.insert(format!("bounce_frequency_dt_{dt:?}"), found / frequency);
        if dt == 1e-4 {
            results.insert(
                "bounce_against_scheme".into(),
                found / slowed(frequency, dt),
            );
            let steps = 2.0 * PI / (found * dt);
            let expected = (1.0 + (frequency * dt).powi(2)).powf(-0.5 * steps);
            results.insert("bounce_decay_against_scheme".into(), decay / expected);
        }
    }
    let error = |dt: f64| results[&format!("leapfrog_frequency_error_dt_{dt:?}")];
    let order = (error(4e-4) / error(2e-4)).log2();
    results.insert("leapfrog_frequency_order".into(), order);
    Ok(())
}

/// A block that sways on the four corners of its joint, too little for them to open. Two degrees of freedom: the
/// displacement of the centroid and the angle.
fn rock(results: &mut Measurements) -> Result<(), String> {
    let dt = 1e-4;
    let (m, arm) = (mass(), 0.5 * SIZE[2]);
    let area = SIZE[0] * SIZE[1];
    let inertia = m / 12.0 * (SIZE[0] * SIZE[0] + SIZE[2] * SIZE[2]);
    let across = SHEAR * area;
    // The weight, which tips the block over, included.
    let turning = NORMAL * area * (0.5 * SIZE[0]).powi(2) - m * GRAVITY * arm;
    // (K - w² M) x = 0 with x = (centroid, angle), the base moving by centroid - arm angle.
    let (a, b, c) = (
        across / m,
        -across * arm,
        (turning + across * arm * arm) / inertia,
    );
    let mean = 0.5 * (a + c);
    let square = mean - (0.25 * (a - c).powi(2) + b * b / (m * inertia)).sqrt();
    let frequency = square.sqrt();
    let centroid_per_angle = -b / m / (a - square);
    let sunk = settlement();
    let spin = 0.05 * sunk / (0.5 * SIZE[0]) * frequency;
    let mut scene = scene();
    ground(&mut scene)
        .cuboid(
            "block",
            [-0.3, -0.2, -sunk],
            [0.3, 0.2, 0.5 - sunk],
            &format!(
                "velocity = [{:?}, 0.0, 0.0]\nangular_velocity = [0.0, {spin:?}, 0.0]",
                spin * centroid_per_angle
            ),
        )
        .add(&history(dt, 0.25, ""));
    let series = sample(&scene.model()?, |state| {
        log_rotation(state.poses[1].rotation).y
    })?;
    let [found, _] = oscillation(&series, dt);
    results.insert("rocking_frequency".into(), found / frequency);
    results.insert(
        "rocking_against_scheme".into(),
        found / slowed(frequency, dt),
    );
    Ok(())
}

/// Five blocks on top of each other in the lowest mode of a chain of masses and springs.
fn column(results: &mut Measurements) -> Result<(), String> {
    let (count, dt) = (5_usize, 1e-4);
    let half_angle = PI / (2.0 * (2 * count + 1) as f64);
    let frequency = 2.0 * (GRAVITY / settlement()).sqrt() * half_angle.sin();
    let mut scene = scene();
    ground(&mut scene);
    let mut sunk = 0.0;
    for k in 0..count {
        sunk += settlement() * (count - k) as f64;
        let shape = (2.0 * half_angle * (k + 1) as f64).sin();
        let bottom = SIZE[2] * k as f64 - sunk;
        scene.cuboid(
            &format!("block {k}"),
            [-0.3, -0.2, bottom],
            [0.3, 0.2, bottom + SIZE[2]],
            &format!(
                "velocity = [0.0, 0.0, {:?}]",
                0.5 * settlement() * frequency * shape
            ),
        );
    }
    scene.add(&history(dt, 0.4, ""));
    let model = scene.model()?;
    let rest = model.blocks[count].position.z;
    let series = sample(&model, |state| state.poses[count].position.z - rest)?;
    let [found, _] = oscillation(&series, dt);
    results.insert("column_frequency".into(), found / frequency);
    results.insert(
        "column_against_scheme".into(),
        found / slowed(frequency, dt),
    );
    Ok(())
}

/// A block on a slope: below the angle of friction it hangs on its shear, above it slides as on a rigid joint.
fn slope(results: &mut Measurements) -> Result<(), String> {
    for (law, degrees) in [
        ("associated", 5.0_f64),
        ("coulomb", 5.0),
        ("associated", 28.0),
        ("coulomb", 28.0),
    ] {
        let angle = degrees.to_radians();
        let turn = DQuat::from_rotation_y(angle);
        // Pressed already, or the joint would slide before it is.
        let sunk = settlement() * angle.cos();
        let turned =
            |min, max| -> Vec<DVec3> { corners(min, max).into_iter().map(|p| turn * p).collect() };
        let mut scene = scene();
        scene
            .hull(
                "slope",
                &turned([-2.0, -2.0, -0.5], [4.0, 2.0, 0.0]),
                "support = true",
            )
            .hull(
                "block",
                &turned([-0.3, -0.2, -sunk], [0.3, 0.2, 0.5 - sunk]),
                "",
            )
            .add(&history(1e-3, 2.0, &format!("friction_law = \"{law}\"")));
        let model = scene.model()?;
        // The middle of the base: where the joint is sheared without being turned.
        let base = turn * DVec3::new(0.0, 0.0, -0.5 * SIZE[2]);
        let mut along = Vec::new();
        let mut speed = Vec::new();
        let summary = simulate(&model, &mut |run| {
            let state = &run.progress().state;
            let moved = state.poses[1].transform(base) - model.blocks[1].position - base;
            along.push((turn.inverse() * moved).x);
            speed.push(state.velocity[1].length());
        })?;
        let end = along[along.len() - 1];
        if degrees < 26.0 {
            let expected = DENSITY * GRAVITY * SIZE[2] * angle.sin() / SHEAR;
            results.insert(format!("shear_ratio_{law}"), end / expected);
            results.insert(
                format!("shear_creep_{law}"),
                (end - along[along.len() / 2]).abs(),
            );
        } else {
            // Of the second half: in the first hundredth of a second friction has yet to grow.
            let half = speed.len() / 2;
            let gained = speed[speed.len() - 1] - speed[half];
            results.insert(
                format!("sliding_acceleration_{law}"),
                gained / (0.5 * summary.time),
            );
        }
        results.insert_largest("residual", summary.worst_residual);
    }
    Ok(())
}

/// Angle of Housner's block 0.3 s after its release, on its way down: it tends to that of rigid joints as the stiffness grows.
fn stiffen(results: &mut Measurements) -> Result<(), String> {
    let angle = |stiffness: Option<f64>| -> Result<f64, String> {
        let joints = match stiffness {
            Some(_) => "elastic",
            None => "rigid",
        };
        let text = HOUSNER
            .replace(
                "friction = ",
                &format!(
                    "normal_stiffness = {:?}\nfriction = ",
                    stiffness.unwrap_or(1.0)
                ),
            )
            .replace(
                "kind = \"time_history\"",
                &format!(
                    "kind = \"time_history\"\ntolerance = \"validation\"\njoints = \"{joints}\""
                ),
            )
            .replace("duration = 6.0", "duration = 0.3");
        let mut model = read(&text)?;
        model
            .analyses
            .retain(|analysis| analysis.name == "free-rocking");
        let series = sample(&model, |state| log_rotation(state.poses[1].rotation).y)?;
        Ok(series[series.len() - 1])
    };
    let rigid = angle(None)?;
    let mut before = None;
    for stiffness in [1e8, 1e9, 1e10] {
        let off = (angle(Some(stiffness))? - rigid).abs();
        if let Some(before) = before {
            results.insert(format!("softness_ratio_{stiffness:e}"), before / off);
        }
        results.insert(format!("softness_error_{stiffness:e}"), off);
        before = Some(off);
    }
    Ok(())
}
