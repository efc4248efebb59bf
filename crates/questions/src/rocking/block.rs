//! The block and its equation of motion.

use drystone_model::Rocking;

use super::runge_kutta::State;

/// The numbers of a rocking block.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RockingBlock {
    /// Angle between the diagonal and the vertical, `atan(b/h)`, rad.
    pub slenderness: f64,
    /// Half diagonal `R`, m.
    pub radius: f64,
    /// `p`, 1/s.
    pub frequency: f64,
    /// m/s².
    pub gravity: f64,
    /// Factor on the speed at an impact.
    pub restitution: f64,
}

impl RockingBlock {
    /// The block of an analysis.
    pub fn new(settings: &Rocking) -> Self {
        let Rocking {
            half_width,
            half_height,
            gravity,
            restitution,
            ..
        } = *settings;
        let radius = half_width.hypot(half_height);
        let slenderness = half_width.atan2(half_height);
        Self {
            slenderness,
            radius,
            frequency: (0.75 * gravity / radius).sqrt(),
            gravity,
            restitution: restitution.unwrap_or_else(|| housner_restitution(slenderness)),
        }
    }

    /// The least ground acceleration that lifts the block, m/s².
    pub fn uplift_acceleration(&self) -> f64 {
        self.gravity * self.slenderness.tan()
    }

    /// Angular acceleration on the side `side` (+1 or -1) under the ground acceleration, rad/s².
    pub fn angular_acceleration(&self, side: f64, angle: f64, ground: f64) -> f64 {
        let (sine, cosine) = (self.slenderness * side - angle).sin_cos();
        -self.frequency.powi(2) * (sine + ground / self.gravity * cosine)
    }

    /// Kinetic energy per unit weight, m.
    pub fn kinetic(&self, velocity: f64) -> f64 {
        // The moment of inertia about a corner is 4/3 m R², that is R/p² per unit weight.
        0.5 * self.radius * (velocity / self.frequency).powi(2)
    }

    /// Potential energy above the block at rest per unit weight, m.
    pub fn potential(&self, angle: f64) -> f64 {
        // R (cos(alpha - |theta|) - cos alpha), as a product that keeps its digits at small angles.
        let angle = angle.abs();
        2.0 * self.radius * (self.slenderness - 0.5 * angle).sin() * (0.5 * angle).sin()
    }

    pub(super) fn rate(&self, side: f64, state: State, ground: f64) -> State {
        [state[1], self.angular_acceleration(side, state[0], ground)]
    }
}

/// Housner's coefficient: angular momentum about the corner that is hit is kept.
///
/// A block so squat that the formula turns negative would have to fall back on the corner it came from; it stops.
fn housner_restitution(slenderness: f64) -> f64 {
    (1.0 - 1.5 * slenderness.sin().powi(2)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use drystone_geometry::DVec3;

    fn block(half_width: f64, half_height: f64) -> RockingBlock {
        RockingBlock::new(&Rocking {
            half_width,
            half_height,
            initial_angle: 0.0,
            initial_velocity: 0.0,
            restitution: None,
            motions: vec![],
            direction: DVec3::X,
            duration: 1.0,
            output_every: 0.1,
            gravity: 9.81,
        })
    }

    #[test]
    fn numbers_of_the_papers_block() {
        // b 0.30, h 1.00: restitution 1 - 1.5 * 0.09/1.09.
        let block = block(0.3, 1.0);
        assert!((block.restitution - (1.0 - 1.5 * 0.09 / 1.09)).abs() < 1e-15);
        assert!((block.uplift_acceleration() - 0.3 * 9.81).abs() < 1e-14);
        assert_eq!(self::block(3.0, 1.0).restitution, 0.0);
    }

    #[test]
    fn force_is_the_slope_of_the_energy() {
        let block = block(0.3, 1.0);
        let step = 1e-6;
        for angle in [-0.5, -0.2, -0.01, 0.01, 0.1, 0.28, 0.9] {
            let side = f64::signum(angle);
            let slope =
                (block.potential(angle + step) - block.potential(angle - step)) / (2.0 * step);
            let force = -block.radius / block.frequency.powi(2)
                * block.angular_acceleration(side, angle, 0.0);
            assert!((slope - force).abs() < 1e-9, "at {angle}");
        }
    }
}
