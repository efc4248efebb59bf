//! Joints with mortar: closed forms in statics of single blocks on level, oblique and upright joints, and what answers say of it.

use std::path::Path;

use drystone_cone::LimitStatus;
use drystone_model::{AnalysisKind, Case, Format, Model, compile, from_toml, parse};
use drystone_questions::answer::Detail;
use drystone_questions::ask;
use drystone_questions::statics::{EquilibriumResult, LimitResult, Posed, equilibrium, limit};

/// Stones of 2000 kg/m³ under gravity of 9.81 m/s².
const HEAVY: f64 = 2000.0 * 9.81;

fn corners(points: &[[f64; 3]]) -> String {
    let all: Vec<String> = points.iter().map(|p| format!("{p:?}")).collect();
    all.join(", ")
}

fn cuboid(min: [f64; 3], max: [f64; 3]) -> Vec<[f64; 3]> {
    let pick = |k: usize, axis: usize| [min, max][k >> axis & 1][axis];
    (0..8)
        .map(|k| [pick(k, 0), pick(k, 1), pick(k, 2)])
        .collect()
}

/// A free block and a support with keys of their interface, and more.
fn two(block: &[[f64; 3]], base: &[[f64; 3]], interface: &str, more: &str) -> Model {
    let text = format!(
        "{more}\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\n{interface}\n\
         [[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n\
         [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n",
        corners(block),
        corners(base),
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

/// A block of some width, one metre deep, on the ground.
fn standing_block(b: f64, h: f64, interface: &str, more: &str) -> Model {
    two(
        &cuboid([-b / 2.0, -0.5, 0.0], [b / 2.0, 0.5, h]),
        &cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]),
        interface,
        more,
    )
}

const REST: &str = "[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n";
const PUSH: &str = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ndirection = [1, 0, 0]\n";
const TILT: &str = "[[analysis]]\nname = \"a\"\nkind = \"limit\"\ntilt = [0, 1, 0]\n";
const PLANE: &str = "[model]\nplane = \"xz\"\n";

fn balance(model: &Model) -> EquilibriumResult {
    let AnalysisKind::Equilibrium(settings) = &model.analyses[0].kind else {
        panic!("an equilibrium");
    };
    equilibrium(&Posed::new(model), settings).unwrap()
}

fn push(model: &Model) -> LimitResult {
    let AnalysisKind::Limit(settings) = &model.analyses[0].kind else {
        panic!("a limit");
    };
    let found = limit(&Posed::new(model), settings).unwrap();
    assert_eq!(found.status, LimitStatus::Optimal, "{:?}", found.residual);
    found
}

/// Both bounds, to the millionth that analyses ask for.
fn close(found: &LimitResult, exact: f64) {
    for bound in [found.multiplier, found.upper] {
        assert!((bound - exact).abs() < 2e-6 * exact, "{bound} {exact}");
    }
}

/// A wall turns over about its edge against uniform tension: `alpha W h/2 = (W + f_t A) b/2`.
#[test]
fn a_wall_overturns_against_tension() {
    let (b, h) = (0.4, 3.0);
    let weight = HEAVY * b * h;
    for plane in ["", PLANE] {
        for tension in [0.0, 1e3, 5e4, 1e6] {
            let keys = format!("friction = 0.6\ncohesion = 1e7\ntensile_strength = {tension:?}");
            let found = push(&standing_block(b, h, &keys, &format!("{plane}{PUSH}")));
            close(&found, (weight + tension * b) * b / h / weight);
            // All corners of the lifted side pull with their shares, and the rest presses on the edge.
            let least = found.force.iter().map(|f| f[0]).fold(0.0, f64::min);
            let share = 0.25 * tension * b;
            assert!((least + share).abs() < 1e-4 * (share + weight), "{least}");
        }
    }
}

