//! A convex block's shape.

use glam::DVec3;

use super::{ShapeFault, VolumeProperties, check, hull, mass, merge};
use crate::Aabb;

/// Vertices closer to a plane than this fraction of the block's extent lie in it: files with six significant digits
/// still give whole faces, and no facet that matters to contact is lost.
pub(super) const PLANARITY: f64 = 1e-6;

/// A block must be thicker than this fraction of its extent; ten times [`PLANARITY`], so that opposite faces stay apart.
pub(super) const FLATNESS: f64 = 1e-5;

/// A plane polygonal face.
#[derive(Debug, Clone, PartialEq)]
pub struct Face {
    /// Indices of its corners, counter-clockwise seen from outside.
    pub corners: Vec<u32>,
    /// Outward unit normal.
    pub normal: DVec3,
    /// The plane is `normal · x = offset`, m.
    pub offset: f64,
    /// m².
    pub area: f64,
}

/// An edge between two faces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Indices of its end vertices, the lower one first.
    pub ends: [u32; 2],
    /// The face that runs from the first end to the second, then the one that runs back.
    pub faces: [u32; 2],
}

/// A convex polyhedron with plane polygonal faces; coplanar neighbours are one face.
#[derive(Debug, Clone, PartialEq)]
pub struct Polyhedron {
    vertices: Vec<DVec3>,
    faces: Vec<Face>,
    edges: Vec<Edge>,
}

impl Polyhedron {
    /// The convex hull of points.
    ///
    /// Vertices keep the order of the points; points inside the hull, on a face or on an edge are left out.
    pub fn hull(points: &[DVec3]) -> Result<Self, ShapeFault> {
        if let Some((vertex, &at)) = points.iter().enumerate().find(|(_, p)| !p.is_finite()) {
            return Err(ShapeFault::NonFinite { vertex, at });
        }
        if points.len() < 4 {
            return Err(ShapeFault::TooFewVertices {
                count: points.len(),
            });
        }
        let extent = extent(points);
        let flat = |thickness| ShapeFault::Flat {
            thickness,
            extent,
            required: FLATNESS * extent,
        };
        let triangles = hull::triangles(points).ok_or_else(|| flat(0.0))?;
        let faces = merge::faces(points, &triangles, PLANARITY * extent);
        let shape = Self::assemble(points, faces);
        let thickness = shape.size();
        if thickness < FLATNESS * extent {
            return Err(flat(thickness));
        }
        Ok(shape)
    }

    /// A block given by its faces, each a list of vertices counter-clockwise seen from outside.
    ///
    /// Coplanar neighbours become one face. All faults are reported together.
    pub fn from_faces(vertices: &[DVec3], faces: &[Vec<u32>]) -> Result<Self, Vec<ShapeFault>> {
        let faults = check::faults(vertices, faces);
        if !faults.is_empty() {
            return Err(faults);
        }
        let shape = Self::hull(vertices).map_err(|fault| vec![fault])?;
        let enclosed = mass::enclosed_volume(vertices, faces.iter().map(Vec::as_slice));
        let hull = shape.volume_properties().volume;
        // Two surfaces within the planarity tolerance of each other differ in volume by about that times their area.
        let surface: f64 = shape.faces.iter().map(|f| f.area).sum();
        if (enclosed - hull).abs() > 4.0 * PLANARITY * extent(vertices) * surface {
            return Err(vec![ShapeFault::Misfit { enclosed, hull }]);
        }
        Ok(shape)
    }

    /// An axis-aligned box between two opposite corners.
    pub fn cuboid(low: DVec3, high: DVec3) -> Result<Self, ShapeFault> {
        let corner = |i: usize| {
            let pick = |bit: usize, l: f64, h: f64| if i & bit == 0 { l } else { h };
            DVec3::new(
                pick(1, low.x, high.x),
                pick(2, low.y, high.y),
                pick(4, low.z, high.z),
            )
        };
        Self::hull(&[0, 1, 2, 3, 4, 5, 6, 7].map(corner))
    }

