//! The situations of masonry in which contact detection goes wrong, one test each.

mod common;

use common::{Random, centred, contacts, cuboid, prism, voussoir_points};
use drystone_geometry::{
    ContactPoint, ContactSet, DQuat, DVec3, Detector, FeatureId, Polyhedron, Pose,
};

const MARGIN: f64 = 2e-4;

fn pair_normals(set: &ContactSet) -> Vec<(u32, u32, DVec3)> {
    set.manifolds.iter().map(|m| (m.a, m.b, m.normal)).collect()
}

fn ids(set: &ContactSet) -> Vec<FeatureId> {
    set.points.iter().map(|p| p.id).collect()
}

#[test]
fn trap_i_diagonal_neighbours_in_stack_bond_do_not_touch() {
    let shape = cuboid(0.4, 0.2, 0.2);
    let mut random = Random(11);
    for round in 0..2000 {
        // Exact, trembling, drawn with an error of 1e-4 of the thickness on each side, and turned by as much.
        let noise = [0.0, 1e-12, 1e-8, 1e-6, 1e-5, 0.5e-4][round % 6] * 0.2;
        let mut poses: Vec<Pose> = (0..9)
            .map(|i| {
                Pose::at(DVec3::new(
                    0.4 * f64::from(i % 3),
                    0.0,
                    0.2 * f64::from(i / 3),
                ))
            })
            .collect();
        for pose in &mut poses {
            pose.position += random.in_cube(noise);
            pose.rotation = random.small_rotation(noise);
        }
        let set = contacts(&vec![shape.clone(); 9], &poses, MARGIN);
        assert_eq!(
            set.manifolds.len(),
            12,
            "six beds and six heads, noise {noise:e}"
        );
        for (a, b, normal) in pair_normals(&set) {
            let expected = if b == a + 1 { DVec3::X } else { DVec3::Z };
            assert!(normal.dot(expected) > 1.0 - 1e-6, "{a} {b} {normal}");
        }
        assert_eq!(set.points.len(), 48);
    }
}

#[test]
fn trap_i_a_course_slides_over_another_past_its_diagonal_neighbours() {
    let shape = cuboid(0.4, 0.2, 0.2);
    // Block 2 starts diagonally above block 0, on block 1, and slides left over the joint of 0 and 1 until it is
    // diagonal again. Sunk in by what a solver leaves, it sees only upright normals.
    for sink in [0.0, 1e-9, 1e-7, 1e-6, 1e-5] {
        for k in 0..=4000 {
            let x = 0.4 - 0.4 * f64::from(k) / 4000.0;
            let poses = [0.0, 0.4].map(|x| Pose::at(DVec3::new(x, 0.0, 0.0)));
            let above = Pose::at(DVec3::new(x, 0.0, 0.2 - sink));
            let set = contacts(
                &vec![shape.clone(); 3],
                &[poses[0], poses[1], above],
                MARGIN,
            );
            for (a, b, normal) in pair_normals(&set) {
                if b == 2 {
                    assert_eq!(normal, DVec3::Z, "sunk {sink:e} at {x}: {a} {b}");
                } else {
                    assert_eq!(normal, DVec3::X);
                }
            }
            let share: f64 = set
                .manifolds
                .iter()
                .filter(|m| m.b == 2)
                .map(|m| m.area)
                .sum();
            // All of the bed is there but a sliver over one of the blocks.
            assert!(share > 0.4 * 0.2 * (1.0 - 1e-3), "area {share} at {x}");
        }
    }
}

#[test]
fn trap_i_a_block_that_turns_while_it_slides_does_not_catch_on_a_joint() {
    let shape = cuboid(0.4, 0.2, 0.2);
    let mut random = Random(12);
    for _ in 0..5000 {
        let below = [0.0, 0.4].map(|x| Pose::at(DVec3::new(x, 0.0, 0.0)));
        let yaw = random.within(-3.2, 3.2);
        let position = DVec3::new(
            random.within(-0.1, 0.5),
            random.within(-0.05, 0.05),
            0.2 - 1e-7,
        );
        let above = Pose {
            position,
            rotation: DQuat::from_rotation_z(yaw),
        };
        let set = contacts(
            &vec![shape.clone(); 3],
            &[below[0], below[1], above],
            MARGIN,
        );
        for m in set.manifolds.iter().filter(|m| m.b == 2) {
            assert!(m.normal.dot(DVec3::Z) > 1.0 - 1e-12, "{}", m.normal);
        }
    }
}

