//! Equilibrium and limit analysis of whole structures: how long it takes, and how that grows.

use std::fmt::Write as _;

use drystone_cone::{LimitMethod, LimitProblem, LimitSettings, LimitStatus, solve_limit};
use drystone_geometry::DVec3;
use drystone_mechanics::Statics;
use serde::{Deserialize, Serialize};

use crate::clock::{cpu_ms, forget_peak, peak_megabytes, wall_ms};
use crate::equilibrium::{self, EquilibriumRow};
use crate::family::Family;
use crate::report::{aligned, milliseconds};
use crate::run::Options;

/// Repeats until so much time has gone by, ms.
const ENOUGH_MS: f64 = 200.0;

/// Horizontal directions in which a structure is pushed, with their names: along its length and across it.
const DIRECTIONS: [(&str, DVec3); 2] = [("along", DVec3::X), ("across", DVec3::Y)];

/// One way of solving one problem.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct LimitTiming {
    /// Mean of several runs, ms: of processor time of one thread, of wall time where there are more.
    pub ms: f64,
    /// Interior-point iterations.
    pub iterations: u32,
    /// The multiplier, from below.
    pub multiplier: f64,
    /// Largest residual, recomputed by the judge.
    pub residual: f64,
    /// The judge accepts it.
    pub solved: bool,
}

/// One structure pushed in one direction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LimitRow {
    /// Which structure.
    pub family: Family,
    /// Where to: `along` or `across`.
    pub direction: String,
    /// Blocks that are free.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Finding the joints and posing the problem, ms of wall time.
    pub pose_ms: f64,
    /// The dedicated method on one thread.
    pub own: LimitTiming,
    /// The same on two, wall time.
    pub two_threads: LimitTiming,
    /// Clarabel on the same problem.
    pub clarabel: Option<LimitTiming>,
    /// Largest resident memory of the process during the solution on one thread, MB.
    pub peak_megabytes: Option<f64>,
}

/// All rows.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LimitReport {
    /// By family, direction and size.
    pub rows: Vec<LimitRow>,
    /// The same structures under their own weight, by family and size.
    pub equilibria: Vec<EquilibriumRow>,
    /// What could not be measured, and why.
    pub left_out: Vec<String>,
    /// Somebody stopped it.
    pub stopped: bool,
}

const COLUMNS: [(&str, usize); 14] = [
    ("structure", 14),
    ("pushed", 7),
    ("blocks", 6),
    ("contacts", 8),
    ("multiplier", 10),
    ("pose ms", 8),
    ("ms", 8),
    ("it", 4),
    ("exp", 5),
    ("2 threads", 9),
    ("Clarabel ms", 11),
    ("x", 5),
    ("residual", 8),
    ("MB", 6),
];

/// Measures; as [`crate::run`] does for steps.
pub fn run_statics(
    options: &Options,
    tell: &mut dyn FnMut(&str),
    stop: &dyn Fn() -> bool,
) -> LimitReport {
    let mut report = LimitReport::default();
    let mut clarabel_left = options.clarabel_seconds;
    for &size in &options.sizes {
        for &family in &options.families {
            // What lies loose has no limit.
            if family == Family::RubblePile || !family.has_size(size) {
                continue;
            }
            if !stop() {
                let name = format!("{} {size} equilibrium", family.word());
                tell(&name);
                match equilibrium::row(options, family, size, &mut clarabel_left) {
                    Ok(row) => {
                        tell(&format!(
                            "  {:.1} ms, with forces {:.1}",
                            row.own.ms,
                            row.all_ms()
                        ));
                        report.equilibria.push(row);
                    }
                    Err(reason) => report.left_out.push(format!("{name}: {reason}")),
                }
            }
            for direction in DIRECTIONS {
                if stop() {
                    report.stopped = true;
                    return report;
                }
                let name = format!("{} {size} {}", family.word(), direction.0);
                tell(&name);
                match row(options, family, size, direction, &mut clarabel_left) {
                    Ok(row) => {
                        tell(&format!(
                            "  {:.1} ms, {} iterations",
                            row.own.ms, row.own.iterations
                        ));
                        report.rows.push(row);
                    }
                    Err(reason) => report.left_out.push(format!("{name}: {reason}")),
                }
            }
        }
    }
    let place = |row: &LimitRow| {
        let family = options.families.iter().position(|&f| f == row.family);
        (family, row.direction == DIRECTIONS[1].0)
    };
    report.rows.sort_by_key(place);
    let family = |row: &EquilibriumRow| options.families.iter().position(|&f| f == row.family);
    report.equilibria.sort_by_key(family);
    report
}

