//! Pushover curves against closed forms and published values.

use drystone_model::{AnalysisKind, Model};
use drystone_questions::pushover::{Branch, Ending, Outcome, pushover};

use crate::Measurements;
use crate::scene::{Scene, read};

pub(super) const FACADE: [(&str, &str); 4] = [
    (
        "plain",
        include_str!("../../../../examples/facade-tie/pushover.toml"),
    ),
    (
        "tie",
        include_str!("../../../../examples/facade-tie/pushover-tie.toml"),
    ),
    (
        "crushing",
        include_str!("../../../../examples/facade-tie/pushover-crushing.toml"),
    ),
    (
        "tie_crushing",
        include_str!("../../../../examples/facade-tie/pushover-tie-crushing.toml"),
    ),
];

const ARCH: &str = include_str!("../../../../examples/buttressed-arch/pushover.toml");
const PORTAL: &str = include_str!("../../../../examples/portal/pushover.toml");
pub(super) const PANEL: &str = include_str!("../../../../examples/dry-panels/pushover-3.toml");

/// Runs the first pushover of a model.
pub(super) fn push(model: &Model) -> Result<Outcome, String> {
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Pushover(settings) => Some(settings),
            _ => None,
        });
    let settings = settings.ok_or("the model has no pushover")?;
    pushover(model, settings, &mut |_| true).map_err(|fault| fault.to_string())
}

fn capacity(outcome: &Outcome) -> Result<f64, String> {
    outcome
        .d_0
        .ok_or(format!("the curve ends because {}", outcome.ending.words()))
}

pub(super) fn onset(outcome: &Outcome) -> Result<f64, String> {
    outcome.alpha_0.ok_or("there is no onset".to_owned())
}

/// A block of 0.5 x 1.0 x 3.5 m.
fn block(head: &str, keys: &str) -> Result<Outcome, String> {
    let mut scene = Scene::new(0.6, head);
    scene
        .cuboid(
            "ground",
            [-5.0, -5.0, -1.0],
            [5.0, 5.0, 0.0],
            "support = true",
        )
        .cuboid("block", [0.0, 0.0, 0.0], [0.5, 1.0, 3.5], "")
        .add(&format!(
            "[[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\n\
             control = {{ block = \"block\", point = [0.5, 0.5, 3.5] }}\n{keys}"
        ));
    push(&scene.model()?)
}

/// Largest difference to the tangent of what is left of the angle of the diagonal.
fn block_error(outcome: &Outcome) -> f64 {
    let angle = (0.5_f64 / 3.5).atan();
    let error = |d: f64, alpha: f64| (alpha - (angle - (d / 3.5).asin()).tan()).abs();
    let points = outcome.curve.branch(Branch::Rigid);
    points.map(|p| error(p.d, p.alpha)).fold(0.0, f64::max)
}

/// A block that rocks about its edge.
pub fn blocks() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    for (name, head) in [("planar", "plane = \"xz\""), ("space", "")] {
        let outcome = block(head, "")?;
        results.insert(format!("{name}_error"), block_error(&outcome));
        results.insert(format!("{name}_capacity"), capacity(&outcome)?);
    }
    let coarse = block_error(&block("plane = \"xz\"", "step = 0.08")?);
    let fine = block_error(&block("plane = \"xz\"", "step = 0.04")?);
    results.insert("error_ratio_of_half_the_step".into(), coarse / fine);
    Ok(results)
}

/// The facade of PGCL, section 5.1.
pub fn facade() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let mut plain = None;
    for (name, text) in FACADE {
        let outcome = push(&read(text)?)?;
        results.insert(format!("{name}_onset"), onset(&outcome)?);
        results.insert(format!("{name}_capacity"), capacity(&outcome)?);
        if let Some(stiffness) = outcome
            .initial_stiffness
            .filter(|_| !name.contains("crush"))
        {
            results.insert(format!("{name}_stiffness"), stiffness);
        }
        let peak = outcome.alpha_y.ok_or("there is no peak")?;
        results.insert(format!("{name}_peak"), peak);
        if name == "tie" {
            let broken = outcome
                .broken_ties
                .first()
                .ok_or("the tie did not break")?
                .1;
            results.insert("tie_breaks_at".into(), broken);
            let free: &Outcome = plain.as_ref().ok_or("the plain one comes first")?;
            let after = outcome.curve.branch(Branch::Rigid).filter(|p| p.d > broken);
            let off =
                after.filter_map(|p| Some((p.alpha - free.curve.alpha(Branch::Rigid, p.d)?).abs()));
            results.insert("after_the_tie".into(), off.fold(0.0, f64::max));
        }
        if name == "plain" {
            let spatial = push(&read(&text.replace("plane = \"xz\"", ""))?)?;
            let difference = capacity(&spatial)? - capacity(&outcome)?;
            results.insert("space_less_plane".into(), difference.abs());
            plain = Some(outcome);
        }
    }
    Ok(results)
}

