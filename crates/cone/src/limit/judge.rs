//! How good an answer is, recomputed from the program by plain loops.

use super::program::{Program, masked};
use super::{Answer, LimitProblem, LimitResidual, LimitSettings, LimitSolution, LimitStatus};
use crate::residual::worse;

/// Residuals up to this many tolerances still count. Solvers stop by their own norms, and where most joints neither carry nor open
/// no interior-point method gets further.
const SLACK: f64 = 100.0;
/// A body much lighter than the others may be out of balance by this much less, relative to its own load: by a hundredth where the
/// others are by a millionth of theirs.
const LIGHT: f64 = 1e-4;
/// Where forces act on it that are greater than its own load by more than one over this, it is these that count: no digits are left for
/// its load.
const ACTING: f64 = 1e-6;

/// What a mechanism is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mechanism {
    /// It proves an upper bound.
    Proves,
    /// It shows how blocks move, under Coulomb's law, where it proves nothing.
    Shows,
}

pub(super) fn judged(
    problem: &LimitProblem,
    program: &Program,
    settings: &LimitSettings,
    mechanism: Mechanism,
    answer: Answer,
) -> LimitSolution {
    let mut residual = residual(program, &answer, mechanism);
    residual.force = worse(residual.force, crushed(problem, program, &answer));
    let status = if good(residual.worst(), settings) {
        answer.status
    } else {
        LimitStatus::Inaccurate
    };
    let (multiplier, upper) = match status {
        LimitStatus::Unbounded => (f64::INFINITY, f64::INFINITY),
        LimitStatus::Infeasible => (f64::NEG_INFINITY, f64::NEG_INFINITY),
        _ => {
            let (lower, upper) = bounds(program, &answer);
            (lower + program.constant, upper + program.constant)
        }
    };
    let contacts = problem.contacts.len();
    let local = |(contact, z): (&crate::Contact, &[f64; 3])| {
        let mu = contact.friction;
        [z[0], mu * z[1], mu * z[2]]
    };
    let mut force: Vec<[f64; 3]> = problem.contacts.iter().zip(&answer.z).map(local).collect();
    match status {
        LimitStatus::Unbounded => program.sheared(&answer.z, &mut force),
        _ => program.bonded(problem, &answer.z, &mut force),
    }
    let mut velocity = answer.velocity;
    velocity.truncate(problem.bodies());
    LimitSolution {
        status,
        multiplier,
        upper,
        velocity,
        force,
        tension: (0..problem.ties.len())
            .map(|k| answer.z[contacts + 2 * k][0])
            .collect(),
        residual,
        iterations: answer.iterations,
    }
}

/// How far an answer is from solving a program, relative.
pub(super) fn miss(program: &Program, answer: &Answer) -> f64 {
    residual(program, answer, Mechanism::Proves).worst()
}

/// By how much joints are crushed, over what they carry or the mean load, whichever is more.
fn crushed(problem: &LimitProblem, program: &Program, answer: &Answer) -> f64 {
    if !matches!(
        answer.status,
        LimitStatus::Optimal | LimitStatus::Inaccurate
    ) {
        return 0.0;
    }
    let unit = program.unit_force();
    let normal = |k: u32| answer.z[k as usize][0];
    problem.crushing.iter().fold(0.0, |most, joint| {
        let force: f64 = joint.contacts.iter().map(|&k| normal(k)).sum();
        worse(most, joint.excess(normal) / force.max(unit))
    })
}

/// Whether a residual counts as small.
pub(super) fn good(residual: f64, settings: &LimitSettings) -> bool {
    residual <= SLACK * settings.tolerance
}

fn work(loads: &[[f64; 6]], velocity: &[[f64; 6]]) -> f64 {
    let pairs = loads.iter().flatten().zip(velocity.iter().flatten());
    pairs.map(|(f, v)| f * v).sum()
}

/// Lower and upper bound.
fn bounds(program: &Program, answer: &Answer) -> (f64, f64) {
    let gaps = program.cones.iter().zip(&answer.z);
    let against: f64 = gaps
        .map(|(cone, z)| (0..3).map(|k| cone.offset[k] * z[k]).sum::<f64>())
        .sum();
    (
        answer.alpha - against,
        -work(&program.dead, &answer.velocity),
    )
}