    /// Collects the used vertices, the planes and the edges of a closed surface.
    fn assemble(points: &[DVec3], mut polygons: Vec<Vec<u32>>) -> Self {
        let mut number = vec![u32::MAX; points.len()];
        for &v in polygons.iter().flatten() {
            number[v as usize] = 0;
        }
        let mut vertices = Vec::new();
        for (n, &p) in number.iter_mut().zip(points) {
            if *n == 0 {
                *n = vertices.len() as u32;
                vertices.push(p);
            }
        }
        for v in polygons.iter_mut().flatten() {
            *v = number[*v as usize];
        }
        let edges = edges(&polygons);
        let mut shape = Self {
            vertices,
            faces: Vec::new(),
            edges,
        };
        shape.faces = polygons
            .into_iter()
            .map(|corners| {
                let (normal, offset) = merge::mean_plane(&shape.vertices, &corners);
                let area = 0.5 * merge::area_vector(&shape.vertices, &corners).length();
                Face {
                    corners,
                    normal,
                    offset,
                    area,
                }
            })
            .collect();
        shape
    }

    /// The same shape moved by a vector (m).
    pub fn translated(&self, by: DVec3) -> Self {
        let mut moved = self.clone();
        for v in &mut moved.vertices {
            *v += by;
        }
        for face in &mut moved.faces {
            // From the moved vertices, so that the plane passes through them as exactly as it can.
            let sum: f64 = face
                .corners
                .iter()
                .map(|&v| face.normal.dot(moved.vertices[v as usize]))
                .sum();
            face.offset = sum / face.corners.len() as f64;
        }
        moved
    }

    /// Corners of the block, m.
    pub fn vertices(&self) -> &[DVec3] {
        &self.vertices
    }

    /// Faces of the block.
    pub fn faces(&self) -> &[Face] {
        &self.faces
    }

    /// Edges of the block, each once.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Volume, centroid and inertia at unit density.
    pub fn volume_properties(&self) -> VolumeProperties {
        mass::volume_properties(
            &self.vertices,
            self.faces.iter().map(|f| f.corners.as_slice()),
        )
    }

    /// Smallest axis-aligned box around the block.
    pub fn bounding_box(&self) -> Aabb {
        Aabb::around(self.vertices.iter().copied())
    }

    /// Thickness of the block, m: its smallest extent along the normal of a face. The length that tolerances of
    /// contact are measured in.
    pub fn size(&self) -> f64 {
        let extent = |face: &Face| {
            let depth = |v: &DVec3| face.offset - face.normal.dot(*v);
            self.vertices.iter().map(depth).fold(0.0, f64::max)
        };
        self.faces.iter().map(extent).fold(f64::INFINITY, f64::min)
    }

    /// Distance of the farthest vertex from the origin of the shape's frame, m.
    pub fn radius(&self) -> f64 {
        self.vertices
            .iter()
            .map(|v| v.length_squared())
            .fold(0.0, f64::max)
            .sqrt()
    }
}

/// Largest side of the box around points.
pub(super) fn extent(points: &[DVec3]) -> f64 {
    Aabb::around(points.iter().copied()).extent().max_element()
}

fn edges(polygons: &[Vec<u32>]) -> Vec<Edge> {
    let mut directed: Vec<(u32, u32, bool, u32)> = Vec::new();
    for (f, corners) in polygons.iter().enumerate() {
        for (i, &from) in corners.iter().enumerate() {
            let to = corners[(i + 1) % corners.len()];
            directed.push((from.min(to), from.max(to), from > to, f as u32));
        }
    }
    directed.sort_unstable();
    directed
        .chunks_exact(2)
        .map(|pair| Edge {
            ends: [pair[0].0, pair[0].1],
            faces: [pair[0].3, pair[1].3],
        })
        .collect()
}