fn row(
    options: &Options,
    family: Family,
    size: usize,
    (name, direction): (&str, DVec3),
    clarabel_left: &mut f64,
) -> Result<LimitRow, String> {
    let model =
        drystone_model::from_toml(&family.text(size)).map_err(|faults| faults.to_string())?;
    let begin = wall_ms();
    let statics = Statics::new(&model);
    let problem = LimitProblem {
        free: model.free,
        dead: statics.dead(),
        live: statics.body_force(direction),
        contacts: statics.contacts.clone(),
        ..LimitProblem::default()
    };
    let pose_ms = wall_ms() - begin;
    forget_peak();
    let own = time(&problem, LimitMethod::InteriorPoint, cpu_ms)?;
    let peak_megabytes = peak_megabytes();
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .map_err(|error| error.to_string())?;
    let two_threads = pool.install(|| time(&problem, LimitMethod::InteriorPoint, wall_ms))?;
    let affordable = problem.bodies() < options.clarabel_below && *clarabel_left > 0.0;
    let clarabel = if affordable || options.all {
        let begin = wall_ms();
        let timing = time(&problem, LimitMethod::Clarabel, cpu_ms)?;
        *clarabel_left -= 1e-3 * (wall_ms() - begin);
        Some(timing)
    } else {
        None
    };
    Ok(LimitRow {
        family,
        direction: name.to_owned(),
        blocks: problem.bodies(),
        contacts: problem.contacts.len(),
        pose_ms,
        own,
        two_threads,
        clarabel,
        peak_megabytes,
    })
}

fn time(
    problem: &LimitProblem,
    method: LimitMethod,
    clock: fn() -> f64,
) -> Result<LimitTiming, String> {
    let settings = LimitSettings {
        method,
        ..LimitSettings::default()
    };
    let (begin, mut runs) = (clock(), 0);
    loop {
        let found = solve_limit(problem, &settings).map_err(|fault| fault.to_string())?;
        runs += 1;
        let spent = clock() - begin;
        if spent > ENOUGH_MS {
            return Ok(LimitTiming {
                ms: spent / f64::from(runs),
                iterations: found.iterations,
                multiplier: found.multiplier,
                residual: found.residual.worst(),
                solved: found.status != LimitStatus::Inaccurate,
            });
        }
    }
}

impl LimitReport {
    /// The power of the number of blocks with which time has grown since the next smaller size of the same structure.
    pub fn exponent(&self, row: &LimitRow) -> Option<f64> {
        let same = |other: &&LimitRow| {
            (other.family, &other.direction) == (row.family, &row.direction)
                && other.blocks < row.blocks
        };
        let before = self.rows.iter().filter(same).max_by_key(|x| x.blocks)?;
        let growth = row.blocks as f64 / before.blocks as f64;
        Some((row.own.ms / before.own.ms).ln() / growth.ln())
    }

    fn cells(&self, row: &LimitRow) -> [String; COLUMNS.len()] {
        let text = |x: Option<String>| x.unwrap_or_default();
        let trouble = if row.own.solved { "" } else { "!" };
        [
            row.family.word().to_owned(),
            row.direction.clone(),
            row.blocks.to_string(),
            row.contacts.to_string(),
            format!("{:.6}", row.own.multiplier),
            milliseconds(row.pose_ms),
            milliseconds(row.own.ms),
            row.own.iterations.to_string(),
            text(self.exponent(row).map(|x| format!("{x:.2}"))),
            milliseconds(row.two_threads.ms),
            text(row.clarabel.map(|t| milliseconds(t.ms))),
            text(row.clarabel.map(|t| format!("{:.1}", t.ms / row.own.ms))),
            format!("{:.0e}{trouble}", row.own.residual),
            text(row.peak_megabytes.map(|mb| format!("{mb:.0}"))),
        ]
    }

