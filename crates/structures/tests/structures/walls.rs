use drystone_structures::*;

use crate::kit::{Assembly, area, grounded, refused};

/// A wall of 4.0 x 2.0 x 0.3 m of blocks of 0.4 x 0.2 m.
fn wall() -> Wall {
    Wall {
        length: Some(4.0),
        height: Some(2.0),
        thickness: 0.3,
        block: Some([0.4, 0.2]),
        ..Wall::default()
    }
}

fn with(change: impl FnOnce(&mut Wall)) -> Wall {
    let mut wall = wall();
    change(&mut wall);
    wall
}

/// Stands on the ground without gaps: blocks connected, the volume as it should be, and joints over the whole area of all
/// beds and heads, which is half of what the surfaces of all blocks have more than the outside.
fn check(wall: &Wall, volume: f64) -> Assembly {
    let assembly = grounded(wall);
    assembly.assert_connected();
    let found = assembly.volume();
    assert!(
        (found / volume - 1.0).abs() < 1e-9,
        "{found} m³ instead of {volume}"
    );
    assembly
}

fn relative(found: f64, expected: f64) -> f64 {
    (found / expected - 1.0).abs()
}

/// Lengths along x of the blocks of a course.
fn lengths(assembly: &Assembly, course: usize) -> Vec<f64> {
    let start = format!("course{course}.");
    assembly
        .pieces
        .iter()
        .filter(|piece| piece.name.starts_with(&start))
        .map(|piece| {
            let x = || piece.vertices.iter().map(|v| v.x);
            x().fold(f64::MIN, f64::max) - x().fold(f64::MAX, f64::min)
        })
        .collect()
}

#[test]
fn a_running_bond_has_half_blocks_at_the_ends_of_every_second_course() {
    let assembly = check(
        &Wall {
            length: Some(8.0),
            courses: Some(10),
            thickness: 0.2,
            block: Some([0.4, 0.2]),
            ..Wall::default()
        },
        8.0 * 2.0 * 0.2,
    );
    assert_eq!(assembly.pieces.len(), 205 + 1);
    assert_eq!(assembly.pieces[20 + 7].name, "course2.block8");
    assert_eq!(lengths(&assembly, 2).len(), 21);
    assert!((lengths(&assembly, 2)[20] - 0.2).abs() < 1e-12);
    // Head joints 19 and 20 in turn, 40 bed joints between courses, 20 on the ground.
    assert_eq!(assembly.joints().len(), 5 * 19 + 5 * 20 + 9 * 40 + 20);
    let heads = 195.0 * 0.2 * 0.2;
    let beds = 10.0 * 8.0 * 0.2;
    assert!(relative(assembly.joint_area(), heads + beds) < 1e-9);
    // Neighbours share the coordinates of their joints to the last bit, also from course to course.
    let corner = |name: &str, index: usize| assembly.named(name).vertices[index];
    assert_eq!(corner("course3.block7", 7).x, corner("course3.block8", 0).x);
    assert_eq!(corner("course1.block3", 7).z, corner("course2.block3", 0).z);
}

#[test]
fn other_overlaps_and_lengths_that_are_no_whole_blocks() {
    let third = check(&with(|wall| wall.overlap = Some(0.25)), 2.4);
    let ends = lengths(&third, 2);
    assert!((ends[0] - 0.1).abs() < 1e-12 && (ends[ends.len() - 1] - 0.3).abs() < 1e-12);
    // 0.06 m would remain at the end: they belong to the last block.
    let odd = check(&with(|wall| wall.length = Some(4.06)), 4.06 * 0.6);
    assert_eq!(lengths(&odd, 1).len(), 10);
    assert!((lengths(&odd, 1)[9] - 0.46).abs() < 1e-12);
    assert!((lengths(&odd, 2)[10] - 0.26).abs() < 1e-12);
}

