//! What shakes and moves a structure: ground motions and settlements of supports.
//!
//! Everything is known exactly as a function of time, so that time steps never accumulate errors of the input: a
//! [`GroundMotion`] gives acceleration, velocity and displacement of the ground, a [`SupportMotion`] the place of
//! supports relative to it. Files of earthquake records are read into [`RecordSeries`], which can be corrected, scaled and measured;
//! [`synthetic`] makes accelerograms up; [`code_spectrum`] has the response spectra of codes.

pub mod code_spectrum;
mod ground;
mod linear;
mod measures;
mod motion;
mod processing;
mod random;
mod records;
mod series;
mod sine;
mod spectrum;
mod support;
pub mod synthetic;

/// By which Arias intensity is defined, and what `g` is in files of records.
pub use drystone_keys::STANDARD_GRAVITY;
pub use ground::{GroundMotion, synthetic_series};
pub use measures::{Measures, integrals, integrals_from};
pub use motion::*;
pub use processing::rotated;
pub use random::Random;
pub use records::{
    RecordError, RecordFile, RecordFormat, RecordPart, Wanted, read_record_bytes, read_record_file,
};
pub use series::RecordSeries;
pub use spectrum::{Response, log_periods, pseudo_acceleration, response, response_spectrum};
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
    /// A record of zeros cannot be scaled to an acceleration.
    #[error("a record whose values are all zero cannot be scaled to an acceleration of {pga} m/s²")]
    NothingToScale {
        /// Of the ground or of an oscillator, m/s².
        pga: f64,
    },
    /// A record with too few values for what is done to it.
    #[error("a record of {values} value(s) is too short for this: {needed} are needed")]
    TooShort {
        /// Values that it has.
        values: usize,
        /// Values that it should have.
        needed: usize,
    },
    /// More values than make sense.
    #[error(
        "a motion of {values:.0} values cannot be made: its duration must be some time steps, and not millions of them"
    )]
    TooLong {
        /// Values that it would have.
        values: f64,
    },
    /// Components whose time steps differ.
    #[error(
        "components with time steps of {first} s and {second} s cannot be turned: resample one"
    )]
    DifferentSteps {
        /// s.
        first: f64,
        /// s.
        second: f64,
    },
    /// No envelope has such times.
    #[error(
        "no envelope has a significant duration of {significant_duration} s and a mid time of {mid_time} s: \
         with this duration the mid time can be {smallest:.3} to {largest:.1} s"
    )]
    NoEnvelope {
        /// s.
        significant_duration: f64,
        /// s.
        mid_time: f64,
        /// Least mid time, s.
        smallest: f64,
        /// Largest mid time, s.
        largest: f64,
    },
}
