//! What a question is answered with: one form in memory for folders, pages, pictures, Python and campaigns alike.

mod forces;
mod identity;
mod measure;
mod summary;
mod table;

use drystone_geometry::Pose;
use drystone_model::{Analysis, Model};
use serde_json::Value;

pub(crate) use forces::force_table;
pub use forces::{FORCE_COLUMNS, force_row};
pub use identity::{Identity, Stranger, program_version};
pub use measure::Measure;
pub(crate) use summary::{Head, value};
pub use table::{Cell, Column, Table, Values};

use crate::assessment::AssessmentResult;
use crate::pushover;
use crate::rocking::RockingResult;
use crate::statics::StaticsDetail;
use crate::time_history::{Rows, TimeHistoryDetail};

/// What the answer means for the structure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It stands, or there is a load that it bears.
    Stands,
    /// It falls.
    Falls,
    /// The answer does not say, or was not found.
    Undecided,
}

impl Verdict {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Self::Stands => "stands",
            Self::Falls => "falls",
            Self::Undecided => "undecided",
        }
    }
}

/// Shapes of the structure, one after the other.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// Time, s; of a pushover the displacement of the control point, m.
    pub times: Vec<f64>,
    /// One pose per block, relative to the ground.
    pub poses: Vec<Vec<Pose>>,
}

/// The answer to a question.
///
/// Everything that shows an analysis gets this: `summary.json` is [`Answer::summary`], its tables are [`Answer::all_tables`], a campaign stores
/// [`Answer::measures`], a page is drawn from [`Answer::detail`].
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Which question.
    pub kind: &'static str,
    /// Name of the analysis.
    pub name: String,
    /// What it means.
    pub verdict: Verdict,
    /// One word, as in `summary.json`.
    pub status: String,
    /// The verdict in one line.
    pub headline: String,
    /// What whoever relies on it should know, a sentence each: first of the model, then of this answer. The same in the terminal, in `summary.json`, on the page, in campaigns and in Python.
    pub notes: Vec<String>,
    /// Why there is no answer to rely on, if there is none.
    pub failure: Option<String>,
    /// It was stopped before its end; resuming goes on.
    pub interrupted: bool,
    /// Content of `summary.json`.
    pub summary: Value,
    /// The numbers that are worth comparing, the most important first.
    pub measures: Vec<Measure>,
    /// Tables, without those that are part of the detail; [`Answer::all_tables`] has all of them.
    pub tables: Vec<Table>,
    /// Shapes, if there are any and they are kept in memory.
    pub motion: Option<Motion>,
    /// The answer as a text for an engineer's report, if the question has one.
    pub text: Option<String>,
    /// The answer in the types of its question.
    pub detail: Detail,
}

/// The answer in the types of its question.
#[derive(Debug, Clone, PartialEq)]
pub enum Detail {
    /// How the structure moved.
    TimeHistory(Box<TimeHistoryDetail>),
    /// How the block rocked.
    Rocking(Box<RockingResult>),
    /// Equilibrium or limit: joints, thrust lines, mechanism.
    Statics(Box<StaticsDetail>),
    /// The capacity curve.
    Pushover(Box<pushover::Outcome>),
    /// What the code says.
    Assessment(Box<AssessmentResult>),
    /// The answer was read from its folder, and only its summary was asked for.
    Stored,
}

impl Answer {
    /// An answer without numbers, to be filled in.
    pub(crate) fn new(
        kind: &'static str,
        analysis: &Analysis,
        status: &str,
        headline: String,
        detail: Detail,
    ) -> Self {
        Self {
            kind,
            name: analysis.name.clone(),
            verdict: Verdict::Undecided,
            status: status.to_owned(),
            headline,
            notes: Vec::new(),
            failure: None,
            interrupted: false,
            summary: Value::Null,
            measures: Vec::new(),
            tables: Vec::new(),
            motion: None,
            text: None,
            detail,
        }
    }

    /// All tables, including those of a time history.
    pub fn all_tables(&self) -> impl Iterator<Item = &Table> {
        let rows = match &self.detail {
            Detail::TimeHistory(detail) => Some(&detail.rows),
            _ => None,
        };
        let rows = rows.into_iter().flat_map(Rows::tables);
        self.tables.iter().chain(rows)
    }

    /// An answer of which the summary is known.
    pub fn stored(analysis: &Analysis, summary: Value) -> Self {
        let word = |key: &str| summary[key].as_str().map(str::to_owned);
        let status = word("status").unwrap_or_else(|| "unknown".to_owned());
        let notes = summary["notes"].as_array().into_iter().flatten();
        let notes = notes.filter_map(|note| note.as_str().map(str::to_owned));
        Self {
            notes: notes.collect(),
            failure: word("failure"),
            interrupted: status == "interrupted",
            summary,
            ..Self::new(
                analysis.kind.word(),
                analysis,
                &status,
                status.clone(),
                Detail::Stored,
            )
        }
    }
}

/// Names of blocks by their indices.
pub(crate) fn block_names<'m>(model: &'m Model, blocks: &[usize]) -> Vec<&'m str> {
    let blocks = blocks.iter();
    blocks.map(|&i| model.blocks[i].name.as_str()).collect()
}
