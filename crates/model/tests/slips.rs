//! Numbers that are legal and probably not meant are noted, with the likely slip.

use std::path::Path;

use drystone_keys::Format;
use drystone_model::Case;

/// A block of a given size on the ground, with what is in doubt.
fn notes(density: &str, friction: &str, scale: f64, more: &str) -> Vec<String> {
    let corners = |low: [f64; 3], high: [f64; 3]| {
        let pick = |k: usize, axis: usize| [low, high][k >> axis & 1][axis] * scale;
        let all = (0..8).map(|k| format!("[{:?}, {:?}, {:?}]", pick(k, 0), pick(k, 1), pick(k, 2)));
        all.collect::<Vec<_>>().join(", ")
    };
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = {density}\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = {friction}\n\
         [[block]]\nname = \"a\"\nmaterial = \"stone\"\nvertices = [{}]\n\
         [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n{more}",
        corners([0.0; 3], [1.0, 1.0, 2.0]),
        corners([-2.0, -2.0, -1.0], [3.0, 3.0, 0.0]),
    );
    let case = Case::of_text(&text, Format::Toml, Path::new("m.toml"));
    case.unwrap_or_else(|faults| panic!("{faults}"))
        .notes()
        .to_vec()
}

#[test]
fn what_is_usual_is_not_noted() {
    assert_eq!(notes("2000.0", "0.7", 1.0, ""), [""; 0]);
    // Rock of an experiment without sliding.
    assert_eq!(notes("2700.0", "2.0", 0.1, ""), [""; 0]);
}

#[test]
fn slips_of_units_are_noted() {
    for (density, friction, scale, said) in [
        ("2.0", "0.7", 1.0, "is it in t/m³?"),
        ("20.0", "0.7", 1.0, "is it the weight in kN/m³?"),
        ("2000.0", "35", 1.0, "not an angle in degrees"),
        ("2000.0", "0.7", 1000.0, "are the lengths in millimetres?"),
        ("2000.0", "0.7", 0.001, "are the lengths in metres?"),
    ] {
        let found = notes(density, friction, scale, "");
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(found[0].contains(said), "{found:?}");
    }
}

/// An assessment with 0.19 for 0.19 g would be ten times too safe.
#[test]
fn an_acceleration_in_g_is_noted() {
    let code = |ag: &str| {
        let analysis = format!(
            "[[analysis]]\nname = \"code\"\nkind = \"assessment\"\ncode = \"ntc2018\"\nsite = {{ soil = \"B\" }}\n\
             life_safety = {{ ag = {ag}, f0 = 2.4, tc_star = 0.3 }}\ncapacity = {{ alpha_0 = 0.1, participation = 0.9 }}\n"
        );
        notes("2000.0", "0.7", 1.0, &analysis)
    };
    assert_eq!(code("1.86"), [""; 0]);
    let found = code("0.19");
    assert!(
        found.len() == 1 && found[0].contains("if 0.19 g are meant, write 1.864"),
        "{found:?}"
    );
}
