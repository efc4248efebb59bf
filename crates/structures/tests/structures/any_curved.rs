//! Arches, vaults, domes, cylinders and columns of any dimensions: sound, or refused with a reason.

use drystone_keys::Decode;
use drystone_structures::*;
use serde::Serialize;
use serde_json::Value;

use crate::any::{Dice, try_all};

const SHAPES: [ArchShape; 4] = [
    ArchShape::Circular,
    ArchShape::Pointed,
    ArchShape::Elliptical,
    ArchShape::Flat,
];

fn rise(dice: &mut Dice, shape: ArchShape, span: f64) -> Option<f64> {
    match shape {
        ArchShape::Circular => (dice.roll(2) == 0).then(|| dice.between(0.1, 0.5) * span),
        ArchShape::Pointed => Some(dice.between(0.5, 1.2) * span),
        ArchShape::Elliptical => Some(dice.between(0.15, 0.8) * span),
        ArchShape::Flat => None,
    }
}

fn arch(dice: &mut Dice) -> Arch {
    let shape = dice.pick(&SHAPES);
    let span = dice.between(1.0, 8.0);
    let width = dice.between(0.2, 1.5);
    let piers = Piers {
        width,
        height: dice.between(0.5, 5.0),
        courses: 1 + dice.roll(8) as u32,
        block_length: (dice.roll(2) == 0).then(|| dice.between(0.2, 0.7)),
        base_width: (dice.roll(2) == 0).then(|| width * dice.between(1.0, 2.5)),
        steps: dice.maybe(&[1, 2, 3]),
        depth: (dice.roll(3) == 0).then(|| dice.between(0.2, 2.0)),
    };
    Arch {
        shape: Some(shape),
        span: Some(span),
        rise: rise(dice, shape, span),
        thickness: dice.between(0.1, 0.9),
        depth: dice.between(0.2, 1.5),
        voussoirs: 1 + dice.roll(40) as u32,
        rings: dice.maybe(&[1, 2, 3]),
        curved_mass: shape == ArchShape::Circular && dice.roll(2) == 0,
        piers: (dice.roll(2) == 0).then_some(piers),
        ..Arch::default()
    }
}

fn spandrel(dice: &mut Dice) -> SpandrelArch {
    let [radius, thickness] = [dice.between(1.0, 5.0), dice.between(0.2, 0.9)];
    let springing = dice.roll(2) == 0;
    let springing = springing.then(|| dice.between(0.0, 3.0));
    let top = radius + thickness + springing.unwrap_or(0.0);
    SpandrelArch {
        radius,
        thickness,
        voussoirs: 2 + dice.roll(40) as u32,
        width: 2.0 * (radius + thickness) * dice.between(1.1, 2.5),
        height: top + dice.between(-0.1, 2.0),
        depth: 0.5,
        block_length: dice.between(0.3, 1.2),
        min_block_length: (dice.roll(2) == 0).then(|| dice.between(0.0, 0.5)),
        min_course_height: (dice.roll(2) == 0).then(|| dice.between(0.0, 0.5)),
        springing,
        ..SpandrelArch::default()
    }
}

fn barrel(dice: &mut Dice) -> BarrelVault {
    let shape = dice.pick(&SHAPES);
    let span = dice.between(2.0, 8.0);
    BarrelVault {
        shape: Some(shape),
        span: Some(span),
        rise: rise(dice, shape, span),
        thickness: dice.between(0.1, 0.6),
        rows: 2 + dice.roll(20) as u32,
        length: dice.between(1.0, 8.0),
        blocks: 1 + dice.roll(10) as u32,
        ..BarrelVault::default()
    }
}

fn cross(dice: &mut Dice) -> CrossVault {
    let shape = dice.pick(&SHAPES);
    let span = dice.between(2.0, 8.0);
    CrossVault {
        shape: Some(shape),
        span,
        rise: rise(dice, shape, span),
        thickness: dice.between(0.1, 0.6),
        rows: 3 + dice.roll(18) as u32,
        block_length: dice.between(0.3, 1.5),
        min_block_length: (dice.roll(2) == 0).then(|| dice.between(0.05, 0.5)),
        bearing: (dice.roll(2) == 0).then(|| dice.between(0.05, 0.6)),
        piers: (dice.roll(2) == 0).then(|| CornerPiers {
            height: dice.between(0.5, 4.0),
            courses: 1 + dice.roll(5) as u32,
        }),
        ..CrossVault::default()
    }
}

fn dome(dice: &mut Dice) -> Dome {
    let radius = dice.between(1.0, 8.0);
    let level = dice.roll(2) == 0;
    Dome {
        radius,
        rise: (dice.roll(3) > 0).then(|| radius * dice.between(0.3, 1.8)),
        thickness: dice.between(0.1, 0.8),
        rings: 1 + dice.roll(20) as u32,
        blocks: 3 + dice.roll(24) as u32,
        oculus: (dice.roll(2) == 0).then(|| radius * dice.between(0.05, 0.6)),
        beds: level.then_some(Beds::Horizontal),
        bond: level
            .then(|| dice.maybe(&[RingBond::Running, RingBond::Stack]))
            .flatten(),
        stepped: level && dice.roll(2) == 0,
        lantern: (dice.roll(3) == 0).then(|| Lantern {
            height: dice.between(0.2, 3.0),
            courses: 1 + dice.roll(6) as u32,
            thickness: (dice.roll(2) == 0).then(|| dice.between(0.05, 0.6)),
        }),
        ..Dome::default()
    }
}

