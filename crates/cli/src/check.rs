//! `drystone check`: what is in a model.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use drystone_geometry::{ContactSet, Detector, Overlap};
use drystone_io::load_records_noted;
use drystone_model::{AnalysisKind, Campaign, Model, Question};
use serde::Serialize;

use crate::Outcome;
use crate::args::CheckOptions;
use crate::sound::{initial_configuration, overlaps_that_matter};
use crate::speak::{answer, counted};

/// At most this many overlaps, islands and names are printed one by one.
const SHOWN: usize = 10;

/// What was found in a model.
#[derive(Debug, Serialize)]
pub struct Findings {
    name: String,
    model_sha256: String,
    blocks: usize,
    supports: usize,
    /// Of the free blocks, N.
    weight: f64,
    /// Per material, free blocks and supports, kg.
    mass_by_material: BTreeMap<String, f64>,
    contact_pairs: usize,
    contact_points: usize,
    /// Total area of touching faces, m².
    contact_area: f64,
    ties: Vec<TieFinding>,
    /// Least and greatest stress at which joints crush, Pa, of the interfaces that say one.
    #[serde(skip_serializing_if = "Option::is_none")]
    compressive_strength: Option<[f64; 2]>,
    overlaps: Vec<OverlapFinding>,
    /// Groups of free blocks that touch each other but no support, by the names of their blocks.
    islands_without_support: Vec<Vec<String>>,
    analyses: Vec<String>,
    /// What was assumed, repaired and skipped in drawings, made otherwise in structures, and assumed of records.
    notes: Vec<String>,
}

#[derive(Debug, Serialize)]
struct TieFinding {
    name: String,
    /// Force at which it yields, N.
    #[serde(rename = "yield")]
    yield_force: f64,
}

#[derive(Debug, Serialize)]
struct OverlapFinding {
    blocks: [String; 2],
    /// m.
    depth: f64,
    /// m.
    at: [f64; 3],
}

/// Runs the command.
pub(crate) fn check(options: &CheckOptions) -> Outcome {
    let model = match drystone_model::load(&options.model) {
        Ok(model) => model,
        Err(faults) => return Outcome::BadInput(faults.to_string()),
    };
    let records = match load_records_noted(&model) {
        Ok(records) => records,
        Err(error) => return Outcome::BadInput(error.to_string()),
    };
    let mut findings = find(&model);
    findings.notes.extend(records.notes);
    if options.json {
        match serde_json::to_string_pretty(&findings) {
            Ok(text) => answer(&text),
            Err(error) => Outcome::Failed(error.to_string()),
        }
    } else {
        answer(&describe(&findings))
    }
}

