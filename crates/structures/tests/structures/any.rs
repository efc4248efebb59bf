//! Walls, buildings and towers of any dimensions: sound, or refused with a reason.

use std::panic::AssertUnwindSafe;

use drystone_structures::*;

use crate::kit::grounded;

/// Numbers from a seed; `splitmix64`.
pub struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((u128::from(z ^ (z >> 31)) * u128::from(sides)) >> 64) as u64
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.roll(list.len() as u64) as usize].clone()
    }

    pub fn maybe<T: Clone>(&mut self, list: &[T]) -> Option<T> {
        (self.roll(2) == 0).then(|| self.pick(list))
    }

    /// Somewhere in a range, to a millimetre or to the last digit.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let value = low + (high - low) * (self.roll(1 << 40) as f64 / (1_u64 << 40) as f64);
        if self.roll(2) == 0 {
            (value * 1000.0).round() / 1000.0
        } else {
            value
        }
    }
}

const TOPS: [OpeningTop; 4] = [
    OpeningTop::Lintel,
    OpeningTop::Arch,
    OpeningTop::Corbel,
    OpeningTop::None,
];

fn opening(dice: &mut Dice, course: f64, length: f64) -> Opening {
    let top = dice.pick(&TOPS);
    let width = dice.between(0.3, 2.0);
    let [low, high] = [0.2 * width, 0.5 * width];
    let arch = top == OpeningTop::Arch;
    let rise = dice.between(low, high);
    let ring = dice.between(0.1, 0.5);
    let voussoir = dice.between(0.1, 0.5);
    Opening {
        name: None,
        at: (dice.roll(4) > 0).then(|| dice.between(0.0, length)),
        sill: Some(course * dice.roll(4) as f64),
        width,
        height: course * (1 + dice.roll(5)) as f64,
        top: Some(top),
        rise: (arch && dice.roll(2) == 0).then_some(rise),
        ring: (arch && dice.roll(2) == 0).then_some(ring),
        voussoir: (arch && dice.roll(2) == 0).then_some(voussoir),
        ..Opening::default()
    }
}

fn wall(dice: &mut Dice) -> Wall {
    let block = [dice.between(0.2, 0.8), dice.between(0.1, 0.3)];
    let length = dice.between(2.0, 6.0);
    let course = block[1];
    let bond = dice.pick(&[
        Bond::Running,
        Bond::Stack,
        Bond::Header,
        Bond::English,
        Bond::Random,
    ]);
    let random = bond == Bond::Random && dice.roll(2) == 0;
    let leaves = Leaves {
        count: 2 + dice.roll(2) as u32,
        through_every: dice.maybe(&[1, 2, 3]),
        ..Leaves::default()
    };
    let openings = (0..dice.roll(3))
        .map(|_| opening(dice, course, length))
        .collect();
    Wall {
        length: Some(length),
        height: Some(course * (8 + dice.roll(8)) as f64),
        thickness: dice.between(0.2, 0.8),
        block: Some(block),
        bond: Some(bond),
        seed: (bond == Bond::Random).then(|| dice.roll(1000) as u32),
        course_heights: random.then_some([0.6 * course, 1.4 * course]),
        leaves: (bond != Bond::English && dice.roll(3) == 0).then_some(leaves),
        openings,
        gable: (dice.roll(3) == 0).then(|| Gable {
            height: course * (1 + dice.roll(12)) as f64,
            width: (dice.roll(2) == 0).then(|| dice.between(0.3, length)),
            stepped: dice.roll(2) == 0,
        }),
        ..Wall::default()
    }
}

fn building(dice: &mut Dice) -> Building {
    let course = dice.pick(&[0.2, 0.25, 1.0 / 3.0]);
    let [x, y] = [dice.between(2.5, 6.0), dice.between(2.5, 6.0)];
    let corners = [[0.0, 0.0], [x, 0.0], [x, y], [0.0, y]];
    // Walls of one height where there are gables: nothing may go on above their eaves.
    let gables = dice.roll(2) == 0;
    let eaves = 8 + dice.roll(6);
    let mut walls: Vec<BuildingWall> = (0..4)
        .map(|side| BuildingWall {
            from: corners[side],
            to: corners[(side + 1) % 4],
            thickness: dice.between(0.3, 0.7),
            height: Some(course * if gables { eaves } else { 8 + dice.roll(6) } as f64),
            gable: (gables && dice.roll(2) == 0).then(|| Gable {
                height: course * (1 + dice.roll(8)) as f64,
                ..Gable::default()
            }),
            ..BuildingWall::default()
        })
        .collect();
    walls.push(BuildingWall {
        from: [dice.between(0.8, x - 0.8), 0.3],
        to: [0.0, y - 0.1],
        side: Some(dice.pick(&[Side::Left, Side::Right, Side::Centre])),
        thickness: dice.between(0.3, 0.5),
        height: Some(course * (4 + dice.roll(4)) as f64),
        ..BuildingWall::default()
    });
    walls[4].to[0] = walls[4].from[0];
    let wall = dice.roll(5) as usize;
    walls[wall].openings = vec![opening(dice, course, x)];
    Building {
        course_height: course,
        block_length: dice.between(0.3, 0.9),
        walls,
        ..Building::default()
    }
}

