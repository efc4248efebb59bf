//! A page to look at: what the campaign says as pictures, and its numbers as tables. It works offline.

use std::fmt::Write as _;

use drystone_page::figure::{self, Figure};
use drystone_page::report::escape;
use drystone_page::report::look::{LIGHT_CSS, TEXT_CSS};
use serde_json::Value;

use crate::collect::{Answer, motion_label, spoken};
use crate::folder::Folder;
use crate::fragility::Curves;
use crate::local::Gathered;

/// Rows of the table of runs; all are in the files beside it.
const ROWS: usize = 2000;

const STYLE: &str = "body{font:var(--text-body)/1.5 system-ui,sans-serif;max-width:70rem;margin:0 auto;padding:1rem 1.25rem 3rem;color:var(--ink);background:var(--paper)}\
h1{font-size:var(--text-title);margin:.2rem 0}h2{font-size:var(--text-heading);margin:1.6rem 0 .5rem}.sub{color:var(--soft);margin:0}\
.verdict{margin:.6rem 0 1rem;padding:.7rem 1rem;border-radius:.5rem;background:var(--good-bg);border-left:.35rem solid var(--good);font-size:var(--text-lead)}\
.verdict.incomplete{background:var(--warn-bg);border-color:var(--warn)}svg{width:100%;height:auto;background:var(--card);border-radius:.4rem}\
table{border-collapse:collapse;font-size:var(--text-small);font-variant-numeric:tabular-nums}td,th{padding:.1rem .8rem .1rem 0;text-align:left;border-bottom:1px solid var(--line)}\
figure{margin:1rem 0}figcaption{color:var(--soft);font-size:var(--text-caption)}.wide{overflow-x:auto}footer{margin-top:2rem;color:var(--soft);font-size:var(--text-small);overflow-wrap:anywhere}";

/// The page.
pub fn html(
    folder: &Folder,
    gathered: &Gathered,
    (answer, figures): (&Answer, &[Figure]),
    summary: &Value,
    headline: &str,
    notes: &[String],
) -> String {
    let mut page = String::new();
    let status = if gathered.is_complete() {
        ""
    } else {
        " incomplete"
    };
    let _ = write!(
        page,
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none';style-src 'unsafe-inline'\">\
         <title>{name}: {analysis}</title><style>:root{{{LIGHT_CSS}{TEXT_CSS}}}{STYLE}</style><h1>{name}</h1><p class=\"sub\">{analysis}: {kind}, runs of {of}</p>\
         <p class=\"verdict{status}\"><strong>{headline}</strong></p>",
        name = escape(&folder.model.name),
        analysis = escape(folder.analysis()),
        kind = summary["kind"].as_str().unwrap_or_default(),
        of = escape(&folder.plan.campaign.of),
        headline = escape(headline),
    );
    for note in notes {
        let _ = write!(page, "<p class=\"sub\">Note: {}</p>", escape(note));
    }
    match answer {
        Answer::Sweep(_) | Answer::FailureDomain(_) => page.push_str(&figure::html(figures)),
        // Each with its numbers below it.
        Answer::Fragility(curves) => {
            for (set, figure) in curves.iter().zip(figures) {
                page.push_str(&figure::html(std::slice::from_ref(figure)));
                fragilities(&mut page, set);
            }
        }
    }
    runs(&mut page, folder, gathered);
    let _ = write!(
        page,
        "<footer>Drystone {}, {} \"{}\" of the model with hash <code>{}</code>. SI units: m, kg, s, N.</footer>",
        env!("CARGO_PKG_VERSION"),
        summary["kind"].as_str().unwrap_or_default(),
        escape(folder.analysis()),
        escape(folder.model_sha256()),
    );
    page
}

fn fragilities(page: &mut String, set: &Curves) {
    page.push_str("<table><tr><th>state<th>theta<th>interval<th>beta<th>interval<th>note</tr>");
    for curve in &set.curves {
        let end = |x: Option<f64>| x.map_or("open".to_owned(), |x| format!("{x:.4}"));
        let interval =
            |chosen: fn(&crate::statistics::Intervals) -> crate::statistics::Interval| {
                curve
                    .bounds
                    .as_ref()
                    .map(chosen)
                    .map_or(String::new(), |i| {
                        format!("{} to {}", end(i.low), end(i.high))
                    })
            };
        let (theta, beta, note) = match &curve.fit {
            Ok(fit) => (
                format!("{:.4}", fit.theta),
                format!("{:.4}", fit.beta),
                curve.note.clone().unwrap_or_default(),
            ),
            Err(reason) => (String::new(), String::new(), reason.clone()),
        };
        let _ = write!(
            page,
            "<tr><td>{}<td>{theta}<td>{}<td>{beta}<td>{}<td>{}</tr>",
            escape(&curve.state),
            interval(|bounds| bounds.theta),
            interval(|bounds| bounds.beta),
            escape(&note)
        );
    }
    page.push_str("</table>");
}

fn runs(page: &mut String, folder: &Folder, gathered: &Gathered) {
    let plan = &folder.plan;
    page.push_str("<h2>Runs</h2><div class=\"wide\"><table><tr><th>run");
    for key in plan.keys() {
        let _ = write!(page, "<th>{}", escape(key));
    }
    if !plan.suite().is_empty() {
        page.push_str("<th>motion");
    }
    let names: Vec<&str> = gathered
        .known
        .values()
        .find(|run| run.failure.is_none())
        .map_or(Vec::new(), |run| {
            run.measures.iter().map(|(name, _)| name.as_str()).collect()
        });
    page.push_str("<th>status");
    for name in &names {
        let _ = write!(page, "<th>{}", escape(name));
    }
    page.push_str("</tr>");
    for (index, run) in gathered.known.iter().take(ROWS) {
        let point = plan.point(*index);
        let _ = write!(page, "<tr><td>{index}");
        for value in &point.values {
            let _ = write!(page, "<td>{}", escape(&spoken(value)));
        }
        if let Some(motion) = &point.motion {
            let _ = write!(page, "<td>{}", escape(&motion_label(motion)));
        }
        let status = run.failure.as_deref().unwrap_or(&run.status);
        let _ = write!(page, "<td>{}", escape(status));
        for name in &names {
            let value = run.measure(name);
            let text = value.map_or(String::new(), |value| format!("{value:.5e}"));
            let _ = write!(page, "<td>{text}");
        }
        page.push_str("</tr>");
    }
    page.push_str("</table></div>");
    if gathered.known.len() > ROWS {
        let _ = write!(
            page,
            "<p class=\"sub\">and {} more in runs.csv and runs.parquet</p>",
            gathered.known.len() - ROWS
        );
    }
}
