//! Joints with mortar, and joints that slide more easily than they begin to, against closed forms.

use drystone_cone::{LimitMethod, LimitSettings, solve_limit};
use drystone_geometry::{DQuat, DVec3};
use drystone_model::Model;
use drystone_questions::statics::Posed;

use super::simulate;
use super::statics::{limit_of, multiplier, stands};
use crate::Measurements;
use crate::measured::Part;
use crate::scene::{Scene, corners};

const G: f64 = 9.81;
/// Weight per volume, N/m³.
const HEAVY: f64 = 2000.0 * G;
const LAWS: [&str; 2] = ["associated", "coulomb"];

fn mortar(cohesion: f64, tension: f64) -> String {
    format!("cohesion = {cohesion:?}\ntensile_strength = {tension:?}")
}

/// A block of some width, a metre deep, on the ground; `keys` of the interface.
fn block(
    friction: f64,
    keys: &str,
    [width, height]: [f64; 2],
    plane: &str,
    question: &str,
) -> Result<Model, String> {
    let mut scene = Scene::new(friction, plane);
    scene
        .add(keys)
        .cuboid(
            "ground",
            [-9.0, -9.0, -1.0],
            [9.0, 9.0, 0.0],
            "support = true",
        )
        .cuboid(
            "block",
            [-width / 2.0, -0.5, 0.0],
            [width / 2.0, 0.5, height],
            "",
        )
        .add(&format!("[[analysis]]\nname = \"a\"\n{question}"));
    scene.model()
}

const PUSH: &str = "kind = \"limit\"\ndirection = [1, 0, 0]";

/// A slab on a joint with a slope of 3 to 4, in space: what pushes it along the joint, across the slope.
fn oblique(cohesion: f64) -> Result<f64, String> {
    let prism = |x: f64, y: f64, low: f64, high: f64| -> Vec<DVec3> {
        let raised = |p: DVec3| p + 0.75 * p.x * DVec3::Z;
        corners([-x, -y, low], [x, y, high])
            .into_iter()
            .map(raised)
            .collect()
    };
    let weight = HEAVY * 0.4;
    let mut scene = Scene::new(0.5, "");
    scene
        .add(&mortar(cohesion, 0.0))
        .hull("ground", &prism(2.0, 2.0, -1.0, 0.0), "support = true")
        .hull("block", &prism(1.0, 0.5, 0.0, 0.2), "")
        .add(&format!(
            "[[load]]\nblock = \"block\"\nforce = [0, {weight:?}, 0]\npoint = [0, 0, 0]\nlive = true\n\
             [[analysis]]\nname = \"a\"\nkind = \"limit\"\nloads = \"live\""
        ));
    let held = 0.5 * 0.8 * weight + cohesion * 2.5;
    let exact = (held.powi(2) - (0.6 * weight).powi(2)).sqrt() / weight;
    Ok(multiplier(&scene.model()?)? / exact)
}

/// A wall of bricks in space, pushed obliquely: how far both methods are apart, relative.
fn two_methods() -> Result<f64, String> {
    let mut scene = Scene::new(0.6, "");
    scene.add(&mortar(2e4, 5e3)).cuboid(
            "ground",
            [-1.0, -1.0, -0.5],
            [3.0, 1.0, 0.0],
            "support = true",
        ).add(
        "[[generate]]\nname = \"wall\"\nkind = \"wall\"\nmaterial = \"stone\"\nlength = 2.0\nheight = 1.5\nthickness = 0.25\nblock = [0.5, 0.25]",
    );
    let model = scene.model()?;
    let posed = Posed::new(&model);
    let live = posed.statics.body_force(DVec3::new(0.6, 0.8, 0.0));
    let problem = posed.limit_problem(posed.statics.dead(), live);
    let by = |method: LimitMethod| {
        let settings = LimitSettings {
            method,
            ..LimitSettings::default()
        };
        let found = solve_limit(&problem, &settings).map_err(|fault| fault.to_string());
        found.map(|found| found.multiplier)
    };
    let [own, other] = [by(LimitMethod::InteriorPoint)?, by(LimitMethod::Clarabel)?];
    Ok((own / other - 1.0).abs())
}

