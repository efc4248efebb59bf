//! Made-up samples in the exact layout of every format.

/// Two channels of a volume 2 file of the Californian programme; columns touch, as in real ones.
pub(super) fn dmg() -> String {
    let channel = |number: u32, name: &str, points: usize, rows: &str| {
        format!(
            "\
Corrected accelerogram   58000-L0001-99001.01       Chan  {number}:  {name:<9}  from
Uncorrected Accelerogram Data             Processed: 01/02/99, CGS  000bv000
Station No. 58000   37.000N, 122.000W    Etna    s/n 0001  (2 Chns of  3 at Sta)
Nowhere - Test & Try                      CGS   Data: Acceleration
Chan  {number}:  {name:<9}           Location: Ground
                        Record length = {:6.3} sec.
  {points:>4} points of instrument- and baseline-corrected accel, veloc and displ data
At equally-spaced intervals of    .010  sec.
    1  100    1    3    3  200    1    3    1   24   12    1    058000   41    0
  .0101833  .6400000 75.000000  .0040522      .000 624.00000  .0276252 32.570000
 98.200000  .2980232-999.00000      .000 5.0000000-999.00000 4.0000000      .000
  {points:>4} points of accel data equally spaced at  .010 sec, in cm/sec2. (8f10.6)
{rows}  {points:>4} points of veloc data equally spaced at  .010 sec, in cm/sec.  (8f10.7)
  .0000001 -.0000002  .0000003 -.0000004  .0000005 -.0000006  .0000007 -.0000008
  {points:>4} points of displ data equally spaced at  .010 sec, in cm.      (8f10.7)
  .0000001 -.0000002  .0000003 -.0000004  .0000005 -.0000006  .0000007 -.0000008
/&  ----------  End of data for channel  {number}  ----------
",
            points as f64 * 0.01
        )
    };
    channel(
        1,
        "90 Deg",
        10,
        "  -.001239   .001228-12.345678-123.45678123.456789 99.123456  1.000000  2.000000\n  3.000000 -4.000000\n",
    ) + &channel(2, "Up", 3, "  1.000000  2.000000  3.000000\n")
}

/// One channel in the format of COSMOS. The recorder's time step is not that of the data, as real files have it.
pub(super) fn cosmos() -> String {
    let integers: String = (0..10).map(|_| "    -999".repeat(10) + "\n").collect();
    let mut reals = vec![-999.0; 100];
    (reals[33], reals[61]) = (0.02, 5.0);
    let reals: String = reals
        .chunks(5)
        .map(|row| row.iter().map(|v| format!("{v:15.6}")).collect::<String>() + "\n")
        .collect();
    let values: String = (0..400)
        .map(|k| format!("{:15.6e}\n", f64::from(k) - 200.0))
        .collect();
    format!(
        "\
Corrected acceleration    (Format v01.20 with 13 text lines)
Record of Nowhere Earthquake of Fri Jan 01, 1999 00:00 UTC
Hypocenter: 0.00000 0.00000 H= 10km Mw=6.0
Origin: 1999/01/01 00:00:00    UTC
Statn No: 00-000000 Code:XX-YYY     AAA  Nowhere
Coords: 0.0000 0.0000  Site geology:
Recorder: (see cmnt)      ( ? Chns of   3 at Sta) Sensor: (see comment)
Rcrd start time: 1999/01/01 00:00:00.000 UTC (Q=5) RcrdId: (see comment)
Sta Chan   1: 360 deg (Rcrdr Chan  1) Location: Ground
Raw record length = 2.000 sec, Uncor max =    101730, at  0.680 sec.
Processed:1999-01-01 00:00:00 GMT, UNKN, Max =   -6.852 cm/sec2 at   0.215 sec
Record filtered below  0.03 Hz (periods over 33.33 secs), and above 20.0 Hz
Values used when parameter or data value is unknown/unspecified:   -999, -999.00
 100 Integer-header values follow on  10 lines, Format= (10I8)
{integers} 100 Real-header values follow on  20 lines, Format= (5F15.6)
{reals}   2 Comment line(s) follow, each starting with a \"|\":
| Recorder: none
|<PROCESS> MANUAL
   400 acceleration pts, approx    2 secs, units=cm/sec2(04),Format=(1E15.6)
{values}End-of-data for Chan  1 acceleration
"
    )
}

/// A corrected accelerogram of the United States Geological Survey.
pub(super) fn smc() -> String {
    let unknown = "    -32768".repeat(8);
    let fill = "  0.1700000E+39".repeat(5);
    let text = [
        "2 CORRECTED ACCELEROGRAM",
        "*",
        "X001A",
        "     1999  01  01    0000 Nowhere",
        "Moment Mag=      6.0 Ms=      6.0 Ml=      6.0",
        "station = Nowhere Fire Station       component=  045",
        "epicentral dist =     10.0       pk     =    -12.3",
        "inst type=SMA-1      data source = USGS",
        "*",
        "*",
        "*",
    ];
    let text: String = text.iter().map(|line| format!("{line:<80}\n")).collect();
    let integers = format!(
        "    -32768      1999         1         0         0         0    -32768      4225\n\
         \x20        2         3    -32768    -32768        90        45       101         2\n\
         \x20       11    -32768    -32768    -32768    -32768    -32768    -32768    -32768\n\
         {unknown}\n{unknown}\n{unknown}\n"
    );
    let reals = "  0.1700000E+39  0.2000000E+03  0.3703700E+02 -0.1218830E+03  0.1800000E+02\n"
        .to_owned()
        + &format!("{fill}\n").repeat(9);
    format!(
        "{text}{integers}{reals}|\n|made up\n\
         \x201.0000E+1 1.2760E+0 4.1217E+1 2.7700E+1 6.2018E+0-1.8366E+0-1.5658E+1-2.9782E+1\n\
         -3.9919E+1 1.0000E-1-2.0000E-1\n"
    )
}

