//! The structure.

use super::{Form, Look, Picture, Points};
use crate::figure::{Drawing, Ink};
use crate::report::look::drawing::EDGE;

/// Draws the structure.
pub(in super::super) fn drawing(drawing: &Drawing) -> Picture {
    let look = Look {
        round: true,
        ..Look::stroked(EDGE).wide(drawing.edge)
    };
    let mut picture = Picture::new(drawing.size, look);
    if let Some(y) = drawing.ground {
        let ground = Form::Line {
            x: [0.0, drawing.size[0]].map(Into::into),
            y: [y, y].map(Into::into),
        };
        picture.add(ground, Look::stroked(Ink::Ground.colour()));
    }
    for polygon in &drawing.polygons {
        let corners = Points::new(polygon.corners.iter().copied(), 2);
        picture.add(Form::Polygon(corners), Look::filled(polygon.fill.clone()));
    }
    for path in &drawing.paths {
        let points = Points::new(path.points.iter().copied(), 2);
        let look = Look {
            // Forces cross where blocks are small.
            stroke_opacity: (path.ink == Ink::Force).then_some(0.8),
            ..Look::stroked(path.ink.colour()).wide(path.width).hollow()
        };
        picture.add(Form::Polyline(points), look);
    }
    picture
}
