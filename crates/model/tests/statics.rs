//! Ties and questions of statics: what they mean, and what is said of those that make no sense.

mod common;

use common::{assert_faults, faults, model, sound_and};
use drystone_geometry::DVec3;
use drystone_model::{AnalysisKind, Format, LimitDrive};

fn analysis(text: &str) -> String {
    sound_and(&format!("[[analysis]]\nname = \"a\"\n{text}\n"))
}

fn drive(text: &str) -> LimitDrive {
    let model = model(&analysis(text));
    match &model.analyses[0].kind {
        AnalysisKind::Limit(limit) => limit.drive.clone(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_equilibrium_multiplies_live_loads_unless_it_has_a_direction() {
    for (text, live, multiplier) in [
        ("kind = \"equilibrium\"", true, 0.0),
        (
            "kind = \"equilibrium\"\nmultiplier = 0.3\ndirection = [2, 0, 0]",
            false,
            0.3,
        ),
        (
            "kind = \"equilibrium\"\nmultiplier = 0.5\nloads = \"live\"\ndirection = [2, 0, 0]",
            true,
            0.5,
        ),
    ] {
        let load = "[[load]]\nblock = \"b2\"\nforce = [0, 0, -1]\nlive = true\n";
        let model = model(&(analysis(text) + load));
        let AnalysisKind::Equilibrium(settings) = &model.analyses[0].kind else {
            panic!("{text}");
        };
        assert_eq!(settings.growing.live, live, "{text}");
        assert_eq!(settings.multiplier, multiplier);
        if let Some(body) = settings.growing.body {
            assert_eq!(body, DVec3::X);
        }
    }
}

#[test]
fn a_tolerance_is_small_but_not_nothing() {
    for (kind, trouble) in [("equilibrium", ""), ("limit", "direction = [1, 0, 0]\n")] {
        let text = |tolerance: &str| {
            analysis(&format!(
                "kind = \"{kind}\"\n{trouble}tolerance = {tolerance}"
            ))
        };
        let found = model(&text("1e-7"));
        let tolerance = match &found.analyses[0].kind {
            AnalysisKind::Equilibrium(settings) => settings.tolerance,
            AnalysisKind::Limit(settings) => settings.tolerance,
            other => panic!("{other:?}"),
        };
        assert_eq!(tolerance, 1e-7);
        let line = if kind == "limit" { 19 } else { 18 };
        for (nonsense, shown) in [
            ("0", "0"),
            ("-1e-6", "-0.000001"),
            ("0.5", "0.5"),
            ("1e-12", "0.000000000001"),
        ] {
            assert_faults(
                &text(nonsense),
                &[&format!(
                    "{line}:13 analysis \"a\".tolerance: the value is {shown}, but must be from 1e-9 to 0.01 \
                     [below 1e-9 rounding dominates, above 0.01 the result is not meaningful]"
                )],
            );
        }
    }
}

#[test]
fn limits_say_once_what_grows() {
    let LimitDrive::Tilt(axis) = drive("kind = \"limit\"\ntilt = [0, 3, 0]") else {
        panic!("a tilt");
    };
    assert_eq!(axis, DVec3::Y);
    assert_eq!(
        drive("kind = \"limit\"\ndirections = 24"),
        LimitDrive::Directions(24)
    );
    let all =
        "[by `direction` and/or `loads = \"live\"`, or by `tilt`, `directions` or `settlement`]";
    for text in [
        "",
        "\ntilt = [0, 1, 0]\ndirections = 8",
        "\ndirection = [1, 0, 0]\ntilt = [0, 1, 0]",
    ] {
        assert_faults(
            &analysis(&format!("kind = \"limit\"{text}")),
            &[&format!(
                "15:1 analysis \"a\": a limit analysis needs exactly one load: `direction` and/or `loads`, or `tilt`, `directions` or `settlement` {all}"
            )],
        );
    }
}

#[test]
fn what_limits_cannot_mean_is_told() {
    assert_faults(
        &analysis("kind = \"limit\"\nloads = \"live\""),
        &[
            "18:9 analysis \"a\".loads: the model has no live loads [write `live = true` in the [[load]] to be multiplied]",
        ],
    );
    assert_faults(
        &analysis("kind = \"equilibrium\"\ndirection = [1, 0, 0]"),
        &[
            "18:13 analysis \"a\".direction: `multiplier` is missing: the body force along `direction` is multiplied by it [write `multiplier`, or leave `direction` out]",
        ],
    );
    assert_faults(
        &analysis("kind = \"equilibrium\"\nmultiplier = 0.3"),
        &[
            "18:14 analysis \"a\".multiplier: there is nothing to multiply: no `direction` is given, and the model has no live loads [write `direction`, or `live = true` in a [[load]], or leave `multiplier` out]",
        ],
    );
    for axis in ["[0, 1, 0.5]", "[0, 0, 1]", "[0, 0, 0]"] {
        assert_faults(
            &analysis(&format!("kind = \"limit\"\ntilt = {axis}")),
            &[
                "18:8 analysis \"a\".tilt: the axis of tilting is horizontal and has a length [e.g. [0, 1, 0], which tilts towards x]",
            ],
        );
    }
    assert_faults(
        &analysis(
            "kind = \"limit\"\nsettlement = { supports = [\"b2\"], displacement = [0, 0, -1] }",
        ),
        &[
            "18:28 analysis \"a\".settlement.supports[0]: the block \"b2\" is not a support [only supports can settle]",
        ],
    );
    assert_faults(
        &analysis(
            "kind = \"limit\"\nsettlement = { supports = [\"ground\"], displacement = [0, 0, -1] }\nfriction_law = \"coulomb\"",
        ),
        &[
            "19:16 analysis \"a\".friction_law: the estimate without dilatancy is made for loads, tilting and directions, not for settlements [leave it out, and ask a time history with friction_law = \"coulomb\"]",
        ],
    );
    assert_faults(
        &analysis("kind = \"equilibrium\"\nthrust_line = { from = \"b2\", to = \"b2\" }"),
        &[
            "18:15 analysis \"a\".thrust_line: it begins and ends at the same block [name two blocks]",
        ],
    );
}

const TIE: &str = "[[tie]]\nblocks = [\"b2\", \"hook\"]\npoints = [[0, 0, 1], [3, 0, 1]]\nstiffness = 1e6\nyield = 1e4\n";

#[test]
fn ties_join_blocks_or_a_block_and_the_ground() {
    let model = model(&sound_and(&TIE.replace("hook", "ground")));
    let tie = &model.ties[0];
    assert_eq!(tie.name, "tie1");
    assert_eq!(
        (tie.stiffness, tie.yield_force, tie.max_elongation),
        (1e6, 1e4, None)
    );
    assert_eq!(tie.points[1] - tie.points[0], DVec3::new(3.0, 0.0, 0.0));
    // The model has a block of that name, which is a support.
    assert!(model.blocks[tie.blocks[1].unwrap()].support);
}

/// Columns of results are called by the names of ties.
#[test]
fn two_ties_have_two_names() {
    let hook = "[[block]]\nname = \"hook\"\nmaterial = \"stone\"\nsupport = true\nvertices = [[3,0,0],[4,0,0],[3,1,0],[4,1,0],[3,0,1],[4,0,1],[3,1,1],[4,1,1]]\n";
    let second = TIE.replace("[[tie]]", "[[tie]]\nname = \"tie1\"");
    let found = faults(&sound_and(&format!("{hook}{TIE}{second}")), Format::Toml);
    assert!(found[0].contains("\"tie1\""), "{found:?}");
}

#[test]
fn ties_that_do_nothing_are_faults() {
    assert_faults(
        &sound_and(TIE),
        &["16:17 tie 1.blocks[1]: there is no block \"hook\" [blocks: ground, b2]"],
    );
    assert_faults(
        &sound_and(&TIE.replace("\"b2\", \"hook\"", "\"ground\", \"ground\"")),
        &[
            "16:10 tie 1.blocks: both ends are held, so the tie does nothing [name a block that can move]",
        ],
    );
    assert_faults(
        &sound_and(&TIE.replace("hook", "ground").replace("1e4", "-1")),
        &["19:9 tie 1.yield: the value is -1 N, but must be greater than zero"],
    );
    let tight = TIE.replace("hook", "ground") + "initial_force = 2e4\n";
    assert_faults(
        &sound_and(&tight),
        &[
            "20:17 tie 1.initial_force: the tie yields at 10000 N, less than it is pulled by at the start, 20000 N [at most `yield`]",
        ],
    );
}
