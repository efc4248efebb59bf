//! Both solvers on step problems taken from runs, cold and warm.

use drystone_cone::{
    Method, Settings, Solution, Solver, Status, StepProblem, Tolerances, Warm, residual,
};
use drystone_model::{Model, Tolerance};

use super::simulate;
use super::{arch::arch_scene, wall::wall_scene};
use crate::Measurements;
use crate::measured::{Part, note_tolerances};
use crate::scene::read;

/// Velocities of the free blocks and impulses of the contacts after a step.
struct Guess {
    velocity: Vec<[f64; 6]>,
    impulse: Vec<[f64; 3]>,
}

/// A step problem and the solution of the step before.
struct Sample {
    problem: StepProblem,
    before: Guess,
}

/// Runs a model and takes one step problem out of `every` ones, or the next whose contacts are as many as before it.
fn sample(model: &Model, every: u64, samples: &mut Vec<Sample>) -> Result<(), String> {
    let mut before: Option<Guess> = None;
    let mut wanted = false;
    simulate(model, &mut |run| {
        let progress = run.progress();
        wanted |= progress.steps % every == 1;
        let problem = run.problem();
        if let Some(guess) = before.take()
            && wanted
            && guess.impulse.len() == problem.contacts.len()
        {
            wanted = false;
            samples.push(Sample {
                problem: problem.clone(),
                before: guess,
            });
        }
        let bodies = model
            .blocks
            .iter()
            .zip(&progress.state.velocity)
            .zip(&progress.state.angular_velocity);
        before = Some(Guess {
            velocity: bodies
                .filter(|((block, _), _)| !block.support)
                .map(|((_, v), w)| [v.x, v.y, v.z, w.x, w.y, w.z])
                .collect(),
            impulse: run.impulses().to_vec(),
        });
    })?;
    Ok(())
}

pub fn run() -> Result<Measurements, String> {
    let mut samples = Vec::new();
    let mut wall = wall_scene(8, 6, 0.4);
    wall.add(
        "[[motion]]\nname = \"sine\"\nkind = \"sine\"\namplitude = 6.0\nfrequency = 2.0\nduration = 1.0\ndirection = [1, 0.2, 0]\n\
         [[analysis]]\nname = \"shake\"\nkind = \"time_history\"\nfriction_law = \"associated\"\nscheme = \"euler\"\nmotion = \"sine\"\ndt = 0.002\nduration = 0.6",
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
        sample(&model, every, &mut samples)?;
    }
    let mut results = Measurements::from([("problems".into(), samples.len() as f64)]);
    // How the problems came about does not matter to how they are solved here.
    let _part = Part::begin();
    let (mut cold, mut warm, mut worst, mut unsolved) = (0f64, 0f64, 0f64, 0);
    let (mut reference_fallbacks, mut outdated) = (0, 0);
    for sample in &samples {
        let reference = solve(sample, Method::Clarabel, false)?;
        let fast_cold = solve(sample, Method::InteriorPoint, false)?;
        let fast_warm = solve(sample, Method::InteriorPoint, true)?;
        let guess = residual(
            &sample.problem,
            &sample.before.velocity,
            &sample.before.impulse,
        );
        outdated += usize::from(!guess.within(&Tolerances::default()));
        reference_fallbacks += usize::from(reference.stats.fallbacks > 0);
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
    results.insert("outdated_guesses".into(), outdated as f64);
    results.insert("reference_fallbacks".into(), reference_fallbacks as f64);
    results.insert("unsolved".into(), unsolved as f64);
    Ok(results)
}

fn solve(sample: &Sample, method: Method, warm: bool) -> Result<Solution, String> {
    let settings = Settings {
        method,
        tolerances: Tolerances::default(),
        // A guess within tolerance would be returned as it is, and nothing compared.
        check_first: false,
        ..Settings::default()
    };
    note_tolerances(Tolerance::Default, settings.tolerances);
    let guess = Warm {
        velocity: &sample.before.velocity,
        impulse: &sample.before.impulse,
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
