//! When a time history says that a structure stood, collapsed, or neither, and what it says beside.

use std::path::Path;

use drystone_model::{AnalysisKind, Case, Format, MotionKind, RecordComponent, RecordSeries};
use drystone_questions::answer::{Answer, Detail, Verdict};
use drystone_questions::ask;
use drystone_questions::time_history::{Excitation, Run, Summary};

/// A cuboid from one corner to the other.
fn cuboid(name: &str, low: [f64; 3], high: [f64; 3], more: &str) -> String {
    let corner = |k: usize| {
        let at = |axis: usize| {
            if k >> axis & 1 == 0 {
                low[axis]
            } else {
                high[axis]
            }
        };
        format!("[{:?}, {:?}, {:?}]", at(0), at(1), at(2))
    };
    let corners: Vec<String> = (0..8).map(corner).collect();
    let corners = corners.join(", ");
    format!("[[block]]\nname = \"{name}\"\nmaterial = \"stone\"\nvertices = [{corners}]\n{more}\n")
}

fn model(blocks: &str, motions: &str, analysis: &str) -> String {
    format!(
        "[model]\nname = \"m\"\nplane = \"xz\"\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n{}{blocks}{motions}\
         [[analysis]]\nname = \"a\"\nkind = \"time_history\"\n{analysis}\n",
        cuboid(
            "ground",
            [-9.0, 0.0, -0.5],
            [9.0, 1.0, 0.0],
            "support = true"
        )
    )
}

fn case(text: &str) -> Case {
    Case::of_text(text, Format::Toml, Path::new("m.toml"))
        .unwrap_or_else(|faults| panic!("{faults}"))
}

fn answer(case: &Case) -> Answer {
    ask(case, &case.model().analyses[0], &mut ()).unwrap_or_else(|fault| panic!("{fault}"))
}

fn summary(answer: &Answer) -> &Summary {
    match &answer.detail {
        Detail::TimeHistory(detail) => &detail.summary,
        other => panic!("{other:?}"),
    }
}

/// A column of the history.
fn column<'a>(answer: &'a Answer, name: &str) -> &'a [f64] {
    let Detail::TimeHistory(detail) = &answer.detail else {
        panic!("a time history");
    };
    let found = detail.rows.history.column(name);
    found.unwrap_or_else(|| panic!("{name}"))
}

/// A block of 0.5 m by 2 m that is set rocking about its right corner.
fn rocker(speed: f64, analysis: &str) -> Answer {
    let block = cuboid(
        "block",
        [-0.25, 0.0, 0.0],
        [0.25, 1.0, 2.0],
        // About the corner: the centroid moves with it.
        &format!(
            "velocity = [{speed:?}, 0, {:?}]\nangular_velocity = [0, {speed:?}, 0]",
            0.25 * speed
        ),
    );
    answer(&case(&model(&block, "", analysis)))
}

/// The energy that just takes it over its corner is that of 0.653 rad/s.
#[test]
fn a_block_past_its_tipping_point_has_not_stood() {
    let cut = rocker(0.67, "duration = 1.2\nsettle = 0");
    let seen = summary(&cut);
    // It leans beyond the angle of its diagonal, and falls slowly.
    assert!(
        cut.measures
            .iter()
            .any(|m| m.key == "rotation" && m.value > 0.245)
    );
    assert!(seen.moving_at_end && seen.collapse_time.is_none());
    assert_eq!(
        (cut.status.as_str(), cut.verdict),
        ("undecided", Verdict::Undecided)
    );
    assert!(
        cut.headline
            .starts_with("undecided: stood so far, but still moving at 1.2 s"),
        "{}",
        cut.headline
    );
    let followed = rocker(0.67, "duration = 1.2");
    assert_eq!(
        (followed.status.as_str(), followed.verdict),
        ("collapsed", Verdict::Falls)
    );
    let seen = summary(&followed);
    assert!(
        seen.collapse_time.is_some_and(|time| time > 1.2),
        "{seen:?}"
    );
    assert_eq!(seen.collapse_time, Some(seen.time), "and no longer");
}

