//! Structures of the papers at and beyond their limits.

use drystone_model::Model;
use drystone_questions::time_history::Status;

use super::{simulate, statics_structures};
use crate::Measurements;
use crate::measured::Part;
use crate::scene::read;

const PANELS: [&str; 6] = [
    include_str!("../../../../examples/dry-panels/panel-1.toml"),
    include_str!("../../../../examples/dry-panels/panel-2.toml"),
    include_str!("../../../../examples/dry-panels/panel-3.toml"),
    include_str!("../../../../examples/dry-panels/panel-4.toml"),
    include_str!("../../../../examples/dry-panels/panel-5.toml"),
    include_str!("../../../../examples/dry-panels/panel-6.toml"),
];
const PORTAL: &str = include_str!("../../../../examples/portal/model.toml");
const HOUSE: &str = include_str!("../../../../examples/stone-house/model.toml");
const WALL: &str = include_str!("../../../../examples/unsupported-wall/model.toml");

/// A model with one of its analyses.
fn only(text: &str, analysis: &str) -> Result<Model, String> {
    let mut model = read(text)?;
    model
        .analyses
        .retain(|candidate| candidate.name == analysis);
    Ok(model)
}

/// The largest displacement of any block, m.
fn travel(model: &Model) -> Result<f64, String> {
    let mut farthest: f64 = 0.0;
    simulate(model, &mut |run| {
        for (pose, block) in run.progress().state.poses.iter().zip(&model.blocks) {
            farthest = farthest.max(pose.position.distance(block.position));
        }
    })?;
    Ok(farthest)
}

/// Under a constant acceleration a little below and above the static limit.
pub fn limits() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let panels = PANELS
        .iter()
        .zip(1..)
        .map(|(text, k)| (format!("panel_{k}"), *text));
    for (name, text) in panels.chain([("portal".to_owned(), PORTAL)]) {
        for side in ["below", "above"] {
            let _part = Part::begin();
            let moved = travel(&only(text, side)?)?;
            results.insert(format!("{name}_{side}"), moved);
        }
    }
    Ok(results)
}

/// The panels under Coulomb's law, a little below and above what statics estimate without dilatancy. Neither knows of the other: a complementarity problem
/// for the limit here, half a second of motion from rest there.
pub fn limits_coulomb() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (text, k) in PANELS.iter().zip(1..) {
        let estimate = statics_structures::panel_without_dilatancy(text)?.multiplier;
        let law = |word: &str| format!("friction_law = \"{word}\"");
        let text = text.replace(&law("associated"), &law("coulomb"));
        for (side, share) in [("below", 0.97), ("above", 1.015)] {
            let text = with_amplitude(&text, side, share * estimate * 9.81)
                .ok_or_else(|| format!("panel {k} has no motion named {side}"))?;
            let _part = Part::begin();
            let moved = travel(&only(&text, side)?)?;
            results.insert(format!("panel_{k}_{side}"), moved);
        }
    }
    Ok(results)
}

/// A model whose first entry of this name, a motion, has another amplitude.
fn with_amplitude(text: &str, name: &str, amplitude: f64) -> Option<String> {
    let key = "amplitude = ";
    let motion = text.find(&format!("name = \"{name}\""))?;
    let from = motion + text[motion..].find(key)? + key.len();
    let to = from + text[from..].find('\n')?;
    Some(format!("{}{amplitude:?}{}", &text[..from], &text[to..]))
}

/// The stone house under its two pulses.
pub fn stone_house() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for name in ["short-pulse", "long-pulse"] {
        let _part = Part::begin();
        let summary = simulate(&only(HOUSE, name)?, &mut |_| {})?;
        let collapsed = f64::from(u8::from(summary.status == Status::Collapsed));
        results.insert(format!("{}_collapsed", name.replace('-', "_")), collapsed);
    }
    Ok(results)
}

/// How far the middle of the unsupported wall falls at its base and at its top, m, and how fast its top moves at the end, m/s.
pub fn natural_arch() -> Result<Measurements, String> {
    let model = only(WALL, "release")?;
    let find = |name: &str| {
        let position = model.blocks.iter().position(|block| block.name == name);
        position.ok_or(format!("there is no block {name}"))
    };
    let [base, top] = [find("wall.course1.block8")?, find("wall.course10.block8")?];
    let (mut fallen, mut sunk, mut speed) = (0.0, 0.0, 0.0);
    simulate(&model, &mut |run| {
        let state = &run.progress().state;
        let drop = |block: usize| model.blocks[block].position.z - state.poses[block].position.z;
        (fallen, sunk) = (drop(base), drop(top));
        speed = state.velocity[top].length();
    })?;
    Ok(Measurements::from([
        ("base_falls".into(), fallen),
        ("top_sinks".into(), sunk),
        ("top_speed".into(), speed),
    ]))
}
