//! Solids that are not convex, divided into convex parts.

mod common;

use common::{Random, chamfered_points, cuboid, pebble};
use drystone_geometry::{
    DVec3, Polyhedron, Pose, ShapeFault, convex_parts, overlaps_deeper_than, triangulate,
};

type Faces = Vec<Vec<u32>>;

/// A prism over a polygon in the plane xy, counter-clockwise.
fn prism(outline: &[(f64, f64)], height: f64) -> (Vec<DVec3>, Faces) {
    let n = outline.len() as u32;
    let mut vertices: Vec<DVec3> = outline
        .iter()
        .map(|&(x, y)| DVec3::new(x, y, 0.0))
        .collect();
    vertices.extend(outline.iter().map(|&(x, y)| DVec3::new(x, y, height)));
    let mut faces: Faces = vec![(0..n).rev().collect(), (n..2 * n).collect()];
    for i in 0..n {
        let j = (i + 1) % n;
        faces.push(vec![i, j, n + j, n + i]);
    }
    (vertices, faces)
}

/// Signed tetrahedra over triangles, independent of the code under test.
fn enclosed(vertices: &[DVec3], faces: &Faces) -> f64 {
    let mut sum = 0.0;
    for face in faces {
        for w in face[1..].windows(2) {
            let [a, b, c] = [face[0], w[0], w[1]].map(|v| vertices[v as usize]);
            sum += a.dot(b.cross(c)) / 6.0;
        }
    }
    sum
}

/// Divides, and checks volume, overlaps and that corners of parts lie in the solid's box; returns the number of parts.
fn assert_divided(vertices: &[DVec3], faces: &Faces) -> usize {
    let parts = convex_parts(vertices, faces).unwrap();
    let whole = enclosed(vertices, faces);
    let sum: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
    assert!(
        (sum - whole).abs() <= 1e-9 * whole,
        "{} parts have {sum}, the solid {whole}",
        parts.len()
    );
    let poses = vec![Pose::at(DVec3::ZERO); parts.len()];
    let deep = overlaps_deeper_than(&parts, &poses, 1e-7);
    assert!(deep.is_empty(), "{deep:?}");
    parts.len()
}

fn l() -> Vec<(f64, f64)> {
    vec![
        (0.0, 0.0),
        (2.0, 0.0),
        (2.0, 0.7),
        (0.6, 0.7),
        (0.6, 1.9),
        (0.0, 1.9),
    ]
}

#[test]
fn convex_solids_are_one_part_equal_to_their_hull() {
    let mut random = Random(5);
    let mut shapes = vec![
        cuboid(0.4, 0.2, 0.2),
        Polyhedron::hull(&chamfered_points(1.0, 0.6, 0.5, 0.02)).unwrap(),
    ];
    shapes.extend((0..50).map(|k| pebble(&mut random, 6 + k % 20, DVec3::new(1.0, 0.7, 0.4))));
    for shape in shapes {
        let faces: Faces = shape.faces().iter().map(|f| f.corners.clone()).collect();
        let parts = convex_parts(shape.vertices(), &faces).unwrap();
        assert_eq!(parts, vec![Polyhedron::hull(shape.vertices()).unwrap()]);
        // Also if the faces are given as triangles.
        let triangles: Faces = faces
            .iter()
            .flat_map(|f| triangulate(shape.vertices(), f))
            .map(|t| t.to_vec())
            .collect();
        assert_eq!(convex_parts(shape.vertices(), &triangles).unwrap(), parts);
    }
}

