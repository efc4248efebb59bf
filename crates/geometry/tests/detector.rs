//! Many blocks: the tree, what the detector remembers, threads, bad numbers, overlaps of a drawing.

mod common;

use common::{Random, contacts, cuboid, prism};
use drystone_geometry::{
    Aabb, ContactSet, DQuat, DVec3, Detector, Polyhedron, Pose, Tree, overlaps,
};

fn pairs_by_force(boxes: &[Aabb]) -> Vec<(u32, u32)> {
    let mut pairs = Vec::new();
    for i in 0..boxes.len() {
        for j in i + 1..boxes.len() {
            if boxes[i].overlaps(&boxes[j]) {
                pairs.push((i as u32, j as u32));
            }
        }
    }
    pairs
}

fn random_box(random: &mut Random) -> Aabb {
    let centre = random.in_cube(5.0);
    let half = DVec3::new(
        random.within(0.0, 1.0),
        random.within(0.0, 0.5),
        random.within(0.0, 1.0),
    );
    Aabb {
        min: centre - half,
        max: centre + half,
    }
}

#[test]
fn the_tree_finds_all_pairs_through_insertions_moves_and_removals() {
    let mut random = Random(31);
    let mut boxes: Vec<Aabb> = (0..200).map(|_| random_box(&mut random)).collect();
    let mut built = Tree::build(&boxes);
    let mut grown = Tree::default();
    for (i, bounds) in boxes.iter().enumerate() {
        grown.put(i as u32, *bounds);
    }
    for round in 0..50 {
        for tree in [&mut built, &mut grown] {
            let mut found = Vec::new();
            tree.self_pairs(|i, j| found.push((i.min(j), i.max(j))));
            found.sort_unstable();
            assert_eq!(found, pairs_by_force(&boxes), "round {round}");
            let probe = random_box(&mut random);
            let mut hit = Vec::new();
            tree.query(&probe, |i| hit.push(i as usize));
            hit.sort_unstable();
            let expected: Vec<usize> = (0..boxes.len())
                .filter(|&i| boxes[i].overlaps(&probe))
                .collect();
            assert_eq!(hit, expected);
        }
        for _ in 0..40 {
            let item = random.below(boxes.len());
            // An empty box overlaps nothing: stands for an item taken out.
            boxes[item] = if random.below(4) == 0 {
                Aabb::EMPTY
            } else {
                random_box(&mut random)
            };
            for tree in [&mut built, &mut grown] {
                if boxes[item] == Aabb::EMPTY {
                    tree.remove(item as u32);
                    tree.remove(item as u32);
                } else {
                    tree.put(item as u32, boxes[item]);
                }
            }
        }
    }
}

/// A wall in running bond on a fixed base.
fn wall(courses: usize, length: usize) -> (Vec<Polyhedron>, Vec<Pose>, Vec<bool>) {
    let mut shapes = vec![cuboid(0.4 * length as f64 + 1.0, 0.4, 0.2); 2];
    let mut poses = vec![
        Pose::at(DVec3::new(0.2 * length as f64, 0.0, -0.2)),
        Pose::at(DVec3::new(0.2 * length as f64, 0.4, -0.2)),
    ];
    for course in 0..courses {
        for place in 0..length {
            let x = 0.4 * place as f64 + if course % 2 == 0 { 0.0 } else { 0.2 };
            shapes.push(cuboid(0.4, 0.2, 0.2));
            poses.push(Pose::at(DVec3::new(x, 0.0, 0.2 * course as f64)));
        }
    }
    let fixed = (0..shapes.len()).map(|i| i < 2).collect();
    (shapes, poses, fixed)
}

/// Moves blocks more and more, so that the tree is used in every way.
fn shake(poses: &mut [Pose], random: &mut Random, step: usize) {
    let amplitude = 1e-5 * 1.5f64.powi(step as i32 % 24);
    for pose in poses.iter_mut().skip(2) {
        // Some blocks only, in some steps.
        if step.is_multiple_of(3) || random.below(20) == 0 {
            pose.position += random.in_cube(amplitude);
            pose.rotation = (random.small_rotation(amplitude) * pose.rotation).normalize();
        }
    }
}

