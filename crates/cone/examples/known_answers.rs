//! Finds the answers of the library of stored problems and writes them:
//! `cargo run --release -p drystone-cone --example known_answers -- crates/cone/problems`.
//!
//! Where blocks slide, interior points stop at velocities that are off by a hundred times the gap and more. So both solvers'
//! answers are sharpened: the answer tells which contacts are open, stick or slide, and Newton's method solves the
//! equations that follow, which have no inequalities any more. The two sharpened answers have to agree, and the judge has to accept
//! them. Where the interior-point method finds no answer of its own, Clarabel's is compared with itself sharpened. Files that are
//! there already are kept. Large problems are not sharpened; those in the library are such that the solvers agree without.

use std::path::Path;

use drystone_cone::{
    Contact, FIXED, Method, SOLVED_FORMAT, Settings, SolvedProblem, Solver, Status, StepProblem,
    Tolerances, corpus, residual,
};
use faer::Mat;

/// Stored as a whole up to this number of contacts, so that files stay below 100 kB.
const WHOLE: usize = 200;
/// Sharpened up to this number of equations: a dense singular value decomposition.
const SHARPENED: usize = 1200;

type Answer = (Vec<[f64; 6]>, Vec<[f64; 3]>);

/// What a contact does in the answer.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Regime {
    Open,
    Stick,
    Slide,
}

fn main() {
    let folder = std::env::args().nth(1);
    let mut problems: Vec<(String, StepProblem)> = corpus::hard()
        .into_iter()
        .map(|(name, problem)| (name.to_owned(), problem))
        .collect();
    // Steps of real models, as `drystone dump` stored them.
    for path in std::env::args().skip(2) {
        let name = Path::new(&path).file_stem().unwrap_or_default();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        match serde_json::from_str::<drystone_cone::StoredProblem>(&text) {
            Ok(stored) => problems.push((name.to_string_lossy().into_owned(), stored.problem)),
            Err(error) => println!("{path}: {error}"),
        }
    }
    for (name, problem) in problems {
        let path = folder
            .as_ref()
            .map(|f| Path::new(f).join(format!("{name}.json")));
        if path.as_ref().is_some_and(|path| path.exists()) {
            continue;
        }
        let whole = problem.contacts.len() <= WHOLE;
        let problem = if whole { tidy(problem) } else { problem };
        let Some((error, answer)) = best(&problem) else {
            println!("{name:26} no two answers");
            continue;
        };
        let judged = residual(&problem, &answer.0, &answer.1).worst();
        println!(
            "{name:26} {:4} bodies {:5} contacts: {error:.1e} apart, judged {judged:.1e}",
            problem.bodies(),
            problem.contacts.len()
        );
        let Some(path) = path.filter(|_| error < 1e-9) else {
            continue;
        };
        let scale = speed(&problem);
        let solved = SolvedProblem {
            format: SOLVED_FORMAT.to_owned(),
            about: format!(
                "{}; the velocity is what an interior-point method and Clarabel agree on",
                name.replace('-', " ")
            ),
            // Rounded like the velocity below.
            error: short(error.max(1e-12), 1),
            velocity: answer
                .0
                .iter()
                .map(|v| v.map(|x| (x / (1e-12 * scale)).round() * (1e-12 * scale)))
                .map(|v| v.map(|x| short(x, 13)))
                .collect(),
            problem: whole.then_some(problem),
        };
        let text = serde_json::to_string(&solved).unwrap_or_default() + "\n";
        if let Err(error) = std::fs::write(&path, text) {
            println!("{}: {error}", path.display());
        }
    }
}

/// A number with so many significant digits.
fn short(x: f64, digits: usize) -> f64 {
    format!("{x:.*e}", digits - 1).parse().unwrap_or(x)
}

/// Generated numbers with fewer digits, where it does not matter which they are exactly: a problem of its own.
fn tidy(mut p: StepProblem) -> StepProblem {
    let fine = |x: &mut f64| *x = (*x * 1e7).round() / 1e7;
    p.free_velocity.iter_mut().flatten().for_each(fine);
    for c in &mut p.contacts {
        c.arms.iter_mut().flatten().for_each(fine);
        c.offset.iter_mut().for_each(fine);
        for (side, arm) in c.arms.iter_mut().enumerate() {
            if c.bodies[side] == FIXED {
                *arm = [0.0; 3];
            }
        }
    }
    p.mass.iter_mut().for_each(|x| *x = short(*x, 12));
    for j in &mut p.rotational {
        j.iter_mut().for_each(|x| *x = short(*x, 12));
        for (a, b) in [(1, 3), (2, 6), (5, 7)] {
            j[b] = j[a];
        }
    }
    p
}