#[test]
fn trap_i_a_block_that_leans_a_little_does_not_catch_on_a_joint() {
    let shape = cuboid(0.4, 0.2, 0.2);
    let mut random = Random(18);
    for _ in 0..5000 {
        let below = [0.0, 0.4].map(|x| Pose::at(DVec3::new(x, 0.0, 0.0)));
        // Its ends dip by up to 2e-5 m: what a solver leaves behind many times over.
        let above = Pose {
            position: DVec3::new(random.within(-0.1, 0.5), 0.0, 0.2 - 1e-6),
            rotation: random.small_rotation(1e-4),
        };
        let set = contacts(
            &vec![shape.clone(); 3],
            &[below[0], below[1], above],
            MARGIN,
        );
        for m in set.manifolds.iter().filter(|m| m.b == 2) {
            assert!(m.normal.dot(DVec3::Z) > 1.0 - 1e-7, "{}", m.normal);
        }
    }
}

#[test]
fn trap_i_turned_diagonal_neighbours_touch_along_no_diagonal() {
    // Turned by up to a hundredth they may dip into each other at an end; then they push up or aside, not between.
    let shape = cuboid(0.4, 0.2, 0.2);
    let mut random = Random(19);
    let mut touched = 0;
    for _ in 0..5000 {
        let poses = [DVec3::ZERO, DVec3::new(0.4, 0.0, 0.2)].map(|position| Pose {
            position: position + random.in_cube(1e-4),
            rotation: random.small_rotation(0.005),
        });
        let set = contacts(&[shape.clone(), shape.clone()], &poses, MARGIN);
        for m in &set.manifolds {
            touched += 1;
            assert!(m.normal.x.max(m.normal.z) > 0.999, "{}", m.normal);
        }
    }
    assert!(touched > 100, "{touched}");
}

#[test]
fn trap_i_courses_of_a_corner_do_not_lock_each_other() {
    // Two walls meet; the upper course of one touches the lower course of the other along an edge only.
    let long = cuboid(0.8, 0.2, 0.2);
    let poses = [
        Pose::at(DVec3::ZERO),
        Pose {
            position: DVec3::new(0.5, 0.3, 0.2),
            rotation: DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2),
        },
    ];
    assert!(
        contacts(&[long.clone(), long], &poses, MARGIN)
            .manifolds
            .is_empty()
    );
}

#[test]
fn trap_i_blocks_that_meet_at_a_corner_only_do_not_touch() {
    let cube = cuboid(0.2, 0.2, 0.2);
    let mut random = Random(13);
    for round in 0..500 {
        let noise = [0.0, 1e-9, 1e-6, 1e-5][round % 4] * 0.2;
        let poses = [
            Pose::at(DVec3::ZERO),
            Pose {
                position: DVec3::splat(0.2) + random.in_cube(noise),
                rotation: random.small_rotation(noise),
            },
        ];
        assert!(
            contacts(&[cube.clone(), cube.clone()], &poses, MARGIN)
                .manifolds
                .is_empty()
        );
    }
}

#[test]
fn trap_ii_small_on_big_long_thin_and_slivers() {
    let big = cuboid(10.0, 10.0, 5.0);
    let small = cuboid(0.02, 0.03, 0.01);
    let poses = [
        Pose::at(DVec3::new(0.0, 0.0, -2.5)),
        Pose::at(DVec3::new(4.0, -3.0, 0.005)),
    ];
    let set = contacts(&[big.clone(), small.clone()], &poses, 1e-5);
    assert_eq!((set.manifolds.len(), set.points.len()), (1, 4));
    assert_eq!(set.manifolds[0].normal, DVec3::Z);
    assert!((set.manifolds[0].area - 6e-4).abs() < 1e-15);

    // A long plank on edge across two others.
    let plank = cuboid(6.0, 0.02, 0.3);
    let set = contacts(
        &[big, plank.clone()],
        &[poses[0], Pose::at(DVec3::new(0.0, 0.0, 0.15))],
        1e-5,
    );
    assert_eq!(set.points.len(), 4);
    let crossed = Pose {
        position: DVec3::new(1.0, 0.0, 0.45),
        rotation: DQuat::from_rotation_z(1.0),
    };
    let set = contacts(
        &[plank.clone(), plank],
        &[Pose::at(DVec3::new(0.0, 0.0, 0.15)), crossed],
        1e-5,
    );
    // They cross outside of each other's middle but within their lengths: a small parallelogram.
    assert_eq!(set.points.len(), 4);
    assert!((set.manifolds[0].area - 0.02 * 0.02 / 1.0f64.sin()).abs() < 1e-12);

    // A sliver beside a big block: 10 mm wide, 2 m high, tilted by nothing.
    let sliver = cuboid(0.01, 0.5, 2.0);
    let wall = cuboid(1.0, 0.5, 2.0);
    let set = contacts(
        &[wall, sliver],
        &[Pose::at(DVec3::ZERO), Pose::at(DVec3::new(0.505, 0.0, 0.0))],
        1e-5,
    );
    assert_eq!((set.manifolds.len(), set.points.len()), (1, 4));
    assert_eq!(set.manifolds[0].normal, DVec3::X);
}

