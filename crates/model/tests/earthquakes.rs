//! Records and synthetic motions: what their keys become, and what is said of those that make no sense.

mod common;

use common::{SOUND, sound_and};
use drystone_geometry::DVec3;
use drystone_model::*;

/// The motion that a text describes, in an otherwise sound model.
fn motion(text: &str) -> Result<MotionKind, String> {
    let whole = sound_and(&format!("[[motion]]\nname = \"m\"\n{text}"));
    match from_toml(&whole) {
        Ok(model) => Ok(model.motions[0].kind.clone()),
        Err(faults) => Err(faults.to_string()),
    }
}

#[track_caller]
fn refused(text: &str, words: &[&str]) {
    let faults = motion(text).unwrap_err();
    for word in words {
        assert!(faults.contains(word), "no {word:?} in:\n{faults}");
    }
}

const STOCHASTIC: &str =
    "kind = \"stochastic\"\nseed = 3\nsignificant_duration = 10\nfrequency = 4\n";

#[test]
fn stochastic_motions_have_their_defaults() {
    let kind = motion(&format!("{STOCHASTIC}arias = 0.5\ndirection = [0, 0, 2]")).unwrap();
    let settings = Stochastic {
        strength: Strength::Arias(0.5),
        significant_duration: 10.0,
        mid_time: 4.0,
        frequency: 4.0,
        frequency_rate: 0.0,
        bandwidth: 0.3,
        high_pass: 0.1,
        dt: 0.005,
        seed: 3,
    };
    let direction = DVec3::Z;
    assert_eq!(
        kind,
        MotionKind::Stochastic {
            direction,
            settings
        }
    );
}

#[test]
fn stochastic_motions_that_cannot_be_are_refused() {
    let with = |more: &str| format!("{STOCHASTIC}{more}");
    refused(
        STOCHASTIC,
        &["either `arias` or `pga` is needed, but none is"],
    );
    refused(&with("arias = 1\npga = 1"), &["but both are given"]);
    refused(
        &with("pga = 1\ndt = 0.06"),
        &["cannot be drawn", ".frequency"],
    );
    refused(
        &with("pga = 1\nmid_time = 0.1"),
        &["no envelope", "0.21 times"],
    );
    refused(
        &with("pga = 1\nbandwidth = 1.5"),
        &[".bandwidth", "less than 1"],
    );
    refused(
        &with("pga = 1\nhigh_pass = 3"),
        &[".high_pass", "at most half"],
    );
    refused(&with("pga = -1"), &[".pga", "greater than zero"]);
    let text = STOCHASTIC.replace("seed = 3", "seed = -3") + "pga = 1";
    refused(&text, &["a whole number from 0"]);
    refused(&STOCHASTIC.replace("= 10", "= 1e9"), &["at most 3600 s"]);
}

const EUROCODE: &str = "kind = \"code_spectrum\"\nseed = 1\ncode = \"eurocode8\"\nag = 2.5\n";
const ITALIAN: &str = "kind = \"code_spectrum\"\nseed = 1\ncode = \"ntc2018\"\nag = 2.5\n";

#[test]
fn artificial_accelerograms_have_their_defaults() {
    let MotionKind::CodeSpectrum { settings, .. } =
        motion(&format!("{EUROCODE}soil = \"D\"\nspectrum_type = 2")).unwrap()
    else {
        panic!("another kind");
    };
    let expected = Artificial {
        spectrum: CodeSpectrum {
            code: CodeShape::Eurocode8 {
                kind: Eurocode8Type::Two,
            },
            ag: 2.5,
            soil: SoilClass::D,
            damping: 0.05,
        },
        periods: [0.05, 4.0],
        duration: 25.0,
        stationary: 10.0,
        dt: 0.005,
        seed: 1,
    };
    assert_eq!(settings, expected);
    let MotionKind::CodeSpectrum { settings, .. } =
        motion(&format!("{ITALIAN}f0 = 2.4\ntc_star = 0.3\nduration = 10")).unwrap()
    else {
        panic!("another kind");
    };
    let code = CodeShape::Ntc2018 {
        f0: 2.4,
        tc_star: 0.3,
        topography: 1.0,
    };
    assert_eq!(settings.spectrum.code, code);
    assert_eq!((settings.stationary, settings.periods), (4.0, [0.05, 2.0]));
}

