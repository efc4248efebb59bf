//! Results of several models side by side.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use serde_json::Value;

use drystone_page::figure::{Axis, Chart, Content, Figure, Ink, Item, Line, html};
use drystone_page::report::escape;
use drystone_page::report::look::{LIGHT_CSS, TEXT_CSS};
use drystone_questions::answer::{Table, Values};

use crate::{Error, read_table};

/// Of charts, where they are 900 wide.
const HEIGHT: f64 = 420.0;

/// Results of one model.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Heading of its column.
    pub label: String,
    /// Summaries with their folders, in the order of their names.
    pub results: Vec<(PathBuf, Value)>,
}

impl Candidate {
    /// Reads a folder of results: that of one analysis, or one with a folder per analysis.
    pub fn read(label: &str, folder: &Path) -> Result<Self, Error> {
        let mut folders = vec![folder.to_owned()];
        if !folder.join("summary.json").exists() {
            let entries = std::fs::read_dir(folder).map_err(Error::file("read", folder))?;
            folders.clear();
            for entry in entries {
                let path = entry.map_err(Error::file("read", folder))?.path();
                if path.join("summary.json").exists() {
                    folders.push(path);
                }
            }
            folders.sort();
        }
        if folders.is_empty() {
            return Err(Error::damaged(
                folder,
                "no results: no summary.json here nor in the folders within",
            ));
        }
        let mut results = Vec::new();
        for folder in folders {
            let path = folder.join("summary.json");
            let text = std::fs::read_to_string(&path).map_err(Error::file("read", &path))?;
            let summary = serde_json::from_str(&text)
                .map_err(|error| Error::damaged(&path, format!("not a summary: {error}")))?;
            results.push((folder, summary));
        }
        Ok(Self {
            label: label.to_owned(),
            results,
        })
    }

    fn of(&self, analysis: &str) -> Option<&(PathBuf, Value)> {
        let mut all = self.results.iter();
        all.find(|(_, summary)| summary["name"] == analysis)
    }
}

/// One line of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// Name of the analysis.
    pub analysis: String,
    /// Which number or word, as in the summary.
    pub quantity: String,
    /// One per candidate; empty where it has none.
    pub values: Vec<String>,
}

/// A comparison.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// Headings of the columns.
    pub labels: Vec<String>,
    /// The table.
    pub rows: Vec<Row>,
    /// Pushover curves, one figure per analysis.
    curves: Vec<Figure>,
}

/// Numbers and words of a summary that are worth comparing, by the kind of analysis.
fn quantities(kind: &str) -> &'static [&'static str] {
    match kind {
        "limit" => &["status", "multiplier", "upper_bound", "angle_degrees"],
        "equilibrium" => &["status", "max_speed", "residual"],
        "pushover" => &[
            "status",
            "alpha_0",
            "alpha_y",
            "d_y",
            "d_0",
            "d_ultimate",
            "initial_stiffness",
        ],
        "assessment" => &[
            "status",
            "index",
            "a_0",
            "d_y_star",
            "d_0_star",
            "period",
            "period_life_safety",
        ],
        "time_history" => &["status", "collapse_time", "max_penetration"],
        "rocking" => &["status", "overturn_time", "max_angle"],
        _ => &["status"],
    }
}

/// Indices of the checks of an assessment, ties of a limit or equilibrium: lists whose entries have names.
fn listed(summary: &Value) -> Vec<(String, &Value)> {
    let mut found = Vec::new();
    let word = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
    for entry in summary["checks"].as_array().into_iter().flatten() {
        let name = format!(
            "index, {} by {}",
            word(entry, "state"),
            word(entry, "method")
        );
        found.push((name, &entry["index"]));
    }
    for entry in summary["ties"].as_array().into_iter().flatten() {
        found.push((
            format!("tension, {}", word(entry, "name")),
            &entry["tension"],
        ));
    }
    for (name, entry) in summary["ties"].as_object().into_iter().flatten() {
        for key in ["max_force", "max_elongation", "dissipated", "broken_time"] {
            found.push((format!("{key}, {name}"), &entry[key]));
        }
    }
    found
}

/// A branch of a curve: its label, whether it is dashed, and its points of displacement (m) and multiplier.
type Branch = (String, bool, Vec<[f64; 2]>);

