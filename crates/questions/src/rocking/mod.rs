//! The rocking block: Housner's equation of motion under ground motion, with located events.
//!
//! A rigid block of half width `b` and half height `h` on a rigid base turns about one corner or the other, without
//! sliding (NB eq. 23): with `alpha = atan(b/h)`, `R = sqrt(b² + h²)` and `p² = 3 g / (4 R)`,
//!
//! ```text
//! theta'' = -p² { sin(alpha sgn(theta) - theta) + (a_g/g) cos(alpha sgn(theta) - theta) }
//! ```
//!
//! It lifts off when `|a_g| > g tan(alpha)`, to the side away from the acceleration; at each passage through zero the
//! angular velocity is multiplied by Housner's `1 - 3/2 sin²(alpha)` or a given coefficient. Impacts, lift-off and
//! overturning are found as events, so that the answer has the accuracy of the integration between them; it is what
//! the contact dynamics is held to.

mod answer;
mod block;
mod result;
mod run;
mod runge_kutta;

pub(crate) use answer::ask;
pub use block::RockingBlock;
pub use result::{Impact, RockingError, RockingResult, RockingSample, RockingStatus};
pub use run::solve;

#[cfg(test)]
mod tests;
