//! Drawings to pieces.

use std::path::Path;

use super::Fingerprint;
use crate::fault::{Fault, Faults, Trail};
use crate::spec::ImportSpec;
use crate::structures::Piece;

/// The blocks of a drawing; nothing if it is at fault.
pub(super) fn pieces(
    _import: &ImportSpec,
    _folder: &Path,
    trail: Trail<'_>,
    _fingerprint: &mut Fingerprint,
    faults: &mut Faults,
) -> Option<Vec<Piece>> {
    faults.push(Fault::at(trail, "drawings are not available"));
    None
}
