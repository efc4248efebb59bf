//! Complete pushover curves of the structures in PGCL, sections 5.2 to 7, and how they depend on steps and increments.

use drystone_questions::pushover::{Branch, Ending, Outcome};

use super::pushover::{FACADE, PANEL, onset, push};
use crate::Measurements;
use crate::scene::read;

const PANELS: [(&str, &str); 6] = [
    (
        "1",
        include_str!("../../../../examples/dry-panels/pushover-1.toml"),
    ),
    (
        "2",
        include_str!("../../../../examples/dry-panels/pushover-2.toml"),
    ),
    (
        "3",
        include_str!("../../../../examples/dry-panels/pushover-3.toml"),
    ),
    (
        "4",
        include_str!("../../../../examples/dry-panels/pushover-4.toml"),
    ),
    (
        "5",
        include_str!("../../../../examples/dry-panels/pushover-5.toml"),
    ),
    (
        "6",
        include_str!("../../../../examples/dry-panels/pushover-6.toml"),
    ),
];

const ARCHES: [(&str, &str); 3] = [
    (
        "none",
        include_str!("../../../../examples/triumphal-arch/pushover.toml"),
    ),
    (
        "10_kn",
        include_str!("../../../../examples/triumphal-arch/pushover-10kN.toml"),
    ),
    (
        "50_kn",
        include_str!("../../../../examples/triumphal-arch/pushover-50kN.toml"),
    ),
];

/// Panel 3 with worn corners.
const ROUNDED: &str = include_str!("../../../../examples/dry-panels/pushover-3-rounded.toml");
const SHEAR_WALL: &str = include_str!("../../../../examples/shear-wall/pushover.toml");
const PORTAL: &str = include_str!("../../../../examples/portal/pushover.toml");
const PORTAL_TIE: &str = include_str!("../../../../examples/portal/pushover-tie.toml");
const HOUSE: &str = include_str!("../../../../examples/stone-house/pushover.toml");

fn at(outcome: &Outcome, d: f64) -> Result<f64, String> {
    let found = outcome.curve.alpha(Branch::Rigid, d);
    found.ok_or(format!("the curve ends before {d} m"))
}

fn peak(outcome: &Outcome) -> Result<[f64; 2], String> {
    let found = outcome.alpha_y.zip(outcome.d_y);
    found
        .map(|(alpha, d)| [alpha, d])
        .ok_or("there is no peak".to_owned())
}

/// The largest rise of the multiplier from one point of the rigid branch to the next, over the onset: how jagged it is.
fn jagged(outcome: &Outcome) -> Result<f64, String> {
    let points: Vec<_> = outcome.curve.branch(Branch::Rigid).collect();
    let rises = points.windows(2).map(|pair| pair[1].alpha - pair[0].alpha);
    Ok(rises.fold(0.0, f64::max) / onset(outcome)?)
}

/// The dry panels with smooth heads to 200 mm, and the wall SW.30 to 50 mm.
pub fn panels() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, text) in PANELS {
        let outcome = push(&read(text)?)?;
        results.insert(format!("onset_{name}"), onset(&outcome)?);
        results.insert(format!("peak_{name}"), peak(&outcome)?[0]);
        results.insert(format!("peak_at_{name}"), peak(&outcome)?[1]);
        results.insert(format!("at_199_mm_{name}"), at(&outcome, 0.199)?);
        results.insert(format!("jagged_{name}"), jagged(&outcome)?);
    }
    let rounded = push(&read(ROUNDED)?)?;
    results.insert("onset_rounded".into(), onset(&rounded)?);
    results.insert("at_199_mm_rounded".into(), at(&rounded, 0.199)?);
    let wall = push(&read(SHEAR_WALL)?)?;
    results.insert("shear_wall_onset".into(), onset(&wall)?);
    results.insert("shear_wall_peak".into(), peak(&wall)?[0]);
    results.insert("shear_wall_at_49_mm".into(), at(&wall, 0.049)?);
    results.insert("shear_wall_blocks".into(), wall.mobilised.len() as f64);
    Ok(results)
}