/// The branches of a curve; the rigid one is the main one.
fn branches(label: &str, table: &Table) -> Option<Vec<Branch>> {
    let (alpha, d) = (table.column("alpha")?, table.column("d")?);
    let branch = table.columns.iter().find(|column| column.name == "branch");
    let names = match branch.map(|column| &column.values) {
        Some(Values::Words(names)) => names.clone(),
        _ => vec![String::new(); d.len()],
    };
    let mut all: Vec<Branch> = Vec::new();
    for (k, name) in names.iter().enumerate() {
        if k == 0 || names[k - 1] != *name {
            let main = matches!(name.as_str(), "" | "rigid");
            let label = if main {
                label.to_owned()
            } else {
                format!("{label}, {name}")
            };
            all.push((label, !main, Vec::new()));
        }
        if let Some((_, _, points)) = all.last_mut() {
            points.push([d[k], alpha[k]]);
        }
    }
    Some(all)
}

/// Curves over one another.
fn overlaid(analysis: &str, branches: Vec<Branch>) -> Option<Figure> {
    let all = branches.into_iter().enumerate();
    let items = all.map(|(number, (label, dashed, points))| {
        Item::Line(Line::new(&label, Ink::Series(number), points).dashed(dashed))
    });
    let (x, y) = (Axis::new("displacement", "m"), Axis::new("multiplier", ""));
    let chart = Chart::from_zero(x, y, HEIGHT, items.collect())?;
    Some(Figure::new(analysis, Content::Chart(chart)))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => drystone_page::report::number(other),
    }
}

impl Comparison {
    /// Puts results side by side: a row for every quantity that at least one of them has.
    pub fn new(candidates: &[Candidate]) -> Result<Self, Error> {
        let mut analyses: Vec<&str> = Vec::new();
        for (_, summary) in candidates.iter().flat_map(|candidate| &candidate.results) {
            let name = summary["name"].as_str().unwrap_or_default();
            if !analyses.contains(&name) {
                analyses.push(name);
            }
        }
        let mut rows: Vec<Row> = Vec::new();
        let mut curves = Vec::new();
        for analysis in analyses {
            let mut lines = Vec::new();
            let mut add = |column: usize, quantity: &str, value: &Value| {
                if value.is_null() {
                    return;
                }
                let is_row = |row: &Row| row.analysis == analysis && row.quantity == quantity;
                let place = rows.iter().position(is_row).unwrap_or_else(|| {
                    rows.push(Row {
                        analysis: analysis.to_owned(),
                        quantity: quantity.to_owned(),
                        values: vec![String::new(); candidates.len()],
                    });
                    rows.len() - 1
                });
                rows[place].values[column] = shown(value);
            };
            for (column, candidate) in candidates.iter().enumerate() {
                let Some((folder, summary)) = candidate.of(analysis) else {
                    continue;
                };
                let kind = summary["kind"].as_str().unwrap_or_default();
                for quantity in quantities(kind) {
                    add(column, quantity, &summary[*quantity]);
                }
                let moving = summary["moving_blocks"].as_array().map(Vec::len);
                if let Some(moving) = moving {
                    add(column, "moving_blocks", &Value::from(moving));
                }
                for (quantity, value) in listed(summary) {
                    add(column, &quantity, value);
                }
                let path = folder.join("curve.csv");
                if path.exists() {
                    let table = read_table(&path, "curve")?;
                    let found = branches(&candidate.label, &table).ok_or_else(|| {
                        Error::damaged(&path, "the columns `alpha` and `d` of numbers are missing")
                    })?;
                    lines.extend(found);
                }
            }
            curves.extend(overlaid(analysis, lines));
        }
        Ok(Self {
            labels: candidates.iter().map(|c| c.label.clone()).collect(),
            rows,
            curves,
        })
    }

    /// How numbers change from the first candidate, in per cent; words and missing values have no change.
    fn change(&self, row: &Row, column: usize) -> Option<f64> {
        let [first, here] = [0, column].map(|k| row.values[k].parse::<f64>().ok());
        let (first, here) = (first?, here?);
        (column > 0 && first != 0.0).then(|| 100.0 * (here / first - 1.0))
    }

    /// As Markdown: numbers, with their change from the first column.
    pub fn markdown(&self) -> String {
        let cell = |text: &str| text.replace('|', "\\|");
        let labels: Vec<String> = self.labels.iter().map(|label| cell(label)).collect();
        let mut text = format!(
            "| analysis | quantity | {} |\n|---|---|{}\n",
            labels.join(" | "),
            "---|".repeat(labels.len())
        );
        for row in &self.rows {
            let _ = write!(
                text,
                "| {} | {} |",
                cell(&row.analysis),
                cell(&row.quantity)
            );
            for (column, value) in row.values.iter().enumerate() {
                let change = self.change(row, column);
                let change = change.map_or(String::new(), |c| format!(" ({c:+.1} %)"));
                let _ = write!(text, " {}{change} |", cell(value));
            }
            text.push('\n');
        }
        text
    }