/// Both move by less than 5 mm/s for half a second, and both are about to fall or to slide off.
#[test]
fn what_is_slow_but_not_held_has_not_stood() {
    let unheld = |answer: &Answer| {
        let seen = summary(answer);
        assert!(!seen.moving_at_end && seen.time >= 0.5, "{seen:?}");
        assert_eq!((seen.held_at_end, seen.at_rest_since), (Some(false), None));
        assert_eq!(answer.verdict, Verdict::Undecided);
        let why = "and slow at the end, but no forces within friction hold it where it is";
        assert!(answer.headline.contains(why), "{}", answer.headline);
    };
    // Pushed with three parts in ten thousand more, or less, than friction bears: 0.6 of 19620 N.
    let push = |force: f64| {
        let block = cuboid("block", [0.0; 3], [1.0, 1.0, 1.0], "");
        let push = format!(
            "[[load]]\nblock = \"block\"\nforce = [{force:?}, 0, 0]\npoint = [0.5, 0.5, 0.1]\n"
        );
        answer(&case(&model(&block, &push, "duration = 1.0\nsettle = 0")))
    };
    unheld(&push(11772.0 * 1.0003));
    assert_eq!(push(11772.0 * 0.9997).status, "stood");
    // On its corner, a fifth of a milliradian before or after the point of balance.
    for lean in [2e-4, -2e-4] {
        let tipped = f64::atan2(0.25, 1.0) + lean;
        let corner = |x: f64, z: f64| {
            let (sin, cos) = tipped.sin_cos();
            // About the right corner, clockwise.
            let x = x - 0.25;
            [0.25 + x * cos + z * sin, z * cos - x * sin]
        };
        let vertices: Vec<String> = [[-0.25, 0.0], [0.25, 0.0], [-0.25, 2.0], [0.25, 2.0]]
            .iter()
            .flat_map(|&[x, z]| {
                let [x, z] = corner(x, z);
                [0, 1].map(|y| format!("[{x:?}, {y}, {z:?}]"))
            })
            .collect();
        let block = format!(
            "[[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n",
            vertices.join(", ")
        );
        unheld(&answer(&case(&model(
            &block,
            "",
            "duration = 0.5\nsettle = 0",
        ))));
    }
}

#[test]
fn a_block_that_swings_back_is_followed_until_it_rests() {
    let cut = rocker(0.6, "duration = 0.5\nsettle = 0");
    assert_eq!(cut.status, "undecided");
    let followed = rocker(0.6, "duration = 0.5");
    let seen = summary(&followed);
    assert_eq!(followed.status, "stood", "{}", followed.headline);
    assert!(seen.time > 1.0 && seen.time < 10.5, "{}", seen.time);
    assert!(
        seen.at_rest_since
            .is_some_and(|since| since >= 0.5 && since <= seen.time)
    );
    let after = format!("at rest after {:.3} s", seen.time);
    assert!(followed.headline.contains(&after), "{}", followed.headline);
    // The bound is one.
    let bounded = rocker(0.6, "duration = 0.5\nsettle = 0.25");
    assert_eq!(bounded.status, "undecided");
    assert!((summary(&bounded).time - 0.75).abs() < 1e-12);
    // What is written of the duration does not depend on what comes after it.
    for name in ["time", "kinetic", "potential", "dissipated", "ground.ux"] {
        let (short, long) = (column(&cut, name), column(&followed, name));
        assert_eq!(short.len(), 51);
        assert_eq!(short, &long[..51], "{name}");
    }
}

/// A steady state that was reached before the end needs no extension, and one that is exact no half second.
#[test]
fn what_stands_still_ends_with_its_duration() {
    let block = cuboid("block", [-0.25, 0.0, 0.0], [0.25, 1.0, 2.0], "");
    let stood = answer(&case(&model(&block, "", "duration = 0.1")));
    assert_eq!(stood.status, "stood");
    assert!((summary(&stood).time - 0.1).abs() < 1e-12);
    assert!(stood.headline.starts_with("stood ("), "{}", stood.headline);
    assert!(stood.notes.is_empty(), "{:?}", stood.notes);
}

/// A block on a wall that is thrown off it: of the potential energy of the whole it has a tenth.
fn street(analysis: &str) -> Answer {
    let wall = cuboid("wall", [-2.0, 0.0, 0.0], [2.0, 1.0, 3.0], "");
    let gable = cuboid(
        "gable",
        [1.0, 0.0, 3.0],
        [1.6, 1.0, 3.6],
        "velocity = [4.5, 0, 0]",
    );
    answer(&case(&model(&(wall + &gable), "", analysis)))
}

#[test]
fn a_gable_in_the_street_has_not_stood() {
    let fallen = street("duration = 2.0");
    assert_eq!(
        (fallen.status.as_str(), fallen.verdict),
        ("collapsed", Verdict::Falls)
    );
    assert_eq!(summary(&fallen).fallen_blocks, ["gable"]);
    assert!(
        fallen
            .headline
            .contains("fell by more than its height: \"gable\""),
        "{}",
        fallen.headline
    );
    assert_eq!(fallen.summary["fallen_blocks"][0], "gable");
    assert!(
        fallen
            .measures
            .iter()
            .any(|m| m.key == "fallen_blocks" && m.value == 1.0)
    );
    // It has fallen by its height of 0.6 m.
    let local = street("duration = 2.0\ncollapse = \"local\"\nstop_at_collapse = true");
    let time = summary(&local).time;
    assert_eq!(summary(&local).collapse_time, Some(time));
    assert_eq!(
        summary(&fallen).collapse_time,
        Some(time),
        "whichever comes first"
    );
    let global = street("duration = 2.0\ncollapse = \"global\"");
    assert_eq!(global.status, "stood", "{}", global.headline);
    assert_eq!(summary(&global).fallen_blocks, ["gable"]);
    assert!(global.headline.contains("\"gable\""), "{}", global.headline);
}

