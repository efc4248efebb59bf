//! Coordinates of entities and inserted blocks.

use drystone_geometry::{DMat3, DVec3};

/// x ↦ linear x + shift.
#[derive(Debug, Clone, Copy)]
pub(super) struct Affine {
    pub linear: DMat3,
    pub shift: DVec3,
}

impl Affine {
    pub(super) const IDENTITY: Self = Self {
        linear: DMat3::IDENTITY,
        shift: DVec3::ZERO,
    };

    pub(super) fn point(&self, p: DVec3) -> DVec3 {
        self.linear * p + self.shift
    }

    /// First `inner`, then this.
    pub(super) fn after(&self, inner: &Self) -> Self {
        Self {
            linear: self.linear * inner.linear,
            shift: self.point(inner.shift),
        }
    }
}

/// The axes that go with a direction of extrusion: entities that lie in a plane have coordinates along them. The
/// format fixes them so that the direction alone suffices.
pub(super) fn axes(normal: DVec3) -> DMat3 {
    let z = normal.normalize_or(DVec3::Z);
    let near = z.x.abs() < 1.0 / 64.0 && z.y.abs() < 1.0 / 64.0;
    let x = if near { DVec3::Y } else { DVec3::Z }.cross(z).normalize();
    DMat3::from_cols(x, z.cross(x), z)
}
