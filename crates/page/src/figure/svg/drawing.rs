//! The structure.

use std::fmt::Write as _;

use super::{Svg, joined};
use crate::figure::{Drawing, Ink};
use crate::report::look::drawing::EDGE;

/// Draws the structure.
pub(in super::super) fn drawing(drawing: &Drawing) -> Svg {
    let attributes = format!(
        "stroke=\"{EDGE}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
        drawing.edge
    );
    let mut svg = Svg::new(drawing.size, attributes);
    let body = &mut svg.body;
    if let Some(y) = drawing.ground {
        let _ = write!(
            body,
            "<line x1=\"0\" x2=\"{}\" y1=\"{y}\" y2=\"{y}\" stroke=\"{}\"/>",
            drawing.size[0],
            Ink::Ground.colour()
        );
    }
    for polygon in &drawing.polygons {
        let _ = write!(
            body,
            "<polygon fill=\"{}\" points=\"{}\"/>",
            polygon.fill,
            joined(polygon.corners.iter().copied(), 2)
        );
    }
    for path in &drawing.paths {
        // Forces cross where blocks are small.
        let through = match path.ink {
            Ink::Force => " stroke-opacity=\"0.8\"",
            _ => "",
        };
        let _ = write!(
            body,
            "<polyline fill=\"none\" stroke=\"{}\"{through} stroke-width=\"{}\" points=\"{}\"/>",
            path.ink.colour(),
            path.width,
            joined(path.points.iter().copied(), 2)
        );
    }
    svg
}
