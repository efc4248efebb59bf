//! What random walls keep, and what they say where they can't.

use drystone_structures::{Bond, Gable, Opening, Structure, Wall};

fn wall(seed: u32, change: impl Fn(&mut Wall)) -> Wall {
    let mut wall = Wall {
        length: Some(3.0),
        courses: Some(8),
        thickness: 0.3,
        block: Some([0.5, 0.2]),
        bond: Some(Bond::Random),
        seed: Some(seed),
        block_lengths: Some([0.45, 0.55]),
        ..Wall::default()
    };
    change(&mut wall);
    wall
}

/// Blocks of a course at half its height: from where to where, m.
fn course(wall: &Wall, number: usize) -> Vec<[f64; 2]> {
    let pieces = wall
        .pieces()
        .unwrap_or_else(|misfits| panic!("{misfits:?}"));
    let start = format!("course{number}.");
    let own = pieces.iter().filter(|piece| piece.name.starts_with(&start));
    own.map(|piece| {
        let x = || piece.vertices.iter().map(|vertex| vertex.x);
        [x().fold(f64::MAX, f64::min), x().fold(f64::MIN, f64::max)]
    })
    .collect()
}

/// Least distance of a head joint from an end of a block below, m.
fn overlap(wall: &Wall, courses: usize) -> f64 {
    let mut nearest = f64::MAX;
    for number in 2..=courses {
        let (below, own) = (course(wall, number - 1), course(wall, number));
        for joint in own.iter().map(|block| block[0]) {
            if own.iter().any(|block| block[1] == joint) {
                let ends = below.iter().flatten().map(|end| (end - joint).abs());
                nearest = ends.fold(nearest, f64::min);
            }
        }
    }
    nearest
}

/// Blocks of nearly one length in a wall of six of them: without shorter ones at the ends their joints would lie above each
/// other.
#[test]
fn blocks_of_nearly_one_length_keep_their_overlap() {
    for seed in 0..40 {
        let wall = wall(seed, |wall| wall.min_overlap = Some(0.125));
        assert!(overlap(&wall, 8) >= 0.125 * (1.0 - 1e-6), "seed {seed}");
        assert_eq!(wall.notes(), [""; 0], "seed {seed}");
        for number in 1..=8 {
            let blocks = course(&wall, number);
            for block in &blocks[1..blocks.len() - 1] {
                let length = block[1] - block[0];
                assert!((0.45 - 1e-6..0.55 + 1e-6).contains(&length), "{length}");
            }
        }
    }
}

/// Blocks of 0.4 m below leave no room for joints 0.21 m from their own. Without redrawing the course below, six of these
/// walls would miss their overlap.
#[test]
fn the_course_below_is_drawn_again_where_that_helps() {
    for seed in 0..40 {
        let wall = wall(seed, |wall| {
            wall.length = Some(6.1);
            wall.block_lengths = Some([0.4, 0.6]);
            wall.min_overlap = Some(0.21);
        });
        assert!(overlap(&wall, 8) >= 0.21 * (1.0 - 1e-6), "seed {seed}");
    }
}

#[test]
fn an_overlap_that_is_impossible_is_refused_and_says_where_and_what_would_be_possible() {
    let wall = wall(1, |wall| wall.min_overlap = Some(0.3));
    let misfits = wall.pieces().expect_err("it was accepted");
    assert_eq!(misfits.len(), 1);
    assert_eq!(misfits[0].key, "min_overlap");
    assert!(
        misfits[0].what.contains("courses, the first is 2"),
        "{misfits:?}"
    );
    // What it says can be done.
    let words: Vec<&str> = misfits[0].help.split(' ').collect();
    let possible: f64 = words[2].parse().expect("a number");
    assert!((0.15..0.28).contains(&possible), "{misfits:?}");
    let mut wall = wall;
    wall.min_overlap = Some(possible);
    assert!(overlap(&wall, 8) >= possible * (1.0 - 1e-6));
}

#[test]
fn what_was_not_asked_for_is_noted_where_it_is_not_kept() {
    // A quarter of a block of 1 m is more than half of blocks of 0.4 m.
    let wide = wall(1, |wall| {
        wall.block = Some([1.0, 0.2]);
        wall.block_lengths = Some([0.38, 0.42]);
    });
    let notes = wide.notes();
    assert_eq!(notes.len(), 1, "{notes:?}");
    assert!(
        notes[0].contains("only 0.") && notes[0].contains("courses"),
        "{notes:?}"
    );
    // 0.75 m beside a door are neither one block nor two.
    let door = wall(1, |wall| {
        wall.length = Some(2.5);
        wall.block_lengths = Some([0.6, 0.62]);
        wall.min_length = Some(0.2);
        wall.openings = vec![Opening {
            width: 1.0,
            height: 1.0,
            ..Opening::default()
        }];
    });
    let notes = door.notes();
    assert!(
        notes.iter().any(|note| note.contains("can't be divided")),
        "{notes:?}"
    );
}

/// Under slopes joints are moved onto corners of the outline; that must not bring them too near to those below either.
#[test]
fn gables_keep_their_overlap() {
    for seed in 0..20 {
        let wall = wall(seed, |wall| {
            wall.length = Some(5.0);
            wall.min_overlap = Some(0.12);
            wall.block_lengths = Some([0.35, 0.7]);
            wall.gable = Some(Gable {
                height: 1.6,
                ..Gable::default()
            });
        });
        if let Err(misfits) = wall.pieces() {
            panic!("seed {seed}: {misfits:?}");
        }
    }
}
