//! Equilibrium and limits of a few blocks against closed forms, and what must not change them.

use drystone_cone::LimitStatus;
use drystone_geometry::{DQuat, DVec3};
use drystone_model::{AnalysisKind, Model};
use drystone_questions::statics::{
    EquilibriumResult, LimitResult, Posed, bisect, equilibrium, holds, limit,
};

use crate::Measurements;
use crate::scene::{Scene, corners, read};

/// Runs the first limit analysis of a model.
pub fn limit_of(model: &Model) -> Result<LimitResult, String> {
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Limit(settings) => Some(settings),
            _ => None,
        });
    let settings = settings.ok_or("the model has no limit analysis")?;
    limit(&Posed::new(model), settings).map_err(|fault| fault.to_string())
}

/// Runs the first equilibrium of a model.
pub fn equilibrium_of(model: &Model) -> Result<EquilibriumResult, String> {
    let settings = model
        .analyses
        .iter()
        .find_map(|analysis| match &analysis.kind {
            AnalysisKind::Equilibrium(settings) => Some(settings),
            _ => None,
        });
    let settings = settings.ok_or("the model has no equilibrium")?;
    equilibrium(&Posed::new(model), settings).map_err(|fault| fault.to_string())
}

/// The multiplier; something is wrong if both bounds do not meet.
pub fn multiplier(model: &Model) -> Result<f64, String> {
    let result = limit_of(model)?;
    match result.status {
        LimitStatus::Optimal => Ok(result.multiplier),
        status => Err(format!("the limit analysis is {status:?}")),
    }
}

/// Whether the first equilibrium of a model is stable.
pub fn stands(model: &Model) -> Result<bool, String> {
    let analysis = model.analyses.first().ok_or("no analysis")?;
    holds(model, Some(&analysis.kind), 0.0).map_err(|fault| fault.to_string())
}

fn ask(text: &str) -> String {
    format!("[[analysis]]\nname = \"a\"\n{text}\n")
}

fn ground(scene: &mut Scene) -> &mut Scene {
    scene.cuboid(
        "ground",
        [-5.0, -5.0, -1.0],
        [5.0, 5.0, 0.0],
        "support = true",
    )
}

/// A block of 0.8 x 1.0 x 2.0 m.
fn block(friction: f64, question: &str) -> Result<Model, String> {
    let mut scene = Scene::new(friction, "");
    ground(&mut scene)
        .cuboid("block", [-0.4, -0.5, 0.0], [0.4, 0.5, 2.0], "")
        .add(question);
    scene.model()
}

/// Equal posts of 0.4 x 2.0 m under a lintel.
fn portal() -> Result<Model, String> {
    let mut scene = Scene::new(2.0, "plane = \"xz\"");
    ground(&mut scene)
        .cuboid("left", [-1.0, 0.0, 0.0], [-0.6, 1.0, 2.0], "")
        .cuboid("right", [0.6, 0.0, 0.0], [1.0, 1.0, 2.0], "")
        .cuboid("lintel", [-1.0, 0.0, 2.0], [1.0, 1.0, 2.3], "")
        .add(&ask("kind = \"limit\"\ndirection = [1, 0, 0]"));
    scene.model()
}

/// Bricks of 1 m that reach out from each other by `factor` times the harmonic overhangs, the topmost the farthest.
fn overhang(bricks: usize, factor: f64) -> Result<Model, String> {
    let mut scene = Scene::new(0.7, "plane = \"xz\"");
    let mut x = 0.0;
    scene.cuboid(
        "ground",
        [-1.0, 0.0, -1.0],
        [0.0, 1.0, 0.0],
        "support = true",
    );
    for level in 0..bricks {
        // The brick at this level carries all above it: its overhang is half over their number with itself.
        x += factor * 0.5 / (bricks - level) as f64;
        let z = 0.1 * level as f64;
        scene.cuboid(
            &format!("b{level}"),
            [x - 1.0, 0.0, z],
            [x, 1.0, z + 0.1],
            "",
        );
    }
    scene.add(&ask("kind = \"equilibrium\""));
    scene.model()
}

pub fn blocks() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let along = "kind = \"limit\"\ndirection = [1, 0, 0]";
    results.insert("rocking".into(), multiplier(&block(0.7, &ask(along))?)?);
    results.insert("sliding".into(), multiplier(&block(0.3, &ask(along))?)?);
    let diagonal = "kind = \"limit\"\ndirection = [1, 1, 0]";
    results.insert("diagonal".into(), multiplier(&block(2.0, &ask(diagonal))?)?);
    for (name, friction) in [("rocks", 0.7), ("slides", 0.3)] {
        let tilted = limit_of(&block(
            friction,
            &ask("kind = \"limit\"\ntilt = [0, 1, 0]"),
        )?)?;
        let angle = tilted.angle.unwrap_or(f64::NAN).to_degrees();
        results.insert(format!("tilt_{name}"), angle);
    }
    let pushed =
        "[[load]]\nblock = \"block\"\nforce = [1, 0, 0]\npoint = [-0.4, 0, 2]\nlive = true\n";
    let pushed = block(
        0.7,
        &format!("{pushed}{}", ask("kind = \"limit\"\nloads = \"live\"")),
    )?;
    results.insert("point_load".into(), multiplier(&pushed)?);
    let down = limit_of(&block(
        0.7,
        &ask("kind = \"limit\"\ndirection = [0.3, 0, -1]"),
    )?)?;
    let unbounded = f64::from(u8::from(down.status == LimitStatus::Unbounded));
    results.insert("pressed_unbounded".into(), unbounded);

    let mut column = Scene::new(0.7, "");
    ground(&mut column);
    for k in 0..10 {
        let z = 0.2 * f64::from(k);
        let name = format!("drum{k}");
        column.cuboid(&name, [-0.3, -0.3, z], [0.3, 0.3, z + 0.2], "");
    }
    column.add(&ask(along));
    results.insert("column".into(), multiplier(&column.model()?)?);
    results.insert("portal".into(), multiplier(&portal()?)?);

    let found = bisect(0.9, 1.1, 1e-8, &mut |factor| stands(&overhang(8, factor)?))?;
    let critical = found.ok_or("the stack of bricks stands or falls anyhow")?;
    results.insert("overhang".into(), critical.value());

    let held = "kind = \"equilibrium\"\nmultiplier = 0.25\ndirection = [1, 0, 0]";
    let held = equilibrium_of(&block(0.7, &ask(held))?)?;
    let joint = held.joints.first().ok_or("no joint")?;
    results.insert("eccentricity".into(), joint.eccentricity);
    results.insert("edge_fraction".into(), joint.edge_fraction);
    results.insert("friction_used".into(), joint.friction_used);
    results.insert("reaction_z".into(), held.reaction.z / (2000.0 * 1.6 * 9.81));
    results.insert("residual".into(), held.residual);
    Ok(results)
}