#[test]
fn letters_take_as_few_parts_as_they_must() {
    let t = vec![
        (0.8, 0.0),
        (1.2, 0.0),
        (1.2, 1.0),
        (2.0, 1.0),
        (2.0, 1.5),
        (0.0, 1.5),
        (0.0, 1.0),
        (0.8, 1.0),
    ];
    let u = vec![
        (0.0, 0.0),
        (3.0, 0.0),
        (3.0, 2.0),
        (2.1, 2.0),
        (2.1, 0.5),
        (0.9, 0.5),
        (0.9, 2.0),
        (0.0, 2.0),
    ];
    let cross = vec![
        (1.0, 0.0),
        (2.0, 0.0),
        (2.0, 1.0),
        (3.0, 1.0),
        (3.0, 2.0),
        (2.0, 2.0),
        (2.0, 3.0),
        (1.0, 3.0),
        (1.0, 2.0),
        (0.0, 2.0),
        (0.0, 1.0),
        (1.0, 1.0),
    ];
    let notch = vec![
        (0.0, 0.0),
        (3.0, 0.0),
        (3.0, 2.0),
        (1.8, 2.0),
        (1.5, 1.2),
        (1.2, 2.0),
        (0.0, 2.0),
    ];
    let steps: Vec<(f64, f64)> = {
        let mut corners = vec![(0.0, 0.0), (4.0, 0.0)];
        for k in 0..4 {
            let (x, z) = (4.0 - f64::from(k), 0.3 * f64::from(k + 1));
            corners.extend([(x, z), (x - 1.0, z)]);
        }
        corners.pop();
        corners.push((0.0, 1.2));
        corners
    };
    for (outline, expected, what) in [
        (l(), 2, "L"),
        (t, 2, "T"),
        (u, 3, "U"),
        (cross, 3, "cross"),
        (notch, 2, "notch"),
        (steps, 4, "steps"),
    ] {
        let (vertices, faces) = prism(&outline, 0.5);
        assert_eq!(assert_divided(&vertices, &faces), expected, "{what}");
    }
}

#[test]
fn stars_and_random_outlines_are_filled_exactly() {
    let mut random = Random(17);
    let star = |spikes: usize, inner: f64| -> Vec<(f64, f64)> {
        (0..2 * spikes)
            .map(|i| {
                let angle = std::f64::consts::PI * i as f64 / spikes as f64;
                let r = if i % 2 == 0 { 1.0 } else { inner };
                (r * angle.cos(), r * angle.sin())
            })
            .collect()
    };
    for spikes in 3..9 {
        let (vertices, faces) = prism(&star(spikes, 0.45), 0.3);
        let count = assert_divided(&vertices, &faces);
        assert!(count <= spikes + 3, "star of {spikes}: {count} parts");
    }
    for round in 0..200 {
        let outline: Vec<(f64, f64)> = (0..12)
            .map(|i| {
                let angle = std::f64::consts::TAU * f64::from(i) / 12.0;
                let r = random.within(0.3, 1.0);
                (r * angle.cos(), r * angle.sin())
            })
            .collect();
        let (mut vertices, faces) = prism(&outline, 0.4);
        let turn = random.rotation();
        let shift = random.in_cube(if round % 2 == 0 { 2.0 } else { 1000.0 });
        vertices.iter_mut().for_each(|v| *v = turn * *v + shift);
        let parts = convex_parts(&vertices, &faces).unwrap();
        let centre = vertices[0];
        let near: Vec<DVec3> = vertices.iter().map(|v| *v - centre).collect();
        let whole = enclosed(&near, &faces);
        let sum: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
        assert!(
            (sum - whole).abs() < 1e-9 * whole,
            "round {round}: {sum} {whole}"
        );
        assert!(parts.len() <= 10, "round {round}: {} parts", parts.len());
    }
}

/// A box with a square hole through it along z.
fn frame() -> (Vec<DVec3>, Faces) {
    let square = |r: f64| [(-r, -r), (r, -r), (r, r), (-r, r)];
    let mut vertices = Vec::new();
    for z in [0.0, 0.8] {
        for r in [1.0, 0.4] {
            vertices.extend(square(r).map(|(x, y)| DVec3::new(x, y, z)));
        }
    }
    // 0..4 outer low, 4..8 inner low, 8..12 outer high, 12..16 inner high.
    let mut faces: Faces = Vec::new();
    for i in 0..4u32 {
        let j = (i + 1) % 4;
        faces.push(vec![i, j, 8 + j, 8 + i]);
        faces.push(vec![4 + j, 4 + i, 12 + i, 12 + j]);
    }
    // Rings, cut open along an edge.
    faces.push(vec![8, 9, 10, 11, 8, 12, 15, 14, 13, 12]);
    faces.push(vec![0, 4, 5, 6, 7, 4, 0, 3, 2, 1]);
    (vertices, faces)
}

#[test]
fn a_hole_through_a_box_leaves_four_beams() {
    let (vertices, faces) = frame();
    assert!((enclosed(&vertices, &faces) - 0.8 * (4.0 - 0.64)).abs() < 1e-12);
    assert_eq!(assert_divided(&vertices, &faces), 4);
}

