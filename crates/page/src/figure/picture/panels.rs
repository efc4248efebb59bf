//! Charts side by side: each in its cell, one legend above, notes below.

use super::chart::Frame;
use super::{Anchor, Look, Picture, WIDTH, tenths};
use crate::figure::{Chart, Item, Line, Marks, Panels};
use crate::report::look::size::{NOTE, PLOT};

/// Of a cell, between its edges and the axes.
const LEFT: f64 = 50.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 42.0;
/// Height of a cell.
const CELL: f64 = 245.0;
/// Height of the legend, and of a line of notes.
const LEGEND: f64 = 30.0;
const ROW: f64 = 17.0;
/// Length of the piece of a line that the legend shows.
const SAMPLE: f64 = 34.0;

/// Draws charts side by side.
pub(in super::super) fn panels(panels: &Panels) -> Picture {
    let rows = panels.charts.len().div_ceil(panels.columns);
    let below = LEGEND + CELL * rows as f64;
    let height = below + ROW * panels.notes.len() as f64 + 4.0;
    let mut picture = Picture::new([WIDTH, height], Look::of_charts());
    legend(&mut picture, panels);
    let width = WIDTH / panels.columns as f64;
    for (k, (title, chart)) in panels.charts.iter().enumerate() {
        let left = width * (k % panels.columns) as f64;
        let top = LEGEND + CELL * (k / panels.columns) as f64;
        cell(&mut picture, [left, top, width], title, chart);
    }
    for (k, note) in panels.notes.iter().enumerate() {
        let at = [8.0, below + ROW * (k as f64 + 0.7)].map(tenths);
        picture.text(at, Anchor::Start, note, Look::letters(PLOT));
    }
    picture
}

fn cell(picture: &mut Picture, [left, top, width]: [f64; 3], title: &str, chart: &Chart) {
    let frame = Frame {
        chart,
        left: left + LEFT,
        right: left + width - RIGHT,
        top: top + TOP,
        bottom: top + CELL - BOTTOM,
    };
    frame.grid(picture);
    for item in &chart.items {
        frame.item(picture, item);
    }
    let at = [frame.left, top + 16.0].map(tenths);
    picture.text(at, Anchor::Start, title, Look::default());
    let at = [frame.left, top + 33.0].map(tenths);
    picture.text(at, Anchor::Start, &chart.y.name(), Look::letters(NOTE));
    let middle = 0.5 * (frame.left + frame.right);
    let at = [middle, frame.bottom + 32.0].map(tenths);
    picture.text(at, Anchor::Middle, &chart.x.name(), Look::letters(NOTE));
}

/// Names of lines beside a piece of each, with the marks that go with it.
fn legend(picture: &mut Picture, panels: &Panels) {
    let mut named: Vec<(&Line, Option<&Marks>)> = Vec::new();
    for (_, chart) in &panels.charts {
        for item in &chart.items {
            let Item::Line(line) = item else { continue };
            let seen = named.iter().any(|(other, _)| other.label == line.label);
            if line.label.is_empty() || seen {
                continue;
            }
            let marks = chart.items.iter().find_map(|item| match item {
                Item::Marks(marks) if marks.points.ink == line.points.ink => Some(marks),
                Item::Marks(_) | Item::Line(_) | Item::Band(_) | Item::Text { .. } => None,
            });
            named.push((line, marks));
        }
    }
    let share = WIDTH / panels.columns.max(named.len()) as f64;
    for (k, (line, marks)) in named.iter().enumerate() {
        let (x, y) = (share * k as f64 + LEFT, 14.0);
        Frame::stroke(picture, line, vec![[x, y], [x + SAMPLE, y]]);
        if let Some(marks) = marks {
            Frame::mark(picture, marks.mark, marks.points.ink, [x + 0.5 * SAMPLE, y]);
        }
        let at = [x + SAMPLE + 8.0, y + 4.0].map(tenths);
        picture.text(at, Anchor::Start, &line.label, Look::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Ink, Mark};

    fn chart() -> Chart {
        let items = vec![
            Item::Line(Line::new(
                "steady",
                Ink::Series(0),
                [[0.0, 0.0], [1.0, 1.0]],
            )),
            Item::marks(Mark::Ring, Ink::Series(0), [[0.0, 0.0], [1.0, 1.0]]),
        ];
        Chart::from_zero(Axis::new("x", "s"), Axis::new("y", "mm"), 0.0, items).unwrap()
    }

    /// Four charts in rows of three take two rows; a name that all of them have stands in the legend once.
    #[test]
    fn charts_share_a_legend() {
        let charts = (0..4).map(|k| (format!("title {k}"), chart())).collect();
        let mut shown = Panels::new(3, charts);
        shown.notes.push("a note".to_owned());
        let svg = panels(&shown).in_page();
        assert_eq!(svg.matches(">steady<").count(), 1);
        assert_eq!(svg.matches(">y, mm<").count(), 4);
        assert!(svg.contains("title 3") && svg.contains("a note"));
        assert!(svg.contains(&format!("0 0 900 {}", LEGEND + 2.0 * CELL + ROW + 4.0)));
        // One in the legend, two in each chart.
        assert_eq!(svg.matches("<circle").count(), 9);
    }
}
