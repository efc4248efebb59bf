//! What is in a model, without running anything.

use std::collections::BTreeMap;
use std::path::Path;

use drystone_geometry::Overlap;
use drystone_keys::Format;
use serde::Serialize;

use super::soundness::examine;
use crate::asked::AnalysisKind;
use crate::fault::{Fault, Faults};
use crate::load::{compile_text, locate, read};
use crate::model::Model;

/// What was found in a model.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Findings {
    /// Name of the model.
    pub name: String,
    /// Hash of the model file and of the files it names.
    pub model_sha256: String,
    /// Number of blocks, supports included.
    pub blocks: usize,
    /// Number of blocks that follow the ground.
    pub supports: usize,
    /// Of the free blocks, N.
    pub weight: f64,
    /// Per material, free blocks and supports, kg.
    pub mass_by_material: BTreeMap<String, f64>,
    /// Pairs of blocks that touch.
    pub contact_pairs: usize,
    /// Points at which they do.
    pub contact_points: usize,
    /// Total area of touching faces, m².
    pub contact_area: f64,
    /// Ties.
    pub ties: Vec<TieFinding>,
    /// Least and greatest stress at which joints crush, Pa, of the interfaces that say one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub compressive_strength: Option<[f64; 2]>,
    /// Pairs of blocks that fill the same space.
    pub overlaps: Vec<OverlapFinding>,
    /// Groups of free blocks that touch each other but no support, by the names of their blocks.
    pub islands_without_support: Vec<Vec<String>>,
    /// The analyses in a few words each.
    pub analyses: Vec<String>,
    /// Why `drystone run` would refuse the model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<Fault>,
    /// What somebody who runs the model should know: what was assumed, repaired and skipped in drawings, keys without effect, ...
    pub notes: Vec<String>,
}

/// A tie.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TieFinding {
    /// Its name.
    pub name: String,
    /// Force at which it yields, N.
    #[serde(rename = "yield")]
    pub yield_force: f64,
}

/// Two blocks that fill the same space.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct OverlapFinding {
    /// Their names.
    pub blocks: [String; 2],
    /// How deep, m.
    pub depth: f64,
    /// Where, m.
    pub at: [f64; 3],
}

impl Findings {
    /// Reads a model file and looks at it; faults know their lines.
    pub fn load(path: &Path) -> Result<Self, Faults> {
        let (text, format) = read(path)?;
        Ok(Self::of_text(
            &compile_text(&text, format, path)?,
            &text,
            format,
            path,
        ))
    }

    /// The same of a model that was compiled from a text.
    pub fn of_text(model: &Model, text: &str, format: Format, path: &Path) -> Self {
        let mut findings = Self::of(model);
        let mut faults = Faults::default();
        findings
            .faults
            .drain(..)
            .for_each(|fault| faults.push(fault));
        locate(text, format, &mut faults, path);
        findings.faults = faults.iter().cloned().collect();
        findings
    }

    /// Looks at the initial configuration of a model.
    pub fn of(model: &Model) -> Self {
        let names = |group: &Vec<usize>| -> Vec<String> {
            let blocks = group.iter();
            blocks.map(|&i| model.blocks[i].name.clone()).collect()
        };
        let found = examine(model);
        let contacts = &found.contacts;
        let mut mass_by_material = BTreeMap::new();
        for block in &model.blocks {
            *mass_by_material
                .entry(model.materials[block.material].name.clone())
                .or_insert(0.0) += block.mass;
        }
        Self {
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
            overlaps: found
                .overlaps
                .iter()
                .map(|overlap| finding(model, overlap))
                .collect(),
            islands_without_support: found.loose.iter().map(names).collect(),
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
                        AnalysisKind::Rocking(settings) => {
                            format!("rocking, {} s", settings.duration)
                        }
                        AnalysisKind::Campaign(campaign) => {
                            format!("{}, runs of {}", analysis.kind.word(), campaign.of)
                        }
                        _ => analysis.kind.word().to_owned(),
                    };
                    format!("{} ({what})", analysis.name)
                })
                .collect(),
            faults: found.faults.iter().cloned().collect(),
            notes: found.notes,
        }
    }
}

/// The least and the greatest.
fn range(values: impl Iterator<Item = f64>) -> Option<[f64; 2]> {
    values.fold(None, |all: Option<[f64; 2]>, x| {
        let [low, high] = all.unwrap_or([x; 2]);
        Some([low.min(x), high.max(x)])
    })
}

fn finding(model: &Model, overlap: &Overlap) -> OverlapFinding {
    OverlapFinding {
        blocks: [overlap.a, overlap.b].map(|i| model.blocks[i as usize].name.clone()),
        depth: overlap.depth,
        at: overlap.at.to_array(),
    }
}
