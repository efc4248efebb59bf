//! NB's single 3D block under a pulse at 44 degrees.

use drystone_questions::time_history::Status;

use super::{fall_begins, peaks, simulate};
use crate::Measurements;
use crate::measured::Part;
use crate::scene::read;

pub fn run() -> Result<Measurements, String> {
    let text = include_str!("../../../../examples/block-3d/model.toml");
    let mut results = Measurements::new();
    // With the number of published peaks.
    for (name, published) in [("stands", 6), ("overturns", 5)] {
        let _part = Part::begin();
        let mut model = read(text)?;
        model.analyses.retain(|analysis| analysis.name == name);
        let mut potential = Vec::new();
        let summary = simulate(&model, &mut |run| {
            potential.push((run.progress().state.time, run.frame().energy.potential));
        })?;
        // A millimetre of lift counts; within 60 ms only the highest does.
        let floor = potential[0].1 + 0.001 * model.weight();
        for (k, time) in peaks(&potential, 0.06, floor)
            .iter()
            .take(published)
            .enumerate()
        {
            results.insert(format!("{name}_peak_{}", k + 1), *time);
        }
        results.insert(
            format!("{name}_collapsed"),
            f64::from(u8::from(summary.status == Status::Collapsed)),
        );
        if let Some(time) = summary.collapse_time {
            results.insert(format!("{name}_collapse_time"), time);
            results.insert(format!("{name}_fall_begins"), fall_begins(&potential));
        }
        results.insert(format!("{name}_residual"), summary.worst_residual);
    }
    // The block hangs on the edge, and how long depends on the step: with a shorter one it falls sooner.
    let _part = Part::begin();
    let mut model = read(&text.replace("dt = 0.001", "dt = 0.00025"))?;
    model
        .analyses
        .retain(|analysis| analysis.name == "overturns");
    let mut potential = Vec::new();
    simulate(&model, &mut |run| {
        potential.push((run.progress().state.time, run.frame().energy.potential));
    })?;
    results.insert(
        "overturns_fall_begins_dt_0.00025".into(),
        fall_begins(&potential),
    );
    Ok(results)
}
