//! `drystone render`: pictures without a display.

use crate::kit::{Desk, history, stone_on_ground};

fn ran() -> Desk {
    let model = stone_on_ground().replace(
        "name = \"stone\"\nmaterial = \"stone\"\n",
        "name = \"stone\"\nmaterial = \"stone\"\nvelocity = [1.0, 0.0, 0.0]\n",
    ) + &history(
        "slide",
        "output_every = 0.01\nmonitors = [{ name = \"top\", block = \"stone\" }]",
    );
    let desk = Desk::with("model.toml", &model);
    desk.call(&["run", "model.toml", "--out", "out"]).ended(0);
    desk
}

/// Width and height in the header of a PNG.
fn extent(png: &[u8]) -> [u32; 2] {
    assert_eq!(&png[..8], b"\x89PNG\r\n\x1a\n");
    [16, 20].map(|at| u32::from_be_bytes(png[at..at + 4].try_into().unwrap()))
}

#[test]
fn every_plot_and_picture_of_a_run_is_drawn() {
    let desk = ran();
    let call = desk.call(&["render", "out", "--width", "640"]).ended(0);
    for name in [
        "motion-0.00-s",
        "energy-per-unit-weight",
        "displacement-of-monitors-relative-to-the-ground",
        "residual-of-each-step",
    ] {
        let file = format!("out/slide/pictures/{name}.png");
        assert!(call.out.contains(&file), "{}", call.out);
        assert_eq!(extent(&desk.read(&file))[0], 640);
    }
    desk.call(&["render", "out"])
        .ended(2)
        .says(&["already there", "--overwrite"]);
    desk.call(&[
        "render",
        "out",
        "--overwrite",
        "--format",
        "svg",
        "--out",
        "there",
    ])
    .ended(0);
    let svg = String::from_utf8(desk.read("there/slide/energy-per-unit-weight.svg")).unwrap();
    assert!(
        svg.starts_with("<svg xmlns=") && svg.contains("<polyline"),
        "{svg}"
    );
}

#[test]
fn the_structure_is_drawn_at_a_time_and_from_anywhere() {
    let desk = ran();
    desk.call(&["render", "model.toml", "--format", "svg", "--view", "front"])
        .ended(0);
    desk.call(&[
        "render",
        "model.toml",
        "out/slide",
        "--time",
        "0.05",
        "--format",
        "svg",
        "--view",
        "front",
        "--out",
        "late",
    ])
    .ended(0);
    let texts = ["structure.svg", "late/structure-0.050s.svg"]
        .map(|file| String::from_utf8(desk.read(file)).unwrap());
    // Seen from the front a box shows one face.
    for text in &texts {
        assert_eq!(text.matches("<polygon").count(), 2, "{text}");
    }
    assert_ne!(texts[0], texts[1]);
    desk.call(&[
        "render",
        "model.toml",
        "--view",
        "1,-2,0.5",
        "--out",
        "corner",
    ])
    .ended(0);
    assert_eq!(extent(&desk.read("corner/structure.png"))[0], 1600);
    desk.call(&["render", "model.toml", "--view", "sideways"])
        .ended(2)
        .says(&["--view sideways", "front"]);
    desk.call(&["render", "model.toml", "--view", "0,0,0"])
        .ended(2)
        .says(&["--view 0,0,0"]);
    desk.call(&["render", "out", "--view", "top"])
        .ended(2)
        .says(&["drystone render MODEL out"]);
    desk.call(&["render", "nothing.toml"])
        .ended(2)
        .says(&["nothing.toml"]);
    desk.call(&["render", "."]).ended(2).says(&["figures.json"]);
}

/// Pictures are drawn from data: the page is not needed, and a page alone is not enough.
#[test]
fn plots_are_drawn_without_the_page() {
    let desk = ran();
    let page = String::from_utf8(desk.read("out/slide/report.html")).unwrap();
    std::fs::remove_file(desk.path("out/slide/report.html")).unwrap();
    desk.call(&["render", "out/slide", "--format", "svg"])
        .ended(0);
    let svg = String::from_utf8(
        desk.read("out/slide/pictures/displacement-of-monitors-relative-to-the-ground.svg"),
    )
    .unwrap();
    // The same as in the page.
    let (_, lines) = svg.split_once("stroke=\"none\"/>").unwrap();
    assert!(page.contains(lines.trim_end()), "{svg}");

    desk.write("out/slide/report.html", &page);
    std::fs::remove_file(desk.path("out/slide/figures.json")).unwrap();
    desk.call(&["render", "out", "--overwrite"])
        .ended(2)
        .says(&["figures.json", "older version", "--overwrite"]);
    desk.write("out/slide/figures.json", "[1]");
    desk.call(&["render", "out", "--overwrite"])
        .ended(2)
        .says(&["figures.json", "run the analysis again"]);
}
