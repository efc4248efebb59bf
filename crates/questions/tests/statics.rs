//! Ties, sweeps and the sharing of forces on a block that can be calculated by hand.

use drystone_cone::LimitStatus;
use drystone_model::{AnalysisKind, Model, from_toml};
use drystone_questions::statics::{
    EquilibriumResult, LimitResult, Movement, Posed, StaticsFault, equilibrium, limit,
};

/// Of the block below, N.
const WEIGHT: f64 = 2000.0 * 0.8 * 1.0 * 2.0 * 9.81;

/// A block of 0.8 x 1.0 x 2.0 m on the ground.
fn block(more: &str) -> Model {
    let corners = |min: [f64; 3], max: [f64; 3]| -> String {
        let pick = |k: usize, axis: usize| {
            if k >> axis & 1 == 0 {
                min[axis]
            } else {
                max[axis]
            }
        };
        let all: Vec<String> = (0..8)
            .map(|k| format!("[{:?}, {:?}, {:?}]", pick(k, 0), pick(k, 1), pick(k, 2)))
            .collect();
        all.join(", ")
    };
    let text = format!(
        "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n\
         [[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n\
         [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n{more}",
        corners([-0.4, -0.5, 0.0], [0.4, 0.5, 2.0]),
        corners([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]),
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn balance(model: &Model) -> EquilibriumResult {
    let AnalysisKind::Equilibrium(settings) = &model.analyses[0].kind else {
        panic!("an equilibrium");
    };
    equilibrium(&Posed::new(model), settings).unwrap()
}

fn push(model: &Model) -> Result<LimitResult, StaticsFault> {
    let AnalysisKind::Limit(settings) = &model.analyses[0].kind else {
        panic!("a limit");
    };
    limit(&Posed::new(model), settings)
}

fn tie(yield_force: f64) -> String {
    format!(
        "[[tie]]\nblocks = [\"block\", \"ground\"]\npoints = [[-0.4, 0.0, 2.0], [-3.0, 0.0, 2.0]]\nstiffness = 1e6\nyield = {yield_force:?}\n"
    )
}

const PUSHED: &str =
    "[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\nmultiplier = 0.5\ndirection = [1, 0, 0]\n";

/// Half of the weight overturns it unless the tie holds a twentieth: `0.5 W 1 = W 0.4 + T 2`.
#[test]
fn a_tie_holds_what_would_overturn() {
    assert!(!balance(&block(PUSHED)).standing.stands);
    let weak = balance(&block(&format!("{}{PUSHED}", tie(0.049 * WEIGHT))));
    assert!(!weak.standing.stands);
    assert_eq!(weak.moving, [0]);
    let strong = balance(&block(&format!("{}{PUSHED}", tie(0.051 * WEIGHT))));
    assert!(strong.standing.stands);
    assert!(strong.residual < 1e-6, "{}", strong.residual);
    assert!(strong.tension[0] >= 0.05 * WEIGHT * (1.0 - 1e-6));
    // What the tie takes the base does not.
    let base = strong
        .reactions
        .iter()
        .find(|r| r.block == Some(1))
        .unwrap();
    assert!((base.force.x + 0.5 * WEIGHT - strong.tension[0]).abs() < 1e-5 * WEIGHT);
    assert!((strong.reaction.x + 0.5 * WEIGHT).abs() < 1e-5 * WEIGHT);
}

/// The strength of a tie decides to a millionth, and what it does not decide is marginal with its margin. The factor on all loads that a tie of `T (1 + x)` bears is `1 + x`.
#[test]
fn at_the_strength_of_a_tie_the_margin_is_said() {
    let at = |more: f64| {
        let strength = 0.05 * WEIGHT * (1.0 + more);
        balance(&block(&format!("{}{PUSHED}", tie(strength)))).standing
    };
    for far in [1e-3, 1e-4, 1e-5, 1e-6] {
        let [weak, strong] = [-far, far].map(at);
        assert!(weak.solved && !weak.stands, "{far}: {weak:?}");
        assert!(strong.solved && strong.stands, "{far}: {strong:?}");
    }
    let exact = at(0.0);
    assert!(exact.is_marginal(), "{exact:?}");
    let [low, high] = exact.margin.unwrap();
    assert!(-1e-7 < low && low <= 0.0 && (0.0..1e-7).contains(&high));
}

/// Under its own weight the block only settles, and the tie keeps its length: it carries nothing. A tie that holds a little that nothing else
/// does goes on holding it: `0.4001 W 1 = W 0.4 + T 2`.
#[test]
fn a_slack_tie_says_so() {
    let slack = balance(&block(&format!(
        "{}[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n",
        tie(WEIGHT)
    )));
    assert!(slack.standing.stands && slack.unique && slack.balanced);
    assert_eq!(slack.tension, [0.0]);
    assert!(slack.residual < 1e-6, "{}", slack.residual);
    let ask = PUSHED.replace("0.5", "0.4001");
    let needed = balance(&block(&format!("{}{ask}", tie(WEIGHT))));
    assert!(needed.standing.stands, "{:?}", needed.standing);
    assert!(needed.tension[0] > 4.9e-5 * WEIGHT, "{}", needed.tension[0]);
    assert!(needed.residual < 1e-6, "{}", needed.residual);
}

/// Boxes of these densities, with corners at these places and of these sizes, on a base that may lean.
fn boxes(all: &[(f64, [f64; 3], [f64; 3])]) -> Model {
    let mut text = String::from(
        "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n[[material]]\nname = \"base\"\ndensity = 1.0\n",
    );
    for (k, (density, at, size)) in all.iter().enumerate() {
        text += &format!(
            "[[material]]\nname = \"m{k}\"\ndensity = {density:?}\n[[generate]]\nkind = \"box\"\nname = \"b{k}\"\nmaterial = \"m{k}\"\nat = {at:?}\nsize = {size:?}\n"
        );
    }
    text += "[[generate]]\nkind = \"box\"\nname = \"base\"\nmaterial = \"base\"\nsupport = true\nat = [0, 0, -1]\nsize = [3.0, 3.0, 1.0]\n[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n";
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

/// Three blocks on each other, one of them lighter or heavier by up to a thousand million: it stands, every block in balance.
#[test]
fn blocks_of_any_weight_stand() {
    for which in 0..3 {
        for power in [-9, -8, -7, -6, 6, 7, 8, 9] {
            let density = |k: usize| 2000.0 * if k == which { 10_f64.powi(power) } else { 1.0 };
            let stack = [0, 1, 2].map(|k| (density(k), [0.0, 0.0, k as f64], [1.0; 3]));
            let model = boxes(&stack);
            let result = balance(&model);
            let what = format!(
                "block {which}, 1e{power}: {:e}, {} rounds, {:?}",
                result.residual, result.rounds, result.standing
            );
            assert!(result.standing.stands && result.standing.solved, "{what}");
            assert!(result.balanced && result.residual < 1e-6, "{what}");
            // Joints carry what stands on them, light as it may be, to a hundredth of it.
            for joint in &result.joints {
                let lower = joint
                    .blocks
                    .into_iter()
                    .filter(|&i| i < 3)
                    .min()
                    .unwrap_or(0);
                let lower = if joint.blocks.contains(&3) {
                    0
                } else {
                    lower + 1
                };
                let above: f64 = (lower..3).map(|k| model.blocks[k].mass * 9.81).sum();
                assert!(
                    (joint.force / above - 1.0).abs() < 0.01,
                    "{what}, joint {:?}: {} of {above}",
                    joint.blocks,
                    joint.force
                );
            }
        }
    }
}

/// A block that hangs over the edge of another by more than half of itself falls, and so does one in the air, light as they may be beside the rest.
#[test]
fn light_blocks_fall() {
    for power in [-3, -6, -8, -9, -10, -12] {
        let density = 2000.0 * 10_f64.powi(power);
        for (what, at) in [
            ("over the edge", [0.51, 0.0, 1.0]),
            ("in the air", [2.0, 0.0, 1.0]),
        ] {
            let model = boxes(&[(2000.0, [0.0; 3], [1.0; 3]), (density, at, [1.0, 1.0, 0.2])]);
            let result = balance(&model);
            let what = format!("{what}, 1e{power}: {:?}", result.standing);
            assert!(!result.standing.stands && result.standing.solved, "{what}");
            assert_eq!(result.moving, [1], "{what}");
            // Nothing is faster than what falls freely for a millisecond, and what turns over its edge begins with a hundredth of that.
            let fall = 9.81e-3;
            let speed = result.standing.max_speed / fall;
            assert!(speed > 1e-3 && speed < 1.0 + 1e-6, "{what}: {speed}");
        }
    }
}

/// Bounds of a hinge and of sliding meet the nearer the less may be left between them, and the solver takes its time for it.
#[test]
fn a_tolerance_acts() {
    let ask = |tolerance: &str| {
        let ask = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirection = [0.3, 0.9, 0]\n";
        push(&block(&format!("{ask}tolerance = {tolerance}\n"))).unwrap()
    };
    let [loose, usual, tight] = ["1e-2", "1e-6", "1e-9"].map(ask);
    for result in [&loose, &usual, &tight] {
        assert_eq!(result.status, LimitStatus::Optimal, "{:?}", result.residual);
    }
    assert!(loose.iterations < usual.iterations);
    assert!(tight.residual.worst() <= 1e-9, "{:?}", tight.residual);
    assert!((usual.multiplier - tight.multiplier).abs() < 1e-6);
    assert!((loose.multiplier - tight.multiplier).abs() < 1e-2);
    // An equilibrium ends its rounds earlier.
    let rounds = |tolerance: &str| {
        let ask = PUSHED.replace("0.5", "0.39");
        balance(&block(&format!("{ask}tolerance = {tolerance}\n")))
    };
    let [loose, tight] = ["1e-2", "1e-9"].map(rounds);
    assert!(loose.standing.stands && tight.standing.stands);
    assert!(
        loose.rounds < tight.rounds,
        "{} {}",
        loose.rounds,
        tight.rounds
    );
    assert!(tight.residual < 1e-9, "{}", tight.residual);
}

#[test]
fn a_limit_grows_by_what_the_tie_holds() {
    let ask = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirection = [1, 0, 0]\n";
    let result = push(&block(&format!("{}{ask}", tie(0.05 * WEIGHT)))).unwrap();
    assert!((result.multiplier - 0.5).abs() < 1e-7);
    assert!((result.tension[0] / WEIGHT - 0.05).abs() < 1e-6);
    let motion = result.joints[0].motion.unwrap();
    assert_eq!(motion.movement, Movement::Hinge);
    assert!((motion.at.x - 0.4).abs() < 1e-9 && motion.at.y.abs() < 1e-9);
}

/// Pressed evenly all corners carry the same; pushed along x only the two on either side do.
#[test]
fn forces_are_shared_by_stiffness() {
    let ask = |multiplier: f64| {
        format!(
            "[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\nmultiplier = {multiplier}\ndirection = [1, 0, 0]\n"
        )
    };
    for (multiplier, [left, right]) in [(0.0, [0.25, 0.25]), (0.2, [0.125, 0.375])] {
        let model = block(&ask(multiplier));
        let result = balance(&model);
        for contact in Posed::new(&model).statics.contact_forces(&result.force) {
            let expected = if contact.point.x < 0.0 { left } else { right };
            let found = contact.normal_force / WEIGHT;
            assert!((found - expected).abs() < 1e-6, "{found} {expected}");
        }
    }
}

#[test]
fn a_sweep_goes_all_around() {
    let ask = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirections = 8\n";
    let result = push(&block(ask)).unwrap();
    let found: Vec<f64> = result.polar.iter().map(|point| point.multiplier).collect();
    let diagonal = 0.4 * 2.0_f64.sqrt();
    let expected = [0.4, diagonal, 0.5, diagonal, 0.4, diagonal, 0.5, diagonal];
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    }
    assert!((result.multiplier - 0.4).abs() < 1e-7);
    assert_eq!(result.status, LimitStatus::Optimal);
}

#[test]
fn loads_that_do_nothing_cannot_grow() {
    let ask = "[[load]]\nblock = \"block\"\nforce = [0, 0, 0]\nlive = true\n[[analysis]]\nname = \"a\"\nkind = \"limit\"\nloads = \"live\"\n";
    assert!(matches!(push(&block(ask)), Err(StaticsFault::NoLoad)));
}

/// Least elastic energy would lend the tie a share of the push, which the block bears without it. Nothing has moved that would stretch it.
#[test]
fn a_tie_that_is_not_needed_carries_nothing() {
    let ask = PUSHED.replace("0.5", "0.3");
    let found = balance(&block(&format!("{}{ask}", tie(WEIGHT))));
    assert!(found.standing.stands && found.unique && found.balanced);
    assert_eq!(found.tension, [0.0]);
    assert!(found.residual < 1e-6, "{}", found.residual);
}

/// Least elastic energy would pull the tie with more than it bears; a twentieth of the weight is enough.
#[test]
fn forces_stay_within_what_ties_bear() {
    let strength = 0.052 * WEIGHT;
    let free = balance(&block(&format!("{}{PUSHED}", tie(WEIGHT))));
    assert!(free.standing.stands && free.unique);
    assert!(free.tension[0] > 1.1 * strength, "{}", free.tension[0]);
    let bound = balance(&block(&format!("{}{PUSHED}", tie(strength))));
    assert!(bound.standing.stands && !bound.unique);
    assert!(bound.tension[0] <= strength * (1.0 + 1e-6));
    assert!(bound.residual < 1e-6, "{}", bound.residual);
    // The ground pulls with what the tie carries, and all supports together balance the loads.
    let ground = bound.reactions.iter().find(|r| r.block.is_none()).unwrap();
    assert!((ground.force.x + bound.tension[0]).abs() < 1e-9 * WEIGHT);
    assert!((bound.reaction.x + 0.5 * WEIGHT).abs() < 1e-5 * WEIGHT);
}

#[test]
fn what_stands_does_not_move() {
    let ask = "[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n";
    let result = balance(&block(ask));
    assert!(result.standing.stands && result.balanced);
    assert!(result.standing.velocity.iter().flatten().all(|&v| v == 0.0));
    assert!(result.moving.is_empty());
}

/// The base goes down and the block with it: they do not part.
#[test]
fn a_block_on_a_support_that_settles_stays_on_it() {
    let ask = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\nsettlement = { supports = [\"base\"], displacement = [0, 0, -1] }\n";
    let result = push(&block(ask)).unwrap();
    assert!((result.multiplier / WEIGHT - 1.0).abs() < 1e-6);
    let motion = result.joints[0].motion.unwrap();
    assert_eq!(motion.movement, Movement::Closed, "{motion:?}");
}

/// With half of the strength used by the weight, `0.5 W (l - l/2)` is what the joint turns with: 0.2 of the weight at half the height.
#[test]
fn forces_within_the_strength_of_a_joint_are_told_from_others() {
    let planar = |multiplier: f64, strength: f64| {
        block(&format!(
            "[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\ncompressive_strength = {strength:?}\n[model]\nplane = \"xz\"\n\
             [[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\nmultiplier = {multiplier}\ndirection = [1, 0, 0]\n"
        ))
    };
    let strength = WEIGHT / 0.4;
    let below = balance(&planar(0.199, strength));
    assert!(below.standing.stands && below.unique);
    let model = planar(0.201, strength);
    assert!(!balance(&model).standing.stands);
    let hard = balance(&planar(0.201, 1e3 * strength));
    assert!(hard.standing.stands && hard.unique);
    assert!(!Posed::new(&model).within_limits(&hard.force, &hard.tension));
}

/// In space the stress block of a square base is a rectangle along a side and a triangle at a corner, whose centroid is a third of its legs inside.
#[test]
fn a_base_in_space_crushes_along_a_side_and_at_a_corner() {
    let example = include_str!("../../../examples/crushed-pier/model.toml");
    let model = from_toml(example).unwrap_or_else(|faults| panic!("{faults}"));
    let area = 2000.0 * 4.0 * 9.81 / 1e6_f64;
    let leg = (2.0 * area).sqrt();
    let expected = [
        (0.5 - 0.5 * area) / 2.0,
        2_f64.sqrt() * (0.5 - leg / 3.0) / 2.0,
    ];
    let mut found = model
        .analyses
        .iter()
        .filter_map(|analysis| match &analysis.kind {
            AnalysisKind::Limit(settings) => Some(limit(&Posed::new(&model), settings).unwrap()),
            _ => None,
        });
    for expected in expected {
        let result = found.next().unwrap();
        assert_eq!(result.status, LimitStatus::Optimal);
        // A joint may exceed what it bears by 1e-7 of its force, which at half the height is a quarter of that in the multiplier.
        let off = (result.multiplier - expected).abs();
        assert!(off < 1e-7, "{} {expected}", result.multiplier);
    }
    // Less than the weight.
    let weak = example.replace("1 MPa", "0.07 MPa");
    let weak = from_toml(&weak).unwrap_or_else(|faults| panic!("{faults}"));
    assert!(!balance(&weak).standing.stands && balance(&weak).standing.solved);
}

/// Without weight and loads nothing pulls at a block: it stays.
#[test]
fn what_nothing_acts_on_stands() {
    let model =
        block("[model]\ngravity = 0.0\n[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n");
    let result = balance(&model);
    assert!(result.standing.stands);
    assert!(result.force.iter().flatten().all(|&force| force == 0.0));
}

/// On a table at the angle `a` the tie keeps its strength: `W sin a 1 = W cos a 0.4 + T 2`. With T = 0.1 W, `sin a - 0.4 cos a = 0.2`.
#[test]
fn ties_do_not_grow_with_a_tilt() {
    let tilted = |more: &str| {
        push(&block(&format!(
            "{more}[[analysis]]\nname = \"a\"\nkind = \"limit\"\ntilt = [0, 1, 0]\n"
        )))
        .unwrap()
    };
    let found = tilted(&tie(0.1 * WEIGHT));
    let exact = 0.4_f64.atan() + (0.2 / 1.0_f64.hypot(0.4)).asin();
    let angle = found.angle.unwrap();
    // Friction of 0.7 would let it slide at 35 degrees, less what the tie holds.
    assert!((angle - exact).abs() < 1e-7, "{angle} {exact}");
    assert!((found.tension[0] - 0.1 * WEIGHT).abs() < 1e-6 * WEIGHT);
    assert!((found.upper.atan() - exact).abs() < 1e-7);
    // Forces are those on the tilted table.
    let plain = tilted("");
    let normal: f64 = plain.force.iter().map(|f| f[0]).sum();
    let cosine = plain.angle.unwrap().cos();
    assert!((normal - cosine * WEIGHT).abs() < 1e-6 * WEIGHT, "{normal}");
    // A tie at half the height that holds more than the weight lets it hang.
    let middle = tie(2.0 * WEIGHT).replace("0.0, 2.0]", "0.0, 1.0]");
    assert_eq!(tilted(&middle).status, LimitStatus::Unbounded);
}

/// Whatever ties and joints bear, what slides or turns over slides and turns over: no multiplier but zero carries it.
#[test]
fn what_falls_with_strong_joints_falls_with_weak_ones() {
    let pushed = |more: &str, multiplier: f64| {
        balance(&block(&format!(
            "{more}[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\nmultiplier = {multiplier:?}\ndirection = [1, 0, 0]\n"
        )))
    };
    // A tie at the foot of the other side does not help against turning over; speeds are those of the first instant.
    let foot = "[[tie]]\nblocks = [\"block\", \"ground\"]\npoints = [[0.4, 0.0, 0.0], [-3.0, 0.0, 0.0]]\nstiffness = 1e6\nyield = 1e4\n";
    for multiplier in [0.41, 0.5, 0.75, 1.0] {
        let found = pushed(foot, multiplier).standing;
        assert!(
            found.solved && found.stepped && !found.stands,
            "{multiplier}"
        );
        assert!(found.max_speed > 0.0);
    }
    assert!(pushed(foot, 0.39).standing.stands);
}

/// Two courses of a wall in space that is pushed along itself and across: the estimate stands beside each multiplier of a sweep, is not above it, and its
/// mechanism is scaled like that of the limit.
#[test]
fn an_estimate_beside_every_direction() {
    let wall = "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n\
        [[generate]]\nkind = \"wall\"\nname = \"wall\"\nmaterial = \"stone\"\nthickness = 0.4\nblock = [0.4, 0.2]\n\
        pattern = [\"h111h\", \"1111\", \"h111h\", \"1111\"]\n[[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n\
        [[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirections = 4\n";
    let plain = push(&from_toml(wall).unwrap_or_else(|faults| panic!("{faults}"))).unwrap();
    assert!(
        plain
            .polar
            .iter()
            .all(|point| point.without_dilatancy.is_none())
    );
    let coulomb = format!("{wall}friction_law = \"coulomb\"\n");
    let found = push(&from_toml(&coulomb).unwrap_or_else(|faults| panic!("{faults}"))).unwrap();
    for (point, plain) in found.polar.iter().zip(&plain.polar) {
        assert_eq!(point.multiplier, plain.multiplier);
        let estimate = point.without_dilatancy.unwrap();
        assert!(
            estimate > 0.0 && estimate <= point.multiplier * (1.0 + 1e-6),
            "{estimate} {}",
            point.multiplier
        );
    }
    // The wall is symmetric: opposite directions differ by no more than estimates do.
    for k in 0..2 {
        let [one, other] = [k, k + 2].map(|k| found.polar[k].without_dilatancy.unwrap());
        assert!((one / other - 1.0).abs() < 0.02, "{one} {other}");
    }
    let estimate = found.non_associated.unwrap();
    assert!(estimate.converged, "{:?}", estimate.residual);
    assert!(estimate.residual.balance < 1e-6 && estimate.residual.worst() < 1e-3);
}

/// Joints of a realistic strength and beyond: the multiplier comes nearer to that of rigid ones, 0.10857, from below. Where strength leaves the solver no digits it says so. (Once a strength of 1e11 Pa had a multiplier of 0.0011.)
#[test]
fn strong_joints_have_the_limit_of_rigid_ones_or_none() {
    let text = include_str!("../../../examples/triumphal-arch/crushing.toml");
    for strength in ["1.0e8", "1.0e9", "1.0e11"] {
        let stronger = text.replace(
            "compressive_strength = 1.0e6",
            &format!("compressive_strength = {strength}"),
        );
        assert_ne!(stronger, text);
        let result = push(&from_toml(&stronger).unwrap()).unwrap();
        if result.status == LimitStatus::Optimal {
            assert!(
                (0.1083..0.10857).contains(&result.multiplier),
                "{strength}: {}",
                result.multiplier
            );
        } else {
            assert_eq!(
                (strength, result.status),
                ("1.0e11", LimitStatus::Inaccurate)
            );
        }
    }
}
