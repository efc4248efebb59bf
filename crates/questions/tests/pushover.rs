//! Pushover curves against closed forms.

use std::path::Path;

use drystone_model::{AnalysisKind, Format, Model, compile_text};
use drystone_questions::pushover::{Branch, Ending, Outcome, pushover};

fn model(text: &str) -> Model {
    compile_text(text, Format::Toml, Path::new("test.toml"))
        .unwrap_or_else(|faults| panic!("{faults}"))
}

fn run(text: &str) -> Outcome {
    let model = model(text);
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Pushover(settings) => Some(settings),
            _ => None,
        })
        .expect("a pushover");
    pushover(&model, settings, &mut |_| true).expect("an answer")
}

/// Corners of a box.
fn corners(low: [f64; 3], high: [f64; 3]) -> String {
    let mut all = Vec::new();
    for k in 0..8 {
        let at = |axis: usize| {
            if k >> axis & 1 == 1 {
                high[axis]
            } else {
                low[axis]
            }
        };
        all.push(format!("[{}, {}, {}]", at(0), at(1), at(2)));
    }
    format!("[{}]", all.join(", "))
}

/// A block of 0.5 x 1 x 3.5 m on the ground.
fn block(general: &str, analysis: &str) -> String {
    format!(
        "[model]\n{general}\n[[material]]\nname = \"m\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
         [[block]]\nname = \"ground\"\nmaterial = \"m\"\nsupport = true\nvertices = {}\n\
         [[block]]\nname = \"wall\"\nmaterial = \"m\"\nvertices = {}\n\
         [[analysis]]\nname = \"push\"\nkind = \"pushover\"\n{analysis}\n",
        corners([-5.0, -5.0, -1.0], [5.0, 5.0, 0.0]),
        corners([0.0, 0.0, 0.0], [0.5, 1.0, 3.5]),
    )
}

/// A block about its edge: the multiplier is the tangent of what is left of the angle of its diagonal.
#[test]
fn a_rocking_block_follows_its_closed_form() {
    for (plane, direction) in [("plane = \"xz\"", "[1, 0, 0]"), ("", "[1, 0, 0]")] {
        let text = block(
            plane,
            &format!(
                "direction = {direction}\ncontrol = {{ block = \"wall\", point = [0.5, 0.5, 3.5] }}"
            ),
        );
        let outcome = run(&text);
        let angle = (0.5_f64 / 3.5).atan();
        assert_eq!(outcome.ending, Ending::Zero);
        let mut worst: f64 = 0.0;
        for point in outcome.curve.branch(Branch::Rigid) {
            let turned = (point.d / 3.5).asin();
            worst = worst.max((point.alpha - (angle - turned).tan()).abs());
        }
        assert!(worst < 1e-6, "{worst}");
        let capacity = 3.5 * angle.sin();
        let d_0 = outcome.d_0.expect("a capacity");
        assert!((d_0 - capacity).abs() < 1e-6, "{d_0} {capacity}");
        let last = outcome.curve.points.last().expect("points");
        // Nothing slides or crushes: work of what is multiplied lifts the block, but for the trapezoidal rule.
        assert!(last.dissipated.abs() < 1e-3 * last.live_work);
    }
}

/// A block that slides: the multiplier is the friction, and with associated friction it would climb by as much as it slides times that.
#[test]
fn a_sliding_block_slides_along_the_ground() {
    let text = block(
        "plane = \"xz\"",
        "direction = [1, 0, 0]\nmax_displacement = 0.5\nstep = 0.02",
    )
    .replace("friction = 0.6", "friction = 0.1");
    let outcome = run(&text);
    assert_eq!(outcome.ending, Ending::Displacement);
    for point in outcome.curve.branch(Branch::Rigid) {
        // The solver's tolerance.
        assert!((point.alpha - 0.1).abs() < 1e-7, "{}", point.alpha);
        // What the first mechanism lifts in one step is taken back in the next.
        assert!(
            (point.poses[1].position.z - 1.75).abs() < 1e-6,
            "{}",
            point.d
        );
    }
    let last = outcome.curve.points.last().expect("points");
    let weight = 2000.0 * 0.5 * 3.5 * 9.81;
    assert!((last.dissipated / (0.1 * weight * last.d) - 1.0).abs() < 1e-6);
}

