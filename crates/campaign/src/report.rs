//! A page to look at: what the campaign says as pictures, and its numbers as tables. It works offline.

use std::fmt::Write as _;

use drystone_io::report::look::light::{BAD, GOOD, WARN};
use drystone_io::report::look::{LIGHT_CSS, TEXT_CSS};
use drystone_io::report::{COLOURS, escape};
use serde_json::Value;

use crate::collect::{Answer, motion_label, spoken};
use crate::domain::{Domain, State};
use crate::folder::Folder;
use crate::fragility::Curves;
use crate::local::Gathered;
use crate::plot::{Mark, Plot};
use crate::sweep::Effect;

/// Rows of the table of runs; all are in the files beside it.
const ROWS: usize = 2000;
/// Measures that are drawn as tornados.
const TORNADOS: usize = 6;
/// Parts of a curve.
const PARTS: usize = 120;
/// Standard deviations of the normal distribution to either side that hold 95 %.
const BAND: f64 = 1.96;

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
    answer: &Answer,
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
        Answer::Sweep(effects) => tornados(&mut page, effects),
        Answer::FailureDomain(domain) => domains(&mut page, domain),
        Answer::Fragility(curves) => {
            for set in curves {
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

fn figure(page: &mut String, svg: &str, caption: &str) {
    let _ = write!(
        page,
        "<figure>{svg}<figcaption>{}</figcaption></figure>",
        escape(caption)
    );
}

fn domains(page: &mut String, domain: &Domain) {
    for (at, curve) in domain.curves.iter().enumerate() {
        let mut plot = Plot::new(&domain.x_key, &domain.y_key);
        for (cell, state) in curve.states.iter().enumerate() {
            let point = [
                domain.x[cell / domain.y.len()],
                domain.y[cell % domain.y.len()],
            ];
            match state {
                State::Stood => plot.point(point, Mark::Ring, GOOD),
                State::Collapsed => plot.point(point, Mark::Dot, BAD),
                State::Failed => plot.point(point, Mark::Cross, WARN),
                State::Safe => plot.point(point, Mark::Speck, GOOD),
                State::Lost => plot.point(point, Mark::Speck, BAD),
                State::Unknown => plot.cover(point),
            }
        }
        let middle = |bracket: &crate::domain::Bracket| {
            let y = match (bracket.stands, bracket.collapses) {
                (Some(low), Some(high)) => 0.5 * (low + high),
                (None, Some(high)) => high,
                _ => return None,
            };
            Some([bracket.x, y])
        };
        let boundary: Vec<[f64; 2]> = curve.boundary.iter().filter_map(middle).collect();
        plot.line(&boundary, COLOURS[0], "boundary", false);
        if let Some(hull) = domain.hulls.get(curve.group).filter(|hull| hull.len() > 2) {
            let mut closed = hull.clone();
            closed.extend(hull.first());
            plot.line(&closed, BAD, "hull of collapses", true);
        }
        if let Some(rocking) = domain.rocking.get(curve.group) {
            let boundary: Vec<[f64; 2]> = rocking.iter().filter_map(middle).collect();
            plot.line(&boundary, COLOURS[3], "rocking equation", false);
        }
        if let (Some(Some(limit)), [first, .., last]) =
            (domain.limit.get(curve.group), &domain.x[..])
        {
            let ends = [[*first, *limit], [*last, *limit]];
            plot.line(&ends, COLOURS[7], "static capacity", true);
        }
        let label = curve.label(&domain.keys);
        let caption = format!(
            "{}{}Rings stood, dots came down, crosses have no answer; specks were not run, and have the verdict of the runs about them.",
            label,
            if label.is_empty() { "" } else { ". " }
        );
        let _ = write!(page, "<h2>Domain {}</h2>", at + 1);
        figure(page, &plot.svg(), &caption);
    }
    if domain.curves.len() > 1 {
        let mut plot = Plot::new(&domain.x_key, &domain.y_key);
        for (at, curve) in domain.curves.iter().enumerate() {
            let points: Vec<[f64; 2]> = curve
                .boundary
                .iter()
                .filter_map(|bracket| Some([bracket.x, bracket.collapses?]))
                .collect();
            let label = curve.label(&domain.keys);
            plot.line(&points, COLOURS[at % COLOURS.len()], &label, curve.opposite);
        }
        page.push_str("<h2>Boundaries</h2>");
        figure(page, &plot.svg(), "First collapse by x.");
    }
}

fn fragilities(page: &mut String, set: &Curves) {
    let values: Vec<String> = set
        .keys
        .iter()
        .zip(&set.values)
        .map(|(key, value)| format!("{key} = {}", spoken(value)))
        .collect();
    let _ = write!(page, "<h2>{}</h2>", escape(&values.join(", ")));
    let mut plot = Plot::new(&set.intensity, "probability");
    plot.cover([0.0, 0.0]);
    plot.cover([0.0, 1.0]);
    let most =
        |c: &crate::fragility::Curve| c.stripes.iter().map(|s| s.intensity).fold(0.0, f64::max);
    let end = 1.1 * set.curves.iter().map(most).fold(0.0, f64::max);
    for (at, curve) in set.curves.iter().enumerate() {
        let colour = COLOURS[at % COLOURS.len()];
        for stripe in &curve.stripes {
            let part = stripe.collapses / stripe.runs;
            plot.point([stripe.intensity, part], Mark::Dot, colour);
            if at == 0 && stripe.runs > 1.0 {
                let text = format!("{}/{}", stripe.collapses, stripe.runs);
                plot.text([stripe.intensity, part], &text);
            }
        }
        if let Ok(fit) = &curve.fit {
            let at = |k: usize| end * (k as f64 + 0.5) / PARTS as f64;
            let points: Vec<[f64; 2]> = (0..PARTS)
                .map(|k| [at(k), fit.probability(at(k))])
                .collect();
            plot.line(&points, colour, &curve.state, false);
            let band = |side: usize| (0..PARTS).map(move |k| [at(k), fit.band(at(k), BAND)[side]]);
            let outline: Vec<[f64; 2]> = band(0)
                .chain(band(1).collect::<Vec<_>>().into_iter().rev())
                .collect();
            plot.area(&outline, colour);
        }
    }
    figure(
        page,
        &plot.svg(),
        "Part of the runs that reached the state by intensity, with n of N for collapse; fitted curves with bands of 95 %.",
    );
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

fn tornados(page: &mut String, effects: &[Effect]) {
    let mut measures: Vec<&str> = Vec::new();
    for effect in effects {
        if !measures.contains(&effect.measure.as_str()) && effect.range() > 0.0 {
            measures.push(&effect.measure);
        }
    }
    for measure in measures.iter().take(TORNADOS) {
        let bars: Vec<&Effect> = effects
            .iter()
            .filter(|effect| effect.measure == *measure)
            .collect();
        let _ = write!(page, "<h2>{}</h2>", escape(measure));
        figure(
            page,
            &crate::plot::tornado(&bars),
            "Mean over the runs with the value written at the end of a bar; the line is the mean of all.",
        );
    }
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
