//! Questions of codes.

use super::keys::{AssessmentSpec, CapacitySpec, FloorSpec, HazardSpec, SiteSpec};
use super::settings::{
    Assessment, CapacitySource, Displacements, Floor, FloorMode, GivenCapacity, Hazard,
};
use crate::asked::{AnalysisSpec, Pattern, PushoverSpec};
use crate::compile::{Check, foreign, shape};
use crate::fault::Trail;
use crate::spec::{Code, ModelSpec};

/// Displacements beyond this are ones in millimetres, m.
const FARTHEST: f64 = 20.0;

/// Checks the settings of an assessment; `item` is its place among the analyses.
pub(in crate::asked) fn assessment(
    spec: &AssessmentSpec,
    model: &ModelSpec,
    item: usize,
    gravity: f64,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Assessment {
    let site = spec.site.clone().unwrap_or_default();
    check.numbers(spec, trail);
    check.numbers(&site, trail.key("site"));
    if spec.damage.is_none() && spec.life_safety.is_none() {
        check.report(
            trail,
            "no limit state is given",
            "write `damage` or `life_safety` with the ground motion of that limit state",
        );
    }
    if gravity == 0.0 {
        check.report(
            trail,
            "multipliers of the weight are no accelerations without gravity",
            "leave `gravity` out of [model], or make it positive",
        );
    }
    let mut hazard = |given: &Option<HazardSpec>, key: &str, damping: f64| {
        let given = given.as_ref()?;
        Some(hazard(given, &site, spec.code, damping, trail, key, check))
    };
    let damage = hazard(&spec.damage, "damage", 0.05);
    let life_safety = hazard(&spec.life_safety, "life_safety", 0.08);
    let floor_trail = trail.key("floor");
    Assessment {
        capacity: source(spec, model, item, trail, check),
        soil: site.soil(),
        soil_factor: site.soil_factor,
        damage,
        life_safety,
        behaviour_factor: spec.behaviour_factor(),
        confidence_factor: spec.confidence_factor(),
        floor: spec
            .floor
            .as_ref()
            .map(|given| floor(given, floor_trail, check)),
        scaling: spec.scaling(),
        gravity,
    }
}

fn source(
    spec: &AssessmentSpec,
    model: &ModelSpec,
    item: usize,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> CapacitySource {
    match (&spec.pushover, &spec.capacity) {
        (Some(name), None) => {
            let trail = trail.key("pushover");
            match model.analysis[..item].iter().find(|other| other.name() == name) {
                Some(AnalysisSpec::Pushover(push)) if !measures_along(push) => check.report(
                    trail,
                    format!("the pushover \"{name}\" measures displacements by a `control_direction` that is not horizontal, or against its push"),
                    "leave `control_direction` out, or make it that of the push",
                ),
                Some(AnalysisSpec::Pushover(push)) if multiplies_weights(push) => {}
                Some(AnalysisSpec::Pushover(_)) => check.report(
                    trail,
                    format!("the pushover \"{name}\" does not multiply the weights horizontally, as the rules of codes suppose"),
                    "give it a horizontal `direction`, the pattern \"weight\" and no `loads`",
                ),
                Some(_) => check.report(
                    trail,
                    format!("the analysis \"{name}\" is no pushover"),
                    "name one of kind pushover",
                ),
                None => check.report(
                    trail,
                    format!("no analysis before this one is named \"{name}\""),
                    "write the pushover above the assessment that rests on it, or give its values by `capacity`",
                ),
            }
            CapacitySource::Pushover(name.clone())
        }
        (None, Some(given)) => CapacitySource::Given(capacity(given, trail.key("capacity"), check)),
        _ => {
            check.report(
                trail,
                "the capacity is given either by `pushover` or by `capacity`",
                "name a pushover analysis, or give the values of its curve",
            );
            CapacitySource::Pushover(String::new())
        }
    }
}

/// Whether the multiplier of a pushover is the horizontal acceleration in units of gravity.
fn multiplies_weights(push: &PushoverSpec) -> bool {
    let horizontal = push.direction.is_some_and(|direction| direction[2] == 0.0);
    let by_weight = push
        .pattern
        .is_none_or(|pattern| pattern == Pattern::Weight);
    horizontal && by_weight && push.loads.is_none()
}

/// Whether displacements of a pushover are those of an oscillator under its push.
fn measures_along(push: &PushoverSpec) -> bool {
    push.control_direction.is_none_or(|along| {
        let against = push
            .direction
            .is_some_and(|push| (0..3).map(|k| push[k] * along[k]).sum::<f64>() <= 0.0);
        along[2] == 0.0 && !against
    })
}

fn capacity(spec: &CapacitySpec, trail: Trail<'_>, check: &mut Check<'_>) -> GivenCapacity {
    check.numbers(spec, trail);
    GivenCapacity {
        alpha_0: spec.alpha_0,
        participation: spec.participation,
        displacements: displacements(spec, trail, check),
    }
}

/// What is said of displacements; nothing at all is a capacity that is checked by forces alone.
fn displacements(
    spec: &CapacitySpec,
    trail: Trail<'_>,
    check: &mut Check<'_>,
) -> Option<Displacements> {
    // What is useless without something else is said for a reason; the rest would be left out without a word.
    let mut needs = |key: &str, given: bool, other: &str, there: bool| {
        if given && !there {
            check.report(
                trail.key(key),
                format!("`{key}` says nothing without {other}"),
                &format!(
                    "add {other}, or leave out all displacements: checks are by forces alone then"
                ),
            );
        }
    };
    let [peak, end] = [spec.d_y.is_some(), spec.d_0.is_some()];
    let (gamma, period) = (spec.gamma.is_some(), spec.period_life_safety.is_some());
    needs("alpha_y", spec.alpha_y.is_some(), "`d_y`", peak);
    needs("period_life_safety", period, "`d_0`", end);
    needs("curve", spec.curve.is_some(), "`d_0`", end);
    needs("gamma", gamma, "`d_y` or `d_0`", peak || end);
    needs("d_y", peak, "`gamma`", gamma);
    needs("d_0", end, "`gamma`", gamma);
    // Without the end there is no line on which it would lie.
    let known = spec.alpha_y.is_some() || end;
    needs("d_y", peak, "`alpha_y` or `d_0`", known);
    if let (Some(d_y), Some(d_0)) = (spec.d_y, spec.d_0)
        && d_0 > 0.0
        && d_y >= d_0
    {
        check.report(
            trail.key("d_y"),
            format!("the peak at {d_y} m is not before the end at {d_0} m"),
            "displacements are in metres: 19 mm are 0.019",
        );
    }
    let curve = spec.curve.clone().unwrap_or_default();
    let list = trail.key("curve");
    if spec.curve.is_some() && curve.len() < 2 {
        check.report(list, "a curve has at least two points", "");
    }
    for (k, point) in curve.iter().enumerate().filter(|(_, p)| p[0] > FARTHEST) {
        check.report(
            list.index(k),
            format!("the displacement is {} m", point[0]),
            &format!("at most {FARTHEST} m; displacements are in metres: 471 mm are 0.471"),
        );
    }
    for (k, pair) in curve.windows(2).enumerate() {
        if pair[1][0] < pair[0][0] {
            check.report(
                list.index(k + 1),
                format!(
                    "the displacement {} m is less than the one before",
                    pair[1][0]
                ),
                "points are [displacement, multiplier] in the order of growing displacements",
            );
        }
    }
    let d_y = spec.d_y.unwrap_or_default();
    let on_line = spec.alpha_0 * spec.d_0.map_or(1.0, |d_0| 1.0 - d_y / d_0);
    Some(Displacements {
        alpha_y: spec.alpha_y.unwrap_or(on_line),
        d_y,
        d_0: spec.d_0,
        d_ultimate: None,
        gamma: spec.gamma?,
        curve,
        period_life_safety: spec.period_life_safety,
    })
}

fn hazard(
    spec: &HazardSpec,
    site: &SiteSpec,
    code: Code,
    damping: f64,
    trail: Trail<'_>,
    key: &str,
    check: &mut Check<'_>,
) -> Hazard {
    let [here, place] = [key, "site"].map(|key| trail.key(key));
    check.numbers(spec, here);
    let damping = spec.damping.unwrap_or(damping);
    match code {
        Code::Eurocode8 => {
            let given = [
                ("f0", spec.f0.is_some()),
                ("tc_star", spec.tc_star.is_some()),
            ];
            foreign(&given, "ntc2018", here, check);
            let given = [("topography", site.topography.is_some())];
            foreign(&given, "ntc2018", place, check);
        }
        Code::Ntc2018 => {
            let given = [("spectrum_type", site.spectrum_type.is_some())];
            foreign(&given, "eurocode8", place, check);
        }
    }
    Hazard {
        code: shape(
            code,
            site.spectrum_type,
            (spec.f0, spec.tc_star, here),
            site.topography(),
            check,
        ),
        ag: spec.ag,
        damping,
    }
}

fn floor(spec: &FloorSpec, trail: Trail<'_>, check: &mut Check<'_>) -> Floor {
    let sound = check.numbers(spec, trail);
    if sound && spec.z > spec.height {
        check.report(
            trail.key("z"),
            format!(
                "the mechanism at {} m is above the building of {} m",
                spec.z, spec.height
            ),
            "",
        );
    }
    let storeys = spec.storeys();
    let n = f64::from(storeys.max(1));
    let straight = [spec.period, 3.0 * n / (2.0 * n + 1.0), spec.z / spec.height];
    let list = trail.key("modes");
    let given = spec.modes.clone().unwrap_or_else(|| vec![straight]);
    if given.is_empty() {
        check.report(
            list,
            "no mode is given",
            "leave `modes` out for the first one",
        );
    }
    for (k, mode) in given.iter().enumerate() {
        check.positive(mode[0], "s", list.index(k));
    }
    Floor {
        modes: given
            .iter()
            .map(|&[period, participation, shape]| FloorMode {
                period,
                participation,
                shape,
            })
            .collect(),
        damping: spec.damping(),
    }
}
