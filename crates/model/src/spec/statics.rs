//! Ties, and questions of statics as written.

use drystone_keys::keys;

use crate::model::{FrictionLaw, Joints};
use crate::statics::{Multiplied, STATICS_TOLERANCE};

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

keys! {
    /// Two blocks between which a thrust line is drawn.
    pub struct ThrustLineSpec {
        /// Name of the block at which it begins.
        from: String { required },
        /// Name of the block at which it ends.
        to: String { required },
    }
}

keys! {
    /// Supports that settle in a direction.
    pub struct GivingWaySpec {
        /// Names of the supports.
        supports: Vec<String> { required },
        /// Direction [x, y, z] of the settlement, of any length.
        displacement: [f64; 3] { required },
    }
}

keys! {
    /// Whether the structure stands, and how its joints carry it.
    pub struct EquilibriumSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Factor on the weight along `direction` and on live loads.
        /// With 0 dead loads act alone.
        multiplier: f64 { optional, default: 0.0 },
        /// Direction [x, y, z] of a body force that is `multiplier` times the weight.
        direction: [f64; 3] { optional, otherwise: "none" },
        /// "live": live loads act, times `multiplier`.
        loads: Multiplied { optional, otherwise: "live where there is no `direction`" },
        /// By which stiffness forces are shared between contacts: elastic takes that of interfaces, rigid the same everywhere.
        joints: Joints { optional, default: Joints::Rigid },
        /// Draws the line of thrust between two blocks, and the extreme ones.
        thrust_line: ThrustLineSpec { optional },
        /// Largest force out of balance, relative to the mean load of a block, at which a structure counts as standing.
        tolerance: f64 { optional, least: 1e-9, most: 1e-2, default: STATICS_TOLERANCE },
    }
}

keys! {
    /// How far loads can grow until the structure becomes a mechanism.
    ///
    /// Needs `direction`, `loads` or both, or one of `tilt`, `directions` and `settlement`.
    pub struct LimitSpec {
        /// Unique name; results go to a folder of this name.
        name: String { required },
        /// Direction [x, y, z] of a body force proportional to the weight, of any length.
        direction: [f64; 3] { optional },
        /// "live": the live loads grow.
        loads: Multiplied { optional },
        /// Horizontal axis [x, y, 0] about which the base is tilted.
        tilt: [f64; 3] { optional },
        /// Number of horizontal directions around the compass, for each of which the limit is found.
        directions: u32 { optional, least: 2, most: 3600 },
        /// Supports that settle: the least force with which they must be held.
        settlement: GivingWaySpec { optional },
        /// Law of friction.
        /// With coulomb a second estimate without dilatancy is made and reported beside the first.
        friction_law: FrictionLaw { optional, default: FrictionLaw::Associated },
        /// Draws the line of thrust of the limit state between two blocks.
        thrust_line: ThrustLineSpec { optional },
        /// Largest relative residual at which an answer counts, and largest distance of both bounds, over the multiplier.
        /// The solver aims at a hundredth of it.
        tolerance: f64 { optional, least: 1e-9, most: 1e-2, default: STATICS_TOLERANCE },
    }
}