/// A flat block slides on a table at the angle `a` where `W sin a = mu W cos a + c A`.
#[test]
fn cohesion_holds_a_block_on_a_table() {
    let (b, h, mu) = (2.0, 0.2, 0.5_f64);
    let weight = HEAVY * b * h;
    for plane in ["", PLANE] {
        for cohesion in [200.0, 1000.0, 2000.0] {
            let keys = format!("friction = {mu}\ncohesion = {cohesion:?}");
            let found = push(&standing_block(b, h, &keys, &format!("{plane}{TILT}")));
            let exact = mu.atan() + (cohesion * b / weight / 1.0_f64.hypot(mu)).asin();
            let angle = found.angle.unwrap();
            assert!((angle - exact).abs() < 1e-6, "{angle} {exact}");
        }
    }
}

/// A slab on an inclined joint, in space: pushed along the joint, across its slope, both shears make one.
#[test]
fn an_oblique_joint_in_space() {
    let (slope, mu, cohesion): (f64, f64, f64) = (0.75, 0.5, 4000.0);
    // A prism two metres long, a metre deep and 0.2 m high, sheared so that its bed has the slope.
    let raised = |x: f64, z: f64| z + slope * x;
    let prism = |x: f64, y: f64, low: f64, high: f64| -> Vec<[f64; 3]> {
        let all = cuboid([-x, -y, low], [x, y, high]);
        all.into_iter()
            .map(|[x, y, z]| [x, y, raised(x, z)])
            .collect()
    };
    let (block, base) = (prism(1.0, 0.5, 0.0, 0.2), prism(2.0, 2.0, -1.0, 0.0));
    let weight = HEAVY * 2.0 * 1.0 * 0.2;
    let long = 1.0_f64.hypot(slope);
    let (sine, cosine, area) = (slope / long, 1.0 / long, 2.0 * long);
    // Through the middle of the joint, so that nothing turns in it.
    let across = format!(
        "[[load]]\nblock = \"block\"\nforce = [0, {weight:?}, 0]\npoint = [0, 0, 0]\nlive = true\n\
         [[analysis]]\nname = \"a\"\nkind = \"limit\"\nloads = \"live\"\n"
    );
    let keys = format!("friction = {mu}\ncohesion = {cohesion:?}");
    let found = push(&two(&block, &base, &keys, &across));
    let held = mu * weight * cosine + cohesion * area;
    close(
        &found,
        (held.powi(2) - (weight * sine).powi(2)).sqrt() / weight,
    );
    // At rest it needs just so much cohesion.
    let needed = weight * (sine - mu * cosine) / area;
    for (factor, stands) in [(0.999, false), (1.001, true)] {
        let keys = format!("friction = {mu}\ncohesion = {:?}", factor * needed);
        let found = balance(&two(&block, &base, &keys, REST));
        assert_eq!(found.standing.stands, stands, "{factor}");
        assert!(found.standing.solved);
    }
}

/// A block that hangs from above by its mortar.
#[test]
fn mortar_carries_a_hanging_block() {
    let (b, h) = (0.5, 0.8);
    let needed = HEAVY * h;
    for plane in ["", PLANE] {
        for (factor, stands) in [(0.999, false), (1.001, true), (30.0, true)] {
            let tension = factor * needed;
            let keys = format!("friction = 0.6\ncohesion = 1e7\ntensile_strength = {tension:?}");
            let block = cuboid([-b / 2.0, -0.5, -h], [b / 2.0, 0.5, 0.0]);
            let base = cuboid([-1.0, -1.0, 0.0], [1.0, 1.0, 1.0]);
            let found = balance(&two(&block, &base, &keys, &format!("{plane}{REST}")));
            assert_eq!(found.standing.stands, stands, "{factor}");
            assert!(found.standing.solved);
            if stands {
                let pulled: f64 = found.force.iter().map(|f| f[0]).sum();
                assert!((pulled + HEAVY * b * h).abs() < 1e-5 * HEAVY, "{pulled}");
                assert!(found.residual < 1e-6 && !found.unique && found.balanced);
                assert!(found.notes.iter().any(|note| note.contains("mortar")));
            }
        }
    }
}

