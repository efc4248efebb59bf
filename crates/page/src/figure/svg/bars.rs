//! Bars one below the other over one axis.

use std::fmt::Write as _;

use super::axes::{tick_label, ticks};
use super::{Svg, WIDTH};
use crate::figure::{Bars, Ink};
use crate::report::escape;
use crate::report::look::figure::{GRID, TEXT};
use crate::report::look::light::INK;
use crate::report::look::size::{CHART, NOTE};

/// Room for names.
const LEFT: f64 = 260.0;
const RIGHT: f64 = 60.0;
const ROW: f64 = 34.0;

/// Draws bars.
pub(in super::super) fn bars(bars: &Bars) -> Svg {
    let height = 50.0 + ROW * bars.bars.len() as f64;
    let bottom = height - 30.0;
    let x = |value: f64| LEFT + bars.axis.part(value) * (WIDTH - LEFT - RIGHT);
    let attributes = format!("font-size=\"{CHART}\" fill=\"{TEXT}\"");
    let mut svg = Svg::new([WIDTH, height], attributes);
    let body = &mut svg.body;
    for tick in ticks(&bars.axis) {
        let _ = write!(
            body,
            "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"10\" y2=\"{bottom:.1}\" stroke=\"{GRID}\"/><text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            height - 12.0,
            tick_label(tick),
            x = x(tick)
        );
    }
    for (row, bar) in bars.bars.iter().enumerate() {
        let top = 14.0 + ROW * row as f64;
        let [from, to] = bar.range.map(x);
        let _ = write!(
            body,
            "<rect x=\"{from:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"18\" fill=\"{}\" fill-opacity=\"0.75\"/>\
             <text x=\"4\" y=\"{y:.1}\">{}</text><text x=\"{:.1}\" y=\"{y:.1}\" text-anchor=\"end\" font-size=\"{NOTE}\">{}</text>\
             <text x=\"{:.1}\" y=\"{y:.1}\" font-size=\"{NOTE}\">{}</text>",
            (to - from).max(1.0),
            Ink::Accent.colour(),
            escape(&bar.label),
            from - 4.0,
            escape(&bar.ends[0]),
            to + 4.0,
            escape(&bar.ends[1]),
            y = top + 13.0,
        );
    }
    let _ = write!(
        body,
        "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"6\" y2=\"{bottom:.1}\" stroke=\"{INK}\"/>",
        x = x(bars.middle)
    );
    svg
}
