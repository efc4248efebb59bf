//! Limits of the structures of the papers.

use drystone_cone::LimitStatus;
use drystone_questions::statics::{NonAssociated, Posed};

use super::statics::{equilibrium_of, limit_of, multiplier};
use super::statics_arches::only;
use crate::Measurements;

const PANELS: [&str; 6] = [
    include_str!("../../../../examples/dry-panels/panel-1.toml"),
    include_str!("../../../../examples/dry-panels/panel-2.toml"),
    include_str!("../../../../examples/dry-panels/panel-3.toml"),
    include_str!("../../../../examples/dry-panels/panel-4.toml"),
    include_str!("../../../../examples/dry-panels/panel-5.toml"),
    include_str!("../../../../examples/dry-panels/panel-6.toml"),
];
const FACADE: [(&str, &str); 4] = [
    (
        "plain",
        include_str!("../../../../examples/facade-tie/model.toml"),
    ),
    (
        "tie",
        include_str!("../../../../examples/facade-tie/tie.toml"),
    ),
    (
        "crushing",
        include_str!("../../../../examples/facade-tie/crushing.toml"),
    ),
    (
        "tie_crushing",
        include_str!("../../../../examples/facade-tie/tie-crushing.toml"),
    ),
];
const PIER: &str = include_str!("../../../../examples/crushed-pier/model.toml");
const MORTAR: &str = include_str!("../../../../examples/mortar/model.toml");
const STRUCTURES: [(&str, &str); 8] = [
    (
        "spandrel",
        include_str!("../../../../examples/spandrel-arch/model.toml"),
    ),
    (
        "spandrel_loads",
        include_str!("../../../../examples/spandrel-arch/point-loads.toml"),
    ),
    (
        "house",
        include_str!("../../../../examples/stone-house/model.toml"),
    ),
    (
        "portal",
        include_str!("../../../../examples/portal/model.toml"),
    ),
    (
        "portal_tie",
        include_str!("../../../../examples/portal/tie.toml"),
    ),
    (
        "triumphal",
        include_str!("../../../../examples/triumphal-arch/crushing.toml"),
    ),
    (
        "triumphal_10",
        include_str!("../../../../examples/triumphal-arch/tie-10kN.toml"),
    ),
    (
        "triumphal_50",
        include_str!("../../../../examples/triumphal-arch/tie-50kN.toml"),
    ),
];
const WALL: &str = include_str!("../../../../examples/unsupported-wall/model.toml");
const CYLINDER: &str = include_str!("../../../../examples/cylinder-on-ring/model.toml");

const CHURCH: &str = include_str!("../../../../examples/church/model.toml");

/// A panel with the friction of PGCL: 33 degrees on beds, none on heads.
fn smooth_heads(text: &str) -> Result<String, String> {
    let one = "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.65\n";
    if text.matches(one).count() != 1 {
        return Err("a panel has one interface, of friction 0.65".into());
    }
    let bed = 33.0_f64.to_radians().tan();
    let two = [("bed", bed), ("head", 0.0)].map(|(joints, friction)| {
        format!("[[interface]]\nbetween = [\"*\", \"*\"]\njoints = \"{joints}\"\nfriction = {friction:?}\n")
    });
    Ok(text.replace(one, &two.concat()))
}

/// The estimate of a text with `friction_law = "coulomb"`.
fn without_dilatancy(text: &str) -> Result<NonAssociated, String> {
    let found = limit_of(&only(text, "limit")?)?;
    let estimate = found.non_associated.ok_or("no estimate was made")?;
    if estimate.converged {
        Ok(estimate)
    } else {
        Err("the estimate without dilatancy did not converge".into())
    }
}

/// The estimate of a panel.
pub(super) fn panel_without_dilatancy(text: &str) -> Result<NonAssociated, String> {
    let text = text.replace("friction_law = \"coulomb\"", "");
    let limit = "kind = \"limit\"";
    without_dilatancy(&text.replace(limit, &format!("{limit}\nfriction_law = \"coulomb\"")))
}