#[test]
fn trap_iii_coplanar_faces_of_slightly_different_size_share_the_smaller_one() {
    for difference in [1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3] {
        for sign in [1.0, -1.0] {
            let lower = cuboid(1.0, 1.0, 0.5);
            let side = 1.0 + sign * difference;
            let upper = cuboid(side, side, 0.5);
            let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::Z * 0.5)];
            let set = contacts(&[lower, upper], &poses, MARGIN);
            assert_eq!(
                (set.manifolds.len(), set.points.len()),
                (1, 4),
                "{difference:e}"
            );
            let half = 0.5 * side.min(1.0);
            for p in &set.points {
                assert!(
                    (p.on_a.x.abs() - half).abs() < 1e-15 && (p.on_a.y.abs() - half).abs() < 1e-15
                );
                assert_eq!(p.gap, 0.0);
            }
        }
    }
}

#[test]
fn trap_iv_flush_contacts_keep_their_names_while_they_tremble() {
    let mut random = Random(14);
    let cases: Vec<(Polyhedron, Polyhedron, DVec3)> = vec![
        // A stack of equals, running bond with flush sides, a drum on a drum.
        (
            cuboid(0.4, 0.2, 0.2),
            cuboid(0.4, 0.2, 0.2),
            DVec3::new(0.0, 0.0, 0.2),
        ),
        (
            cuboid(0.4, 0.2, 0.2),
            cuboid(0.4, 0.2, 0.2),
            DVec3::new(0.2, 0.0, 0.2),
        ),
        (
            cuboid(0.4, 0.2, 0.2),
            cuboid(0.2, 0.2, 0.2),
            DVec3::new(0.1, 0.0, 0.2),
        ),
        (
            cuboid(0.4, 0.4, 0.2),
            cuboid(0.4, 0.2, 0.2),
            DVec3::new(0.0, 0.1, 0.2),
        ),
        (
            prism(24, 0.3, 0.2),
            prism(24, 0.3, 0.2),
            DVec3::new(0.0, 0.0, 0.2),
        ),
    ];
    for (lower, upper, offset) in cases {
        let shapes = [lower, upper];
        let still = contacts(&shapes, &[Pose::at(DVec3::ZERO), Pose::at(offset)], MARGIN);
        assert!(!still.points.is_empty());
        for round in 0..500 {
            // Up to a tenth of the distance at which points are one, 1e-4 of the thickness.
            let noise = [1e-14, 1e-12, 1e-9, 1e-6][round % 4];
            let poses = [DVec3::ZERO, offset].map(|position| Pose {
                position: position + random.in_cube(noise),
                rotation: random.small_rotation(noise),
            });
            assert_eq!(
                ids(&contacts(&shapes, &poses, MARGIN)),
                ids(&still),
                "noise {noise:e}"
            );
        }
    }
}

