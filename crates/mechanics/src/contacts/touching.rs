//! Which of the contacts that detection finds count.

use drystone_geometry::{ContactSet, DVec3, Detector};
use drystone_model::Model;

/// Finds where the blocks of a model touch.
pub(crate) fn detector(model: &Model) -> Detector {
    let blocks = || model.blocks.iter();
    Detector::new(
        blocks().map(|block| block.shape.clone()).collect(),
        blocks().map(|block| block.support).collect(),
    )
}

/// Drops contacts across the plane of a planar model: they carry nothing, and an overlap there could not be resolved.
pub(crate) fn keep_free_normals(free: &[bool; 6], contacts: &mut ContactSet) {
    if free[..3].iter().all(|&f| f) {
        return;
    }
    let in_plane = |normal: DVec3| {
        (0..3)
            .filter(|&axis| free[axis])
            .map(|axis| normal[axis] * normal[axis])
            .sum::<f64>()
            > 0.5
    };
    let mut points = Vec::with_capacity(contacts.points.len());
    let manifolds = std::mem::take(&mut contacts.manifolds);
    for manifold in manifolds
        .iter()
        .filter(|manifold| in_plane(manifold.normal))
    {
        let mut kept = *manifold;
        kept.first = points.len() as u32;
        points.extend_from_slice(contacts.points_of(manifold));
        contacts.manifolds.push(kept);
    }
    contacts.points = points;
}

/// Drops points that are open beyond what counts as touching: the sum of the margins of both blocks, m.
pub(crate) fn keep_closed(contacts: &mut ContactSet, margins: &[f64]) {
    let mut points = Vec::with_capacity(contacts.points.len());
    let manifolds = std::mem::take(&mut contacts.manifolds);
    for manifold in &manifolds {
        let touch = margins[manifold.a as usize] + margins[manifold.b as usize];
        let mut kept = *manifold;
        kept.first = points.len() as u32;
        let closed = contacts.points_of(manifold).iter();
        points.extend(closed.filter(|point| point.gap <= touch).copied());
        kept.count = points.len() as u32 - kept.first;
        if kept.count > 0 {
            contacts.manifolds.push(kept);
        }
    }
    contacts.points = points;
}