/// Supports that settle take along what stands on them.
#[test]
fn what_a_settlement_lowers_has_not_fallen() {
    let pier = cuboid("pier", [-1.0, 0.0, 0.0], [1.0, 1.0, 2.0], "support = true");
    let block = cuboid("block", [-0.5, 0.0, 2.0], [0.5, 1.0, 2.3], "");
    let motion = "[[motion]]\nname = \"down\"\nkind = \"settlement\"\nsupports = [\"pier\"]\ndisplacement = [0, 0, -0.9]\nduration = 2.0\n";
    let settled = answer(&case(&model(
        &(pier + &block),
        motion,
        "motion = \"down\"\nduration = 2.0",
    )));
    assert_eq!(settled.status, "stood", "{}", settled.headline);
    assert!(summary(&settled).fallen_blocks.is_empty());
    assert!(summary(&settled).largest_displacement.displacement > 0.89);
}

/// A wide block under a record that is quiet for 6 s, shakes for 2 s, and is sampled at 5 ms.
fn recorded(analysis: &str) -> Answer {
    let block = cuboid("block", [-1.0, 0.0, 0.0], [1.0, 1.0, 1.0], "");
    let motion =
        "[[motion]]\nname = \"quake\"\nkind = \"one_sine\"\namplitude = 1.0\nhalf_period = 1.0\n";
    let mut case = case(&model(
        &block,
        motion,
        &format!("motion = \"quake\"\n{analysis}"),
    ));
    let values = (0..=1600).map(|k| {
        let time = 0.005 * f64::from(k) - 6.0;
        if time > 0.0 {
            (10.0 * std::f64::consts::PI * time).sin()
        } else {
            1e-4
        }
    });
    let series =
        RecordSeries::new(0.005, values.collect()).unwrap_or_else(|error| panic!("{error}"));
    case.motions_mut()[0].kind = MotionKind::Record {
        components: vec![RecordComponent {
            direction: drystone_geometry::DVec3::X,
            path: "quake.csv".into(),
            series,
            notes: Vec::new(),
        }],
    };
    answer(&case)
}

fn note<'a>(answer: &'a Answer, with: &str) -> Option<&'a str> {
    let mut notes = answer.notes.iter();
    notes.find(|note| note.contains(with)).map(String::as_str)
}

#[test]
fn an_analysis_that_is_shorter_than_its_motion_says_so() {
    let cut = recorded("duration = 7.0\nsettle = 0");
    assert_eq!(
        (cut.status.as_str(), cut.verdict),
        ("undecided", Verdict::Undecided)
    );
    assert!(
        cut.headline.contains("shaken for 7 of 8 s"),
        "{}",
        cut.headline
    );
    assert!(
        note(&cut, "the motion lasts 8 s and the analysis 7 s").is_some(),
        "{:?}",
        cut.notes
    );
    let early = recorded("duration = 5.0\nsettle = 1.0");
    // No time for a verdict, and so none is spent.
    assert_eq!(summary(&early).time, 5.0);
    let told = note(&early, "of the shaking").unwrap_or_else(|| panic!("{:?}", early.notes));
    assert!(
        told.contains("the strong part begins at 6.1 s of 8"),
        "{told}"
    );
    let whole = recorded("duration = 5.0");
    assert_eq!(whole.status, "stood", "{}", whole.headline);
    assert!(whole.notes.is_empty(), "{:?}", whole.notes);
    assert!(summary(&whole).time >= 8.0);
}

#[test]
fn steps_that_miss_their_motion_say_so() {
    let coarse = recorded("duration = 8.0\ndt = 0.01");
    assert!(
        note(&coarse, "longer than that of the record \"quake\", 0.005 s").is_some(),
        "{:?}",
        coarse.notes
    );
    let pulse = |half_period: f64| {
        let block = cuboid("block", [-1.0, 0.0, 0.0], [1.0, 1.0, 1.0], "");
        let motion = format!(
            "[[motion]]\nname = \"push\"\nkind = \"rectangular\"\namplitude = 1.0\nhalf_period = {half_period:?}\n"
        );
        answer(&case(&model(
            &block,
            &motion,
            "motion = \"push\"\nduration = 1.0\ndt = 0.01",
        )))
    };
    assert!(note(&pulse(0.09), "more than a tenth of the half-period").is_some());
    let slow = pulse(0.11);
    assert!(note(&slow, "tenth").is_none(), "{:?}", slow.notes);
    assert!(
        note(&slow, "the ground ends in motion, at 0.110 m/s").is_some(),
        "{:?}",
        slow.notes
    );
}

