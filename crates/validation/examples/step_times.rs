//! Milliseconds per step by phase, for structures of growing size.
//!
//! `cargo run --release -p drystone-validation --example step_times [-- MAX_BLOCKS]` prints the table of the book's performance page. One thread.

use std::time::Instant;

use drystone_mechanics::{Phase, Stopwatch};
use drystone_model::{AnalysisKind, Model};
use drystone_questions::time_history::{Excitation, Run};
use drystone_validation::experiments::wall_scene;
use drystone_validation::scene::read;

struct Clock {
    phase: Phase,
    since: Instant,
    seconds: [f64; 5],
}

impl Stopwatch for Clock {
    fn enter(&mut self, phase: Phase) {
        let now = Instant::now();
        self.seconds[self.phase as usize] += now.duration_since(self.since).as_secs_f64();
        self.phase = phase;
        self.since = now;
    }
}

/// Steps a model from `skip` steps on and prints the mean times per step.
fn measure(name: &str, model: &Model, skip: u64) -> Result<(), String> {
    let AnalysisKind::TimeHistory(settings) = &model.analyses[0].kind else {
        return Err("the first analysis is not a time history".to_owned());
    };
    let excitation =
        Excitation::new(model, &settings.motions).map_err(|error| error.to_string())?;
    let mut run = Run::new(model, settings, excitation);
    while run.progress().steps < skip {
        run.advance(&mut ()).map_err(|fault| fault.to_string())?;
    }
    let mut clock = Clock {
        phase: Phase::Outside,
        since: Instant::now(),
        seconds: [0.0; 5],
    };
    let iterations_before = run.summary().troubles.iterations;
    while !run.at_end() && !run.finished() {
        run.advance(&mut clock).map_err(|fault| fault.to_string())?;
    }
    let summary = run.summary();
    let steps = (summary.steps - skip) as f64;
    let ms: Vec<f64> = clock
        .seconds
        .iter()
        .map(|seconds| 1e3 * seconds / steps)
        .collect();
    let blocks = model.blocks.iter().filter(|block| !block.support).count();
    println!(
        "| {name} | {blocks} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} | {:.1e} | {:.1e} |",
        run.problem().contacts.len(),
        ms[Phase::Detect as usize],
        ms[Phase::Assemble as usize],
        ms[Phase::Solve as usize],
        ms[Phase::Integrate as usize],
        (summary.troubles.iterations - iterations_before) as f64 / steps,
        summary.worst_residual,
        summary.max_penetration,
    );
    Ok(())
}

fn main() -> Result<(), String> {
    let largest: usize = match std::env::args().nth(1) {
        Some(text) => text.parse().map_err(|error| format!("{text}: {error}"))?,
        None => 5000,
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(1)
        .build_global()
        .map_err(|error| error.to_string())?;
    println!(
        "| structure | blocks | contacts | detect, ms | assemble | solve | integrate | iterations | worst residual | penetration, m |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let oppenheim = read(include_str!("../../../examples/oppenheim-arch/model.toml"))?;
    measure("Oppenheim arch in collapse", &oppenheim, 1000)?;
    for (length, courses) in [(20, 10), (40, 25), (100, 50)] {
        if length * courses > largest {
            break;
        }
        // Few steps suffice: cost per step settles at once.
        let steps = if length * courses > 2000 { 30 } else { 100 };
        for (name, friction, amplitude, skip) in [
            ("wall shaken, small motion", 0.65, 3.0, 20),
            ("wall sliding and rocking", 0.4, 8.0, 100),
        ] {
            let duration = 0.002 * (skip + steps) as f64;
            let mut scene = wall_scene(length, courses, friction);
            scene.add(&format!(
                "[[motion]]\nname = \"sine\"\nkind = \"sine\"\namplitude = {amplitude:?}\nfrequency = 2.0\nduration = 10.0\ndirection = [1, 0.3, 0]\n\
                 [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nmotion = \"sine\"\ndt = 0.002\nduration = {duration:?}"
            ));
            measure(name, &scene.model()?, skip)?;
        }
    }
    Ok(())
}
