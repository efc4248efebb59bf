//! Equilibrium of whole structures: how long the verdict and the forces take, and how that grows.

use drystone_cone::{Method, Settings, Solver, Status, StepProblem, Tolerances, residual};
use drystone_model::{Joints, STATICS_TOLERANCE};
use drystone_questions::statics::{Posed, share, standing};
use serde::{Deserialize, Serialize};

use crate::clock::{cpu_ms, forget_peak, peak_megabytes, wall_ms};
use crate::family::Family;
use crate::measure::Timing;
use crate::report::milliseconds;
use crate::run::Options;

/// Repeats until so much time has gone by, ms.
const ENOUGH_MS: f64 = 200.0;

/// Length of the step from rest that is the verdict, s, as in the analysis.
const STEP: f64 = 1e-3;

/// One structure under its own weight.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct EquilibriumRow {
    /// Which structure.
    pub family: Family,
    /// Blocks that are free.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// It stands.
    pub stands: bool,
    /// The step from rest on one thread.
    pub own: Timing,
    /// Clarabel on the same step.
    pub clarabel: Option<Timing>,
    /// Rounds by which forces are made unique.
    pub rounds: u32,
    /// Processor time of these rounds, ms.
    pub rounds_ms: f64,
    /// Force out of balance after them, over the mean load.
    pub unbalanced: f64,
    /// Largest resident memory of the process during both, MB.
    pub peak_megabytes: Option<f64>,
}

impl EquilibriumRow {
    /// Verdict and forces together, ms.
    pub fn all_ms(&self) -> f64 {
        self.own.ms + self.rounds_ms
    }
}

pub(crate) const COLUMNS: [(&str, usize); 14] = [
    ("structure", 14),
    ("stands", 6),
    ("blocks", 6),
    ("contacts", 8),
    ("ms", 8),
    ("it", 4),
    ("exp", 5),
    ("Clarabel ms", 11),
    ("it", 4),
    ("x", 5),
    ("rounds", 6),
    ("with forces", 11),
    ("exp", 5),
    ("MB", 6),
];

pub(crate) fn row(
    options: &Options,
    family: Family,
    size: usize,
    clarabel_left: &mut f64,
) -> Result<EquilibriumRow, String> {
    let model =
        drystone_model::from_toml(&family.text(size)).map_err(|faults| faults.to_string())?;
    let posed = Posed::new(&model);
    let loads = posed.statics.dead();
    let problem = posed.statics.step_problem(&loads, STEP);
    forget_peak();
    let own = time(&problem, Method::default())?;
    let stands = standing(&posed, &loads, STATICS_TOLERANCE).map_err(|fault| fault.to_string())?;
    let (mut rounds, mut rounds_ms, mut unbalanced) = (0, 0.0, f64::NAN);
    if stands.stands {
        let (begin, mut runs) = (cpu_ms(), 0.0);
        loop {
            let shared = share(&posed, &loads, Joints::Rigid, STATICS_TOLERANCE)
                .map_err(|fault| fault.to_string())?;
            runs += 1.0;
            let spent = cpu_ms() - begin;
            if spent > ENOUGH_MS {
                rounds_ms = spent / runs;
                (rounds, unbalanced) = (shared.rounds, shared.unbalanced);
                break;
            }
        }
    }
    let peak_megabytes = peak_megabytes();
    let affordable = problem.bodies() < options.clarabel_below && *clarabel_left > 0.0;
    let clarabel = if affordable || options.all {
        let begin = wall_ms();
        let timing = time(&problem, Method::Clarabel)?;
        *clarabel_left -= 1e-3 * (wall_ms() - begin);
        Some(timing)
    } else {
        None
    };
    Ok(EquilibriumRow {
        family,
        blocks: problem.bodies(),
        contacts: problem.contacts.len(),
        stands: stands.stands,
        own,
        clarabel,
        rounds,
        rounds_ms,
        unbalanced,
        peak_megabytes,
    })
}

/// The step from rest, from nothing: with the analysis of the matrix.
fn time(problem: &StepProblem, method: Method) -> Result<Timing, String> {
    let settings = Settings {
        method,
        tolerances: Tolerances::validation(),
        ..Settings::default()
    };
    let (begin, mut runs) = (cpu_ms(), 0);
    loop {
        let solution = Solver::new(settings)
            .solve(problem, None)
            .map_err(|fault| fault.to_string())?;
        runs += 1;
        let spent = cpu_ms() - begin;
        if spent > ENOUGH_MS {
            let judged = residual(problem, &solution.velocity, &solution.impulse);
            return Ok(Timing {
                ms: spent / f64::from(runs),
                iterations: solution.stats.iterations,
                factorisations: solution.stats.factorisations,
                fallbacks: solution.stats.fallbacks,
                residual: judged.worst(),
                solved: solution.status == Status::Solved,
            });
        }
    }
}

/// The power with which some time has grown since the next smaller size of the same structure.
fn exponent(
    rows: &[EquilibriumRow],
    row: &EquilibriumRow,
    ms: impl Fn(&EquilibriumRow) -> f64,
) -> Option<f64> {
    let smaller = |x: &&EquilibriumRow| x.family == row.family && x.blocks < row.blocks;
    let before = rows.iter().filter(smaller).max_by_key(|x| x.blocks)?;
    let growth = row.blocks as f64 / before.blocks as f64;
    Some((ms(row) / ms(before)).ln() / growth.ln())
}

pub(crate) fn cells(rows: &[EquilibriumRow], row: &EquilibriumRow) -> [String; COLUMNS.len()] {
    let text = |x: Option<String>| x.unwrap_or_default();
    let power = |x: Option<f64>| text(x.map(|x| format!("{x:.2}")));
    let trouble = |t: &Timing| if t.solved { "" } else { "!" };
    [
        row.family.word().to_owned(),
        if row.stands { "yes" } else { "no" }.to_owned(),
        row.blocks.to_string(),
        row.contacts.to_string(),
        milliseconds(row.own.ms) + trouble(&row.own),
        row.own.iterations.to_string(),
        power(exponent(rows, row, |x| x.own.ms)),
        text(row.clarabel.map(|t| milliseconds(t.ms) + trouble(&t))),
        text(row.clarabel.map(|t| t.iterations.to_string())),
        text(row.clarabel.map(|t| format!("{:.1}", t.ms / row.own.ms))),
        row.rounds.to_string(),
        milliseconds(row.all_ms()),
        power(exponent(rows, row, EquilibriumRow::all_ms)),
        text(row.peak_megabytes.map(|mb| format!("{mb:.0}"))),
    ]
}
