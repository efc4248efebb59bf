//! Pictures as PNG, painted without display, browser or fonts of the system.

mod font;

use tiny_skia::{
    Color, FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, StrokeDash,
    Transform,
};

use crate::figure::{Fill, Form, Look, Picture, Shape};
use font::Font;

/// A picture has at most this many pixels along a side.
const LARGEST: u32 = 20_000;

/// Size of letters where nothing says it, as in browsers.
const LETTERS: f64 = 16.0;

/// Paints a picture so wide, as PNG.
pub fn png(picture: &Picture, width: u32) -> Result<Vec<u8>, String> {
    paint(picture, width)?
        .encode_png()
        .map_err(|error| error.to_string())
}

fn paint(picture: &Picture, width: u32) -> Result<Pixmap, String> {
    let height = picture.height(width);
    let height = height.ok_or_else(|| "it has no extent".to_owned())?;
    if width > LARGEST || height > f64::from(LARGEST) {
        return Err(format!(
            "a picture of {width} by {height} points is too large: at most {LARGEST} on a side"
        ));
    }
    let mut paper = Pixmap::new(width, height as u32)
        .ok_or_else(|| "a picture needs at least one point on each side".to_owned())?;
    paper.fill(Color::WHITE);
    // Pixels are square; the slack from rounding the height is split evenly.
    let [x, y, w, h] = picture.view;
    let width = f64::from(width);
    let scale = (width / w).min(height / h);
    let left = 0.5 * (width - scale * w) - scale * x;
    let top = 0.5 * (height - scale * h) - scale * y;
    let [scale, left, top] = [scale, left, top].map(|number| number as f32);
    let place = Transform::from_row(scale, 0.0, 0.0, scale, left, top);
    let font = Font::new();
    for Shape { form, look } in &picture.shapes {
        let look = look.over(&picture.look);
        // What has no extent, such as a line through one point, leaves no trace.
        if let Some(path) = outline(form, &look, &font) {
            fill(&mut paper, &path, &look, place)?;
            stroke(&mut paper, &path, &look, place)?;
        }
    }
    Ok(paper)
}

fn fill(paper: &mut Pixmap, path: &Path, look: &Look, place: Transform) -> Result<(), String> {
    let colour = match &look.fill {
        Some(Fill::None) => return Ok(()),
        Some(Fill::Colour(colour)) => colour,
        None => "#000",
    };
    let paint = colour_of(colour, look.fill_opacity)?;
    paper.fill_path(path, &paint, FillRule::Winding, place, None);
    Ok(())
}

fn stroke(paper: &mut Pixmap, path: &Path, look: &Look, place: Transform) -> Result<(), String> {
    let Some(colour) = &look.stroke else {
        return Ok(());
    };
    let paint = colour_of(colour, look.stroke_opacity)?;
    let dashes = look.dashes.map(|dashes| dashes.map(|part| part as f32));
    let stroke = Stroke {
        width: look.stroke_width.unwrap_or(1.0) as f32,
        line_join: if look.round {
            LineJoin::Round
        } else {
            LineJoin::Miter
        },
        dash: dashes.and_then(|dashes| StrokeDash::new(dashes.to_vec(), 0.0)),
        ..Stroke::default()
    };
    paper.stroke_path(path, &paint, &stroke, place, None);
    Ok(())
}

/// The outline of a shape, in units of its picture.
fn outline(form: &Form, look: &Look, font: &Font) -> Option<Path> {
    let mut pen = PathBuilder::new();
    match form {
        Form::Line { x, y } => {
            let [x, y] = [x, y].map(|ends| ends.map(|end| end.value as f32));
            pen.move_to(x[0], y[0]);
            pen.line_to(x[1], y[1]);
        }
        Form::Polyline(points) => through(&mut pen, &points.all),
        Form::Polygon(points) => {
            through(&mut pen, &points.all);
            pen.close();
        }
        Form::Rectangle { at, size } => {
            let [x, y] = at.map(|number| number.value as f32);
            let [width, height] = size.map(|number| number.value as f32);
            pen.push_rect(Rect::from_xywh(x, y, width, height)?);
        }
        Form::Circle { centre, radius } => {
            let centre = centre.map(|centre| centre.map(|number| number.value as f32));
            let [x, y] = centre.unwrap_or_default();
            pen.push_circle(x, y, *radius as f32);
        }
        Form::Cross { at, side } => {
            let [x, y] = at.map(|number| number.value as f32);
            let side = *side as f32;
            pen.move_to(x, y);
            pen.line_to(x + side, y + side);
            pen.move_to(x + side, y);
            pen.line_to(x, y + side);
        }
        Form::Text { at, anchor, text } => {
            let size = look.letters.unwrap_or(LETTERS) as f32;
            let at = at.map(|number| number.value as f32);
            return font.outline(text, size, *anchor, at);
        }
    }
    pen.finish()
}

fn through(pen: &mut PathBuilder, points: &[[f64; 2]]) {
    let points = points.iter().map(|point| point.map(|x| x as f32));
    for (number, [x, y]) in points.enumerate() {
        if number == 0 {
            pen.move_to(x, y);
        } else {
            pen.line_to(x, y);
        }
    }
}

/// `#rgb` or `#rrggbb`, through which the part of an opacity below one can be seen.
fn colour_of(text: &str, opacity: Option<f64>) -> Result<Paint<'static>, String> {
    let digits = text.strip_prefix('#').unwrap_or_default();
    let digits: Option<Vec<u8>> = digits
        .chars()
        .map(|digit| digit.to_digit(16).map(|digit| digit as u8))
        .collect();
    let [r, g, b] = match digits.as_deref() {
        Some(&[r, g, b]) => [r, g, b].map(|digit| 17 * digit),
        Some(&[r, s, g, h, b, c]) => [16 * r + s, 16 * g + h, 16 * b + c],
        _ => return Err(format!("{text} is no colour: it should be #rrggbb")),
    };
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, (255.0 * opacity.unwrap_or(1.0)).round() as u8);
    Ok(paint)
}

#[cfg(test)]
mod tests;