/// Whoever looks may stop it; what was found stays.
#[test]
fn a_stopped_curve_keeps_its_points() {
    let model = model(&block("", "direction = [1, 0, 0]"));
    let AnalysisKind::Pushover(settings) = &model.analyses[0].kind else {
        panic!("a pushover");
    };
    let mut left = 5;
    let outcome = pushover(&model, settings, &mut |_| {
        left -= 1;
        left > 0
    })
    .expect("an answer");
    assert_eq!(outcome.ending, Ending::Interrupted);
    assert_eq!(outcome.curve.points.len(), 5);
    assert!(outcome.d_0.is_none() && outcome.alpha_0.is_some());
}

/// A rise that is stopped has no peak, whatever it had reached.
#[test]
fn a_stopped_rise_has_no_peak() {
    let text = block("", "direction = [1, 0, 0]\njoints = \"elastic\"").replace(
        "friction =",
        "normal_stiffness = 1e9\nshear_stiffness = 4e8\nfriction =",
    );
    let model = model(&text);
    let AnalysisKind::Pushover(settings) = &model.analyses[0].kind else {
        panic!("a pushover");
    };
    let mut risen = 0;
    let outcome = pushover(&model, settings, &mut |point| {
        risen += u32::from(point.branch == Branch::Elastic);
        risen < 3
    })
    .expect("an answer");
    assert!(outcome.stopped());
    assert_eq!(outcome.status(), "interrupted");
    assert_eq!((outcome.alpha_y, outcome.d_y), (None, None));
    assert!(outcome.alpha_0.is_some() && outcome.d_0.is_some());
}

/// Loads that grow with height have a longer lever: two thirds of the height for a stack of many, here that of two blocks.
#[test]
fn a_pattern_by_height_pushes_higher_up() {
    let upper = format!(
        "[[block]]\nname = \"upper\"\nmaterial = \"m\"\nvertices = {}\n",
        corners([0.0, 0.0, 3.5], [0.5, 1.0, 7.0])
    );
    let text = block(
        "plane = \"xz\"",
        "direction = [1, 0, 0]\npattern = \"height\"\nmax_displacement = 0.01",
    );
    let text = text.replace("[[analysis]]", &format!("{upper}[[analysis]]"));
    let onset = run(&text).alpha_0.expect("an onset");
    // Forces 1/4 and 3/4 of both weights at 1.75 and 5.25 m: lever 4.375 m over half the width.
    assert!((onset - 0.25 / 4.375).abs() < 1e-7, "{onset}");
}

/// A slender block leans against a pier after 50 mm, and a stout one beside it goes on turning over while the first stands still: its multiplier is not that of
/// the displacement of the first, and no capacity is claimed.
#[test]
fn what_gives_way_elsewhere_is_no_capacity() {
    let pushed = |step: f64| {
        let more = format!(
            "[[block]]\nname = \"pier\"\nmaterial = \"m\"\nsupport = true\nvertices = {}\n\
             [[block]]\nname = \"stout\"\nmaterial = \"m\"\nvertices = {}\n",
            corners([0.55, 0.0, 0.0], [1.0, 1.0, 5.0]),
            corners([2.0, 0.0, 0.0], [3.0, 1.0, 2.0]),
        );
        let control = format!(
            "direction = [1, 0, 0]\nstep = {step}\ncontrol = {{ block = \"wall\", point = [0.5, 0.5, 3.5] }}"
        );
        let text = block("plane = \"xz\"", &control);
        run(&text.replace("[[analysis]]", &format!("{more}[[analysis]]")))
    };
    let outcome = pushed(0.032);
    let points = &outcome.curve.points;
    let last = points.last().expect("points");
    assert_eq!(outcome.ending, Ending::Elsewhere, "{} points", points.len());
    assert_eq!((outcome.d_0, outcome.status()), (None, "ended"));
    assert!((last.d - 0.05).abs() < 1e-3, "{}", last.d);
    // The stout block alone needs half of its weight.
    let top = points.iter().map(|p| p.alpha).fold(0.0, f64::max);
    assert!((top - 0.5).abs() < 1e-2, "{top}");
    // Work is that under the curve as it is told, also where mechanisms change: both blocks have their weight as the load.
    let weights = [(1, 0.5 * 3.5), (3, 1.0 * 2.0)].map(|(i, area)| (i, 2000.0 * 9.81 * area));
    for pair in points.windows(2) {
        let moved = |i: usize| pair[1].poses[i].position.x - pair[0].poses[i].position.x;
        let live: f64 = weights.iter().map(|&(i, weight)| weight * moved(i)).sum();
        let expected = 0.5 * (pair[0].alpha + pair[1].alpha) * live;
        let done = pair[1].live_work - pair[0].live_work;
        assert!((done - expected).abs() < 1e-6, "{done} {expected}");
    }
    // With shorter steps the point has stood still before the multiplier fell far.
    assert_eq!(pushed(0.001).ending, Ending::Still);
}