/// Looks at the initial configuration of a model.
pub fn find(model: &Model) -> Findings {
    let (shapes, poses) = initial_configuration(model);
    let supports: Vec<bool> = model.blocks.iter().map(|block| block.support).collect();
    // Blocks touch if they are within the tolerance of drawings, 1e-4 of their thickness.
    let margins: Vec<f64> = shapes.iter().map(|shape| 0.5e-4 * shape.size()).collect();
    let overlapping = overlaps_that_matter(model);
    let mut detector = Detector::new(shapes, supports);
    let contacts = detector.detect(&poses, &margins);
    let mut mass_by_material = BTreeMap::new();
    for block in &model.blocks {
        *mass_by_material
            .entry(model.materials[block.material].name.clone())
            .or_insert(0.0) += block.mass;
    }
    Findings {
        name: model.name.clone(),
        model_sha256: model.sha256.clone(),
        blocks: model.blocks.len(),
        supports: model.blocks.iter().filter(|block| block.support).count(),
        weight: model.weight(),
        mass_by_material,
        contact_pairs: contacts.manifolds.len(),
        contact_points: contacts.points.len(),
        contact_area: contacts
            .manifolds
            .iter()
            .map(|manifold| manifold.area)
            .sum::<f64>()
            // The sum of nothing is -0.
            + 0.0,
        ties: model
            .ties
            .iter()
            .map(|tie| TieFinding {
                name: tie.name.clone(),
                yield_force: tie.yield_force,
            })
            .collect(),
        compressive_strength: range(
            model
                .interfaces()
                .filter_map(|law| law.compressive_strength),
        ),
        overlaps: overlapping
            .iter()
            .map(|overlap| finding(model, overlap))
            .collect(),
        islands_without_support: islands_without_support(model, contacts),
        analyses: model
            .analyses
            .iter()
            .map(|analysis| {
                let what = match &analysis.kind {
                    AnalysisKind::TimeHistory(settings) => {
                        let steps = match &settings.adaptive {
                            Some(steps) => format!("{} to {}", steps.smallest, steps.largest),
                            None => settings.dt.to_string(),
                        };
                        format!(
                            "time_history, {} s in steps of {steps} s",
                            settings.duration
                        )
                    }
                    AnalysisKind::Rocking(settings) => format!("rocking, {} s", settings.duration),
                    AnalysisKind::Equilibrium(_) => "equilibrium".to_owned(),
                    AnalysisKind::Limit(_) => "limit".to_owned(),
                    AnalysisKind::Pushover(_) => "pushover".to_owned(),
                    AnalysisKind::Assessment(_) => "assessment".to_owned(),
                    AnalysisKind::Campaign(campaign) => described(campaign),
                };
                format!("{} ({what})", analysis.name)
            })
            .collect(),
        notes: model.notes.clone(),
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

/// What a campaign asks, in a few words.
fn described(campaign: &Campaign) -> String {
    let kind = match campaign.question {
        Question::Sweep(_) => "sweep",
        Question::FailureDomain(_) => "failure_domain",
        Question::Fragility(_) => "fragility",
    };
    format!("{kind}, runs of {}", campaign.of)
}

fn finding(model: &Model, overlap: &Overlap) -> OverlapFinding {
    OverlapFinding {
        blocks: [overlap.a, overlap.b].map(|i| model.blocks[i as usize].name.clone()),
        depth: overlap.depth,
        at: overlap.at.to_array(),
    }
}

/// Connected groups of free blocks of which none touches a support.
fn islands_without_support(model: &Model, contacts: &ContactSet) -> Vec<Vec<String>> {
    let mut parent: Vec<usize> = (0..model.blocks.len()).collect();
    fn root(parent: &mut [usize], mut i: usize) -> usize {
        while parent[i] != i {
            parent[i] = parent[parent[i]];
            i = parent[i];
        }
        i
    }
    for manifold in &contacts.manifolds {
        let a = root(&mut parent, manifold.a as usize);
        let b = root(&mut parent, manifold.b as usize);
        parent[a.max(b)] = a.min(b);
    }
    let mut groups: BTreeMap<usize, (bool, Vec<String>)> = BTreeMap::new();
    for (i, block) in model.blocks.iter().enumerate() {
        let group = groups.entry(root(&mut parent, i)).or_default();
        group.0 |= block.support;
        group.1.push(block.name.clone());
    }
    groups
        .into_values()
        .filter(|(supported, _)| !supported)
        .map(|(_, names)| names)
        .collect()
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
                "{:.3e} m between \"{}\" and \"{}\" near ({x:.3}, {y:.3}, {z:.3}): move them apart: small overlaps are pushed apart slowly, those of more than a twentieth of the thickness are refused by run",
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
    for island in findings.islands_without_support.iter().take(SHOWN) {
        let mut names = island
            .iter()
            .take(SHOWN)
            .cloned()
            .collect::<Vec<_>>()
            .join(", ");
        if island.len() > SHOWN {
            let _ = write!(names, " and {} more", island.len() - SHOWN);
        }
        line("loose", format!("not connected to any support: {names}"));
    }
    if findings.islands_without_support.len() > SHOWN {
        line(
            "",
            format!(
                "and {}",
                counted(
                    findings.islands_without_support.len() - SHOWN,
                    "more loose group"
                )
            ),
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
