//! Arches and domes at their limits, and how thin they can be.

use std::f64::consts::FRAC_PI_2;

use drystone_geometry::DVec3;
use drystone_model::Model;
use drystone_questions::statics::bisect;

use super::statics::{equilibrium_of, limit_of, multiplier, stands};
use crate::Measurements;
use crate::scene::{Scene, read};

const OPPENHEIM: &str = include_str!("../../../../examples/oppenheim-arch/model.toml");
const LOADED: &str = include_str!("../../../../examples/voussoir-arch/model.toml");
const LOADED_LOW: &str = include_str!("../../../../examples/voussoir-arch/low-friction-below.toml");

/// A model with one of its analyses.
pub fn only(text: &str, analysis: &str) -> Result<Model, String> {
    let mut model = read(text)?;
    model
        .analyses
        .retain(|candidate| candidate.name == analysis);
    Ok(model)
}

pub fn arches() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    results.insert(
        "oppenheim_curved".into(),
        multiplier(&only(OPPENHEIM, "limit")?)?,
    );
    let straight = OPPENHEIM.replace("curved_mass = true", "curved_mass = false");
    let straight = limit_of(&only(&straight, "limit")?)?;
    results.insert("oppenheim_straight".into(), straight.multiplier);
    let hinges = straight.joints.iter().filter(|joint| {
        joint
            .motion
            .is_some_and(|motion| motion.movement == drystone_questions::statics::Movement::Hinge)
    });
    results.insert("oppenheim_hinges".into(), hinges.count() as f64);
    let tilted = limit_of(&only(OPPENHEIM, "tilted")?)?;
    let angle = tilted.angle.unwrap_or(f64::NAN).to_degrees();
    results.insert("oppenheim_angle".into(), angle);
    // Loads of the files in per cent of the weight of the arch.
    for (name, text, loads) in [("loads_high", LOADED, 9.4), ("loads_low", LOADED_LOW, 3.5)] {
        results.insert(name.into(), loads * multiplier(&only(text, "limit")?)?);
    }
    let stands = equilibrium_of(&only(OPPENHEIM, "stands")?)?;
    let thrust = |state: &str| {
        let line = stands.lines.iter().find(|line| line.state == state);
        line.map_or(f64::NAN, |line| line.thrust)
    };
    results.insert(
        "thrust_minimum".into(),
        thrust("minimum") / thrust("equilibrium"),
    );
    results.insert(
        "thrust_maximum".into(),
        thrust("maximum") / thrust("equilibrium"),
    );
    results.insert("equilibrium_residual".into(), stands.residual);
    Ok(results)
}

/// A semicircular arch of mid radius 10 m and radial joints.
fn semicircle(voussoirs: usize, thickness: f64) -> Result<Model, String> {
    read(&format!(
        "[model]\nplane = \"xz\"\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 2.0\n\
         [[generate]]\nkind = \"arch\"\nmaterial = \"stone\"\nradius = {:?}\nthickness = {thickness:?}\ndepth = 1.0\n\
         voussoirs = {voussoirs}\ncurved_mass = true\n[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n",
        10.0 - 0.5 * thickness
    ))
}

