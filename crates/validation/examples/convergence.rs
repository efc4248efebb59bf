//! Errors of both schemes over the time step.
//!
//! `cargo run --release -p drystone-validation --example convergence -- OUT.svg` prints the table of the book's page on stepping and draws its plot.

use std::fmt::Write as _;

use drystone_geometry::{DQuat, DVec3};
use drystone_mechanics::log_rotation;
use drystone_model::{AnalysisKind, Model, Scheme, Tolerance};
use drystone_questions::rocking;
use drystone_shaking::GroundMotion;
use drystone_validation::experiments::simulate;
use drystone_validation::scene::{Scene, corners, read};

const STEPS: [f64; 6] = [4e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1.25e-4];
const SCHEMES: [(Scheme, &str, &str); 2] = [
    (Scheme::Euler, "euler", "#d55e00"),
    (Scheme::Leapfrog, "leapfrog", "#0072b2"),
];

/// A quantity of a motion that should converge.
struct Case {
    title: &'static str,
    unit: &'static str,
    /// Its error at a scheme and a step, or the quantity itself where `reference` is none.
    errors: [Vec<f64>; 2],
}

/// The first time history of a model with a scheme and a step.
fn with(model: &Model, scheme: Scheme, dt: f64, duration: f64) -> Model {
    let mut model = model.clone();
    model
        .analyses
        .retain(|analysis| matches!(analysis.kind, AnalysisKind::TimeHistory(_)));
    model.analyses.truncate(1);
    for analysis in &mut model.analyses {
        if let AnalysisKind::TimeHistory(history) = &mut analysis.kind {
            history.scheme = scheme;
            history.dt = dt;
            history.duration = duration;
            history.tolerance = Tolerance::Validation;
        }
    }
    model
}

/// Largest error of the first eight impact times of Housner's block, s.
fn housner() -> Result<Case, String> {
    let model = read(include_str!("../../../examples/housner-block/model.toml"))?;
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Rocking(settings) => Some(settings),
            AnalysisKind::TimeHistory(_)
            | AnalysisKind::Equilibrium(_)
            | AnalysisKind::Limit(_)
            | AnalysisKind::Pushover(_)
            | AnalysisKind::Assessment(_)
            | AnalysisKind::Campaign(_) => None,
        });
    let settings = settings.ok_or("the model has no rocking analysis")?;
    let exact = rocking::solve(settings, &GroundMotion::still()).map_err(|e| e.to_string())?;
    let mut errors = [Vec::new(), Vec::new()];
    for ((scheme, ..), errors) in SCHEMES.iter().zip(&mut errors) {
        for dt in STEPS {
            let (mut last, mut worst, mut count) = (0.0, 0.0f64, 0);
            simulate(&with(&model, *scheme, dt, 6.0), &mut |run| {
                let state = &run.progress().state;
                let angle = 15f64.to_radians() + log_rotation(state.poses[1].rotation).y;
                if angle * last < 0.0 && count < 8 {
                    let time = state.time - dt * angle / (angle - last);
                    worst = worst.max((time - exact.impacts[count].time).abs());
                    count += 1;
                }
                last = angle;
            })?;
            errors.push(worst);
        }
    }
    Ok(Case {
        title: "Housner block: eight impact times",
        unit: "s",
        errors,
    })
}

/// Final rotation of a block, compared with that of the leapfrog scheme at the smallest step, rad.
fn final_rotations(
    title: &'static str,
    model: &Model,
    block: usize,
    time: f64,
) -> Result<Case, String> {
    let mut rotations = [Vec::new(), Vec::new()];
    for ((scheme, ..), rotations) in SCHEMES.iter().zip(&mut rotations) {
        for dt in STEPS {
            let mut rotation = DQuat::IDENTITY;
            simulate(&with(model, *scheme, dt, time), &mut |run| {
                rotation = run.progress().state.poses[block].rotation
            })?;
            rotations.push(rotation);
        }
    }
    let best = rotations[1].pop().ok_or("no rotations")?;
    let errors = rotations.map(|of| {
        of.iter()
            .map(|rotation| log_rotation(*rotation * best.inverse()).length())
            .collect()
    });
    Ok(Case {
        title,
        unit: "rad",
        errors,
    })
}

fn corner() -> Result<Model, String> {
    let turn = DQuat::from_scaled_axis(DVec3::new(-0.1, 0.12, 0.0));
    let points: Vec<DVec3> = corners([-0.6, -0.6, 0.0], [0.0, 0.0, 2.0])
        .into_iter()
        .map(|p| turn * p)
        .collect();
    let mut scene = Scene::new(2.0, "");
    scene
        .cuboid(
            "ground",
            [-4.0, -4.0, -0.5],
            [4.0, 4.0, 0.0],
            "support = true",
        )
        .hull("block", &points, "")
        .add("[[analysis]]\nname = \"rock\"\nkind = \"time_history\"\nduration = 1.0");
    scene.model()
}

