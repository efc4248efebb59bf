//! Edges of faces, and which faces meet at them.

use std::f64::consts::TAU;

use drystone_geometry::DVec3;

use super::area_vector;
use super::surface::Surface;

/// At an edge of more faces than this nothing can be said about which belong together.
const CROWD: usize = 64;

/// A directed edge of a face.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Directed {
    pub from: u32,
    pub to: u32,
}

impl Directed {
    /// The same for both directions.
    pub(super) fn key(self) -> (u32, u32) {
        (self.from.min(self.to), self.from.max(self.to))
    }
}

/// The edge of a face that begins at a corner.
pub(super) fn edge(face: &[u32], corner: usize) -> Directed {
    Directed {
        from: face[corner],
        to: face[(corner + 1) % face.len()],
    }
}

/// Whether every edge is run equally often in both directions.
pub(super) fn is_balanced(faces: &[Vec<u32>]) -> bool {
    let mut edges: Vec<((u32, u32), bool)> = Vec::new();
    for face in faces {
        for i in 0..face.len() {
            let edge = edge(face, i);
            if edge.from != edge.to {
                edges.push((edge.key(), edge.from < edge.to));
            }
        }
    }
    edges.sort_unstable();
    edges.chunk_by(|a, b| a.0 == b.0).all(|uses| {
        let forwards = uses.iter().filter(|(_, forwards)| *forwards).count();
        2 * forwards == uses.len()
    })
}

/// Two faces that meet at an edge; `turned` if they run along it in the same direction.
#[derive(Debug, Clone, Copy)]
pub(super) struct Link {
    pub faces: [u32; 2],
    pub turned: bool,
}

/// An edge that has no partner, as a face and one of its corners.
pub(super) type Loose = (u32, u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Use {
    key: (u32, u32),
    face: u32,
    corner: u32,
    forwards: bool,
}

/// Pairs faces at their common edges.
pub(super) fn pair(surface: &Surface) -> (Vec<Link>, Vec<Loose>) {
    let mut uses: Vec<Use> = Vec::new();
    for (f, face) in surface.faces.iter().enumerate() {
        for corner in 0..face.len() {
            let edge = edge(face, corner);
            uses.push(Use {
                key: edge.key(),
                face: f as u32,
                corner: corner as u32,
                forwards: edge.from < edge.to,
            });
        }
    }
    uses.sort_unstable();
    let mut links = Vec::new();
    let mut loose = Vec::new();
    for uses in uses.chunk_by(|a, b| a.key == b.key) {
        if let [a, b] = uses {
            links.push(Link {
                faces: [a.face, b.face],
                turned: a.forwards == b.forwards,
            });
            continue;
        }
        let paired = if uses.len() <= CROWD {
            by_wedge(surface, uses, &mut links)
        } else {
            vec![false; uses.len()]
        };
        let left = uses.iter().zip(paired).filter(|(_, paired)| !paired);
        loose.extend(left.map(|(u, _)| (u.face, u.corner)));
    }
    (links, loose)
}

/// Pairs the faces around an edge of many so that each pair has a solid wedge between it.
///
/// Seen along the edge, from its lower to its higher vertex, the solid lies clockwise of a face that runs forwards and
/// anticlockwise of one that runs back. A forward face belongs to the first backward face that it meets going clockwise.
/// Faces of neighbours that lie on each other are a full turn apart, not none: a wedge of no angle is no solid.
///
/// Says which found a partner: where a face is missing, that of a neighbour must not be taken for it.
fn by_wedge(surface: &Surface, uses: &[Use], links: &mut Vec<Link>) -> Vec<bool> {
    let (low, high) = uses[0].key;
    let axis = surface.vertices[high as usize] - surface.vertices[low as usize];
    let along = axis.normalize_or_zero();
    let x = along.any_orthonormal_vector();
    let y = along.cross(x);
    let angle = |u: &Use| {
        let normal = area_vector(&surface.vertices, &surface.faces[u.face as usize]);
        let run = if u.forwards { along } else { -along };
        let inwards: DVec3 = normal.cross(run);
        inwards.dot(y).atan2(inwards.dot(x))
    };
    let angles: Vec<f64> = uses.iter().map(angle).collect();
    let mut choices: Vec<(f64, usize, usize)> = Vec::new();
    for (i, a) in uses.iter().enumerate().filter(|(_, u)| u.forwards) {
        for (j, b) in uses.iter().enumerate().filter(|(_, u)| !u.forwards) {
            if a.face == b.face {
                continue;
            }
            let mut wedge = (angles[i] - angles[j]).rem_euclid(TAU);
            if wedge < 1e-6 || !wedge.is_finite() {
                wedge = TAU;
            }
            choices.push((wedge, i, j));
        }
    }
    choices.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut used = vec![false; uses.len()];
    for (_, i, j) in choices {
        if !used[i] && !used[j] {
            (used[i], used[j]) = (true, true);
            links.push(Link {
                faces: [uses[i].face, uses[j].face],
                turned: false,
            });
        }
    }
    used
}
