//! Vaults: barrels, and barrels that cross.

mod barrel;
mod cross;

pub use barrel::BarrelVault;
pub use cross::{CornerPiers, CrossVault};