#[test]
fn spectra_that_cannot_be_met_are_refused() {
    refused(
        &format!("{EUROCODE}f0 = 2.4"),
        &["belongs to the code \"ntc2018\""],
    );
    refused(
        &format!("{EUROCODE}spectrum_type = 3"),
        &["the value is 3, but must be from 1 to 2"],
    );
    refused(&format!("{EUROCODE}soil = \"F\""), &["\"F\" is not one of"]);
    refused(&format!("{EUROCODE}periods = [0.5, 0.1]"), &["m\".periods"]);
    refused(
        &format!("{EUROCODE}periods = [0.01, 1]"),
        &["four time steps"],
    );
    refused(
        &format!("{EUROCODE}stationary = 24"),
        &["a tenth of the duration"],
    );
    refused(&EUROCODE.replace("2.5", "250"), &["at most 50 m/s²"]);
    refused(
        ITALIAN,
        &["the key `f0` is missing", "the key `tc_star` is missing"],
    );
    let text = format!("{ITALIAN}f0 = 2.4\ntc_star = 0.3\ntopography = 2\nspectrum_type = 1");
    refused(&text, &["1.2 for T2", "belongs to the code \"eurocode8\""]);
}

#[test]
fn records_say_what_is_done_to_them() {
    let folder = std::env::temp_dir().join(format!("drystone-earthquakes-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let record = "t [s],east [m/s2],north [m/s2],up [m/s2]\n0,0,0,0\n0.01,1,2,4\n0.02,-1,-2,-3\n0.03,0,0,0\n";
    std::fs::write(folder.join("r.csv"), record).unwrap();
    let text = "[[motion]]\nname = \"m\"\nkind = \"record\"\nrotate_degrees = 90\nbaseline = \"linear\"\ntaper = 0.1\n\
                components = [{ path = \"r.csv\", direction = [1, 0, 0], component = 2 },\n\
                { path = \"r.csv\", direction = [0, 0, 1], component = \"up\", sa = { period = 0.5, value = 3 } }]\n";
    let compile = |text: &str| {
        let path = folder.join("model.toml");
        compile_text(&sound_and(text), Format::Toml, &path).map_err(|faults| faults.to_string())
    };
    let model = compile(text).unwrap();
    let MotionKind::Record { components } = &model.motions[0].kind else {
        panic!("another kind");
    };
    let treatment = Treatment {
        baseline: Baseline::Linear,
        taper: 0.1,
    };
    assert!((components[0].direction - DVec3::Y).length() < 1e-15);
    assert_eq!(components[1].direction, DVec3::Z);
    let north = RecordSeries::new(0.01, vec![0.0, 2.0, -2.0, 0.0]).unwrap();
    assert_eq!(components[0].series, north.treated(treatment).unwrap());
    let up = RecordSeries::new(0.01, vec![0.0, 4.0, -3.0, 0.0]).unwrap();
    let sa = RecordScale::Sa {
        period: 0.5,
        damping: 0.05,
        value: 3.0,
    };
    let up = up.treated(treatment).unwrap().scaled(sa).unwrap();
    assert_eq!(components[1].series, up);
    for (from, to, word) in [
        ("taper = 0.1", "taper = 0.6", "from 0 to 0.5"),
        ("\"linear\"", "\"cubic\"", "quadratic"),
        (
            "component = 2",
            "component = 0",
            "a whole number from 1, or a name",
        ),
        (
            "value = 3 }",
            "value = 3 }, pga = 1",
            "both `pga` and `sa` are given",
        ),
        (
            "taper = 0.1",
            "sa = { period = 1, value = 1 }",
            "which component",
        ),
        (
            "taper = 0.1",
            "component = 1",
            "every component has a component of its own",
        ),
        (
            "period = 0.5",
            "periode = 0.5",
            "the key `period` is missing",
        ),
    ] {
        let faults = compile(&text.replace(from, to)).unwrap_err();
        assert!(faults.contains(word), "no {word:?} in:\n{faults}");
    }
    let _ = std::fs::remove_dir_all(&folder);
}

/// What would fail, or never end, when the motion is made.
#[test]
fn motions_that_take_too_long_are_refused_beforehand() {
    let long = format!("{EUROCODE}duration = 3600\ndt = 0.002");
    refused(&long, &["m\".dt", "1800000 values", "at most 1000000"]);
    assert!(motion(&format!("{EUROCODE}duration = 3600\ndt = 0.004")).is_ok());
    let long = STOCHASTIC.replace("= 10", "= 3000") + "pga = 1";
    refused(&long, &["m\".dt", "values", "at most 1000000"]);
    // The filter of the high pass alone may take that long.
    let slow = format!("{STOCHASTIC}pga = 1\nhigh_pass = 0.001\ndt = 0.001");
    refused(&slow, &["m\".dt", "2034000 values"]);
    let ringing = STOCHASTIC.replace("= 10", "= 600") + "pga = 1\nbandwidth = 1e-6";
    refused(&ringing, &["m\".bandwidth", "rings for", "0.03 to 0.8"]);
    // Short ones may ring as they like.
    assert!(motion(&format!("{STOCHASTIC}pga = 1\nbandwidth = 1e-6")).is_ok());
}

/// An angle belongs to the record, not to its components.
#[test]
fn an_angle_that_is_none_is_reported_once_where_it_is() {
    let text = sound_and(
        "[[motion]]\nname = \"m\"\nkind = \"record\"\nrotate_degrees = nan\n\
         components = [{ path = \"Cargo.toml\", direction = [1, 0, 0] }, { path = \"Cargo.toml\", direction = [0, 1, 0] }]\n",
    );
    let found = common::faults(&text, Format::Toml);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(
        found[0].starts_with("18:18 motion \"m\".rotate_degrees"),
        "{found:?}"
    );
}

/// Two horizontal components of a planar model: each gives what lies in the plane.
#[test]
fn turned_records_keep_to_the_plane() {
    let folder = std::env::temp_dir().join(format!("drystone-turned-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let record = "t [s],east [m/s2],north [m/s2],up [m/s2]\n0,0,0,0\n0.01,1,2,4\n0.02,-1,-2,-3\n0.03,0,0,0\n";
    std::fs::write(folder.join("r.csv"), record).unwrap();
    let text = "[model]\nplane = \"xz\"\n[[motion]]\nname = \"m\"\nkind = \"record\"\nrotate_degrees = 30\n\
                components = [{ path = \"r.csv\", direction = [1, 0, 0], component = 1 }, { path = \"r.csv\", direction = [0, 1, 0], component = 2 }]\n";
    let model = compile_text(text, Format::Toml, &folder.join("model.toml"))
        .unwrap_or_else(|faults| panic!("{faults}"));
    let MotionKind::Record { components } = &model.motions[0].kind else {
        panic!("another kind");
    };
    let (sin, cos) = 30_f64.to_radians().sin_cos();
    assert_eq!(components[0].direction, DVec3::new(cos, 0.0, 0.0));
    assert_eq!(components[1].direction, DVec3::new(-sin, 0.0, 0.0));
    let _ = std::fs::remove_dir_all(&folder);
}

/// A file of motions alone can be looked at, but nothing else may be missing from a structure.
#[test]
fn a_file_may_have_nothing_but_motions() {
    let motions = format!("[[motion]]\nname = \"m\"\n{EUROCODE}");
    let model = from_toml(&motions).unwrap();
    assert_eq!(model.motions.len(), 1);
    assert!(model.weight().is_sign_positive(), "-0 would be printed");
    let analysis = "[[analysis]]\nname = \"a\"\nkind = \"time_history\"\nduration = 1\n";
    let faults = from_toml(&(motions + analysis)).unwrap_err().to_string();
    assert!(faults.contains("the model has no blocks"), "{faults}");
    assert!(from_toml(SOUND).is_ok());
}

#[test]
fn periods_that_a_short_motion_has_no_room_for_are_noted() {
    let notes = |text: &str| {
        let whole = sound_and(&format!("[[motion]]\nname = \"m\"\n{EUROCODE}{text}"));
        from_toml(&whole).unwrap().notes
    };
    let short = notes("duration = 10");
    assert_eq!(short.len(), 1, "{short:?}");
    assert!(
        short[0].starts_with("m: periods shortened to 2 s"),
        "{short:?}"
    );
    assert_eq!(notes("duration = 10\nperiods = [0.05, 2.0]"), [""; 0]);
    assert_eq!(notes("duration = 20"), [""; 0]);
}
