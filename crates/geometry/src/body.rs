//! A block ready for contact detection: its topology in flat arrays, its geometry turned to the present pose.

use glam::{DMat3, DVec3};

use crate::{Aabb, Edge, Polyhedron, Pose};

/// Geometry is kept relative to the block's own centroid, so that accuracy does not suffer far from the origin.
#[derive(Debug, Clone)]
pub(crate) struct Body {
    local_vertices: Vec<DVec3>,
    local_normals: Vec<DVec3>,
    /// Turned vertices, relative to the centroid, m.
    pub vertices: Vec<DVec3>,
    /// Turned outward normals of the faces.
    pub normals: Vec<DVec3>,
    /// Offsets of the faces from the centroid, m.
    pub offsets: Vec<f64>,
    /// Areas of the faces, m².
    pub areas: Vec<f64>,
    /// Corners of face `f` are `corners[first_corner[f]..first_corner[f + 1]]`, counter-clockwise from outside.
    pub corners: Vec<u32>,
    /// The edge from each corner to the next one of its face.
    pub corner_edges: Vec<u32>,
    pub first_corner: Vec<u32>,
    pub edges: Vec<Edge>,
    /// Box around the turned vertices, relative to the centroid.
    pub bounds: Aabb,
    /// World position of the centroid, m.
    pub position: DVec3,
    /// Thickness, m.
    pub size: f64,
    /// Area of all faces, m².
    pub surface: f64,
    /// Radius of a ball about the centroid inside the block, m; minus the radius of one around it if the frame's origin
    /// is outside.
    pub inner_radius: f64,
}

impl Body {
    pub fn new(shape: &Polyhedron) -> Self {
        let mut body = Self {
            local_vertices: shape.vertices().to_vec(),
            local_normals: shape.faces().iter().map(|f| f.normal).collect(),
            vertices: shape.vertices().to_vec(),
            normals: shape.faces().iter().map(|f| f.normal).collect(),
            offsets: shape.faces().iter().map(|f| f.offset).collect(),
            areas: shape.faces().iter().map(|f| f.area).collect(),
            corners: Vec::new(),
            corner_edges: Vec::new(),
            first_corner: vec![0],
            edges: shape.edges().to_vec(),
            bounds: shape.bounding_box(),
            position: DVec3::ZERO,
            size: shape.size(),
            surface: shape.faces().iter().map(|f| f.area).sum(),
            inner_radius: 0.0,
        };
        for face in shape.faces() {
            let n = face.corners.len();
            for i in 0..n {
                let (from, to) = (face.corners[i], face.corners[(i + 1) % n]);
                let ends = [from.min(to), from.max(to)];
                // Edges are sorted by their ends.
                let edge = shape.edges().partition_point(|e| e.ends < ends);
                body.corners.push(from);
                body.corner_edges.push(edge as u32);
            }
            body.first_corner.push(body.corners.len() as u32);
        }
        let nearest = body.offsets.iter().copied().fold(f64::INFINITY, f64::min);
        body.inner_radius = if nearest >= 0.0 {
            nearest
        } else {
            -shape.radius()
        };
        body
    }

    /// Turns and moves the block.
    pub fn place(&mut self, pose: &Pose) {
        let turn = DMat3::from_quat(pose.rotation);
        self.position = pose.position;
        self.bounds = Aabb::EMPTY;
        for (world, local) in self.vertices.iter_mut().zip(&self.local_vertices) {
            *world = turn * *local;
            self.bounds.min = self.bounds.min.min(*world);
            self.bounds.max = self.bounds.max.max(*world);
        }
        for (world, local) in self.normals.iter_mut().zip(&self.local_normals) {
            *world = turn * *local;
        }
    }

    /// Box in the world.
    pub fn world_bounds(&self) -> Aabb {
        Aabb {
            min: self.bounds.min + self.position,
            max: self.bounds.max + self.position,
        }
    }

    pub fn corner_range(&self, face: usize) -> std::ops::Range<usize> {
        self.first_corner[face] as usize..self.first_corner[face + 1] as usize
    }

    pub fn face_count(&self) -> usize {
        self.offsets.len()
    }
}
