//! What a code says of a capacity.

mod check;
mod keys;
mod settings;

pub(super) use check::assessment;
pub use keys::*;
pub use settings::*;
