//! Every problem whose answer is known, with every preset, cold and warm, against that answer.
//!
//! Velocities are unique, impulses are not. With `(V, r)` judged to have gap `g`, primal and dual residuals `p` and `d`
//! and momentum residual `m`, monotonicity gives for the distance `e` of velocities, all relative,
//! `e^2 <= g + p R + d U + m e`, where `R` and `U` are the sums over contacts of impulses and relative velocities in units of the
//! judge. That is a theorem, so a solver that tells the truth about its residuals can't miss it; but it is a square
//! root. What solvers reach is better: where no contact is between two regimes the error is in proportion to the gap, and
//! `PRACTICAL` holds them to that.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_cone::{
    SOLVED_FORMAT, Settings, SolvedProblem, Solver, Status, StepProblem, Tolerances, Warm, corpus,
    islands, residual,
};

/// Velocity error over the loosest tolerance of a preset. Ten to two hundred is usual; of thousands of separate points, some are so
/// near to the border between sticking and sliding that it is two thousand.
const PRACTICAL: f64 = 3000.0;

/// Name, problem, velocity.
type Known = (String, StepProblem, Vec<[f64; 6]>);

fn stored() -> Vec<Known> {
    let generated: BTreeMap<_, _> = corpus::hard().into_iter().collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("problems");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|x| x == "json"))
        .collect();
    paths.sort();
    let mut whole = 0;
    let mut out = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.len() < 100_000, "{name}: {} bytes", text.len());
        whole += text.len();
        let solved: SolvedProblem = serde_json::from_str(&text).unwrap();
        assert_eq!(solved.format, SOLVED_FORMAT, "{name}");
        assert!(solved.error <= 1e-9, "{name}: {}", solved.error);
        let problem = solved
            .problem
            .or_else(|| generated.get(name.as_str()).cloned())
            .unwrap_or_else(|| panic!("{name}: no problem"));
        assert_eq!(problem.bodies(), solved.velocity.len(), "{name}");
        out.push((name, problem, solved.velocity));
    }
    assert!(whole < 1_000_000, "{whole} bytes");
    for name in generated.keys() {
        assert!(out.iter().any(|(n, ..)| n == name), "{name} has no answer");
    }
    out
}

fn closed() -> Vec<Known> {
    let all = corpus::closed().into_iter();
    all.map(|known| (known.name.to_owned(), known.problem, known.velocity))
        .collect()
}

/// Largest distance of velocities over all islands, each in units of its own scale and of the norm of `H / M`, and the bound
/// that follows from the residuals of the answer; islands because the judge looks at each alone.
fn errors(p: &StepProblem, known: &[[f64; 6]], velocity: &[[f64; 6]], impulse: &[[f64; 3]]) -> f64 {
    let mut worst = 0.0_f64;
    for island in islands(p) {
        let q = island.extract(p);
        let pick = |from: &[[f64; 6]]| -> Vec<[f64; 6]> {
            island.bodies.iter().map(|&b| from[b as usize]).collect()
        };
        let (known, velocity) = (pick(known), pick(velocity));
        let impulse: Vec<[f64; 3]> = island
            .contacts
            .iter()
            .map(|&c| impulse[c as usize])
            .collect();
        let square = |v: &[[f64; 6]]| -> f64 {
            let each = v.iter().enumerate().map(|(b, v)| {
                let h = q.inertia_times(b, v);
                (0..6).map(|k| v[k] * h[k]).sum::<f64>()
            });
            each.sum()
        };
        let mass: f64 = q.mass.iter().sum();
        let mean = mass / q.bodies() as f64;
        let points = q.contacts.len().max(1) as f64;
        let push: f64 = q
            .contacts
            .iter()
            .map(|c| c.offset[0].min(0.0).powi(2))
            .sum();
        let scale = q
            .speed_scale
            .max((square(&q.free_velocity) / mass).sqrt())
            .max((push / points).sqrt());
        let off: Vec<[f64; 6]> = known
            .iter()
            .zip(&velocity)
            .map(|(a, b)| std::array::from_fn(|k| a[k] - b[k]))
            .collect();
        let error = (square(&off) / mass).sqrt() / scale;
        worst = worst.max(error);

        let judged = residual(&q, &velocity, &impulse);
        let norm = |x: &[f64; 3]| x.iter().map(|x| x * x).sum::<f64>().sqrt();
        let impulses: f64 = impulse.iter().map(norm).sum::<f64>() / (mass * scale);
        let slips = q.contacts.iter().zip(&impulse);
        let slips: f64 = slips
            .map(|(c, r)| norm(&q.cone_velocity(c, &known, r)))
            .sum::<f64>()
            / scale;
        // Impulses outside K are measured by mean mass, the gap by all; those of the answer found stand for the exact ones.
        let sum = judged.gap + judged.primal * impulses + judged.dual * slips * mean / mass;
        let bound = judged.momentum + sum.sqrt();
        assert!(
            error <= 1.01 * bound + 1e-9,
            "{error:.2e} is more than the residuals allow, {bound:.2e}: {judged:?}"
        );
    }
    worst
}

