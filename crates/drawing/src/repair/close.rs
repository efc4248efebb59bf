//! Closed bodies out of paired faces.

use super::edges::{self, Link, Loose};
use super::surface::{Groups, Surface};
use crate::note::{NoteKind, Notes};

/// A closed body that faces outwards.
pub(super) struct Body {
    pub surface: Surface,
    /// How many of its faces had to be turned.
    pub turned: usize,
    /// Whether those were all.
    pub all_turned: bool,
    /// How many faces were not plane.
    pub bent: usize,
}

/// What came of a surface.
#[derive(Default)]
pub(super) struct Answer {
    pub bodies: Vec<Body>,
    /// For each part that is not a solid, why not.
    pub left: Vec<NoteKind>,
}

/// Divides a welded surface into bodies.
pub(super) fn bodies(
    mut surface: Surface,
    snap: f64,
    name: &str,
    line: Option<usize>,
    notes: &mut Notes,
) -> Answer {
    if surface.faces.is_empty() {
        return Answer {
            bodies: Vec::new(),
            left: vec![NoteKind::NoVolume],
        };
    }
    // Wedges are told apart by orientation, so that of faces which all look inwards the wrong ones would be paired.
    let inverted = surface.volume() < 0.0;
    if inverted {
        for face in &mut surface.faces {
            face.reverse();
        }
    }
    let (mut links, mut loose) = edges::pair(&surface);
    if !loose.is_empty() {
        let inserted = surface.split_edges(&loose, snap);
        if inserted > 0 {
            notes.add(NoteKind::SplitEdges, inserted, name, line);
            (links, loose) = edges::pair(&surface);
        }
    }
    let mut number = vec![u32::MAX; surface.vertices.len()];
    let mut answer = Answer::default();
    for part in parts(&surface, &links, &loose) {
        match part {
            Part::Closed(mut faces) => {
                let turn: Vec<bool> = faces.iter().map(|f| f.1).collect();
                let oriented: Vec<Vec<u32>> = faces
                    .drain(..)
                    .map(|(f, turned)| oriented(&surface.faces[f], turned))
                    .collect();
                let mut own = Surface::of(&surface.vertices, oriented.iter(), &mut number);
                let mut turned = turn.iter().filter(|t| **t).count();
                // The volume within faces that are not plane depends on their triangles, so they come first.
                let bent = own.divide_bent_faces(snap);
                if own.volume() < 0.0 {
                    for face in &mut own.faces {
                        face.reverse();
                    }
                    turned = turn.len() - turned;
                }
                // Thinner than the snap tolerance everywhere: a sheet drawn twice. Turned faces count from other corners,
                // so that what is nearly nothing may be negative both ways.
                if own.volume() <= 0.5 * snap * own.area() {
                    answer.left.push(NoteKind::NoVolume);
                    continue;
                }
                if inverted {
                    turned = turn.len() - turned;
                }
                answer.bodies.push(Body {
                    surface: own,
                    turned,
                    all_turned: turned == turn.len(),
                    bent,
                });
            }
            Part::Left(kind) => answer.left.push(kind),
        }
    }
    answer
}

fn oriented(face: &[u32], turned: bool) -> Vec<u32> {
    let mut face = face.to_vec();
    if turned {
        face.reverse();
    }
    face
}

enum Part {
    /// Faces, and whether each has to be turned to agree with the first.
    Closed(Vec<(usize, bool)>),
    Left(NoteKind),
}

/// Connected parts in the order of their first faces.
fn parts(surface: &Surface, links: &[Link], loose: &[Loose]) -> Vec<Part> {
    let count = surface.faces.len();
    let mut groups = Groups::new(count);
    let mut degree = vec![0u32; count + 1];
    for link in links {
        let [a, b] = link.faces.map(|f| f as usize);
        groups.join(a, b);
        degree[a] += 1;
        degree[b] += 1;
    }
    // Neighbours of face f: adjacent[start[f]..start[f + 1]].
    let mut start = vec![0usize; count + 1];
    for f in 0..count {
        start[f + 1] = start[f] + degree[f] as usize;
    }
    let mut fill = start.clone();
    let mut adjacent = vec![(0u32, false); start[count]];
    for link in links {
        let [a, b] = link.faces;
        for (from, to) in [(a, b), (b, a)] {
            adjacent[fill[from as usize]] = (to, link.turned);
            fill[from as usize] += 1;
        }
    }
    let mut open = vec![false; count];
    for &(face, _) in loose {
        let root = groups.root(face as usize);
        open[root] = true;
    }
    let mut turned: Vec<Option<bool>> = vec![None; count];
    let mut parts = Vec::new();
    for first in 0..count {
        if turned[first].is_some() {
            continue;
        }
        turned[first] = Some(false);
        let mut part = vec![(first, false)];
        let mut two_sided = true;
        let mut next = 0;
        while next < part.len() {
            let (f, flip) = part[next];
            next += 1;
            for &(g, opposite) in &adjacent[start[f]..start[f + 1]] {
                let wanted = flip != opposite;
                match turned[g as usize] {
                    Some(flip) => two_sided &= flip == wanted,
                    None => {
                        turned[g as usize] = Some(wanted);
                        part.push((g as usize, wanted));
                    }
                }
            }
        }
        part.sort_unstable();
        parts.push(if open[groups.root(first)] {
            Part::Left(NoteKind::Open)
        } else if two_sided {
            Part::Closed(part)
        } else {
            Part::Left(NoteKind::OneSided)
        });
    }
    parts
}
