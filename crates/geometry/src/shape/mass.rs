//! Volume, centroid and inertia of polyhedra by signed tetrahedra: exact for plane faces.

use glam::{DMat3, DVec3};

/// Integrals over a block of unit density.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VolumeProperties {
    /// m³.
    pub volume: f64,
    /// m.
    pub centroid: DVec3,
    /// Inertia about the centroid at unit density, m⁵; times a density it is kg m².
    pub inertia: DMat3,
}

/// The triangles into which faces split, fanned from their first corners, relative to `origin`.
fn fans<'a>(
    vertices: &'a [DVec3],
    faces: impl Iterator<Item = &'a [u32]>,
    origin: DVec3,
) -> impl Iterator<Item = [DVec3; 3]> {
    faces.flat_map(move |corners| {
        let at = move |v: u32| vertices[v as usize] - origin;
        let first = corners.first().map_or(DVec3::ZERO, |&v| at(v));
        corners
            .get(1..)
            .unwrap_or_default()
            .windows(2)
            .map(move |w| [first, at(w[0]), at(w[1])])
    })
}

/// A point near the block: far from it the signed tetrahedra would cancel badly.
fn near(vertices: &[DVec3]) -> DVec3 {
    vertices.iter().sum::<DVec3>() / vertices.len().max(1) as f64
}

/// Signed volume within closed faces; negative if they are inside out.
pub(super) fn enclosed_volume<'a>(
    vertices: &'a [DVec3],
    faces: impl Iterator<Item = &'a [u32]>,
) -> f64 {
    fans(vertices, faces, near(vertices))
        .map(|[a, b, c]| a.dot(b.cross(c)) / 6.0)
        .sum()
}

pub(super) fn volume_properties<'a>(
    vertices: &'a [DVec3],
    faces: impl Iterator<Item = &'a [u32]>,
) -> VolumeProperties {
    let origin = near(vertices);
    let mut volume = 0.0;
    let mut first = DVec3::ZERO;
    // Second moments, the integral of x xᵀ. Over the tetrahedron (0, a, b, c) it is V/20 (s sᵀ + a aᵀ + b bᵀ + c cᵀ)
    // with s = a + b + c.
    let mut second = DMat3::ZERO;
    for [a, b, c] in fans(vertices, faces, origin) {
        let tetrahedron = a.dot(b.cross(c)) / 6.0;
        let s = a + b + c;
        volume += tetrahedron;
        first += s * (0.25 * tetrahedron);
        second += (outer(s) + outer(a) + outer(b) + outer(c)) * (tetrahedron / 20.0);
    }
    let offset = first / volume;
    let about_centroid = second - outer(offset) * volume;
    let trace = about_centroid.x_axis.x + about_centroid.y_axis.y + about_centroid.z_axis.z;
    VolumeProperties {
        volume,
        centroid: origin + offset,
        inertia: DMat3::from_diagonal(DVec3::splat(trace)) - about_centroid,
    }
}

fn outer(v: DVec3) -> DMat3 {
    DMat3::from_cols(v * v.x, v * v.y, v * v.z)
}
