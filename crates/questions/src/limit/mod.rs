//! Limit analysis: how far loads can grow until the structure becomes a mechanism.

mod answer;
mod nonassociated;
mod settlement;
mod solve;

pub(crate) use answer::ask;
pub use nonassociated::NonAssociated;
pub(crate) use settlement::{Displaced, settled};
pub use solve::{LimitResult, PolarPoint, limit};
