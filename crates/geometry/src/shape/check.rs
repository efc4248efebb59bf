//! Faults of a block that is given by its faces.

use glam::DVec3;

use super::ShapeFault;
use super::mass::enclosed_volume;
use super::merge::{area_vector, mean_plane};
use super::polyhedron::{FLATNESS, PLANARITY, extent};

/// All faults, in the order in which they should be mended: later checks run only if the earlier ones found nothing,
/// because they would report the same mistake again in words that mislead.
pub(super) fn faults(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<ShapeFault> {
    [numbers, listing, surface, convexity]
        .into_iter()
        .map(|stage| stage(vertices, faces))
        .find(|faults| !faults.is_empty())
        .unwrap_or_default()
}

fn numbers(vertices: &[DVec3], _: &[Vec<u32>]) -> Vec<ShapeFault> {
    let mut faults: Vec<ShapeFault> = vertices
        .iter()
        .enumerate()
        .filter(|(_, p)| !p.is_finite())
        .map(|(vertex, &at)| ShapeFault::NonFinite { vertex, at })
        .collect();
    if vertices.len() < 4 {
        faults.push(ShapeFault::TooFewVertices {
            count: vertices.len(),
        });
    }
    faults
}

/// Indices, duplicates and zero volume.
fn listing(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<ShapeFault> {
    let mut faults = duplicates(vertices);
    let count = vertices.len();
    let mut used = vec![false; count];
    for (face, corners) in faces.iter().enumerate() {
        if corners.len() < 3 {
            faults.push(ShapeFault::TooFewCorners {
                face,
                count: corners.len(),
            });
        }
        for (i, &index) in corners.iter().enumerate() {
            match used.get_mut(index as usize) {
                None => faults.push(ShapeFault::IndexOutOfRange { face, index, count }),
                Some(_) if corners[..i].contains(&index) => {
                    faults.push(ShapeFault::RepeatedCorner {
                        face,
                        vertex: index,
                    });
                }
                Some(used) => *used = true,
            }
        }
    }
    let unused = (0..count).filter(|&v| !used[v]);
    faults.extend(unused.map(|vertex| ShapeFault::UnusedVertex { vertex }));
    let flat = super::Polyhedron::hull(vertices).err();
    faults.extend(flat);
    faults
}

/// Pairs of vertices closer than a vertex may be to a plane.
fn duplicates(vertices: &[DVec3]) -> Vec<ShapeFault> {
    let tolerance = PLANARITY * extent(vertices);
    let mut order: Vec<usize> = (0..vertices.len()).collect();
    order.sort_by(|&i, &j| vertices[i].x.total_cmp(&vertices[j].x).then(i.cmp(&j)));
    let mut faults = Vec::new();
    for (k, &i) in order.iter().enumerate() {
        let close = order[k + 1..]
            .iter()
            .take_while(|&&j| vertices[j].x - vertices[i].x <= tolerance);
        for &j in close {
            let distance = vertices[i].distance(vertices[j]);
            if distance <= tolerance {
                faults.push(ShapeFault::DuplicateVertices {
                    first: i.min(j),
                    second: i.max(j),
                    at: vertices[i.min(j)],
                    distance,
                });
            }
        }
    }
    faults
}

/// Whether the faces close and agree in orientation.
fn surface(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<ShapeFault> {
    let mut directed: Vec<(u32, u32, usize)> = Vec::new();
    for (face, corners) in faces.iter().enumerate() {
        for (i, &from) in corners.iter().enumerate() {
            directed.push((from, corners[(i + 1) % corners.len()], face));
        }
    }
    directed.sort_unstable();
    let run = |from, to| {
        let first = directed.partition_point(|e| (e.0, e.1) < (from, to));
        let last = directed.partition_point(|e| (e.0, e.1) <= (from, to));
        &directed[first..last]
    };
    let mut twice = vec![0; faces.len()];
    for &(from, to, face) in &directed {
        twice[face] += usize::from(run(from, to).len() > 1);
    }
    // A face that disagrees along all its edges is the culprit, unless its neighbours do so as well.
    let inverted: Vec<bool> = (0..faces.len())
        .map(|f| {
            twice[f] == faces[f].len() && {
                let mut others = directed
                    .iter()
                    .filter(|e| e.2 == f)
                    .flat_map(|e| run(e.0, e.1));
                others.all(|e| e.2 == f || twice[e.2] < faces[e.2].len())
            }
        })
        .collect();
    let mut faults: Vec<ShapeFault> = (0..faces.len())
        .filter(|&f| inverted[f])
        .map(|face| ShapeFault::InvertedFace { face })
        .collect();
    let mut k = 0;
    while k < directed.len() {
        let (from, to, face) = directed[k];
        let same = run(from, to);
        k += same.len();
        if same.iter().any(|e| inverted[e.2]) {
            continue;
        }
        if let Some(second) = same.get(1) {
            faults.push(ShapeFault::EdgeTwice {
                from,
                to,
                first: face,
                second: second.2,
            });
        } else if run(to, from).is_empty() {
            faults.push(ShapeFault::OpenEdge { from, to, face });
        }
    }
    if faults.is_empty() {
        let volume = enclosed_volume(vertices, faces.iter().map(Vec::as_slice));
        if volume < 0.0 {
            faults.push(ShapeFault::InsideOut { volume });
        }
    }
    faults
}

/// Plane faces, and no vertex outside of one.
fn convexity(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<ShapeFault> {
    let extent = extent(vertices);
    let allowed = PLANARITY * extent;
    let mut faults = Vec::new();
    let mut worst: Option<(f64, usize, usize)> = None;
    for (face, corners) in faces.iter().enumerate() {
        // The direction of a sliver means nothing: its vertices are judged by the planes of its neighbours.
        if area_vector(vertices, corners).length() < FLATNESS * extent * extent * FLATNESS {
            continue;
        }
        let (normal, offset) = mean_plane(vertices, corners);
        let height = |v: usize| normal.dot(vertices[v]) - offset;
        let farthest = corners.iter().max_by(|&&u, &&v| {
            height(u as usize)
                .abs()
                .total_cmp(&height(v as usize).abs())
        });
        if let Some(&vertex) = farthest {
            let distance = height(vertex as usize).abs();
            if distance > allowed {
                faults.push(ShapeFault::NonPlanarFace {
                    face,
                    vertex,
                    distance,
                    allowed,
                });
                continue;
            }
        }
        let n = corners.len();
        let turns_back = (0..n).find(|&i| {
            let [p, q, r] =
                [(i + n - 1) % n, i, (i + 1) % n].map(|i| vertices[corners[i] as usize]);
            (q - p).cross(r - q).dot(normal) < -allowed * extent
        });
        if let Some(i) = turns_back {
            faults.push(ShapeFault::CrossedFace {
                face,
                vertex: corners[i],
            });
            continue;
        }
        for vertex in 0..vertices.len() {
            let outside = height(vertex);
            // The plane of a short face is known less well far away from it; twice the tolerance covers its tilt.
            if outside > 2.0 * allowed && worst.is_none_or(|w| outside > w.0) {
                worst = Some((outside, vertex, face));
            }
        }
    }
    if let (Some((distance, vertex, face)), true) = (worst, faults.is_empty()) {
        faults.push(ShapeFault::NonConvex {
            face,
            vertex,
            distance,
            allowed,
        });
    }
    faults
}
