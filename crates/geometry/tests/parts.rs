//! Blocks of several convex parts: contacts name their parts, parts of one block do not touch each other.

mod common;

use common::cuboid;
use drystone_geometry::{DVec3, Detector, Polyhedron, Pose, Solid, overlaps};

/// A bridge in the form of a U upside down: two legs of 1 m and a beam of 3 m on them, all 1 m deep.
fn bridge() -> Solid {
    let part = |low: [f64; 3], high: [f64; 3]| {
        Polyhedron::cuboid(DVec3::from_array(low), DVec3::from_array(high)).unwrap()
    };
    Solid::new(vec![
        part([0.0, 0.0, 0.0], [1.0, 1.0, 2.0]),
        part([2.0, 0.0, 0.0], [3.0, 1.0, 2.0]),
        part([0.0, 0.0, 2.0], [3.0, 1.0, 3.0]),
    ])
    .unwrap()
}

#[test]
fn a_bridge_stands_on_its_two_legs() {
    let ground = Solid::from(cuboid(10.0, 10.0, 1.0));
    let poses = [Pose::at(DVec3::new(0.0, 0.0, -0.5)), Pose::at(DVec3::ZERO)];
    let mut detector = Detector::new(vec![ground, bridge()], vec![true, false]);
    assert_eq!(detector.len(), 2);
    let contacts = detector.detect(&poses, &[1e-4; 2]);
    let keys: Vec<[u32; 4]> = contacts.manifolds.iter().map(|m| m.key()).collect();
    assert_eq!(keys, [[0, 0, 1, 0], [0, 0, 1, 1]]);
    assert_eq!(contacts.points.len(), 8);
    assert!(
        contacts
            .manifolds
            .iter()
            .all(|m| (m.area - 1.0).abs() < 1e-12)
    );
}

#[test]
fn a_block_hangs_through_the_opening_of_another_without_touching() {
    // Between the legs, 0.1 m free on each side and below the beam.
    let free = Solid::from(cuboid(0.8, 1.0, 1.8));
    let shapes = vec![bridge(), free];
    let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::new(1.5, 0.5, 1.0))];
    assert!(overlaps(&shapes, &poses).is_empty());
    let mut detector = Detector::new(shapes.clone(), vec![false; 2]);
    assert!(detector.detect(&poses, &[1e-3; 2]).manifolds.is_empty());
    // Pushed into a leg and the beam at once: one overlap of the pair, the deeper one.
    let poses = [poses[0], Pose::at(DVec3::new(1.25, 0.5, 1.15))];
    let found = overlaps(&shapes, &poses);
    assert_eq!(found.len(), 1);
    assert!((found[0].depth - 0.15).abs() < 1e-12, "{}", found[0].depth);
}

#[test]
fn parts_of_a_block_keep_the_identities_of_their_points() {
    // A slab that lies on two coplanar parts sees each with the same feature names, so that parts must tell them apart.
    let pair = Solid::new(vec![
        Polyhedron::cuboid(DVec3::ZERO, DVec3::ONE).unwrap(),
        Polyhedron::cuboid(DVec3::X, DVec3::new(2.0, 1.0, 1.0)).unwrap(),
    ])
    .unwrap();
    let slab = Solid::from(cuboid(2.0, 1.0, 0.2));
    let poses = [Pose::at(DVec3::ZERO), Pose::at(DVec3::new(1.0, 0.5, 1.1))];
    let mut detector = Detector::new(vec![pair, slab], vec![true, false]);
    let contacts = detector.detect(&poses, &[1e-4; 2]);
    let mut names: Vec<([u32; 4], u64)> = Vec::new();
    for manifold in &contacts.manifolds {
        assert_eq!(manifold.normal, DVec3::Z);
        names.extend(
            contacts
                .points_of(manifold)
                .iter()
                .map(|p| (manifold.key(), p.id.0)),
        );
    }
    assert_eq!(names.len(), 8);
    assert!(
        names.windows(2).all(|pair| pair[0] < pair[1]),
        "ordered and unique"
    );
}