#[test]
fn stack_header_and_english_bonds() {
    let stack = check(&with(|wall| wall.bond = Some(Bond::Stack)), 2.4);
    assert_eq!(stack.pieces.len(), 100 + 1);
    assert_eq!(stack.joints().len(), 10 * 9 + 10 * 10);
    let header = check(&with(|wall| wall.bond = Some(Bond::Header)), 2.4);
    assert_eq!(header.pieces.len(), 5 * 20 + 5 * 21 + 1);
    // Stretchers in two leaves, ten each; headers of 0.2 m with closers of 0.1 m at both ends.
    let english = check(&with(|wall| wall.bond = Some(Bond::English)), 2.4);
    assert_eq!(english.pieces.len(), 5 * 20 + 5 * 21 + 1);
    assert_eq!(lengths(&english, 1).len(), 20);
    assert!((lengths(&english, 2)[0] - 0.1).abs() < 1e-12);
    // In a stretcher course 9 heads in each leaf and 10 joints between leaves; 20 heads of headers; between courses every head
    // joint of headers lies within a stretcher, so that there are 30 in each leaf.
    let inside = 5 * (18 + 10) + 5 * 20;
    assert_eq!(english.joints().len(), inside + 9 * 2 * 30 + 20);
    assert!(
        english
            .pieces
            .iter()
            .any(|piece| piece.name == "course3.leaf2.block10")
    );
}

#[test]
fn random_ashlar_breaks_its_joints_and_comes_from_its_seed() {
    let random = |seed| {
        with(|wall| {
            wall.bond = Some(Bond::Random);
            wall.seed = Some(seed);
            wall.block_lengths = Some([0.25, 0.7]);
            wall.course_heights = Some([0.15, 0.35]);
            wall.min_overlap = Some(0.08);
            wall.openings = vec![Opening {
                at: Some(1.5),
                sill: Some(0.5),
                width: 0.9,
                height: 0.8,
                ..Opening::default()
            }];
        })
    };
    let lintel = 0.2;
    let assembly = check(&random(3), 0.3 * (8.0 - 0.9 * 0.8));
    assert_eq!(assembly.pieces, grounded(&random(3)).pieces);
    assert_ne!(assembly.pieces, grounded(&random(4)).pieces);
    let top = assembly.named("opening1.lintel").vertices[7].z;
    assert!((top - (1.3 + lintel)).abs() < 1e-12);
    let mut heights = Vec::new();
    let mut below: Vec<f64> = Vec::new();
    for course in 1.. {
        let start = format!("course{course}.");
        let blocks = || {
            assembly
                .pieces
                .iter()
                .filter(|piece| piece.name.starts_with(&start))
        };
        if blocks().count() == 0 {
            break;
        }
        let ends: Vec<f64> = blocks()
            .flat_map(|piece| [piece.vertices[0].x, piece.vertices[7].x])
            .collect();
        for piece in blocks() {
            let [from, to] = [piece.vertices[0], piece.vertices[7]];
            heights.push(to.z - from.z);
            let length = to.x - from.x;
            // The stretches beside the lintel are what they are.
            assert!(length > 0.25 / 2.5 && length < 0.7 * 1.5 + 1e-9, "{length}");
            let inside = ends.iter().filter(|&&end| end == from.x).count() == 2;
            if inside {
                let near = below
                    .iter()
                    .map(|joint| (joint - from.x).abs())
                    .fold(f64::MAX, f64::min);
                assert!(near > 0.08 - 1e-9, "{near} in course {course}");
            }
        }
        below = ends;
    }
    assert!(heights.iter().all(|&height| height > 0.1 && height < 0.36));
    assert!(
        heights
            .iter()
            .any(|height| (height - heights[0]).abs() > 0.02)
    );
}

