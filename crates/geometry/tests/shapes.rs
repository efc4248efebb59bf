//! Hulls, faults and volume integrals of block shapes.

mod common;

use common::{Random, chamfered_points, cuboid, prism_points, voussoir_points};
use drystone_geometry::{DMat3, DVec3, Polyhedron, ShapeFault};

/// Faces, edges and vertices, then Euler, planarity, convexity and outward normals.
fn assert_sound(shape: &Polyhedron, tolerance: f64) {
    let (v, e, f) = (
        shape.vertices().len(),
        shape.edges().len(),
        shape.faces().len(),
    );
    assert_eq!(v + f, e + 2, "Euler: {v} vertices {e} edges {f} faces");
    for face in shape.faces() {
        assert!((face.normal.length() - 1.0).abs() < 1e-14);
        assert!(face.corners.len() >= 3);
        for (i, p) in shape.vertices().iter().enumerate() {
            let height = face.normal.dot(*p) - face.offset;
            if face.corners.contains(&(i as u32)) {
                assert!(height.abs() <= tolerance, "corner {height:e} off its plane");
            } else {
                assert!(height <= tolerance, "vertex {height:e} outside");
            }
        }
        let n = face.corners.len();
        for i in 0..n {
            let [p, q, r] =
                [i, (i + 1) % n, (i + 2) % n].map(|i| shape.vertices()[face.corners[i] as usize]);
            assert!(
                (q - p).cross(r - q).dot(face.normal) > 0.0,
                "corner does not turn left"
            );
        }
    }
    for edge in shape.edges() {
        let [f, g] = edge.faces.map(|f| &shape.faces()[f as usize].corners);
        let runs = |corners: &[u32], from: u32, to: u32| {
            (0..corners.len()).any(|i| corners[i] == from && corners[(i + 1) % corners.len()] == to)
        };
        assert!(runs(f, edge.ends[0], edge.ends[1]) && runs(g, edge.ends[1], edge.ends[0]));
    }
}

fn noisy(points: &[DVec3], random: &mut Random, noise: f64) -> Vec<DVec3> {
    let turn = random.rotation();
    let shift = random.in_cube(3.0);
    points
        .iter()
        .map(|&p| turn * p + shift + random.in_cube(noise))
        .collect()
}

#[test]
fn hulls_of_masonry_shapes_have_whole_faces_in_any_position_and_with_noise() {
    let mut random = Random(1);
    let shapes: Vec<(Vec<DVec3>, usize, usize)> = vec![
        (cuboid(0.4, 0.2, 0.2).vertices().to_vec(), 8, 6),
        (cuboid(4.0, 0.02, 0.3).vertices().to_vec(), 8, 6),
        (voussoir_points(3.0, 0.6, 0.8, 0.3, 0.45), 8, 6),
        (chamfered_points(0.4, 0.2, 0.2, 0.0075), 24, 6 + 12 + 8),
        (prism_points(20, 0.5, 1.0), 40, 22),
        (prism_points(33, 0.5, 0.2), 66, 35),
        (prism_points(40, 0.5, 3.0), 80, 42),
    ];
    for (points, vertices, faces) in shapes {
        for round in 0..200 {
            // CAD noise of 1e-9 and file precision of 1e-8 relative to the extent; far below PLANARITY.
            let noise = [0.0, 1e-9, 1e-8][round % 3];
            let shape = Polyhedron::hull(&noisy(&points, &mut random, noise)).unwrap();
            assert_eq!(
                (shape.vertices().len(), shape.faces().len()),
                (vertices, faces)
            );
            assert_sound(&shape, 1e-14 + 10.0 * noise);
        }
    }
}

#[test]
fn points_on_faces_edges_and_inside_are_left_out() {
    let mut random = Random(2);
    for round in 0..100 {
        let mut points = cuboid(1.0, 0.5, 0.25).vertices().to_vec();
        for _ in 0..30 {
            let mut p = random.in_cube(0.5) * DVec3::new(1.0, 0.5, 0.25);
            for axis in 0..random.below(3) {
                p[axis] = p[axis].signum() * [0.5, 0.25, 0.125][axis];
            }
            points.push(p);
        }
        let points = noisy(
            &points,
            &mut random,
            if round % 2 == 0 { 0.0 } else { 1e-9 },
        );
        let shape = Polyhedron::hull(&points).unwrap();
        assert_eq!((shape.vertices().len(), shape.faces().len()), (8, 6));
        assert_eq!(shape.vertices(), &points[..8]);
        assert_sound(&shape, 1e-8);
    }
}