#[test]
fn trap_iv_names_last_through_rocking_and_sliding() {
    // While a block slides without passing a corner, and while it rocks, its points keep their names.
    let shapes = [cuboid(1.0, 1.0, 0.2), cuboid(0.3, 0.3, 0.6)];
    let at = |x: f64, tilt: f64| {
        let rotation = DQuat::from_rotation_y(tilt);
        let pivot = DVec3::new(0.15, 0.0, -0.3);
        Pose {
            position: DVec3::new(x + 0.15, 0.0, 0.1) - rotation * pivot,
            rotation,
        }
    };
    let ground = Pose::at(DVec3::ZERO);
    let first = contacts(&shapes, &[ground, at(0.0, 0.0)], 1e-3);
    assert_eq!(first.points.len(), 4);
    for k in 1..100 {
        let set = contacts(&shapes, &[ground, at(1e-3 * f64::from(k), 0.0)], 1e-3);
        assert_eq!(ids(&set), ids(&first));
    }
    let mut rocked: Option<Vec<FeatureId>> = None;
    for k in 1..100 {
        let set = contacts(&shapes, &[ground, at(0.0, 0.005 * f64::from(k))], 1e-4);
        assert_eq!(set.points.len(), 2, "an edge has two ends");
        assert_eq!(set.manifolds[0].normal, DVec3::Z);
        assert_eq!(set.manifolds[0].area, 0.0);
        assert!(set.points.iter().all(|p| p.gap.abs() < 1e-14));
        let names = ids(&set);
        assert!(names.iter().all(|id| ids(&first).contains(id)));
        assert_eq!(rocked.get_or_insert(names.clone()), &names);
    }
}

#[test]
fn trap_v_blocks_drawn_with_an_error_touch_with_whole_faces() {
    let mut random = Random(15);
    let voussoir = |k: usize| {
        let step = std::f64::consts::PI / 21.0;
        let points = voussoir_points(3.0, 0.6, 0.8, step * k as f64, step * (k + 1) as f64);
        centred(&Polyhedron::hull(&points).unwrap())
    };
    let (v0, c0) = voussoir(0);
    let (v1, c1) = voussoir(1);
    let stack = cuboid(0.4, 0.2, 0.2);
    let cases = [
        (v0, v1, c0, c1, 0.6 * 0.8),
        (
            stack.clone(),
            stack,
            DVec3::ZERO,
            DVec3::new(0.1, 0.0, 0.2),
            0.3 * 0.2,
        ),
    ];
    for (a, b, at_a, at_b, area) in cases {
        let size = a.size().min(b.size());
        for _ in 0..2000 {
            // Apart or overlapping by up to 1e-4 of the thickness, and turned by as much across it.
            let error = 1e-4 * size;
            let poses = [
                Pose::at(at_a),
                Pose {
                    position: at_b + random.in_cube(error),
                    rotation: random.small_rotation(1e-4),
                },
            ];
            // The far end of the face opens by the error and the turn together.
            let set = contacts(&[a.clone(), b.clone()], &poses, 2e-4 * size + 0.5e-4);
            assert_eq!((set.manifolds.len(), set.points.len() >= 4), (1, true));
            assert!(
                (set.manifolds[0].area / area - 1.0).abs() < 2e-3,
                "{}",
                set.manifolds[0].area
            );
        }
    }
}

#[test]
fn tilted_edges_and_corners_on_a_face_give_their_points() {
    let ground = cuboid(4.0, 4.0, 0.5);
    let block = cuboid(0.4, 0.3, 0.2);
    let mut random = Random(16);
    for _ in 0..2000 {
        let rotation = random.rotation();
        let lowest = |v: &&DVec3| (rotation * **v).z;
        let corner = block
            .vertices()
            .iter()
            .min_by(|p, q| lowest(p).total_cmp(&lowest(q)))
            .unwrap();
        let spot = DVec3::new(random.within(-1.5, 1.5), random.within(-1.5, 1.5), 0.25);
        let pose = Pose {
            position: spot - rotation * *corner,
            rotation,
        };
        let set = contacts(
            &[ground.clone(), block.clone()],
            &[Pose::at(DVec3::ZERO), pose],
            1e-6,
        );
        assert_eq!(set.manifolds.len(), 1);
        assert!(set.manifolds[0].normal.dot(DVec3::Z) > 1.0 - 1e-12);
        let closest = set
            .points
            .iter()
            .map(|p| p.on_b.distance(spot))
            .fold(f64::INFINITY, f64::min);
        assert!(closest < 1e-12, "the corner is a contact point");
    }
}