#[test]
fn leaves_are_held_together_by_through_stones() {
    let leaves = Leaves {
        count: 3,
        thicknesses: vec![0.1, 0.15, 0.05],
        through_every: Some(3),
        through_block: Some(4),
    };
    let assembly = check(&with(|wall| wall.leaves = Some(leaves)), 2.4);
    let through: Vec<&str> = assembly
        .pieces
        .iter()
        .filter(|piece| piece.group.as_deref() == Some("through"))
        .map(|piece| piece.name.as_str())
        .collect();
    // Three courses of 10, 11 and 10 blocks, every fourth one, beginning with another each time.
    assert_eq!(
        through,
        [
            "course3.block4",
            "course3.block8",
            "course6.block3",
            "course6.block7",
            "course6.block11",
            "course9.block2",
            "course9.block6",
            "course9.block10"
        ]
    );
    assert_eq!(assembly.pieces.len(), 3 * 105 - 2 * 8 + 1);
    let back = assembly.named("course1.leaf3.block1").vertices[7].y;
    assert_eq!(back, 0.3);
    let plain = check(
        &with(|wall| {
            wall.leaves = Some(Leaves {
                count: 2,
                ..Leaves::default()
            });
        }),
        2.4,
    );
    // Two walls of 105 blocks and as many joints between them.
    assert_eq!(plain.joints().len(), 2 * (95 + 9 * 20 + 10) + 105);
}

fn door() -> Opening {
    Opening {
        at: Some(1.3),
        width: 1.0,
        height: 1.2,
        ..Opening::default()
    }
}

#[test]
fn lintels_span_openings_and_blocks_end_at_the_jambs() {
    let window = Opening {
        name: Some("window".into()),
        at: Some(2.9),
        sill: Some(0.8),
        width: 0.5,
        height: 0.6,
        lintel_height: Some(0.4),
        bearing: Some(0.15),
        ..Opening::default()
    };
    let assembly = check(
        &with(|wall| wall.openings = vec![door(), window]),
        0.3 * (8.0 - 1.0 * 1.2 - 0.5 * 0.6),
    );
    let lintel = assembly.named("opening1.lintel");
    assert_eq!(lintel.group.as_deref(), Some("lintel"));
    assert!(
        (lintel.vertices[0].x - 1.1).abs() < 1e-12 && (lintel.vertices[7].x - 2.5).abs() < 1e-12
    );
    assert!((assembly.named("window.lintel").vertices[7].z - 1.8).abs() < 1e-12);
    for piece in &assembly.pieces {
        let length = piece.vertices[7].x - piece.vertices[0].x;
        assert!(length > 0.08 - 1e-9, "{}: {length} m", piece.name);
    }
    // Nothing stands in the door.
    let inside = assembly
        .pieces
        .iter()
        .filter(|piece| !piece.support)
        .any(|piece| {
            let [low, high] = [piece.vertices[0], piece.vertices[7]];
            low.z < 1.1 && low.x < 2.2 && high.x > 1.4
        });
    assert!(!inside);
}

/// What is left of a wall with an arch: the opening is the rectangle of the jambs and a polygon within the circle segment.
fn arched(opening: Opening, rise: f64) -> Assembly {
    let wall = Wall {
        length: Some(6.0),
        height: Some(4.0),
        thickness: 0.5,
        block: Some([0.5, 0.25]),
        openings: vec![opening.clone()],
        ..Wall::default()
    };
    let assembly = grounded(&wall);
    assembly.assert_connected();
    let half = 0.5 * opening.width;
    let radius = (half * half + rise * rise) / (2.0 * rise);
    let angle = 2.0 * (half / radius).min(1.0).asin();
    let segment = 0.5 * radius * radius * (angle - angle.sin());
    let solid = assembly.volume() / 0.5;
    let taken = 24.0 - solid - opening.width * opening.height;
    // Chords cut off a few percent of the segment, at most as much as chords of equal voussoirs half as many.
    assert!(
        taken < segment && taken > 0.93 * segment,
        "{taken} of {segment}"
    );
    let voussoirs: Vec<_> = assembly
        .pieces
        .iter()
        .filter(|piece| piece.group.as_deref() == Some("arch"))
        .collect();
    assert!(voussoirs.len() % 2 == 1);
    // Radial joints between neighbours, and nothing else inside the ring.
    let between = assembly.joints_between("opening1.voussoir", "opening1.voussoir");
    assert_eq!(between, voussoirs.len() - 1);
    // Mirrored about the middle of the opening.
    let middle = opening.at.unwrap() + half;
    for (one, other) in voussoirs.iter().zip(voussoirs.iter().rev()) {
        let sum: f64 = one
            .vertices
            .iter()
            .chain(&other.vertices)
            .map(|v| v.x - middle)
            .sum();
        assert!(sum.abs() < 1e-9, "{} {}", one.name, other.name);
    }
    assembly
}

