//! Every validation case that takes seconds is also an ordinary test, one per experiment. What an experiment measures
//! must be judged, or stand in the list of what only informs.

use drystone_validation::{Measurements, checks, experiments};

/// Measured for the reader, not judged: experiment and quantity, with the reason.
const INFORMATIVE: &[(&str, &str)] = &[
    // Judged by their ratio.
    ("housner", "largest_impact_error_dt_0.002"),
    ("housner", "largest_impact_error_dt_0.001"),
    // When a fifth of the potential energy is gone: our criterion, not published.
    ("block_3d", "overturns_collapse_time"),
    ("oppenheim", "collapse_time"),
    // Judged with the shorter step, on which it still depends.
    ("block_3d", "overturns_fall_begins"),
    // Judged against the frequency that the scheme itself has in closed form.
    ("elastic", "rocking_frequency"),
    ("elastic", "column_frequency"),
    // Judged by their ratios.
    ("elastic", "softness_error_1e8"),
    ("elastic", "softness_error_1e9"),
    // Cost, not correctness.
    ("wall_205", "iterations_per_step"),
    ("stack", "iterations_per_step"),
    // How often impacts happen and what becomes of them: a property of the structure.
    ("leapfrog_collapse", "oppenheim_impact_steps"),
    ("leapfrog_collapse", "oppenheim_dropped_steps"),
    // Judged by their order, and by the shorter step.
    ("elastic", "leapfrog_frequency_error_dt_0.0004"),
    ("elastic", "leapfrog_loss_per_period_dt_0.0004"),
    // Judged by how little it changes.
    ("statics_invariance", "multiplier"),
    // Coarse on purpose, to be seen beside that of 180 voussoirs.
    ("statics_thickness", "arch_20"),
    // What steps of one length, and other tolerances, do and cost: for the table of the book.
    ("adaptive", "arch_error_1_ms"),
    ("adaptive", "arch_error_adaptive_1e-6"),
    ("adaptive", "arch_error_adaptive_1e-8"),
    ("adaptive", "arch_error_quarter_ms"),
    ("adaptive", "arch_rejected_adaptive_1e-6"),
    ("adaptive", "arch_rejected_adaptive_1e-7"),
    ("adaptive", "arch_rejected_adaptive_1e-8"),
    ("adaptive", "arch_steps_1_ms"),
    ("adaptive", "arch_steps_adaptive_1e-6"),
    ("adaptive", "arch_steps_adaptive_1e-8"),
    ("adaptive", "arch_steps_eighth_ms"),
    ("adaptive", "arch_steps_quarter_ms"),
    ("adaptive", "housner_error_1_ms"),
    ("adaptive", "housner_error_adaptive_1e-7"),
    ("adaptive", "housner_error_quarter_ms"),
    ("adaptive", "housner_rejected_adaptive_1e-6"),
    ("adaptive", "housner_rejected_adaptive_1e-7"),
    ("adaptive", "housner_rejected_adaptive_1e-8"),
    ("adaptive", "housner_steps_1_ms"),
    ("adaptive", "housner_steps_adaptive_1e-7"),
    ("adaptive", "housner_steps_quarter_ms"),
    ("adaptive", "wall_error_1_ms"),
    ("adaptive", "wall_error_adaptive_1e-6"),
    ("adaptive", "wall_error_adaptive_1e-8"),
    ("adaptive", "wall_error_quarter_ms"),
    ("adaptive", "wall_rejected_adaptive_1e-6"),
    ("adaptive", "wall_rejected_adaptive_1e-7"),
    ("adaptive", "wall_rejected_adaptive_1e-8"),
    ("adaptive", "wall_steps_1_ms"),
    ("adaptive", "wall_steps_adaptive_1e-6"),
    ("adaptive", "wall_steps_adaptive_1e-8"),
    ("adaptive", "wall_steps_quarter_ms"),
    ("adaptive_ladder", "arch_error_1e-5"),
    ("adaptive_ladder", "arch_error_1e-6"),
    ("adaptive_ladder", "arch_error_1e-7"),
    ("adaptive_ladder", "arch_error_1e-8"),
    ("adaptive_ladder", "arch_iterations_1e-5"),
    ("adaptive_ladder", "arch_iterations_1e-6"),
    ("adaptive_ladder", "arch_iterations_1e-7"),
    ("adaptive_ladder", "arch_iterations_1e-8"),
    ("adaptive_ladder", "housner_error_1e-5"),
    ("adaptive_ladder", "housner_error_1e-6"),
    ("adaptive_ladder", "housner_error_1e-7"),
    ("adaptive_ladder", "housner_error_1e-8"),
    ("adaptive_ladder", "housner_iterations_1e-5"),
    ("adaptive_ladder", "housner_iterations_1e-6"),
    ("adaptive_ladder", "housner_iterations_1e-7"),
    ("adaptive_ladder", "housner_iterations_1e-8"),
    ("adaptive_ladder", "wall_error_1e-5"),
    ("adaptive_ladder", "wall_error_1e-6"),
    ("adaptive_ladder", "wall_error_1e-7"),
    ("adaptive_ladder", "wall_error_1e-8"),
    ("adaptive_ladder", "wall_iterations_1e-5"),
    ("adaptive_ladder", "wall_iterations_1e-6"),
    ("adaptive_ladder", "wall_iterations_1e-7"),
    ("adaptive_ladder", "wall_iterations_1e-8"),
    ("leapfrog_slide", "position_error_dt_0.0005"),
    ("leapfrog_slide", "position_error_dt_0.002"),
    ("leapfrog_slide", "position_error_dt_0.004"),
    ("leapfrog_turn", "position_error_dt_0.0005"),
    ("leapfrog_turn", "position_error_dt_0.002"),
    ("leapfrog_turn", "position_error_dt_0.004"),
];