fn residual(program: &Program, answer: &Answer, mechanism: Mechanism) -> LimitResidual {
    let size = |x: &[f64; 6], radius: f64| {
        let force = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        let moment = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
        (force + moment / (radius * radius)).sqrt()
    };
    let speed = |x: &[f64; 6], radius: f64| {
        let speed = x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
        let spin = x[3] * x[3] + x[4] * x[4] + x[5] * x[5];
        (speed + spin * radius * radius).sqrt()
    };
    let mean = |loads: &[[f64; 6]]| {
        let all = loads.iter().zip(&program.radii).take(program.bodies);
        let sum: f64 = all.map(|(load, &radius)| size(load, radius)).sum();
        sum / program.bodies.max(1) as f64
    };
    let means = [mean(&program.given), mean(&program.live)];
    let grown = answer.alpha.abs() * means[1];
    let (dead, unit_force) = match answer.status {
        // With gaps to close, forces may gain without any live load.
        LimitStatus::Unbounded => {
            let largest = answer
                .z
                .iter()
                .flatten()
                .fold(0.0, |m: f64, z| m.max(z.abs()));
            (0.0, if grown > 0.0 { grown } else { largest })
        }
        _ if means[0] > 0.0 => (1.0, means[0].max(grown)),
        _ => (1.0, means[1]),
    };
    let live = answer.alpha;
    let unit_speed = answer
        .velocity
        .iter()
        .zip(&program.radii)
        .take(program.bodies)
        .map(|(v, &radius)| speed(v, radius))
        .fold(0.0, worse);

    let mut out = LimitResidual::default();
    if answer.status != LimitStatus::Infeasible {
        let acting = acting(program, &answer.z);
        for (node, force) in program.force(&answer.z).iter().enumerate() {
            let missing: [f64; 6] = std::array::from_fn(|k| {
                force[k] + dead * program.dead[node][k] + live * program.live[node][k]
            });
            let radius = program.radii[node];
            let missing = size(&masked(&program.free, missing), radius);
            out.balance = worse(out.balance, missing / unit_force);
            let own = dead * size(&program.dead[node], radius)
                + live.abs() * size(&program.live[node], radius);
            if node < program.bodies && own > 0.0 {
                let own = own.max(ACTING * acting[node]);
                out.balance = worse(out.balance, LIGHT * missing / own);
            }
        }
        for (cone, z) in program.cones.iter().zip(&answer.z) {
            out.force = worse(out.force, outside(z, cone.ray) / unit_force);
        }
    }
    if answer.status != LimitStatus::Unbounded {
        // Gaps are lengths, and enter with the unit of velocity that the live loads set; a motion that starts by itself has none.
        let offset = if answer.status == LimitStatus::Infeasible {
            0.0
        } else {
            1.0
        };
        // A mechanism proves nothing beyond what forces do where it leaves the cones: those that there are or, without any, those of the loads that they would have to balance. Strong joints have cones with forces far greater than the loads.
        let mut undone = 0.0;
        for (k, cone) in program.cones.iter().enumerate() {
            let mut s = program.velocity(cone, &answer.velocity);
            (0..3).for_each(|k| s[k] += offset * cone.offset[k]);
            let outside = outside(&s, cone.ray);
            out.velocity = worse(out.velocity, outside / unit_speed);
            let force = if answer.status == LimitStatus::Infeasible {
                // Auxiliary nodes have the strengths of ties and joints for loads.
                let nodes = program.sides_of(cone).iter().map(|side| side.node as usize);
                let bodies = nodes.filter(|&node| node < program.bodies);
                bodies
                    .map(|node| size(&program.dead[node], program.radii[node]))
                    .fold(0.0, f64::max)
            } else {
                answer.z[k].iter().map(|z| z * z).sum::<f64>().sqrt()
            };
            if mechanism == Mechanism::Proves {
                undone += outside * force;
            }
        }
        let done = work(&program.live, &answer.velocity);
        if answer.status == LimitStatus::Infeasible {
            let own = work(&program.dead, &answer.velocity);
            out.normalisation = if own > 0.0 {
                (done.abs() + undone) / own
            } else {
                f64::INFINITY
            };
        } else {
            out.normalisation = (done - 1.0).abs();
            let (lower, upper) = bounds(program, answer);
            let unit = if means.iter().all(|&x| x > 0.0) {
                means[0] / means[1]
            } else {
                1.0
            };
            out.gap = ((upper - lower).abs() + undone) / lower.abs().max(unit);
        }
    } else {
        // What the loads gain must not be a rounding of what the gaps take.
        out.gap = (bounds(program, answer).0 - 1.0).abs();
    }
    out
}

/// Largest force of a cone on each node, N.
fn acting(program: &Program, z: &[[f64; 3]]) -> Vec<f64> {
    let mut largest = vec![0.0; program.nodes()];
    for (cone, z) in program.cones.iter().zip(z) {
        let force = z.iter().map(|x| x * x).sum::<f64>().sqrt();
        for side in program.sides_of(cone) {
            let most: &mut f64 = &mut largest[side.node as usize];
            *most = most.max(force);
        }
    }
    largest
}

/// Distance to the Lorentz cone, or of the first component to what is not negative.
fn outside(x: &[f64; 3], ray: bool) -> f64 {
    let tangent = (x[1] * x[1] + x[2] * x[2]).sqrt();
    if ray || -x[0] >= tangent {
        let rest = if ray { 0.0 } else { tangent };
        return if x[0].is_nan() {
            f64::NAN
        } else {
            x[0].min(0.0).hypot(rest)
        };
    }
    if tangent <= x[0] {
        0.0
    } else {
        (tangent - x[0]) * std::f64::consts::FRAC_1_SQRT_2
    }
}
