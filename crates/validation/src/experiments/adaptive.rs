//! Steps that adapt to the motion against steps of one length: errors and how many steps they take.

use drystone_geometry::DQuat;
use drystone_mechanics::log_rotation;
use drystone_model::{Adaptive, AnalysisKind, Model, Scheme, Tolerance};

use drystone_questions::rocking;

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
            let worst = worst_impact(&track, &exact.impacts, count);
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

/// Largest error of the first impact times, s; infinite if there are fewer.
fn worst_impact(track: &Track, exact: &[rocking::Impact], count: usize) -> f64 {
    let impacts = track.impacts();
    if impacts.len() < count {
        return f64::INFINITY;
    }
    let errors = impacts.iter().zip(exact).take(count);
    errors.fold(0.0, |worst, (found, exact)| {
        worst.max((found.time - exact.time).abs())
    })
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

/// Tolerances of steps, m, each a tenth of the one before.
const LADDER: [f64; 4] = [1e-5, 1e-6, 1e-7, 1e-8];

/// A run whose steps follow their tolerance alone: neither bounds nor output times shorten them, and the solver has its default tolerance.
fn unbounded(
    text: &str,
    name: &str,
    tolerance: f64,
    duration: Option<f64>,
) -> Result<Model, String> {
    let mut model = prepared(text, name, Steps::Adaptive(tolerance), duration)?;
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.tolerance = Tolerance::Default;
            history.dt = 1e-4;
            history.output_every = 0.5;
            history.adaptive = Some(Adaptive {
                tolerance,
                smallest: 1e-5,
                largest: 0.1,
            });
        }
    }
    Ok(model)
}

/// Errors and iterations of the solver over tolerances: a smaller tolerance has a smaller error, and costs more.
pub fn ladder() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let mut insert = |case: &str, errors: &[f64], iterations: &[u64]| {
        for (tolerance, (error, iterations)) in LADDER.iter().zip(errors.iter().zip(iterations)) {
            results.insert(format!("{case}_error_{tolerance:e}"), *error);
            results.insert(
                format!("{case}_iterations_{tolerance:e}"),
                *iterations as f64,
            );
        }
        let remaining = errors.windows(2).map(|pair| pair[1] / pair[0]);
        results.insert(format!("{case}_remaining"), remaining.fold(0.0, f64::max));
        let dearer = iterations
            .windows(2)
            .map(|pair| pair[1] as f64 / pair[0] as f64);
        results.insert(
            format!("{case}_dearer"),
            dearer.fold(f64::INFINITY, f64::min),
        );
    };
    let block = (HOUSNER, "free-rocking", "equation-of-motion");
    let wall = (WALL, "short-pulse", "short-pulse-ode");
    for (case, (text, name, exact), initial, count) in [
        ("housner", block, 15f64.to_radians(), 8),
        ("wall", wall, 0.0, 12),
    ] {
        let exact = reference(&read(text)?, exact)?;
        let (mut errors, mut iterations) = (Vec::new(), Vec::new());
        for tolerance in LADDER {
            let (track, summary) = Track::run(&unbounded(text, name, tolerance, None)?, initial)?;
            errors.push(worst_impact(&track, &exact.impacts, count));
            iterations.push(summary.troubles.iterations);
        }
        insert(case, &errors, &iterations);
    }
    let crown = |model: &Model| -> Result<(DQuat, u64), String> {
        let crown = model.blocks.iter().position(|b| b.name == "arch.voussoir4");
        let crown = crown.ok_or("the arch has no fourth voussoir")?;
        let mut rotation = DQuat::IDENTITY;
        let summary = simulate(model, &mut |run| {
            rotation = run.progress().state.poses[crown].rotation;
        })?;
        Ok((rotation, summary.troubles.iterations))
    };
    let duration = Some(0.6);
    let (best, _) = crown(&prepared(ARCH, "collapse", Steps::Fixed(1e-4), duration)?)?;
    let (mut errors, mut iterations) = (Vec::new(), Vec::new());
    for tolerance in LADDER {
        let (found, cost) = crown(&unbounded(ARCH, "collapse", tolerance, duration)?)?;
        errors.push(log_rotation(found * best.inverse()).length());
        iterations.push(cost);
    }
    insert("arch", &errors, &iterations);
    Ok(results)
}
