//! Made-up samples of every format, good and bad.

use std::path::PathBuf;

use crate::{Baseline, Channel, RecordScale, STANDARD_GRAVITY, Treatment};

use super::*;

/// Writes a sample and reads it.
fn read(name: &str, text: &str, dt: Option<f64>) -> Result<RecordSeries, String> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).unwrap();
    let here = |text: String| text.replace(&format!("{}/", folder.path().display()), "");
    let file = read_record_file(&path, dt).map_err(|error| here(error.to_string()))?;
    let part = file.choose(None);
    Ok(part
        .map_err(|message| format!("{name}: {message}"))?
        .series
        .clone())
}

/// Writes a sample and reads all of it.
fn read_file(name: &str, text: &str) -> Result<RecordFile, String> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).unwrap();
    read_record_file(&path, None).map_err(|error| {
        let folder = format!("{}/", folder.path().display());
        error.to_string().replace(&folder, "")
    })
}

fn assert_series(series: &RecordSeries, dt: f64, values: &[f64]) {
    assert!((series.dt - dt).abs() < 1e-12 * dt, "dt {}", series.dt);
    assert_eq!(series.acceleration.len(), values.len());
    for (found, expected) in series.acceleration.iter().zip(values) {
        assert!(
            (found - expected).abs() <= 1e-12 * expected.abs(),
            "{found} {expected}"
        );
    }
}

#[test]
fn two_columns_in_all_dress() {
    for text in [
        "0.00,1.0\n0.01,-2.5\n0.02,0.5\n",
        "time,acceleration\n0.00,1.0\n0.01,-2.5\n0.02,0.5",
        "\u{feff}t [s], a [m/s2]\r\n0.00, 1.0\r\n0.01, -2.5\r\n0.02, 0.5\r\n",
        "# station X\n\n0.00 1.0\n0.01 -2.5\n  0.02\t0.5\n",
        "Zeit;Beschleunigung\n0,00;1,0\n0,01;-2,5\n0,02;0,5\n",
        "t (s);a (cm/s^2)\n5.00;100\n5.01;-250\n5.02;50\n",
        "time(s) acc(cm/s/s)\n0 1.0E2\n1.0D-2 -2.5d2\n0.02 50\n",
        "time [s]\n0.00,1.0\n0.01,-2.5\n0.02,0.5\n",
    ] {
        assert_series(&read("a.csv", text, None).unwrap(), 0.01, &[1.0, -2.5, 0.5]);
    }
    let in_g = read(
        "a.txt",
        "time [s],acceleration [g]\n0,0.1\n0.5,-0.2\n",
        None,
    )
    .unwrap();
    assert_series(&in_g, 0.5, &[0.980665, -1.96133]);
}

#[test]
fn one_column_needs_a_step() {
    let series = read("a.csv", "acc [g]\n1\n-1\n0.5\n", Some(0.02)).unwrap();
    assert_series(&series, 0.02, &[9.80665, -9.80665, 4.903325]);
    assert_eq!(
        read("a.csv", "1\n2\n", None).unwrap_err(),
        "a.csv: the file does not say its time step; give it as `dt` of the motion in a model, as --dt of `drystone motion`"
    );
}

#[test]
fn times_printed_with_few_digits_are_even_enough() {
    let dt = 1.0 / 256.0;
    let text: String = (0..1000)
        .map(|k| format!("{:.4},{}\n", k as f64 * dt, k % 7))
        .collect();
    let series = read("a.csv", &text, None).unwrap();
    // The last time is off by at most 5e-5 s over 999 steps.
    assert!((series.dt - dt).abs() < 1e-7);
}