#[test]
fn random_hulls_contain_their_points() {
    let mut random = Random(3);
    for _ in 0..300 {
        let count = 4 + random.below(60);
        let scale = 10f64.powf(random.within(-3.0, 3.0));
        let points: Vec<DVec3> = (0..count).map(|_| random.in_cube(scale)).collect();
        let Ok(shape) = Polyhedron::hull(&points) else {
            panic!("random points span a volume");
        };
        assert_sound(&shape, 4e-6 * scale);
        for p in &points {
            for face in shape.faces() {
                assert!(face.normal.dot(*p) - face.offset <= 4e-6 * scale);
            }
        }
    }
}

#[test]
fn a_grid_of_coplanar_points_makes_a_box() {
    let mut points = Vec::new();
    for i in 0..5 {
        for j in 0..5 {
            for k in 0..5 {
                points.push(DVec3::new(f64::from(i), f64::from(j), f64::from(k)) * 0.1);
            }
        }
    }
    let shape = Polyhedron::hull(&points).unwrap();
    assert_eq!(shape.vertices().len(), 8);
    assert_eq!(shape.faces().len(), 6);
}

#[test]
fn volume_integrals_equal_closed_forms() {
    let (a, b, c) = (0.4, 0.3, 1.7);
    let shift = DVec3::new(100.0, -50.0, 3.0);
    let properties = cuboid(a, b, c).translated(shift).volume_properties();
    let volume = a * b * c;
    let inertia = DVec3::new(b * b + c * c, a * a + c * c, a * a + b * b) * (volume / 12.0);
    // Far from the origin the coordinates themselves carry 1e-14 m.
    assert!((properties.volume - volume).abs() < 1e-12);
    assert!((properties.centroid - shift).length() < 1e-12);
    let off = properties.inertia - DMat3::from_diagonal(inertia);
    assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-12));

    // A corner tetrahedron: V = abc/6, centroid at a quarter, xx about the centroid 3/80 V a² and xy -V a b / 80.
    let corner = [DVec3::ZERO, DVec3::X * a, DVec3::Y * b, DVec3::Z * c];
    let properties = Polyhedron::hull(&corner).unwrap().volume_properties();
    let volume = volume / 6.0;
    assert!((properties.volume - volume).abs() < 1e-16);
    assert!((properties.centroid - DVec3::new(a, b, c) / 4.0).length() < 1e-15);
    let xx = 3.0 / 80.0 * volume * (b * b + c * c);
    assert!((properties.inertia.x_axis.x - xx).abs() < 1e-16);
    assert!((properties.inertia.x_axis.y - volume * a * b / 80.0).abs() < 1e-16);
}

#[test]
fn size_is_the_thickness_and_radius_the_farthest_vertex() {
    let shape = cuboid(4.0, 0.02, 0.3);
    assert!((shape.size() - 0.02).abs() < 1e-15);
    assert!((shape.radius() - DVec3::new(2.0, 0.01, 0.15).length()).abs() < 1e-15);
    assert_eq!(shape.bounding_box().extent(), DVec3::new(4.0, 0.02, 0.3));
}

fn cube() -> (Vec<DVec3>, Vec<Vec<u32>>) {
    let shape = Polyhedron::cuboid(DVec3::ZERO, DVec3::ONE).unwrap();
    let faces = shape.faces().iter().map(|f| f.corners.clone()).collect();
    (shape.vertices().to_vec(), faces)
}

