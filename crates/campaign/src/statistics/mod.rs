//! Many runs of one model: which to make, and what they say together.
//!
//! Nothing here runs anything: samples and grids say which runs to make, and fits and hulls are taken of their verdicts.

mod cloud;
mod fit;
mod interval;
mod normal;
mod refine;
mod samples;

pub use cloud::{Cloud, cloud};
pub use fit::{Capacity, FitFault, Fragility, Stripe, fit_capacities, fit_stripes};
pub use interval::{Bootstrap, Interval, Intervals};
pub use refine::{Cell, Refinement};
pub use samples::{latin_hypercube, sobol};