fn cylinder(dice: &mut Dice) -> Cylinder {
    let sides = 3 + dice.roll(14) as u32;
    Cylinder {
        radius: dice.between(0.5, 4.0),
        thickness: dice.between(0.2, 3.0),
        height: dice.between(0.3, 4.0),
        courses: 1 + dice.roll(6) as u32,
        blocks: sides * (1 + dice.roll(3) as u32),
        sides: Some(sides),
        rings: dice.maybe(&[1, 2, 3, 4]),
        core: dice.roll(2) == 0,
        bond: dice.maybe(&[RingBond::Running, RingBond::Stack]),
    }
}

fn column(dice: &mut Dice) -> Column {
    let radius = dice.between(0.2, 0.8);
    let square = dice.roll(3) == 0;
    let slab = |dice: &mut Dice| Slab {
        height: dice.between(0.1, 0.6),
        width: 2.0 * radius * dice.between(0.9, 1.6),
    };
    Column {
        section: square.then_some(Section::Square),
        radius,
        top_radius: (dice.roll(2) == 0).then(|| radius * dice.between(0.6, 1.0)),
        entasis: (dice.roll(2) == 0).then(|| dice.between(0.0, 0.05)),
        height: dice.between(1.0, 9.0),
        drums: 1 + dice.roll(10) as u32,
        sides: (!square && dice.roll(2) == 0).then(|| 3 + dice.roll(30) as u32),
        base: (dice.roll(2) == 0).then(|| slab(dice)),
        capital: (dice.roll(2) == 0).then(|| slab(dice)),
    }
}

fn colonnade(dice: &mut Dice) -> Colonnade {
    Colonnade {
        columns: 1 + dice.roll(6) as u32,
        spacing: dice.between(1.0, 4.0),
        column: column(dice),
        architrave: (dice.roll(3) > 0).then(|| Architrave {
            height: dice.between(0.2, 0.9),
            depth: (dice.roll(2) == 0).then(|| dice.between(0.3, 1.5)),
            overhang: (dice.roll(2) == 0).then(|| dice.between(0.0, 0.6)),
        }),
    }
}

#[test]
fn curved_structures_of_any_dimensions_are_sound_or_refused() {
    let count = 200;
    let made = [
        try_all(count, &|dice| Box::new(arch(dice))),
        try_all(count, &|dice| Box::new(spandrel(dice))),
        try_all(count, &|dice| Box::new(barrel(dice))),
        try_all(count, &|dice| Box::new(cross(dice))),
        try_all(count, &|dice| Box::new(dome(dice))),
        try_all(count, &|dice| Box::new(cylinder(dice))),
        try_all(count, &|dice| Box::new(column(dice))),
        try_all(count, &|dice| Box::new(colonnade(dice))),
    ];
    assert!(made.iter().all(|&made| made > 50), "{made:?}");
}

const ABSURD: [f64; 6] = [0.0, -1.0, 1e-300, 1e-9, 1e9, 1e300];
const ABSURD_COUNTS: [u32; 6] = [0, 1, 2, 3, 3_000_000, u32::MAX];

/// Replaces the number at a place in a tree, counted in depth; what is left to count if it is further on.
fn spoil(tree: &mut Value, mut place: u64, dice: &mut Dice) -> Result<(), u64> {
    match tree {
        Value::Number(number) => {
            if place > 0 {
                return Err(place - 1);
            }
            *tree = match number.is_f64() {
                true => dice.pick(&ABSURD).into(),
                false => dice.pick(&ABSURD_COUNTS).into(),
            };
            Ok(())
        }
        Value::Object(entries) => {
            for value in entries.values_mut() {
                match spoil(value, place, dice) {
                    Ok(()) => return Ok(()),
                    Err(left) => place = left,
                }
            }
            Err(place)
        }
        _ => Err(place),
    }
}

/// Whatever one or two of the numbers are, there is an answer, and soon.
fn spoiled<T: Structure + Serialize + Decode>(make: &dyn Fn(&mut Dice) -> T) {
    for seed in 0..500 {
        let mut dice = Dice(seed);
        let mut tree = serde_json::to_value(make(&mut dice)).unwrap();
        for _ in 0..1 + dice.roll(2) {
            let place = dice.roll(12);
            let _ = spoil(&mut tree, place, &mut dice);
        }
        let structure: T = drystone_keys::from_tree(&tree).unwrap();
        if let Ok(pieces) = structure.pieces() {
            let mut vertices = pieces.iter().flat_map(|piece| &piece.vertices);
            assert!(vertices.all(|v| v.is_finite()), "seed {seed}: {tree}");
        }
    }
}

#[test]
fn absurd_dimensions_of_curved_structures_are_refused_or_harmless() {
    spoiled(&arch);
    spoiled(&spandrel);
    spoiled(&barrel);
    spoiled(&cross);
    spoiled(&dome);
    spoiled(&cylinder);
    spoiled(&column);
    spoiled(&colonnade);
}