#[test]
fn crossed_edges_touch_in_one_point() {
    // Two bars lying on their edges, crossed at an angle.
    let bar = cuboid(0.1, 1.0, 0.1);
    let on_edge = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_4);
    let height = 0.1 * std::f64::consts::SQRT_2;
    let mut random = Random(17);
    for _ in 0..500 {
        let gap = random.within(-1e-5, 1e-5);
        let slide = random.within(-0.3, 0.3);
        let turn = DQuat::from_rotation_z(random.within(0.3, 2.8));
        let poses = [
            Pose {
                position: DVec3::ZERO,
                rotation: on_edge,
            },
            Pose {
                position: DVec3::new(0.0, slide, height + gap),
                rotation: turn * on_edge,
            },
        ];
        let set = contacts(&[bar.clone(), bar.clone()], &poses, 1e-5);
        assert_eq!((set.manifolds.len(), set.points.len()), (1, 1));
        assert!(set.manifolds[0].normal.dot(DVec3::Z) > 1.0 - 1e-12);
        assert!((set.points[0].gap - gap).abs() < 1e-14);
        let crossing = DVec3::new(0.0, slide, 0.5 * (height + gap));
        assert!(set.points[0].midpoint().distance(crossing) < 1e-12);
        assert_eq!(set.manifolds[0].area, 0.0);
    }
}

#[test]
fn a_stack_gives_exactly_the_corners_of_the_shared_polygon() {
    let shapes = [cuboid(0.5, 0.25, 0.25), cuboid(0.5, 0.25, 0.25)];
    let poses = [
        Pose::at(DVec3::ZERO),
        Pose::at(DVec3::new(0.125, 0.0625, 0.25)),
    ];
    let set = contacts(&shapes, &poses, 1e-6);
    let mut corners: Vec<[f64; 3]> = set.points.iter().map(|p| p.on_a.to_array()).collect();
    corners.sort_by(|p, q| p.partial_cmp(q).unwrap());
    let expected = [
        [-0.125, -0.0625, 0.125],
        [-0.125, 0.125, 0.125],
        [0.25, -0.0625, 0.125],
        [0.25, 0.125, 0.125],
    ];
    assert_eq!(corners, expected, "dyadic numbers, so exactly");
    assert!(set.points.iter().all(|p| p.on_a == p.on_b && p.gap == 0.0));
    assert_eq!(set.manifolds[0].area, 0.375 * 0.1875);
}

/// A tall block that rocks on an edge: the corners of the edge keep their quarter of the base, also when its side is seen from
/// below, but for the cosine of the tilt.
#[test]
fn an_edge_that_a_block_rocks_on_keeps_its_share() {
    let (ground, block) = (cuboid(6.0, 6.0, 1.0), cuboid(1.0, 1.0, 5.0));
    for tilt in [0.0, 5e-4, 2e-3, 0.02, 0.2, 0.5] {
        let centre = DVec3::new(-0.5, 0.0, 2.5);
        let turn = DQuat::from_rotation_y(tilt);
        let pose = Pose {
            position: turn * centre,
            rotation: turn,
        };
        let set = contacts(
            &[ground.clone(), block.clone()],
            &[Pose::at(DVec3::new(0.0, 0.0, -0.5)), pose],
            1e-6,
        );
        let edge: Vec<f64> = set
            .points
            .iter()
            .filter(|p| p.on_b.x.abs() < 1e-9)
            .map(|p| p.tributary_area)
            .collect();
        assert_eq!(edge.len(), 2, "{tilt}");
        assert!(
            edge.iter().all(|a| (a - 0.25 * tilt.cos()).abs() < 1e-9),
            "{tilt}: {edge:?}"
        );
    }
}

/// The side of a block that leans is seen from below, but bears nothing.
#[test]
fn only_the_base_of_a_leaning_block_bears() {
    let ground = cuboid(20.0, 6.0, 1.0);
    for lean in [0.5, 1.1, 1.3, 2.0, 3.0] {
        let corner = |x: f64, y: f64, z: f64| DVec3::new(x + lean * z, y, z);
        let corners: Vec<DVec3> = (0..8)
            .map(|k| corner((k & 1) as f64, (k >> 1 & 1) as f64, (k >> 2) as f64 * 2.0))
            .collect();
        let (block, centre) = centred(&Polyhedron::hull(&corners).unwrap());
        let set = contacts(
            &[ground.clone(), block],
            &[Pose::at(DVec3::new(0.0, 0.0, -0.5)), Pose::at(centre)],
            1e-6,
        );
        assert_eq!(set.points.len(), 4, "{lean}");
        let quarter = |p: &ContactPoint| (p.tributary_area - 0.25).abs() < 1e-12;
        assert!(set.points.iter().all(quarter), "{lean}: {:?}", set.points);
    }
}