/// Four blocks under a pulse, whose joints open and close at will.
fn tower() -> Result<Model, String> {
    let mut scene = Scene::new(2.0, "plane = \"xz\"");
    scene.cuboid(
        "ground",
        [-4.0, -1.0, -0.5],
        [4.0, 1.0, 0.0],
        "support = true",
    );
    for k in 0..4 {
        let z = 0.5 * f64::from(k);
        scene.cuboid(&format!("b{k}"), [-0.2, -0.3, z], [0.2, 0.3, z + 0.5], "");
    }
    scene
        .add("[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = 5.0\nhalf_period = 0.25\ndirection = [1, 0, 0]")
        .add("[[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"pulse\"\nduration = 1.0");
    scene.model()
}

fn main() -> Result<(), String> {
    let arch = read(include_str!("../../../examples/oppenheim-arch/model.toml"))?;
    let crown = (0..arch.blocks.len()).find(|&i| arch.blocks[i].name == "arch.voussoir4");
    let crown = crown.ok_or("the arch has no fourth voussoir")?;
    let cases = [
        housner()?,
        final_rotations(
            "block on its corner, two impacts, 0.8 s",
            &corner()?,
            1,
            0.8,
        )?,
        final_rotations("Oppenheim arch, second mechanism, 0.6 s", &arch, crown, 0.6)?,
        final_rotations("tower of four blocks, many impacts, 3 s", &tower()?, 4, 3.0)?,
    ];
    println!(
        "| | scheme | dt 4 ms | 2 ms | 1 ms | 0.5 ms | 0.25 ms |\n|---|---|---|---|---|---|---|"
    );
    for case in &cases {
        for ((_, name, _), errors) in SCHEMES.iter().zip(&case.errors) {
            let errors: Vec<String> = errors.iter().take(5).map(|e| format!("{e:.1e}")).collect();
            println!(
                "| {} [{}] | {name} | {} |",
                case.title,
                case.unit,
                errors.join(" | ")
            );
        }
    }
    if let Some(path) = std::env::args().nth(1) {
        std::fs::write(&path, plot(&cases)).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(())
}

/// Errors over steps in four panels, both logarithmic.
fn plot(cases: &[Case]) -> String {
    let (width, height) = (360.0, 250.0);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        2.0 * width,
        2.0 * height
    );
    for (k, case) in cases.iter().enumerate() {
        let (left, top) = (
            width * (k % 2) as f64 + 50.0,
            height * (k / 2) as f64 + 30.0,
        );
        let (w, h) = (width - 70.0, height - 75.0);
        let all = || case.errors.iter().flatten().filter(|e| **e > 0.0);
        let low = all().fold(f64::INFINITY, |a, &b| a.min(b)).log10().floor();
        let high = all().fold(0.0f64, |a, &b| a.max(b)).log10().ceil();
        let x = |dt: f64| left + w * (dt / 1e-4).log10() / 50f64.log10();
        let y = |e: f64| top + h * (high - e.log10()) / (high - low);
        let _ = writeln!(
            text,
            "<text x=\"{left:.1}\" y=\"{:.1}\" font-weight=\"bold\">{} [{}]</text>",
            top - 10.0,
            case.title,
            case.unit
        );
        let _ = writeln!(
            text,
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" fill=\"none\" stroke=\"#888\"/>"
        );
        for power in low as i32..=high as i32 {
            let at = y(10f64.powi(power));
            let _ = writeln!(
                text,
                "<line x1=\"{left:.1}\" x2=\"{:.1}\" y1=\"{at:.1}\" y2=\"{at:.1}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">1e{power}</text>",
                left + w,
                left - 4.0,
                at + 4.0
            );
        }
        for dt in &STEPS[..5] {
            let _ = writeln!(
                text,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                x(*dt),
                top + h + 14.0,
                dt * 1e3
            );
        }
        let _ = writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">dt [ms]</text>",
            left + 0.5 * w,
            top + h + 28.0
        );
        for ((_, name, colour), errors) in SCHEMES.iter().zip(&case.errors) {
            let points: Vec<(f64, f64)> = STEPS
                .iter()
                .zip(errors)
                .take(5)
                .filter(|(_, e)| **e > 0.0)
                .map(|(dt, e)| (x(*dt), y(*e)))
                .collect();
            let path: Vec<String> = points
                .iter()
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
                path.join(" ")
            );
            for (x, y) in &points {
                let _ = writeln!(
                    text,
                    "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"
                );
            }
            // Left of the smallest step, where nothing else is.
            if let Some((x, y)) = points.last() {
                let _ = writeln!(
                    text,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{colour}\">{name}</text>",
                    x - 7.0,
                    y + 4.0
                );
            }
        }
    }
    text + "</svg>\n"
}