#[test]
fn faults_of_columns_name_the_line() {
    let cases = [
        (
            "0,1\n0.01,2\n0.03,3\n0.04,3\n0.05,3\n",
            "a.csv:3: uneven times",
        ),
        (
            "0,1\n0.01,2\n0.005,3\n",
            "a.csv:3: time 0.005 does not come after 0.01",
        ),
        (
            "0,1\n0.01\n",
            "a.csv:2: 1 columns, but 2 in the lines before",
        ),
        ("0,1\n\n0.01,x\n", "a.csv:3: \"0.01,x\" should be numbers"),
        ("0,1\n0.01,NaN\n", "a.csv:2: \"0.01,NaN\" should be numbers"),
        ("0,1,2,3,4\n", "a.csv:1: 5 columns; a record has one"),
        (
            "0,1,2\n0.01,,3\n0.02,1,4\n",
            "a.csv:3: a value after an empty field",
        ),
        (
            "t [s], x [g], y [g], z\n0,1,2,3\n0.01,1,2,3\n",
            "a.csv:1: 2 units of acceleration for 3 components",
        ),
        (
            "t [s], a [ft/s2]\n0,1\n",
            "a.csv:1: unknown unit of acceleration \"ft/s2\"",
        ),
        (
            "t [ms], a [g]\n0,1\n",
            "a.csv:1: unknown unit of time \"ms\"",
        ),
        (
            "t [s], v [m/s]\n0,1\n1,1\n",
            "a.csv:1: no column of accelerations",
        ),
        ("velocity\n1\n2\n", "a.csv:1: no column of accelerations"),
        (
            "t [s], a [g], v [m/s]\n0,1\n",
            "a.csv:2: 2 columns, but 3 in the header",
        ),
        ("time,acc\n", "a.csv: the record has no values"),
        ("", "a.csv: the record has no values"),
    ];
    for (text, expected) in cases {
        let error = read("a.csv", text, None).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let missing_line: String = (0..100)
        .filter(|k| *k != 50)
        .map(|k| format!("{},1\n", k as f64 * 0.01))
        .collect();
    let error = read("a.csv", &missing_line, None).unwrap_err();
    assert!(
        error.starts_with("a.csv:51: uneven times: 0.020000 s"),
        "{error}"
    );
    let error = read("a.csv", "0,1\n0.01,2\n", Some(0.02)).unwrap_err();
    assert!(
        error.contains("dt = 0.02 s is given, but the file has 0.01 s"),
        "{error}"
    );
}

const VALUES: &str = "  -.1000000E-01   .2000000E-01   .3000000E+00  -.4000000E+00   .5000000E-03\n   .6000000E-01   .7000000E-01\n";

fn at2(third: &str, fourth: &str, values: &str) -> String {
    format!(
        "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere-01, 1/2/1999, Station #3, 180\n{third}\n{fourth}\n{values}"
    )
}

#[test]
fn at2_in_all_spellings() {
    let g = 9.80665;
    let expected = [
        -0.01 * g,
        0.02 * g,
        0.3 * g,
        -0.4 * g,
        0.0005 * g,
        0.06 * g,
        0.07 * g,
    ];
    for fourth in [
        "NPTS=      7, DT=   .0050 SEC",
        "NPTS=7, DT=.0050 SEC,",
        "NPTS=  7, DT= .00500 SEC",
        "   7    0.0050    NPTS, DT",
        "NPTS =  7 , DT = 0.0050SEC",
        "npts: 7 dt: 5.0e-3 sec",
    ] {
        let text = at2("ACCELERATION TIME SERIES IN UNITS OF G", fourth, VALUES);
        assert_series(&read("A.AT2", &text, None).unwrap(), 0.005, &expected);
        assert_series(
            &read("A.AT2", &text, Some(0.005)).unwrap(),
            0.005,
            &expected,
        );
    }
    // Eight per line, and no word about units: g.
    let eight = at2("UNKNOWN", "NPTS= 8, DT= .01 SEC", "1 2 3 4 5 6 7 8\n");
    let expected: Vec<f64> = (1..=8).map(|k| k as f64 * g).collect();
    assert_series(&read("a.at2", &eight, None).unwrap(), 0.01, &expected);
    let metric = at2(
        "ACCELERATION IN UNITS OF CM/S**2",
        "NPTS= 2, DT= .01 SEC",
        "100 200\n",
    );
    assert_series(&read("a.at2", &metric, None).unwrap(), 0.01, &[1.0, 2.0]);
}

#[test]
fn faults_of_at2_name_the_line() {
    let third = "ACCELERATION TIME SERIES IN UNITS OF G";
    let fourth = "NPTS=      7, DT=   .0050 SEC";
    let cases = [
        (
            at2(third, "NPTS= 9, DT= .005 SEC", VALUES),
            "a.at2:4: the header promises 9 values, the file has 7",
        ),
        (
            at2(third, "NPTS= 6, DT= .005 SEC", VALUES),
            "a.at2:4: the header promises 6 values, the file has 7",
        ),
        (at2(third, "7 0.005", VALUES), "a.at2:4: the fourth line"),
        (
            at2(third, "NPTS= , DT= .005 SEC", VALUES),
            "a.at2:4: the fourth line",
        ),
        (
            at2(third, fourth, "1 2 3 4 5\n6 ***\n"),
            "a.at2:6: \"***\" is not a number",
        ),
        (
            at2("VELOCITY TIME SERIES IN UNITS OF CM/S", fourth, VALUES),
            "a.at2:3: a record of velocity",
        ),
        (
            at2("ACCELERATION IN UNITS OF FEET", fourth, VALUES),
            "a.at2:3: unknown unit of acceleration \"FEET\"",
        ),
        (
            "one\ntwo\n".to_owned(),
            "a.at2: an AT2 file has four header lines",
        ),
    ];
    for (text, expected) in cases {
        let error = read("a.at2", &text, None).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let text = at2(third, fourth, VALUES);
    let error = read("a.at2", &text, Some(0.01)).unwrap_err();
    assert!(error.contains("dt = 0.01 s is given, but"), "{error}");
}

#[test]
fn unknown_and_missing_files_are_named() {
    let error = read("a.xlsx", "", None).unwrap_err();
    assert!(
        error.starts_with("a.xlsx: unknown kind of record"),
        "{error}"
    );
    let error = read_record_file(Path::new("/nowhere/a.csv"), None).unwrap_err();
    assert!(
        error.unreadable && error.to_string().starts_with("cannot read /nowhere/a.csv"),
        "{error}"
    );
}

#[test]
fn components_are_scaled() {
    let component = |text: &str, scale| {
        let wanted = Wanted {
            channel: None,
            treatment: Treatment::default(),
            scale,
        };
        read_file("a.csv", text).unwrap().component(&wanted)
    };
    for scale in [RecordScale::Factor(0.5), RecordScale::Pga(2.0)] {
        let series = component("0,1\n0.1,-4\n", scale).unwrap();
        assert_eq!(series.acceleration, [0.5, -2.0]);
    }
    let error = component("0,0\n0.1,0\n", RecordScale::Pga(2.0)).unwrap_err();
    assert!(
        error.starts_with("a record whose values are all zero"),
        "{error}"
    );
}

fn names(file: &RecordFile) -> Vec<Option<&str>> {
    file.components
        .iter()
        .map(|part| part.name.as_deref())
        .collect()
}

fn scaled(values: &[f64], factor: f64) -> Vec<f64> {
    values.iter().map(|value| factor * value).collect()
}

#[test]
fn the_content_tells_the_format() {
    for (text, format) in [
        (samples::at2(), RecordFormat::At2),
        (samples::esm(), RecordFormat::Esm),
        (samples::cosmos(), RecordFormat::Cosmos),
        (samples::dmg(), RecordFormat::Dmg),
        (samples::smc(), RecordFormat::Smc),
    ] {
        for name in ["a.txt", "a.unheard", "a"] {
            assert_eq!(read_file(name, &text).unwrap().format, format);
            // Line ends of another system.
            let dos = text.replace('\n', "\r\n");
            assert_eq!(read_file(name, &dos), read_file(name, &text));
        }
    }
    assert_eq!(
        read_file("a.csv", &samples::columns()).unwrap().format,
        RecordFormat::Columns
    );
}

#[test]
fn esm_is_read() {
    assert_eq!(
        samples::esm()
            .lines()
            .filter(|line| line.contains(':'))
            .count(),
        64
    );
    let file = read_file("a.asc", &samples::esm()).unwrap();
    assert_eq!(names(&file), [Some("HNE")]);
    assert_eq!(file.components[0].azimuth, Some(90.0));
    assert_eq!(file.unit, "cm/s^2");
    let expected = scaled(&[0.0, -1.0, 3.0, -1e-6, 2.5, 0.1], 0.01);
    assert_series(&file.components[0].series, 0.005, &expected);
    for (from, to, expected) in [
        (
            "NDATA: 6",
            "NDATA: 7",
            "a.asc:30: the header promises 7 values, the file has 6",
        ),
        (
            "NDATA: 6",
            "NDATA: 6.5",
            "a.asc:30: \"6.5\" is not a number of values",
        ),
        ("NDATA: 6\n", "", "a.asc: the header has no value for NDATA"),
        (
            "cm/s^2",
            "count",
            "a.asc:33: unknown unit of acceleration \"count\"",
        ),
        (
            "S: 0.005000",
            "S: 0",
            "a.asc:29: \"0\" is not a time step in s",
        ),
        (
            "DATA_TYPE: ACCELERATION",
            "DATA_TYPE: VELOCITY",
            "a.asc:50: a record of velocity, not of acceleration",
        ),
        ("2.500000", "2.5x", "a.asc:69: \"2.5x\" is not a number"),
    ] {
        let error = read_file("a.asc", &samples::esm().replace(from, to)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn dmg_is_read_with_all_its_channels() {
    let file = read_file("a.v2", &samples::dmg()).unwrap();
    assert_eq!(names(&file), [Some("90 Deg"), Some("Up")]);
    assert_eq!(file.components[0].azimuth, Some(90.0));
    let expected = [
        -0.001239, 0.001228, -12.345678, -123.45678, 123.456789, 99.123456, 1.0, 2.0, 3.0, -4.0,
    ];
    assert_series(&file.components[0].series, 0.01, &scaled(&expected, 0.01));
    assert_series(&file.components[1].series, 0.01, &[0.01, 0.02, 0.03]);
    assert!(
        file.notes[0].starts_with("component 2 \"Up\" ends at 0.020 s"),
        "{:?}",
        file.notes
    );
    for (from, to, expected) in [
        (
            "10 points of accel",
            "11 points of accel",
            "a.v2:12: 11 values of acceleration are promised here, but there are 10",
        ),
        (
            "10 points of accel",
            " 9 points of accel",
            "a.v2:12: 9 values of acceleration are promised here, but their last line has more",
        ),
        (" 99.123456", "**********", "a.v2:13: \""),
        ("in cm/sec2", "in furlong", "a.v2:12: unknown unit"),
        (
            "at  .010 sec, in",
            "at  .0x0 sec, in",
            "a.v2:12: \".0x0\" is not a time step",
        ),
    ] {
        let error = read_file("a.v2", &samples::dmg().replace(from, to)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
    let error = read_file("a.v2", &samples::dmg().replace("accel data", "xxxxx data")).unwrap_err();
    assert!(error.starts_with("a.v2: no line"), "{error}");
}

#[test]
fn cosmos_is_read_with_the_time_step_of_its_data() {
    let file = read_file("a.v2c", &samples::cosmos()).unwrap();
    assert_eq!(names(&file), [Some("360 deg")]);
    assert_eq!(file.components[0].azimuth, Some(0.0));
    assert_eq!(file.unit, "cm/sec2");
    let expected: Vec<f64> = (0..400).map(|k| 0.01 * (f64::from(k) - 200.0)).collect();
    assert_series(&file.components[0].series, 0.005, &expected);
    let other = samples::cosmos().replace("approx    2 secs", "approx    8 secs");
    assert_eq!(
        read_file("a.v2c", &other).unwrap().components[0].series.dt,
        0.02
    );
    let error = read_file("a.v2c", &other.replace("    8 secs", "   99 secs")).unwrap_err();
    assert!(error.contains("does not say its time step"), "{error}");
    let raw = samples::cosmos().replace("units=cm/sec2(04)", "units=counts (50)");
    let error = read_file("a.v2c", &raw).unwrap_err();
    assert!(error.contains("raw counts cannot be used"), "{error}");
    let velocity = samples::cosmos().replace("400 acceleration pts", "400 velocity pts");
    let error = read_file("a.v2c", &velocity).unwrap_err();
    assert!(error.contains("the file has no acceleration"), "{error}");
}

#[test]
fn smc_is_read() {
    let file = read_file("a.smc", &samples::smc()).unwrap();
    assert_eq!(names(&file), [Some("45")]);
    assert_eq!(file.components[0].azimuth, Some(45.0));
    let expected = [
        10.0, 1.276, 41.217, 27.7, 6.2018, -1.8366, -15.658, -29.782, -39.919, 0.1, -0.2,
    ];
    assert_series(&file.components[0].series, 0.005, &scaled(&expected, 0.01));
    let up = samples::smc().replace("        90        45", "         0    -32768");
    assert_eq!(names(&read_file("a.smc", &up).unwrap()), [Some("up")]);
    let uncorrected = samples::smc().replace("2 CORRECTED", "1 UNCORRECTED");
    assert!(read_file("a.smc", &uncorrected).unwrap().notes[0].contains("uncorrected"));
    for (from, to, expected) in [
        (
            "2 CORRECTED ACCELEROGRAM",
            "3 VELOCITY",
            "a.smc:1: \"3 VELOCITY\" is not an accelerogram",
        ),
        (
            "        11    -32768",
            "        12    -32768",
            "a.smc:14: the header promises 12 values, the file has 11",
        ),
        (
            "        11    -32768",
            "       -11    -32768",
            "a.smc:14: the number of values is -11",
        ),
        (
            "0.2000000E+03",
            "0.2000000E+33",
            "a.smc:18: the sampling rate",
        ),
        (
            "|made up",
            "made up",
            "a.smc:29: the header promises 2 comment lines",
        ),
        ("2.7700E+1", "2.77E0E+1", "a.smc:30: \""),
    ] {
        let error = read_file("a.smc", &samples::smc().replace(from, to)).unwrap_err();
        assert!(error.starts_with(expected), "{error}");
    }
}

/// Times of 1/256 s printed with three decimals, and a component that ends before the others.
#[test]
fn four_columns_of_odd_times_and_unequal_lengths() {
    let file = read_file("a.csv", &samples::columns()).unwrap();
    assert_eq!(names(&file), [Some("north"), Some("east"), Some("up")]);
    assert_eq!(file.unit, "cm/s2, g");
    let dt = 0.023 / 6.0;
    let expected = scaled(&[1.0, -1.0, 2.0, 3.0, 3.0, 1.0, 0.0], 0.01);
    assert_series(&file.components[0].series, dt, &expected);
    let g = STANDARD_GRAVITY;
    assert_series(&file.components[2].series, dt, &[0.1 * g, 0.2 * g, 0.3 * g]);
    assert_eq!(file.notes.len(), 1);
    assert!(file.notes[0].contains("component 3 \"up\" ends at 0.008 s"));
}

#[test]
fn components_are_chosen_by_number_and_name() {
    let file = read_file("a.csv", &samples::columns()).unwrap();
    let chosen = |channel: Channel| file.choose(Some(&channel)).map(|part| part.name.clone());
    assert_eq!(chosen(Channel::Number(2)), Ok(Some("east".into())));
    assert_eq!(
        chosen(Channel::Name("EAST".into())),
        Ok(Some("east".into()))
    );
    let error = chosen(Channel::Number(4)).unwrap_err();
    assert_eq!(
        error,
        "there is no component 4; the file has component 1 \"north\", component 2 \"east\", component 3 \"up\""
    );
    assert!(chosen(Channel::Number(0)).is_err() && chosen(Channel::Name("x".into())).is_err());
    let error = file.choose(None).unwrap_err();
    assert!(error.contains("choose one with `component`"), "{error}");
}

#[test]
fn velocity_and_displacement_of_peer_are_refused() {
    for (quantity, name) in [("VELOCITY", "a.vt2"), ("DISPLACEMENT", "a.dt2")] {
        let text = samples::at2().replace("ACCELERATION", quantity);
        let error = read_file(name, &text).unwrap_err();
        assert!(error.contains(":3: a record of"), "{error}");
    }
}

#[test]
fn components_are_treated_before_they_are_scaled() {
    let file = read_file("a.csv", "0,1,7\n0.1,3,7\n0.2,1,7\n").unwrap();
    let wanted = Wanted {
        channel: Some(&Channel::Number(1)),
        treatment: Treatment {
            baseline: Baseline::Constant,
            taper: 0.0,
        },
        scale: RecordScale::Pga(2.0),
    };
    // The mean of the straight lines is 2.
    let series = file.component(&wanted).unwrap();
    for (found, expected) in series.acceleration.iter().zip([-2.0, 2.0, -2.0]) {
        assert!((found - expected).abs() < 1e-12);
    }
}

#[test]
fn a_unit_that_is_not_said_is_noted() {
    for text in ["time,acceleration\n0,1\n0.1,2\n", "0,1\n0.1,2\n"] {
        let file = read_file("a.csv", text).unwrap();
        assert_eq!(file.notes.len(), 1, "{:?}", file.notes);
        assert!(file.notes[0].contains("taken for m/s2"), "{:?}", file.notes);
    }
    let said = read_file("a.csv", "t [s], a [m/s2]\n0,1\n0.1,2\n").unwrap();
    assert_eq!(said.notes, [""; 0]);
}

#[test]
fn capitals_do_not_hide_a_format() {
    let text = samples::dmg();
    let upper = text.to_uppercase();
    let path = Path::new("record");
    assert_eq!(RecordFormat::of(path, &upper), Some(RecordFormat::Dmg));
    // Without its first line, too.
    let (_, rest) = upper.split_once('\n').unwrap();
    assert_eq!(RecordFormat::of(path, rest), Some(RecordFormat::Dmg));
    let [a, b] = [&text, &upper].map(|text| {
        RecordFormat::Dmg
            .parse(text, None)
            .unwrap_or_else(|fault| panic!("{fault:?}"))
    });
    assert_eq!(a.components.len(), b.components.len());
    assert_eq!(a.components[0].series, b.components[0].series);
}

#[test]
fn velocities_and_displacements_are_left_aside() {
    let text =
        "time [s],acceleration [m/s2],velocity [m/s],displacement [m]\n0,1,7,8\n0.5,-2,7,8\n";
    let file = read_file("a.csv", text).unwrap();
    assert_eq!(file.components.len(), 1);
    assert_eq!(
        file.notes,
        ["not accelerations, and left aside: velocity [m/s], displacement [m]"]
    );
    assert_series(&read("a.csv", text, None).unwrap(), 0.5, &[1.0, -2.0]);
    // Three components with all three quantities, and quantities told by name alone.
    let many = "t,x a [g],x vel,x disp,y a [g],y vel,y disp\n0,1,9,9,2,9,9\n1,3,9,9,4,9,9\n";
    let file = read_file("a.csv", many).unwrap();
    let names: Vec<_> = file
        .components
        .iter()
        .map(|part| part.name.clone())
        .collect();
    assert_eq!(names, [Some("x a".to_owned()), Some("y a".to_owned())]);
}