fn presets() -> [(&'static str, Tolerances); 3] {
    [
        ("preview", Tolerances::preview()),
        ("default", Tolerances::default()),
        ("validation", Tolerances::validation()),
    ]
}

#[test]
fn every_preset_cold_and_warm_finds_the_known_velocity() {
    let mut random = corpus::Random::new(77);
    let mut report = String::new();
    let mut failed = 0;
    for (name, p, known) in closed().into_iter().chain(stored()) {
        for (preset, tolerances) in presets() {
            let settings = Settings {
                tolerances,
                ..Settings::default()
            };
            let cold = Solver::new(settings).solve(&p, None).unwrap();
            // The step before was a little different.
            let mut velocity = known.clone();
            for x in velocity.iter_mut().flatten() {
                *x += 0.02 * p.speed_scale * random.signed();
            }
            let mut impulse = cold.impulse.clone();
            for x in impulse.iter_mut().flatten() {
                *x *= 1.0 + 0.05 * random.signed();
            }
            let guess = Warm {
                velocity: &velocity,
                impulse: &impulse,
            };
            let warm = Solver::new(settings).solve(&p, Some(guess)).unwrap();
            for (way, s) in [("cold", &cold), ("warm", &warm)] {
                let judged = residual(&p, &s.velocity, &s.impulse);
                assert_eq!(judged, s.residual, "{name} {preset} {way}");
                let error = errors(&p, &known, &s.velocity, &s.impulse);
                let allowed = PRACTICAL * tolerances.gap.max(tolerances.primal);
                let good =
                    s.status == Status::Solved && judged.within(&tolerances) && error <= allowed;
                failed += usize::from(!good);
                report += &format!(
                    "{} {name:26} {preset:10} {way} {error:8.1e} of {allowed:.0e}, {:?}, {} iterations, {} fallbacks, judged {:.1e}\n",
                    if good { "  " } else { "->" },
                    s.status,
                    s.stats.iterations,
                    s.stats.fallbacks,
                    judged.worst()
                );
            }
        }
    }
    println!("{report}");
    assert_eq!(failed, 0, "\n{report}");
}

/// The judge itself accepts the stored velocities as far as it can without impulses: no contact closes faster than it may.
#[test]
fn known_velocities_are_admissible() {
    for (name, p, known) in closed().into_iter().chain(stored()) {
        for (c, contact) in p.contacts.iter().enumerate() {
            if contact.compliance != [0.0; 2] {
                continue;
            }
            let u = p.cone_velocity(contact, &known, &[0.0; 3]);
            let lack = contact.friction * u[1].hypot(u[2]) - u[0];
            let scale = p.speed_scale.max(1.0);
            assert!(lack < 1e-9 * scale, "{name}: contact {c} lacks {lack:.1e}");
        }
    }
}