fn faults(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<ShapeFault> {
    Polyhedron::from_faces(vertices, faces).unwrap_err()
}

#[test]
fn a_cube_by_its_faces_equals_its_hull() {
    let (vertices, faces) = cube();
    let shape = Polyhedron::from_faces(&vertices, &faces).unwrap();
    assert_eq!(shape, Polyhedron::hull(&vertices).unwrap());
    // Triangulated, as meshes have it.
    let triangles: Vec<Vec<u32>> = faces
        .iter()
        .flat_map(|f| [vec![f[0], f[1], f[2]], vec![f[0], f[2], f[3]]])
        .collect();
    assert_eq!(
        Polyhedron::from_faces(&vertices, &triangles).unwrap(),
        shape
    );
}

#[test]
fn faults_of_faces_are_named() {
    let (vertices, faces) = cube();

    let mut broken = faces.clone();
    broken[2].reverse();
    assert_eq!(
        faults(&vertices, &broken),
        [ShapeFault::InvertedFace { face: 2 }]
    );

    let inside_out: Vec<Vec<u32>> = faces
        .iter()
        .map(|f| f.iter().rev().copied().collect())
        .collect();
    assert_eq!(
        faults(&vertices, &inside_out),
        [ShapeFault::InsideOut { volume: -1.0 }]
    );

    let open = &faces[..5];
    let found = faults(&vertices, open);
    assert_eq!(found.len(), 4);
    assert!(
        found
            .iter()
            .all(|f| matches!(f, ShapeFault::OpenEdge { .. }))
    );

    let mut doubled = faces.clone();
    doubled.push(faces[0].clone());
    assert!(
        faults(&vertices, &doubled)
            .iter()
            .all(|f| matches!(f, ShapeFault::EdgeTwice { .. }))
    );

    let mut broken = faces.clone();
    broken[0][1] = 8;
    broken[1] = vec![0, 1];
    let found = faults(&vertices, &broken);
    assert!(found.contains(&ShapeFault::IndexOutOfRange {
        face: 0,
        index: 8,
        count: 8
    }));
    assert!(found.contains(&ShapeFault::TooFewCorners { face: 1, count: 2 }));

    let mut pushed = vertices.clone();
    pushed[7] += DVec3::new(0.0, 0.0, 1e-3);
    assert!(
        faults(&pushed, &faces)
            .iter()
            .all(|f| matches!(f, ShapeFault::NonPlanarFace { .. }))
    );

    let mut twisted = faces.clone();
    twisted[0].swap(0, 1);
    assert!(!faults(&vertices, &twisted).is_empty());

    let mut repeated = vertices.clone();
    repeated[3] = repeated[1] + 1e-9;
    assert!(matches!(
        faults(&repeated, &faces)[0],
        ShapeFault::DuplicateVertices {
            first: 1,
            second: 3,
            ..
        }
    ));

    let mut extra = vertices.clone();
    extra.push(DVec3::splat(0.5));
    assert_eq!(
        faults(&extra, &faces),
        [ShapeFault::UnusedVertex { vertex: 8 }]
    );

    let mut infinite = vertices.clone();
    infinite[4].y = f64::NAN;
    assert!(matches!(
        faults(&infinite, &faces)[0],
        ShapeFault::NonFinite { vertex: 4, .. }
    ));
}

#[test]
fn a_dented_block_is_not_convex_and_the_message_says_where() {
    // An octahedron with one tip pushed through the middle plane.
    let tips = [
        DVec3::X,
        DVec3::Y,
        DVec3::NEG_X,
        DVec3::NEG_Y,
        DVec3::Z,
        DVec3::Z * 0.25,
    ];
    let faces: Vec<Vec<u32>> = (0..4u32)
        .flat_map(|i| [vec![i, (i + 1) % 4, 4], vec![(i + 1) % 4, i, 5]])
        .collect();
    let found = faults(&tips, &faces);
    assert!(matches!(found[..], [ShapeFault::NonConvex { distance, .. }] if distance > 0.1));
    let message = found[0].to_string();
    assert!(
        message.contains("not convex") && message.contains("split the block"),
        "{message}"
    );
}

#[test]
fn flat_and_poor_input_is_refused() {
    let flat: Vec<DVec3> = (0..6)
        .map(|i| DVec3::new(f64::from(i), f64::from(i * i), 1.0))
        .collect();
    assert!(matches!(
        Polyhedron::hull(&flat),
        Err(ShapeFault::Flat { .. })
    ));
    assert!(matches!(
        Polyhedron::hull(&[DVec3::ONE; 9]),
        Err(ShapeFault::Flat { .. })
    ));
    let line: Vec<DVec3> = (0..6).map(|i| DVec3::splat(f64::from(i))).collect();
    assert!(matches!(
        Polyhedron::hull(&line),
        Err(ShapeFault::Flat { .. })
    ));
    assert!(matches!(
        Polyhedron::hull(&flat[..3]),
        Err(ShapeFault::TooFewVertices { count: 3 })
    ));
    assert!(matches!(
        Polyhedron::hull(&[]),
        Err(ShapeFault::TooFewVertices { count: 0 })
    ));
    let huge = [
        DVec3::ZERO,
        DVec3::X * 1e308,
        DVec3::Y * -1e308,
        DVec3::Z * f64::INFINITY,
    ];
    assert!(matches!(
        Polyhedron::hull(&huge),
        Err(ShapeFault::NonFinite { vertex: 3, .. })
    ));
    // A sheet of paper as large as a wall, tilted so that no coordinate shows it.
    let mut random = Random(4);
    let sheet = noisy(
        &[DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::new(1.0, 1.0, 0.0)],
        &mut random,
        1e-7,
    );
    assert!(matches!(
        Polyhedron::hull(&sheet),
        Err(ShapeFault::Flat { .. })
    ));
}

#[test]
fn trimming_cuts_every_edge_at_its_depth() {
    let block = cuboid(0.4, 0.3, 0.2);
    let depth = 0.005;
    let trimmed = block.trimmed(depth, None).unwrap();
    assert_sound(&trimmed, 1e-15);
    // Six faces and twelve chamfers; at each corner three chamfers meet in a point, and each pair of them with a face.
    assert_eq!(trimmed.faces().len(), 18);
    assert_eq!(trimmed.vertices().len(), 8 * 4);
    let cut = depth * std::f64::consts::SQRT_2;
    let shares_plane = |n: DVec3, offset: f64| {
        let near = |f: &&drystone_geometry::Face| {
            f.normal.distance(n) < 1e-12 && (f.offset - offset).abs() < 1e-15
        };
        trimmed.faces().iter().find(near).map(|f| f.area)
    };
    let top = shares_plane(DVec3::Z, 0.1).unwrap();
    assert!((top - (0.4 - 2.0 * cut) * (0.3 - 2.0 * cut)).abs() < 1e-14);
    for edge in block.edges() {
        let [m, n] = edge.faces.map(|f| block.faces()[f as usize].normal);
        let normal = (m + n).normalize();
        let offset = normal.dot(block.vertices()[edge.ends[0] as usize]) - depth;
        assert!(shares_plane(normal, offset).is_some());
    }
    assert_eq!(block.trimmed(0.0, None).unwrap(), block);
    assert!(block.trimmed(1.0, None).is_err());
    // From the shortest side, cuts come sqrt(2) depth far from both of its edges.
    let extent = block.bounding_box().extent().min_element();
    let most = extent / 8.0_f64.sqrt();
    assert!(matches!(
        block.trimmed(1.001 * most, None),
        Err(ShapeFault::FaceLost { .. })
    ));
    assert!(block.trimmed(0.999 * most, None).is_ok());
    assert!((block.largest_trim(None) / most - 1.0).abs() < 1e-4);
    // The tip of a corner is worn away with its edges; all six sides stay.
    let corner = DVec3::new(1.0, 1.0, 1.0).normalize();
    let far = block.vertices().iter().map(|v| corner.dot(*v));
    let tip = block.cut(corner, far.fold(0.0, f64::max) - 0.002).unwrap();
    assert_eq!(tip.faces().len(), 7);
    let worn = tip.trimmed(0.01, None).unwrap();
    assert!(
        !worn
            .faces()
            .iter()
            .any(|f| f.normal.dot(corner) > 1.0 - 1e-9)
    );
    let half = block.cut(DVec3::X, 0.0).unwrap();
    assert!((half.volume_properties().volume - 0.5 * 0.4 * 0.3 * 0.2).abs() < 1e-15);
}