#[test]
fn what_the_detector_remembers_changes_no_bit() {
    let (shapes, mut poses, fixed) = wall(8, 8);
    let mut random = Random(32);
    let mut lasting = Detector::new(shapes.clone(), fixed.clone());
    let mut touching = 0;
    for step in 0..120 {
        shake(&mut poses, &mut random, step);
        let margins: Vec<f64> = poses.iter().map(|_| random.within(0.0, 2e-3)).collect();
        let fresh = Detector::new(shapes.clone(), fixed.clone())
            .detect(&poses, &margins)
            .clone();
        assert_eq!(lasting.detect(&poses, &margins), &fresh, "step {step}");
        touching += fresh.manifolds.len();
    }
    assert!(touching > 120 * 50);
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let (shapes, mut poses, fixed) = wall(20, 30);
            let mut random = Random(33);
            let margins = vec![1e-3; shapes.len()];
            let mut detector = Detector::new(shapes, fixed);
            let mut all: Vec<ContactSet> = Vec::new();
            for step in 0..6 {
                shake(&mut poses, &mut random, step);
                all.push(detector.detect(&poses, &margins).clone());
            }
            all
        })
    };
    let alone = run(1);
    assert!(alone[0].manifolds.len() > 1500);
    assert_eq!(alone, run(2));
    assert_eq!(alone, run(5));
}

#[test]
fn the_order_of_blocks_renames_but_does_not_change_contacts() {
    let (shapes, mut poses, _) = wall(5, 5);
    let mut random = Random(34);
    shake(&mut poses, &mut random, 12);
    let set = contacts(&shapes, &poses, 1e-3);
    let reversed: (Vec<Polyhedron>, Vec<Pose>) = (
        shapes.iter().rev().cloned().collect(),
        poses.iter().rev().copied().collect(),
    );
    let other = contacts(&reversed.0, &reversed.1, 1e-3);
    assert_eq!(set.manifolds.len(), other.manifolds.len());
    let last = shapes.len() as u32 - 1;
    for m in &set.manifolds {
        let twin = other
            .manifolds
            .iter()
            .find(|o| (last - o.b, last - o.a) == (m.a, m.b))
            .unwrap();
        assert!((m.normal + twin.normal).length() < 1e-13);
        assert_eq!(m.count, twin.count);
        assert!((m.area - twin.area).abs() < 1e-14);
    }
}

#[test]
fn fixed_blocks_do_not_touch_each_other() {
    let (shapes, poses, fixed) = wall(2, 3);
    let all = contacts(&shapes, &poses, 1e-3);
    assert!(all.manifolds.iter().any(|m| (m.a, m.b) == (0, 1)));
    let mut detector = Detector::new(shapes.clone(), fixed);
    let set = detector.detect(&poses, &vec![1e-3; shapes.len()]);
    assert!(!set.manifolds.iter().any(|m| (m.a, m.b) == (0, 1)));
    assert_eq!(set.manifolds.len(), all.manifolds.len() - 1);
}

#[test]
fn a_running_bond_wall_has_its_beds_and_heads_and_nothing_else() {
    let (shapes, poses, fixed) = wall(10, 10);
    let mut detector = Detector::new(shapes.clone(), fixed);
    let set = detector.detect(&poses, &vec![1e-4; shapes.len()]);
    // Ten blocks on the base, nineteen beds between courses, nine heads in each course.
    assert_eq!(set.manifolds.len(), 10 + 9 * 19 + 10 * 9);
    assert_eq!(set.points.len(), 4 * set.manifolds.len());
    for m in &set.manifolds {
        // Seen from the lower number the neighbour is above or to the right.
        assert!(m.normal.dot(DVec3::Z) > 1.0 - 1e-15 || m.normal.dot(DVec3::X) > 1.0 - 1e-15);
        assert!(set.points_of(m).iter().all(|p| p.gap.abs() < 1e-15));
    }
    let index: Vec<(u32, u32)> = set.manifolds.iter().map(|m| (m.a, m.b)).collect();
    assert!(index.is_sorted() && index.iter().all(|(a, b)| a < b));
}

