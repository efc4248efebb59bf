//! `drystone check`: what is in a model.

use std::fmt::Write as _;

use drystone_model::{Fault, Faults, Findings};
use serde::Serialize;

use crate::Outcome;
use crate::args::CheckOptions;
use crate::speak::{answer, counted};

/// At most this many overlaps, islands and names are printed one by one.
const SHOWN: usize = 10;

/// Runs the command.
pub(crate) fn check(options: &CheckOptions) -> Outcome {
    let findings = match Findings::load(&options.model) {
        Ok(findings) => findings,
        Err(faults) if options.json => return refused(&faults),
        Err(faults) => return Outcome::BadInput(faults.to_string()),
    };
    let printed = match options.json {
        true => json(&findings),
        false => answer(&describe(&findings)),
    };
    // What nothing can be asked of is wrong input, whatever else was found.
    match (printed, findings.faults.is_empty()) {
        (Outcome::Done, false) if options.json => Outcome::Refused,
        (Outcome::Done, false) => {
            let faults: Vec<String> = findings.faults.iter().map(Fault::to_string).collect();
            Outcome::BadInput(faults.join("\n\n"))
        }
        (printed, _) => printed,
    }
}

fn json(value: &impl Serialize) -> Outcome {
    match serde_json::to_string_pretty(value) {
        Ok(text) => answer(&text),
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

/// Everything that is wrong, for programs.
fn refused(faults: &Faults) -> Outcome {
    #[derive(Serialize)]
    struct Refused<'a> {
        faults: Vec<&'a Fault>,
        /// Faults that are not listed.
        more: usize,
    }
    let list: Vec<&Fault> = faults.iter().collect();
    let more = faults.len() - list.len();
    match json(&Refused { faults: list, more }) {
        Outcome::Done => Outcome::Refused,
        outcome => outcome,
    }
}

/// The least and the greatest.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |all: Option<[f64; 2]>, x| {
        let [low, high] = all.unwrap_or([x; 2]);
        Some([low.min(x), high.max(x)])
    })
}

/// One number, or two with a word between them.
fn spread([low, high]: [f64; 2], unit: &str) -> String {
    if low == high {
        format!("{low:.4} {unit}")
    } else {
        format!("{low:.4} to {high:.4} {unit}")
    }
}

fn describe(findings: &Findings) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: String| {
        let _ = writeln!(text, "  {label:<10} {value}");
    };
    line("model", findings.name.clone());
    line(
        "blocks",
        format!(
            "{}: {} free, {}",
            findings.blocks,
            findings.blocks - findings.supports,
            counted(findings.supports, "support")
        ),
    );
    line(
        "weight",
        format!("{:.4} kN (free blocks)", findings.weight / 1e3),
    );
    for (name, mass) in &findings.mass_by_material {
        line("material", format!("{name}: {mass:.1} kg"));
    }
    line(
        "contacts",
        format!(
            "{} between {} of blocks, {:.4} m2",
            counted(findings.contact_points, "point"),
            counted(findings.contact_pairs, "pair"),
            findings.contact_area
        ),
    );
    if let Some(pull) = range(findings.ties.iter().map(|tie| tie.yield_force)) {
        let pull = spread(pull.map(|x| x / 1e3), "kN");
        line(
            "ties",
            format!("{}, yield at {pull}", counted(findings.ties.len(), "tie")),
        );
    }
    if let Some(strength) = findings.compressive_strength {
        line(
            "strength",
            format!(
                "joints crush at {}",
                spread(strength.map(|x| x / 1e6), "MPa")
            ),
        );
    }
    if findings.overlaps.is_empty() {
        line("overlaps", "none".to_owned());
    }
    for overlap in findings.overlaps.iter().take(SHOWN) {
        let [x, y, z] = overlap.at;
        line(
            "overlap",
            format!(
                "{:.3e} m between \"{}\" and \"{}\" near ({x:.3}, {y:.3}, {z:.3}): move them apart: small overlaps are removed gradually, those of more than a twentieth of the thickness are rejected by run",
                overlap.depth, overlap.blocks[0], overlap.blocks[1]
            ),
        );
    }
    if findings.overlaps.len() > SHOWN {
        line(
            "",
            format!(
                "and {}",
                counted(findings.overlaps.len() - SHOWN, "more overlap")
            ),
        );
    }
    if findings.islands_without_support.is_empty() {
        line(
            "loose",
            "none: every block is connected to a support".to_owned(),
        );
    }
    if !findings.islands_without_support.is_empty() {
        let groups = counted(findings.islands_without_support.len(), "group");
        line(
            "loose",
            format!("{groups} of blocks not connected to any support, see the note"),
        );
    }
    for analysis in &findings.analyses {
        line("analysis", analysis.clone());
    }
    for note in &findings.notes {
        line("note", note.clone());
    }
    text
}