#[test]
fn arches_over_openings_are_dressed_to_the_courses() {
    let arch = Opening {
        at: Some(2.0),
        sill: Some(0.5),
        width: 2.0,
        height: 1.0,
        top: Some(OpeningTop::Arch),
        ..Opening::default()
    };
    let semicircle = arched(arch.clone(), 1.0);
    let joint = semicircle
        .joints()
        .into_iter()
        .find(|joint| {
            joint.normal.z.abs() < 0.2
                && semicircle.pieces[joint.a as usize]
                    .name
                    .contains("voussoir")
        })
        .unwrap();
    assert!(joint.area > 0.0);
    // A ring at least as thick as asked for, here one course; the crown is in a bed.
    let key = semicircle
        .pieces
        .iter()
        .filter(|piece| piece.group.as_deref() == Some("arch"))
        .find(|piece| {
            let x = || piece.vertices.iter().map(|v| v.x);
            x().fold(f64::MAX, f64::min) < 3.0 && x().fold(f64::MIN, f64::max) > 3.0
        })
        .unwrap();
    let top = key.vertices.iter().map(|v| v.z).fold(f64::MIN, f64::max);
    assert!((top - 2.75).abs() < 1e-12, "{top}");
    for (rise, ring, voussoir) in [
        (0.3, 0.3, 0.2),
        (0.5, 0.5, 0.25),
        (0.7, 0.25, 0.4),
        (1.0, 0.6, 0.15),
        (0.99, 0.6, 0.5),
        (0.2, 0.5, 0.3),
    ] {
        let opening = Opening {
            rise: Some(rise),
            ring: Some(ring),
            voussoir: Some(voussoir),
            ..arch.clone()
        };
        arched(opening, rise);
    }
}

#[test]
fn corbels_close_an_opening_step_by_step() {
    let opening = Opening {
        top: Some(OpeningTop::Corbel),
        step: Some(0.15),
        height: 0.8,
        ..door()
    };
    // Three courses with gaps of 0.7, 0.4 and 0.1 m above the head.
    let assembly = check(
        &with(|wall| wall.openings = vec![opening]),
        0.3 * (8.0 - 0.8 - 0.2 * (0.7 + 0.4 + 0.1)),
    );
    assert!(assembly.pieces.iter().all(|piece| piece.group.is_none()));
    let none = Opening {
        top: Some(OpeningTop::None),
        height: 2.0,
        ..door()
    };
    check(&with(|wall| wall.openings = vec![none]), 0.3 * 6.0);
}

#[test]
fn gables_have_steps_or_slopes() {
    let slope = |stepped, width| {
        with(|wall| {
            wall.gable = Some(Gable {
                height: 1.4,
                width,
                stepped,
            });
        })
    };
    let cut = check(&slope(false, None), 0.3 * (8.0 + 0.5 * 4.0 * 1.4));
    let tip = cut
        .pieces
        .iter()
        .flat_map(|piece| &piece.vertices)
        .map(|v| v.z)
        .fold(0.0, f64::max);
    assert!((tip - 3.4).abs() < 1e-12);
    assert_eq!(cut.named("course12.block2").group.as_deref(), Some("gable"));
    assert_eq!(cut.named("course10.block2").group, None);
    let stepped = check(&slope(true, None), 0.3 * (8.0 + 0.5 * 4.0 * 1.4));
    assert_eq!(lengths(&stepped, 17).len(), 1);
    check(&slope(false, Some(3.0)), 0.3 * (8.0 + 0.5 * 3.0 * 1.4));
    // A steep one: its tip would be 0.05 m long at half height, and is left out.
    let steep = slope(false, Some(0.7));
    check(&steep, 0.3 * (8.0 + 0.5 * 0.7 * 1.4 - 0.5 * 0.1 * 0.2));
    // A flat one, whose blocks at the ends are wedges.
    let flat = with(|wall| {
        wall.gable = Some(Gable {
            height: 0.4,
            ..Gable::default()
        });
        wall.bond = Some(Bond::English);
    });
    let flat = check(&flat, 0.3 * (8.0 + 0.5 * 4.0 * 0.4));
    for piece in flat.pieces.iter().filter(|piece| piece.group.is_some()) {
        let half = piece.vertices.len() / 2;
        let corners: Vec<[f64; 2]> = if half == 4 {
            continue;
        } else {
            piece.vertices[..half].iter().map(|v| [v.x, v.z]).collect()
        };
        assert!(area(&corners) > 0.2 * 0.08 - 1e-9, "{}", piece.name);
    }
}

