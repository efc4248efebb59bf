//! Every validation case that takes seconds is also an ordinary test, one per experiment.

use drystone_validation::{checks, experiments};

/// Measures one experiment and holds it to all its quick checks.
fn hold(experiment: &str) {
    let checks: Vec<_> = checks()
        .expect("cases.toml is well formed")
        .into_iter()
        .filter(|check| check.experiment == experiment && !check.slow)
        .collect();
    assert!(!checks.is_empty(), "no quick check of {experiment}");
    let measured = experiments::run(experiment, true).expect("the experiment runs");
    let failed: Vec<String> = checks
        .iter()
        .filter(|check| !check.judge(measured.get(&check.quantity).copied()).passed)
        .map(|check| {
            format!(
                "{}: measured {:?}, expected {}",
                check.title,
                measured.get(&check.quantity),
                check.expectation().expect("checked on reading")
            )
        })
        .collect();
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

macro_rules! quick {
    ($($name:ident),* $(,)?) => {
        $(#[test] fn $name() { hold(stringify!($name)); })*
    };
}

quick!(
    incline,
    sliding,
    flight,
    drop,
    ground,
    housner,
    rocking_wall,
    block_3d,
    oppenheim,
    arch,
    wall_205,
    stack,
    solvers,
);
