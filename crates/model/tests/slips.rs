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
        (
            "2000.0",
            "0.7",
            1000.0,
            "are the lengths in millimetres or centimetres?",
        ),
        ("2000.0", "0.7", 100.0, "are the lengths in centimetres?"),
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
    assert_eq!(code("\"0.19 g\""), [""; 0]);
    let found = code("0.19");
    assert!(
        found.len() == 1
            && found[0]
                .contains("0.19 m/s², which is 0.019 g: if the number was meant in g, write it"),
        "{found:?}"
    );
}

/// A capacity of 9.59 m/s² would be ten times that of the mechanism.
#[test]
fn a_multiplier_that_is_an_acceleration_is_noted() {
    let code = |alpha: &str| {
        let analysis = format!(
            "[[analysis]]\nname = \"code\"\nkind = \"assessment\"\ncode = \"ntc2018\"\nsite = {{ soil = \"B\" }}\n\
             life_safety = {{ ag = 1.86, f0 = 2.4, tc_star = 0.3 }}\ncapacity = {{ alpha_0 = {alpha}, participation = 0.9 }}\n"
        );
        notes("2000.0", "0.7", 1.0, &analysis)
    };
    assert_eq!(code("0.978"), [""; 0]);
    let found = code("9.59");
    assert!(
        found.len() == 1 && found[0].contains("9.59 m/s² is 0.978 of gravity"),
        "{found:?}"
    );
}

#[test]
fn amplitudes_in_other_units_are_noted() {
    let motion = |keys: &str| {
        notes(
            "2000.0",
            "0.7",
            1.0,
            &format!("[[motion]]\nname = \"p\"\n{keys}\n"),
        )
    };
    let pulse = |amplitude: &str| {
        motion(&format!(
            "kind = \"one_sine\"\nhalf_period = 0.2\namplitude = {amplitude}"
        ))
    };
    for usual in ["0.0", "0.5", "-3.0", "40.0", "\"0.19 g\"", "\"190 cm/s²\""] {
        assert_eq!(pulse(usual), [""; 0], "{usual}");
    }
    let sine = "kind = \"sine\"\nfrequency = 1.0\nduration = 1.0\n";
    // A shaking table that moves by a millimetre.
    assert_eq!(
        motion(&format!("{sine}displacement_amplitude = 0.001")),
        [""; 0]
    );
    for (found, said) in [
        (
            pulse("0.19"),
            "motion \"p\".amplitude: 0.19 m/s² is 0.019 g",
        ),
        (pulse("-0.19"), "-0.19 m/s² is 0.019 g"),
        (pulse("190"), "meant in cm/s²"),
        (motion(&format!("{sine}amplitude = 0.3")), "meant in g"),
        (
            motion(
                "kind = \"stochastic\"\nseed = 1\npga = 0.3\nsignificant_duration = 10.0\nfrequency = 1.5\nbandwidth = 0.4",
            ),
            "motion \"p\".pga",
        ),
    ] {
        assert!(found.len() == 1 && found[0].contains(said), "{found:?}");
    }
}

#[test]
fn strengths_and_stiffnesses_in_megapascals_are_noted() {
    let law = |keys: &str| {
        let found = notes("2000.0", &format!("0.7\n{keys}"), 1.0, "");
        // That they have no effect without an analysis is another matter.
        found
            .into_iter()
            .filter(|note| !note.contains("no effect"))
            .collect::<Vec<_>>()
    };
    assert_eq!(law("compressive_strength = \"1 MPa\""), [""; 0]);
    assert_eq!(law("normal_stiffness = \"0.1 N/mm³\""), [""; 0]);
    for (keys, said) in [
        ("compressive_strength = 1.5", "write \"1.5 MPa\""),
        ("cohesion = 0.1", "write \"0.1 MPa\""),
        ("normal_stiffness = 5300.0", "write \"5300 MPa/m\""),
    ] {
        let found = law(keys);
        assert!(found.len() == 1 && found[0].contains(said), "{found:?}");
    }
}

#[test]
fn gravity_of_another_world_is_noted() {
    let under = |gravity: &str| {
        notes(
            "2000.0",
            "0.7",
            1.0,
            &format!("[model]\ngravity = {gravity}\n"),
        )
    };
    for usual in ["9.81", "10.0", "9.80665", "0.0", "\"1 g\"", "\"981 cm/s²\""] {
        assert_eq!(under(usual), [""; 0], "{usual}");
    }
    for strange in ["1.0", "98.1", "981.0", "9810.0"] {
        let found = under(strange);
        assert!(
            found.len() == 1 && found[0].contains("on earth it is 9.81"),
            "{found:?}"
        );
    }
}

/// Times, displacements, forces and masses a thousand times too large or too small; each beside a value that is usual.
#[test]
fn numbers_in_thousandths_or_thousands_are_noted() {
    let with = |more: String| notes("2000.0", "0.7", 1.0, &more);
    let pulse = |half_period: &str| {
        with(format!(
            "[[motion]]\nname = \"p\"\nkind = \"rectangular\"\namplitude = 3.0\nhalf_period = {half_period}\n"
        ))
    };
    let sine = |displacement: &str| {
        with(format!(
            "[[motion]]\nname = \"p\"\nkind = \"sine\"\nfrequency = 1.0\nduration = 1.0\ndisplacement_amplitude = {displacement}\n"
        ))
    };
    let settlement = |displacement: &str| {
        with(format!(
            "[[motion]]\nname = \"s\"\nkind = \"settlement\"\nduration = 1.0\ndisplacement = [0.0, 0.0, {displacement}]\n"
        ))
    };
    let tie = |force: &str| {
        with(format!(
            "[[tie]]\nname = \"bar\"\nblocks = [\"a\", \"base\"]\npoints = [[0.5, 0.5, 1.5], [0.5, 0.5, -0.5]]\nstiffness = 1e7\nyield = {force}\n"
        ))
    };
    let block = |mass: &str| {
        with(format!(
            "[[block]]\nname = \"c\"\nmaterial = \"stone\"\nmass = {mass}\nvertices = [[0,0,2],[1,0,2],[0,1,2],[1,1,2],[0,0,3],[1,0,3],[0,1,3],[1,1,3]]\n"
        ))
    };
    let push = |multiplier: &str| {
        with(format!(
            "[[analysis]]\nname = \"push\"\nkind = \"equilibrium\"\ndirection = [1, 0, 0]\nmultiplier = {multiplier}\n"
        ))
    };
    for usual in [
        pulse("10.0"),
        sine("2.0"),
        settlement("-0.5"),
        tie("50.0e3"),
        // The structure weighs 39 kN.
        tie("40.0"),
        block("200.0"),
        block("\"40 t\""),
        push("1.5"),
    ] {
        assert_eq!(usual, [""; 0]);
    }
    for (found, said) in [
        (pulse("250.0"), "write \"250 ms\""),
        (sine("50.0"), "write \"50 mm\""),
        (settlement("-25.0"), "as in \"20 mm\""),
        (tie("5.0"), "write \"5 kN\""),
        (block("2.0"), "write \"2 t\""),
        (block("2000000.0"), "in grams, write 2000"),
        (push("10.0"), "10 % is 0.1"),
    ] {
        assert!(
            found.len() == 1 && found[0].contains(said),
            "{said}: {found:?}"
        );
    }
}
