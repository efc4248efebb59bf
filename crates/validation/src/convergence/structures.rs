//! What is run, for how long, and what is measured.

use drystone_geometry::{DQuat, DVec3};
use drystone_model::Model;

use super::{Method, columns};
use crate::scene::{Scene, corners, read};

/// A structure in motion.
#[derive(Debug)]
pub struct Structure {
    /// By which it is chosen.
    pub name: &'static str,
    /// For tables and figures.
    pub title: &'static str,
    /// Makes the model; its first time history is the motion.
    pub model: fn() -> Result<Model, String>,
    /// When it is looked at, s: a multiple of the coarsest step.
    pub time: f64,
    /// Finest step, s; that of the reference.
    pub finest: f64,
    /// In the order of legends.
    pub methods: &'static [Method],
    /// What is compared.
    pub measures: &'static [Measure],
    /// Positions of the free blocks at a time in the exact motion, m, where it is known.
    pub exact: Option<fn(f64) -> Vec<DVec3>>,
}

/// What is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Positions of all blocks at the end: root of the mean square of their distances to those of the exact motion, or else of the finest run
    /// of the same law, mm.
    Positions,
    /// The first so many impact times of a single rocking block: largest difference to those of the equation of motion, ms.
    Impacts(usize),
    /// Angles of the first so many blocks, which are equal and should stay so: largest minus smallest, rad.
    Spread(usize),
}

impl Measure {
    /// Of errors.
    pub fn unit(self) -> &'static str {
        match self {
            Self::Positions => "mm",
            Self::Impacts(_) => "ms",
            Self::Spread(_) => "rad",
        }
    }

    /// What the error is that of.
    pub fn label(self) -> &'static str {
        match self {
            Self::Positions => "position",
            Self::Impacts(_) => "impact times",
            Self::Spread(_) => "spread of angles",
        }
    }
}

const LAWS: &[Method] = &[Method::COULOMB, Method::ASSOCIATED];
const ALL: &[Method] = &[Method::COULOMB, Method::ASSOCIATED, Method::PAPERS];
const FINEST: f64 = 1.25e-4;

/// All structures, from one block to a building.
///
/// Times end before motions become chaotic: later a change of the input by 1e-6 is seen as clearly as the step.
pub const STRUCTURES: &[Structure] = &[
    Structure {
        name: "block",
        title: "Housner's block, eight impacts",
        model: || {
            read(include_str!(
                "../../../../examples/housner-block/model.toml"
            ))
        },
        time: 6.0,
        finest: FINEST,
        methods: ALL,
        measures: &[Measure::Impacts(8)],
        exact: None,
    },
    Structure {
        name: "corner",
        title: "Block on its corner, 0.8 s",
        model: corner,
        time: 0.8,
        finest: FINEST,
        methods: ALL,
        measures: &[Measure::Positions],
        exact: None,
    },
    Structure {
        name: "arch",
        title: "Oppenheim's arch, 1.2 s",
        model: || {
            read(include_str!(
                "../../../../examples/oppenheim-arch/model.toml"
            ))
        },
        time: 1.2,
        finest: FINEST,
        methods: ALL,
        measures: &[Measure::Positions],
        exact: None,
    },
    Structure {
        name: "tower",
        title: "Tower of four blocks, 3 s",
        model: tower,
        time: 3.0,
        finest: FINEST,
        methods: ALL,
        measures: &[Measure::Positions],
        exact: None,
    },
    Structure {
        name: "columns-3",
        title: "Three columns and a beam, 0.6 s",
        model: || columns::model(3),
        time: 0.6,
        finest: FINEST,
        methods: LAWS,
        measures: &[Measure::Positions, Measure::Spread(3)],
        exact: Some(|time| columns::exact(3, time)),
    },
    Structure {
        name: "columns-8",
        title: "Eight columns and a beam, 0.6 s",
        model: || columns::model(8),
        time: 0.6,
        finest: FINEST,
        methods: LAWS,
        measures: &[Measure::Positions, Measure::Spread(8)],
        exact: Some(|time| columns::exact(8, time)),
    },
    Structure {
        name: "wall",
        title: "Wall of twenty blocks, 0.32 s",
        model: wall,
        time: 0.32,
        finest: FINEST,
        methods: LAWS,
        measures: &[Measure::Positions],
        exact: None,
    },
    Structure {
        name: "stack",
        title: "Stack of twenty blocks, 0.8 s",
        model: stack,
        time: 0.8,
        finest: FINEST,
        methods: LAWS,
        measures: &[Measure::Positions],
        exact: None,
    },
    Structure {
        name: "house",
        title: "Stone house, 0.4 s",
        model: || read(include_str!("../../../../examples/stone-house/model.toml")),
        time: 0.4,
        finest: FINEST,
        methods: LAWS,
        measures: &[Measure::Positions],
        exact: None,
    },
];

