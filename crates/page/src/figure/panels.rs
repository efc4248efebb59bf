//! Charts side by side.

use serde::{Deserialize, Serialize};

use super::Chart;

/// Small charts in rows, with one legend for all of them. Lines of the same name look the same in each.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Panels {
    /// Charts in a row.
    pub columns: usize,
    /// Each with its title; what a chart says about its height and its notes is not used.
    pub charts: Vec<(String, Chart)>,
    /// What stands below.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

impl Panels {
    /// So many in a row, at least one.
    pub fn new(columns: usize, charts: Vec<(String, Chart)>) -> Self {
        Self {
            columns: columns.max(1),
            charts,
            notes: Vec::new(),
        }
    }
}