    /// As comma-separated text.
    pub fn csv(&self) -> Result<String, Error> {
        let fault = |message: String| Error::Encode {
            path: PathBuf::from("comparison.csv"),
            message,
        };
        let mut writer = csv::Writer::from_writer(Vec::new());
        let head = ["analysis", "quantity"].into_iter();
        let head = head.chain(self.labels.iter().map(String::as_str));
        writer
            .write_record(head)
            .map_err(|e| fault(e.to_string()))?;
        for row in &self.rows {
            let cells = [row.analysis.as_str(), row.quantity.as_str()].into_iter();
            let cells = cells.chain(row.values.iter().map(String::as_str));
            writer
                .write_record(cells)
                .map_err(|e| fault(e.to_string()))?;
        }
        let bytes = writer.into_inner().map_err(|e| fault(e.to_string()))?;
        String::from_utf8(bytes).map_err(|e| fault(e.to_string()))
    }

    /// As a page with the curves over one another.
    pub fn html(&self) -> String {
        let mut page = format!(
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Comparison</title><style>:root{{{LIGHT_CSS}{TEXT_CSS}}}\
             body{{font:var(--text-body)/1.5 system-ui,sans-serif;max-width:62rem;margin:2rem auto;padding:0 1rem;color:var(--ink)}}\
             table{{border-collapse:collapse}}th,td{{padding:.2rem .8rem;border-bottom:1px solid var(--line);text-align:left}}small{{color:var(--soft)}}</style><h1>Comparison</h1>",
        );
        page.push_str(&html(&self.curves));
        page.push_str("<table><tr><th>analysis<th>quantity");
        for label in &self.labels {
            let _ = write!(page, "<th>{}", escape(label));
        }
        for row in &self.rows {
            let _ = write!(
                page,
                "<tr><td>{}<td>{}",
                escape(&row.analysis),
                escape(&row.quantity)
            );
            for (column, value) in row.values.iter().enumerate() {
                let change = self.change(row, column);
                let change = change.map_or(String::new(), |c| format!(" <small>{c:+.1} %</small>"));
                let _ = write!(page, "<td>{}{change}", escape(value));
            }
        }
        page.push_str("</table>");
        page
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(folder: &Path, name: &str, analysis: &str, summary: &str, curve: Option<&str>) {
        let place = folder.join(name).join(analysis);
        std::fs::create_dir_all(&place).unwrap();
        std::fs::write(place.join("summary.json"), summary).unwrap();
        if let Some(curve) = curve {
            std::fs::write(place.join("curve.csv"), curve).unwrap();
        }
    }

    #[test]
    fn numbers_stand_side_by_side_with_their_change() {
        let folder = tempfile::tempdir().unwrap();
        let at = folder.path();
        results(
            at,
            "plain",
            "limit",
            r#"{"kind":"limit","name":"limit","status":"optimal","multiplier":0.1}"#,
            None,
        );
        results(
            at,
            "tied",
            "limit",
            r#"{"kind":"limit","name":"limit","status":"optimal","multiplier":0.125}"#,
            None,
        );
        results(
            at,
            "tied",
            "push",
            r#"{"kind":"pushover","name":"push","alpha_0":0.125}"#,
            Some("branch,alpha,d\nrigid,0.125,0\nrigid,0,0.5\n"),
        );
        let read = |label: &str| Candidate::read(label, &at.join(label)).unwrap();
        let comparison = Comparison::new(&[read("plain"), read("tied")]).unwrap();
        let text = comparison.markdown();
        assert!(
            text.contains("| limit | multiplier | 0.1 | 0.125 (+25.0 %) |"),
            "{text}"
        );
        assert!(text.contains("| push | alpha_0 |  | 0.125 |"), "{text}");
        assert!(
            comparison
                .csv()
                .unwrap()
                .contains("limit,multiplier,0.1,0.125")
        );
        assert!(comparison.html().contains("polyline"));
        // One analysis alone is a candidate too; an empty folder is none.
        assert_eq!(
            Candidate::read("x", &at.join("plain/limit"))
                .unwrap()
                .results
                .len(),
            1
        );
        let empty = at.join("empty");
        std::fs::create_dir(&empty).unwrap();
        assert!(
            Candidate::read("x", &empty)
                .unwrap_err()
                .to_string()
                .contains("no results")
        );
    }
}
