//! Numbers that are legal and probably not meant, with the slip that is likely: most are of units.

use drystone_shaking::{MotionKind, STANDARD_GRAVITY};

use crate::asked::{AnalysisKind, CapacitySource};
use crate::compile::SHAKING;
use crate::model::{Interface, Model};

/// Densities of masonry, kg/m³: pumice, and iron ore.
const DENSITIES: [f64; 2] = [300.0, 8000.0];
/// Friction of the roughest joints; blocks that interlock have more, and few models want that.
const FRICTION: f64 = 3.0;
/// Sizes of structures, m: a model on a table, and the longest walls that are one model.
const SIZES: [f64; 2] = [0.05, 1000.0];
/// Gravity on earth with some rounding, m/s²; without any, models float on purpose.
const GRAVITY: [f64; 2] = [9.0, 10.5];
/// Multiplier of the weight at which a mechanism begins: even squat walls have less, unless ties hold them.
const MULTIPLIER: f64 = 2.0;
/// Stress at which the weakest masonry crushes, Pa; rubble and earth have 1e5 and more.
const STRENGTH: f64 = 1e4;
/// Strength of the weakest mortar, Pa; clay has some thousands.
const MORTAR: f64 = 100.0;
/// Stiffness of the softest joints, N/m³; a metre of weak masonry has 1e8 and more.
const STIFFNESS: f64 = 1e6;

/// A sentence for each.
pub(super) fn slips(model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    for (index, material) in model.materials.iter().enumerate() {
        let mut blocks = model.blocks.iter();
        let [least, most] = DENSITIES;
        let density = material.density;
        if !(least..=most).contains(&density) && blocks.any(|block| block.material == index) {
            let slip = if density < 10.0 {
                "is it in t/m³?"
            } else if density < 100.0 {
                "is it the weight in kN/m³?"
            } else {
                "kg/m³ are meant"
            };
            notes.push(format!(
                "the density of \"{}\" is {density} kg/m³, stone has 1500 to 3000: {slip}",
                material.name
            ));
        }
    }
    let friction = model
        .interfaces()
        .map(|law| law.friction)
        .fold(0.0, f64::max);
    if friction > FRICTION {
        notes.push(format!(
            "a friction of {friction} is given, stone on stone has 0.3 to 1: the coefficient is meant, not an angle in degrees (the tangent of 35° is 0.70)"
        ));
    }
    notes.extend(joints(model));
    notes.extend(gravity(model));
    notes.extend(size(model));
    notes.extend(peaks(model));
    for analysis in &model.analyses {
        let AnalysisKind::Assessment(settings) = &analysis.kind else {
            continue;
        };
        if let CapacitySource::Given(capacity) = &settings.capacity
            && capacity.alpha_0 > MULTIPLIER
        {
            let alpha = capacity.alpha_0;
            notes.push(format!(
                "the analysis \"{}\" has a capacity `alpha_0` of {alpha} times the weight: is it an acceleration in m/s²? {alpha} m/s² is {:.3} of gravity",
                analysis.name,
                alpha / STANDARD_GRAVITY
            ));
        }
        // Frequent earthquakes are weaker than rare ones.
        let design = SHAKING[0];
        let rare = settings.life_safety.map(|hazard| (hazard.ag, design));
        let frequent = settings.damage.map(|hazard| (hazard.ag, 0.3 * design));
        for (ag, least) in rare.into_iter().chain(frequent) {
            if ag < least {
                notes.push(format!(
                    "the analysis \"{}\" has an acceleration `ag` of {ag} m/s², which is {:.3} g: if the number was meant in g, write it with its unit, as in \"0.2 g\"",
                    analysis.name,
                    ag / STANDARD_GRAVITY
                ));
            }
        }
    }
    notes
}

/// Strengths and stiffnesses of joints in MPa.
fn joints(model: &Model) -> Vec<String> {
    let least = |value: fn(&Interface) -> Option<f64>| {
        let all = model.interfaces().filter_map(value);
        all.reduce(f64::min)
    };
    let mut notes = Vec::new();
    if let Some(strength) = least(|law| law.compressive_strength).filter(|x| *x < STRENGTH) {
        notes.push(format!(
            "a `compressive_strength` of {strength} Pa is given, masonry has 1e5 to 1e8: if {strength} MPa is meant, write \"{strength} MPa\""
        ));
    }
    for (key, strength) in [
        (
            "cohesion",
            least(|law| Some(law.cohesion).filter(|x| *x > 0.0)),
        ),
        (
            "tensile_strength",
            least(|law| Some(law.tensile_strength).filter(|x| *x > 0.0)),
        ),
    ] {
        if let Some(strength) = strength.filter(|x| *x < MORTAR) {
            notes.push(format!(
                "a `{key}` of {strength} Pa is given, mortar has 1e4 to 1e6: if {strength} MPa is meant, write \"{strength} MPa\""
            ));
        }
    }
    if let Some(stiffness) = least(|law| law.normal_stiffness).filter(|x| *x < STIFFNESS) {
        notes.push(format!(
            "a `normal_stiffness` of {stiffness} N/m³ is given, joints have 1e8 to 1e12: if MPa/m or N/mm³ are meant, write \"{stiffness} MPa/m\" or \"{stiffness} N/mm³\""
        ));
    }
    notes
}

/// Gravity in other units, or in multiples of itself.
fn gravity(model: &Model) -> Option<String> {
    let gravity = model.gravity;
    let [least, most] = GRAVITY;
    (gravity > 0.0 && !(least..=most).contains(&gravity)).then(|| {
        format!("gravity is {gravity} m/s², on earth it is 9.81: every weight and every multiplier that is found belongs to this gravity")
    })
}

/// Lengths in millimetres, or metres read as something else.
fn size(model: &Model) -> Option<String> {
    let free = || model.blocks.iter().filter(|block| !block.support);
    let corners = || free().flat_map(|block| block.shape.vertices().map(|v| v + block.position));
    let low = corners().reduce(|a, b| a.min(b))?;
    let high = corners().reduce(|a, b| a.max(b))?;
    let extent = (high - low).max_element();
    let [least, most] = SIZES;
    let slip = if extent > most {
        "are the lengths in millimetres?"
    } else if extent < least {
        "are the lengths in metres?"
    } else {
        return None;
    };
    Some(format!(
        "the structure is {extent:.4} m long or high: {slip}"
    ))
}

/// Records in cm/s².
fn peaks(model: &Model) -> Vec<String> {
    let mut notes = Vec::new();
    for motion in &model.motions {
        let MotionKind::Record { components } = &motion.kind else {
            continue;
        };
        let peak = components
            .iter()
            .map(|c| c.series.peak())
            .fold(0.0, f64::max);
        if peak > SHAKING[1] {
            notes.push(format!(
                "the motion \"{}\" reaches {peak:.4} m/s², {:.1} g: is the record in cm/s²?",
                motion.name,
                peak / STANDARD_GRAVITY
            ));
        }
    }
    notes
}