    /// The tables for a terminal, with what their columns mean.
    pub fn table(&self) -> String {
        let widths = COLUMNS.map(|(_, width)| width);
        let mut text = aligned(&COLUMNS.map(|(name, _)| name.to_owned()), &widths) + "\n";
        for row in &self.rows {
            let _ = writeln!(text, "{}", aligned(&self.cells(row), &widths));
        }
        text.push_str(
            "\nmultiplier: of the weight, horizontally. pose ms: joints found and problem posed, wall time. ms: processor time of one thread (2 threads: wall time). exp: power of the\n\
             number of blocks since the row of the next smaller size. x: times faster than Clarabel on the same problem. residual: recomputed by the judge; ! marks an answer\n\
             that it does not accept. MB: peak resident memory of the process.\n\n",
        );
        let widths = equilibrium::COLUMNS.map(|(_, width)| width);
        let head = equilibrium::COLUMNS.map(|(name, _)| name.to_owned());
        text += &(aligned(&head, &widths) + "\n");
        for row in &self.equilibria {
            let cells = equilibrium::cells(&self.equilibria, row);
            let _ = writeln!(text, "{}", aligned(&cells, &widths));
        }
        text.push_str(
            "\nUnder its own weight. ms, it: the verdict, one step from rest, and Clarabel on the same. rounds: steps by which forces are made unique. with forces: both, ms.\n",
        );
        for what in &self.left_out {
            let _ = writeln!(text, "Not measured: {what}");
        }
        text
    }

    /// The tables of the book.
    pub fn markdown(&self) -> String {
        let mut text = markdown_head(COLUMNS.map(|(name, _)| name));
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", self.cells(row).join(" | "));
        }
        text.push_str("\nEquilibrium of the same structures under their own weight:\n\n");
        text += &markdown_head(equilibrium::COLUMNS.map(|(name, _)| name));
        for row in &self.equilibria {
            let cells = equilibrium::cells(&self.equilibria, row);
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        text
    }
}

fn markdown_head<const N: usize>(names: [&str; N]) -> String {
    format!("| {} |\n|{}\n", names.join(" | "), "---|".repeat(N))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stack_is_measured_and_read() {
        let options = Options {
            families: vec![Family::Stack, Family::RubblePile],
            sizes: vec![4, 8],
            ..Options::default()
        };
        let report = run_statics(&options, &mut |_| {}, &|| false);
        assert_eq!(report.rows.len(), 4, "{:?}", report.left_out);
        // Blocks 0.6 m by 0.5 m and 0.2 m high: slides at 0.6 or overturns at its width over its height.
        for row in &report.rows {
            let width = if row.direction == "along" { 0.6 } else { 0.5 };
            let expected = f64::min(0.6, width / (0.2 * row.blocks as f64));
            assert!((row.own.multiplier - expected).abs() < 1e-6, "{row:?}");
            let other = row.clarabel.unwrap();
            assert!((other.multiplier - expected).abs() < 1e-6, "{row:?}");
        }
        assert!(report.exponent(&report.rows[0]).is_none());
        assert!(report.exponent(&report.rows[1]).is_some());
        assert!(report.table().contains("across"));
        // Two tables with two lines of heading, four rows and two, and a line between with space around it.
        assert_eq!(report.markdown().lines().count(), 6 + 3 + 4);
        for row in &report.equilibria {
            assert!(row.stands && row.own.solved && row.rounds > 0, "{row:?}");
            assert!(row.unbalanced < 1e-6 && row.rounds_ms > 0.0, "{row:?}");
            assert!(row.clarabel.unwrap().solved, "{row:?}");
        }
        assert!(run_statics(&options, &mut |_| {}, &|| true).stopped);
    }
}
