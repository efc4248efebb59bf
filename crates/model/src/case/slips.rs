//! Numbers that are legal and probably not meant, with the slip that is likely: most are of units.

use drystone_geometry::DVec3;
use drystone_shaking::{Motion, MotionKind, Pulse, STANDARD_GRAVITY};

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
/// Half-period of a pulse, s. The longest of strong earthquakes, those beside faults, have some 6 s (Baker 2007), and slow ones that push as loads would do 10 s.
const HALF_PERIOD: f64 = 30.0;
/// Force at which the thinnest tie yields, N: a wire of 2.4 mm of mild steel has more. Models on a table have thinner ones, and what they tie is light:
/// this part of their weight then, below which a tie changes nothing.
const YIELD: f64 = 1000.0;
const YIELD_OVER_WEIGHT: f64 = 1e-3;
/// Mass of a block over that of its material: a hollow block has less than one, one that stands for the roof above it more, by far less than these.
const MASSES: [f64; 2] = [0.01, 100.0];
/// A structure longer than this, m, in which every block is larger than the largest stones that were ever moved (370 m³ at Baalbek).
const LONG: f64 = 100.0;
const LARGE: f64 = 1000.0;

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
    let extent = extent(model);
    notes.extend(extent.and_then(|extent| size(model, extent)));
    notes.extend(masses(model));
    notes.extend(ties(model));
    for motion in &model.motions {
        notes.extend(moved(motion, extent));
    }
    for analysis in &model.analyses {
        if let AnalysisKind::Equilibrium(settings) = &analysis.kind {
            let body = settings.growing.body.unwrap_or(DVec3::ZERO);
            let across = settings.multiplier.abs() * body.truncate().length();
            if across > MULTIPLIER {
                let multiplier = settings.multiplier;
                notes.push(format!(
                    "the analysis \"{}\" has a `multiplier` of {multiplier}, by which a horizontal force is {across:.4} times the weight: is it in percent? {multiplier} % is {}",
                    analysis.name,
                    multiplier / 100.0
                ));
            }
        }
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

/// The longest side of the box around all blocks that can move, m.
fn extent(model: &Model) -> Option<f64> {
    let free = || model.blocks.iter().filter(|block| !block.support);
    let corners = || free().flat_map(|block| block.shape.vertices().map(|v| v + block.position));
    let low = corners().reduce(|a, b| a.min(b))?;
    let high = corners().reduce(|a, b| a.max(b))?;
    Some((high - low).max_element())
}

/// Lengths in millimetres or centimetres, or metres read as something else.
fn size(model: &Model, extent: f64) -> Option<String> {
    let [least, most] = SIZES;
    let free = model.blocks.iter().filter(|block| !block.support);
    let smallest = free
        .map(|block| block.shape.volume_properties().volume)
        .reduce(f64::min)?;
    if extent > LONG && extent <= most && smallest > LARGE {
        return Some(format!(
            "the structure is {extent:.4} m long or high, and its smallest block has {smallest:.4} m³: are the lengths in centimetres?"
        ));
    }
    let slip = if extent > most {
        "are the lengths in millimetres or centimetres?"
    } else if extent < least {
        "are the lengths in metres?"
    } else {
        return None;
    };
    Some(format!(
        "the structure is {extent:.4} m long or high: {slip}"
    ))
}

/// Masses of blocks in tonnes or grams: the block that is farthest off, and how many there are.
fn masses(model: &Model) -> Option<String> {
    let [least, most] = MASSES;
    let off = model.blocks.iter().filter_map(|block| {
        let own = model.materials[block.material].density * block.shape.volume_properties().volume;
        let ratio = block.mass / own;
        let doubtful = ratio.is_finite() && !(least..=most).contains(&ratio);
        doubtful.then_some((block, own, ratio))
    });
    let off: Vec<_> = off.collect();
    let away = |ratio: f64| ratio.ln().abs();
    let (block, own, ratio) = off.iter().max_by(|a, b| away(a.2).total_cmp(&away(b.2)))?;
    let mass = block.mass;
    let slip = if *ratio < 1.0 {
        format!("if it is in tonnes, write \"{mass} t\"")
    } else {
        format!("if it is in grams, write {}", mass / 1000.0)
    };
    let others = match off.len() - 1 {
        0 => String::new(),
        1 => "; 1 other block is as far off".to_owned(),
        more => format!("; {more} other blocks are as far off"),
    };
    Some(format!(
        "the block \"{}\" has a `mass` of {mass} kg, while its volume and density give {own:.4} kg: {slip}{others}",
        block.name
    ))
}

/// Yield forces in kN.
fn ties(model: &Model) -> Vec<String> {
    let least = YIELD.min(YIELD_OVER_WEIGHT * model.weight());
    let weak = model.ties.iter().filter(|tie| tie.yield_force < least);
    weak.map(|tie| {
        let force = tie.yield_force;
        format!(
            "the tie \"{}\" has a `yield` of {force} N, less than a thousandth of the weight of the structure: if {force} kN is meant, write \"{force} kN\"",
            tie.name
        )
    })
    .collect()
}

/// Records in cm/s², times in milliseconds, displacements in millimetres.
fn moved(motion: &Motion, extent: Option<f64>) -> Option<String> {
    let name = &motion.name;
    match &motion.kind {
        MotionKind::Record { components } => {
            let peaks = components.iter().map(|c| c.series.peak());
            let peak = peaks.fold(0.0, f64::max);
            (peak > SHAKING[1]).then(|| {
                let g = peak / STANDARD_GRAVITY;
                format!("the motion \"{name}\" reaches {peak:.4} m/s², {g:.1} g: is the record in cm/s²?")
            })
        }
        MotionKind::Pulse { pulse, .. } => match *pulse {
            Pulse::OneSine { half_period, .. }
            | Pulse::Biphasic { half_period, .. }
            | Pulse::Rectangular { half_period, .. } => (half_period > HALF_PERIOD).then(|| {
                format!(
                    "the motion \"{name}\" has a `half_period` of {half_period} s, longer than that of any earthquake: if milliseconds are meant, write \"{half_period} ms\""
                )
            }),
            // Its amplitude is judged as it is written, by acceleration or by displacement.
            Pulse::Sine { .. } => None,
        },
        MotionKind::Settlement { displacement, .. } => {
            let by = displacement.length();
            extent.filter(|&extent| by > extent).map(|extent| {
                format!(
                    "the settlement \"{name}\" moves supports by {by:.4} m, farther than the structure is long, {extent:.4} m: if `displacement` is in millimetres, write the numbers with their unit, as in \"20 mm\""
                )
            })
        }
        MotionKind::Stochastic { .. } | MotionKind::CodeSpectrum { .. } => None,
    }
}