/// The 64 lines of the header of the Engineering Strong Motion database, and six values.
pub(super) fn esm() -> String {
    let keys = "EVENT_NAME: NOWHERE\nEVENT_ID: XX-1999\nEVENT_DATE_YYYYMMDD: 19990101\nEVENT_TIME_HHMMSS: 000000\n\
        EVENT_LATITUDE_DEGREE: 0.0000\nEVENT_LONGITUDE_DEGREE: 0.0000\nEVENT_DEPTH_KM: 9.0\n\
        HYPOCENTER_REFERENCE: XX\nMAGNITUDE_W: \nMAGNITUDE_W_REFERENCE: \nMAGNITUDE_L: 4.6\n\
        MAGNITUDE_L_REFERENCE: XX\nFOCAL_MECHANISM: \nNETWORK: XX\nSTATION_CODE: YYY\n\
        STATION_NAME: Town hall: first floor\nSTATION_LATITUDE_DEGREE: 0.0\nSTATION_LONGITUDE_DEGREE: 0.0\n\
        STATION_ELEVATION_M: 34\nLOCATION: \nSENSOR_DEPTH_M: 0.0\nVS30_M/S: \nSITE_CLASSIFICATION_EC8: \n\
        MORPHOLOGIC_CLASSIFICATION: \nEPICENTRAL_DISTANCE_KM: 88.1\nEARTHQUAKE_BACKAZIMUTH_DEGREE: 53.9\n\
        DATE_TIME_FIRST_SAMPLE_YYYYMMDD_HHMMSS: 19990101_000000.000\n\
        DATE_TIME_FIRST_SAMPLE_PRECISION: milliseconds\nSAMPLING_INTERVAL_S: 0.005000\nNDATA: 6\n\
        DURATION_S: 0.030\nSTREAM: HNE\nUNITS: cm/s^2\nINSTRUMENT: sensor = X [Unknown] | digitizer = Y\n\
        INSTRUMENT_ANALOG/DIGITAL: D\nINSTRUMENTAL_FREQUENCY_HZ: \nINSTRUMENTAL_DAMPING: \nFULL_SCALE_G: \n\
        N_BIT_DIGITAL_CONVERTER: \nPGA_CM/S^2: 3.0\nTIME_PGA_S: 0.010000\n\
        BASELINE_CORRECTION: BASELINE REMOVED\nFILTER_TYPE: BUTTERWORTH\nFILTER_ORDER: 2\n\
        LOW_CUT_FREQUENCY_HZ: 0.100\nHIGH_CUT_FREQUENCY_HZ: 30.000\nLATE/NORMAL_TRIGGERED: NT\n\
        DATABASE_VERSION: DYNA 1.0\nHEADER_FORMAT: DYNA 1.2\nDATA_TYPE: ACCELERATION\nPROCESSING: manual\n\
        DATA_TIMESTAMP_YYYYMMDD_HHMMSS: 19990101_000000.000\nDATA_LICENSE: \nDATA_CITATION: \nDATA_CREATOR: \n\
        ORIGINAL_DATA_MEDIATOR_CITATION: \nORIGINAL_DATA_MEDIATOR: http://nowhere/\n\
        ORIGINAL_DATA_CREATOR_CITATION: \nORIGINAL_DATA_CREATOR: \nUSER1: \nUSER2: \nUSER3: \nUSER4: \nUSER5: \n";
    format!("{keys}0.000000\n-1.000000\n3.000000\n-0.000001\n2.500000\n0.100000\n")
}

/// A file of PEER.
pub(super) fn at2() -> String {
    "PEER NGA STRONG MOTION DATABASE RECORD\nSomewhere-01, 1/2/1999, Station #3, 180\n\
     ACCELERATION TIME SERIES IN UNITS OF G\nNPTS=      7, DT=   .0050 SEC\n\
     \x20 -.1000000E-01   .2000000E-01   .3000000E+00  -.4000000E+00   .5000000E-03\n\
     \x20  .6000000E-01   .7000000E-01\n"
        .to_owned()
}

/// Times and three components, one of which ends early.
pub(super) fn columns() -> String {
    "time [s], north [cm/s2], east [cm/s2], up [g]\n0.000,1,2,0.1\n0.004,-1,3,0.2\n0.008,2,4,0.3\n\
     0.012,3,5,\n0.016,3,5,\n0.020,1,1,\n0.023,0,0,\n"
        .to_owned()
}
