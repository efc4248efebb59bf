//! Both solvers on step problems taken from runs, cold and warm.

use drystone_cone::{Method, Settings, Solution, Solver, Status, StepProblem, Tolerances, Warm};

use super::simulate;
use super::{arch::arch_scene, wall::wall_scene};
use crate::Measurements;
use crate::scene::read;

/// A step problem and the solution of the step before.
struct Sample {
    problem: StepProblem,
    velocity: Vec<[f64; 6]>,
    impulse: Vec<[f64; 3]>,
}

pub fn run() -> Result<Measurements, String> {
    let mut samples = Vec::new();
    let mut wall = wall_scene(8, 6, 0.4);
    wall.add(
        "[[motion]]\nname = \"sine\"\nkind = \"sine\"\namplitude = 6.0\nfrequency = 2.0\nduration = 1.0\ndirection = [1, 0.2, 0]\n\
         [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nmotion = \"sine\"\ndt = 0.002\nduration = 0.6",
    );
    let oppenheim = read(include_str!(
        "../../../../examples/oppenheim-arch/model.toml"
    ))?;
    let housner = read(include_str!(
        "../../../../examples/housner-block/model.toml"
    ))?;
    for (model, every) in [
        (wall.model()?, 30),
        (arch_scene(21, 0.3, 0.4).model()?, 40),
        (oppenheim, 600),
        (housner, 500),
    ] {
        simulate(&model, &mut |run| {
            if run.progress().steps % every == 1 {
                let bodies = model
                    .blocks
                    .iter()
                    .zip(&run.progress().state.velocity)
                    .zip(&run.progress().state.angular_velocity);
                samples.push(Sample {
                    problem: run.problem().clone(),
                    velocity: bodies
                        .filter(|((block, _), _)| !block.support)
                        .map(|((_, v), w)| [v.x, v.y, v.z, w.x, w.y, w.z])
                        .collect(),
                    impulse: run.impulses().to_vec(),
                });
            }
        })?;
    }
    let mut results = Measurements::from([("problems".into(), samples.len() as f64)]);
    let (mut cold, mut warm, mut worst, mut unsolved) = (0f64, 0f64, 0f64, 0);
    for sample in &samples {
        let reference = solve(sample, Method::Clarabel, false)?;
        let fast_cold = solve(sample, Method::InteriorPoint, false)?;
        let fast_warm = solve(sample, Method::InteriorPoint, true)?;
        cold = cold.max(difference(sample, &reference, &fast_cold));
        warm = warm.max(difference(sample, &reference, &fast_warm));
        for solution in [&reference, &fast_cold, &fast_warm] {
            worst = worst.max(solution.residual.worst());
            unsolved += usize::from(solution.status != Status::Solved);
        }
    }
    results.insert("difference_cold".into(), cold);
    results.insert("difference_warm".into(), warm);
    results.insert("residual".into(), worst);
    results.insert("unsolved".into(), unsolved as f64);
    Ok(results)
}

fn solve(sample: &Sample, method: Method, warm: bool) -> Result<Solution, String> {
    let settings = Settings {
        method,
        tolerances: Tolerances::default(),
        ..Settings::default()
    };
    let guess = Warm {
        velocity: &sample.velocity,
        impulse: &sample.impulse,
    };
    Solver::new(settings)
        .solve(&sample.problem, warm.then_some(guess))
        .map_err(|fault| fault.to_string())
}

/// Difference of two velocity fields by their kinetic energy, as a speed relative to that of one step of gravity or of
/// the free motion, whichever is larger.
fn difference(sample: &Sample, a: &Solution, b: &Solution) -> f64 {
    let problem = &sample.problem;
    let (mut energy, mut free, mut mass) = (0.0, 0.0, 0.0);
    for body in 0..problem.bodies() {
        let d: Vec<f64> = (0..6)
            .map(|k| a.velocity[body][k] - b.velocity[body][k])
            .collect();
        let f = &problem.free_velocity[body];
        let quadratic = |v: &[f64]| {
            let h = &problem.rotational[body];
            let spin: f64 = (0..9).map(|k| v[3 + k / 3] * h[k] * v[3 + k % 3]).sum();
            problem.mass[body] * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + spin
        };
        energy += quadratic(&d);
        free += quadratic(f);
        mass += problem.mass[body];
    }
    (energy / mass).sqrt() / problem.speed_scale.max((free / mass).sqrt())
}