/// The judge's speed scale of the whole.
fn speed(p: &StepProblem) -> f64 {
    let (mut energy, mut push) = (0.0, 0.0);
    for (b, v) in p.free_velocity.iter().enumerate() {
        let h = p.inertia_times(b, v);
        energy += (0..6).map(|k| v[k] * h[k]).sum::<f64>();
    }
    for c in &p.contacts {
        push += c.offset[0].min(0.0).powi(2);
    }
    let mass: f64 = p.mass.iter().sum();
    let penetration = (push / p.contacts.len().max(1) as f64).sqrt();
    p.speed_scale.max((energy / mass).sqrt()).max(penetration)
}

fn apart(p: &StepProblem, a: &Answer, b: &Answer) -> f64 {
    let pairs = a.0.iter().flatten().zip(b.0.iter().flatten());
    pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f64::max) / speed(p)
}

/// The nearest two answers of different solvers.
fn best(p: &StepProblem) -> Option<(f64, Answer)> {
    let answers = |method| -> Vec<Answer> {
        let (mut out, mut sharp) = (Vec::new(), 0);
        for exponent in 12..=24 {
            let t = 10.0_f64.powf(-0.5 * f64::from(exponent));
            let tolerances = Tolerances {
                momentum: t,
                primal: t,
                gap: t,
            };
            let settings = Settings {
                method,
                tolerances,
                rest_rule: false,
                ..Settings::default()
            };
            let Ok(s) = Solver::new(settings).solve(p, None) else {
                continue;
            };
            // An answer of the other solver would prove nothing.
            if s.status != Status::Solved || s.stats.fallbacks > 0 {
                continue;
            }
            let answer = (s.velocity, s.impulse);
            if sharp < 2 && 6 * p.bodies() + 3 * p.contacts.len() <= SHARPENED {
                let found = [1e-5, 1e-4, 1e-3]
                    .into_iter()
                    .find_map(|threshold| sharpen(p, &answer, threshold));
                sharp += usize::from(found.is_some());
                out.extend(found);
            }
            out.push(answer);
        }
        out
    };
    let (ours, theirs) = (answers(Method::InteriorPoint), answers(Method::Clarabel));
    let mut nearest: Option<(f64, Answer)> = None;
    let first = if ours.is_empty() { &theirs } else { &ours };
    for (i, a) in first.iter().enumerate() {
        for b in theirs.iter().skip(if ours.is_empty() { i + 1 } else { 0 }) {
            let distance = apart(p, a, b);
            if nearest.as_ref().is_none_or(|(best, _)| distance < *best) {
                nearest = Some((distance, b.clone()));
            }
        }
    }
    nearest
}

