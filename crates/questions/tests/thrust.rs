//! Least and greatest thrust of whole cuts, against closed forms.

use drystone_geometry::DVec3;
use drystone_model::{AnalysisKind, Model, from_toml};
use drystone_questions::statics::{EquilibriumResult, Place, Posed, equilibrium};

const SPAN: f64 = 4.0;
const THICKNESS: f64 = 0.5;
const ROWS: usize = 12;
const LENGTH: f64 = 3.0;

/// Friction is high enough for nothing to slide in planar arches.
fn structure(model: &str, generate: &str, more: &str) -> Model {
    let text = format!(
        "[model]\n{model}\n[[material]]\nname = \"stone\"\ndensity = 2000.0\n[[interface]]\nbetween = [\"*\", \"*\"]\nfriction = 1.5\n\
         [[generate]]\nname = \"s\"\nmaterial = \"stone\"\n{generate}\n{more}"
    );
    from_toml(&text).unwrap_or_else(|faults| panic!("{faults}"))
}

fn balance(model: &Model) -> EquilibriumResult {
    let AnalysisKind::Equilibrium(settings) = &model.analyses[0].kind else {
        panic!("an equilibrium");
    };
    let result = equilibrium(&Posed::new(model), settings).unwrap();
    assert!(result.standing.stands, "{:?}", result.standing);
    result
}

const ASKED: &str = "[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"\n";

fn arch(depth: f64, more: &str) -> Model {
    structure(
        "plane = \"xz\"",
        &format!(
            "kind = \"arch\"\nspan = {SPAN}\nthickness = {THICKNESS}\nvoussoirs = {ROWS}\ndepth = {depth:?}"
        ),
        more,
    )
}

/// Thrust over a cut in a state; least and greatest ones only if what proves them from both sides agrees.
fn thrust(result: &EquilibriumResult, place: Place, state: &str) -> f64 {
    let over = result.cuts.iter().find(|over| over.cut.place == place);
    let over = over.unwrap_or_else(|| panic!("{place:?}: {:?}", result.notes));
    let found = over.states.iter().find(|found| found.state == state);
    let found = found.unwrap_or_else(|| panic!("{state}: {:?}", result.notes));
    if let Some(bound) = found.bound {
        assert!((found.thrust - bound).abs() < 1e-5 * found.thrust.abs());
    }
    found.thrust
}

/// Half of the arch hangs on the thrust `h` at its crown, at the height `z`. In every joint the line of thrust stays between intrados and extrados, about which the
/// thrust holds the weights between the joint and the crown: `h (z - z_in) >= M_in` and `h (z - z_out) <= M_out`. In `h` and `h z` these are straight lines, and
/// the least and the greatest thrust are at corners where two of them meet.
fn by_hand(model: &Model) -> [f64; 2] {
    let half = ROWS / 2;
    // Lines `a h + b hz <= c`.
    let mut lines = Vec::new();
    for joint in 0..=half {
        let angle = std::f64::consts::FRAC_PI_2 * joint as f64 / half as f64;
        let beside = |block: &&drystone_model::Block| {
            let at = block.position;
            !block.support && at.x > 0.0 && at.x.atan2(at.z) < angle
        };
        for (radius, sign) in [(0.5 * SPAN, -1.0), (0.5 * SPAN + THICKNESS, 1.0)] {
            let (x, z) = (radius * angle.sin(), radius * angle.cos());
            let blocks = model.blocks.iter().filter(beside);
            let moment: f64 = blocks.map(|b| b.mass * 9.81 * (x - b.position.x)).sum();
            lines.push([-sign * z, sign, sign * moment]);
        }
    }
    let (mut least, mut greatest) = (f64::INFINITY, 0.0_f64);
    for [a, b, c] in &lines {
        for [d, e, f] in &lines {
            let determinant = a * e - b * d;
            let [h, hz] = [(c * e - b * f) / determinant, (a * f - c * d) / determinant];
            let inside = |[a, b, c]: &[f64; 3]| a * h + b * hz <= c + 1e-6;
            if h.is_finite() && lines.iter().all(inside) {
                (least, greatest) = (least.min(h), greatest.max(h));
            }
        }
    }
    [least, greatest]
}

