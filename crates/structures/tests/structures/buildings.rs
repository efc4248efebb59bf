use drystone_structures::*;

use crate::kit::{Assembly, grounded, refused};

fn wall(name: &str, from: [f64; 2], to: [f64; 2]) -> BuildingWall {
    BuildingWall {
        name: Some(name.into()),
        from,
        to,
        thickness: 0.5,
        height: Some(3.0),
        ..BuildingWall::default()
    }
}

fn building(walls: Vec<BuildingWall>) -> Building {
    Building {
        course_height: 0.25,
        block_length: 0.6,
        walls,
        ..Building::default()
    }
}

/// Four walls around a room of 4 x 3 m inside.
fn room() -> Building {
    building(vec![
        wall("south", [0.0, 0.0], [5.0, 0.0]),
        wall("east", [5.0, 0.0], [5.0, 4.0]),
        wall("north", [5.0, 4.0], [0.0, 4.0]),
        wall("west", [0.0, 4.0], [0.0, 0.0]),
    ])
}

/// Sound, standing, of the right volume, and with joints broken: no inner joint of a course lies nearer than `overlap` to one
/// in the course below of the same wall.
fn check(building: &Building, volume: f64, overlap: f64) -> Assembly {
    let assembly = grounded(building);
    assembly.assert_connected();
    let found = assembly.volume();
    assert!(
        (found / volume - 1.0).abs() < 1e-9,
        "{found} m³ instead of {volume}"
    );
    for wall in &building.walls {
        let axis =
            usize::from((wall.to[1] - wall.from[1]).abs() > (wall.to[0] - wall.from[0]).abs());
        let name = wall.name.clone().unwrap();
        let mut below: Vec<f64> = Vec::new();
        for course in 1..100 {
            let start = format!("{name}.course{course}.");
            let blocks: Vec<[f64; 2]> = assembly
                .pieces
                .iter()
                .filter(|piece| piece.name.starts_with(&start))
                .map(|piece| {
                    let along = || piece.vertices.iter().map(|v| v[axis]);
                    [
                        along().fold(f64::MAX, f64::min),
                        along().fold(f64::MIN, f64::max),
                    ]
                })
                .collect();
            for [from, to] in &blocks {
                assert!(
                    to - from > 0.2 * building.block_length - 1e-9,
                    "{start} {from} {to}"
                );
                if blocks.iter().any(|other| other[1] == *from) {
                    let near = below
                        .iter()
                        .map(|joint| (joint - from).abs())
                        .fold(f64::MAX, f64::min);
                    assert!(near > overlap - 1e-9, "{start}: {near}");
                }
            }
            below = blocks.concat();
        }
    }
    assembly
}

#[test]
fn walls_take_turns_at_their_corners() {
    let assembly = check(&room(), 3.0 * (5.0 * 4.0 - 4.0 * 3.0), 0.15);
    let along = |name: &str, axis: usize| {
        let vertices = || assembly.named(name).vertices.iter().map(|v| v[axis]);
        [
            vertices().fold(f64::MAX, f64::min),
            vertices().fold(f64::MIN, f64::max),
        ]
    };
    // Walls along x run through in odd courses; numbers begin where the wall starts.
    assert_eq!(along("south.course1.block1", 0)[0], 0.0);
    assert_eq!(along("south.course2.block1", 0)[0], 0.5);
    assert_eq!(along("west.course2.block1", 1)[1], 4.0);
    assert_eq!(along("west.course1.block1", 1)[1], 3.5);
    assert_eq!(along("north.course3.block1", 0)[1], 5.0);
    assert_eq!(
        assembly.named("east.course1.block1").group.as_deref(),
        Some("east")
    );
    // At each corner and in each course the wall that runs through touches the one that stops.
    for pair in [
        ["south", "east"],
        ["east", "north"],
        ["north", "west"],
        ["west", "south"],
    ] {
        // Twelve courses side by side, and beds of blocks on the blocks of the other wall.
        assert!(assembly.joints_between(pair[0], pair[1]) >= 12 + 11);
    }
    // Every course fills the plan, so that all beds together have the area of the plan, eleven times and on the ground.
    let beds: f64 = assembly
        .joints()
        .iter()
        .filter(|joint| joint.normal.z.abs() > 0.5)
        .map(|joint| joint.area)
        .sum();
    assert!((beds / (12.0 * 8.0) - 1.0).abs() < 1e-9, "{beds}");
}

