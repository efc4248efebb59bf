//! Bars one below the other over one axis.

use super::axes::{tick_label, ticks};
use super::{Anchor, Form, Look, Picture, WIDTH, tenths};
use crate::figure::{Bars, Ink};
use crate::report::look::figure::GRID;
use crate::report::look::light::INK;
use crate::report::look::size::NOTE;

/// Room for names.
const LEFT: f64 = 260.0;
const RIGHT: f64 = 60.0;
const ROW: f64 = 34.0;

/// Draws bars.
pub(in super::super) fn bars(bars: &Bars) -> Picture {
    let height = 50.0 + ROW * bars.bars.len() as f64;
    let bottom = height - 30.0;
    let x = |value: f64| LEFT + bars.axis.part(value) * (WIDTH - LEFT - RIGHT);
    let upright = |value: f64, top: f64| Form::Line {
        x: [tenths(x(value)); 2],
        y: [top.into(), tenths(bottom)],
    };
    let mut picture = Picture::new([WIDTH, height], Look::of_charts());
    for tick in ticks(&bars.axis, f64::INFINITY) {
        picture.add(upright(tick, 10.0), Look::stroked(GRID));
        let at = [tenths(x(tick)), tenths(height - 12.0)];
        picture.text(at, Anchor::Middle, &tick_label(tick), Look::default());
    }
    for (row, bar) in bars.bars.iter().enumerate() {
        let top = 14.0 + ROW * row as f64;
        let [from, to] = bar.range.map(x);
        let rectangle = Form::Rectangle {
            at: [from, top].map(tenths),
            size: [tenths((to - from).max(1.0)), 18.0.into()],
        };
        let look = Look {
            fill_opacity: Some(0.75),
            ..Look::filled(Ink::Accent.colour())
        };
        picture.add(rectangle, look);
        let y = tenths(top + 13.0);
        let [low, high] = &bar.ends;
        let note = || Look::letters(NOTE);
        picture.text([4.0.into(), y], Anchor::Start, &bar.label, Look::default());
        picture.text([tenths(from - 4.0), y], Anchor::End, low, note());
        picture.text([tenths(to + 4.0), y], Anchor::Start, high, note());
    }
    picture.add(upright(bars.middle, 6.0), Look::stroked(INK));
    picture
}