#[test]
fn margins_decide_what_is_near() {
    let shapes = [cuboid(1.0, 1.0, 1.0), cuboid(1.0, 1.0, 1.0)];
    for (gap, margins, count) in [
        (1e-3, [1e-3, 1e-4], 4),
        (1e-3, [1e-4, 1e-3], 4),
        (1e-3, [1e-4, 1e-4], 0),
        (-1e-3, [0.0, 0.0], 4),
    ] {
        let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::Z * (1.0 + gap))];
        let set = Detector::new(shapes.to_vec(), vec![])
            .detect(&poses, &margins)
            .clone();
        assert_eq!(set.points.len(), count);
        assert!(set.points.iter().all(|p| (p.gap - gap).abs() < 1e-15));
    }
}

#[test]
fn far_from_the_origin_contacts_are_as_exact() {
    let (shapes, mut poses, _) = wall(3, 3);
    let near = contacts(&shapes, &poses, 1e-4);
    for pose in &mut poses {
        pose.position += DVec3::new(1e4, -2e4, 500.0);
    }
    let far = contacts(&shapes, &poses, 1e-4);
    assert_eq!(near.points.len(), far.points.len());
    for (p, q) in near.points.iter().zip(&far.points) {
        assert_eq!(p.id, q.id);
        // Positions some 2e4 m away carry 4e-12 m; nothing else is lost.
        assert!((p.gap - q.gap).abs() < 1e-11);
    }
}

#[test]
fn blocks_with_bad_numbers_touch_nothing() {
    let (shapes, mut poses, fixed) = wall(4, 4);
    let mut detector = Detector::new(shapes.clone(), fixed);
    let margins = vec![1e-3; shapes.len()];
    let before = detector.detect(&poses, &margins).clone();
    let good = poses.clone();
    poses[5].position.x = f64::NAN;
    poses[9].rotation = DQuat::from_xyzw(f64::NAN, 0.0, 0.0, f64::INFINITY);
    poses[11].position.z = f64::INFINITY;
    let set = detector.detect(&poses, &margins);
    assert!(
        set.manifolds
            .iter()
            .all(|m| [m.a, m.b].iter().all(|i| ![5, 9, 11].contains(i)))
    );
    assert!(!set.manifolds.is_empty());
    assert_eq!(detector.detect(&good, &margins), &before, "and it recovers");
    assert!(
        Detector::new(Vec::<Polyhedron>::new(), vec![])
            .detect(&[], &[])
            .manifolds
            .is_empty()
    );
}

#[test]
fn overlaps_of_a_drawing_are_measured() {
    let shapes = vec![
        cuboid(1.0, 1.0, 1.0),
        cuboid(1.0, 1.0, 1.0),
        prism(24, 0.5, 1.0),
    ];
    let poses = [
        Pose::at(DVec3::ZERO),
        Pose::at(DVec3::new(0.2, 0.1, 0.97)),
        Pose::at(DVec3::new(5.0, 0.0, 0.0)),
    ];
    let found = overlaps(&shapes, &poses);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].a, found[0].b), (0, 1));
    assert!((found[0].depth - 0.03).abs() < 1e-12);
    assert!(found[0].at.distance(DVec3::new(0.1, 0.05, 0.485)) < 1e-12);
    // Touching, and overlapping within the accuracy of drawings, is fine.
    for depth in [0.0, 0.5e-4] {
        let poses = [
            Pose::at(DVec3::ZERO),
            Pose::at(DVec3::Z * (1.0 - depth)),
            poses[2],
        ];
        assert!(overlaps(&shapes, &poses).is_empty());
    }
    // The same block twice.
    let twice = [Pose::at(DVec3::ZERO), Pose::at(DVec3::ZERO), poses[2]];
    let found = overlaps(&shapes, &twice);
    assert!((found[0].depth - 1.0).abs() < 1e-12);
}