/// A beam on a fixed pier and on one that is pulled from under it and takes it along. Its end falls off the fixed pier after 0.3 m, onto a
/// ledge so far below.
fn falling_beam(drop: f64, step: f64) -> Outcome {
    let stone = |name: &str, low: [f64; 3], high: [f64; 3], more: &str| {
        let vertices = corners(low, high);
        format!("[[block]]\nname = \"{name}\"\nmaterial = \"m\"\n{more}vertices = {vertices}\n")
    };
    let fixed = "support = true\n";
    run(&format!(
        "[model]\nplane = \"xz\"\n[[material]]\nname = \"m\"\ndensity = 2000.0\n\
         [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.3\n{}{}{}{}{}\
         [[load]]\nblock = \"pier\"\nforce = [1000.0, 0, 0]\nlive = true\n\
         [[analysis]]\nname = \"push\"\nkind = \"pushover\"\nloads = \"live\"\nmax_displacement = 0.35\nstep = {step}\n\
         control = {{ block = \"pier\" }}\ncontrol_direction = [1, 0, 0]\n",
        stone("ground", [-5.0, 0.0, -1.0], [5.0, 1.0, 0.0], fixed),
        stone("left", [-0.5, 0.0, 0.0], [0.3, 1.0, 1.0], fixed),
        stone("ledge", [0.9, 0.0, 0.0], [1.1, 1.0, 1.0 - drop], fixed),
        stone("pier", [1.7, 0.0, 0.0], [2.2, 1.0, 1.0], ""),
        stone("beam", [0.0, 0.0, 1.0], [1.8, 1.0, 1.2], ""),
    ))
}

/// Weights are 9.81 and 7.0632 kN. While pier and beam go together, 0.3 of both. Once the beam has landed on the near corner of the ledge, 0.3 m
/// from its middle and 1.1 m from the pier, it leans on that with 0.3/1.1 of its weight, and the pier goes alone, with friction above and below.
/// The beam then slopes by 0.03/1.1, which changes forces by as much.
#[test]
fn what_falls_a_little_lands_and_the_curve_goes_on() {
    let together = 0.3 * (9.81 + 7.0632);
    let alone = 0.3 * (9.81 + 2.0 * 7.0632 * 0.3 / 1.1);
    for step in [0.001, 0.002, 0.005, 0.02] {
        let outcome = falling_beam(0.03, step);
        assert_eq!(outcome.ending, Ending::Displacement, "{outcome:?}");
        let points = &outcome.curve.points;
        // Nothing on the way down is a point of the curve.
        for point in points {
            let (expected, within) = match point.d < 0.3 - 1e-6 {
                true => (together, 1e-4),
                false => (alone, 0.03),
            };
            let off = (point.alpha / expected - 1.0).abs();
            assert!(off < within, "{} at {}, step {step}", point.alpha, point.d);
        }
        assert!(points.iter().any(|p| p.d > 0.34));
    }
}