/// From a saved state the run goes on to the same bits, within the duration and beyond it.
#[test]
fn a_run_that_is_resumed_beyond_its_duration_is_the_same() {
    for more in ["", "adaptive = {}"] {
        let block = cuboid(
            "block",
            [-0.25, 0.0, 0.0],
            [0.25, 1.0, 2.0],
            "velocity = [0.6, 0, 0.15]\nangular_velocity = [0, 0.6, 0]",
        );
        let case = case(&model(&block, "", &format!("duration = 0.503\n{more}")));
        let AnalysisKind::TimeHistory(settings) = &case.model().analyses[0].kind else {
            panic!("a time history");
        };
        let run = || {
            Run::new(
                case.model(),
                settings,
                Excitation::new(case.model(), &[]).unwrap_or_else(|e| panic!("{e}")),
            )
        };
        let mut whole = run();
        let mut saved = Vec::new();
        let mut frames = Vec::new();
        while !whole.finished() {
            let events = whole
                .advance(&mut ())
                .unwrap_or_else(|fault| panic!("{fault}"));
            let time = whole.progress().state.time;
            if events.frame {
                frames.push(time);
            }
            if (time > 0.3 && saved.is_empty()) || (time > 0.9 && saved.len() == 1) {
                saved.push(whole.progress().clone());
            }
        }
        assert_eq!(saved.len(), 2);
        // Outputs keep their times, and the end of the duration is one of them.
        assert!(
            frames.iter().any(|time| (time - 0.503).abs() < 1e-9),
            "{frames:?}"
        );
        for due in [0.49, 0.5, 0.51, 0.52] {
            assert!(
                frames.iter().any(|time| (time - due).abs() < 1e-9),
                "{due}: {frames:?}"
            );
        }
        for progress in saved {
            let mut resumed = run();
            resumed.resume(progress);
            while !resumed.finished() {
                resumed
                    .advance(&mut ())
                    .unwrap_or_else(|fault| panic!("{fault}"));
            }
            assert_eq!(resumed.progress(), whole.progress());
        }
    }
}

/// A ground that oscillates from the start has the structure with it, in either frame.
#[test]
fn an_oscillation_starts_without_a_jolt() {
    let wall = |start: &str, ground: &str| {
        let block = cuboid("block", [-0.25, 0.0, 0.0], [0.25, 1.0, 2.0], "");
        let motion = format!(
            "[[motion]]\nname = \"table\"\nkind = \"sine\"\namplitude = 4.0\nfrequency = 1.0\nduration = 1.25\n{start}\n"
        );
        let keys = format!(
            "motion = \"table\"\nduration = 1.25\nsettle = 0\ntolerance = \"validation\"\n{ground}"
        );
        let answer = answer(&case(&model(&block, &motion, &keys)));
        let last = |name: &str| column(&answer, name).last().copied().unwrap_or(f64::NAN);
        (
            summary(&answer).largest_displacement.displacement,
            last("kinetic"),
            last("ground.ux"),
        )
    };
    let swing = "start = \"oscillating\"";
    let (moved, kinetic, ground) = wall(swing, "");
    // It rocks: 0.4 g is more than the 0.25 g of its slenderness.
    assert!(moved > 0.01, "{moved}");
    // The motion relative to the ground is that of the same acceleration from rest, within a hundred times the tolerance of a step.
    let still = wall("", "");
    assert!(
        (moved - still.0).abs() < 1e-7 * moved,
        "{moved} {}",
        still.0
    );
    // At 5/4 of a period the ground is at its farthest, where from rest it has drifted on.
    let reach = 4.0 / (2.0 * std::f64::consts::PI).powi(2);
    assert!((ground + reach).abs() < 1e-12, "{ground}");
    assert!(still.2 > 5.0 * reach, "{}", still.2);
    let carried = wall(swing, "ground = \"supports\"");
    assert!(
        (carried.0 - moved).abs() < 1e-7 * moved,
        "{} {moved}",
        carried.0
    );
    assert!(
        (carried.1 - kinetic).abs() < 1e-6 * kinetic.abs().max(1.0),
        "{} {kinetic}",
        carried.1
    );
}
