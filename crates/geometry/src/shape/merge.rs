//! Plane faces out of the triangles of a hull.

use glam::DVec3;

/// Joins triangles that lie in one plane within `tolerance` (m) into polygons, and drops vertices along straight edges.
///
/// Counter-clockwise polygons, each starting at its lowest vertex, in lexicographic order: the answer does not depend
/// on how the hull happened to be triangulated. If joining fails to give a closed surface, which takes slivers no block
/// has, the triangles themselves are the faces.
pub(super) fn faces(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Vec<Vec<u32>> {
    let mut faces = joined(points, triangles, tolerance)
        .filter(|faces| is_closed(faces))
        .unwrap_or_else(|| triangles.iter().map(|t| t.to_vec()).collect());
    for face in &mut faces {
        let lowest = (0..face.len()).min_by_key(|&i| face[i]).unwrap_or(0);
        face.rotate_left(lowest);
    }
    faces.sort_unstable();
    faces
}

/// Twice the area of a polygon times its unit normal, insensitive to the distance from the origin.
pub(super) fn area_vector(points: &[DVec3], corners: &[u32]) -> DVec3 {
    let Some((&first, rest)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    let origin = points[first as usize];
    rest.windows(2)
        .map(|w| (points[w[0] as usize] - origin).cross(points[w[1] as usize] - origin))
        .sum()
}

/// Unit normal and offset of the mean plane through a polygon.
pub(super) fn mean_plane(points: &[DVec3], corners: &[u32]) -> (DVec3, f64) {
    let normal = area_vector(points, corners).normalize_or_zero();
    let sum: f64 = corners
        .iter()
        .map(|&v| normal.dot(points[v as usize]))
        .sum();
    (normal, sum / corners.len() as f64)
}

fn joined(points: &[DVec3], triangles: &[[u32; 3]], tolerance: f64) -> Option<Vec<Vec<u32>>> {
    let neighbours = neighbours(triangles)?;
    // The largest triangles define the planes: the normals of slivers mean nothing.
    let areas: Vec<f64> = triangles
        .iter()
        .map(|t| area_vector(points, t).length())
        .collect();
    let mut seeds: Vec<usize> = (0..triangles.len()).collect();
    seeds.sort_by(|&i, &j| areas[j].total_cmp(&areas[i]).then(i.cmp(&j)));

    let mut region_of = vec![usize::MAX; triangles.len()];
    let mut loops = Vec::new();
    for seed in seeds {
        if region_of[seed] != usize::MAX {
            continue;
        }
        let mut plane = mean_plane(points, &triangles[seed]);
        let mut region = Vec::new();
        // A second pass with the plane of the whole region undoes the tilt of the seed.
        for _ in 0..2 {
            region = flood(
                points,
                triangles,
                &neighbours,
                &region_of,
                seed,
                plane,
                tolerance,
            );
            let sum: DVec3 = region
                .iter()
                .map(|&t| area_vector(points, &triangles[t]))
                .sum();
            let normal = sum.normalize_or_zero();
            let corners = region.iter().flat_map(|&t| triangles[t]);
            let offsets = corners.map(|v| normal.dot(points[v as usize])).sum::<f64>();
            plane = (normal, offsets / (3 * region.len()) as f64);
        }
        for &t in &region {
            region_of[t] = loops.len();
        }
        loops.push(rim(triangles, &region)?);
    }
    straighten(points, &mut loops, tolerance);
    loops.iter().all(|l| l.len() >= 3).then_some(loops)
}

/// For each triangle the ones across its edges 01, 12 and 20.
fn neighbours(triangles: &[[u32; 3]]) -> Option<Vec<[usize; 3]>> {
    let mut edges: Vec<(u32, u32, usize)> = Vec::with_capacity(3 * triangles.len());
    for (t, &[a, b, c]) in triangles.iter().enumerate() {
        edges.extend([(a, b, t), (b, c, t), (c, a, t)]);
    }
    edges.sort_unstable();
    let across = |from: u32, to: u32| {
        let i = edges.partition_point(|&(u, v, _)| (u, v) < (to, from));
        edges
            .get(i)
            .filter(|e| (e.0, e.1) == (to, from))
            .map(|e| e.2)
    };
    triangles
        .iter()
        .map(|&[a, b, c]| Some([across(a, b)?, across(b, c)?, across(c, a)?]))
        .collect()
}

fn flood(
    points: &[DVec3],
    triangles: &[[u32; 3]],
    neighbours: &[[usize; 3]],
    region_of: &[usize],
    seed: usize,
    (normal, offset): (DVec3, f64),
    tolerance: f64,
) -> Vec<usize> {
    let near = |v: &u32| (normal.dot(points[*v as usize]) - offset).abs() <= tolerance;
    let mut region = vec![seed];
    let mut next = 0;
    while next < region.len() {
        for t in neighbours[region[next]] {
            if region_of[t] == usize::MAX && !region.contains(&t) && triangles[t].iter().all(near) {
                region.push(t);
            }
        }
        next += 1;
    }
    region
}

/// The closed boundary of a region; None if it is not one simple loop.
fn rim(triangles: &[[u32; 3]], region: &[usize]) -> Option<Vec<u32>> {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for &t in region {
        let [a, b, c] = triangles[t];
        for edge in [(a, b), (b, c), (c, a)] {
            match edges.iter().position(|&(from, to)| (to, from) == edge) {
                Some(twin) => {
                    edges.swap_remove(twin);
                }
                None => edges.push(edge),
            }
        }
    }
    edges.sort_unstable();
    let start = edges.first()?.0;
    let mut corners = Vec::with_capacity(edges.len());
    let mut at = start;
    loop {
        corners.push(at);
        let i = edges.partition_point(|&(from, _)| from < at);
        at = edges.get(i).filter(|e| e.0 == at)?.1;
        if at == start {
            break;
        }
        if corners.len() > edges.len() {
            return None;
        }
    }
    (corners.len() == edges.len()).then_some(corners)
}

/// Drops vertices that only two faces share and that lie on a straight edge between them.
fn straighten(points: &[DVec3], loops: &mut [Vec<u32>], tolerance: f64) {
    let mut uses = vec![0u32; points.len()];
    for &v in loops.iter().flatten() {
        uses[v as usize] += 1;
    }
    let mut dropped = vec![false; points.len()];
    for corners in loops.iter() {
        let n = corners.len();
        for i in 0..n {
            let (before, v, after) = (corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]);
            let [p, q, r] = [before, v, after].map(|v| points[v as usize]);
            let along = (r - p).normalize_or_zero();
            if uses[v as usize] == 2
                && (q - p).reject_from_normalized(along).length() <= 4.0 * tolerance
            {
                dropped[v as usize] = true;
            }
        }
    }
    for corners in loops {
        corners.retain(|&v| !dropped[v as usize]);
    }
}

/// Whether every edge has one face on each side and the surface is a sphere's.
fn is_closed(faces: &[Vec<u32>]) -> bool {
    let mut edges: Vec<(u32, u32)> = Vec::new();
    for face in faces {
        edges.extend((0..face.len()).map(|i| (face[i], face[(i + 1) % face.len()])));
    }
    edges.sort_unstable();
    let mut corners: Vec<u32> = edges.iter().map(|e| e.0).collect();
    corners.dedup();
    let paired = edges
        .iter()
        .all(|&(u, v)| edges.binary_search(&(v, u)).is_ok());
    let once = edges.windows(2).all(|w| w[0] != w[1]);
    paired && once && corners.len() + faces.len() == edges.len() / 2 + 2
}
