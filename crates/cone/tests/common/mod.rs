//! Limit problems that several tests pose.

use drystone_cone::{LimitProblem, StepProblem};

/// Weight down, and the same weight along a direction as live load.
pub fn pushed(step: StepProblem, direction: [f64; 3]) -> LimitProblem {
    let load = |axis: [f64; 3]| {
        let one = |m: &f64| {
            let [x, y, z] = axis.map(|d| 9.81 * m * d);
            [x, y, z, 0.0, 0.0, 0.0]
        };
        step.mass.iter().map(one).collect::<Vec<_>>()
    };
    let mut contacts = step.contacts.clone();
    contacts.iter_mut().for_each(|c| c.offset = [0.0; 3]);
    LimitProblem {
        free: step.free,
        dead: load([0.0, 0.0, -1.0]),
        live: load(direction),
        contacts,
        ..LimitProblem::default()
    }
}
