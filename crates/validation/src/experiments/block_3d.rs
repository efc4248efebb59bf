//! NB's single 3D block under a pulse at 44 degrees.

use drystone_analysis::time_history::Status;

use super::{peaks, simulate};
use crate::Measurements;
use crate::scene::read;

pub fn run() -> Result<Measurements, String> {
    let text = include_str!("../../../../examples/block-3d/model.toml");
    let mut results = Measurements::new();
    for name in ["stands", "overturns"] {
        let mut model = read(text)?;
        model.analyses.retain(|analysis| analysis.name == name);
        let mut potential = Vec::new();
        let summary = simulate(&model, &mut |run| {
            potential.push((run.progress().state.time, run.frame().energy.potential));
        })?;
        // A millimetre of lift counts; within 60 ms only the highest does.
        let floor = potential[0].1 + 0.001 * model.weight();
        for (k, time) in peaks(&potential, 0.06, floor).iter().enumerate() {
            results.insert(format!("{name}_peak_{}", k + 1), *time);
        }
        results.insert(
            format!("{name}_collapsed"),
            f64::from(u8::from(summary.status == Status::Collapsed)),
        );
        if let Some(time) = summary.collapse_time {
            results.insert(format!("{name}_collapse_time"), time);
        }
        results.insert(format!("{name}_residual"), summary.worst_residual);
    }
    Ok(results)
}