/// Ferris and Tin-Loi's panels: as they are, pushed the other way, and with the friction of PGCL.
pub fn panels() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let (mut gap, mut mirrored): (f64, f64) = (0.0, 0.0);
    for (text, k) in PANELS.iter().zip(1..) {
        let text = text.replace("friction_law = \"coulomb\"", "");
        let plain = limit_of(&only(&text, "limit")?)?;
        results.insert(format!("panel_{k}"), plain.multiplier);
        results.insert(format!("joints_{k}"), plain.joints.len() as f64);
        gap = gap.max((plain.upper - plain.multiplier).abs());
        let back = text.replace("direction = [1, 0, 0]", "direction = [-1, 0, 0]");
        let back = multiplier(&only(&back, "limit")?)?;
        mirrored = mirrored.max((back / plain.multiplier - 1.0).abs());

        let variant = limit_of(&only(&smooth_heads(&text)?, "limit")?)?;
        if variant.status != LimitStatus::Optimal {
            return Err(format!(
                "panel {k} with smooth heads is {:?}",
                variant.status
            ));
        }
        results.insert(format!("smooth_heads_{k}"), variant.multiplier);
        gap = gap.max((variant.upper - variant.multiplier).abs());
    }
    results.insert("gap".into(), gap);
    results.insert("mirrored".into(), mirrored);
    let (mut slips, mut unbalanced, mut apart): (f64, f64, f64) = (0.0, 0.0, 0.0);
    for (text, k) in PANELS.iter().zip(1..) {
        let plane = panel_without_dilatancy(text)?;
        let space = panel_without_dilatancy(&text.replace("plane = \"xz\"", ""))?;
        for found in [&plane, &space] {
            slips = slips.max(found.residual.worst());
            unbalanced = unbalanced.max(found.residual.balance);
        }
        apart = apart.max((space.multiplier / plane.multiplier - 1.0).abs());
        results.insert(format!("without_dilatancy_{k}"), plane.multiplier);
    }
    results.insert("without_dilatancy_residual".into(), slips);
    results.insert("without_dilatancy_balance".into(), unbalanced);
    results.insert("without_dilatancy_in_space".into(), apart);
    Ok(results)
}

pub fn facade() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, text) in FACADE {
        results.insert(name.into(), multiplier(&only(text, "limit")?)?);
    }
    for name in ["side", "corner"] {
        let found = multiplier(&only(PIER, name)?)?;
        results.insert(format!("pier_{name}"), found);
    }
    results.insert("mortar".into(), multiplier(&only(MORTAR, "overturns")?)?);
    Ok(results)
}

pub fn structures() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let mut gap: f64 = 0.0;
    for (name, text) in STRUCTURES {
        let found = limit_of(&only(text, "limit")?)?;
        gap = gap.max((found.upper - found.multiplier).abs());
        results.insert(name.into(), found.multiplier);
    }
    results.insert("gap".into(), gap);
    let house = STRUCTURES[2].1;
    for (name, direction) in [("house_inward", "[0, 1, 0]"), ("house_along", "[1, 0, 0]")] {
        let text = house.replace(
            "direction = [0, -1, 0]\n",
            &format!("direction = {direction}\n"),
        );
        results.insert(name.into(), multiplier(&only(&text, "limit")?)?);
    }
    Ok(results)
}

/// Which blocks of the wall without support begin to fall, and how the cylinder on a ring is carried.
pub fn fall() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let model = only(WALL, "first-instant")?;
    let found = equilibrium_of(&model)?;
    results.insert(
        "wall_stands".into(),
        f64::from(u8::from(found.standing.stands)),
    );
    let posed = Posed::new(&model);
    let fastest = found.standing.max_speed;
    // Blocks that fall at more than a tenth of the fastest, and how far from the middle they lie, course by course.
    let mut reach = [0.0_f64; 10];
    for (&block, v) in posed
        .statics
        .bodies
        .blocks
        .iter()
        .zip(&found.standing.velocity)
    {
        if v[2] < -0.1 * fastest {
            let position = model.blocks[block].position;
            let course = (position.z / 0.5) as usize;
            reach[course] = reach[course].max((position.x - 8.1).abs());
        }
    }
    results.insert("wall_reach_base".into(), reach[0]);
    results.insert("wall_reach_middle".into(), reach[4]);
    results.insert("wall_reach_top".into(), reach[9]);

    let model = only(CYLINDER, "stands")?;
    let found = equilibrium_of(&model)?;
    results.insert(
        "cylinder_stands".into(),
        f64::from(u8::from(found.standing.stands)),
    );
    results.insert(
        "cylinder_reaction".into(),
        found.reaction.z / model.weight(),
    );
    Ok(results)
}

/// The church of 5161 blocks: its facade outward, and its gable inward.
pub fn church() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, analysis) in [("outward", "limit"), ("inward", "limit-inward")] {
        let found = limit_of(&only(CHURCH, analysis)?)?;
        results.insert(name.into(), found.multiplier);
        results.insert(
            format!("gap_{name}"),
            (found.upper - found.multiplier).abs(),
        );
    }
    Ok(results)
}
