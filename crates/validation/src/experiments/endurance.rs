//! Every example for thousands of steps, standing, moving and falling: does the solver ever need a second way?

use drystone_cone::residual;
use drystone_model::{AnalysisKind, FrictionLaw, Model, Scheme, TimeHistory};
use drystone_questions::time_history::{Excitation, Run, Troubles};

use super::wall::wall_scene;
use crate::Measurements;
use crate::scene::read;

macro_rules! example {
    ($name:literal, $steps:expr) => {
        (
            $name,
            include_str!(concat!("../../../../examples/", $name, "/model.toml")),
            $steps,
        )
    };
}

/// Examples, and steps of each of their time histories at most. Houses and arches that collapse do so within theirs; the rest is capped so that
/// the whole takes minutes.
const EXAMPLES: [(&str, &str, u64); 18] = [
    example!("block-3d", 2000),
    example!("buttressed-arch", 1000),
    example!("church", 20),
    example!("colonnade", 1000),
    example!("cross-vault", 300),
    example!("cylinder-on-ring", 300),
    example!("dome", 300),
    example!("facade-tie", 1000),
    example!("housner-block", 2000),
    example!("oppenheim-arch", 8000),
    example!("portal", 300),
    example!("rocking-wall", 2000),
    example!("shear-wall", 300),
    example!("spandrel-arch", 1000),
    example!("stone-house", 2800),
    example!("triumphal-arch", 400),
    example!("unsupported-wall", 1000),
    example!("voussoir-arch", 1000),
];
/// Steps between two problems whose answer is judged once more.
const JUDGED_EVERY: u64 = 10;

/// What was seen in all runs.
#[derive(Default)]
struct Seen {
    steps: u64,
    troubles: Troubles,
    collapses: u64,
    /// Worst residual that the judge finds in answers recovered from states, in units of its tolerances.
    excess: f64,
}

impl Seen {
    fn watch(
        &mut self,
        model: &Model,
        settings: &TimeHistory,
        most: u64,
        note: &mut dyn FnMut(&str, u64),
    ) -> Result<(), String> {
        let excitation =
            Excitation::new(model, &settings.motions).map_err(|error| error.to_string())?;
        crate::measured::note(model, settings);
        let mut run = Run::new(model, settings, excitation);
        let free: Vec<usize> = (0..model.blocks.len())
            .filter(|&i| !model.blocks[i].support)
            .collect();
        let mut before = Troubles::default();
        while !run.at_end() && !run.finished() && run.progress().steps < most {
            run.advance(&mut ()).map_err(|fault| fault.to_string())?;
            let steps = run.progress().steps;
            let now = run.summary().troubles;
            if now.fallback_steps > before.fallback_steps {
                note("fallback", steps);
            }
            if now.inaccurate_steps > before.inaccurate_steps {
                note("inaccurate", steps);
            }
            // A step in pieces leaves only the problem of its last piece, and a relaxed one that of a softer structure.
            let whole = now.halved_steps == before.halved_steps
                && now.relaxed_steps == before.relaxed_steps;
            if steps % JUDGED_EVERY == 0
                && whole
                && settings.friction_law == FrictionLaw::Associated
                // The spin of a leapfrog step is made anew from its momentum, exactly where the problem was linear.
                && settings.scheme == Scheme::Euler
            {
                let state = &run.progress().state;
                let velocity: Vec<[f64; 6]> = free
                    .iter()
                    .map(|&i| {
                        let (v, w) = (state.velocity[i], state.angular_velocity[i]);
                        [v.x, v.y, v.z, w.x, w.y, w.z]
                    })
                    .collect();
                let judged = residual(run.problem(), &velocity, run.impulses());
                self.excess = self.excess.max(judged.worst());
            }
            before = now;
        }
        let summary = run.summary();
        note("end", summary.steps);
        self.steps += summary.steps;
        self.collapses += u64::from(summary.collapse_time.is_some());
        let t = summary.troubles;
        self.troubles.inaccurate_steps += t.inaccurate_steps;
        self.troubles.halved_steps += t.halved_steps;
        self.troubles.relaxed_steps += t.relaxed_steps;
        self.troubles.fallback_steps += t.fallback_steps;
        self.troubles.iterations += t.iterations;
        self.troubles.worst_residual = self.troubles.worst_residual.max(t.worst_residual);
        Ok(())
    }
}

/// Runs the examples and counts; `note` hears of every step with trouble and of the last step of every history: example, analysis, what,
/// which step.
pub fn endure(note: &mut dyn FnMut(&str, &str, &str, u64)) -> Result<Measurements, String> {
    let mut seen = Seen::default();
    for (name, text, most) in EXAMPLES {
        let model = read(text)?;
        for analysis in &model.analyses {
            if let AnalysisKind::TimeHistory(settings) = &analysis.kind {
                let mut heard = |what: &str, step: u64| note(name, &analysis.name, what, step);
                seen.watch(&model, settings, most, &mut heard)
                    .map_err(|error| format!("{name}, {}: {error}", analysis.name))?;
            }
        }
    }
    let t = &seen.troubles;
    Ok(Measurements::from([
        ("steps".into(), seen.steps as f64),
        ("collapses".into(), seen.collapses as f64),
        ("fallback_steps".into(), t.fallback_steps as f64),
        ("inaccurate_steps".into(), t.inaccurate_steps as f64),
        ("halved_steps".into(), t.halved_steps as f64),
        ("relaxed_steps".into(), t.relaxed_steps as f64),
        ("worst_residual".into(), t.worst_residual),
        ("worst_judged_again".into(), seen.excess),
        (
            "iterations_per_step".into(),
            t.iterations as f64 / seen.steps as f64,
        ),
    ]))
}

/// The examples, without listening.
pub fn run() -> Result<Measurements, String> {
    endure(&mut |_, _, _, _| {})
}

/// A wall that stands for a minute: how far any block creeps. `quick` means two seconds of it.
pub fn wall_at_rest(quick: bool) -> Result<Measurements, String> {
    let duration = if quick { 2.0 } else { 60.0 };
    let mut scene = wall_scene(20, 10, 0.65);
    scene.add(&format!(
        "[[analysis]]\nname = \"rest\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\ndt = 0.001\nduration = {duration:?}\noutput_every = 1.0"
    ));
    let model = scene.model()?;
    let summary = super::simulate(&model, &mut |_| {})?;
    Ok(Measurements::from([
        ("steps".into(), summary.steps as f64),
        ("drift".into(), summary.largest_displacement.displacement),
        (
            "fallback_steps".into(),
            summary.troubles.fallback_steps as f64,
        ),
    ]))
}
