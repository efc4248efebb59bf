//! Numbers by direction: a closed curve about the origin.

use std::fmt::Write as _;

use super::{Svg, joined};
use crate::figure::{Ink, Polar, extent};
use crate::report::escape;
use crate::report::look::figure::{GRID, TEXT};

/// Draws a curve by direction.
pub(in super::super) fn polar(polar: &Polar) -> Svg {
    let [_, largest] = extent(polar.value.iter().copied());
    let mut svg = Svg {
        view: [-1.25, -1.15, 2.5, 2.3],
        attributes: format!("font-size=\"0.08\" fill=\"{TEXT}\""),
        placed: " class=\"polar\" style=\"max-width:28rem\"",
        body: String::new(),
    };
    let body = &mut svg.body;
    for part in [0.5, 1.0] {
        let _ = write!(
            body,
            "<circle r=\"{part}\" fill=\"none\" stroke=\"{GRID}\" stroke-width=\"0.006\"/><text x=\"0.01\" y=\"{:.3}\">{:.3}</text>",
            -part - 0.01,
            part * largest
        );
    }
    let points = polar.angle.iter().zip(&polar.value).map(|(angle, value)| {
        let r = (value / largest).clamp(0.0, 1.0);
        [r * angle.cos(), -r * angle.sin()]
    });
    let colour = Ink::Accent.colour();
    let [x, y] = [0, 1].map(|axis: usize| escape(&polar.axes[axis]));
    let _ = write!(
        body,
        "<polygon points=\"{}\" fill=\"{colour}\" fill-opacity=\"0.15\" stroke=\"{colour}\" stroke-width=\"0.012\"/>\
         <text x=\"1.05\" y=\"0.03\">{x}</text><text x=\"-0.03\" y=\"-1.07\">{y}</text>",
        joined(points, 4)
    );
    svg
}
