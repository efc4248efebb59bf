//! Charts: axes, a faint grid, what is drawn, and a legend beside it.

use super::axes::{tick_label, ticks};
use super::{Anchor, Form, Look, Picture, Points, WIDTH, tenths};
use crate::figure::{Chart, Item, Line, Mark, Marks};
use crate::report::look::figure::{FAINT, GRID, TEXT};
use crate::report::look::size::NOTE;

const LEFT: f64 = 70.0;
/// Room for the legend.
const RIGHT: f64 = 220.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
const LEGEND_ROW: f64 = 17.0;

/// Draws a chart.
pub(in super::super) fn chart(chart: &Chart) -> Picture {
    let mut picture = Picture::new([WIDTH, chart.height], Look::of_charts());
    let frame = Frame { chart };
    frame.grid(&mut picture);
    for item in &chart.items {
        frame.item(&mut picture, item);
    }
    frame.legend(&mut picture);
    picture
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

    fn points(&self, points: impl Iterator<Item = [f64; 2]>) -> Points {
        Points::new(points.map(|point| self.place(point)), 1)
    }

    fn grid(&self, picture: &mut Picture) {
        let (right, bottom) = (WIDTH - RIGHT, self.bottom());
        let (x_axis, y_axis) = (&self.chart.x, &self.chart.y);
        let label = |picture: &mut Picture, at: [f64; 2], anchor: Anchor, text: &str| {
            picture.text(at.map(tenths), anchor, text, Look::default());
        };
        for tick in ticks(y_axis) {
            let [_, y] = self.place([x_axis.range[0], tick]);
            let line = Form::Line {
                x: [LEFT.into(), tenths(right)],
                y: [tenths(y); 2],
            };
            picture.add(line, Look::stroked(GRID));
            let at = [LEFT - 6.0, y + 4.0];
            label(picture, at, Anchor::End, &tick_label(tick));
        }
        for tick in ticks(x_axis) {
            let [x, _] = self.place([tick, y_axis.range[0]]);
            let line = Form::Line {
                x: [tenths(x); 2],
                y: [TOP.into(), tenths(bottom)],
            };
            picture.add(line, Look::stroked(FAINT));
            let at = [x, bottom + 18.0];
            label(picture, at, Anchor::Middle, &tick_label(tick));
        }
        let at = [right + 10.0, bottom + 18.0];
        label(picture, at, Anchor::Start, &x_axis.name());
        let at = [4.0, 14.0].map(Into::into);
        picture.text(at, Anchor::Start, &y_axis.name(), Look::default());
    }

    fn item(&self, picture: &mut Picture, item: &Item) {
        match item {
            Item::Line(line) => {
                let look = Look {
                    dashes: line.dashed.then_some([6.0, 4.0]),
                    ..Look::stroked(line.points.ink.colour()).wide(1.8).hollow()
                };
                picture.add(Form::Polyline(self.points(line.points.pairs())), look);
            }
            Item::Band(points) => {
                let look = Look {
                    fill_opacity: Some(0.12),
                    ..Look::filled(points.ink.colour())
                };
                picture.add(Form::Polygon(self.points(points.pairs())), look);
            }
            Item::Marks(marks) => self.marks(picture, marks),
            Item::Text { at, text } => {
                let [x, y] = self.place(*at);
                let at = [x + 6.0, y - 5.0].map(tenths);
                picture.text(at, Anchor::Start, text, Look::letters(NOTE));
            }
        }
    }

    fn marks(&self, picture: &mut Picture, marks: &Marks) {
        let colour = marks.points.ink.colour();
        for point in marks.points.pairs() {
            let place = self.place(point);
            let circle = |radius: f64| Form::Circle {
                centre: Some(place.map(tenths)),
                radius,
            };
            match marks.mark {
                Mark::Dot => picture.add(circle(4.0), Look::filled(colour)),
                Mark::Ring => picture.add(circle(3.5), Look::stroked(colour).wide(1.5).hollow()),
                Mark::Speck => picture.add(circle(1.2), Look::filled(colour)),
                Mark::Cross => {
                    let at = place.map(|centre| tenths(centre - 4.0));
                    let cross = Form::Cross { at, side: 8.0 };
                    picture.add(cross, Look::stroked(colour).wide(2.0));
                }
            }
        }
    }

    /// Names of lines in their colours, then notes; what would run out of the picture is left out.
    fn legend(&self, picture: &mut Picture) {
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
                let at = [WIDTH - RIGHT + 10.0, y].map(tenths);
                picture.text(at, Anchor::Start, text, Look::filled(colour));
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