/// A block that sticks out from a wall: `W L/2 = f_t b h²/2`, with the shear carried by cohesion.
#[test]
fn mortar_carries_a_cantilever() {
    let (length, h) = (0.6, 0.5);
    let weight = HEAVY * length * h;
    let needed = weight * length / (h * h);
    for (factor, stands) in [(0.999, false), (1.001, true)] {
        let tension = factor * needed;
        let keys = format!("friction = 0.6\ncohesion = 1e6\ntensile_strength = {tension:?}");
        let block = cuboid([0.0, -0.5, 0.0], [length, 0.5, h]);
        let base = cuboid([-1.0, -1.0, -1.0], [0.0, 1.0, 2.0]);
        let found = balance(&two(&block, &base, &keys, REST));
        assert_eq!(found.standing.stands, stands, "{factor}");
        assert!(found.standing.solved);
        assert_eq!(found.moving.is_empty(), stands);
    }
}

/// With a strength in compression too, the stress is a block of each: `|M| <= N'/2 (l - N' / ((f_c + f_t) p))` with `N' = W + f_t A`.
#[test]
fn mortar_and_crushing_together() {
    let (b, h, tension, crushing) = (0.5, 3.0, 5e4, 4e5);
    let weight = HEAVY * b * h;
    let keys = format!(
        "friction = 5.0\ncohesion = 1e7\ntensile_strength = {tension:?}\ncompressive_strength = {crushing:?}"
    );
    let found = push(&standing_block(b, h, &keys, &format!("{PLANE}{PUSH}")));
    let pressed = weight + tension * b;
    let moment = 0.5 * pressed * (b - pressed / (crushing + tension));
    let exact = moment / (0.5 * h * weight);
    assert!((found.multiplier - exact).abs() < 2e-5 * exact, "{found:?}");
}

/// What falls at a joint without mortar falls, however strong the others are; and what friction carries needs none.
#[test]
fn mortar_elsewhere_does_not_hold() {
    let text = |tilt: f64| {
        let shear = |points: Vec<[f64; 3]>| -> Vec<[f64; 3]> {
            let lean = |[x, y, z]: [f64; 3]| [x, y, z + tilt * x];
            points.into_iter().map(lean).collect()
        };
        let box_of =
            |low: f64, high: f64| corners(&shear(cuboid([0.0, 0.0, low], [1.0, 1.0, high])));
        format!(
            "{REST}[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[material]]\nname = \"brick\"\ndensity = 2000.0\n\
             [[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.5\n\
             [[interface]]\nbetween = [\"brick\", \"brick\"]\nfriction = 0.5\ncohesion = 1e6\ntensile_strength = 1e5\n\
             [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n\
             [[block]]\nname = \"low\"\nmaterial = \"brick\"\nvertices = [{}]\n\
             [[block]]\nname = \"high\"\nmaterial = \"brick\"\nvertices = [{}]\n",
            box_of(-1.0, 0.0),
            box_of(0.0, 0.3),
            box_of(0.3, 0.6)
        )
    };
    for (tilt, stands) in [(0.45, true), (0.55, false), (0.8, false)] {
        let model = from_toml(&text(tilt)).unwrap_or_else(|faults| panic!("{faults}"));
        let found = balance(&model);
        assert!(found.standing.solved);
        assert_eq!(found.standing.stands, stands, "{tilt}");
        assert_eq!(found.unique, stands);
        if !stands {
            assert_eq!(found.moving.len(), 2, "both slide as one");
        }
    }
}

/// The least thrust of an arch with mortar is below that of a dry one, and its bounds meet.
#[test]
fn mortar_widens_the_range_of_thrusts() {
    let thrusts = |keys: &str| -> [f64; 2] {
        let text = format!(
            "{PLANE}{REST}[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.7\n{keys}\n\
             [[generate]]\nname = \"arch\"\nkind = \"arch\"\nmaterial = \"stone\"\nspan = 4.0\nthickness = 0.6\nvoussoirs = 11\ndepth = 1.0\n"
        );
        let model = from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"));
        let found = balance(&model);
        assert!(found.standing.stands);
        let of = |state: &str| {
            let states = found.cuts[0].states.iter();
            let found = states.into_iter().find(|found| found.state == state);
            let found = found.unwrap_or_else(|| panic!("no {state} in {:?}", found));
            let bound = found.bound.unwrap();
            assert!(
                (bound - found.thrust).abs() < 1e-4 * bound.abs(),
                "{found:?}"
            );
            found.thrust
        };
        [of("minimum"), of("maximum")]
    };
    let dry = thrusts("");
    let bonded = thrusts("cohesion = 2e4\ntensile_strength = 5e3");
    assert!(
        bonded[0] < 0.95 * dry[0] && bonded[1] > 1.02 * dry[1],
        "{dry:?} {bonded:?}"
    );
}