/// Two opposite lunes of a hemispherical dome of mid radius 10 m, three degrees wide, with a small block at the crown.
fn lunes(voussoirs: usize, thickness: f64) -> Result<Model, String> {
    let (inner, outer) = (10.0 - 0.5 * thickness, 10.0 + 0.5 * thickness);
    let half = (0.5 * 3.0_f64.to_radians()).tan();
    let crown = FRAC_PI_2 - 0.01;
    // The section at an angle above the springing, on one side.
    let section = |angle: f64, side: f64| -> Vec<DVec3> {
        let at = |r: f64, width: f64| {
            let x = r * angle.cos();
            DVec3::new(side * x, width * half * x, r * angle.sin())
        };
        [inner, outer]
            .iter()
            .flat_map(|&r| [at(r, -1.0), at(r, 1.0)])
            .collect()
    };
    let mut scene = Scene::new(2.0, "");
    for (name, side) in [("right", 1.0), ("left", -1.0)] {
        for k in 0..voussoirs {
            let [from, to] = [k, k + 1].map(|k| crown * k as f64 / voussoirs as f64);
            let points = [section(from, side), section(to, side)].concat();
            scene.hull(&format!("{name}{k}"), &points, "");
        }
        let below = section(0.0, side);
        let points: Vec<DVec3> = below.iter().flat_map(|&p| [p, p - DVec3::Z]).collect();
        scene.hull(&format!("{name} support"), &points, "support = true");
    }
    scene.hull(
        "crown",
        &[section(crown, 1.0), section(crown, -1.0)].concat(),
        "",
    );
    scene.add("[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"");
    scene.model()
}

/// A whole hemispherical dome of mid radius 10 m in rings of 24 blocks with an oculus, as the generator makes it: meridian joints are one above
/// the other, so that rings open along them and the dome stands as lunes do.
fn rings(count: usize, thickness: f64) -> Result<Model, String> {
    read(&format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n\
         [[generate]]\nkind = \"dome\"\nmaterial = \"stone\"\nradius = {:?}\nthickness = {thickness:?}\nrings = {count}\nblocks = 24\noculus = 0.5\n\
         [[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n",
        10.0 - 0.5 * thickness
    ))
}

/// Least thickness over mid radius with which it stands.
fn least(from: f64, to: f64, make: &dyn Fn(f64) -> Result<Model, String>) -> Result<f64, String> {
    let found = bisect(from, to, 1e-6, &mut |ratio| stands(&make(10.0 * ratio)?))?;
    Ok(found.ok_or("it stands or falls at both ends")?.value())
}

pub fn thickness() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for count in [20, 180] {
        let found = least(0.08, 0.13, &|t| semicircle(count, t))?;
        results.insert(format!("arch_{count}"), found);
    }
    for count in [15, 60] {
        let found = least(0.02, 0.06, &|t| lunes(count, t))?;
        results.insert(format!("dome_{count}"), found);
    }
    results.insert("dome_rings".into(), least(0.02, 0.06, &|t| rings(12, t))?);
    // The thinnest arch of voussoirs without number, by the line of thrust itself.
    results.insert("arch_exact".into(), milankovitch());
    Ok(results)
}

/// Least thickness over mid radius of a semicircle cut by radial joints into voussoirs without number.
///
/// Per unit of density, mid radius one and ratio `t`: the sector between the crown and the angle `b` from it weighs `t b`, with its centroid
/// `c (1 - cos b) / b` from the crown, `c = 1 + t²/12`. The line of least thrust touches the extrados at the crown, the intrados at
/// some `b`, where the thrust `H(b)` needed is greatest, and is still inside the springing if the ring is thick enough.
fn milankovitch() -> f64 {
    let thrust = |t: f64, b: f64| {
        let (inner, outer) = (1.0 - 0.5 * t, 1.0 + 0.5 * t);
        let moment = inner * b.sin() * t * b - t * (1.0 + t * t / 12.0) * (1.0 - b.cos());
        moment / (outer - inner * b.cos())
    };
    let fits = |t: f64| {
        let greatest = (1..=20_000)
            .map(|k| thrust(t, FRAC_PI_2 * f64::from(k) / 20_000.0))
            .fold(0.0, f64::max);
        // Moments about the outer edge of the springing.
        let outer = 1.0 + 0.5 * t;
        let weight = t * FRAC_PI_2 * outer - t * (1.0 + t * t / 12.0);
        greatest * outer <= weight
    };
    let found = bisect::<()>(0.05, 0.2, 1e-9, &mut |t| Ok(fits(t)));
    found.ok().flatten().map_or(f64::NAN, |found| found.value())
}