#[test]
fn a_semicircular_arch_has_the_thrusts_of_hand_calculation() {
    let model = arch(1.0, ASKED);
    let result = balance(&model);
    let [least, greatest] = by_hand(&model);
    for place in [Place::Springing, Place::Crown] {
        let found = ["minimum", "maximum"].map(|state| thrust(&result, place, state));
        // The solver's tolerance is a millionth of the weight, some ten times the thrust's.
        assert!((found[0] / least - 1.0).abs() < 1e-4, "{found:?}, {least}");
        assert!(
            (found[1] / greatest - 1.0).abs() < 1e-4,
            "{found:?}, {greatest}"
        );
        let own = thrust(&result, place, "equilibrium");
        assert!(found[0] < own && own < found[1]);
    }
    // In an arch the path is the whole cut.
    let last = result.lines[0].points.last().unwrap();
    assert!((last.force.x - result.lines[0].thrust).abs() < 1e-9 * last.force.x);
    assert_eq!(result.notes, [""; 0]);
}

/// In a barrel vault the forces of all blocks of a row, added up, are those of a voussoir of an arch as deep as the vault is long: what blocks of
/// a row do to each other cancels. So its least and greatest thrusts are those of that arch, however its blocks are bonded and wherever a line is drawn.
#[test]
fn a_barrel_vault_has_the_thrusts_of_an_arch_of_its_length() {
    let deep = balance(&arch(LENGTH, ASKED));
    for (blocks, from, to) in [(1, 1, 2), (3, 2, 2), (3, 1, 3)] {
        let asked = format!(
            "{ASKED}thrust_line = {{ from = \"s.row1.block{from}\", to = \"s.row{ROWS}.block{to}\" }}\n"
        );
        let vault = structure(
            "",
            &format!(
                "kind = \"barrel_vault\"\nspan = {SPAN}\nthickness = {THICKNESS}\nrows = {ROWS}\nlength = {LENGTH}\nblocks = {blocks}"
            ),
            &asked,
        );
        let result = balance(&vault);
        // Wherever the path runs, its crown pushes along x.
        assert!((result.cuts[0].cut.outward - DVec3::X).length() < 1e-9);
        for place in [Place::Springing, Place::Crown] {
            for state in ["minimum", "maximum"] {
                let [one, all] = [&deep, &result].map(|result| thrust(result, place, state));
                assert!((all / one - 1.0).abs() < 1e-4, "{state}: {all}, {one}");
            }
        }
        let told = result.notes.iter().any(|note| note.contains("whole cut"));
        assert!(told, "{:?}", result.notes);
    }
}

/// A tie between the halves takes its part of what the crown pushes with off the springing, and no more than it bears.
#[test]
fn ties_relieve_the_springing_and_not_the_crown() {
    const PULL: f64 = 500.0;
    let tie = format!(
        "[[tie]]\nblocks = [\"s.voussoir1\", \"s.voussoir{ROWS}\"]\npoints = [[-2.2, 0.5, 0.2], [2.2, 0.5, 0.2]]\nstiffness = 1e6\nyield = {PULL}\n{ASKED}"
    );
    let [free, tied] = [arch(1.0, ASKED), arch(1.0, &tie)].map(|model| balance(&model));
    let crown = |result, state| thrust(result, Place::Crown, state);
    let springing = |result, state| thrust(result, Place::Springing, state);
    let least = crown(&free, "minimum");
    assert!((crown(&tied, "minimum") / least - 1.0).abs() < 1e-4);
    assert!((springing(&tied, "minimum") / (least - PULL) - 1.0).abs() < 1e-4);
    assert!(tied.notes.iter().any(|note| note.contains("ties")));
}

