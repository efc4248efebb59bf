//! Charts: axes, a faint grid, what is drawn, and a legend beside it.

use std::fmt::Write as _;

use super::axes::{tick_label, ticks};
use super::{Svg, WIDTH, joined};
use crate::figure::{Chart, Item, Line, Mark, Marks};
use crate::report::escape;
use crate::report::look::figure::{FAINT, GRID, TEXT};
use crate::report::look::size::{CHART, NOTE};

const LEFT: f64 = 70.0;
/// Room for the legend.
const RIGHT: f64 = 220.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
const LEGEND_ROW: f64 = 17.0;

/// Draws a chart.
pub(in super::super) fn chart(chart: &Chart) -> Svg {
    let attributes = format!("font-size=\"{CHART}\" fill=\"{TEXT}\"");
    let mut svg = Svg::new([WIDTH, chart.height], attributes);
    let frame = Frame { chart };
    frame.grid(&mut svg.body);
    for item in &chart.items {
        frame.item(&mut svg.body, item);
    }
    frame.legend(&mut svg.body);
    svg
}

struct Frame<'a> {
    chart: &'a Chart,
}

impl Frame<'_> {
    /// Where a point of the chart stands in the picture.
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            LEFT + self.chart.x.part(x) * (WIDTH - LEFT - RIGHT),
            self.bottom() - self.chart.y.part(y) * (self.bottom() - TOP),
        ]
    }

    fn bottom(&self) -> f64 {
        self.chart.height - BOTTOM
    }

    fn path(&self, points: impl Iterator<Item = [f64; 2]>) -> String {
        joined(points.map(|point| self.place(point)), 1)
    }

    fn grid(&self, svg: &mut String) {
        let (right, bottom) = (WIDTH - RIGHT, self.bottom());
        let (x_axis, y_axis) = (&self.chart.x, &self.chart.y);
        for tick in ticks(y_axis) {
            let [_, y] = self.place([x_axis.range[0], tick]);
            let _ = write!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{right:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{GRID}\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                LEFT - 6.0,
                y + 4.0,
                tick_label(tick)
            );
        }
        for tick in ticks(x_axis) {
            let [x, _] = self.place([tick, y_axis.range[0]]);
            let _ = write!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{TOP}\" y2=\"{bottom:.1}\" stroke=\"{FAINT}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                tick_label(tick)
            );
        }
        let _ = write!(
            svg,
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text><text x=\"4\" y=\"14\">{}</text>",
            right + 10.0,
            bottom + 18.0,
            escape(&x_axis.name()),
            escape(&y_axis.name())
        );
    }

    fn item(&self, svg: &mut String, item: &Item) {
        let _ = match item {
            Item::Line(line) => {
                let dashes = if line.dashed {
                    " stroke-dasharray=\"6 4\""
                } else {
                    ""
                };
                write!(
                    svg,
                    "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"{dashes} points=\"{}\"/>",
                    line.points.ink.colour(),
                    self.path(line.points.pairs())
                )
            }
            Item::Band(points) => write!(
                svg,
                "<polygon points=\"{}\" fill=\"{}\" fill-opacity=\"0.12\"/>",
                self.path(points.pairs()),
                points.ink.colour()
            ),
            Item::Marks(marks) => return self.marks(svg, marks),
            Item::Text { at, text } => {
                let [x, y] = self.place(*at);
                write!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{NOTE}\">{}</text>",
                    x + 6.0,
                    y - 5.0,
                    escape(text)
                )
            }
        };
    }

    fn marks(&self, svg: &mut String, marks: &Marks) {
        let colour = marks.points.ink.colour();
        for point in marks.points.pairs() {
            let [x, y] = self.place(point);
            let at = format!("cx=\"{x:.1}\" cy=\"{y:.1}\"");
            let _ = match marks.mark {
                Mark::Dot => write!(svg, "<circle {at} r=\"4\" fill=\"{colour}\"/>"),
                Mark::Ring => write!(
                    svg,
                    "<circle {at} r=\"3.5\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
                ),
                Mark::Speck => write!(svg, "<circle {at} r=\"1.2\" fill=\"{colour}\"/>"),
                Mark::Cross => write!(
                    svg,
                    "<path d=\"M{:.1},{:.1}l8,8m0,-8l-8,8\" stroke=\"{colour}\" stroke-width=\"2\"/>",
                    x - 4.0,
                    y - 4.0
                ),
            };
        }
    }

    /// Names of lines in their colours, then notes; what would run out of the picture is left out.
    fn legend(&self, svg: &mut String) {
        let lines = self.chart.items.iter().filter_map(|item| match item {
            Item::Line(Line { label, points, .. }) if !label.is_empty() => {
                Some((label, points.ink.colour()))
            }
            _ => None,
        });
        let notes = self.chart.notes.iter().map(|note| (note, TEXT));
        for (row, (text, colour)) in lines.chain(notes).enumerate() {
            let y = TOP + 10.0 + LEGEND_ROW * row as f64;
            if y < self.bottom() {
                let _ = write!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>",
                    WIDTH - RIGHT + 10.0,
                    escape(text)
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::{Axis, Ink};

    fn plain(items: Vec<Item>) -> Chart {
        Chart {
            x: Axis::new("x", "").over([1.0, 3.0]).unwrap(),
            y: Axis::new("y", "m").over([-1.0, 1.0]).unwrap(),
            height: 300.0,
            items,
            notes: Vec::new(),
        }
    }

    /// The corners of the ranges are the corners of the grid, y upwards.
    #[test]
    fn values_stand_where_the_axes_say() {
        let chart = plain(Vec::new());
        let frame = Frame { chart: &chart };
        assert_eq!(frame.place([1.0, -1.0]), [LEFT, 300.0 - BOTTOM]);
        assert_eq!(frame.place([3.0, 1.0]), [WIDTH - RIGHT, TOP]);
    }

    #[test]
    fn legends_stay_in_the_picture() {
        let line = |_| Item::Line(Line::new("a < b", Ink::Bad, []));
        let svg = chart(&plain((0..100).map(line).collect())).in_page();
        assert_eq!(svg.matches("a &lt; b").count(), 14);
    }
}
