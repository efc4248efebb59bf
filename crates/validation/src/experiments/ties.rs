//! Ties in motion against closed forms.

use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, read};

use super::simulate;

const FACADE: &str = include_str!("../../../../examples/facade-tie/tie.toml");

/// Weight over stiffness of the hanging block, m, and its frequency, rad/s.
const SAG: f64 = 9.81e-3;
const FREQUENCY: f64 = 31.622_776_601_683_793;

/// A tonne that hangs on a tie of 1 MN/m and yields at some force, let go where the tie is without force.
fn hanging(yield_force: f64, dt: f64) -> Result<drystone_model::Model, String> {
    let mut scene = Scene::new(0.5, "floating = true");
    scene
        .cuboid("block", [-0.5, -0.5, -0.5], [0.5, 0.5, 0.0], "")
        .add(&format!(
            "[[tie]]\nname = \"tie\"\nblocks = [\"block\", \"ground\"]\npoints = [[0, 0, 0], [0, 0, 3]]\nstiffness = 1e6\nyield = {yield_force:?}"
        ))
        .add(&format!(
            "[[analysis]]\nname = \"swing\"\nkind = \"time_history\"\nfriction_law = \"associated\"\ndt = {dt:?}\nduration = 0.53"
        ));
    scene.model()
}

/// Error of the displacement at the end over the static one.
fn error(dt: f64) -> Result<f64, String> {
    let model = hanging(1e9, dt)?;
    let (mut sunk, mut time) = (0.0, 0.0);
    simulate(&model, &mut |run| {
        let state = &run.progress().state;
        sunk = -0.25 - state.poses[0].position.z;
        time = state.time;
    })?;
    Ok((sunk / SAG - (1.0 - (FREQUENCY * time).cos())).abs())
}

/// The facade with its tie, the ground held at an acceleration, m/s²: largest displacement and work of the tie.
fn facade(tie: &str, acceleration: f64, duration: f64) -> Result<(f64, f64), String> {
    let text = FACADE.replace("max_elongation = 0.2\n", tie)
        + &format!(
            "\n[[motion]]\nname = \"hold\"\nkind = \"rectangular\"\namplitude = {acceleration:?}\nhalf_period = 10.0\ndirection = [-1, 0, 0]\n\
             [[analysis]]\nname = \"held\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nmotion = \"hold\"\ndt = 0.001\nduration = {duration:?}\n"
        );
    let summary = simulate(&read(&text)?, &mut |_| {})?;
    let lost = summary.ties.get("rod").map_or(0.0, |tie| tie.dissipated);
    Ok((summary.largest_displacement.displacement, lost))
}

/// A tie that stays elastic.
fn hang(results: &mut Measurements) -> Result<(), String> {
    let _part = Part::begin();
    let fine = error(1e-3)?;
    results.insert("hanging_error".into(), fine);
    let order = (error(2e-3)? / fine).log2();
    results.insert("hanging_order".into(), order);
    Ok(())
}

/// A tie that yields.
fn stretch(results: &mut Measurements) -> Result<(), String> {
    let _part = Part::begin();
    let strength = 1.5 * 9810.0;
    let summary = simulate(&hanging(strength, 1e-4)?, &mut |_| {})?;
    let expected = strength * 0.75 * SAG;
    let tie = summary.ties.get("tie").ok_or("the tie is not reported")?;
    results.insert("plastic_work".into(), tie.dissipated / expected);
    results.insert("energy_lost".into(), summary.energy.dissipated / expected);
    results.insert(
        "imbalance".into(),
        (summary.audit.imbalance / expected).abs(),
    );
    Ok(())
}

pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    hang(&mut results)?;
    stretch(&mut results)?;
    let _part = Part::begin();
    // Post-tensioned to its yield the tie pulls with the same force from the start: the static limit then holds in motion too.
    let limit = 0.235_714_29 * 9.81;
    let tight = "initial_force = 5.0e3\n";
    results.insert("facade_below".into(), facade(tight, 0.95 * limit, 1.0)?.0);
    results.insert("facade_above".into(), facade(tight, 1.05 * limit, 1.0)?.0);
    let (_, lost) = facade("max_elongation = 0.05\n", 0.5 * 9.81, 1.0)?;
    // Yields at 10 mm and breaks at 50: 5 kN over 40 mm, and what it held.
    results.insert("facade_work".into(), lost / (5e3 * 0.04 + 0.5 * 5e3 * 0.01));
    Ok(results)
}