/// The facade on a base divided into parts: stiffness and peak against those of springs in closed form.
pub fn winkler() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let (weight, width, middle, height, stiffness): (f64, f64, f64, f64, f64) =
        (1e5, 0.5, 1.75, 3.5, 1e8);
    let mut worst: f64 = 0.0;
    for parts in [1, 2, 4, 8, 64] {
        let law = format!("normal_stiffness = 1.0e8\nsubdivisions = {parts}");
        let text = FACADE[0].1.replace("normal_stiffness = 1.0e8", &law);
        let outcome = push(&read(&text)?)?;
        let n = f64::from(parts);
        // Second moment of the springs about the middle, and the springs of shear in series.
        let turning = stiffness * width.powi(3) / 12.0 * (1.0 + 2.0 / (n * n));
        let give = middle * height / turning + 2.4 / (stiffness * width);
        let found = outcome.initial_stiffness.ok_or("no stiffness")?;
        worst = worst.max((found * give - 1.0).abs());
        if parts == 64 {
            // A block on springs that do not pull: half its width less a third of what is pressed, and less its lean.
            let alpha = |angle: f64| {
                let pressed = (2.0 * weight / (stiffness * angle)).sqrt();
                ((0.5 * width - pressed / 3.0) / angle.cos() - middle * angle.tan()) / middle
            };
            let peak = (1..4000)
                .map(|k| alpha(1e-5 * f64::from(k + 1600)))
                .fold(0.0, f64::max);
            let found = outcome.alpha_y.ok_or("no peak")?;
            results.insert("peak_over_closed_form".into(), found / peak);
        }
    }
    results.insert("stiffness_error".into(), worst);
    Ok(results)
}

/// A beam with one end on a fixed seat of 0.3 m, its other end on a pier that is pulled from under it and takes it along.
fn seat() -> Result<Outcome, String> {
    let mut scene = Scene::new(0.3, "plane = \"xz\"");
    let fixed = "support = true";
    scene
        .cuboid("ground", [-5.0, 0.0, -1.0], [5.0, 1.0, 0.0], fixed)
        .cuboid("seat", [-0.5, 0.0, 0.0], [0.3, 1.0, 1.0], fixed)
        .cuboid("pier", [1.7, 0.0, 0.0], [2.2, 1.0, 1.0], "")
        .cuboid("beam", [0.0, 0.0, 1.0], [1.8, 1.0, 1.2], "")
        .add(
            "[[load]]\nblock = \"pier\"\nforce = [1000.0, 0, 0]\nlive = true\n\
             [[analysis]]\nname = \"push\"\nkind = \"pushover\"\nloads = \"live\"\nstep = 0.002\n\
             control = { block = \"pier\" }\ncontrol_direction = [1, 0, 0]\n",
        );
    push(&scene.model()?)
}

/// An arch of 35 voussoirs whose hinges move from joint to joint.
fn long_arch(step: f64) -> Result<Outcome, String> {
    let mut scene = Scene::new(0.6, "plane = \"xz\"");
    scene.add(&format!(
        "[[generate]]\nkind = \"arch\"\nname = \"arch\"\nmaterial = \"stone\"\nspan = 4.0\nthickness = 0.5\ndepth = 1.0\nvoussoirs = 35\n\
         [[generate]]\nkind = \"ground\"\nmaterial = \"stone\"\n\
         [[analysis]]\nname = \"push\"\nkind = \"pushover\"\ndirection = [1, 0, 0]\nstep = {step}\n"
    ));
    push(&scene.model()?)
}

fn ultimate(outcome: &Outcome) -> Result<f64, String> {
    outcome
        .d_ultimate
        .ok_or(format!("no capacity: {}", outcome.ending.words()))
}

/// Where curves end that do not come to zero.
pub fn ends() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let seat = seat()?;
    let lost = seat.ending == Ending::Detached && seat.ending_blocks == [3];
    results.insert("seat_is_lost".into(), f64::from(u8::from(lost)));
    results.insert("seat".into(), ultimate(&seat)?);
    let mut arches = Vec::new();
    for step in [
        0.0013, 0.0017, 0.002, 0.0023, 0.003, 0.0035, 0.004, 0.005, 0.007, 0.01,
    ] {
        arches.push(ultimate(&long_arch(step)?)?);
    }
    let least = arches.iter().copied().fold(f64::INFINITY, f64::min);
    let most = arches.iter().copied().fold(0.0, f64::max);
    results.insert("arch".into(), least);
    results.insert("arch_spread".into(), most / least - 1.0);
    let given = block("plane = \"xz\"", "d_ultimate = 0.2\n")?;
    let last = given.curve.points.last().ok_or("no points")?;
    results.insert("given".into(), ultimate(&given)?);
    results.insert("given_alpha".into(), last.alpha);
    Ok(results)
}

/// Structures of many blocks.
pub fn structures() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let arch = push(&read(ARCH)?)?;
    results.insert("arch_onset".into(), onset(&arch)?);
    let at = |outcome: &Outcome| {
        let found = outcome.curve.alpha(Branch::Rigid, 0.012);
        found.ok_or("the curve of the arch ends too early")
    };
    let finer = push(&read(&ARCH.replace("step = 0.0004", "step = 0.0002"))?)?;
    let change = at(&finer)? / at(&arch)? - 1.0;
    results.insert("arch_at_12_mm".into(), at(&arch)?);
    results.insert("arch_change_of_half_the_step".into(), change.abs());
    let panel = push(&read(PANEL)?)?;
    results.insert("panel_onset".into(), onset(&panel)?);
    let reached = panel.ending == Ending::Displacement;
    results.insert("panel_reaches".into(), f64::from(u8::from(reached)));
    let end = panel.curve.points.last().ok_or("no points")?;
    results.insert("panel_at_200_mm".into(), end.alpha);
    results.insert("panel_residual".into(), panel.residual);
    Ok(results)
}

/// The portal, whose blocks slide and turn.
pub fn portal() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let outcome = push(&read(PORTAL)?)?;
    results.insert("onset".into(), onset(&outcome)?);
    let at = outcome.curve.alpha(Branch::Rigid, 0.01);
    results.insert("at_10_mm".into(), at.ok_or("the curve ends before")?);
    Ok(results)
}