const PANELS: [(&[&str], u32, usize, usize); 6] = [
    (&["h1111h", "11111"], 6, 33, 83),
    (&["h1111h", "11111"], 10, 55, 141),
    (
        &[
            "1111", "h111h", "1111", "h1o1h", "1hoh1", "h1o1h", "1hoh1", "h1o1h", "1111", "h111h",
            "1111",
        ],
        11,
        46,
        102,
    ),
    (
        &[
            "h1111h", "11111", "h1111h", "1o1o1", "hhohhohh", "1o1o1", "hhohhohh", "1o1o1",
            "h1111h", "11111", "h1111h",
        ],
        11,
        55,
        116,
    ),
    (
        &["h11h", "111", "h11h", "1o1", "hhohh", "1o1", "hhohh", "1o1"],
        19,
        61,
        120,
    ),
    (
        &[
            "h111111h",
            "1111111",
            "h111111h",
            "1111111",
            "h1o11o1h",
            "1hoh1hoh1",
            "h1o11o1h",
            "1hoh1hoh1",
            "h1o11o1h",
            "1111111",
            "h111111h",
            "1111111",
            "h1o11o1h",
            "1hoh1hoh1",
            "h1o11o1h",
            "1hoh1hoh1",
            "h1o11o1h",
            "1111111",
            "h111111h",
            "1111111",
            "h111111h",
        ],
        21,
        146,
        345,
    ),
];

/// The panels of Ferris and Tin-Loi have as many blocks and contacts as their published connectivity.
#[test]
fn patterns_make_exact_courses() {
    for (pattern, courses, blocks, contacts) in PANELS {
        let panel = Wall {
            thickness: 0.2,
            block: Some([0.4, 0.175]),
            pattern: pattern.iter().map(|&course| course.into()).collect(),
            courses: Some(courses),
            ..Wall::default()
        };
        let assembly = grounded(&panel);
        assembly.assert_connected();
        assert_eq!(assembly.pieces.len() - 1, blocks);
        assert_eq!(assembly.joints().len(), contacts, "{blocks} blocks");
    }
}

/// A portal with a lintel in two courses: 149 blocks, 389 interfaces.
#[test]
fn lintels_lie_in_the_courses_that_leave_room() {
    let full = "111111111111".to_owned();
    let halves = "h11111111111h".to_owned();
    let mut pattern: Vec<String> = Vec::new();
    for _ in 0..4 {
        pattern.extend(["1111oooo1111".to_owned(), "h111hooooh111h".to_owned()]);
    }
    pattern.extend(["111oooooo111".to_owned(), "h11hooooooh11h".to_owned()]);
    pattern.extend([full.clone(), halves.clone(), full.clone(), halves, full]);
    let lintel = Lintel {
        from: 0.3,
        to: 0.9,
        course: 9,
        courses: Some(2),
    };
    let portal = Wall {
        thickness: 0.1,
        block: Some([0.1, 0.05]),
        pattern,
        lintels: vec![lintel.clone()],
        ..Wall::default()
    };
    let assembly = check(&portal, 0.1 * (1.2 * 0.75 - 0.4 * 0.4));
    assert_eq!(assembly.pieces.len() - 1, 149);
    assert_eq!(assembly.joints().len(), 389);
    assert_eq!(assembly.named("lintel1").group.as_deref(), Some("lintel"));
    let clash = Wall {
        lintels: vec![
            Lintel {
                from: 0.25,
                ..lintel.clone()
            },
            Lintel {
                course: 15,
                ..lintel
            },
        ],
        ..portal
    };
    assert_eq!(refused(&clash), ["lintels[0]", "lintels[1].course"]);
}

