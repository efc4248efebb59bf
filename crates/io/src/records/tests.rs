//! Made-up samples of every format, good and bad.

use std::path::PathBuf;

use drystone_model::RecordScale;

use super::*;

/// Writes a sample and reads it.
fn read(name: &str, text: &str, dt: Option<f64>) -> Result<RecordSeries, String> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join(name);
    fs::write(&path, text).unwrap();
    read_record(&path, dt).map_err(|error| {
        assert!(error.is_input());
        let text = error.to_string();
        let folder = format!("{}/", folder.path().display());
        text.replace(&folder, "")
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
        "a.csv: the file does not say its time step; give dt in the motion"
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
        (
            "0,1\n\n0.01,x\n",
            "a.csv:3: \"0.01,x\" should be one or two numbers",
        ),
        (
            "0,1\n0.01,NaN\n",
            "a.csv:2: \"0.01,NaN\" should be one or two numbers",
        ),
        ("0,1,2\n", "a.csv:1: 3 columns; a record has one"),
        (
            "t [s], a [ft/s2]\n0,1\n",
            "a.csv:1: unknown unit of acceleration \"ft/s2\"",
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
        error.contains("the model says dt = 0.02 s but the file has 0.01 s"),
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
            "a.at2: the header promises 9 values, the file has 7",
        ),
        (
            at2(third, "NPTS= 6, DT= .005 SEC", VALUES),
            "a.at2: the header promises 6 values, the file has 7",
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
    assert!(error.contains("the model says dt = 0.01 s"), "{error}");
}

#[test]
fn unknown_and_missing_files_are_named() {
    let error = read("a.xlsx", "", None).unwrap_err();
    assert!(
        error.starts_with("a.xlsx: unknown kind of record"),
        "{error}"
    );
    let error = read_record(Path::new("/nowhere/a.csv"), None).unwrap_err();
    assert!(
        error.is_input() && error.to_string().starts_with("cannot read /nowhere/a.csv"),
        "{error}"
    );
}

#[test]
fn components_are_scaled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.csv");
    fs::write(&path, "0,1\n0.1,-4\n").unwrap();
    let component = |scale| RecordComponent {
        direction: drystone_geometry::DVec3::X,
        path: path.clone(),
        dt: None,
        scale,
    };
    let series = load_component(&component(RecordScale::Factor(0.5))).unwrap();
    assert_eq!(series.acceleration, [0.5, -2.0]);
    let series = load_component(&component(RecordScale::Pga(2.0))).unwrap();
    assert_eq!(series.acceleration, [0.5, -2.0]);
    fs::write(&path, "0,0\n0.1,0\n").unwrap();
    let error = load_component(&component(RecordScale::Pga(2.0))).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a.csv: a record whose values are all zero"),
        "{error}"
    );
}