const GROUND: &str = "support = true";
pub(super) const HISTORY: &str =
    "[[analysis]]\nname = \"motion\"\nkind = \"time_history\"\nduration = 1.0";

/// One sine along x, and the time history that it acts in.
fn pulse(amplitude: f64, half_period: f64) -> String {
    format!(
        "[[motion]]\nname = \"pulse\"\nkind = \"one_sine\"\namplitude = {amplitude:?}\nhalf_period = {half_period:?}\ndirection = [1, 0, 0]\n\
         {HISTORY}\nmotion = \"pulse\""
    )
}

/// A planar scene on a wide ground.
pub(super) fn planar(friction: f64) -> Scene {
    let mut scene = Scene::new(friction, "plane = \"xz\"");
    scene.cuboid("ground", [-20.0, -1.0, -0.5], [20.0, 1.0, 0.0], GROUND);
    scene
}

/// A block in space, released on one of its corners; two impacts.
fn corner() -> Result<Model, String> {
    let turn = DQuat::from_scaled_axis(DVec3::new(-0.1, 0.12, 0.0));
    let points: Vec<DVec3> = corners([-0.6, -0.6, 0.0], [0.0, 0.0, 2.0])
        .into_iter()
        .map(|p| turn * p)
        .collect();
    let mut scene = Scene::new(2.0, "");
    scene
        .cuboid("ground", [-4.0, -4.0, -0.5], [4.0, 4.0, 0.0], GROUND)
        .hull("block", &points, "")
        .add(HISTORY);
    scene.model()
}

/// Four blocks under a pulse, whose joints open and close at will.
fn tower() -> Result<Model, String> {
    let mut scene = planar(2.0);
    for k in 0..4 {
        let z = 0.5 * f64::from(k);
        scene.cuboid(&format!("b{k}"), [-0.2, -0.3, z], [0.2, 0.3, z + 0.5], "");
    }
    scene.add(&pulse(5.0, 0.25)).model()
}

/// Twenty blocks: eight courses of two and of three in turn, 1 m wide and 2 m high.
pub(crate) fn wall_blocks(scene: &mut Scene) -> &mut Scene {
    for course in 0..8 {
        let z = 0.25 * f64::from(course);
        let ends: &[f64] = if course % 2 == 0 {
            &[0.0, 0.5, 1.0]
        } else {
            &[0.0, 0.25, 0.75, 1.0]
        };
        for (k, pair) in ends.windows(2).enumerate() {
            let name = format!("course{}.block{}", course + 1, k + 1);
            scene.cuboid(&name, [pair[0], -0.15, z], [pair[1], 0.15, z + 0.25], "");
        }
    }
    scene
}

/// That wall under one sine.
fn wall() -> Result<Model, String> {
    wall_blocks(&mut planar(0.7)).add(&pulse(9.0, 0.2)).model()
}

/// Twenty blocks of 1.0 x 0.25 m one upon the other under one sine, which opens joints and closes them again.
fn stack() -> Result<Model, String> {
    let mut scene = planar(0.7);
    for k in 0..20 {
        let z = 0.25 * f64::from(k);
        scene.cuboid(
            &format!("b{}", k + 1),
            [-0.5, -0.3, z],
            [0.5, 0.3, z + 0.25],
            "",
        );
    }
    scene.add(&pulse(6.0, 0.2)).model()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names choose one structure each, every model can be read, and every step ends at the time of comparison.
    #[test]
    fn structures_can_be_run_and_compared() {
        for (k, structure) in STRUCTURES.iter().enumerate() {
            let before = &STRUCTURES[..k];
            assert!(before.iter().all(|other| other.name != structure.name));
            let model = (structure.model)().unwrap_or_else(|e| panic!("{}: {e}", structure.name));
            let free = model.blocks.iter().filter(|block| !block.support).count();
            for measure in structure.measures {
                if let Measure::Spread(count) = measure {
                    assert_eq!(free, count + 1, "{}", structure.name);
                }
            }
            let steps = structure.time / super::super::STEPS[0];
            assert!(
                (steps - steps.round()).abs() < 1e-9,
                "{}: {steps}",
                structure.name
            );
            assert!(super::super::STEPS.contains(&structure.finest));
        }
        let blocks = |name: &str| {
            let structure = STRUCTURES.iter().find(|s| s.name == name).unwrap();
            let model = (structure.model)().unwrap();
            model.blocks.iter().filter(|block| !block.support).count()
        };
        assert_eq!([blocks("wall"), blocks("stack")], [20, 20]);
    }
}
