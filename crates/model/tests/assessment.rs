//! Assessments as written and as compiled.

mod common;

use common::{model, sound_and};
use drystone_model::{AnalysisKind, CapacitySource, CodeShape, Scaling};

const GIVEN: &str = "[[analysis]]\nname = \"code\"\nkind = \"assessment\"\ncode = \"ntc2018\"\n\
                     life_safety = { ag = 2.5, f0 = 2.4, tc_star = 0.3 }\n\
                     capacity = { alpha_0 = 0.1, d_y = 0.02, d_0 = 0.4, participation = 0.8, gamma = 0.7 }\n";

#[test]
fn defaults_are_those_of_the_code() {
    let model = model(&sound_and(GIVEN));
    let AnalysisKind::Assessment(settings) = &model.analyses.last().unwrap().kind else {
        panic!("no assessment");
    };
    let hazard = settings.life_safety.unwrap();
    assert_eq!((hazard.ag, hazard.damping), (2.5, 0.08));
    assert_eq!(
        hazard.code,
        CodeShape::Ntc2018 {
            f0: 2.4,
            tc_star: 0.3,
            topography: 1.0
        }
    );
    assert_eq!(settings.damage, None);
    assert_eq!(
        (settings.behaviour_factor, settings.confidence_factor),
        (2.0, 1.35)
    );
    assert_eq!(settings.scaling, Scaling::Capacity);
    let CapacitySource::Given(capacity) = &settings.capacity else {
        panic!("the capacity is given");
    };
    // On the straight line from 0.1 to zero at 0.4 m.
    let known = capacity.displacements.as_ref().unwrap();
    assert!((known.alpha_y - 0.095).abs() < 1e-15);
}

/// Forces need the onset and the mass that takes part, and no structure.
#[test]
fn a_capacity_may_be_known_by_forces_alone() {
    let text = GIVEN
        .replace("d_y = 0.02, d_0 = 0.4, ", "")
        .replace(", gamma = 0.7", "");
    for text in [text.clone(), sound_and(&text)] {
        let model = model(&text);
        let AnalysisKind::Assessment(settings) = &model.analyses.last().unwrap().kind else {
            panic!("no assessment");
        };
        let CapacitySource::Given(capacity) = &settings.capacity else {
            panic!("the capacity is given");
        };
        assert_eq!((capacity.alpha_0, capacity.participation), (0.1, 0.8));
        assert_eq!(capacity.displacements, None);
    }
}

#[test]
fn a_floor_has_a_straight_first_mode() {
    let floor = format!("{GIVEN}floor = {{ z = 6.0, height = 8.0, period = 0.3, storeys = 2 }}\n");
    let model = model(&sound_and(&floor));
    let AnalysisKind::Assessment(settings) = &model.analyses.last().unwrap().kind else {
        panic!("no assessment");
    };
    let mode = settings.floor.as_ref().unwrap().modes[0];
    assert_eq!(
        (mode.period, mode.participation, mode.shape),
        (0.3, 1.2, 0.75)
    );
}

fn faults(change: impl Fn(&str) -> String) -> String {
    match drystone_model::from_toml(&sound_and(&change(GIVEN))) {
        Ok(_) => panic!("no fault"),
        Err(faults) => faults.to_string(),
    }
}

#[test]
fn what_is_missing_or_foreign_is_named() {
    for (from, to, said) in [
        ("life_safety", "# ", "no limit state is given"),
        ("capacity =", "# ", "either by `pushover` or by `capacity`"),
        ("f0 = 2.4, ", "", "the key `f0` is missing"),
        (
            "d_y = 0.02",
            "d_y = 1.0",
            "the peak at 1 m is not before the end at 0.4 m",
        ),
        ("d_0 = 0.4", "d_0 = 400", "471 mm are 0.471"),
        ("gamma = 0.7", "", "`d_0` says nothing without `gamma`"),
        (
            "d_0 = 0.4, ",
            "",
            "`d_y` says nothing without `alpha_y` or `d_0`",
        ),
        (
            "d_y = 0.02, d_0 = 0.4, ",
            "",
            "`gamma` says nothing without `d_y` or `d_0`",
        ),
        ("d_y = 0.02", "d_y = 19", "at most 2 m"),
        (
            "d_0 = 0.4",
            "alpha_y = 0.09, curve = [[0, 0], [0.02, 0.09]]",
            "`curve` says nothing without `d_0`",
        ),
        (
            "d_y = 0.02",
            "alpha_y = 0.09",
            "`alpha_y` says nothing without `d_y`",
        ),
        (
            "d_y = 0.02, d_0 = 0.4",
            "period_life_safety = 2.5",
            "`period_life_safety` says nothing without `d_0`",
        ),
        ("ag = 2.5", "ag = 250", "at most 50 m/s²"),
        (
            "ntc2018",
            "eurocode8",
            "`f0` belongs to the code \"ntc2018\"",
        ),
        (
            "participation = 0.8",
            "participation = 1.8",
            "but must be at most 1",
        ),
        (
            "life_safety",
            "behaviour_factor = 0.5\nlife_safety",
            "at least 1",
        ),
        ("capacity = {", "curve = {", "unknown key `curve`"),
    ] {
        let text = faults(|given| given.replacen(from, to, 1));
        assert!(text.contains(said), "{said}:\n{text}");
    }
    let pushed = faults(|given| {
        let (head, _) = given.split_once("capacity").unwrap();
        format!("{head}pushover = \"push\"\n")
    });
    assert!(
        pushed.contains("no analysis before this one is named \"push\""),
        "{pushed}"
    );
}

/// The multiplier of a pushover is an acceleration only if it multiplies the weights horizontally.
#[test]
fn an_assessment_rests_on_weights_pushed_horizontally() {
    let with = |push: &str| {
        let (head, tail) = GIVEN.split_at(GIVEN.find("capacity").unwrap());
        assert!(tail.starts_with("capacity"));
        let push = format!("[[analysis]]\nname = \"push\"\nkind = \"pushover\"\n{push}\n");
        drystone_model::from_toml(&sound_and(&format!("{push}{head}pushover = \"push\"\n")))
    };
    assert!(with("direction = [1, 1, 0]").is_ok());
    for other in [
        "direction = [1, 0, 0]\npattern = \"height\"",
        "direction = [0, 0, 1]",
        "direction = [1, 0, 0]\nloads = \"live\"",
    ] {
        let faults = with(other).unwrap_err().to_string();
        assert!(faults.contains("does not multiply the weights"), "{faults}");
    }
}