#[test]
fn walls_meet_in_tees_and_crosses() {
    // A wall from face to face in the middle, crossed by another, of less height.
    let mut walls = room().walls;
    walls.push(wall("spine", [2.5, 0.5], [2.5, 3.5]));
    walls.push(BuildingWall {
        height: Some(2.0),
        thickness: 0.3,
        side: Some(Side::Centre),
        ..wall("cross", [0.5, 2.0], [4.5, 2.0])
    });
    let plan = 8.0 + 3.0 * 0.5;
    let cross = 2.0 * 0.3 * (4.0 - 0.5);
    let assembly = check(&building(walls), 3.0 * plan + cross, 0.15);
    // In even courses walls along y run through: the spine reaches to the outer face of the south wall.
    let first = |name: &str, axis: usize| {
        assembly
            .named(name)
            .vertices
            .iter()
            .map(|v| v[axis])
            .fold(f64::MAX, f64::min)
    };
    assert_eq!(first("spine.course2.block1", 1), 0.0);
    assert_eq!(first("spine.course1.block1", 1), 0.5);
    assert_eq!(first("cross.course1.block1", 0), 0.0);
    assert_eq!(first("cross.course2.block1", 0), 0.5);
    assert!(assembly.joints_between("spine", "cross") >= 2 * 8);
    assert!(
        assembly
            .pieces
            .iter()
            .all(|piece| !piece.name.starts_with("cross.course9"))
    );
}

#[test]
fn openings_gables_and_different_heights() {
    let mut house = room();
    house.walls[0].openings = vec![
        Opening {
            name: Some("door".into()),
            width: 1.0,
            height: 2.0,
            ..Opening::default()
        },
        Opening {
            name: Some("left".into()),
            at: Some(0.8),
            sill: Some(1.0),
            width: 0.5,
            height: 0.75,
            ..Opening::default()
        },
    ];
    house.walls[0].gable = Some(Gable {
        height: 1.5,
        ..Gable::default()
    });
    // Seen from outside the window is at the left of the north wall, near the east wall.
    house.walls[2].openings = vec![Opening {
        name: Some("window".into()),
        at: Some(1.1),
        sill: Some(0.75),
        width: 0.8,
        height: 0.5,
        ..Opening::default()
    }];
    house.walls[2].gable = Some(Gable {
        height: 1.5,
        width: Some(3.0),
        stepped: true,
    });
    house.walls[3].height = Some(2.75);
    // The twelfth course of the west wall is missing where the others do not run through.
    let openings = 0.5 * (1.0 * 2.0 + 0.5 * 0.75 + 0.8 * 0.5);
    let gables = 0.5 * (0.5 * 5.0 * 1.5 + 0.5 * 3.0 * 1.5);
    let course = 0.25 * 0.5 * 3.0;
    let assembly = check(&house, 3.0 * 8.0 - openings + gables - course, 0.0);
    let x = |name: &str| {
        let vertices = || assembly.named(name).vertices.iter().map(|v| v.x);
        [
            vertices().fold(f64::MAX, f64::min),
            vertices().fold(f64::MIN, f64::max),
        ]
    };
    // Half a block at each side of the jambs; lengths of the north wall count from the east.
    assert!((x("south.door.lintel")[0] - 1.7).abs() < 1e-12);
    assert!((x("north.window.lintel")[1] - (5.0 - 1.1 + 0.3)).abs() < 1e-12);
    let lintel = assembly.named("south.door.lintel");
    assert_eq!(lintel.group.as_deref(), Some("south"));
    // A wall that goes on above the eaves of a gable would stand on its wedge.
    let mut higher = house.clone();
    higher.walls[1].height = Some(3.25);
    assert_eq!(refused(&higher), ["walls[0].gable"]);
    // An arch in a wall that goes backwards: its first voussoir is at the left as seen from outside.
    house.walls[2].openings[0].top = Some(OpeningTop::Arch);
    let arched = grounded(&house);
    arched.assert_connected();
    let left = arched.named("north.window.voussoir1");
    assert!(left.vertices.iter().any(|v| (v.x - 3.9).abs() < 1e-12));
}