/// Newton's method on the equations of the regimes that an answer shows; `None` if it leads away or the judge disagrees.
fn sharpen(p: &StepProblem, from: &Answer, threshold: f64) -> Option<Answer> {
    let (bodies, count) = (p.bodies(), p.contacts.len());
    let v_ref = speed(p);
    let r_ref = p.mass.iter().sum::<f64>() / bodies as f64 * v_ref;
    let (mut v, mut r) = from.clone();
    let regimes: Vec<Regime> = p
        .contacts
        .iter()
        .zip(&r)
        .map(|(c, r)| {
            let u = norm(&p.cone_velocity(c, &v, r)) / v_ref;
            let r = norm(r) / r_ref;
            match (u > threshold, r > threshold) {
                (true, true) => Regime::Slide,
                (false, _) if r >= u => Regime::Stick,
                _ => Regime::Open,
            }
        })
        .collect();
    let size = 6 * bodies + 3 * count;
    for _ in 0..6 {
        let mut jacobian = Mat::<f64>::zeros(size, size);
        let mut left = Mat::<f64>::zeros(size, 1);
        let generalised = p.generalised_impulse(&r);
        for b in 0..bodies {
            let change = std::array::from_fn(|k| v[b][k] - p.free_velocity[b][k]);
            let inertial = p.inertia_times(b, &change);
            for k in 0..6 {
                let row = 6 * b + k;
                if !p.free[k] {
                    jacobian[(row, row)] = 1.0;
                    continue;
                }
                left[(row, 0)] = (inertial[k] - generalised[b][k]) / p.mass[b];
                let mut unit = [0.0; 6];
                unit[k] = 1.0;
                let column = p.inertia_times(b, &unit);
                for (l, x) in column.iter().enumerate() {
                    if p.free[l] {
                        jacobian[(6 * b + l, row)] = x / p.mass[b];
                    }
                }
            }
        }
        for (i, contact) in p.contacts.iter().enumerate() {
            // `u` as a linear function: rows of derivatives by V and by r, and the value.
            let at = 6 * bodies + 3 * i;
            let u = p.cone_velocity(contact, &v, &r[i]);
            let rows = derivatives(p, contact);
            for (b, row) in &rows {
                for (k, row) in row.iter().enumerate() {
                    for l in 0..6 {
                        // Momentum: minus the transpose; unknown impulses count in r_ref / v_ref.
                        jacobian[(6 * b + l, at + k)] -= row[l] / p.mass[*b] * (r_ref / v_ref);
                    }
                }
            }
            let mut put = |row: usize, weights: [f64; 3], value: f64| {
                for (b, d) in &rows {
                    for l in 0..6 {
                        jacobian[(at + row, 6 * b + l)] +=
                            (0..3).map(|k| weights[k] * d[k][l]).sum::<f64>();
                    }
                }
                for k in 0..3 {
                    jacobian[(at + row, at + k)] +=
                        weights[k] * contact.compliance[k.min(1)] * (r_ref / v_ref);
                }
                left[(at + row, 0)] = value;
            };
            let mu = contact.friction;
            match regimes[i] {
                Regime::Open => {}
                Regime::Stick if mu > 0.0 => {
                    put(0, [1.0, 0.0, 0.0], u[0]);
                    put(1, [0.0, 1.0, 0.0], u[1]);
                    put(2, [0.0, 0.0, 1.0], u[2]);
                }
                Regime::Stick | Regime::Slide if mu == 0.0 => put(0, [1.0, 0.0, 0.0], u[0]),
                Regime::Stick | Regime::Slide => {
                    let slip = u[1].hypot(u[2]);
                    let t = [u[1] / slip, u[2] / slip];
                    put(0, [1.0, -mu * t[0], -mu * t[1]], u[0] - mu * slip);
                    // r_T + mu r_N t = 0, in units of r_ref / v_ref.
                    let push = mu * r[i][0] / (slip * r_ref / v_ref);
                    let across = [-t[1], t[0]];
                    for k in 0..2 {
                        let value = (r[i][1 + k] + mu * r[i][0] * t[k]) / (r_ref / v_ref);
                        let turn = push * across[k];
                        put(1 + k, [0.0, turn * across[0], turn * across[1]], value);
                    }
                    for k in 0..2 {
                        jacobian[(at + 1 + k, at + 1 + k)] += 1.0;
                        jacobian[(at + 1 + k, at)] += mu * t[k];
                    }
                }
            }
            let powerless = match regimes[i] {
                Regime::Open => 0..3,
                _ if mu == 0.0 => 1..3,
                _ => 0..0,
            };
            for k in powerless {
                jacobian[(at + k, at + k)] = 1.0;
                left[(at + k, 0)] = r[i][k] / (r_ref / v_ref);
            }
        }
        let svd = jacobian.thin_svd().ok()?;
        let (left_vectors, values, right_vectors) = (svd.U(), svd.S(), svd.V());
        let mut along = left_vectors.transpose() * &left;
        let largest = values[0];
        for k in 0..size {
            // Redundant contacts: the shortest step.
            along[(k, 0)] = if values[k] > 1e-11 * largest {
                along[(k, 0)] / values[k]
            } else {
                0.0
            };
        }
        let step = right_vectors * along;
        for (b, v) in v.iter_mut().enumerate() {
            (0..6).for_each(|k| v[k] -= step[(6 * b + k, 0)]);
        }
        for (i, r) in r.iter_mut().enumerate() {
            (0..3).for_each(|k| r[k] -= step[(6 * bodies + 3 * i + k, 0)] * (r_ref / v_ref));
        }
    }
    let judged = residual(p, &v, &r).worst();
    (judged < 1e-11).then_some((v, r))
}

/// Rows of `D'` for a contact, by body.
fn derivatives(p: &StepProblem, contact: &Contact) -> Vec<(usize, [[f64; 6]; 3])> {
    let mut out = Vec::new();
    for (side, sign) in [(0, -1.0), (1, 1.0)] {
        if contact.bodies[side] == FIXED {
            continue;
        }
        let arm = contact.arms[side];
        let rows = contact.frame.map(|n| {
            let turn = [
                arm[1] * n[2] - arm[2] * n[1],
                arm[2] * n[0] - arm[0] * n[2],
                arm[0] * n[1] - arm[1] * n[0],
            ];
            let row = [n[0], n[1], n[2], turn[0], turn[1], turn[2]];
            std::array::from_fn(|l| if p.free[l] { sign * row[l] } else { 0.0 })
        });
        out.push((contact.bodies[side] as usize, rows));
    }
    out
}

fn norm(x: &[f64; 3]) -> f64 {
    x.iter().map(|x| x * x).sum::<f64>().sqrt()
}