/// Quick experiments that run no time history, so that none of their rows has a tolerance of steps. All rows of the others have one.
const WITHOUT_STEPS: &[&str] = &[
    "statics_blocks",
    "statics_invariance",
    "statics_panels",
    "statics_facade",
    "statics_arches",
    "statics_thickness",
    "statics_structures",
    "statics_fall",
    "mortar",
    "pushover_blocks",
    "pushover_ends",
    "pushover_facade",
    "pushover_winkler",
    "pushover_structures",
    "pushover_portal",
    "pushover_panels",
    "pushover_steps",
    "assessment",
];

/// Quantities of closed forms in experiments that also run time histories.
const CLOSED_FORMS: &[(&str, &str)] = &[("leapfrog_threshold", "exact_duration")];

/// Experiments that take minutes.
const SLOW: &[&str] = &[
    "wall_1000",
    "stone_house",
    "natural_arch",
    "house_domain",
    "house_fragility",
    "throughput",
    "statics_church",
    "endurance",
    "wall_at_rest_60s",
    "pushover_portal_tie",
    "pushover_triumphal_arch",
    "pushover_house",
];

/// Measures one experiment, holds it to all its quick checks, and all it measures to being judged.
fn hold(experiment: &str) {
    let checks: Vec<_> = checks()
        .expect("cases.toml is well formed")
        .into_iter()
        .filter(|check| check.experiment == experiment)
        .collect();
    let measured = experiments::run(experiment, true).expect("the experiment runs");
    let mut failed: Vec<String> = checks
        .iter()
        .filter(|check| !check.slow)
        .filter(|check| !check.judge(measured.get(&check.quantity)).passed)
        .map(|check| {
            format!(
                "{}: measured {:?}, expected {}",
                check.title,
                measured.get(&check.quantity),
                check.expectation().expect("checked on reading")
            )
        })
        .collect();
    let judged: Vec<&str> = checks.iter().map(|check| check.quantity.as_str()).collect();
    failed.extend(unaccounted(experiment, &measured, &judged));
    failed.extend(without_tolerance(experiment, &measured));
    assert!(!judged.is_empty(), "no check of {experiment}");
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

/// Complaints about quantities that do not say how exactly their steps were solved, or say so without steps.
fn without_tolerance(experiment: &str, measured: &Measurements) -> Vec<String> {
    let none = |quantity: &str| {
        WITHOUT_STEPS.contains(&experiment) || CLOSED_FORMS.contains(&(experiment, quantity))
    };
    measured
        .iter()
        .filter(|(quantity, _)| measured.solved(quantity).is_none() != none(quantity))
        .map(|(quantity, _)| {
            let solved = measured.solved(quantity);
            format!("{experiment}.{quantity}: steps solved to {solved}")
        })
        .collect()
}

/// Complaints about quantities that are neither judged nor informative, and about names in the list that are not
/// measured or judged after all.
fn unaccounted(experiment: &str, measured: &Measurements, judged: &[&str]) -> Vec<String> {
    let informative: Vec<&str> = INFORMATIVE
        .iter()
        .filter(|(name, _)| *name == experiment)
        .map(|(_, quantity)| *quantity)
        .collect();
    let stray = measured
        .iter()
        .filter(|(quantity, _)| !judged.contains(quantity) && !informative.contains(quantity))
        .map(|(quantity, _)| format!("{experiment}.{quantity} is measured but not judged"));
    let stale = informative
        .iter()
        .filter(|quantity| judged.contains(quantity) || measured.get(quantity).is_none())
        .map(|quantity| format!("{experiment}.{quantity} is listed as informative for nothing"));
    stray.chain(stale).collect()
}

macro_rules! quick {
    ($($name:ident),* $(,)?) => {
        const QUICK: &[&str] = &[$(stringify!($name)),*];
        $(#[test] fn $name() { hold(stringify!($name)); })*
    };
}

quick!(
    incline,
    sliding,
    braking,
    flight,
    drop,
    ground,
    audit,
    housner,
    rocking_wall,
    bumps,
    elastic,
    block_3d,
    oppenheim,
    arch,
    wall_205,
    stack,
    solvers,
    limits,
    leapfrog_housner,
    leapfrog_threshold,
    leapfrog_ground,
    leapfrog_arch,
    leapfrog_flight,
    leapfrog_top,
    leapfrog_rolling,
    leapfrog_corner,
    leapfrog_rest,
    leapfrog_drop,
    leapfrog_slide,
    leapfrog_turn,
    leapfrog_plinth,
    leapfrog_collapse,
    dilation_columns,
    dilation_ratchet,
    dilation_wall,
    limits_coulomb,
    adaptive,
    adaptive_ladder,
    assessment,
    ties,
    failure_domain,
    statics_blocks,
    statics_invariance,
    statics_panels,
    statics_facade,
    statics_arches,
    statics_thickness,
    statics_structures,
    statics_fall,
    mortar,
    mortar_motion,
    kinetic_friction,
    pushover_blocks,
    pushover_ends,
    pushover_facade,
    pushover_winkler,
    pushover_structures,
    pushover_portal,
    pushover_panels,
    pushover_steps,
    pushover_dynamics,
);

#[test]
fn every_experiment_is_quick_or_known_to_be_slow() {
    for name in experiments::NAMES {
        assert_ne!(QUICK.contains(name), SLOW.contains(name), "{name}");
    }
}

#[test]
fn a_quantity_that_nobody_judges_is_found() {
    let measured = Measurements::from([("known".into(), 1.0), ("unknown".into(), 2.0)]);
    assert_eq!(unaccounted("none", &measured, &["known"]).len(), 1);
    let stale = unaccounted("oppenheim", &measured, &["known", "unknown"]);
    assert_eq!(stale.len(), 1, "{stale:?}");
}