/// In a wall over an arch the voussoirs carry part of it only: both cuts are of the whole wall, and differ by nothing, as no load is horizontal.
#[test]
fn an_arch_with_spandrels_is_cut_with_them() {
    let model = structure(
        "",
        "kind = \"spandrel_arch\"\nradius = 1.5\nthickness = 0.4\nvoussoirs = 8\nwidth = 6.0\nheight = 2.5\ndepth = 0.5\nblock_length = 0.8\nlevels = [0.5, 1.0, 1.5, 1.9]\n\
         [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"",
        &format!("{ASKED}thrust_line = {{ from = \"s.voussoir1\", to = \"s.voussoir8\" }}\n"),
    );
    let result = balance(&model);
    let joints = |place: Place| {
        let over = result.cuts.iter().find(|over| over.cut.place == place);
        over.map_or(0, |over| over.cut.joints.len())
    };
    assert!(joints(Place::Springing) > 1 && joints(Place::Crown) > 1);
    let weight: f64 = model.blocks.iter().map(|block| block.mass * 9.81).sum();
    for state in ["minimum", "equilibrium", "maximum"] {
        let [springing, crown] =
            [Place::Springing, Place::Crown].map(|place| thrust(&result, place, state));
        assert!(
            (springing - crown).abs() < 1e-5 * weight,
            "{state}: {springing}, {crown}"
        );
    }
    let own = thrust(&result, Place::Springing, "equilibrium");
    assert!(thrust(&result, Place::Springing, "minimum") <= own);
    assert!(thrust(&result, Place::Springing, "maximum") >= own);
}

/// Over planes that were asked for: a vertical one through the crown has what the path's cut there has, a level one carries the weight above it, whatever the state.
#[test]
fn planes_that_were_asked_for_have_the_thrusts_of_hand_calculation() {
    let planes = "cuts = [{ point = [0, 0, 1], normal = [2, 0, 0] }, { point = [0, 0, 1.5], normal = [0, 0, 1] }]\n";
    let model = arch(1.0, &format!("{ASKED}{planes}"));
    let result = balance(&model);
    let [least, greatest] = by_hand(&model);
    let of = |cut: usize| -> Vec<(&str, f64)> {
        let over = &result.given[cut];
        assert_eq!(over.cut.place, Place::Given(cut));
        let states = over.states.iter();
        states.map(|found| (found.state, found.thrust)).collect()
    };
    let [own, low, high] = of(0)[..] else {
        panic!("{:?} {:?}", result.given, result.notes);
    };
    assert_eq!(
        [own.0, low.0, high.0],
        ["equilibrium", "minimum", "maximum"]
    );
    assert!((own.1 / thrust(&result, Place::Crown, "equilibrium") - 1.0).abs() < 1e-9);
    assert!((low.1 / least - 1.0).abs() < 1e-4 && (high.1 / greatest - 1.0).abs() < 1e-4);
    let above = model.blocks.iter().filter(|block| block.position.z > 1.5);
    let weight = 9.81 * above.map(|block| block.mass).sum::<f64>();
    assert_eq!(result.given[1].cut.joints.len(), 2);
    for (state, force) in of(1) {
        assert!(
            (force / weight - 1.0).abs() < 1e-5,
            "{state}: {force} {weight}"
        );
    }
    assert_eq!(result.notes, [""; 0]);
}

/// What leaves the cut through a tie is counted, and not part of the force.
#[test]
fn ties_through_a_plane_that_was_asked_for_are_noted() {
    let tie = "[[tie]]\nname = \"bar\"\nblocks = [\"s.voussoir3\", \"s.voussoir10\"]\npoints = [[-1.8, 0.5, 1.3], [1.8, 0.5, 1.3]]\nstiffness = 1e7\nyield = 1e4\n";
    let cut = "cuts = [{ point = [0, 0, 0], normal = [1, 0, 0] }]\n";
    let result = balance(&arch(1.0, &format!("{ASKED}{cut}{tie}")));
    assert_eq!(result.given[0].cut.ties, 1);
    let told = |note: &String| note.starts_with("cut 1 passes through ties as well (1)");
    assert!(result.notes.iter().any(told), "{:?}", result.notes);
}
