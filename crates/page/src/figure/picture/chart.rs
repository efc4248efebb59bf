//! Charts: axes, a faint grid, what is drawn, and a legend beside it.

use super::axes::{tick_label, ticks};
use super::{Anchor, Form, Look, Picture, Points, WIDTH, tenths};
use crate::figure::{Chart, Ink, Item, Line, Mark};
use crate::report::look::figure::{FAINT, GRID, TEXT};
use crate::report::look::size::NOTE;

const LEFT: f64 = 70.0;
/// Room for the legend.
const RIGHT: f64 = 220.0;
const TOP: f64 = 26.0;
const BOTTOM: f64 = 34.0;
const LEGEND_ROW: f64 = 17.0;
/// That a number takes along the axes, or they would touch each other.
const ROOM: [f64; 2] = [42.0, 17.0];

/// Draws a chart.
pub(in super::super) fn chart(chart: &Chart) -> Picture {
    let mut picture = Picture::new([WIDTH, chart.height], Look::of_charts());
    let frame = Frame::of(chart);
    frame.grid(&mut picture);
    frame.axis_names(&mut picture);
    for item in &chart.items {
        frame.item(&mut picture, item);
    }
    frame.legend(&mut picture);
    picture
}

/// A chart and where its axes stand in the picture.
pub(super) struct Frame<'a> {
    pub(super) chart: &'a Chart,
    pub(super) left: f64,
    pub(super) right: f64,
    pub(super) top: f64,
    pub(super) bottom: f64,
}

impl<'a> Frame<'a> {
    /// A chart that has the picture for itself.
    fn of(chart: &'a Chart) -> Self {
        Self {
            chart,
            left: LEFT,
            right: WIDTH - RIGHT,
            top: TOP,
            bottom: chart.height - BOTTOM,
        }
    }

    /// Where a point of the chart stands in the picture.
    fn place(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        [
            self.left + self.chart.x.part(x) * (self.right - self.left),
            self.bottom - self.chart.y.part(y) * (self.bottom - self.top),
        ]
    }

    fn points(&self, points: impl Iterator<Item = [f64; 2]>) -> Points {
        Points::new(points.map(|point| self.place(point)), 1)
    }

    pub(super) fn grid(&self, picture: &mut Picture) {
        let (x_axis, y_axis) = (&self.chart.x, &self.chart.y);
        let label = |picture: &mut Picture, at: [f64; 2], anchor: Anchor, text: &str| {
            picture.text(at.map(tenths), anchor, text, Look::default());
        };
        for tick in ticks(y_axis, (self.bottom - self.top) / ROOM[1]) {
            let [_, y] = self.place([x_axis.range[0], tick]);
            let line = Form::Line {
                x: [self.left.into(), tenths(self.right)],
                y: [tenths(y); 2],
            };
            picture.add(line, Look::stroked(GRID));
            let at = [self.left - 6.0, y + 4.0];
            label(picture, at, Anchor::End, &tick_label(tick));
        }
        for tick in ticks(x_axis, (self.right - self.left) / ROOM[0]) {
            let [x, _] = self.place([tick, y_axis.range[0]]);
            let line = Form::Line {
                x: [tenths(x); 2],
                y: [self.top.into(), tenths(self.bottom)],
            };
            picture.add(line, Look::stroked(FAINT));
            let at = [x, self.bottom + 18.0];
            label(picture, at, Anchor::Middle, &tick_label(tick));
        }
    }

    /// What is measured, beside the one axis and above the other.
    fn axis_names(&self, picture: &mut Picture) {
        let (x, y) = (self.chart.x.name(), self.chart.y.name());
        let at = [self.right + 10.0, self.bottom + 18.0].map(tenths);
        picture.text(at, Anchor::Start, &x, Look::default());
        let at = [4.0, 14.0].map(Into::into);
        picture.text(at, Anchor::Start, &y, Look::default());
    }

    pub(super) fn item(&self, picture: &mut Picture, item: &Item) {
        match item {
            Item::Line(line) => {
                let points = line.points.pairs().map(|point| self.place(point));
                Self::stroke(picture, line, points.collect());
            }
            Item::Band(points) => {
                let look = Look {
                    fill_opacity: Some(0.12),
                    ..Look::filled(points.ink.colour())
                };
                picture.add(Form::Polygon(self.points(points.pairs())), look);
            }
            Item::Marks(marks) => {
                for point in marks.points.pairs() {
                    Self::mark(picture, marks.mark, marks.points.ink, self.place(point));
                }
            }
            Item::Text { at, text } => {
                let [x, y] = self.place(*at);
                let at = [x + 6.0, y - 5.0].map(tenths);
                picture.text(at, Anchor::Start, text, Look::letters(NOTE));
            }
        }
    }

    /// A line through places of the picture.
    pub(super) fn stroke(picture: &mut Picture, line: &Line, places: Vec<[f64; 2]>) {
        let look = Look {
            dashes: line.dashed.then_some([6.0, 4.0]),
            ..Look::stroked(line.points.ink.colour()).wide(1.8).hollow()
        };
        picture.add(Form::Polyline(Points::new(places, 1)), look);
    }

    /// A point at a place of the picture.
    pub(super) fn mark(picture: &mut Picture, mark: Mark, ink: Ink, place: [f64; 2]) {
        let colour = ink.colour();
        let circle = |radius: f64| Form::Circle {
            centre: Some(place.map(tenths)),
            radius,
        };
        match mark {
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
            let y = self.top + 10.0 + LEGEND_ROW * row as f64;
            if y < self.bottom {
                let at = [self.right + 10.0, y].map(tenths);
                picture.text(at, Anchor::Start, text, Look::filled(colour));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Axis;

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
        let frame = Frame::of(&chart);
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
