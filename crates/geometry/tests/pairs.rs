//! What must hold for every pair of blocks, over thousands of random ones in all relative positions.

mod common;

use common::{
    Random, chamfered_points, contacts, cuboid, moved, outside, pebble, prism, voussoir_points,
};
use drystone_geometry::{ContactSet, DQuat, DVec3, Polyhedron, Pose, overlaps_deeper_than};

/// A shape about its centroid, of any kind, about a metre large.
fn shape(random: &mut Random) -> Polyhedron {
    let points = match random.below(7) {
        0 => {
            return cuboid(
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
                random.within(0.2, 1.0),
            );
        }
        1 => {
            return cuboid(
                random.within(1.0, 4.0),
                random.within(0.02, 0.1),
                random.within(0.1, 0.5),
            );
        }
        2 => {
            return prism(
                3 + random.below(30),
                random.within(0.2, 0.6),
                random.within(0.1, 1.0),
            );
        }
        3 => {
            let from = random.within(0.0, 3.0);
            let step = random.within(0.1, 0.6);
            voussoir_points(
                random.within(0.5, 3.0),
                random.within(0.2, 0.8),
                0.6,
                from,
                from + step,
            )
        }
        4 => chamfered_points(
            1.0,
            random.within(0.3, 1.0),
            0.5,
            random.within(0.005, 0.05),
        ),
        5 => {
            let stretch = DVec3::new(1.0, random.within(0.1, 1.0), random.within(0.1, 1.0));
            let corners = 6 + random.below(20);
            return pebble(random, corners, stretch);
        }
        _ => return cuboid(0.04, 0.03, random.within(0.02, 0.1)),
    };
    common::centred(&Polyhedron::hull(&points).unwrap()).0
}

/// Any vertex, edge point or face point of a block with an outward direction there.
fn spot(random: &mut Random, shape: &Polyhedron) -> (DVec3, DVec3) {
    let corner = |i: u32| shape.vertices()[i as usize];
    match random.below(3) {
        0 => {
            let v = shape.vertices()[random.below(shape.vertices().len())];
            (v, (v.normalize() + random.in_cube(0.3)).normalize())
        }
        1 => {
            let edge = shape.edges()[random.below(shape.edges().len())];
            let t = random.within(0.0, 1.0);
            let outward = edge.faces.map(|f| shape.faces()[f as usize].normal);
            let [p, q] = edge.ends.map(corner);
            (p + t * (q - p), (outward[0] + outward[1]).normalize())
        }
        _ => {
            let face = &shape.faces()[random.below(shape.faces().len())];
            let weights: Vec<f64> = face
                .corners
                .iter()
                .map(|_| random.within(0.01, 1.0))
                .collect();
            let sum: DVec3 = face
                .corners
                .iter()
                .zip(&weights)
                .map(|(&c, &w)| corner(c) * w)
                .sum();
            (sum / weights.iter().sum::<f64>(), face.normal)
        }
    }
}

/// Two blocks brought together at a random spot of each, apart or overlapping by up to `tolerance` of the smaller one.
fn pair(random: &mut Random, tolerance: f64) -> ([Polyhedron; 2], [Pose; 2]) {
    let shapes = [shape(random), shape(random)];
    let size = shapes[0].size().min(shapes[1].size());
    let first = Pose {
        position: random.in_cube(2.0),
        rotation: random.rotation(),
    };
    let (p, n) = spot(random, &shapes[0]);
    let (q, m) = spot(random, &shapes[1]);
    // Turn the second block so that its spot faces the first one's, with any spin about it; then spoil that a little
    // (sometimes a lot).
    let spoil = [0.0, 1e-9, 1e-6, 1e-4, 1e-2, 0.5][random.below(6)];
    let rotation = random.small_rotation(spoil)
        * DQuat::from_axis_angle(n, random.within(0.0, 6.0))
        * DQuat::from_rotation_arc(m, -n);
    let gap = random.within(-tolerance, tolerance) * size;
    let second = Pose {
        position: p + n * gap - rotation * q,
        rotation: rotation.normalize(),
    };
    let second = moved(&second, first.rotation, first.position);
    (shapes, [first, second])
}

const TOLERANCE: f64 = 1e-4;

fn found(shapes: &[Polyhedron; 2], poses: &[Pose; 2]) -> ContactSet {
    let size = shapes[0].size().min(shapes[1].size());
    contacts(shapes, poses, TOLERANCE * size)
}

#[test]
fn points_lie_on_both_blocks_and_gaps_along_the_normal() {
    let mut random = Random(21);
    let mut touched = 0;
    for case in 0..20_000 {
        let (shapes, poses) = pair(&mut random, TOLERANCE);
        let set = found(&shapes, &poses);
        let Some(manifold) = set.manifolds.first() else {
            continue;
        };
        touched += 1;
        let size = shapes[0].size().min(shapes[1].size());
        let largest = shapes[0].radius().max(shapes[1].radius());
        assert!((manifold.normal.length() - 1.0).abs() < 1e-12);
        for p in set.points_of(manifold) {
            let across = p.on_b - p.on_a - manifold.normal * p.gap;
            assert!(
                across.length() < 1e-14 * (1.0 + largest),
                "case {case}: {across}"
            );
            assert!(p.gap <= 2.0 * TOLERANCE * size);
            for (shape, pose, point) in [
                (&shapes[0], &poses[0], p.on_a),
                (&shapes[1], &poses[1], p.on_b),
            ] {
                // On the surface: neither outside nor inside. Crossings of nearly parallel edges carry the tolerance
                // within which features coincide.
                let off = outside(shape, pose, point);
                assert!(
                    off.abs() < 1e-12 * (1.0 + largest),
                    "case {case}: {off:e} off, size {size}"
                );
            }
        }
        let mut names: Vec<_> = set.points.iter().map(|p| p.id).collect();
        assert!(names.is_sorted());
        names.dedup();
        assert_eq!(names.len(), set.points.len());
    }
    assert!(touched > 8_000, "only {touched} pairs touched");
}

