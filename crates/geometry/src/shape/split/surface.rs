//! The surface of a solid as pieces of planes.

use glam::DVec3;

use super::super::mass::enclosed_volume;
use super::super::merge::{area_vector, mean_plane};
use super::super::triangulate::triangulate;
use super::super::winding::winding_number;

/// A convex piece of a face within a cell.
#[derive(Clone)]
pub(super) struct Fragment {
    pub corners: Vec<DVec3>,
    /// Number of the plane of its face.
    pub plane: usize,
}

impl Fragment {
    /// Lowest and highest distance from a plane.
    pub fn heights(&self, normal: DVec3, offset: f64) -> (f64, f64) {
        let heights = self.corners.iter().map(|p| normal.dot(*p) - offset);
        heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), h| {
            (low.min(h), high.max(h))
        })
    }

    /// The parts behind and before a plane that runs through it.
    pub fn divided(&self, normal: DVec3, offset: f64, tolerance: f64) -> [Self; 2] {
        let height = |p: DVec3| {
            let h = normal.dot(p) - offset;
            if h.abs() <= tolerance { 0.0 } else { h }
        };
        let mut sides = [Vec::new(), Vec::new()];
        for (i, &p) in self.corners.iter().enumerate() {
            let q = self.corners[(i + 1) % self.corners.len()];
            let (g, h) = (height(p), height(q));
            if g <= 0.0 {
                sides[0].push(p);
            }
            if g >= 0.0 {
                sides[1].push(p);
            }
            if (g < 0.0 && h > 0.0) || (g > 0.0 && h < 0.0) {
                let crossing = p + (q - p) * (g / (g - h));
                sides.iter_mut().for_each(|side| side.push(crossing));
            }
        }
        sides.map(|corners| Self {
            corners,
            plane: self.plane,
        })
    }
}

/// The plane of a face.
pub(super) struct Plane {
    pub normal: DVec3,
    pub offset: f64,
    /// Of the face, m².
    pub area: f64,
}

/// An edge at which the solid is drawn in.
pub(super) struct Inward {
    pub ends: [DVec3; 2],
    pub planes: [usize; 2],
}

/// What bounds a solid.
pub(super) struct Surface {
    pub fragments: Vec<Fragment>,
    pub planes: Vec<Plane>,
    pub inward: Vec<Inward>,
    pub volume: f64,
    /// Corners closer to a plane than this lie in it, m.
    pub tolerance: f64,
    /// How far vertices are from the planes of their faces, m.
    pub noise: f64,
    pub area: f64,
}

impl Surface {
    pub fn new(vertices: &[DVec3], faces: &[Vec<u32>], tolerance: f64) -> Self {
        let mut planes = Vec::new();
        let mut triangles: Vec<([u32; 3], usize)> = Vec::new();
        let mut noise = 0.0f64;
        let mut area = 0.0;
        for corners in faces {
            let divided = triangulate(vertices, corners);
            let (normal, offset) = mean_plane(vertices, corners);
            let off = |v: &u32| (normal.dot(vertices[*v as usize]) - offset).abs();
            let bent = corners.iter().map(off).fold(0.0, f64::max);
            let plane = bent <= tolerance;
            for (k, triangle) in divided.into_iter().enumerate() {
                if k == 0 || !plane {
                    let own: &[u32] = if plane { corners } else { &triangle };
                    let (normal, offset) = mean_plane(vertices, own);
                    let size = 0.5 * area_vector(vertices, own).length();
                    area += size;
                    planes.push(Plane {
                        normal,
                        offset,
                        area: size,
                    });
                }
                triangles.push((triangle, planes.len() - 1));
            }
            if plane {
                noise = noise.max(bent);
            }
        }
        let volume = enclosed_volume(vertices, triangles.iter().map(|(t, _)| t.as_slice()));
        let inward = inward_edges(vertices, &triangles, &planes, tolerance);
        let fragments = triangles
            .iter()
            .map(|(triangle, plane)| Fragment {
                corners: triangle.map(|v| vertices[v as usize]).to_vec(),
                plane: *plane,
            })
            // What is thinner than the tolerance bounds nothing.
            .filter(|f| !is_sliver(&f.corners, tolerance))
            .collect();
        Self {
            fragments,
            planes,
            inward,
            volume,
            tolerance,
            noise,
            area,
        }
    }

    /// How often the surface goes around a point: 1 inside, 0 outside.
    pub fn winding(&self, at: DVec3) -> f64 {
        let triangles = self.fragments.iter();
        winding_number(triangles.map(|f| [0, 1, 2].map(|i| f.corners[i])), at)
    }
}

/// Whether a polygon is too thin to bound anything.
pub(super) fn is_sliver(corners: &[DVec3], tolerance: f64) -> bool {
    let Some((&first, rest)) = corners.split_first() else {
        return true;
    };
    let area: DVec3 = rest
        .windows(2)
        .map(|w| (w[0] - first).cross(w[1] - first))
        .sum();
    let reach = rest.iter().map(|p| p.distance(first)).fold(0.0, f64::max);
    area.length() <= 1e-3 * tolerance * reach
}

fn inward_edges(
    vertices: &[DVec3],
    triangles: &[([u32; 3], usize)],
    planes: &[Plane],
    tolerance: f64,
) -> Vec<Inward> {
    let mut edges: Vec<(u32, u32, usize)> = Vec::new();
    for (t, ([a, b, c], _)) in triangles.iter().enumerate() {
        edges.extend([(*a, *b, t), (*b, *c, t), (*c, *a, t)]);
    }
    edges.sort_unstable();
    let mut inward = Vec::new();
    for &(from, to, t) in &edges {
        let start = edges.partition_point(|e| (e.0, e.1) < (to, from));
        let twins = edges[start..]
            .iter()
            .take_while(|e| (e.0, e.1) == (to, from));
        for &(_, _, u) in twins {
            let (p, q) = (triangles[t].1, triangles[u].1);
            if p >= q {
                continue;
            }
            // The solid is drawn in where the neighbour stands out of the plane of a face.
            let apex = triangles[u].0.iter().find(|v| **v != from && **v != to);
            let Some(&apex) = apex else { continue };
            let above = planes[p].normal.dot(vertices[apex as usize]) - planes[p].offset;
            if above > tolerance {
                inward.push(Inward {
                    ends: [vertices[from as usize], vertices[to as usize]],
                    planes: [p, q],
                });
            }
        }
    }
    inward
}
