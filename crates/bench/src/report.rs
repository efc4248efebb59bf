//! What was measured, and how it reads.

use std::fmt::Write as _;

use drystone_cone::Tolerances;
use serde::{Deserialize, Serialize};

use crate::capture::Motion;
use crate::family::Family;
use crate::measure::{Series, Timing};

/// One structure in one state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// Which structure.
    pub family: Family,
    /// What it does.
    pub motion: Motion,
    /// Number of blocks asked for.
    pub asked: usize,
    /// Blocks that are free.
    pub blocks: usize,
    /// Contact points.
    pub contacts: usize,
    /// Parts that do not touch each other.
    pub islands: usize,
    /// Mean speed of blocks before the step over what gravity gives in one.
    pub speed: f64,
    /// Contact detection, ms: wall time, the best of several.
    pub detect_ms: f64,
    /// Posing the problem, ms, likewise.
    pub assemble_ms: f64,
    /// From nothing; absent at rest.
    pub cold: Option<Timing>,
    /// From the step before; at rest that is a check.
    pub warm: Timing,
    /// Warm, in a pool of two threads, wall time; absent at rest.
    pub two_threads: Option<Timing>,
    /// Steps of the motion under the associated law and under Coulomb's, each in its own run; the first of them is cold.
    #[serde(default)]
    pub laws: Option<[Series; 2]>,
    /// Clarabel, from nothing as always.
    pub clarabel: Option<Timing>,
    /// Largest resident memory of the process during the cold solution, `VmHWM`, MB; absent where the system does not tell.
    pub peak_megabytes: Option<f64>,
}

impl Row {
    /// How many times Clarabel takes longer than the cold and the warm solution.
    pub fn ratios(&self) -> [Option<f64>; 2] {
        let over = |ms: f64| self.clarabel.map(|clarabel| clarabel.ms / ms);
        [self.cold.and_then(|cold| over(cold.ms)), over(self.warm.ms)]
    }

    /// How many times as long Coulomb's law takes as the associated one, over these steps.
    pub fn coulomb_ratio(&self) -> Option<f64> {
        self.laws
            .map(|[associated, coulomb]| coulomb.ms / associated.ms)
    }

    /// Part of the step that is contact detection, with a warm solution.
    pub fn detect_share(&self) -> f64 {
        self.detect_ms / (self.detect_ms + self.assemble_ms + self.warm.ms)
    }
}

/// All rows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Of the program.
    pub version: String,
    /// What solvers were asked for.
    pub tolerances: Tolerances,
    /// False if somebody stopped it.
    pub complete: bool,
    /// By family, size and state.
    pub rows: Vec<Row>,
    /// What could not be measured, and why.
    #[serde(default)]
    pub left_out: Vec<String>,
}

/// Headings and widths of the table.
const COLUMNS: [(&str, usize); 23] = [
    ("structure", 14),
    ("state", 12),
    ("blocks", 6),
    ("contacts", 8),
    ("cold ms", 9),
    ("it", 4),
    ("fact", 4),
    ("exp", 5),
    ("warm ms", 9),
    ("it", 4),
    ("exp", 5),
    ("2 threads", 9),
    ("steps ms", 9),
    ("it", 4),
    ("Coulomb ms", 10),
    ("it", 4),
    ("times", 5),
    ("Clarabel ms", 11),
    ("cold x", 6),
    ("warm x", 6),
    ("residual", 8),
    ("detect", 6),
    ("MB", 6),
];

impl Default for Report {
    fn default() -> Self {
        Self::new(Tolerances::default())
    }
}

