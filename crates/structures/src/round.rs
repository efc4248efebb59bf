//! Points around an axis.

use drystone_keys::words;
use std::f64::consts::FRAC_PI_2;

use drystone_geometry::DVec3;

words! {
    /// How rings of blocks lie on each other.
    pub enum RingBond {
        /// Every second ring is turned by half a block.
        Running = "running",
        /// Joints in line from ring to ring.
        Stack = "stack",
    }
}

/// Cosine and sine of a part of a full turn, the same to the last bit a quarter turn further on. `of` is not zero.
pub(super) fn turn(part: u64, of: u64) -> [f64; 2] {
    let part = part % of;
    let quarter = 4 * part / of;
    let rest = 4 * part - quarter * of;
    let (sin, cos) = (FRAC_PI_2 * (rest as f64 / of as f64)).sin_cos();
    match quarter {
        0 => [cos, sin],
        1 => [-sin, cos],
        2 => [-cos, -sin],
        _ => [sin, -cos],
    }
}

/// The point at a distance from the axis z (m) and a level (m), in a direction.
pub(super) fn around(direction: [f64; 2], radius: f64, level: f64) -> DVec3 {
    DVec3::new(radius * direction[0], radius * direction[1], level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_of_a_turn_are_exact() {
        for of in [3, 8, 12, 30] {
            for part in 0..of {
                let [cos, sin] = turn(part, of);
                let (s, c) = (std::f64::consts::TAU * part as f64 / of as f64).sin_cos();
                assert!((cos - c).abs() < 1e-15 && (sin - s).abs() < 1e-15);
                if of % 4 == 0 {
                    assert_eq!(turn(part + of / 4, of), [-sin, cos]);
                }
            }
        }
        assert_eq!(turn(6, 8), [0.0, -1.0]);
    }
}
