//! Numbers that are legal and probably not meant, with the slip that is likely: most are of units.

use drystone_shaking::MotionKind;

use crate::asked::AnalysisKind;
use crate::model::Model;

/// Densities of masonry, kg/m³: pumice, and iron ore.
const DENSITIES: [f64; 2] = [300.0, 8000.0];
/// Friction of the roughest joints; blocks that interlock have more, and few models want that.
const FRICTION: f64 = 3.0;
/// Sizes of structures, m: a model on a table, and the longest walls that are one model.
const SIZES: [f64; 2] = [0.05, 1000.0];
/// Peak accelerations of earthquakes, m/s²: the strongest that was recorded is some 40.
const PEAK: f64 = 50.0;
/// Accelerations of rare earthquakes, m/s²: codes exempt sites with less than 0.05 g.
const DESIGN: f64 = 0.49;

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
    notes.extend(size(model));
    notes.extend(peaks(model));
    for analysis in &model.analyses {
        let AnalysisKind::Assessment(settings) = &analysis.kind else {
            continue;
        };
        // Frequent earthquakes are weaker than rare ones.
        let rare = settings.life_safety.map(|hazard| (hazard.ag, DESIGN));
        let frequent = settings.damage.map(|hazard| (hazard.ag, 0.3 * DESIGN));
        for (ag, least) in rare.into_iter().chain(frequent) {
            if ag < least {
                notes.push(format!(
                    "the analysis \"{}\" has an acceleration `ag` of {ag} m/s², which is {:.3} g: if {ag} g are meant, write {:.3}",
                    analysis.name,
                    ag / 9.81,
                    ag * 9.81
                ));
            }
        }
    }
    notes
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
        if peak > PEAK {
            notes.push(format!(
                "the motion \"{}\" reaches {peak:.4} m/s², {:.1} g: is the record in cm/s²?",
                motion.name,
                peak / 9.81
            ));
        }
    }
    notes
}
