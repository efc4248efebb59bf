//! Time over size as a picture.

use std::fmt::Write as _;

use drystone_io::report::look::SERIES;
use drystone_io::report::look::figure::GRID;
use drystone_io::report::look::size::PLOT;

use crate::capture::Motion;
use crate::family::Family;
use crate::report::{Report, Row};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
const LEFT: f64 = 60.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 20.0;
const BOTTOM: f64 = 50.0;

/// Milliseconds of a warm step in collapse (full lines), in small motion (dashed), and of Clarabel (dots) over the number
/// of blocks, both logarithmic.
pub fn svg(report: &Report) -> String {
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" font-size=\"{PLOT}\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n"
    );
    let points: Vec<(f64, f64)> = report
        .rows
        .iter()
        .filter(|row| row.motion != Motion::Rest)
        .flat_map(|row| {
            let clarabel = row.clarabel.map(|timing| timing.ms);
            let ms = [Some(row.warm.ms), clarabel].into_iter().flatten();
            ms.map(|ms| (row.blocks as f64, ms))
        })
        .filter(|(blocks, ms)| *blocks > 0.0 && *ms > 0.0)
        .collect();
    let Some(axes) = Axes::around(&points) else {
        return text + "</svg>\n";
    };
    axes.draw(&mut text);
    let mut line = 0;
    for family in Family::ALL {
        let of = |motion: Motion| -> Vec<&Row> {
            let rows = report.rows.iter();
            let mut rows: Vec<&Row> = rows
                .filter(|row| (row.family, row.motion) == (family, motion) && row.warm.ms > 0.0)
                .collect();
            rows.sort_by_key(|row| row.blocks);
            rows
        };
        let (small, collapse) = (of(Motion::Small), of(Motion::Collapse));
        if small.is_empty() && collapse.is_empty() {
            continue;
        }
        let colour = SERIES[line % SERIES.len()];
        for (rows, dash) in [(&small, " stroke-dasharray=\"6 4\""), (&collapse, "")] {
            let path: Vec<String> = rows
                .iter()
                .map(|row| axes.at(row.blocks as f64, row.warm.ms))
                .map(|(x, y)| format!("{x:.1},{y:.1}"))
                .collect();
            let _ = writeln!(
                text,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"{dash}/>",
                path.join(" ")
            );
            for row in rows {
                let (x, y) = axes.at(row.blocks as f64, row.warm.ms);
                let _ = writeln!(
                    text,
                    "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"5\" height=\"5\" fill=\"{colour}\"/>",
                    x - 2.5,
                    y - 2.5
                );
                if let Some(clarabel) = row.clarabel {
                    let (x, y) = axes.at(row.blocks as f64, clarabel.ms);
                    let _ = writeln!(
                        text,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"none\" stroke=\"{colour}\"/>"
                    );
                }
            }
        }
        let y = TOP + 20.0 * (line as f64 + 0.5);
        let x = WIDTH - RIGHT + 20.0;
        let _ = writeln!(
            text,
            "<rect x=\"{x}\" y=\"{:.1}\" width=\"10\" height=\"10\" fill=\"{colour}\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            y - 9.0,
            x + 16.0,
            y,
            family.word()
        );
        line += 1;
    }
    let x = WIDTH - RIGHT + 20.0;
    for (k, words) in [
        "full: warm, collapse",
        "dashed: warm, small motion",
        "circles: Clarabel",
    ]
    .into_iter()
    .enumerate()
    {
        let y = TOP + 20.0 * (line as f64 + 1.0 + k as f64);
        let _ = writeln!(text, "<text x=\"{x}\" y=\"{y:.1}\">{words}</text>");
    }
    text + "</svg>\n"
}

/// Logarithmic axes with whole powers of ten at their ends.
struct Axes {
    low: [f64; 2],
    high: [f64; 2],
}

impl Axes {
    fn around(points: &[(f64, f64)]) -> Option<Self> {
        let first = points.first()?;
        let mut low = [first.0.log10(), first.1.log10()];
        let mut high = low;
        for (x, y) in points {
            for (k, value) in [x.log10(), y.log10()].into_iter().enumerate() {
                low[k] = low[k].min(value);
                high[k] = high[k].max(value);
            }
        }
        let low = low.map(f64::floor);
        let high = [0, 1].map(|k: usize| high[k].ceil().max(low[k] + 1.0));
        Some(Self { low, high })
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let part =
            |value: f64, k: usize| (value.log10() - self.low[k]) / (self.high[k] - self.low[k]);
        (
            LEFT + part(x, 0) * (WIDTH - LEFT - RIGHT),
            HEIGHT - BOTTOM - part(y, 1) * (HEIGHT - TOP - BOTTOM),
        )
    }

    fn draw(&self, text: &mut String) {
        let grid = format!("stroke=\"{GRID}\" stroke-width=\"0.7\"");
        for power in self.low[0] as i32..=self.high[0] as i32 {
            let (x, _) = self.at(10_f64.powi(power), 1.0);
            let _ = writeln!(
                text,
                "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{:.1}\" {grid}/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 18.0,
                10_f64.powi(power)
            );
        }
        for power in self.low[1] as i32..=self.high[1] as i32 {
            let (_, y) = self.at(1.0, 10_f64.powi(power));
            let _ = writeln!(
                text,
                "<line x1=\"{LEFT}\" y1=\"{y:.1}\" x2=\"{:.1}\" y2=\"{y:.1}\" {grid}/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0,
                10_f64.powi(power)
            );
        }
        let middle = LEFT + 0.5 * (WIDTH - LEFT - RIGHT);
        let _ = writeln!(
            text,
            "<text x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">blocks</text>\
             <text x=\"16\" y=\"{:.1}\" text-anchor=\"middle\" transform=\"rotate(-90 16 {:.1})\">ms per solution</text>",
            HEIGHT - 10.0,
            0.5 * HEIGHT,
            0.5 * HEIGHT
        );
    }
}