#[test]
fn parts_of_walls_go_on_above_the_rest() {
    // A tower over the south east corner, of which two walls stand on the ground inside.
    let mut walls = room().walls;
    walls[0].upper = vec![UpperPart {
        from: 3.5,
        to: 5.0,
        height: 4.5,
    }];
    walls[1].upper = vec![UpperPart {
        from: 0.0,
        to: 1.5,
        height: 4.5,
    }];
    let inner = |name, from, to| BuildingWall {
        height: Some(4.5),
        thickness: 0.4,
        ..wall(name, from, to)
    };
    walls.push(inner("back", [4.5, 1.5], [3.5, 1.5]));
    walls.push(inner("side", [3.5, 1.5], [3.5, 0.5]));
    // Inside the room two walls of 0.4 m around 0.6 x 0.6 m; above, the plan of the tower.
    let low = 3.0 * (8.0 + 1.0 - 0.6 * 0.6);
    let high = 1.5 * (1.5 * 1.5 - 0.6 * 0.6);
    let assembly = check(&building(walls.clone()), low + high, 0.1);
    assert_eq!(assembly.named("south.course13.block1").vertices[0].x, 3.5);
    walls[0].upper[0].to = 5.5;
    assert_eq!(refused(&building(walls.clone())), ["walls[0].upper[0]"]);
    walls[0].upper[0] = UpperPart {
        from: 3.5,
        to: 5.0,
        height: 2.0,
    };
    assert_eq!(refused(&building(walls)), ["walls[0].upper[0]"]);
}

/// The proposal for the stone house of NB section 4.5: exact courses, 98 + 43 + 50 blocks.
#[test]
fn exact_courses_are_taken_as_they_are() {
    let assembly = grounded(&stone_house());
    assembly.assert_connected();
    let count = |wall: &str| {
        assembly
            .pieces
            .iter()
            .filter(|piece| piece.group.as_deref() == Some(wall))
            .count()
    };
    assert_eq!(
        [count("east"), count("north"), count("south")],
        [98, 43, 50]
    );
    assert!(
        (assembly.volume() - 9.675).abs() < 1e-9,
        "{}",
        assembly.volume()
    );
    let lintel = assembly.named("north.lintel1");
    assert_eq!(
        lintel.vertices.iter().map(|v| v.y).fold(f64::MAX, f64::min),
        0.8
    );
    // A second wall in the same courses has no room.
    let mut clash = stone_house();
    clash.walls[1].joints[0] = clash.walls[1].joints[1].clone();
    assert_eq!(refused(&clash), ["walls[1].joints"]);
}

fn steps(from: f64, to: f64, count: usize) -> Vec<f64> {
    (0..=count)
        .map(|i| from + (to - from) * i as f64 / count as f64)
        .collect()
}