#[test]
fn joints_in_metres_make_exact_courses() {
    let wall = Wall {
        thickness: 0.5,
        joints: vec![
            vec![vec![0.0, 0.4, 1.0], vec![1.5, 2.0]],
            vec![vec![0.0, 0.7, 1.3, 2.0]],
        ],
        levels: vec![0.0, 0.3, 0.5],
        ..Wall::default()
    };
    let assembly = check(&wall, 0.5 * (1.5 * 0.3 + 2.0 * 0.2));
    assert_eq!(assembly.pieces.len() - 1, 6);
    assert_eq!(assembly.named("course1.block3").vertices[0].x, 1.5);
    let repeated = Wall {
        levels: Vec::new(),
        block: Some([0.5, 0.3]),
        courses: Some(5),
        ..wall
    };
    assert_eq!(
        check(&repeated, 0.15 * (3.0 * 1.5 + 2.0 * 2.0))
            .pieces
            .len()
            - 1,
        15
    );
}

#[test]
fn a_stack_stands_block_on_block() {
    let stack = Stack {
        count: 30,
        block: [0.5, 0.4, 0.3],
    };
    let assembly = grounded(&stack);
    assembly.assert_connected();
    assert_eq!(assembly.joints().len(), 30);
    assert_eq!(assembly.pieces[29].name, "block30");
    assert_eq!(
        assembly.pieces[28].vertices[7].z,
        assembly.pieces[29].vertices[0].z
    );
    assert!(relative(assembly.joint_area(), 30.0 * 0.2) < 1e-9);
    assert_eq!(
        refused(&Stack::default()),
        ["count", "block", "block", "block"]
    );
}

#[test]
fn what_is_wrong_with_a_wall_is_said_by_its_keys() {
    assert_eq!(
        refused(&Wall::default()),
        ["thickness", "height", "length", "block"]
    );
    let wrong = |change: &dyn Fn(&mut Wall)| refused(&with(change));
    assert_eq!(wrong(&|wall| wall.length = Some(f64::NAN)), ["length"]);
    assert_eq!(wrong(&|wall| wall.length = Some(1e9)), ["length"]);
    assert_eq!(wrong(&|wall| wall.height = Some(1e9)), ["height"]);
    assert_eq!(wrong(&|wall| wall.height = Some(1.9)), ["height"]);
    assert_eq!(wrong(&|wall| wall.courses = Some(3)), ["courses"]);
    assert_eq!(wrong(&|wall| wall.block = Some([0.4, 0.0])), ["block"]);
    assert_eq!(wrong(&|wall| wall.seed = Some(3)), ["seed"]);
    assert_eq!(wrong(&|wall| wall.overlap = Some(1.0)), ["overlap"]);
    assert_eq!(wrong(&|wall| wall.min_length = Some(0.3)), ["min_length"]);
    assert_eq!(wrong(&|wall| wall.levels = vec![0.0, 1.0]), ["levels"]);
    let random = |wall: &mut Wall| wall.bond = Some(Bond::Random);
    assert_eq!(
        wrong(&|wall| {
            random(wall);
            wall.block_lengths = Some([0.5, 0.4]);
            wall.course_heights = Some([0.0, 0.4]);
        }),
        ["block_lengths", "course_heights"]
    );
    let leaves = |leaves: Leaves| wrong(&|wall| wall.leaves = Some(leaves.clone()));
    assert_eq!(leaves(Leaves::default()), ["leaves.count"]);
    assert_eq!(
        leaves(Leaves {
            count: 2,
            thicknesses: vec![0.1, 0.1],
            through_block: Some(0),
            ..Leaves::default()
        }),
        [
            "leaves.through_block",
            "leaves.through_block",
            "leaves.thicknesses"
        ]
    );
    let gable = |height, width| {
        wrong(&|wall| {
            wall.gable = Some(Gable {
                height,
                width,
                stepped: false,
            })
        })
    };
    assert_eq!(gable(1.5, None), ["gable.height"]);
    assert_eq!(gable(1.4, Some(4.5)), ["gable.width"]);
    let exact = Wall {
        thickness: 0.2,
        block: Some([0.4, 0.2]),
        pattern: vec!["11x".into(), "11".into()],
        ..Wall::default()
    };
    assert_eq!(refused(&exact), ["pattern[0]", "pattern[1]"]);
    let joints = |joints: Vec<Vec<Vec<f64>>>| {
        refused(&Wall {
            pattern: Vec::new(),
            joints,
            ..exact.clone()
        })
    };
    assert_eq!(joints(vec![vec![vec![0.0]]]), ["joints[0][0]"]);
    assert_eq!(
        joints(vec![vec![vec![0.0, 1.0], vec![0.5, 2.0]]]),
        ["joints[0][1]"]
    );
}