/// How an arch is told in another way.
struct Told {
    scale: f64,
    turn: f64,
    shift: DVec3,
    density: f64,
    backwards: bool,
    split: bool,
}

const PLAIN: Told = Told {
    scale: 1.0,
    turn: 0.0,
    shift: DVec3::ZERO,
    density: 2000.0,
    backwards: false,
    split: false,
};

/// An arch of nine voussoirs in space, pushed by its weight or by a force that is the more the larger and denser it is.
fn arch(told: &Told, loaded: bool) -> Result<Model, String> {
    let turn = DQuat::from_rotation_z(told.turn);
    let place = |p: DVec3| turn * (told.scale * p) + told.shift;
    let joint = |k: i32| {
        let angle = std::f64::consts::PI * f64::from(k) / 9.0;
        DVec3::new(angle.cos(), 0.0, angle.sin())
    };
    let mut blocks = Vec::new();
    for k in 0..9 {
        let ends = [joint(k), joint(k + 1)];
        let points: Vec<DVec3> = ends
            .iter()
            .flat_map(|d| [3.0 * *d, 3.8 * *d])
            .flat_map(|p| [p, p + DVec3::Y])
            .map(place)
            .collect();
        blocks.push((format!("v{k}"), points, ""));
    }
    for (name, x) in [("right", 3.0), ("left", -3.8)] {
        let points = corners([x, 0.0, -0.5], [x + 0.8, 1.0, 0.0]);
        blocks.push((
            name.into(),
            points.into_iter().map(place).collect(),
            "support = true",
        ));
    }
    if told.backwards {
        blocks.reverse();
    }
    let mut scene = Scene::new(0.6, "");
    for (name, points, more) in &blocks {
        scene.hull(name, points, more);
    }
    if loaded {
        let parts = if told.split {
            vec![0.25, 0.75]
        } else {
            vec![1.0]
        };
        let size = 1e4 * told.scale.powi(3) * told.density / 2000.0;
        let at = place(3.8 * 0.5 * (joint(2) + joint(3)));
        for part in parts {
            scene.add(&format!(
                "[[load]]\nblock = \"v2\"\nforce = [0, 0, {:?}]\npoint = [{:?}, {:?}, {:?}]\nlive = true",
                -size * part, at.x, at.y, at.z
            ));
        }
        scene.add(&ask("kind = \"limit\"\nloads = \"live\""));
    } else {
        let d = turn * DVec3::new(1.0, 0.4, 0.0);
        scene.add(&ask(&format!(
            "kind = \"limit\"\ndirection = [{:?}, {:?}, 0]",
            d.x, d.y
        )));
    }
    read(
        &scene
            .text()
            .replace("density = 2000.0", &format!("density = {:?}", told.density)),
    )
}

/// Largest changes of multipliers, and the largest gap between both bounds.
pub fn invariance() -> Result<Measurements, String> {
    let mut results = Measurements::new();
    let mut gap: f64 = 0.0;
    let mut of = |told: &Told, loaded: bool| -> Result<f64, String> {
        let result = limit_of(&arch(told, loaded)?)?;
        gap = gap.max((result.upper - result.multiplier).abs());
        Ok(result.multiplier)
    };
    let plain = [of(&PLAIN, false)?, of(&PLAIN, true)?];
    let cases = [
        (
            "scaling",
            Told {
                scale: 7.3,
                ..PLAIN
            },
        ),
        (
            "rigid_motion",
            Told {
                turn: 0.9,
                shift: DVec3::new(30.0, -20.0, 4.0),
                ..PLAIN
            },
        ),
        (
            "renumbering",
            Told {
                backwards: true,
                ..PLAIN
            },
        ),
        (
            "density",
            Told {
                density: 3170.0,
                ..PLAIN
            },
        ),
        (
            "splitting",
            Told {
                split: true,
                ..PLAIN
            },
        ),
    ];
    for (name, told) in cases {
        let mut change: f64 = 0.0;
        for (loaded, plain) in [(false, plain[0]), (true, plain[1])] {
            change = change.max((of(&told, loaded)? / plain - 1.0).abs());
        }
        results.insert(name.into(), change);
    }
    results.insert("gap".into(), gap);
    results.insert("multiplier".into(), plain[0]);
    Ok(results)
}