/// Mortar is not ignored where it is not known.
#[test]
fn pushovers_refuse_mortar() {
    let spec = |keys: &str| {
        let text = format!(
            "[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\n{keys}\n\
             [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n\
             [[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n\
             [[analysis]]\nname = \"a\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\nstep = 0.01\ncontrol = {{ block = \"block\" }}\n",
            corners(&cuboid([-1.0, -1.0, -1.0], [1.0, 1.0, 0.0])),
            corners(&cuboid([-0.2, -0.2, 0.0], [0.2, 0.2, 1.0])),
        );
        compile(&parse(&text, Format::Toml).unwrap())
    };
    assert!(spec("").is_ok());
    for keys in ["cohesion = 1e5", "cohesion = 1e5\ntensile_strength = 1e4"] {
        let faults = spec(keys).unwrap_err().to_string();
        assert!(
            faults.contains("`cohesion`") && faults.contains("ask `limit`"),
            "{faults}"
        );
    }
}

/// Mortar in a time history: what it does not treat is said, and what broke is counted.
#[test]
fn a_time_history_says_what_became_of_mortar() {
    let found = |keys: &str, more: &str| {
        let text = format!(
            "[[motion]]\nname = \"push\"\nkind = \"sine\"\namplitude = 6.0\nfrequency = 2.0\nduration = 1.0\ndirection = [1, 0, 0]\n\
             [[analysis]]\nname = \"a\"\nkind = \"time_history\"\nmotions = [\"push\"]\nduration = 1.0\nsettle = 0\n{more}"
        );
        let block = cuboid([-0.2, -0.2, 0.0], [0.2, 0.2, 1.0]);
        let base = cuboid([-3.0, -3.0, -1.0], [3.0, 3.0, 0.0]);
        let text = format!(
            "{text}\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 0.6\nnormal_stiffness = 1e9\n{keys}\n\
             [[block]]\nname = \"block\"\nmaterial = \"stone\"\nvertices = [{}]\n\
             [[block]]\nname = \"base\"\nmaterial = \"stone\"\nsupport = true\nvertices = [{}]\n",
            corners(&block),
            corners(&base)
        );
        let case = Case::of_text(&text, Format::Toml, Path::new("m.toml"))
            .unwrap_or_else(|faults| panic!("{faults}"));
        let answer = ask(&case, &case.model().analyses[0], &mut ()).unwrap();
        let Detail::TimeHistory(detail) = &answer.detail else {
            panic!("a time history");
        };
        let notes = answer.notes.iter().filter(|note| note.contains("cohesion"));
        (detail.summary.mortar, notes.cloned().collect::<Vec<_>>())
    };
    // 6 m/s² turn it over without mortar; a / g = (1 + T / W) b / h.
    let strong = "cohesion = 3e4\ntensile_strength = 5e4";
    let weak = "cohesion = 600\ntensile_strength = 1e3";
    let (mortar, notes) = found(strong, "");
    let mortar = mortar.unwrap();
    assert_eq!((mortar.points, mortar.broken, notes.len()), (4, 0, 0));
    assert!(found(weak, "").0.unwrap().broken > 0);
    let (_, notes) = found("cohesion = 9e4\ntensile_strength = 5e4", "");
    assert!(notes[0].contains("up to friction times"), "{notes:?}");
    let (mortar, notes) = found(strong, "joints = \"elastic\"\n");
    assert!(
        mortar.is_none() && notes[0].contains("not applied"),
        "{notes:?}"
    );
    assert_eq!(found("", ""), (None, Vec::new()));
}