#[test]
fn a_box_with_a_corner_cut_out_takes_three_parts() {
    // A cube of side 2 without the cube of side 1 at its far corner.
    let v = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let vertices = vec![
        v(0.0, 0.0, 0.0),
        v(2.0, 0.0, 0.0),
        v(2.0, 2.0, 0.0),
        v(0.0, 2.0, 0.0),
        v(0.0, 0.0, 2.0),
        v(2.0, 0.0, 2.0),
        v(0.0, 2.0, 2.0),
        v(2.0, 2.0, 1.0),
        v(2.0, 1.0, 2.0),
        v(1.0, 2.0, 2.0),
        v(1.0, 1.0, 2.0),
        v(1.0, 2.0, 1.0),
        v(2.0, 1.0, 1.0),
        v(1.0, 1.0, 1.0),
    ];
    let faces: Faces = vec![
        vec![0, 3, 2, 1],
        vec![0, 1, 5, 4],
        vec![0, 4, 6, 3],
        vec![1, 2, 7, 12, 8, 5],
        vec![2, 3, 6, 9, 11, 7],
        vec![4, 5, 8, 10, 9, 6],
        vec![13, 12, 7, 11],
        vec![13, 11, 9, 10],
        vec![13, 10, 8, 12],
    ];
    assert_eq!(assert_divided(&vertices, &faces), 3);
}

#[test]
fn noise_of_drawings_does_not_make_splinters() {
    let mut random = Random(3);
    for _ in 0..50 {
        let (mut vertices, faces) = prism(&l(), 0.5);
        let turn = random.rotation();
        for v in &mut vertices {
            *v = turn * *v + random.in_cube(2e-7);
        }
        let parts = convex_parts(&vertices, &faces).unwrap();
        assert_eq!(parts.len(), 2);
        let whole = enclosed(&vertices, &faces);
        let sum: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
        // Noise of 2e-7 m over a surface of 8 m².
        assert!((sum - whole).abs() < 2e-6);
    }
}

#[test]
fn single_precision_far_from_the_origin_does_not_make_splinters() {
    let mut random = Random(8);
    for _ in 0..50 {
        let (mut vertices, faces) = prism(&l(), 0.5);
        let turn = random.rotation();
        // At 40 m single precision resolves 4e-6 m, twice what lies in a plane of this block.
        let shift = random.unit() * 40.0;
        for v in &mut vertices {
            *v = (turn * *v + shift).as_vec3().as_dvec3();
        }
        let triangles: Faces = faces
            .iter()
            .flat_map(|f| triangulate(&vertices, f))
            .map(|t| t.to_vec())
            .collect();
        let parts = convex_parts(&vertices, &triangles).unwrap();
        assert_eq!(parts.len(), 2);
        let near: Vec<DVec3> = vertices.iter().map(|v| *v - shift).collect();
        let whole = enclosed(&near, &triangles);
        let sum: f64 = parts.iter().map(|p| p.volume_properties().volume).sum();
        // 4e-6 m over a surface of 8 m².
        assert!((sum - whole).abs() < 4e-5);
    }
}

#[test]
fn what_is_no_solid_is_refused() {
    let (vertices, faces) = prism(&l(), 0.5);
    let mut open = faces.clone();
    open.pop();
    let fault = convex_parts(&vertices, &open).unwrap_err();
    assert!(matches!(fault, ShapeFault::OpenEdge { .. }), "{fault}");
    let inside_out: Faces = faces
        .iter()
        .map(|f| f.iter().rev().copied().collect())
        .collect();
    let fault = convex_parts(&vertices, &inside_out).unwrap_err();
    assert!(matches!(fault, ShapeFault::InsideOut { .. }), "{fault}");
    let mut wrong = faces.clone();
    wrong[0][0] = 99;
    let fault = convex_parts(&vertices, &wrong).unwrap_err();
    assert!(
        matches!(fault, ShapeFault::IndexOutOfRange { .. }),
        "{fault}"
    );
    let mut nan = vertices.clone();
    nan[3].y = f64::NAN;
    let fault = convex_parts(&nan, &faces).unwrap_err();
    assert!(
        matches!(fault, ShapeFault::NonFinite { vertex: 3, .. }),
        "{fault}"
    );
    let fault = convex_parts(&vertices, &[vec![0, 1]]).unwrap_err();
    assert!(matches!(fault, ShapeFault::TooFewCorners { .. }), "{fault}");
}