/// The least tensile strength with which a block of 0.5 x 0.8 m hangs from above stands, over its weight per area.
fn hanging() -> Result<f64, String> {
    let needed = HEAVY * 0.8;
    let (mut low, mut high) = (0.5, 2.0);
    while high - low > 1e-6 {
        let middle = 0.5 * (low + high);
        let mut scene = Scene::new(0.6, "");
        scene
            .add(&mortar(1e6, middle * needed))
            .cuboid("roof", [-1.0, -1.0, 0.0], [1.0, 1.0, 1.0], "support = true")
            .cuboid("block", [-0.25, -0.5, -0.8], [0.25, 0.5, 0.0], "")
            .add("[[analysis]]\nname = \"a\"\nkind = \"equilibrium\"");
        if stands(&scene.model()?)? {
            high = middle;
        } else {
            low = middle;
        }
    }
    Ok(0.5 * (low + high))
}

pub fn statics() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let (b, h, tension) = (0.4, 3.0, 5e4);
    let weight = HEAVY * b * h;
    let exact = (weight + tension * b) * b / h / weight;
    for (name, plane) in [("wall_plane", "plane = \"xz\""), ("wall_space", "")] {
        let wall = block(0.6, &mortar(1e6, tension), [b, h], plane, PUSH)?;
        results.insert(name.into(), multiplier(&wall)? / exact);
    }
    let table = "kind = \"limit\"\ntilt = [0, 1, 0]";
    let held = limit_of(&block(0.5, &mortar(1000.0, 0.0), [2.0, 0.2], "", table)?)?;
    let exact = 0.5_f64.atan() + (1000.0 / (HEAVY * 0.2) / 1.0_f64.hypot(0.5)).asin();
    results.insert("table".into(), held.angle.unwrap_or(f64::NAN) / exact);
    // Cohesion over friction is 2e4 Pa, ten times the cut-off.
    let lift = "kind = \"limit\"\ndirection = [0, 0, 1]";
    let lifted = multiplier(&block(0.5, &mortar(1e4, 2e3), [1.0, 0.5], "", lift)?)?;
    results.insert("cut_off".into(), lifted / (1.0 + 2e3 / (HEAVY * 0.5)));
    results.insert("oblique".into(), oblique(4000.0)?);
    results.insert("hanging".into(), hanging()?);
    results.insert("two_methods".into(), two_methods()?);
    let keys = format!("{}\ncompressive_strength = 4e5", mortar(1e7, tension));
    let crushed = multiplier(&block(5.0, &keys, [0.5, 3.0], "plane = \"xz\"", PUSH)?)?;
    let pressed = HEAVY * 1.5 + tension * 0.5;
    let moment = 0.5 * pressed * (0.5 - pressed / (4e5 + tension));
    results.insert("crushing".into(), crushed * 1.5 * HEAVY * 1.5 / moment);
    Ok(results)
}

/// How far a block that is glued to the ground with 0.6 of its weight is moved by a motion.
fn moved([width, height]: [f64; 2], law: &str, motion: &str) -> Result<f64, String> {
    let friction = 0.5;
    let strength = 0.6 * HEAVY * height;
    let keys = mortar(friction * strength, strength);
    let question = format!(
        "kind = \"time_history\"\nfriction_law = \"{law}\"\nmotion = \"shake\"\ndt = 0.001\nduration = 0.5\n\
         [[motion]]\nname = \"shake\"\n{motion}"
    );
    let model = block(friction, &keys, [width, height], "", &question)?;
    Ok(simulate(&model, &mut |_| {})?
        .largest_displacement
        .displacement)
}