fn tower(dice: &mut Dice) -> Tower {
    let course = dice.between(0.2, 0.35);
    let thick = dice.between(0.5, 0.9);
    let storey = |dice: &mut Dice, thickness| Storey {
        height: course * (5 + dice.roll(8)) as f64,
        thickness,
        setback: dice.maybe(&[0.0, 0.05, 0.1]),
        openings: (0..dice.roll(2))
            .map(|_| opening(dice, course, 2.0))
            .collect(),
        ..Storey::default()
    };
    Tower {
        width: [dice.between(2.5, 5.0), dice.between(2.5, 5.0)],
        course_height: course,
        block_length: dice.between(0.4, 0.8),
        storeys: vec![storey(dice, thick), storey(dice, 0.7 * thick)],
        ..Tower::default()
    }
}

/// Convex blocks without overlaps whose names differ and of which none hangs in the air, or a reason; how many of `count`
/// were made.
pub fn try_all(count: u64, make: &dyn Fn(&mut Dice) -> Box<dyn Structure>) -> usize {
    let mut made = 0;
    for seed in 0..count {
        let structure = make(&mut Dice(seed));
        match structure.pieces() {
            Ok(pieces) => {
                assert!(!pieces.is_empty(), "seed {seed}");
                let caught = std::panic::catch_unwind(AssertUnwindSafe(|| {
                    grounded(&*structure).assert_connected();
                }));
                assert!(caught.is_ok(), "seed {seed}");
                made += 1;
            }
            Err(misfits) => assert!(!misfits.is_empty(), "seed {seed}"),
        }
    }
    made
}

#[test]
fn walls_of_any_dimensions_are_sound_or_refused() {
    let made = try_all(400, &|dice| Box::new(wall(dice)));
    assert!(made > 100, "{made}");
}

#[test]
fn buildings_of_any_dimensions_are_sound_or_refused() {
    let made = try_all(150, &|dice| Box::new(building(dice)));
    assert!(made > 30, "{made}");
}

#[test]
fn towers_of_any_dimensions_are_sound_or_refused() {
    let made = try_all(100, &|dice| Box::new(tower(dice)));
    assert!(made > 20, "{made}");
}

const ABSURD: [f64; 10] = [
    0.0,
    -1.0,
    1e-300,
    1e-9,
    1e9,
    1e300,
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::MIN_POSITIVE,
];

/// Whatever one or two numbers are, there is an answer, and soon.
#[test]
fn absurd_dimensions_are_refused_or_harmless() {
    for seed in 0..3000 {
        let mut dice = Dice(seed);
        let mut wall = wall(&mut dice);
        for _ in 0..1 + dice.roll(2) {
            let number = dice.pick(&ABSURD);
            match dice.roll(18) {
                0 => wall.length = Some(number),
                1 => wall.height = Some(number),
                2 => wall.thickness = number,
                3 => wall.block = Some([number, 0.2]),
                4 => wall.block = Some([0.4, number]),
                5 => wall.overlap = Some(number),
                6 => wall.min_length = Some(number),
                7 => wall.block_lengths = Some([number, 0.6]),
                8 => wall.block_lengths = Some([0.3, number]),
                9 => wall.course_heights = Some([number, 0.3]),
                10 => wall.min_overlap = Some(number),
                11 => wall.openings.iter_mut().for_each(|o| o.at = Some(number)),
                12 => wall.openings.iter_mut().for_each(|o| o.sill = Some(number)),
                13 => wall.openings.iter_mut().for_each(|o| o.width = number),
                14 => wall
                    .openings
                    .iter_mut()
                    .for_each(|o| o.voussoir = Some(number)),
                15 => wall.openings.iter_mut().for_each(|o| o.rise = Some(number)),
                16 => wall.openings.iter_mut().for_each(|o| o.ring = Some(number)),
                _ => {
                    wall.gable = Some(Gable {
                        height: number,
                        ..Gable::default()
                    });
                }
            }
        }
        if let Ok(pieces) = wall.pieces() {
            let finite = pieces
                .iter()
                .flat_map(|piece| &piece.vertices)
                .all(|v| v.is_finite());
            assert!(finite, "seed {seed}");
        }
    }
    for seed in 0..2000 {
        let mut dice = Dice(seed);
        let mut building = building(&mut dice);
        let number = dice.pick(&ABSURD);
        let wall = dice.roll(5) as usize;
        let wall = &mut building.walls[wall];
        match dice.roll(9) {
            0 => building.course_height = number,
            1 => building.block_length = number,
            2 => building.min_overlap = Some(number),
            3 => building.min_length = Some(number),
            4 => wall.from[0] = number,
            5 => wall.to[1] = number,
            6 => wall.thickness = number,
            7 => wall.height = Some(number),
            _ => wall.base = Some(number),
        }
        if let Ok(pieces) = building.pieces() {
            let finite = pieces
                .iter()
                .flat_map(|piece| &piece.vertices)
                .all(|v| v.is_finite());
            assert!(finite, "seed {seed}");
        }
    }
}
