//! What can be wrong with a shape.

use glam::DVec3;
use thiserror::Error;

/// Why a set of vertices or faces is not a convex block, and what would be right.
///
/// Vertices and faces are counted from zero, as in the input.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum ShapeFault {
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} is {at:?}: every coordinate must be a finite number")]
    NonFinite {
        /// Index of the vertex.
        vertex: usize,
        /// Its coordinates.
        at: DVec3,
    },
    /// Fewer than four vertices.
    #[error("only {count} vertices: a block needs at least 4 that do not lie in one plane")]
    TooFewVertices {
        /// How many there are.
        count: usize,
    },
    /// All vertices lie in one plane, on one line or in one point, or nearly so.
    #[error(
        "the block has no volume: its vertices lie within {thickness:.3e} m of a plane over an extent of {extent:.3e} m; \
         a block must be thicker than {required:.3e} m"
    )]
    Flat {
        /// Smallest extent, m.
        thickness: f64,
        /// Largest extent, m.
        extent: f64,
        /// Least thickness at this extent, m.
        required: f64,
    },
    /// Two vertices coincide.
    #[error(
        "vertices {first} and {second} coincide at {at} (distance {distance:.3e} m): keep one of them"
    )]
    DuplicateVertices {
        /// The lower index.
        first: usize,
        /// The higher index.
        second: usize,
        /// Where.
        at: DVec3,
        /// How far apart, m.
        distance: f64,
    },
    /// A vertex that no face names.
    #[error(
        "vertex {vertex} belongs to no face: remove it, or leave out the faces to take the hull of all vertices"
    )]
    UnusedVertex {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A face names a vertex that does not exist.
    #[error("face {face} names vertex {index}, but there are {count} vertices: indices run from 0 to {}", count - 1)]
    IndexOutOfRange {
        /// Index of the face.
        face: usize,
        /// The index it names.
        index: u32,
        /// Number of vertices.
        count: usize,
    },
    /// A face with fewer than three vertices.
    #[error("face {face} has {count} vertices: a face needs at least 3")]
    TooFewCorners {
        /// Index of the face.
        face: usize,
        /// Number of vertices it names.
        count: usize,
    },
    /// A face names a vertex twice.
    #[error("face {face} names vertex {vertex} twice: a face goes once around its corners")]
    RepeatedCorner {
        /// Index of the face.
        face: usize,
        /// The vertex.
        vertex: u32,
    },
    /// A face whose corners do not lie in one plane.
    #[error(
        "face {face} is not plane: vertex {vertex} lies {distance:.3e} m off the plane of the others, at most \
         {allowed:.3e} m is allowed; split the face into triangles, or leave out the faces"
    )]
    NonPlanarFace {
        /// Index of the face.
        face: usize,
        /// The vertex farthest from the mean plane.
        vertex: u32,
        /// Its distance, m.
        distance: f64,
        /// What is allowed for a block of this extent, m.
        allowed: f64,
    },
    /// The corners of a face are not in order around it.
    #[error(
        "the corners of face {face} do not go around it in order: it turns back at vertex {vertex}"
    )]
    CrossedFace {
        /// Index of the face.
        face: usize,
        /// Where it turns back.
        vertex: u32,
    },
    /// An edge with a face on one side only.
    #[error(
        "the edge from vertex {from} to vertex {to} has face {face} on one side and nothing on the other: a face is missing"
    )]
    OpenEdge {
        /// First vertex.
        from: u32,
        /// Second vertex.
        to: u32,
        /// The only face.
        face: usize,
    },
    /// A face that runs clockwise seen from outside while its neighbours do not.
    #[error(
        "face {face} is inverted: list its vertices in the opposite order, counter-clockwise seen from outside"
    )]
    InvertedFace {
        /// Index of the face.
        face: usize,
    },
    /// An edge that two faces run along in the same direction.
    #[error(
        "faces {first} and {second} both run from vertex {from} to vertex {to}: neighbours must run along their common \
         edge in opposite directions; one of them is inverted or listed twice"
    )]
    EdgeTwice {
        /// First vertex.
        from: u32,
        /// Second vertex.
        to: u32,
        /// One face.
        first: usize,
        /// The other face.
        second: usize,
    },
    /// All faces run clockwise seen from outside.
    #[error(
        "the block is inside out (its faces enclose {volume:.6e} m³): list the vertices of every face in the opposite \
         order, counter-clockwise seen from outside"
    )]
    InsideOut {
        /// The negative volume, m³.
        volume: f64,
    },
    /// A vertex lies outside the plane of a face.
    #[error(
        "the block is not convex: vertex {vertex} lies {distance:.3e} m outside face {face}, at most {allowed:.3e} m is \
         allowed; split the block into convex parts"
    )]
    NonConvex {
        /// The face.
        face: usize,
        /// The vertex farthest outside.
        vertex: usize,
        /// How far outside, m.
        distance: f64,
        /// What is allowed for a block of this extent, m.
        allowed: f64,
    },
    /// The faces do not bound the hull of the vertices although each one looks right.
    #[error(
        "the faces enclose {enclosed:.6e} m³ but the convex hull of the vertices has {hull:.6e} m³: faces are missing, \
         repeated or overlapping"
    )]
    Misfit {
        /// Volume within the faces, m³.
        enclosed: f64,
        /// Volume of the hull, m³.
        hull: f64,
    },
    /// Worn edges meet across a face, of which nothing is left.
    #[error("nothing remains of the face with the normal {normal:.4}: use a smaller chamfer")]
    FaceLost {
        /// Of the face.
        normal: DVec3,
    },
    /// A solid that would take too many convex parts.
    #[error(
        "the block is too intricate: it is not divided into convex parts after {limit} cuts; draw it with fewer faces"
    )]
    TooIntricate {
        /// How many pieces were looked at.
        limit: usize,
    },
}
