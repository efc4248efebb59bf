//! Many runs of another analysis: sweeps, failure domains, fragility curves.

mod check;
mod keys;
mod settings;

pub(crate) use check::varied_keys;
pub(super) use check::{failure_domain, fragility, sweep};
pub use keys::*;
pub use settings::*;
