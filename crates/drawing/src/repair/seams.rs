//! Edges that run past the corners of their neighbours.
//!
//! Where one long edge meets two short ones, no edge has a partner although there is no gap. The corner of the neighbours
//! is inserted into the long edge.

use super::edges::{Loose, edge};
use super::surface::Surface;

/// At most this many comparisons of vertices with edges; then a file is too broken to be mended.
const PATIENCE: usize = 50_000_000;

impl Surface {
    /// Inserts vertices of loose edges into other loose edges on which they lie; says how many.
    pub(super) fn split_edges(&mut self, loose: &[Loose], snap: f64) -> usize {
        let mut ends: Vec<u32> = loose
            .iter()
            .flat_map(|&(face, corner)| {
                let edge = edge(&self.faces[face as usize], corner as usize);
                [edge.from, edge.to]
            })
            .collect();
        let x = |v: u32| self.vertices[v as usize].x;
        ends.sort_by(|&u, &v| x(u).total_cmp(&x(v)).then(u.cmp(&v)));
        ends.dedup();
        // Per loose edge the vertices on it, in order along it.
        let mut insertions: Vec<(u32, u32, Vec<u32>)> = Vec::new();
        let mut compared = 0;
        for &(face, corner) in loose {
            let edge = edge(&self.faces[face as usize], corner as usize);
            let [p, q] = [edge.from, edge.to].map(|v| self.vertices[v as usize]);
            let from = ends.partition_point(|&v| x(v) < p.x.min(q.x) - snap);
            let to = ends.partition_point(|&v| x(v) <= p.x.max(q.x) + snap);
            compared += to.saturating_sub(from);
            if compared > PATIENCE {
                return 0;
            }
            let length = (q - p).length();
            let along = (q - p) / length;
            let mut on: Vec<(f64, u32)> = Vec::new();
            for &v in ends.get(from..to).unwrap_or_default() {
                if v == edge.from || v == edge.to {
                    continue;
                }
                let d = self.vertices[v as usize] - p;
                let t = d.dot(along);
                if t > 0.0 && t < length && (d - along * t).length() <= snap {
                    on.push((t, v));
                }
            }
            on.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            if !on.is_empty() {
                insertions.push((face, corner, on.into_iter().map(|(_, v)| v).collect()));
            }
        }
        // From the last corner of each face to the first, so that positions stay right.
        insertions.sort_by_key(|edge| std::cmp::Reverse((edge.0, edge.1)));
        let mut inserted = 0;
        for (face, corner, on) in insertions {
            inserted += on.len();
            let at = corner as usize + 1;
            self.faces[face as usize].splice(at..at, on);
        }
        inserted
    }
}