fn stone_house() -> Building {
    let odd = vec![steps(0.0, 1.575, 4), steps(2.575, 4.15, 4)];
    let even = vec![
        vec![0.5, 0.679, 1.038, 1.396, 1.575],
        vec![2.575, 2.754, 3.113, 3.471, 3.65],
    ];
    let mut east: Vec<Vec<Vec<f64>>> = Vec::new();
    for _ in 0..4 {
        east.extend([odd.clone(), even.clone()]);
    }
    east.push(vec![
        vec![0.0, 0.425, 0.85, 1.275],
        vec![2.875, 3.3, 3.725, 4.15],
    ]);
    let mut tenth = vec![0.5];
    tenth.extend(steps(0.697, 3.453, 7));
    tenth.push(3.65);
    east.push(vec![tenth]);
    east.push(vec![steps(0.5, 3.65, 8)]);
    east.push(vec![vec![1.025, 1.2, 1.55, 1.9, 2.25, 2.6, 2.95, 3.125]]);
    east.push(vec![vec![1.55, 1.9, 2.25, 2.6]]);
    let south_odd = vec![vec![0.5, 1.0, 1.5, 2.0, 2.5]];
    let south_even = vec![vec![0.0, 0.25, 0.75, 1.25, 1.75, 2.25, 2.5]];
    let south: Vec<Vec<Vec<f64>>> = (0..10)
        .map(|course| {
            if course % 2 == 0 {
                south_odd.clone()
            } else {
                south_even.clone()
            }
        })
        .collect();
    let mut north = south.clone();
    let wide = vec![vec![0.0, 0.275, 0.825, 1.1], vec![1.9, 2.5]];
    north[3] = wide.clone();
    north[4] = vec![vec![0.5, 1.1], vec![1.9, 2.5]];
    north[5] = wide;
    north[6] = vec![vec![0.5, 0.8], vec![2.2, 2.5]];
    let exact = |name: &str, from: [f64; 2], to: [f64; 2], joints, lintels| BuildingWall {
        height: None,
        joints,
        lintels,
        ..wall(name, from, to)
    };
    let lintel = |from, to, course| {
        vec![Lintel {
            from,
            to,
            course,
            courses: None,
        }]
    };
    let mut house = building(vec![
        exact(
            "east",
            [0.0, 0.0],
            [4.15, 0.0],
            east,
            lintel(1.275, 2.875, 9),
        ),
        exact(
            "north",
            [4.15, 0.0],
            [4.15, 2.5],
            north,
            lintel(0.8, 2.2, 7),
        ),
        exact("south", [0.0, 0.0], [0.0, 2.5], south, Vec::new()),
    ]);
    house.walls[2].side = Some(Side::Right);
    house
}