/// Farther than it is thick, and the curve ends where it lost its support, and says which block that was.
#[test]
fn what_falls_far_ends_the_curve() {
    let outcome = falling_beam(0.5, 0.002);
    assert_eq!(outcome.ending, Ending::Detached, "{outcome:?}");
    let last = outcome.curve.points.last().expect("points");
    assert!((last.d - 0.3).abs() < 5e-4, "{}", last.d);
    assert_eq!(outcome.ending_blocks, [4]);
    assert_eq!((outcome.d_0, outcome.d_ultimate), (None, Some(last.d)));
}

/// The ultimate displacement that is given ends the curve of a rocking block on its closed form, and is its capacity; a displacement at which to stop is none.
#[test]
fn a_given_ultimate_displacement_ends_the_curve() {
    let end = |keys: &str| {
        let control = "control = { block = \"wall\", point = [0.5, 0.5, 3.5] }";
        let outcome = run(&block(
            "plane = \"xz\"",
            &format!("direction = [1, 0, 0]\n{control}\n{keys}"),
        ));
        let last = outcome.curve.points.last().expect("points");
        let expected = ((0.5_f64 / 3.5).atan() - (last.d / 3.5).asin()).tan();
        assert!((last.alpha - expected).abs() < 1e-6, "{}", last.alpha);
        assert_eq!(outcome.d_0, None);
        (outcome.ending, last.d, outcome.d_ultimate)
    };
    let (ending, d, capacity) = end("d_ultimate = 0.2\nmax_displacement = 0.3");
    assert_eq!((ending, capacity), (Ending::Ultimate, Some(d)));
    // Reached within a small part of a step.
    assert!((d - 0.2).abs() < 1e-5, "{d}");
    let (ending, d, capacity) = end("d_ultimate = 0.4\nmax_displacement = 0.3");
    assert_eq!((ending, capacity), (Ending::Displacement, None));
    assert!((d - 0.3).abs() < 1e-5, "{d}");
}

/// A tie holds a block beyond where it would overturn, and breaks at an elongation of 0.6 m. From there on dead loads alone overturn the block, so that its last point in equilibrium is
/// just before: where the end of the tie, which goes on a circle about the corner, is that far from its anchor.
#[test]
fn a_tie_that_breaks_is_the_end_of_what_it_held() {
    let far = 100.0;
    let more = format!(
        "[[block]]\nname = \"anchor\"\nmaterial = \"m\"\nsupport = true\nvertices = {}\n\
         [[tie]]\nname = \"rod\"\nblocks = [\"anchor\", \"wall\"]\npoints = [[{}, 0.5, 3.5], [0.5, 0.5, 3.5]]\n\
         stiffness = 1e8\nyield = 1e4\nmax_elongation = 0.6\n",
        corners([-far - 1.0, 0.0, 3.0], [-far, 1.0, 4.0]),
        0.5 - far,
    );
    let control = "direction = [1, 0, 0]\nstep = 0.02\ncontrol = { block = \"wall\", point = [0.5, 0.5, 3.5] }";
    let text = block("plane = \"xz\"", control);
    let outcome = run(&text.replace("[[analysis]]", &format!("{more}[[analysis]]")));
    assert_eq!(outcome.ending, Ending::Tie, "{:?}", outcome.notes);
    let last = outcome.curve.points.last().expect("points");
    // The end of the tie at (3.5 sin t, 3.5 cos t) from the corner, its anchor 100 m before it at first.
    let length = |t: f64| (far + 3.5 * t.sin()).hypot(3.5 * (t.cos() - 1.0));
    let (mut low, mut high) = (0.0_f64, 0.5_f64);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match length(middle) - far < 0.6 {
            true => low = middle,
            false => high = middle,
        }
    }
    // Found by halving a step twelve times.
    assert!((last.d - 3.5 * low.sin()).abs() < 2e-5, "{}", last.d);
    assert!(last.alpha > 0.1 && last.d > 0.55);
    assert_eq!((outcome.d_0, outcome.d_ultimate), (None, Some(last.d)));
    assert_eq!(outcome.ending_blocks, [1]);
    assert_eq!(outcome.broken_ties, [(0, last.d)]);
}

