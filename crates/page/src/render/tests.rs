//! Shapes as points.

use super::*;
use crate::figure::Anchor;

/// Shapes on a paper of 90 by 30 units, four points to each of their squares.
fn painted(shapes: Vec<Shape>) -> Pixmap {
    let mut picture = Picture::blank([90.0, 30.0]);
    picture.shapes = shapes;
    paint(&picture, 180).unwrap()
}

fn text(x: f64, anchor: Anchor, text: &str) -> Shape {
    Shape {
        form: Form::Text {
            at: [x, 20.0].map(Into::into),
            anchor,
            text: text.to_owned(),
        },
        look: Look::default(),
    }
}

/// A black line along the middle, of two units.
fn line() -> Shape {
    Shape {
        form: Form::Line {
            x: [0.0, 90.0].map(Into::into),
            y: [15.0, 15.0].map(Into::into),
        },
        look: Look {
            stroke: Some("#000".into()),
            stroke_width: Some(2.0),
            ..Look::default()
        },
    }
}

fn red(map: &Pixmap, x: u32, y: u32) -> u8 {
    map.pixel(x, y).unwrap().red()
}

/// The first and the last column with ink.
fn columns(map: &Pixmap) -> [u32; 2] {
    let dark = |x: &u32| (0..map.height()).any(|y| red(map, *x, y) < 128);
    let inked: Vec<u32> = (0..map.width()).filter(dark).collect();
    [inked[0], inked[inked.len() - 1]]
}

#[test]
fn pictures_are_painted_with_letters() {
    let dark = |map: Pixmap| map.pixels().iter().filter(|p| p.red() < 128).count();
    assert_eq!(dark(painted(Vec::new())), 0);
    let word = dark(painted(vec![text(5.0, Anchor::Start, "µ = 0.7")]));
    assert!(word > 100, "{word} dark points");
    let bytes = png(&Picture::blank([90.0, 30.0]), 180).unwrap();
    assert_eq!(&bytes[1..4], b"PNG");
    // Width and height stand in the header.
    assert_eq!(bytes[16..24], [0, 0, 0, 180, 0, 0, 0, 60]);
}

#[test]
fn what_has_no_extent_or_is_too_large_is_refused() {
    let refused = |size: [f64; 2], width: u32| png(&Picture::blank(size), width).unwrap_err();
    assert!(refused([0.0, 1.0], 9).contains("no extent"));
    assert!(refused([9.0, 20_001.0], 9).contains("9 by 20001 points is too large"));
    assert!(refused([9.0, 1.0], 20_001).contains("too large"));
}

#[test]
fn texts_start_end_or_have_their_middle_where_they_are_placed() {
    let ends = |anchor: Anchor| columns(&painted(vec![text(45.0, anchor, "HHH")]));
    let [start, middle, end] = [Anchor::Start, Anchor::Middle, Anchor::End].map(ends);
    // Two points to a unit; beside a stem there is a little room.
    assert!((90..=94).contains(&start[0]), "{start:?}");
    assert!((85..=89).contains(&end[1]), "{end:?}");
    let [left, right] = [90 - middle[0], middle[1] + 1 - 90];
    assert!(left.abs_diff(right) <= 1, "{middle:?}");
    let widths = [start, middle, end].map(|[first, last]| last - first);
    assert!(widths.iter().all(|width| width.abs_diff(widths[0]) <= 1));
}

#[test]
fn dashes_leave_gaps() {
    let mut dashed = line();
    dashed.look.dashes = Some([6.0, 4.0]);
    let map = painted(vec![dashed]);
    let row: Vec<u8> = (0..40).map(|x| red(&map, x, 30)).collect();
    let expected: Vec<u8> = (0..40).map(|x| if x % 20 < 12 { 0 } else { 255 }).collect();
    assert_eq!(row, expected);
}

#[test]
fn one_can_see_through_fills_and_strokes() {
    let mut faint = line();
    faint.look.stroke_opacity = Some(0.2);
    let rectangle = Shape {
        form: Form::Rectangle {
            at: [0.0, 0.0].map(Into::into),
            size: [45.0, 15.0].map(Into::into),
        },
        look: Look {
            fill_opacity: Some(0.6),
            ..Look::default()
        },
    };
    let map = painted(vec![rectangle, faint]);
    // Black over white, and over what is dark already.
    assert!(red(&map, 20, 10).abs_diff(102) <= 1);
    assert!(red(&map, 120, 29).abs_diff(204) <= 1);
    assert!(red(&map, 20, 29).abs_diff(82) <= 1);
    assert_eq!(red(&map, 120, 10), 255);
}

/// What a shape leaves open is as the picture has it.
#[test]
fn shapes_look_as_the_picture_says() {
    let mut picture = Picture::blank([90.0, 30.0]);
    picture.look.fill = Some(Fill::Colour("#0f0".into()));
    let centre = Some([45.0, 15.0].map(Into::into));
    let form = Form::Circle {
        centre,
        radius: 10.0,
    };
    let look = Look::default();
    picture.shapes = vec![Shape { form, look }];
    let at = |picture: &Picture| paint(picture, 90).unwrap().pixel(45, 15).unwrap();
    assert_eq!(at(&picture).green(), 255);
    assert_eq!(at(&picture).red(), 0);
    picture.shapes[0].look.fill = Some(Fill::None);
    assert_eq!(at(&picture).red(), 255);
    picture.shapes[0].look.fill = Some(Fill::Colour("red".into()));
    assert!(
        paint(&picture, 90)
            .unwrap_err()
            .contains("red is no colour")
    );
}