#[test]
fn towers_have_storeys_that_stand_back() {
    let belfry = Opening {
        name: Some("belfry".into()),
        sill: Some(0.6),
        width: 1.2,
        height: 0.9,
        top: Some(OpeningTop::Arch),
        ..Opening::default()
    };
    let tower = Tower {
        width: [4.0, 3.6],
        course_height: 0.3,
        block_length: 0.6,
        storeys: vec![
            Storey {
                height: 3.0,
                thickness: 0.9,
                south: vec![Opening {
                    width: 0.9,
                    height: 1.8,
                    ..Opening::default()
                }],
                ..Storey::default()
            },
            Storey {
                height: 2.4,
                thickness: 0.6,
                setback: Some(0.1),
                ..Storey::default()
            },
            Storey {
                height: 3.0,
                thickness: 0.6,
                openings: vec![belfry.clone()],
                ..Storey::default()
            },
        ],
        ..Tower::default()
    };
    let assembly = grounded(&tower);
    assembly.assert_connected();
    let ring = |x: f64, y: f64, t: f64| x * y - (x - 2.0 * t) * (y - 2.0 * t);
    let solid = 3.0 * ring(4.0, 3.6, 0.9) + 5.4 * ring(3.8, 3.4, 0.6) - 0.9 * 0.9 * 1.8;
    let openings = 4.0 * 0.6 * 1.2 * 0.9;
    let segment = 4.0 * 0.6 * 0.5 * std::f64::consts::PI * 0.36;
    let taken = solid - openings - assembly.volume();
    assert!(
        taken < segment && taken > 0.9 * segment,
        "{taken} of {segment}"
    );
    let find = |name: &str| assembly.named(name).vertices.clone();
    assert_eq!(
        find("south.course1.block1")
            .iter()
            .map(|v| v.x)
            .fold(f64::MAX, f64::min),
        -2.0
    );
    assert_eq!(
        find("south.course11.block1")
            .iter()
            .map(|v| v.x)
            .fold(f64::MAX, f64::min),
        -1.9
    );
    for side in ["south", "east", "north", "west"] {
        find(&format!("{side}.storey3.belfry.voussoir1"));
    }
    let inside = find("east.course20.block2")
        .iter()
        .map(|v| v.x)
        .fold(f64::MAX, f64::min);
    assert!((inside - 1.3).abs() < 1e-12, "{inside}");
    find("south.storey1.opening1.lintel");

    let wrong = |change: &dyn Fn(&mut Tower)| {
        let mut tower = tower.clone();
        change(&mut tower);
        refused(&tower)
    };
    assert_eq!(wrong(&|tower| tower.storeys.clear()), ["storeys"]);
    assert_eq!(
        wrong(&|tower| tower.storeys[1].thickness = 0.9),
        ["storeys[1].thickness"]
    );
    assert_eq!(
        wrong(&|tower| tower.storeys[0].thickness = 2.0),
        ["storeys[0].thickness"]
    );
    assert_eq!(
        wrong(&|tower| tower.storeys[1].height = 2.5),
        ["storeys[1].height"]
    );
    assert_eq!(
        wrong(&|tower| tower.storeys[2].openings[0].width = 3.7),
        ["storeys[2].openings[0].top"]
    );
    assert_eq!(
        wrong(&|tower| tower.storeys[2].openings[0] = Opening {
            width: 2.5,
            ..Opening {
                rise: Some(0.3),
                ..belfry.clone()
            }
        }),
        ["storeys[2].openings[0]"]
    );
}

#[test]
fn what_is_wrong_with_a_building_is_said_by_its_keys() {
    assert_eq!(
        refused(&Building::default()),
        ["course_height", "block_length", "walls"]
    );
    let wrong = |change: &dyn Fn(&mut Building)| {
        let mut building = room();
        change(&mut building);
        refused(&building)
    };
    assert_eq!(
        wrong(&|room| room.walls[1].to = [6.0, 4.0]),
        ["walls[1].to"]
    );
    assert_eq!(
        wrong(&|room| room.walls[1].to = room.walls[1].from),
        ["walls[1].to"]
    );
    assert_eq!(
        wrong(&|room| room.walls[2].thickness = 0.0),
        ["walls[2].thickness"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].height = Some(2.9)),
        ["walls[0].height"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].height = None),
        ["walls[0].height"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].base = Some(3.0)),
        ["walls[0].base"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].name = Some("east".into())),
        ["walls[1].name"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].height = Some(1e9)),
        ["walls[0].height"]
    );
    assert_eq!(wrong(&|room| room.block_length = 1e-6), ["block_length"]);
    assert_eq!(wrong(&|room| room.min_overlap = Some(0.5)), ["min_overlap"]);
    let twin = |room: &mut Building| {
        let mut twin = room.walls[0].clone();
        twin.name = None;
        room.walls.push(twin);
    };
    assert_eq!(wrong(&twin), ["walls[4].from"]);
    let door = |at| Opening {
        at: Some(at),
        width: 1.0,
        height: 2.0,
        ..Opening::default()
    };
    assert_eq!(
        wrong(&|room| room.walls[0].openings = vec![door(0.4)]),
        ["walls[0].openings[0]"]
    );
    assert_eq!(
        wrong(&|room| room.walls[0].lintels = vec![Lintel::default()]),
        ["walls[0].lintels"]
    );
    // A spine that stands out by 0.05 m.
    let stub = |room: &mut Building| room.walls.push(wall("spine", [2.5, -0.05], [2.5, 3.5]));
    assert_eq!(wrong(&stub), ["walls[4].from"]);
}