/// Relative change of a number with half the step or half the increment.
fn change(
    text: &str,
    finer: [&str; 2],
    of: impl Fn(&Outcome) -> Result<f64, String>,
) -> Result<f64, String> {
    if !text.contains(finer[0]) {
        return Err(format!("the model has no {}", finer[0]));
    }
    let coarse = of(&push(&read(text)?)?)?;
    let fine = of(&push(&read(&text.replace(finer[0], finer[1]))?)?)?;
    Ok((coarse / fine - 1.0).abs())
}

/// What half the step and half the increment change.
pub fn steps() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let facade = format!("{}step = 0.02\nincrements = 50\n", FACADE[0].1);
    let panel = format!("{PANEL}increments = 50\n");
    let half = ["increments = 50", "increments = 100"];
    let mut add = |name: &str, value: Result<f64, String>| {
        value.map(|value| results.insert(name.to_owned(), value))
    };
    add(
        "facade_step",
        change(&facade, ["step = 0.02", "step = 0.01"], |o| at(o, 0.3)),
    )?;
    add(
        "facade_increment",
        change(&facade, half, |o| Ok(peak(o)?[1])),
    )?;
    add(
        "panel_step",
        change(&panel, ["step = 0.004", "step = 0.002"], |o| at(o, 0.199)),
    )?;
    add("panel_increment", change(&panel, half, |o| Ok(peak(o)?[1])))?;
    let portal = PORTAL.replace("max_displacement = 0.02", "max_displacement = 0.011");
    add(
        "portal_step",
        change(&portal, ["step = 0.001", "step = 0.0005"], |o| at(o, 0.01)),
    )?;
    Ok(results)
}

/// The portal with its tie to 20 mm.
pub fn portal_tie() -> Result<Measurements, String> {
    let outcome = push(&read(PORTAL_TIE)?)?;
    Ok(Measurements::from([
        ("onset".into(), onset(&outcome)?),
        ("at_10_mm".into(), at(&outcome, 0.01)?),
        ("at_20_mm".into(), at(&outcome, 0.0199)?),
        ("jagged".into(), jagged(&outcome)?),
    ]))
}

/// The triumphal arch without tie and with ties of 10 and 50 kN, joints that crush.
pub fn triumphal_arch() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, text) in ARCHES {
        let outcome = push(&read(text)?)?;
        results.insert(format!("onset_{name}"), onset(&outcome)?);
        let [alpha, d] = peak(&outcome)?;
        results.insert(format!("peak_{name}"), alpha);
        results.insert(format!("peak_at_{name}"), d);
        // The arch falls at the last displacement.
        if outcome.ending != Ending::Detached {
            return Err(format!(
                "the curve ends otherwise: {}",
                outcome.ending.words()
            ));
        }
        let last = outcome.curve.points.last().ok_or("no points")?;
        results.insert(format!("capacity_{name}"), last.d);
        if name == "10_kn" {
            let broken = outcome.broken_ties.first().ok_or("the tie holds")?;
            results.insert("tie_breaks_at".into(), broken.1);
        }
    }
    Ok(results)
}

/// The house, pushed away from its return walls to 60 mm, with two steps.
pub fn house() -> Result<Measurements, String> {
    let outcome = push(&read(HOUSE)?)?;
    let finer = push(&read(&HOUSE.replace("step = 0.01", "step = 0.005"))?)?;
    let points = outcome.curve.branch(Branch::Rigid);
    let settled = points.take_while(|p| p.d <= 0.0).last();
    Ok(Measurements::from([
        ("onset".into(), onset(&outcome)?),
        ("settled".into(), settled.ok_or("no points")?.alpha),
        ("at_30_mm".into(), at(&outcome, 0.03)?),
        (
            "change_of_half_the_step".into(),
            (at(&finer, 0.03)? / at(&outcome, 0.03)? - 1.0).abs(),
        ),
    ]))
}
