//! The plane orthogonal to a contact direction, and faces seen in it.

use glam::DVec3;

use crate::body::Body;

/// A right-handed frame whose third axis is the contact normal, from a to b.
#[derive(Debug, Clone, Copy)]
pub(super) struct Frame {
    pub origin: DVec3,
    pub u: DVec3,
    pub v: DVec3,
    pub normal: DVec3,
}

impl Frame {
    /// `along` is turned into the plane and becomes the first axis.
    pub fn new(origin: DVec3, along: DVec3, normal: DVec3) -> Self {
        let u = along.reject_from_normalized(normal).normalize_or_zero();
        Self {
            origin,
            u,
            v: normal.cross(u),
            normal,
        }
    }

    /// The point over `at` at height `height`.
    pub fn lift(&self, at: [f64; 2], height: f64) -> DVec3 {
        self.origin + self.u * at[0] + self.v * at[1] + self.normal * height
    }
}

/// A face seen along the normal: its corners counter-clockwise in the plane, their heights, and its own plane.
#[derive(Debug, Clone, Default)]
pub(super) struct Outline {
    pub at: Vec<[f64; 2]>,
    pub heights: Vec<f64>,
    /// Vertex of the block at each corner.
    pub vertices: Vec<u32>,
    /// Edge of the block from each corner to the next.
    pub edges: Vec<u32>,
    /// Height of the plane: `plane[0] + plane[1] x + plane[2] y`.
    plane: [f64; 3],
}

impl Outline {
    /// Looks at a face of a block whose centroid is at `centre`.
    ///
    /// The corners of a face that looks against the normal run clockwise in the plane and are taken in reverse.
    pub fn draw(&mut self, frame: &Frame, body: &Body, centre: DVec3, face: usize) {
        self.at.clear();
        self.heights.clear();
        self.vertices.clear();
        self.edges.clear();
        let shift = centre - frame.origin;
        let slope = body.normals[face].dot(frame.normal);
        let range = body.corner_range(face);
        let (first, count) = (range.start, range.len());
        for k in 0..count {
            let (corner, edge) = if slope > 0.0 {
                (k, k)
            } else {
                // Edge i runs from corner i to corner i + 1.
                (count - 1 - k, (2 * count - 2 - k) % count)
            };
            let vertex = body.corners[first + corner];
            let p = body.vertices[vertex as usize] + shift;
            self.at.push([p.dot(frame.u), p.dot(frame.v)]);
            self.heights.push(p.dot(frame.normal));
            self.vertices.push(vertex);
            self.edges.push(body.corner_edges[first + edge]);
        }
        let m = body.normals[face];
        self.plane = [
            (body.offsets[face] + m.dot(shift)) / slope,
            -m.dot(frame.u) / slope,
            -m.dot(frame.v) / slope,
        ];
    }

    /// Height of the face's plane over a point.
    pub fn height(&self, at: [f64; 2]) -> f64 {
        self.plane[0] + self.plane[1] * at[0] + self.plane[2] * at[1]
    }

    /// The corner nearest in number order that lies within `tolerance` of a point.
    pub fn corner_at(&self, at: [f64; 2], tolerance: f64) -> Option<u32> {
        let near = |p: &[f64; 2]| {
            let (dx, dy) = (p[0] - at[0], p[1] - at[1]);
            dx * dx + dy * dy <= tolerance * tolerance
        };
        let corners = self.at.iter().zip(&self.vertices);
        corners.filter(|(p, _)| near(p)).map(|(_, &v)| v).min()
    }
}