#[test]
fn drums_can_be_thinned_out() {
    let drum = prism(32, 0.5, 0.4);
    let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::new(0.0, 0.0, 0.4))];
    let all = contacts(&[drum.clone(), drum.clone()], &poses, 1e-6);
    assert_eq!(all.points.len(), 32);
    let options = drystone_geometry::DetectorOptions {
        max_points: Some(6),
    };
    let mut detector = Detector::with_options(vec![drum.clone(), drum], vec![], options);
    let few = detector.detect(&poses, &[1e-6; 2]).clone();
    assert_eq!(few.points.len(), 6);
    let place = |p: &ContactPoint| (p.id, p.on_a, p.on_b, p.gap);
    let places: Vec<_> = all.points.iter().map(place).collect();
    assert!(few.points.iter().all(|p| places.contains(&place(p))));
    let total = |set: &ContactSet| set.points.iter().map(|p| p.tributary_area).sum::<f64>();
    // Those left take over from those dropped; sums of 32 numbers.
    assert!((total(&few) - total(&all)).abs() < 1e-14);
    assert!((total(&all) - all.manifolds[0].area).abs() < 1e-14);
    assert!(few.points.is_sorted_by_key(|p| p.id));
    for k in 0..32 {
        let (y, x) = (0.2 * f64::from(k)).sin_cos();
        let support = few
            .points
            .iter()
            .map(|p| x * p.on_a.x + y * p.on_a.y)
            .fold(0.0, f64::max);
        assert!(
            support > 0.5 * 45f64.to_radians().cos() - 1e-9,
            "none in direction {x} {y}"
        );
    }
}

/// Blocks of a dome in stacked rings: beds are planes across the meridian in the middle of a block, so that a block leans over the
/// diagonal neighbour below. They meet along an edge, and a contact there would tie the rings together.
#[test]
fn trap_i_diagonal_neighbours_in_a_dome_do_not_touch() {
    // Down to rings of five, with beds at many heights, on a sphere of 5 m.
    for blocks in [5, 6, 8, 12, 24, 48] {
        for bed in [0.2, 0.5, 0.8, 1.1] {
            let corner = |k: u32, height: f64, radius: f64| {
                let turn = std::f64::consts::TAU * f64::from(k) / f64::from(blocks);
                let (across, up) = (radius * height.cos(), radius * height.sin());
                DVec3::new(across * turn.cos(), across * turn.sin(), up)
            };
            let block = |k: u32, low: f64, high: f64| -> Vec<DVec3> {
                let corners = [k, k + 1].into_iter().flat_map(|k| {
                    [low, high].map(|height| [5.0, 5.3].map(|radius| corner(k, height, radius)))
                });
                corners.flatten().collect()
            };
            let all = [
                block(0, bed - 0.15, bed),
                block(1, bed - 0.15, bed),
                block(0, bed, bed + 0.15),
                block(1, bed, bed + 0.15),
            ];
            let (shapes, poses): (Vec<_>, Vec<_>) = all
                .iter()
                .map(|points| centred(&Polyhedron::hull(points).unwrap()))
                .map(|(shape, at)| (shape, Pose::at(at)))
                .unzip();
            let set = contacts(&shapes, &poses, MARGIN);
            let pairs: Vec<(u32, u32)> = set.manifolds.iter().map(|m| (m.a, m.b)).collect();
            assert_eq!(
                pairs,
                [(0, 1), (0, 2), (1, 3), (2, 3)],
                "{blocks} blocks, bed at {bed}"
            );
        }
    }
}

/// Two equal blocks, the upper one rocking about the edge that both share: it keeps its contact until it lies beside it.
#[test]
fn trap_i_a_shared_edge_is_a_hinge() {
    let shape = cuboid(1.0, 1.0, 2.0);
    for k in 1..=85 {
        let tilt = f64::from(k).to_radians();
        let edge = DVec3::new(0.5, 0.0, 1.0);
        let rotation = DQuat::from_rotation_y(tilt);
        let above = Pose {
            position: edge + rotation * DVec3::new(-0.5, 0.0, 1.0),
            rotation,
        };
        let set = contacts(
            &[shape.clone(), shape.clone()],
            &[Pose::at(DVec3::ZERO), above],
            MARGIN,
        );
        assert_eq!(set.manifolds.len(), 1, "{k} degrees");
        assert!(
            set.points.iter().filter(|p| p.gap < 1e-9).count() >= 2,
            "{k} degrees"
        );
    }
}