/// Points of both sets, matched by nearness; the largest distance.
fn mismatch(p: &[(DVec3, DVec3)], q: &[(DVec3, DVec3)]) -> f64 {
    let near = |x: &(DVec3, DVec3), y: &(DVec3, DVec3)| x.0.distance(y.0).max(x.1.distance(y.1));
    let worst = |p: &[(DVec3, DVec3)], q: &[(DVec3, DVec3)]| {
        let closest = |x| q.iter().map(|y| near(x, y)).fold(f64::INFINITY, f64::min);
        p.iter().map(closest).fold(0.0, f64::max)
    };
    worst(p, q).max(worst(q, p))
}

#[test]
fn swapping_the_pair_mirrors_the_answer() {
    let mut random = Random(22);
    for case in 0..10_000 {
        let (shapes, poses) = pair(&mut random, TOLERANCE);
        let set = found(&shapes, &poses);
        let [a, b] = shapes;
        let swapped = found(&[b, a], &[poses[1], poses[0]]);
        assert_eq!(set.manifolds.len(), swapped.manifolds.len(), "case {case}");
        if let (Some(m), Some(w)) = (set.manifolds.first(), swapped.manifolds.first()) {
            assert!(
                (m.normal + w.normal).length() < 1e-12,
                "case {case}: {} {}",
                m.normal,
                w.normal
            );
            assert!(
                (m.area - w.area).abs() < 1e-12,
                "case {case} {} {} {:?} {:?}",
                m.area,
                w.area,
                set.points,
                swapped.points
            );
            let forth: Vec<_> = set.points.iter().map(|p| (p.on_a, p.on_b)).collect();
            let back: Vec<_> = swapped.points.iter().map(|p| (p.on_b, p.on_a)).collect();
            assert_eq!(forth.len(), back.len(), "case {case}");
            assert!(
                mismatch(&forth, &back) < 1e-11,
                "case {case}: {:e}",
                mismatch(&forth, &back)
            );
        }
    }
}

#[test]
fn rigid_motion_and_scale_change_nothing() {
    let mut random = Random(23);
    for case in 0..10_000 {
        let (shapes, poses) = pair(&mut random, TOLERANCE);
        let set = found(&shapes, &poses);
        let scale = 10f64.powf(random.within(-3.0, 3.0));
        let turn = random.rotation();
        let shift = random.in_cube(10.0);
        let scaled = shapes.each_ref().map(|shape| {
            let vertices: Vec<DVec3> = shape.vertices().iter().map(|&v| v * scale).collect();
            Polyhedron::hull(&vertices).unwrap()
        });
        let there = poses.map(|pose| {
            let pose = moved(&pose, turn, shift);
            Pose {
                position: pose.position * scale,
                ..pose
            }
        });
        let other = found(&scaled, &there);
        let here: Vec<_> = set.points.iter().map(|p| (p.on_a, p.on_b)).collect();
        let back = |p: DVec3| turn.inverse() * (p / scale - shift);
        let away: Vec<_> = other
            .points
            .iter()
            .map(|p| (back(p.on_a), back(p.on_b)))
            .collect();
        assert_eq!(set.manifolds.len(), other.manifolds.len(), "case {case}");
        assert_eq!(here.len(), away.len(), "case {case}");
        // Crossings of edges at small angles magnify the roundoff of poses some metres away.
        assert!(
            mismatch(&here, &away) < 1e-9,
            "case {case}: {:e}",
            mismatch(&here, &away)
        );
        if let (Some(m), Some(o)) = (set.manifolds.first(), other.manifolds.first()) {
            // Two faces that separate equally well to 1e-6 of the thickness may stand for each other in perfect symmetry.
            let turned = (turn * m.normal - o.normal).length();
            assert!(turned < 1e-5, "case {case}: {turned:e}");
        }
    }
}

#[test]
fn blocks_pressed_together_never_lose_each_other() {
    // Whatever overlaps by more than a sliver is found, with a normal that parts the blocks.
    let mut random = Random(24);
    let (mut pressed, mut shallow) = (0, 0);
    for case in 0..10_000 {
        let (shapes, mut poses) = pair(&mut random, 0.0);
        let size = shapes[0].size().min(shapes[1].size());
        let inwards = (poses[0].position - poses[1].position).normalize_or_zero();
        poses[1].position += inwards * random.within(0.005, 0.1) * size;
        let overlap = overlaps_deeper_than(&shapes, &poses, 1e-3);
        let Some(overlap) = overlap.first() else {
            continue;
        };
        pressed += 1;
        let set = found(&shapes, &poses);
        assert_eq!(
            set.manifolds.len(),
            1,
            "case {case}: depth {:e}",
            overlap.depth
        );
        let deepest = set.points.iter().map(|p| -p.gap).fold(0.0, f64::max);
        if deepest < 0.9 * overlap.depth {
            // The deepest overlap is that of edges too nearly parallel to have a normal.
            shallow += 1;
            continue;
        }
        // Moving apart by the depth of the deepest point ends the overlap.
        let normal = set.manifolds[0].normal;
        poses[1].position += normal * (deepest * (1.0 + 1e-3) + 2e-3 * size);
        let still = overlaps_deeper_than(&shapes, &poses, 1e-3);
        assert!(still.is_empty(), "case {case}: {still:?}");
    }
    assert!(pressed > 5_000, "{pressed}");
    assert!(shallow <= pressed / 1000, "{shallow} of {pressed}");
}