#[test]
fn what_is_wrong_with_an_opening_is_said_by_its_keys() {
    let wrong = |openings: &[Opening]| refused(&with(|wall| wall.openings = openings.to_vec()));
    let change = |change: &dyn Fn(&mut Opening)| {
        let mut opening = door();
        change(&mut opening);
        wrong(&[opening])
    };
    assert_eq!(
        wrong(&[Opening::default()]),
        ["openings[0].width", "openings[0].height"]
    );
    assert_eq!(
        change(&|door| door.sill = Some(0.3)),
        ["openings[0].sill", "openings[0].height"]
    );
    assert_eq!(
        change(&|door| door.height = 2.0),
        ["openings[0].lintel_height"]
    );
    assert_eq!(change(&|door| door.at = Some(0.05)), ["openings[0]"]);
    assert_eq!(change(&|door| door.rise = Some(0.2)), ["openings[0].rise"]);
    let arch = |door: &mut Opening| door.top = Some(OpeningTop::Arch);
    assert_eq!(
        change(&|door| {
            arch(door);
            door.rise = Some(0.6);
        }),
        ["openings[0].rise"]
    );
    assert_eq!(
        change(&|door| {
            arch(door);
            door.height = 1.6;
        }),
        ["openings[0].top"]
    );
    assert_eq!(
        change(&|door| {
            door.top = Some(OpeningTop::Corbel);
            door.step = Some(0.05);
        }),
        ["openings[0].step"]
    );
    assert_eq!(
        wrong(&[
            door(),
            Opening {
                at: Some(2.5),
                ..door()
            }
        ]),
        ["openings[1]"]
    );
}

#[test]
fn course_heights_that_cannot_be_kept_are_equal_and_noted() {
    let tall = |height: f64| {
        with(|wall| {
            wall.bond = Some(Bond::Random);
            wall.seed = Some(3);
            wall.height = Some(height);
            wall.course_heights = Some([0.24, 0.26]);
        })
    };
    // Eight courses of 0.2625 m are nearer to the range than nine of 0.2333 m.
    let wall = tall(2.1);
    let notes = wall.notes();
    assert!(
        notes
            .iter()
            .any(|note| note.contains("are 0.263 m high (8)")),
        "{notes:?}"
    );
    let assembly = check(&wall, 4.0 * 0.3 * 2.1);
    let blocks = assembly
        .pieces
        .iter()
        .filter(|piece| piece.name != "ground");
    for piece in blocks {
        let z = || piece.vertices.iter().map(|v| v.z);
        let height = z().fold(f64::MIN, f64::max) - z().fold(f64::MAX, f64::min);
        assert!(
            (height - 2.1 / 8.0).abs() < 1e-12,
            "{} is {height} m high",
            piece.name
        );
    }
    // Nine of 0.2389 m are nearer than eight of 0.2688 m.
    let notes = tall(2.15).notes();
    assert!(
        notes
            .iter()
            .any(|note| note.contains("are 0.239 m high (9)")),
        "{notes:?}"
    );
    assert!(!tall(2.0).notes().iter().any(|note| note.contains("high (")));
}
