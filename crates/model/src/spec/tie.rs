//! Ties as written.

use drystone_keys::keys;

keys! {
    /// A tie between two blocks, or between a block and the ground: it pulls and never pushes.
    pub struct TieSpec {
        /// Name for results.
        name: String { optional, otherwise: "tie1, tie2, ... by the position in the file" },
        /// Names of the two blocks; "ground" for an end that is held, where no block has that name.
        blocks: [String; 2] { required },
        /// The two ends [x, y, z].
        points: [[f64; 3]; 2] { required, unit: "m" },
        /// Force per elongation.
        stiffness: f64 { required, unit: "N/m", above: 0.0 },
        /// Force at which it yields.
        yield_force as "yield": f64 { required, unit: "N", above: 0.0 },
        /// Elongation at which it breaks.
        max_elongation: f64 { optional, unit: "m", above: 0.0, otherwise: "never" },
        /// Tension at the start by which it is post-tensioned, N, at most `yield`.
        /// Time histories start with it.
        initial_force: f64 { optional, unit: "N", least: 0.0, default: 0.0 },
    }
}
