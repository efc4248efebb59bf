//! Figures as data, and as pictures.

use super::*;

/// One of each content.
fn all() -> Vec<Figure> {
    let line = Line::new(
        "<b>",
        Ink::Series(1),
        [[0.0, 0.0], [1.0, 2.0], [f64::NAN, 1.0]],
    );
    let items = vec![
        Item::Band(Points::new(
            Ink::Accent,
            [[0.0, 0.0], [1.0, 1.0], [1.0, 2.0]],
        )),
        Item::Line(line.dashed(true)),
        Item::marks(Mark::Dot, Ink::Mark, [[0.5, 1.0 / 3.0]]),
        Item::marks(Mark::Cross, Ink::Warn, [[0.25, 1.0]]),
        Item::text([0.5, 1.0 / 7.0], "1/2"),
    ];
    let chart = Chart::from_zero(Axis::new("time", "s"), Axis::new("", "m"), 300.0, items).unwrap();
    let directions = [[0.0, 0.5], [2.0, f64::INFINITY], [4.0, 1.0]];
    let polar = Polar::new(["x", "y"], directions.into_iter()).unwrap();
    let bar = Bar {
        label: "friction".to_owned(),
        range: [0.5, 1.5],
        ends: ["0.4".to_owned(), "0.8".to_owned()],
    };
    let axis = Axis::new("", "").over([0.0, 2.0]).unwrap();
    let bars = Bars::new(axis, 1.0 / 3.0, vec![bar]);
    let mut drawing = Drawing::new([1000.0, 500.0 / 3.0], 2.2);
    drawing.ground = Some(160.0);
    let corners = [[0.0, 0.0], [100.0 / 3.0, 0.0], [0.0, 50.0]];
    drawing.polygons.push(Polygon::new([200, 16, 0], corners));
    let mut thrust = Path::new(Ink::MinimumThrust, 5.0, corners);
    thrust.label = "minimum".to_owned();
    drawing.paths = vec![Path::new(Ink::Force, 1.5, corners), thrust];
    vec![
        Figure::new("Energy per unit weight, m", Content::Chart(chart)),
        Figure::new("Multiplier by direction", Content::Polar(polar)),
        Figure::new("Effects", Content::Bars(bars)).with_caption("Means (of runs)"),
        Figure::new("Structure", Content::Drawing(drawing)).with_caption("Thrust lines"),
    ]
}

/// What is drawn from the file is what stands in the page, to the last digit.
#[test]
fn figures_go_through_json_unchanged() {
    let figures = all();
    let text = serde_json::to_string(&figures).unwrap();
    assert_eq!(serde_json::from_str::<Vec<Figure>>(&text).unwrap(), figures);
}

#[test]
fn every_content_is_drawn() {
    let expected: [&[&str]; 4] = [
        &[
            "polyline",
            "stroke-dasharray",
            "&lt;b&gt;",
            "circle",
            "<path",
            "polygon",
            "time, s",
            "1/2",
        ],
        &["class=\"polar\"", "polygon", ">x</text>"],
        &["rect", "friction", "0.4", "0.8"],
        &["fill=\"#c81000\"", "stroke-opacity", "166.67", "33.33,0.00"],
    ];
    for (figure, parts) in all().iter().zip(expected) {
        let svg = figure.picture().in_page();
        for part in parts {
            assert!(svg.contains(part), "no {part} in {svg}");
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        let alone = figure.picture().alone(640).unwrap();
        assert!(alone.starts_with("<svg xmlns=") && !alone.contains("rem"));
    }
}

#[test]
fn charts_without_extent_are_none() {
    let axis = || Axis::new("", "");
    assert!(Chart::from_zero(axis(), axis(), 300.0, Vec::new()).is_none());
    assert!(axis().over([1.0, 1.0]).is_none());
    assert!(axis().over([0.0, f64::INFINITY]).is_none());
    assert_eq!(axis().with_room([].into_iter()).range, [0.0, 1.0]);
    assert_eq!(axis().with_room([2.0].into_iter()).range, [1.5, 2.5]);
    assert!(axis().by_decades([0.0].into_iter()).is_none());
    assert!(Polar::new(["x", "y"], [[0.0, f64::NAN]].into_iter()).is_none());
}

#[test]
fn files_have_names_from_titles_and_captions() {
    let names: Vec<String> = all().into_iter().map(|figure| figure.name).collect();
    assert_eq!(
        names,
        [
            "energy-per-unit-weight",
            "multiplier-by-direction",
            "effects-means",
            "structure-thrust-lines"
        ]
    );
    let thrice = told_apart([all(), all(), all()].concat());
    assert_eq!(thrice[4].name, "energy-per-unit-weight-2");
    assert_eq!(thrice[8].name, "energy-per-unit-weight-3");
}

#[test]
fn pages_have_one_heading_for_what_belongs_together() {
    let drawing = all().remove(3);
    let page = html(&[drawing.clone(), drawing]);
    assert_eq!(page.matches("<h2>Structure</h2>").count(), 1);
    assert!(page.contains("<div class=\"strip\"><figure><svg"));
    let colour = Ink::MinimumThrust.colour();
    let caption = format!("Thrust lines: <span style=\"color:{colour}\">minimum</span></figcap");
    assert!(page.contains(&caption), "{page}");
}
