//! Oppenheim's arch under a biphasic pulse.

use drystone_questions::time_history::Status;

use super::{fall_begins, peaks, simulate};
use crate::Measurements;
use crate::scene::read;

pub fn run() -> Result<Measurements, String> {
    let model = read(include_str!(
        "../../../../examples/oppenheim-arch/model.toml"
    ))?;
    let mut potential = Vec::new();
    let summary = simulate(&model, &mut |run| {
        potential.push((run.progress().state.time, run.frame().energy.potential));
    })?;
    let mut results = Measurements::from([
        (
            "collapsed".into(),
            f64::from(u8::from(summary.status == Status::Collapsed)),
        ),
        ("residual".into(), summary.worst_residual),
        (
            "inaccurate_steps".into(),
            summary.troubles.inaccurate_steps as f64,
        ),
    ]);
    if let Some(time) = summary.collapse_time {
        results.insert("collapse_time".into(), time);
    }
    results.insert("fall_begins".into(), fall_begins(&potential));
    for (k, time) in peaks(&potential, 0.1, 0.0).iter().enumerate() {
        results.insert(format!("peak_{}", k + 1), *time);
    }
    Ok(results)
}
