//! Many runs of another analysis: sweeps, failure domains, fragility curves.

mod check;
mod keys;
mod settings;

pub(super) use check::{failure_domain, fragility, sweep};
pub(crate) use check::{varied_keys, with_units};
pub use keys::*;
pub use settings::*;