/// The same by ground that reaches 0.99 of an acceleration, m/s², within half a second, and by ground that is held at 1.01 of it.
fn about(size: [f64; 2], law: &str, limit: f64, along: &str) -> Result<[f64; 2], String> {
    let rises = format!(
        "kind = \"sine\"\namplitude = {:?}\nfrequency = 0.5\nduration = 0.5\ndirection = {along}",
        0.99 * limit
    );
    let held = format!(
        "kind = \"rectangular\"\namplitude = {:?}\nhalf_period = 10.0\ndirection = {along}",
        1.01 * limit
    );
    Ok([moved(size, law, &rises)?, moved(size, law, &held)?])
}

/// Blocks glued to the ground, below and above what their mortar bears. Under Coulomb's law contacts yield, and what is put on at once overshoots.
pub fn motion() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for law in LAWS {
        let _part = Part::begin();
        let off = 1.6 * G;
        let [below, above] = about([0.6, 0.2], law, off, "[0, 0, -1]")?;
        results.insert(format!("off_below_{law}"), below);
        let free = 0.125 * (1.01 * off - G);
        results.insert(format!("off_above_{law}"), above / free);
        let slides = 0.5 * 1.6 * G;
        let [below, above] = about([1.0, 0.1], law, slides, "[1, 0, 0]")?;
        results.insert(format!("slides_below_{law}"), below);
        let left = 0.125 * (1.01 * slides - 0.5 * G);
        results.insert(format!("slides_above_{law}"), above / left);
        let turns = 1.6 * G * 0.2;
        let [below, above] = about([0.4, 2.0], law, turns, "[1, 0, 0]")?;
        results.insert(format!("turns_below_{law}"), below);
        results.insert(format!("turns_above_{law}"), above);
    }
    Ok(results)
}

/// A flat block on a slope, with friction 0.5 and kinetic friction 0.4, that begins with a speed down the slope.
fn sloping(degrees: f64, law: &str, speed: f64, duration: f64) -> Result<Model, String> {
    let turn = DQuat::from_rotation_y(degrees.to_radians());
    let turned =
        |min, max| -> Vec<DVec3> { corners(min, max).into_iter().map(|p| turn * p).collect() };
    let velocity = turn * (speed * DVec3::X);
    let velocity = format!("velocity = [{:?}, 0.0, {:?}]", velocity.x, velocity.z);
    let mut scene = Scene::new(0.5, "");
    scene
        .add("kinetic_friction = 0.4")
        .hull("slope", &turned([-2.0, -2.0, -0.5], [30.0, 2.0, 0.0]), "support = true")
        .hull("block", &turned([-0.3, -0.3, 0.0], [0.3, 0.3, 0.2]), &velocity)
        .add(&format!(
            "[[analysis]]\nname = \"slide\"\nkind = \"time_history\"\ndt = 0.001\nduration = {duration:?}\nfriction_law = \"{law}\""
        ));
    scene.model()
}

/// How far it gets.
fn slid(degrees: f64, law: &str, speed: f64, duration: f64) -> Result<f64, String> {
    let model = sloping(degrees, law, speed, duration)?;
    Ok(simulate(&model, &mut |_| {})?
        .largest_displacement
        .displacement)
}

pub fn kinetic() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for law in LAWS {
        let _part = Part::begin();
        let stop = slid(0.0, law, 2.0, 1.0)?;
        results.insert(format!("stop_{law}"), stop / (4.0 / (2.0 * 0.4 * G)));
        // Between both coefficients, 21.8 and 26.6 degrees, what rests stays and what slides goes on faster.
        results.insert(format!("rests_{law}"), slid(25.0, law, 0.0, 1.0)?);
        let angle = 25f64.to_radians();
        let faster = G * (angle.sin() - 0.4 * angle.cos());
        let gone = slid(25.0, law, 0.5, 1.0)? / (0.5 + 0.5 * faster);
        results.insert(format!("goes_on_{law}"), gone);
    }
    Ok(results)
}