/// An arch of 35 voussoirs whose hinges move from joint to joint: blocks snap to another position on the way, and at one of these snaps more energy is set free than is left to the end. Where
/// curves were followed across all of them the end depended on the step: at 0.53 m with some, at 0.347 m as `unsolved` or `detached` with others.
#[test]
fn the_end_of_an_arch_does_not_depend_on_the_step() {
    let arch = |step: f64| {
        run(&format!(
            "[model]\nplane = \"xz\"\n[[material]]\nname = \"m\"\ndensity = 2000.0\n\
             [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n\
             [[generate]]\nkind = \"arch\"\nname = \"arch\"\nmaterial = \"m\"\nspan = 4.0\nthickness = 0.5\ndepth = 1.0\nvoussoirs = 35\n\
             [[generate]]\nkind = \"ground\"\nmaterial = \"m\"\n\
             [[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\nstep = {step}\n"
        ))
    };
    for step in [0.002, 0.0023, 0.003, 0.007] {
        let outcome = arch(step);
        assert_eq!(outcome.ending, Ending::Detached, "step {step}");
        let last = outcome.curve.points.last().expect("points");
        // Half a per cent: what steps of this size leave.
        assert!((last.d / 0.4965 - 1.0).abs() < 5e-3, "{}: {step}", last.d);
        assert!((last.alpha - 0.0618).abs() < 1e-3, "{}: {step}", last.alpha);
        assert_eq!(outcome.d_ultimate, Some(last.d));
        assert!(!outcome.ending_blocks.is_empty());
        assert!(outcome.notes.iter().any(|note| note.contains("snap")));
    }
}

/// A slab slides on a table towards its edge and over it. With friction 0.2 its weight and what pushes it, at half of its height, lead to a point 30 mm before its middle: it tips from 0.57 m on, and loses its
/// balance at 0.6 m. A strength far beyond what it presses with changes nothing of that; a joint whose points stayed where they were would carry it on in the air.
#[test]
fn a_slab_that_slides_off_its_table_falls_whatever_its_strength() {
    let slab = |strength: &str| {
        let text = format!(
            "[model]\nplane = \"xz\"\n[[material]]\nname = \"m\"\ndensity = 2000.0\n\
             [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.2\n{strength}\n\
             [[block]]\nname = \"table\"\nmaterial = \"m\"\nsupport = true\nvertices = {}\n\
             [[block]]\nname = \"slab\"\nmaterial = \"m\"\nvertices = {}\n\
             [[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\nstep = 0.01\nmax_displacement = 2.0\n\
             control = {{ block = \"slab\", point = [0.4, 0.5, 0.15] }}\n",
            corners([-5.0, -5.0, -1.0], [1.0, 5.0, 0.0]),
            corners([0.0, 0.0, 0.0], [0.8, 1.0, 0.3]),
        );
        run(&text)
    };
    let rigid = slab("");
    for strength in [1e9, 1e12] {
        let strong = slab(&format!("compressive_strength = {strength:e}"));
        assert_eq!(strong.ending, rigid.ending, "{strength:e}");
        let end = |outcome: &Outcome| outcome.curve.points.last().expect("points").d;
        let [a, b] = [&strong, &rigid].map(end);
        // Where the curve ends is found to a step.
        assert!((a - b).abs() < 0.01, "{strength:e}: {a} {b}");
        assert!(b > 0.55 && b < 0.65, "{b}");
    }
}

/// A strength that nothing reaches changes no digit, in the plane and in space.
#[test]
fn a_strength_that_is_not_reached_changes_no_digit() {
    for plane in ["plane = \"xz\"", ""] {
        let text = block(
            plane,
            "direction = [1, 0, 0]\ncontrol = { block = \"wall\" }\nstep = 0.02",
        );
        let strong = text.replace(
            "friction = 0.6",
            "friction = 0.6\ncompressive_strength = 1e15",
        );
        let curve = |text: &str| -> Vec<[f64; 2]> {
            let outcome = run(text);
            outcome
                .curve
                .points
                .iter()
                .map(|point| [point.alpha, point.d])
                .collect()
        };
        assert_eq!(curve(&text), curve(&strong));
    }
}
