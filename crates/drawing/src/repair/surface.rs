//! A set of faces and what is done to it as a whole.

use std::collections::BTreeMap;

use drystone_geometry::{Aabb, DVec3, triangulate};

use super::area_vector;
use super::edges::edge;

/// Faces over vertices.
#[derive(Debug, Clone, Default)]
pub(super) struct Surface {
    pub vertices: Vec<DVec3>,
    pub faces: Vec<Vec<u32>>,
}

/// The parts of a surface that share vertices by number, each with its own vertices only, in the order of their first
/// faces.
pub(super) fn connected(vertices: &[DVec3], faces: &[Vec<u32>]) -> Vec<Surface> {
    let mut groups = Groups::new(vertices.len());
    for face in faces {
        for pair in face.windows(2) {
            groups.join(pair[0] as usize, pair[1] as usize);
        }
    }
    let mut place: BTreeMap<usize, usize> = BTreeMap::new();
    let mut parts: Vec<Vec<&Vec<u32>>> = Vec::new();
    for face in faces {
        let Some(&first) = face.first() else { continue };
        let root = groups.root(first as usize);
        let part = *place.entry(root).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(face);
    }
    let mut number = vec![u32::MAX; vertices.len()];
    parts
        .into_iter()
        .map(|part| Surface::of(vertices, part.into_iter(), &mut number))
        .collect()
}

impl Surface {
    /// The faces with the vertices that they use. `number` is a buffer as long as `vertices`, full of `u32::MAX`.
    pub(super) fn of<'a>(
        vertices: &[DVec3],
        faces: impl Iterator<Item = &'a Vec<u32>>,
        number: &mut [u32],
    ) -> Self {
        let mut part = Self::default();
        let mut used = Vec::new();
        for face in faces {
            let mut corners = Vec::with_capacity(face.len());
            for &v in face {
                let slot = &mut number[v as usize];
                if *slot == u32::MAX {
                    *slot = part.vertices.len() as u32;
                    part.vertices.push(vertices[v as usize]);
                    used.push(v);
                }
                corners.push(*slot);
            }
            part.faces.push(corners);
        }
        for v in used {
            number[v as usize] = u32::MAX;
        }
        part
    }

    /// Adds another surface beside this one.
    pub(super) fn append(&mut self, other: &Self) {
        let first = self.vertices.len() as u32;
        self.vertices.extend_from_slice(&other.vertices);
        let shifted = other
            .faces
            .iter()
            .map(|face| face.iter().map(|v| v + first).collect());
        self.faces.extend(shifted);
    }

    /// Divides the faces into runs that close one after the other: after each, every edge has been used an even number
    /// of times. What does not close is the last run.
    pub(super) fn closed_runs(self) -> Vec<Self> {
        let mut open: std::collections::BTreeSet<(u32, u32)> = Default::default();
        let mut runs: Vec<&[Vec<u32>]> = Vec::new();
        let mut from = 0;
        for (f, face) in self.faces.iter().enumerate() {
            for i in 0..face.len() {
                let key = edge(face, i).key();
                if !open.remove(&key) {
                    open.insert(key);
                }
            }
            if open.is_empty() {
                runs.push(&self.faces[from..=f]);
                from = f + 1;
            }
        }
        if from < self.faces.len() {
            runs.push(&self.faces[from..]);
        }
        let mut number = vec![u32::MAX; self.vertices.len()];
        runs.into_iter()
            .map(|run| Self::of(&self.vertices, run.iter(), &mut number))
            .collect()
    }

    /// Enclosed volume, m³; negative if the faces look inwards.
    pub(super) fn volume(&self) -> f64 {
        crate::drawing::enclosed_volume(&self.vertices, &self.faces)
    }

    /// Largest side of the box around the surface, m.
    pub(super) fn extent(&self) -> f64 {
        Aabb::around(self.vertices.iter().copied())
            .extent()
            .max_element()
    }

    /// Sum of the areas of faces, m².
    pub(super) fn area(&self) -> f64 {
        let area = |face: &Vec<u32>| 0.5 * area_vector(&self.vertices, face).length();
        self.faces.iter().map(area).sum()
    }

    /// Divides faces with corners off their mean plane into triangles. Says how many were bent by more than the snap
    /// tolerance: less is noise, but noise of a whole building may be more than a block's faces are allowed.
    pub(super) fn divide_bent_faces(&mut self, snap: f64) -> usize {
        let allowed = 0.5e-6 * self.extent();
        let mut bent = 0;
        let mut faces = Vec::with_capacity(self.faces.len());
        for face in std::mem::take(&mut self.faces) {
            let normal = area_vector(&self.vertices, &face).normalize_or_zero();
            let heights = face.iter().map(|&v| normal.dot(self.vertices[v as usize]));
            let (low, high) = heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), x| {
                (l.min(x), h.max(x))
            });
            if face.len() > 3 && high - low > allowed {
                bent += usize::from(high - low > snap);
                let triangles = triangulate(&self.vertices, &face);
                faces.extend(triangles.into_iter().map(|t| t.to_vec()));
            } else {
                faces.push(face);
            }
        }
        self.faces = faces;
        bent
    }
}

/// Sets that are joined.
pub(super) struct Groups {
    parent: Vec<usize>,
}

impl Groups {
    pub(super) fn new(count: usize) -> Self {
        Self {
            parent: (0..count).collect(),
        }
    }

    pub(super) fn root(&mut self, mut i: usize) -> usize {
        while self.parent[i] != i {
            self.parent[i] = self.parent[self.parent[i]];
            i = self.parent[i];
        }
        i
    }

    pub(super) fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        self.parent[a.max(b)] = a.min(b);
    }
}
