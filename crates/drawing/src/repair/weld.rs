//! Vertices within the snap tolerance become one; faces that vanish with it are left out.

use std::collections::{BTreeSet, HashMap};

use drystone_geometry::{Aabb, DVec3};

use super::area_vector;
use super::surface::Surface;
use crate::note::{NoteKind, Notes};

impl Surface {
    /// Joins vertices, then drops faces without area and faces that are listed twice.
    pub(super) fn weld(&mut self, snap: f64, name: &str, line: Option<usize>, notes: &mut Notes) {
        let (number, vertices, moved, by) = welded(&self.vertices, snap);
        if moved > 0 {
            notes.add_by(NoteKind::Welded, moved, name, line, Some(by));
        }
        self.vertices = vertices;
        for v in self.faces.iter_mut().flatten() {
            *v = number[*v as usize];
        }
        self.clean(snap, name, line, notes);
    }

    /// Drops corners that repeat, faces without area and faces that are listed twice.
    fn clean(&mut self, snap: f64, name: &str, line: Option<usize>, notes: &mut Notes) {
        let before = self.faces.len();
        let vertices = &self.vertices;
        self.faces.retain_mut(|face| {
            drop_spikes(face);
            face.len() >= 3 && !is_thin(vertices, face, snap)
        });
        notes.add(NoteKind::FlatFaces, before - self.faces.len(), name, line);
        let before = self.faces.len();
        let mut seen: BTreeSet<Vec<u32>> = BTreeSet::new();
        self.faces.retain(|face| {
            let lowest = (0..face.len()).min_by_key(|&i| face[i]).unwrap_or(0);
            let mut turned = face.clone();
            turned.rotate_left(lowest);
            seen.insert(turned)
        });
        notes.add(NoteKind::DoubleFaces, before - self.faces.len(), name, line);
    }
}

/// For each vertex the number of the one it becomes, those that remain, how many moved, and by how much at most.
///
/// The first of several close vertices stays where it is, so that nothing moves that has no neighbour.
fn welded(vertices: &[DVec3], snap: f64) -> (Vec<u32>, Vec<DVec3>, usize, f64) {
    let low = Aabb::around(vertices.iter().copied()).min;
    // Four times the tolerance: most vertices then have to look into one cell only.
    let cell = 4.0 * snap;
    let key = |p: DVec3| ((p - low) / cell).floor().to_array().map(|x| x as i64);
    // Only looked into, never walked through: its order plays no role.
    let mut cells: HashMap<[i64; 3], Vec<u32>> = HashMap::new();
    let mut number = Vec::with_capacity(vertices.len());
    let mut kept: Vec<DVec3> = Vec::new();
    let (mut moved, mut by) = (0, 0.0f64);
    for &p in vertices {
        let [near, far] = [key(p - DVec3::splat(snap)), key(p + DVec3::splat(snap))];
        let mut found: Option<u32> = None;
        for x in near[0]..=far[0] {
            for y in near[1]..=far[1] {
                for z in near[2]..=far[2] {
                    let here = cells.get(&[x, y, z]).into_iter().flatten();
                    for &k in here {
                        let close = kept[k as usize].distance(p) <= snap;
                        if close && found.is_none_or(|f| k < f) {
                            found = Some(k);
                        }
                    }
                }
            }
        }
        let k = found.unwrap_or_else(|| {
            kept.push(p);
            let k = kept.len() as u32 - 1;
            cells.entry(key(p)).or_default().push(k);
            k
        });
        let distance = kept[k as usize].distance(p);
        if distance > 0.0 {
            moved += 1;
            by = by.max(distance);
        }
        number.push(k);
    }
    (number, kept, moved, by)
}

/// Drops corners that repeat the one before, and excursions to a corner and back.
fn drop_spikes(face: &mut Vec<u32>) {
    let mut corners: Vec<u32> = Vec::with_capacity(face.len());
    for &v in face.iter() {
        push(&mut corners, v);
    }
    // Where the end meets the beginning.
    loop {
        let n = corners.len();
        if n >= 2 && corners[0] == corners[n - 1] {
            corners.pop();
        } else if n >= 3 && corners[1] == corners[n - 1] {
            corners.remove(0);
            corners.pop();
        } else if n >= 3 && corners[0] == corners[n - 2] {
            corners.truncate(n - 2);
        } else {
            break;
        }
    }
    *face = corners;
}

fn push(corners: &mut Vec<u32>, v: u32) {
    if corners.last() == Some(&v) {
        return;
    }
    let n = corners.len();
    if n >= 2 && corners[n - 2] == v {
        corners.pop();
        return;
    }
    corners.push(v);
}

/// Whether a face is so thin that its edges lie on each other.
fn is_thin(vertices: &[DVec3], face: &[u32], snap: f64) -> bool {
    let origin = vertices[face[0] as usize];
    let reach = |v: &u32| vertices[*v as usize].distance(origin);
    let longest = face.iter().map(reach).fold(0.0, f64::max);
    area_vector(vertices, face).length() <= snap * longest
}
