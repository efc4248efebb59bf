//! Times the solvers on walls, arches and buildings: `cargo run --release -p drystone-cone --example solve_bench`.
//!
//! Every problem is solved cold, then warm with a slightly changed free velocity, by the interior-point method and by
//! Clarabel, to the tolerances of `Settings::default`. Clarabel is always cold and, measuring by other norms, ends with a
//! gap three orders smaller than asked; at equal gap it would save two to four of its iterations, about a tenth.
//! Clarabel is left out from 5000 blocks on unless `--all` is given; `--small` stops at 1000. The exponent is that of time
//! over blocks between one size and the next.

use std::sync::OnceLock;
use std::time::Instant;

use drystone_cone::{Method, Settings, Solution, Solver, StepProblem, Warm, corpus};

type Family = (&'static str, fn(usize) -> StepProblem);

/// A wall about twice as long as high.
fn wall(blocks: usize) -> StepProblem {
    let courses = (blocks as f64).sqrt().round() as usize;
    corpus::wall(blocks / courses, courses)
}

fn building(blocks: usize) -> StepProblem {
    // Four walls of n - 1/2 blocks per course, twice as long as high.
    let length = ((blocks as f64 / 4.0).sqrt()).round() as usize;
    corpus::building(length, blocks / (4 * length - 2))
}

/// Another step of the same motion: every body a little faster or slower.
fn next_step(p: &StepProblem, part: f64) -> StepProblem {
    let mut random = corpus::Random::new(5);
    let mut q = p.clone();
    for v in &mut q.free_velocity {
        v.iter_mut()
            .take(3)
            .for_each(|x| *x += part * p.speed_scale * random.signed());
    }
    q
}

/// Milliseconds of processor time of this thread, which a busy machine does not stretch; of wall time where the system does
/// not tell.
fn now() -> f64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    let wall = BEGIN.get_or_init(Instant::now).elapsed().as_secs_f64() * 1e3;
    let counted = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = counted.and_then(|text| text.split_whitespace().next()?.parse::<f64>().ok());
    nanoseconds.map_or(wall, |n| n * 1e-6)
}

/// Mean of a few runs, in milliseconds, and the last answer.
fn time(repeat: usize, mut run: impl FnMut() -> Option<Solution>) -> Option<(f64, Solution)> {
    let begin = now();
    let mut last = run()?;
    for _ in 1..repeat {
        last = run()?;
    }
    Some(((now() - begin) / repeat as f64, last))
}

fn main() {
    let wanted = |flag: &str| std::env::args().any(|a| a == flag);
    let families: [Family; 5] = [
        ("arch", corpus::arch),
        ("wall, small motion", |n| corpus::shaken(wall(n), 0.005, 1)),
        ("wall, collapsing", |n| corpus::collapsing(wall(n), 2.0)),
        ("building, small motion", |n| {
            corpus::shaken(building(n), 0.005, 2)
        }),
        ("building, collapsing", |n| {
            corpus::collapsing(building(n), 2.0)
        }),
    ];
    println!(
        "{:24} {:>6} {:>8} | {:>9} {:>3} {:>5} | {:>9} {:>3} {:>5} | {:>9} {:>3} {:>6} {:>6}",
        "problem",
        "bodies",
        "contacts",
        "cold ms",
        "it",
        "exp",
        "warm ms",
        "it",
        "exp",
        "clarabel",
        "it",
        "cold x",
        "warm x"
    );
    for (name, make) in families {
        let mut before: Option<(f64, f64, f64)> = None;
        for size in [200, 1000, 5000] {
            if size > 1000 && (wanted("--small") || name == "arch") {
                continue;
            }
            let p = make(size);
            let q = next_step(&p, 0.02);
            let repeat = (10_000 / size).clamp(1, 50);
            let settings = Settings::default();
            let Some((cold, first)) = time(repeat, || Solver::new(settings).solve(&p, None).ok())
            else {
                continue;
            };
            let mut solver = Solver::new(settings);
            let _ = solver.solve(&p, None);
            let guess = Warm {
                velocity: &first.velocity,
                impulse: &first.impulse,
            };
            let Some((warm, second)) = time(repeat, || solver.solve(&q, Some(guess)).ok()) else {
                continue;
            };
            let reference = if size < 5000 || wanted("--all") {
                let settings = Settings {
                    method: Method::Clarabel,
                    ..settings
                };
                time(1, || Solver::new(settings).solve(&p, None).ok())
            } else {
                None
            };
            let bodies = p.bodies() as f64;
            let exponent = |now: f64, pick: fn((f64, f64, f64)) -> f64| {
                before.map_or(f64::NAN, |b| (now / pick(b)).ln() / (bodies / b.0).ln())
            };
            print!(
                "{name:24} {:6} {:8} | {cold:9.2} {:3} {:5.2} | {warm:9.2} {:3} {:5.2} |",
                p.bodies(),
                p.contacts.len(),
                first.stats.iterations,
                exponent(cold, |b| b.1),
                second.stats.iterations,
                exponent(warm, |b| b.2)
            );
            match reference {
                Some((ms, s)) => println!(
                    " {ms:9.1} {:3} {:6.1} {:6.1}",
                    s.stats.iterations,
                    ms / cold,
                    ms / warm
                ),
                None => println!(" {:>9}", "-"),
            }
            for (kind, s) in [("cold", &first), ("warm", &second)] {
                if s.status != drystone_cone::Status::Solved || s.stats.fallbacks > 0 {
                    println!("    {kind}: {:?} {:?} {:?}", s.status, s.residual, s.stats);
                }
            }
            before = Some((bodies, cold, warm));
        }
    }
}
