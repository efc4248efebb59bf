//! Equilibrium: whether the structure stands under given loads, and how its joints carry it.

mod answer;
mod solve;

pub(crate) use answer::ask;
pub use solve::{EquilibriumResult, Reaction, equilibrium};
pub(crate) use solve::{asked, moving, path, reactions, traced};
