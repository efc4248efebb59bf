//! What shakes and moves a structure: ground motions and settlements of supports.
//!
//! Everything is known exactly as a function of time, so that time steps never accumulate errors of the input: a
//! [`GroundMotion`] gives acceleration, velocity and displacement of the ground, a [`SupportMotion`] the place of
//! supports relative to it. Files are read elsewhere; a recorded accelerogram arrives as a [`RecordSeries`].

mod ground;
mod linear;
mod record;
mod sine;
mod support;

pub use ground::GroundMotion;
pub use record::RecordSeries;
pub use support::{Offset, SupportMotion};

/// Why an excitation cannot be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ExcitationError {
    /// An index names no motion.
    #[error("there is no motion number {index}: the model has {count}")]
    NoSuchMotion {
        /// The index asked for, from 0.
        index: usize,
        /// Motions of the model.
        count: usize,
    },
    /// The loaded series do not match the components of a record.
    #[error("motion '{motion}' has {components} component(s) but {series} loaded record(s)")]
    SeriesMissing {
        /// Name of the motion.
        motion: String,
        /// Components of the record.
        components: usize,
        /// Series given for it.
        series: usize,
    },
    /// A time step that is not a positive number.
    #[error("a record needs a positive time step, not {dt} s")]
    TimeStep {
        /// s.
        dt: f64,
    },
    /// A record without values.
    #[error("a record needs at least one value")]
    Empty,
    /// A value that is not a number.
    #[error("value {index} of the record is {value}, not a finite acceleration")]
    NotFinite {
        /// Index of the value, from 0.
        index: usize,
        /// The value, m/s².
        value: f64,
    },
    /// A record of zeros cannot be scaled to a largest acceleration.
    #[error(
        "a record whose values are all zero cannot be scaled to a peak acceleration of {pga} m/s²"
    )]
    NothingToScale {
        /// m/s².
        pga: f64,
    },
}
