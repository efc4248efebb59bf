//! Numbers by direction: a closed curve about the origin.

use super::{Anchor, Form, Look, Number, Picture, Points};
use crate::figure::{Ink, Polar, extent};
use crate::report::look::figure::{GRID, TEXT};

/// Draws a curve by direction.
pub(in super::super) fn polar(polar: &Polar) -> Picture {
    let [_, largest] = extent(polar.value.iter().copied());
    let look = Look {
        letters: Some(0.08),
        ..Look::filled(TEXT)
    };
    let mut picture = Picture {
        view: [-1.25, -1.15, 2.5, 2.3],
        look,
        placed: " class=\"polar\" style=\"max-width:28rem\"",
        shapes: Vec::new(),
    };
    let label = |picture: &mut Picture, at: [Number; 2], text: &str| {
        picture.text(at, Anchor::Start, text, Look::default());
    };
    for part in [0.5, 1.0] {
        let circle = Form::Circle {
            centre: None,
            radius: part,
        };
        picture.add(circle, Look::stroked(GRID).wide(0.006).hollow());
        let at = [0.01.into(), Number::rounded(-part - 0.01, 3)];
        label(&mut picture, at, &format!("{:.3}", part * largest));
    }
    let points = polar.angle.iter().zip(&polar.value).map(|(angle, value)| {
        let r = (value / largest).clamp(0.0, 1.0);
        [r * angle.cos(), -r * angle.sin()]
    });
    let colour = Ink::Accent.colour();
    let look = Look {
        fill_opacity: Some(0.15),
        stroke: Some(colour.into()),
        ..Look::filled(colour).wide(0.012)
    };
    picture.add(Form::Polygon(Points::new(points, 4)), look);
    let [x, y] = &polar.axes;
    label(&mut picture, [1.05, 0.03].map(Into::into), x);
    label(&mut picture, [-0.03, -1.07].map(Into::into), y);
    picture
}
