//! Surfaces of files into closed solids that face outwards.
//!
//! Faces that share vertices by number belong together; of those that close nothing more is asked. The others are joined
//! by place: vertices within the snap tolerance become one. Blocks of dry masonry touch, so that after this the edges of
//! neighbours coincide, and it remains to say which faces bound one body. Two things tell. Programs write body after
//! body, so that a run of faces that closes is taken for a whole. And around an edge of many faces, those belong
//! together that have the same solid wedge between them.

mod cavity;
mod close;
mod edges;
mod seams;
mod surface;
mod weld;

use std::collections::{BTreeMap, BTreeSet};

use drystone_geometry::{Aabb, DVec3};

use crate::note::{NoteKind, Notes};
use crate::piece::Piece;
use crate::{DrawnSolid, ReadOptions};
use close::{Body, bodies};
use surface::Surface;

/// Default snap tolerance relative to the size of the drawing.
const SNAP: f64 = 1e-6;

/// Makes solids of pieces in metres; what does not become one is noted.
pub(crate) fn solids(pieces: Vec<Piece>, snap: f64, notes: &mut Notes) -> Vec<DrawnSolid> {
    let mut solids: Vec<DrawnSolid> = Vec::new();
    for piece in pieces {
        if piece.faces.is_empty() {
            continue;
        }
        let found = cavity::join(bodies_of(&piece, snap, notes));
        if found.len() > 1 && !piece.numbered {
            notes.add(NoteKind::SeveralBodies, 1, &piece.name, piece.line);
        }
        let finished = found.into_iter().map(|body| finish(&piece, body, notes));
        solids.extend(finished);
    }
    number_twins(&mut solids);
    solids
}

/// The snap tolerance, m. Never below what numbers at this distance from the origin resolve.
pub(crate) fn snap(pieces: &[Piece], options: &ReadOptions) -> f64 {
    let used = pieces
        .iter()
        .flat_map(|piece| piece.vertices.iter().copied());
    let bounds = Aabb::around(used);
    let extent = bounds.extent().max_element();
    if !extent.is_finite() {
        return 0.0;
    }
    let farthest = bounds.min.abs().max(bounds.max.abs()).max_element();
    options
        .snap
        .unwrap_or(SNAP * extent)
        .max(1e-12 * extent)
        .max(1e-15 * farthest)
}

/// The closed bodies of a piece.
fn bodies_of(piece: &Piece, snap: f64, notes: &mut Notes) -> Vec<Body> {
    let mut found = Vec::new();
    let mut rest = Surface::default();
    for part in surface::connected(&piece.vertices, &piece.faces) {
        if edges::is_balanced(&part.faces) {
            let line = piece.line;
            let mut own = Notes::default();
            let mut tried = part.clone();
            tried.weld(snap, &piece.name, line, &mut own);
            let answer = bodies(tried, snap, &piece.name, line, &mut own);
            if answer.left.is_empty() {
                notes.absorb(own);
                found.extend(answer.bodies);
                continue;
            }
        }
        rest.append(&part);
    }
    if rest.faces.is_empty() {
        return found;
    }
    rest.weld(snap, &piece.name, piece.line, notes);
    for run in rest.closed_runs() {
        let answer = bodies(run, snap, &piece.name, piece.line, notes);
        for kind in answer.left {
            notes.add(kind, 1, &piece.name, piece.line);
        }
        found.extend(answer.bodies);
    }
    found
}

/// Notes what was turned and divided, and gives the body its names.
fn finish(piece: &Piece, body: Body, notes: &mut Notes) -> DrawnSolid {
    let name = piece.name.clone();
    if body.all_turned {
        notes.add(NoteKind::TurnedSolids, 1, &name, piece.line);
    } else {
        notes.add(NoteKind::TurnedFaces, body.turned, &name, piece.line);
    }
    let surface = body.surface;
    notes.add(NoteKind::BentFaces, body.bent, &name, piece.line);
    DrawnSolid {
        name,
        layer: piece.layer.clone(),
        support: piece.support,
        vertices: surface.vertices,
        faces: surface.faces,
    }
}

/// Numbers the solids that have a name in common.
fn number_twins(solids: &mut [DrawnSolid]) {
    let mut uses: BTreeMap<String, usize> = BTreeMap::new();
    for solid in solids.iter() {
        *uses.entry(solid.name.clone()).or_default() += 1;
    }
    let mut taken: BTreeSet<String> = uses
        .iter()
        .filter(|(_, count)| **count == 1)
        .map(|(name, _)| name.clone())
        .collect();
    let mut last: BTreeMap<String, usize> = BTreeMap::new();
    for solid in solids {
        if uses.get(&solid.name) == Some(&1) {
            continue;
        }
        let number = last.entry(solid.name.clone()).or_default();
        loop {
            *number += 1;
            let name = format!("{}.{number}", solid.name);
            if taken.insert(name.clone()) {
                solid.name = name;
                break;
            }
        }
    }
}

/// Twice the area of a polygon times its unit normal.
fn area_vector(vertices: &[DVec3], corners: &[u32]) -> DVec3 {
    let Some((&first, rest)) = corners.split_first() else {
        return DVec3::ZERO;
    };
    let origin = vertices[first as usize];
    rest.windows(2)
        .map(|w| (vertices[w[0] as usize] - origin).cross(vertices[w[1] as usize] - origin))
        .sum()
}
