//! Steps that adapt to the motion against steps of one length: errors and how many steps they take.

use drystone_geometry::DQuat;
use drystone_mechanics::log_rotation;
use drystone_model::{Adaptive, AnalysisKind, Model, Scheme, Tolerance};

use super::rocking::{HOUSNER, Track, WALL, only, reference};
use super::simulate;
use crate::Measurements;
use crate::scene::read;

const ARCH: &str = include_str!("../../../../examples/oppenheim-arch/model.toml");

/// How a run chooses its steps.
#[derive(Clone, Copy)]
enum Steps {
    /// s.
    Fixed(f64),
    /// Tolerance, m; from 0.05 to 5 ms.
    Adaptive(f64),
}

const CHOICES: [(Steps, &str); 5] = [
    (Steps::Fixed(1e-3), "1_ms"),
    (Steps::Fixed(2.5e-4), "quarter_ms"),
    (Steps::Adaptive(1e-6), "adaptive_1e-6"),
    (Steps::Adaptive(1e-7), "adaptive_1e-7"),
    (Steps::Adaptive(1e-8), "adaptive_1e-8"),
];

fn prepared(text: &str, name: &str, steps: Steps, duration: Option<f64>) -> Result<Model, String> {
    let mut model = only(read(text)?, name);
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.scheme = Scheme::Leapfrog;
            history.tolerance = Tolerance::Validation;
            history.duration = duration.unwrap_or(history.duration);
            match steps {
                Steps::Fixed(dt) => history.dt = dt,
                Steps::Adaptive(tolerance) => {
                    history.dt = 1e-3;
                    history.output_every = 0.02;
                    history.adaptive = Some(Adaptive {
                        tolerance,
                        smallest: 5e-5,
                        largest: 5e-3,
                    });
                }
            }
        }
    }
    Ok(model)
}

pub fn run() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let block = (HOUSNER, "free-rocking", "equation-of-motion");
    let wall = (WALL, "short-pulse", "short-pulse-ode");
    for (case, (text, name, exact), initial, count) in [
        ("housner", block, 15f64.to_radians(), 8),
        ("wall", wall, 0.0, 12),
    ] {
        let exact = reference(&read(text)?, exact)?;
        for (steps, label) in CHOICES {
            let (track, summary) = Track::run(&prepared(text, name, steps, None)?, initial)?;
            let impacts = track.impacts();
            let errors = impacts.iter().zip(&exact.impacts).take(count);
            let worst = errors.map(|(found, exact)| (found.time - exact.time).abs());
            let worst = worst.fold(0.0, f64::max);
            let all = impacts.len() >= count;
            let worst = if all { worst } else { f64::INFINITY };
            results.insert(format!("{case}_error_{label}"), worst);
            results.insert(format!("{case}_steps_{label}"), summary.steps as f64);
            insert_rejected(&mut results, case, label, &summary);
        }
    }
    let mut rotation = |steps, label: &str| -> Result<DQuat, String> {
        let model = prepared(ARCH, "collapse", steps, Some(0.6))?;
        let crown = model.blocks.iter().position(|b| b.name == "arch.voussoir4");
        let crown = crown.ok_or("the arch has no fourth voussoir")?;
        let mut rotation = DQuat::IDENTITY;
        let summary = simulate(&model, &mut |run| {
            rotation = run.progress().state.poses[crown].rotation;
        })?;
        results.insert(format!("arch_steps_{label}"), summary.steps as f64);
        insert_rejected(&mut results, "arch", label, &summary);
        Ok(rotation)
    };
    let best = rotation(Steps::Fixed(1.25e-4), "eighth_ms")?;
    let mut errors = Vec::new();
    for (steps, label) in CHOICES {
        let found = rotation(steps, label)?;
        errors.push((label, log_rotation(found * best.inverse()).length()));
    }
    for (label, error) in errors {
        results.insert(format!("arch_error_{label}"), error);
    }
    Ok(results)
}

fn insert_rejected(
    results: &mut Measurements,
    case: &str,
    label: &str,
    summary: &drystone_questions::time_history::Summary,
) {
    if let Some(pace) = summary.adaptive {
        results.insert(format!("{case}_rejected_{label}"), pace.rejected as f64);
    }
}