impl Report {
    pub(crate) fn new(tolerances: Tolerances) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            tolerances,
            complete: true,
            rows: Vec::new(),
            left_out: Vec::new(),
        }
    }

    /// The next smaller size of the same structure in the same state.
    fn smaller(&self, row: &Row) -> Option<&Row> {
        let same = |other: &&Row| (other.family, other.motion) == (row.family, row.motion);
        self.rows
            .iter()
            .filter(same)
            .filter(|other| other.blocks < row.blocks)
            .max_by_key(|other| other.blocks)
    }

    /// The power of the number of blocks with which a time has grown since the next smaller size.
    pub fn exponent(&self, row: &Row, pick: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        let before = self.smaller(row)?;
        let (now, then) = (pick(row)?, pick(before)?);
        Some((now / then).ln() / (row.blocks as f64 / before.blocks as f64).ln())
    }

    fn cells(&self, row: &Row) -> [String; COLUMNS.len()] {
        let text = |x: Option<String>| x.unwrap_or_default();
        let [cold_ratio, warm_ratio] = row.ratios();
        let exponent = |x: Option<f64>| text(x.map(|x| format!("{x:.2}")));
        let cold = row.cold;
        let laws = row.laws.iter().flatten();
        let worst = [cold, Some(row.warm)]
            .iter()
            .flatten()
            .map(|timing| timing.residual)
            .chain(laws.clone().map(|series| series.residual))
            .fold(0.0, f64::max);
        let solved = [cold, Some(row.warm), row.two_threads, row.clarabel];
        let troubled = solved
            .iter()
            .flatten()
            .any(|timing| !timing.solved || timing.fallbacks > 0)
            || laws
                .clone()
                .any(|series| series.inaccurate + series.halved > 0);
        let mean = |law: usize| row.laws.map(|laws| milliseconds(laws[law].ms));
        let iterations = |law: usize| row.laws.map(|laws| format!("{:.1}", laws[law].iterations));
        [
            row.family.word().to_owned(),
            row.motion.word().to_owned(),
            row.blocks.to_string(),
            row.contacts.to_string(),
            text(cold.map(|t| milliseconds(t.ms))),
            text(cold.map(|t| t.iterations.to_string())),
            text(cold.map(|t| t.factorisations.to_string())),
            exponent(self.exponent(row, |row| row.cold.map(|t| t.ms))),
            milliseconds(row.warm.ms),
            row.warm.iterations.to_string(),
            exponent(self.exponent(row, |row| Some(row.warm.ms))),
            text(row.two_threads.map(|t| milliseconds(t.ms))),
            text(mean(0)),
            text(iterations(0)),
            text(mean(1)),
            text(iterations(1)),
            text(row.coulomb_ratio().map(|x| format!("{x:.1}"))),
            text(row.clarabel.map(|t| milliseconds(t.ms))),
            text(cold_ratio.map(|x| format!("{x:.1}"))),
            text(warm_ratio.map(|x| format!("{x:.1}"))),
            format!("{worst:.0e}{}", if troubled { "!" } else { "" }),
            format!("{:.0} %", 100.0 * row.detect_share()),
            text(row.peak_megabytes.map(|mb| format!("{mb:.0}"))),
        ]
    }

    /// A row for a terminal, as it is found.
    pub fn line(&self, row: &Row) -> String {
        aligned(&self.cells(row), &widths())
    }

    /// The table for a terminal, with what its columns mean.
    pub fn table(&self) -> String {
        let mut text = heading();
        for row in &self.rows {
            let _ = writeln!(text, "{}", self.line(row));
        }
        let t = &self.tolerances;
        let _ = writeln!(
            text,
            "\nms: mean of several runs, processor time of one thread (2 threads: warm, wall time). exp: power of the number of blocks since the row of the next\n\
             smaller size. steps, Coulomb: means over sixteen steps of the motion as a run takes them, the first of them cold,\n\
             under the associated law and under Coulomb's, each in its own run (wall time, one thread), and how many times as long the latter takes. x: times faster than Clarabel on the same problem. residual: the worst, recomputed by the judge, of momentum {:.0e}, primal {:.0e}, gap {:.0e}\n\
             asked for; ! marks fallbacks, also Clarabel's, steps that were halved, or an answer that is not accepted. detect: contact detection as part of a warm step. MB: peak resident memory (VmHWM) of the process, with what\n\
             earlier problems have left.",
            t.momentum, t.primal, t.gap
        );
        for what in &self.left_out {
            let _ = writeln!(text, "Not measured: {what}");
        }
        if !self.complete {
            text.push_str("Stopped before the end.\n");
        }
        text
    }

    /// The table of the book.
    pub fn markdown(&self) -> String {
        let names: Vec<&str> = COLUMNS.iter().map(|(name, _)| *name).collect();
        let mut text = format!(
            "| {} |\n|{}\n",
            names.join(" | "),
            "---|".repeat(names.len())
        );
        for row in &self.rows {
            let _ = writeln!(text, "| {} |", self.cells(row).join(" | "));
        }
        text
    }
}

/// The first line of the table.
fn heading() -> String {
    aligned(&COLUMNS.map(|(name, _)| name.to_owned()), &widths()) + "\n"
}

fn widths() -> [usize; COLUMNS.len()] {
    COLUMNS.map(|(_, width)| width)
}

/// A line of a table: two columns of words, then numbers.
pub(crate) fn aligned(cells: &[String], widths: &[usize]) -> String {
    let mut line = String::new();
    for (k, (cell, &width)) in cells.iter().zip(widths).enumerate() {
        let _ = match k {
            0 | 1 => write!(line, "{cell:<width$} "),
            _ => write!(line, "{cell:>width$} "),
        };
    }
    line.trim_end().to_owned()
}

/// Three digits that matter.
pub(crate) fn milliseconds(ms: f64) -> String {
    match ms {
        _ if ms < 1.0 => format!("{ms:.3}"),
        _ if ms < 10.0 => format!("{ms:.2}"),
        _ if ms < 100.0 => format!("{ms:.1}"),
        _ => format!("{ms:.0}"),
    }
}
